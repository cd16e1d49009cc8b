"""A message as a person sees it: lines of text without their markup, and buttons."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from chatops_bot.adapters.slack.fake import blockkit
from chatops_bot.ports.wire import ShownButton

Json = dict[str, Any]
NameOf = Callable[[str], str]

_FENCE = re.compile(r"^```\n?|\n?```$")
_BOLD = re.compile(r"\*([^*\n]+)\*")
_MENTION = re.compile(r"<([@!])([^<>|]+)")
_PERSON = re.compile(r"<@([A-Z0-9]+)>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("\u200b", ""))


def text_of(message: Json, name_of: NameOf) -> str:
    """The blocks, one line or more each; without blocks, the text."""
    blocks = message.get("blocks") or []
    if not blocks:
        return plain(str(message.get("text", "")), name_of)
    return "\n".join(line for block in blocks for line in _lines(block, name_of))


def buttons_of(message: Json) -> tuple[ShownButton, ...]:
    """Those that can be pressed, in order, with what each brings back."""
    return tuple(_button(element) for element in elements(message))


def elements(message: Json) -> list[Json]:
    """Buttons as they lie in the blocks."""
    rows = [block["elements"] for block in message.get("blocks") or [] if block["type"] == "actions"]
    return [element for row in rows for element in row]


def carried(element: Json) -> Json:
    """What the bot wrote into a button's value."""
    try:
        found = json.loads(element.get("value", ""))
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def plain(text: str, name_of: NameOf) -> str:
    """Text without mrkdwn: names for people, characters for entities, no marks of bold."""
    text = _BOLD.sub(r"\1", _PERSON.sub(lambda found: f"@{name_of(found[1])}", text))
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


def rings(message: Json) -> list[str]:
    """Whom a message of the bot rings: user ids, "all" for a channel or a group."""
    if "bot_id" not in message:
        return []
    raw = [str(each["text"]) for each in blockkit.objects(message.get("blocks"), "mrkdwn")]
    return [token for text in raw or [str(message.get("text", ""))] for token in tokens(text)]


def tokens(text: str) -> list[str]:
    """Mentions in mrkdwn: ids of people and of user groups, "all" for a whole channel."""
    found = ((kind, name.partition("subteam^")) for kind, name in _MENTION.findall(text))
    return [(group or "all") if kind == "!" else name for kind, (name, _, group) in found]


def _lines(block: Mapping[str, Any], name_of: NameOf) -> list[str]:
    if block["type"] == "image":
        return [str(block["alt_text"])]
    if block["type"] == "context":
        return [plain(str(element["text"]), name_of) for element in block["elements"]]
    if block["type"] != "section":
        return []
    if "fields" in block:
        return [plain(str(field["text"]), name_of).replace("\n", ": ", 1) for field in block["fields"]]
    text = str(block["text"]["text"])
    if text.startswith("```"):
        # What stands in a fence is shown as it is.
        text = _FENCE.sub("", text)
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
        return [text]
    return [plain(text, name_of)]


def _button(element: Json) -> ShownButton:
    brought = carried(element)
    return ShownButton(
        id=str(brought.get("button") or element["action_id"]),
        label=str(element["text"]["text"]),
        token=str(brought.get("token", "")),
        value=str(brought.get("value", "")),
        thread=str(brought.get("thread", "")),
    )
