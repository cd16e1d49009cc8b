"""The neutral card as WeCom shows it: markdown that says all of it, and a template card to be pressed.

A template card holds little: its pages advise limits for every text, and the client cuts what is longer. So whatever
does not fit in one is also said in full beside it, as markdown. Limits: 模板卡片类型
(path/101032), 发送应用消息 (path/90236).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from chatops_bot.adapters.wecom import buttons
from chatops_bot.adapters.wecom.text import chunks, columns, cut, escape, escape_code, linked, quiet, size
from chatops_bot.domain.cards import Block, Button, Card, Code, Fields, Links, Note, Picture, Table, Text, Tone
from chatops_bot.domain.intents import Language
from chatops_bot.domain.layout import table_lines
from chatops_bot.domain.texts.platform import TEXTS

Json = dict[str, object]

BUTTONS = 6
LABEL = 20
TITLE = 52
DESCRIPTION = 60
SUBTITLE = 224
ROWS = 6
ROW_LABEL = 10
ROW_VALUE = 52
"""Columns, twice the number of Chinese characters that the pages advise."""

ROBOT_TEXT = 20_000
"""Bytes of a robot's markdown: WeCom takes 20,480."""
APP_TEXT = 2000
"""Bytes of one markdown message of an application: WeCom takes 2048, and cuts the rest off."""
APP_PARTS = 3

MENTIONS = 20

_USER_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.@-]{0,63}")
_MARKS: dict[Tone, str] = {"info": "🔵", "ok": "✅", "warn": "⚠️", "danger": "🔴", "muted": "⚪"}
_STYLES = {"primary": 1, "default": 2, "danger": 3}


class Shown(msgspec.Struct, frozen=True):
    """One view. `text` is markdown that says everything; `card` a template card without its task id, None where
    nothing can be pressed; `whole` tells that the card alone says everything; `beside` is the card to stand beside the
    text, which need not say it again; `still` is a card without buttons. `passing`: something is under way, and what
    comes of it will be shown soon."""

    text: str
    card: Json | None
    whole: bool
    beside: Json | None
    still: Json
    passing: bool = False

    def keyed(self, task: str) -> Json:
        """The card to be pressed, or the still one, under a task id."""
        return {**(self.card or self.still), "task_id": task}


def render(card: Card, *, thread: str, link: str, limit: int = ROBOT_TEXT, replaces: bool = False) -> Shown:
    """The view of `card`; `thread` goes into the buttons, `limit` are the bytes of its text, `link` is where a card
    without buttons leads. `replaces`: it stands for an earlier message whose buttons are void, and says so."""
    notes = [_say("platform.replaces", card.language)] if replaces else []
    shown, typed = _buttons(card, thread=thread)
    brief, whole = _brief(card, notes)
    said = [*notes, *([_typed(typed, card.language)] if typed else [])]
    text = _markdown(card, limit=limit, notes=said)
    pressed: Json | None = None
    beside: Json | None = None
    if shown:
        pressed = {"card_type": "button_interaction", **brief, "button_list": shown}
        beside = {"card_type": "button_interaction", "main_title": brief["main_title"], "button_list": shown}
    return Shown(
        text=text,
        card=pressed,
        whole=whole and not typed and not card.mention,
        beside=beside,
        still={"card_type": "text_notice", **brief, "card_action": {"type": 1, "url": link}},
        passing=card.tone == "info" and not card.buttons,
    )


def parts(text: str, *, limit: int = APP_TEXT, most: int = APP_PARTS) -> list[str]:
    """A text as several messages of at most `limit` bytes."""
    return chunks(text, limit)[:most]


def title(card: Card) -> str:
    """The heading, with a mark for its tone."""
    return f"{_MARKS[card.tone]} {' '.join(card.title.split()) or '–'}"


def _buttons(card: Card, *, thread: str) -> tuple[list[Json], list[str]]:
    """The buttons that there is room for, and what has to be typed instead: labels that do not fit on a button, and
    those of buttons left out. Buttons that decide come before choices, which can be typed."""
    taken: set[str] = set()
    room = BUTTONS - sum(not _is_choice(button) for button in card.buttons)
    shown: list[Json] = []
    typed: list[str] = []
    for button in card.buttons:
        label = " ".join(button.label.split()) or button.id or "–"
        key = buttons.encode(button, thread=thread, taken=taken)
        fits = len(key.encode()) <= buttons.KEY_LIMIT and len(shown) < BUTTONS
        if _is_choice(button):
            fits = fits and room > 0
            room -= 1
        if fits:
            shown.append({"text": quiet(cut(label, LABEL)), "style": _STYLES[button.style], "key": key})
        if not fits or columns(label) > LABEL:
            typed.append(label)
    return shown, typed


def _is_choice(button: Button) -> bool:
    return ":" in button.id


def _brief(card: Card, notes: Iterable[str]) -> tuple[Json, bool]:
    """The texts of a template card, and whether they are all there is."""
    heading = title(card)
    rows = [row for block in card.blocks if isinstance(block, Fields) for row in block.rows]
    lines = [block.text for block in card.blocks if isinstance(block, Text | Note) and block.text.strip()]
    first = lines[0] if lines and columns(lines[0]) <= DESCRIPTION and "\n" not in lines[0] else ""
    rest = " ".join([*notes, *(" ".join(line.split()) for line in (lines[1:] if first else lines))])
    brief: Json = {"main_title": {"title": quiet(cut(heading, TITLE)), **({"desc": quiet(first)} if first else {})}}
    if rest:
        brief["sub_title_text"] = quiet(cut(rest, SUBTITLE))
    if rows:
        brief["horizontal_content_list"] = [
            {"keyname": quiet(cut(label, ROW_LABEL)) or "–", "value": quiet(cut(value, ROW_VALUE)) or "–"}
            for label, value in rows[:ROWS]
        ]
    whole = (
        columns(heading) <= TITLE
        and columns(rest) <= SUBTITLE
        and len(rows) <= ROWS
        and all(columns(label) <= ROW_LABEL and columns(value) <= ROW_VALUE for label, value in rows)
        and not any(isinstance(block, Table | Code | Links | Picture) for block in card.blocks)
    )
    return brief, whole


def _markdown(card: Card, *, limit: int, notes: list[str]) -> str:
    """All that the card says. What is too long gives way from the end of its code blocks, then from its end."""
    rung = " ".join(f"<@{user}>" for user in card.mention[:MENTIONS] if _USER_ID.fullmatch(user))
    head = [f"**{escape(title(card))}**", *([rung] if rung else [])]
    tail = [f"> {escape(note)}" for note in notes]
    room = limit - size("\n".join([*head, *tail])) - 8
    found = [(lines, isinstance(block, Table | Code)) for block in card.blocks if (lines := _lines(block))]
    for flexible in (True, False):
        for place in reversed(range(len(found))):
            over = sum(_cost(*piece) for piece in found) - room
            if over > 0 and found[place][1] is flexible:
                found[place] = (_shortened(found[place][0], over, card.language), flexible)
    body = [line for lines, fenced in found for line in (["```", *lines, "```"] if fenced else lines)]
    return "\n".join([*head, *body, *tail])


def _lines(block: Block) -> list[str]:
    """A block as lines of markdown, those of code without their fence."""
    match block:
        case Text(text=text, strong=strong):
            lines = [escape(line) for line in text.split("\n") if line.strip()]
            return [f"**{line}**" if strong and "*" not in line else line for line in lines]
        case Note(text=text):
            return [f"> {escape(line)}" for line in text.split("\n") if line.strip()]
        case Fields(rows=rows):
            return [f"> {escape(label)}: {escape(' '.join(value.split()) or '–')}" for label, value in rows]
        case Table(rows=rows):
            return [escape_code(line) for line in table_lines(rows)]
        case Code(text=text):
            return [escape_code(line) for line in text.split("\n")] if text.strip() else []
        case Links(links=links):
            return [f"> {linked(one.text, one.url)}" for one in links]
        case Picture():
            # Neither a robot's card nor an application's holds a picture of charts: its lines say what it shows.
            return [f"> {escape(line)}" for line in block.lines]


def _cost(lines: list[str], fenced: bool) -> int:
    return size("\n".join(lines)) + 1 + (8 if fenced else 0)


def _shortened(lines: list[str], over: int, language: Language) -> list[str]:
    """Without as many lines from the end as free `over` bytes, and a line that counts them."""
    kept = list(lines)
    freed = -60  # the line that counts them
    while kept and freed < over:
        freed += size(kept.pop()) + 1
    return [*kept, _say("platform.more_lines", language, count=len(lines) - len(kept))]


def _typed(labels: list[str], language: Language) -> str:
    return _say("platform.type_instead", language, labels=" / ".join(labels))


def _say(key: str, language: Language, **filled: str | int) -> str:
    return TEXTS[key][0 if language == "zh" else 1].format(**filled)
