"""The cluster of a run: a sandbox behind a front that loses, delays and refuses requests, and shows every write
to the judge at the moment at which it takes effect."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final, Literal

import msgspec

from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.sandbox.access import BOT, User
from chatops_bot.adapters.sandbox.http import DroppedError, HttpRequest, HttpServer, Reply
from chatops_bot.adapters.sandbox.journal import RequestRecord
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, STATEFULSETS
from chatops_bot.domain.entities import Entity
from tests.safety.scene import CLUSTER_HEAD, SERVICES

Kind = Literal["write", "dry run", "read"]
Fate = Literal["503", "500 after", "409", "429", "cut", "cut after", "hold", "late", "die", "die after", "freeze"]
FATES: Final[tuple[Fate, ...]] = (
    "503", "500 after", "409", "429", "cut", "cut after", "hold", "late", "die", "die after", "freeze",
)  # fmt: skip
"""`hold`: answered when released; `late`: the client hears nothing, the request arrives when released; `die` and
`freeze`: what happens to the worker that asked."""

_SOMEBODY = "somebody"
_PLURALS = {"Deployment": DEPLOYMENTS, "StatefulSet": STATEFULSETS}
MOST_OPEN: Final = 2
"""Threads of a worker's write side: more requests held than that would only stop everything."""


class Before(msgspec.Struct, frozen=True):
    """A workload as it was the moment before a write."""

    uid: str = ""
    replicas: int = -1
    version: str = ""


class Doom(msgspec.Struct):
    """What the next requests of a kind meet."""

    kind: Kind
    fate: Fate
    left: int = 1


class ClusterUnderTest:
    """`wrote` is told of every request that would change something, with what was there before and the moment at
    which it was sent."""

    def __init__(
        self,
        clock: Callable[[], float],
        *,
        moment: Callable[[], int],
        wrote: Callable[[RequestRecord, Before, int], None],
        strike: Callable[[int, Fate], None],
        seed: str,
    ) -> None:
        self.sandbox = Sandbox(clock, seed=seed)
        self.sandbox.apply(CLUSTER_HEAD)
        self.sandbox.access.tokens[_SOMEBODY] = User("somebody")
        self._moment = moment
        self._wrote = wrote
        self._strike = strike
        self._server = HttpServer(self._front)
        self._released = asyncio.Event()
        self._late: set[asyncio.Task[None]] = set()
        self.dooms: list[Doom] = []
        self.held = 0
        self.activity = 0

    async def start(self) -> None:
        await self.sandbox.settle()
        await self._server.start()

    async def stop(self) -> None:
        self.release()
        await self._server.stop()
        await asyncio.gather(*self._late, return_exceptions=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.port}"

    def token_of(self, worker: int) -> str:
        """Who asks is seen by the bearer token; all of them are the bot."""
        token = f"worker-{worker}"
        self.sandbox.access.tokens[token] = BOT
        return token

    def down(self, away: bool) -> None:
        """Connections are refused, or taken again."""
        if away:
            self._server.refuse()
        else:
            self._server.accept()

    def release(self) -> None:
        """What was held or late arrives now."""
        self._released.set()
        self._released = asyncio.Event()

    # Somebody else.

    def scale(self, entity: Entity, replicas: int) -> None:
        workload = {"kind": entity.kind, "namespace": entity.namespace, "name": entity.workload, "replicas": replicas}
        self.sandbox.apply({"workloads": [workload]})

    async def delete(self, entity: Entity) -> None:
        path = f"/apis/apps/v1/namespaces/{entity.namespace}/{_PLURALS[entity.kind].plural}/{entity.workload}"
        headers = [("authorization", f"Bearer {_SOMEBODY}"), ("content-type", "application/json")]
        await self.sandbox.handle(HttpRequest("DELETE", path, {}, headers, b'{"propagationPolicy": "Background"}'))
        await self.sandbox.settle()

    def create(self, entity: Entity, replicas: int) -> None:
        workload = {"kind": entity.kind, "namespace": entity.namespace, "name": entity.workload, "replicas": replicas}
        self.sandbox.apply({"workloads": [{**workload, "image": "reg/app:1.0"}]})

    def look(self, namespace: str, plural: str, name: str) -> Before:
        """A workload as it is now."""
        resource = DEPLOYMENTS if plural == DEPLOYMENTS.plural else STATEFULSETS
        found = self.sandbox.store.get(resource, namespace, name)
        if found is None:
            return Before()
        metadata = found["metadata"]
        replicas = found["spec"].get("replicas", 1)
        return Before(uid=metadata["uid"], replicas=replicas, version=str(metadata["resourceVersion"]))

    def exists(self, entity: Entity) -> bool:
        return bool(self.look(entity.namespace, _PLURALS[entity.kind].plural, entity.workload).uid)

    def replicas(self, entity: Entity) -> int:
        return self.look(entity.namespace, _PLURALS[entity.kind].plural, entity.workload).replicas

    # The front.

    async def _front(self, request: HttpRequest) -> Reply:
        self.activity += 1
        doom, sent = self._doom(request), self._moment()
        worker = int(request.header("authorization").rpartition("-")[2] or 0)
        match doom:
            case "503" | "429" | "409":
                return _status(int(doom))
            case "cut":
                raise DroppedError
            case "hold" if self.held < MOST_OPEN:
                await self._until_released()
            case "late":
                task = asyncio.create_task(self._arrive_late(request, sent))
                self._late.add(task)
                task.add_done_callback(self._late.discard)
                raise DroppedError
            case "die" | "freeze":
                self._strike(worker, doom)
        reply = await self._handle(request, sent)
        match doom:
            case "500 after":
                return _status(500)
            case "cut after":
                raise DroppedError
            case "die after":
                self._strike(worker, doom)
        return reply

    def _doom(self, request: HttpRequest) -> Fate | None:
        kind = kind_of(request)
        doom = next((doom for doom in self.dooms if doom.kind == kind), None)
        if doom is None:
            return None
        doom.left -= 1
        if doom.left <= 0:
            self.dooms.remove(doom)
        return doom.fate

    async def _until_released(self) -> None:
        self.held += 1
        try:
            await self._released.wait()
        finally:
            self.held -= 1

    async def _arrive_late(self, request: HttpRequest, sent: int) -> None:
        await self._released.wait()
        await self._handle(request, sent)

    async def _handle(self, request: HttpRequest, sent: int) -> Reply:
        """Carried out without a pause: what was looked at before is what was there."""
        parts = request.path.strip("/").split("/")
        before = self.look(parts[4], parts[5], parts[6]) if request.method == "PATCH" and len(parts) == 7 else Before()
        reply = await self.sandbox.handle(request)
        record = self.sandbox.requests[-1]
        if record.is_write:
            self._wrote(record, before, sent)
        return reply


def kind_of(request: HttpRequest) -> Kind:
    if request.method == "GET" or "selfsubject" in request.path:
        return "read"
    return "dry run" if request.query.get("dryRun") else "write"


def _status(code: int) -> Reply:
    reasons = {409: "Conflict", 429: "TooManyRequests", 500: "InternalError", 503: "ServiceUnavailable"}
    body: dict[str, Any] = {"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code}
    body |= {"reason": reasons[code], "message": "made on purpose"}
    return Reply(code, json.dumps(body).encode())


def entity_of(namespace: str, workload: str) -> Entity | None:
    """The catalog's entity of a workload."""
    found = (service.entity for service in SERVICES)
    return next((e for e in found if (e.namespace, e.workload) == (namespace, workload)), None)
