"""What a preview warns of, on objects as a real API server keeps them; and what it foretells, against what comes of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.texts import render
from tests.cluster.api import Api
from tests.cluster.bot_side import BotSide, entity_of
from tests.cluster.twins import PLURALS, manifest

Json = dict[str, Any]


def made(admin: Api, namespace: str, kind: EntityKind, name: str, metadata: Json, **spec: Any) -> Json:
    body = manifest(kind, name, **spec)
    body["metadata"] |= metadata
    return admin.make(f"/apis/apps/v1/namespaces/{namespace}/{PLURALS[kind]}", body)


async def planned(bot: BotSide, namespace: str, kind: EntityKind, name: str, action: str, slots: Json) -> Plan:
    prepared = await bot.prepare(entity_of(kind, namespace, name), action, slots)
    assert prepared.plan is not None, prepared.problem
    for language in ("en", "zh"):
        for line in (*prepared.plan.preview, *prepared.plan.warnings):
            render(line, language)
    return prepared.plan


async def until(holds: Callable[[], bool], what: str, limit_s: float = 30) -> None:
    ends = time.monotonic() + limit_s
    while not await asyncio.to_thread(holds):
        assert time.monotonic() < ends, f"waited for {what}"
        await asyncio.sleep(0.1)


@dataclass(frozen=True)
class Row:
    """One workload, what is asked of it, and the warnings that have to be on its card."""

    name: str
    action: str
    warned: str
    slots: dict[str, SlotValue] = field(default_factory=dict)
    kind: EntityKind = "Deployment"
    metadata: Json = field(default_factory=dict)
    spec: Json = field(default_factory=dict)
    hpa: Json | None = None
    budget: Json | None = None


def template(**spec: Any) -> Json:
    """A pod template; its labels are filled in."""
    return {"containers": [{"name": "main", "image": "registry.test/plain:1"}], **spec}


SIX: dict[str, SlotValue] = {"replicas": 6}
IMAGE: dict[str, SlotValue] = {"image": "registry.test/plain:2"}
ARGO = {"annotations": {"argocd.argoproj.io/tracking-id": "shop:apps/Deployment:x/y"}}
FLUX = {"labels": {"kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}}
KEEPS_NONE = {"persistentVolumeClaimRetentionPolicy": {"whenScaled": "Delete", "whenDeleted": "Retain"}}

ROWS = (
    Row("hpa", "scale", "warn.autoscaler_outside", SIX, hpa={}),
    Row("hpa-within", "scale", "warn.autoscaler", {"replicas": 4}, hpa={}),
    Row("hpa-off", "scale", "warn.autoscaler_off warn.zero", {"replicas": 0}, hpa={}),
    Row("keda", "scale", "warn.keda", SIX, hpa={"labels": {"scaledobject.keda.sh/name": "web"}}),
    Row("hpa-restart", "restart", "warn.autoscaler_restart", hpa={}),
    Row("hpa-range", "set_autoscaler", "warn.autoscaler_moves", {"min": 5, "max": 9}, hpa={}),
    Row("tenfold", "scale", "warn.tenfold", {"replicas": 31}),
    Row("budget", "scale", "warn.budget", {"replicas": 1}, budget={"minAvailable": 2}),
    Row("volumes", "scale", "warn.volumes_deleted", {"replicas": 2}, kind="StatefulSet", spec=KEEPS_NONE),
    Row("quorum", "scale", "warn.quorum", {"replicas": 1}, kind="StatefulSet"),
    Row("argo", "scale", "warn.argo", SIX, metadata=ARGO),
    Row("argo-restart", "restart", "warn.argo_restart", metadata=ARGO),
    Row("flux", "set_image", "warn.flux_suspend", IMAGE, metadata=FLUX),
    Row("helm", "scale", "warn.helm", SIX, metadata={"annotations": {"meta.helm.sh/release-name": "web"}}),
    Row("operated", "restart", "warn.operator_template", kind="StatefulSet", metadata={"ownerReferences": []}),
    Row("recreate", "restart", "warn.recreate", spec={"strategy": {"type": "Recreate", "rollingUpdate": None}}),
    Row("single", "restart", "warn.single", spec={"replicas": 1}),
    Row("single-set", "restart", "warn.single_stateful", kind="StatefulSet", spec={"replicas": 1}),
    Row("on-delete", "restart", "warn.on_delete", kind="DaemonSet", spec={"updateStrategy": {"type": "OnDelete"}}),
    Row(
        "partition", "restart", "warn.partition", kind="StatefulSet",
        spec={"updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}},
    ),
    Row(
        "claims", "restart", "warn.claims",
        spec={"template": template(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}])},
    ),
    Row(
        "mutable", "restart", "warn.mutable_image",
        spec={"template": template(containers=[{"name": "main", "image": "registry.test/plain:latest"}])},
    ),
    Row("registry", "set_image", "warn.other_registry", {"image": "other.test/plain:2"}),
    Row("paused", "scale", "warn.paused_scale", SIX, spec={"paused": True}),
    Row("paused-image", "set_image", "warn.paused_image", IMAGE, spec={"paused": True}),
    Row("rolling", "restart", "warn.rollout_running"),
    Row("touched", "scale", "warn.changed", SIX),
)  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_what_a_real_object_is_warned_of(row: Row, admin: Api, bot: BotSide, namespaces: tuple[str, str]) -> None:
    space, name = namespaces[0], row.name
    spec, metadata = dict(row.spec), dict(row.metadata)
    if "template" in spec:
        spec["template"] = {"metadata": {"labels": {"app": name}}, "spec": spec["template"]}
    if "ownerReferences" in metadata:
        owner = admin.make(f"/api/v1/namespaces/{space}/configmaps", {"metadata": {"name": name}})["metadata"]
        reference = {"apiVersion": "v1", "kind": "ConfigMap", "name": name, "uid": owner["uid"], "controller": True}
        metadata["ownerReferences"] = [reference]
    if row.hpa is not None:
        target = {"apiVersion": "apps/v1", "kind": row.kind, "name": name}
        content = {"minReplicas": 2, "maxReplicas": 4, "scaleTargetRef": target}
        path = f"/apis/autoscaling/v2/namespaces/{space}/horizontalpodautoscalers"
        admin.make(path, {"metadata": {"name": name, **row.hpa}, "spec": content})
    if row.budget is not None:
        content = {"selector": {"matchLabels": {"app": name}}, **row.budget}
        budgets = f"/apis/policy/v1/namespaces/{space}/poddisruptionbudgets"
        admin.make(budgets, {"metadata": {"name": name}, "spec": content})
        admin.until(f"{budgets}/{name}", lambda found: "desiredHealthy" in found.get("status", {}))
    made(admin, space, row.kind, name, metadata, **spec)
    if row.kind == "DaemonSet":
        path = f"/apis/apps/v1/namespaces/{space}/daemonsets/{name}"
        admin.until(path, lambda found: found.get("status", {}).get("desiredNumberScheduled", 0) > 0)
    if row.name == "rolling":
        path = f"/apis/apps/v1/namespaces/{space}/deployments/{name}"
        body = {
            "metadata": {"labels": {"app": name}},
            "spec": template(containers=[{"name": "main", "image": "a.test/b:9"}]),
        }
        admin.patch(path, {"spec": {"progressDeadlineSeconds": 900, "minReadySeconds": 600, "template": body}})
    plan = await planned(bot, space, row.kind, name, row.action, row.slots)
    assert set(row.warned.split()) <= {line.key for line in plan.warnings}


def asks(**resources: Any) -> Json:
    return template(containers=[{"name": "main", "image": "registry.test/plain:1", "resources": resources}])


@dataclass(frozen=True)
class Forecast:
    """Bounds of a namespace, a Deployment of two in it, what is asked, what is foretold, and how many pods there are
    in the end; none where the rest are made but never placed."""

    name: str
    action: str
    said: str
    pods: int
    bounds: tuple[tuple[str, Json], ...] = ()
    slots: dict[str, SlotValue] = field(default_factory=dict)
    pod: Json = field(default_factory=template)


def quota(**hard: str) -> tuple[str, Json]:
    return "resourcequotas", {
        "metadata": {"name": "team"},
        "spec": {"hard": {k.replace("_", "."): v for k, v in hard.items()}},
    }


MEMORY = {"limits": {"memory": "64Mi"}}
FORECASTS = (
    Forecast("quota", "scale", "holds only 1 of 3 more pods: pods 2 of 3 used", 3, (quota(pods="3"),), {"replicas": 5}),
    Forecast(
        "requests", "scale", "holds only 2 of 3 more pods: requests.memory 128Mi of 256Mi used, each takes 64Mi", 4,
        (quota(requests_memory="256Mi"),), {"replicas": 5}, asks(**MEMORY),
    ),
    Forecast("stuck", "restart", "will be STUCK: quota team is full (pods 2 of 2", 2, (quota(pods="2"),)),
    Forecast("unsaid", "scale", "REFUSED: quota team wants limits.cpu", 2, (quota(limits_cpu="4"),), {"replicas": 3}),
    Forecast(
        "limits", "scale", "REFUSED: memory of main is 64Mi, beyond the 32Mi of LimitRange small", 2,
        (("limitranges", {"metadata": {"name": "small"}, "spec": {"limits": [{"type": "Container", "max": {"memory": "32Mi"}}]}}),),
        {"replicas": 3}, asks(**MEMORY),
    ),
    Forecast("room", "scale", "nodes that could take them hold 0 of 1 new pods (cpu 1m, example.com/gpu 1 each)", 0, (), {"replicas": 3}),
)  # fmt: skip


@pytest.mark.parametrize("case", FORECASTS, ids=lambda case: case.name)
async def test_what_is_foretold_comes_true(case: Forecast, admin: Api, bot: BotSide, namespace: str) -> None:
    """Bounds come after the first two pods, as they do in life."""
    content = {"metadata": {"labels": {"app": "web"}}, "spec": case.pod}
    made(admin, namespace, "Deployment", "web", {}, replicas=2, template=content)
    path = f"/apis/apps/v1/namespaces/{namespace}/deployments/web"
    admin.until(path, lambda found: found.get("status", {}).get("readyReplicas") == 2)
    for plural, body in case.bounds:
        admin.make(f"/api/v1/namespaces/{namespace}/{plural}", body)
        if plural == "resourcequotas":
            there = f"/api/v1/namespaces/{namespace}/resourcequotas/team"
            admin.until(there, lambda found: found.get("status", {}).get("used", {}) != {})
    if not case.pods:
        resources = {"requests": {"cpu": "1m", "example.com/gpu": "1"}, "limits": {"example.com/gpu": "1"}}
        admin.patch(path, {"spec": {"template": {"spec": asks(**resources)}}})
    plan = await planned(bot, namespace, "Deployment", "web", case.action, case.slots)
    assert case.said in "\n".join(render(line, "en") for line in plan.warnings)
    assert (await bot.execute(plan)).outcome == "done"

    def pods() -> list[Json]:
        return list(admin.get(f"/api/v1/namespaces/{namespace}/pods").json["items"])

    def refused() -> bool:
        conditions = admin.get(path).json["status"].get("conditions", [])
        return any(row["type"] == "ReplicaFailure" and row["status"] == "True" for row in conditions)

    def unplaced() -> bool:
        rows = [row for pod in pods() for row in pod["status"].get("conditions", [])]
        return any(row["type"] == "PodScheduled" and row.get("reason") == "Unschedulable" for row in rows)

    if case.pods:
        await until(refused, "the API server to refuse a pod")
        assert len(pods()) == case.pods
    else:
        await until(unplaced, "the scheduler to find no room")
