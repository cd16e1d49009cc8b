"""Which server has which shard: asked of the sentinels or of the Cluster's nodes, and forgotten on failure."""

from __future__ import annotations

import asyncio

from chatops_bot.adapters.redis.connections import Connections
from chatops_bot.adapters.redis.errors import TRANSIENT, UnreadyError, checked
from chatops_bot.adapters.redis.resp import Reply, ReplyError
from chatops_bot.adapters.redis.shards import SHARDS, SLOT
from chatops_bot.adapters.redis.url import Address, Target
from chatops_bot.ports.store import StoreUnavailable


class Places:
    """`timeout_s` bounds one question to one node."""

    def __init__(self, target: Target, connections: Connections, *, timeout_s: float) -> None:
        self._target = target
        self._connections = connections
        self._timeout_s = timeout_s
        self._known: list[Address | None] = [target.nodes[0] if target.kind == "single" else None] * SHARDS

    def known(self, shard: int) -> Address | None:
        """The server that has a shard, as far as it is known."""
        return self._known[shard]

    def forget(self, place: Address) -> None:
        """A server failed: ask anew who has its shards. One server alone stays where it is."""
        if self._target.kind != "single":
            self._known = [None if known == place else known for known in self._known]

    def moved(self, shard: int, error: ReplyError) -> None:
        """A Cluster's node said where the shard is now."""
        self._known[shard] = redirected(error)

    async def find(self, shard: int) -> Address:
        """Where a shard is. Raises `UnreadyError` when nobody says."""
        if place := self._known[shard]:
            return place
        ask = self._ask_sentinel if self._target.kind == "sentinel" else self._ask_cluster
        problem: Exception | None = None
        for node in self._asked():
            try:
                async with asyncio.timeout(self._timeout_s):
                    await ask(node)
            except (*TRANSIENT, StoreUnavailable) as error:
                problem = error
                continue
            if place := self._known[shard]:
                return place
        raise UnreadyError(f"nobody knows where shard {shard} is") from problem

    def _asked(self) -> list[Address]:
        """Whom to ask: the sentinels; of a Cluster, also the nodes that were found meanwhile."""
        if self._target.kind == "sentinel":
            return list(self._target.nodes)
        return list(dict.fromkeys([*(place for place in self._known if place), *self._target.nodes]))

    async def _ask_sentinel(self, node: Address) -> None:
        async with self._connections.briefly(node, self._target.sentinel_login) as wire:
            reply = checked(await wire.call(("SENTINEL", "get-master-addr-by-name", self._target.service)))
        if isinstance(reply, list) and len(reply) == 2:
            host, port = (_text(part) for part in reply)
            self._known = [Address(host, int(port))] * SHARDS

    async def _ask_cluster(self, node: Address) -> None:
        async with self._connections.briefly(node, self._target.login) as wire:
            reply = checked(await wire.call(("CLUSTER", "SLOTS")))
        for span in reply if isinstance(reply, list) else []:
            if not isinstance(span, list) or not isinstance(span[2], list):
                continue
            first, last, (host, port, *_) = span[0], span[1], span[2]
            place = Address(_text(host) or node.host, int(_text(port)))
            for shard, slot in enumerate(SLOT):
                if isinstance(first, int) and isinstance(last, int) and first <= slot <= last:
                    self._known[shard] = place


def redirected(error: ReplyError) -> Address:
    """The address in `MOVED 3999 127.0.0.1:6381` or `ASK …`."""
    host, _, port = str(error).split()[2].rpartition(":")
    return Address(host, int(port))


def _text(reply: Reply) -> str:
    return reply.decode() if isinstance(reply, bytes) else str(reply)
