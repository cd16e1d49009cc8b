"""get, list with selectors and pages, watch, logs, discovery."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from chatops_bot.adapters.sandbox import Sandbox
from tests.contract.sandbox.conftest import Answer, Kube, until

WEB: dict[str, Any] = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 3, "image": "reg/web:2"}
DB: dict[str, Any] = {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 2, "image": "reg/db:8"}


def names(answer: Answer) -> list[str]:
    return [item["metadata"]["name"] for item in answer.json["items"]]


async def test_an_object_is_read_as_it_is_stored(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [WEB]})
    found = (await kube.call(kube.apps.read_namespaced_deployment, "web", "shop")).json
    assert (found["kind"], found["apiVersion"]) == ("Deployment", "apps/v1")
    assert found["status"]["readyReplicas"] == 3
    assert found["metadata"]["annotations"] == {"deployment.kubernetes.io/revision": "1"}
    assert found["spec"]["strategy"]["rollingUpdate"] == {"maxSurge": "25%", "maxUnavailable": "25%"}


@pytest.mark.parametrize(
    "read",
    [
        "list_deployment_for_all_namespaces",
        "list_replica_set_for_all_namespaces",
        "list_stateful_set_for_all_namespaces",
        "list_daemon_set_for_all_namespaces",
        "list_controller_revision_for_all_namespaces",
        "list_pod_for_all_namespaces",
        "list_node",
        "list_namespace",
        "list_event_for_all_namespaces",
    ],
)
async def test_typed_models_accept_what_is_served(sandbox: Sandbox, kube: Kube, read: str) -> None:
    sick = {**WEB, "pods": ["Pending", "OOMKilled", "Evicted"]}
    sandbox.apply({"workloads": [sick, DB, {"kind": "DaemonSet", "namespace": "shop", "name": "agent"}]})
    function = getattr(kube.apps, read, None) or getattr(kube.core, read)
    assert (await asyncio.to_thread(function)).items


async def test_what_is_not_there_is_404_with_the_servers_words(kube: Kube) -> None:
    answer = await kube.call(kube.apps.read_namespaced_deployment, "nope", "shop")
    assert answer.code == 404
    assert answer.json == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": 'deployments.apps "nope" not found',
        "reason": "NotFound",
        "details": {"name": "nope", "group": "apps", "kind": "deployments"},
        "code": 404,
    }
    assert (await kube.send("GET", "/apis/metrics.k8s.io/v1beta1/pods")).code == 404
    assert (await kube.send("GET", "/apis/apps/v1/namespaces/shop/widgets")).json["reason"] == "NotFound"
    assert (await kube.send("POST", "/apis/apps/v1/namespaces/shop/deployments/web", {})).code == 405


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("app=web", ["web"]),
        ("app==db", ["db"]),
        ("app!=web", ["db"]),
        ("tier in (front, back)", ["db", "web"]),
        ("tier notin (front)", ["db"]),
        ("tier", ["db", "web"]),
        ("!tier", []),
        ("app=web,tier in (front)", ["web"]),
        ("app=web,tier in (back,middle)", []),
    ],
)
async def test_label_selectors(sandbox: Sandbox, kube: Kube, selector: str, expected: list[str]) -> None:
    other = {**WEB, "name": "db", "labels": {"tier": "back"}}
    sandbox.apply({"workloads": [{**WEB, "labels": {"tier": "front"}}, other]})
    answer = await kube.call(kube.apps.list_namespaced_deployment, "shop", label_selector=selector)
    assert names(answer) == expected


async def test_field_selectors(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "replicas": 2, "pods": ["Running", "CrashLoopBackOff"]}, DB]})
    pods = (await kube.call(kube.core.list_namespaced_pod, "shop")).json["items"]
    node = pods[0]["spec"]["nodeName"]
    on_node = await kube.call(kube.core.list_pod_for_all_namespaces, field_selector=f"spec.nodeName={node}")
    assert {item["spec"]["nodeName"] for item in on_node.json["items"]} == {node}
    named = await kube.call(
        kube.core.list_namespaced_pod, "shop", field_selector="metadata.name=db-0,status.phase=Running"
    )
    assert names(named) == ["db-0"]
    assert names(await kube.call(kube.core.list_namespaced_pod, "shop", field_selector="status.phase!=Running")) == []
    sick = next(pod for pod in pods if pod["status"]["containerStatuses"][0]["restartCount"])
    chosen = f"involvedObject.uid={sick['metadata']['uid']},type=Warning,reason=BackOff"
    events = await kube.call(kube.core.list_namespaced_event, "shop", field_selector=chosen)
    assert [event["count"] for event in events.json["items"]] == [7]
    refused = await kube.call(kube.core.list_namespaced_pod, "shop", field_selector="spec.color=red")
    assert (refused.code, refused.json["message"].rpartition(": ")[2]) == (400, "spec.color")


async def test_lists_come_in_pages(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "replicas": 5}]})
    everything = names(await kube.call(kube.core.list_namespaced_pod, "shop"))
    first = await kube.call(kube.core.list_namespaced_pod, "shop", limit=2)
    assert first.json["metadata"]["remainingItemCount"] == 3
    token = first.json["metadata"]["continue"]
    second = await kube.call(kube.core.list_namespaced_pod, "shop", limit=4, _continue=token)
    assert "continue" not in second.json["metadata"]
    assert names(first) + names(second) == everything
    sandbox.store.compact()
    late = await kube.call(kube.core.list_namespaced_pod, "shop", limit=4, _continue=token)
    assert (late.code, late.json["reason"]) == (410, "Expired")


async def events_of(kube: Kube, path: str, count: int, *, after: Any = None) -> list[dict[str, Any]]:
    """The first `count` events of a watch; `after` is run once it has begun."""

    def follow(started: asyncio.Event, loop: asyncio.AbstractEventLoop) -> list[dict[str, Any]]:
        response = kube.http.request("GET", kube.url + path, preload_content=False, timeout=10.0)
        loop.call_soon_threadsafe(started.set)
        found: list[dict[str, Any]] = []
        pending = b""
        try:
            for chunk in response.stream():
                pending += chunk
                *lines, pending = pending.split(b"\n")
                found += [json.loads(line) for line in lines]
                if len(found) >= count:
                    break
        finally:
            response.close()
        return found

    started = asyncio.Event()
    task = asyncio.create_task(asyncio.to_thread(follow, started, asyncio.get_running_loop()))
    await started.wait()
    if after is not None:
        await after()
    return await task


async def test_a_watch_goes_on_from_a_version(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [WEB]})
    version = (await kube.call(kube.apps.list_namespaced_deployment, "shop")).json["metadata"]["resourceVersion"]

    async def scale() -> None:
        sandbox.apply({"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 4}]})

    path = f"/apis/apps/v1/namespaces/shop/deployments?watch=true&resourceVersion={version}"
    events = await events_of(kube, path, 1, after=scale)
    assert [(event["type"], event["object"]["spec"]["replicas"]) for event in events] == [("MODIFIED", 4)]
    # What happened meanwhile is told to who comes later with the old version.
    assert (await events_of(kube, path, 1))[0] == events[0]


async def test_a_watch_without_version_begins_with_everything(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [DB]})
    events = await events_of(kube, "/api/v1/namespaces/shop/pods?watch=1&sendInitialEvents=true&timeoutSeconds=5", 3)
    assert [event["type"] for event in events] == ["ADDED", "ADDED", "BOOKMARK"]
    assert events[2]["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


async def test_a_watch_sees_objects_enter_and_leave_its_selection(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [WEB]})

    async def relabel() -> None:
        for color in ("red", "blue"):
            await kube.call(
                kube.apps.patch_namespaced_deployment, "web", "shop", {"metadata": {"labels": {"color": color}}}
            )

    version = sandbox.store.version
    path = f"/apis/apps/v1/deployments?watch=true&resourceVersion={version}&labelSelector=color%3Dred"
    assert [event["type"] for event in await events_of(kube, path, 2, after=relabel)] == ["ADDED", "DELETED"]


async def test_a_watch_from_too_long_ago_is_told_410(sandbox: Sandbox, kube: Kube) -> None:
    version = sandbox.store.version
    sandbox.store.compact()
    events = await events_of(kube, f"/api/v1/nodes?watch=true&resourceVersion={version}", 1)
    assert (events[0]["type"], events[0]["object"]["code"]) == ("ERROR", 410)


async def test_a_watch_ends_with_a_bookmark_when_its_time_is_over(sandbox: Sandbox, kube: Kube) -> None:
    path = f"/api/v1/nodes?watch=true&resourceVersion={sandbox.store.version}&timeoutSeconds=0&allowWatchBookmarks=true"
    events = await events_of(kube, path, 99)
    assert [event["type"] for event in events] == ["BOOKMARK"]


async def test_a_watch_is_forgotten_when_its_client_leaves(sandbox: Sandbox, kube: Kube) -> None:
    before = len(sandbox.store.listeners)
    await events_of(kube, "/api/v1/nodes?watch=true", 1)
    await until(lambda: len(sandbox.store.listeners) == before)


async def test_logs_are_cut_as_the_kubelet_cuts_them(sandbox: Sandbox, kube: Kube) -> None:
    text = "\n".join(f"line {number}" for number in range(1, 11))
    sandbox.apply({"workloads": [{**DB, "logs": text}]})
    read = kube.core.read_namespaced_pod_log
    assert (await kube.call(read, "db-0", "shop")).text == text + "\n"
    assert (await kube.call(read, "db-0", "shop", tail_lines=2)).text == "line 9\nline 10\n"
    assert (await kube.call(read, "db-0", "shop", tail_lines=3, limit_bytes=8)).text == "line 8\nl"
    assert (await kube.call(read, "db-0", "shop", since_seconds=2)).text == "line 8\nline 9\nline 10\n"
    stamped = (await kube.call(read, "db-0", "shop", tail_lines=1, timestamps=True)).text
    assert stamped == "2026-11-30T00:53:20Z line 10\n"


async def test_logs_are_refused_where_there_are_none(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "replicas": 3, "pods": ["CrashLoopBackOff", "ImagePullBackOff", "Running"]}]})
    pods = (await kube.call(kube.core.list_namespaced_pod, "shop")).json["items"]
    crashed, unpulled, running = [pod["metadata"]["name"] for pod in pods]
    read = kube.core.read_namespaced_pod_log
    assert "exit status 1" in (await kube.call(read, crashed, "shop", previous=True)).text
    answer = await kube.call(read, running, "shop", previous=True)
    assert (answer.code, answer.json["message"]) == (
        400,
        f'previous terminated container "web" in pod "{running}" not found',
    )
    answer = await kube.call(read, unpulled, "shop")
    assert answer.json["message"] == (
        f'container "web" in pod "{unpulled}" is waiting to start: trying and failing to pull image'
    )
    answer = await kube.call(read, running, "shop", container="other")
    assert answer.json["message"] == f"container other is not valid for pod {running}"


async def test_a_container_must_be_named_where_there_are_two(sandbox: Sandbox, kube: Kube) -> None:
    containers = [{"name": "app", "image": "a:1"}, {"name": "proxy", "image": "p:1"}]
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "two", "namespace": "shop"}}
    sandbox.apply(
        {"objects": [{**pod, "spec": {"containers": containers, "initContainers": [{"name": "wait", "image": "i"}]}}]}
    )
    answer = await kube.call(kube.core.read_namespaced_pod_log, "two", "shop")
    assert answer.json["message"] == (
        "a container name must be specified for pod two, choose one of: [app proxy] or one of the init containers: [wait]"
    )
    assert (await kube.call(kube.core.read_namespaced_pod_log, "two", "shop", container="proxy")).code == 200


async def test_discovery(kube: Kube) -> None:
    groups = {group["name"] for group in (await kube.send("GET", "/apis")).json["groups"]}
    assert groups >= {"apps", "autoscaling", "policy", "batch", "authorization.k8s.io", "authentication.k8s.io"}
    assert "metrics.k8s.io" not in groups
    apps = (await kube.send("GET", "/apis/apps/v1")).json
    rows = {row["name"]: row["kind"] for row in apps["resources"]}
    assert (rows["deployments"], rows["deployments/scale"]) == ("Deployment", "Scale")
    assert (await kube.send("GET", "/version")).json["major"] == "1"
    assert (await kube.send("GET", "/readyz")).text == "ok"
    assert (await kube.send("GET", "/openapi/v2")).code == 404
