"""HorizontalPodAutoscalers: put a workload back between its bounds."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import set_condition
from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context
from chatops_bot.adapters.sandbox.objects import Json, clone, is_deleting, namespace_of, uid_of
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, HPAS, REPLICASETS, ROLLOUTS, STATEFULSETS, Resource

# A real autoscaler looks every 15 seconds, so whoever scales by hand sees it undone within that time.
_PERIOD = 15.0
_COMPONENT = "horizontal-pod-autoscaler"
_TARGETS = {"Deployment": DEPLOYMENTS, "StatefulSet": STATEFULSETS, "ReplicaSet": REPLICASETS, "Rollout": ROLLOUTS}


class Autoscalers:
    """No load is simulated: between the bounds, the number that somebody set stays."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._outside_since: dict[str, float] = {}

    def run(self) -> None:
        for hpa in self._context.store.all(HPAS):
            if not is_deleting(hpa):
                self._sync(hpa)

    def _sync(self, hpa: Json) -> None:
        reference = hpa["spec"].get("scaleTargetRef") or {}
        resource = _TARGETS.get(reference.get("kind", ""))
        name = reference.get("name", "")
        target = None if resource is None else self._context.store.get(resource, namespace_of(hpa), name)
        if resource is None or target is None:
            self._report_no_target(hpa, reference)
            return
        present = target["spec"].get("replicas", 1)
        wanted = min(max(present, hpa["spec"].get("minReplicas", 1)), hpa["spec"]["maxReplicas"])
        if present == 0:
            # A target at zero has switched its autoscaler off, until somebody scales it up.
            wanted = 0
        if wanted == present:
            self._outside_since.pop(uid_of(hpa), None)
        elif self._is_due(hpa):
            self._scale(hpa, resource, target, wanted)
            return
        self._report(hpa, target, present, wanted)

    def _is_due(self, hpa: Json) -> bool:
        now = self._context.timeline.now()
        due = self._outside_since.setdefault(uid_of(hpa), now) + _PERIOD
        if now < due:
            self._context.wake_at(due)
        return now >= due

    def _scale(self, hpa: Json, resource: Resource, target: Json, wanted: int) -> None:
        changed = clone(target)
        low = wanted > target["spec"].get("replicas", 1)
        changed["spec"]["replicas"] = wanted
        self._context.registry.update(resource, changed, manager=MANAGER, subresource="scale")
        bound = "below Spec.MinReplicas" if low else "above Spec.MaxReplicas"
        text = f"New size: {wanted}; reason: Current number of replicas {bound}"
        self._context.events.record(hpa, "SuccessfulRescale", text, component=_COMPONENT)

    def _report(self, hpa: Json, target: Json, present: int, wanted: int) -> None:
        stamp, conditions = self._context.timeline.stamp(), list(hpa.get("status", {}).get("conditions") or [])
        able = {"reason": "ReadyForNewScale", "message": "recommended size matches current size"}
        conditions = set_condition(conditions, "AbleToScale", "True", stamp=stamp, **able)
        if present == 0:
            off = "scaling is disabled since the replica count of the target is zero"
            conditions = set_condition(
                conditions, "ScalingActive", "False", stamp=stamp, reason="ScalingDisabled", message=off
            )
        else:
            on = "the HPA was able to successfully calculate a replica count from cpu resource utilization"
            conditions = set_condition(
                conditions, "ScalingActive", "True", stamp=stamp, reason="ValidMetricFound", message=on
            )
            within = "the desired count is within the acceptable range"
            conditions = set_condition(
                conditions, "ScalingLimited", "False", stamp=stamp, reason="DesiredWithinRange", message=within
            )
        status: Json = {**(hpa.get("status") or {}), "conditions": conditions, "desiredReplicas": wanted}
        status["currentReplicas"] = target.get("status", {}).get("replicas", 0)
        if present:
            status["currentMetrics"] = [
                _measured(metric) for metric in hpa["spec"].get("metrics") or [] if _is_cpu(metric)
            ]
        status = {key: value for key, value in status.items() if value or key == "desiredReplicas"}
        self._context.set_status(HPAS, hpa, status)

    def _report_no_target(self, hpa: Json, reference: Json) -> None:
        resource = f"{str(reference.get('kind', '')).lower()}s"
        text = (
            f"the HPA controller was unable to get the target's current scale: "
            f'{resource}.apps "{reference.get("name", "")}" not found'
        )
        conditions = set_condition(
            list(hpa.get("status", {}).get("conditions") or []),
            "AbleToScale",
            "False",
            stamp=self._context.timeline.stamp(),
            reason="FailedGetScale",
            message=text,
        )
        self._context.set_status(HPAS, hpa, {"desiredReplicas": 0, "conditions": conditions})


def _is_cpu(metric: Json) -> bool:
    resource = metric.get("resource") or {}
    return resource.get("name") == "cpu" and "averageUtilization" in (resource.get("target") or {})


def _measured(metric: Json) -> Json:
    """A load a little under the target, at which an autoscaler leaves the number of pods alone."""
    usage = int(metric["resource"]["target"]["averageUtilization"] * 0.95)
    current = {"averageUtilization": usage, "averageValue": f"{usage}m"}
    return {"type": "Resource", "resource": {"name": "cpu", "current": current}}
