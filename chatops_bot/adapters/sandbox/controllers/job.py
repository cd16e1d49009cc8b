"""Jobs: as many pods at once as they may have, until as many as are wanted have succeeded."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context, is_active, is_ready, pod_from
from chatops_bot.adapters.sandbox.objects import (
    Json,
    clone,
    is_deleting,
    name_of,
    owner_reference,
    short_hash,
    uid_of,
    without_zeros,
)
from chatops_bot.adapters.sandbox.resources import JOBS, PODS

_UID, _NAME = "batch.kubernetes.io/controller-uid", "batch.kubernetes.io/job-name"


class Jobs:
    """One whose status was given by a manifest is scenery, and so are its pods."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._made: dict[str, int] = {}

    def run(self) -> None:
        for job in self._context.store.all(JOBS):
            if not is_deleting(job) and uid_of(job) not in self._context.frozen and not is_over(job):
                self._sync(job)

    def _sync(self, job: Json) -> None:
        if not job["spec"].get("selector"):
            job = self._adopted(job)
        pods = self._context.pods_of(job)
        active = [pod for pod in pods if is_active(pod)]
        succeeded = sum(pod["status"].get("phase") == "Succeeded" for pod in pods)
        spec = job["spec"]
        wanted = min(spec.get("parallelism", 1), spec.get("completions", 1) - succeeded)
        if not spec.get("suspend"):
            for _ in range(wanted - len(active)):
                self._create(job)
        self._report(self._context.reload(JOBS, job), succeeded)

    def _adopted(self, job: Json) -> Json:
        """With the selector and labels that the API server gives to a new one."""
        labels = {_UID: uid_of(job), _NAME: name_of(job), "controller-uid": uid_of(job), "job-name": name_of(job)}
        template = clone(job["spec"]["template"])
        metadata = template.setdefault("metadata", {})
        metadata["labels"] = {**(metadata.get("labels") or {}), **labels}
        spec = {"selector": {"matchLabels": {_UID: uid_of(job)}}, "template": template}
        return self._context.set_spec(JOBS, job, spec)

    def _create(self, job: Json) -> None:
        number = self._made[uid_of(job)] = self._made.get(uid_of(job), 0) + 1
        name = f"{name_of(job)}-{short_hash([uid_of(job), number], 5)}"
        pod = pod_from(job["spec"]["template"], job, name, {}, owner_reference(job))
        pod["metadata"]["generateName"] = f"{name_of(job)}-"
        self._context.registry.create(PODS, pod, manager=MANAGER)
        self._context.events.record(job, "SuccessfulCreate", f"Created pod: {name}", component="job-controller")

    def _report(self, job: Json, succeeded: int) -> None:
        pods = self._context.pods_of(job)
        numbers = {
            "active": sum(is_active(pod) for pod in pods),
            "succeeded": succeeded,
            "failed": sum(pod["status"].get("phase") == "Failed" for pod in pods),
        }
        status: Json = {
            **without_zeros(numbers),
            "ready": sum(is_ready(pod) for pod in pods),
            "terminating": 0,
            "startTime": job.get("status", {}).get("startTime") or self._context.timeline.stamp(),
            "uncountedTerminatedPods": {},
        }
        self._context.set_status(JOBS, job, status)


def is_over(job: Json) -> bool:
    """Whether it has come to its end, one way or the other."""
    return is_true(job, "Complete") or is_true(job, "Failed")
