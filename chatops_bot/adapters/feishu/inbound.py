"""From Feishu's payloads to the bot's events: pure reading, no call to Feishu.

A payload is read into `Said` or `Pressed`, whose author is still to be named, or into `Ignored` with the reason. Shapes
are those of the events `im.message.receive_v1` and `card.action.trigger`, and of the old card callback, which has the
same at its top level; only what is used is declared, everything else is passed over.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from chatops_bot.adapters.feishu import buttons
from chatops_bot.adapters.feishu.text import Mentioned, NoText, plain

PLATFORM = "feishu"
MESSAGE_EVENT = "im.message.receive_v1"
CLICK_EVENT = "card.action.trigger"
_ID = re.compile(r"[A-Za-z0-9_.:@=+-]{1,128}")
"""What ids are made of. Anything else in one (a control character, a zero-width space) was not written by Feishu."""


class Self(msgspec.Struct, frozen=True):
    """The bot as Feishu knows it; `tenant` is "" as long as nobody has told it."""

    app: str
    open_id: str
    tenant: str = ""
    name: str = ""


class Author(msgspec.Struct, frozen=True):
    """Who did it: an open id, and the organisation that the person belongs to ("" where it is not told)."""

    id: str
    home: str


class Said(msgspec.Struct, frozen=True):
    """A person's message. `names` are those of people mentioned in it, by open id; the bot's own is not among them."""

    id: str
    tenant: str
    channel: str
    author: Author
    text: str
    addressed: bool
    direct: bool = False
    answers: tuple[str, ...] = ()
    root: str = ""
    names: dict[str, str] = {}


class Pressed(msgspec.Struct, frozen=True):
    """A click on a button of a card."""

    id: str
    tenant: str
    channel: str
    author: Author
    message: str
    carried: buttons.Carried


class Ignored(msgspec.Struct, frozen=True):
    """Nothing for the bot; `worth` is how loudly that is logged."""

    reason: str
    worth: Literal["debug", "info", "warning"] = "debug"


Read = Said | Pressed | Ignored


class Header(msgspec.Struct, frozen=True):
    """What every event of schema 2.0 begins with."""

    event_type: str
    event_id: str = ""
    app_id: str = ""
    tenant_key: str = ""
    token: str = ""


class _UserId(msgspec.Struct, frozen=True):
    open_id: str | None = None


class _Sender(msgspec.Struct, frozen=True):
    sender_id: _UserId | None = None
    sender_type: str = ""
    tenant_key: str | None = None


class _Mention(msgspec.Struct, frozen=True):
    key: str
    id: _UserId | None = None
    name: str | None = None


class _Message(msgspec.Struct, frozen=True):
    message_id: str
    chat_id: str
    chat_type: str
    message_type: str
    content: str
    root_id: str | None = None
    parent_id: str | None = None
    thread_id: str | None = None
    mentions: list[_Mention] | None = None


class _Received(msgspec.Struct, frozen=True):
    sender: _Sender
    message: _Message


class _Operator(msgspec.Struct, frozen=True):
    open_id: str
    tenant_key: str | None = None


class _Action(msgspec.Struct, frozen=True):
    value: object = None
    tag: str | None = None


class _Context(msgspec.Struct, frozen=True):
    open_message_id: str | None = None
    open_chat_id: str | None = None


class _Trigger(msgspec.Struct, frozen=True):
    operator: _Operator
    action: _Action
    token: str | None = None
    context: _Context | None = None
    # Seen at this level too, in callbacks of cards that were sent in the old format.
    open_message_id: str | None = None
    open_chat_id: str | None = None


class _OldTrigger(msgspec.Struct, frozen=True):
    open_id: str
    open_message_id: str
    action: _Action
    open_chat_id: str = ""
    tenant_key: str | None = None
    token: str | None = None


def is_old_card(body: Mapping[str, object]) -> bool:
    """Whether a payload is the old card callback, which has no header."""
    return "schema" not in body and "header" not in body and "open_message_id" in body


def header_of(body: Mapping[str, object]) -> Header | None:
    """The header of an event of schema 2.0; None where there is none. Raises `msgspec.ValidationError`."""
    header = body.get("header")
    return None if header is None else msgspec.convert(header, Header)


def read(body: Mapping[str, object], *, me: Self, name_of: Callable[[str], str]) -> Read:
    """A verified payload. Raises `msgspec.ValidationError` when it is not shaped like what it says it is."""
    if is_old_card(body):
        return _read_old_click(msgspec.convert(body, _OldTrigger), me)
    header = header_of(body)
    if header is None:
        return Ignored(f"events of the old schema (type {_old_type(body)!r})", worth="info")
    if header.app_id and header.app_id != me.app:
        return Ignored(f"an event of another app, {header.app_id!r}", worth="warning")
    if me.tenant and header.tenant_key and header.tenant_key != me.tenant:
        return Ignored("an event of another organisation", worth="warning")
    if header.event_type == MESSAGE_EVENT:
        return _read_message(header, msgspec.convert(body.get("event"), _Received), me, name_of)
    if header.event_type == CLICK_EVENT:
        return _read_click(header, msgspec.convert(body.get("event"), _Trigger), me)
    return Ignored(f"events of type {header.event_type}")


def place(root: str) -> tuple[str, bool]:
    """A `root` of this adapter as the message to reply to, and whether to reply in its topic."""
    topic, slash, message = root.rpartition("/")
    return (message, bool(topic)) if slash else (root, False)


def _read_message(header: Header, received: _Received, me: Self, name_of: Callable[[str], str]) -> Read:
    sender, message = received.sender, received.message
    if sender.sender_type != "user":
        return Ignored(f"a message of a sender of type {sender.sender_type!r}")
    user = (sender.sender_id and sender.sender_id.open_id) or ""
    if user == me.open_id:
        return Ignored("the bot's own message")
    answers = tuple(dict.fromkeys(filter(None, (message.parent_id, message.root_id, message.thread_id))))
    if wrong := _wrong_ids(message.message_id, message.chat_id, user, *answers):
        return Ignored(f"a message with the id {wrong!a}", worth="warning")
    mentions = {one.key: Mentioned((one.id and one.id.open_id) or "", one.name or "") for one in message.mentions or []}
    try:
        words = plain(message.message_type, message.content, mentions=mentions, bot=me.open_id, name_of=name_of)
    except NoText:
        return Ignored(f"messages of type {message.message_type!r}")
    except ValueError:
        return Ignored("a message whose content cannot be read", worth="warning")
    tenant = me.tenant or header.tenant_key
    return Said(
        id=f"{PLATFORM}:{tenant}:{message.chat_id}:{message.message_id}",
        tenant=tenant,
        channel=message.chat_id,
        author=Author(user, sender.tenant_key or ""),
        text=words.text,
        addressed=words.addressed,
        direct=message.chat_type == "p2p",
        answers=answers,
        root=_root(message),
        names={one.id: one.name for one in mentions.values() if one.id and one.name and one.id != me.open_id},
    )


def _root(message: _Message) -> str:
    """Where an answer belongs: `TOPIC/MESSAGE` in a topic, the first message of a chain of replies, else "".

    The topic's own id cannot be written to (NousResearch/hermes-agent#61380), so its first message goes with it.
    Answers to a later message of a chain would nest (m1heng/clawdbot-feishu#353), so the first one is answered.
    """
    first = message.root_id or message.parent_id or ""
    if message.thread_id:
        return f"{message.thread_id}/{first or message.message_id}"
    return first


def _read_click(header: Header, trigger: _Trigger, me: Self) -> Read:
    where = trigger.context or _Context()
    tenant = me.tenant or header.tenant_key
    return _pressed(
        tenant=tenant,
        channel=where.open_chat_id or trigger.open_chat_id or "",
        message=where.open_message_id or trigger.open_message_id or "",
        author=Author(trigger.operator.open_id, trigger.operator.tenant_key or ""),
        action=trigger.action,
        once=header.event_id or _digest(trigger.token),
    )


def _read_old_click(trigger: _OldTrigger, me: Self) -> Read:
    home = trigger.tenant_key or ""
    return _pressed(
        tenant=me.tenant or home,
        channel=trigger.open_chat_id,
        message=trigger.open_message_id,
        author=Author(trigger.open_id, home),
        action=trigger.action,
        once=_digest(trigger.token),
    )


def _pressed(*, tenant: str, channel: str, message: str, author: Author, action: _Action, once: str) -> Read:
    """A click. `once` is what is the same in each delivery of it and differs from the next click."""
    if not channel or not message:
        return Ignored("a click outside a message", worth="warning")
    if wrong := _wrong_ids(channel, message, author.id, once):
        return Ignored(f"a click with the id {wrong!a}", worth="warning")
    if action.tag not in (None, "button"):
        return Ignored(f"an action of type {action.tag!r}", worth="warning")
    carried = buttons.decode(action.value)
    if carried is None:
        return Ignored("a click on a button that this bot did not make", worth="warning")
    return Pressed(
        id=f"{PLATFORM}:{tenant}:{channel}:click:{once}",
        tenant=tenant,
        channel=channel,
        author=author,
        message=message,
        carried=carried,
    )


def _digest(token: str | None) -> str:
    """A token made an id: it is a credential (a card can be changed with it), so it is kept nowhere."""
    return hashlib.sha256(token.encode()).hexdigest()[:32] if token else ""


def _wrong_ids(*ids: str) -> str | None:
    """The first of the ids that is none, cut to be shown."""
    return next((one[:60] for one in ids if not _ID.fullmatch(one)), None)


def _old_type(body: Mapping[str, object]) -> object:
    event = body.get("event")
    return event.get("type") if isinstance(event, Mapping) else body.get("type")
