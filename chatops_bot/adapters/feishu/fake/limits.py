"""What Feishu takes as a card of JSON 2.0, and why not: the checker of the fake.

Limits are those of Feishu's pages on sending messages, on the structure of JSON 2.0, and on its components.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

REQUEST_BYTES: Final = 30 * 1024
TEXT_BYTES: Final = 150 * 1024
ELEMENTS: Final = 200
TABLES: Final = 5
COLUMNS: Final = 50
PAGE_ROWS: Final = 10
TAGS: Final = frozenset(
    {
        "div",
        "markdown",
        "plain_text",
        "lark_md",
        "button",
        "column_set",
        "column",
        "table",
        "hr",
        "img",
        "standard_icon",
    }
)
TOP: Final = frozenset({"schema", "config", "card_link", "header", "body"})
TEMPLATES: Final = frozenset(
    {
        "blue",
        "wathet",
        "turquoise",
        "green",
        "yellow",
        "orange",
        "red",
        "carmine",
        "violet",
        "purple",
        "indigo",
        "grey",
        "default",
    }
)
BUTTON_TYPES: Final = frozenset(
    {"default", "primary", "danger", "text", "primary_text", "danger_text", "primary_filled", "danger_filled", "laser"}
)
SIZES: Final = frozenset(
    {
        "heading-0",
        "heading-1",
        "heading-2",
        "heading-3",
        "heading-4",
        "heading",
        "normal",
        "notation",
        "xxxx-large",
        "xxx-large",
        "xx-large",
        "x-large",
        "large",
        "medium",
        "small",
        "x-small",
    }
)
_AT: Final = re.compile(r"<at\b[^>]*>", re.IGNORECASE)
_KNOWN_AT: Final = re.compile(r"<at id=(ou_[A-Za-z0-9_-]+|all)>")

Json = dict[str, Any]


class CardError(Exception):
    """Feishu would refuse the card: its code, the code within, and its words."""

    def __init__(self, code: int, inner: int, words: str) -> None:
        super().__init__(words)
        self.code = code
        self.words = f"Failed to create card content, ext=ErrCode: {inner}; ErrMsg: {words}; " if inner else words


def read_card(content: object) -> Json:
    """The card in a message's `content`. Raises `CardError` at the first thing that Feishu would not take."""
    if not isinstance(content, str):
        raise CardError(230001, 0, "content is not a string")
    try:
        card = json.loads(content)
    except ValueError as error:
        raise CardError(230001, 0, "content is not in json format") from error
    if not isinstance(card, dict):
        raise CardError(230099, 200621, "parse card json err")
    check(card)
    return card


def check(card: Json) -> None:
    """Raises `CardError`."""
    if card.get("schema") != "2.0":
        raise CardError(230099, 200621, "the fake takes schema 2.0 only")
    if unknown := card.keys() - TOP:
        raise CardError(230099, 200621, f"unknown property {sorted(unknown)[0]}")
    _header(card.get("header"))
    body = card.get("body")
    elements = body.get("elements") if isinstance(body, Mapping) else None
    if not isinstance(elements, list) or not elements:
        raise CardError(230099, 200621, "body has no elements")
    tagged = list(tags(card))
    if len(tagged) > ELEMENTS:
        raise CardError(230099, 11310, "element exceeds the limit")
    if sum(part["tag"] == "table" for part in tagged) > TABLES:
        raise CardError(230099, 11310, "card table number over limit")
    for part in tagged:
        _part(part)
    for element in elements:
        _place(element, root=True)


def tags(value: object) -> Iterator[Json]:
    """Every part of a card that has a tag. What a button carries is data, whatever it looks like."""
    if isinstance(value, dict):
        if isinstance(value.get("tag"), str):
            yield value
        for name, part in value.items():
            if name not in ("value", "rows"):
                yield from tags(part)
    elif isinstance(value, list):
        for part in value:
            yield from tags(part)


def rung(card: Json) -> list[str]:
    """Whom the card rings: open ids, or "all"."""
    found: list[str] = []
    for part in tags(card):
        if part["tag"] in ("markdown", "lark_md"):
            found.extend(match.group(1) for match in _KNOWN_AT.finditer(str(part.get("content", ""))))
    return found


def shared(card: Json) -> bool:
    """Whether it may be updated for everybody."""
    config = card.get("config")
    return isinstance(config, Mapping) and config.get("update_multi") is True


def _header(header: object) -> None:
    if header is None:
        return
    title = header.get("title") if isinstance(header, Mapping) else None
    if not isinstance(title, Mapping) or title.get("tag") not in ("plain_text", "lark_md") or not title.get("content"):
        raise CardError(230099, 200621, "header has no title")
    if isinstance(header, Mapping) and header.get("template", "default") not in TEMPLATES:
        raise CardError(230099, 200621, "unknown header template")


def _part(part: Json) -> None:
    tag = part["tag"]
    if tag not in TAGS:
        # `action`, the rows of buttons of the old format, is the usual one.
        raise CardError(230099, 200861, f"unsupported tag {tag}")
    if part.get("text_size", "normal") not in SIZES:
        raise CardError(230099, 200621, "unknown text_size")
    check_of = {"button": _button, "table": _table, "markdown": _markdown, "plain_text": _content, "div": _div}.get(
        tag, _image if tag == "img" else None
    )
    if check_of is not None:
        check_of(part)


def _image(part: Json) -> None:
    if not str(part.get("img_key", "")).startswith("img_"):
        raise CardError(230099, 200570, "imageKey is illegal")
    if not isinstance(part.get("alt"), Mapping):
        raise CardError(230099, 200621, "img has no alt")


def _place(element: object, *, root: bool) -> None:
    """Where components may stand: tables only at the root, columns only in a set of columns."""
    if not isinstance(element, Mapping) or not isinstance(element.get("tag"), str):
        raise CardError(230099, 200621, "an element has no tag")
    tag = element["tag"]
    if tag == "table" and not root:
        raise CardError(230099, 200621, "a table stands in another component")
    if tag in ("plain_text", "lark_md", "column"):
        raise CardError(230099, 200621, f"{tag} stands among elements")
    if tag == "column_set":
        columns = element.get("columns")
        if not isinstance(columns, list) or not columns:
            raise CardError(230099, 200621, "a column_set has no columns")
        for column in columns:
            if not isinstance(column, Mapping) or column.get("tag") != "column":
                raise CardError(230099, 200621, "a column_set holds something else than columns")
            for inner in column.get("elements", []):
                _place(inner, root=False)


def _content(part: Json) -> None:
    if not isinstance(part.get("content"), str):
        raise CardError(230099, 200621, f"{part['tag']} has no content")


def _markdown(part: Json) -> None:
    _content(part)
    if not part["content"]:
        raise CardError(230099, 200621, "markdown is empty")
    for found in _AT.finditer(part["content"]):
        if not _KNOWN_AT.fullmatch(found.group()):
            raise CardError(230099, 11310, f"invalid at: {found.group()}")


def _div(part: Json) -> None:
    text = part.get("text")
    if not isinstance(text, Mapping) or text.get("tag") not in ("plain_text", "lark_md"):
        raise CardError(230099, 200621, "div has no text")


def _button(part: Json) -> None:
    text = part.get("text")
    if not isinstance(text, Mapping) or not text.get("content"):
        raise CardError(230099, 200621, "a button has no text")
    if part.get("type", "default") not in BUTTON_TYPES:
        raise CardError(230099, 200621, "unknown button type")
    if "value" in part:
        raise CardError(230099, 200621, "in JSON 2.0 a button's value stands in its behaviors")
    behaviors = part.get("behaviors")
    if not isinstance(behaviors, list) or not behaviors:
        raise CardError(230099, 200621, "a button does nothing")
    for behavior in behaviors:
        if not isinstance(behavior, Mapping) or behavior.get("type") not in ("callback", "open_url"):
            raise CardError(230099, 200621, "unknown behavior")
        if behavior["type"] == "callback" and not isinstance(behavior.get("value"), Mapping):
            raise CardError(230099, 200621, "a callback's value is no object")


def _table(part: Json) -> None:
    columns, rows = part.get("columns"), part.get("rows")
    if not isinstance(columns, list) or not 0 < len(columns) <= COLUMNS or not isinstance(rows, list):
        raise CardError(230099, 200621, "a table has no columns or rows")
    if not 1 <= part.get("page_size", 5) <= PAGE_ROWS:
        raise CardError(230099, 200621, "page_size is from 1 to 10")
    names = [column.get("name") for column in columns if isinstance(column, Mapping)]
    if len(set(names)) < len(columns):
        raise CardError(230099, 200621, "columns of a table have no names of their own")
    for row in rows:
        if not isinstance(row, Mapping) or not row.keys() <= set(names):
            raise CardError(230099, 200621, "a row has cells of unknown columns")
        if not all(isinstance(cell, str) for cell in row.values()):
            raise CardError(230099, 200621, "a cell of data type text is no string")
