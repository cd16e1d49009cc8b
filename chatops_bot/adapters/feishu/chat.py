"""Feishu or Lark as a chat platform: one app, over long connections or a webhook."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from urllib.parse import quote
from weakref import WeakValueDictionary

from chatops_bot.adapters.feishu import doctor, inbound
from chatops_bot.adapters.feishu.connection import Connection, loaded
from chatops_bot.adapters.feishu.front import Front
from chatops_bot.adapters.feishu.people import People, learn
from chatops_bot.adapters.feishu.posting import Desk, View
from chatops_bot.adapters.feishu.render import render
from chatops_bot.adapters.feishu.settings import APPLINK, FeishuSettings
from chatops_bot.adapters.feishu.web import Web
from chatops_bot.adapters.feishu.webhook import FeishuEndpoint
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import Click, Mentioned, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.ports.album import Album
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Finding, NotAccepted, Posted, Receipt, Sink
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import insist
from chatops_bot.ports.pictures import Painter

log = logging.getLogger(__name__)


class FeishuChat:
    """`ChatPort` of one app. `random_bytes` spreads reconnections of several processes.

    With `mode: webhook` the application has to serve `endpoint` under the request URLs of the app, the same for events
    and for callbacks: `Route("/feishu/events", endpoint=chat.endpoint)`.
    """

    def __init__(
        self,
        settings: FeishuSettings,
        *,
        clock: Clock,
        random_bytes: Callable[[int], bytes],
        painter: Painter | None = None,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._jitter: Callable[[], float] = lambda: random_bytes(1)[0] / 255
        self._web = Web(
            app_id=settings.app_id,
            app_secret=settings.app_secret,
            address=settings.address,
            clock=clock,
            timeout_s=settings.timeout_s,
        )
        self._people = People(web=self._web, clock=clock, wait_s=settings.person_wait_s)
        self._front = Front(
            clock=clock,
            me=lambda: self._me if self._sink is not None else None,
            name_of=self._people.name,
            take=self._take,
        )
        self._desk = Desk(
            web=self._web,
            clock=clock,
            not_before_s=lambda message: settings.after_click_s - self._front.since_click(message),
            pace_s=settings.pace_s,
        )
        self._album = Album(painter=painter, upload=self._desk.image, clock=clock)
        self.app_id = settings.app_id
        self.encrypt_key = settings.encrypt_key
        self.verification_token = settings.verification_token
        self.dispatch = self._front.dispatch
        self.endpoint = FeishuEndpoint([self], clock=clock) if settings.mode == "webhook" else None
        self.tenant = settings.tenant
        """The organisation, once it is known."""
        self._me: inbound.Self | None = None
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
        self._tasks.append(asyncio.create_task(self._bring_up(), name=f"feishu {self.app_id}"))
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
        if self._problem or self._settings.mode == "webhook":
            return self._problem
        if any(connection.up for connection in self._connections):
            return ""
        return "no long connection to Feishu is up"

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        shown = render(card, thread=thread, root=root, pictures=await self._album.of(card))
        message = await self._desk.post(channel=room.channel, root=root, shown=shown, key=key, again=again)
        topic, _, first = root.rpartition("/")
        # Whoever writes in the same topic answers the card; who answers another message of a chain does not.
        return Posted(message, bind=(topic, first) if topic else ())

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        shown = render(card, thread=thread, root=root, pictures=await self._album.of(card))
        await self._desk.update(View(room.channel, message, root, shown))

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        try:
            await self._desk.line(channel=room.channel, root=root, text=text, to=to)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("a notice could not be shown in %s: %s", room.key, error)

    async def permalink(self, *, room: Room, message: str) -> str:
        # A message has no address of its own (applink-protocol/supported-protocol/open-a-chat-page): its room has.
        return f"{APPLINK[self._settings.domain]}/client/chat/open?openChatId={quote(room.channel, safe='')}"

    async def upload(self, image: bytes) -> str:
        """The key of an uploaded picture (PNG, JPEG …, 10 MB at most), for cards and messages of this app. Raises
        `ChatUnavailable`, `ChatRefused`."""
        return await self._desk.image(image)

    async def check(self, rooms: Sequence[str] = ()) -> list[Finding]:
        """What is wrong with the installation, `rooms` being the chats of the configuration. Needs no `start`."""
        started = bool(self._tasks)
        try:
            return await doctor.check(web=self._web, settings=self._settings, rooms=rooms)
        finally:
            if not started:
                await self._web.close()

    async def _bring_up(self) -> None:
        """Learn who the bot is, then receive."""
        try:
            self._me = await insist(
                lambda: learn(self._web, app=self.app_id, tenant=self.tenant),
                failed=self._unknown,
                clock=self._clock,
                jitter=self._jitter,
            )
            self.tenant = self._me.tenant
            self._problem = ""
            if self._settings.mode == "connection":
                await self._connect()
        finally:
            self._tried.set()

    async def _connect(self) -> None:
        for number in range(self._settings.connections):
            connection = Connection(
                settings=self._settings, dispatch=self.dispatch, clock=self._clock, jitter=self._jitter
            )
            self._connections.append(connection)
            self._tasks.append(asyncio.create_task(connection.run(), name=f"feishu {self.app_id} {number}"))
        if not loaded():
            # Its import takes seconds, in which everything else can be ready.
            log.info("long connections to Feishu follow once the SDK is imported")
            return
        await asyncio.gather(*(connection.tried.wait() for connection in self._connections))

    def _unknown(self, why: str) -> None:
        """Who the bot is could not be found out yet."""
        self._problem = why
        log.error("Feishu does not say who the bot is: %s", why)
        self._tried.set()

    async def _take(self, read: inbound.Said | inbound.Pressed) -> Receipt:
        """Store what was read. Raises `NotAccepted`."""
        me, sink = self._me, self._sink
        if me is None or sink is None:
            raise NotAccepted("not started")
        if not me.tenant and read.tenant:
            self.tenant = read.tenant
            self._me = inbound.Self(me.app, me.open_id, read.tenant, me.name)
        if isinstance(read, inbound.Said):
            self._people.heard(read.names)
        # One after the other within a chat, so that a look-up of one author lets nobody overtake; the lock is not
        # held while the store works.
        turn = self._turns.setdefault(read.channel, asyncio.Lock())
        async with turn:
            user, name = await self._people.author(read.author, tenant=read.tenant)
        return await sink.receive(_event(read, user=user, name=name))


def _event(read: inbound.Said | inbound.Pressed, *, user: User, name: str) -> Message | Click:
    room = Room(platform=inbound.PLATFORM, tenant=read.tenant, channel=read.channel)
    if isinstance(read, inbound.Said):
        return Message(
            id=read.id,
            room=room,
            user=user,
            text=read.text,
            addressed=read.addressed or read.direct,
            direct=read.direct,
            answers=read.answers,
            root=read.root,
            name=name,
            mentioned=tuple(Mentioned(name, f"{inbound.PLATFORM}:{id}") for id, name in read.names.items()),
        )
    return Click(
        id=read.id,
        room=room,
        user=user,
        button=read.carried.button,
        card=read.message,
        thread=read.carried.thread,
        token=read.carried.token,
        value=read.carried.value,
        root=read.carried.root,
        name=name,
    )
