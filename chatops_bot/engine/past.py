"""Earlier conversations beside turns: which ones a turn may recall, and where those that end are found again."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from chatops_bot.domain import session
from chatops_bot.domain.dialogue.returning import LOOKED_AT, chosen
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Click, Event, Message
from chatops_bot.domain.intents import Utterance
from chatops_bot.domain.session import COURTESY, Public, Session, Summary
from chatops_bot.domain.texts import renders
from chatops_bot.ports.store import StoreUnavailable
from chatops_bot.ports.summaries import StoredSummary, SummaryStore

MOST_FILED = 6
"""Entities under which one summary is found: one conversation is rarely about more."""


class Past:
    """Reads summaries of the room that a turn is in. An answer never fails because of them."""

    def __init__(self, store: SummaryStore) -> None:
        self._store = store

    async def earlier(
        self, event: Event, before: Session, beside: Public | Summary | None, decision: Decision, *, now: int
    ) -> tuple[Summary, ...]:
        """Of a thread that this event has bound to a service for the first time, the conversations about it that ended
        before, the latest first; nothing where there is none to tell of."""
        lock = decision.session.lock
        fresh = before.lock is None and lock is not None and not before.told and not isinstance(beside, Summary)
        if not fresh or lock is None or not isinstance(event, Message | Click) or decision.ignored:
            return ()
        try:
            found = await self._store.of(before.room.key, lock.entity.key, limit=LOOKED_AT)
        except StoreUnavailable:
            return ()
        earlier = tuple(summaries_in(found))
        return earlier if chosen(earlier, user=event.user.key, now=now) is not None else ()

    async def last(self, before: Session, event: Message, utterance: Utterance) -> Summary | None:
        """Of a conversation that begins by naming one service, the last one that its author had about it here."""
        named = {service.entity.key for name in utterance.names for service in name.matches}
        if len(named) != 1:
            return None
        try:
            found = await self._store.of(before.room.key, next(iter(named)), limit=LOOKED_AT)
        except StoreUnavailable:
            return None
        return next((one for one in summaries_in(found) if event.user.key in one.people), None)


def summaries_in(found: Iterable[StoredSummary]) -> Iterable[Summary]:
    """What was stored, without what this version cannot read."""
    for stored in found:
        try:
            summary = session.decode_beside(stored.body)
        except msgspec.ValidationError:
            continue
        if isinstance(summary, Summary):
            yield with_words(summary)


def with_words(summary: Summary) -> Summary:
    """The summary without what only a newer version has words for."""
    gist, settled = summary.gist, summary.settled
    return msgspec.structs.replace(
        summary,
        gist=msgspec.structs.replace(gist, facts=tuple(fact for fact in gist.facts if renders(fact.said))),
        open=tuple(one for one in summary.open if renders(one.said)),
        settled=settled if settled is None or all(renders(reason.said) for reason in settled.reasons) else None,
    )


def filed(summary: Summary | None) -> tuple[str, ...]:
    """Under what a summary is to be found: its room, and the entities that it is about."""
    if summary is None or summary.outcome == COURTESY:
        return ()
    own = summary.entity.key if summary.entity is not None else ""
    about = (own, *(fact.about for fact in reversed(summary.gist.facts)))
    return ("", *[key for key in dict.fromkeys(about) if key][:MOST_FILED])
