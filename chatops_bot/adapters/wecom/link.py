"""The robot's long connection: opened by the bot, watched, renewed.

Frames are those of 智能机器人长连接 (path/101463): JSON with `cmd`, `headers.req_id` and `body`; answers carry the
`req_id` of what they answer, and `errcode`. The official SDK (wecom-aibot-python-sdk) judges this in the tests. It is
not used here because it knows the system's clock alone, ends for good on an unforeseen error while it receives, and
writes whole messages to its log.

WeCom keeps one connection a robot and closes the older one. A process that lost it so stands by, or two processes
would take it from each other for ever.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

import aiohttp
import msgspec

from chatops_bot.adapters.wecom.errors import translate
from chatops_bot.adapters.wecom.web import code_of
from chatops_bot.ports.chat import ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import back_off

log = logging.getLogger(__name__)

Json = dict[str, object]
Callback = Callable[[object, str], Awaitable[bool]]
"""Takes the body of a callback and the `req_id` under which it may be answered. False: this connection was replaced."""

MISSED = 2
FINISH_S = 3.0
_CALLBACKS = frozenset({"aibot_msg_callback", "aibot_event_callback"})
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


class Calls(Protocol):
    """What the desk needs of a connection."""

    async def call(self, cmd: str, body: Json, *, req_id: str = "") -> None:
        """Send a frame, under the `req_id` of a callback where it answers one, else under one of its own, and wait
        until it is acknowledged. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""


class Link:
    """One supervised connection. `jitter` gives numbers from 0 to 1; `answer_s` limits opening and every call."""

    def __init__(
        self,
        *,
        url: str,
        bot_id: str,
        secret: str,
        clock: Clock,
        jitter: Callable[[], float],
        callback: Callback,
        ping_s: float,
        standby_s: float,
        answer_s: float = 10,
        longest_s: float = 60,
    ) -> None:
        self._url = url
        self._bot_id = bot_id
        self._secret = secret
        self._clock = clock
        self._jitter = jitter
        self._callback = callback
        self._ping_s = ping_s
        self._standby_s = standby_s
        self._answer_s = answer_s
        self._longest_s = longest_s
        self._numbers = itertools.count(1)
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._waiting: dict[str, asyncio.Future[Json]] = {}
        self._turns: dict[str, asyncio.Lock] = {}
        self._unanswered = 0
        self._reading: asyncio.Task[None] | None = None
        self._handling: set[asyncio.Task[None]] = set()
        self._replaced = False
        self.problem = "not connected yet"
        """ "" while events can arrive."""
        self.tried = asyncio.Event()
        """Set once the first attempt has succeeded or failed."""

    async def run(self) -> None:
        """Until cancelled; nothing is left open then."""
        failures = 0
        try:
            async with aiohttp.ClientSession() as session:
                while True:
                    self._replaced = False
                    if await self._open(session):
                        failures = 0
                        await self._listen()
                    else:
                        failures += 1
                    await self._drop(self.problem or "the connection broke")
                    self.tried.set()
                    pause = back_off(failures, self._jitter(), longest_s=self._longest_s)
                    if self._replaced:
                        self.problem = "another process has taken the robot's connection"
                        pause = self._standby_s * (0.5 + self._jitter())
                    log.warning("the robot's connection is down (%s), opened anew in %.1f s", self.problem, pause)
                    await self._clock.sleep(pause)
        finally:
            await self._drop("stopped")
            await self._finish()
            self.tried.set()

    async def call(self, cmd: str, body: Json, *, req_id: str = "") -> None:
        """As `Calls.call`. Answers to one callback are sent one after the other: they share their `req_id`."""
        request = req_id or self._number(cmd)
        turn = self._turns.setdefault(request, asyncio.Lock())
        try:
            async with turn:
                answer = await self._asked(cmd, request, body)
        finally:
            if not turn.locked():
                self._turns.pop(request, None)
        if code := code_of(answer):
            raise translate(cmd, code, str(answer.get("errmsg") or ""))

    def _number(self, cmd: str) -> str:
        return f"{cmd}_{next(self._numbers)}_{int(self._jitter() * 255):02x}"

    async def _asked(self, cmd: str, request: str, body: Json | None) -> Json:
        socket = self._socket
        if socket is None or socket.closed or (self.problem and cmd != "aibot_subscribe"):
            raise ChatUnavailable(f"{cmd}: the robot's connection is down", retry_after_s=2)
        answered: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[request] = answered
        frame: Json = {"cmd": cmd, "headers": {"req_id": request}}
        if body is not None:
            frame["body"] = body
        try:
            await socket.send_str(_encode(frame).decode())
            return await self._within(answered, f"{cmd}: no answer")
        except (aiohttp.ClientError, ConnectionError) as error:
            raise ChatUnavailable(f"{cmd}: {type(error).__name__}", maybe_posted=True) from error
        finally:
            self._waiting.pop(request, None)

    async def _within(self, answered: asyncio.Future[Json], problem: str) -> Json:
        waiting: asyncio.Future[None] = asyncio.ensure_future(self._clock.sleep(self._answer_s))
        pair: list[asyncio.Future[Any]] = [answered, waiting]
        try:
            await asyncio.wait(pair, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if not answered.done():
            raise ChatUnavailable(problem, maybe_posted=True)
        return answered.result()

    async def _open(self, session: aiohttp.ClientSession) -> bool:
        """Connect and subscribe; whether events arrive now."""
        connecting = asyncio.ensure_future(session.ws_connect(self._url, autoping=True, max_msg_size=2**22))
        waiting = asyncio.ensure_future(self._clock.sleep(self._answer_s))
        try:
            await asyncio.wait({connecting, waiting}, return_when=asyncio.FIRST_COMPLETED)
            if not connecting.done():
                self.problem = "the robot's connection could not be opened in time"
                return False
            self._socket = connecting.result()
        except (aiohttp.ClientError, OSError, ValueError) as error:
            self.problem = f"the robot's connection cannot be opened: {_reason(error)}"
            return False
        finally:
            for task in (connecting, waiting):
                task.cancel()
            await asyncio.gather(connecting, waiting, return_exceptions=True)
        return await self._subscribed()

    async def _subscribed(self) -> bool:
        self._reading = asyncio.create_task(self._read(), name="wecom-read")
        try:
            answer = await self._asked(
                "aibot_subscribe", self._number("aibot_subscribe"), {"bot_id": self._bot_id, "secret": self._secret}
            )
        except ChatUnavailable as error:
            self.problem = error.reason
            return False
        if code := code_of(answer):
            self.problem = (
                f"WeCom does not take the robot's id and secret ({code}): compare them with API模式, 使用长连接"
            )
            return False
        self.problem = ""
        log.info("the robot's connection is up")
        return True

    async def _listen(self) -> None:
        """Returns when the connection is no more."""
        self.tried.set()
        pinging = asyncio.create_task(self._ping(), name="wecom-ping")
        try:
            reading = self._reading or pinging
            await asyncio.wait({reading, pinging}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            pinging.cancel()
            await asyncio.gather(pinging, return_exceptions=True)

    async def _read(self) -> None:
        socket = self._socket
        if socket is None:
            return
        async for message in socket:
            if message.type not in {aiohttp.WSMsgType.TEXT, aiohttp.WSMsgType.BINARY}:
                continue
            try:
                frame = _decode(message.data)
            except (msgspec.DecodeError, UnicodeDecodeError):
                frame = None
            if not isinstance(frame, dict):
                log.warning("a frame from WeCom is no object and was passed over")
                continue
            self._take(frame)

    def _take(self, frame: Json) -> None:
        headers = frame.get("headers")
        request = headers.get("req_id") if isinstance(headers, dict) else None
        request = request if isinstance(request, str) else ""
        if frame.get("cmd") in _CALLBACKS:
            task = asyncio.create_task(self._handle(frame.get("body"), request), name="wecom-callback")
            self._handling.add(task)
            task.add_done_callback(self._handling.discard)
            return
        answered = self._waiting.get(request)
        if answered is not None and not answered.done():
            answered.set_result(frame)
        elif request.startswith("ping"):
            self._unanswered = 0

    async def _handle(self, body: object, request: str) -> None:
        if not await self._callback(body, request):
            self._replaced = True
            if self._socket is not None:
                await self._socket.close()

    async def _ping(self) -> None:
        """Returns when two pings in a row were not answered."""
        self._unanswered = 0
        while self._unanswered < MISSED:
            await self._clock.sleep(self._ping_s)
            socket = self._socket
            if socket is None or socket.closed:
                return
            self._unanswered += 1
            await socket.send_str(_encode({"cmd": "ping", "headers": {"req_id": self._number("ping")}}).decode())
        self.problem = "the robot's connection is silent"

    async def _drop(self, why: str) -> None:
        self.problem = why
        socket, self._socket = self._socket, None
        for answered in self._waiting.values():
            if not answered.done():
                answered.set_exception(ChatUnavailable(f"the robot's connection broke: {why}", maybe_posted=True))
        reading, self._reading = self._reading, None
        if reading is not None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)
        if socket is not None:
            closing = asyncio.ensure_future(socket.close())
            # A peer that is half gone never answers a close.
            await asyncio.wait({closing}, timeout=1)
            closing.cancel()
            await asyncio.gather(closing, return_exceptions=True)

    async def _finish(self) -> None:
        """Let what was received be stored; a broken connection is no reason to forget it."""
        handling = set(self._handling)
        if handling:
            await asyncio.wait(handling, timeout=FINISH_S)
        for task in handling:
            task.cancel()
        await asyncio.gather(*handling, return_exceptions=True)


def _reason(error: Exception) -> str:
    status = getattr(error, "status", None)
    return f"status {status}" if status else type(error).__name__
