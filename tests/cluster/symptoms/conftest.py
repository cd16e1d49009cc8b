"""A control plane of these tests' own: they lose nodes, break webhooks, and have a metrics API that says what they want."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.api import Api
from tests.cluster.binaries import Missing, find
from tests.cluster.controlplane import NODES, ControlPlane
from tests.cluster.symptoms.ground import APART, TAINT
from tests.cluster.symptoms.readers import NARROW, RBAC, READER, account, binding, everywhere, in_namespaces

Json = dict[str, Any]

_METRICS: Json = {
    "metadata": {
        "name": "pods.metrics.k8s.io",
        "annotations": {"api-approved.kubernetes.io": "unapproved, for tests"},
    },
    "spec": {
        "group": "metrics.k8s.io",
        "scope": "Namespaced",
        "names": {"plural": "pods", "singular": "pod", "kind": "PodMetrics", "listKind": "PodMetricsList"},
        "versions": [
            {
                "name": "v1beta1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}},
            }
        ],
    },
}
"""The metrics API as a custom resource: figures are made as objects, and the autoscaler's controller reads them."""


@pytest.fixture(scope="package")
def controlplane() -> Iterator[ControlPlane]:
    try:
        running = ControlPlane(find(), nodes=(*NODES, *APART))
    except Missing as problem:
        pytest.skip(f"the tests on a real control plane are left out: {problem}")
    running.start()
    try:
        _prepare(running.api())
        yield running
    finally:
        running.stop()


def _prepare(admin: Api) -> None:
    admin.make("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", _METRICS)
    for node in APART:
        taint = {"spec": {"taints": [{"key": TAINT, "effect": "NoSchedule"}]}}
        assert admin.patch(f"/api/v1/nodes/{node}", taint, kind="strategic").status == 200
    ends = time.monotonic() + 30
    while admin.get("/apis/metrics.k8s.io/v1beta1/pods").status != 200:
        assert time.monotonic() < ends, "the metrics API is not served"
        time.sleep(0.05)


@pytest.fixture(scope="package")
def reader(controlplane: ControlPlane) -> Path:
    """A kubeconfig of an account that may read what the chart lets the bot read in the whole cluster, and no more."""
    made = account(controlplane, READER, everywhere())
    controlplane.api().make(f"{RBAC}/clusterrolebindings", binding(READER))
    return made


@pytest.fixture(scope="package")
def narrow_reader(controlplane: ControlPlane) -> Path:
    """Of one that may read in the namespaces alone in which its role is bound (`binding`), and nothing of nodes."""
    return account(controlplane, NARROW, in_namespaces())
