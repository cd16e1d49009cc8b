"""Where events of the platforms enter: open while the bot works, closed before it does and when it ends."""

from __future__ import annotations

import structlog

from chatops_bot.domain.events import AlertGroup, Click, Message
from chatops_bot.engine.intake import Intake
from chatops_bot.ports.chat import NotAccepted, Receipt


class EventDoor:
    """Implements `ports.chat.Sink`. Raises `NotAccepted` while closed: the platform shall deliver again, to this
    process later or to another one now."""

    def __init__(self) -> None:
        self._intake: Intake | None = None

    def open(self, intake: Intake) -> None:
        """Events are taken from now on."""
        self._intake = intake

    def close(self) -> None:
        """None is taken any more; those under way are."""
        self._intake = None

    async def receive(self, event: Message | Click) -> Receipt:
        """Hand over one event; all that is logged on its way carries its id."""
        return await self._pass(event)

    async def alert(self, group: AlertGroup) -> Receipt:
        """The same for alerts."""
        return await self._pass(group)

    async def _pass(self, event: Message | Click | AlertGroup) -> Receipt:
        intake = self._intake
        if intake is None:
            raise NotAccepted("the bot is starting or stopping")
        with structlog.contextvars.bound_contextvars(event_id=event.id):
            return await (intake.alert(event) if isinstance(event, AlertGroup) else intake.receive(event))
