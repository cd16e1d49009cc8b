"""Around the API: who may what, what is recorded, what goes wrong on the way, and running by itself."""

from __future__ import annotations

import asyncio
import json
import socket
import time
from typing import Any

import pytest
import urllib3

from chatops_bot.adapters.sandbox import Access, Sandbox, Timing, User
from tests.contract.sandbox.conftest import Clock, Kube, until

Object = dict[str, Any]
WEB: Object = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:2"}
PATH = "/apis/apps/v1/namespaces/shop/deployments/web"
MERGE = "application/merge-patch+json"
TOKEN = {"Authorization": "Bearer sandbox"}


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.apply({"workloads": [WEB]})
    return sandbox


def as_user(*groups: str) -> urllib3.HTTPHeaderDict:
    headers = urllib3.HTTPHeaderDict({**TOKEN, "Impersonate-User": "alice"})
    for group in groups:
        headers.add("Impersonate-Group", group)
    return headers


async def ask(kube: Kube, headers: Any = None, **attributes: str) -> Object:
    body = {"spec": {"resourceAttributes": attributes}}
    path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
    status: Object = (await kube.send("POST", path, body, headers=headers)).json["status"]
    return status


async def test_denials(shop: Sandbox, kube: Kube) -> None:
    shop.access.deny(verb="delete", resource="deployments", user="alice")
    answer = await kube.send("DELETE", f"{PATH}?dryRun=All", headers=as_user())
    assert (answer.code, answer.json["reason"]) == (403, "Forbidden")
    assert answer.json["message"] == (
        'deployments.apps "web" is forbidden: User "alice" cannot delete resource "deployments" '
        'in API group "apps" in the namespace "shop"'
    )
    shop.access.deny(resource="nodes")
    answer = await kube.send("GET", "/api/v1/nodes", headers=TOKEN)
    assert answer.json["message"] == (
        'nodes is forbidden: User "chatops-bot" cannot list resource "nodes" in API group "" at the cluster scope'
    )
    shop.access.deny(verb="patch", resource="deployments/scale", namespace="shop")
    assert (await kube.send("PATCH", f"{PATH}/scale", {"spec": {"replicas": 5}}, kind=MERGE)).code == 403
    assert (await kube.send("PATCH", PATH, {"spec": {"replicas": 5}}, kind=MERGE)).code == 200
    shop.access.clear()
    assert (await kube.send("GET", "/api/v1/nodes")).code == 200


async def test_reviews_tell_what_would_be_allowed(shop: Sandbox, kube: Kube) -> None:
    scale = {"group": "apps", "resource": "deployments", "subresource": "scale", "namespace": "shop", "verb": "patch"}
    assert (await ask(kube, TOKEN, **scale))["allowed"] is True
    shop.access.deny(resource="deployments/scale", user="alice")
    assert await ask(kube, as_user(), **scale) == {"allowed": False}
    assert (await ask(kube, TOKEN, **scale))["allowed"] is True
    other = {"spec": {"user": "alice", "resourceAttributes": scale}}
    answer = await kube.send("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", other, headers=TOKEN)
    assert (answer.code, answer.json["status"]) == (201, {"allowed": False})


async def test_an_authorizer_of_ones_own(shop: Sandbox, kube: Kube) -> None:
    asked: list[Access] = []

    def only_ops(access: Access) -> bool:
        asked.append(access)
        return access.verb == "impersonate" or "ops" in access.user.groups

    shop.access.authorizer = only_ops
    assert (await kube.send("GET", PATH, headers=as_user("ops"))).code == 200
    # One header with two groups is one group, whatever its sender thought.
    assert (await kube.send("GET", PATH, headers=as_user("devs,ops"))).code == 403
    assert [access.name for access in asked if access.verb == "impersonate"] == ["alice", "ops", "alice", "devs,ops"]
    shop.access.authorizer = lambda access: access.verb != "impersonate"
    assert (await kube.send("GET", PATH, headers=as_user("ops"))).code == 403


async def test_the_journal(shop: Sandbox, kube: Kube) -> None:
    shop.access.tokens["other"] = User("bob", ("devs",))
    headers = urllib3.HTTPHeaderDict(
        {"Authorization": "Bearer other", "User-Agent": "bot/1", "Impersonate-User": "alice"}
    )
    await kube.send("GET", PATH, headers=headers)
    await kube.send(
        "PATCH", f"{PATH}?fieldManager=bot&dryRun=All", {"spec": {"replicas": 9}}, kind=MERGE, headers=headers
    )
    await kube.send("PATCH", f"{PATH}?fieldManager=bot", {"spec": {"replicas": 3}}, kind=MERGE, headers=headers)
    await kube.send("PATCH", PATH, {"metadata": {"resourceVersion": "1"}}, kind=MERGE)
    await ask(kube, TOKEN, verb="get", resource="pods")
    await shop.settle()
    assert [record.sequence for record in shop.requests] == [1, 2, 3, 4, 5]
    (write,) = shop.writes()
    assert (write.sequence, write.verb, write.group, write.resource, write.name) == (
        3,
        "patch",
        "apps",
        "deployments",
        "web",
    )
    assert (write.user, write.acting_as, write.groups) == ("bob", "alice", ("system:authenticated",))
    assert (write.user_agent, write.field_manager, write.body) == ("bot/1", "bot", {"spec": {"replicas": 3}})
    assert (write.code, write.dry_run, write.time) == (200, False, 1_796_000_000.0)
    assert [record.code for record in shop.requests] == [200, 200, 200, 409, 201]
    assert shop.writes(after=3) == []


async def test_while_it_is_down_connections_are_refused(shop: Sandbox, kube: Kube) -> None:
    await kube.call(kube.core.list_node)
    shop.down = True
    with pytest.raises(urllib3.exceptions.NewConnectionError):
        await kube.send("GET", PATH)
    with pytest.raises(urllib3.exceptions.HTTPError):  # the connection kept from before is cut
        await kube.call(kube.core.list_node)
    shop.down = False
    assert (await kube.send("GET", PATH)).code == 200
    assert (await kube.call(kube.core.list_node)).code == 200


async def test_injected_failures(shop: Sandbox, kube: Kube) -> None:
    shop.faults.fail(429, count=2, method="GET", retry_after=7)
    answers = [await kube.send("GET", PATH) for _ in range(3)]
    assert [answer.code for answer in answers] == [429, 429, 200]
    assert answers[0].headers["Retry-After"] == "7"
    shop.faults.reset(path="/pods")
    assert (await kube.send("GET", PATH)).code == 200
    with pytest.raises(urllib3.exceptions.ProtocolError):
        await kube.send("GET", "/api/v1/pods")


@pytest.mark.parametrize("kind", ["fail", "reset"])
async def test_an_answer_that_is_lost_after_the_write(shop: Sandbox, kube: Kube, kind: str) -> None:
    getattr(shop.faults, kind)(method="PATCH", after=True)
    request = kube.send("PATCH", PATH, {"spec": {"replicas": 4}}, kind=MERGE)
    if kind == "fail":
        assert (await request).code == 503
    else:
        with pytest.raises(urllib3.exceptions.ProtocolError):
            await request
    assert (await kube.send("GET", PATH)).json["spec"]["replicas"] == 4
    assert [write.body for write in shop.writes()] == [{"spec": {"replicas": 4}}]


async def test_a_request_without_answer(shop: Sandbox, kube: Kube) -> None:
    shop.faults.hang(method="DELETE")
    waiting = asyncio.create_task(kube.send("DELETE", PATH))
    await until(lambda: len(shop.requests) == 1)
    assert (await kube.send("GET", PATH)).code == 200  # nobody else waits
    shop.faults.clear()
    with pytest.raises(urllib3.exceptions.ProtocolError):
        await waiting
    assert (await kube.send("GET", PATH)).code == 200
    assert shop.requests[0].code == 0


async def test_latency_is_waited_by_the_injected_sleep(shop: Sandbox, kube: Kube) -> None:
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    shop.faults.sleep = sleep
    shop.faults.latency = 30.0
    assert (await kube.send("GET", PATH)).code == 200
    assert waited == [30.0]


async def test_nothing_is_left_behind(clock: Clock) -> None:
    async with Sandbox(clock, auto=True) as sandbox:
        kube = Kube(sandbox)
        sandbox.faults.hang(path="/nodes")
        waiting = asyncio.create_task(kube.send("GET", "/api/v1/nodes"))
        watching = asyncio.create_task(kube.send("GET", "/api/v1/pods?watch=true"))
        await until(lambda: len(sandbox.requests) == 2)
        port = int(sandbox.url.rpartition(":")[2])
    for task in (waiting, watching):
        with pytest.raises(urllib3.exceptions.ProtocolError):
            await task
    assert asyncio.all_tasks() == {asyncio.current_task()}
    assert sandbox.store.listeners == []
    with socket.socket() as free:
        free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        free.bind(("127.0.0.1", port))
    kube.http.clear()


async def test_it_runs_by_itself() -> None:
    fast = Timing(schedule=0.0, start=0.02, ready=0.02, stop=0.02)
    async with Sandbox(time.time, auto=True, timing=fast) as sandbox:
        sandbox.apply({"workloads": [WEB]})
        assert sandbox.snapshot()["workloads"][0]["ready"] == 2
        with sandbox.subscribe() as notices:
            sandbox.apply({"workloads": [{**WEB, "image": "reg/web:3"}]})
            kinds = set()
            async for notice in notices:
                kinds.add(notice.kind)
                state = sandbox.snapshot()["workloads"][0]
                if {pod["image"] for pod in state["pods"]} == {"reg/web:3"} and state["ready"] == 2:
                    break
        assert kinds >= {"Deployment", "ReplicaSet", "Pod", "Event"}
        sandbox.stage("shop", "web", "OOMKilled")
        await until(lambda: not sandbox.snapshot()["workloads"][0]["ready"])


async def test_a_slow_reader_gets_the_newest_notice_of_each_object(shop: Sandbox) -> None:
    with shop.subscribe() as notices:
        for replicas in (5, 6, 7):
            shop.apply({"workloads": [{**WEB, "replicas": replicas}]})
        first = await anext(notices)
        assert (first.type, first.kind, first.namespace, first.name) == ("MODIFIED", "Deployment", "shop", "web")
        assert first.version == shop.store.version
    assert shop.store.listeners == []


async def test_a_kubeconfig(shop: Sandbox, kube: Kube) -> None:
    config = json.loads(json.dumps(shop.kubeconfig("prod-east")))
    assert config["current-context"] == "prod-east"
    assert config["clusters"] == [{"name": "prod-east", "cluster": {"server": shop.url}}]


async def test_what_is_no_http_is_answered_400(sandbox: Sandbox) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(sandbox.url.rpartition(":")[2]))
    writer.write(b"hello\r\n\r\n")
    assert (await reader.readline()).startswith(b"HTTP/1.1 400")
    writer.close()
    await writer.wait_closed()


async def test_a_body_may_come_in_chunks(shop: Sandbox) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", int(shop.url.rpartition(":")[2]))
    head = f"PATCH {PATH} HTTP/1.1\r\nContent-Type: {MERGE}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + b'9\r\n{"spec":{\r\n10\r\n"replicas": 4}} \r\n0\r\n\r\n')
    assert (await reader.readline()).startswith(b"HTTP/1.1 200")
    await reader.read()
    assert shop.writes()[0].body == {"spec": {"replicas": 4}}
    writer.close()
    await writer.wait_closed()
