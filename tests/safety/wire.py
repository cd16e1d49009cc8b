"""Lines of JSON over a local socket: calls in both directions between the test and its workers."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

LIMIT = 8 * 1024 * 1024
Json = dict[str, Any]
Handle = Callable[[str, Json], Awaitable[Any]]


class Gone(Exception):
    """The other side is not there any more; whether it did what was asked is not known."""


class Failed(Exception):
    """The other side refused; `what` are the words it gave."""

    def __init__(self, *what: Any) -> None:
        super().__init__(*what)
        self.what = what


class Peer:
    """One end of a connection. `handle` answers the other side's calls, each in a task of its own."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, handle: Handle) -> None:
        self._reader = reader
        self._writer = writer
        self._handle = handle
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.closed = False

    async def call(self, method: str, **parameters: Any) -> Any:
        """Raises `Gone` when the connection ends first, `Failed` when the other side refuses."""
        if self.closed:
            raise Gone(method)
        number = next(self._numbers)
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._send({"i": number, "m": method, "p": parameters})
        try:
            return await future
        finally:
            self._waiting.pop(number, None)

    async def serve(self) -> None:
        """Until the connection ends."""
        try:
            while line := await self._reader.readline():
                self._take(msgspec.json.decode(line))
        except (OSError, ValueError):
            pass
        finally:
            self.close()

    def close(self) -> None:
        """Whoever waits for an answer hears `Gone`."""
        self.closed = True
        self._writer.close()
        for future in self._waiting.values():
            if not future.done():
                future.set_exception(Gone())
        for task in self._tasks:
            task.cancel()

    def _take(self, message: Json) -> None:
        if "m" in message:
            task = asyncio.create_task(self._answer(message))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            return
        future = self._waiting.get(message["r"])
        if future is None or future.done():
            return
        if "e" in message:
            future.set_exception(Failed(*message["e"]))
        else:
            future.set_result(message["v"])

    async def _answer(self, message: Json) -> None:
        try:
            answer = {"r": message["i"], "v": await self._handle(message["m"], message["p"])}
        except Failed as refusal:
            answer = {"r": message["i"], "e": list(refusal.what)}
        except Gone:
            self.close()
            return
        self._send(answer)

    def _send(self, message: Json) -> None:
        if not self.closed:
            self._writer.write(msgspec.json.encode(message) + b"\n")
