"""`IncidentStore` on Redis. The commit script writes incidents (`lua/incidents.lua`); here they are read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, cast

from chatops_bot.adapters.redis.base import Scripts
from chatops_bot.adapters.redis.shards import SHARDS, shard_of, tag
from chatops_bot.ports.incidents import MOST_RECENT, IncidentRecord

_ENTRY: Final = "e:"
_OWN: Final = frozenset({"n", "gap"})
"""Fields that the script keeps for itself."""

_NUMBERS_S: Final = 3 * 86_400
"""How long the numbers of a day are counted: no clock is so wrong that one is asked for later."""


class Incidents:
    """Reads incidents by their id, or all of them by the shards' indexes."""

    _base: Scripts

    async def incident(self, id: str, *, room: str = "") -> IncidentRecord | None:
        """As ports.incidents.IncidentStore says."""
        for shard in _shards(room):
            reply = await self._base.client.command("HGETALL", f"{tag(shard)}incident:{id}", shard=shard)
            found = _record(id, cast("list[bytes]", reply))
            if found is not None and room in ("", found.facts.get("room", "")):
                return found
        return None

    async def incidents(self, *, room: str = "") -> list[IncidentRecord]:
        """As ports.incidents.IncidentStore says."""
        found = []
        first = -MOST_RECENT if room else 0
        for shard in _shards(room):
            ids = await self._base.client.command("ZRANGE", f"{tag(shard)}incidents", first, -1, shard=shard)
            found += [await self._head(shard, id.decode()) for id in cast("list[bytes]", ids)]
        return [one for one in found if one is not None and room in ("", one.facts.get("room", ""))]

    async def incident_of(self, group: str, *, room: str) -> str:
        """As ports.incidents.IncidentStore says."""
        shard = shard_of(room)
        id = await self._base.client.command("GET", f"{tag(shard)}incident-of:{room}|{group}", shard=shard)
        return id.decode() if isinstance(id, bytes) else ""

    async def next_incident(self, day: str) -> int:
        """As ports.incidents.IncidentStore says."""
        key = f"{tag(0)}incident-numbers:{day}"
        number = cast(int, await self._base.client.command("INCR", key, copies=True))
        await self._base.client.command("EXPIRE", key, _NUMBERS_S)
        return number

    async def _head(self, shard: int, id: str) -> IncidentRecord | None:
        """Without the entries, which can be a hundred times as much."""
        key = f"{tag(shard)}incident:{id}"
        fields = cast("list[bytes]", await self._base.client.command("HKEYS", key, shard=shard))
        wanted = [name for name in fields if not name.startswith(_ENTRY.encode())]
        if not wanted:
            return None
        values = cast("list[bytes | None]", await self._base.client.command("HMGET", key, *wanted, shard=shard))
        flat = [part for name, value in zip(wanted, values, strict=True) if value is not None for part in (name, value)]
        return _record(id, flat)


def _shards(room: str) -> Iterable[int]:
    return (shard_of(room),) if room else range(SHARDS)


def _record(id: str, flat: list[bytes]) -> IncidentRecord | None:
    if not flat:
        return None
    fields = {name.decode(): value for name, value in zip(flat[::2], flat[1::2], strict=True)}
    return IncidentRecord(
        id=id,
        facts={name: value.decode() for name, value in fields.items() if name not in _OWN and name[:2] != _ENTRY},
        entries=tuple(value for name, value in fields.items() if name.startswith(_ENTRY)),
        gap=int(fields.get("gap", b"0")),
    )
