"""What is written to the object of a pod. Both only ever touch the very pod that is meant, not one of the same name."""

from __future__ import annotations

import enum
import logging

from tests.cluster.kubelet.client import UNREACHABLE, Client, Json

_log = logging.getLogger("kubelet")


class Outcome(enum.Enum):
    DONE = enum.auto()
    AGAIN = enum.auto()
    """The server is away, or has too much to do."""
    REFUSED = enum.auto()
    """The pod is gone, or the server does not take what was sent; no use to try again."""


def path_of(pod: Json) -> str:
    metadata = pod["metadata"]
    return f"/api/v1/namespaces/{metadata['namespace']}/pods/{metadata['name']}"


async def write_status(client: Client, pod: Json, status: Json) -> tuple[Outcome, Json]:
    """With what the server has made of it."""
    body = {"metadata": {"uid": pod["metadata"]["uid"]}, "status": status}
    return await _sent(client, "PATCH", f"{path_of(pod)}/status", body, "application/strategic-merge-patch+json")


async def remove(client: Client, pod: Json) -> Outcome:
    """For good: the kubelet has nothing left of it."""
    body = {"gracePeriodSeconds": 0, "preconditions": {"uid": pod["metadata"]["uid"]}}
    outcome, _ = await _sent(client, "DELETE", path_of(pod), body, "application/json")
    return outcome


async def _sent(client: Client, method: str, path: str, body: Json, kind: str) -> tuple[Outcome, Json]:
    try:
        code, answer = await client.send(method, path, body, kind=kind)
    except UNREACHABLE as problem:
        _log.info("%s %s: %s", method, path, problem)
        return Outcome.AGAIN, {}
    if code < 300:
        return Outcome.DONE, answer
    if code == 429 or code >= 500:
        return Outcome.AGAIN, answer
    if code not in {404, 409}:
        _log.error("%s %s: %s %s", method, path, code, answer.get("message"))
    return Outcome.REFUSED, answer
