"""`pods/eviction`: deleting a pod only when its disruption budget allows it.

The order of the checks is that of the API server's eviction handler, so that its surprises are here too: a pod of two
budgets can never be evicted, and a dry run does not use up the budget.
"""

from __future__ import annotations

from chatops_bot.adapters.sandbox.api.context import Call, json_reply
from chatops_bot.adapters.sandbox.api.verbs import options_from
from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.errors import ApiError, bad_request, success
from chatops_bot.adapters.sandbox.http import Reply
from chatops_bot.adapters.sandbox.objects import Json, clone, is_deleting, labels_of, name_of, namespace_of
from chatops_bot.adapters.sandbox.registry import Registry
from chatops_bot.adapters.sandbox.resources import PDBS, PODS
from chatops_bot.adapters.sandbox.selectors import selects

_REFUSED = "Cannot evict pod as it would violate the pod's disruption budget."
_SEVERAL = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."


def evict(call: Call) -> Reply:
    eviction = call.body_object
    if (eviction.get("metadata") or {}).get("name") != call.route.name:
        raise bad_request("name in URL does not match name in Eviction object")
    options = eviction.get("deleteOptions") or {}
    dry_run = call.dry_run
    pod = call.stored()
    if not _unprotected(pod):
        budgets = budgets_of(pod, call.backend.registry)
        if len(budgets) > 1:
            raise _several()
        if budgets and not _spare(pod, budgets[0]):
            _spend(call.backend.registry, budgets[0], pod, dry_run=dry_run)
    call.backend.registry.delete(PODS, pod, options_from(options, call), dry_run=dry_run)
    return json_reply(success(code=201), 201)


def _several() -> ApiError:
    """Of a 1.36 server an HTTP 500 without a reason; others have put the same Status into a 201."""
    problem = ApiError(500, _SEVERAL)
    del problem.status["reason"]
    return problem


def _unprotected(pod: Json) -> bool:
    """Pods that serve nobody, so that no budget is asked."""
    return is_deleting(pod) or pod.get("status", {}).get("phase") in {"Pending", "Succeeded", "Failed"}


def budgets_of(pod: Json, registry: Registry) -> list[Json]:
    found = registry.store.all(PDBS, namespace_of(pod))
    return [pdb for pdb in found if pdb["spec"].get("selector") and selects(pdb["spec"]["selector"], labels_of(pod))]


def _spare(pod: Json, pdb: Json) -> bool:
    """A pod that is not ready counts for nothing while enough others are, or where the budget says so."""
    if is_true(pod, "Ready"):
        return False
    if pdb["spec"].get("unhealthyPodEvictionPolicy") == "AlwaysAllow":
        return True
    status = pdb.get("status") or {}
    return bool(status.get("currentHealthy", 0) >= status.get("desiredHealthy", 0) > 0)


def _spend(registry: Registry, pdb: Json, pod: Json, *, dry_run: bool) -> None:
    status, name = pdb.get("status") or {}, name_of(pdb)
    if status.get("observedGeneration", 0) < pdb["metadata"].get("generation", 1):
        raise _too_many(f"The disruption budget {name} is still being processed by the server.", retry_after=10)
    if status.get("disruptionsAllowed", 0) < 1:
        needed, healthy = status.get("desiredHealthy", 0), status.get("currentHealthy", 0)
        raise _too_many(f"The disruption budget {name} needs {needed} healthy pods and has {healthy} currently")
    if dry_run:
        return
    spent = clone(pdb)
    spent["status"]["disruptionsAllowed"] -= 1
    spent["status"].setdefault("disruptedPods", {})[name_of(pod)] = registry.timeline.stamp()
    registry.update(PDBS, spent, manager="kube-apiserver", subresource="status")


def _too_many(cause: str, *, retry_after: int = 0) -> ApiError:
    details: Json = {"causes": [{"reason": "DisruptionBudget", "message": cause}]}
    if retry_after:
        details["retryAfterSeconds"] = retry_after
    problem = ApiError(429, _REFUSED, details=details)
    if retry_after:
        problem.headers["Retry-After"] = str(retry_after)
    return problem
