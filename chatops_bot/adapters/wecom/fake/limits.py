"""What WeCom takes in a message, and with which code it refuses the rest.

Lists, keys and ids: 模板卡片类型 (path/101032) and 发送应用消息 (path/90236). Widths of texts are only advised there;
they are held here all the same, because the client cuts what is longer and nobody would see the rest.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

Json = dict[str, object]

ROBOT_BYTES = 20_480
APP_BYTES = 2048
_TASK = re.compile(r"[0-9A-Za-z_@-]{1,128}")
_CARD_TYPES = {"text_notice", "news_notice", "button_interaction", "vote_interaction", "multiple_interaction"}


class Rejected(Exception):
    """WeCom's `errcode`, and its words."""

    def __init__(self, code: int, said: str) -> None:
        super().__init__(f"{code} {said}")
        self.code = code
        self.said = said


def check_card(card: object) -> Json:
    """A template card within its limits. Raises `Rejected`."""
    if not isinstance(card, dict) or card.get("card_type") not in _CARD_TYPES:
        raise Rejected(40058, "card_type invalid")
    kind = card["card_type"]
    task = card.get("task_id")
    if (task is not None or kind == "button_interaction") and not (isinstance(task, str) and _TASK.fullmatch(task)):
        raise Rejected(42013, "task_id invalid")
    _check_title(card)
    _check_rows(card)
    if kind == "button_interaction":
        _check_buttons(card.get("button_list"))
    elif kind == "text_notice":
        action = card.get("card_action")
        if not isinstance(action, dict) or action.get("type") not in (1, 2):
            raise Rejected(42040, "card_action missing or invalid")
        if action["type"] == 1 and not str(action.get("url", "")).startswith(("http://", "https://")):
            raise Rejected(42040, "card_action.url missing")
    return card


def check_text(text: object, *, most: int) -> str:
    """A message's text. Raises `Rejected`."""
    if not isinstance(text, str) or not text.strip():
        raise Rejected(44004, "empty content")
    if len(text.encode()) > most:
        raise Rejected(45002, f"content of {len(text.encode())} bytes")
    return text


def width(text: str) -> int:
    """As a reader sees it: a Chinese character is as wide as two Latin letters."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 0 if letter == "\u200b" else 1 for letter in text)


def _check_title(card: Mapping[str, object]) -> None:
    title = card.get("main_title")
    title = title if isinstance(title, dict) else {}
    if not title.get("title") and not card.get("sub_title_text"):
        raise Rejected(41016, "missing title")
    _narrow("main_title.title", title.get("title", ""), 26)
    _narrow("main_title.desc", title.get("desc", ""), 30)
    _narrow("sub_title_text", card.get("sub_title_text", ""), 112)


def _check_rows(card: Mapping[str, object]) -> None:
    rows = card.get("horizontal_content_list", [])
    if not isinstance(rows, list) or len(rows) > 6:
        raise Rejected(40058, "horizontal_content_list: at most 6")
    for row in rows:
        if not isinstance(row, dict) or not row.get("keyname"):
            raise Rejected(40058, "horizontal_content_list.keyname missing")
        _narrow("keyname", row["keyname"], 5)
        _narrow("value", row.get("value", ""), 26)


def _check_buttons(buttons: object) -> None:
    if not isinstance(buttons, list) or not 1 <= len(buttons) <= 6:
        raise Rejected(42038, "button_list: 1 to 6")
    keys: set[str] = set()
    for button in buttons:
        if not isinstance(button, dict) or not button.get("text"):
            raise Rejected(42039, "button text missing")
        key = button.get("key")
        if not isinstance(key, str) or not key or key in keys or len(key.encode()) > 1024:
            raise Rejected(42039, "key Missing or Invalid")
        if button.get("style", 1) not in (1, 2, 3, 4):
            raise Rejected(40058, "style: 1 to 4")
        keys.add(key)
        _narrow("button text", button["text"], 10)


def _narrow(what: str, text: object, most: int) -> None:
    """`most` Chinese characters, as the pages count."""
    if not isinstance(text, str):
        raise Rejected(40058, f"{what}: no text")
    if width(text) > 2 * most:
        raise Rejected(40058, f"{what}: wider than {most} characters, nobody would see its end")
