"""What WeCom tells the bot of what people do: the bodies of its deliveries, before they are sealed."""

from __future__ import annotations

import re

from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP, Callback, Corp
from chatops_bot.adapters.wecom.fake.server import BOT_ID

Json = dict[str, object]

_UNFIT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""What XML cannot hold."""


class Bodies:
    """Makes them, and notes what may be answered."""

    def __init__(self, corp: Corp) -> None:
        self.corp = corp
        self.address = ""

    def robot_message(self, event_id: str, *, user: str, room: str, text: str) -> Json:
        """What a robot is told of a message; without a room it is said to the robot alone."""
        body = self.from_(event_id, user=user, room=room)
        self.corp.callbacks[event_id] = Callback(room or f"user:{user}", user, self.corp.clock.monotonic())
        return {**body, "msgtype": "text", "text": {"content": text}}

    def robot_press(self, event_id: str, *, user: str, room: str, task: str, key: str, url: bool = False) -> Json:
        """What a robot is told of a press. That an answer address comes with it is not documented: by default none."""
        single = room.startswith("user:")
        body = self.from_(event_id, user=user, room="" if single else room)
        if not url:
            body.pop("response_url", None)
        self.corp.callbacks[event_id] = Callback(room, user, self.corp.clock.monotonic(), task=task)
        event: Json = {"card_type": "button_interaction", "event_key": key, "task_id": task}
        return {
            **body,
            "create_time": int(self.corp.clock.now()),
            "msgtype": "event",
            "event": {"eventtype": "template_card_event", "template_card_event": event},
        }

    def app_message(self, event_id: str, user: str, text: str, **changed: str) -> Json:
        """The fields that an application is told of a message."""
        stamp = str(int(self.corp.clock.now()))
        fields = {"ToUserName": CORP, "FromUserName": user, "CreateTime": stamp, "MsgType": "text"}
        fields["Content"] = _UNFIT.sub("", text)
        return {**fields, "MsgId": event_id, "AgentID": str(AGENT), **changed}

    def app_press(self, user: str, *, task: str, key: str) -> Json:
        """The fields that an application is told of a press."""
        return {
            "ToUserName": CORP,
            "FromUserName": user,
            "CreateTime": str(int(self.corp.clock.now())),
            "MsgType": "event",
            "Event": "template_card_event",
            "EventKey": key,
            "TaskId": task,
            "CardType": "button_interaction",
            "ResponseCode": self.corp.new_code(task),
            "AgentID": str(AGENT),
        }

    def from_(self, event_id: str, *, user: str, room: str) -> Json:
        body: Json = {"msgid": event_id, "aibotid": BOT_ID, "from": {"userid": user}}
        body |= {"chatid": room, "chattype": "group"} if room else {"chattype": "single"}
        body["response_url"] = f"http://{self.address}/cgi-bin/aibot/response?response_code={event_id}"
        return body
