"""The transcript's `cluster:` section, at the start and later."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.sandbox import Sandbox
from tests.contract.sandbox.conftest import Clock, Kube

Object = dict[str, Any]
WEB: Object = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:2"}
KEY = {"kind": "Deployment", "namespace": "shop", "name": "web"}


async def web(kube: Kube) -> Object:
    found: Object = (await kube.call(kube.apps.read_namespaced_deployment, "web", "shop")).json
    return found


async def test_everything_that_the_format_has(sandbox: Sandbox, kube: Kube) -> None:
    full = {
        **WEB,
        "pods": ["CrashLoopBackOff"],
        "revisions": ["reg/web:0", "reg/web:1"],
        "hpa": {"min": 2, "max": 8},
        "pdb": {"min_available": 1},
        "paused": True,
        "labels": {"team": "pay"},
        "annotations": {"argocd.argoproj.io/tracking-id": "x"},
        "logs": "one\ntwo",
    }
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}, "data": {"a": "b"}}
    sandbox.apply({"workloads": [full], "nodes": [], "objects": [config]})
    found = await web(kube)
    assert found["metadata"]["labels"] == {"app": "web", "team": "pay"}
    assert found["metadata"]["annotations"] == {
        "argocd.argoproj.io/tracking-id": "x",
        "deployment.kubernetes.io/revision": "3",
    }
    assert found["spec"]["paused"] is True
    container = found["spec"]["template"]["spec"]["containers"][0]
    assert (container["name"], container["image"]) == ("web", "reg/web:2")
    (state,) = sandbox.snapshot()["workloads"]
    assert (state["replicas"], state["ready"], state["autoscaler"]) == (2, 1, {"min": 2, "max": 8})
    assert [pod["state"] for pod in state["pods"]] == ["CrashLoopBackOff", "Running"]
    assert len(sandbox.snapshot()["nodes"]) == 3
    assert (await kube.send("GET", "/api/v1/namespaces/default/configmaps/c")).json["data"] == {"a": "b"}
    for pod in state["pods"]:
        assert (await kube.call(kube.core.read_namespaced_pod_log, pod["name"], "shop")).text == "one\ntwo\n"


async def test_what_is_made_first_has_a_past(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "revisions": ["reg/web:1"]}]})
    rows = (await kube.call(kube.apps.list_namespaced_replica_set, "shop")).json["items"]
    made = {
        row["spec"]["template"]["spec"]["containers"][0]["image"]: row["metadata"]["creationTimestamp"] for row in rows
    }
    assert made == {"reg/web:1": "2026-11-26T00:53:20Z", "reg/web:2": "2026-11-27T00:53:20Z"}
    sandbox.apply({"workloads": [{**WEB, "name": "late"}]})
    late = (await kube.call(kube.apps.read_namespaced_deployment, "late", "shop")).json
    assert late["metadata"]["creationTimestamp"] == "2026-11-30T00:53:20Z"


async def test_a_later_change_changes_only_what_it_says(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    sandbox.apply({"workloads": [{**WEB, "hpa": {"min": 2, "max": 8}, "labels": {"team": "pay"}}]})
    before = await web(kube)
    clock.now += 60
    sandbox.apply({"workloads": [{**KEY, "replicas": 5}]})
    await sandbox.settle()
    after = await web(kube)
    assert after["spec"] == {**before["spec"], "replicas": 5}
    assert after["metadata"]["labels"] == before["metadata"]["labels"]
    editor = next(entry for entry in after["metadata"]["managedFields"] if entry["manager"] == "kubectl-edit")
    assert (editor["fieldsV1"], editor["time"]) == ({"f:spec": {"f:replicas": {}}}, "2026-11-30T00:54:20Z")
    sandbox.apply({"workloads": [{**KEY, "image": "reg/web:3", "paused": True, "annotations": {"note": "x"}}]})
    found = await web(kube)
    assert (found["spec"]["replicas"], found["spec"]["paused"]) == (5, True)
    assert found["metadata"]["annotations"]["note"] == "x"
    sandbox.apply({"workloads": [{**KEY, "hpa": {"min": 3, "max": 4}}]})
    assert sandbox.snapshot()["workloads"][0]["autoscaler"] == {"min": 3, "max": 4}
    sandbox.apply({"workloads": [{**KEY, "hpa": None}]})
    assert sandbox.snapshot()["workloads"][0]["autoscaler"] is None
    assert sandbox.writes() == []


async def test_pods_can_fall_ill_later(sandbox: Sandbox) -> None:
    sandbox.apply({"workloads": [WEB]})
    sandbox.apply({"workloads": [{**KEY, "pods": ["Running", "OOMKilled"]}]})
    await sandbox.settle()
    assert sandbox.snapshot()["workloads"][0]["ready"] == 1
    sandbox.apply({"workloads": [{**KEY, "pods": []}]})
    await sandbox.settle()
    assert sandbox.snapshot()["workloads"][0]["ready"] == 2


async def test_one_workloads_troubles_do_not_age_with_the_next_ones_past(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply(
        {"workloads": [{**WEB, "pods": ["CrashLoopBackOff"]}, {**WEB, "name": "other", "revisions": ["a:1"]}]}
    )
    events = (await kube.call(kube.core.list_namespaced_event, "shop", field_selector="reason=BackOff")).json["items"]
    assert [event["lastTimestamp"] for event in events] == ["2026-11-30T00:53:20Z"]


async def test_leftovers_come_on_top(sandbox: Sandbox) -> None:
    states = ["Running", "Evicted", "NotReady", "Terminating"]
    sandbox.apply({"workloads": [{**WEB, "pods": states}]})
    (state,) = sandbox.snapshot()["workloads"]
    assert sorted(pod["state"] for pod in state["pods"]) == ["Evicted", "Running", "Running", "Terminating"]
    assert (state["replicas"], state["ready"]) == (2, 1)


async def test_manifests(sandbox: Sandbox, kube: Kube) -> None:
    canary = {
        "apiVersion": "flagger.app/v1beta1",
        "kind": "Canary",
        "metadata": {"name": "canary", "namespace": "shop", "uid": "given"},
        "spec": {"replicas": 2},
        "status": {"phase": "Paused"},
    }
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "canary-1",
            "namespace": "shop",
            "ownerReferences": [
                {"apiVersion": "flagger.app/v1beta1", "kind": "Canary", "name": "canary", "controller": True}
            ],
        },
        "spec": {"nodeName": "node-1", "containers": [{"name": "a", "image": "a:1"}]},
        "status": {"phase": "Running", "containerStatuses": []},
    }
    sandbox.apply({"objects": [canary, pod]})
    path = "/apis/flagger.app/v1beta1/namespaces/shop/canaries/canary"
    stored = (await kube.send("GET", path)).json
    assert (stored["status"], stored["metadata"]["uid"] != "given") == ({"phase": "Paused"}, True)
    kept = (await kube.send("GET", "/api/v1/namespaces/shop/pods/canary-1")).json
    assert kept["status"] == {"phase": "Running", "containerStatuses": []}  # scenery: no kubelet repaints it
    assert kept["metadata"]["ownerReferences"][0]["uid"] == stored["metadata"]["uid"]
    sandbox.apply({"objects": [{**canary, "spec": {"replicas": 7}}]})
    assert (await kube.send("GET", path)).json["spec"] == {"replicas": 7}


async def test_a_manifest_that_a_server_would_refuse_is_named(sandbox: Sandbox) -> None:
    bad = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x"}, "spec": {"containers": []}}
    with pytest.raises(
        ValueError, match=r"^cluster\.objects\[0\]: Pod \"x\" is invalid: spec\.containers: Required value$"
    ):
        sandbox.apply({"objects": [bad]})
    with pytest.raises(
        ValueError, match=r"^cluster\.workloads\[0\]: Deployment\.apps \"No_Name\" is invalid: \[metadata\.name"
    ):
        sandbox.apply({"workloads": [{**WEB, "name": "No_Name"}]})


async def test_more_pods_than_there_are(sandbox: Sandbox) -> None:
    sandbox.apply({"workloads": [WEB]})
    with pytest.raises(ValueError, match=r"^cluster\.workloads\[0\]\.pods: 3 pods are listed, and there are 2$"):
        sandbox.apply({"workloads": [{**KEY, "pods": ["Running"] * 3}]})
