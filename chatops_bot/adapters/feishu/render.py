"""The neutral card as a card of JSON 2.0 within every limit of Feishu, and what did not fit in it.

Limits are those of the pages on sending messages (30 KB a request) and on JSON 2.0 (200 elements). The card goes into
the request as JSON within JSON, so its size is measured as it will be sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from chatops_bot.adapters.feishu import buttons
from chatops_bot.adapters.feishu.pieces import Json, Piece, code, pieces, words
from chatops_bot.domain.cards import Button, Card, Tone
from chatops_bot.domain.intents import Language
from chatops_bot.domain.texts.platform import TEXTS

SUM = 28_000
"""Bytes of a card as a string in a request of at most 30 KB, which also names the chat and the key."""
ELEMENTS = 180
"""Of 200, counting whatever has a tag."""
BUTTONS = 30
ROW = 5
TITLE = 200
LABEL = 60
MENTIONS = 20
FALLBACK = 4000
_TEMPLATES: dict[Tone, str] = {"info": "blue", "ok": "green", "warn": "orange", "danger": "red", "muted": "grey"}
_USER_ID = re.compile(r"ou_[A-Za-z0-9_-]{1,64}")


class Shown(NamedTuple):
    """A message: its card, and its plain text for when Feishu takes no card; `more` is a second card to follow
    below it when something did not fit, else None."""

    text: str
    card: Json
    more: Json | None = None


def render(card: Card, *, thread: str, root: str = "", pictures: Mapping[str, str] = MappingProxyType({})) -> Shown:
    """The message that shows `card`; `thread` and `root` go into the buttons, `pictures` are keys of images by
    `key_of`."""
    head = _mentions(card)
    tail = _actions(card, thread=thread, root=root)
    frame = _frame(card.title, card.tone)
    kept, lost = _fit(list(pieces(card.blocks, pictures)), frame=frame, fixed=[*head, *tail], language=card.language)
    text = card.text().strip() or "–"
    shown = _with(frame, [*head, *kept, *tail])
    return Shown(text[:FALLBACK], shown, _continuation(card, lost) if lost else None)


def size(value: object) -> int:
    """Bytes of a value as JSON in a string of JSON, in UTF-8."""
    raw = msgspec.json.encode(value)
    return len(raw) + raw.count(b'"') + raw.count(b"\\")


def elements(value: object) -> int:
    """How many parts of it have a tag."""
    if isinstance(value, Mapping):
        return ("tag" in value) + sum(elements(part) for part in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(elements(part) for part in value)
    return 0


def _frame(title: str, tone: Tone) -> Json:
    line = " ".join(title.split()) or "–"
    shown = line if len(line) <= TITLE else line[: TITLE - 1] + "…"
    return {
        "schema": "2.0",
        # Without it the card could not be changed later, and each reader would have a copy of their own.
        "config": {"update_multi": True, "summary": {"content": shown}},
        "header": {"title": {"tag": "plain_text", "content": shown}, "template": _TEMPLATES[tone]},
        "body": {"elements": []},
    }


def _with(frame: Json, parts: list[Json]) -> Json:
    # A body without elements is refused.
    return {**frame, "body": {"elements": parts or [words("–")]}}


def _mentions(card: Card) -> list[Json]:
    known = [user for user in card.mention if _USER_ID.fullmatch(user)][:MENTIONS]
    return [{"tag": "markdown", "content": " ".join(f"<at id={user}></at>" for user in known)}] if known else []


def _actions(card: Card, *, thread: str, root: str) -> list[Json]:
    """Rows of buttons. One whose value is too long to come back, or for which there is no room, is left out and
    said to be: its name can still be typed."""
    shown: list[Json] = []
    room = SUM // 2
    for button in card.buttons:
        element = _button(button, thread=thread, root=root)
        if element is None or len(shown) == BUTTONS or size(element) > room:
            continue
        shown.append(element)
        room -= size(element)
    rows: list[Json] = [_row(shown[start : start + ROW]) for start in range(0, len(shown), ROW)]
    if left_out := len(card.buttons) - len(shown):
        said = _say("platform.more_buttons", card.language, count=left_out)
        rows.append(words(said, size="notation", color="grey"))
    return rows


def _row(shown: list[Json]) -> Json:
    return {
        "tag": "column_set",
        "flex_mode": "flow",
        "horizontal_spacing": "8px",
        "columns": [{"tag": "column", "width": "auto", "elements": [button]} for button in shown],
    }


def _button(button: Button, *, thread: str, root: str) -> Json | None:
    """None where its value is too long."""
    value = buttons.encode(button, thread=thread, root=root)
    if value is None:
        return None
    label = " ".join(button.label.split()) or button.id or "–"
    return {
        "tag": "button",
        "text": {"tag": "plain_text", "content": label if len(label) <= LABEL else label[: LABEL - 1] + "…"},
        "type": button.style,
        "behaviors": [{"type": "callback", "value": value}],
    }


def _fit(found: list[Piece], *, frame: Json, fixed: list[Json], language: Language) -> tuple[list[Json], list[str]]:
    """As many pieces as there is room for, in order, each gap marked with how many lines it hides; and the lines
    hidden. Code gives way first, from its end."""
    room = SUM - size(_with(frame, fixed))
    count = ELEMENTS - elements(_with(frame, fixed))
    whole = [piece.element for piece in found]
    if size(whole) <= room and elements(whole) <= count:
        return whole, []
    chosen: set[int] = set()
    full: set[int] = set()
    for flexible in (False, True):
        for place, piece in enumerate(found):
            if piece.flexible is not flexible or piece.source in full:
                continue
            cost = size(piece.element) + 1
            if cost > room or elements(piece.element) > count:
                full.add(piece.source)
                continue
            chosen.add(place)
            room -= cost
            count -= elements(piece.element)
    while True:
        kept = _marked(found, chosen, language)
        shown = _with(frame, [*fixed, *kept])
        if not chosen or (size(shown) <= SUM and elements(shown) <= ELEMENTS):
            break
        # The marks themselves need room: the last piece goes, code before anything else.
        chosen.discard(max(chosen, key=lambda place: (found[place].flexible, place)))
    return kept, [line for place, piece in enumerate(found) if place not in chosen for line in piece.lines]


def _marked(found: list[Piece], chosen: set[int], language: Language) -> list[Json]:
    kept: list[Json] = []
    for shown, run in groupby(range(len(found)), key=lambda place: place in chosen):
        if shown:
            kept.extend(found[place].element for place in run)
        else:
            hidden = sum(len(found[place].lines) for place in run)
            said = _say("platform.more_lines", language, count=hidden)
            kept.append(words(said, size="notation", color="grey"))
    return kept


def _continuation(card: Card, lost: list[str]) -> Json:
    frame = _frame(_say("platform.continued", card.language, title=" ".join(card.title.split())), "muted")
    kept, _ = _fit(list(code("\n".join(lost), 0)), frame=frame, fixed=[], language=card.language)
    return _with(frame, kept)


def _say(key: str, language: Language, **filled: str | int) -> str:
    return TEXTS[key][0 if language == "zh" else 1].format(**filled)
