"""A real `SlackChat` (real Bolt, real sockets) against the fake Slack, over either transport."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from chatops_bot.adapters.slack import SlackChat, SlackSettings
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import ROOM, TEAM
from chatops_bot.domain.identity import Room
from chatops_bot.ports.pictures import Painter
from tests.contract.chat.talk import Store
from tests.fakes.clock import ManualClock, until

HERE = Room(platform="slack", tenant=TEAM, channel=ROOM)


@dataclass
class Rig:
    """The bot's Slack side with everything around it."""

    slack: FakeSlack
    clock: ManualClock
    chat: SlackChat
    store: Store
    mode: str

    async def deliver(self, payload: dict[str, Any], **retry: Any) -> bool:
        """One delivery over the rig's transport; whether the bot acknowledged it."""
        if self.mode == "http":
            return (await self.http(payload, **retry)).status_code == 200
        kind = "slash_commands" if "command" in payload else "interactive"
        kind = "events_api" if payload.get("type") == "event_callback" else kind
        envelope = await self.slack.deliver(kind, payload, **retry)
        probe = await self.slack.deliver("interactive", {"type": "probe"})
        # Envelopes are handled side by side: the probe is certainly answered, and gives the other one its turn.
        await until(lambda: self.slack.acked(probe), "the answer to a probe")
        if self.store.hold is None:
            for _ in range(20):
                if self.slack.acked(envelope):
                    return True
                await asyncio.sleep(0.005)
        return self.slack.acked(envelope)

    async def http(self, payload: dict[str, Any], **retry: Any) -> httpx.Response:
        """One signed delivery over HTTP."""
        headers = {}
        if "retry_attempt" in retry:
            headers["x-slack-retry-num"] = str(retry["retry_attempt"])
            headers["x-slack-retry-reason"] = str(retry.get("retry_reason", "http_timeout"))
        if "command" in payload:
            body = deliveries.as_form(payload)
        elif payload.get("type") == "event_callback":
            body = deliveries.as_json(payload)
        else:
            body = deliveries.as_interaction(payload)
        return await self.raw(body, deliveries.signed(body, now=self.clock.now(), **headers))

    async def raw(self, body: bytes, headers: dict[str, str], method: str = "POST") -> httpx.Response:
        """Any request to the endpoint."""
        assert self.chat.endpoint
        transport = httpx.ASGITransport(app=self.chat.endpoint)
        async with httpx.AsyncClient(transport=transport, base_url="http://bot") as client:
            return await client.request(method, "/slack/events", content=body, headers=headers)


def settings(slack: FakeSlack, mode: str, **more: Any) -> SlackSettings:
    return SlackSettings(
        bot_token="xoxb-test",
        app_token="xapp-test" if mode == "socket" else "",
        signing_secret=deliveries.SECRET if mode == "http" else "",
        mode="http" if mode == "http" else "socket",
        base_url=slack.url,
        **{"connections": 1, "person_wait_s": 5, **more},
    )


@asynccontextmanager
async def rigged(
    mode: str,
    prepare: Callable[[FakeSlack], Awaitable[None]] | None = None,
    painter: Painter | None = None,
    **more: Any,
) -> AsyncIterator[Rig]:
    """A started chat; stopped at the end, with nothing of it left running."""
    clock = ManualClock()
    before = asyncio.all_tasks()
    async with FakeSlack(clock) as slack:
        slack.workspace.user("U1", "alice")
        slack.workspace.user("U2", "bob")
        if prepare:
            await prepare(slack)
        chosen = settings(slack, mode, **more)
        chat = SlackChat(chosen, clock=clock, random_bytes=lambda count: b"\x80" * count, painter=painter)
        store = Store()
        await chat.start(store)
        try:
            yield Rig(slack, clock, chat, store, mode)
        finally:
            await chat.stop()
            left = {
                task
                for task in asyncio.all_tasks() - before
                if "slack_sdk" in repr(task) or "chatops_bot" in repr(task)
            }
            assert not left, left


@pytest.fixture(params=["http", "socket"])
async def rig(request: pytest.FixtureRequest) -> AsyncIterator[Rig]:
    async with rigged(request.param) as made:
        yield made


@pytest.fixture
async def http_rig() -> AsyncIterator[Rig]:
    async with rigged("http") as made:
        yield made


@pytest.fixture
async def socket_rig() -> AsyncIterator[Rig]:
    async with rigged("socket") as made:
        yield made
