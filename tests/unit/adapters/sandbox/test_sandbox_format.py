"""The `cluster:` section: what may be said, and how a mistake is named."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.sandbox.seeding.format import NodeSeed, WorkloadSeed, read

WEB: dict[str, Any] = {"kind": "Deployment", "namespace": "shop", "name": "web"}


def test_nothing_is_a_cluster_too() -> None:
    seed = read({})
    assert (seed.workloads, seed.nodes, seed.objects) == ((), (), ())
    assert read({"workloads": None, "nodes": [], "objects": []}) == seed


def test_what_is_left_out_is_left_open() -> None:
    (workload,) = read({"workloads": [{"kind": "Deployment", "name": "web"}]}).workloads
    assert workload == WorkloadSeed("Deployment", "default", "web", path="cluster.workloads[0]")
    assert read({"nodes": [{"name": "a"}]}).nodes == (NodeSeed("a"),)


def test_leftovers_are_told_from_counted_pods() -> None:
    states = ["Running", "Evicted", "Pending", "Terminating"]
    (workload,) = read({"workloads": [{**WEB, "replicas": 2, "pods": states}]}).workloads
    assert (workload.counted, workload.leftovers) == (("Running", "Pending"), ("Evicted", "Terminating"))
    (ordered,) = read({"workloads": [{**WEB, "kind": "StatefulSet", "replicas": 4, "pods": states}]}).workloads
    assert (ordered.counted, ordered.leftovers) == (tuple(states), ())


@pytest.mark.parametrize(
    ("section", "problem"),
    [
        ([], "cluster: must be a mapping, not []"),
        ({"workload": []}, "cluster.workload: is not known here; known are nodes, objects, workloads"),
        ({"workloads": {}}, "cluster.workloads: must be a list, not {}"),
        ({"workloads": ["web"]}, "cluster.workloads[0]: must be a mapping, not 'web'"),
        ({"workloads": [{"name": "web"}]}, "cluster.workloads[0].kind: must be a text, not nothing"),
        (
            {"workloads": [{**WEB, "kind": "Job"}]},
            "cluster.workloads[0].kind: 'Job' is none of Deployment, StatefulSet, DaemonSet",
        ),
        (
            {"workloads": [WEB, {**WEB, "replicas": "two"}]},
            "cluster.workloads[1].replicas: must be a whole number of at least 0, not 'two'",
        ),
        (
            {"workloads": [{**WEB, "replicas": -1}]},
            "cluster.workloads[0].replicas: must be a whole number of at least 0, not -1",
        ),
        (
            {"workloads": [{**WEB, "replicas": True}]},
            "cluster.workloads[0].replicas: must be a whole number of at least 0, not True",
        ),
        ({"workloads": [{**WEB, "pods": ["Ready"]}]}, "cluster.workloads[0].pods[0]: 'Ready' is none of Running, "),
        ({"workloads": [{**WEB, "pods": "Running"}]}, "cluster.workloads[0].pods: must be a list, not 'Running'"),
        (
            {"workloads": [{**WEB, "replicas": 1, "pods": ["Running"] * 2}]},
            "cluster.workloads[0].pods: 2 pods are listed for 1 replicas",
        ),
        ({"workloads": [{**WEB, "revisions": [1]}]}, "cluster.workloads[0].revisions[0]: must be a text, not 1"),
        ({"workloads": [{**WEB, "hpa": {"min": 2}}]}, "cluster.workloads[0].hpa.max: must be given"),
        (
            {"workloads": [{**WEB, "hpa": {"min": 5, "max": 2}}]},
            "cluster.workloads[0].hpa.min: must not be more than max, 2",
        ),
        (
            {"workloads": [{**WEB, "kind": "DaemonSet", "hpa": {"max": 2}}]},
            "cluster.workloads[0].hpa: a DaemonSet cannot be scaled",
        ),
        (
            {"workloads": [{**WEB, "pdb": {}}]},
            "cluster.workloads[0].pdb: must have one of min_available and max_unavailable",
        ),
        (
            {"workloads": [{**WEB, "pdb": {"minAvailable": 1}}]},
            "cluster.workloads[0].pdb.minAvailable: is not known here",
        ),
        ({"workloads": [{**WEB, "paused": "yes"}]}, "cluster.workloads[0].paused: must be true or false, not 'yes'"),
        (
            {"workloads": [{**WEB, "kind": "StatefulSet", "paused": True}]},
            "cluster.workloads[0].paused: only a Deployment can be paused",
        ),
        ({"workloads": [{**WEB, "labels": {"a": []}}]}, "cluster.workloads[0].labels.a: must be a text, not []"),
        ({"workloads": [{**WEB, "repicas": 2}]}, "cluster.workloads[0].repicas: is not known here"),
        ({"nodes": [{"ready": True}]}, "cluster.nodes[0].name: must be a text, not nothing"),
        ({"nodes": [{"name": "a", "ready": "no"}]}, "cluster.nodes[0].ready: must be true or false, not 'no'"),
        ({"objects": [{"kind": "Pod"}]}, "cluster.objects[0].apiVersion: must be a text, not nothing"),
        ({"objects": [{"apiVersion": "v1", "kind": "Pod"}]}, "cluster.objects[0].metadata: must be given"),
        (
            {"objects": [{"apiVersion": "v1", "kind": "Pod", "metadata": {}}]},
            "cluster.objects[0].metadata.name: must be a text",
        ),
    ],
)
def test_mistakes_are_named(section: Any, problem: str) -> None:
    with pytest.raises(ValueError) as wrong:
        read(section)
    assert str(wrong.value).startswith(problem)
