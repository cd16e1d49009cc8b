"""`chatops-bot audit`: reads the chains of all shards, and checks them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterable
from datetime import UTC, datetime
from typing import Final, Protocol, get_args

import msgspec

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.domain.audit import Kind, Record, Verdict, attests, decode, verify
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.store import AuditEntry, AuditLog

Echo = Callable[[str], None]

PAGE: Final = 1_000
"""Links read at a time."""

_AGO = re.compile(r"(\d{1,6})([smhd])")
_UNIT_S: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}


class Store(Protocol):
    """What these commands need of an opened store."""

    @property
    def audit(self) -> AuditLog: ...


class Wanted(msgspec.Struct, frozen=True):
    """Which records are wanted; "" and 0 mean all. From `since` until before `until`, ms of wall time."""

    since: int = 0
    until: int = 0
    user: str = ""
    service: str = ""
    action: str = ""
    kind: str = ""

    @classmethod
    def of(
        cls,
        *,
        since: str,
        user: str,
        service: str,
        action: str,
        kind: str,
        until: str = "",
        now: float | None = None,
    ) -> Wanted:
        """As written on the command line. Raises `ValueError` for a time or kind that is none."""
        if kind and kind not in get_args(Kind):
            raise ValueError(f"there is no kind {kind!r}; known are {', '.join(get_args(Kind))}")
        now = SystemClock().now() if now is None else now
        begin, end = _time(since, now), _time(until, now)
        return cls(since=begin, until=end, user=user, service=service, action=action, kind=kind)

    def has(self, record: Record) -> bool:
        """Whether the record is wanted. A service is named by its key or by the last part of it."""
        service = record.service
        return (
            record.at >= self.since
            and (not self.until or record.at < self.until)
            and self.user in ("", record.user, record.person)
            and self.service in ("", service, service.rpartition("/")[2])
            and self.action in ("", record.action)
            and self.kind in ("", record.kind)
        )


async def list_records(store: Store, *, wanted: Wanted, as_json: bool, echo: Echo, page: int = PAGE) -> int:
    """Print the wanted records of all shards, oldest first. Returns the exit code: 1 when one cannot be read."""
    found: list[tuple[tuple[int, int, int, int], Record]] = []
    unreadable = 0
    for shard in range(SHARDS):
        async for entry in chain(store.audit, shard, page):
            try:
                record = decode(entry.record)
            except msgspec.DecodeError:
                unreadable += 1
                continue
            if wanted.has(record):
                found.append((place_of(entry, record), record))
    for _, record in sorted(found, key=lambda one: one[0]):
        echo(msgspec.json.encode(record).decode() if as_json else line(record))
    if unreadable:
        echo(f"{unreadable} records cannot be read; `chatops-bot audit verify` says where")
    return 1 if unreadable else 0


async def verify_chains(store: Store, *, as_json: bool, echo: Echo, page: int = PAGE) -> int:
    """Check every shard's chain and say where it breaks. Returns the exit code."""
    broken = links = 0
    for shard in range(SHARDS):
        verdict = await _verified(store.audit, shard, page)
        links += verdict.sound
        broken += bool(verdict.broken_at)
        if as_json and (verdict.sound or verdict.broken_at):
            echo(verdict_line(shard, verdict))
        elif verdict.broken_at:
            echo(broken_line(shard, verdict))
    if not as_json:
        echo(f"{links} links are sound; {broken or 'no'} chain{'s are' if broken > 1 else ' is'} broken.")
    return 1 if broken else 0


def verdict_line(shard: int, verdict: Verdict, **more: str) -> str:
    """A verdict for another program."""
    return msgspec.json.encode({"shard": shard, **msgspec.structs.asdict(verdict), **more}).decode()


def broken_line(shard: int, verdict: Verdict) -> str:
    """Where and why a chain breaks."""
    return f"shard {shard}: {_REASONS[verdict.reason]} at {verdict.broken_at}, after {verdict.sound} sound links"


_REASONS: Final = {
    "altered": "a record was altered",
    "cut": "the last records are missing",
    "missing": "records are missing or were moved",
    "unreadable": "a record cannot be read",
    "unattested": "records were cut off, of which nothing is on record,",
}


def place_of(entry: AuditEntry, record: Record | None = None) -> tuple[int, int, int, int]:
    """Where an entry belongs among those of all shards: by the store's clock, since those of the processes that wrote
    the records need not agree; within its millisecond by theirs, and within a shard in the order of its chain."""
    time, _, number = entry.id.partition("-")
    return int(time), record.at if record is not None else 0, entry.shard, int(number or 0)


async def chain(audit: AuditLog, shard: int, size: int) -> AsyncIterator[AuditEntry]:
    """One shard's chain from its beginning, `size` links at a time."""
    after = ""
    while page := await audit.entries(shard=shard, after=after, limit=size):
        for entry in page:
            yield entry
        after = page[-1].id


async def _verified(audit: AuditLog, shard: int, size: int) -> Verdict:
    base = await audit.base(shard=shard)
    verdict = await _from(audit, shard, size, base)
    moved = await audit.base(shard=shard)
    # Cut off while it was read: once more, from where it begins now.
    return verdict if moved == base else await _from(audit, shard, size, moved)


async def _from(audit: AuditLog, shard: int, size: int, base: str) -> Verdict:
    # Read first: what is written meanwhile only makes the chain longer.
    last = await audit.head(shard=shard)
    reached, attested = not last or last == base, not base
    sound, head, after = 0, base, ""
    while page := await audit.entries(shard=shard, after=after, limit=size):
        verdict = verify(page, head=head)
        sound, head, after = sound + verdict.sound, verdict.head, page[-1].id
        reached = reached or any(entry.hash == last for entry in page)
        attested = attested or any(attests(entry, base) for entry in page)
        if verdict.broken_at:
            return msgspec.structs.replace(verdict, sound=sound)
    if not reached:
        return Verdict(sound, head, after or "its beginning", "cut")
    return Verdict(sound, head) if attested else Verdict(sound, head, "its beginning", "unattested")


def line(record: Record) -> str:
    """One record for a person."""
    at = moment(record.at)
    parameters = " ".join(f"{name}={_value(value)}" for name, value in record.parameters.items())
    facts: Iterable[str] = (record.action, record.service, parameters, record.reason, _quoted(record.text))
    who = f"{record.user} ({record.person})" if record.person else record.user or "-"
    return plain(f"{at}  {record.kind:<12} {who:<20} {' '.join(fact for fact in facts if fact)}".rstrip())


def moment(at: int) -> str:
    """Ms of wall time as a date with a time; as a number where it is none."""
    try:
        return datetime.fromtimestamp(at / 1_000, UTC).strftime("%Y-%m-%d %H:%M:%S")
    except (OverflowError, ValueError, OSError):
        return f"{at} ms"


def _value(value: object) -> str:
    return msgspec.json.encode(value).decode() if isinstance(value, msgspec.Struct) else str(value)


def _quoted(text: str) -> str:
    return f'"{text}"' if text else ""


def plain(text: str) -> str:
    """What somebody wrote, on one line and without the power to move the terminal's cursor."""
    return "".join(c if c.isprintable() else " " for c in text)


def _time(text: str, now: float) -> int:
    """Ms of wall time: so long before `now`, or a time in ISO form (UTC where it does not say)."""
    if not text:
        return 0
    if ago := _AGO.fullmatch(text):
        return int((now - int(ago[1]) * _UNIT_S[ago[2]]) * 1_000)
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"{text!r} is no time; write 30m, 2h, 7d or 2026-01-05T10:00") from None
    return int((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1_000)
