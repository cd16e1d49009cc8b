"""An Event left on a target: permitted by a plan that has ended, there once, and seen by whoever describes the object."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster, KubernetesWriter
from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.notes import Note
from chatops_bot.ports.cluster import Permit, Refused
from tests.cluster.kubectl import Kubectl
from tests.contract.cluster.conftest import Permits
from tests.contract.cluster.kit import PERMIT
from tests.contract.cluster.targets import ControlPlaneTarget, SandboxTarget, Target

WEB = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:1"}


@pytest.fixture(autouse=True)
async def filled(target: Target) -> None:
    await target.fill({"workloads": [WEB]})


def permit(target: Target) -> Permit:
    return Permit(token="t0", target=target.web().key, attempt="note", ended=True)


async def note(cluster: KubernetesCluster, target: Target, text: str = "Alice did this by chat") -> Note:
    uid = (await cluster.read(target.web()))["metadata"]["uid"]
    return Note(name="web.chatops-t0", uid=uid, reason="ChatopsScale", text=text, warning=False, at=1_790_000_000_000)


async def left(cluster: KubernetesCluster, target: Target) -> list[dict[str, Any]]:
    """What the bot has left, as the reading side sees it."""
    observed = await cluster.observe(target.web(), events=True)
    return [event for event in observed.events if event["reason"] == "ChatopsScale"]


async def test_it_is_about_the_object_with_its_uid(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    given = await note(cluster, target)
    await writer.note(target.web(), given, permit=permit(target))
    (event,) = await left(cluster, target)
    about = event["involvedObject"]
    assert (about["kind"], about["name"], about["uid"]) == ("Deployment", "web", given.uid)
    assert about["namespace"] == event["metadata"]["namespace"] == target.spaces["shop"]
    assert (event["type"], event["message"], event["count"]) == ("Normal", given.text, 1)
    assert event["source"] == {"component": "chatops-bot"}
    assert event["lastTimestamp"] == "2026-09-21T14:13:20Z"


async def test_a_second_writer_leaves_the_first_ones(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    first, later = await note(cluster, target), await note(cluster, target, "Bob says otherwise")
    await writer.note(target.web(), first, permit=permit(target))
    await asyncio.gather(*(writer.note(target.web(), later, permit=permit(target)) for _ in range(3)))
    assert [event["message"] for event in await left(cluster, target)] == [first.text]


async def test_the_target_itself_is_not_touched(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    before = await cluster.read(target.web())
    await writer.note(target.web(), await note(cluster, target), permit=permit(target))
    assert await cluster.read(target.web()) == before


async def test_nothing_is_left_without_a_permit_of_a_plan_that_has_ended(
    cluster: KubernetesCluster, writer: KubernetesWriter, permits: Permits, target: Target
) -> None:
    given = await note(cluster, target)
    with pytest.raises(PermissionError):
        await writer.note(target.web(), given, permit=Permit(token="t0", target=target.web().key, attempt="a0"))
    with pytest.raises(PermissionError):
        await writer.note(target.web(name="api"), given, permit=permit(target))
    permits.granted = False
    with pytest.raises(PermissionError):
        await writer.note(target.web(), given, permit=permit(target))
    assert await left(cluster, target) == []


async def test_the_permit_of_a_plan_that_has_ended_permits_no_write(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    live = (await cluster.read(target.web()))["metadata"]
    with pytest.raises(PermissionError):
        await writer.write(
            target.scaled(5), uid=live["uid"], resource_version=live["resourceVersion"], permit=permit(target)
        )
    with pytest.raises(PermissionError):
        await writer.touch(target.web(), uid=live["uid"], permit=permit(target))
    assert (await cluster.read(target.web()))["metadata"] == live


async def test_what_has_no_namespace_has_its_events_in_default(
    writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    node = Entity(cluster="test", namespace="", kind="Node", workload="node-1", name="node-1")
    client = Client(target.connection(), threads=1)
    uid = (await client.call("GET", "/api/v1/nodes/node-1"))["metadata"]["uid"]
    given = Note(name="node-1.chatops-t0", uid=uid, reason="ChatopsCordon", text="x", warning=True, at=0)
    await writer.note(node, given, permit=Permit(token="t0", target=node.key, attempt="note", ended=True))
    event = await client.call("GET", "/api/v1/namespaces/default/events/node-1.chatops-t0")
    assert event["type"] == "Warning"
    assert "namespace" not in event["involvedObject"]
    await client.close()


async def test_a_refusal_is_one(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    given = await note(cluster, target)
    sandbox.access.deny(verb="create", resource="events")
    with pytest.raises(Refused):
        await writer.note(target.web(), given, permit=permit(target))


async def test_kubectl_describe_shows_it(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target, tmp_path: Path
) -> None:
    given = await note(cluster, target, "Alice did this by chat: 2 → 5 replicas. https://team.slack.com/archives/C1/p1")
    await writer.note(target.web(), given, permit=permit(target))
    if isinstance(target, SandboxTarget):
        kubeconfig = tmp_path / "kubeconfig"
        kubeconfig.write_text(json.dumps(target.sandbox.kubeconfig()))
    else:
        assert isinstance(target, ControlPlaneTarget)
        kubeconfig = target._running.kubeconfig()
    kubectl = Kubectl(kubeconfig, namespace=target.spaces["shop"], cache=tmp_path / "cache")
    told = await kubectl.run("describe", "deployment", "web")
    line = next(line for line in told.splitlines() if "ChatopsScale" in line)
    assert "Normal" in line
    assert "chatops-bot" in line
    assert given.text in line
    assert PERMIT.token not in line
