"""The Kubernetes adapter, over the sandbox and over a real control plane.

`cluster` and `target` run once per kind in KINDS. A test of what only the sandbox can do (faults, a look into its
journal) asks for the fixture `sandbox` and runs on that kind alone.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster, KubernetesWriter
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.plans import Change
from chatops_bot.ports.cluster import Permit
from tests.contract.cluster.targets import ControlPlaneTarget, SandboxTarget, Target, TestClock

KINDS = ("sandbox", "controlplane")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every kind of cluster, but only the sandbox for a test that asks for it by name."""
    if "kind" in metafunc.fixturenames:
        kinds = ("sandbox",) if "sandbox" in metafunc.fixturenames else KINDS
        marked = [
            pytest.param(kind, marks=[pytest.mark.controlplane] if kind == "controlplane" else []) for kind in kinds
        ]
        metafunc.parametrize("kind", marked)


@pytest.fixture
async def target(kind: str, request: pytest.FixtureRequest) -> AsyncIterator[Target]:
    if kind == "sandbox":
        async with Sandbox(clock=time.time) as running:
            yield SandboxTarget(running)
        return
    real = ControlPlaneTarget(request.getfixturevalue("controlplane"))
    await real.open()
    yield real
    await real.close()


@pytest.fixture
def sandbox(target: Target) -> Sandbox:
    assert isinstance(target, SandboxTarget)
    return target.sandbox


@pytest.fixture
async def cluster(target: Target) -> AsyncIterator[KubernetesCluster]:
    space = target.spaces["shop"]
    reader = KubernetesCluster("test", target.connection(), clock=TestClock(), namespaces=(space,), environment="dev")
    yield reader
    await reader.close()


class Permits:
    """What the ledger would say: every permit holds until `granted` is false; `asked` keeps the questions, `changes`
    what they were about."""

    def __init__(self) -> None:
        self.granted = True
        self.asked: list[Permit] = []
        self.changes: list[Change | None] = []

    async def __call__(self, permit: Permit, change: Change | None) -> bool:
        self.asked.append(permit)
        self.changes.append(change)
        return self.granted


@pytest.fixture
def permits() -> Permits:
    return Permits()


@pytest.fixture
async def writer(target: Target, permits: Permits) -> AsyncIterator[KubernetesWriter]:
    side = KubernetesWriter(target.connection(), permitted=permits)
    yield side
    await side.close()
