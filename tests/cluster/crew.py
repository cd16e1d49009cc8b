"""Two processes of the bot in one Slack workspace, on one Redis, before one real cluster, each sent whatever the test
wants it to be sent. The bot's account there may do what the README's role grants, in one namespace."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import yaml

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_USER
from tests.cluster.account import Account
from tests.cluster.api import Api
from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Proxy
from tests.cluster.weather import Sent
from tests.fakes.clock import ManualClock
from tests.scenario.running import PATIENCE_S, Running, started, until

Json = dict[str, Any]

ALICE, BOB = "U1", "U2"
PEOPLE = tuple(f"U{number}" for number in range(1, 51))
"""Everybody in the workspace; alice and bob are the first."""
OPEN: Json = {"rules": [{"confirm": [f"slack:{ALICE}", f"slack:{BOB}"]}]}
SECRETS = {"CHATOPS_SLACK__BOT_TOKEN": "xoxb-test", "CHATOPS_SLACK__SIGNING_SECRET": deliveries.SECRET}


@dataclass
class Worker:
    """One process, as Slack sees it."""

    running: Running
    http: httpx.AsyncClient

    async def take(self, payload: Json) -> None:
        """A delivery that it has to acknowledge."""
        clicked = payload["type"] == "block_actions"
        body = deliveries.as_interaction(payload) if clicked else deliveries.as_json(payload)
        answer = await self.http.post("/slack/events", content=body, headers=deliveries.signed(body, now=time.time()))
        assert answer.status_code == 200, answer.text

    async def ready(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while (await self.http.get("/readyz")).status_code != 200:  # noqa: ASYNC110 (another process gets ready)
                await asyncio.sleep(0.05)

    async def kill(self) -> None:
        """As the kernel does when there is no memory left."""
        assert await self.running.end(signal.SIGKILL) == -signal.SIGKILL


@dataclass
class Crew:
    """`one` reaches the API server through `proxy`, `other` does not."""

    one: Worker
    other: Worker
    slack: FakeSlack
    proxy: Proxy
    account: Account
    namespace: str
    controlplane: ControlPlane
    store: str
    numbers: count[int] = field(default_factory=lambda: count(1))

    def said(self, user: str, text: str) -> Json:
        """A mention of the bot, as it is delivered."""
        number = next(self.numbers)
        ts = f"{int(time.time())}.{number:06d}"
        return deliveries.event(deliveries.mention(f"<@{BOT_USER}> {text}", user=user, ts=ts), id=f"Ev{number}")

    def pressed(self, user: str, card: Json, button: str) -> Json:
        """A click, as it is delivered; each has a time of its own."""
        rows = [block["elements"] for block in card["blocks"] if block["type"] == "actions"]
        value = next(each["value"] for row in rows for each in row if each["action_id"] == button)
        more = {"thread_ts": card["thread_ts"]} if "thread_ts" in card else {}
        stamp = f"{int(time.time())}.{next(self.numbers):06d}"
        return deliveries.click(button, value, message_ts=card["ts"], user=user, action_ts=stamp, **more)

    async def card(self, *saying: str, within_s: float = PATIENCE_S) -> Json:
        """The newest post that says all of this, once it is there; as it is now, not as it becomes."""
        try:
            async with asyncio.timeout(within_s):
                while not (found := self._found(saying)):  # noqa: ASYNC110 (another process says it)
                    await asyncio.sleep(0.02)
        except TimeoutError:
            raise AssertionError(f"no card says {saying}; there are {self.texts()}") from None
        return json.loads(json.dumps(found[-1]))  # type: ignore[no-any-return]

    def _found(self, saying: tuple[str, ...]) -> list[Json]:
        posts = self.slack.workspace.messages()
        return [post for post in posts if all(part in json.dumps(post, ensure_ascii=False) for part in saying)]

    def texts(self) -> list[str]:
        return [post["text"] for post in self.slack.workspace.messages()]

    def sent(self, what: str = "write") -> list[tuple[str, Any]]:
        """What the API server carried out for the bot, by its own log: of `write` and `touch`, with the new spec."""
        events = self.controlplane.writes(user=self.account.user)
        found = [Sent.of(event) for event in events]
        return [(each.name, each.body.get("spec")) for each in found if each.what == what]

    async def until_ready(self, name: str, replicas: int) -> None:
        """Until the Deployment has so many pods, all ready."""
        path = f"/apis/apps/v1/namespaces/{self.namespace}/deployments/{name}"
        api = self.controlplane.api()
        await until(lambda: api.get(path).json["status"].get("readyReplicas", 0) == replicas, f"{replicas} of {name}")


def make(admin: Api, namespace: str) -> None:
    """A Deployment with a pod that keeps crashing, another one, and a StatefulSet."""
    for plural, name, replicas, stages in (
        ("deployments", "payment-svc", 2, ["Running", "CrashLoopBackOff"]),
        ("deployments", "web", 2, []),
        ("statefulsets", "order-db", 1, []),
    ):
        labels = {"app": name}
        annotations = {"kubelet.test/stages": json.dumps(stages)} if stages else {}
        container = {"name": "main", "image": "registry.test/plain:1"}
        template = {"metadata": {"labels": labels, "annotations": annotations}, "spec": {"containers": [container]}}
        spec: Json = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
        path = f"/apis/apps/v1/namespaces/{namespace}/{plural}"
        admin.make(path, {"metadata": {"name": name}, "spec": spec})
        admin.until(f"{path}/{name}", lambda live: live["status"].get("updatedReplicas") == live["spec"]["replicas"])


def configure(folder: Path, *, kubeconfig: Path, slack: FakeSlack, namespace: str, policy: Json) -> None:
    cluster = {
        "name": "prod-east",
        "kubeconfig": str(kubeconfig),
        "namespaces": [namespace],
        "environment": "prod",
    }
    content = {
        "clusters": [cluster],
        "slack": {"enabled": True, "mode": "http", "base_url": slack.url},
        "http": {"host": "127.0.0.1", "port": 0},
        "policy": policy,
    }
    folder.mkdir()
    (folder / "chatops-bot.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")


@asynccontextmanager
async def crew(controlplane: ControlPlane, namespace: str, folder: Path, *, policy: Json = OPEN) -> AsyncIterator[Crew]:
    """Both running and ready. The test ends them, or they are killed."""
    admin = controlplane.api()
    account = Account(admin, namespace)
    account.create()
    make(admin, namespace)
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(FakeSlack(ManualClock(time.time())))
        for number, person in enumerate(PEOPLE):
            slack.workspace.user(person, ("alice", "bob")[number] if number < 2 else f"person{number + 1}")
        proxy = await stack.enter_async_context(Proxy(controlplane))
        store = await EmbeddedServer.start(folder / "store", fsync="no")
        stack.push_async_callback(store.stop)
        workers: list[Worker] = []
        for name, server in (("one", proxy.url), ("other", controlplane.url)):
            kubeconfig = controlplane.kubeconfig(account.token(), name=f"{namespace}-{name}", server=server)
            configure(folder / name, kubeconfig=kubeconfig, slack=slack, namespace=namespace, policy=policy)
            starting = started("run", cwd=folder / name, REDIS_URL=store.url, **SECRETS)
            running = await stack.enter_async_context(starting)
            workers.append(Worker(running, httpx.AsyncClient()))
        for worker in workers:
            await worker.running.until_logged("running")
            client = httpx.AsyncClient(base_url=await worker.running.address("http"))
            worker.http = await stack.enter_async_context(client)
            await worker.ready()
        one, other = workers
        yield Crew(one, other, slack, proxy, account, namespace, controlplane, store.url)
