"""How a chat looks in a terminal: lines with names, cards as boxes, changes of the cluster that cannot be missed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from chatops_bot.domain.cards import Block, Card, Code, Fields, Note, Picture, Table, Text, Tone

_TONES: Final[dict[Tone, str]] = {"info": "36", "ok": "32", "warn": "33", "danger": "31", "muted": "90"}
_NAMES: Final = ("35", "34", "33", "36", "32")


@dataclass(frozen=True)
class Look:
    """Colours (none where the reader wants none) and the width in columns."""

    colours: bool
    width: int

    def paint(self, text: str, code: str) -> str:
        """The text in a colour."""
        return f"\x1b[{code}m{text}\x1b[0m" if self.colours and text else text

    def heading(self, text: str) -> str:
        """Before a scene."""
        return f"\n{self.paint(text, '1')}\n"

    def said(self, at: str, who: str, text: str) -> str:
        """Somebody's message."""
        return f"{self.paint(at, '90')}  {self._name(who)}  {text}"

    def pressed(self, at: str, who: str, label: str) -> str:
        """Somebody's click."""
        return f"{self.paint(at, '90')}  {self._name(who)}  presses [{label}]"

    def change(self, text: str) -> str:
        """What reached the cluster."""
        return f"  {self.paint(f' CLUSTER  {text} ', '1;30;43')}\n"

    def good(self, text: str) -> str:
        """The end that was hoped for."""
        return self.paint(text, "32")

    def _name(self, who: str) -> str:
        return self.paint(who, f"1;{_NAMES[sum(map(ord, who)) % len(_NAMES)]}")


def card_box(card: Card, look: Look, *, updated: bool = False) -> Iterator[str]:
    """The lines of a card, framed in its tone. `updated`: it was there before and says something new."""
    tone = _TONES[card.tone]
    room = look.width - 6
    edge = look.paint("│", tone)

    def framed(text: str, code: str = "") -> Iterator[str]:
        for line in wrapped(text, room):
            padding = " " * (room - columns(line))
            yield f"  {edge} {look.paint(line, code) if code else line}{padding} {edge}"

    yield "  " + look.paint("╭" + "─" * (room + 2) + "╮", tone)
    yield from framed(f"{card.title}  ↻" if updated else card.title, f"1;{tone}")
    for block in card.blocks:
        for text, code in _lines(block):
            yield from framed(text, code)
    if card.buttons:
        yield from framed("  ".join(f"[{button.label}]" for button in card.buttons), "1")
    yield "  " + look.paint("╰" + "─" * (room + 2) + "╯", tone)


def _lines(block: Block) -> Iterator[tuple[str, str]]:
    """Lines of a block, each with its colour."""
    match block:
        case Text(text=text, strong=strong):
            yield text, "1" if strong else ""
        case Note(text=text):
            yield text, "90"
        case Code(text=text):
            yield from ((f"> {line}", "90") for line in text.splitlines())
        case Fields(rows=rows):
            yield from ((f"{label}: {value}", "") for label, value in rows)
        case Table(rows=rows):
            yield from _table(rows)
        case Picture():
            yield from ((line, "90") for line in block.lines)


def _table(rows: tuple[tuple[str, ...], ...]) -> Iterator[tuple[str, str]]:
    widths = [max(columns(cell) for cell in cells) for cells in zip(*rows, strict=False)]
    for number, row in enumerate(rows):
        cells = (cell + " " * (width - columns(cell)) for cell, width in zip(row, widths, strict=False))
        yield "  ".join(cells).rstrip(), "90" if number == 0 else ""


def columns(text: str) -> int:
    """How many columns a terminal gives a text: Chinese characters take two."""
    return sum(_columns(character) for character in text)


def wrapped(text: str, room: int) -> Iterator[str]:
    """The text in lines of at most `room` columns, broken at spaces where there are any."""
    for paragraph in text.splitlines() or [""]:
        line, used = "", 0
        for character in paragraph:
            width = _columns(character)
            if used + width > room:
                head, space, tail = line.rpartition(" ")
                yield head if space and columns(tail) < room // 2 else line
                line = tail if space and columns(tail) < room // 2 else ""
                used = columns(line)
            line, used = line + character, used + width
        yield line


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
