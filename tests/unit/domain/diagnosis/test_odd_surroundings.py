"""Whatever is null, absent or of another type in what stands around a workload: no check trips over it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.domain.diagnosis.checked import checked
from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.diagnosis.examining import Scene, examine
from chatops_bot.domain.diagnosis.pods import pod_row
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.observed import Around, Observed, Raw
from chatops_bot.domain.rollout import rollout_of
from tests.unit.domain.cluster_objects import NOW, entity, workload
from tests.unit.domain.diagnosis.recorded import crashing, event, pod, revisions, running
from tests.unit.domain.diagnosis.surrounding import (
    cpu_at,
    cron,
    dns_pod,
    hpa,
    ingress,
    job,
    log,
    pdb,
    policy,
    service,
    slices,
    usage,
    written_by,
)

BLIND = ("ScalingActive", "False", "FailedGetResourceMetric", "missing request for cpu in container side of Pod web-a")
FULL = "exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2"


def surroundings() -> Raw:
    """Something for every check."""
    shut = {"ports": [{"port": 1, "endPort": 9, "protocol": "TCP"}], "to": [{"ipBlock": {"cidr": "10.0.0.0/8"}}]}
    return {
        "services": [
            service(
                type="LoadBalancer", age=900, ports=[{"port": 80, "targetPort": "http"}, {"port": 81, "targetPort": 9}]
            ),
            service("front", {"app": "web", "tier": "fe"}, ports=[{"port": 80, "targetPort": "http"}]),
        ],
        "slices": [slices("web", True, False), slices("front")],
        "ingresses": [ingress(("/", "web", 82), ("/api", "gone", "http"), ingressClassName=None)],
        "network": [policy(), policy("out", {"matchLabels": {"app": "web"}}, egress=[shut], ingress=[shut])],
        "usage": [usage("web-0", cpu="499m", memory="255Mi")],
        "dns": [dns_pod("coredns-1", ready=False)],
        "jobs": [job("web-1", ("Failed", "BackoffLimitExceeded", "x"), failed=6)],
        "neighbours": [
            pod("stranger") | {"metadata": {"name": "s", "ownerReferences": [{"kind": "Job", "name": "j"}]}}
        ],
    }


def everything(kind: EntityKind) -> Raw:
    obj = {"CronJob": cron(success=200_000, started=9000), "Job": job(failed=2)}.get(kind) or workload(
        kind, 4, ready=1, serviceName="web-headless", paused=True
    )
    obj["status"] |= {"currentRevision": "a", "updateRevision": "b", "numberMisscheduled": 1}
    obj["status"].setdefault("conditions", []).append({"type": "ReplicaFailure", "status": "True", "message": FULL})
    written_by(obj, "suspend", "kubectl", 100_000)
    limited = pod("web-0", running())
    limited["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "500m", "memory": "256Mi"}
    sets = revisions()
    sets[1]["spec"]["template"]["metadata"]["labels"]["tier"] = "fe"
    return {
        "obj": obj,
        "pods": [limited, pod("web-1", crashing(1)), pod("web-2", running(ready=False), age=900)],
        "around": surroundings(),
        "parts": {
            "replica_sets": list(sets),
            "autoscalers": [hpa(BLIND, ("ScalingLimited", "True", "TooManyReplicas", ""), **cpu_at(90)), hpa(name="b")],
            "budgets": [pdb(), pdb("b")],
            "quotas": [{"metadata": {"name": "q"}, "status": {"hard": {"pods": "2"}, "used": {"pods": "2"}}}],
            "events": [event("FailedCreate", FULL)],
        },
    }


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    steps = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in steps:
        yield from places(inner, (*path, key))


def with_odd(value: Any, path: tuple[Any, ...], odd: Any) -> Any:
    """The value with `odd` at the path, all else shared; ABSENT takes the key away."""
    made = dict(value) if isinstance(value, dict) else list(value)
    key, *rest = path
    if rest:
        made[key] = with_odd(made[key], tuple(rest), odd)
    elif odd is ABSENT and isinstance(made, dict):
        del made[key]
    else:
        made[key] = None if odd is ABSENT else odd
    return made


ABSENT = object()
ODD: tuple[Any, ...] = (
    ABSENT,
    None,
    "",
    "x",
    "²",
    "9" * 30,
    -1,
    0,
    2**70,
    1.5,
    True,
    [],
    [None],
    ["x"],
    [[]],
    {},
    {"a": None},
    [{}],
)
KINDS: tuple[EntityKind, ...] = ("Deployment", "StatefulSet", "DaemonSet", "Rollout", "Job", "CronJob", "Pod")
# Each of these is what the API reader makes sure of: a list of objects.
WHOLE = {kind: everything(kind) for kind in KINDS}
PLACES = {
    kind: [path for path in places(whole) if len(path) > {"obj": 1, "pods": 2, "around": 3, "parts": 3}[path[0]]]
    for kind, whole in WHOLE.items()
}


def looked_at(whole: Raw, kind: EntityKind) -> list[str]:
    parts = {name: tuple(rows) for name, rows in whole["parts"].items()}
    near = {name: tuple(rows) for name, rows in whole["around"].items()}
    observed = Observed(
        entity=entity(kind),
        at=NOW,
        object=whole["obj"],
        pods=tuple(whole["pods"]),
        around=Around(**near, others=(), logs=(log("web-1", "lookup db: no such host"),)),
        **parts,
    )
    rows = tuple(pod_row(one, NOW) for one in observed.pods)
    stage = Scene(observed=observed, now=NOW, rows=rows, rollout=rollout_of(observed.object, kind))
    found = examine(stage, CHECKS)
    assert found.failed == ()
    assert checked(stage)
    return [one.code for one in found.findings]


def test_the_stage_is_rich() -> None:
    """Else the test below would prove nothing."""
    codes = {code for kind in KINDS for code in looked_at(WHOLE[kind], kind)}
    expected = "blocked paused stateful_stuck daemon_incomplete autoscaler_limit autoscaler_blind autoscaler_off"
    expected += " no_endpoints port_mismatch ingress_backend load_balancer job_failed cron_late budget saturated dns"
    expected += " isolated overlap"
    assert set(expected.split()) <= codes


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_odd_values_never_trip_a_check(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(KINDS))
    whole = WHOLE[kind]
    for _ in range(data.draw(st.integers(1, 3))):
        path = data.draw(st.sampled_from(PLACES[kind]))
        try:
            whole = with_odd(whole, path, data.draw(st.sampled_from(ODD)))
        except (KeyError, TypeError, IndexError):  # the place went with an earlier one
            continue
    looked_at(whole, kind)
