"""Incidents: what is known of one, and the timeline that writes itself. Design section 10.

An incident belongs to a room and to the threads of its card: an archived thread hands its id on to the one that is
opened on the same card. What is stored are facts, each by itself, and entries, each with the event that made it; so
several threads may write to one incident, and nothing is lost or doubled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal, get_args

import msgspec

from chatops_bot.domain.identity import Room
from chatops_bot.domain.masking import mask
from chatops_bot.domain.say import Say

Status = Literal["open", "mitigated", "resolved"]

Kind = Literal[
    "declared",
    "severity",
    "commander",
    "mitigated",
    "resolved",
    "reopened",
    "firing",
    "quiet",
    "finding",
    "asked",
    "plan",
    "refused",
    "confirmed",
    "approved",
    "dropped",
    "outcome",
    "verified",
    "hand_off",
    "runbook",
    "linked",
    "unlinked",
    "note",
]

WEIGHTY: Final = frozenset(
    {"declared", "severity", "commander", "mitigated", "resolved", "reopened", "outcome", "verified", "note"}
    | {"linked", "unlinked"}
)
"""Kinds that are kept although there are many entries."""

NAME: Final = 80
"""Characters of somebody's name that are kept."""

TEXT: Final = 300
"""Characters of an entry that are kept."""

_ARGUMENT: Final = 160
"""The same of each argument of a sentence."""

_WORDS: Final = frozenset(
    [
        *("severity", "status", "title", "commander", "commander_name", "entity", "target", "group", "room"),
        *("language", "declared_by", "declared_name", "assignee"),
    ]
)
_TIMES: Final = ("declared_at", "detected_at", "acknowledged_at", "mitigated_at", "resolved_at", "reopened")


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the timeline: when (ms of the store's clock), who (user key and name, "" for nobody), and what: in
    words that can be rendered in either language, or as somebody wrote it. `order` settles what came first within one
    ms. `ref` is the same for all entries about one plan; `runbooks` are the ids that were cited."""

    id: str
    at: int
    kind: Kind
    order: int = 0
    user: str = ""
    name: str = ""
    said: Say | None = None
    text: str = ""
    ref: str = ""
    runbooks: tuple[str, ...] = ()


class Incident(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one. Times are ms, 0 for what has not happened; `reopened` counts how often it was. `entries`
    are in order, and empty where only the head was read; `gap` is how many more there were than are kept. `entity` is
    its service as people call it, `target` the key of that. `assignee` is who has its thread, as people read it, "" for
    nobody."""

    id: str
    room: str
    severity: str
    status: Status
    declared_at: int
    detected_at: int
    title: str = ""
    declared_by: str = ""
    declared_name: str = ""
    commander: str = ""
    commander_name: str = ""
    assignee: str = ""
    entity: str = ""
    target: str = ""
    group: str = ""
    language: str = "en"
    acknowledged_at: int = 0
    mitigated_at: int = 0
    resolved_at: int = 0
    reopened: int = 0
    entries: tuple[Entry, ...] = ()
    gap: int = 0

    @property
    def resolved(self) -> bool:
        """Whether it is over."""
        return self.status == "resolved"

    @property
    def who_commands(self) -> str:
        """The commander as people know them."""
        return self.commander_name or self.commander


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one turn does to one incident: facts set, facts set unless they have a value, entries added."""

    id: str
    facts: dict[str, str] = {}
    once: dict[str, str] = {}
    entries: tuple[Entry, ...] = ()
    opens: bool = False


class Incidents(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds for incidents (configurable): severities of alerts that declare one, the severity of one that is
    declared without any, and for how long (s) after it was resolved a new firing of its alerts opens it again. `links`
    are the rooms that one may be shown in beside its own, by name, as far as their organisations are known; `linkable`
    all of them, as `platform:channel`."""

    severities: tuple[str, ...] = ()
    severity: str = "sev3"
    reopen_s: int = 86_400
    links: Mapping[str, Room] = {}
    linkable: frozenset[str] = frozenset()


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """As stored."""
    return _encoder.encode(entry)


def decode(raw: bytes) -> Entry:
    """An entry as it was stored. Raises `msgspec.ValidationError` on what this version does not know."""
    return _decoder.decode(raw)


def incident_id(now: int, number: int) -> str:
    """The id of the `number`th incident of the day (UTC): short enough to be said on the telephone."""
    return f"inc-{day_of(now)}-{number}"


def day_of(now: int) -> str:
    """The day (UTC) of a time in ms, `YYYYMMDD`."""
    return datetime.fromtimestamp(now / 1000, UTC).strftime("%Y%m%d")


def bounded(entry: Entry) -> Entry:
    """The entry as it may be stored: short, and without what looks like a secret."""
    said = entry.said
    if said is not None:
        args = {name: kept(value, _ARGUMENT) if isinstance(value, str) else value for name, value in said.args.items()}
        said = Say(said.key, args)
    return msgspec.structs.replace(entry, said=said, text=kept(entry.text, TEXT), name=kept(entry.name, NAME))


def kept(text: str, limit: int) -> str:
    """What somebody wrote as it may be stored: one short line that can be read, without what looks like a secret."""
    line = " ".join("".join(c if c.isprintable() else " " for c in mask(text)).split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def read(id: str, facts: Mapping[str, str], entries: Iterable[bytes] = (), gap: int = 0) -> Incident:
    """An incident of what is stored. Facts and entries that this version does not know are left out: a newer one may
    have written them."""
    known: dict[str, str | int] = {name: value for name, value in facts.items() if name in _WORDS}
    known |= {name: int(facts[name]) for name in _TIMES if facts.get(name, "").isdecimal()}
    base = {"id": id, "room": "", "severity": "", "status": "open", "declared_at": 0, "detected_at": 0}
    if known.get("status") not in get_args(Status):
        known.pop("status", None)
    incident = msgspec.convert({**base, **known}, Incident, strict=False)
    found = []
    for raw in entries:
        try:
            found.append(decode(raw))
        except msgspec.ValidationError:
            gap += 1
    found.sort(key=lambda entry: (entry.at, entry.order))
    return msgspec.structs.replace(incident, entries=tuple(found), gap=gap)


def open_items(incident: Incident) -> tuple[Entry, ...]:
    """What still hangs: plans that wait for somebody, and changes of which nobody has seen yet whether they helped."""
    last: dict[str, Entry] = {}
    for entry in incident.entries:
        if entry.ref:
            last[entry.ref] = entry
    return tuple(
        entry
        for entry in last.values()
        if entry.kind in ("plan", "confirmed", "approved") or (entry.kind == "outcome" and entry.text in UNVERIFIED)
    )


UNVERIFIED: Final = frozenset({"done", "working", "unknown"})
"""Outcomes (the text of their entries) after which it has still to be seen what came of it."""


def people(incident: Incident) -> dict[str, str]:
    """Everybody who did something, user key to name, in the order of their first entry."""
    found: dict[str, str] = {}
    for entry in incident.entries:
        if entry.user and not found.get(entry.user):
            found[entry.user] = entry.name or entry.user
    return found
