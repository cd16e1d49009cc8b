"""What was done in a span of time, as an answer: changes with how they ended, refusals, incidents, hand-offs.

It is made of what is on record (facts of ended conversations, records of the audit log, incidents); nothing is guessed
and nothing said twice: a change is known by its plan, wherever it is told of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.audit import Record
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.incidents import Incident, kept
from chatops_bot.domain.intents import ACTIONS, Quantity, SlotValue
from chatops_bot.domain.memory import ARGUMENT, RAN, Fact, called, why_refused
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Summary
from chatops_bot.domain.spans import Span, shown
from chatops_bot.domain.texts import word

SHOWN: Final = 12
"""Lines of one answer, the latest."""
ASKED: Final = 5
TITLE: Final = 60
_SOON_MS: Final = 120_000
"""A refusal on record so near one that is told already is the same."""


class Item(msgspec.Struct, frozen=True):
    """One line of the answer. `ref` is the same for all that tells of one plan."""

    at: int
    line: Say
    about: str
    ref: str = ""
    change: bool = False


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is on record for one question, already without what the asker may not read.

    `deeds` are executions in the audit log, wherever they were asked for, by the `ref` of their plan; `refusals` those
    of this room, but for buttons that were void; `limits` say where the records end.
    """

    summaries: tuple[Summary, ...] = ()
    deeds: Mapping[str, Record] = {}
    refusals: tuple[Record, ...] = ()
    incidents: tuple[Incident, ...] = ()
    hidden: bool = False
    limits: tuple[Say, ...] = ()


def past_report(
    found: Found,
    *,
    span: Span,
    now: int,
    zone: str,
    slots: Mapping[str, SlotValue],
    entity: Entity | None,
    names: Mapping[str, str],
) -> Report:
    """The answer, the earliest first. `names` are those of services by their key; `limits` of what was found say where
    the records end."""
    items = sorted(_items(found, span, names, now=now, zone=zone), key=lambda item: item.at)
    when = f"when.{slots.get('when', 'lately')}"
    changes = sum(item.change for item in items)
    name = entity.name if entity is not None else "past.room"
    args: dict[str, str | int] = {"name": name, "when": when}
    headline = Say("past.some", {**args, "count": changes}) if changes else Say("past.none", args)
    left_out = len(items) - SHOWN
    lines = [
        *([say("past.more", count=left_out)] if left_out > 0 else []),
        *(item.line for item in items[-SHOWN:]),
        *_asked(found.summaries, span),
        *([say("past.hidden")] if found.hidden else []),
    ]
    edges = {name: shown(at, now=0, zone=zone) for name, at in (("since", span.since), ("until", span.until))}
    return Report(
        kind="changes",
        at=now,
        entity=entity,
        headline=headline,
        tone="info" if items else "muted",
        lines=tuple(lines),
        unread=found.limits,
        digest=f"{changes} changes",
        slots=dict(slots),
        applied=(say("past.span", zone=zone, **edges),),
    )


def _items(found: Found, span: Span, names: Mapping[str, str], *, now: int, zone: str) -> Iterator[Item]:
    def at(moment: int) -> str:
        return shown(moment, now=now, zone=zone)

    told = [_told(fact, at(fact.at)) for fact in _facts(found.summaries, span) if fact.kind in ("done", "refused")]
    yield from told
    refs = {item.ref for item in told}
    for ref, record in found.deeds.items():
        if ref not in refs:
            yield Item(record.at, _deed(record, names, at(record.at)), record.service, ref, change=True)
    refused = [(item.about, item.at) for item in told if not item.change]
    for record in found.refusals:
        if all(about != record.service or abs(moment - record.at) > _SOON_MS for about, moment in refused):
            yield Item(record.at, _refusal(record, names, at(record.at)), record.service)
    for incident in found.incidents:
        yield Item(incident.declared_at, _incident(incident, at(incident.declared_at)), incident.target)
    for summary in found.summaries:
        taken = summary.assigned_to
        if taken is not None and span.since <= taken.since < span.until:
            who = kept(taken.name or taken.who, TITLE)
            yield Item(taken.since, say("past.handed", at=at(taken.since), who=who), summary.thread)


def _facts(summaries: Iterable[Summary], span: Span) -> Iterator[Fact]:
    for summary in summaries:
        for fact in summary.gist.facts:
            if span.since <= fact.at < span.until:
                yield fact


def _told(fact: Fact, at: str) -> Item:
    """A fact of a conversation that has ended, as a line."""
    args = {**fact.said.args, "at": at, "by": fact.by or "past.nobody"}
    if fact.kind == "refused":
        return Item(fact.at, Say("past.refused", args), fact.about)
    outcome = str(args.get("outcome", "")).removeprefix("outcome.")
    ran = outcome in RAN
    return Item(fact.at, Say("past.deed" if ran else "past.plan", args), fact.about, fact.ref, change=ran)


def _deed(record: Record, names: Mapping[str, str], at: str) -> Say:
    """An execution on record."""
    said = record.reason.rpartition(" ")[2]
    outcome = f"outcome.{said}" if word(f"outcome.{said}", "en") != f"outcome.{said}" else "outcome.unknown"
    pairs = (f"{slot} {_plain(record.before.get(slot, '?'))} → {_plain(v)}" for slot, v in record.parameters.items())
    return say(
        "past.deed_of",
        at=at,
        by=record.person or record.user or "past.nobody",
        action=f"action.{record.action}",
        service=_service(record.service, names),
        change=kept(", ".join(pairs), ARGUMENT) or "/".join(record.service.split("/")[2:]),
        outcome=outcome,
    )


def _refusal(record: Record, names: Mapping[str, str], at: str) -> Say:
    return say(
        "past.refused",
        at=at,
        by=record.person or record.user or "past.nobody",
        what=called(record.action, changes=record.action in ACTIONS),
        service=_service(record.service, names),
        why=why_refused(record.reason),
    )


def _incident(incident: Incident, at: str) -> Say:
    return say(
        "past.incident",
        at=at,
        id=incident.id,
        severity=incident.severity,
        status=f"incident.status.{incident.status}",
        title=kept(incident.title, TITLE) or "-",
    )


def _asked(summaries: Iterable[Summary], span: Span) -> Iterator[Say]:
    """What was only looked at, in one line, by what and how often."""
    counts: dict[tuple[str, str], int] = {}
    for fact in _facts(summaries, span):
        looked = str(fact.said.args.get("what", ""))
        if fact.kind == "asked" and looked.startswith("intent.") and looked != "intent.changes":
            key = (looked, str(fact.said.args.get("service", "")))
            counts[key] = counts.get(key, 0) + fact.times
    most = sorted(counts.items(), key=lambda one: -one[1])[:ASKED]
    for (what, service), count in most:
        yield say("past.asked", what=what, service=service, count=count)


def _service(key: str, names: Mapping[str, str]) -> str:
    return names.get(key) or key.rpartition("/")[2]


def _plain(value: SlotValue) -> str:
    return f"{value.value:g}" if isinstance(value, Quantity) else str(value)
