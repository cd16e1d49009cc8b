"""Slack's deliveries over Socket Mode: connections that are watched, and rebuilt when the SDK's repair fails.

The SDK reconnects by itself, but it has been seen to stay dead while looking alive (slackapi/python-slack-sdk
#1446, #1701, #1922). So each connection has a supervisor that looks at it from outside.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine

import aiohttp
from slack_bolt.adapter.socket_mode.async_base_handler import AsyncBaseSocketModeHandler
from slack_bolt.adapter.socket_mode.async_internals import send_async_response
from slack_bolt.adapter.socket_mode.internals import build_headers
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.response import BoltResponse
from slack_sdk.errors import SlackApiError
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from chatops_bot.adapters.slack.front import Headers
from chatops_bot.adapters.slack.web import SDK_LOG
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import back_off, seconds

log = logging.getLogger(__name__)

Dispatch = Callable[[object, Headers], Awaitable[BoltResponse]]


class _Client(SocketModeClient):
    """The SDK's client, which here remembers its tasks, so that closing it leaves none behind."""

    running: set[asyncio.Task[object]]

    async def run_message_listeners(self, message: dict[str, object], raw_message: str) -> None:
        task = asyncio.current_task()
        if task is not None:
            self.running.add(task)
            task.add_done_callback(self.running.discard)
        await super().run_message_listeners(message, raw_message)


class Handler(AsyncBaseSocketModeHandler):
    """Bolt's handler for one connection. `told` is "hello" or "disconnect", whichever frame came last."""

    client: _Client

    def __init__(
        self, *, app: AsyncApp, app_token: str, web_client: AsyncWebClient, ping_s: float, dispatch: Dispatch
    ) -> None:
        self.app = app
        self.told = ""
        self._dispatch = dispatch
        self.client = _Client(app_token=app_token, logger=SDK_LOG, web_client=web_client, ping_interval=ping_s)
        self.client.running = set()
        self.client.socket_mode_request_listeners.append(self.handle)
        self.client.on_message_listeners.append(self._frame)

    async def handle(self, client: AsyncBaseSocketModeClient, req: SocketModeRequest) -> None:
        """Answer one envelope. A malformed one is acknowledged: it would not be better the next time."""
        headers = {name: str(value) for name, value in (build_headers(req) or {}).items()}
        answer = await self._dispatch(req.payload, headers)
        if 400 <= answer.status < 500:
            answer = BoltResponse(status=200, body="")
        if answer.status == 200 and not req.accepts_response_payload:
            answer = BoltResponse(status=200, body="")
        await send_async_response(client, req, answer, 0.0)

    async def close_quickly(self, within_s: float) -> None:
        """Let deliveries under way finish, then close; nothing of it is left running."""
        self.client.auto_reconnect_enabled = False
        if self.client.running:
            await asyncio.wait(set(self.client.running), timeout=within_s)
        try:
            async with asyncio.timeout(within_s):
                await _closing(self.client)()
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            log.info("a Slack connection did not close in time: %s", type(error).__name__)
        self.client.closed = True
        left = {self.client.message_processor, self.client.current_session_monitor, self.client.message_receiver}
        tasks = [task for task in [*left, *self.client.running] if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.client.aiohttp_client_session.close()

    async def _frame(self, message: aiohttp.WSMessage) -> None:
        try:
            frame = json.loads(message.data)
        except ValueError:
            log.warning("a frame from Slack is not JSON and was passed over")
            return
        kind = frame.get("type") if isinstance(frame, dict) else None
        if kind in {"hello", "disconnect"}:
            self.told = kind
            log.info("Slack says %s on a connection (%s)", kind, frame.get("reason") or frame.get("num_connections"))


class Connection:
    """One supervised connection.

    Every `look_s` it is looked at; when it has not been up for `patience_s` in a row, it is thrown away and
    built anew, after a pause that doubles up to `longest_s`. `jitter` gives numbers from 0 to 1.
    """

    def __init__(
        self,
        *,
        make: Callable[[], Handler],
        clock: Clock,
        jitter: Callable[[], float],
        look_s: float = 5,
        patience_s: float = 20,
        longest_s: float = 60,
        close_s: float = 3,
    ) -> None:
        self._make = make
        self._clock = clock
        self._jitter = jitter
        self._look_s = look_s
        self._patience_s = patience_s
        self._longest_s = longest_s
        self._close_s = close_s
        self._handler: Handler | None = None
        self._up = False
        self._told_to_wait_s = 0.0
        self.tried = asyncio.Event()
        """Set once the first attempt has succeeded or failed."""

    @property
    def up(self) -> bool:
        """Whether deliveries could arrive when it was last looked at."""
        return self._up

    async def run(self) -> None:
        """Until cancelled; nothing is left open then."""
        failures = 0
        try:
            while True:
                self._handler = handler = self._make()
                if await self._connect(handler):
                    failures = 0
                    await self._watch(handler)
                failures += 1
                self.tried.set()
                self._up = False
                await self._drop()
                pause = back_off(failures - 1, self._jitter(), longest_s=self._longest_s)
                pause = max(pause, self._told_to_wait_s)
                log.warning("a Slack connection is built anew in %.1f s", pause)
                await self._clock.sleep(pause)
        finally:
            self._up = False
            self.tried.set()
            await self._drop()

    async def _connect(self, handler: Handler) -> bool:
        client = handler.client
        try:
            client.wss_uri = await _address(client)
        except (SlackApiError, aiohttp.ClientError, TimeoutError, OSError, ValueError) as error:
            log.warning("no address for a Slack connection: %s", _reason(error))
            self._told_to_wait_s = _retry_after(error)
            return False
        self._told_to_wait_s = 0
        connecting = asyncio.create_task(_connecting(client)())
        waiting = asyncio.ensure_future(self._clock.sleep(self._patience_s))
        try:
            # The SDK tries for ever, with an address that is good for one use.
            await asyncio.wait({connecting, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if connecting.done():
                return True
            log.warning("a Slack connection could not be opened within %g s", self._patience_s)
            return False
        finally:
            for task in (connecting, waiting):
                task.cancel()
            await asyncio.gather(connecting, waiting, return_exceptions=True)

    async def _watch(self, handler: Handler) -> None:
        """Returns when the connection has been down for too long."""
        down_since: float | None = None
        while True:
            self._up = await handler.client.is_connected() and handler.told != "disconnect"
            self.tried.set()
            now = self._clock.monotonic()
            if self._up:
                down_since = None
            elif down_since is None:
                down_since = now
                log.warning("a Slack connection is down")
            elif now - down_since >= self._patience_s:
                return
            await self._clock.sleep(self._look_s)

    async def _drop(self) -> None:
        handler, self._handler = self._handler, None
        if handler is not None:
            await handler.close_quickly(self._close_s)


def _connecting(client: SocketModeClient) -> Callable[[], Coroutine[None, None, None]]:
    return client.connect


def _closing(client: SocketModeClient) -> Callable[[], Coroutine[None, None, None]]:
    return client.close


async def _address(client: SocketModeClient) -> str:
    response = await client.web_client.apps_connections_open(app_token=client.app_token)
    address = response.get("url")
    if not isinstance(address, str):
        raise ValueError("apps.connections.open gave no address")  # noqa: TRY004  # of the answer, not of a caller
    return address


def _retry_after(error: Exception) -> float:
    headers = getattr(error.response, "headers", None) if isinstance(error, SlackApiError) else None
    return seconds((headers or {}).get("Retry-After", ""))


def _reason(error: Exception) -> str:
    if isinstance(error, SlackApiError):
        data = getattr(error.response, "data", {})
        code = data.get("error") if isinstance(data, dict) else None
        return f"apps.connections.open: {code or getattr(error.response, 'status_code', 'no JSON')}"
    return f"{type(error).__name__} {error}".rstrip()
