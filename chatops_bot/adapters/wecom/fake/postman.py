"""Brings deliveries to the bot, over its callback address or its connection, and takes what it answers."""

from __future__ import annotations

import asyncio
import json
from typing import Literal
from urllib.parse import urlencode

from starlette.types import ASGIApp

from chatops_bot.adapters.wecom.fake import rules
from chatops_bot.adapters.wecom.fake.bodies import Bodies
from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP, Corp
from chatops_bot.adapters.wecom.fake.envelope import Envelope, as_xml, wrapped
from chatops_bot.adapters.wecom.fake.limits import Rejected
from chatops_bot.adapters.wecom.fake.server import Server
from chatops_bot.domain.events import Click, Message
from chatops_bot.ports.asgi import Answer, call
from chatops_bot.ports.wire import Delivered

Json = dict[str, object]
Mode = Literal["socket", "http", "app"]

TOKEN = "callback-token"  # noqa: S105  # of a corporation that does not exist
AES_KEY = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"
SETTLED_S = 5.0
POLL_S = 0.02


class Postman:
    """Deliveries by event id. `endpoints` are the callback addresses of the bot's processes, the last one is called."""

    def __init__(self, corp: Corp, *, mode: Mode, bodies: Bodies, server: Server) -> None:
        self.corp = corp
        self.mode = mode
        self.bodies = bodies
        self.server = server
        self.envelope = Envelope(token=TOKEN, aes_key=AES_KEY, receiver=CORP if mode == "app" else "")
        self.endpoints: list[ASGIApp] = []
        self._deliveries: dict[str, Json] = {}
        self._counts: dict[str, int] = {}
        self._outcomes: dict[str, asyncio.Future[bool]] = {}
        self._polls: set[asyncio.Task[None]] = set()

    async def stop(self) -> None:
        for task in self._polls:
            task.cancel()
        await asyncio.gather(*self._polls, return_exceptions=True)

    async def request(self, method: str, query: dict[str, str], body: bytes = b"") -> Answer:
        """Any request to the bot's callback address."""
        return await call(self.endpoints[-1], path="/", method=method, query=urlencode(query), body=body)

    async def deliver(self, event_id: str, body: Json) -> Delivered:
        self._deliveries.setdefault(event_id, body)
        return await self.redeliver(event_id)

    def delivered(self, event_id: str) -> bool:
        """Whether it was brought, taken or not."""
        return event_id in self._deliveries

    async def redeliver(self, event_id: str) -> Delivered:
        body = self._deliveries[event_id]
        count = self._counts[event_id] = self._counts.get(event_id, 0) + 1
        if self.mode == "socket":
            return await self._pushed(event_id, body, count)
        return await self._called(event_id, body, count)

    async def _pushed(self, event_id: str, body: Json, count: int) -> Delivered:
        """Over the connection there is no acknowledgement: what is told here is whether the bot took it."""
        outcome: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._outcomes[event_id] = outcome
        cmd = "aibot_event_callback" if body["msgtype"] == "event" else "aibot_msg_callback"
        if not await self.server.push(cmd, event_id, body):
            return Delivered(0, "no connection", count)
        done, _ = await asyncio.wait({outcome}, timeout=SETTLED_S)
        if not done:
            return Delivered(0, "not taken", count)
        return Delivered(200 if outcome.result() else 503, count=count)

    async def _called(self, event_id: str, body: Json, count: int) -> Delivered:
        if self.mode == "app":
            plain = as_xml({name: str(value) for name, value in body.items()})
            encrypted = self.envelope.seal(plain)
            raw = wrapped(encrypted, receiver=CORP, agent_id=AGENT).encode()
        else:
            encrypted = self.envelope.seal(json.dumps(body, ensure_ascii=False))
            raw = json.dumps({"encrypt": encrypted}).encode()
        answer = await self.request("POST", self.envelope.query(encrypted, now=self.corp.clock.now()), raw)
        if self.mode == "app" or answer.status != 200 or not answer.body:
            return Delivered(answer.status, answer.body.decode(), count)
        said = self.read(answer)
        return Delivered(200, self._obey(event_id, said), count)

    def read(self, answer: Answer) -> Json:
        """What a robot's answer says. Raises `ValueError` unless it is sealed as it must be."""
        sealed = json.loads(answer.body)
        wanted = self.envelope.signature(str(sealed["timestamp"]), sealed["nonce"], sealed["encrypt"])
        if sealed["msgsignature"] != wanted:
            raise ValueError("the answer's signature is wrong")
        found = json.loads(self.envelope.open(sealed["encrypt"]))
        return dict(found)

    def _obey(self, event_id: str, said: Json) -> str:
        """An answer to a callback, as far as WeCom takes it."""
        callback = self.corp.callbacks.get(event_id)
        try:
            if "response_type" in said:
                rules.robot_update(self.corp, callback, said)
            else:
                bubble = rules.robot_answer(self.corp, callback, said, over_http=True)
                if bubble is not None and bubble.open and not self._counts[event_id] > 1:
                    task = asyncio.create_task(self._poll(event_id, bubble.id), name="fake-wecom-poll")
                    self._polls.add(task)
                    task.add_done_callback(self._polls.discard)
        except Rejected as problem:
            return str(problem)
        return json.dumps(said, ensure_ascii=False)

    async def _poll(self, event_id: str, stream: str) -> None:
        """Ask how a stream goes on until it ends. As often as the machine likes: the bot's clock may stand still."""
        callback = self.corp.callbacks[event_id]
        while callback.stream is not None and callback.stream.open:
            await asyncio.sleep(POLL_S)
            body: Json = {
                **self.bodies.from_(f"poll-{next(self.corp.numbers)}", user=callback.user, room=callback.channel)
            }
            body |= {"msgtype": "stream", "stream": {"id": stream}}
            encrypted = self.envelope.seal(json.dumps(body))
            raw = json.dumps({"encrypt": encrypted}).encode()
            answer = await self.request("POST", self.envelope.query(encrypted, now=self.corp.clock.now()), raw)
            if answer.status == 200 and answer.body:
                try:
                    rules.robot_answer(self.corp, callback, self.read(answer), over_http=True)
                except Rejected:
                    return

    def took(self, event: Message | Click, stored: bool) -> None:
        outcome = self._outcomes.pop(event.root, None)
        if outcome is not None and not outcome.done():
            outcome.set_result(stored)
