"""Which way of writing serves a room: its channel says so."""

from __future__ import annotations

from chatops_bot.adapters.wecom.answer_desk import AnswerDesk
from chatops_bot.adapters.wecom.app_desk import AppDesk
from chatops_bot.adapters.wecom.desk import Desk
from chatops_bot.adapters.wecom.inbound import APP
from chatops_bot.adapters.wecom.render import APP_PARTS, APP_TEXT, ROBOT_TEXT
from chatops_bot.adapters.wecom.robot_desk import RobotDesk
from chatops_bot.ports.chat import ChatRefused


class Desks:
    """Those that are switched on: the application's, and the robot's over its connection or over callbacks."""

    def __init__(self, *, app: AppDesk | None, robot: RobotDesk | None, answers: AnswerDesk | None) -> None:
        self.app = app
        self.robot = robot
        self.answers = answers

    def of(self, channel: str) -> Desk:
        """The desk of a room. Raises `ChatRefused` where none is switched on."""
        found: Desk | None = self.app if channel.startswith(APP) else self.robot or self.answers
        if found is None:
            what = "the application is (agent_id)" if channel.startswith(APP) else "a robot is (bot_mode)"
            raise ChatRefused(f"{channel} cannot be written to unless {what} configured")
        return found

    def room_for_text(self, channel: str) -> int:
        """Bytes of text that one view may take there."""
        return APP_TEXT * APP_PARTS - 400 if channel.startswith(APP) else ROBOT_TEXT

    async def close(self) -> None:
        """Give up what was not sent."""
        for desk in (self.app, self.robot, self.answers):
            if desk is not None:
                await desk.close()
