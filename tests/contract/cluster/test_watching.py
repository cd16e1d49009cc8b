"""The watch of workloads: told at first and on every change, over resets, silence and forgotten versions."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.entities import Entity
from tests.contract.cluster.kit import until
from tests.contract.cluster.targets import Target


def deployment(name: str, namespace: str = "shop") -> dict[str, object]:
    return {
        "workloads": [{"kind": "Deployment", "namespace": namespace, "name": name, "replicas": 1, "image": "reg/x:1"}]
    }


class Heard:
    """What the watch told last, and how often."""

    def __init__(self) -> None:
        self.times = 0
        self.targets: set[str] = set()

    async def __call__(self, entities: list[Entity]) -> None:
        self.times += 1
        self.targets = {entity.target for entity in entities if entity.kind != "Node"}


@pytest.fixture
async def heard(cluster: KubernetesCluster, target: Target) -> AsyncIterator[Heard]:
    """A watch that runs, from its first word on."""
    await target.fill(deployment("web"))
    told = Heard()
    task = asyncio.create_task(cluster.watch(told))
    await until(lambda: told.times > 0)
    yield told
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


async def test_it_tells_what_is_there_and_what_comes(heard: Heard, target: Target) -> None:
    assert heard.targets == {"deployment/web"}
    await target.fill(deployment("api"))
    await until(lambda: heard.targets == {"deployment/web", "deployment/api"})


async def test_it_tells_what_goes(heard: Heard, target: Target) -> None:
    await target.remove("Deployment", "web")
    await until(lambda: heard.targets == set())


async def test_other_changes_and_other_namespaces_are_not_told(heard: Heard, target: Target) -> None:
    times = heard.times
    await target.fill({"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 3}]})
    await target.fill(deployment("web", "other"))
    await target.fill(deployment("last"))
    await until(lambda: "deployment/last" in heard.targets)
    assert heard.times == times + 1


async def test_it_outlives_an_api_server_that_goes_away(heard: Heard, sandbox: Sandbox, target: Target) -> None:
    sandbox.down = True
    await asyncio.sleep(0.05)
    await target.fill(deployment("meanwhile"))
    sandbox.down = False
    await until(lambda: "deployment/meanwhile" in heard.targets)
    await target.fill(deployment("after"))
    await until(lambda: "deployment/after" in heard.targets)


async def test_it_lists_anew_when_its_version_is_forgotten(heard: Heard, sandbox: Sandbox, target: Target) -> None:
    sandbox.down = True
    await asyncio.sleep(0.05)
    await target.fill(deployment("meanwhile"))
    sandbox.store.compact()
    sandbox.down = False
    await until(lambda: "deployment/meanwhile" in heard.targets)


async def test_what_may_not_be_watched_is_left_out(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    sandbox.access.deny(resource="statefulsets")
    sandbox.access.deny(resource="nodes")
    await target.fill(deployment("web"))
    told = Heard()
    task = asyncio.create_task(cluster.watch(told))
    await until(lambda: told.targets == {"deployment/web"})
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_may_not_be_watched_is_warned_of_once(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    """Nodes are refused for as long as nobody grants them, and asked for again every minute."""

    def asked() -> int:
        return len([one for one in sandbox.requests if one.resource == "nodes"])

    def warned() -> int:
        return len([record for record in caplog.records if "Node of test cannot be watched" in record.getMessage()])

    sandbox.access.deny(resource="nodes")
    await target.fill(deployment("web"))
    task = asyncio.create_task(cluster.watch(Heard()))
    await until(lambda: asked() > 3)
    assert warned() == 1
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_its_threads_end_with_it(heard: Heard, cluster: KubernetesCluster) -> None:
    def watching() -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name.startswith("kube-watch")]

    assert len(watching()) == 4
    await cluster.close()
    await until(lambda: not watching())
