"""Two of each workload, in two namespaces of one cluster: what one tool did to the one and another to the other."""

from __future__ import annotations

import copy
import json
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from chatops_bot.domain.entities import EntityKind
from tests.cluster.api import Api
from tests.cluster.bot_side import BotSide, entity_of
from tests.cluster.kubectl import Kubectl

Json = dict[str, Any]

PLURALS: Final[dict[EntityKind, str]] = {
    "Deployment": "deployments",
    "StatefulSet": "statefulsets",
    "DaemonSet": "daemonsets",
}

OURS: Final = "chatops-bot.io/"
"""Prefix of the bot's annotations. Controllers copy them to ReplicaSets and ControllerRevisions."""

CAUSE: Final = "kubernetes.io/change-cause"
"""Written by the bot's rollback alone; controllers copy it too."""

_TIMES: Final = frozenset(
    {"creationTimestamp", "lastTransitionTime", "lastUpdateTime", "lastProbeTime", "startTime", "startedAt"}
)
_IDENTITIES: Final = frozenset(
    {"uid", "resourceVersion", "namespace", "managedFields", "containerID", "podIP", "podIPs", "hostIP", "hostIPs"}
)
_TOKEN_VOLUME: Final = re.compile(r"kube-api-access-\w{5}")

_PROGRESSED: Final = re.compile(r'ReplicaSet "[\w-]+" has successfully progressed')
"""Under Recreate the controller names the old ReplicaSet or the new one, as its own updates happen to meet."""


def manifest(kind: EntityKind, name: str, **spec: Any) -> Json:
    """A small workload; `spec` replaces fields of its spec."""
    base: Json = {
        "selector": {"matchLabels": {"app": name}},
        "template": {
            "metadata": {"labels": {"app": name}},
            "spec": {
                "containers": [{"name": "main", "image": "registry.test/plain:1"}],
                "terminationGracePeriodSeconds": 1,
            },
        },
    }
    if kind != "DaemonSet":
        base["replicas"] = 3
    if kind == "StatefulSet":
        base["serviceName"] = name
    return {"apiVersion": "apps/v1", "kind": kind, "metadata": {"name": name}, "spec": {**base, **spec}}


class Workload:
    """One workload of a namespace and all that its controllers make for it."""

    def __init__(self, api: Api, namespace: str, kind: EntityKind, name: str) -> None:
        self.kind = kind
        self.name = name
        self.target = f"{kind.lower()}/{name}"
        self.entity = entity_of(kind, namespace, name)
        self._api = api
        self._group = f"/apis/apps/v1/namespaces/{namespace}"
        self._core = f"/api/v1/namespaces/{namespace}"
        self.path = f"{self._group}/{PLURALS[kind]}/{name}"

    def make(self, body: Json) -> None:
        self._api.make(self.path.rpartition("/")[0], body)

    def read(self) -> Json:
        found: Json = self._api.get(self.path).json
        return found

    def patch(self, body: Json) -> Json:
        """Strategic merge, as somebody else than bot and kubectl."""
        answer = self._api.patch(self.path, body, kind="strategic")
        assert answer.status == 200, answer.text
        patched: Json = answer.json
        return patched

    def settle(self) -> Json:
        """Return when nothing moves any more, be it that pods are not ready for good. The workload as it then is."""
        found: Json = self._api.until(self.path, lambda obj: at_rest(obj) and self._pods_at_rest(obj))
        return found

    def until(self, holds: Callable[[Json], bool]) -> None:
        self._api.until(self.path, holds)

    def stage(self, pod: Json, stage: str) -> None:
        """Put a pod that lives into a trouble, or out of it."""
        body = {"metadata": {"annotations": {"kubelet.test/stage": stage}}}
        answer = self._api.patch(f"{self._core}/pods/{pod['metadata']['name']}", body)
        assert answer.status == 200, answer.text

    def pods(self) -> list[Json]:
        return self._listed(f"{self._core}/pods")

    def family(self) -> Json:
        """The workload, its ReplicaSets or ControllerRevisions, and its pods, without what no two objects share."""
        pods = sorted((_pod(item) for item in self.pods()), key=_text)
        history = "replicasets" if self.kind == "Deployment" else "controllerrevisions"
        revisions = sorted(map(comparable, self._listed(f"{self._group}/{history}")), key=_text)
        return {"workload": comparable(self.read()), history: revisions, "pods": pods}

    def _listed(self, path: str) -> list[Json]:
        found: list[Json] = self._api.get(f"{path}?labelSelector=app%3D{self.name}").json["items"]
        return found

    def _pods_at_rest(self, obj: Json) -> bool:
        pods = self.pods()
        wanted = obj["status"].get("desiredNumberScheduled") if self.kind == "DaemonSet" else obj["spec"]["replicas"]
        ready = [pod for pod in pods if _condition(pod, "Ready")]
        return len(pods) == len(ready) == wanted and all(at_rest(item) for item in self._replica_sets())

    def _replica_sets(self) -> list[Json]:
        return self._listed(f"{self._group}/replicasets") if self.kind == "Deployment" else []


@dataclass(frozen=True)
class Twins:
    """The same workload twice: the bot's and kubectl's."""

    ours: Workload
    theirs: Workload
    kubectl: Kubectl
    bot: BotSide

    def make(self, body: Json) -> None:
        for twin in (self.ours, self.theirs):
            twin.make(body)
        self.settle()

    def patch(self, body: Json) -> None:
        for twin in (self.ours, self.theirs):
            twin.patch(body)
        self.settle()

    def settle(self) -> None:
        for twin in (self.ours, self.theirs):
            twin.settle()

    def specs(self) -> list[Json]:
        """As they were asked for, with all annotations."""
        return [
            {name: found.get(name) for name in ("metadata", "spec")} for found in (self.ours.read(), self.theirs.read())
        ]

    def differences(self) -> list[str]:
        """What stays different: controllers write their last word on a status a moment after the numbers are right."""
        ends = time.monotonic() + 2
        while (found := differences(self.ours.family(), self.theirs.family())) and time.monotonic() < ends:
            time.sleep(0.05)
        return found


def at_rest(obj: Mapping[str, Any]) -> bool:
    """Whether the controller of a workload or ReplicaSet has seen its spec and has nothing left to do."""
    spec, status = obj["spec"], obj.get("status", {})
    if status.get("observedGeneration") != obj["metadata"]["generation"] or status.get("terminatingReplicas"):
        return False
    if "desiredNumberScheduled" in status:
        wanted = status["desiredNumberScheduled"]
        there = {status["currentNumberScheduled"], status.get("numberAvailable", 0)}
        updated = status.get("updatedNumberScheduled", 0)
    else:
        wanted = spec["replicas"]
        there = {status.get(name, 0) for name in ("replicas", "readyReplicas", "availableReplicas")}
        updated = status.get("updatedReplicas", 0)
    if there != {wanted} or not _rolls(spec):
        return there == {wanted}
    partition = (spec.get("updateStrategy", {}).get("rollingUpdate") or {}).get("partition", 0)
    return bool(updated >= wanted - partition and (partition or _one_revision(status)))


def _rolls(spec: Mapping[str, Any]) -> bool:
    """Whether new pods come by themselves; a ReplicaSet has no strategy."""
    strategy = spec.get("strategy") or spec.get("updateStrategy") or {}
    return strategy.get("type", "OnDelete") != "OnDelete" and not spec.get("paused")


def _one_revision(status: Mapping[str, Any]) -> bool:
    return bool(status.get("currentRevision") == status.get("updateRevision"))


def comparable(obj: Json) -> Json:
    """Without identities, times, and the bot's own annotations."""
    stripped: Json = _stripped(copy.deepcopy(obj))
    return stripped


def differences(one: Any, other: Any, path: str = "") -> list[str]:
    """Where two values of JSON are not the same, one line each."""
    if isinstance(one, dict) and isinstance(other, dict):
        keys = sorted(one.keys() | other.keys())
        return [line for key in keys for line in differences(one.get(key), other.get(key), f"{path}/{key}")]
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return [line for number, pair in pairs for line in differences(*pair, f"{path}/{number}")]
    return [] if one == other else [f"{path}: {one!r} != {other!r}"]


def owned(obj: Json, manager: str) -> list[Json]:
    """What somebody of that name (or of one that goes on with a dash) has written last, by managedFields."""
    entries = [
        entry["fieldsV1"]
        for entry in obj["metadata"]["managedFields"]
        if entry["manager"] == manager or entry["manager"].startswith(f"{manager}-")
    ]
    return [fields for entry in entries if (fields := _without_ours(entry))]


def _without_ours(entry: Json) -> Json:
    fields: Json = copy.deepcopy(entry)
    annotations = fields.get("f:metadata", {}).get("f:annotations", {})
    for key in [key for key in annotations if key.startswith((f"f:{OURS}", f"f:{CAUSE}"))]:
        del annotations[key]
    if annotations.keys() <= {"."}:
        fields.pop("f:metadata", None)
    return fields


def _stripped(value: Any) -> Any:
    if isinstance(value, list):
        return [_stripped(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {
        key: _stripped(item)
        for key, item in value.items()
        if key not in _TIMES and key not in _IDENTITIES and not key.startswith(OURS) and not _is_our_cause(key, item)
    }
    if "conditions" in kept:
        kept["conditions"] = sorted(kept["conditions"], key=lambda condition: condition["type"])
    if "message" in kept:
        kept["message"] = _PROGRESSED.sub("ReplicaSet has successfully progressed", kept["message"])
    if kept.get("annotations") == {}:
        del kept["annotations"]
    return kept


def _is_our_cause(key: str, value: Any) -> bool:
    return key == CAUSE and isinstance(value, str) and value.endswith("by chatops-bot")


def _pod(pod: Json) -> Json:
    """Without what a scheduler decides or a generator draws."""
    made = comparable(pod)
    if "generateName" in made["metadata"] and "apps.kubernetes.io/pod-index" not in made["metadata"]["labels"]:
        del made["metadata"]["name"]
    made["metadata"]["labels"].pop("topology.kubernetes.io/zone", None)
    made["spec"].pop("nodeName", None)
    made["spec"].pop("affinity", None)  # a DaemonSet pins each pod to its node
    text = _TOKEN_VOLUME.sub("kube-api-access", json.dumps(made))
    again: Json = json.loads(text)
    return again


def _condition(obj: Json, kind: str) -> bool:
    return any(
        (condition["type"], condition["status"]) == (kind, "True")
        for condition in obj.get("status", {}).get("conditions", [])
    )


def _text(value: Json) -> str:
    return json.dumps(value, sort_keys=True)
