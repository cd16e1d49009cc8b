"""People in a Slack workspace whose events reach the ready pods of an installed bot, as through a Service."""

from __future__ import annotations

import asyncio
import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import httpx

from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import BOT_USER

Json = dict[str, Any]
ALICE, BOB = "U1", "U2"
BOT_TOKEN = "xoxb-test"
PORT = 8081
PATIENCE_S = 30.0


class Team:
    """`ready` names the addresses that a Service would lead to. What is not acknowledged is delivered again, as Slack
    does, here until it is; `refused` counts those deliveries."""

    def __init__(self, slack: FakeSlack, ready: Callable[[], list[str]]) -> None:
        self.slack = slack
        self.refused = 0
        self._ready = ready
        self._numbers = itertools.count(1)
        for user, name in ((ALICE, "alice"), (BOB, "bob")):
            slack.workspace.user(user, name)

    async def say(self, user: str, text: str, *, thread: str = "") -> None:
        """Mention the bot. Slack delivers that as two events."""
        number = next(self._numbers)
        ts = f"{int(time.time())}.{number:06d}"
        more = {"thread_ts": thread} if thread else {}
        posts = [make(f"<@{BOT_USER}> {text}", user=user, ts=ts, **more) for make in _POSTS]
        events = [deliveries.event(post, id=f"Ev{number}{part}") for post, part in zip(posts, "ab", strict=True)]
        await asyncio.gather(*(self._deliver(deliveries.as_json(event)) for event in events))

    async def click(self, user: str, card: Json, button: str) -> None:
        """Press a button as it was posted."""
        stamp = f"{int(time.time())}.{next(self._numbers):06d}"
        more = {"thread_ts": card["thread_ts"]} if "thread_ts" in card else {}
        value = buttons(card)[button]["value"]
        payload = deliveries.click(button, value, message_ts=card["ts"], user=user, action_ts=stamp, **more)
        await self._deliver(deliveries.as_interaction(payload))

    async def card(self, saying: str) -> Json:
        """The newest post of the bot that says something, once it is there; as it is now, not as it becomes."""
        ends = time.monotonic() + PATIENCE_S
        while not (found := self.saying(saying)):
            assert time.monotonic() < ends, f"no card says {saying!r}; there are {self.texts()}"
            await asyncio.sleep(0.03)
        copied: Json = json.loads(json.dumps(found[-1]))
        return copied

    def saying(self, words: str) -> list[Json]:
        return [post for post in self.slack.workspace.messages() if words in json.dumps(post, ensure_ascii=False)]

    def texts(self) -> list[str]:
        return [post["text"] for post in self.slack.workspace.messages()]

    async def _deliver(self, body: bytes) -> None:
        ends = time.monotonic() + PATIENCE_S
        async with httpx.AsyncClient(trust_env=False, timeout=3) as client:
            for number in itertools.count():
                addresses = await asyncio.to_thread(self._ready)
                retry = {"x-slack-retry-num": str(number), "x-slack-retry-reason": "http_error"} if number else {}
                headers = deliveries.signed(body, now=time.time(), **retry)
                if addresses and await _taken(client, addresses[number % len(addresses)], body, headers):
                    return
                self.refused += 1
                assert time.monotonic() < ends, f"nobody takes it: {body!r}"
                await asyncio.sleep(0.1)


_POSTS = (deliveries.message, deliveries.mention)


def buttons(card: Json) -> dict[str, Json]:
    """Of a post, by their action ids."""
    rows = [block["elements"] for block in card["blocks"] if block["type"] == "actions"]
    return {element["action_id"]: element for row in rows for element in row}


async def _taken(client: httpx.AsyncClient, address: str, body: bytes, headers: dict[str, str]) -> bool:
    try:
        answer = await client.post(f"http://{address}:{PORT}/slack/events", content=body, headers=headers)
    except httpx.TransportError:
        return False
    return answer.status_code == 200
