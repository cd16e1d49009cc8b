"""From WeCom's deliveries to the bot's events: pure reading, no call to WeCom.

A delivery is read into one of: `Said`, `Pressed`, `Polled` (WeCom asks for the rest of a streamed answer), `Replaced`
(another connection took over), or `Ignored` with the reason. Shapes are those of WeCom's pages 接收消息 (path/100719),
接收事件 (101027) and 消息格式 (90239, 90240); only what is used is declared, everything else is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from chatops_bot.adapters.wecom import buttons
from chatops_bot.domain.identity import User

PLATFORM = "wecom"
APP = "app:"
"""Before a person's id: that person's talk with the application."""
SINGLE = "user:"
"""Before a person's id: that person's talk with the robot. Group rooms have the platform's id as it is."""
EXTERNAL = "external"

_ID = re.compile(r"[!-~]{1,128}")
_EXTERNAL = re.compile(r"w[mo][A-Za-z0-9_-]{30}")
_MENTION = re.compile(r"(?<![\w.])@([^\s@]+)\s*")
_ITEMS = 20


class Said(msgspec.Struct, frozen=True):
    """A person's message. `ticket` names the delivery that an answer can refer to."""

    id: str
    channel: str
    user: User
    text: str
    ticket: str
    direct: bool = False
    answer_url: str = ""
    quoted: str = ""
    """The words of the message that it quotes."""


class Pressed(msgspec.Struct, frozen=True):
    """A press of a button of a card. `code` lets that card be updated once."""

    id: str
    channel: str
    user: User
    task: str
    carried: buttons.Carried
    ticket: str
    answer_url: str = ""
    code: str = ""


class Polled(msgspec.Struct, frozen=True):
    """WeCom asks how a streamed answer goes on."""

    stream: str


class Replaced(msgspec.Struct, frozen=True):
    """Another connection of the same robot was opened, and this one will be closed."""


class Ignored(msgspec.Struct, frozen=True):
    """Nothing for the bot; `worth` is how loudly that is logged."""

    reason: str
    worth: Literal["debug", "info", "warning"] = "debug"


Read = Said | Pressed | Polled | Replaced | Ignored


class _From(msgspec.Struct, frozen=True):
    userid: str = ""
    corpid: str | None = None


class _Text(msgspec.Struct, frozen=True):
    content: str = ""


class _Item(msgspec.Struct, frozen=True):
    msgtype: str = ""
    text: _Text | None = None


class _Mixed(msgspec.Struct, frozen=True):
    msg_item: list[_Item] = []


class _CardEvent(msgspec.Struct, frozen=True):
    event_key: str = ""
    task_id: str = ""


class _Event(msgspec.Struct, frozen=True):
    eventtype: str = ""
    template_card_event: _CardEvent | None = None


class _Stream(msgspec.Struct, frozen=True):
    id: str = ""


class _Quote(msgspec.Struct, frozen=True):
    text: _Text | None = None
    mixed: _Mixed | None = None


class _Delivery(msgspec.Struct, frozen=True):
    """What a robot is told."""

    msgtype: str
    msgid: str = ""
    chatid: str | None = None
    chattype: str = "single"
    sender: _From = msgspec.field(name="from", default_factory=_From)
    response_url: str | None = None
    text: _Text | None = None
    mixed: _Mixed | None = None
    event: _Event | None = None
    stream: _Stream | None = None
    quote: object = None


def read_robot(body: object, *, corp: str, bot_name: str) -> Read:
    """What a robot is told, by callback or over its connection. Raises `msgspec.ValidationError` when it is not shaped
    like that."""
    told = msgspec.convert(body, _Delivery)
    if told.msgtype == "stream":
        return Polled(told.stream.id if told.stream else "")
    if told.msgtype == "event" and told.event and told.event.eventtype == "disconnected_event":
        return Replaced()
    if problem := _unfit(told.msgid, told.sender.userid, *([told.chatid or ""] if told.chattype == "group" else [])):
        return Ignored(f"a {told.msgtype} with {problem}", worth="warning")
    user = user_of(told.sender.userid, corp=corp, home=told.sender.corpid or "")
    channel = told.chatid if told.chattype == "group" and told.chatid else SINGLE + told.sender.userid
    if told.msgtype == "event":
        return _robot_event(told, channel=channel, user=user, corp=corp)
    content = _content(told)
    if content is None:
        return Ignored(f"messages of type {told.msgtype}", worth="info")
    return Said(
        id=f"{PLATFORM}:{corp}:{channel}:{told.msgid}",
        channel=channel,
        user=user,
        text=spoken(content, bot_name) if told.chattype == "group" else content.strip(),
        ticket=told.msgid,
        direct=told.chattype != "group",
        answer_url=told.response_url or "",
        quoted=_quoted(told.quote),
    )


def read_app(fields: Mapping[str, str], *, corp: str, agent_id: int) -> Read:
    """What an application is told, by the fields of its XML."""
    if fields.get("AgentID", str(agent_id)) != str(agent_id):
        return Ignored("a delivery for another application", worth="warning")
    sender = fields.get("FromUserName", "")
    kind = fields.get("MsgType", "")
    if sender == "sys" or not sender:
        return Ignored(f"a {kind} of nobody")
    if problem := _unfit(sender, fields.get("MsgId", "-")):
        return Ignored(f"a {kind} with {problem}", worth="warning")
    channel = APP + sender
    user = user_of(sender, corp=corp)
    if kind == "event":
        return _app_event(fields, channel=channel, user=user, corp=corp)
    if kind != "text":
        return Ignored(f"messages of type {kind}", worth="info")
    message = fields.get("MsgId", "")
    if not message:
        return Ignored("a message without an id", worth="warning")
    return Said(
        id=f"{PLATFORM}:{corp}:{channel}:{message}",
        channel=channel,
        user=user,
        text=fields.get("Content", "").strip(),
        ticket=message,
        direct=True,
    )


def user_of(userid: str, *, corp: str, home: str = "") -> User:
    """The user of an id. People of linked corporations are `corporation/userid`, external contacts have ids of their
    own shape; both belong to somebody else."""
    linked, slash, _ = userid.rpartition("/")
    if slash:
        home = linked
    elif _EXTERNAL.fullmatch(userid):
        home = home if home != corp and home else EXTERNAL
    foreign = bool(home) and home != corp
    return User(platform=PLATFORM, tenant=home if foreign else corp, id=userid, foreign=foreign)


def spoken(text: str, bot_name: str) -> str:
    """What was said in a group, without the mention of the robot that brought it here. Without a name to look for it
    is the first mention."""
    if bot_name:
        found = re.sub(rf"@{re.escape(bot_name)}(?!\w)\s*", " ", text)
        if found != text:
            return re.sub(r"[ \u2005\u00a0]{2,}", " ", found).strip()
    return _MENTION.sub("", text, count=1).strip()


def _robot_event(told: _Delivery, *, channel: str, user: User, corp: str) -> Read:
    kind = told.event.eventtype if told.event else ""
    card = told.event.template_card_event if told.event else None
    if kind != "template_card_event" or card is None:
        return Ignored(f"events of type {kind}")
    if not card.event_key or _unfit(card.task_id):
        return Ignored("a press without key or task", worth="warning")
    return Pressed(
        id=f"{PLATFORM}:{corp}:{channel}:{told.msgid}",
        channel=channel,
        user=user,
        task=card.task_id,
        carried=buttons.decode(card.event_key),
        ticket=told.msgid,
        answer_url=told.response_url or "",
    )


def _app_event(fields: Mapping[str, str], *, channel: str, user: User, corp: str) -> Read:
    kind = fields.get("Event", "")
    if kind != "template_card_event":
        return Ignored(f"events of type {kind}")
    task, key = fields.get("TaskId", ""), fields.get("EventKey", "")
    if not key or _unfit(task):
        return Ignored("a press without key or task", worth="warning")
    carried = buttons.decode(key)
    # Events of an application have no id of their own.
    happened = (fields.get("CreateTime", ""), task, carried.button, str(carried.n))
    ticket = ":".join(happened)
    return Pressed(
        id=f"{PLATFORM}:{corp}:{channel}:press:{ticket}",
        channel=channel,
        user=user,
        task=task,
        carried=carried,
        ticket=ticket,
        code=fields.get("ResponseCode", ""),
    )


def _content(told: _Delivery) -> str | None:
    """What was written, or None where nothing was: a picture, a voice, a file."""
    if told.msgtype == "text":
        return told.text.content if told.text else ""
    if told.msgtype == "mixed" and told.mixed:
        return _joined(told.mixed)
    return None


def _quoted(raw: object) -> str:
    """The words of a quotation; its shape is documented for text alone."""
    try:
        quote = msgspec.convert(raw, _Quote)
    except msgspec.ValidationError:
        return ""
    if quote.text:
        return quote.text.content
    return _joined(quote.mixed) if quote.mixed else ""


def _joined(mixed: _Mixed) -> str:
    return " ".join(item.text.content for item in mixed.msg_item[:_ITEMS] if item.text)


def _unfit(*ids: str) -> str:
    """What is wrong with ids, or "". Invisible characters would make two ids look like one."""
    for identity in ids:
        if not identity:
            return "an id missing"
        if not _ID.fullmatch(identity) or identity.startswith((APP, SINGLE)):
            return "an id of characters that no id has"
    return ""
