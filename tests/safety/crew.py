"""The worker processes of a run: born, killed, frozen, thawed, and talked to."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from tests.safety.wire import LIMIT, Gone, Json, Peer
from tests.safety.worker import Settings

COUNT: Final = 2
BIRTH_S: Final = 20.0


class Nursery:
    """One process that has imported everything and forks workers of a module; started once for many runs."""

    def __init__(self, root: Path, module: str = "tests.safety.worker") -> None:
        self._root = root
        self._module = module
        self._process: asyncio.subprocess.Process
        self._turn = asyncio.Lock()

    async def open(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", self._module,
            cwd=self._root, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip

    async def bear(self, settings: Settings) -> int:
        """The process id of a new worker."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        async with self._turn:
            self._process.stdin.write(msgspec.json.encode(settings) + b"\n")
            line = await self._process.stdout.readline()
        if not line:
            raise RuntimeError("the workers' nursery has ended")
        return int(line)

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


class Crew:
    """`COUNT` workers by number. One that has died is born again by `muster`."""

    def __init__(
        self,
        nursery: Nursery,
        folder: Path,
        handle: Callable[[str, Json], Awaitable[Any]],
        settings: Callable[[int], Settings],
    ) -> None:
        self._nursery = nursery
        self._handle = handle
        self._settings = settings
        self.socket = folder / "test.sock"
        self._server: asyncio.Server
        self._peers: dict[int, Peer] = {}
        self._born: dict[int, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.pids: dict[int, int] = {}
        self.deaths = 0

    async def open(self) -> None:
        self._server = await asyncio.start_unix_server(self._connected, self.socket, limit=LIMIT)
        await self.muster()

    async def close(self) -> None:
        for number in list(self.pids):
            self.signal(number, signal.SIGKILL)
        self._server.close()
        for peer in self._peers.values():
            peer.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def muster(self) -> None:
        """Have every dead worker born again."""
        await asyncio.gather(*(self._bear(number) for number in range(COUNT) if not self.alive(number)))

    async def _bear(self, number: int) -> None:
        if number in self.pids:
            self.deaths += 1
            self.signal(number, signal.SIGKILL)
        self._born[number] = asyncio.Event()
        self.pids[number] = await self._nursery.bear(self._settings(number))
        async with asyncio.timeout(BIRTH_S):
            await self._born[number].wait()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mine: list[int] = []

        async def handle(method: str, p: Json) -> Any:
            if method == "hello":
                mine.append(p["number"])
                self._peers[p["number"]] = peer
                self._born[p["number"]].set()
                return ""
            return await self._handle(method, p)

        peer = Peer(reader, writer, handle)
        task = asyncio.current_task()
        if task is not None:
            self._tasks.add(task)
        await peer.serve()

    def alive(self, number: int) -> bool:
        """Connected, running or frozen."""
        peer = self._peers.get(number)
        return peer is not None and not peer.closed and self._state(number) not in ("", "Z", "X")

    def frozen(self, number: int) -> bool:
        return self._state(number) == "T"

    def running(self) -> list[int]:
        return [number for number in range(COUNT) if self.alive(number) and not self.frozen(number)]

    def _state(self, number: int) -> str:
        with contextlib.suppress(OSError, KeyError):
            return Path(f"/proc/{self.pids[number]}/stat").read_text().rpartition(") ")[2][:1]
        return ""

    def signal(self, number: int, which: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, KeyError):
            os.kill(self.pids[number], which)

    async def call(self, number: int, method: str, **parameters: Any) -> Any:
        """Raises `Gone` when the worker dies or freezes before it answered."""
        peer = self._peers.get(number)
        if peer is None or self.frozen(number):
            raise Gone(method)
        task = asyncio.create_task(peer.call(method, **parameters))
        while True:
            done, _ = await asyncio.wait({task}, timeout=0.05)
            if done:
                return task.result()
            if self.frozen(number):
                task.cancel()
                raise Gone(method)

    async def everybody(self, method: str, **parameters: Any) -> list[int]:
        """How busy each running worker is after it has done this."""
        found = await asyncio.gather(
            *(self.call(number, method, **parameters) for number in self.running()), return_exceptions=True
        )
        return [busy for busy in found if isinstance(busy, int)]
