"""The interrupted incident as Slack delivers it, into the running bot: signed payloads over HTTP, envelopes over Socket
Mode. Slack is a fake on the loopback. The cluster is the sandbox, where the bot may do what the README's role grants and
nothing else, and whose log of requests says what was really done."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.sandbox.access import BOT_TOKEN, Access
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_USER, ROOM
from tests.fakes.clock import ManualClock
from tests.scenario.running import PATIENCE_S, Running, started, until
from tests.scenario.test_readme import files

Json = dict[str, Any]

BOT_TOKEN_OF_SLACK = "xoxb-test"
APP_TOKEN = "xapp-test"
NAMESPACES = ("payments", "data")
ALICE, BOB, GUEST = "U1", "U2", "U3"
ASKS = f"<@{BOT_USER}> payment-svc in prod seems to time out, how are its pods?"
INTERRUPTS = f"<@{BOT_USER}> any slow queries in order-db?"
ORDERS = f"<@{BOT_USER}> ok, scale it to 5"
ROLE: Json = yaml.safe_load(files()["rbac.yaml"])
SHOP: Json = {
    "workloads": [
        {
            "kind": "Deployment",
            "namespace": "payments",
            "name": "payment-svc",
            "replicas": 2,
            "pods": ["Running", "CrashLoopBackOff"],
        },
        {"kind": "StatefulSet", "namespace": "data", "name": "order-db", "replicas": 3},
    ]
}


@dataclass
class Incident:
    """The running bot between a fake Slack and a sandbox cluster."""

    running: Running
    slack: FakeSlack
    sandbox: Sandbox
    http: httpx.AsyncClient
    mode: str
    numbers: count[int] = field(default_factory=lambda: count(1))

    async def deliver(self, payload: Json, *, retry: int = 0) -> None:
        """One delivery, which the bot has to acknowledge."""
        if self.mode == "http":
            answer = await self.post(payload, retry=retry)
            assert answer.status_code == 200, answer.text
            return
        kind = "events_api" if payload["type"] == "event_callback" else "interactive"
        reason = "timeout" if retry else ""
        envelope = await self.slack.deliver(kind, payload, retry_attempt=retry, retry_reason=reason)
        await until(lambda: self.slack.acked(envelope), "the acknowledgement")

    async def post(
        self, payload: Json, *, secret: str = deliveries.SECRET, late_s: float = 0, retry: int = 0
    ) -> httpx.Response:
        """One delivery over HTTP, signed."""
        headers = {"x-slack-retry-num": str(retry), "x-slack-retry-reason": "http_timeout"} if retry else {}
        clicked = payload["type"] == "block_actions"
        body = deliveries.as_interaction(payload) if clicked else deliveries.as_json(payload)
        signed = deliveries.signed(body, now=time.time() - late_s, secret=secret, **headers)
        return await self.http.post("/slack/events", content=body, headers=signed)

    async def say(self, user: str, text: str) -> Json:
        """Somebody mentions the bot: Slack delivers that post as two events, here side by side. The first of them."""
        number = next(self.numbers)
        ts = f"{int(time.time())}.{number:06d}"
        both = (deliveries.message(text, user=user, ts=ts), deliveries.mention(text, user=user, ts=ts))
        events = [deliveries.event(each, id=f"Ev{number}{part}") for each, part in zip(both, "ab", strict=True)]
        await asyncio.gather(*(self.deliver(event) for event in events))
        return events[0]

    async def click(self, user: str, card: Json, button: str) -> None:
        """Somebody presses a button as it was posted; each press has a time of its own."""
        await self.deliver(self.press(user, card, button))

    def press(self, user: str, card: Json, button: str) -> Json:
        value = buttons(card)[button]["value"]
        more = {"thread_ts": card["thread_ts"]} if "thread_ts" in card else {}
        stamp = f"{int(time.time())}.{next(self.numbers):06d}"
        return deliveries.click(button, value, message_ts=card["ts"], user=user, action_ts=stamp, **more)

    async def card(self, saying: str) -> Json:
        """The newest post of the bot that says something, once it is there; as it is now, not as it becomes."""
        await until(lambda: self._found(saying), f"a card that says {saying!r}; there are {self.texts()}")
        return json.loads(json.dumps(self._found(saying)[-1]))  # type: ignore[no-any-return]

    def _found(self, saying: str) -> list[Json]:
        return [post for post in self.slack.workspace.messages() if saying in json.dumps(post, ensure_ascii=False)]

    def texts(self) -> list[str]:
        return [post["text"] for post in self.slack.workspace.messages()]

    def writes(self) -> list[tuple[str, str, Any]]:
        """What changed the cluster, by the cluster's own log; beside it stands what the bot tells of that."""
        found = [each for each in self.sandbox.writes() if each.resource != "events"]
        return [(each.verb, each.name, each.body["spec"]) for each in found]

    async def ready(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while (await self.http.get("/readyz")).status_code != 200:  # noqa: ASYNC110 (another process gets ready)
                await asyncio.sleep(0.05)


def buttons(card: Json) -> dict[str, Json]:
    """The buttons of a post, by their action ids."""
    rows = [block["elements"] for block in card["blocks"] if block["type"] == "actions"]
    return {element["action_id"]: element for row in rows for element in row}


def configure(folder: Path, *, slack: FakeSlack, sandbox: Sandbox, mode: str) -> Mapping[str, str]:
    """Write the configuration as a platform team has it, the secrets beside it; the environment to start it with."""
    (folder / "cluster-token").write_text(BOT_TOKEN, encoding="utf-8")
    content = {
        "clusters": [
            {
                "name": "prod-east",
                "url": sandbox.url,
                "token_file": "cluster-token",
                "namespaces": list(NAMESPACES),
                "environment": "prod",
            },
        ],
        "slack": {"enabled": True, "mode": mode, "base_url": slack.url},
        "http": {"host": "127.0.0.1", "port": 0},
        "policy": {
            "groups": {"sre": [f"slack:{ALICE}", f"slack:{BOB}"]},
            "rules": [{"actions": ["scale"], "environments": ["prod"], "confirm": ["sre"]}],
        },
    }
    (folder / "chatops-bot.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    secret = {"CHATOPS_SLACK__SIGNING_SECRET": deliveries.SECRET} if mode == "http" else {}
    app = {"CHATOPS_SLACK__APP_TOKEN": APP_TOKEN} if mode == "socket" else {}
    return {"CHATOPS_SLACK__BOT_TOKEN": BOT_TOKEN_OF_SLACK, **secret, **app}


def as_the_readme_grants(access: Access) -> bool:
    """Whether the README's role, bound in both namespaces, allows this; and what anybody may ask about themselves."""
    if access.group in ("authentication.k8s.io", "authorization.k8s.io"):
        return access.verb == "create"
    return access.namespace in NAMESPACES and any(
        access.group in rule["apiGroups"] and access.resource in rule["resources"] and access.verb in rule["verbs"]
        for rule in ROLE["rules"]
    )


@asynccontextmanager
async def incident(folder: Path, mode: str) -> AsyncIterator[Incident]:
    """Everything running and ready; ended in order, with nothing in the bot's log that it calls an error."""
    async with FakeSlack(ManualClock(time.time())) as slack, Sandbox(time.time, auto=True) as sandbox:
        for user, name in ((ALICE, "alice"), (BOB, "bob")):
            slack.workspace.user(user, name)
        slack.workspace.user(GUEST, "gus", is_restricted=True)
        sandbox.apply(SHOP)
        await sandbox.settle()
        sandbox.access.authorizer = as_the_readme_grants
        environment = configure(folder, slack=slack, sandbox=sandbox, mode=mode)
        async with started("run", cwd=folder, **environment) as running:
            await running.until_logged("running")
            async with httpx.AsyncClient(base_url=await running.address("http")) as http:
                made = Incident(running, slack, sandbox, http, mode)
                await made.ready()
                yield made
                assert await running.end() == 0
        log = json.dumps(running.log)
        assert not [line for line in running.log if line.get("level") in ("error", "critical")]
        for secret in (deliveries.SECRET, BOT_TOKEN_OF_SLACK, APP_TOKEN, BOT_TOKEN):
            assert secret not in log


@pytest.mark.parametrize("mode", ["http", "socket"])
async def test_it_still_means_what_it_meant_before_the_interruption(tmp_path: Path, mode: str) -> None:
    async with incident(tmp_path, mode) as here:
        asked = await here.say(ALICE, ASKS)
        await here.card("payment-svc is degraded")
        await here.say(BOB, INTERRUPTS)
        await here.card("order-db is healthy")
        await here.say(BOB, f"<@{BOT_USER}> show me its logs")
        await here.card("Log of order-db-")
        await here.say(ALICE, ORDERS)
        plan = await here.card("2 → 5")
        assert "payment-svc" in plan["text"]
        assert "order-db" not in plan["text"]
        assert list(buttons(plan)) == ["confirm", "cancel", "modify"]
        assert len(here.texts()) == 4, "one card each, though every post came as two events"

        await here.deliver(asked, retry=1)
        await here.click(GUEST, plan, "confirm")
        await here.card("Guests may do nothing here")
        assert here.writes() == []

        # Twice by Bob, and once more by Alice, whose client has not seen the card change.
        await asyncio.gather(*(here.click(user, plan, "confirm") for user in (BOB, BOB, ALICE)))
        done = await here.card("Done: scale payment-svc")
        assert done["ts"] > plan["ts"], "the outcome stands below the refusal that came after the plan"
        left = next(post for post in here.slack.workspace.messages() if post["ts"] == plan["ts"])
        assert "below" in left["text"], "the plan's own card points to it"
        assert "confirm" not in {**buttons(done), **buttons(left)}
        await here.click(ALICE, plan, "confirm")
        await here.card("already done")

        assert here.writes() == [("patch", "payment-svc", {"replicas": 5})]

        await here.say(ALICE, f"<@{BOT_USER}> restart it")
        await here.card("Which one is")
        assert len([text for text in here.texts() if "payment-svc is degraded" in text]) == 1, "the retry did nothing"
        assert len(here.writes()) == 1


async def test_what_is_not_a_signed_message_of_slack_changes_nothing(tmp_path: Path) -> None:
    async with incident(tmp_path, "http") as here:
        order = deliveries.event(deliveries.message(f"<@{BOT_USER}> scale payment-svc to 5", user=ALICE))
        assert (await here.post(order, secret="guessed")).status_code == 401
        assert (await here.post(order, late_s=600)).status_code == 401
        unsigned = await here.http.post("/slack/events", json=order)
        assert unsigned.status_code == 401

        challenge = {"token": "t", "type": "url_verification", "challenge": "3eZbrw1aB1"}
        answer = await here.post(challenge)
        assert (answer.status_code, "3eZbrw1aB1" in answer.text) == (200, True)

        unknown = deliveries.event({"type": "a_kind_of_next_year", "channel": ROOM, "user": ALICE}, id="EvNew")
        assert (await here.post(unknown)).status_code == 200
        assert here.texts() == []

        # The bot is none the worse for it, and the refused order was not remembered as seen.
        assert (await here.post(order)).status_code == 200
        await here.card("2 → 5")
        assert here.writes() == []
