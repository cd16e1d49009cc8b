"""Slack's deliveries through Bolt: told to whom they concern, answered only when they are stored.

Bolt by default acknowledges an event before its listener runs. `process_before_response` turns that round:
the listener runs first, and what it raises becomes the answer. So `NotAccepted` leads to 503 over HTTP and
to no acknowledgement in Socket Mode, and Slack delivers again.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.context.ack.async_ack import AsyncAck
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse
from slack_sdk.web.async_client import AsyncWebClient

from chatops_bot.adapters.slack import inbound
from chatops_bot.adapters.slack.web import SDK_LOG
from chatops_bot.ports.chat import NotAccepted

log = logging.getLogger(__name__)

Body = dict[str, Any]
Headers = Mapping[str, str]
_ANY = re.compile(".*", re.DOTALL)
_NEEDED: dict[str, tuple[str, ...]] = {
    "event_callback": ("event", "type"),
    "view_submission": ("view", "callback_id"),
    "view_closed": ("view", "callback_id"),
    "shortcut": ("callback_id",),
    "message_action": ("callback_id",),
    "block_suggestion": ("action_id",),
}
"""Where Bolt looks, unasked, before any listener is chosen: a delivery without it is malformed."""


class Front:
    """Bolt's app with the listeners of this bot, registered once. Serves both transports.

    - `me` gives the bot's identity, None until it is known.
    - `name_of` gives a person's name or "" without asking anybody.
    - `take` stores what was read; it raises `NotAccepted` when that failed.
    """

    def __init__(
        self,
        *,
        client: AsyncWebClient,
        me: Callable[[], inbound.Self | None],
        name_of: Callable[[str], str],
        take: Callable[[inbound.Read], Awaitable[None]],
        command: str,
    ) -> None:
        self._me = me
        self._name_of = name_of
        self._take = take
        self._command = command
        self.app = AsyncApp(
            name="chatops-bot",
            logger=SDK_LOG,
            client=client,
            before_authorize=_Events(self._event),
            authorize=lambda: self._granted(),
            process_before_response=True,
            # Signatures are checked on the raw bytes before a delivery comes here (`events_http`).
            signing_secret="-",  # noqa: S106
            request_verification_enabled=False,
            ssl_check_enabled=False,
            attaching_conversation_kwargs_enabled=False,
        )
        self._listen()

    async def dispatch(self, body: object, headers: Headers) -> BoltResponse:
        """Slack's answer to one verified delivery: 200 acknowledges it, 4xx says what is wrong with it, 503 asks
        for it again."""
        if not isinstance(body, dict):
            return _malformed("the body is not an object")
        if body.get("type") == "app_rate_limited":
            log.error("Slack withholds events: more than 30,000 came in an hour")
            return BoltResponse(status=200, body="")
        if problem := _problem(body):
            return _malformed(problem)
        if "ssl_check" in body and "command" not in body:
            return BoltResponse(status=200, body="")
        if self._me() is None and body.get("type") != "url_verification":
            return BoltResponse(status=503, body={"error": "not connected to Slack yet"})
        if number := headers.get("x-slack-retry-num"):
            log.info(
                "delivered again by Slack (number %s, %s)", number, headers.get("x-slack-retry-reason", "no reason")
            )
        # As an object, not as text: Bolt takes any form with the word "payload" in it for one with that field.
        try:
            request = AsyncBoltRequest(body=body, headers=dict(headers), mode="socket_mode")
            answer = await self.app.async_dispatch(request)
        except (TypeError, AttributeError, KeyError, ValueError) as error:
            # Errors of the listeners below are answered within Bolt (`_failed`).
            return _malformed(f"Bolt cannot read it ({type(error).__name__} {error})")
        if answer.status == 404:
            log.warning("a delivery of unknown type %r is acknowledged unread", body.get("type"))
            return BoltResponse(status=200, body="")
        return answer

    def _listen(self) -> None:
        # Functions, because Bolt fills arguments by name and takes a bound method's `self` for one of them.
        async def action(body: Body, ack: AsyncAck) -> None:
            await self._action(body, ack)

        async def slash(body: Body, ack: AsyncAck) -> None:
            await self._slash(body, ack)

        self.app.error(_failed)
        self.app.action(_ANY)(action)
        self.app.command(_ANY)(slash)
        self.app.view(_ANY)(_unknown)
        self.app.shortcut(_ANY)(_unknown)
        self.app.options(_ANY)(_unknown)

    async def _granted(self) -> AuthorizeResult:
        """The one installation, as learned at the start: nothing is asked while an event waits."""
        me = self._me()
        if me is None:
            raise NotAccepted("not connected to Slack yet")
        return AuthorizeResult(
            enterprise_id=me.enterprise or None,
            team_id=me.team,
            bot_user_id=me.user,
            bot_id=me.bot or None,
            bot_token="-",  # noqa: S106  # no listener calls Slack; the token stays out of every request's context
        )

    async def _event(self, body: Body) -> None:
        await self._read(lambda me: inbound.read_event(body, me=me, name_of=self._name_of))

    async def _action(self, body: Body, ack: AsyncAck) -> None:
        if body.get("type") == "block_actions":
            await self._read(lambda me: inbound.read_click(body, me=me))
        else:
            log.warning("an action of type %r is acknowledged unread", body.get("type"))
        await ack()

    async def _slash(self, body: Body, ack: AsyncAck) -> None:
        if body.get("command") != self._command:
            log.warning("the command %r is none of this bot's: acknowledged unread", body.get("command"))
            await ack()
            return
        await self._read(lambda me: inbound.read_command(body, me=me, name_of=self._name_of))
        # Without a text of its own this shows the command to the channel, where its answer will be.
        await ack(response_type="in_channel")

    async def _read(self, read: Callable[[inbound.Self], inbound.Read]) -> None:
        me = self._me()
        if me is None:
            raise NotAccepted("not connected to Slack yet")
        try:
            found = read(me)
        except msgspec.ValidationError as error:
            log.warning("a delivery that cannot be read is acknowledged: %s", error)
            return
        await self._take(found)


class _Events(AsyncMiddleware):
    """Takes events before Bolt authorizes them and looks for listeners, which is half of what it costs and adds
    nothing here: who the bot is was learned at the start, and all events have one reader (`inbound`)."""

    def __init__(self, take: Callable[[Body], Awaitable[None]]) -> None:
        self._take = take

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,
        next: Callable[[], Awaitable[BoltResponse]],  # Bolt's name
    ) -> BoltResponse | None:
        if req.body.get("type") != "event_callback":
            return await next()
        await self._take(req.body)
        return BoltResponse(status=200, body="")


async def _unknown(body: Body, ack: AsyncAck) -> None:
    log.warning("a delivery of type %r is acknowledged unread: nothing here opens such things", body.get("type"))
    await ack()


async def _failed(error: Exception) -> BoltResponse:
    if isinstance(error, NotAccepted):
        log.warning("not acknowledged, Slack shall deliver it again: %s", error)
        return BoltResponse(status=503, body={"error": "not stored, deliver again"})
    log.error("not acknowledged, Slack shall deliver it again", exc_info=error)
    return BoltResponse(status=500, body={"error": "failed, deliver again"})


def _problem(body: Body) -> str:
    """What is missing in a delivery, or ""."""
    kind = body.get("type")
    if kind == "block_actions":
        actions = body.get("actions")
        first = actions[0] if isinstance(actions, list) and actions else None
        return "" if isinstance(first, dict) and isinstance(first.get("action_id"), str) else "no action in it"
    place: object = body
    for key in _NEEDED.get(kind, ()) if isinstance(kind, str) else ():
        place = place.get(key) if isinstance(place, dict) else None
    return "" if place is body or isinstance(place, str) else f"{'.'.join(_NEEDED[str(kind)])} is missing"


def _malformed(problem: str) -> BoltResponse:
    log.warning("a malformed delivery: %s", problem)
    return BoltResponse(status=400, body={"error": f"malformed: {problem}"}, headers={"x-slack-no-retry": "1"})
