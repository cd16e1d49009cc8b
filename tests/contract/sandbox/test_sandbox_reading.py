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


async def test_a_watch_without_version_begins_with_everything(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [DB]})
    events = await events_of(kube, "/api/v1/namespaces/shop/pods?watch=1&sendInitialEvents=true&timeoutSeconds=5", 3)
    assert [event["type"] for event in events] == ["ADDED", "ADDED", "BOOKMARK"]
    assert events[2]["object"]["metadata"]["annotations"] == {"k8s.io/initial-events-end": "true"}


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
    assert stamped == "2026-11-30T00:53:20.000000000Z line 10\n"


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
