"""A namespace, and the ordinary things in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from urllib.parse import quote

from tests.cluster.api import Answer, Api

Json = dict[str, Any]


def template(name: str, image: str = "", **pod: Any) -> Json:
    """Of pods with one container, called like its workload."""
    container = {"name": name, "image": image or f"reg/{name}:2", "ports": [{"containerPort": 8080}]}
    return {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container], **pod}}


def at_rest(workload: Json) -> bool:
    """Whether the controllers have done what the spec says, and nothing is left over."""
    metadata, spec, status = workload["metadata"], workload["spec"], workload.get("status", {})
    wanted = spec.get("replicas", 0)
    counted = all(status.get(name, 0) == wanted for name in ("replicas", "readyReplicas", "updatedReplicas"))
    conditions = {item["type"]: item.get("reason") for item in status.get("conditions", [])}
    done = workload["kind"] != "Deployment" or conditions.get("Progressing") == "NewReplicaSetAvailable"
    return bool(
        status.get("observedGeneration", 0) >= metadata["generation"]
        and counted
        and done
        and status.get("availableReplicas", 0) == wanted
        and not status.get("terminatingReplicas")
    )


class Shop:
    def __init__(self, api: Api, namespace: str) -> None:
        self.api = api
        self.namespace = namespace

    def path(self, plural: str, name: str = "", *, group: str = "", **query: Any) -> str:
        """`group` as in `apps/v1`; nothing for the core group."""
        root = f"/apis/{group}" if group else "/api/v1"
        whole = f"{root}/namespaces/{self.namespace}/{plural}" + (f"/{name}" if name else "")
        return whole + ("?" + "&".join(f"{key}={quote(str(value))}" for key, value in query.items()) if query else "")

    def workload(self, name: str = "web", *, kind: str = "Deployment", replicas: int = 3, **spec: Any) -> str:
        """Make one; its path. With no replicas it is left in peace by the controllers before anything is asked of it."""
        body: Json = {
            "metadata": {"name": name, "labels": {"app": name}},
            "spec": {
                "replicas": replicas,
                "selector": {"matchLabels": {"app": name}},
                "template": template(name),
                **({"serviceName": name, "podManagementPolicy": "Parallel"} if kind == "StatefulSet" else {}),
                **spec,
            },
        }
        path = self.path(f"{kind.lower()}s", group="apps/v1")
        self.api.make(path, body)
        self.until(f"{path}/{name}", at_rest)
        return f"{path}/{name}"

    def pod(self, name: str, *, annotations: dict[str, str] | None = None, **spec: Any) -> str:
        """Make one by hand; its path."""
        metadata = {"name": name, "labels": {"app": name}, "annotations": annotations or {}}
        container = {"name": "main", "image": "reg/main:1"}
        self.api.make(self.path("pods"), {"metadata": metadata, "spec": {"containers": [container], **spec}})
        return self.path("pods", name)

    def config(self, name: str = "settings", **metadata: Any) -> str:
        """Make a ConfigMap, which no controller touches; its path."""
        self.api.make(self.path("configmaps"), {"metadata": {"name": name, **metadata}, "data": {"a": "1"}})
        return self.path("configmaps", name)

    def budget(self, name: str = "db", **spec: Any) -> str:
        """Make a PodDisruptionBudget over what bears the label app=db; its path. Its status is complete."""
        path = self.path("poddisruptionbudgets", group="policy/v1")
        selector = {"matchLabels": {"app": "db"}}
        self.api.make(path, {"metadata": {"name": name}, "spec": {"selector": selector, **spec}})
        self.until(f"{path}/{name}", lambda found: found["status"].get("observedGeneration") == 1)
        return f"{path}/{name}"

    def get(self, path: str) -> Json:
        """What is there."""
        answer = self.api.get(path)
        assert answer.status == 200, answer.text
        found: Json = answer.json
        return found

    def until(self, path: str, holds: Callable[[Json], bool]) -> Json:
        """Wait for something to hold of what is there."""
        found: Json = self.api.until(path, holds)
        return found

    def gone(self, path: str) -> None:
        """Wait for something not to be there."""
        name = path.rpartition("/")[2]
        listed = f"{path.rpartition('/')[0]}?fieldSelector=metadata.name%3D{name}"
        self.api.until(listed, lambda found: not found["items"])

    def names(self, plural: str, *, group: str = "", **query: Any) -> list[str]:
        """Of the objects that a list holds."""
        return [item["metadata"]["name"] for item in self.get(self.path(plural, group=group, **query))["items"]]


def says(answer: Answer) -> tuple[int, str, str]:
    """Status, reason and text of a refusal."""
    body = answer.json
    assert body["kind"] == "Status"
    assert body["status"] == "Failure"
    assert body["code"] == answer.status
    return answer.status, body.get("reason", ""), body["message"]


def causes(answer: Answer) -> list[tuple[str, str]]:
    """Field and reason of each cause of a 422."""
    assert answer.status == 422, answer.text
    return [(cause["field"], cause["reason"]) for cause in answer.json["details"].get("causes", ())]


def without_volatile(obj: Any, names: Iterable[str] = ()) -> Any:
    """A copy without what differs from run to run."""
    drop = {"uid", "resourceVersion", "creationTimestamp", "managedFields", *names}
    if isinstance(obj, dict):
        return {key: without_volatile(value, names) for key, value in obj.items() if key not in drop}
    return [without_volatile(item, names) for item in obj] if isinstance(obj, list) else obj
