"""`/etc/hosts` of a pod: what cluster DNS would answer, as far as a list of addresses can say it.

A name leads to the pods behind the Service, as if it were headless: the port that is connected to is the container's,
so a Service whose `port` differs from its `targetPort` cannot be reached by its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tests.cluster.kubelet.client import Json

REFUSES = "127.255.255.254"
"""Stands for the address of a Service without a ready pod: nothing listens there."""


def hosts(pod: Json, address: str, services: Iterable[Json], pods: Mapping[str, Json], server: str) -> str:
    """`pods` by `namespace/name`; `server` is the API server's host."""
    metadata = pod["metadata"]
    lines = ["127.0.0.1\tlocalhost", "::1\tlocalhost ip6-localhost ip6-loopback"]
    lines.append(f"{address}\t{pod['spec'].get('hostname') or metadata['name']}")
    for service in sorted(services, key=lambda item: (item["metadata"]["namespace"], item["metadata"]["name"])):
        lines += _lines(service, metadata["namespace"], pods, server)
    return "\n".join(lines) + "\n"


def _lines(service: Json, asking: str, pods: Mapping[str, Json], server: str) -> list[str]:
    name, namespace = service["metadata"]["name"], service["metadata"]["namespace"]
    spec = service["spec"]
    qualified = [f"{name}.{namespace}", f"{name}.{namespace}.svc", f"{name}.{namespace}.svc.cluster.local"]
    names = " ".join([name, *qualified] if namespace == asking else qualified)
    if (namespace, name) == ("default", "kubernetes"):
        return [f"{server}\t{names}"]
    if not spec.get("selector"):
        return []
    behind = [
        pod
        for pod in pods.values()
        if pod["metadata"]["namespace"] == namespace
        and spec["selector"].items() <= (pod["metadata"].get("labels") or {}).items()
        and _serves(pod, unready_too=spec.get("publishNotReadyAddresses", False))
    ]
    lines = [f"{pod['status']['podIP']}\t{names}" for pod in sorted(behind, key=lambda pod: pod["status"]["podIP"])]
    for pod in behind:
        own = pod["spec"].get("hostname")
        if own and pod["spec"].get("subdomain") == name:
            full = [f"{own}.{each}" for each in names.split()]
            lines.append(f"{pod['status']['podIP']}\t{' '.join(full)}")
    if not lines and spec.get("clusterIP") != "None":
        return [f"{REFUSES}\t{names}"]
    return lines


def _serves(pod: Json, *, unready_too: bool) -> bool:
    status = pod.get("status", {})
    if not status.get("podIP") or status.get("phase") in {"Succeeded", "Failed"}:
        return False
    ready = any((item["type"], item["status"]) == ("Ready", "True") for item in status.get("conditions") or [])
    return unready_too or (ready and "deletionTimestamp" not in pod["metadata"])
