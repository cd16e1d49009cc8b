"""A week of one room, or of all, on one card: what was asked and how it ended, what was changed, what was refused,
which services kept people busy, what the model cost, and what is still open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

import msgspec

from chatops_bot.domain.audit import Record
from chatops_bot.domain.cards import Block, Card, Fields, Note, Text
from chatops_bot.domain.intents import Language
from chatops_bot.domain.memory import RAN, why_refused
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Summary
from chatops_bot.domain.settled import in_trouble, worth
from chatops_bot.domain.texts import render, word

WEEK_MS: Final = 7 * 86_400_000
LATE_MS: Final = 86_400_000
"""A digest that could not be posted for so long is left out: it would be mistaken for this week's."""
KINDS: Final = frozenset({"execution", "outcome", "refusal"})
"""Kinds of audit records that a digest is made of."""
_SEEN: Final = frozenset({"verified", "not verified: failed", "not verified: timeout"})
"""What following an executed plan has shown."""
_SHOWN: Final = 5
_REASONS: Final = 4


class Figures(msgspec.Struct, frozen=True):
    """What is told of a week. `asked` counts questions by intent, `actions` changes by (action, outcome), `refusals`
    by why (what was void counts as none), `noisy` conversations about trouble by service; `open` are incidents.
    `tokens` is None where no model is configured, `cost` None where its price is not known."""

    since: int
    until: int
    conversations: int = 0
    resolved: int = 0
    unresolved: int = 0
    asked: Mapping[str, int] = {}
    actions: Mapping[tuple[str, str], int] = {}
    refusals: Mapping[str, int] = {}
    noisy: Mapping[str, int] = {}
    open: tuple[str, ...] = ()
    tokens: int | None = None
    cost: float | None = None
    currency: str = ""


def due(now: float, *, weekday: int, hour: int, zone: tzinfo) -> datetime:
    """The last moment up to `now` (s) at which a digest was due; `weekday` counts from Monday, 0."""
    local = datetime.fromtimestamp(now, UTC).astimezone(zone)
    moment = local.replace(hour=hour, minute=0, second=0, microsecond=0) - timedelta(
        days=(local.weekday() - weekday) % 7
    )
    return moment if moment <= local else moment - timedelta(days=7)


def figures(summaries: Iterable[Summary], records: Iterable[Record], *, since: int, until: int) -> Figures:
    """From the conversations that ended, and the audit records that were written, in [since, until) ms."""
    of_week = [one for one in summaries if since <= one.at < until and worth(one)]
    asked: Counter[str] = Counter()
    noisy: Counter[str] = Counter()
    verdicts: Counter[str] = Counter()
    for one in of_week:
        for fact in one.gist.of("asked"):
            asked[fact.ref.partition(" ")[0]] += fact.times
        if one.settled is not None:
            verdicts[one.settled.verdict] += 1
        if one.entity is not None and in_trouble(one):
            noisy[one.entity.name] += 1
    written = sorted((record for record in records if since <= record.at < until), key=lambda record: record.at)
    refused = (why_refused(record.reason).removeprefix("refused.") for record in written if record.kind == "refusal")
    refusals = Counter(why for why in refused if why)
    return Figures(
        since=since,
        until=until,
        conversations=len(of_week),
        resolved=verdicts["resolved"],
        unresolved=verdicts["unresolved"],
        asked=dict(asked.most_common()),
        actions=dict(Counter(_ends(written).values()).most_common()),
        refusals=dict(refusals.most_common()),
        noisy=dict(noisy.most_common()),
    )


def _ends(written: Iterable[Record]) -> dict[str, tuple[str, str]]:
    """By its token every plan that was to be executed: its action, and how that ended as far as is known."""
    ends: dict[str, tuple[str, str]] = {}
    for record in written:
        if record.kind not in KINDS or record.kind == "refusal" or not record.token:
            continue
        said = record.reason.rpartition(" ")[2]
        if record.reason in _SEEN and record.token not in ends:
            continue  # it was executed in the week before, and counted there
        if said in RAN:
            ends[record.token] = (record.action, said)
        elif record.kind == "execution":
            ends.setdefault(record.token, (record.action, "done"))
        elif "." in said:
            ends.setdefault(record.token, (record.action, "refused"))
    return ends


def card(week: Figures, language: Language, *, zone: tzinfo) -> Card:
    """The digest, to be posted; it has no buttons and belongs to no thread."""
    blocks: list[Block] = [Text(render(_ended(week), language), strong=True)]
    rows = [(word(f"digest.{name}", language), text) for name, text in _rows(week, language) if text]
    if rows:
        blocks.append(Fields(tuple(rows)))
    first, last = (_date(moment, zone) for moment in (week.since, week.until - 1))
    blocks.append(Note(render(say("digest.span", first=first, last=last, zone=str(zone)), language)))
    return Card(title=word("digest.title", language), language=language, tone="info", blocks=tuple(blocks))


def _ended(week: Figures) -> Say:
    if not week.conversations:
        return say("digest.quiet")
    judged = week.resolved + week.unresolved
    if not judged:
        return say("digest.unjudged", count=week.conversations)
    return say("digest.ended", count=week.conversations, resolved=week.resolved, unresolved=week.unresolved)


def _rows(week: Figures, language: Language) -> Iterable[tuple[str, str]]:
    between = "、" if language == "zh" else ", "
    yield "asked", between.join(f"{_intent(name, language)} {count}" for name, count in _top(week.asked))
    changes = (
        f"{word(f'action.{action}', language)} ({_outcome(outcome, language)}) {count}"
        for (action, outcome), count in list(week.actions.items())[:_SHOWN]
    )
    yield "actions", between.join(changes) or word("digest.none", language)
    refused = sum(week.refusals.values())
    why = between.join(f"{_why(name, language)} {count}" for name, count in list(week.refusals.items())[:_REASONS])
    yield "refusals", f"{refused}: {why}" if refused else word("digest.none", language)
    yield "noisy", between.join(f"{name} {count}" for name, count in _top(week.noisy))
    yield "open", between.join(week.open[:_SHOWN]) + (f" +{len(week.open) - _SHOWN}" if len(week.open) > _SHOWN else "")
    if week.tokens is not None:
        spent = render(say("digest.tokens", count=f"{week.tokens:,}"), language)
        yield "model", spent if week.cost is None else f"{spent} ({week.cost:.2f} {week.currency})"


def _top(counted: Mapping[str, int]) -> list[tuple[str, int]]:
    return list(counted.items())[:_SHOWN]


def _intent(name: str, language: Language) -> str:
    for group in ("intent", "action"):
        if (said := word(f"{group}.{name}", language)) != f"{group}.{name}":
            return said
    return name


def _outcome(name: str, language: Language) -> str:
    said = word(f"outcome.{name}", language)
    return name if said == f"outcome.{name}" else said


def _why(reason: str, language: Language) -> str:
    said = word(f"refused.{reason}", language)
    return word("digest.other", language) if reason == "other" or said == f"refused.{reason}" else said


def _date(moment: int, zone: tzinfo) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).astimezone(zone).strftime("%Y-%m-%d")
