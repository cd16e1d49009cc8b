"""What the tests on a real control plane share: a Redis, the bot's way to a change, kubectl, and pairs of namespaces."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from tests.cluster.bot_side import BotSide, bot_side
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """One server for all tests; plans have tokens of their own."""
    started = asyncio.run(EmbeddedServer.start(tmp_path_factory.mktemp("redis"), fsync="no"))
    yield started.url
    asyncio.run(started.stop())


@pytest.fixture
async def bot(redis_url: str, controlplane: ControlPlane) -> AsyncIterator[BotSide]:
    async with bot_side(redis=redis_url, kubeconfig=controlplane.kubeconfig()) as side:
        yield side


@pytest.fixture(scope="session")
def kubectl_in(controlplane: ControlPlane, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Kubectl]:
    """kubectl in a namespace. What it knows of the server is kept for all tests."""
    cache = tmp_path_factory.mktemp("kubectl")
    kubeconfig: Path = controlplane.kubeconfig()
    return lambda namespace: Kubectl(kubeconfig, namespace=namespace, cache=cache)


@pytest.fixture(scope="module")
def namespaces(controlplane: ControlPlane, request: pytest.FixtureRequest) -> Iterator[tuple[str, str]]:
    """Where the bot acts, and where kubectl does; shared by the tests of a module, which name their workloads apart."""
    api = controlplane.api()
    name = request.module.__name__.rpartition(".")[2].removeprefix("test_").replace("_", "-")
    pair = (f"{name}-bot", f"{name}-kubectl")
    for namespace in pair:
        api.make("/api/v1/namespaces", {"metadata": {"name": namespace}})
        api.until(f"/api/v1/namespaces/{namespace}/serviceaccounts/default", lambda _found: True)
    yield pair
    for namespace in pair:
        api.delete(f"/api/v1/namespaces/{namespace}")


@pytest.fixture
def mortal(controlplane: ControlPlane) -> Iterator[ControlPlane]:
    """The same, for a test that kills its API server: whatever becomes of it, the next one finds one."""
    yield controlplane
    if not controlplane.api().ready():
        controlplane.start_apiserver()
