"""The vocabulary of understanding: routes, intents, slots, and what an interpreter returns. Design section 5.

An interpreter (rules or a model) turns one utterance into an `Interpretation`. It only ever chooses
among the routes that the present state offers; whatever it says, `decide` checks it again.
"""

from __future__ import annotations

from enum import StrEnum
from math import isfinite
from typing import Literal

import msgspec

from chatops_bot.domain.entities import Entity, Service

Language = Literal["zh", "en"]


class State(StrEnum):
    """Phases of intent of a session."""

    IDLE = "idle"
    COLLECTING = "collecting"
    CONFIRMING = "confirming"
    APPROVING = "approving"
    EXECUTING = "executing"
    FOLLOW_UP = "follow_up"
    HANDED_OFF = "handed_off"
    ARCHIVED = "archived"


class Route(StrEnum):
    """What an utterance does in the present state."""

    QUERY = "query"
    ACT = "act"
    ASK = "ask"
    HAND_OFF = "hand_off"
    HELP = "help"
    CHAT = "chat"
    PROVIDE = "provide"
    MODIFY = "modify"
    CANCEL = "cancel"
    SWITCH = "switch"
    CONFIRM = "confirm"
    UNCLEAR = "unclear"
    REFRESH = "refresh"
    FEEDBACK = "feedback"
    DONE = "done"
    RESUME = "resume"
    NOTE = "note"


ROUTES: dict[State, frozenset[Route]] = {
    State.IDLE: frozenset({Route.QUERY, Route.ACT, Route.ASK, Route.HAND_OFF, Route.HELP, Route.CHAT}),
    State.COLLECTING: frozenset(
        {
            Route.PROVIDE,
            Route.MODIFY,
            Route.CANCEL,
            Route.SWITCH,
            Route.ASK,
            Route.HAND_OFF,
            Route.HELP,
            Route.CHAT,
        }
    ),
    State.CONFIRMING: frozenset(
        {Route.CONFIRM, Route.MODIFY, Route.CANCEL, Route.SWITCH, Route.ASK, Route.HAND_OFF, Route.UNCLEAR}
    ),
    State.APPROVING: frozenset({Route.MODIFY, Route.CANCEL, Route.SWITCH, Route.ASK, Route.HAND_OFF, Route.UNCLEAR}),
    State.EXECUTING: frozenset({Route.ASK, Route.CANCEL, Route.SWITCH, Route.HAND_OFF}),
    State.FOLLOW_UP: frozenset(
        {
            Route.QUERY,
            Route.ACT,
            Route.ASK,
            Route.REFRESH,
            Route.FEEDBACK,
            Route.DONE,
            Route.CANCEL,
            Route.SWITCH,
            Route.HAND_OFF,
            Route.HELP,
            Route.CHAT,
        }
    ),
    State.HANDED_OFF: frozenset({Route.RESUME, Route.NOTE, Route.CANCEL}),
    State.ARCHIVED: frozenset(),
}
"""The routes offered per state: the whole table. An archived session takes no
message at all (any addressed message opens a new thread)."""

QUERIES = (
    "status",
    "logs",
    "events",
    "history",
    "resources",
    "changes",
    "overview",
    "runbook",
    "incident",
)
"""Intents that only read."""

QUERY_SLOTS = (
    *("since", "tail", "previous", "grep", "container", "pod", "errors", "everyone", "part", "revision", "when"),
)
"""How something is looked at. `errors`: what a log says of errors alone, grouped; `everyone`: of all pods; `part`: one
part of a status (`dependents`: what leads to the workload and hangs on it) or of what has changed (`ours`: what was
done through the bot). `when`: a span of time by its name (`domain/spans.py`)."""

ACTIONS = (
    "scale",
    "restart",
    "rollback",
    "pause",
    "resume",
    "set_image",
    "set_autoscaler",
    "abort",
    "delete_pod",
    "cordon",
    "uncordon",
    "drain",
)
"""Intents that change the cluster, by their names in formats."""

_LARGEST = 2.0**53
"""Beyond it a float is no exact whole number any more."""

QuantityKind = Literal["to", "by", "times", "unclear"]


class Quantity(msgspec.Struct, frozen=True, tag="quantity"):
    """A number of replicas as it was said, before it is computed against what is there.

    `to` 5 ("to 5", "5 副本"), `by` -2 ("two fewer", "减两个"), `times` 2 or 0.5 ("double it", "一半"),
    `unclear` 5 ("扩容 5 个": to five or by five? must be asked; -5 for "缩容 5 个", so that the choice keeps the
    direction that was said). `value` keeps fractions and signs as
    they were said, so that code can refuse them by name.
    """

    kind: QuantityKind
    value: float

    def __post_init__(self) -> None:
        """What is stored has to be a number: one too long to be finite is none that could be read back."""
        if not isfinite(self.value):
            msgspec.structs.force_setattr(self, "value", -_LARGEST if self.value < 0 else _LARGEST)


SlotValue = str | int | bool | Quantity
"""What a slot can hold. Names of slots: `replicas`, `container`, `since` and the like."""


class Name(msgspec.Struct, frozen=True):
    """A service or node named in a text.

    `text` is what was said; `matches` the catalog services it names exactly (several: the name is
    ambiguous and must be asked); `closest` what to offer when nothing matches. At least one of the two
    may be empty; both empty means an unknown name with nothing similar. `start` is its offset.
    """

    text: str
    start: int
    matches: tuple[Service, ...] = ()
    closest: tuple[Service, ...] = ()


class Request(msgspec.Struct, frozen=True, omit_defaults=True):
    """One intent of an utterance with what was said for it.

    `name` is the service or node said for this request itself; `pronoun` is true when it was referred
    to ("it", "这个服务"). Neither: left out. `start` orders requests by appearance. `conditional` is set
    when the order hangs on a condition or a later time ("if it crashes again", "等会儿"). `proposed`: only a
    model has understood it so; its plan takes a click.
    """

    intent: str
    slots: dict[str, SlotValue] = {}
    name: Name | None = None
    pronoun: bool = False
    conditional: bool = False
    start: int = 0
    proposed: bool = False

    @property
    def dangerous(self) -> bool:
        """Whether it would change the cluster."""
        return self.intent in ACTIONS


class Interpretation(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one utterance means in the present state.

    - `requests`: every intent found, in order of appearance (also from the third on: the bot names
      what it leaves out). For `modify` and `provide`: one request whose `intent` is "" and whose slots
      and name are the change. Likewise for a `query` or an `ask` that only changes the last question or order
      (`Utterance.standing`): more or less of the answer, another service, another place. There an empty text or False
      takes a value away.
    - `affirmative`: the strict guard's verdict: the whole message is an affirmative phrase and carries
      no change, condition, question, negation or doubt. The second key of confirming by words; computed
      by rules only, whatever the interpreter. `confirm` without it reads like a yes, and takes a press.
    - `all`: "all of them", "都" for several pending plans; `other`: "the other one", "另一个"; `as_before`: the last
      change is taken back ("no, as it was", "还是按原来的").
    - `language`: of this utterance.
    - `names`: every service named in it, as the catalog found them; filled in beside the interpreter.
    - `tokens`: used by a language model, and `model` which one with which prompt, "" where none was asked.
    """

    route: Route
    language: Language
    requests: tuple[Request, ...] = ()
    dismissed: tuple[Name, ...] = ()
    affirmative: bool = False
    all: bool = False
    other: bool = False
    as_before: bool = False
    names: tuple[Name, ...] = ()
    tokens: int = 0
    model: str = ""


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the bot has asked and whom: a slot's value or which service.

    `what` is a slot name, or "service", or "plan" (which of several). `choices` are the values offered
    as buttons. A short answer ("5", "the second", "order-db") is taken for it.
    """

    user: str
    what: tuple[str, ...]
    choices: tuple[str, ...] = ()


class PendingPlan(msgspec.Struct, frozen=True, omit_defaults=True):
    """What an interpreter may know of a plan that waits: enough to tell a repetition from a change. `reason` is why it
    is wanted, "" where nobody has said so."""

    action: str
    entity: Entity
    parameters: dict[str, SlotValue] = {}
    before: dict[str, SlotValue] = {}
    reason: str = ""


class Standing(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question or an order that was worked on, with all that holds for it: what a correction changes.

    `entity` is what it is about, None for a question about nothing in particular. `waits`: it is collected, or its plan
    waits. `was` and `was_about` are what held before the last change of it, None where there was none. `at` is the
    sequence number of the event after which it stood.
    """

    intent: str
    entity: Entity | None = None
    slots: dict[str, SlotValue] = {}
    waits: bool = False
    was: dict[str, SlotValue] | None = None
    was_about: Entity | None = None
    at: int = 0

    @property
    def ordered(self) -> bool:
        """Whether it would change the cluster."""
        return self.intent in ACTIONS


class Heard(msgspec.Struct, frozen=True):
    """One earlier message of the thread, as far as a model may see it: secrets masked, shortened. `who` is "user" for
    the asker, "other" for anybody else, "bot" for what the bot answered."""

    who: str
    text: str


class Context(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a model may see beside the utterance: made by code (`domain/context.py`, design section 7), of bounded size
    whatever the room does. The rules look at none of it.

    `window` is the end of this thread's talk, oldest first. `memory` are lines of the working memory, which code wrote,
    the most important first. `quoted` is what others wrote (alerts, logs, names of objects): data, to be shown fenced.
    """

    situation: str
    window: tuple[Heard, ...] = ()
    memory: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()


class Utterance(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message for an interpreter: plain text (mentions of the bot removed, links and other mentions
    unwrapped) and what the state says around it. `names` are the services already found in the text; `intent` is what
    is being collected, or was asked last; `standing` is what a correction may be of, the likeliest first; `context` is
    for models only."""

    text: str
    state: State
    names: tuple[Name, ...] = ()
    dismissed: tuple[Name, ...] = ()
    lock: Entity | None = None
    plans: tuple[PendingPlan, ...] = ()
    asked: Asked | None = None
    intent: str = ""
    standing: tuple[Standing, ...] = ()
    context: Context | None = None
