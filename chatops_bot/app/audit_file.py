"""The audit log as it was copied or exported, JSON Lines: read and checked without any store."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.app.audit_command import Echo, broken_line, place_of, verdict_line
from chatops_bot.domain.audit import verify
from chatops_bot.ports.store import AuditEntry


class AuditFileError(ValueError):
    """The file cannot be used; the text says why."""


class _Line(msgspec.Struct):
    """As `ports.audit_sink.line_of` writes it. The record is kept to the byte."""

    shard: int
    id: str
    previous: str
    hash: str
    record: msgspec.Raw = msgspec.Raw(b"")
    unreadable: str = ""


_ID: Final = re.compile(r"\d{1,20}-\d{1,20}", re.ASCII)
"""As the store numbers its entries: ms, and a number within them."""

_decoder = msgspec.json.Decoder(_Line)


class FileLog:
    """An `AuditLog` to read. An entry may stand there more than once, as copies come at least once. `other` counts
    lines that are none: a collector may have put other logs into the same file."""

    def __init__(self, entries: Iterable[AuditEntry], *, other: int = 0) -> None:
        self._of: dict[int, list[AuditEntry]] = {}
        self.other = other
        for entry in sorted(entries, key=place_of):
            self._of.setdefault(entry.shard, []).append(entry)

    async def entries(self, *, shard: int, after: str = "", limit: int = 500) -> list[AuditEntry]:
        """As ports.store.AuditLog says."""
        found = self._of.get(shard, [])
        start = next((n + 1 for n, entry in enumerate(found) if entry.id == after), 0) if after else 0
        return found[start : start + limit]

    async def head(self, *, shard: int) -> str:
        """Not known to a file: nothing in it tells that its end is missing."""
        return ""

    async def base(self, *, shard: int) -> str:
        """Hash of the link that the file begins after."""
        found = self._of.get(shard)
        return found[0].previous if found else ""

    async def append(self, *, shard_of: str, record: bytes) -> None:
        """Never."""
        raise AuditFileError("a file is only read")

    def pieces(self, shard: int) -> list[list[AuditEntry]]:
        """What hangs together: a store that was emptied begins its chain anew."""
        found: list[list[AuditEntry]] = []
        for entry in self._of.get(shard, []):
            if not found or not entry.previous:
                found.append([])
            found[-1].append(entry)
        return found


class FileStore:
    """What the audit commands need of an opened store."""

    def __init__(self, log: FileLog) -> None:
        self.audit = log


def read(path: Path) -> FileStore:
    """The file's entries. Raises `AuditFileError` for a file that cannot be read, has none, or has one in two forms."""
    try:
        lines = path.read_text(encoding="utf-8", errors="surrogateescape").split("\n")
    except OSError as error:
        raise AuditFileError(f"{path} cannot be read ({error.strerror or error})") from error
    found: dict[tuple[int, str], AuditEntry] = {}
    other = 0
    for number, line in enumerate(lines, 1):
        entry = _entry(line)
        if entry is None:
            other += bool(line.strip())
        elif found.setdefault((entry.shard, entry.id), entry) != entry:
            raise AuditFileError(f"{path}, line {number}: another entry {entry.id} of shard {entry.shard} precedes it")
    if not found:
        raise AuditFileError(f"{path} holds no entry of the audit log")
    return FileStore(FileLog(found.values(), other=other))


def _entry(line: str) -> AuditEntry | None:
    """The entry of a line, whatever a collector has put before it."""
    start = line.find('{"shard":')
    if start < 0:
        return None
    try:
        read = _decoder.decode(line[start:].encode(errors="surrogateescape"))
    except (msgspec.DecodeError, UnicodeError):
        return None
    if read.shard not in range(SHARDS) or _ID.fullmatch(read.id) is None:
        return None
    record = bytes(read.record) or read.unreadable.encode()
    return AuditEntry(shard=read.shard, id=read.id, record=record, previous=read.previous, hash=read.hash)


async def verify_file(store: FileStore, *, as_json: bool, echo: Echo) -> int:
    """Check every chain of a file, and say where one breaks, begins later, or begins anew. Returns the exit code."""
    broken = links = 0
    for shard in range(SHARDS):
        for number, piece in enumerate(store.audit.pieces(shard)):
            base = piece[0].previous
            verdict = verify(piece, head=base)
            links += verdict.sound
            broken += bool(verdict.broken_at)
            if as_json:
                echo(verdict_line(shard, verdict, base=base))
                continue
            if base:
                echo(f"shard {shard} begins at {piece[0].id}: what was before is not in the file")
            if number:
                echo(f"shard {shard} begins anew at {piece[0].id}: the store was empty then")
            if verdict.broken_at:
                echo(broken_line(shard, verdict))
    if not as_json:
        echo(f"{links} links are sound; {broken or 'no'} chain{'s are' if broken > 1 else ' is'} broken.")
    return 1 if broken else 0
