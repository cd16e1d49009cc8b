"""What the pure core asks for: work that runs beside turns and returns as an event of the thread."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.charts import AlertSource
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Language, SlotValue
from chatops_bot.domain.subscribers import Subscriber


class Query(msgspec.Struct, frozen=True, tag="query", omit_defaults=True):
    """Read something of an entity (or, for `overview`, of a namespace or cluster); ends in `Queried`. `logs`: whether
    whoever asks may see what containers print, which a diagnosis quotes too. `rooms`: others than `room` in which the
    answer is shown."""

    id: str
    thread: str
    room: Room
    user: User
    intent: str
    entity: Entity | None
    slots: dict[str, SlotValue] = {}
    alert: AlertSource | None = None
    """The alert that is the reason for asking, to be charted beside."""
    logs: bool = True
    rooms: tuple[Room, ...] = ()


class Prepare(msgspec.Struct, frozen=True, tag="prepare", omit_defaults=True):
    """Observe the target, draft the change, record it as a plan; ends in `Prepared`.

    With `undo_of` (a token of the same target) the slots are those that put back what that plan replaced.
    `lives_ms` counts from the moment it is shown. `rooms`: as for `Judge`.
    """

    id: str
    thread: str
    room: Room
    user: User
    action: str
    entity: Entity
    language: Language
    lives_ms: int
    slots: dict[str, SlotValue] = {}
    name: str = ""
    reason: str = ""
    undo_of: str = ""
    rooms: tuple[Room, ...] = ()


class Judge(msgspec.Struct, frozen=True, tag="judge", omit_defaults=True):
    """A person wants this plan confirmed or (with `approve`) approved; ends in `Judged`. `escalated`: those whom the
    rule names for when nobody answers have been asked, and may approve. `rooms`: others than `room` in which that was,
    or was before; their rules have to allow it as well. `at` is where it was now, where that is another one."""

    id: str
    thread: str
    room: Room
    user: User
    token: str
    digest: str
    entity: Entity
    action: str
    approve: bool = False
    lives_ms: int = 0
    requester: str = ""
    confirmer: str = ""
    escalated: bool = False
    rooms: tuple[Room, ...] = ()
    at: Room | None = None


class Void(msgspec.Struct, frozen=True, tag="void", omit_defaults=True):
    """End a plan that was not begun: `cancelled`, `superseded`, `rejected`, `expired`. No result."""

    id: str
    thread: str
    room: Room
    token: str
    entity: Entity
    reason: str
    by: str = ""


class Execute(msgspec.Struct, frozen=True, tag="execute", omit_defaults=True):
    """Carry out a plan that the ledger holds as confirmed; ends in `Executed`, or in `Lost`.

    `lost`: its write was sent, the outcome is not known, and people have been told so; find it out. `escalated`: as
    for `Judge`, so that their approvals count. `rooms`: others than `room` in which it was confirmed or approved.
    """

    id: str
    thread: str
    room: Room
    token: str
    entity: Entity
    action: str
    confirmer: User
    approvers: tuple[str, ...] = ()
    lost: bool = False
    escalated: bool = False
    rooms: tuple[Room, ...] = ()


class Follow(msgspec.Struct, frozen=True, tag="follow", omit_defaults=True):
    """Watch the rollout after the write until it ends, fails or is superseded; ends in `Followed`.

    For a plan of several writes, `execute` is what had the first one made: its people have to be allowed the others as
    well. `shown` is a digest of the progress that is on the card.
    """

    id: str
    thread: str
    room: Room
    token: str
    entity: Entity
    until: int
    execute: Execute | None = None
    shown: str = ""


class LeaveNote(msgspec.Struct, frozen=True, tag="note", omit_defaults=True):
    """Tell whoever looks at the target in the cluster what was done there (`outcome` "done") or may have been
    ("unknown"), `by` whom as people know them, and put the link to the `card` on record. No result."""

    id: str
    thread: str
    room: Room
    token: str
    entity: Entity
    card: str
    outcome: str
    by: str
    approvers: tuple[str, ...] = ()


class Switch(msgspec.Struct, frozen=True, tag="switch"):
    """Set (or with "" clear) the read-only switch; ends in `Switched`."""

    id: str
    thread: str
    room: Room
    reason: str


class Enlist(msgspec.Struct, frozen=True, tag="enlist", omit_defaults=True):
    """Have a subscriber entered (or, with `stop`, left out) in the thread in which alerts or a rollout are followed:
    that of a `card` (`alert:GROUP`), or the thread `to`. No result."""

    id: str
    thread: str
    room: Room
    subscriber: Subscriber
    card: str = ""
    to: str = ""
    stop: bool = False


Effect = Switch | Query | Prepare | Judge | Void | Execute | Follow | LeaveNote | Enlist

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Effect)


def encode(effect: Effect) -> bytes:
    """As stored in a work queue."""
    return _encoder.encode(effect)


def decode(raw: bytes) -> Effect:
    """The effect of a work entry. Raises `msgspec.ValidationError` on what this version does not know."""
    return _decoder.decode(raw)
