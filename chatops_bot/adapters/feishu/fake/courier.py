"""What carries events from the fake platform to the bot: signed requests to its endpoint, or frames of a connection."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any, Final

from starlette.types import ASGIApp

from chatops_bot.adapters.feishu.fake import sealing
from chatops_bot.adapters.feishu.fake.faults import CallFaults
from chatops_bot.adapters.feishu.fake.sockets import Sockets, delivered
from chatops_bot.adapters.feishu.fake.world import App, World
from chatops_bot.ports.asgi import Answer, call
from chatops_bot.ports.wire import Delivered, Fault

Json = dict[str, Any]

PATIENCE_S: Final = 3.0
"""How long Feishu waits for an answer."""


class Courier:
    """Over the connections of `sockets`; without them, to `endpoint`."""

    def __init__(
        self, *, app: App, world: World, sockets: Sockets | None, random_bytes: Callable[[int], bytes]
    ) -> None:
        self._app = app
        self._world = world
        self._sockets = sockets
        self._random_bytes = random_bytes
        self.endpoint: ASGIApp | None = None
        self._sent: dict[str, tuple[Json, int]] = {}
        self._under_way: set[asyncio.Task[Answer]] = set()
        self.unaccepted: set[str] = set()
        """Ids of events that Feishu would deliver again."""

    async def close(self) -> None:
        """Give up what is under way."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def drop(self) -> None:
        """Break all connections."""
        if self._sockets is not None:
            await self._sockets.drop()

    async def deliver(self, event_id: str, payload: Json) -> Delivered:
        """An event, for the first time or again."""
        _, times = self._sent.get(event_id, (payload, 0))
        self._sent[event_id] = payload, times + 1
        raw = json.dumps(payload, ensure_ascii=False).encode()
        send = self._call if self._sockets is None else self._frame
        answer = await send(raw, times + 1)
        (self.unaccepted.discard if answer.accepted else self.unaccepted.add)(event_id)
        return answer

    async def post(self, body: bytes, headers: dict[str, str], *, method: str = "POST") -> Answer:
        """Any request to the bot's endpoint; status 0 when it takes longer than Feishu waits."""
        endpoint = self.endpoint
        if endpoint is None:
            raise RuntimeError("this adapter is not called over HTTP")
        calling = asyncio.create_task(call(endpoint, path="/feishu/events", body=body, headers=headers, method=method))
        self._under_way.add(calling)
        calling.add_done_callback(self._under_way.discard)
        waiting = asyncio.ensure_future(self._world.clock.sleep(PATIENCE_S))
        try:
            await asyncio.wait({calling, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        return calling.result() if calling.done() else Answer(0)

    def sealed(self, raw: bytes) -> bytes:
        """A body under the app's Encrypt Key."""
        return sealing.encrypted(raw, key=self._app.encrypt_key, random_bytes=self._random_bytes)

    def signed(self, body: bytes) -> dict[str, str]:
        """Headers for a body, of now."""
        nonce = self._world.number()[:10]
        return sealing.headers(body, key=self._app.encrypt_key, now=self._world.clock.now(), nonce=nonce)

    async def again(self, event_id: str) -> Delivered:
        """An event once more: the same payload, with a signature of now."""
        payload, _ = self._sent[event_id]
        return await self.deliver(event_id, payload)

    async def _call(self, raw: bytes, times: int) -> Delivered:
        body = self.sealed(raw)
        answer = await self.post(body, self.signed(body))
        return Delivered(answer.status, answer.body.decode(), times)

    async def _frame(self, raw: bytes, times: int) -> Delivered:
        answer = None if self._sockets is None else await self._sockets.deliver(self._app.app_id, raw)
        if answer is None:
            return Delivered(0, "", times)
        waiting = asyncio.ensure_future(self._world.clock.sleep(PATIENCE_S))
        awaited: set[asyncio.Future[Any]] = {answer, waiting}
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if not answer.done() or answer.cancelled():
            return Delivered(0, "", times)
        return delivered(answer.result(), times=times)


class FeishuFaults:
    """What goes wrong: of calls (`fail`, `calls`), of deliveries (`redeliver`, `drop_connection`)."""

    def __init__(self, calls: CallFaults, courier: Courier) -> None:
        self._calls = calls
        self._courier = courier

    def fail(self, method: str, fault: Fault) -> None:
        """See `CallFaults` for the names of methods."""
        self._calls.fail(method, fault)

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self._calls.heal()

    def calls(self, method: str) -> int:
        """Failed ones included."""
        return self._calls.calls(method)

    async def redeliver(self, event_id: str) -> Delivered:
        """The same payload once more."""
        return await self._courier.again(event_id)

    async def drop_connection(self) -> None:
        """All long connections break."""
        await self._courier.drop()
