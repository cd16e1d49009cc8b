"""Argo Rollouts on a cluster without their controller: the kind's definition, and its controller's part played by hand."""

from __future__ import annotations

import time
from typing import Any, Final

from chatops_bot.domain.objects import holds
from tests.cluster.api import Api

Json = dict[str, Any]

CRDS: Final = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
NAME: Final = "rollouts.argoproj.io"
HASH: Final = "rollouts-pod-template-hash"
STABLE, CANARY = "6d5f9b8c4d", "77b5c8d9f6"

_OPEN: Final = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}
_TIME: Final = {"type": "string", "format": "date-time"}

DEFINITION: Final[Json] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": NAME},
    "spec": {
        "group": "argoproj.io",
        "scope": "Namespaced",
        "names": {"kind": "Rollout", "listKind": "RolloutList", "plural": "rollouts", "shortNames": ["ro"]},
        "versions": [
            {
                "name": "v1alpha1",
                "served": True,
                "storage": True,
                "subresources": {
                    "status": {},
                    "scale": {"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.HPAReplicas"},
                },
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "spec": {
                                **_OPEN,
                                "properties": {
                                    "replicas": {"type": "integer", "format": "int32"},
                                    "paused": {"type": "boolean"},
                                    "restartAt": _TIME,
                                },
                            },
                            "status": {
                                **_OPEN,
                                "properties": {
                                    "abort": {"type": "boolean"},
                                    "restartedAt": _TIME,
                                    "observedGeneration": {"type": "string"},
                                },
                            },
                        },
                    }
                },
            }
        ],
    },
}


def install(api: Api) -> None:
    """Define the kind, and wait until the server has it."""
    api.make(CRDS, DEFINITION)
    api.until(f"{CRDS}/{NAME}", lambda found: holds(found, "Established"))
    while api.get("/apis/argoproj.io/v1alpha1").status != 200:
        time.sleep(0.03)


def remove(api: Api) -> None:
    """Take the kind away, and all of it."""
    api.delete(f"{CRDS}/{NAME}")


class Rollout:
    """One Rollout `web` with a ReplicaSet of its stable revision, whose pods the cluster's own controllers make."""

    def __init__(self, api: Api, namespace: str, replicas: int = 2) -> None:
        self._api = api
        self._apps = f"/apis/apps/v1/namespaces/{namespace}/replicasets"
        self._pods = f"/api/v1/namespaces/{namespace}/pods"
        self._status: Json = {}
        self.path = f"/apis/argoproj.io/v1alpha1/namespaces/{namespace}/rollouts/web"
        body = {
            "apiVersion": "argoproj.io/v1alpha1",
            "kind": "Rollout",
            "metadata": {"name": "web"},
            "spec": {
                "replicas": replicas,
                "selector": {"matchLabels": {"app": "web"}},
                "strategy": {"canary": {"steps": [{"setWeight": 50}, {"pause": {}}]}},
                "template": _template("registry.test/plain:1"),
            },
        }
        self.uid = str(api.make(self.path.rpartition("/")[0], body)["metadata"]["uid"])
        self.replica_set(STABLE, "registry.test/plain:1", replicas)
        self.report(phase="Healthy", stableRS=STABLE, currentPodHash=STABLE)

    def read(self) -> Json:
        found: Json = self._api.get(self.path).json
        return found

    def patch(self, body: Json) -> None:
        """As somebody else than the bot."""
        answer = self._api.patch(self.path, body)
        assert answer.status == 200, answer.text

    def remove(self) -> None:
        """It goes, and with it its ReplicaSets and their pods; another of its name may be made once they have gone."""
        self._api.delete(self.path, {"propagationPolicy": "Foreground"})
        while self._api.get(self.path).status != 404:
            time.sleep(0.03)

    def replica_set(self, revision: str, image: str, replicas: int) -> None:
        """As the controller makes one."""
        template = _template(image)
        template["metadata"]["labels"][HASH] = revision
        owner = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "name": "web", "uid": self.uid}
        labels = {"app": "web", HASH: revision}
        metadata = {"name": f"web-{revision}", "labels": labels, "ownerReferences": [{**owner, "controller": True}]}
        spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
        self._api.make(self._apps, {"metadata": metadata, "spec": spec})
        self.until_ready(revision, replicas)

    def resize(self, revision: str, replicas: int) -> None:
        answer = self._api.patch(f"{self._apps}/web-{revision}", {"spec": {"replicas": replicas}})
        assert answer.status == 200, answer.text
        self.until_ready(revision, replicas)

    def until_ready(self, revision: str, replicas: int) -> None:
        def at_rest(found: Json) -> bool:
            status = found.get("status", {})
            return bool(status.get("replicas", 0) == status.get("readyReplicas", 0) == replicas)

        self._api.until(f"{self._apps}/web-{revision}", at_rest)

    def replace_pods(self) -> None:
        """As the controller does for `restartAt`: they go, and their ReplicaSet makes others."""
        old = {pod["metadata"]["uid"] for pod in self.pods()}
        for pod in self.pods():
            self._api.delete(f"{self._pods}/{pod['metadata']['name']}")

        def all_new(found: Json) -> bool:
            rows = found["items"]
            return len(rows) == len(old) and not old & {pod["metadata"]["uid"] for pod in rows}

        self._api.until(f"{self._pods}?labelSelector=app%3Dweb", all_new)
        self.until_ready(STABLE, len(old))

    def pods(self) -> list[Json]:
        found: list[Json] = self._api.get(f"{self._pods}?labelSelector=app%3Dweb").json["items"]
        return found

    def report(self, **status: Any) -> None:
        """Write the status that the controller would, of what there is now; earlier words stay."""
        live = self.read()
        sets = self._api.get(f"{self._apps}?labelSelector=app%3Dweb").json["items"]
        current = status.get("currentPodHash", self._status.get("currentPodHash"))
        counts = {
            "replicas": sum(row["status"].get("replicas", 0) for row in sets),
            "readyReplicas": sum(row["status"].get("readyReplicas", 0) for row in sets),
            "availableReplicas": sum(row["status"].get("availableReplicas", 0) for row in sets),
            "updatedReplicas": sum(
                row["status"].get("replicas", 0) for row in sets if row["metadata"]["labels"][HASH] == current
            ),
        }
        self._status |= status
        body = {"status": {**counts, **self._status, "observedGeneration": str(live["metadata"]["generation"])}}
        answer = self._api.patch(f"{self.path}/status", body)
        assert answer.status == 200, answer.text

    def begin_update(self) -> None:
        """Another template, and one pod of it: the controller waits at its first step."""
        self.patch({"spec": {"template": _template("registry.test/plain:2")}})
        self.replica_set(CANARY, "registry.test/plain:2", 1)
        self.resize(STABLE, 1)
        self.report(phase="Paused", message="CanaryPauseStep", currentPodHash=CANARY, currentStepIndex=1)


def _template(image: str) -> Json:
    containers = [{"name": "main", "image": image}]
    return {
        "metadata": {"labels": {"app": "web"}},
        "spec": {"containers": containers, "terminationGracePeriodSeconds": 1},
    }
