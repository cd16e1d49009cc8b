"""From Slack's payloads to the bot's events: pure reading, no call to Slack.

A payload is read into one of: `Said` and `Pressed`, whose author is still to be looked up; `Directory`, news
about a person; or `Ignored` with the reason. Shapes are those of Slack's Events API, interactivity and slash
command references; only what is used is declared, everything else is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from chatops_bot.adapters.slack import buttons
from chatops_bot.adapters.slack.text import plain

PLATFORM = "slack"
_TALK = frozenset({"", "thread_broadcast", "file_share"})
"""Subtypes of messages in which a person speaks; all others (edits, deletions, joins …) say nothing to the bot."""


class Self(msgspec.Struct, frozen=True):
    """The bot as Slack knows it (auth.test), and which other bots it listens to (user, bot or app ids)."""

    team: str
    user: str
    bot: str = ""
    enterprise: str = ""
    allow_bots: frozenset[str] = frozenset()


class Author(msgspec.Struct, frozen=True):
    """Who did it, as far as the payload tells. `home` is the author's workspace or ""; `guest` is None where
    it has to be looked up."""

    id: str
    home: str = ""
    guest: bool | None = None
    name: str = ""


class Said(msgspec.Struct, frozen=True):
    """A person's message or command. `mentioned`: as of `text.Plain`."""

    id: str
    channel: str
    author: Author
    text: str
    addressed: bool
    direct: bool = False
    thread: str = ""
    reply_url: str = ""
    mentioned: tuple[tuple[str, str], ...] = ()


class Pressed(msgspec.Struct, frozen=True):
    """A click on a button of a card."""

    id: str
    channel: str
    author: Author
    button: str
    message: str
    carried: buttons.Carried
    thread: str = ""
    reply_url: str = ""


class Directory(msgspec.Struct, frozen=True):
    """Slack tells about a person."""

    account: object


class Ignored(msgspec.Struct, frozen=True):
    """Nothing for the bot; `worth` is how loudly that is logged."""

    reason: str
    worth: Literal["debug", "info", "warning"] = "debug"


Read = Said | Pressed | Directory | Ignored


class _Event(msgspec.Struct, frozen=True):
    """Only what is read must have its type; of everything else Slack may change the shape."""

    type: str
    subtype: str | None = None
    channel: object = None
    channel_type: object = None
    user: object = None
    ts: str | None = None
    thread_ts: str | None = None
    text: str | None = None
    hidden: bool | None = None
    bot_id: str | None = None
    app_id: object = None
    user_team: object = None
    team: object = None
    user_profile: object = None
    message: object = None
    previous_message: object = None


class _Authorization(msgspec.Struct, frozen=True):
    team_id: str | None = None
    user_id: str | None = None


class _Callback(msgspec.Struct, frozen=True):
    event: _Event
    team_id: str | None = None
    authorizations: list[_Authorization] | None = None


class _Named(msgspec.Struct, frozen=True):
    id: str
    team_id: str | None = None


class _Container(msgspec.Struct, frozen=True):
    message_ts: str | None = None
    channel_id: str | None = None
    thread_ts: str | None = None


class _Action(msgspec.Struct, frozen=True):
    action_id: str
    type: str | None = None
    value: str | None = None
    action_ts: str | None = None


class _Clicked(msgspec.Struct, frozen=True):
    user: _Named
    actions: list[_Action]
    container: _Container | None = None
    channel: _Named | None = None
    response_url: str | None = None


class _Command(msgspec.Struct, frozen=True):
    command: str
    user_id: str
    channel_id: str
    trigger_id: str
    text: str | None = None
    team_id: str | None = None
    response_url: str | None = None


def read_event(body: Mapping[str, object], *, me: Self, name_of: Callable[[str], str]) -> Read:
    """An `event_callback`. Raises `msgspec.ValidationError` when it is not shaped like one."""
    callback = msgspec.convert(body, _Callback)
    event = callback.event
    if not _for_us(callback, me):
        return Ignored("an event of another workspace")
    if event.type in {"user_change", "team_join"}:
        return Directory(event.user)
    if event.type not in {"message", "app_mention"}:
        return Ignored(f"events of type {event.type}")
    if event.subtype == "message_changed":
        return _edit(event)
    if reason := _not_talk(event):
        return Ignored(reason)
    if not isinstance(event.channel, str) or not event.ts:
        return Ignored("a message without channel or ts", worth="warning")
    author = _author(event, me)
    if author is None:
        return Ignored("a message of a bot")
    words = plain(event.text or "", bot=me.user, name_of=name_of)
    return Said(
        id=f"{PLATFORM}:{me.team}:{event.channel}:{event.ts}",
        channel=event.channel,
        author=author,
        text=words.text,
        addressed=words.addressed or event.type == "app_mention",
        direct=event.channel_type == "im" or event.channel.startswith("D"),
        thread=_thread(event.thread_ts, event.ts),
        mentioned=words.mentioned,
    )


def read_click(body: Mapping[str, object], *, me: Self) -> Read:
    """A `block_actions` payload. Raises `msgspec.ValidationError`."""
    clicked = msgspec.convert(body, _Clicked)
    where = clicked.container or _Container()
    channel = where.channel_id or (clicked.channel.id if clicked.channel else "")
    if not clicked.actions or not channel or not where.message_ts:
        return Ignored("a click outside a message", worth="warning")
    action = clicked.actions[0]
    if action.type != "button":
        return Ignored(f"an action of type {action.type}", worth="warning")
    button, carried = buttons.decode(action.value or "", action.action_id)
    happened = (where.message_ts, action.action_id, clicked.user.id, action.action_ts or "")
    return Pressed(
        id=f"{PLATFORM}:{me.team}:{channel}:click:{':'.join(happened)}",
        channel=channel,
        author=Author(clicked.user.id, home=clicked.user.team_id or ""),
        button=button,
        message=where.message_ts,
        carried=carried,
        thread=_thread(where.thread_ts, where.message_ts),
        reply_url=clicked.response_url or "",
    )


def read_command(body: Mapping[str, object], *, me: Self, name_of: Callable[[str], str]) -> Read:
    """A slash command. Raises `msgspec.ValidationError`."""
    command = msgspec.convert(body, _Command)
    words = plain(command.text or "", bot=me.user, name_of=name_of)
    return Said(
        id=f"{PLATFORM}:{me.team}:{command.channel_id}:command:{command.trigger_id}",
        channel=command.channel_id,
        # `team_id` of a command is the workspace it was typed in: the author's own.
        author=Author(command.user_id, home=command.team_id or ""),
        text=words.text,
        addressed=True,
        direct=True,
        reply_url=command.response_url or "",
        mentioned=words.mentioned,
    )


def _for_us(callback: _Callback, me: Self) -> bool:
    """Whether our installation is meant. In a shared channel `team_id` may be the other workspace's."""
    granted = callback.authorizations or []
    teams = {grant.team_id for grant in granted} | {callback.team_id}
    if not any(teams) or me.team in teams:
        return True
    return any(grant.user_id == me.user for grant in granted)


def _edit(event: _Event) -> Ignored:
    """Edits do nothing: most are Slack's own (a reply came, a link was unfolded), and one by a person would have
    to undo what was done for the old text."""
    new, old = _object(event.message), _object(event.previous_message)
    if new.get("bot_id") or new.get("text") == old.get("text"):
        return Ignored("an edit without new text")
    return Ignored("an edit with new text: only new messages are read", worth="info")


def _not_talk(event: _Event) -> str:
    subtype = event.subtype or ""
    if event.hidden:
        return "a hidden message"
    if subtype == "bot_message":
        return ""
    return "" if subtype in _TALK else f"messages of subtype {subtype}"


def _author(event: _Event, me: Self) -> Author | None:
    """Who wrote it; None for the bot itself and for bots that are not on the list."""
    user = _text(event.user)
    if user == me.user or (event.bot_id and event.bot_id == me.bot):
        return None
    if event.bot_id or event.subtype == "bot_message":
        if not me.allow_bots & {user, event.bot_id or "", _text(event.app_id)} - {""}:
            return None
        return Author(user or event.bot_id or "", home=me.team, guest=None if user else True)
    if not user:
        return None
    profile = _object(event.user_profile)
    marks = [profile.get("is_restricted"), profile.get("is_ultra_restricted")]
    return Author(
        user,
        home=_text(event.user_team) or _text(profile.get("team")) or _text(event.team),
        guest=any(marks) if all(isinstance(mark, bool) for mark in marks) else None,
        name=_text(profile.get("display_name")) or _text(profile.get("real_name")),
    )


def _object(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _thread(thread: str | None, message: str) -> str:
    """The root of the thread that a message stands in, "" for the root itself and the open room."""
    return "" if not thread or thread == message else thread
