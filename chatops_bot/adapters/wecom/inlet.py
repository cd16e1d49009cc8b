"""What WeCom delivers, on its way in: read, its author named, stored, and only then answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from weakref import WeakValueDictionary

import msgspec

from chatops_bot.adapters.wecom import inbound
from chatops_bot.adapters.wecom.backlog import Backlog
from chatops_bot.adapters.wecom.desk import Replacing
from chatops_bot.adapters.wecom.desks import Desks
from chatops_bot.adapters.wecom.people import People
from chatops_bot.adapters.wecom.settings import WeComSettings
from chatops_bot.adapters.wecom.web import Data
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.texts.platform import TEXTS
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, NotAccepted, Sink
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}


class Inlet:
    """The three doors of one corporation. Without a `sink` nothing is taken. `quoted` finds the message of a room that
    some words were quoted from."""

    def __init__(
        self,
        settings: WeComSettings,
        *,
        clock: Clock,
        desks: Desks,
        replacing: Replacing,
        people: People | None,
        quoted: Callable[[str, str], str],
    ) -> None:
        self._settings = settings
        self._desks = desks
        self._replacing = replacing
        self._people = people
        self._quoted = quoted
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.sink: Sink | None = None
        self.backlog = Backlog(clock=clock, store=self._store, give_up=self._give_up, patience_s=settings.patience_s)

    async def app_told(self, fields: object) -> Data | None:
        """A callback of the application. Raises `NotAccepted`."""
        told = fields if isinstance(fields, Mapping) else {}
        corp, agent = self._settings.corp_id, self._settings.agent_id
        read = _read(lambda: inbound.read_app(told, corp=corp, agent_id=agent))
        if isinstance(read, inbound.Said | inbound.Pressed):
            if isinstance(read, inbound.Pressed) and self._desks.app is not None:
                self._desks.app.pressed(read.task, read.code)
            await self._store(await self._event(read))
        return None

    async def robot_called(self, body: object) -> Data | None:
        """A callback of the robot, and what to answer. Raises `NotAccepted`."""
        read, answers = self._robot_read(body), self._desks.answers
        if answers is None:
            return None
        if isinstance(read, inbound.Polled):
            return answers.polled(read.stream)
        if isinstance(read, inbound.Said):
            answer = answers.said(ticket=read.ticket, channel=read.channel, url=read.answer_url)
            await self._store(await self._event(read))
            return answer
        if isinstance(read, inbound.Pressed):
            press = answers.pressed(message=read.task, ticket=read.ticket, channel=read.channel, url=read.answer_url)
            await self._store(await self._event(read))
            return await answers.outcome(press)
        return None

    async def robot_pushed(self, body: object, request: str) -> bool:
        """A callback over the robot's connection; False when that was replaced by another one."""
        read, robot = self._robot_read(body), self._desks.robot
        if isinstance(read, inbound.Replaced):
            return False
        if robot is not None and isinstance(read, inbound.Said | inbound.Pressed):
            if isinstance(read, inbound.Said):
                robot.said(read.ticket, request)
            else:
                robot.pressed(read.task, request)
            await self.backlog.take(await self._event(read))
        return True

    def _robot_read(self, body: object) -> inbound.Read:
        corp, name = self._settings.corp_id, self._settings.bot_name
        return _read(lambda: inbound.read_robot(body, corp=corp, bot_name=name))

    async def _store(self, event: Message | Click) -> None:
        if self.sink is None:
            raise NotAccepted("not started")
        receipt = await self.sink.receive(event)
        log.debug("%s: %s", event.id, receipt.taken)

    async def _event(self, read: inbound.Said | inbound.Pressed) -> Message | Click:
        self._replacing.heard(read.channel)
        name = ""
        if self._people is not None:
            # One after the other within a room, so that a look-up of one author lets nobody overtake.
            turn = self._turns.setdefault(read.channel, asyncio.Lock())
            async with turn:
                name = await self._people.name(read.user)
        room = Room(platform=inbound.PLATFORM, tenant=self._settings.corp_id, channel=read.channel)
        if isinstance(read, inbound.Said):
            return Message(
                id=read.id,
                room=room,
                user=read.user,
                text=read.text,
                addressed=True,
                direct=read.direct,
                answers=self._answers(read),
                root=read.ticket,
                name=name,
            )
        return Click(
            id=read.id,
            room=room,
            user=read.user,
            button=read.carried.button,
            card=read.task,
            thread=read.carried.thread,
            token=read.carried.token,
            value=read.carried.value,
            root=read.ticket,
            name=name,
        )

    def _answers(self, read: inbound.Said) -> tuple[str, ...]:
        """The message that was quoted, where it can be told."""
        found = self._quoted(read.channel, read.quoted) if read.quoted else ""
        return (found,) if found else ()

    async def _give_up(self, event: Message | Click) -> None:
        text = " / ".join(TEXTS["platform.not_taken"])
        channel = event.room.channel
        try:
            await self._desks.of(channel).line(channel=channel, text=text, ticket=event.root)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("nobody could be told that a message was not stored: %s", error)


def _read(reading: Callable[[], inbound.Read]) -> inbound.Read:
    """What was read. What cannot be is passed over: it would not be better the next time."""
    try:
        found = reading()
    except msgspec.ValidationError as error:
        found = inbound.Ignored(f"a delivery that cannot be read: {error}", worth="warning")
    if isinstance(found, inbound.Ignored):
        log.log(_LEVELS[found.worth], "passed over: %s", found.reason)
    return found
