"""Inbound facts, neutral of platforms: what can be at the head of a thread's mailbox."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.reports import Report
from chatops_bot.domain.routing import Heard
from chatops_bot.domain.say import Say


class Message(msgspec.Struct, frozen=True, tag="message", omit_defaults=True):
    """A person wrote something.

    `text` is plain: mentions of the bot removed, other mentions and links unwrapped, entities unescaped.
    `answers` are ids of messages it replies to or whose platform thread it stands in, most exact first.
    `root` is where an answer belongs (the platform thread), "" for the open room. `heard` is filled by
    intake. `direct` is a direct message to the bot or the command.
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


class Click(msgspec.Struct, frozen=True, tag="click", omit_defaults=True):
    """A person pressed a button. `card` is the message that carries it; `thread` what the button says."""

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


class Alert(msgspec.Struct, frozen=True, omit_defaults=True):
    """One alert of a group, judged on its own status."""

    fingerprint: str
    firing: bool
    name: str
    severity: str = ""
    summary: str = ""
    labels: dict[str, str] = {}
    starts_at: str = ""


class AlertGroup(msgspec.Struct, frozen=True, tag="alert", omit_defaults=True):
    """An Alertmanager delivery. `service` is the key of the mapped entity or ""."""

    id: str
    room: Room
    group: str
    alerts: tuple[Alert, ...]
    service: str = ""
    url: str = ""


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
    """How the rollout afterwards went: only updates the card."""

    effect: str
    token: str
    finished: bool
    failed: bool = False
    lines: tuple[Say, ...] = ()


class Switched(msgspec.Struct, frozen=True, tag="switched"):
    """The read-only switch is as asked."""

    effect: str
    reason: str


Event = (
    Switched | Message | Click | AlertGroup | Timer | Left | Queried | Prepared | Judged | Executed | Lost | Followed
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)


def encode(event: Event) -> bytes:
    """As stored in a mailbox: one JSON object, its kind under "type"."""
    return _encoder.encode(event)


def decode(raw: bytes) -> Event:
    """The event of a mailbox entry. Raises `msgspec.ValidationError` on what this version does not know."""
    return _decoder.decode(raw)
