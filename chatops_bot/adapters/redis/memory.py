"""The memory watermark: above it intake is refused, so that what is stored can be worked off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chatops_bot.adapters.redis.client import Client
from chatops_bot.ports.store import StoreFull

WATERMARK: Final = 0.8
EVERY_S: Final = 1.0


def info(reply: object) -> dict[str, str]:
    """The answer of INFO as a mapping."""
    text = reply.decode() if isinstance(reply, bytes) else ""
    return dict(line.split(":", 1) for line in text.splitlines() if ":" in line)


class Watermark:
    """Looks at a server's memory at most once a second, when something is about to be stored there."""

    def __init__(self, client: Client, *, monotonic: Callable[[], float]) -> None:
        self._client = client
        self._monotonic = monotonic
        self._looked: dict[object, float] = {}
        self._above: set[object] = set()

    async def check(self, shard: int) -> None:
        """Raises `StoreFull` above the watermark of the server that has the shard."""
        server = self._client.place(shard)
        now = self._monotonic()
        if now >= self._looked.get(server, 0.0):
            self._looked[server] = now + EVERY_S
            await self._look(shard, server)
        if server in self._above:
            raise StoreFull(f"memory of {server or self._client.target} is above {WATERMARK:.0%}")

    async def _look(self, shard: int, server: object) -> None:
        memory = info(await self._client.command("INFO", "memory", shard=shard))
        limit, used = int(memory.get("maxmemory", 0)), int(memory.get("used_memory", 0))
        if limit and used > limit * WATERMARK:
            self._above.add(server)
        else:
            self._above.discard(server)
