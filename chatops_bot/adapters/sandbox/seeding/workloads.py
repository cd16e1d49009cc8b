"""The section's `workloads:`, made with a past or changed as somebody else would."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.errors import ApiError
from chatops_bot.adapters.sandbox.objects import Json, clone
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, HPAS, PDBS, Resource
from chatops_bot.adapters.sandbox.seeding.format import WorkloadSeed
from chatops_bot.adapters.sandbox.seeding.ground import EDITOR, ensure_namespace
from chatops_bot.adapters.sandbox.seeding.staging import WORKLOADS, active_pods

_CREATOR = "kubectl-create"
_DAY = 86_400.0
# Of a cluster that has just been made: how long ago its newest revision was rolled out.
_AGE = 3 * _DAY


@dataclass(frozen=True, slots=True)
class WorkloadSeeder:
    """`settle` runs the controllers to rest at once, whatever the timing of the sandbox."""

    context: Context
    settle: Callable[[], None]

    def exists(self, seed: WorkloadSeed) -> bool:
        return self.context.store.get(WORKLOADS[seed.kind], seed.namespace, seed.name) is not None

    def make(self, seeds: Sequence[WorkloadSeed], *, aged: bool) -> None:
        """New workloads through all their revisions, oldest first; `aged` spreads these over the days before."""
        for left in range(max((len(seed.revisions) for seed in seeds), default=-1), -1, -1):
            with self.context.timeline.set_back(_AGE + left * _DAY if aged else 0.0):
                for seed in seeds:
                    self._roll(seed, left)
                self.settle()
                if left == 0:
                    self._finish(seeds)

    def _roll(self, seed: WorkloadSeed, left: int) -> None:
        """The step that leaves `left` more revisions to come; none for a workload that begins later."""
        images = (*seed.revisions, seed.image or f"registry.example/{seed.name}:1")
        if left == len(images) - 1:
            self._set_texts(seed)
            self._create(seed, images[0])
        elif left < len(images):
            self._edit(seed, image=images[-1 - left], manager=_CREATOR)

    def _finish(self, seeds: Sequence[WorkloadSeed]) -> None:
        for seed in seeds:
            self._attach(seed, manager=_CREATOR)
            self._edit(seed, paused=seed.paused, manager=_CREATOR)
        self.settle()

    def change(self, seed: WorkloadSeed) -> None:
        """Only what the entry says is changed. Old revisions are rolled through at once, the last image is not."""
        self._set_texts(seed)
        template = self.context.registry.get(WORKLOADS[seed.kind], seed.namespace, seed.name)["spec"]["template"]
        last = seed.image or str(template["spec"]["containers"][0]["image"])
        for image in seed.revisions:
            self._edit(seed, image=image, manager=EDITOR)
            self.settle()
        replicas = None if seed.kind == "DaemonSet" else seed.replicas
        self._edit(seed, image=last, replicas=replicas, paused=seed.paused, manager=EDITOR)
        self._attach(seed, manager=EDITOR)

    def print_given(self, seed: WorkloadSeed) -> None:
        """Given logs are recent, however old the pods are."""
        if seed.logs is None:
            return
        for pod in active_pods(self.context, seed):
            log = self.context.logs.of(pod, pod["spec"]["containers"][0]["name"])
            log.lines.clear()
            log.print(seed.logs, at=self.context.timeline.now())

    def _set_texts(self, seed: WorkloadSeed) -> None:
        if seed.logs is not None:
            self.context.logs.texts[(seed.namespace, seed.name)] = seed.logs

    def _create(self, seed: WorkloadSeed, image: str) -> None:
        ensure_namespace(self.context, seed.namespace)
        try:
            self.context.registry.create(WORKLOADS[seed.kind], workload_manifest(seed, image), manager=_CREATOR)
        except ApiError as problem:
            raise ValueError(f"{seed.path}: {problem}") from problem

    def _edit(
        self,
        seed: WorkloadSeed,
        *,
        manager: str,
        image: str | None = None,
        replicas: int | None = None,
        paused: bool | None = None,
    ) -> None:
        resource = WORKLOADS[seed.kind]
        workload = clone(self.context.registry.get(resource, seed.namespace, seed.name))
        spec, metadata = workload["spec"], workload["metadata"]
        if image is not None:
            spec["template"]["spec"]["containers"][0]["image"] = image
        if replicas is not None:
            spec["replicas"] = replicas
        if paused is not None and resource == DEPLOYMENTS:
            spec.pop("paused", None)
            spec |= {"paused": True} if paused else {}
        metadata["labels"] = {**(metadata.get("labels") or {}), **seed.labels}
        metadata["annotations"] = {**(metadata.get("annotations") or {}), **seed.annotations}
        self.context.registry.update(resource, workload, manager=manager)

    def _attach(self, seed: WorkloadSeed, *, manager: str) -> None:
        """The autoscaler and the disruption budget, which are called like their workload."""
        if seed.hpa is not None:
            target = {"apiVersion": "apps/v1", "kind": seed.kind, "name": seed.name}
            usage = {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}
            bounds = {"minReplicas": seed.hpa[0], "maxReplicas": seed.hpa[1]}
            metrics = [{"type": "Resource", "resource": usage}]
            self._put(HPAS, seed, {**bounds, "scaleTargetRef": target, "metrics": metrics}, manager)
        if seed.pdb is not None:
            self._put(PDBS, seed, {**seed.pdb, "selector": {"matchLabels": {"app": seed.name}}}, manager)
        for key, resource in (("hpa", HPAS), ("pdb", PDBS)):
            old = self.context.store.get(resource, seed.namespace, seed.name)
            if key in seed.removed and old is not None:
                self.context.registry.delete(resource, old, DeleteOptions())

    def _put(self, resource: Resource, seed: WorkloadSeed, spec: Json, manager: str) -> None:
        old = self.context.store.get(resource, seed.namespace, seed.name)
        if old is None:
            manifest = {"metadata": {"name": seed.name, "namespace": seed.namespace}, "spec": spec}
            self.context.registry.create(resource, manifest, manager=manager)
        else:
            self.context.registry.update(resource, {**old, "spec": spec}, manager=manager)


def workload_manifest(seed: WorkloadSeed, image: str) -> Json:
    """One container, called like the workload, under the label `app`."""
    labels = {"app": seed.name}
    container = {"name": seed.name, "image": image, "ports": [{"containerPort": 8080}]}
    spec: Json = {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": dict(labels)}, "spec": {"containers": [container]}},
    }
    if seed.kind != "DaemonSet":
        spec["replicas"] = seed.replicas if seed.replicas is not None else len(seed.counted) or 1
    metadata: Json = {"name": seed.name, "namespace": seed.namespace, "labels": {**labels, **seed.labels}}
    if seed.annotations:
        metadata["annotations"] = dict(seed.annotations)
    return {"metadata": metadata, "spec": spec}
