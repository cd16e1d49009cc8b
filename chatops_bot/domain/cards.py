"""The neutral card: what the bot shows, before a platform's own format.

All strings are plain text in the reader's language. Whatever came from outside (names, logs, alerts,
people) is data in them: an adapter escapes every string and never rings a channel or a person because
of one. Only `mention` rings.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from chatops_bot.domain.intents import Language

Tone = Literal["info", "ok", "warn", "danger", "muted"]


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A paragraph; `strong` for the one sentence to be read first."""

    text: str
    strong: bool = False


class Fields(msgspec.Struct, frozen=True, tag="fields"):
    """Short label and value pairs."""

    rows: tuple[tuple[str, str], ...]


class Table(msgspec.Struct, frozen=True, tag="table"):
    """A small table, such as a service's pods; the first row is the header."""

    rows: tuple[tuple[str, ...], ...]


class Code(msgspec.Struct, frozen=True, tag="code"):
    """Text that somebody else wrote (logs, events), shown fenced and cut to what the platform holds."""

    text: str


class Note(msgspec.Struct, frozen=True, tag="note"):
    """Small print."""

    text: str


Block = Text | Fields | Table | Code | Note

ButtonStyle = Literal["default", "primary", "danger"]


class Button(msgspec.Struct, frozen=True, omit_defaults=True):
    """`id` is what is pressed (`confirm`, `service:NAME` …). `token` names the plan that the button is
    about; a click brings id, token and value back, with the thread."""

    id: str
    label: str
    style: ButtonStyle = "default"
    token: str = ""
    value: str = ""


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """One view of one card. `mention` are platform ids of users to be rung by it."""

    title: str
    language: Language
    tone: Tone = "info"
    blocks: tuple[Block, ...] = ()
    buttons: tuple[Button, ...] = ()
    mention: tuple[str, ...] = ()

    def text(self) -> str:
        """All that it says, as lines of plain text (notifications, terminals, transcripts)."""
        return "\n".join([self.title, *(_plain(block) for block in self.blocks)])


def _plain(block: Block) -> str:
    match block:
        case Text(text=text) | Note(text=text) | Code(text=text):
            return text
        case Fields(rows=rows):
            return "\n".join(f"{label}: {value}" for label, value in rows)
        case Table(rows=rows):
            return "\n".join("  ".join(row) for row in rows)
