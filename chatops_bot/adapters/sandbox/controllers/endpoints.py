"""EndpointSlices: which pods a Service leads to."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.conditions import is_true
from chatops_bot.adapters.sandbox.controllers.context import MANAGER, Context, is_ready
from chatops_bot.adapters.sandbox.objects import (
    Json,
    clone,
    is_deleting,
    labels_of,
    name_of,
    namespace_of,
    object_reference,
    owner_reference,
    short_hash,
    uid_of,
)
from chatops_bot.adapters.sandbox.resources import ENDPOINTSLICES, PODS, SERVICES


class Endpoints:
    """One slice for each Service that has a selector; a Service without one is somebody else's business."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def run(self) -> None:
        for service in self._context.store.all(SERVICES):
            if (service.get("spec") or {}).get("selector") and not is_deleting(service):
                self._sync(service)

    def _sync(self, service: Json) -> None:
        name = f"{name_of(service)}-{short_hash(uid_of(service), 5)}"
        content: Json = {
            "addressType": "IPv4",
            "ports": [_port(port) for port in service["spec"].get("ports") or []],
            "endpoints": [self._endpoint(pod) for pod in self._pods(service)],
        }
        old = self._context.store.get(ENDPOINTSLICES, namespace_of(service), name)
        if old is not None:
            self._context.registry.update(ENDPOINTSLICES, {**clone(old), **content}, manager=MANAGER)
            return
        metadata = {
            "name": name,
            "namespace": namespace_of(service),
            "labels": {"kubernetes.io/service-name": name_of(service)},
            "ownerReferences": [owner_reference(service)],
        }
        self._context.registry.create(ENDPOINTSLICES, {"metadata": metadata, **content}, manager=MANAGER)

    def _pods(self, service: Json) -> list[Json]:
        wanted = service["spec"]["selector"]
        pods = self._context.store.all(PODS, namespace_of(service))
        return [pod for pod in pods if wanted.items() <= labels_of(pod).items() and pod["status"].get("podIP")]

    def _endpoint(self, pod: Json) -> Json:
        reference = {key: value for key, value in object_reference(pod).items() if key != "resourceVersion"}
        return {
            "addresses": [pod["status"]["podIP"]],
            "conditions": {
                "ready": is_ready(pod),
                "serving": is_true(pod, "Ready"),
                "terminating": is_deleting(pod),
            },
            "nodeName": pod["spec"].get("nodeName"),
            "targetRef": reference,
        }


def _port(port: Json) -> Json:
    target = port.get("targetPort", port.get("port"))
    return {"name": port.get("name", ""), "port": target, "protocol": port.get("protocol", "TCP")}
