"""The audit record, and the check of the chain that it is a link of. Design section 8 and rule 9."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, Literal, Protocol, TypeVar

import msgspec

from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.masking import mask

Kind = Literal[
    "request", "decision", "refusal", "confirmation", "approval", "execution", "outcome", "switch", "alert", "retention"
]

TEXT_LIMIT: Final = 500
"""Characters kept of what somebody wrote: enough to recognise it, small enough for years of it."""

SENT_LIMIT: Final = 4_000
"""Characters kept of a write, of its answer, and of each line of a card."""


class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that somebody asked, was told, or did.

    - `at`: ms of the store's clock; `event`: id of the event that led to it.
    - `user` is the platform's verified account (`User.key`), `person` whose it is by the policy's `people`; `room` a
      room's key, `service` an entity's key, `token` the plan's. `reason` is why: a refusal's key, an outcome, or what
      the person gave.
    - `text`: what was written. `card`: the platform's id of the card of which a
      button was pressed.
    - Of a plan: `digest`, what the card `shown` said of it, and what was observed `before`. Of an execution: what was
      `sent` to the API server, and what it `answered`.
    - `link`: an address that opens the plan's card, where the platform has one.
    - `model`: the language model, with the version of its prompt, that was asked what the words mean.
    """

    at: int
    kind: Kind
    user: str = ""
    room: str = ""
    thread: str = ""
    service: str = ""
    action: str = ""
    parameters: dict[str, SlotValue] = {}
    token: str = ""
    route: str = ""
    reason: str = ""
    text: str = ""
    event: str = ""
    person: str = ""
    card: str = ""
    digest: str = ""
    shown: tuple[str, ...] = ()
    before: dict[str, SlotValue] = {}
    sent: str = ""
    answered: str = ""
    link: str = ""
    model: str = ""


class Link(Protocol):
    """What the check reads of an entry of the chain (`ports.store.AuditEntry`)."""

    @property
    def id(self) -> str: ...

    @property
    def record(self) -> bytes: ...

    @property
    def previous(self) -> str: ...

    @property
    def hash(self) -> str: ...


class Verdict(msgspec.Struct, frozen=True, omit_defaults=True):
    """How far a chain holds: number of sound links, hash of the last one, and where and why it breaks."""

    sound: int
    head: str
    broken_at: str = ""
    reason: Literal["", "altered", "missing", "unreadable", "cut", "unattested"] = ""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def encode(record: Record) -> bytes:
    """As stored: one JSON object, texts shortened, and without what looks like a secret: the log is kept for long,
    and copied to other places."""
    stored = msgspec.structs.replace(
        record,
        text=_kept(record.text, TEXT_LIMIT),
        reason=_kept(record.reason, SENT_LIMIT),
        parameters={name: _kept(value, SENT_LIMIT) for name, value in record.parameters.items()},
        before={name: _kept(value, SENT_LIMIT) for name, value in record.before.items()},
        shown=tuple(_kept(line, SENT_LIMIT) for line in record.shown),
        sent=_kept(record.sent, SENT_LIMIT),
        answered=_kept(record.answered, SENT_LIMIT),
        link=shortened(record.link),
    )
    return _encoder.encode(stored)


def decode(raw: bytes) -> Record:
    """The record of a link. Raises `msgspec.DecodeError` on bytes that are none."""
    return _decoder.decode(raw)


Kept = TypeVar("Kept")


def _kept(value: Kept, limit: int) -> Kept | str:
    """A text as it may be stored; anything else as it is."""
    return shortened(mask(value), limit) if isinstance(value, str) and value else value


def shortened(text: str, limit: int = TEXT_LIMIT) -> str:
    """At most `limit` characters, with a sign where something was cut."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def link_hash(previous: str, record: bytes) -> str:
    """Hash of a link: SHA-1 hex over the previous hash and the record, as the store's scripts compute it."""
    return hashlib.sha1(previous.encode() + record, usedforsecurity=False).hexdigest()


def attests(entry: Link, base: str) -> bool:
    """Whether an entry says that what was before the link with this hash was cut off, as is done with what is older
    than the log is kept."""
    try:
        record = decode(entry.record)
    except msgspec.DecodeError:
        return False
    return record.kind == "retention" and record.digest == base


def verify(entries: Iterable[Link], *, head: str = "") -> Verdict:
    """Compute one shard's chain anew, in order, and say where it breaks first.

    `head` is the hash that the first entry follows: "" at the start of the chain, the last known hash when it
    goes on. `altered`: a record does not have its hash. `missing`: an entry does not follow the one before it.
    """
    sound = 0
    for entry in entries:
        if entry.previous != head:
            return Verdict(sound, head, entry.id, "missing")
        if entry.hash != link_hash(entry.previous, entry.record):
            return Verdict(sound, head, entry.id, "altered")
        try:
            decode(entry.record)
        except msgspec.DecodeError:
            return Verdict(sound, head, entry.id, "unreadable")
        sound, head = sound + 1, entry.hash
    return Verdict(sound, head)
