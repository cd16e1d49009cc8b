"""Blocks of the neutral card as Block Kit blocks, each small enough by itself.

Limits are those of Slack's Block Kit reference: 3000 characters of a section's text, 10 fields of 2000 each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from chatops_bot.adapters.slack.text import chunks, cut, escape, escape_code
from chatops_bot.domain import cards
from chatops_bot.domain.layout import table_lines
from chatops_bot.ports.pictures import key_of

Json = dict[str, object]

SECTION_TEXT = 3000
FIELDS = 10
FIELD_TEXT = 2000
LABEL_TEXT = 150
CONTEXT_TEXT = 2000
ALT_TEXT = 1000
_FENCE_COST = len("```\n\n```")


class Piece(NamedTuple):
    """One Block Kit block, the plain lines that are lost without it, and the number of the card's block that
    it shows. `flexible` pieces (code, tables) give way to all others."""

    block: Json
    lines: tuple[str, ...]
    source: int
    flexible: bool = False


def pieces(blocks: tuple[cards.Block, ...], pictures: Mapping[str, str] = MappingProxyType({})) -> Iterator[Piece]:
    """The card's blocks in order, in pieces; empty ones are left out. `pictures` are ids of files by `key_of`; one that
    is not there is said in its lines."""
    for source, block in enumerate(blocks):
        match block:
            case cards.Text(text=text, strong=strong):
                yield from _text(text, source, strong=strong)
            case cards.Fields(rows=rows):
                yield from _fields(rows, source)
            case cards.Table(rows=rows):
                yield from code("\n".join(table_lines(rows)), source)
            case cards.Code(text=text):
                yield from code(text, source)
            case cards.Note(text=text):
                yield from _note(text, source)
            case cards.Links(links=links):
                yield from _links(links, source)
            case cards.Picture():
                yield from _picture(block, pictures.get(key_of(block), ""), source)


def section(text: str) -> Json:
    """A section of mrkdwn; `verbatim` keeps Slack from making links and mentions of plain words."""
    return {"type": "section", "text": mrkdwn(text)}


def context(text: str) -> Json:
    """Small print."""
    return {"type": "context", "elements": [mrkdwn(text)]}


def mrkdwn(text: str) -> Json:
    """A text object; `text` is escaped already."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def code(text: str, source: int) -> Iterator[Piece]:
    """Fenced sections."""
    if not text.strip():
        return
    for chunk in chunks(text, SECTION_TEXT - _FENCE_COST):
        yield Piece(section(f"```\n{escape_code(chunk)}\n```"), tuple(chunk.split("\n")), source, flexible=True)


def _text(text: str, source: int, *, strong: bool) -> Iterator[Piece]:
    if not text.strip():
        return
    for chunk in chunks(text, SECTION_TEXT - 2):
        if chunk.strip():
            bold = strong and "*" not in chunk and "\n" not in chunk
            shown = f"*{escape(chunk)}*" if bold else escape(chunk)
            yield Piece(section(shown), tuple(chunk.split("\n")), source)


def _note(text: str, source: int) -> Iterator[Piece]:
    if not text.strip():
        return
    for chunk in chunks(text, CONTEXT_TEXT):
        if chunk.strip():
            yield Piece(context(escape(chunk)), tuple(chunk.split("\n")), source)


def _links(links: tuple[cards.Link, ...], source: int) -> Iterator[Piece]:
    """Small print, each link in an element of its own: together they could be too long for one."""
    for link in links:
        # In a token "|" ends the address, and ">" the whole.
        label = cut(" ".join(link.text.replace("|", " ").split()), LABEL_TEXT)
        shown = f"<{escape(link.url)}|{label}>"
        yield Piece(context(shown), (f"{link.text}: {link.url}",), source)


def _picture(block: cards.Picture, file: str, source: int) -> Iterator[Piece]:
    said = "\n".join(block.lines)
    if not file:
        yield from _note(said, source)
        return
    shown: Json = {"type": "image", "slack_file": {"id": file}, "alt_text": cut(said, ALT_TEXT) or "–"}
    yield Piece(shown, block.lines, source)


def without_picture(block: Json) -> Json:
    """The block, or what an image block says in words."""
    return context(escape(str(block.get("alt_text")))) if block.get("type") == "image" else block


def _fields(rows: tuple[tuple[str, str], ...], source: int) -> Iterator[Piece]:
    for start in range(0, len(rows), FIELDS):
        part = rows[start : start + FIELDS]
        fields = [mrkdwn(_field(label, value)) for label, value in part]
        lines = tuple(f"{label}: {value}" for label, value in part)
        yield Piece({"type": "section", "fields": fields}, lines, source)


def _field(label: str, value: str) -> str:
    head = cut(label.strip() or "–", LABEL_TEXT)
    body = cut(value.strip() or "–", FIELD_TEXT - len(head) - 3)
    return f"*{head}*\n{body}" if "*" not in head else f"{head}\n{body}"
