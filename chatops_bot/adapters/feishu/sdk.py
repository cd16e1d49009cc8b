"""The SDK's long-connection client, with what it lacks. Importing this imports the SDK: seconds, and 100 MB.

So nothing imports it but the thread of a connection (`connection.load`). What is added to `lark_oapi.ws.Client`:

- A delivery is acknowledged only when it was stored. The SDK calls a synchronous handler in the socket's loop, which
  holds up all other frames; here each data frame is a task that hands over and waits, for so long and no longer.
- Time limits around the request for an address (larksuite/oapi-sdk-python#169) and around closing (#168).
- One object serves one connection. The SDK's own reconnection can lose its lock (#149), so a new object is made.
- Several clients live in several threads, each with its own loop; the SDK knows one for all of them (#119).
"""

from __future__ import annotations

import asyncio
import base64
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import requests
from lark_oapi.core.enum import LogLevel
from lark_oapi.core.exception import UnmarshalException
from lark_oapi.core.log import logger as sdk_log
from lark_oapi.ws import client as sdk
from lark_oapi.ws.exception import ClientException, ServerException
from websockets.exceptions import WebSocketException

from chatops_bot.adapters.feishu.front import Answer
from chatops_bot.adapters.feishu.settings import FeishuSettings

log = logging.getLogger(__name__)

FAILURES: tuple[type[Exception], ...] = (
    requests.RequestException,
    ClientException,
    ServerException,
    UnmarshalException,
    WebSocketException,
    OSError,
    TimeoutError,
    # An answer of the endpoint that is not shaped like one; the SDK reads it unchecked.
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
)

# Its handler writes to the standard output; and below WARNING it would log addresses that hold a secret.
for _handler in list(sdk_log.handlers):
    sdk_log.removeHandler(_handler)


class _RunningLoop:
    """In the place of the SDK's one loop: the loop of whichever thread asks."""

    def create_task(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        return asyncio.get_running_loop().create_task(work)


class _Requests:
    """In the place of the module `requests`: its `post`, with a time limit."""

    def __init__(self, timeout_s: float) -> None:
        self._timeout_s = timeout_s

    def post(self, url: str, **more: Any) -> requests.Response:
        return requests.post(url, timeout=self._timeout_s, **more)


# The loop that the SDK made while it was imported, in this thread, is used by nobody.
if not sdk.loop.is_running():
    sdk.loop.close()
sdk.loop = _RunningLoop()


class Client(sdk.Client):  # type: ignore[misc]  # the SDK has no types
    """One long connection. To be made, and served, in the loop of a thread of its own.

    `deliver` has a payload stored and gives the answer; `heard` is told of every frame; `connected` once, with the
    seconds between two pings. `close_s` limits closing, and letting deliveries under way finish before that.
    """

    def __init__(
        self,
        settings: FeishuSettings,
        *,
        deliver: Callable[[bytes], Awaitable[Answer]],
        heard: Callable[[], None],
        connected: Callable[[float], None],
        close_s: float,
    ) -> None:
        super().__init__(
            settings.app_id,
            settings.app_secret,
            log_level=LogLevel.WARNING,
            domain=settings.address,
            auto_reconnect=False,
        )
        sdk.requests = _Requests(settings.timeout_s)
        self._deliver = deliver
        self._heard = heard
        self._connected = connected
        self._close_s = close_s
        self._gone = asyncio.Event()
        self._ended_by = ""
        self._under_way: set[asyncio.Task[None]] = set()

    async def serve(self) -> str:
        """Connect and receive until the connection ends; says how it ended. Raises one of `FAILURES`."""
        pinging: asyncio.Task[None] | None = None
        try:
            await self._connect()
            self._connected(float(self._ping_interval or 120))
            pinging = asyncio.create_task(self._ping_loop())
            await self._gone.wait()
            return self._ended_by
        finally:
            await self._finish(pinging)

    async def _finish(self, pinging: asyncio.Task[None] | None) -> None:
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=self._close_s)
        tasks = [task for task in (pinging, *self._under_way) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._disconnect()

    async def _receive_message_loop(self) -> None:
        """Started by the SDK once it is connected."""
        try:
            while self._conn is not None:
                message = await self._conn.recv()
                self._heard()
                task = asyncio.create_task(self._handle_message(message))
                self._under_way.add(task)
                task.add_done_callback(self._under_way.discard)
        except (WebSocketException, OSError) as error:
            self._ended_by = f"{type(error).__name__} {error}".rstrip()
        finally:
            self._gone.set()

    async def _handle_data_frame(self, frame: Any) -> None:
        headers = {header.key: header.value for header in frame.headers}
        payload = frame.payload
        if int(headers.get("sum", 1)) > 1:
            payload = self._combine(headers["message_id"], int(headers["sum"]), int(headers["seq"]), payload)
            if payload is None:
                return
        began = asyncio.get_running_loop().time()
        answer = await self._deliver(payload)
        took = frame.headers.add()
        took.key, took.value = "biz_rt", str(round((asyncio.get_running_loop().time() - began) * 1000))
        # 200 is what a frame knows of success, everything else has it delivered again.
        said: dict[str, object] = {"code": 200 if answer.status == 200 else 500}
        if answer.body and answer.status == 200:
            said["data"] = base64.b64encode(json.dumps(answer.body).encode()).decode()
        frame.payload = json.dumps(said).encode()
        await self._write_message(frame.SerializeToString())

    async def _disconnect(self) -> None:
        connection = self._conn
        try:
            async with asyncio.timeout(self._close_s):
                await super()._disconnect()
        except (TimeoutError, WebSocketException, OSError) as error:
            log.info("a long connection to Feishu did not close in time: %s", type(error).__name__)
            if connection is not None:
                connection.transport.abort()
