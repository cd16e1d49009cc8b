"""Cards of the robot over its long connection.

An answer to a message is a stream: while its view has nothing to be pressed it stays open and is changed in place, for
six minutes at most; with buttons it is closed, a card beside it. A card can be changed once, within five seconds of a
press of it. What cannot be changed is replaced by a new message. Rules: path/101463 and 101031.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass, field

from chatops_bot.adapters.wecom.desk import Held, Replacing, View
from chatops_bot.adapters.wecom.errors import REPEATED, Refusal
from chatops_bot.adapters.wecom.inbound import SINGLE
from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.link import Calls, Json
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import Pace, Updates

log = logging.getLogger(__name__)

ANSWER_S = 300.0
"""How long after a message its answer may begin: the six minutes of a stream count from the message."""
STREAM_S = 330.0
QUIET_S = 15.0
"""A stream that is not changed for so long is closed: an open one looks as if the bot were still writing, and a person
may have three of them."""
PRESS_S = 4.5


@dataclass
class _Stream:
    """An answer that is still open. `until` is when it must be closed."""

    request: str
    until: float
    view: View
    closing: asyncio.Task[None] | None = field(default=None)


class RobotDesk:
    """Posts and updates. WeCom takes 30 messages a minute and 1000 an hour in one room, answers included."""

    def __init__(self, *, calls: Calls, clock: Clock, replacing: Replacing, pace: float = 1) -> None:
        self._calls = calls
        self._clock = clock
        self._replacing = replacing
        self._pace = Pace(clock=clock, every_s=2.5 * pace, burst=6, longest_s=6)
        self._updates: Updates[View] = Updates(clock=clock, every_s=pace)
        self._tickets: Kept[tuple[str, float]] = Kept(clock=clock, lives_s=ANSWER_S)
        self._presses: Kept[str] = Kept(clock=clock, lives_s=PRESS_S)
        self._streams: dict[str, _Stream] = {}
        self._held = Held(clock=clock, show=self._shown)

    def said(self, ticket: str, request: str) -> None:
        """A message came that may be answered under `request`."""
        self._tickets.put(ticket, (request, self._clock.monotonic()))

    def pressed(self, message: str, request: str) -> None:
        """A press came, within whose time its card may be changed."""
        self._presses.put(message, request)

    async def post(self, view: View) -> str:
        """As an answer where there is something to answer, else by itself."""
        try:
            if not await self._answered(view):
                await self._sent(view)
        except Refusal as error:
            if error.code != REPEATED:
                raise
            log.info("a card is there already, an earlier attempt had got through")
        self._replacing.posted(view.message)
        return view.message

    async def update(self, view: View) -> None:
        """In place where that is possible now; the last view wins."""
        if view.shown.passing and view.message not in self._streams and self._presses.get(view.message) is not None:
            self._held.hold(view)
            return
        self._held.drop(view.message)
        await self._shown(view)

    async def line(self, *, channel: str, text: str, ticket: str) -> None:
        """One markdown message."""
        found = self._tickets.take(ticket)
        if found is not None:
            body: Json = {"msgtype": "stream", "stream": {"id": f"line-{ticket}", "finish": True, "content": text}}
            try:
                await self._calls.call("aibot_respond_msg", body, req_id=found[0])
                return
            except CardGone:
                log.info("a message can no longer be answered")
        await self._calls.call("aibot_send_msg", self._addressed(channel, _markdown(text)))

    async def close(self) -> None:
        """Close open answers as they are, give up updates that were not sent."""
        await self._held.close()
        await self._updates.close()
        closing = [stream.closing for stream in self._streams.values() if stream.closing]
        for task in closing:
            task.cancel()
        await asyncio.gather(*closing, return_exceptions=True)
        for message, stream in list(self._streams.items()):
            await self._finish(message, stream)

    async def _shown(self, view: View) -> None:
        await self._updates.show(f"{view.channel} {view.message}", view, self._update)

    async def _answered(self, view: View) -> bool:
        if self._tickets.get(view.ticket) is None:
            return False
        await self._pace.wait(view.channel)
        found = self._tickets.take(view.ticket)
        if found is None:
            return False
        request, since = found
        stream = _Stream(request, since + STREAM_S, view)
        try:
            await self._show(stream, view)
        except CardGone:
            log.info("a message can no longer be answered")
            return False
        return True

    async def _show(self, stream: _Stream, view: View) -> None:
        """Show a view in a stream, which stays open while there is nothing to be pressed."""
        finish = view.shown.card is not None
        await self._calls.call("aibot_respond_msg", _streamed(view, finish=finish), req_id=stream.request)
        stream.view = view
        if stream.closing is not None:
            stream.closing.cancel()
        if finish:
            self._streams.pop(view.message, None)
            return
        self._streams[view.message] = stream
        pause = min(QUIET_S, max(0.0, stream.until - self._clock.monotonic()))
        stream.closing = asyncio.create_task(self._close_later(view.message, stream, pause), name="wecom-stream")

    async def _close_later(self, message: str, stream: _Stream, pause: float) -> None:
        await self._clock.sleep(pause)
        await self._finish(message, stream)

    async def _finish(self, message: str, stream: _Stream) -> None:
        if self._streams.get(message) is not stream:
            return
        del self._streams[message]
        try:
            await self._calls.call("aibot_respond_msg", _streamed(stream.view, finish=True), req_id=stream.request)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.info("an answer could not be closed: %s", error)

    async def _sent(self, view: View) -> None:
        shown = view.shown
        if shown.card is None or not shown.whole:
            await self._pace.wait(view.channel)
            text = self._addressed(view.channel, _markdown(shown.text))
            await self._calls.call("aibot_send_msg", text, req_id=f"{view.message}.text")
        if shown.card is not None:
            await self._pace.wait(view.channel)
            fitting = shown.card if shown.whole else shown.beside
            card: Json = {"msgtype": "template_card", "template_card": {**(fitting or {}), "task_id": view.message}}
            pressed = self._addressed(view.channel, card)
            await self._calls.call("aibot_send_msg", pressed, req_id=f"{view.message}.card")

    async def _update(self, view: View) -> None:
        stream = self._streams.get(view.message)
        if stream is not None and self._clock.monotonic() < stream.until:
            await self._show(stream, view)
            return
        if not view.shown.whole:
            raise self._replacing.gone(view, "the card does not hold the whole view")
        request = self._presses.take(view.message)
        if request is None:
            raise self._replacing.gone(view, "a card can be changed only right after a press of it")
        body: Json = {"response_type": "update_template_card", "template_card": view.shown.keyed(view.message)}
        try:
            await self._calls.call("aibot_respond_update_msg", body, req_id=request)
        except ChatRefused as error:
            log.info("a card cannot be changed: %s", error)
            raise CardGone(str(error)) from error

    def _addressed(self, channel: str, body: Json) -> Json:
        if channel.startswith(SINGLE):
            return {"chatid": channel.removeprefix(SINGLE), "chat_type": 1, **body}
        return {"chatid": channel, "chat_type": 2, **body}


def _streamed(view: View, *, finish: bool) -> Json:
    stream: Json = {"id": view.message, "finish": finish, "content": view.shown.text}
    if view.shown.beside is None:
        return {"msgtype": "stream", "stream": stream}
    card = {**view.shown.beside, "task_id": view.message}
    return {"msgtype": "stream_with_template_card", "stream": stream, "template_card": card}


def _markdown(text: str) -> Json:
    return {"msgtype": "markdown", "markdown": {"content": text}}
