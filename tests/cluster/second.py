"""A second process of the bot, on the same store and cluster as the test's own: to be frozen, thawed and killed.

Run as `python -m tests.cluster.second STORE KUBECONFIG NAMESPACE CLOCK`. Each line of its standard input is a word and
its text (`ask scale web to 5`, `press confirm`); each is answered by one line, the cards as this process has drawn them.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import msgspec

from tests.cluster.talk import CommonClock, Talk, service, talk
from tests.cluster.weather import Weather, until


class Second:
    """The process, as the test sees it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._stat = Path(f"/proc/{process.pid}/stat")

    async def ask(self, text: str) -> str:
        self._send(f"ask {text}")
        return await self.heard()

    def press(self, button: str) -> None:
        """What comes of it is `heard`."""
        self._send(f"press {button}")

    async def heard(self) -> str:
        assert self._process.stdout is not None
        async with asyncio.timeout(20):
            line = await self._process.stdout.readline()
        assert line, "the second process has ended"
        return msgspec.json.decode(line, type=str)

    async def freeze(self) -> None:
        os.kill(self._process.pid, signal.SIGSTOP)
        await until(lambda: self._stat.read_text().rpartition(") ")[2].startswith("T"), "the process to be frozen")

    def thaw(self) -> None:
        os.kill(self._process.pid, signal.SIGCONT)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode() + b"\n")

    @classmethod
    async def start(cls, there: Weather, clock: Path) -> Self:
        arguments = (there.store, str(there.kubeconfig), there.namespace, str(clock))
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.cluster.second",
            *arguments,
            stdin=PIPE,
            stdout=PIPE,
            cwd=Path(__file__).parents[2],
        )
        return cls(process)

    async def kill(self) -> None:
        self._process.kill()
        await self._process.wait()


@asynccontextmanager
async def second(there: Weather, clock: Path) -> AsyncIterator[Second]:
    """Nothing of it is left at the end."""
    started = await Second.start(there, clock)
    try:
        yield started
    finally:
        await started.kill()


async def _serve(own: Talk) -> None:
    while line := await asyncio.to_thread(sys.stdin.readline):
        word, _, text = line.strip().partition(" ")
        answer = await (own.ask(text) if word == "ask" else own.press(text))
        sys.stdout.write(msgspec.json.encode(answer).decode() + "\n")
        sys.stdout.flush()


async def _main(store: str, kubeconfig: str, namespace: str, clock: str) -> None:
    common = CommonClock(Path(clock))
    services = [service(namespace, "web")]
    async with talk(redis=store, kubeconfig=Path(kubeconfig), services=services, clock=common) as own:
        await _serve(own)


if __name__ == "__main__":
    import structlog

    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    asyncio.run(_main(*sys.argv[1:]))
