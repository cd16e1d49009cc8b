"""Incidents beside turns: which ones a turn has to know, and what it has done to them."""

from __future__ import annotations

from collections.abc import Iterable

from chatops_bot.domain import incidents
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import AlertGroup, Click, Event, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incident_words import Command, command_of
from chatops_bot.domain.incidents import Change, Incident
from chatops_bot.domain.intents import Interpretation
from chatops_bot.domain.session import Public, Session, Summary
from chatops_bot.ports.incidents import IncidentChange, IncidentEntry, IncidentRecord, IncidentStore
from chatops_bot.ports.meter import Meter

INTENT = "incident"
BUTTON = "incident"
SUBSCRIBE = "subscribe"


class IncidentDesk:
    """Reads what a turn needs to know, gives numbers, and counts."""

    def __init__(self, store: IncidentStore, *, meter: Meter) -> None:
        self._store = store
        self._meter = meter

    async def known(
        self, event: Event, before: Session, beside: Public | Summary | None, meaning: Interpretation | None
    ) -> tuple[Incident, ...]:
        """The incidents that a turn may be about. Most turns are about none, and read nothing."""
        taken = beside.incident if isinstance(beside, Summary) else ""
        found = await self._meant(event, before, before.incident or taken, meaning)
        if taken and all(incident.id != taken for incident in found):
            found += await self._one(taken, before.room)
        return found

    async def _meant(
        self, event: Event, before: Session, own: str, meaning: Interpretation | None
    ) -> tuple[Incident, ...]:
        """`own` is the incident of the thread. A thread that begins may be about what is open in its room."""
        room = before.room
        match event:
            case AlertGroup():
                return await self._one(own or await self._store.incident_of(event.group, room=room.key), room)
            case Click():
                pressed = event.button.partition(":")[0] == BUTTON
                return await self._one(event.value or own, room) if pressed else ()
            case Message():
                command = command_of(event.text) or _asked(meaning)
                if command is not None:
                    return await self._for(command, own, room)
                if own and _wishes(meaning):
                    return await self._one(own, room)
                return () if before.used or own else await self._open(room)
            case _:
                return ()

    async def beside(self, known: tuple[Incident, ...], earlier: Iterable[Summary], room: Room) -> tuple[Incident, ...]:
        """Those that are known, and those that earlier conversations belonged to."""
        found = {incident.id: incident for incident in known}
        for id in dict.fromkeys(summary.incident for summary in earlier):
            if id and id not in found:
                found |= {incident.id: incident for incident in await self._one(id, room)}
        return tuple(found.values())

    async def number(self, now: int) -> int:
        """That of an incident which is declared now (ms)."""
        return await self._store.next_incident(incidents.day_of(now))

    def count(self, decision: Decision, known: tuple[Incident, ...]) -> None:
        """Into the metrics: what was opened, resolved or opened again, and how long it took."""
        before = {incident.id: incident for incident in known}
        for change in decision.incidents:
            was = before.get(change.id)
            if change.opens:
                self._meter.count("incidents", step="opened")
            elif was is not None:
                self._changed(change, was)

    def _changed(self, change: Change, was: Incident) -> None:
        for step in ("acknowledged", "mitigated", "resolved"):
            name = f"{step}_at"
            at = int(change.facts.get(name) or change.once.get(name) or 0)
            if at and not getattr(was, name):
                self._meter.observe("incident_seconds", max(0, at - was.detected_at) / 1000, step=step)
        status = change.facts.get("status", "")
        if status and status != was.status:
            reopened = status == "open" and was.resolved
            self._meter.count("incidents", step="reopened" if reopened else status)

    async def _for(self, command: Command, own: str, room: Room) -> tuple[Incident, ...]:
        if command.verb == "list":
            return await self._all(room)
        id = command.id or own
        if id:
            found = await self._one(id, room)
            return found if found or command.id else await self._all(room)
        if command.verb == "declare":
            return ()
        found = await self._open(room)
        return await self._one(found[0].id, room) if len(found) == 1 else found

    async def _one(self, id: str, room: Room) -> tuple[Incident, ...]:
        record = await self._store.incident(id, room=room.key) if id else None
        return (read(record),) if record is not None else ()

    async def _open(self, room: Room) -> tuple[Incident, ...]:
        return tuple(incident for incident in await self._all(room) if not incident.resolved)

    async def _all(self, room: Room) -> tuple[Incident, ...]:
        return tuple(read(record) for record in await self._store.incidents(room=room.key))


def read(record: IncidentRecord) -> Incident:
    """The incident of a stored record."""
    return incidents.read(record.id, record.facts, record.entries, record.gap)


def stored(changes: tuple[Change, ...]) -> tuple[IncidentChange, ...]:
    """What the commit of a turn writes of them."""
    return tuple(
        IncidentChange(
            id=change.id,
            facts=change.facts,
            once=change.once,
            opens=change.opens,
            entries=tuple(
                IncidentEntry(entry.id, incidents.encode(entry), entry.kind in incidents.WEIGHTY)
                for entry in change.entries
            ),
        )
        for change in changes
    )


def _asked(meaning: Interpretation | None) -> Command | None:
    """A question about incidents that is not one of the known phrases."""
    wanted = meaning is not None and any(request.intent == INTENT for request in meaning.requests)
    return Command("status") if wanted else None


def _wishes(meaning: Interpretation | None) -> bool:
    """Whether somebody wants to be told of changes, of which its state may be one."""
    return meaning is not None and any(request.intent == SUBSCRIBE for request in meaning.requests)
