"""The reports beside the diagnosis: rollout history, changes, resources, what hangs on a workload. No object makes one
raise."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.deeds import Deed, deed_near, deeds_of
from chatops_bot.domain.diagnosis import changes_report, dependents_report, history_report, resources_report
from chatops_bot.domain.diagnosis.changes import alterations
from chatops_bot.domain.observed import Around, Observed, Raw
from chatops_bot.domain.offers import Offer
from chatops_bot.domain.reports import Report
from chatops_bot.domain.texts import render
from tests.unit.domain.cluster_objects import NOW, ago, entity, keys, observed, pod, spoken, workload

HOUR = 3600
NUMBER = "deployment.kubernetes.io/revision"


def template(image: str, **spec: Any) -> Raw:
    container = {"name": "app", "image": image, "imagePullPolicy": "IfNotPresent"}
    return {"metadata": {"labels": {"app": "web"}}, "spec": {"containers": [container], **spec}}


def replica_set(number: int, image: str, hours: float, *, cause: str = "", earlier: str = "", **spec: Any) -> Raw:
    notes = {NUMBER: str(number), "deployment.kubernetes.io/revision-history": earlier}
    return {
        "metadata": {
            "name": f"web-h{number}",
            "uid": f"u-h{number}",
            "creationTimestamp": ago(hours * HOUR),
            "annotations": {**notes, **({"kubernetes.io/change-cause": cause} if cause else {})},
        },
        "spec": {"template": template(image, **spec)},
    }


SETS = (
    replica_set(3, "reg/web:1", 1),
    replica_set(1, "reg/web:0.8", 72),
    replica_set(2, "reg/web:0.9", 24, cause="fix the cart"),
)


def deployed(hours: float = 1, manager: str = "helm", **parts: Any) -> Observed:
    found = workload()
    found["metadata"]["managedFields"] = [
        {"manager": manager, "time": ago(hours * HOUR), "fieldsV1": {"f:spec": {"f:template": {}}}}
    ]
    return observed(found, pod("web-a"), **{"replica_sets": SETS, **parts})


def said(found: Report) -> str:
    return spoken(found.headline, *found.lines)


# rollout history


def test_revisions_stand_newest_first_with_the_present_one_marked() -> None:
    found = history_report(deployed(), NOW)
    assert [row[0] for row in found.table[1:]] == ["▶ 3", "2", "1"]
    assert found.table[1] == ("▶ 3", "1h", "web:1", "app: 0.9 → 1", "(helm)")
    assert found.table[2][3] == "fix the cart"
    assert render(found.headline, "en") == "web is at rev 3 (reg/web:1), first rolled out 1h ago."
    assert found.digest == "present 3 (reg/web:1); others 2 (reg/web:0.9), 1 (reg/web:0.8)"


def test_the_way_back_is_offered_with_its_number() -> None:
    assert history_report(deployed(), NOW).offers == (
        Offer("rollback", {"revision": 2}),
        Offer("rollback", {"revision": 1}),
    )


def test_where_the_one_before_is_in_doubt_no_number_is_offered() -> None:
    back = (replica_set(4, "reg/web:1", 90, earlier="1"), *SETS[1:])
    found = history_report(deployed(replica_sets=back), NOW)
    assert found.offers == (Offer("rollback"),)
    assert "came back; its number was 1 before" in said(found)


def test_who_is_the_person_where_the_bot_did_it() -> None:
    deed = Deed(at=NOW - HOUR * 1000, action="set_image", by="carol")
    found = history_report(deployed(), NOW, [deed])
    assert [row[4] for row in found.table[1:]] == ["carol", "-", "-"]


def test_what_somebody_else_rolled_out_just_before_is_not_the_bots() -> None:
    sets = (replica_set(3, "reg/web:1", 0), replica_set(2, "reg/web:0.9", 10 / HOUR), SETS[1])
    deed = Deed(at=NOW - 1000, action="set_image", by="carol")
    found = history_report(deployed(hours=0, replica_sets=sets), NOW, [deed])
    assert [row[4] for row in found.table[1:]] == ["carol", "-", "-"]
    changes = alterations(deployed(hours=0, replica_sets=sets), [deed], since=NOW - HOUR * 1000)
    assert [(one.what, one.who) for one in changes] == [
        ("set_image", "carol"),
        ("rollout rev 2: app: 0.8 → 0.9", ""),
    ]


def test_another_template_than_all_of_them_is_told() -> None:
    found = history_report(deployed(replica_sets=SETS[1:]), NOW)
    assert found.headline.key == "history.present_unknown"


def test_an_argo_rollout_has_its_own_numbers() -> None:
    row = copy.deepcopy(SETS[0])
    row["metadata"]["annotations"] = {"rollout.argoproj.io/revision": "7"}
    row["spec"]["template"]["metadata"]["labels"]["rollouts-pod-template-hash"] = "h7"
    found = history_report(observed(workload("Rollout"), kind="Rollout", replica_sets=(row,)), NOW)
    assert [line[0] for line in found.table[1:]] == ["▶ 7"]


def test_revisions_that_cannot_be_read_are_not_called_absent() -> None:
    found = history_report(deployed(replica_sets=(), unread=("replica_sets:403",)), NOW)
    assert (found.headline.key, found.table) == ("history.unread", ())
    assert "403" in spoken(*found.unread)
    assert history_report(deployed(replica_sets=()), NOW).headline.key == "history.none"


# changes


def event(reason: str, message: str, seconds: float, kind: str = "Deployment", name: str = "web") -> Raw:
    return {
        "type": "Normal",
        "reason": reason,
        "message": message,
        "lastTimestamp": ago(seconds),
        "involvedObject": {"kind": kind, "name": name},
    }


def test_rollouts_within_the_window_are_told_with_what_they_changed() -> None:
    found = changes_report(deployed(), NOW, slots={"since": 7200})
    assert found.table[1:] == (("1h", "rollout rev 3: app: 0.9 → 1", "(helm)"),)
    assert "changes in the last 2h: 1, the newest 1h ago by (helm)" in said(found)
    assert "changes.tools" in keys(found.lines)
    assert spoken(*found.applied) == "last 2h"


def test_what_the_bot_did_is_told_once_and_with_its_person() -> None:
    deed = Deed(at=NOW - HOUR * 1000, action="set_image", by="carol", parameters={"image": "reg/web:1"})
    found = alterations(deployed(), [deed], since=NOW - 2 * HOUR * 1000)
    assert [(one.what, one.who) for one in found] == [("set_image: image web:1", "carol")]


def test_a_rollouts_own_scaling_is_no_change_beside_it() -> None:
    events = (
        event("ScalingReplicaSet", "Scaled up replica set web-h3 to 2", HOUR - 60),
        event("ScalingReplicaSet", "Scaled up replica set web-h3 to 5 from 3", 120),
    )
    found = alterations(deployed(events=events), since=NOW - 2 * HOUR * 1000)
    assert [one.what for one in found] == [
        "Scaled up replica set web-h3 to 5 from 3",
        "rollout rev 3: app: 0.9 → 1",
    ]


def test_a_restart_is_called_so() -> None:
    again = replica_set(4, "reg/web:1", 0.5)
    again["spec"]["template"]["metadata"]["annotations"] = {"kubectl.kubernetes.io/restartedAt": "x"}
    found = alterations(deployed(replica_sets=(again, *SETS)), since=NOW - HOUR * 1000)
    assert found[0].what == "rollout rev 4: restart"


def test_an_autoscaler_that_scaled_is_told_after_its_event_is_gone() -> None:
    autoscaler = {
        "metadata": {"name": "web"},
        "status": {"lastScaleTime": ago(5 * HOUR), "desiredReplicas": 6},
    }
    found = alterations(deployed(autoscalers=(autoscaler,)), since=NOW - 6 * HOUR * 1000)
    assert ("hpa web: replicas → 6", "(HPA)") in [(one.what, one.who) for one in found]
    told = (event("SuccessfulRescale", "New size: 6", 5 * HOUR, "HorizontalPodAutoscaler"),)
    found = alterations(deployed(autoscalers=(autoscaler,), events=told), since=NOW - 6 * HOUR * 1000)
    assert [one.what for one in found if one.who == "(HPA)"] == ["New size: 6"]


def test_pauses_and_cordons_are_told_with_who() -> None:
    paused = deployed()
    paused.object["spec"]["paused"] = True
    condition = {"type": "Progressing", "reason": "DeploymentPaused", "status": "Unknown", "lastUpdateTime": ago(300)}
    paused.object["status"]["conditions"] = [condition]
    paused.object["metadata"]["managedFields"].append({"manager": "kubectl", "fieldsV1": {"f:spec": {"f:paused": {}}}})
    node = {
        "metadata": {
            "name": "n1",
            "managedFields": [
                {"manager": "kubectl-cordon", "time": ago(200), "fieldsV1": {"f:spec": {"f:unschedulable": {}}}}
            ],
        },
        "spec": {"unschedulable": True},
    }
    found = alterations(observed(paused.object, replica_sets=SETS, around=Around(hosts=(node,))), since=NOW - 600_000)
    assert [(one.what, one.who) for one in found] == [
        ("node n1 cordoned", "(kubectl-cordon)"),
        ("rollout paused", "(kubectl)"),
    ]


def test_nothing_seen_is_said_with_what_was_not_looked_at() -> None:
    found = changes_report(deployed(hours=90, replica_sets=SETS[1:2]), NOW)
    assert render(found.headline, "en") == "No change of web seen in the last 1d."
    assert {"changes.events_kept", "changes.secrets_unseen"} <= set(keys(found.lines))
    assert found.table == ()


def test_a_config_map_is_told_by_its_last_write_and_its_tool() -> None:
    written = [{"manager": "kustomize", "time": ago(900)}, {"manager": "kubectl-edit", "time": ago(120)}]
    found = deployed(
        config_maps=(
            {"metadata": {"name": "web", "creationTimestamp": ago(9000), "managedFields": written}},
            {"metadata": {"name": "flags", "creationTimestamp": ago(60), "managedFields": None}},
            {"metadata": {"name": "odd"}},
        )
    )
    assert [(one.what, one.who) for one in alterations(found, since=NOW - 1_000_000)] == [
        ("configmap flags written", ""),
        ("configmap web written", "(kubectl-edit)"),
    ]


def test_config_maps_that_may_not_be_read_are_said_to_be_unseen() -> None:
    found = changes_report(deployed(unread=("config_maps:403",)), NOW)
    assert "changes.config_unseen" in keys(found.lines)
    assert "changes.secrets_unseen" not in keys(found.lines)
    assert not found.unread


def test_where_nothing_changed_lately_the_last_thing_that_did_is_told() -> None:
    found = changes_report(deployed(), NOW, slots={"since": 600})
    assert "No change of web seen in the last 10m." in said(found)
    assert "The last one before that, 1h ago: rollout rev 3: app: 0.9 → 1." in said(found)
    assert "changes.before" not in keys(changes_report(deployed(), NOW, slots={"since": 7200}).lines)


def record(at: int, kind: str = "execution", **more: Any) -> bytes:
    fields = {"service": "east/shop/deployment/web", "action": "scale", "token": f"t{at}", "user": "slack:U1", **more}
    return audit.encode(Record(at=at, kind=kind, **fields))  # type: ignore[arg-type]


def test_deeds_are_the_executions_of_one_entity_each_once() -> None:
    records = [
        record(1, person="carol"),
        record(2, token="t1"),
        record(3, kind="confirmation"),
        record(4, service="east/shop/deployment/api"),
        b"{",
        record(5),
    ]
    found = deeds_of(records, service="east/shop/deployment/web")
    assert [(one.at, one.by) for one in found] == [(1, "carol"), (5, "slack:U1")]
    assert deed_near(found, 5, ("scale",)) == found[1]
    assert deed_near(found, 5, ("restart",)) is None
    assert deed_near(found, 70_000, ("scale",)) is None


# resources


def using(name: str, cpu: str, memory: str, container: str = "app") -> Raw:
    return {
        "metadata": {"name": name},
        "containers": [{"name": container, "usage": {"cpu": cpu, "memory": memory}}],
    }


def with_resources(name: str, **resources: Any) -> Raw:
    found = pod(name)
    found["spec"]["containers"][0]["resources"] = resources
    return found


LIMITED = {"requests": {"cpu": "250m", "memory": "128Mi"}, "limits": {"cpu": "500m", "memory": "256Mi"}}


def test_usage_stands_against_requests_and_limits_the_fullest_first() -> None:
    pods = (with_resources("web-a", **LIMITED), with_resources("web-b", **LIMITED))
    usage = (using("web-a", "100m", "64Mi"), using("web-b", "450m", "250Mi"))
    found = resources_report(observed(workload(replicas=2), *pods, around=Around(usage=usage)), NOW)
    assert found.table[1] == ("web-b", "app", "450m/500m 90% (req 250m)", "250Mi/256Mi 98% (req 128Mi)")
    assert found.table[2][2] == "100m/500m 20% (req 250m)"
    assert render(found.headline, "en") == "web: container app of web-b uses 98% of its memory limit 256Mi."
    assert found.tone == "warn"


def test_use_far_from_limits_is_summed_up() -> None:
    pods = (with_resources("web-a", **LIMITED), with_resources("web-b", **LIMITED))
    usage = (using("web-a", "100m", "64Mi"), using("web-b", "101234567n", "64Mi"))
    found = resources_report(observed(workload(replicas=2), *pods, around=Around(usage=usage)), NOW)
    assert "its pods (2) use 201m CPU and 128Mi memory in all; none is near a limit" in said(found)
    assert found.tone == "info"


def test_without_limits_the_container_is_named() -> None:
    pods = (with_resources("web-a"),)
    found = resources_report(
        observed(workload(replicas=1), *pods, around=Around(usage=(using("web-a", "1", "1Gi"),))), NOW
    )
    assert found.table[1][2:] == ("1/- (req -)", "1Gi/- (req -)")
    assert "Containers without a memory limit: app" in said(found)
    assert "Containers without a CPU request: app" in said(found)


def test_without_the_metrics_api_that_is_said() -> None:
    found = resources_report(observed(workload(replicas=1), with_resources("web-a", **LIMITED)), NOW)
    assert found.headline.key == "resources.unmeasured"
    assert found.table[1][2] == "-/500m (req 250m)"
    refused = observed(workload(replicas=1), pod("web-a"), unread=("usage:403",))
    assert "403" in spoken(*resources_report(refused, NOW).unread)


def test_one_pod_or_container_alone_can_be_asked_for() -> None:
    both = observed(workload(replicas=2), pod("web-a"), pod("web-b"))
    found = resources_report(both, NOW, {"pod": "web-b"})
    assert [row[0] for row in found.table[1:]] == ["web-b"]
    assert resources_report(both, NOW, {"container": "x"}).headline.key == "resources.no_pods"


# what hangs on it


def service(name: str, **selector: str) -> Raw:
    return {
        "metadata": {"name": name},
        "spec": {"selector": selector, "ports": [{"port": 80, "targetPort": "http"}]},
    }


AROUND = Around(
    services=(service("web", app="web"), service("nearly", app="web", tier="x"), service("bare")),
    slices=(
        {
            "metadata": {"labels": {"kubernetes.io/service-name": "web"}},
            "endpoints": [{"conditions": {"ready": True}}, {"conditions": {"ready": False}}, {}],
        },
    ),
    ingresses=(
        {
            "metadata": {"name": "shop"},
            "spec": {
                "rules": [
                    {
                        "host": "shop.example.com",
                        "http": {
                            "paths": [
                                {"path": "/", "backend": {"service": {"name": "web"}}},
                                {"path": "/x", "backend": {"service": {"name": "nearly"}}},
                            ]
                        },
                    }
                ]
            },
        },
    ),
    network=(
        {"metadata": {"name": "deny"}, "spec": {"podSelector": {}, "policyTypes": ["Ingress"]}},
        {"metadata": {"name": "other"}, "spec": {"podSelector": {"matchLabels": {"app": "api"}}}},
    ),
)


def test_the_ways_in_and_what_is_around_are_listed() -> None:
    obj = workload()
    obj["spec"]["template"]["spec"]["volumes"] = [{"persistentVolumeClaim": {"claimName": "data"}}]
    budget = {"metadata": {"name": "web"}, "status": {"disruptionsAllowed": 1}}
    found = dependents_report(observed(obj, pod("web-a"), around=AROUND, budgets=(budget,)), NOW)
    assert found.table[1:] == (
        ("Service", "web", "ClusterIP 80→http, 2 ready"),
        ("Ingress", "shop", "shop.example.com/"),
        ("PDB", "web", "allows 1 now"),
        ("NetworkPolicy", "deny", "Ingress"),
        ("PVC", "data", "mounted"),
    )
    assert render(found.headline, "en") == "Ways in to web: Service web, Ingress shop"
    assert found.slots == {"part": "dependents"}


def test_nothing_around_and_no_way_in_are_told_apart() -> None:
    assert dependents_report(observed(workload()), NOW).headline.key == "dependents.none"
    claimed = workload("StatefulSet", volumeClaimTemplates=[{"metadata": {"name": "data"}}])
    found = dependents_report(observed(claimed, kind="StatefulSet"), NOW)
    assert found.headline.key == "dependents.no_entry"


def test_what_was_not_read_this_time_is_said() -> None:
    found = dependents_report(observed(workload(), around=Around(skipped=("ingresses",))), NOW)
    assert "Did not read the Ingresses this time" in spoken(*found.unread)


# whatever the objects are


WHOLE = observed(
    workload(),
    with_resources("web-a", **LIMITED),
    replica_sets=SETS,
    events=(event("ScalingReplicaSet", "Scaled", 60), event("SuccessfulRescale", "New", 60, "HorizontalPodAutoscaler")),
    autoscalers=({"metadata": {"name": "web"}, "spec": {"maxReplicas": 3}, "status": {"lastScaleTime": ago(60)}},),
    budgets=({"metadata": {"name": "web"}, "status": {"disruptionsAllowed": 1}},),
    around=Around(
        services=AROUND.services,
        slices=AROUND.slices,
        ingresses=AROUND.ingresses,
        network=AROUND.network,
        usage=(using("web-a", "450m", "250Mi"),),
    ),
)
WRONG = st.sampled_from([None, "", "x", 0, 1.5, True, [], {}, [None], ["x"], {"x": None}])


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        found += [each for key, inner in value.items() for each in _paths(inner, (*path, key))]
    if isinstance(value, list | tuple):
        found += [each for place, inner in enumerate(value) for each in _paths(inner, (*path, place))]
    return found


PARTS = {
    "object": WHOLE.object,
    "pods": list(WHOLE.pods),
    "replica_sets": list(WHOLE.replica_sets),
    "events": list(WHOLE.events),
    "autoscalers": list(WHOLE.autoscalers),
    "budgets": list(WHOLE.budgets),
    "services": list(WHOLE.around.services),
    "slices": list(WHOLE.around.slices),
    "ingresses": list(WHOLE.around.ingresses),
    "network": list(WHOLE.around.network),
    "usage": list(WHOLE.around.usage),
}
PLACES = [path for path in _paths(PARTS) if len(path) > 2 or path[0] == "object"]


@given(st.lists(st.tuples(st.sampled_from(PLACES), WRONG), min_size=1, max_size=4))
def test_no_object_makes_a_report_raise(changes: list[tuple[tuple[Any, ...], Any]]) -> None:
    parts: dict[str, Any] = copy.deepcopy(PARTS)
    for path, value in changes:
        inside: Any = parts
        for key in path[:-1]:
            inside = inside[key] if isinstance(inside, dict | list) and _has(inside, key) else {}
        if isinstance(inside, dict | list) and _has(inside, path[-1]) and len(path) > 1:
            inside[path[-1]] = value
    around = Around(**{name: tuple(parts[name]) for name in ("services", "slices", "ingresses", "network", "usage")})
    rows: dict[str, Any] = {
        name: tuple(parts[name]) for name in ("pods", "replica_sets", "events", "autoscalers", "budgets")
    }
    rows = {name: tuple(row for row in found if isinstance(row, dict)) for name, found in rows.items()}
    seen = Observed(entity=entity(), at=NOW, object=parts["object"], around=around, **rows)
    for found in (
        history_report(seen, NOW),
        changes_report(seen, NOW),
        resources_report(seen, NOW),
        dependents_report(seen, NOW),
    ):
        assert said(found)
        assert all(len(row) == len(found.table[0]) for row in found.table)


def _has(inside: Any, key: Any) -> bool:
    return key in inside if isinstance(inside, dict) else isinstance(key, int) and key < len(inside)


@pytest.mark.parametrize("report", [history_report, changes_report, resources_report, dependents_report])
@pytest.mark.parametrize("kind", ["Node", "Job", "CronJob", "Pod", "DaemonSet", "Rollout"])
def test_every_kind_of_entity_is_answered(report: Any, kind: Any) -> None:
    empty = Observed(entity=entity(kind), at=NOW, object={})
    found = report(empty, NOW)
    assert render(found.headline, "zh")
    assert render(found.headline, "en")
