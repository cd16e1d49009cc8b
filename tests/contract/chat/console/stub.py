"""What the console stands between in tests: a bot that only notes what it is handed, a cluster to break, a server."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from chatops_bot.domain.cards import Button, Card, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.ports.chat import NotAccepted, Receipt


@dataclass
class FixedClock:
    """A clock that stands still unless it is moved."""

    at: float = 1_700_000_000.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds


@dataclass
class StubSink:
    """Takes everything, unless `refuses`; `then` is done with each event before it returns."""

    refuses: str = ""
    then: Callable[[Message | Click], Awaitable[None]] | None = None
    events: list[Message | Click] = field(default_factory=list)

    async def receive(self, event: Message | Click) -> Receipt:
        if self.refuses:
            raise NotAccepted(self.refuses)
        taken = "duplicate" if event.id in {known.id for known in self.events} else "stored"
        self.events.append(event)
        if self.then is not None and taken == "stored":
            await self.then(event)
        return Receipt(taken, "thread-1")


def card(title: str = "web is healthy", text: str = "2 of 2 pods are ready", button: str = "refresh") -> Card:
    """A small card with one paragraph and one button, whose token is the title's first word."""
    return Card(
        title=title,
        language="en",
        blocks=(Text(text),),
        buttons=(Button(id=button, label=button.title(), token=title.split()[0]),),
    )


def pod(name: str, state: str, restarts: int = 0) -> dict[str, Any]:
    return {"name": name, "state": state, "ready": state == "Running", "restarts": restarts}


class Notices:
    """An iterator that waits for the next change of the pane."""

    def __init__(self, pane: StubPane) -> None:
        self._pane = pane
        self.arrived = asyncio.Event()

    def __aiter__(self) -> Notices:
        return self

    async def __anext__(self) -> str:
        await self.arrived.wait()
        self.arrived.clear()
        return "something"

    def close(self) -> None:
        self._pane.readers.remove(self)


class StubPane:
    """Three workloads; a staged trouble befalls the first pod."""

    def __init__(self) -> None:
        self.readers: list[Notices] = []
        self.workloads: list[dict[str, Any]] = [
            {
                "kind": "Deployment", "namespace": "payments", "name": "payment-svc", "replicas": 3, "image": "reg.example/payment:1.4.2",
                "autoscaler": {"min": 2, "max": 8},
                "pods": [pod(f"payment-svc-7d9c5b6f4-{end}", state, n) for end, state, n in (("x2x7k", "Running", 0), ("q8lmp", "CrashLoopBackOff", 14), ("zz4rt", "Terminating", 0))],
            },
            {
                "kind": "StatefulSet", "namespace": "orders", "name": "order-db", "replicas": 2, "image": "reg.example/postgres:16",
                "pods": [pod("order-db-0", "Running"), pod("order-db-1", "Pending")],
            },
            {
                "kind": "Deployment", "namespace": "orders", "name": "order-settle", "replicas": 6, "image": "reg.example/settle:7", "paused": True,
                "pods": [pod(f"order-settle-5c8d7-{n}aaaa", "Running") for n in range(6)],
            },
        ]  # fmt: skip

    def snapshot(self) -> dict[str, Any]:
        nodes = [{"name": f"node-{n}", "ready": True, "unschedulable": n == 3, "pods": 4} for n in (1, 2, 3)]
        return {"name": "sandbox", "nodes": nodes, "workloads": self.workloads}

    def subscribe(self) -> Notices:
        self.readers.append(Notices(self))
        return self.readers[-1]

    def stage(self, namespace: str, name: str, trouble: str) -> None:
        found = [one for one in self.workloads if (one["namespace"], one["name"]) == (namespace, name)]
        if not found:
            raise LookupError(f"there is no {name} in {namespace}")
        first = found[0]["pods"][0]
        found[0]["pods"][0] = pod(first["name"], trouble, first["restarts"] + 1)
        for reader in self.readers:
            reader.arrived.set()


class Server(uvicorn.Server):
    """Runs beside the test in its event loop; signals remain the test run's."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def served(app: ASGIApp, port: int = 0) -> AsyncIterator[str]:
    """The app on a port (0: a free one) of the loopback interface; gives its address."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        server = Server(uvicorn.Config(app, lifespan="off", ws="none", log_config=None, timeout_graceful_shutdown=1))
        serving = asyncio.create_task(server.serve([listening]))
        await server.listening.wait()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving
