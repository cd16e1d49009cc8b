"""Troubles staged on pods: how they look, whose they are, how they end."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.sandbox import TROUBLES, Sandbox
from tests.contract.sandbox.conftest import Clock, Kube

WEB: dict[str, Any] = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 1, "image": "reg/web:2"}
Object = dict[str, Any]


async def pods(kube: Kube) -> list[Object]:
    found: list[Object] = (await kube.call(kube.core.list_namespaced_pod, "shop")).json["items"]
    return found


async def staged(sandbox: Sandbox, kube: Kube, trouble: str) -> Object:
    """The pod that has this trouble; a leftover is not the one that took its place."""
    sandbox.apply({"workloads": [{**WEB, "pods": [trouble]}]})
    found = await pods(kube)
    if len(found) == 1:
        return found[0]
    return next(pod for pod in found if "deletionTimestamp" in pod["metadata"] or pod["status"]["phase"] == "Failed")


def conditions(pod: Object) -> dict[str, str]:
    return {item["type"]: item["status"] for item in pod["status"]["conditions"]}


async def reasons(kube: Kube, pod: Object) -> set[str]:
    chosen = f"involvedObject.uid={pod['metadata']['uid']}"
    events = (await kube.call(kube.core.list_namespaced_event, "shop", field_selector=chosen)).json["items"]
    return {event["reason"] for event in events if event["type"] == "Warning"}


async def test_running(sandbox: Sandbox, kube: Kube) -> None:
    pod = await staged(sandbox, kube, "Running")
    container = pod["status"]["containerStatuses"][0]
    assert (pod["status"]["phase"], container["ready"], container["restartCount"]) == ("Running", True, 0)
    assert container["state"] == {"running": {"startedAt": "2026-11-27T00:53:20Z"}}
    assert set(conditions(pod).values()) == {"True"}
    assert await reasons(kube, pod) == set()


async def test_not_ready(sandbox: Sandbox, kube: Kube) -> None:
    pod = await staged(sandbox, kube, "NotReady")
    assert (pod["status"]["phase"], conditions(pod)["Ready"], conditions(pod)["PodScheduled"]) == (
        "Running",
        "False",
        "True",
    )
    assert "running" in pod["status"]["containerStatuses"][0]["state"]
    assert await reasons(kube, pod) == {"Unhealthy"}


@pytest.mark.parametrize(
    ("trouble", "code", "reason"), [("CrashLoopBackOff", 1, "Error"), ("OOMKilled", 137, "OOMKilled")]
)
async def test_crashing(sandbox: Sandbox, kube: Kube, trouble: str, code: int, reason: str) -> None:
    pod = await staged(sandbox, kube, trouble)
    container = pod["status"]["containerStatuses"][0]
    assert (pod["status"]["phase"], container["restartCount"], container["ready"]) == ("Running", 7, False)
    assert container["state"]["waiting"]["reason"] == "CrashLoopBackOff"
    assert container["state"]["waiting"]["message"].startswith("back-off 5m0s restarting failed container=web pod=web-")
    ended = container["lastState"]["terminated"]
    assert (ended["exitCode"], ended["reason"], ended["finishedAt"]) == (code, reason, "2026-11-30T00:52:20Z")
    assert await reasons(kube, pod) == {"BackOff"}


async def test_image_not_pulled(sandbox: Sandbox, kube: Kube) -> None:
    pod = await staged(sandbox, kube, "ImagePullBackOff")
    waiting = pod["status"]["containerStatuses"][0]["state"]["waiting"]
    assert (pod["status"]["phase"], waiting["reason"]) == ("Pending", "ImagePullBackOff")
    assert waiting["message"].endswith("reg/web:2: not found")
    assert await reasons(kube, pod) == {"Failed"}


async def test_pending(sandbox: Sandbox, kube: Kube) -> None:
    pod = await staged(sandbox, kube, "Pending")
    assert (pod["status"]["phase"], conditions(pod)) == ("Pending", {"PodScheduled": "False"})
    assert "nodeName" not in pod["spec"]
    message = pod["status"]["conditions"][0]["message"]
    assert message.startswith("0/3 nodes are available: 3 Insufficient cpu. ")
    assert await reasons(kube, pod) == {"FailedScheduling"}


async def test_evicted(sandbox: Sandbox, kube: Kube) -> None:
    pod = await staged(sandbox, kube, "Evicted")
    assert (pod["status"]["phase"], pod["status"]["reason"]) == ("Failed", "Evicted")
    assert pod["status"]["message"].startswith("The node was low on resource: ephemeral-storage.")
    assert await reasons(kube, pod) == {"Evicted"}
    assert sandbox.snapshot()["workloads"][0]["ready"] == 1  # another has taken its place


async def test_terminating(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    pod = await staged(sandbox, kube, "Terminating")
    assert pod["metadata"]["deletionTimestamp"] < "2026-11-30T00:45:00Z"
    clock.now += 3600
    await sandbox.settle()
    assert len(await pods(kube)) == 2
    delete = kube.core.delete_namespaced_pod
    assert (await kube.call(delete, pod["metadata"]["name"], "shop", grace_period_seconds=0)).code == 200
    await sandbox.settle()
    assert len(await pods(kube)) == 1


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet"])
@pytest.mark.parametrize("trouble", TROUBLES)
async def test_a_trouble_ends_with_its_pod(sandbox: Sandbox, kube: Kube, kind: str, trouble: str) -> None:
    sandbox.apply({"workloads": [{**WEB, "kind": kind, "pods": [trouble]}], "nodes": [{"name": "only"}]})
    before = await pods(kube)
    for pod in before:
        grace = {"grace_period_seconds": 0} if trouble == "Terminating" else {}
        await kube.call(kube.core.delete_namespaced_pod, pod["metadata"]["name"], "shop", **grace)
    await sandbox.settle()
    (state,) = sandbox.snapshot()["workloads"]
    assert [pod["state"] for pod in state["pods"]] == ["Running"]
    assert state["ready"] == 1
    assert not {pod["metadata"]["uid"] for pod in before} & {pod["metadata"]["uid"] for pod in await pods(kube)}


@pytest.mark.parametrize("trouble", ["NotReady", "CrashLoopBackOff", "OOMKilled", "ImagePullBackOff", "Pending"])
async def test_a_trouble_can_be_staged_and_healed(sandbox: Sandbox, trouble: Any) -> None:
    sandbox.apply({"workloads": [{**WEB, "replicas": 2}]})
    name = sandbox.snapshot()["workloads"][0]["pods"][1]["name"]
    sandbox.stage("shop", name, trouble)
    await sandbox.settle()
    state = sandbox.snapshot()["workloads"][0]
    assert [pod["ready"] for pod in state["pods"]] == [True, False]
    sandbox.stage("shop", "web", "Running")
    await sandbox.settle()
    assert sandbox.snapshot()["workloads"][0]["ready"] == 2


async def test_a_healed_pod_remembers_its_crashes(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    await staged(sandbox, kube, "OOMKilled")
    clock.now += 30
    sandbox.stage("shop", "web", "Running")
    await sandbox.settle()
    container = (await pods(kube))[0]["status"]["containerStatuses"][0]
    assert container["restartCount"] == 7
    assert container["lastState"]["terminated"]["reason"] == "OOMKilled"
    assert container["state"] == {"running": {"startedAt": "2026-11-30T00:53:50Z"}}


async def test_only_what_is_there_can_be_staged(sandbox: Sandbox) -> None:
    with pytest.raises(LookupError, match="no pod and no workload shop/web"):
        sandbox.stage("shop", "web", "NotReady")
    with pytest.raises(ValueError, match="'Broken' is none of Running"):
        sandbox.stage("shop", "web", "Broken")  # type: ignore[arg-type]


async def test_a_bad_image_fails_new_pods_only(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "replicas": 2}]})
    sandbox.bad_images.add("reg/web:2")
    await kube.call(kube.core.delete_namespaced_pod, (await pods(kube))[0]["metadata"]["name"], "shop")
    await sandbox.settle()
    states = [pod["state"] for pod in sandbox.snapshot()["workloads"][0]["pods"]]
    assert sorted(states) == ["ImagePullBackOff", "Running"]
    sandbox.bad_images.clear()
    await sandbox.settle()
    assert sandbox.snapshot()["workloads"][0]["ready"] == 2
