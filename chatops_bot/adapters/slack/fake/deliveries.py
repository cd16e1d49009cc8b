"""Payloads as Slack delivers them, and the signature over their bytes."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import Any
from urllib.parse import urlencode

from chatops_bot.adapters.slack.fake.workspace import APP, BOT_USER, ROOM, TEAM

Json = dict[str, Any]
SECRET = "shhh"  # noqa: S105  # of a workspace that does not exist


def event(event: Json, *, id: str = "Ev1", **more: object) -> Json:
    """An `event_callback` around an event."""
    return {
        "token": "t",
        "team_id": TEAM,
        "api_app_id": APP,
        "type": "event_callback",
        "event_id": id,
        "event_time": 1_700_000_000,
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": TEAM,
                "user_id": BOT_USER,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": False,
        "event_context": "4-x",
        "event": event,
        **more,
    }


def message(
    text: str, *, user: str | None = "U1", ts: str = "1700000001.000100", channel: str = ROOM, **more: object
) -> Json:
    """A `message` event."""
    return {
        "type": "message",
        "channel": channel,
        "user": user,
        "text": text,
        "ts": ts,
        "event_ts": ts,
        "team": TEAM,
        "channel_type": "channel",
        **more,
    }


def mention(text: str, **more: Any) -> Json:
    """The `app_mention` event of the same post: no `channel_type`, its own event id."""
    found = message(text, **more)
    found["type"] = "app_mention"
    del found["channel_type"]
    return found


def click(
    action_id: str,
    value: str,
    *,
    message_ts: str,
    user: str = "U1",
    channel: str = ROOM,
    thread_ts: str = "",
    action_ts: str = "1700000009.000001",
    **more: object,
) -> Json:
    """A `block_actions` payload of a button."""
    container: Json = {"type": "message", "message_ts": message_ts, "channel_id": channel, "is_ephemeral": False}
    if thread_ts:
        container["thread_ts"] = thread_ts
    return {
        "type": "block_actions",
        "user": {"id": user, "username": "alice", "name": "alice", "team_id": TEAM},
        "api_app_id": APP,
        "token": "t",
        "container": container,
        "trigger_id": "13345224609.738474920.8088930838d88f008e0",
        "team": {"id": TEAM, "domain": "test"},
        "enterprise": None,
        "is_enterprise_install": False,
        "channel": {"id": channel, "name": "ops"},
        "message": {"type": "message", "ts": message_ts, "bot_id": "B0BOT"},
        "state": {"values": {}},
        "actions": [
            {
                "type": "button",
                "block_id": "actions0",
                "action_id": action_id,
                "text": {"type": "plain_text", "text": "x"},
                "value": value,
                "action_ts": action_ts,
            }
        ],
        **more,
    }


def command(text: str, *, command: str = "/ops", user: str = "U1", channel: str = ROOM, **more: object) -> Json:
    """The fields of a slash command."""
    return {
        "token": "t",
        "team_id": TEAM,
        "team_domain": "test",
        "channel_id": channel,
        "channel_name": "ops",
        "user_id": user,
        "user_name": "alice",
        "command": command,
        "text": text,
        "api_app_id": APP,
        "is_enterprise_install": "false",
        "trigger_id": "13345224609.738474920.8088930838d88f008e1",
        **more,
    }


def as_json(payload: object) -> bytes:
    return json.dumps(payload, ensure_ascii=False).encode()


def as_form(fields: Json) -> bytes:
    return urlencode(fields).encode()


def as_interaction(payload: object) -> bytes:
    return urlencode({"payload": json.dumps(payload)}).encode()


def signed(body: bytes, *, now: float, secret: str = SECRET, **more: str) -> dict[str, str]:
    """Headers of a delivery, signed over the raw bytes."""
    stamp = str(int(now))
    base = b"v0:" + stamp.encode() + b":" + body
    form = not body.startswith(b"{")
    return {
        "content-type": "application/x-www-form-urlencoded" if form else "application/json",
        "x-slack-request-timestamp": stamp,
        "x-slack-signature": "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest(),
        **more,
    }
