"""Deployments: one ReplicaSet per template, and the walk from the old ones to the new one."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers import deployment_status
from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context, is_active, resolve_share
from chatops_bot.adapters.sandbox.objects import (
    Json,
    annotations_of,
    clone,
    controlled_by,
    is_deleting,
    name_of,
    namespace_of,
    owner_reference,
    short_hash,
)
from chatops_bot.adapters.sandbox.registry import DeleteOptions
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, REPLICASETS

REVISION = "deployment.kubernetes.io/revision"
HISTORY = "deployment.kubernetes.io/revision-history"
DESIRED = "deployment.kubernetes.io/desired-replicas"
MAXIMUM = "deployment.kubernetes.io/max-replicas"
_HASH = "pod-template-hash"
_COMPONENT = "deployment-controller"
_NOT_COPIED = {REVISION, HISTORY, DESIRED, MAXIMUM, "kubectl.kubernetes.io/last-applied-configuration"}


class Deployments:
    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for deployment in self._context.store.all(DEPLOYMENTS):
            if not is_deleting(deployment):
                self._sync(deployment)

    def _sync(self, deployment: Json) -> None:
        owned = self._owned(deployment)
        new = _newest(deployment, owned)
        paused = bool(deployment["spec"].get("paused"))
        if not paused:
            created = new is None
            new = self._claim(deployment, new, owned)
            deployment = self._context.reload(DEPLOYMENTS, deployment)
            owned = self._owned(deployment)
            if created:
                deployment_status.report_new_set(self._context, deployment, new)
                deployment = self._context.reload(DEPLOYMENTS, deployment)
        old = [item for item in owned if new is None or name_of(item) != name_of(new)]
        if paused or _is_scaled(deployment, owned):
            self._scale(deployment, new, old)
        elif new is not None:
            self._roll(deployment, new, old)
        owned = self._owned(deployment)
        deployment_status.report(self._context, deployment, _newest(deployment, owned), owned)
        self._clean(self._context.reload(DEPLOYMENTS, deployment), new)

    def _owned(self, deployment: Json) -> list[Json]:
        """Its ReplicaSets, oldest revision first."""
        sets = self._context.store.all(REPLICASETS, namespace_of(deployment))
        return sorted((item for item in sets if controlled_by(item, deployment)), key=revision_of)

    def _claim(self, deployment: Json, new: Json | None, owned: list[Json]) -> Json:
        """The ReplicaSet of the present template, made if need be, under the highest revision number."""
        highest = max((revision_of(item) for item in owned if new is None or item is not new), default=0)
        if new is None:
            new = self._create(deployment, highest + 1)
        elif revision_of(new) <= highest:
            # A template from the past: its ReplicaSet comes back under a new number, and the old number is gone.
            history = [text for text in (annotations_of(new).get(HISTORY), str(revision_of(new))) if text]
            changed = {REVISION: str(highest + 1), HISTORY: ",".join(history)}
            new = self._context.set_spec(REPLICASETS, new, {}, {**_copied(deployment), **changed})
        elif any(annotations_of(new).get(key) != value for key, value in _copied(deployment).items()):
            new = self._context.set_spec(REPLICASETS, new, {}, _copied(deployment))
        if annotations_of(deployment).get(REVISION) != annotations_of(new)[REVISION]:
            self._context.annotate(DEPLOYMENTS, deployment, {REVISION: annotations_of(new)[REVISION]})
        return new

    def _create(self, deployment: Json, revision: int) -> Json:
        template = clone(deployment["spec"]["template"])
        digest = short_hash(_bare(template), 10)
        template["metadata"]["labels"] = {**(template["metadata"].get("labels") or {}), _HASH: digest}
        selector = clone(deployment["spec"]["selector"])
        selector["matchLabels"] = {**(selector.get("matchLabels") or {}), _HASH: digest}
        annotations = {**_copied(deployment), REVISION: str(revision), **_sizes(deployment)}
        manifest = {
            "metadata": {
                "name": f"{name_of(deployment)}-{digest}",
                "namespace": namespace_of(deployment),
                "labels": template["metadata"]["labels"],
                "annotations": annotations,
                "ownerReferences": [owner_reference(deployment)],
            },
            "spec": {"replicas": 0, "selector": selector, "template": template},
        }
        return self._context.registry.create(REPLICASETS, manifest, manager=MANAGER)

    def _resize(self, deployment: Json, replica_set: Json, size: int) -> None:
        before = replica_set["spec"]["replicas"]
        self._context.set_spec(REPLICASETS, replica_set, {"replicas": size}, _sizes(deployment))
        if size != before:
            direction = "up" if size > before else "down"
            text = f"Scaled {direction} replica set {name_of(replica_set)} from {before} to {size}"
            self._context.events.record(deployment, "ScalingReplicaSet", text, component=_COMPONENT)

    def _scale(self, deployment: Json, new: Json | None, old: list[Json]) -> None:
        """The number asked for has changed (or the rollout rests): only sizes move, no template does."""
        wanted = deployment["spec"]["replicas"]
        sets = old + ([new] if new is not None else [])
        active = [item for item in sets if item["spec"]["replicas"]]
        if len(active) <= 1:
            for item in active or sets[-1:]:
                self._resize(deployment, item, wanted)
        elif new is not None and new["spec"]["replicas"] == wanted == new.get("status", {}).get("availableReplicas", 0):
            for item in old:
                self._resize(deployment, item, 0)
            self._resize(deployment, new, wanted)
        else:
            self._share(deployment, active)

    def _share(self, deployment: Json, active: list[Json]) -> None:
        """In the middle of a rollout every ReplicaSet keeps its share of the new total; the largest takes the rest."""
        surge, _ = allowances(deployment)
        wanted = deployment["spec"]["replicas"]
        total = wanted + surge if wanted else 0
        present = sum(item["spec"]["replicas"] for item in active)
        sizes = {name_of(item): item["spec"]["replicas"] * total // present for item in active}
        largest = max(active, key=lambda item: (item["spec"]["replicas"], revision_of(item)))
        sizes[name_of(largest)] += total - sum(sizes.values())
        for item in active:
            self._resize(deployment, item, sizes[name_of(item)])

    def _roll(self, deployment: Json, new: Json, old: list[Json]) -> None:
        if deployment["spec"]["strategy"]["type"] == "Recreate":
            self._recreate(deployment, new, old)
        elif not self._grow(deployment, new, old):
            self._shrink(deployment, new, old)

    def _recreate(self, deployment: Json, new: Json, old: list[Json]) -> None:
        for item in old:
            if item["spec"]["replicas"]:
                self._resize(deployment, item, 0)
        left = [pod for item in old for pod in self._context.pods_of(item)]
        stopped = not any(is_active(pod) or is_deleting(pod) for pod in left)
        if stopped and new["spec"]["replicas"] != deployment["spec"]["replicas"]:
            self._resize(deployment, new, deployment["spec"]["replicas"])

    def _grow(self, deployment: Json, new: Json, old: list[Json]) -> bool:
        """Bring the new ReplicaSet nearer to its size, within maxSurge; whether that changed anything."""
        wanted, size = deployment["spec"]["replicas"], new["spec"]["replicas"]
        surge, _ = allowances(deployment)
        room = wanted + surge - size - sum(item["spec"]["replicas"] for item in old)
        goal = wanted if size > wanted else min(wanted, size + max(0, room))
        if goal != size:
            self._resize(deployment, new, goal)
        return bool(goal != size)

    def _shrink(self, deployment: Json, new: Json, old: list[Json]) -> None:
        """Take pods from the old ReplicaSets, those that do not serve first, as far as maxUnavailable lets."""
        wanted = deployment["spec"]["replicas"]
        _, unavailable = allowances(deployment)
        sizes = {name_of(item): item["spec"]["replicas"] for item in old if item["spec"]["replicas"]}
        if not sizes:
            return
        missing = max(0, new["spec"]["replicas"] - _available(new))
        spare = sum(sizes.values()) + new["spec"]["replicas"] - (wanted - unavailable) - missing
        for item in old:
            if name_of(item) in sizes and spare > 0:
                broken = min(spare, max(0, sizes[name_of(item)] - _available(item)))
                sizes[name_of(item)] -= broken
                spare -= broken
        serving = _available(new) + sum(_available(item) for item in old)
        spare = serving - (wanted - unavailable)
        for item in old:
            if name_of(item) in sizes and spare > 0:
                taken = min(spare, sizes[name_of(item)])
                sizes[name_of(item)] -= taken
                spare -= taken
        for item in old:
            if sizes.get(name_of(item), item["spec"]["replicas"]) != item["spec"]["replicas"]:
                self._resize(deployment, item, sizes[name_of(item)])

    def _clean(self, deployment: Json, new: Json | None) -> None:
        """Forget empty ReplicaSets beyond revisionHistoryLimit, once the rollout is complete."""
        if deployment["spec"].get("paused") or not deployment_status.is_complete(deployment):
            return
        old = [item for item in self._owned(deployment) if new is None or name_of(item) != name_of(new)]
        empty = [item for item in old if not item["spec"]["replicas"] and not item["status"].get("replicas")]
        for item in empty[: max(0, len(empty) - deployment["spec"]["revisionHistoryLimit"])]:
            self._context.registry.delete(REPLICASETS, item, DeleteOptions())


def revision_of(replica_set: Json) -> int:
    return int(annotations_of(replica_set).get(REVISION, "0"))


def allowances(deployment: Json) -> tuple[int, int]:
    """maxSurge and maxUnavailable as numbers of pods; both zero would never get anywhere, so the second is then one."""
    strategy, wanted = deployment["spec"]["strategy"], deployment["spec"]["replicas"]
    if strategy["type"] == "Recreate":
        return 0, wanted
    surge = resolve_share(strategy["rollingUpdate"]["maxSurge"], wanted, up=True)
    unavailable = resolve_share(strategy["rollingUpdate"]["maxUnavailable"], wanted, up=False)
    return surge, unavailable if surge or unavailable else 1


def _available(replica_set: Json) -> int:
    # Never more than it is to have: pods that it has yet to take down no longer count.
    return int(min(replica_set["spec"]["replicas"], replica_set.get("status", {}).get("availableReplicas", 0)))


def _bare(template: Json) -> Json:
    """The template as it decides about equality: without the label that its ReplicaSet adds."""
    labels = {key: value for key, value in (template["metadata"].get("labels") or {}).items() if key != _HASH}
    return {**template, "metadata": {**template["metadata"], "labels": labels}}


def _newest(deployment: Json, owned: list[Json]) -> Json | None:
    wanted = _bare(deployment["spec"]["template"])
    return next((item for item in owned if _bare(item["spec"]["template"]) == wanted), None)


def _is_scaled(deployment: Json, owned: list[Json]) -> bool:
    wanted = str(deployment["spec"]["replicas"])
    active = [item for item in owned if item["spec"]["replicas"]]
    return any(annotations_of(item).get(DESIRED, wanted) != wanted for item in active)


def _sizes(deployment: Json) -> dict[str, str]:
    surge, _ = allowances(deployment)
    wanted = deployment["spec"]["replicas"]
    return {DESIRED: str(wanted), MAXIMUM: str(wanted + surge)}


def _copied(deployment: Json) -> dict[str, str]:
    return {key: value for key, value in annotations_of(deployment).items() if key not in _NOT_COPIED}
