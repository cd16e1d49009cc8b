"""Answering what was done in a span of time: from summaries of conversations, the audit log and incidents.

Of a service, what was done to it is told wherever it was asked for, as any change is; what was refused, and who had the
thread, only of this room. Of a room, only what happened in it. What the asker may not read is left out, service by
service.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from msgspec.structs import replace

from chatops_bot.domain import incidents, joint
from chatops_bot.domain.audit import Record
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import Incident
from chatops_bot.domain.memory import ref_of, why_refused
from chatops_bot.domain.pasts import Found, past_report
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Summary
from chatops_bot.domain.spans import Span, shown, span_of
from chatops_bot.domain.world import World
from chatops_bot.engine.past import summaries_in
from chatops_bot.engine.trail import PAGE, PAGES, Recorded, Trail
from chatops_bot.ports.incidents import IncidentStore
from chatops_bot.ports.store import StoreUnavailable
from chatops_bot.ports.summaries import SummaryStore

DAY_S: Final = 86_400
LATER_MS: Final = DAY_S * 1000
"""A conversation that ended so long after the span may still tell of it."""
MOST_SUMMARIES: Final = 60
MOST_ENTITIES: Final = 12
"""Services of one room whose own records are read."""


class Accounts:
    """Reads what is on record; `world` is the snapshot as it is."""

    def __init__(
        self, *, summaries: SummaryStore, incidents: IncidentStore, trail: Trail, world: Callable[[], World]
    ) -> None:
        self._summaries = summaries
        self._incidents = incidents
        self._trail = trail
        self._world = world

    def zone_of(self, room: Room) -> str:
        """The time zone that holds in a room."""
        return self._world().recall.zone_of(room)

    async def report(self, effect: Query, now: int) -> Report:
        """The answer; `now` is ms of the wall clock. It never fails: what cannot be read is named."""
        world, zone = self._world(), self.zone_of(effect.room)
        span = _span(effect, now, zone)
        limits = list(_edges(world, span, now))
        summaries = await self._told(effect, span, now, limits)
        own = await self._trail.between(effect.room.key, span)
        about = [effect.entity.key] if effect.entity is not None else _mentioned(summaries, own, effect.room.key)
        allowed = [key for key in about if self._may(world, effect, key)]
        if len(allowed) > MOST_ENTITIES:
            limits.append(say("past.services", count=MOST_ENTITIES))
        deeds: dict[str, Record] = {}
        for key in allowed[:MOST_ENTITIES]:
            recorded = await self._trail.between(key, span)
            limits += _gaps(recorded, now, zone)
            deeds |= _deeds(recorded, key, room="" if effect.entity is not None else effect.room.key)
        limits += _gaps(own, now, zone)
        opened = await self._opened(effect, span)
        known = [one for one in opened if not one.target or self._may(world, effect, one.target)]
        found = Found(
            summaries=tuple(_seen(summaries, allowed)),
            deeds=deeds,
            refusals=tuple(_refusals(own, effect.room.key, allowed, whole=effect.entity is None)),
            incidents=tuple(known),
            hidden=len(allowed) < len(about) or len(known) < len(opened),
            limits=tuple(one for place, one in enumerate(limits) if one not in limits[:place]),
        )
        names = {key: entity.name for key in about if (entity := world.entity(key)) is not None}
        return past_report(found, span=span, now=now, zone=zone, slots=effect.slots, entity=effect.entity, names=names)

    async def _told(self, effect: Query, span: Span, now: int, limits: list[Say]) -> list[Summary]:
        about = effect.entity.key if effect.entity is not None else ""
        until = min(now + 1, span.until + LATER_MS)
        try:
            found = await self._summaries.of(
                effect.room.key, about, limit=MOST_SUMMARIES, since=span.since, until=until
            )
        except StoreUnavailable:
            limits.append(say("past.untold"))
            return []
        if len(found) >= MOST_SUMMARIES:
            limits.append(say("past.latest", count=MOST_SUMMARIES))
        return list(summaries_in(found))

    async def _opened(self, effect: Query, span: Span) -> list[Incident]:
        """Incidents of the room that were declared in the span, about the service where one is asked for."""
        try:
            records = await self._incidents.incidents(room=effect.room.key)
        except StoreUnavailable:
            return []
        found = [incidents.read(record.id, record.facts) for record in records]
        about = effect.entity.key if effect.entity is not None else None
        return [
            one
            for one in found
            if span.since <= one.declared_at < span.until and (about is None or one.target == about)
        ]

    def _may(self, world: World, effect: Query, key: str) -> bool:
        entity: Entity | None = world.entity(key)
        rooms = (effect.room, *effect.rooms)
        return joint.judge(world.policy, rooms, action="changes", entity=entity, user=effect.user, role="read").allowed


def _span(effect: Query, now: int, zone: str) -> Span:
    """By its name, by how far back it goes, or the last day."""
    named = span_of(str(effect.slots.get("when", "")), now=now, zone=zone)
    if named is not None:
        return named
    said = effect.slots.get("since")
    seconds = said if isinstance(said, int) and said > 0 else DAY_S
    return Span(max(0, now - seconds * 1000), now + 1)


def _edges(world: World, span: Span, now: int) -> Iterable[Say]:
    """Where the records end, as far as the span goes beyond that."""
    recall = world.recall
    if span.since < now - recall.summaries_days * LATER_MS:
        yield say("past.kept", days=recall.summaries_days)
    if recall.audit_days and span.since < now - recall.audit_days * LATER_MS:
        yield say("past.audit_kept", days=recall.audit_days)


def _gaps(recorded: Recorded, now: int, zone: str) -> Iterable[Say]:
    if recorded.unread:
        yield say("past.unread")
    elif recorded.cut:
        yield say("past.cut", count=PAGE * PAGES, at=shown(recorded.cut, now=now, zone=zone))


def _mentioned(summaries: Iterable[Summary], own: Recorded, room: str) -> list[str]:
    """Keys of what a room was busy with, the latest first."""
    found = [record.service for record in reversed(own.records) if record.room == room]
    for summary in summaries:
        found += [fact.about for fact in summary.gist.facts]
    return [key for key in dict.fromkeys(found) if key]


def _deeds(recorded: Recorded, key: str, *, room: str) -> dict[str, Record]:
    """Executions by what is known of their plans, each once; of one room alone where that is asked for."""
    found: dict[str, Record] = {}
    for record in recorded.records:
        mine = record.kind == "execution" and record.service == key and room in ("", record.room)
        if mine and record.action:
            found.setdefault(ref_of(record.token or record.event), record)
    return found


def _refusals(own: Recorded, room: str, allowed: list[str], *, whole: bool) -> Iterable[Record]:
    """What was refused in this room, but for buttons that were void; about nothing in particular only of the whole
    room."""
    for record in own.records:
        about = record.service in allowed or (whole and not record.service)
        if record.kind == "refusal" and record.room == room and about and why_refused(record.reason):
            yield record


def _seen(summaries: Iterable[Summary], allowed: list[str]) -> Iterable[Summary]:
    """Without the facts that are about something else, or that may not be read."""
    for summary in summaries:
        facts = tuple(fact for fact in summary.gist.facts if fact.about in allowed)
        about = summary.entity.key if summary.entity is not None else ""
        if facts or about in allowed:
            gist = replace(summary.gist, facts=facts)
            yield replace(summary, gist=gist)
