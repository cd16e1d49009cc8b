"""Argo Rollouts, as far as the bot looks at them: one ReplicaSet per template, canary steps, restartAt, abort.

A canary takes the weight of its first step and waits there when a step pauses without an end; without such a step the
new revision takes over at once. Nobody promotes it here.
"""

from __future__ import annotations

from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context, is_active, is_ready
from chatops_bot.adapters.sandbox.objects import (
    Json,
    clone,
    controlled_by,
    is_deleting,
    labels_of,
    name_of,
    namespace_of,
    owner_reference,
    short_hash,
    without_zeros,
)
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, REPLICASETS, ROLLOUTS
from chatops_bot.adapters.sandbox.selectors import selector_text
from chatops_bot.adapters.sandbox.timeline import parse

_HASH = "rollouts-pod-template-hash"
_OWN = "rollouts-controller"


class Rollouts:
    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for rollout in self._context.store.all(ROLLOUTS):
            template, selector = self._meant(rollout)
            if not is_deleting(rollout) and template and selector:
                self._sync(rollout, template, selector)

    def _meant(self, rollout: Json) -> tuple[Json, Json]:
        """Template and selector: its own, or those of the Deployment that it refers to."""
        spec = rollout["spec"]
        name = (spec.get("workloadRef") or {}).get("name", "")
        deployment = self._context.store.get(DEPLOYMENTS, namespace_of(rollout), name) if name else None
        other = deployment["spec"] if deployment else {}
        return spec.get("template") or other.get("template") or {}, spec.get("selector") or other.get("selector") or {}

    def _sync(self, rollout: Json, template: Json, selector: Json) -> None:
        before = rollout.get("status") or {}
        current = short_hash(["rollout", template], 10)  # not as a Deployment of the same name counts
        stable = before.get("stableRS", "")
        sets = self._sets(rollout)
        if current not in sets:
            sets[current] = self._create(rollout, template, selector, current)
        aborted = bool(before.get("abort")) and before.get("currentPodHash") == current and stable not in {"", current}
        wanted = rollout["spec"].get("replicas", 1)
        canary, held = self._canary(rollout, wanted) if stable not in {"", current} else (wanted, False)
        for revision, owned in sets.items():
            size = {current: 0 if aborted else canary, stable: wanted if aborted else wanted - canary}
            size[current] = size[current] if stable != current else wanted
            sets[revision] = self._resize(owned, size.get(revision, 0))
        if not held and not aborted and _ready(sets[current]) == wanted:
            stable = current
        restarted = self._restart(rollout, list(sets.values()))
        status = _counters(rollout, sets, current) | {"selector": selector_text(selector), "stableRS": stable}
        status |= _phase(status, wanted, aborted=aborted, held=held and stable != current)
        self._context.set_status(ROLLOUTS, rollout, status | restarted, manager=_OWN)

    def _sets(self, rollout: Json) -> dict[str, Json]:
        rows = self._context.store.all(REPLICASETS, namespace_of(rollout))
        return {labels_of(row).get(_HASH, ""): row for row in rows if controlled_by(row, rollout)}

    def _create(self, rollout: Json, template: Json, selector: Json, revision: str) -> Json:
        made = clone(template)
        metadata = made.setdefault("metadata", {})
        metadata["labels"] = {**(metadata.get("labels") or {}), _HASH: revision}
        chosen = {**(selector.get("matchLabels") or {}), _HASH: revision}
        manifest = {
            "metadata": {
                "name": f"{name_of(rollout)}-{revision}",
                "namespace": namespace_of(rollout),
                "labels": metadata["labels"],
                "ownerReferences": [owner_reference(rollout)],
            },
            "spec": {"replicas": 0, "selector": {"matchLabels": chosen}, "template": made},
        }
        return self._context.registry.create(REPLICASETS, manifest, manager=MANAGER)

    def _resize(self, owned: Json, size: int) -> Json:
        if owned["spec"]["replicas"] == size:
            return owned
        return self._context.set_spec(REPLICASETS, owned, {"replicas": size})

    @staticmethod
    def _canary(rollout: Json, wanted: int) -> tuple[int, bool]:
        """Pods of the new revision, and whether it goes no further."""
        steps = ((rollout["spec"].get("strategy") or {}).get("canary") or {}).get("steps") or []
        weights = [step["setWeight"] for step in steps if "setWeight" in step]
        held = any("pause" in step and not (step["pause"] or {}).get("duration") for step in steps)
        return (-(-wanted * weights[0] // 100), True) if held and weights else (wanted, False)

    def _restart(self, rollout: Json, sets: list[Json]) -> Json:
        """One pod that is too old after the other, while all are available."""
        asked, done = rollout["spec"].get("restartAt"), (rollout.get("status") or {}).get("restartedAt")
        if not asked or asked == done or parse(asked) > self._context.timeline.now():
            return {"restartedAt": done} if done else {}
        pods = [pod for owned in sets for pod in self._context.pods_of(owned)]
        if any(is_deleting(pod) for pod in pods) or any(_ready(row) != row["spec"]["replicas"] for row in sets):
            return {"restartedAt": done} if done else {}
        old = [pod for pod in pods if is_active(pod) and parse(pod["metadata"]["creationTimestamp"]) < parse(asked)]
        if old:
            self._context.delete_pod(old[0])
            return {"restartedAt": done} if done else {}
        return {"restartedAt": asked} if all(is_ready(pod) for pod in pods) else {}


def _ready(owned: Json) -> int:
    return int((owned.get("status") or {}).get("availableReplicas", 0))


def _counters(rollout: Json, sets: dict[str, Json], current: str) -> Json:
    states = [row.get("status") or {} for row in sets.values()]
    ready = sum(state.get("readyReplicas", 0) for state in states)
    numbers = {
        "replicas": sum(state.get("replicas", 0) for state in states),
        "updatedReplicas": (sets[current].get("status") or {}).get("replicas", 0),
        "readyReplicas": ready,
        "availableReplicas": sum(state.get("availableReplicas", 0) for state in states),
    }
    seen = str(rollout["metadata"]["generation"])
    return {**without_zeros(numbers), "observedGeneration": seen, "currentPodHash": current}


def _phase(status: Json, wanted: int, *, aborted: bool, held: bool) -> Json:
    if aborted:
        return {"abort": True, "phase": "Degraded", "message": "RolloutAborted: Rollout aborted update"}
    if held:
        return {"phase": "Paused", "message": "CanaryPauseStep"}
    if status.get("availableReplicas", 0) < wanted or status["stableRS"] != status["currentPodHash"]:
        return {"phase": "Progressing", "message": "updated replicas are still becoming available"}
    return {"phase": "Healthy"}
