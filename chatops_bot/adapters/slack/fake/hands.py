"""What a person's client does before Slack gets it: names become tokens, a press takes what its button carries."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

from chatops_bot.adapters.slack.fake import looks
from chatops_bot.adapters.slack.fake.workspace import BOT_USER, Workspace

Json = dict[str, Any]

_AT = re.compile(r"@(\w[\w.-]*)")


@dataclass
class Crew:
    """People: ids by name, and the workspace of each id."""

    ids: dict[str, str] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)

    def name(self, user: str) -> str:
        """Of an id; the id itself where it has none."""
        return next((name for name, known in self.ids.items() if known == user), user)

    def typed(self, text: str) -> str:
        """What Slack's client makes of a typed text: entities, and tokens for the bot and the people known."""
        escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

        def token(found: re.Match[str]) -> str:
            user = BOT_USER if found[1] == "bot" else self.ids.get(found[1], "")
            return f"<@{user}>" if user else found[0]

        return _AT.sub(token, escaped)


def find(workspace: Workspace, room: str, message: str) -> Json | None:
    """A message of a room."""
    return next((post for post in workspace.messages(room) if post["ts"] == message), None)


def root_of(workspace: Workspace, room: str, message: str) -> str:
    """The thread in which a reply to a message stands."""
    post = find(workspace, room, message) if message else None
    return str((post or {}).get("thread_ts") or message)


def pressed(workspace: Workspace, message: str, button: str, *, token: str, value: str) -> Json:
    """The button as the message shows it, or last did, or one that carries what was given."""
    thread = ""
    for view in reversed(workspace.views.get(message, [])):
        for element, shown in zip(looks.elements(view), looks.buttons_of(view), strict=True):
            thread = thread or shown.thread
            if shown.id == button and token in ("", shown.token) and value in ("", shown.value):
                return element
    carried = {"thread": thread, "token": token, "value": value}
    return {"action_id": button, "value": json.dumps({name: text for name, text in carried.items() if text})}
