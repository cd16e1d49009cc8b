"""Files of labelled rows: one JSON object a line, of a kind that its keys tell, each problem named by file and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from chatops_bot.domain.intents import ACTIONS, QUERIES

Lang = Literal["zh", "en"]
Text = Annotated[str, msgspec.Meta(min_length=1)]
Value = str | int

CONFIRMING: Final = frozenset({"confirm", "modify", "cancel", "question", "hold", "exit", "switch", "not_confirm"})
NOT_JUDGED: Final = frozenset({"either", "confirm+question"})
"""Labels under which both confirming and not confirming can be right."""

INTENTS: Final = frozenset({*QUERIES, *ACTIONS, "hand_off", "subscribe", "help", "chat"})
CHANGES: Final = frozenset({"value", "same_for", "place", "time", "other", "relative", "retained", "narrow"})
SLOTS: Final = frozenset(
    {
        *("service", "cluster", "namespace", "environment", "replicas", "revision", "image", "pod", "container"),
        *("node", "min", "max", "since", "until", "tail", "previous", "grep", "errors"),
    }
)


class EvaluationError(Exception):
    """What cannot be evaluated; the message says where and what to do."""


class Answer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody writes right below the card of one plan, which `prompt` shows. `slots` are what a `modify` changes.
    `intent` and `changes` are what a set of others says of its rows; they are not looked at."""

    label: str
    text: Text
    lang: Lang = "en"
    prompt: str = ""
    slots: dict[str, Value] = {}
    intent: str = ""
    changes: list[tuple[str, list[str]]] = []


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A message out of the blue, or in a thread about the service `lock`, with its one intent and all it says."""

    lang: Lang
    text: Text
    intent: str
    slots: dict[str, Value]
    lock: str = ""


class Several(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One message with its requests in order, and of each the service or node that it is about, "" for none."""

    lang: Lang
    text: Text
    intents: Annotated[list[str], msgspec.Meta(min_length=1)]
    services: list[str]


class Expected(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the bot is working on in the end. `slots` is all that holds then, whenever it was said."""

    intent: str
    service: Text
    namespace: str = ""
    slots: dict[str, Value] = {}


class Correction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Messages of one person, of which the last one corrects or goes on with what was asked before."""

    lang: Lang
    say: Annotated[list[Text], msgspec.Meta(min_length=1)]
    kind: str
    expect: Expected


class Command(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command line, and whether it changes the cluster."""

    category: str
    name: str
    command: Text
    modifies: Literal["yes", "no", "unknown"]


Row = Answer | Request | Several | Correction | Command


class Kind(NamedTuple):
    """A kind of rows: how it is called, and the keys that tell it."""

    name: str
    row: type[Row]
    told_by: frozenset[str]


KINDS: Final = (
    Kind("confirming", Answer, frozenset({"label", "text"})),
    Kind("several", Several, frozenset({"text", "intents"})),
    Kind("requests", Request, frozenset({"text", "intent"})),
    Kind("corrections", Correction, frozenset({"say", "kind"})),
    Kind("commands", Command, frozenset({"command", "modifies"})),
)
"""The first whose keys a row has is its kind."""


class Rows(NamedTuple):
    """The rows of one file with the numbers of their lines, all of one kind."""

    path: Path
    kind: str
    rows: list[tuple[int, Row]]


def read(path: Path) -> Rows:
    """Raises `EvaluationError` naming file and line."""
    lines = [(number, line) for number, line in enumerate(_text(path).splitlines(), 1) if line.strip()]
    if not lines:  # a measurement of nothing would pass
        raise EvaluationError(f"{path}: holds no rows; write one JSON object a line")
    kind = _kind(lines[0][1], f"{path}:{lines[0][0]}")
    return Rows(path, kind.name, [(number, _row(line, kind, f"{path}:{number}")) for number, line in lines])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise EvaluationError(f"{path}:{line}: is not UTF-8 text; save the file as UTF-8") from error
    except OSError as error:
        raise EvaluationError(f"{path}: cannot be read ({error.strerror or error})") from error


def _kind(line: str, where: str) -> Kind:
    keys = _keys(line, where)
    kind = next((kind for kind in KINDS if kind.told_by <= keys), None)
    if kind is None:
        known = "; ".join(f"{kind.name}: {', '.join(kind.row.__struct_fields__)}" for kind in KINDS)
        raise EvaluationError(f"{where}: its keys ({', '.join(sorted(keys))}) are those of no kind of row; {known}")
    return kind


def _keys(line: str, where: str) -> frozenset[str]:
    try:
        return frozenset(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    except msgspec.MsgspecError as error:
        raise EvaluationError(f"{where}: {error}; every line must be one JSON object") from error


def _row(line: str, kind: Kind, where: str) -> Row:
    other = _kind(line, where)
    if other is not kind:
        raise EvaluationError(
            f"{where}: is a row of the kind {other.name}, those above are {kind.name}; give each kind a file of its own"
        )
    try:
        row = msgspec.json.decode(line, type=kind.row)
    except msgspec.MsgspecError as error:
        keys = ", ".join(kind.row.__struct_fields__)
        raise EvaluationError(f"{where}: {error}; the keys of a row of {kind.name} are {keys}") from error
    for problem in _unknown(row):
        raise EvaluationError(f"{where}: {problem}")
    return row


def _unknown(row: Row) -> Iterator[str]:
    """What names something that there is not."""
    match row:
        case Answer():
            yield from _beyond({row.label}, CONFIRMING | NOT_JUDGED, "label")
            yield from _beyond(row.slots, SLOTS, "slot")
        case Request():
            yield from _beyond({row.intent}, INTENTS, "intent")
            yield from _beyond(row.slots, SLOTS, "slot")
        case Several():
            yield from _beyond(row.intents, INTENTS, "intent")
            if len(row.services) != len(row.intents):
                yield f'{len(row.intents)} intents need as many services ("" for none), not {len(row.services)}'
        case Correction():
            yield from _beyond({row.kind}, CHANGES, "kind")
            yield from _beyond({row.expect.intent}, INTENTS, "intent")
            yield from _beyond(row.expect.slots, SLOTS, "slot")
        case Command():
            pass


def _beyond(
    said: Iterator[str] | set[str] | list[str] | dict[str, Value], known: frozenset[str], what: str
) -> Iterator[str]:
    for name in said:
        if name not in known:
            yield f"unknown {what} {name!r}; known are {', '.join(sorted(known))}"
