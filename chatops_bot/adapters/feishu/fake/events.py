"""Payloads as Feishu delivers them: messages and clicks, of today and of the old cards."""

from __future__ import annotations

import json
import re
from typing import Any

from chatops_bot.adapters.feishu.fake.world import App, Person, Post, World

Json = dict[str, Any]

_AT = re.compile(r"@(\w[\w.-]*)")


def header(app: App, *, event_id: str, event_type: str, now: float) -> Json:
    """What an event of schema 2.0 begins with."""
    return {
        "event_id": event_id,
        "event_type": event_type,
        "create_time": str(int(now * 1000)),
        "token": app.verification_token,
        "app_id": app.app_id,
        "tenant_key": app.tenant,
    }


def message(world: World, app: App, post: Post, author: Person, *, event_id: str) -> Json:
    """`im.message.receive_v1`."""
    chat = world.chats[post.chat]
    described: Json = {
        "message_id": post.id,
        "create_time": str(int(post.at * 1000)),
        "update_time": str(int(post.at * 1000)),
        "chat_id": post.chat,
        "chat_type": chat.kind,
        "message_type": post.kind,
        "content": post.content,
        "user_agent": "Mozilla/5.0 (X11; Linux x86_64) Lark/7.40.5",
    }
    for name, value in (("root_id", post.root), ("parent_id", post.parent), ("thread_id", post.topic)):
        if value:
            described[name] = value
    if post.mentions:
        described["mentions"] = post.mentions
    return {
        "schema": "2.0",
        "header": header(app, event_id=event_id, event_type="im.message.receive_v1", now=post.at),
        "event": {
            "sender": {"sender_id": ids(author), "sender_type": "user", "tenant_key": author.tenant},
            "message": described,
        },
    }


def click(world: World, app: App, post: Post, who: Person, value: Json, *, event_id: str, token: str) -> Json:
    """`card.action.trigger`."""
    return {
        "schema": "2.0",
        "header": header(app, event_id=event_id, event_type="card.action.trigger", now=world.clock.now()),
        "event": {
            "operator": {**ids(who), "tenant_key": who.tenant},
            "token": token,
            "action": {"value": value, "tag": "button", "timezone": "Asia/Shanghai"},
            "host": "im_message",
            "context": {"open_message_id": post.id, "open_chat_id": post.chat},
        },
    }


def old_click(post: Post, who: Person, value: Json, *, token: str) -> Json:
    """The callback of the old cards, which has no header."""
    return {
        "open_id": who.id,
        "user_id": who.id.removeprefix("ou_")[:8],
        "tenant_key": who.tenant,
        "open_message_id": post.id,
        "open_chat_id": post.chat,
        "token": token,
        "action": {"value": value, "tag": "button", "timezone": "Asia/Shanghai"},
    }


def ids(person: Person) -> Json:
    """The three ids of a person."""
    tail = person.id.removeprefix("ou_")
    return {"open_id": person.id, "user_id": tail[:8], "union_id": f"on_{tail}"}


def with_mentions(text: str, world: World, app: App) -> tuple[str, list[Json]]:
    """What a client makes of a typed text: `@bot` and `@` before the name of somebody known become keys, with their
    list."""
    mentions: list[Json] = []

    def key(found: re.Match[str]) -> str:
        name = found.group(1)
        person = world.by_name.get(name)
        if name != "bot" and person is None:
            return found.group()
        for known in mentions:
            if known["name"] == (app.name if name == "bot" else name):
                return str(known["key"])
        if name == "bot":
            who: Json = {
                "id": {"open_id": app.open_id, "user_id": "", "union_id": f"on_{app.app_id}"},
                "name": app.name,
            }
            kind, tenant = "bot", app.tenant
        else:
            assert person is not None  # noqa: S101  # see above
            who, kind, tenant = {"id": ids(person), "name": name}, "user", person.tenant
        mentions.append({"key": f"@_user_{len(mentions) + 1}", **who, "mentioned_type": kind, "tenant_key": tenant})
        return str(mentions[-1]["key"])

    return _AT.sub(key, text), mentions


def text_content(text: str) -> str:
    """The content of a text message."""
    return json.dumps({"text": text}, ensure_ascii=False)
