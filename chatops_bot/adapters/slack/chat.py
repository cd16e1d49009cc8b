"""Slack as a chat platform: one workspace, over Socket Mode or HTTP."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from weakref import WeakValueDictionary

from slack_sdk.web.async_client import AsyncWebClient

from chatops_bot.adapters.slack import doctor, inbound
from chatops_bot.adapters.slack.events_http import SlackEndpoint
from chatops_bot.adapters.slack.files import upload
from chatops_bot.adapters.slack.front import Front
from chatops_bot.adapters.slack.people import People
from chatops_bot.adapters.slack.posting import Desk, View
from chatops_bot.adapters.slack.render import render
from chatops_bot.adapters.slack.reply_urls import ReplyUrls
from chatops_bot.adapters.slack.settings import SlackSettings
from chatops_bot.adapters.slack.socket_mode import Connection, Handler
from chatops_bot.adapters.slack.text import escape
from chatops_bot.adapters.slack.web import SDK_LOG, Web
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Mentioned, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.ports.album import Album
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Finding, NotAccepted, Posted, Sink
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import insist
from chatops_bot.ports.pictures import Painter

log = logging.getLogger(__name__)

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}


class SlackChat:
    """`ChatPort` of one Slack workspace. `random_bytes` spreads reconnections of several processes.

    With `mode: http` the application has to serve `endpoint` under the request URL of the app:
    `Route("/slack/events", endpoint=chat.endpoint)` (a `Mount` would redirect, and Slack does not follow).
    """

    def __init__(
        self,
        settings: SlackSettings,
        *,
        clock: Clock,
        random_bytes: Callable[[int], bytes],
        painter: Painter | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._jitter: Callable[[], float] = lambda: random_bytes(1)[0] / 255
        self._web = Web(token=settings.bot_token, clock=clock, base_url=settings.base_url, timeout_s=settings.timeout_s)
        self._desk = Desk(web=self._web, clock=clock, pace_s=settings.pace_s)
        self._album = Album(painter=painter, upload=partial(upload, self._web), clock=clock)
        self._people = People(web=self._web, clock=clock, wait_s=settings.person_wait_s)
        self._replies = ReplyUrls(web=self._web, clock=clock)
        self._front = Front(
            client=AsyncWebClient(base_url=settings.base_url, logger=SDK_LOG, retry_handlers=[]),
            me=lambda: self._me if self._sink is not None else None,
            name_of=self._people.name,
            take=self._take,
            command=settings.command,
        )
        self.endpoint = (
            SlackEndpoint(signing_secret=settings.signing_secret, clock=clock, dispatch=self._front.dispatch)
            if settings.mode == "http"
            else None
        )
        self._me: inbound.Self | None = None
        self.team = ""
        """The workspace, once Slack has said which it is."""
        self._sink: Sink | None = None
        self._problem = "not started"
        self._tried = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._connections: list[Connection] = []
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    @property
    def platform(self) -> str:
        return inbound.PLATFORM

    async def start(self, sink: Sink) -> None:
        if self._tasks:
            raise RuntimeError("already started")
        self._sink = sink
        self._problem = "not connected yet"
        self._tried.clear()
        self._tasks.append(asyncio.create_task(self._bring_up(), name="slack"))
        await self._tried.wait()

    async def stop(self) -> None:
        self._problem = "stopped"
        for task in self._tasks:
            task.cancel()
        # Connections let deliveries under way finish, so the sink stays until they are closed.
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        self._connections.clear()
        self._sink = None
        await self._desk.close()
        await self._people.close()
        await self._web.close()

    def healthy(self) -> str:
        if self._problem or self._settings.mode == "http":
            return self._problem
        if any(connection.up for connection in self._connections):
            return ""
        return "no Socket Mode connection to Slack is up"

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        shown = render(card, thread=thread, pictures=await self._album.of(card))
        try:
            message = await self._desk.post(channel=room.channel, root=root, shown=shown, key=key, again=again)
        except ChatRefused as error:
            # Where the command was used and the bot is no member, this is the only way to say so.
            await self._replies.tell(room.channel, str(error))
            raise
        return Posted(message, bind=(root,) if root else ())

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        shown = render(card, thread=thread, pictures=await self._album.of(card))
        await self._desk.update(View(room.channel, message, root, shown))

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        try:
            await self._desk.line(channel=room.channel, root=root, text=escape(text), to=to)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("a notice could not be shown in %s: %s", room.key, error)

    async def permalink(self, *, room: Room, message: str) -> str:
        found = (await self._web.get("chat.getPermalink", {"channel": room.channel, "message_ts": message})).data
        return str(found.get("permalink") or "")

    async def check(self, rooms: Sequence[str] = ()) -> list[Finding]:
        """What is wrong with the installation, `rooms` being the channels of the configuration. Needs no `start`."""
        started = bool(self._tasks)
        try:
            return await doctor.check(web=self._web, settings=self._settings, rooms=rooms)
        finally:
            if not started:
                await self._web.close()

    async def _bring_up(self) -> None:
        """Learn who the bot is, read the members, then receive."""
        try:
            await self._receive()
        finally:
            self._tried.set()

    async def _receive(self) -> None:
        me = self._me = await insist(
            lambda: _learn(self._web, allow_bots=self._settings.allow_bots),
            failed=self._unknown,
            clock=self._clock,
            jitter=self._jitter,
        )
        self.team = me.team
        reading = asyncio.create_task(self._people.read_all(), name="slack-members")
        self._tasks.append(reading)
        waiting = asyncio.ensure_future(self._clock.sleep(self._settings.members_wait_s))
        try:
            await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        self._problem = ""
        if self._settings.mode == "socket":
            handler = partial(
                Handler,
                app=self._front.app,
                app_token=self._settings.app_token,
                web_client=self._web.client,
                ping_s=self._settings.ping_s,
                dispatch=self._front.dispatch,
            )
            for number in range(self._settings.connections):
                connection = Connection(make=handler, clock=self._clock, jitter=self._jitter)
                self._connections.append(connection)
                self._tasks.append(asyncio.create_task(connection.run(), name=f"slack-socket-{number}"))
            await asyncio.gather(*(connection.tried.wait() for connection in self._connections))

    def _unknown(self, why: str) -> None:
        """Who the bot is could not be found out yet."""
        self._problem = why
        log.error("Slack does not say who the bot is: %s", why)
        self._tried.set()

    async def _take(self, read: inbound.Read) -> None:
        """Store what was read. Raises `NotAccepted`."""
        if isinstance(read, inbound.Ignored):
            log.log(_LEVELS[read.worth], "passed over: %s", read.reason)
            return
        if isinstance(read, inbound.Directory):
            self._people.remember(read.account)
            return
        me, sink = self._me, self._sink
        if me is None or sink is None:
            raise NotAccepted("not started")
        if read.reply_url:
            self._replies.keep(read.channel, read.reply_url)
        # One after the other within a channel, so that a look-up of one author lets nobody overtake; the
        # lock is not held while the store works.
        turn = self._turns.setdefault(read.channel, asyncio.Lock())
        async with turn:
            user, name = await self._people.author(read.author, me)
        receipt = await sink.receive(_event(read, me=me, user=user, name=name))
        log.debug("%s: %s", read.id, receipt.taken)


async def _learn(web: Web, *, allow_bots: frozenset[str]) -> inbound.Self:
    """Who the bot is. Raises as `Web.post`, and `ChatRefused` where the answer does not tell."""
    data = (await web.post("auth.test", {})).data
    try:
        return inbound.Self(
            team=str(data["team_id"]),
            user=str(data["user_id"]),
            bot=str(data.get("bot_id") or ""),
            enterprise=str(data.get("enterprise_id") or ""),
            allow_bots=allow_bots,
        )
    except KeyError as error:
        raise ChatRefused(f"auth.test gave no {error}") from error


def _event(read: inbound.Said | inbound.Pressed, *, me: inbound.Self, user: User, name: str) -> Message | Click:
    room = Room(platform=inbound.PLATFORM, tenant=me.team, channel=read.channel)
    if isinstance(read, inbound.Said):
        return Message(
            id=read.id,
            room=room,
            user=user,
            text=read.text,
            addressed=read.addressed or read.direct,
            direct=read.direct,
            answers=(read.thread,) if read.thread else (),
            root=read.thread,
            name=name,
            mentioned=tuple(_mentioned(*each) for each in read.mentioned),
        )
    return Click(
        id=read.id,
        room=room,
        user=user,
        button=read.button,
        card=read.message,
        thread=read.carried.thread,
        token=read.carried.token,
        value=read.carried.value,
        root=read.thread,
        name=name,
    )


def _mentioned(name: str, id: str) -> Mentioned:
    return Mentioned(name, f"slack-group:{id}" if id.startswith("S") else f"{inbound.PLATFORM}:{id}")
