"""What runtimes, registries and the scheduler wrap their words in is taken off: the end tells most."""

from __future__ import annotations

import pytest

from chatops_bot.domain.diagnosis.pending import reasons, unschedulable_reasons
from tests.unit.domain.diagnosis.recorded import (
    crashing,
    event,
    node,
    offered,
    pending,
    pod,
    proven,
    spoken,
    top,
    waiting,
)
from tests.unit.domain.diagnosis.surrounding import around

RUNC = (
    "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: "
    "unable to start container process: error during container init: "
)
LONG = "123456789012.dkr.ecr.eu-central-1.amazonaws.com/platform/checkout/payment-service-backend"


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ('exec: "/bin/serve": stat /bin/serve: no such file or directory', "why.command"),
        ("exec /app/server: exec format error", "why.architecture"),
        ('error mounting "/var/lib/kubelet/pods/1/volumes/cm" to rootfs at "/etc/x": not a directory', "why.mount"),
    ],
)
def test_what_the_runtime_met(said: str, cause: str) -> None:
    found = top(pod("web-a", crashing(128, "StartError", message=RUNC + said)))
    assert (found.code, found.causes) == ("start", (cause,))
    assert f"cannot start (StartError): {said}. Pods" in spoken(found.line)
    assert said[:100] in proven(found)


@pytest.mark.parametrize(
    ("answer", "cause"),
    [
        (f"{LONG}:1: not found", "why.image_tag"),
        (
            f'failed to authorize: failed to fetch oauth token: unexpected status from GET request to "{LONG}": 403 Forbidden',
            "why.no_pull_secret",
        ),
        ('failed to do request: Head "https://x/v2/": dial tcp: lookup x: no such host', "why.registry_away"),
    ],
)
def test_what_a_registry_answered_about_an_image_of_a_long_name(answer: str, cause: str) -> None:
    image = f"{LONG}:1"
    words = (
        f'Back-off pulling image "{image}": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack '
        f'image "{image}": failed to resolve reference "{image}": {answer}'
    )
    bad = pod("web-a", waiting("ImagePullBackOff", words))
    bad["spec"]["containers"][0]["image"] = image
    found = top(bad)
    assert found.causes[0] == cause
    told = spoken(found.line)
    assert "rpc error" not in told
    assert "failed to resolve" not in told
    assert answer.removeprefix(f"{image}: ")[-40:] in told


SCHEDULER = (
    "0/6 nodes are available: 3 node(s) didn't match Pod's node affinity/selector, 3 node(s) had untolerated taint(s). "
    "no new claims to deallocate, preemption: 0/6 nodes are available: 6 Preemption is not helpful for scheduling."
)


def test_what_the_scheduler_adds_about_preemption() -> None:
    assert [(one.count, one.lacking) for one in reasons(SCHEDULER)] == [(3, "labels"), (3, "taint")]
    assert unschedulable_reasons(SCHEDULER).endswith("3 had untolerated taint(s)")


def test_the_labels_that_no_node_has_are_named() -> None:
    bad = pending(SCHEDULER)
    bad["spec"]["nodeSelector"] = {"disktype": "ssd"}
    found = top(bad)
    assert "3 didn't match Pod's node affinity/selector (disktype=ssd), 3 had" in spoken(found.line)
    assert found.causes == ("why.node_labels", "why.taint")
    assert "tolerations" not in proven(found)


def test_a_storage_class_that_is_not_there_where_there_is_none_at_all() -> None:
    claim = {
        "metadata": {"name": "data", "creationTimestamp": "2026-11-29T08:00:00Z"},
        "spec": {"storageClassName": "fast"},
        "status": {"phase": "Pending"},
    }
    bad = pending("0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.")
    bad["spec"]["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    about = {"kind": "PersistentVolumeClaim", "namespace": "shop", "name": "data"}
    told = event("ProvisioningFailed", 'storageclass.storage.k8s.io "fast" not found', about=about)
    found = top(bad, events=(told,), around=around(claims=(claim,)))
    assert "its storage class fast does not exist" in spoken(found.line)
    assert found.causes == ("why.class_missing",)


def test_a_claim_that_is_not_there_as_schedulers_of_today_say_it() -> None:
    bad = pending('0/6 nodes are available: persistentvolumeclaim "data" not found. not found')
    found = top(bad)
    assert "waiting for a volume for 5m: the claim data does not exist" in spoken(found.line)
    assert found.causes == ("why.claim_missing",)


def test_taints_are_named_by_the_nodes_where_the_scheduler_only_counts_them() -> None:
    gpu = {"key": "gpu", "value": "true", "effect": "NoSchedule"}
    mild = {"key": "mild", "effect": "PreferNoSchedule"}
    nodes = (node("n1", taints=[gpu]), node("n2", taints=[gpu, {"key": "night", "effect": "NoExecute"}]), node("n3"))
    nodes[2]["spec"]["taints"] = [mild]
    found = top(pending("0/3 nodes are available: 3 node(s) had untolerated taint(s)."), nodes=nodes)
    assert "3 had untolerated taint(s) {gpu: true, night}. Pods" in spoken(found.line)
    assert "spec.tolerations lack = gpu: true, night" in proven(found)
    tolerant = pending("0/3 nodes are available: 3 node(s) had untolerated taint(s).")
    tolerant["spec"]["tolerations"] = [{"key": "gpu", "operator": "Exists"}]
    assert "taint(s) {night}. Pods" in spoken(top(tolerant, nodes=nodes).line)
    named = pending("0/3 nodes are available: 3 node(s) had untolerated taint(s) {a: b}.")
    assert "taint(s) {a: b}. Pods" in spoken(top(named, nodes=nodes).line)


def test_the_largest_node_is_one_that_may_take_the_pod() -> None:
    gpu = {"key": "gpu", "value": "true", "effect": "NoSchedule"}
    large = node("n2", taints=[gpu])
    large["status"]["allocatable"]["cpu"] = "64"
    bad = pending("0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint(s).")
    bad["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "8"
    assert "the largest node has 4 in all (n1)" in spoken(top(bad, nodes=(node("n1"), large)).line)
    bad["spec"]["tolerations"] = [{"key": "gpu", "operator": "Exists"}]
    assert "in all" not in spoken(top(bad, nodes=(node("n1"), large)).line)


def test_only_a_cordoned_node_that_would_take_the_pod_is_offered() -> None:
    words = "0/3 nodes are available: 2 node(s) were unschedulable, 1 node(s) had untolerated taint(s)."
    closed = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
    other = node("n1", unschedulable=True, taints=[closed, {"key": "gpu", "effect": "NoSchedule"}])
    fits = node("n2", unschedulable=True, taints=[closed])
    found = top(pending(words), nodes=(other, fits))
    assert offered(found) == ["uncordon prod-east//node/n2"]
    assert found.causes[0] == "why.cordoned"
    assert "n2 would take them but for being cordoned" in spoken(found.line)
    alone = top(pending(words), nodes=(other,))
    assert (offered(alone), alone.causes) == ([], ("why.taint",))
    small = pending("0/2 nodes are available: 1 node(s) were unschedulable, 1 Insufficient cpu.")
    small["spec"]["containers"][0]["resources"]["requests"]["cpu"] = "8"
    assert offered(top(small, nodes=(fits, node("n3")))) == []
