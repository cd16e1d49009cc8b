"""One connection to one server that many callers share.

Calls made in the same turn of the event loop leave in few writes, and their answers come back in order. That
costs a worker about a tenth of the processor time that a pool of connections with one call each does
(4 us a call where redis-py takes 43 or more), and a worker's processor is what bounds it. On a wire with `copies`,
one WAIT follows each write, and its calls are answered once that many replicas have confirmed them: WAIT
covers only what was written on its own connection.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, cast

from chatops_bot.adapters.redis.resp import Argument, Codec, ProtocolError, Reader, Reply, ReplyError, fastest

COPIES_MS: Final = 500
"""How long one WAIT waits for replicas."""

BURST: Final = 16
"""Calls that leave without waiting for the end of the loop's turn: the server works on them meanwhile."""


class WireLostError(ConnectionError):
    """The connection ended, or its server stopped answering, with calls under way."""


class NotCopiedError(Exception):
    """Fewer replicas than asked for confirmed what a call wrote."""


class Wire(asyncio.Protocol):
    """Made by `loop.create_connection`; `call` from then on. `timeout_s` bounds the wait for an answer: a
    server that is silent that long loses the whole connection. `codec` packs and parses."""

    def __init__(self, *, timeout_s: float, codec: Callable[[], Codec] = fastest) -> None:
        self._loop = asyncio.get_running_loop()
        self._timeout_s = timeout_s
        self._pack, make_reader = codec()
        self._reader: Reader = make_reader()
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._pending: deque[tuple[asyncio.Future[Reply] | None, float]] = deque()
        self._answered: list[tuple[asyncio.Future[Reply], Reply]] = []
        self._watch: asyncio.TimerHandle | None = None
        self._wait = b""
        self._copies = 0

    @property
    def closed(self) -> bool:
        """Whether calls can no longer be made."""
        return self._transport is None or self._transport.is_closing()

    def demand_copies(self, copies: int) -> None:
        """From here on every write is followed by a WAIT for that many replicas."""
        self._copies = copies
        self._wait = self._pack(("WAIT", copies, COPIES_MS)) if copies else b""

    def call(self, arguments: Sequence[Argument]) -> asyncio.Future[Reply]:
        """Send one command. The future raises `WireLostError` or `NotCopiedError`; an error that the server answers
        is its result."""
        future: asyncio.Future[Reply] = self._loop.create_future()
        if self.closed:
            future.set_exception(WireLostError("closed"))
            return future
        if not self._out:
            self._loop.call_soon(self._flush)
        self._out.append(self._pack(arguments))
        now = self._loop.time()
        self._pending.append((future, now))
        if self._watch is None:
            self._watch = self._loop.call_at(now + self._timeout_s, self._check)
        if len(self._out) >= BURST:
            self._flush()
        return future

    def close(self, reason: str = "closed") -> None:
        """End the connection and every call under way."""
        if self._transport is not None:
            self._transport.abort()
        self._fail(reason)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._fail(str(exc) if exc else "closed by the server")

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        try:
            while (reply := self._reader.gets()) is not False:
                self._deliver(cast(Reply, reply))
        except (ProtocolError, IndexError) as error:
            self.close(f"{error!r}")

    def _deliver(self, reply: Reply) -> None:
        future, _ = self._pending.popleft()
        if future is None:
            self._confirm(reply)
        elif self._copies:
            self._answered.append((future, reply))
        elif not future.done():
            future.set_result(reply)

    def _confirm(self, reply: Reply) -> None:
        enough = isinstance(reply, int) and reply >= self._copies
        for future, answer in self._answered:
            if future.done():
                continue
            if enough or isinstance(answer, ReplyError):
                future.set_result(answer)
            else:
                future.set_exception(NotCopiedError(f"{reply!r} of {self._copies} replicas confirmed"))
        self._answered.clear()

    def _flush(self) -> None:
        if not self._out:
            return
        if self._wait:
            self._out.append(self._wait)
            self._pending.append((None, self._loop.time()))
        data = b"".join(self._out)
        self._out.clear()
        if self._transport is not None:
            self._transport.write(data)

    def _check(self) -> None:
        self._watch = None
        if not self._pending:
            return
        oldest = self._pending[0][1]
        if self._loop.time() - oldest >= self._timeout_s - 0.001:
            self.close(f"no answer for {self._timeout_s} s")
        else:
            self._watch = self._loop.call_at(oldest + self._timeout_s, self._check)

    def _fail(self, reason: str) -> None:
        if self._watch is not None:
            self._watch.cancel()
            self._watch = None
        self._out.clear()
        lost = [future for future, _ in self._pending if future is not None]
        lost += [future for future, _ in self._answered]
        self._pending.clear()
        self._answered.clear()
        for future in lost:
            if not future.done():
                future.set_exception(WireLostError(reason))
                future.exception()  # marks it as seen: its caller may have been cancelled
