"""The real process of the bot beside a test: started as users start it, spoken to over HTTP, ended by signals."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import yaml

from chatops_bot.adapters.sandbox import Sandbox

Json = dict[str, Any]

PATIENCE_S = 40.0
"""For what a loaded machine may be slow at; no test waits that long when all is well."""


async def until(holds: Callable[[], Any], what: str) -> None:
    """Wait for a condition of this process. Fails naming `what`."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():  # noqa: ASYNC110 (what is awaited happens in another process)
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"waited {PATIENCE_S:g} s for {what}") from None


def descendants(pid: int) -> set[int]:
    """Live processes that come from this one."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if fields[0] != "Z":
                parents[int(entry.name)] = int(fields[1])
    found: set[int] = set()
    while more := {child for child, parent in parents.items() if parent in {pid, *found}} - found:
        found |= more
    return found


def alive(pids: set[int]) -> set[int]:
    """Those of the processes that have not ended."""
    return {pid for pid in pids if _runs(pid)}


def _runs(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@dataclass
class Running:
    """A started process. `log` holds the lines of its standard error, as objects where they are JSON."""

    process: asyncio.subprocess.Process
    log: list[Json] = field(default_factory=list)
    out: list[str] = field(default_factory=list)
    readers: list[asyncio.Task[None]] = field(default_factory=list)

    def logged(self, message: str) -> list[Json]:
        """All lines of the log with this message."""
        return [line for line in self.log if line.get("message") == message]

    async def until_logged(self, message: str) -> Json:
        """The first line with this message, once it is there."""
        await until(lambda: self.logged(message) or self.process.returncode is not None, f"{message!r} in the log")
        assert self.logged(message), f"the process ended without {message!r}: {self.log[-5:]}"
        return self.logged(message)[0]

    async def address(self, what: str) -> str:
        """Where it serves `http` or `console`."""
        await until(lambda: any(line["what"] == what for line in self.logged("listening")), f"{what} to listen")
        port = next(line["port"] for line in self.logged("listening") if line["what"] == what)
        return f"http://127.0.0.1:{port}"

    async def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal and wait; the exit code."""
        self.process.send_signal(number)
        return await self.ended()

    async def ended(self) -> int:
        """Wait for the end; the exit code."""
        async with asyncio.timeout(PATIENCE_S):
            code = await self.process.wait()
            await asyncio.gather(*self.readers)
        return code


@asynccontextmanager
async def started(*arguments: str, cwd: Path, **environment: str) -> AsyncIterator[Running]:
    """`chatops-bot ARGUMENTS` in a folder. Whatever the test does, nothing of it is left at the end."""
    inherited = {name: value for name, value in os.environ.items() if name != "REDIS_URL" and "CHATOPS" not in name}
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "chatops_bot",
        *arguments,
        cwd=cwd,
        env={**inherited, "PYTHONPATH": str(Path(__file__).parents[2]), "PYTHONUNBUFFERED": "1", **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    running = Running(process)
    assert process.stdout
    assert process.stderr
    running.readers = [
        asyncio.create_task(_read(process.stdout, running.out.append)),
        asyncio.create_task(_read(process.stderr, lambda line: running.log.append(_parsed(line)))),
    ]
    try:
        yield running
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()
        await asyncio.gather(*running.readers)


async def _read(stream: asyncio.StreamReader, take: Callable[[str], None]) -> None:
    async for line in stream:
        take(line.decode().rstrip("\n"))


def _parsed(line: str) -> Json:
    try:
        parsed = json.loads(line)
    except ValueError:
        return {"message": line}
    return parsed if isinstance(parsed, dict) else {"message": line}


def configured(folder: Path, sandbox: Sandbox, **more: Any) -> None:
    """Write a configuration for one sandbox cluster called demo, with the console on."""
    (folder / "kubeconfig").write_text(json.dumps(sandbox.kubeconfig()), encoding="utf-8")
    content = {
        "clusters": [{"name": "demo", "kubeconfig": "kubeconfig", "environment": "prod"}],
        "console": {"enabled": True, "port": 0},
        "http": {"host": "127.0.0.1", "port": 0},
        "policy": {"rules": [{"confirm": ["*"]}]},
        **more,
    }
    kept = {key: value for key, value in content.items() if value is not None}
    (folder / "chatops-bot.yaml").write_text(yaml.safe_dump(kept), encoding="utf-8")


@dataclass
class Room:
    """The console's room, as the page talks to it."""

    client: httpx.AsyncClient
    name: str = "ops"

    async def say(self, user: str, text: str) -> httpx.Response:
        """Somebody writes."""
        return await self.client.post("/api/say", json={"room": self.name, "user": user, "text": text})

    async def click(self, user: str, card: Json, button: str) -> httpx.Response:
        """Somebody presses a button of a card as it was shown."""
        pressed = next(each for each in card["card"]["buttons"] if each["id"] == button)
        return await self.client.post(
            "/api/click",
            json={
                "room": self.name,
                "user": user,
                "card": card["id"],
                "button": button,
                "token": pressed.get("token", ""),
                "value": pressed.get("value", ""),
            },
        )

    async def cards(self) -> list[Json]:
        """All cards in the room."""
        answer = await self.client.get(f"/api/room/{self.name}")
        return [entry for entry in answer.json()["entries"] if entry["kind"] == "card"]

    async def card(self, saying: str) -> Json:
        """The card that says something, once it is there."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    for card in await self.cards():
                        if saying in json.dumps(card["card"], ensure_ascii=False):
                            return card
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"no card says {saying!r}: {await self.cards()}") from None
