"""What is wrong with a Feishu installation, which page of its console to open, and what to do there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal
from urllib.parse import quote

from chatops_bot.adapters.feishu.errors import PUBLISH
from chatops_bot.adapters.feishu.inbound import CLICK_EVENT, MESSAGE_EVENT
from chatops_bot.adapters.feishu.settings import FeishuSettings
from chatops_bot.adapters.feishu.web import Data, Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Finding

LOST: dict[str, tuple[tuple[str, ...], str]] = {
    "im:message:send_as_bot": (("im:message",), "nothing can be said"),
    "im:message.group_at_msg:readonly": (
        ("im:message.group_at_msg", "im:message.group_msg"),
        "mentions in groups do not arrive",
    ),
    "im:message.p2p_msg:readonly": (("im:message.p2p_msg",), "direct messages do not arrive"),
}
"""Permissions that are needed, others that include them, and what is lost without."""

WISHED: dict[str, tuple[tuple[str, ...], str]] = {
    "im:message.group_msg": ((), "in groups only mentions arrive: replies without one do not"),
    "im:chat:readonly": (("im:chat", "im:chat:read"), "groups cannot be checked"),
    "im:resource": (("im:resource:upload",), "charts cannot be uploaded"),
    "contact:user.base:readonly": (
        ("contact:contact:readonly_as_app", "contact:contact:access_as_app"),
        "people are shown by id until somebody mentions them, and suspended ones are not recognised",
    ),
    "tenant:tenant:readonly": (("tenant:tenant",), "alerts wait for the first message, which names the organisation"),
}
"""Permissions that the bot can do without."""

_CHAT = re.compile(r"oc_[0-9a-zA-Z_-]{5,64}")
_LIST_PAGES = 10
_PERMISSIONS = "Permissions & Scopes (权限管理)"
_EVENTS = "Events & Callbacks (事件与回调)"
_CREDENTIALS = "Credentials & Basic Info (凭证与基础信息)"


async def check(*, web: Web, settings: FeishuSettings, rooms: Sequence[str]) -> list[Finding]:
    """All findings; `rooms` are chats as configured. Calls nothing that changes anything or is seen."""
    try:
        who = await web.get("bot.info", "/open-apis/bot/v3/info")
    except ChatUnavailable as error:
        return [_failed("Feishu cannot be asked who the bot is", error)]
    except (ChatRefused, CardGone) as error:
        return [_failed("Feishu does not take the app", error)]
    findings = [_identity(who), *await _scopes(web), await _events(web, settings), _callback()]
    if settings.mode == "connection":
        findings.append(await _connection(web, settings))
    return [*findings, *[await _room(web, room) for room in rooms]]


def _identity(who: Data) -> Finding:
    bot = who.get("bot")
    bot = bot if isinstance(bot, dict) else {}
    if bot.get("activate_status") not in (None, 2):
        return Finding(
            "error",
            f"the app is not enabled in this organisation (status {bot.get('activate_status')})",
            "publish a version and have an administrator approve it: Version Management & Release (版本管理与发布)",
        )
    return Finding("ok", f"connected as {bot.get('app_name')}")


async def _scopes(web: Web) -> list[Finding]:
    try:
        found = (await web.get("scopes.list", "/open-apis/application/v6/scopes")).get("scopes")
    except (ChatUnavailable, ChatRefused, CardGone) as error:
        return [
            Finding("warning", f"permissions cannot be read: {error}", f"compare {_PERMISSIONS} with docs/feishu.md")
        ]
    granted = {
        str(scope.get("scope_name"))
        for scope in (found if isinstance(found, list) else [])
        if isinstance(scope, dict) and scope.get("grant_status") == 1
    }
    findings = [
        Finding(severity, f"the permission {scope} is missing: {lost}", f"add it under {_PERMISSIONS}, {PUBLISH}")
        for severity, table in _TABLES
        for scope, (instead, lost) in table.items()
        if not granted & {scope, *instead}
    ]
    return findings or [Finding("ok", "all permissions are granted")]


_TABLES: tuple[tuple[Literal["error", "warning"], dict[str, tuple[tuple[str, ...], str]]], ...] = (
    ("error", LOST),
    ("warning", WISHED),
)


async def _events(web: Web, settings: FeishuSettings) -> Finding:
    """Whether the newest released version has the bot subscribed to messages."""
    path = f"/open-apis/application/v6/applications/{quote(settings.app_id, safe='')}/app_versions"
    advice = f"{_EVENTS}, Event Configuration (事件配置): add {MESSAGE_EVENT}, {PUBLISH}"
    try:
        data = await web.get("versions.list", path, {"lang": "en_us", "page_size": "20", "order": "0"})
    except (ChatUnavailable, ChatRefused, CardGone):
        return Finding("ok", f"whether {MESSAGE_EVENT} is subscribed cannot be read", f"if nothing arrives: {advice}")
    items = data.get("items")
    released = [
        item
        for item in (items if isinstance(items, list) else [])
        if isinstance(item, dict) and item.get("status") == 1
    ]
    if not released:
        return Finding("error", "no version of the app is released", f"{advice}")
    if any(_subscribed(event) for event in _list(released[0].get("event_infos")) + _list(released[0].get("events"))):
        return Finding("ok", f"{MESSAGE_EVENT} is subscribed")
    return Finding("error", f"{MESSAGE_EVENT} is not subscribed: no message arrives", advice)


def _subscribed(event: object) -> bool:
    # Newer answers give objects, older ones names.
    return MESSAGE_EVENT in (event, event.get("event_type") if isinstance(event, dict) else None)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _callback() -> Finding:
    return Finding(
        "ok",
        f"Feishu tells nobody whether {CLICK_EVENT} is subscribed",
        f"if a button shows 200340: {_EVENTS}, Callback Configuration (回调配置): add {CLICK_EVENT}, {PUBLISH}",
    )


async def _connection(web: Web, settings: FeishuSettings) -> Finding:
    """Ask for an address without going there."""
    try:
        await web.bare(
            "ws.endpoint", "/callback/ws/endpoint", {"AppID": settings.app_id, "AppSecret": settings.app_secret}
        )
    except (ChatUnavailable, ChatRefused, CardGone) as error:
        reason, _, advice = str(error).partition(": ")
        return Finding(
            "error",
            f"Feishu gives no address for a long connection: {reason}",
            f"{advice}; choose “Receive events through persistent connection” (使用长连接接收) for both events and "
            f"callbacks under {_EVENTS}, or set mode: webhook",
        )
    return Finding("ok", "long connections can be opened")


async def _room(web: Web, room: str) -> Finding:
    if not _CHAT.fullmatch(room):
        found = await _by_name(web, room.removeprefix("#"))
        advice = f"write {found}" if found else "write the id: the group's settings show it at the bottom (oc_…)"
        return Finding("error", f"{room} is a name, not the id of a group", advice)
    try:
        data = await web.get("chats.get", f"/open-apis/im/v1/chats/{quote(room, safe='')}")
    except (ChatUnavailable, ChatRefused, CardGone) as error:
        return _failed(f"the group {room}", error)
    shown = f"{data.get('name') or 'the group'} ({room})"
    if data.get("chat_status") not in (None, "normal"):
        return Finding("error", f"{shown} was dissolved", "configure another group")
    if data.get("external") is True:
        return Finding(
            "warning",
            f"{shown} has people of other organisations in it",
            "they may do nothing unless a policy rule names them",
        )
    return Finding("ok", f"the bot is in {shown}")


async def _by_name(web: Web, name: str) -> str:
    page = ""
    for _ in range(_LIST_PAGES):
        try:
            data = await web.get("chats.list", "/open-apis/im/v1/chats", {"page_size": "100", "page_token": page})
        except (ChatUnavailable, ChatRefused, CardGone):
            return ""
        for chat in _list(data.get("items")):
            if isinstance(chat, dict) and chat.get("name") == name:
                return str(chat.get("chat_id"))
        page = str(data.get("page_token") or "")
        if not page or not data.get("has_more"):
            return ""
    return ""


def _failed(what: str, error: ChatUnavailable | ChatRefused | CardGone) -> Finding:
    if isinstance(error, ChatUnavailable):
        return Finding("error", f"{what}: {error}", "check the network, or try again")
    reason, _, advice = str(error).partition(": ")
    # The advice names the page; credentials have only one.
    return Finding("error", f"{what}: {reason}", advice or f"check {_CREDENTIALS}")
