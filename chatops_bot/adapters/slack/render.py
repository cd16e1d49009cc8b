"""The neutral card as a Slack message within every limit of Block Kit, and what did not fit in it.

The sum limit is not documented: blocks of 13,200 characters in all were refused though each was legal
(slackapi/bolt-js#2509), so the whole list of blocks, as JSON, stays within 12,000.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from chatops_bot.adapters.slack import buttons
from chatops_bot.adapters.slack.pieces import Json, Piece, code, context, mrkdwn, pieces, section
from chatops_bot.adapters.slack.text import cut, escape
from chatops_bot.domain.cards import Button, Card, Tone
from chatops_bot.domain.intents import Language
from chatops_bot.domain.texts.platform import TEXTS

BLOCKS = 50
SUM = 12_000
TITLE = 300
FALLBACK = 3000
ELEMENTS = 25
BUTTON_TEXT = 75
MENTIONS = 20
_BUTTON_SUM = 8000
_MARKS: dict[Tone, str] = {"info": "🔵", "ok": "✅", "warn": "⚠️", "danger": "🔴", "muted": "⚪"}
_encode = msgspec.json.Encoder().encode
_USER_ID = re.compile(r"[UW][A-Z0-9]{2,20}")
_GROUP_ID = re.compile(r"S[A-Z0-9]{6,20}")


class Shown(NamedTuple):
    """A message: its plain text (notifications) and its blocks; `more` is a second message to follow it in the
    thread when something did not fit, else None."""

    text: str
    blocks: list[Json]
    more: tuple[str, list[Json]] | None = None


def render(card: Card, *, thread: str, pictures: Mapping[str, str] = MappingProxyType({})) -> Shown:
    """The message that shows `card`; `thread` goes into the buttons, `pictures` are ids of files by `key_of`."""
    head = section(_title(card))
    tail = _actions(card, thread=thread)
    kept, lost = _fit(list(pieces(card.blocks, pictures)), fixed=[head, *tail], language=card.language)
    text = cut(card.text().strip() or "–", FALLBACK)
    if rung := _mentions(card):
        text = f"{rung}\n{text}"
    return Shown(text, [head, *kept, *tail], _continuation(card, lost) if lost else None)


def _title(card: Card) -> str:
    title = cut(" ".join(card.title.split()) or "–", TITLE)
    shown = f"{_MARKS[card.tone]} {title}" if "*" in title else f"{_MARKS[card.tone]} *{title}*"
    rung = _mentions(card)
    return f"{shown}\n{rung}" if rung else shown


def _mentions(card: Card) -> str:
    rung = [token for one in card.mention if (token := _token(one))]
    return " ".join(rung[:MENTIONS])


def _token(id: str) -> str:
    """What mentions a person or a user group, "" for an id of neither."""
    if _GROUP_ID.fullmatch(id):
        return f"<!subteam^{id}>"
    return f"<@{id}>" if _USER_ID.fullmatch(id) else ""


def _actions(card: Card, *, thread: str) -> list[Json]:
    """Rows of buttons. One whose value is too long to come back, or for which there is no room, is left out
    and said to be: its name can still be typed."""
    taken: set[str] = set()
    found = (_button(button, thread=thread, taken=taken) for button in card.buttons)
    elements = _beside([element for element in found if element is not None])
    left_out = len(card.buttons) - len(elements)
    rows: list[Json] = [
        {"type": "actions", "block_id": f"actions{start}", "elements": elements[start : start + ELEMENTS]}
        for start in range(0, len(elements), ELEMENTS)
    ]
    if left_out:
        rows.append(context(_say("platform.more_buttons", card.language, count=left_out)))
    return rows


def _beside(elements: list[Json]) -> list[Json]:
    """Those of the buttons for which there is room, in order."""
    if _size(elements) <= _BUTTON_SUM:
        return elements
    kept: list[Json] = []
    room = _BUTTON_SUM
    for element in elements:
        cost = _size(element) + 1
        if cost <= room:
            kept.append(element)
            room -= cost
    return kept


def _button(button: Button, *, thread: str, taken: set[str]) -> Json | None:
    """None where its value is too long."""
    shown_as = buttons.action_id(button, taken)
    value = buttons.encode(button, thread=thread, shown_as=shown_as)
    if len(value) > buttons.VALUE_LIMIT:
        return None
    label = cut(" ".join(button.label.split()) or button.id or "–", BUTTON_TEXT)
    element: Json = {
        "type": "button",
        "action_id": shown_as,
        "text": {"type": "plain_text", "text": label, "emoji": True},
        "value": value,
    }
    if button.style != "default":
        element["style"] = button.style
    return element


def _fit(found: list[Piece], *, fixed: list[Json], language: Language) -> tuple[list[Json], list[str]]:
    """As many pieces as there is room for, in order, each gap marked with how many lines it hides; and the
    lines hidden. Code gives way first, from its end."""
    whole = [piece.block for piece in found]
    if len(fixed) + len(whole) <= BLOCKS and _size([*fixed, *whole]) <= SUM:
        return whole, []
    room = SUM - _size(fixed)
    count = BLOCKS - len(fixed)
    chosen: set[int] = set()
    full: set[int] = set()
    for flexible in (False, True):
        for place, piece in enumerate(found):
            if piece.flexible is not flexible or piece.source in full:
                continue
            cost = _size(piece.block) + 1
            if cost > room or not count:
                full.add(piece.source)
                continue
            chosen.add(place)
            room -= cost
            count -= 1
    while True:
        kept = _marked(found, chosen, language)
        if _size([*fixed, *kept]) <= SUM and len(fixed) + len(kept) <= BLOCKS:
            break
        # The marks themselves need room: the last piece goes, code before anything else.
        chosen.discard(max(chosen, key=lambda place: (found[place].flexible, place)))
    return kept, [line for place, piece in enumerate(found) if place not in chosen for line in piece.lines]


def _marked(found: list[Piece], chosen: set[int], language: Language) -> list[Json]:
    kept: list[Json] = []
    for shown, run in groupby(range(len(found)), key=lambda place: place in chosen):
        if shown:
            kept.extend(found[place].block for place in run)
        else:
            hidden = sum(len(found[place].lines) for place in run)
            kept.append(context(_say("platform.more_lines", language, count=hidden)))
    return kept


def _continuation(card: Card, lost: list[str]) -> tuple[str, list[Json]]:
    title = _say("platform.continued", card.language, title=" ".join(card.title.split()))
    head: Json = {"type": "context", "elements": [mrkdwn(cut(title, TITLE))]}
    kept, _ = _fit(list(code("\n".join(lost), 0)), fixed=[head], language=card.language)
    return escape(title[:FALLBACK]), [head, *kept]


def _say(key: str, language: Language, **filled: str | int) -> str:
    return TEXTS[key][0 if language == "zh" else 1].format(**filled)


def _size(value: object) -> int:
    raw = _encode(value)
    return len(raw) if raw.isascii() else len(raw.decode())
