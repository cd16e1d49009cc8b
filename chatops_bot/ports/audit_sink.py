"""Second places for the audit log: what is there survives the loss of the store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import msgspec

from chatops_bot.ports.store import AuditEntry


class SinkUnavailable(Exception):
    """The entries were not taken, or nobody knows whether they were; the text holds no secrets. To be sent again."""


class AuditSink(Protocol):
    """One place. It may be given an entry more than once, and knows it by shard and id."""

    @property
    def name(self) -> str:
        """Fixed for ever: the store remembers by it what has been sent."""

    async def send(self, entries: Sequence[AuditEntry]) -> None:
        """Take these, in this order, within seconds. Raises `SinkUnavailable`."""

    async def close(self) -> None:
        """Release connections."""


def line_of(entry: AuditEntry) -> str:
    """One link as one JSON object: its place in the chain, and the record to the byte, so that the hash can be
    computed anew without the store. A record that is no JSON stands as text under `unreadable`."""
    link: dict[str, object] = {
        "shard": entry.shard,
        "id": entry.id,
        "previous": entry.previous,
        "hash": entry.hash,
    }
    try:
        msgspec.json.decode(entry.record)
        link["record"] = msgspec.Raw(entry.record)
    except msgspec.DecodeError:
        link["unreadable"] = entry.record.decode(errors="replace")
    return msgspec.json.encode(link).decode(errors="replace")
