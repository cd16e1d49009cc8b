"""Carries out a `cluster:` section: makes what is not there yet, and changes what is, as somebody else would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chatops_bot.adapters.sandbox.controllers.context import Context, is_active
from chatops_bot.adapters.sandbox.controllers.nodes import node_manifest, node_status
from chatops_bot.adapters.sandbox.errors import ApiError
from chatops_bot.adapters.sandbox.objects import Json, clone, controlled_by, name_of, namespace_of, uid_of
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import (
    DAEMONSETS,
    DEPLOYMENTS,
    HPAS,
    NAMESPACES,
    NODES,
    PDBS,
    PODS,
    REPLICASETS,
    STATEFULSETS,
    Catalog,
    Resource,
)
from chatops_bot.adapters.sandbox.seed_format import ClusterSeed, NodeSeed, WorkloadSeed
from chatops_bot.adapters.sandbox.troubles import Trouble

WORKLOADS = {"Deployment": DEPLOYMENTS, "StatefulSet": STATEFULSETS, "DaemonSet": DAEMONSETS}
EDITOR = "kubectl-edit"
_CREATOR = "kubectl-create"
_DEFAULT_NODES = ("node-1", "node-2", "node-3")
# Statuses of these kinds, when a manifest gives them, are scenery that no controller may repaint.
_SCENERY = {"Pod", "HorizontalPodAutoscaler", "PodDisruptionBudget", "Node"}
_DAY = 86_400.0
# Of a cluster that has just been made: how long ago its newest revision was rolled out, and how far apart they were.
_AGE = 3 * _DAY
_OLDEST = 30 * _DAY
_LEFTOVER_AGE = 600.0


@dataclass(frozen=True, slots=True)
class Seeder:
    """`settle` runs the controllers to rest at once, whatever the timing of the sandbox."""

    context: Context
    catalog: Catalog
    settle: Callable[[], None]

    def lay_ground(self) -> None:
        """What a cluster has before anybody uses it: namespaces, and three nodes that are ready."""
        with self.context.timeline.set_back(_OLDEST):
            for name in ("default", "kube-system"):
                self._ensure_namespace(name)
            for name in _DEFAULT_NODES:
                self._node(NodeSeed(name))

    def apply(self, seed: ClusterSeed, *, first: bool) -> None:
        """Raises ValueError for a manifest that the API server would refuse."""
        if first and seed.nodes:
            self._replace_nodes(seed)
        elif not first:
            self._nodes(seed)
        self._workloads(seed, first=first)
        if first:
            self._nodes(seed)
        for index, manifest in enumerate(seed.objects):
            try:
                self._object(manifest)
            except ApiError as problem:
                raise ValueError(f"cluster.objects[{index}]: {problem}") from problem
        if first:
            self.settle()

    def _replace_nodes(self, seed: ClusterSeed) -> None:
        """The nodes of the file instead of the usual ones; ready while the past is made, or no pod would find one."""
        for node in self.context.store.all(NODES):
            self.context.registry.delete(NODES, node, DeleteOptions())
        with self.context.timeline.set_back(_OLDEST):
            for wanted in seed.nodes:
                self._node(NodeSeed(wanted.name))

    def _nodes(self, seed: ClusterSeed) -> None:
        for node in seed.nodes:
            self._node(node)

    def _node(self, seed: NodeSeed) -> None:
        registry = self.context.registry
        stamp = self.context.timeline.stamp()
        node, ready = self.context.store.get(NODES, "", seed.name), seed.ready
        if node is None:
            node = registry.create(NODES, node_manifest(seed.name), manager="kubelet")
            ready = ready is not False
        if ready is not None:
            self.context.set_status(NODES, node, node_status(seed.name, ready=ready, stamp=stamp), manager="kubelet")
            taint = {"key": "node.kubernetes.io/unreachable", "effect": "NoSchedule", "timeAdded": stamp}
            self._edit_node(seed.name, {"taints": [] if ready else [taint]}, manager="kube-controller-manager")
        if seed.unschedulable is not None:
            self._edit_node(seed.name, {"unschedulable": seed.unschedulable}, manager=EDITOR)

    def _edit_node(self, name: str, spec: Json, *, manager: str) -> None:
        node = clone(self.context.registry.get(NODES, "", name))
        node["spec"] = {key: value for key, value in {**node["spec"], **spec}.items() if value}
        self.context.registry.update(NODES, node, manager=manager)

    def _ensure_namespace(self, name: str) -> None:
        if self.context.store.get(NAMESPACES, "", name) is None:
            manifest = {
                "metadata": {"name": name, "labels": {"kubernetes.io/metadata.name": name}},
                "spec": {"finalizers": ["kubernetes"]},
            }
            self.context.registry.create(NAMESPACES, manifest, manager="kube-apiserver")

    def _workloads(self, seed: ClusterSeed, *, first: bool) -> None:
        for workload in seed.workloads:
            exists = self.context.store.get(WORKLOADS[workload.kind], workload.namespace, workload.name) is not None
            if exists:
                self._change(workload)
            else:
                self._make(workload, age=_AGE if first else 0.0)

    def _make(self, seed: WorkloadSeed, *, age: float) -> None:
        resource = WORKLOADS[seed.kind]
        if seed.logs is not None:
            self.context.logs.texts[(seed.namespace, seed.name)] = seed.logs
        image = seed.image or f"registry.example/{seed.name}:1"
        step = _DAY if age else 0.0
        size = seed.replicas if seed.replicas is not None else len(seed.counted) or 1
        for index, each in enumerate((*seed.revisions, image)):
            with self.context.timeline.set_back(age + step * (len(seed.revisions) - index)):
                self._ensure_namespace(seed.namespace)
                if index == 0:
                    self._create(resource, seed, each, size)
                else:
                    self._edit(resource, seed, image=each, manager=_CREATOR)
                self.settle()
                if index == len(seed.revisions):
                    self._attach(seed, manager=_CREATOR)
                    self._edit(resource, seed, paused=seed.paused, manager=_CREATOR)
                    self.settle()
        self._print(seed)
        self._stage(resource, seed)

    def _create(self, resource: Resource, seed: WorkloadSeed, image: str, size: int) -> None:
        try:
            self.context.registry.create(resource, workload_manifest(seed, image, size), manager=_CREATOR)
        except ApiError as problem:
            raise ValueError(f"{seed.path}: {problem}") from problem

    def _change(self, seed: WorkloadSeed) -> None:
        resource = WORKLOADS[seed.kind]
        if seed.logs is not None:
            self.context.logs.texts[(seed.namespace, seed.name)] = seed.logs
            self._print(seed)
        present = _image(self.context.registry.get(resource, seed.namespace, seed.name))
        last = seed.image or (present if seed.revisions else None)
        for image in (*seed.revisions, *([last] if last else [])):
            self._edit(resource, seed, image=image, manager=EDITOR)
            if seed.revisions:
                self.settle()
        replicas = None if seed.kind == "DaemonSet" else seed.replicas
        self._edit(resource, seed, replicas=replicas, paused=seed.paused, manager=EDITOR)
        self._attach(seed, manager=EDITOR)
        if seed.pods is not None:
            self.settle()
            self._stage(resource, seed)

    def _edit(
        self,
        resource: Resource,
        seed: WorkloadSeed,
        *,
        manager: str,
        image: str | None = None,
        replicas: int | None = None,
        paused: bool | None = None,
    ) -> None:
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
            metrics = [{"type": "Resource", "resource": usage}]
            spec = {
                "minReplicas": seed.hpa[0],
                "maxReplicas": seed.hpa[1],
                "scaleTargetRef": target,
                "metrics": metrics,
            }
            self._put(HPAS, seed, spec, manager)
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
            self.context.registry.update(resource, {**old, "spec": {**old["spec"], **spec}}, manager=manager)

    def _print(self, seed: WorkloadSeed) -> None:
        """Given logs are recent, however old the pods are."""
        if seed.logs is None:
            return
        for pod in self._active(WORKLOADS[seed.kind], seed):
            log = self.context.logs.of(pod, pod["spec"]["containers"][0]["name"])
            log.lines.clear()
            log.print(seed.logs, at=self.context.timeline.now())

    def _stage_leftovers(self, resource: Resource, seed: WorkloadSeed) -> None:
        """Evicted and terminating pods of a Deployment have been replaced already, some minutes ago."""
        if seed.leftovers:
            with self.context.timeline.set_back(_LEFTOVER_AGE):
                for pod, state in zip(self._active(resource, seed), seed.leftovers, strict=False):
                    self.stage(pod, state)
                self.settle()

    def _stage(self, resource: Resource, seed: WorkloadSeed) -> None:
        """Give the pods their states, in the order of their names; those not listed run."""
        self._stage_leftovers(resource, seed)
        pods = self._active(resource, seed)
        if len(seed.counted) > len(pods):
            raise ValueError(f"{seed.path}.pods: {len(seed.counted)} pods are listed, and there are {len(pods)}")
        rest: list[Trouble] = ["Running"] * (len(pods) - len(seed.counted))
        states = (*seed.counted, *rest)
        for pod, state in zip(pods, states, strict=True):
            self.stage(pod, state)

    def _active(self, resource: Resource, seed: WorkloadSeed) -> list[Json]:
        workload = self.context.registry.get(resource, seed.namespace, seed.name)
        return [pod for pod in pods_of_workload(self.context, workload) if is_active(pod)]

    def stage(self, pod: Json, trouble: Trouble) -> None:
        """Give this pod a trouble; the controllers show it when they run next."""
        now = self.context.timeline.now()
        self.context.troubles.stage(pod, trouble, now)
        if trouble == "Pending" and pod["spec"].get("nodeName"):
            # A pod that runs cannot lose its node; this one never had it.
            unplaced = clone(pod)
            del unplaced["spec"]["nodeName"]
            unplaced["status"] = {"phase": "Pending", "qosClass": pod["status"]["qosClass"]}
            self.context.store.put(PODS, unplaced)
        if trouble == "Terminating":
            with self.context.timeline.set_back(_LEFTOVER_AGE):
                self.context.registry.delete(PODS, pod, DeleteOptions())

    def _object(self, manifest: Json) -> None:
        resource = self._resource_of(manifest)
        obj = clone(manifest)
        metadata = obj["metadata"]
        if resource.namespaced:
            metadata.setdefault("namespace", "default")
            self._ensure_namespace(metadata["namespace"])
        else:
            metadata.pop("namespace", None)
        for field in ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields"):
            metadata.pop(field, None)
        self._link_owners(obj)
        old = self.context.store.get(resource, namespace_of(obj), name_of(obj))
        if old is None:
            stored = self.context.registry.create(resource, obj, manager=_CREATOR)
        else:
            stored = self.context.registry.update(resource, obj, manager=EDITOR)
        self._keep_status(resource, stored, obj)

    def _resource_of(self, manifest: Json) -> Resource:
        namespaced = "namespace" in manifest["metadata"]
        return self.catalog.define(manifest["apiVersion"], manifest["kind"], namespaced=namespaced)

    def _link_owners(self, obj: Json) -> None:
        """A manifest cannot know the uids of its owners: they are looked up by kind and name."""
        for reference in obj["metadata"].get("ownerReferences") or []:
            resource = self.catalog.of_kind(reference.get("apiVersion", ""), reference.get("kind", ""))
            owner = resource and self.context.store.get(resource, namespace_of(obj), reference.get("name", ""))
            if owner:
                reference["uid"] = uid_of(owner)

    def _keep_status(self, resource: Resource, stored: Json, manifest: Json) -> None:
        status = manifest.get("status")
        if not status:
            return
        if resource.kind in _SCENERY:
            self.context.frozen.discard(uid_of(stored))
            self.context.set_status(resource, stored, status, manager="kubelet")
            self.context.frozen.add(uid_of(stored))
        elif resource.kind not in {"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"}:
            self.context.set_status(resource, stored, status)


def _image(workload: Json) -> str:
    return str(workload["spec"]["template"]["spec"]["containers"][0]["image"])


def workload_manifest(seed: WorkloadSeed, image: str, size: int) -> Json:
    """One container, called like the workload, under the label `app`."""
    labels = {"app": seed.name}
    container = {"name": seed.name, "image": image, "ports": [{"containerPort": 8080}]}
    spec: Json = {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": dict(labels)}, "spec": {"containers": [container]}},
    }
    if seed.kind != "DaemonSet":
        spec["replicas"] = size
    if seed.kind == "StatefulSet":
        spec["serviceName"] = seed.name
    metadata: Json = {"name": seed.name, "namespace": seed.namespace, "labels": {**labels, **seed.labels}}
    if seed.annotations:
        metadata["annotations"] = dict(seed.annotations)
    return {"metadata": metadata, "spec": spec}


def pods_of_workload(context: Context, workload: Json) -> list[Json]:
    """The pods of a Deployment (those of its ReplicaSets), StatefulSet or DaemonSet, in the order of their names."""
    if workload["kind"] != "Deployment":
        return context.pods_of(workload)
    sets = context.store.all(REPLICASETS, namespace_of(workload))
    owned = [item for item in sets if controlled_by(item, workload)]
    return sorted((pod for item in owned for pod in context.pods_of(item)), key=name_of)
