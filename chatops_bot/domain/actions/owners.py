"""Who else decides over a workload: what a change collides with, and who changed it last.

GitOps tools, Helm, operators and autoscalers put back what they own; people must hear it before they confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from chatops_bot.domain.objects import FIELD_MANAGER as FIELD_MANAGER
from chatops_bot.domain.objects import annotation, at, controller_of, instant, items, label, name_of, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import Say, say

RECENTLY_MS = 900_000

_BUILT_IN = {"ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"}
_ARGO_MANAGERS = {"argocd-controller", "argocd-application-controller"}
_FLUX_MANAGERS = {"kustomize-controller", "helm-controller"}


class LastChange(msgspec.Struct, frozen=True):
    """Who wrote the workload's spec last, and when (ms)."""

    manager: str
    at: int


def owner_warnings(workload: Raw) -> Iterator[Say]:
    """One line for everybody who may put back what is changed here."""
    managers = {text(entry, "manager") for entry in items(workload, "metadata", "managedFields")}
    owner = controller_of(workload)
    if owner and text(owner, "kind") not in _BUILT_IN:
        yield say("warn.operator", kind=text(owner, "kind"), owner=text(owner, "name"))
    if _argo(workload) or managers & _ARGO_MANAGERS:
        yield say("warn.argo", app=_argo(workload) or "?")
    elif _flux(workload) or managers & _FLUX_MANAGERS:
        yield say("warn.flux", name=_flux(workload) or "?")
    elif annotation(workload, "meta.helm.sh/release-name") or label(workload, "app.kubernetes.io/managed-by") == "Helm":
        yield say("warn.helm", release=annotation(workload, "meta.helm.sh/release-name") or "?")


def _argo(workload: Raw) -> str:
    tracking = annotation(workload, "argocd.argoproj.io/tracking-id")
    return tracking.partition(":")[0] or label(workload, "argocd.argoproj.io/instance")


def _flux(workload: Raw) -> str:
    if annotation(workload, "kustomize.toolkit.fluxcd.io/reconcile") == "disabled":
        return ""
    return label(workload, "kustomize.toolkit.fluxcd.io/name") or label(workload, "helm.toolkit.fluxcd.io/name")


def keda_owner(autoscaler: Raw) -> str:
    """Name of the ScaledObject that made this autoscaler, or ""."""
    scaled = label(autoscaler, "scaledobject.keda.sh/name")
    owner = controller_of(autoscaler)
    if not scaled and text(owner, "kind") == "ScaledObject":
        scaled = text(owner, "name")
    if not scaled and name_of(autoscaler).startswith("keda-hpa-"):
        scaled = name_of(autoscaler).removeprefix("keda-hpa-")
    return scaled


def last_change(workload: Raw) -> LastChange | None:
    """The newest write to the spec. Managers that only wrote annotations or status do not count."""
    changes = [
        LastChange(text(entry, "manager") or "?", instant(entry.get("time")))
        for entry in items(workload, "metadata", "managedFields")
        if text(entry, "subresource") != "status" and at(entry, "fieldsV1", "f:spec")
    ]
    return max(changes, key=lambda change: change.at, default=None)


def owns_status(obj: Raw, fields: Iterable[str]) -> bool:
    """Whether these fields of the status were written by the bot last."""
    written = [
        at(entry, "fieldsV1", "f:status")
        for entry in items(obj, "metadata", "managedFields")
        if text(entry, "manager") == FIELD_MANAGER and text(entry, "subresource") == "status"
    ]
    return all(any(at(entry, f"f:{field}") is not None for entry in written) for field in fields)


def replicas_writer(workload: Raw) -> str:
    """Who set the number of replicas last; "" where it is nobody's, as a zero is that came by the scale subresource."""
    writers = [
        LastChange(text(entry, "manager"), instant(entry.get("time")))
        for entry in items(workload, "metadata", "managedFields")
        if at(entry, "fieldsV1", "f:spec", "f:replicas") is not None
    ]
    return max(writers, key=lambda change: change.at).manager if writers else ""
