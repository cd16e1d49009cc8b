"""The environment of a container, made as a kubelet makes it."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tests.cluster.kubelet.client import Json
from tests.cluster.kubelet.images import expand
from tests.cluster.kubelet.status import HOST_IP

Objects = Mapping[str, Json]
"""By `namespace/name`."""


class Unconfigured(Exception):
    """What a container needs is not there (yet); the kubelet's own words."""


@dataclass(frozen=True)
class Sources:
    """What containers may refer to, as it is now."""

    configmaps: Objects
    secrets: Objects
    services: Objects


def environment(
    pod: Json, container: Json, sources: Sources, *, address: str, server: tuple[str, int], given: Mapping[str, str]
) -> dict[str, str]:
    """`given` goes before everything and may refer to the rest, and to POD_IP, POD_NAME, POD_NAMESPACE, NODE_NAME.

    `server` is host and port of the API server. Raises `Unconfigured`.
    """
    namespace = pod["metadata"]["namespace"]
    env = {"HOSTNAME": pod["metadata"]["name"]}
    if pod["spec"].get("enableServiceLinks", True):
        env |= _links(namespace, sources.services)
    env |= _api_server(*server)
    for item in container.get("envFrom") or []:
        env |= _all_of(item, namespace, sources)
    for item in container.get("env") or []:
        value = _value(item, pod, sources, address)
        if value is not None:
            env[item["name"]] = expand(value, env)
    about = {
        "POD_IP": address,
        "POD_NAME": pod["metadata"]["name"],
        "POD_NAMESPACE": namespace,
        "NODE_NAME": pod["spec"]["nodeName"],
    }
    return env | {name: expand(value, about | env) for name, value in given.items()}


def data_of(kind: str, name: str, namespace: str, sources: Sources, *, optional: bool) -> dict[str, bytes]:
    """Of a ConfigMap or a Secret (`kind` is `configmap` or `secret`). Raises `Unconfigured`."""
    objects = sources.configmaps if kind == "configmap" else sources.secrets
    obj = objects.get(f"{namespace}/{name}")
    if obj is None:
        if optional:
            return {}
        raise Unconfigured(f'{kind} "{name}" not found')
    if kind == "secret":
        return {key: base64.b64decode(value) for key, value in (obj.get("data") or {}).items()}
    data = {key: value.encode() for key, value in (obj.get("data") or {}).items()}
    return data | {key: base64.b64decode(value) for key, value in (obj.get("binaryData") or {}).items()}


def field_of(pod: Json, path: str, address: str) -> str:
    """What a `fieldRef` names. Raises `Unconfigured`."""
    metadata = pod["metadata"]
    if path.endswith("]"):
        group, _, key = path.removesuffix("]").partition("[")
        return str((metadata.get(group.removeprefix("metadata.")) or {}).get(key.strip("'\""), ""))
    plain: dict[str, Callable[[], str]] = {
        "metadata.name": lambda: metadata["name"],
        "metadata.namespace": lambda: metadata["namespace"],
        "metadata.uid": lambda: metadata["uid"],
        "metadata.labels": lambda: _listed(metadata.get("labels") or {}),
        "metadata.annotations": lambda: _listed(metadata.get("annotations") or {}),
        "spec.nodeName": lambda: pod["spec"]["nodeName"],
        "spec.serviceAccountName": lambda: pod["spec"].get("serviceAccountName", "default"),
        "status.podIP": lambda: address,
        "status.podIPs": lambda: address,
        "status.hostIP": lambda: HOST_IP,
        "status.hostIPs": lambda: HOST_IP,
    }
    if path not in plain:
        raise Unconfigured(f"unsupported fieldPath: {path}")
    return plain[path]()


def _listed(mapping: Mapping[str, str]) -> str:
    return "\n".join(f'{key}="{value}"' for key, value in sorted(mapping.items()))


def _value(item: Json, pod: Json, sources: Sources, address: str) -> str | None:
    """None for an optional reference to nothing."""
    origin = item.get("valueFrom")
    if not origin:
        return str(item.get("value", ""))
    if "fieldRef" in origin:
        return field_of(pod, origin["fieldRef"]["fieldPath"], address)
    namespace = pod["metadata"]["namespace"]
    for kind, field, called in (
        ("configmap", "configMapKeyRef", "ConfigMap"),
        ("secret", "secretKeyRef", "Secret"),
    ):
        if field in origin:
            reference = origin[field]
            optional = reference.get("optional", False)
            data = data_of(kind, reference["name"], namespace, sources, optional=optional)
            if reference["key"] in data:
                return data[reference["key"]].decode()
            if optional:
                return None
            raise Unconfigured(f"couldn't find key {reference['key']} in {called} {namespace}/{reference['name']}")
    raise Unconfigured(f"the environment variable {item['name']} refers to {', '.join(origin)}: not supported here")


def _all_of(item: Json, namespace: str, sources: Sources) -> dict[str, str]:
    kind, reference = ("secret", item["secretRef"]) if "secretRef" in item else ("configmap", item["configMapRef"])
    data = data_of(kind, reference["name"], namespace, sources, optional=reference.get("optional", False))
    return {item.get("prefix", "") + key: value.decode() for key, value in data.items()}


def _api_server(host: str, port: int) -> dict[str, str]:
    return {
        "KUBERNETES_SERVICE_HOST": host,
        "KUBERNETES_SERVICE_PORT": str(port),
        "KUBERNETES_SERVICE_PORT_HTTPS": str(port),
        "KUBERNETES_PORT": f"tcp://{host}:{port}",
    }


def _links(namespace: str, services: Objects) -> dict[str, str]:
    """Every Service of the namespace as variables; a trap for programs that read NAME_PORT themselves."""
    env: dict[str, str] = {}
    for service in services.values():
        spec, metadata = service["spec"], service["metadata"]
        address = spec.get("clusterIP", "None")
        if metadata["namespace"] != namespace or address in {"None", ""} or not spec.get("ports"):
            continue
        name = metadata["name"].upper().replace("-", "_")
        first = spec["ports"][0]
        env |= {f"{name}_SERVICE_HOST": address, f"{name}_SERVICE_PORT": str(first["port"])}
        env[f"{name}_PORT"] = f"{first['protocol'].lower()}://{address}:{first['port']}"
        for port in spec["ports"]:
            protocol = port["protocol"]
            url = f"{protocol.lower()}://{address}:{port['port']}"
            env[f"{name}_PORT_{port['port']}_{protocol}"] = url
            env[f"{name}_PORT_{port['port']}_{protocol}_PROTO"] = protocol.lower()
            env[f"{name}_PORT_{port['port']}_{protocol}_PORT"] = str(port["port"])
            env[f"{name}_PORT_{port['port']}_{protocol}_ADDR"] = address
            if port.get("name"):
                env[f"{name}_SERVICE_PORT_{port['name'].upper().replace('-', '_')}"] = str(port["port"])
    return env
