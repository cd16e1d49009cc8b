"""What no dry-run tells: quota, limits, room on the nodes, budgets and volumes, for more pods and for rollouts."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.actions.costs import more_pods, rollout_costs, surge_of
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Observed, Raw
from chatops_bot.domain.plans import Draft
from tests.unit.domain.cluster_objects import keys, observed, pod, spoken, workload

ASKS = {"requests": {"cpu": "500m", "memory": "256Mi"}, "limits": {"memory": "512Mi"}}


def asking(kind: EntityKind = "Deployment", replicas: int = 3, resources: Raw = ASKS, **spec: Any) -> Raw:
    """A workload whose container asks for this."""
    made = workload(kind, replicas, **spec)
    made["spec"]["template"]["spec"]["containers"][0]["resources"] = resources
    return made


def quota(hard: Raw, used: Raw, name: str = "team", **spec: Any) -> Raw:
    return {"metadata": {"name": name}, "spec": {"hard": hard, **spec}, "status": {"hard": hard, "used": used}}


def limits(**rule: Any) -> Raw:
    return {"metadata": {"name": "bounds"}, "spec": {"limits": [{"type": "Container", **rule}]}}


def node(name: str = "n1", cpu: str = "4", pods: str = "110", **spec: Any) -> Raw:
    return {
        "metadata": {"name": name, "labels": {"kubernetes.io/hostname": name, "disk": "ssd"}},
        "spec": spec,
        "status": {
            "allocatable": {"cpu": cpu, "memory": "8Gi", "pods": pods},
            "conditions": [{"type": "Ready", "status": "True"}],
        },
    }


def scaling(count: int, obj: Raw | None = None, **parts: Any) -> str:
    return spoken(*more_pods(observed(obj or asking(), **parts), count))


def rolling(obj: Raw | None = None, **parts: Any) -> str:
    obj = obj or asking()
    found = observed(obj, kind=obj["kind"], **parts)
    return spoken(*rollout_costs(found, found.object["spec"]["template"]))


# quota


@pytest.mark.parametrize(
    ("hard", "used", "words"),
    [
        ({"pods": "5"}, {"pods": "4"}, "Quota team holds only 1 of 3 more pods: pods 4 of 5 used, each takes 1."),
        ({"count/pods": "4"}, {"count/pods": "4"}, "only 0 of 3 more pods"),
        ({"cpu": "2"}, {"cpu": "1500m"}, "only 1 of 3 more pods: cpu 1.5 of 2 used, each takes 500m"),
        ({"requests.cpu": "2"}, {"requests.cpu": "1"}, "only 2 of 3 more pods"),
        ({"requests.memory": "1Gi"}, {"requests.memory": "768Mi"}, "1 of 3 more pods: requests.memory 768Mi of 1Gi"),
        ({"limits.memory": "2Gi"}, {"limits.memory": "1536Mi"}, "1.5Gi of 2Gi used, each takes 512Mi"),
        ({"pods": "3"}, {"pods": "9"}, "only 0 of 3 more pods"),
        ({"pods": "5", "cpu": "2"}, {"pods": "4", "cpu": "2"}, "only 0 of 3 more pods: cpu 2 of 2 used"),
    ],
)
def test_a_quota_that_does_not_hold_all_pods_is_named_with_its_numbers(hard: Raw, used: Raw, words: str) -> None:
    assert words in scaling(3, quotas=(quota(hard, used),))


@pytest.mark.parametrize(
    ("hard", "used"),
    [
        ({"pods": "7"}, {"pods": "4"}),
        ({"requests.storage": "1"}, {"requests.storage": "1"}),
        ({"requests.nvidia.com/gpu": "0"}, {"requests.nvidia.com/gpu": "0"}),
        ({"services": "1"}, {"services": "1"}),
        ({"pods": "5"}, {}),
    ],
)
def test_a_quota_that_has_room_or_says_nothing_of_these_pods_is_not_mentioned(hard: Raw, used: Raw) -> None:
    assert scaling(3, quotas=(quota(hard, used),)) == ""


def test_fewer_pods_cost_nothing() -> None:
    full = quota({"pods": "1"}, {"pods": "1"})
    assert scaling(0, quotas=(full,)) == scaling(-2, quotas=(full,), unread=("limits:403",)) == ""


def test_of_several_quotas_the_scarcest_comes_first() -> None:
    rows = (quota({"pods": "5"}, {"pods": "4"}, "wide"), quota({"cpu": "2"}, {"cpu": "2"}, "narrow"))
    assert scaling(3, quotas=rows).index("narrow") < scaling(3, quotas=rows).index("wide")


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ({"scopes": ["NotTerminating"]}, True),
        ({"scopes": ["Terminating"]}, False),
        ({"scopes": ["NotBestEffort"]}, True),
        ({"scopes": ["BestEffort"]}, False),
        ({"scopes": ["CrossNamespacePodAffinity"]}, False),
        ({"scopes": ["PriorityClass"]}, True),
        ({"scopeSelector": [{"operator": "In", "values": ["high"]}]}, True),
        ({"scopeSelector": [{"operator": "In", "values": ["low"]}]}, False),
        ({"scopeSelector": [{"operator": "NotIn", "values": ["low"]}]}, True),
        ({"scopeSelector": [{"operator": "NotIn", "values": ["high"]}]}, False),
        ({"scopeSelector": [{"operator": "Exists"}]}, True),
        ({"scopeSelector": [{"operator": "DoesNotExist"}]}, False),
    ],
)
def test_a_quota_counts_the_pods_of_its_scopes_alone(spec: Raw, counts: bool) -> None:
    if "scopeSelector" in spec:
        rows = [{"scopeName": "PriorityClass", **row} for row in spec["scopeSelector"]]
        spec = {"scopeSelector": {"matchExpressions": rows}}
    obj = asking()
    obj["spec"]["template"]["spec"]["priorityClassName"] = "high"
    assert bool(scaling(3, obj, quotas=(quota({"pods": "1"}, {"pods": "1"}, **spec),))) is counts


def test_a_quota_of_what_a_container_does_not_say_refuses_its_pods() -> None:
    wants = quota({"limits.cpu": "10"}, {"limits.cpu": "1"})
    assert "REFUSED: quota team wants limits.cpu of every container, and app does not say it" in scaling(
        1, quotas=(wants,)
    )
    assert scaling(1, quotas=(wants,), limits=(limits(default={"cpu": "1"}),)) == ""


def test_the_defaults_of_the_namespace_count_against_the_quota() -> None:
    full = quota({"limits.cpu": "10"}, {"limits.cpu": "9"})
    words = scaling(1, quotas=(full,), limits=(limits(default={"cpu": "2"}),))
    assert "only 0 of 1 more pods: limits.cpu 9 of 10 used, each takes 2" in words


# LimitRange


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ({"max": {"memory": "256Mi"}}, "memory of app is 512Mi, beyond the 256Mi of LimitRange bounds"),
        ({"min": {"cpu": "1"}}, "cpu of app is 500m, beyond the 1 of LimitRange bounds"),
        ({"type": "Pod", "max": {"memory": "1Mi"}}, "memory of pod is 512Mi"),
        ({"max": {"memory": "512Mi", "cpu": "1"}, "min": {"cpu": "500m", "memory": "1Mi"}}, ""),
        ({"type": "PersistentVolumeClaim", "max": {"memory": "1"}}, ""),
    ],
)
def test_pods_that_the_limits_of_the_namespace_would_refuse(rule: Raw, words: str) -> None:
    said = scaling(1, limits=(limits(**rule),))
    assert words in said
    assert bool(said) is bool(words)


# room on the nodes


def running(name: str, where: str, cpu: str = "1", phase: str = "Running") -> Raw:
    made = pod(name, phase=phase)
    made["spec"] = {"nodeName": where, "containers": [{"name": "app", "resources": {"requests": {"cpu": cpu}}}]}
    return made


def test_pods_beyond_the_free_requests_may_stay_pending() -> None:
    there = tuple(running(f"x{number}", "n1") for number in range(3))
    words = scaling(3, nodes=(node(),), elsewhere=there)
    assert "the 1 nodes that could take them hold 2 of 3 new pods (cpu 500m, memory 256Mi each)" in words
    assert "may stay Pending" in words
    assert scaling(2, nodes=(node(),), elsewhere=there) == ""
    assert scaling(3, nodes=(node(),), elsewhere=(*there[:2], running("x3", "n1", phase="Succeeded"))) == ""


@pytest.mark.parametrize(
    "other",
    [
        node("n2", unschedulable=True),
        node("n2", taints=[{"key": "gpu", "value": "yes", "effect": "NoSchedule"}]),
        node("n2", pods="0"),
        {**node("n2"), "status": {"allocatable": {"cpu": "4", "memory": "8Gi", "pods": "110"}}},
        {**node("n2"), "status": {"conditions": [{"type": "Ready", "status": "True"}]}},
    ],
)
def test_a_node_that_takes_no_pod_has_no_room(other: Raw) -> None:
    assert "hold 8 of 9 new pods" in scaling(9, nodes=(node(), other))


@pytest.mark.parametrize(
    ("toleration", "tolerated"),
    [
        ({"operator": "Exists"}, True),
        ({"key": "gpu", "operator": "Exists"}, True),
        ({"key": "gpu", "value": "yes"}, True),
        ({"key": "gpu", "value": "no"}, False),
        ({"key": "gpu", "value": "yes", "effect": "NoExecute"}, False),
        ({"key": "other", "operator": "Exists"}, False),
    ],
)
def test_a_taint_counts_unless_it_is_tolerated(toleration: Raw, tolerated: bool) -> None:
    obj = asking()
    obj["spec"]["template"]["spec"]["tolerations"] = [toleration]
    tainted = node(taints=[{"key": "gpu", "value": "yes", "effect": "NoSchedule"}, {"effect": "PreferNoSchedule"}])
    assert ("hold 0 of 1" not in scaling(1, obj, nodes=(tainted,))) is tolerated


@pytest.mark.parametrize(
    ("spec", "selected"),
    [
        ({"nodeSelector": {"disk": "ssd"}}, True),
        ({"nodeSelector": {"disk": "hdd"}}, False),
        ({"terms": [{"key": "disk", "operator": "In", "values": ["ssd"]}]}, True),
        ({"terms": [{"key": "disk", "operator": "NotIn", "values": ["ssd"]}]}, False),
        ({"terms": [{"key": "cores", "operator": "Gt", "values": ["9"]}]}, True),
    ],
)
def test_only_nodes_that_the_pods_select_count(spec: Raw, selected: bool) -> None:
    obj = asking()
    if "terms" in spec:
        term = {"nodeSelectorTerms": [{"matchExpressions": spec["terms"]}]}
        spec = {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": term}}}
    obj["spec"]["template"]["spec"] |= spec
    assert (scaling(1, obj, nodes=(node(),)) == "") is selected


def test_what_could_not_be_read_is_said_and_not_guessed() -> None:
    said = scaling(9, nodes=(node(cpu="1"),), unread=("elsewhere:too many", "limits:403", "pods:500", "quotas:timeout"))
    assert said.splitlines() == [
        "Could not read the room on the nodes (too many): its risks were not checked.",
        "Could not read the LimitRanges (403): its risks were not checked.",
        "Could not read the quotas (timeout): its risks were not checked.",
    ]
    both = scaling(1, unread=("elsewhere:403", "nodes:403"))
    assert both == "Could not read the room on the nodes (403): its risks were not checked."


# rollouts


@pytest.mark.parametrize(
    ("kind", "replicas", "spec", "surge"),
    [
        ("Deployment", 3, {}, (1, 0)),
        ("Deployment", 4, {}, (1, 1)),
        ("Deployment", 10, {}, (3, 2)),
        ("Deployment", 1, {}, (1, 0)),
        ("Deployment", 3, {"maxSurge": 2, "maxUnavailable": 0}, (2, 0)),
        ("Deployment", 3, {"maxSurge": "50%", "maxUnavailable": "50%"}, (2, 1)),
        ("Deployment", 3, {"maxSurge": 0, "maxUnavailable": 0}, (0, 1)),
        ("Deployment", 3, {"maxSurge": "some", "maxUnavailable": True}, (0, 1)),
        ("StatefulSet", 3, {}, (0, 0)),
        ("DaemonSet", 3, {}, (0, 0)),
    ],
)
def test_how_many_pods_more_a_rollout_may_have(
    kind: EntityKind, replicas: int, spec: Raw, surge: tuple[int, int]
) -> None:
    assert surge_of(asking(kind, replicas, strategy={"rollingUpdate": spec}), kind) == surge
    assert surge_of(asking("Deployment", 3, strategy={"type": "Recreate"}), "Deployment") == (0, 0)


def test_a_rollout_that_may_take_none_down_is_stuck_on_a_full_quota() -> None:
    full = quota({"pods": "3"}, {"pods": "3"})
    never = asking(strategy={"rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}})
    assert "STUCK: quota team is full (pods 3 of 3, each pod takes 1)" in rolling(never, quotas=(full,))
    assert "will crawl: quota team is full" in rolling(asking(replicas=4), quotas=(full,))
    assert rolling(asking(replicas=4), quotas=(quota({"pods": "4"}, {"pods": "3"}),)) == ""
    assert rolling(asking("StatefulSet"), quotas=(full,)) == ""
    some = quota({"pods": "11"}, {"pods": "10"})  # one more at a time instead of three: slower, and no trouble
    assert rolling(asking(replicas=10), quotas=(some,)) == ""


def test_a_rollout_needs_room_for_its_surge() -> None:
    assert "hold 0 of 1 new pods" in rolling(nodes=(node(cpu="100m"),))
    assert rolling(asking(strategy={"type": "Recreate"}), nodes=(node(cpu="100m"),)) == ""
    assert "(no requests each)" in rolling(asking(resources={}), nodes=(node(pods="0"),))


def test_a_volume_that_one_node_may_mount_is_named() -> None:
    obj = asking()
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "web-data"}}, {"name": "tmp", "emptyDir": {}}]
    obj["spec"]["template"]["spec"]["volumes"] = volumes
    assert "claim web-data: if it is ReadWriteOnce" in rolling(obj)
    obj["spec"]["strategy"] = {"type": "Recreate"}
    assert rolling(obj) == ""


def test_a_rollout_goes_below_a_budget_without_asking_it() -> None:
    strict, lax = ({"metadata": {"name": "web"}, "status": {"desiredHealthy": needed}} for needed in (4, 3))
    said = rolling(asking(replicas=4), budgets=(strict,))
    assert "may leave 3 for a while, below the 4 that PDB web wants" in said
    assert rolling(asking(replicas=4), budgets=(lax,)) == rolling(budgets=(strict,)) == ""


def test_what_would_refuse_new_pods_is_told_of_a_rollout_too() -> None:
    assert "REFUSED" in rolling(asking("StatefulSet"), limits=(limits(max={"memory": "1Mi"}),))


# the actions


FULL = quota({"pods": "4"}, {"pods": "4"})


@pytest.mark.parametrize(
    ("action", "slots", "key"),
    [
        ("scale", {"replicas": 5}, "warn.quota"),
        ("restart", {}, "warn.quota_surge"),
        ("set_image", {"image": "reg/web:2"}, "warn.quota_surge"),
        ("resume", {}, "warn.quota_surge"),
        ("set_autoscaler", {"max": 9}, "warn.quota"),
    ],
)
def test_each_action_that_makes_pods_asks_for_what_it_takes_to_know(
    action: str, slots: dict[str, SlotValue], key: str
) -> None:
    autoscaler = {"metadata": {"name": "web", "uid": "u-hpa"}, "spec": {"minReplicas": 2, "maxReplicas": 4}}
    parts: dict[str, Any] = {"quotas": (FULL,)}
    held: dict[str, Any] = {"paused": True} if action == "resume" else {}
    if action == "set_autoscaler":
        parts["autoscalers"] = (autoscaler,)
    found: Observed = observed(asking(replicas=4, **held), **parts)
    made = ACTIONS[action].draft(found, slots, token="t0", stamp="2026-11-29T00:00:00Z")
    assert isinstance(made, Draft), made
    assert key in keys(made.warnings)
    assert ACTIONS[action].needs >= {"quotas", "limits", "room"}


def test_actions_that_make_no_pods_ask_for_nothing() -> None:
    assert ACTIONS["pause"].needs == frozenset()
