"""Whether somebody means the bot without mentioning it, for platforms that tell the bot only what mentions it.

Where everything is heard the bot would take such a message in three cases: it answers a card (R2, R3), it answers what
the bot has asked its author (R5, R6), or the bot listens to everything and is asked something. So the question is put
to the rules and the dialogue themselves; nothing is kept of their answer. Where a mention would make a difference to
what is done, the bot is not meant: that is what the mention is for.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chatops_bot.app.bot import BuiltInRules
from chatops_bot.domain import events
from chatops_bot.domain.dialogue.decide import decide
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Message
from chatops_bot.domain.routing import Verdict
from chatops_bot.domain.session import Session
from chatops_bot.engine.arrivals import Arrivals
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.engine.turns import utterance_of


def meant(
    event: Message, *, card: Session | None, sessions: Mapping[str, Session], snapshot: Snapshot, now_ms: int
) -> bool:
    """`card` is the session of the card that it answers, if it answers one; `sessions` are all, oldest first."""
    rules = BuiltInRules()
    arrival = Arrivals(rules=rules, snapshot=snapshot).of(event)
    heard = events.decode(arrival.event)
    if not isinstance(heard, Message):
        raise TypeError(f"{event.id} is no message")
    own = card or _live(event, sessions)
    if own is None:
        return arrival.verdicts.none is not Verdict.IGNORE
    if own.archived or (heard.heard and heard.heard.listen == "all" and heard.heard.request):
        return True
    found = snapshot.names_in(event.text, snapshot.world)
    meaning = msgspec.structs.replace(rules.interpret(utterance_of(heard, own, found)), names=found.names)

    def outcome(message: Message) -> Decision:
        return decide(
            own,
            message,
            meaning,
            event_id=event.id,
            sequence=own.sequence + 1,
            now=now_ms,
            world=snapshot.world,
            via_card=card is not None,
        )

    as_said, mentioned = outcome(heard), outcome(msgspec.structs.replace(heard, addressed=True))
    if len(as_said.work) != len(mentioned.work) or as_said.session.state is not mentioned.session.state:
        return False  # an "ok" that the bot takes from nobody but who speaks to it
    return bool(as_said.cards or as_said.work)


def _live(event: Message, sessions: Mapping[str, Session]) -> Session | None:
    """The author's own thread in this room, the newest where several live."""
    own = [
        session
        for session in sessions.values()
        if not session.archived and session.room == event.room and session.owner == event.user.key
    ]
    return max(own, key=lambda session: session.touched, default=None)
