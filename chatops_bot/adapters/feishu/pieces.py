"""Blocks of the neutral card as elements of a card of JSON 2.0.

What others wrote goes into `plain_text` and into cells of data type `text`, in which Feishu reads no markup; only code
is Markdown, fenced and made inert.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from chatops_bot.adapters.feishu.text import fenced, link
from chatops_bot.domain import cards
from chatops_bot.domain.layout import table_lines
from chatops_bot.ports.pictures import key_of

Json = dict[str, object]

TABLES = 3
"""Of one card. Feishu's pages say five, several reports say that four were refused."""
COLUMNS = 10
PAGE_ROWS = 10
CHUNK = 3000
"""Characters of one element, so that a card that is too long loses little at once."""
_CELL = 200
_ALT = 1000


class Piece(NamedTuple):
    """One element, the plain lines that are lost without it, and the number of the card's block that it shows.
    `flexible` pieces (code, tables) give way to all others."""

    element: Json
    lines: tuple[str, ...]
    source: int
    flexible: bool = False


def pieces(blocks: tuple[cards.Block, ...], pictures: Mapping[str, str] = MappingProxyType({})) -> Iterator[Piece]:
    """The card's blocks in order, in pieces; empty ones are left out. `pictures` are keys of images by `key_of`; one
    that is not there is said in its lines."""
    tables = 0
    for source, block in enumerate(blocks):
        match block:
            case cards.Text(text=text, strong=strong):
                yield from _words(text, source, size="heading" if strong else "normal")
            case cards.Fields(rows=rows):
                lines = [f"{label.strip() or '–'}: {value.strip() or '–'}" for label, value in rows]
                yield from _words("\n".join(lines), source)
            case cards.Table(rows=rows):
                if tables < TABLES and _fits_table(rows):
                    tables += 1
                    yield _table(rows, source)
                else:
                    yield from code("\n".join(table_lines(rows)), source)
            case cards.Code(text=text):
                yield from code(text, source)
            case cards.Note(text=text):
                yield from _words(text, source, size="notation", color="grey")
            case cards.Links(links=links) if links:
                yield _links(links, source)
            case cards.Picture():
                yield from _picture(block, pictures.get(key_of(block), ""), source)


def words(text: str, *, size: str = "normal", color: str = "default") -> Json:
    """A paragraph in which nothing is markup."""
    shown: Json = {"tag": "plain_text", "content": text}
    if size != "normal":
        shown["text_size"] = size
    if color != "default":
        shown["text_color"] = color
    return {"tag": "div", "text": shown}


def code(text: str, source: int) -> Iterator[Piece]:
    """Fenced Markdown."""
    if not text.strip():
        return
    for chunk in chunks(text, CHUNK):
        yield Piece({"tag": "markdown", "content": fenced(chunk)}, tuple(chunk.split("\n")), source, flexible=True)


def chunks(text: str, limit: int) -> list[str]:
    """`text` in pieces of at most `limit` characters: whole lines where possible, and a line that is too long in
    parts."""
    if len(text) <= limit:
        return [text]
    found: list[str] = []
    held: list[str] = []
    size = 0
    for whole in text.split("\n"):
        for line in [whole[start : start + limit] for start in range(0, len(whole), limit)] or [""]:
            if held and size + len(line) + 1 > limit:
                found.append("\n".join(held))
                held, size = [], 0
            held.append(line)
            size += len(line) + 1
    found.append("\n".join(held))
    return found


def _words(text: str, source: int, *, size: str = "normal", color: str = "default") -> Iterator[Piece]:
    if not text.strip():
        return
    for chunk in chunks(text, CHUNK):
        if chunk.strip():
            yield Piece(words(chunk, size=size, color=color), tuple(chunk.split("\n")), source)


def _links(links: tuple[cards.Link, ...], source: int) -> Piece:
    shown = " · ".join(link(one.text, one.url) for one in links)
    element: Json = {"tag": "markdown", "content": shown, "text_size": "notation"}
    return Piece(element, tuple(f"{one.text}: {one.url}" for one in links), source)


def _picture(block: cards.Picture, key: str, source: int) -> Iterator[Piece]:
    said = "\n".join(block.lines)
    if not key:
        yield from _words(said, source, size="notation", color="grey")
        return
    shown: Json = {
        "tag": "img",
        "img_key": key,
        "alt": {"tag": "plain_text", "content": said[:_ALT] or "–"},
        "scale_type": "fit_horizontal",
        "preview": True,
    }
    yield Piece(shown, block.lines, source)


def _fits_table(rows: tuple[tuple[str, ...], ...]) -> bool:
    return len(rows) > 1 and 0 < len(rows[0]) <= COLUMNS and all(len(row) <= len(rows[0]) for row in rows)


def _table(rows: tuple[tuple[str, ...], ...], source: int) -> Piece:
    header, body = rows[0], rows[1:]
    columns = [
        {"name": f"c{place}", "display_name": _cell(title), "data_type": "text", "width": "auto"}
        for place, title in enumerate(header)
    ]
    element: Json = {
        "tag": "table",
        "page_size": max(1, min(PAGE_ROWS, len(body))),
        "row_height": "low",
        "header_style": {"bold": True, "background_style": "grey"},
        "columns": columns,
        "rows": [{f"c{place}": _cell(cell) for place, cell in enumerate(row)} for row in body],
    }
    return Piece(element, tuple("  ".join(row) for row in rows), source, flexible=True)


def _cell(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _CELL else line[: _CELL - 1] + "…"
