"""`chatops-bot audit show` and `export`: the whole story of one plan, and records for other programs."""

from __future__ import annotations

import csv
import io
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from typing import Final, Literal

import msgspec

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.app.audit_command import PAGE, Echo, Store, Wanted, chain, line, place_of, plain
from chatops_bot.domain.audit import Record, decode
from chatops_bot.ports.audit_sink import line_of
from chatops_bot.ports.store import AuditEntry

Format = Literal["jsonl", "csv"]
Placed = tuple[tuple[int, int, int, int], Record]
"""A record with its place among all (`audit_command.place_of`)."""

SHORTEST: Final = 4
"""Characters of a plan's token or an event's id that are taken for it."""

_FIRST: Final = ("at", "kind", "user", "person", "service", "action", "parameters", "reason", "text")
COLUMNS: Final = (
    *_FIRST,
    *(name for name in Record.__struct_fields__ if name not in _FIRST),
    *("shard", "id", "previous", "hash"),
)
"""Of the CSV form: what people look for first, then the rest, then the link of the chain."""

_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet would take a cell that begins so for."""


async def show(store: Store, *, wanted: str, as_json: bool, echo: Echo, page: int = PAGE) -> int:
    """Everything on record about one plan (its token, or the beginning of it) or one event (its id), oldest first.
    Returns the exit code: 1 when there is nothing, or when it could mean several plans."""
    if len(wanted) < SHORTEST:
        echo(f"{wanted!r} is too short; give at least {SHORTEST} characters of a plan's token or an event's id")
        return 1
    found: dict[str, list[Placed]] = {}
    async for entry in _all(store, page):
        record = _record(entry)
        if record is not None and record.token.startswith(wanted):
            found.setdefault(record.token, []).append((place_of(entry, record), record))
        elif record is not None and _of_event(record, wanted):
            found.setdefault("", []).append((place_of(entry, record), record))
    tokens = [token for token in found if token]
    if len(tokens) > 1 and "" not in found:
        echo(f"{wanted} is the beginning of {len(tokens)} plans: {', '.join(sorted(tokens))}")
        return 1
    records = [record for records in found.values() for record in records]
    if tokens and "" not in found:
        records += await _asked(store, records, page)
    if not records:
        echo(f"nothing is on record about {wanted}")
        return 1
    for _, record in sorted(records, key=lambda one: one[0]):
        for text in [msgspec.json.encode(record).decode()] if as_json else _told(record):
            echo(text)
    return 0


async def export(store: Store, *, wanted: Wanted, form: Format, echo: Echo, page: int = PAGE) -> int:
    """The wanted records with their links, in the order of the chains, one shard after the other. Returns the exit
    code: 1 when one cannot be read.

    As JSON the record stands as it is stored, to the byte, so that the hashes can be computed anew.
    """
    if form == "csv":
        echo(_csv(COLUMNS))
    unreadable = 0
    async for entry in _all(store, page):
        record = _record(entry)
        unreadable += record is None
        if record is not None and wanted.has(record):
            echo(line_of(entry) if form == "jsonl" else _csv(_row(entry, record)))
    return 1 if unreadable else 0


async def _all(store: Store, page: int) -> AsyncIterator[AuditEntry]:
    for shard in range(SHARDS):
        async for entry in chain(store.audit, shard, page):
            yield entry


def _record(entry: AuditEntry) -> Record | None:
    try:
        return decode(entry.record)
    except msgspec.DecodeError:
        return None


def _of_event(record: Record, wanted: str) -> bool:
    """Whether it was led to by this event: what a turn asks for is numbered behind the event's id."""
    return record.event == wanted or record.event.startswith(f"{wanted}.")


async def _asked(store: Store, records: list[Placed], page: int) -> list[Placed]:
    """The request that a plan began with, which had no token yet: the same event."""
    events = {record.event.rpartition(".")[0] for _, record in records if record.reason == "prepared"}
    asked = []
    async for entry in _all(store, page):
        record = _record(entry)
        if record is not None and record.event in events and not record.token:
            asked.append((place_of(entry, record), record))
    return asked


def _told(record: Record) -> Iterator[str]:
    """One record for a person, with all that `audit list` leaves out."""
    yield line(record)
    details = {
        "room": f"{record.room} thread {record.thread}" if record.room else "",
        "card": record.card,
        "event": record.event,
        "plan": " ".join(part for part in (record.token, record.digest and f"digest {record.digest}") if part),
        "before": msgspec.json.encode(record.before).decode() if record.before else "",
        "sent": record.sent,
        "answered": record.answered,
        "link": record.link,
        "model": record.model,
    }
    for name, value in details.items():
        if value:
            yield f"    {name + ':':<10} {plain(value)}"
    for text in record.shown:
        yield f"    {'shown:':<10} {plain(text)}"


def _row(entry: AuditEntry, record: Record) -> list[str]:
    fields: dict[str, object] = {**msgspec.structs.asdict(record), "at": _iso(record.at)}
    fields |= {"shard": entry.shard, "id": entry.id, "previous": entry.previous, "hash": entry.hash}
    return [_cell(fields[name]) for name in COLUMNS]


def _iso(at: int) -> str:
    """Ms of wall time in ISO form; as they stand where they are none."""
    try:
        return datetime.fromtimestamp(at / 1_000, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return str(at)


def _cell(value: object) -> str:
    structured = not isinstance(value, str | int)
    text = (msgspec.json.encode(value).decode() if value else "") if structured else str(value)
    return f"'{text}" if text.startswith(_FORMULAS) else text


def _csv(cells: tuple[str, ...] | list[str]) -> str:
    """One row, without the end of the line."""
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(cells)
    return out.getvalue()
