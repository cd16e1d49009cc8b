"""`chatops-bot incident`: incidents as the store has them, and the draft of a post-mortem."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, tzinfo
from typing import Final, Protocol, get_args
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec

from chatops_bot.app.audit_command import plain
from chatops_bot.domain.incidents import Incident, open_items, read
from chatops_bot.domain.intents import Language
from chatops_bot.domain.postmortem import durations, markdown, said_by
from chatops_bot.domain.texts import word
from chatops_bot.ports.incidents import IncidentStore

Echo = Callable[[str], None]

_LANGUAGES: Final = get_args(Language)
_NOT_FOUND: Final = 2


class Store(Protocol):
    """What the commands need of an opened store."""

    @property
    def threads(self) -> IncidentStore: ...


async def list_incidents(store: Store, *, room: str, only_open: bool, as_json: bool, echo: Echo) -> int:
    """Print a line for each, the latest first. `room` is the platform's id of a room, or its key; "" for all."""
    records = await store.threads.incidents()
    found = [read(record.id, record.facts) for record in records]
    wanted = [
        incident
        for incident in sorted(found, key=lambda incident: -incident.declared_at)
        if _in_room(incident, room) and not (only_open and incident.resolved)
    ]
    for incident in wanted:
        echo(_json(incident, head=True) if as_json else _line(incident))
    if not wanted and not as_json:
        echo("There are no incidents." if not (room or only_open) else "There are no such incidents.")
    return 0


async def show(store: Store, *, wanted: str, language: str, as_json: bool, echo: Echo) -> int:
    """Print one with its timeline. Returns the exit code."""
    incident = await _found(store, wanted, echo)
    if incident is None:
        return _NOT_FOUND
    if as_json:
        echo(_json(incident))
        return 0
    for line in _told(incident, _language(language, incident)):
        echo(plain(line))
    return 0


async def export(store: Store, *, wanted: str, language: str, zone: tzinfo, echo: Echo) -> int:
    """Print the draft of its post-mortem as Markdown, with times of `zone`. Returns the exit code."""
    incident = await _found(store, wanted, echo)
    if incident is None:
        return _NOT_FOUND
    echo(markdown(incident, _language(language, incident), zone=zone).rstrip("\n"))
    return 0


def zone_of(name: str) -> tzinfo:
    """The time zone of that name. Raises `ValueError` with what to write."""
    try:
        return UTC if name.upper() == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(f"there is no time zone {name!r}; write one such as Asia/Shanghai") from None


def language_of(name: str) -> str:
    """The language as it was given, "" for that of the incident. Raises `ValueError` for an unknown one."""
    if name and name not in _LANGUAGES:
        raise ValueError(f"there is no language {name!r}; known are {', '.join(_LANGUAGES)}")
    return name


def _language(wanted: str, incident: Incident) -> Language:
    return "zh" if (wanted or incident.language) == "zh" else "en"


async def _found(store: Store, wanted: str, echo: Echo) -> Incident | None:
    record = await store.threads.incident(wanted.strip().lower())
    if record is None:
        echo(f"There is no incident {plain(wanted)[:60]!r}. `chatops-bot incident list` shows those that are kept.")
        return None
    return read(record.id, record.facts, record.entries, record.gap)


def _in_room(incident: Incident, room: str) -> bool:
    return not room or room in (incident.room, incident.room.partition(":")[2])


def _line(incident: Incident) -> str:
    cells = (
        _at(incident.declared_at),
        f"{incident.id:<20}",
        f"{incident.severity:<9}",
        f"{incident.status:<10}",
        incident.room,
        incident.who_commands or "-",
        incident.title or incident.entity,
    )
    return plain("  ".join(cells).rstrip())


def _told(incident: Incident, language: Language) -> Iterator[str]:
    yield f"{incident.id}  {incident.severity}  {incident.status}  {incident.title}".rstrip()
    yield f"room {incident.room}  service {incident.entity or '-'}  commander {incident.who_commands or '-'}"
    for name, at in durations(incident):
        yield f"{name:<13} {_at(at) if at else '-'}"
    for entry in open_items(incident):
        yield f"open          {said_by(entry, language)}"
    yield ""
    for entry in incident.entries:
        kind = word(f"incident.kind.{entry.kind}", language)
        yield f"{_at(entry.at)}  {kind}  {entry.name or entry.user or '-'}  {said_by(entry, language)}"
    if incident.gap:
        yield f"{incident.gap} further entries were more than the timeline keeps."


def _at(at: int) -> str:
    return datetime.fromtimestamp(at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S")


def _json(incident: Incident, *, head: bool = False) -> str:
    """Every field, whether or not it has a value; without the timeline where only the head was read."""
    fields = msgspec.structs.asdict(incident)
    if head:
        del fields["entries"], fields["gap"]
    return msgspec.json.encode(fields).decode()
