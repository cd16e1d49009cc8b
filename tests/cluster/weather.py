"""One place for bad weather: a namespace with workloads, the bot's account there, the proxy in front of the API server,
and a conversation. What happened is told by three witnesses: the bot's ledger, the cards that people read, and what
the API server recorded of the bot's requests.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from chatops_bot.adapters.kubernetes.connection import LIMITS, Limits
from chatops_bot.adapters.redis.client import connect
from chatops_bot.domain.objects import PLAN_ANNOTATION, SETTLED_ANNOTATION
from tests.cluster.account import Account
from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Proxy
from tests.cluster.talk import CommonClock, Talk, service, talk

Json = dict[str, Any]

DATABASE = 7
"""Of the store that all tests share: this one is emptied."""

SHORT = Limits(connect_s=1.0, read_s=0.3, deadline_s=0.6)
"""For a server that is slower than that."""


@dataclass(frozen=True)
class Sent:
    """One patch by the bot, as the API server recorded it: `write` (of a plan), `touch` or `dry run`, and its answer."""

    what: str
    name: str
    code: int
    body: Json

    @classmethod
    def of(cls, event: Json) -> Self:
        body = event.get("requestObject", {})
        marks = body.get("metadata", {}).get("annotations", {})
        kind = "touch" if SETTLED_ANNOTATION in marks else "write" if PLAN_ANNOTATION in marks else "other"
        what = "dry run" if "dryRun=" in event["requestURI"] else kind
        return cls(what, event["objectRef"]["name"], event["responseStatus"]["code"], body)


class Weather:
    """`talk` goes through `proxy` to the API server, as `account`."""

    def __init__(self, controlplane: ControlPlane, namespace: str) -> None:
        self.controlplane = controlplane
        self.namespace = namespace
        self.admin = controlplane.api()
        self.account = Account(self.admin, namespace)
        self._audit = controlplane.folder / "audit.log"
        self._begun = self._audit.stat().st_size
        self.deployments = f"/apis/apps/v1/namespaces/{namespace}/deployments"
        self.token = ""
        self.store = ""
        self.kubeconfig: Path
        self.proxy: Proxy
        self.talk: Talk

    def make(self, name: str, *, replicas: int = 2, annotations: Json | None = None, **spec: Any) -> Json:
        """A Deployment; `annotations` are its pods'."""
        template = {
            "metadata": {"labels": {"app": name}, "annotations": annotations or {}},
            "spec": {
                "containers": [{"name": "main", "image": "registry.test/plain:1"}],
                "terminationGracePeriodSeconds": 1,
            },
        }
        content = {"replicas": replicas, "selector": {"matchLabels": {"app": name}}, "template": template, **spec}
        return self.admin.make(self.deployments, {"metadata": {"name": name}, "spec": content})

    def settled(self, name: str) -> Json:
        """The Deployment, once all its pods are ready: nothing moves its version any more but people."""

        def at_rest(found: Json) -> bool:
            status, replicas = found.get("status", {}), found["spec"]["replicas"]
            counts = [status.get(count, 0) for count in ("replicas", "readyReplicas", "availableReplicas")]
            return bool(
                status.get("observedGeneration") == found["metadata"]["generation"] and counts == [replicas] * 3
            )

        found: Json = self.admin.until(f"{self.deployments}/{name}", at_rest)
        return found

    def read(self, name: str) -> Json:
        found: Json = self.admin.get(f"{self.deployments}/{name}").json
        return found

    def replicas(self, name: str) -> int:
        return int(self.read(name)["spec"]["replicas"])

    def sent(self, *what: str) -> list[Sent]:
        """The bot's patches, oldest first."""
        with self._audit.open("rb") as file:
            file.seek(self._begun)
            lines = file.read().rpartition(b"\n")[0].splitlines()
        # Read here and not by `ControlPlane.audit`: a long run's record is long, and this is asked often.
        events = [json.loads(line) for line in lines if self.account.user.encode() in line]
        every = [Sent.of(event) for event in events if event["verb"] == "patch"]
        return [sent for sent in every if not what or sent.what in what]

    async def until_sent(self, *wanted: tuple[str, int]) -> None:
        """Until the API server has recorded exactly these writes and touches (the record follows the answer)."""
        await until(lambda: len(self.sent("write", "touch")) >= len(wanted), "the API server's record")
        assert [(sent.what, sent.code) for sent in self.sent("write", "touch")] == list(wanted)


async def until(holds: Callable[[], Any], what: str, limit_s: float = 60) -> None:
    """Let the loop run until something holds; the limit only ends a test that has failed."""

    async def asked() -> bool:
        return bool(holds())

    await eventually(asked, what, limit_s)


async def eventually(holds: Callable[[], Awaitable[bool]], what: str, limit_s: float = 60) -> None:
    """The same where one has to wait for the answer too, as of the store."""
    ends = time.monotonic() + limit_s
    while not await holds():
        assert time.monotonic() < ends, f"waited for {what}"
        await asyncio.sleep(0.02)


@asynccontextmanager
async def place(
    controlplane: ControlPlane, namespace: str, redis: str, *, names: tuple[str, ...] = ("web",)
) -> AsyncIterator[Weather]:
    """With these Deployments of two replicas, and nobody yet to ask about them."""
    async with Proxy(controlplane) as proxy:
        made = Weather(controlplane, namespace)
        made.proxy = proxy
        made.account.create()
        made.token = made.account.token()
        made.kubeconfig = controlplane.kubeconfig(
            made.token, name=f"{namespace}-bot", namespace=namespace, server=proxy.url
        )
        for name in names:
            made.make(name)
        for name in names:
            made.settled(name)
        made.store = f"{redis}?db={DATABASE}"
        client = connect(made.store)
        await client.command("FLUSHDB")
        await client.close()
        yield made


@asynccontextmanager
async def weather(
    controlplane: ControlPlane,
    namespace: str,
    redis: str,
    *,
    limits: Limits = LIMITS,
    names: tuple[str, ...] = ("web",),
    clock: CommonClock | None = None,
) -> AsyncIterator[Weather]:
    """With these Deployments of two replicas, which the bot can be asked about."""
    services = [service(namespace, name) for name in names]
    async with (
        place(controlplane, namespace, redis, names=names) as made,
        talk(redis=made.store, kubeconfig=made.kubeconfig, services=services, limits=limits, clock=clock) as made.talk,
    ):
        yield made
