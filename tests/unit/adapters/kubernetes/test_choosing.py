"""Which of the objects that were read deserve further reads; and that no object whatever makes choosing fail."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.adapters.kubernetes.choosing import (
    LastWords,
    backends_of,
    claims_of,
    hosts_of,
    in_trouble,
    is_unplaced,
    lacks_pods,
    last_words,
    meets_cordoned,
    meets_many_nodes,
    names_fail,
    near_services,
    newest_set,
    owned_pods,
    pending_balancers,
    worst,
)
from chatops_bot.domain.objects import name_of
from chatops_bot.domain.observed import LogText, Raw
from tests.unit.domain.cluster_objects import NOW, ago, container, ended, pod, waiting, workload

CRASHING = pod("web-crash", waiting("CrashLoopBackOff", restartCount=4, lastState=ended(1)))
PULLING = pod("web-pull", waiting("ImagePullBackOff"), phase="Pending")
CRASHED = pod("web-again", container(restartCount=1, lastState=ended(137, "OOMKilled", seconds=300)))
LONG_AGO = pod("web-old", container(restartCount=1, lastState=ended(1, seconds=7_200)))
EVICTED = pod("web-evicted", container(state=ended(137)), phase="Failed", reason="Evicted")


def names(rows: list[Raw]) -> list[str]:
    return [name_of(row) for row in rows]


def test_each_kind_of_trouble_comes_before_a_second_of_one() -> None:
    more = [pod(f"web-crash-{n}", waiting("CrashLoopBackOff", restartCount=4, lastState=ended(1))) for n in range(3)]
    found = worst([pod("web-fine"), *more, PULLING, EVICTED], NOW, most=3)
    assert set(names(found)[:2]) == {"web-pull", "web-crash-0"}
    assert len(found) == 3


def test_of_pods_without_trouble_the_one_that_crashed_and_then_the_newest() -> None:
    rows = [pod("web-a", age=900), pod("web-b", age=300), CRASHED]
    assert names(worst(rows, NOW, most=2))[0] == "web-again"
    assert names(worst(rows[:2], NOW, most=1)) == ["web-b"]


@pytest.mark.parametrize(
    ("one", "once", "expected"),
    [
        (CRASHING, False, LastWords("app", previous=True)),
        (CRASHED, False, LastWords("app", previous=True)),
        (LONG_AGO, False, None),
        (pod("web-fine"), False, None),
        (EVICTED, False, None),
        (pod("job-a", container(state=ended(2, seconds=90_000)), phase="Failed"), True, LastWords("app", False)),
        (pod("job-b", container(state=ended(0, "Completed")), phase="Succeeded"), True, None),
        (PULLING, False, None),
    ],
)
def test_whose_last_words_tell_something(one: Raw, once: bool, expected: LastWords | None) -> None:
    assert last_words(one, NOW, once=once) == expected


def test_an_init_container_that_fails_is_heard() -> None:
    init = [{"name": "migrate", "state": {"waiting": {"reason": "CrashLoopBackOff"}}, "lastState": ended(1)}]
    one = pod("web-a", waiting("PodInitializing"), phase="Pending", initContainerStatuses=init)
    assert last_words(one, NOW) == LastWords("migrate", previous=True)


def test_the_newest_set_is_the_one_of_the_highest_revision() -> None:
    def row(name: str, revision: str, age: float, key: str = "deployment.kubernetes.io/revision") -> Raw:
        return {"metadata": {"name": name, "annotations": {key: revision}, "creationTimestamp": ago(age)}}

    # A rollback takes an old one up again, under a new number.
    assert name_of(newest_set([row("a", "9", 10), row("b", "10", 900)])) == "b"
    assert name_of(newest_set([row("a", "", 10), row("b", "²", 900)])) == "a"
    assert name_of(newest_set([row("a", "2", 10, "rollout.argoproj.io/revision"), row("b", "1", 5)])) == "a"
    assert newest_set([]) is None


def service(name: str, selector: Any = None, **spec: Any) -> Raw:
    return {"metadata": {"name": name}, "spec": {"selector": selector, **spec}}


def test_services_that_select_its_pods_or_nearly_do() -> None:
    rows = [
        service("exact", {"app": "web"}),
        service("renamed", {"app": "web", "tier": "frontend"}),
        service("half", {"app": "web", "tier": "x", "zone": "y"}),
        service("else", {"app": "api"}),
        service("none"),
        service("web"),
    ]
    found = near_services(rows, {"app": "web", "tier": "fe"}, names=["web"])
    assert names(found) == ["exact", "renamed", "web"]


def test_what_a_pod_waits_for() -> None:
    volumes = [
        {"name": "data", "persistentVolumeClaim": {"claimName": "data-db-0"}},
        {"name": "scratch", "ephemeral": {"volumeClaimTemplate": {}}},
        {"name": "config", "configMap": {"name": "c"}},
    ]
    waits = pod("db-0", waiting("ContainerCreating"), phase="Pending")
    waits["spec"]["volumes"] = volumes
    runs = copy.deepcopy(pod("db-1"))
    runs["spec"]["volumes"] = volumes
    assert claims_of([runs, waits], most=5) == ["data-db-0", "db-0-scratch"]
    assert claims_of([runs], most=5) == []
    unplaced = pod("db-2", conditions=[{"type": "PodScheduled", "status": "False"}])
    assert is_unplaced(unplaced)
    assert not meets_cordoned([unplaced, runs])
    row = unplaced["status"]["conditions"][0]
    row |= {"message": "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu."}
    assert meets_cordoned([runs, unplaced])
    assert meets_many_nodes([runs, unplaced])
    row |= {"message": "0/3 nodes are available: 3 node(s) were unschedulable."}
    assert not meets_many_nodes([runs, unplaced])
    assert not is_unplaced(runs)
    assert hosts_of([waits, runs], most=2) == ["n1"]


def test_whether_pods_may_be_refused() -> None:
    three = [pod(f"web-{n}") for n in range(3)]
    assert not lacks_pods(workload(replicas=3), three, None)
    assert lacks_pods(workload(replicas=4), three, None)
    assert lacks_pods(workload(replicas=3), [*three[:2], EVICTED], None)
    failing = {"status": {"conditions": [{"type": "ReplicaFailure", "status": "True"}]}}
    assert lacks_pods(workload(replicas=3), three, failing)
    assert lacks_pods(workload("DaemonSet", replicas=4), three, None)


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("dial tcp: lookup redis on 10.96.0.10:53: no such host", True),
        ("psycopg2: could not translate host name: Temporary failure in name resolution", True),
        ("Error: getaddrinfo EAI_AGAIN redis", True),
        ("java.net.UnknownHostException: redis", True),
        ("dial tcp: lookup redis on 10.96.0.10:53: i/o timeout", True),
        ("dial tcp 10.0.0.7:5432: connect: connection refused", False),
        ("read tcp 10.0.0.7:5432: i/o timeout", False),
        ("", False),
    ],
)
def test_a_log_that_speaks_of_names(said: str, expected: bool) -> None:
    assert names_fail([LogText("web-a", "app", "fine"), LogText("web-b", "app", said)]) is expected


def test_what_an_ingress_routes_to_and_who_waits_for_a_balancer() -> None:
    paths = [{"backend": {"service": {"name": "web"}}}, {"backend": {"resource": {"kind": "Bucket"}}}]
    ingress = {"spec": {"defaultBackend": {"service": {"name": "home"}}, "rules": [{"http": {"paths": paths}}, {}]}}
    assert list(backends_of(ingress)) == ["home", "web"]
    given = service("given", type="LoadBalancer") | {"status": {"loadBalancer": {"ingress": [{"ip": "192.0.2.1"}]}}}
    assert pending_balancers([service("waits", type="LoadBalancer"), given, service("inner")]) == ["waits"]


JUNK = st.one_of(st.none(), st.integers(), st.text(max_size=3), st.just([]), st.just({}), st.just([None, 1, "x"]))


@st.composite
def broken(draw: st.DrawFn, whole: Any) -> Any:
    """Any object with some of its values exchanged for others."""
    if draw(st.integers(0, 9)) == 0:
        return draw(JUNK)
    if isinstance(whole, dict):
        return {key: draw(broken(value)) for key, value in whole.items()}
    if isinstance(whole, list):
        return [draw(broken(value)) for value in whole]
    return whole


def mapped(found: Any) -> Raw:
    return found if isinstance(found, dict) else {}


@given(st.data())
def test_no_object_makes_choosing_fail(data: st.DataObject) -> None:
    rows = [mapped(data.draw(broken(row))) for row in (CRASHING, PULLING, CRASHED, EVICTED, pod("web-fine"))]
    owner = mapped(data.draw(broken(workload())))
    chosen = worst(rows, NOW, most=2)
    assert len(chosen) == 2
    for row in rows:
        last_words(row, NOW, once=True)
        is_unplaced(row)
    claims_of(rows, most=2)
    hosts_of(in_trouble(rows), most=2)
    lacks_pods(owner, rows, newest_set([owner]))
    owned_pods(rows, owner, [owner])
    near_services([owner, *rows], {"app": "web"}, names=["web"])
    pending_balancers([owner])
    list(backends_of(owner))
