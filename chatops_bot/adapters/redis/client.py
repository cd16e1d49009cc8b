"""Calls to Redis: one server, a master behind Sentinel, or a Cluster; retried for a short while.

redis-py is not used on this path: its pool costs much more processor time a call than shared wires do (see
`wire`), and on failover it raises errors of many kinds. Here there are few, listed in `errors`, and every one
of them leaves as `StoreUnavailable`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from chatops_bot.adapters.redis.connections import Connections
from chatops_bot.adapters.redis.errors import TRANSIENT, UnreadyError, checked, is_transient
from chatops_bot.adapters.redis.places import Places, redirected
from chatops_bot.adapters.redis.resp import Argument, Reply, ReplyError
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.shards import DUE, SHARDS
from chatops_bot.adapters.redis.url import Address, Target, parse
from chatops_bot.adapters.redis.wire import Wire, WireLostError
from chatops_bot.ports.store import StoreUnavailable

PAUSE_S: Final = 0.05
"""Between two attempts at a call."""


class Client:
    """Calls of scripts and commands over shared wires, opened when first needed.

    - `timeout_s`: a server silent for that long loses its connection.
    - `patience_s`: how long a call is repeated before `StoreUnavailable`; 0 tries once. Repeating is
      harmless since every script knows its own id.
    - `wait_replicas`: copies that calls with `copies=True` wait for.
    - `round_trips` counts calls by script's name, retries included.
    """

    def __init__(
        self, target: Target, *, timeout_s: float = 1.5, patience_s: float = 2.0, wait_replicas: int = 0
    ) -> None:
        self.target = target
        self.wait_replicas = wait_replicas
        self.round_trips: Counter[str] = Counter()
        self._patience_s = patience_s
        self._connections = Connections(target, timeout_s=timeout_s)
        self._places = Places(target, self._connections, timeout_s=timeout_s / 2)

    async def script(
        self,
        script: Script,
        shard: int,
        arguments: Sequence[Argument],
        *,
        keys: Sequence[str] = (),
        copies: bool = False,
        patient: bool = True,
    ) -> Reply:
        """Run a script on a shard. Its first key is the shard's `due`."""
        tail: list[Argument] = [1 + len(keys), DUE[shard], *keys, *arguments]
        reply = await self._attempt(script.name, shard, ["EVALSHA", script.sha, *tail], copies, patient)
        if isinstance(reply, ReplyError) and reply.code == "NOSCRIPT":
            reply = await self._attempt(script.name, shard, ["EVAL", script.text, *tail], copies, patient)
        return checked(reply)

    async def command(self, *arguments: Argument, shard: int = 0, copies: bool = False, patient: bool = True) -> Reply:
        """Run one plain command on the server that has the shard."""
        return checked(await self._attempt(str(arguments[0]), shard, arguments, copies, patient))

    async def scripts(
        self, script: Script, of: Mapping[int, Sequence[Argument]]
    ) -> dict[int, Reply | StoreUnavailable]:
        """Run one script on several shards, in one write to each server.

        A shard whose server cannot be reached has the error in its place, so that it does not hold up the
        others; raises it when no shard can be reached.
        """
        before = self.round_trips[script.name]
        replies = await asyncio.gather(*(self._either(script, shard, arguments) for shard, arguments in of.items()))
        self.round_trips[script.name] = before + 1
        failed = [reply for reply in replies if isinstance(reply, StoreUnavailable)]
        if failed and len(failed) == len(replies):
            raise failed[0]
        return dict(zip(of, replies, strict=True))

    async def _either(self, script: Script, shard: int, arguments: Sequence[Argument]) -> Reply | StoreUnavailable:
        try:
            return await self.script(script, shard, arguments, patient=False)
        except StoreUnavailable as error:
            return error

    async def each(self, command: Callable[[int], Sequence[Argument]]) -> list[Reply]:
        """Run a plain command on every shard, in one write to each server."""
        return await asyncio.gather(*(self.command(*command(shard), shard=shard) for shard in range(SHARDS)))

    def place(self, shard: int) -> Address | None:
        """The server that has a shard, as far as it is known."""
        return self._places.known(shard)

    async def close(self) -> None:
        """End all connections."""
        await self._connections.close()

    async def _attempt(
        self, name: str, shard: int, arguments: Sequence[Argument], copies: bool, patient: bool
    ) -> Reply:
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_s
        while True:
            self.round_trips[name] += 1
            try:
                return await self._once(shard, arguments, self.wait_replicas if copies else 0)
            except TRANSIENT as error:
                if not patient or loop.time() + PAUSE_S >= until:
                    raise StoreUnavailable(f"{self.target}: {str(error) or type(error).__name__}") from error
            await asyncio.sleep(PAUSE_S)

    async def _once(self, shard: int, arguments: Sequence[Argument], copies: int) -> Reply:
        place = self._places.known(shard)
        wire = self._connections.open_wire(place, copies) if place else None
        if place is None or wire is None:
            place = await self._places.find(shard)
            try:
                wire = await self._connections.wire(place, copies)
            except TRANSIENT:
                self._places.forget(place)
                raise
        try:
            reply = await wire.call(arguments)
        except WireLostError:
            self._places.forget(place)
            raise
        if isinstance(reply, ReplyError) and is_transient(reply):
            return await self._elsewhere(shard, arguments, copies, wire, reply)
        return reply

    async def _elsewhere(
        self, shard: int, arguments: Sequence[Argument], copies: int, wire: Wire, error: ReplyError
    ) -> Reply:
        """Follow a Cluster's redirection, or leave a server that cannot take the call."""
        if error.code == "MOVED":
            self._places.moved(shard, error)
        elif error.code == "ASK":
            other = await self._connections.wire(redirected(error), copies)
            asking = other.call(("ASKING",))
            reply = await other.call(arguments)
            await asking
            if not is_transient(reply):
                return reply
        elif error.code in ("READONLY", "MASTERDOWN"):
            wire.close("not the master any more")
            if place := self._places.known(shard):
                self._places.forget(place)
        raise UnreadyError(str(error))


def connect(url: str, *, timeout_s: float = 1.5, patience_s: float = 2.0, wait_replicas: int = 0) -> Client:
    """A client for a URL (see `url`). Connects when first used. Raises `ValueError` for a bad URL."""
    return Client(parse(url), timeout_s=timeout_s, patience_s=patience_s, wait_replicas=wait_replicas)
