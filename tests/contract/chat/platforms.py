"""The platforms of the suite, each in every way in which it reaches the bot, and how its API says no."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from chatops_bot.adapters.console.fake import ConsoleWire
from chatops_bot.adapters.feishu.connection import load
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.slack.fake import SlackWire
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Fault, Wire


async def _nothing() -> None:
    return


async def _sdk() -> None:
    """Else the start would return before it has connected."""
    await asyncio.to_thread(load)


@dataclass(frozen=True)
class Platform:
    """`post` and `update` are the API's methods; `limited` is its answer to too many calls, `away` to anything that
    does not work, `refused` to a post where the bot may not speak, `gone` to a change of a card that is not there."""

    make: Callable[[Clock], Wire]
    post: str
    update: str
    limited: Fault
    refused: Fault
    gone: Fault
    away: Fault
    room: str = "ops"
    prepare: Callable[[], Awaitable[None]] = _nothing
    connected: str = ""
    """Deliveries come over a connection that is opened by this method."""
    opening: bool = False
    """The first answer to a message is fetched by the platform: no call of the bot."""


_SLACK = Platform(
    make=lambda clock: SlackWire(clock=clock),
    post="chat.postMessage",
    update="chat.update",
    limited=Fault(status=429, retry_after_s=3),
    refused=Fault(code="is_archived"),
    gone=Fault(code="message_not_found"),
    away=Fault(status=502),
)
_FEISHU = Platform(
    make=lambda clock: FeishuWire(clock=clock),
    post="messages.create",
    update="messages.patch",
    limited=Fault(status=400, code="230020", retry_after_s=3),
    refused=Fault(status=400, code="230002"),
    gone=Fault(status=400, code="230011"),
    away=Fault(status=502),
)
_ROBOT = Platform(
    make=lambda clock: FakeWeCom(clock, "socket"),
    post="aibot_respond_msg",
    update="aibot_respond_update_msg",
    limited=Fault(code="45009"),
    refused=Fault(code="40008"),
    gone=Fault(code="846605"),
    away=Fault(code="-1"),
    connected="connect",
)
_APP = Platform(
    make=lambda clock: FakeWeCom(clock, "app"),
    post="message/send",
    update="message/update_template_card",
    limited=Fault(code="45009"),
    refused=Fault(code="81013"),
    gone=Fault(code="40058"),
    away=Fault(status=502),
    room="alice",
)
_CONSOLE = Platform(
    make=lambda clock: ConsoleWire(clock=clock),
    post="post",
    update="update",
    limited=Fault(status=429, retry_after_s=3),
    refused=Fault(code="closed"),
    gone=Fault(code="gone"),
    away=Fault(status=502),
)

PLATFORMS: dict[str, Platform] = {
    "slack-http": _SLACK,
    "slack-socket": replace(
        _SLACK, make=lambda clock: SlackWire(clock=clock, mode="socket"), connected="apps.connections.open"
    ),
    "feishu-webhook": _FEISHU,
    "feishu-connection": replace(
        _FEISHU, make=lambda clock: FeishuWire(clock=clock, mode="connection"), prepare=_sdk, connected="ws.endpoint"
    ),
    "wecom-robot-socket": _ROBOT,
    "wecom-robot-http": replace(
        _APP, make=lambda clock: FakeWeCom(clock, "http"), post="response_url", room="ops", opening=True
    ),
    "wecom-app": _APP,
    "console": _CONSOLE,
}
