"""Who else decides over a workload: what a change collides with, and who changed it last.

GitOps tools, Helm, operators and autoscalers put back what they own; people must hear it before they confirm.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

from chatops_bot.domain.objects import FIELD_MANAGER as FIELD_MANAGER
from chatops_bot.domain.objects import (
    LastChange,
    annotation,
    at,
    controller_of,
    flag,
    instant,
    items,
    label,
    name_of,
    text,
)
from chatops_bot.domain.observed import Need, Raw
from chatops_bot.domain.say import Say, say

RECENTLY_MS = 900_000

_BUILT_IN = {"ReplicaSet", "Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"}
_ARGO_MANAGERS = {"argocd-controller", "argocd-application-controller"}
_FLUX_MANAGERS = {"kustomize-controller", "helm-controller"}

Touched = Literal["replicas", "template", "restart", "paused", "range"]
"""What a change is of: others put back some of it and not the rest."""

APPLICATION: Final[frozenset[Need]] = frozenset({"application"})
"""What has to be read to know whether Argo CD would."""


def owner_warnings(workload: Raw, touched: Touched = "template", applications: Iterable[Raw] = ()) -> Iterator[Say]:
    """One line for everybody who may put back what is changed here. `applications`: those of Argo CD that were read."""
    managers = {text(entry, "manager") for entry in items(workload, "metadata", "managedFields")}
    owner = controller_of(workload)
    if owner and text(owner, "kind") not in _BUILT_IN:
        key = "warn.operator_template" if touched in ("template", "restart") else "warn.operator"
        yield say(key, kind=text(owner, "kind"), owner=text(owner, "name"))
    if touched == "paused":  # what none of these has in its source, it leaves alone
        return
    app = application_of(workload)
    if app or managers & _ARGO_MANAGERS:
        yield _argo(app or "?", touched, next(iter(applications), {}))
    elif touched != "restart":
        yield from _declared(workload, managers)


def _declared(workload: Raw, managers: set[str]) -> Iterator[Say]:
    """Flux and Helm put back what is written down, which a restart's stamp never is."""
    flux = _flux(workload)
    if flux or (managers & _FLUX_MANAGERS and not _flux_off(workload)):
        yield say("warn.flux_suspend", name=flux, command=_suspend(workload)) if flux else say("warn.flux", name="?")
    elif annotation(workload, "meta.helm.sh/release-name") or label(workload, "app.kubernetes.io/managed-by") == "Helm":
        yield say("warn.helm", release=annotation(workload, "meta.helm.sh/release-name") or "?")


def application_of(workload: Raw) -> str:
    """Name of the Argo CD Application that keeps an object, with its namespace before an underscore where that is not
    Argo CD's own; "" where none says so."""
    tracking = annotation(workload, "argocd.argoproj.io/tracking-id")
    return tracking.partition(":")[0] or label(workload, "argocd.argoproj.io/instance")


def _argo(app: str, touched: Touched, application: Raw) -> Say:
    """Self-heal is known only from the Application itself."""
    if touched == "restart":
        return say("warn.argo_restart", app=app)
    automated = at(application, "spec", "syncPolicy", "automated")
    if touched == "replicas" and _ignores_replicas(application):
        return say("warn.argo_ignores", app=app)
    if not application:
        return say("warn.argo", app=app)
    return say("warn.argo_heals" if flag(automated, "selfHeal") else "warn.argo_drifts", app=app)


def _ignores_replicas(application: Raw) -> bool:
    rows = items(application, "spec", "ignoreDifferences")
    return any(
        "/spec/replicas" in str(at(row, "jsonPointers")) or ".spec.replicas" in str(at(row, "jqPathExpressions"))
        for row in rows
    )


def _flux_off(workload: Raw) -> bool:
    """Whether Flux was told to leave this object, or what it differs in, alone."""
    reconcile, applied = (annotation(workload, f"kustomize.toolkit.fluxcd.io/{key}") for key in ("reconcile", "ssa"))
    return reconcile == "disabled" or applied in ("Ignore", "IfNotPresent")


def _flux(workload: Raw) -> str:
    if _flux_off(workload):
        return ""
    return label(workload, "kustomize.toolkit.fluxcd.io/name") or label(workload, "helm.toolkit.fluxcd.io/name")


def _suspend(workload: Raw) -> str:
    """What keeps Flux from putting it back."""
    kind = "kustomization" if label(workload, "kustomize.toolkit.fluxcd.io/name") else "helmrelease"
    tool = "kustomize" if kind == "kustomization" else "helm"
    namespace = label(workload, f"{tool}.toolkit.fluxcd.io/namespace")
    return f"flux suspend {kind} {_flux(workload)}{f' -n {namespace}' if namespace else ''}"


def keda_owner(autoscaler: Raw) -> str:
    """Name of the ScaledObject that made this autoscaler, or ""."""
    scaled = label(autoscaler, "scaledobject.keda.sh/name")
    owner = controller_of(autoscaler)
    if not scaled and text(owner, "kind") == "ScaledObject":
        scaled = text(owner, "name")
    if not scaled and name_of(autoscaler).startswith("keda-hpa-"):
        scaled = name_of(autoscaler).removeprefix("keda-hpa-")
    return scaled


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
