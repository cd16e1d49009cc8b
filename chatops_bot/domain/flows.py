"""Flows as data: what every intent takes, what of that must be said, and what can never be right. Design section 5.

A value is checked by its slot, whichever intent it is for; what values cannot be beside each other, by the intent. The
question for a slot is the text `ask.SLOT`, its name `slot.SLOT`, in both languages; `dialogue/collecting.py` asks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Literal

import msgspec

from chatops_bot.domain.actions import bounds, images, quantities, revisions
from chatops_bot.domain.actions.base import Question
from chatops_bot.domain.actions.drain import LOUD
from chatops_bot.domain.incident_words import severity_of
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.spans import WHEN

Check = Callable[[SlotValue], Say | None]
"""Why a value can never be right, whatever is there; None for one that may be."""

About = Literal["service", "node", "any", "maybe", "nothing"]
"""What an intent is about: a service, a node, either; `maybe`: either or nothing; `nothing`: it needs no entity."""


class Slot(msgspec.Struct, frozen=True):
    """One parameter. `outright`: nothing but its own words is a yes to it. `choices` are offered whenever it is asked
    for; where what may be chosen depends on what is there, the question brings its own."""

    name: str
    check: Check
    choices: tuple[str, ...] = ()
    outright: bool = False


class Form(msgspec.Struct, frozen=True):
    """What one intent takes beside its entity. `required` slots are asked for where they were not said, all at once,
    and never defaulted. `check` is of all that was said together."""

    intent: str
    about: About
    slots: tuple[str, ...] = ()
    required: tuple[str, ...] = ()
    check: Callable[[Mapping[str, SlotValue]], Question | None] | None = None


WHERE: Final = ("cluster", "namespace", "environment")
"""Slots that say which entity is meant; every intent about one takes them."""

REASON: Final = "reason"
"""Why a change is wanted; every action takes it, and a change freeze asks for it."""

LONGEST_SPAN_S: Final = 90 * 86_400
"""Further back nothing is kept by a cluster; a larger number is a slip."""

MOST_LINES: Final = 100_000
LONGEST_TEXT: Final = 300
LONGEST_REASON: Final = 2_000

_NAME: Final = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.ASCII)
"""A DNS subdomain, as all objects are named that are asked for."""


def _replicas(value: SlotValue) -> Say | None:
    quantity = quantities.quantity_of({"replicas": value})
    if quantity is None:
        return say("flow.no_number", value=_written(value))
    return quantities.impossible(quantity)


def _image(value: SlotValue) -> Say | None:
    return images.unusable(str(value))


def _minimum(value: SlotValue) -> Say | None:
    return bounds.impossible("min", value)


def _maximum(value: SlotValue) -> Say | None:
    return bounds.impossible("max", value)


def _object(value: SlotValue) -> Say | None:
    """A name of a Kubernetes object: at most 253 characters, whatever their case was on a phone."""
    named = isinstance(value, str) and len(value) <= 253 and _NAME.fullmatch(value.lower()) is not None
    return None if named else say("flow.no_name", value=_written(value))


def _text(value: SlotValue) -> Say | None:
    return _at_most(LONGEST_TEXT, value)


def _reason(value: SlotValue) -> Say | None:
    """As long as a message is read: it goes on record as it was said."""
    return _at_most(LONGEST_REASON, value)


def _at_most(most: int, value: SlotValue) -> Say | None:
    said = isinstance(value, str) and bool(value.strip()) and len(value) <= most
    return None if said else say("flow.no_text", most=most)


def _span(value: SlotValue) -> Say | None:
    """Seconds back from now."""
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= LONGEST_SPAN_S:
        return None
    return say("flow.no_span", value=_written(value), days=LONGEST_SPAN_S // 86_400)


def _lines(value: SlotValue) -> Say | None:
    if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_LINES:
        return None
    return say("flow.no_lines", value=_written(value), most=MOST_LINES)


def _flag(value: SlotValue) -> Say | None:
    return None if value is True or value is False or value == "" else say("flow.no_flag", value=_written(value))


def _loud(words: str) -> Check:
    """True, or the words themselves."""

    def check(value: SlotValue) -> Say | None:
        return None if value is True or value is False or value == words else say("flow.outright", words=words)

    return check


def _one_of(*known: str) -> Check:
    def check(value: SlotValue) -> Say | None:
        return None if value in known else say("flow.none_of", value=_written(value), known=", ".join(known))

    return check


def _severity(value: SlotValue) -> Say | None:
    return None if severity_of(str(value)) else say("flow.no_severity", value=_written(value))


def _written(value: SlotValue) -> str:
    return f"{value.value:g}" if isinstance(value, Quantity) else str(value)[:40]


_SLOTS: Final = (
    Slot("service", _text),
    Slot("cluster", _text),
    Slot("namespace", _object),
    Slot("environment", _text),
    Slot("replicas", _replicas),
    Slot("container", _object),
    Slot("image", _image),
    Slot("revision", revisions.impossible),
    Slot("pod", _object),
    Slot("node", _object),
    Slot("min", _minimum),
    Slot("max", _maximum),
    Slot("since", _span),
    Slot("tail", _lines),
    Slot("previous", _flag),
    Slot("grep", _text),
    Slot("errors", _flag),
    Slot("everyone", _flag),
    Slot("when", _one_of(*WHEN), choices=("today", "yesterday", "this_week", "last_week")),
    Slot("part", _one_of("dependents", "ours"), choices=("dependents",)),
    Slot("about", _one_of("all", "restarts", "pods", "jobs", "room"), choices=("restarts", "pods", "jobs")),
    *(Slot(name, _loud(words), choices=(words,), outright=True) for name, words in LOUD.items()),
    Slot("reason", _reason),
    Slot("runbook", _text),
    Slot("to", _text),
    Slot("severity", _severity, choices=("sev1", "sev2", "sev3", "sev4")),
    Slot("title", _text),
)

SLOTS: Final[Mapping[str, Slot]] = MappingProxyType({slot.name: slot for slot in _SLOTS})
"""Every slot by its name."""

_LOOKING: Final = ("since", "tail", "previous", "grep", "container", "pod", "errors", "everyone")

_FORMS: Final = (
    Form("status", "any", ("part", "pod")),
    Form("logs", "any", _LOOKING),
    Form("events", "any", ("since", "pod")),
    Form("history", "any", ("revision",)),
    Form("resources", "any", ("since", "container", "pod")),
    Form("changes", "any", ("since", "when", "part", "about")),
    Form("overview", "nothing", (*WHERE, "about")),
    Form("runbook", "maybe"),
    Form("incident", "nothing", ("since",)),
    Form("declare", "nothing", ("severity", "title")),
    Form("help", "nothing"),
    Form("hand_off", "nothing", ("to", REASON)),
    Form("subscribe", "nothing"),
    Form("unsubscribe", "nothing"),
    Form("walk", "maybe", ("runbook",), required=("runbook",)),
    Form("scale", "service", ("replicas",), required=("replicas",)),
    Form("restart", "service"),
    Form("rollback", "service", ("revision",)),
    Form("pause", "service"),
    Form("resume", "service"),
    Form("set_image", "service", ("image", "container"), required=("image",)),
    Form("set_autoscaler", "service", bounds.BOUNDS, check=bounds.problem),
    Form("abort", "service"),
    Form("delete_pod", "service", ("pod",)),
    Form("cordon", "node"),
    Form("uncordon", "node"),
    Form("drain", "node", ("force", "local_data")),
)

FLOWS: Final[Mapping[str, Form]] = MappingProxyType({form.intent: form for form in _FORMS})
"""Every intent by its name. What an action is done to by kind of object stands with the action itself."""


def problem(intent: str, slots: Mapping[str, SlotValue]) -> Question | None:
    """Why what was said makes nothing of this intent, and what is to be asked anew; None where it may."""
    form = FLOWS[intent]
    for name in (*form.slots, REASON):
        why = SLOTS[name].check(slots[name]) if name in slots else None
        if why is not None:
            return Question(why, (name,))
    return form.check(slots) if form.check is not None else None


class Lack(msgspec.Struct, frozen=True):
    """What keeps an intent from being begun: the slots to be asked for, why those that were said cannot be taken, and
    what to choose from."""

    what: tuple[str, ...]
    problem: Say | None = None
    choices: tuple[str, ...] = ()


def missing(intent: str, slots: Mapping[str, SlotValue]) -> tuple[str, ...]:
    """What must be said and was not."""
    return tuple(name for name in FLOWS[intent].required if name not in slots)


def lack(intent: str, slots: Mapping[str, SlotValue]) -> Lack | None:
    """All that has to be asked for before this can be begun, None where there is nothing."""
    wrong, unsaid = problem(intent, slots), missing(intent, slots)
    if wrong is not None:
        return Lack(unsaid or wrong.slots, wrong.problem, wrong.choices)
    return Lack(unsaid) if unsaid else None


def unclear(slots: Mapping[str, SlotValue]) -> Quantity | None:
    """A number that can mean the whole or the difference."""
    found = (value for value in slots.values() if isinstance(value, Quantity) and value.kind == "unclear")
    return next(found, None)
