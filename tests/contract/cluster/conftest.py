"""The clusters on which the Kubernetes adapter must behave alike, and how a test fills and disturbs them.

`cluster` and `target` run once per kind in KINDS. A test of what only the sandbox can do (faults, a look into its
journal) asks for the fixture `sandbox` and runs on that kind alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping
from typing import Any, Protocol

import pytest

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster, KubernetesWriter
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.ports.cluster import Permit

KINDS = ("sandbox",)


class TestClock:
    """Real time, but pauses are short: nothing here is proved by waiting."""

    __test__ = False

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.02))


class Target(Protocol):
    """A cluster under test."""

    def connection(self) -> Connection: ...

    async def fill(self, section: Mapping[str, Any]) -> None:
        """As the `cluster` section of a transcript; returns when controllers are at rest."""

    async def settle(self) -> None: ...


class SandboxTarget:
    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox

    def connection(self) -> Connection:
        return Connection.at_url(self.sandbox.url, token=BOT_TOKEN)

    async def fill(self, section: Mapping[str, Any]) -> None:
        self.sandbox.apply(section)
        await self.sandbox.settle()

    async def settle(self) -> None:
        await self.sandbox.settle()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every kind of cluster, but only the sandbox for a test that asks for it by name."""
    if "kind" in metafunc.fixturenames:
        metafunc.parametrize("kind", ("sandbox",) if "sandbox" in metafunc.fixturenames else KINDS)


@pytest.fixture
async def target(kind: str) -> AsyncIterator[Target]:
    assert kind == "sandbox"
    async with Sandbox(clock=time.time) as running:
        yield SandboxTarget(running)


@pytest.fixture
def sandbox(target: Target) -> Sandbox:
    assert isinstance(target, SandboxTarget)
    return target.sandbox


@pytest.fixture
async def cluster(target: Target) -> AsyncIterator[KubernetesCluster]:
    reader = KubernetesCluster("test", target.connection(), clock=TestClock(), namespaces=("shop",), environment="dev")
    yield reader
    await reader.close()


class Permits:
    """What the ledger would say: every permit holds until `granted` is false; `asked` keeps the questions."""

    def __init__(self) -> None:
        self.granted = True
        self.asked: list[Permit] = []

    async def __call__(self, permit: Permit) -> bool:
        self.asked.append(permit)
        return self.granted


@pytest.fixture
def permits() -> Permits:
    return Permits()


@pytest.fixture
async def writer(target: Target, permits: Permits) -> AsyncIterator[KubernetesWriter]:
    side = KubernetesWriter(target.connection(), permitted=permits)
    yield side
    await side.close()
