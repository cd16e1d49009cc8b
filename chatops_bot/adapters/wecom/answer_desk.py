"""Cards of the robot over callbacks: everything is an answer, since WeCom lets a robot say nothing by itself there.

A message can be answered twice: by the stream that its callback opened, which WeCom asks for until it ends (six minutes
at most), and once at the address that came with it (an hour). A press is answered by its card, within five seconds.
What finds no delivery to answer is refused, and the reason says which setting changes that. Rules: path/101031, 101138.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import dataclass, field
from typing import Any

from chatops_bot.adapters.wecom.desk import Replacing, View
from chatops_bot.adapters.wecom.errors import REPEATED, Refusal
from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.web import Data, Web
from chatops_bot.domain.texts.platform import TEXTS
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import Updates

log = logging.getLogger(__name__)

STREAM_S = 330.0
QUIET_S = 15.0
URL_S = 3500.0
ASKED_S = 6.0
"""How long a view waits for WeCom to ask for it before it goes another way."""
PRESS_S = 4.0
QUICK_S = 0.08
_PREFIX = "s-"


@dataclass
class _Stream:
    """An answer that WeCom asks for. `ends` is when it has to be over, `view` what it shows now."""

    id: str
    ends: float
    view: View | None = None
    changed: float = 0
    over: bool = False
    asked: asyncio.Event = field(default_factory=asyncio.Event)


@dataclass
class _Ticket:
    """A delivery that can be answered."""

    channel: str
    url: str
    stream: _Stream | None


@dataclass
class Press:
    """A press whose callback waits for its answer. `under_way` is shown when nothing better comes in time."""

    message: str
    waits_s: float
    shown: asyncio.Future[View]
    under_way: View | None = None


class AnswerDesk:
    """Posts and updates."""

    def __init__(self, *, web: Web, clock: Clock, replacing: Replacing, pace: float = 1) -> None:
        self._web = web
        self._clock = clock
        self._replacing = replacing
        self._updates: Updates[View] = Updates(clock=clock, every_s=pace)
        self._tickets: Kept[_Ticket] = Kept(clock=clock, lives_s=URL_S)
        self._streams: Kept[_Stream] = Kept(clock=clock, lives_s=2 * STREAM_S)
        self._shown_in: Kept[_Stream] = Kept(clock=clock, lives_s=STREAM_S)
        self._presses: Kept[Press] = Kept(clock=clock, lives_s=PRESS_S)

    def said(self, *, ticket: str, channel: str, url: str) -> Data:
        """A message came; the answer to its callback, which opens a stream. A message delivered again gets the same."""
        # The card of a stream is named after it, so it is made of letters that such a name may have.
        name = f"{_PREFIX}{int(self._clock.now())}-{hashlib.sha256(ticket.encode()).hexdigest()[:24]}"
        known = self._tickets.get(ticket)
        if known is not None:
            return self._state(known.stream) if known.stream else _stream(name, "", finish=True)
        stream = _Stream(name, self._clock.monotonic() + STREAM_S)
        self._streams.put(stream.id, stream)
        self._tickets.put(ticket, _Ticket(channel, url, stream))
        return self._state(stream)

    def polled(self, name: str) -> Data:
        """How a stream goes on. One of another process stays open until its time is over."""
        stream = self._streams.get(name)
        if stream is not None:
            return self._state(stream)
        begun = name.removeprefix(_PREFIX).partition("-")[0]
        old = not begun.isdecimal() or self._clock.now() - int(begun) > STREAM_S
        return _stream(name, _say("follows" if old else "working"), finish=old)

    def pressed(self, *, message: str, ticket: str, channel: str, url: str) -> Press:
        """A press came; to be asked for its `outcome` once it is stored. When there is no other way to show what comes
        of it, the answer waits for it as long as WeCom does, else only for a moment."""
        if url:
            self._tickets.put(ticket, _Ticket(channel, url, None))
        waits = QUICK_S if self._usable(channel) else PRESS_S
        press = Press(message, waits, asyncio.get_running_loop().create_future())
        self._presses.put(message, press)
        return press

    async def outcome(self, press: Press) -> Data | None:
        """What to answer the callback of a press with: its card as it looks now, or nothing."""
        waiting = asyncio.ensure_future(self._clock.sleep(press.waits_s))
        try:
            pair: list[asyncio.Future[Any]] = [press.shown, waiting]
            await asyncio.wait(pair, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        if self._presses.get(press.message) is press:
            self._presses.take(press.message)
        view = press.shown.result() if press.shown.done() else press.under_way
        press.shown.cancel()
        if view is None:
            return None
        return {"response_type": "update_template_card", "template_card": view.shown.keyed(view.message)}

    async def post(self, view: View) -> str:
        """By the stream of the message that it answers, else at an address of the room, the newest first."""
        own = self._tickets.get(view.ticket)
        message = view.message
        stream = own.stream if own is not None else None
        if own is not None and stream is not None and await self._by_stream(stream, view):
            own.stream = None
            message = message if view.shown.card is not None else stream.id
            self._shown_in.put(message, stream)
        else:
            await self._by_address(view, own)
        self._replacing.posted(message)
        return message

    async def update(self, view: View) -> None:
        """In place where that is possible now; the last view wins."""
        await self._updates.show(f"{view.channel} {view.message}", view, self._update)

    async def line(self, *, channel: str, text: str, ticket: str) -> None:
        """One markdown message at an address of the room."""
        await self._at_address(channel, {"msgtype": "markdown", "markdown": {"content": text}}, first=None)

    async def close(self) -> None:
        """Give up updates that were not sent."""
        await self._updates.close()

    def _state(self, stream: _Stream) -> Data:
        """What a stream shows now; when it is asked for, what was put there is delivered."""
        now = self._clock.monotonic()
        view = stream.view
        if stream.over or now >= stream.ends:
            stream.over = True
            stream.asked.set()
            return _stream(stream.id, view.shown.text if view else _say("follows"), finish=True)
        if view is None:
            return _stream(stream.id, _say("working"), finish=False)
        stream.over = view.shown.card is not None or now - stream.changed >= QUIET_S
        stream.asked.set()
        answer = _stream(stream.id, view.shown.text, finish=stream.over)
        if view.shown.beside is not None:
            answer["msgtype"] = "stream_with_template_card"
            answer["template_card"] = {**view.shown.beside, "task_id": view.message}
        return answer

    async def _by_stream(self, stream: _Stream, view: View) -> bool:
        """Put a view into a stream and wait until it was asked for; False when that does not happen in time."""
        if stream.over or self._clock.monotonic() >= stream.ends - ASKED_S:
            return False
        stream.view, stream.changed = view, self._clock.monotonic()
        stream.asked.clear()
        waiting = asyncio.ensure_future(self._clock.sleep(ASKED_S))
        asked = asyncio.ensure_future(stream.asked.wait())
        try:
            await asyncio.wait({asked, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            asked.cancel()
        if not stream.asked.is_set():
            stream.over = True
            log.info("WeCom does not ask for an answer any more")
            return False
        return True

    async def _by_address(self, view: View, own: _Ticket | None) -> None:
        shown = view.shown
        message: Data = {"msgtype": "markdown", "markdown": {"content": shown.text}}
        if shown.card is not None:
            # There is one message only: the card, with as much of the text as it holds.
            message = {"msgtype": "template_card", "template_card": {**shown.card, "task_id": view.message}}
        try:
            await self._at_address(view.channel, message, first=own)
        except Refusal as error:
            if error.code != REPEATED:
                raise
            log.info("a card is there already, an earlier attempt had got through")

    async def _at_address(self, channel: str, message: Data, *, first: _Ticket | None) -> None:
        ticket = first if first is not None and first.url else self._usable(channel)
        if ticket is None:
            raise ChatRefused(
                "over callbacks the robot can only answer, and nothing is left to be answered here: "
                "use the long connection (bot_mode: socket) where it shall speak by itself"
            )
        url, ticket.url = ticket.url, ""
        try:
            await self._web.answer(url, message)
        except ChatUnavailable as error:
            if not error.maybe_posted:
                ticket.url = url
            raise

    def _usable(self, channel: str) -> _Ticket | None:
        found = [ticket for ticket in self._tickets.values() if ticket.channel == channel and ticket.url]
        return found[-1] if found else None

    async def _update(self, view: View) -> None:
        press = self._presses.get(view.message)
        if press is not None and not press.shown.done() and view.shown.whole:
            if view.shown.passing:
                press.under_way = view
            else:
                press.shown.set_result(view)
            return
        stream = self._shown_in.get(view.message)
        if stream is not None and not stream.over and await self._by_stream(stream, view):
            return
        if view.shown.passing:
            return  # an answer is worth more than a view that says that something is being done
        if self._usable(view.channel) is None:
            raise CardGone("no press of the card is waiting for its answer")
        raise self._replacing.gone(view, "no press of the card is waiting for its answer")


def _stream(name: str, text: str, *, finish: bool) -> Data:
    return {"msgtype": "stream", "stream": {"id": name, "finish": finish, "content": text}}


def _say(key: str) -> str:
    """In both languages: nothing is known of the reader here."""
    return " / ".join(TEXTS[f"platform.{key}"])
