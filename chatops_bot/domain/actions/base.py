"""What an action declares: kinds, permissions, risk, watched fields, preview, change, progress, undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

import msgspec

from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.observed import Need, Observed, Permission, Raw
from chatops_bot.domain.plans import Change, Draft, Plan, Scalar
from chatops_bot.domain.say import Say


class Progress(msgspec.Struct, frozen=True):
    """How far the cluster has come after the write: `finished` ends the following, `failed` with it."""

    finished: bool
    failed: bool
    line: Say


class Question(msgspec.Struct, frozen=True):
    """Why the slots as said make no plan, where another value would: `slots` are asked for anew, the first with
    `choices` on buttons."""

    problem: Say
    slots: tuple[str, ...]
    choices: tuple[str, ...] = ()


class Undo(msgspec.Struct, frozen=True):
    """The action that puts back what a plan replaced, and its slots."""

    action: str
    slots: dict[str, SlotValue]


class Action(Protocol):
    """One action. Pure: everything is computed from what was observed."""

    @property
    def name(self) -> str:
        """As in formats: `scale`, `restart` …"""

    @property
    def kinds(self) -> frozenset[EntityKind]:
        """Kinds of entity it works on."""

    @property
    def needs(self) -> frozenset[Need]:
        """What its draft needs to be read beside the workload."""

    def permissions(self, kind: EntityKind) -> tuple[Permission, ...]:
        """What the bot must be allowed to do for it."""

    def draft(
        self, observed: Observed, slots: Mapping[str, SlotValue], *, token: str, stamp: str
    ) -> Draft | Say | Question:
        """The change with its preview, warnings and risk, or why it cannot or need not be made.

        `token` is left on the object as an annotation; `stamp` (RFC 3339) is the time written where one is.
        """

    def watched(self, live: Raw) -> dict[str, Scalar]:
        """The fields of the live object that must equal the plan's before it is executed."""

    def holds(self, live: Raw, plan: Plan) -> bool:
        """Whether the object carries what the plan wanted (after a write of unknown outcome)."""

    def progress(self, observed: Observed, plan: Plan) -> Progress:
        """How the rollout goes after the write."""

    def undo(self, plan: Plan) -> Undo | None:
        """What puts back what was there, or None where there is no undo."""


class Due(msgspec.Struct, frozen=True):
    """A step that may be written now, under the version of its object that was observed."""

    step: Change
    resource_version: str


class Remaining(msgspec.Struct, frozen=True):
    """What a plan of several writes has still to do.

    - `left`: names of what is not done yet, in the order in which it is done, that which is on its way included.
      Nothing left: all steps are done.
    - `due`: what may be written now, most urgent first; few of them are written before the cluster is observed again.
    - `blocked`: why what is left cannot go on at present, in words (a disruption budget with its counts, a finalizer).
    - `stopped`: why no further step may be written at all, as where somebody has taken back the first write.
    - `line`: how far it has come, for the card.
    """

    line: Say
    left: tuple[str, ...] = ()
    due: tuple[Due, ...] = ()
    blocked: tuple[Say, ...] = ()
    stopped: Say | None = None


@runtime_checkable
class Stepwise(Protocol):
    """What an action has beside all that of `Action` when its drafts may have `steps`."""

    def remaining(self, observed: Observed, plan: Plan) -> Remaining:
        """What is left of the plan's steps, by what is there now. Asked anew before each few writes."""
