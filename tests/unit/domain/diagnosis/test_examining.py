"""The checks together: what explains what, what several pods share, and that none takes the others with it."""

from __future__ import annotations

import copy
import functools
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.diagnosis.examining import EXPLAINS, Check, Scene, examine
from chatops_bot.domain.diagnosis.findings import RANKS, Finding
from chatops_bot.domain.diagnosis.pods import pod_row
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Around, LogText, Observed, Raw
from chatops_bot.domain.rollout import rollout_of
from chatops_bot.domain.say import say
from tests.unit.domain.cluster_objects import NOW, ago, entity, workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    codes,
    crashing,
    event,
    http_probe,
    node,
    pending,
    pod,
    revisions,
    running,
    scene,
    spoken,
    terminated,
    top,
    waiting,
    with_probe,
)


def finding(code: str, *pods: str, where: str = "", severity: Any = "warn") -> Finding:
    return Finding(code, severity, say("finding.gated", gates="x"), where=where, pods=pods)


def examined(*findings: Finding) -> list[tuple[str, tuple[str, ...]]]:
    def check(_: Scene) -> tuple[Finding, ...]:
        return findings

    return [(one.code, one.pods) for one in examine(scene(), (check,)).findings]


def test_what_hurts_comes_first_and_then_what_is_nearest_to_a_cause() -> None:
    found = examined(finding("paused"), finding("killed", "a", severity="danger"), finding("volume", "b"))
    assert [code for code, _ in found] == ["killed", "volume", "paused"]


def test_findings_of_one_cause_are_one() -> None:
    found = examined(finding("gated", "a"), finding("gated", "b"), finding("gated", "c", where="other"))
    assert found == [("gated", ("a", "b")), ("gated", ("c",))]


def test_several_pods_are_named_in_the_line() -> None:
    found = top(pod("web-a", crashing(1)), pod("web-b", crashing(1)), pod("web-c"))
    assert found.pods == ("web-a", "web-b")
    assert "Pods: web-a, web-b." in spoken(found.line)


def test_a_consequence_is_left_out_pod_by_pod() -> None:
    found = examined(finding("crash_loop", "a"), finding("not_ready", "a"), finding("not_ready", "b"))
    assert found == [("crash_loop", ("a",)), ("not_ready", ("b",))]


def test_a_consequence_of_several_causes_is_left_out() -> None:
    both = finding("not_ready", "a", "b")
    assert examined(finding("crash_loop", "a"), finding("image_pull", "b"), both) == [
        ("image_pull", ("b",)),
        ("crash_loop", ("a",)),
    ]


def test_what_is_of_the_workload_explains_and_is_explained() -> None:
    assert examined(finding("crash_loop"), finding("not_ready", "a")) == [("crash_loop", ())]
    assert examined(finding("crash_loop", "a"), finding("not_ready")) == [("crash_loop", ("a",))]


def test_explanations_go_one_way() -> None:
    assert set(EXPLAINS) | {code for follows in EXPLAINS.values() for code in follows} <= set(RANKS)

    @functools.cache
    def reach(code: str) -> frozenset[str]:
        direct = EXPLAINS.get(code, frozenset())
        return direct.union(*(reach(follow) for follow in direct))

    assert not [code for code in EXPLAINS if code in reach(code)]


PVC = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}


def full() -> tuple[Raw, dict[str, Any]]:
    """A workload with everything wrong that there is, so that every check has something to read."""
    probed = with_probe(
        pod(f"web-{HASH}-b", running(ready=False, restartCount=3, lastState=terminated(137))),
        livenessProbe=http_probe(),
        readinessProbe=http_probe(),
        startupProbe=http_probe(),
    )
    init = pod("web-init", waiting("PodInitializing"), phase="Pending", spec=PVC)
    init["spec"]["initContainers"] = [{"name": "migrate", "restartPolicy": "Always"}]
    init["status"]["initContainerStatuses"] = [{**crashing(1), "name": "migrate"}]
    going = pod("web-going")
    going["metadata"] |= {"deletionTimestamp": ago(900), "finalizers": ["a/b"]}
    unplaced = pending("0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint {gpu: true}.")
    unplaced["spec"] |= {**PVC, "nodeSelector": {"a": "b"}, "topologySpreadConstraints": [{"maxSkew": 1}]}
    held = pending("x", reason="SchedulingGated")
    held["spec"]["schedulingGates"] = [{"name": "kueue"}]
    about = {"kind": "Pod", "name": f"web-{HASH}-b"}
    parts: dict[str, Any] = {
        "pods": (
            pod(f"web-{HASH}-a", crashing(1), crashing(137, "OOMKilled", name="side")),
            probed,
            init,
            going,
            unplaced,
            held,
            pod("web-pull", waiting("ImagePullBackOff", "not found"), phase="Pending"),
            pod("web-make", waiting("ContainerCreating"), phase="Pending", spec=PVC),
            pod("web-gone", phase="Failed", reason="Evicted", message="low on resource: memory"),
        ),
        "replica_sets": revisions(),
        "autoscalers": ({"metadata": {"name": "web"}, "spec": {"maxReplicas": 3}, "status": {"desiredReplicas": 3}},),
        "budgets": ({"metadata": {"name": "web"}, "spec": {"maxUnavailable": 0}, "status": {"expectedPods": 2}},),
        "events": (
            event("Unhealthy", "Liveness probe failed: timeout", about=about),
            event("Unhealthy", "Readiness probe failed: refused", about=about),
            event("Killing", "Container app failed startup probe, will be restarted", about=about),
            event("FailedMount", "configmap not found", about={"kind": "Pod", "name": "web-make"}),
            event("Preempted", "Preempted by pod x", about={"kind": "Pod", "name": "web-x"}),
            event("FailedCreate", "exceeded quota: compute", about={"kind": "ReplicaSet", "name": "web-1"}),
        ),
        "nodes": (node("n2", unschedulable=True),),
        "elsewhere": (pod("other-a"),),
        "quotas": ({"metadata": {"name": "q"}, "status": {"hard": {"pods": "2"}, "used": {"pods": "2"}}},),
        "limits": ({"metadata": {"name": "l"}, "spec": {"limits": [{"type": "Container"}]}},),
    }
    around: dict[str, Any] = {
        "services": (
            {
                "metadata": {"name": "web"},
                "spec": {
                    "type": "LoadBalancer",
                    "selector": {"app": "web"},
                    "ports": [{"port": 80, "targetPort": "http"}],
                },
                "status": {"loadBalancer": {}},
            },
        ),
        "slices": (
            {
                "metadata": {"name": "web-1", "labels": {"kubernetes.io/service-name": "web"}},
                "endpoints": [{"addresses": ["10.0.0.1"], "conditions": {"ready": False}}],
            },
        ),
        "ingresses": (
            {
                "metadata": {"name": "web"},
                "spec": {
                    "ingressClassName": "nginx",
                    "rules": [
                        {"http": {"paths": [{"backend": {"service": {"name": "web", "port": {"number": 81}}}}]}},
                    ],
                },
            },
        ),
        "network": ({"metadata": {"name": "deny"}, "spec": {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}},),
        "claims": ({"metadata": {"name": "data"}, "spec": {"storageClassName": "x"}, "status": {"phase": "Pending"}},),
        "classes": ({"metadata": {"name": "fast"}, "volumeBindingMode": "Immediate"},),
        "usage": (
            {
                "metadata": {"name": f"web-{HASH}-a"},
                "containers": [{"name": "app", "usage": {"cpu": "500m", "memory": "255Mi"}}],
            },
        ),
        "dns": (pod("coredns-a", crashing(1)),),
        "jobs": ({"metadata": {"name": "web-1"}, "status": {"failed": 3, "conditions": [{"type": "Failed"}]}},),
        "neighbours": (pod("stranger"),),
        "hosts": (node("n1", "Unknown", "DiskPressure"),),
    }
    return workload(replicas=9, ready=1), {**parts, "around": around}


KINDS: tuple[EntityKind, ...] = ("Deployment", "StatefulSet", "DaemonSet", "Rollout", "Job", "CronJob", "Pod")
LOGS = (LogText(f"web-{HASH}-a", "app", "lookup db: no such host\n"),)


def built(obj: Raw, parts: dict[str, Any], kind: EntityKind) -> Scene:
    parts = {**parts, "around": Around(**parts["around"], logs=LOGS)}
    observed = Observed(entity=entity(kind), at=NOW, object=obj, **parts)
    rows = tuple(pod_row(one, NOW) for one in observed.pods)
    return Scene(observed=observed, now=NOW, rows=rows, rollout=rollout_of(obj, kind))


def test_the_full_scene_is_rich() -> None:
    """Else the tests below would prove nothing."""
    found = examine(built(*full(), "Deployment"), CHECKS)
    assert not found.failed
    assert len({one.code for one in found.findings}) >= 12


@pytest.mark.parametrize("broken", CHECKS, ids=lambda check: check.__name__)
def test_a_check_that_fails_takes_no_other_with_it(broken: Check) -> None:
    here = built(*full(), "Deployment")
    others = [one for one in CHECKS if one is not broken]

    @functools.wraps(broken)
    def raising(_: Scene) -> Any:
        raise KeyError("metadata")

    found = examine(here, [raising if one is broken else one for one in CHECKS])
    assert found.failed == (f"{broken.__name__}: KeyError",)
    assert found.findings == examine(here, others).findings


def test_a_check_that_fails_half_way_keeps_what_it_found() -> None:
    def halting(_: Scene) -> Any:
        yield finding("gated", "a")
        raise ValueError

    found = examine(scene(), (halting,))
    assert ([one.code for one in found.findings], found.failed) == (["gated"], ("halting: ValueError",))


JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [None, {}, [], [None], "", "x", "999999999999", 0, -1, 1.5, 10**20, True, {"a": None}, [[]], "9999-99-99T00:00:00Z"]
)


def paths(value: object, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [at] if at else []
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in rows:
        found += paths(item, (*at, key))
    return found


def mangled(data: st.DataObject, original: Raw, most: int) -> Raw:
    """A copy in which some places hold junk, or nothing."""
    obj = copy.deepcopy(original)
    for _ in range(data.draw(st.integers(0, most))):
        places = paths(obj)
        if not places:
            break
        *way, last = data.draw(st.sampled_from(places))
        holder: Any = obj
        for key in way:
            holder = holder[key]
        if data.draw(st.booleans()):
            holder[last] = copy.deepcopy(data.draw(JUNK))
        else:
            del holder[last]
    return obj


def part(data: st.DataObject, rows: tuple[Raw, ...]) -> tuple[Raw, ...]:
    return tuple(mangled(data, one, 2) for one in rows)


@settings(deadline=None)
@given(st.data())
def test_nothing_in_an_object_makes_a_check_raise(data: st.DataObject) -> None:
    obj, parts = full()
    hurt = {name: part(data, rows) for name, rows in parts.items() if name != "around"}
    around = {name: part(data, rows) for name, rows in parts["around"].items()}
    here = built(mangled(data, obj, 3), {**hurt, "around": around}, data.draw(st.sampled_from(KINDS)))
    found = examine(here, CHECKS)
    assert not found.failed
    for one in found.findings:
        assert spoken(one.line)
        assert all(isinstance(shown.value, str) for shown in one.evidence)
        assert msgspec.json.encode(one)


def test_codes_of_a_well_workload_are_none() -> None:
    assert codes(pod(f"web-{HASH}-a"), pod(f"web-{HASH}-b")) == []
