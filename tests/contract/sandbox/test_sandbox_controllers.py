"""What the cluster does by itself: rollouts, order, placement, bounds, lost nodes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from chatops_bot.adapters.sandbox import Sandbox, Timing
from tests.contract.sandbox.conftest import START, Clock, Kube

WEB: dict[str, Any] = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 4, "image": "reg/web:2"}
DB: dict[str, Any] = {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 3, "image": "reg/db:8"}
Object = dict[str, Any]


def change(workload: Object, **fields: Any) -> Object:
    return {"workloads": [{key: workload[key] for key in ("kind", "namespace", "name")} | fields]}


def condition(obj: Object, kind: str) -> Object:
    return next(item for item in obj["status"]["conditions"] if item["type"] == kind)


async def web(kube: Kube) -> Object:
    found: Object = (await kube.call(kube.apps.read_namespaced_deployment, "web", "shop")).json
    return found


async def replica_sets(kube: Kube) -> dict[str, tuple[str, int]]:
    """Image and size by revision."""
    rows = (await kube.call(kube.apps.list_namespaced_replica_set, "shop")).json["items"]
    return {
        row["metadata"]["annotations"]["deployment.kubernetes.io/revision"]: (
            row["spec"]["template"]["spec"]["containers"][0]["image"],
            row["spec"]["replicas"],
        )
        for row in rows
    }


async def undo(kube: Kube, revision: str) -> None:
    """As kubectl does it: the template of the old ReplicaSet, put back."""
    rows = (await kube.call(kube.apps.list_namespaced_replica_set, "shop")).json["items"]
    old = next(row for row in rows if row["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == revision)
    template = old["spec"]["template"]
    del template["metadata"]["labels"]["pod-template-hash"]
    await kube.call(
        kube.apps.patch_namespaced_deployment,
        "web",
        "shop",
        [{"op": "replace", "path": "/spec/template", "value": template}],
    )


async def test_a_rollout_keeps_to_its_allowances(clock: Clock) -> None:
    async with Sandbox(clock, timing=Timing(start=5, stop=5)) as sandbox:
        sandbox.apply({"workloads": [WEB]})
        sandbox.apply(change(WEB, image="reg/web:3"))
        seen = []
        for _ in range(40):
            await sandbox.settle()
            state = sandbox.snapshot()["workloads"][0]
            running = [pod for pod in state["pods"] if pod["state"] != "Terminating"]
            seen.append((len(running), state["ready"]))
            clock.now += 1
        # 25 % of four: one more than wanted at the most, one fewer ready at the least.
        assert max(total for total, _ in seen) == 5
        assert min(ready for _, ready in seen) == 3
        assert seen[-1] == (4, 4)
        assert {pod["image"] for pod in sandbox.snapshot()["workloads"][0]["pods"]} == {"reg/web:3"}


async def test_an_undo_brings_the_old_replica_set_back_under_a_new_number(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "revisions": ["reg/web:0", "reg/web:1"]}]})
    assert await replica_sets(kube) == {"1": ("reg/web:0", 0), "2": ("reg/web:1", 0), "3": ("reg/web:2", 4)}
    await undo(kube, "2")
    await sandbox.settle()
    assert await replica_sets(kube) == {"1": ("reg/web:0", 0), "3": ("reg/web:2", 0), "4": ("reg/web:1", 4)}
    assert (await web(kube))["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "4"


async def test_history_is_limited(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [WEB]})
    limit = {"spec": {"revisionHistoryLimit": 2}}
    await kube.call(kube.apps.patch_namespaced_deployment, "web", "shop", limit)
    for number in range(3, 8):
        sandbox.apply(change(WEB, image=f"reg/web:{number}"))
        await sandbox.settle()
    assert sorted(await replica_sets(kube)) == ["4", "5", "6"]


async def test_a_rollout_of_a_bad_image_gets_stuck_and_runs_out_of_time(
    sandbox: Sandbox, kube: Kube, clock: Clock
) -> None:
    sandbox.bad_images.add("reg/web:bad")
    sandbox.apply({"workloads": [WEB]})
    sandbox.apply(change(WEB, image="reg/web:bad"))
    await sandbox.settle()
    found = await web(kube)
    assert (found["status"]["availableReplicas"], found["status"]["updatedReplicas"]) == (3, 2)
    assert condition(found, "Progressing")["reason"] == "ReplicaSetUpdated"
    assert sandbox.next_due == START + 600
    clock.now += 600
    await sandbox.settle()
    late = condition(await web(kube), "Progressing")
    assert (late["status"], late["reason"]) == ("False", "ProgressDeadlineExceeded")
    await undo(kube, "1")
    await sandbox.settle()
    found = await web(kube)
    assert found["status"]["availableReplicas"] == found["status"]["replicas"] == 4
    assert condition(found, "Progressing")["reason"] == "NewReplicaSetAvailable"


async def test_a_paused_deployment_scales_and_rolls_nothing_out(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "paused": True}]})
    sandbox.apply(change(WEB, image="reg/web:3", replicas=6))
    await sandbox.settle()
    found = await web(kube)
    assert (found["status"]["readyReplicas"], found["status"].get("updatedReplicas", 0)) == (6, 0)
    assert condition(found, "Progressing")["reason"] == "DeploymentPaused"
    assert await replica_sets(kube) == {"1": ("reg/web:2", 6)}
    sandbox.apply(change(WEB, paused=False))
    await sandbox.settle()
    assert await replica_sets(kube) == {"1": ("reg/web:2", 0), "2": ("reg/web:3", 6)}


async def test_recreate_stops_everything_first(clock: Clock) -> None:
    async with Sandbox(clock, timing=Timing(start=2, stop=2)) as sandbox:
        sandbox.apply({"workloads": [WEB]})
        kube = Kube(sandbox)
        body = {"spec": {"strategy": {"$retainKeys": ["type"], "type": "Recreate"}}}
        await kube.call(kube.apps.patch_namespaced_deployment, "web", "shop", body)
        sandbox.apply(change(WEB, image="reg/web:3"))
        images = []
        for _ in range(8):
            await sandbox.settle()
            images.append({pod["image"] for pod in sandbox.snapshot()["workloads"][0]["pods"]})
            clock.now += 1
        assert all(len(found) == 1 for found in images)
        assert images[-1] == {"reg/web:3"}
        kube.api.rest_client.pool_manager.clear()


async def test_scaling_in_the_middle_of_a_rollout_is_shared_out(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.bad_images.add("reg/web:bad")
    sandbox.apply({"workloads": [WEB]})
    sandbox.apply(change(WEB, image="reg/web:bad"))
    await sandbox.settle()
    sandbox.apply(change(WEB, replicas=8))
    await sandbox.settle()
    sizes = dict((await replica_sets(kube)).values())
    assert sizes["reg/web:2"] >= 6
    assert sizes["reg/web:bad"] > 2
    assert sum(sizes.values()) == 10


async def test_the_sick_go_first_when_a_workload_shrinks(sandbox: Sandbox) -> None:
    sandbox.apply({"workloads": [{**WEB, "pods": ["Running", "CrashLoopBackOff", "Pending", "Running"]}]})
    sandbox.apply(change(WEB, replicas=2))
    await sandbox.settle()
    state = sandbox.snapshot()["workloads"][0]
    assert [pod["state"] for pod in state["pods"]] == ["Running", "Running"]


async def test_a_stateful_set_changes_in_order(clock: Clock) -> None:
    async with Sandbox(clock, timing=Timing(start=1, stop=1)) as sandbox:
        sandbox.apply({"workloads": [DB]})
        sandbox.apply(change(DB, image="reg/db:9", replicas=4))
        order: list[str] = []
        for _ in range(30):
            await sandbox.settle()
            state = sandbox.snapshot()["workloads"][0]
            assert sum(not pod["ready"] or pod["state"] == "Terminating" for pod in state["pods"]) <= 1
            order += [pod["name"] for pod in state["pods"] if pod["image"] == "reg/db:9" and pod["name"] not in order]
            clock.now += 1
        assert order == ["db-3", "db-2", "db-1", "db-0"]
        sandbox.apply(change(DB, replicas=1))
        left = []
        for _ in range(8):
            await sandbox.settle()
            left.append(len(sandbox.snapshot()["workloads"][0]["pods"]))
            clock.now += 1
        assert left[-1] == 1
        assert sorted(left, reverse=True) == left


async def test_a_stateful_sets_broken_rollout_is_not_mended_by_an_undo(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.bad_images.add("reg/db:bad")
    sandbox.apply({"workloads": [DB]})
    sandbox.apply(change(DB, image="reg/db:bad"))
    await sandbox.settle()
    revisions = (await kube.call(kube.apps.list_namespaced_controller_revision, "shop")).json["items"]
    first = next(item for item in revisions if item["revision"] == 1)
    await kube.call(kube.apps.patch_namespaced_stateful_set, "db", "shop", first["data"])
    await sandbox.settle()
    states = {pod["name"]: pod["state"] for pod in sandbox.snapshot()["workloads"][0]["pods"]}
    assert states == {"db-0": "Running", "db-1": "Running", "db-2": "ImagePullBackOff"}
    await kube.call(kube.core.delete_namespaced_pod, "db-2", "shop")
    await sandbox.settle()
    status = (await kube.call(kube.apps.read_namespaced_stateful_set, "db", "shop")).json["status"]
    assert (status["readyReplicas"], status["updatedReplicas"]) == (3, 3)
    assert status["currentRevision"] == status["updateRevision"] == first["metadata"]["name"]
    again = (await kube.call(kube.apps.list_namespaced_controller_revision, "shop")).json["items"]
    assert {item["revision"] for item in again} == {2, 3}


async def test_a_partition_holds_back_the_lower_numbers(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [DB]})
    body = {"spec": {"updateStrategy": {"rollingUpdate": {"partition": 2}}}}
    await kube.call(kube.apps.patch_namespaced_stateful_set, "db", "shop", body)
    sandbox.apply(change(DB, image="reg/db:9"))
    await sandbox.settle()
    await kube.call(kube.core.delete_namespaced_pod, "db-0", "shop")
    await sandbox.settle()
    images = {pod["name"]: pod["image"] for pod in sandbox.snapshot()["workloads"][0]["pods"]}
    assert images == {"db-0": "reg/db:8", "db-1": "reg/db:8", "db-2": "reg/db:9"}


async def test_a_daemon_set_has_one_pod_on_each_node(sandbox: Sandbox, kube: Kube) -> None:
    agent = {"kind": "DaemonSet", "namespace": "shop", "name": "agent", "image": "reg/agent:1"}
    sandbox.apply({"workloads": [agent], "nodes": [{"name": "a"}, {"name": "b", "unschedulable": True}]})
    sandbox.apply({"nodes": [{"name": "c"}]})
    sandbox.apply(change(agent, image="reg/agent:2"))
    await sandbox.settle()
    pods = sandbox.snapshot()["workloads"][0]["pods"]
    assert sorted((pod["node"], pod["image"]) for pod in pods) == [(node, "reg/agent:2") for node in ("a", "b", "c")]
    status = (await kube.call(kube.apps.read_namespaced_daemon_set, "agent", "shop")).json["status"]
    assert (status["updatedNumberScheduled"], status["numberAvailable"]) == (3, 3)


async def test_pods_go_to_nodes_that_take_them(sandbox: Sandbox, kube: Kube) -> None:
    nodes: list[Object] = [{"name": "a"}, {"name": "b", "unschedulable": True}, {"name": "c", "ready": False}]
    sandbox.apply({"nodes": nodes})
    sandbox.apply({"workloads": [WEB]})
    await sandbox.settle()
    assert {pod["node"] for pod in sandbox.snapshot()["workloads"][0]["pods"]} == {"a"}
    sandbox.apply({"nodes": [{"name": "a", "unschedulable": True}]})
    sandbox.apply(change(WEB, replicas=5))
    await sandbox.settle()
    pods = (await kube.call(kube.core.list_namespaced_pod, "shop", field_selector="status.phase=Pending")).json["items"]
    message = condition(pods[0], "PodScheduled")["message"]
    assert message.startswith(
        "0/3 nodes are available: 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, "
        "2 node(s) were unschedulable. preemption: "
    )
    chosen = f"involvedObject.uid={pods[0]['metadata']['uid']},reason=FailedScheduling"
    events = (await kube.call(kube.core.list_namespaced_event, "shop", field_selector=chosen)).json["items"]
    assert (events[0]["lastTimestamp"], events[0]["eventTime"]) == (None, "2026-11-30T00:53:20.000000Z")
    sandbox.apply({"nodes": [{"name": "a", "unschedulable": False}]})
    await sandbox.settle()
    assert sandbox.snapshot()["workloads"][0]["ready"] == 5


async def test_a_lost_nodes_pods_are_replaced_after_five_minutes(sandbox: Sandbox, clock: Clock) -> None:
    sandbox.apply({"workloads": [{**WEB, "replicas": 3}]})
    sandbox.apply({"nodes": [{"name": "node-2", "ready": False}]})
    await sandbox.settle()
    assert sandbox.snapshot()["workloads"][0]["ready"] == 2
    clock.now += 300
    await sandbox.settle()
    state = sandbox.snapshot()["workloads"][0]
    assert sorted(pod["state"] for pod in state["pods"]) == ["Running", "Running", "Running", "Terminating"]
    sandbox.apply({"nodes": [{"name": "node-2", "ready": True}]})
    await sandbox.settle()
    assert [pod["state"] for pod in sandbox.snapshot()["workloads"][0]["pods"]] == ["Running"] * 3


async def test_nodes_that_are_ready_keep_reporting(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    sandbox.apply({"nodes": [{"name": "a"}, {"name": "b", "ready": False}]})
    clock.now += 600
    await sandbox.settle()
    nodes = (await kube.call(kube.core.list_node)).json["items"]
    told = {node["metadata"]["name"]: condition(node, "Ready") for node in nodes}
    assert (told["a"]["status"], told["a"]["lastHeartbeatTime"]) == ("True", "2026-11-30T01:03:20Z")
    assert (told["b"]["status"], told["b"]["lastHeartbeatTime"]) == ("Unknown", "2026-11-30T00:53:20Z")


async def hpa_condition(kube: Kube, kind: str) -> str:
    found = (await kube.send("GET", "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web")).json
    return str(condition(found, kind)["reason"])


async def test_an_autoscaler_undoes_what_is_outside_its_bounds(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    sandbox.apply({"workloads": [{**WEB, "hpa": {"min": 2, "max": 5}}]})
    sandbox.apply(change(WEB, replicas=9))
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 9
    clock.now += 14
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 9
    clock.now += 1
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 5
    sandbox.apply(change(WEB, replicas=3))
    clock.now += 60
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 3


async def test_zero_replicas_switch_an_autoscaler_off(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    sandbox.apply({"workloads": [{**WEB, "hpa": {"min": 2, "max": 5}}]})
    sandbox.apply(change(WEB, replicas=0))
    await sandbox.settle()
    clock.now += 60
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 0
    assert await hpa_condition(kube, "ScalingActive") == "ScalingDisabled"
    sandbox.apply(change(WEB, replicas=1))
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 1
    clock.now += 15
    await sandbox.settle()
    assert (await web(kube))["spec"]["replicas"] == 2
    assert await hpa_condition(kube, "ScalingActive") == "ValidMetricFound"


@pytest.mark.parametrize(
    ("budget", "desired", "allowed"),
    [
        ({"min_available": 2}, 2, 1),
        ({"min_available": "50%"}, 2, 1),
        ({"max_unavailable": 1}, 3, 0),
        ({"max_unavailable": "50%"}, 2, 1),
    ],
)
async def test_budgets(sandbox: Sandbox, kube: Kube, budget: Object, desired: int, allowed: int) -> None:
    sandbox.apply({"workloads": [{**WEB, "pdb": budget, "pods": ["CrashLoopBackOff"]}]})
    found = (await kube.send("GET", "/apis/policy/v1/namespaces/shop/poddisruptionbudgets/web")).json["status"]
    assert (found["currentHealthy"], found["desiredHealthy"], found["disruptionsAllowed"]) == (3, desired, allowed)


async def test_a_service_leads_to_the_pods_that_it_selects(sandbox: Sandbox, kube: Kube) -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "web", "namespace": "shop"}}
    spec = {"selector": {"app": "web"}, "ports": [{"port": 80, "targetPort": 8080}]}
    sandbox.apply({"workloads": [{**WEB, "replicas": 2, "pods": ["NotReady"]}], "objects": [{**service, "spec": spec}]})
    answer = await kube.send("GET", "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices")
    (found,) = answer.json["items"]
    assert found["metadata"]["labels"] == {"kubernetes.io/service-name": "web"}
    assert [item["conditions"]["ready"] for item in found["endpoints"]] == [False, True]


async def test_events_are_counted_and_forgotten_after_an_hour(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    sandbox.apply({"workloads": [WEB]})
    chosen = "reason=ScalingReplicaSet,involvedObject.name=web"

    async def scalings() -> list[Object]:
        rows = (await kube.call(kube.core.list_namespaced_event, "shop", field_selector=chosen)).json["items"]
        return [{key: row[key] for key in ("message", "count", "lastTimestamp")} for row in rows]

    assert await scalings() == []  # what made the cluster was days ago
    for replicas in (5, 4, 5):
        sandbox.apply(change(WEB, replicas=replicas))
        await sandbox.settle()
        clock.now += 60
    ups = [event for event in await scalings() if "Scaled up" in event["message"]]
    assert [(event["count"], event["lastTimestamp"]) for event in ups] == [(2, "2026-11-30T00:55:20Z")]
    clock.now += 3600
    await sandbox.settle()
    assert await scalings() == []


@pytest.mark.parametrize("make", [lambda: Timing(), lambda: Timing(start=1, ready=1, stop=1, spread=1)])
async def test_settling_twice_changes_nothing(clock: Clock, make: Callable[[], Timing]) -> None:
    async with Sandbox(clock, timing=make()) as sandbox:
        sandbox.apply({"workloads": [{**WEB, "hpa": {"min": 1, "max": 9}, "pdb": {"min_available": 1}}, DB]})
        sandbox.apply(change(WEB, image="reg/web:3"))
        await sandbox.settle()
        version = sandbox.store.version
        await sandbox.settle()
        assert sandbox.store.version == version
