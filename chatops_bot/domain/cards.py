"""The neutral card: what the bot shows, before a platform's own format.

All strings are plain text in the reader's language. Whatever came from outside (names, logs, alerts,
people) is data in them: an adapter escapes every string and never rings a channel or a person because
of one. Only `mention` rings.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from chatops_bot.domain.charts import Caption, Chart
from chatops_bot.domain.intents import Language
from chatops_bot.domain.web_links import host_of

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


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """Charts drawn as one picture, one below the other; `captions` are in the reader's language, one a chart. Where no
    picture can be shown, its lines are."""

    charts: tuple[Chart, ...]
    captions: tuple[Caption, ...]

    @property
    def lines(self) -> tuple[str, ...]:
        """What it shows, in words."""
        return tuple(caption.line for caption in self.captions)


class Link(msgspec.Struct, frozen=True):
    """A way out of the platform: `label` says what is there. `url` is one of `web_address`, nothing else."""

    label: str
    url: str

    @property
    def text(self) -> str:
        """The label with the host, so that nobody is led where they did not mean to go."""
        return f"{self.label} ({host_of(self.url)})"


class Links(msgspec.Struct, frozen=True, tag="links"):
    """Links in a row, in small print."""

    links: tuple[Link, ...]


Block = Text | Fields | Table | Code | Note | Links | Picture

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
    """One view of one card. `mention` are platform ids of users, or of groups that the platform rings as such, to be
    rung by it. `patient`: nobody has asked for it, so that its message lets those of others pass where a platform takes
    only so many."""

    title: str
    language: Language
    tone: Tone = "info"
    blocks: tuple[Block, ...] = ()
    buttons: tuple[Button, ...] = ()
    mention: tuple[str, ...] = ()
    patient: bool = False

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
        case Links(links=links):
            return "\n".join(f"{link.label}: {link.url}" for link in links)
        case Picture():
            return "\n".join(block.lines)
