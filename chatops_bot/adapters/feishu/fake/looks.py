"""A card as a person sees it: lines of text, and buttons."""

from __future__ import annotations

import re
from typing import Any

from chatops_bot.adapters.feishu.fake.limits import tags
from chatops_bot.ports.wire import ShownButton

Json = dict[str, Any]

_FENCE = re.compile(r"^```.*\n|\n```$")
_AT = re.compile(r"<at id=([^>]*)></at>")


def text_of(card: Json) -> str:
    """Header and elements, one line each."""
    lines = []
    if header := card.get("header"):
        lines.append(str(header["title"]["content"]))
    for element in card["body"]["elements"]:
        lines.extend(_lines(element))
    return "\n".join(lines)


def buttons_of(card: Json) -> tuple[ShownButton, ...]:
    """Those that can be pressed, in order, with what each brings back."""
    found = []
    for part in tags(card):
        if part["tag"] != "button":
            continue
        value: Json = next((one["value"] for one in part["behaviors"] if one["type"] == "callback"), {})
        found.append(
            ShownButton(
                id=str(value.get("button", "")),
                label=str(part["text"]["content"]),
                token=str(value.get("token", "")),
                value=str(value.get("value", "")),
                thread=str(value.get("thread", "")),
            )
        )
    return tuple(found)


def value_of(card: Json, button: str) -> Json | None:
    """What a button of this id carries, as it lies in the card; None where there is none."""
    for part in tags(card):
        if part["tag"] == "button":
            for behavior in part["behaviors"]:
                value = behavior.get("value")
                if isinstance(value, dict) and value.get("button") == button:
                    return value
    return None


def carried(views: list[Json], button: str, *, token: str, value: str) -> Json:
    """What a press brings, `views` being the cards that a message has shown: the newest that has the button (with this
    token, where one is given), else what a button of this card would carry."""
    for view in reversed(views):
        found = value_of(view, button)
        if found is None or (token and found.get("token", "") != token):
            continue
        return {**found, "value": value} if value else found
    known = next((shown[0] for view in reversed(views) if (shown := buttons_of(view))), None)
    return {"button": button, "thread": known.thread if known else "", "token": token, "value": value}


def _lines(element: Json) -> list[str]:
    match element["tag"]:
        case "div":
            return [str(element["text"]["content"])]
        case "markdown":
            return [_AT.sub(r"@\1", _FENCE.sub("", str(element["content"])))]
        case "img":
            return [str(element["alt"]["content"])]
        case "table":
            names = [column["name"] for column in element["columns"]]
            head = "  ".join(str(column.get("display_name", "")) for column in element["columns"])
            return [head, *("  ".join(str(row.get(name, "")) for name in names) for row in element["rows"])]
        case _:
            return []
