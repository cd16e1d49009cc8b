"""Events of pods, written beside everything else: nothing waits for them."""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass

from tests.cluster.kubelet.client import UNREACHABLE, Client, Json
from tests.cluster.kubelet.clock import now, stamp


@dataclass(frozen=True)
class Note:
    """What an Event says; `container` is empty where it is about the whole pod."""

    reason: str
    message: str
    warning: bool = False
    container: str = ""
    count: int = 1


class Recorder:
    def __init__(self, client: Client) -> None:
        self._client = client
        self._queue: asyncio.Queue[tuple[str, Json]] = asyncio.Queue()

    def tell(self, pod: Json, note: Note) -> None:
        metadata = pod["metadata"]
        at = stamp(now())
        where = {"fieldPath": f"spec.containers{{{note.container}}}"} if note.container else {}
        event = {
            "metadata": {"name": f"{metadata['name']}.{secrets.token_hex(8)}", "namespace": metadata["namespace"]},
            "involvedObject": {
                "kind": "Pod",
                "apiVersion": "v1",
                **{field: metadata[field] for field in ("namespace", "name", "uid", "resourceVersion")},
                **where,
            },
            "type": "Warning" if note.warning else "Normal",
            "reason": note.reason,
            "message": note.message,
            "count": note.count,
            "firstTimestamp": at,
            "lastTimestamp": at,
            "source": {"component": "kubelet", "host": pod["spec"]["nodeName"]},
            "reportingComponent": "kubelet",
            "reportingInstance": pod["spec"]["nodeName"],
        }
        self._queue.put_nowait((f"/api/v1/namespaces/{metadata['namespace']}/events", event))

    async def run(self) -> None:
        """A refusal (a namespace that ends) or a server that is away costs the Event, no more, as with a kubelet."""
        while True:
            path, event = await self._queue.get()
            try:
                await self._client.send("POST", path, event)
            except UNREACHABLE:
                await asyncio.sleep(0.2)
