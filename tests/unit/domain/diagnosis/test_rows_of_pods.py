"""Rows 12 to 20 and 41 of the table of symptoms: the right verdict on top, by objects as the scheduler, the kubelet and
the controllers write them."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import ago, workload
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    codes,
    event,
    examined,
    node,
    of_pod,
    offered,
    pending,
    pod,
    proven,
    revisions,
    running,
    spoken,
    top,
    waiting,
)

BAD = f"web-{HASH}-x2x4z"
VICTIMS = " preemption: 0/5 nodes are available: 5 No preemption victims found for incoming pod."
NODE_KEY = "prod-east//node/"


def nodes_said(words: str) -> str:
    return f"0/5 nodes are available: {words}.{VICTIMS}"


def test_row_12_no_node_has_room() -> None:
    bad = pending(nodes_said("3 Insufficient cpu, 2 node(s) had untolerated taint {gpu: true}"))
    found = top(bad, pod("web-b"))
    assert (found.code, found.severity, found.hard) == ("no_capacity", "danger", True)
    assert "No node has room for 5m: each pod needs 500m cpu. 0/5 nodes: 3 Insufficient cpu, 2 had untol" in spoken(
        found.line
    )
    assert found.causes == ("why.cluster_full", "why.requests", "why.taint")
    assert f"pod/{BAD} spec.containers[].resources.requests.cpu = 500m" in proven(found)
    assert offered(found) == ["scale"]


def test_row_12_says_what_it_needs_and_what_is_free() -> None:
    bad = pending(nodes_said("5 Insufficient cpu"))
    bad["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "2"
    taken = pod("other-a", spec={"nodeName": "n1"}), pod("other-b", spec={"nodeName": "n2"})
    taken[0]["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "2800m"
    taken[1]["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "3500m"
    found = top(bad, nodes=(node("n1"), node("n2"), node("n3", "False")), elsewhere=taken)
    assert "each pod needs 2 cpu, and the most that any node has free is 1.2 (n1)" in spoken(found.line)
    bad["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "8"
    found = top(bad, nodes=(node("n1"), node("n2")))
    assert "each pod needs 8 cpu, and the largest node has 4 in all (n1)" in spoken(found.line)


def test_row_12_offers_the_cordoned_node_and_the_autoscaler() -> None:
    bad = pending(nodes_said("3 Insufficient memory, 2 node(s) were unschedulable"))
    scaler = {"metadata": {"name": "web"}, "spec": {"maxReplicas": 9}, "status": {}}
    found = top(bad, pod("web-b"), nodes=(node("n1"), node("n3", unschedulable=True)), autoscalers=(scaler,))
    assert offered(found) == [f"uncordon {NODE_KEY}n3", "set_autoscaler"]


@pytest.mark.parametrize(
    ("reason", "cause", "hard"),
    [("TriggeredScaleUp", "why.scaler_coming", False), ("NotTriggerScaleUp", "why.scaler_stuck", True)],
)
def test_row_12_hears_the_cluster_autoscaler(reason: str, cause: str, hard: bool) -> None:
    bad = pending(nodes_said("5 Insufficient cpu"))
    found = top(bad, events=(event(reason, "pod triggered scale-up: [{a 1->2 (max: 3)}]", about=of_pod(bad)),))
    assert (found.causes[0], found.hard) == (cause, hard)
    assert f"event {reason}" in proven(found)


@pytest.mark.parametrize(
    ("words", "cause", "proof"),
    [
        ("5 node(s) had untolerated taint {gpu: true}", "why.taint", "spec.tolerations lack = gpu: true"),
        ("5 node(s) had taint {a: b}, that the pod didn't tolerate", "why.taint", "spec.tolerations lack = a: b"),
        ("5 node(s) didn't match Pod's node affinity/selector", "why.node_labels", "spec.nodeSelector = disk=ssd"),
        ("5 node(s) didn't match pod anti-affinity rules", "why.spread", "spec.affinity.podAntiAffinity = "),
        ("5 node(s) didn't match pod topology spread constraints", "why.spread", "PodScheduled"),
        ("5 node(s) didn't have free ports for the requested pod ports", "why.host_port", "hostPort = 80"),
        ("5 Too many pods", "why.pods_per_node", "PodScheduled"),
        ("5 node(s) were unschedulable", "why.cordoned", "node/n3 spec.unschedulable = true"),
        ("5 node(s) exceed max volume count", "why.volumes_per_node", "PodScheduled"),
    ],
)
def test_row_13_no_node_that_it_may_use(words: str, cause: str, proof: str) -> None:
    bad = pending(nodes_said(words))
    bad["spec"]["nodeSelector"] = {"disk": "ssd"}
    bad["spec"]["affinity"] = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": []}}
    bad["spec"]["containers"][0]["ports"] = [{"containerPort": 80, "hostPort": 80}]
    closed = node("n3", unschedulable=True)
    closed["metadata"]["labels"] = {"disk": "ssd"}
    found = top(bad, pod("web-b"), nodes=(closed,))
    assert (found.code, found.severity) == ("unschedulable", "danger")
    assert found.causes == (cause,)
    assert proof in proven(found)
    assert words.replace("node(s) ", "") in spoken(found.line)


def test_row_13_names_the_cordoned_nodes_and_offers_them() -> None:
    bad = pending(nodes_said("5 node(s) were unschedulable"))
    found = top(bad, nodes=(node("n3", unschedulable=True), node("n4", unschedulable=True)))
    assert "n3, n4 would take them but for being cordoned" in spoken(found.line)
    assert offered(found) == [f"uncordon {NODE_KEY}n3", f"uncordon {NODE_KEY}n4"]


def claim(phase: str = "Pending", storage_class: str | None = "fast", age: float = 600, **spec: Any) -> Raw:
    spec = {"accessModes": ["ReadWriteOnce"], **spec}
    if storage_class is not None:
        spec["storageClassName"] = storage_class
    return {
        "metadata": {"name": "data", "namespace": "shop", "creationTimestamp": ago(age)},
        "spec": spec,
        "status": {"phase": phase},
    }


def storage(name: str, mode: str = "Immediate") -> Raw:
    return {"metadata": {"name": name}, "provisioner": "ebs.csi.aws.com", "volumeBindingMode": mode}


UNBOUND = nodes_said("pod has unbound immediate PersistentVolumeClaims")
VOLUME = {"volumes": [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]}


def waiting_for_volume(message: str = UNBOUND) -> Raw:
    found = pending(message)
    found["spec"] |= VOLUME
    return found


@pytest.mark.parametrize(
    ("around", "words", "cause"),
    [
        (
            Around(claims=(claim(),), classes=(storage("slow"),)),
            "storage class fast does not exist",
            "why.class_missing",
        ),
        (Around(claims=(claim(storage_class=None),), classes=(storage("slow"),)), "no default", "why.class_missing"),
        (
            Around(claims=(claim(),), classes=(storage("fast"),)),
            "pending for 10m (storage class fast)",
            "why.provisioner",
        ),
    ],
)
def test_row_14_a_claim_that_gets_no_volume(around: Around, words: str, cause: str) -> None:
    found = top(waiting_for_volume(), pod("web-b"), around=around)
    assert (found.code, found.severity, found.object) == ("volume", "danger", "persistentvolumeclaim/data")
    assert words in spoken(found.line)
    assert found.causes == (cause,)
    assert codes(waiting_for_volume(), around=around) == ["volume"]


def test_row_14_a_provisioner_that_fails() -> None:
    about = {"kind": "PersistentVolumeClaim", "namespace": "shop", "name": "data"}
    failed = event("ProvisioningFailed", "rpc error: InsufficientInstanceCapacity", about=about)
    around = Around(claims=(claim(),), classes=(storage("fast", "WaitForFirstConsumer"),))
    found = top(waiting_for_volume(), around=around, events=(failed,))
    assert "cannot make the volume: rpc error: InsufficientInstanceCapacity" in spoken(found.line)


def test_row_14_a_claim_that_has_lost_its_volume() -> None:
    around = Around(claims=(claim("Lost", volumeName="pv-7"),))
    bad = pod(BAD, waiting("ContainerCreating"), age=600, phase="Pending", spec=VOLUME)
    assert "is lost: its volume pv-7 is gone" in spoken(top(bad, around=around).line)


@pytest.mark.parametrize(
    ("message", "cause"),
    [
        (UNBOUND, "why.provisioner"),
        (nodes_said('persistentvolumeclaim "data" not found'), "why.claim_missing"),
        (nodes_said("5 node(s) had volume node affinity conflict"), "why.zone"),
    ],
)
def test_row_14_by_the_scheduler_alone(message: str, cause: str) -> None:
    found = top(waiting_for_volume(message))
    assert (found.code, found.causes[0]) == ("volume", cause)
    assert offered(found) == []


def gone(
    name: str = f"web-{HASH}-old", message: str = "The node was low on resource: ephemeral-storage.", **more: Any
) -> Raw:
    found = pod(name, phase="Failed", reason="Evicted", message=message, **more)
    found["status"]["conditions"] = [{"type": "DisruptionTarget", "status": "True", "lastTransitionTime": ago(600)}]
    found["status"]["containerStatuses"] = []
    return found


def test_row_15_evicted() -> None:
    rest = pod(BAD), pod("web-b")
    around = Around(hosts=(node("n1", "True", "DiskPressure"),))
    found = top(gone(), *rest, replica_sets=revisions(), around=around, obj=workload(replicas=2))
    assert (found.code, found.severity) == ("evicted", "warn")
    assert "Evicted from node n1, which is under pressure now (DiskPressure): The node was low" in spoken(found.line)
    assert found.causes[0] == "why.disk_growth"
    assert offered(found) == [f"cordon {NODE_KEY}n1", "delete_pod"]
    assert "status.conditions[DiskPressure] = True/" in proven(found)
    assert codes(gone(), *rest, around=around, obj=workload(replicas=2)) == ["evicted"]


def creating(age: float = 400) -> Raw:
    return pod(BAD, waiting("ContainerCreating"), age=age, phase="Pending", spec=VOLUME)


@pytest.mark.parametrize(
    ("reason", "message", "cause", "offers"),
    [
        (
            "FailedAttachVolume",
            'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-b',
            "why.multi_attach",
            ["delete_pod"],
        ),
        ("FailedAttachVolume", "rpc error: code = Internal desc = could not attach", "why.attach", []),
        (
            "FailedMount",
            'MountVolume.SetUp failed for volume "cfg" : configmap "web" not found',
            "why.mount_missing",
            [],
        ),
        ("FailedMount", "Unable to attach or mount volumes: timed out waiting", "why.mount_fails", []),
        (
            "FailedCreatePodSandBox",
            'plugin type="aws-cni" failed (add): add cmd: failed to assign an IP address to container',
            "why.no_ip",
            [f"cordon {NODE_KEY}n1"],
        ),
        (
            "FailedCreatePodSandBox",
            'plugin type="calico" failed (add): error getting ClusterInformation: connection is unauthorized',
            "why.sandbox",
            [f"cordon {NODE_KEY}n1"],
        ),
    ],
)
def test_row_16_stuck_in_creation(reason: str, message: str, cause: str, offers: list[str]) -> None:
    bad = creating()
    found = top(bad, pod("web-b"), events=(event(reason, message, about=of_pod(bad)),))
    assert (found.code, found.severity, found.causes) == ("stuck_creating", "danger", (cause,))
    assert message[:60] in spoken(found.line)
    assert offered(found) == offers


def test_row_16_without_events_and_while_an_image_is_pulled() -> None:
    found = top(creating(), pod("web-b"))
    assert (found.code, found.severity) == ("stuck_creating", "warn")
    assert "for 6m already (node n1)" in spoken(found.line)
    found = top(creating(), events=(event("Pulling", 'Pulling image "reg/web:1"'),))
    assert found.causes == ("why.big_image",)


def going(late: float = 840, **metadata: Any) -> Raw:
    found = pod(BAD)
    found["metadata"] |= {"deletionTimestamp": ago(late), "deletionGracePeriodSeconds": 30, **metadata}
    return found


def test_row_17_stuck_in_deletion_by_a_finalizer() -> None:
    found = top(going(finalizers=["foregroundDeletion"]), pod("web-b"), obj=workload(replicas=1))
    assert (found.code, found.severity) == ("stuck_terminating", "warn")
    assert "gone 14m ago, held by finalizer foregroundDeletion (node n1)" in spoken(found.line)
    assert (found.causes, offered(found)) == (("why.finalizer",), [])


def test_row_17_in_a_stateful_set_it_hurts() -> None:
    found = top(going(), kind="StatefulSet", obj=workload("StatefulSet", 1))
    assert (found.code, found.severity) == ("stuck_terminating", "danger")
    assert "why.hang" in found.causes


def test_row_17_on_a_lost_node_it_is_the_node() -> None:
    lost = Around(hosts=(node("n1", "Unknown"),))
    assert codes(going(), obj=workload(replicas=1), around=lost) == ["node_not_ready"]


def test_row_18_held_by_a_gate() -> None:
    bad = pending("Scheduling is blocked due to non-empty scheduling gates", reason="SchedulingGated")
    bad["spec"]["schedulingGates"] = [{"name": "kueue.x-k8s.io/admission"}]
    found = top(bad)
    assert (found.code, found.severity) == ("gated", "warn")
    assert "held by the scheduling gate kueue.x-k8s.io/admission" in spoken(found.line)
    assert offered(found) == []


def lost_pod(name: str = BAD) -> Raw:
    """As the node controller leaves it: containers as last told, the pod not ready."""
    found = pod(name)
    for row in found["status"]["conditions"]:
        if row["type"] == "Ready":
            row |= {"status": "False", "lastTransitionTime": ago(360)}
    return found


@pytest.mark.parametrize(
    ("ready", "words", "cause"),
    [
        (
            "Unknown",
            "lost contact 6m ago (NodeStatusUnknown): Kubelet stopped posting node status. Pods",
            "why.machine",
        ),
        ("False", "has not been ready for 6m (KubeletNotReady): container runtime network not ready", "why.kubelet"),
    ],
)
def test_row_19_the_node_is_not_ready(ready: str, words: str, cause: str) -> None:
    other = pod("web-b", spec={"nodeName": "n2"})
    around = Around(hosts=(node("n1", ready), node("n2")))
    found = top(lost_pod(), other, around=around)
    assert (found.code, found.severity, found.object) == ("node_not_ready", "danger", "node/n1")
    assert words in spoken(found.line)
    assert f"Pods affected: {BAD}" in spoken(found.line)
    assert found.causes[0] == cause
    assert offered(found) == [f"cordon {NODE_KEY}n1", f"drain {NODE_KEY}n1"]
    assert codes(lost_pod(), other, around=around) == ["node_not_ready"]


def left_pod() -> Raw:
    found = lost_pod()
    found["metadata"]["deletionTimestamp"] = ago(60)
    return found


def test_row_19_once_its_pods_are_replaced_the_node_explains_nothing_else() -> None:
    around = Around(hosts=(node("n1", "Unknown"), node("n2")))
    well = pod("web-b", spec={"nodeName": "n2"})
    bad = pod("web-c", waiting("ImagePullBackOff", "not found"), spec={"nodeName": "n2"})
    rows = examined(left_pod(), well, bad, obj=workload(replicas=2, ready=1), around=around).findings
    assert [(one.code, one.severity) for one in rows] == [("image_pull", "danger"), ("node_not_ready", "warn")]
    assert offered(rows[1]) == [f"cordon {NODE_KEY}n1"]  # nothing of it is left there to be moved


def test_row_19_until_they_are_replaced_the_node_comes_first() -> None:
    around = Around(hosts=(node("n1", "Unknown"), node("n2")))
    unplaced = pending(nodes_said("5 Insufficient cpu"))
    unplaced["metadata"]["name"] = "web-c"
    found = top(left_pod(), pod("web-b", spec={"nodeName": "n2"}), unplaced, obj=workload(replicas=2), around=around)
    assert (found.code, found.severity) == ("node_not_ready", "danger")
    assert offered(found) == [f"cordon {NODE_KEY}n1", f"drain {NODE_KEY}n1"]


def test_row_19_says_when_its_pods_move() -> None:
    found = top(lost_pod(), around=Around(hosts=(node("n1", "Unknown"),)))
    assert "evicted about 5m after that" in spoken(found.line)
    stays = lost_pod()
    stays["spec"]["tolerations"] = [{"key": "node.kubernetes.io/unreachable", "operator": "Exists"}]
    found = top(stays, around=Around(hosts=(node("n1", "Unknown"),)))
    assert "evicted" not in spoken(found.line)


@pytest.mark.parametrize("kind", ["MemoryPressure", "DiskPressure", "PIDPressure"])
def test_row_20_the_node_is_under_pressure(kind: str) -> None:
    around = Around(hosts=(node("n1", "True", kind),))
    bad = pod(BAD, running(ready=False))
    found = next(one for one in examined(bad, around=around).findings if one.code == "node_pressure")
    assert examined(bad, around=around).findings[0] == found
    assert (found.severity, found.object) == ("warn", "node/n1")
    assert f"under pressure ({kind}) for 8m" in spoken(found.line)
    assert offered(found) == [f"cordon {NODE_KEY}n1"]


def test_row_20_a_cordoned_node_is_told_and_no_alarm() -> None:
    around = Around(hosts=(node("n1", unschedulable=True),))
    found = examined(pod(BAD, running(ready=False)), around=around).findings
    assert [(one.code, one.severity) for one in found] == [("not_ready", "warn"), ("node_cordoned", "info")]


PREEMPTED = "Preempted by pod 8d5f3b9e-6f1c-4a1e-9d55-6f0d5a1f2b3c on node n1"


def test_row_41_preempted_by_an_event_of_a_pod_that_is_gone() -> None:
    told = event("Preempted", PREEMPTED, about={"kind": "Pod", "namespace": "shop", "name": "web-gone"})
    replaced = pending(nodes_said("5 Insufficient cpu"))
    found = examined(replaced, pod("web-b"), events=(told,)).findings
    assert [(one.code, one.severity) for one in found] == [("preempted", "danger"), ("no_capacity", "danger")]
    found_alone = top(pod(BAD), events=(told,))
    assert (found_alone.code, found_alone.severity, found_alone.object) == ("preempted", "warn", "pod/web-gone")
    assert "Preempted 60s ago: Preempted by pod 8d5f3b9e" in spoken(found_alone.line)


def test_row_41_preempted_by_the_pod_s_own_condition() -> None:
    victim = pod(BAD, spec={"priority": -10})
    message = "default-scheduler: preempting to accommodate a higher priority pod"
    victim["status"]["conditions"].append(
        {
            "type": "DisruptionTarget",
            "status": "True",
            "reason": "PreemptionByScheduler",
            "message": message,
            "lastTransitionTime": ago(30),
        }
    )
    found = top(victim)
    assert (found.code, found.causes[0]) == ("preempted", "why.priority")
    assert message in spoken(found.line)
    assert f"pod/{BAD} spec.priority = -10" in proven(found)
