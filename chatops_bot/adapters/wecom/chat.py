"""WeCom as a chat platform: one corporation, its application, its robot, or both."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from chatops_bot.adapters.wecom import doctor, inbound
from chatops_bot.adapters.wecom.answer_desk import AnswerDesk
from chatops_bot.adapters.wecom.app_desk import AppDesk
from chatops_bot.adapters.wecom.callbacks import AppForm, Form, RobotForm, WeComEndpoint
from chatops_bot.adapters.wecom.crypto import CallbackCrypto
from chatops_bot.adapters.wecom.desk import Replacing, View, task_id
from chatops_bot.adapters.wecom.desks import Desks
from chatops_bot.adapters.wecom.inlet import Inlet
from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.link import Link
from chatops_bot.adapters.wecom.people import People
from chatops_bot.adapters.wecom.quotes import Quotes
from chatops_bot.adapters.wecom.render import Shown, render
from chatops_bot.adapters.wecom.robot_desk import RobotDesk
from chatops_bot.adapters.wecom.settings import WeComSettings
from chatops_bot.adapters.wecom.text import escape
from chatops_bot.adapters.wecom.web import Data, Web
from chatops_bot.domain.cards import Card
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Finding, Posted, Sink
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)


class WeComChat:
    """`ChatPort` of one WeCom corporation. `random_bytes` spreads reconnections and seals answers.

    The application has to serve `app_endpoint` (where `agent_id` is set) and `robot_endpoint` (with `bot_mode: http`)
    under the addresses that WeCom was given; both are None where they are not used.
    """

    def __init__(self, settings: WeComSettings, *, clock: Clock, random_bytes: Callable[[int], bytes]) -> None:
        self._settings = settings
        self._clock = clock
        self._random_bytes = random_bytes
        self._task: asyncio.Task[None] | None = None
        self._void: Kept[bool] = Kept(clock=clock, lives_s=900)
        self._pressable: Kept[bool] = Kept(clock=clock, lives_s=3 * 86_400)
        self._web = Web(
            corp_id=settings.corp_id,
            secret=settings.app_secret,
            clock=clock,
            api_url=settings.api_url,
            timeout_s=settings.timeout_s,
        )
        self._people = People(web=self._web, clock=clock, wait_s=settings.person_wait_s) if settings.agent_id else None
        self._link = self._make_link() if settings.bot_mode == "socket" else None
        replacing = Replacing(clock=clock, pace=settings.pace)
        self._desks = self._make_desks(replacing)
        self._quotes = Quotes(clock=clock)
        self._inlet = Inlet(
            settings,
            clock=clock,
            desks=self._desks,
            replacing=replacing,
            people=self._people,
            quoted=self._quotes.message,
        )
        self.app_endpoint: WeComEndpoint | None = None
        self.robot_endpoint: WeComEndpoint | None = None
        if settings.agent_id:
            self.app_endpoint = self._endpoint(
                token=settings.app_token,
                aes_key=settings.app_aes_key,
                receive_id=settings.corp_id,
                form=AppForm(),
                take=self._inlet.app_told,
            )
        if settings.bot_mode == "http":
            # What a robot is told is for nobody in particular: with the corporation's id WeCom answers -40005.
            self.robot_endpoint = self._endpoint(
                token=settings.bot_token,
                aes_key=settings.bot_aes_key,
                receive_id="",
                form=RobotForm(),
                take=self._inlet.robot_called,
            )

    @property
    def platform(self) -> str:
        return inbound.PLATFORM

    async def start(self, sink: Sink) -> None:
        if self._inlet.sink is not None:
            raise RuntimeError("already started")
        self._inlet.sink = sink
        if self._link is not None:
            self._link.tried.clear()
            self._task = asyncio.create_task(self._link.run(), name="wecom-link")
            await self._link.tried.wait()

    async def stop(self) -> None:
        await self._desks.close()
        await self._inlet.backlog.close()
        task, self._task = self._task, None
        if task is not None:
            # It lets deliveries under way finish, so the sink stays until it is gone.
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._inlet.sink = None
        if self._people is not None:
            await self._people.close()
        await self._web.close()

    def healthy(self) -> str:
        if self._inlet.sink is None:
            return "not started"
        return self._link.problem if self._link is not None else ""

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        place = f"{room.channel} {thread}"
        shown = self._shown(room, card, thread=thread, replaces=bool(self._void.get(place)))
        view = View(room.channel, task_id(key, shown), shown, ticket=root)
        message = await self._desks.of(room.channel).post(view)
        self._void.take(place)
        self._pressable.put(message, shown.card is not None)
        self._quotes.shown(room.channel, message, shown.text, thread=thread)
        return Posted(message)

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        view = View(room.channel, message, self._shown(room, card, thread=thread), ticket=root)
        try:
            await self._desks.of(room.channel).update(view)
        except CardGone:
            # The post that follows says that it stands for this card, if there is anything to be pressed on it.
            if self._pressable.get(message) is not False:
                self._void.put(f"{room.channel} {thread}", True)
            raise
        self._pressable.put(message, view.shown.card is not None)
        self._quotes.shown(room.channel, message, view.shown.text, thread=thread)

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        try:
            await self._desks.of(room.channel).line(channel=room.channel, text=escape(text), ticket=root)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("a notice could not be shown in %s: %s", room.key, error)

    async def permalink(self, *, room: Room, message: str) -> str:
        """None: WeCom has addresses for neither messages nor rooms."""
        return ""

    async def check(self, rooms: Sequence[str] = ()) -> list[Finding]:
        """What is wrong with the installation, `rooms` being the rooms of the configuration. Needs no `start`."""
        try:
            return await doctor.check(web=self._web, settings=self._settings, rooms=rooms)
        finally:
            if self._inlet.sink is None:
                await self._web.close()

    def _shown(self, room: Room, card: Card, *, thread: str, replaces: bool = False) -> Shown:
        limit = self._desks.room_for_text(room.channel)
        return render(card, thread=thread, link=self._settings.link, limit=limit, replaces=replaces)

    def _make_link(self) -> Link:
        return Link(
            url=self._settings.socket_url,
            bot_id=self._settings.bot_id,
            secret=self._settings.bot_secret,
            clock=self._clock,
            jitter=lambda: self._random_bytes(1)[0] / 255,
            callback=lambda body, request: self._inlet.robot_pushed(body, request),
            ping_s=self._settings.ping_s,
            standby_s=self._settings.standby_s,
        )

    def _make_desks(self, replacing: Replacing) -> Desks:
        web, clock, agent, pace = self._web, self._clock, self._settings.agent_id, self._settings.pace
        called = self._settings.bot_mode == "http"
        return Desks(
            app=AppDesk(web=web, agent_id=agent, clock=clock, replacing=replacing, pace=pace) if agent else None,
            robot=RobotDesk(calls=self._link, clock=clock, replacing=replacing, pace=pace) if self._link else None,
            answers=AnswerDesk(web=web, clock=clock, replacing=replacing, pace=pace) if called else None,
        )

    def _endpoint(
        self,
        *,
        token: str,
        aes_key: str,
        receive_id: str,
        form: Form,
        take: Callable[[object], Awaitable[Data | None]],
    ) -> WeComEndpoint:
        return WeComEndpoint(
            crypto=CallbackCrypto(token=token, aes_key=aes_key, receive_id=receive_id, clock=self._clock),
            form=form,
            clock=self._clock,
            random_bytes=self._random_bytes,
            take=take,
        )
