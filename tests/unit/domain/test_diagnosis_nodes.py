"""The verdict on a node."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.diagnosis import status_report
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.reports import Report
from tests.unit.domain.cluster_objects import NOW, ago, observed, pod, spoken, waiting
from tests.unit.domain.node_objects import ours


def node(ready: str = "True", pressure: str = "", **spec: Any) -> Raw:
    conditions = [
        {"type": "EtcdIsVoter", "status": "True"},
        {"type": "Ready", "status": ready, "reason": "KubeletSays", "message": "m", "lastTransitionTime": ago(360)},
        {"type": "DiskPressure", "status": "True" if pressure == "DiskPressure" else "False"},
    ]
    return {"metadata": {"name": "n1", "uid": "u-n1"}, "spec": spec, "status": {"conditions": conditions}}


def report(obj: Raw, *pods: Raw) -> Report:
    return status_report(observed(obj, *pods, kind="Node"), NOW)


def told(found: Report) -> str:
    return spoken(found.headline, *found.lines)


@pytest.mark.parametrize(
    ("obj", "tone", "words"),
    [
        (node(), "ok", "is ready; pods on it: 1"),
        (node(unschedulable=True), "warn", "ready but cordoned"),
        (node(pressure="DiskPressure"), "warn", "under pressure: DiskPressure."),
        (node("False"), "danger", "is NOT READY for 6m; pods affected: 1"),
        (node("Unknown"), "danger", "lost contact 6m ago"),
        ({}, "danger", "is NOT READY for ?"),
    ],
)
def test_the_verdict(obj: Raw, tone: str, words: str) -> None:
    found = report(obj, pod())
    assert found.tone == tone
    assert words in told(found)


@pytest.mark.parametrize(
    ("obj", "codes", "offered"),
    [
        (node(), (), []),
        (node(unschedulable=True), ("node_cordoned",), ["uncordon"]),
        (node(pressure="DiskPressure"), ("node_pressure",), ["cordon", "drain"]),
        (node("Unknown"), ("node_not_ready",), ["cordon", "drain"]),
        (node("False", unschedulable=True), ("node_not_ready", "node_cordoned"), ["drain"]),
        ({}, (), []),
    ],
)
def test_what_fits_its_state_is_offered(obj: Raw, codes: tuple[str, ...], offered: list[str]) -> None:
    found = report(obj, pod())
    assert found.codes == codes
    assert [offer.action for offer in found.offers] == offered


def test_the_reason_is_given() -> None:
    assert "Reason KubeletSays: m" in told(report(node("False")))


def test_who_cordoned_it_is_told() -> None:
    obj = node(unschedulable=True)
    assert "not recorded" in told(report(obj))
    obj["metadata"]["managedFields"] = [
        {"manager": "older", "time": ago(900), "fieldsV1": {"f:spec": {"f:unschedulable": {}}}},
        {"manager": "kubectl-cordon", "time": ago(300), "fieldsV1": {"f:spec": {"f:unschedulable": {}}}},
        {"manager": "kubelet", "time": ago(1), "fieldsV1": {"f:status": {}}},
    ]
    assert "Cordoned 5m ago by kubectl-cordon." in told(report(obj))


def test_a_cordon_of_the_bot_names_the_person() -> None:
    assert "Cordoned 5m ago by Alice, through me." in told(report(ours()))
    assert "Cordoned 5m ago by ?, through me." in told(report(ours(person="")))


def test_taints_and_the_autoscaler_are_told() -> None:
    obj = node(taints=[{"key": "ToBeDeletedByClusterAutoscaler", "effect": "NoSchedule"}])
    assert "Taints: ToBeDeletedByClusterAutoscaler:NoSchedule" in told(report(obj))
    assert "about to remove it" in told(report(obj))


def test_only_what_the_report_needs_is_a_gap_in_it() -> None:
    found = status_report(observed(node(), kind="Node", unread=("budgets:403", "nodes:403", "pods:403")), NOW)
    assert spoken(*found.unread).count("403") == 1


def test_pods_in_trouble_are_listed_and_counted() -> None:
    pods = [pod(f"bad-{n:02}", waiting("CrashLoopBackOff", restartCount=n)) for n in range(12)]
    found = report(node(), pod("fine"), *pods)
    assert len(found.table) == 11
    assert found.table[1] == ("bad-00", "0/1", "CrashLoopBackOff", "0", "1h")
    assert "Pods not ready: 12 of 13." in told(found)
    assert "not listed: 2 more" in told(found)
    assert found.digest == "node ready; 13 pods, 12 not ready"
    assert report(node(), pod("fine")).table == ()
