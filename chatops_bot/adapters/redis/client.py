"""Calls to Redis: one server, a master behind Sentinel, or a Cluster; retried for a short while.

redis-py is not used on this path: its pool costs much more processor time a call than shared wires do (see
`wire`), and on failover it raises errors of many kinds. Here there are few, listed in `TRANSIENT`, and every
one of them leaves as `StoreUnavailable`.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

import structlog

from chatops_bot.adapters.redis.resp import Argument, Reply, ReplyError
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.shards import DUE, SHARDS, SLOT
from chatops_bot.adapters.redis.url import Address, Login, Target, parse
from chatops_bot.adapters.redis.wire import NotCopiedError, Wire, WireLostError
from chatops_bot.ports.store import StoreFull, StoreUnavailable

TRANSIENT: Final = (OSError, TimeoutError, WireLostError, NotCopiedError, asyncio.IncompleteReadError)
"""What may go away by itself: no connection, no answer, too few copies."""

TRANSIENT_CODES: Final = frozenset(
    {
        "READONLY",  # a master that has become a replica
        "LOADING",
        "MASTERDOWN",
        "CLUSTERDOWN",
        "TRYAGAIN",
        "NOREPLICAS",
        "UNBLOCKED",
        "BUSY",
        "MOVED",
        "ASK",
    }
)
"""Answers after which the same call may succeed, possibly elsewhere."""

PAUSE_S: Final = 0.05

log = structlog.get_logger(__name__)


class UnreadyError(ConnectionError):
    """The server answers, but cannot take this call now."""


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
        self._timeout_s = timeout_s
        self._patience_s = patience_s
        self._wires: dict[tuple[Address, bool], Wire] = {}
        self._opening: dict[tuple[Address, bool], asyncio.Task[Wire]] = {}
        # Where each shard is, as far as it is known.
        self._places: list[Address | None] = [target.nodes[0] if target.kind == "single" else None] * SHARDS

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
        return _checked(reply)

    async def command(self, *arguments: Argument, shard: int = 0, copies: bool = False, patient: bool = True) -> Reply:
        """Run one plain command on the server that has the shard."""
        return _checked(await self._attempt(str(arguments[0]), shard, arguments, copies, patient))

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
        return self._places[shard]

    async def close(self) -> None:
        """End all connections."""
        for task in self._opening.values():
            task.cancel()
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()

    async def _attempt(
        self, name: str, shard: int, arguments: Sequence[Argument], copies: bool, patient: bool
    ) -> Reply:
        copies = copies and self.wait_replicas > 0
        loop = asyncio.get_running_loop()
        until = loop.time() + self._patience_s
        while True:
            self.round_trips[name] += 1
            try:
                return await self._once(shard, arguments, copies)
            except TRANSIENT as error:
                if not patient or loop.time() + PAUSE_S >= until:
                    raise StoreUnavailable(f"{self.target}: {str(error) or type(error).__name__}") from error
            await asyncio.sleep(PAUSE_S)

    async def _once(self, shard: int, arguments: Sequence[Argument], copies: bool) -> Reply:
        place = self._places[shard]
        wire = self._wires.get((place, copies)) if place else None
        if wire is None or wire.closed:
            place = place or await self._find(shard)
            try:
                wire = await self._wire(place, copies)
            except TRANSIENT:
                self._forget(place)
                raise
        try:
            reply = await wire.call(arguments)
        except WireLostError:
            if place:
                self._forget(place)
            raise
        if isinstance(reply, ReplyError) and reply.code in TRANSIENT_CODES:
            return await self._elsewhere(shard, arguments, copies, wire, reply)
        return reply

    async def _elsewhere(
        self, shard: int, arguments: Sequence[Argument], copies: bool, wire: Wire, error: ReplyError
    ) -> Reply:
        """Follow a Cluster's redirection, or leave a server that cannot take the call."""
        if error.code == "MOVED":
            self._places[shard] = _redirected(error)
        elif error.code == "ASK":
            other = await self._wire(_redirected(error), copies)
            asking = other.call(("ASKING",))
            reply = await other.call(arguments)
            await asking
            if not (isinstance(reply, ReplyError) and reply.code in TRANSIENT_CODES):
                return reply
        elif error.code in ("READONLY", "MASTERDOWN"):
            wire.close("not the master any more")
            if place := self._places[shard]:
                self._forget(place)
        raise UnreadyError(str(error))

    def _forget(self, place: Address) -> None:
        if self.target.kind != "single":
            self._places = [None if known == place else known for known in self._places]

    async def _wire(self, place: Address, copies: bool) -> Wire:
        """The open wire to a server; opened once however many ask for it."""
        key = (place, copies)
        wire = self._wires.get(key)
        if wire is not None and not wire.closed:
            return wire
        task = self._opening.get(key)
        if task is None:
            task = asyncio.create_task(self._open(place, copies))
            self._opening[key] = task

            def opened(task: asyncio.Task[Wire]) -> None:
                self._opening.pop(key, None)
                if not task.cancelled():
                    task.exception()  # marks it as seen: everybody who waited may have been cancelled

            task.add_done_callback(opened)
        return await asyncio.shield(task)

    async def _open(self, place: Address, copies: bool) -> Wire:
        async with asyncio.timeout(self._timeout_s):
            wire = await self._connect(place, self.target.login)
            try:
                if self.target.db:
                    _checked(await wire.call(("SELECT", self.target.db)))
                if self.target.kind == "sentinel":
                    role = _checked(await wire.call(("ROLE",)))
                    if not isinstance(role, list) or role[0] != b"master":
                        raise UnreadyError(f"{place} is not the master")
            except BaseException:
                wire.close()
                raise
        if copies:
            wire.demand_copies(self.wait_replicas)
        self._wires[place, copies] = wire
        return wire

    async def _connect(self, place: Address, login: Login) -> Wire:
        loop = asyncio.get_running_loop()

        def make() -> Wire:
            return Wire(timeout_s=self._timeout_s)

        if place.path:
            _, wire = await loop.create_unix_connection(make, place.path)
        else:
            _, wire = await loop.create_connection(make, place.host, place.port, ssl=self.target.tls)
        if login.password:
            user = (login.username,) if login.username else ()
            _checked(await wire.call(("AUTH", *user, login.password)))
        return wire

    async def _find(self, shard: int) -> Address:
        """Where a shard is now, asked of the sentinels or of the Cluster's nodes."""
        ask = self._ask_sentinel if self.target.kind == "sentinel" else self._ask_cluster
        known = list(dict.fromkeys([*(place for place in self._places if place), *self.target.nodes]))
        problem: Exception | None = None
        for node in self.target.nodes if self.target.kind == "sentinel" else known:
            try:
                async with asyncio.timeout(self._timeout_s / 2):
                    await ask(node)
            except (*TRANSIENT, StoreUnavailable) as error:
                problem = error
                continue
            if place := self._places[shard]:
                return place
        raise UnreadyError(f"nobody knows where shard {shard} is") from problem

    async def _ask_sentinel(self, node: Address) -> None:
        wire = await self._connect(node, self.target.sentinel_login)
        try:
            reply = _checked(await wire.call(("SENTINEL", "get-master-addr-by-name", self.target.service)))
        finally:
            wire.close()
        if isinstance(reply, list) and len(reply) == 2:
            host, port = (_text(part) for part in reply)
            self._places = [Address(host, int(port))] * SHARDS

    async def _ask_cluster(self, node: Address) -> None:
        wire = await self._connect(node, self.target.login)
        try:
            reply = _checked(await wire.call(("CLUSTER", "SLOTS")))
        finally:
            wire.close()
        for span in reply if isinstance(reply, list) else []:
            if not isinstance(span, list) or not isinstance(span[2], list):
                continue
            first, last, (host, port, *_) = span[0], span[1], span[2]
            place = Address(_text(host) or node.host, int(_text(port)))
            for shard, slot in enumerate(SLOT):
                if isinstance(first, int) and isinstance(last, int) and first <= slot <= last:
                    self._places[shard] = place


def connect(url: str, *, timeout_s: float = 1.5, patience_s: float = 2.0, wait_replicas: int = 0) -> Client:
    """A client for a URL (see `url`). Connects when first used. Raises `ValueError` for a bad URL."""
    return Client(parse(url), timeout_s=timeout_s, patience_s=patience_s, wait_replicas=wait_replicas)


def _checked(reply: Reply) -> Reply:
    if isinstance(reply, ReplyError):
        if reply.code in ("OOM", "-OOM") or "OOM command not allowed" in str(reply):
            raise StoreFull(str(reply))
        raise StoreUnavailable(str(reply))
    return reply


def _redirected(error: ReplyError) -> Address:
    host, _, port = str(error).split()[2].rpartition(":")
    return Address(host, int(port))


def _text(reply: Reply) -> str:
    return reply.decode() if isinstance(reply, bytes) else str(reply)
