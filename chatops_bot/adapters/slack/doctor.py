"""What is wrong with a Slack installation, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from slack_sdk.errors import SlackApiError

from chatops_bot.adapters.slack.settings import SlackSettings
from chatops_bot.adapters.slack.web import Reply, Web
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable, Finding

LOST: dict[str, str] = {
    "app_mentions:read": "mentions do not arrive",
    "channels:history": "messages in public channels do not arrive",
    "channels:read": "channels cannot be checked",
    "chat:write": "nothing can be said",
    "commands": "the slash command does not work",
    "groups:history": "messages in private channels do not arrive",
    "groups:read": "private channels cannot be checked",
    "im:history": "direct messages do not arrive",
    "users:read": "everybody is taken for a guest, who may do nothing",
}
"""Scopes of `docs/slack-manifest.yaml`, and what is lost without each."""

WISHED: dict[str, str] = {"files:write": "charts are shown as lines of text"}
"""Scopes that the bot can do without."""

NEEDED = frozenset(LOST)
_CHANNEL = re.compile(r"[CGD][A-Z0-9]{7,}")
_LIST_PAGES = 10
_LISTED = {"limit": "200", "types": "public_channel,private_channel", "exclude_archived": "true"}


async def check(*, web: Web, settings: SlackSettings, rooms: Sequence[str]) -> list[Finding]:
    """All findings; `rooms` are channels as configured. Calls nothing that changes anything or is seen."""
    try:
        who = await web.post("auth.test", {})
    except ChatUnavailable as error:
        return [_failed("Slack cannot be asked who the bot is", error)]
    except (ChatRefused, CardGone) as error:
        return [_failed("Slack does not take the bot token", error)]
    findings = [_identity(who), *_scopes(who)]
    if settings.mode == "socket":
        findings.append(await _app_token(web, settings))
    return [*findings, *[await _room(web, room) for room in rooms]]


def _identity(who: Reply) -> Finding:
    if not who.data.get("bot_id"):
        return Finding(
            "error", "the token belongs to a person, not to a bot", "set the bot token (xoxb-…) of OAuth & Permissions"
        )
    if who.data.get("is_enterprise_install"):
        return Finding(
            "warning",
            "the app is installed for a whole organisation",
            "install it in the one workspace that it shall serve",
        )
    return Finding("ok", f"connected to {who.data.get('team')} as {who.data.get('user')}")


def _scopes(who: Reply) -> list[Finding]:
    header = next((value for name, value in who.headers.items() if name.lower() == "x-oauth-scopes"), None)
    if header is None:
        return [Finding("warning", "Slack does not say which scopes the token has", "compare them with the manifest")]
    granted = {scope.strip() for scope in header.split(",")}
    findings = [
        Finding(
            severity,
            f"the scope {scope} is missing: {lost}",
            "add it under OAuth & Permissions (or apply docs/slack-manifest.yaml) and install the app again",
        )
        for severity, scopes in _TABLES
        for scope, lost in sorted(scopes.items())
        if scope not in granted
    ]
    return findings or [Finding("ok", "all scopes are granted")]


_TABLES: tuple[tuple[Literal["error", "warning"], dict[str, str]], ...] = (("error", LOST), ("warning", WISHED))


async def _app_token(web: Web, settings: SlackSettings) -> Finding:
    try:
        await web.client.apps_connections_open(app_token=settings.app_token)
    except SlackApiError as error:
        data = getattr(error.response, "data", {})
        code = data.get("error") if isinstance(data, dict) else "no JSON"
        return Finding(
            "error",
            f"Slack does not take the app-level token ({code})",
            "make one under Basic Information, App-Level Tokens, with connections:write, and switch Socket Mode on",
        )
    except (OSError, TimeoutError) as error:  # aiohttp's connection errors are OSErrors
        return Finding(
            "error", f"Socket Mode cannot be tried: {type(error).__name__}", "check the network and the proxy"
        )
    return Finding("ok", "the app-level token opens Socket Mode connections")


async def _room(web: Web, room: str) -> Finding:
    if not _CHANNEL.fullmatch(room):
        found = await _by_name(web, room.removeprefix("#"))
        advice = f"write {found}" if found else "write the id: the channel's details show it at the bottom (C…)"
        return Finding("error", f"{room} is a name, not the id of a channel", advice)
    try:
        data = (await web.get("conversations.info", {"channel": room})).data
    except (ChatUnavailable, ChatRefused, CardGone) as error:
        return _failed(f"the channel {room}", error)
    channel = data.get("channel")
    channel = channel if isinstance(channel, dict) else {}
    shown = f"#{channel.get('name') or room} ({room})"
    if channel.get("is_archived"):
        return Finding("error", f"{shown} is archived", "unarchive it or configure another channel")
    if not channel.get("is_member") and not channel.get("is_im"):
        return Finding("error", f"the bot is not in {shown}", "invite it there: /invite @its-name")
    return Finding("ok", f"the bot is in {shown}")


async def _by_name(web: Web, name: str) -> str:
    cursor = ""
    for _ in range(_LIST_PAGES):
        try:
            data = (await web.get("conversations.list", {**_LISTED, "cursor": cursor})).data
        except (ChatUnavailable, ChatRefused, CardGone):
            return ""
        channels = data.get("channels")
        for channel in channels if isinstance(channels, list) else []:
            if channel.get("name") == name:
                return str(channel.get("id"))
        metadata = data.get("response_metadata")
        cursor = str(metadata.get("next_cursor") or "") if isinstance(metadata, dict) else ""
        if not cursor:
            return ""
    return ""


def _failed(what: str, error: ChatUnavailable | ChatRefused | CardGone) -> Finding:
    if isinstance(error, ChatUnavailable):
        return Finding("error", f"{what}: {error}", "check the network, or try again")
    reason, _, advice = str(error).partition(": ")
    return Finding("error", f"{what}: {reason}", advice)
