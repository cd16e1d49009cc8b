"""Inbound facts, neutral of platforms: what can be at the head of a thread's mailbox."""

from __future__ import annotations

import unicodedata
from typing import Final, TypeVar

import msgspec

from chatops_bot.domain.effects import Follow
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.mirrors import Linked
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.reports import Report
from chatops_bot.domain.routing import Heard
from chatops_bot.domain.say import Say
from chatops_bot.domain.subscribers import Subscriber


class Mentioned(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody other than the bot who is mentioned in a text, where they stand as `@name`. `key` is the user's
    (`User.key`), or a group as a platform keeps it (`slack-group:S…`)."""

    name: str
    key: str


class Message(msgspec.Struct, frozen=True, tag="message", omit_defaults=True):
    """A person wrote something.

    `text` is plain: mentions of the bot removed, other mentions and links unwrapped, entities unescaped.
    `answers` are ids of messages it replies to or whose platform thread it stands in, most exact first.
    `root` is where an answer belongs (the platform thread), "" for the open room. `heard` is filled by
    intake. `direct` is a direct message to the bot or the command. `linked`: it is about a card that is at home in
    another room, filled by intake too. `mentioned` are those whom the platform says are mentioned, in their order.
    """

    id: str
    room: Room
    user: User
    text: str
    addressed: bool = False
    direct: bool = False
    answers: tuple[str, ...] = ()
    root: str = ""
    heard: Heard | None = None
    name: str = ""
    linked: Linked | None = None
    mentioned: tuple[Mentioned, ...] = ()


class Click(msgspec.Struct, frozen=True, tag="click", omit_defaults=True):
    """A person pressed a button. `card` is the message that carries it; `thread` what the button says. `linked` as of a
    message."""

    id: str
    room: Room
    user: User
    button: str
    card: str = ""
    thread: str = ""
    token: str = ""
    value: str = ""
    root: str = ""
    name: str = ""
    linked: Linked | None = None


class Alert(msgspec.Struct, frozen=True, omit_defaults=True):
    """One alert of a group, judged on its own status. `source` is the address of the rule that made it, which carries
    its expression. Of a long group only the first have summary, labels and source."""

    fingerprint: str
    firing: bool
    name: str
    severity: str = ""
    summary: str = ""
    labels: dict[str, str] = {}
    starts_at: str = ""
    ends_at: str = ""
    source: str = ""


class AlertGroup(msgspec.Struct, frozen=True, tag="alert", omit_defaults=True):
    """An Alertmanager delivery.

    - `alerts`: those that fire first, and no more than can be kept; `firing` and `resolved` count all that came,
      `left_out` those that Alertmanager did not send.
    - `service` is the key of the mapped entity or ""; `candidates` are keys of those that it may be about, or
      is, where there are `several`.
    - `url` is Alertmanager's own address, `silence` that of its form that silences the group, "" for none.
    - `elsewhere`: its room is another one now; here it only ends a card that it may have had.
    """

    id: str
    room: Room
    group: str
    alerts: tuple[Alert, ...]
    service: str = ""
    url: str = ""
    candidates: tuple[str, ...] = ()
    several: bool = False
    firing: int = 0
    resolved: int = 0
    left_out: int = 0
    silence: str = ""
    elsewhere: bool = False


class Timer(msgspec.Struct, frozen=True, tag="timer"):
    """The time that the session asked to be woken at has come."""


class Left(msgspec.Struct, frozen=True, tag="left"):
    """Its user left this thread's flow for another service, in so many words (R6)."""

    user: User
    text: str = ""


class Queried(msgspec.Struct, frozen=True, tag="queried", omit_defaults=True):
    """Result of a query effect: a report to be shown, or why there is none."""

    effect: str
    report: Report | None = None
    problem: Say | None = None


class Prepared(msgspec.Struct, frozen=True, tag="prepared", omit_defaults=True):
    """Result of a prepare effect: a plan recorded in the ledger, or why there can be none. `ask`: the slots that
    another value of would make one, the first with `choices`."""

    effect: str
    plan: Plan | None = None
    problem: Say | None = None
    ask: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()


class Judged(msgspec.Struct, frozen=True, tag="judged", omit_defaults=True):
    """Result of a judge effect. `missing` is how many must still approve; `final`: the plan is over."""

    effect: str
    token: str
    ok: bool
    by: str
    approvals: tuple[str, ...] = ()
    missing: int = 0
    final: bool = False
    reason: str = ""
    problem: Say | None = None


class Executed(msgspec.Struct, frozen=True, tag="executed", omit_defaults=True):
    """Result of an execute effect: the outcome known of the write. `fresh` is true where the target had
    changed and a new plan is wanted."""

    effect: str
    token: str
    outcome: str
    problem: Say | None = None
    fresh: bool = False
    undo: bool = False


class Lost(msgspec.Struct, frozen=True, tag="lost"):
    """Result of an execute effect that sent its write and then lost contact with the cluster: `why` is what the
    network or the API server said. What became of the write is still to be found out."""

    effect: str
    token: str
    why: str


class Followed(msgspec.Struct, frozen=True, tag="followed", omit_defaults=True):
    """How the rollout afterwards went: only updates the card. `again`: it goes on, and is to be followed further.
    `state` is how the further writes of a plan of several have ended, where not all of them were made."""

    effect: str
    token: str
    finished: bool
    failed: bool = False
    lines: tuple[Say, ...] = ()
    again: Follow | None = None
    state: str = ""


class Switched(msgspec.Struct, frozen=True, tag="switched"):
    """The read-only switch is as asked."""

    effect: str
    reason: str


class Enlisted(msgspec.Struct, frozen=True, tag="enlisted", omit_defaults=True):
    """Somebody wants to be told of this thread's changes, or (`stop`) no more: said where its card goes on."""

    subscriber: Subscriber
    stop: bool = False


Event = (
    Enlisted
    | Switched
    | Message
    | Click
    | AlertGroup
    | Timer
    | Left
    | Queried
    | Prepared
    | Judged
    | Executed
    | Lost
    | Followed
)

NAME: Final = 60
"""Characters of a person's name that are kept."""

Heardable = TypeVar("Heardable", bound=Message | Click | AlertGroup)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)
_linked_decoder = msgspec.json.Decoder(Linked)


def encode(event: Event) -> bytes:
    """As stored in a mailbox: one JSON object, its kind under "type"."""
    return _encoder.encode(event)


def encode_linked(linked: Linked) -> bytes:
    """As stored under the messages of a card in another room than its own."""
    return _encoder.encode(linked)


def decode_linked(raw: bytes) -> Linked:
    """Raises `msgspec.ValidationError` on a form this version does not know."""
    return _linked_decoder.decode(raw)


def whole(event: Heardable) -> Heardable:
    """The same event as it may be stored and shown: with "?" for each half of a surrogate pair, and with a name that
    is one short line.

    JSON can carry halves (a text that was cut in the middle of an emoji, say), and nothing that stores texts takes
    them. People choose their names: one with a line break in it would add a line of its own to a card, and one that
    turns the direction of writing would change what stands beside it.
    """
    try:
        encode(event)
    except UnicodeEncodeError:
        event = msgspec.convert(_whole(msgspec.to_builtins(event)), type(event))
    if isinstance(event, AlertGroup) or (name := _line(event.name)) == event.name:
        return event
    return msgspec.structs.replace(event, name=name)


def _line(name: str) -> str:
    shown = "".join(
        character if character.isprintable() else "" if unicodedata.category(character) == "Cf" else " "
        for character in name[: 4 * NAME]
    )
    line = " ".join(shown.split())
    return line if len(line) <= NAME else line[: NAME - 1] + "…"


def _whole(value: object) -> object:
    if isinstance(value, str):
        return value.encode(errors="replace").decode()
    if isinstance(value, dict):
        return {_whole(key): _whole(each) for key, each in value.items()}
    return [_whole(each) for each in value] if isinstance(value, list | tuple) else value


def decode(raw: bytes) -> Event:
    """The event of a mailbox entry. Raises `msgspec.ValidationError` on what this version does not know."""
    return _decoder.decode(raw)
