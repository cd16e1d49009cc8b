"""What carries deliveries from the fake Slack to the bot: signed requests to its endpoint, or envelopes of a socket."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from starlette.types import ASGIApp

from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack, Fault
from chatops_bot.ports import wire
from chatops_bot.ports.asgi import Answer, call
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.wire import Delivered

Json = dict[str, Any]

PATIENCE_S: Final = 3.0
"""How long Slack waits for an answer."""


class Courier:
    """Events by id, each one payload or several. Over sockets, or to `endpoint` where `over_http`."""

    def __init__(self, slack: FakeSlack, *, clock: Clock, over_http: bool) -> None:
        self._slack = slack
        self._clock = clock
        self._over_http = over_http
        self.endpoint: ASGIApp | None = None
        self._sent: dict[str, tuple[tuple[Json, ...], int]] = {}
        self._under_way: set[asyncio.Task[Answer]] = set()

    async def close(self) -> None:
        """Give up what is under way."""
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def deliver(self, event_id: str, *payloads: Json) -> Delivered:
        """For the first time, or again: then what was delivered first. The worst answer counts."""
        known, times = self._sent.get(event_id, (payloads, 0))
        self._sent[event_id] = known, times + 1
        answers = [await self._sending(payload, times) for payload in known]
        worst = next((answer for answer in answers if answer.status != 200), answers[0])
        return Delivered(worst.status, worst.body.decode(), times + 1)

    async def again(self, event_id: str) -> Delivered:
        """The same payloads once more, as retries."""
        return await self.deliver(event_id, *self._sent[event_id][0])

    async def _sending(self, payload: Json, times: int) -> Answer:
        calling = asyncio.create_task(self._call(payload, times) if self._over_http else self._envelope(payload, times))
        self._under_way.add(calling)
        calling.add_done_callback(self._under_way.discard)
        waiting = asyncio.ensure_future(self._clock.sleep(PATIENCE_S))
        try:
            await asyncio.wait({calling, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if calling.done():
            return calling.result()
        if not self._over_http:
            calling.cancel()
        return Answer(0)

    async def _call(self, payload: Json, times: int) -> Answer:
        if self.endpoint is None:
            raise RuntimeError("this adapter is not called over HTTP")
        body = _KINDS[_kind(payload)](payload)
        retry = {"x-slack-retry-num": str(times), "x-slack-retry-reason": "http_timeout"} if times else {}
        headers = deliveries.signed(body, now=self._clock.now(), **retry)
        return await call(self.endpoint, path="/slack/events", body=body, headers=headers)

    async def _envelope(self, payload: Json, times: int) -> Answer:
        if not self._slack.live:
            return Answer(0, b"no connection")
        retry: Json = {"retry_attempt": times, "retry_reason": "timeout"} if times else {}
        try:
            envelope = await self._slack.deliver(_kind(payload), payload, **retry)
        except ConnectionError:
            return Answer(0, b"no connection")
        await self._slack.acknowledged(envelope)
        return Answer(200)


_KINDS = {
    "events_api": deliveries.as_json,
    "interactive": deliveries.as_interaction,
    "slash_commands": deliveries.as_form,
}


def _kind(payload: Json) -> str:
    """What Slack calls a delivery over a socket; over HTTP each kind has its own form."""
    if "command" in payload:
        return "slash_commands"
    return "events_api" if payload["type"] == "event_callback" else "interactive"


class SlackFaults:
    """Methods are those of the Web API (`chat.postMessage`, `chat.update`, `users.info` …). A code is answered with
    status 200, as Slack does it, unless the fault's status says otherwise than 500."""

    def __init__(self, slack: FakeSlack, courier: Courier) -> None:
        self._slack = slack
        self._courier = courier
        self.released = asyncio.Event()
        """Set when calls that hang shall end."""

    def fail(self, method: str, fault: wire.Fault) -> None:
        """The next calls fail so."""
        self._slack.fail(method, self._of(fault), times=fault.times)

    def heal(self) -> None:
        """Nothing goes wrong any more."""
        self._slack.faults.clear()

    def calls(self, method: str) -> int:
        """Failed ones included."""
        return self._slack.workspace.count(method)

    async def redeliver(self, event_id: str) -> Delivered:
        """The same payloads once more."""
        return await self._courier.again(event_id)

    async def drop_connection(self) -> None:
        """All sockets end without a word."""
        for socket in self._slack.live:
            socket.cut()

    def _of(self, fault: wire.Fault) -> Fault:
        match fault.kind:
            case "hang":
                return Fault(held=self.released)
            case "reset_before":
                return Fault(cut=True)
            case "reset_after":
                return Fault(lost=True)
        if fault.retry_after_s:
            return Fault(retry_after=round(fault.retry_after_s))
        if not fault.code:
            return Fault(text="<html>no Slack here</html>", status=fault.status)
        return Fault(error=fault.code, status=200 if fault.status == 500 else fault.status)
