"""One question of a flow: what is asked for, its choices as buttons, and how often the answer was none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.cards import Button
from chatops_bot.domain.dialogue import parking
from chatops_bot.domain.dialogue.called import labels
from chatops_bot.domain.dialogue.lock import likely
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import SHOWN_CHOICES, choice_card, line_card
from chatops_bot.domain.flows import SLOTS
from chatops_bot.domain.intents import Asked, Quantity, SlotValue
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Flow
from chatops_bot.domain.texts import word

MOST_TRIES: Final = 3
"""Answers that are none, after which the question is not repeated."""


def ask(
    turn: Turn,
    flow: Flow,
    what: tuple[str, ...],
    question: Say,
    *notes: Say,
    choices: tuple[str, ...] = (),
    candidates: Mapping[str, str] = {},
    on: str = "",
) -> None:
    """Ask for these slots, on a new card or that of this id. `choices` are values of the first of them, `candidates`
    entities as they are called with their keys. After as many tries as there may be, give up instead."""
    earlier = _asked_before(turn, flow)
    again = earlier is not None and earlier.asked is not None and earlier.asked.what == what
    if again and earlier is not None and earlier.asked is not None and not choices and not candidates:
        choices, candidates = earlier.asked.choices, earlier.candidates
    if not choices and not candidates and len(what) == 1 and what[0] in SLOTS:
        choices = SLOTS[what[0]].choices
    make_way(turn, flow)
    flow = msgspec.structs.replace(
        parking.numbered(turn, flow),
        asked=Asked(user=flow.requester.key, what=what, choices=tuple(candidates) or choices),
        prompt=question,
        candidates=dict(candidates),
        tries=_tries(earlier, flow, what),
        notes=notes,
    )
    turn.set(flow=flow, used=True)
    show(turn, flow, *notes, on=on)


def show(turn: Turn, flow: Flow, *notes: Say, on: str = "") -> None:
    """The question of the flow that collects; where it was tried often enough, that it is asked no more."""
    if flow.tries >= MOST_TRIES:
        give_up(turn, flow, on=on)
        return
    if flow.tries == MOST_TRIES - 1:
        flow = with_choices(turn, flow)
        turn.set(flow=flow)
    if flow.candidates:
        turn.set(offered=tuple(flow.candidates.values()))
    question = flow.prompt or say("ask.service")
    card = choice_card(question, turn.language, flow_buttons(turn, flow), *notes)
    turn.answer_card = on or turn.new_card()
    turn.draw(turn.answer_card, card)


def not_understood(turn: Turn, flow: Flow) -> None:
    """What was said is no answer to what is asked; it counts where it was said by whoever is asked."""
    no_answer = say("answer.no_answer")
    if flow.asked is not None and turn.user is not None and turn.user.key == flow.asked.user:
        flow = msgspec.structs.replace(flow, tries=flow.tries + 1)
        turn.set(flow=flow)
    show(turn, flow, no_answer)


def give_up(turn: Turn, flow: Flow, *, on: str = "") -> None:
    """Say what could not be understood and ask no more: the order is put aside, to be taken up by a choice, by words,
    or by a person."""
    flow = with_choices(turn, flow)
    what = named_slots(turn, flow.asked.what if flow.asked else ())
    turn.set(flow=None)
    kept = parking.park(turn, flow, asked=True)
    aside = "flow.gave_up_choose" if choice_buttons(turn, kept) else "flow.gave_up_aside"
    lines = (*flow.notes, say(aside, intent=parking.called(flow), about=parking.about(flow)))
    turn.record(
        "decision",
        reason="not understood",
        service=flow.entity.key if flow.entity else "",
        action=flow.intent,
        text=what,
    )
    card = line_card(say("flow.gave_up", what=what), turn.language, *lines, tone="warn")
    person = Button("hand_off", word("button.hand_off", turn.language))
    buttons = (*choice_buttons(turn, kept), parking.take_up_button(turn, kept), person)
    turn.answer_card = on or turn.new_card()
    turn.draw(turn.answer_card, msgspec.structs.replace(card, buttons=buttons))


def with_choices(turn: Turn, flow: Flow) -> Flow:
    """The flow with services to choose from, where one is asked for and none was offered."""
    asked = flow.asked
    if asked is None or asked.choices or asked.what[0] != "service":
        return flow
    offered = labels(likely(turn, flow.intent, few=False)[:SHOWN_CHOICES])
    return msgspec.structs.replace(
        flow,
        candidates={name: entity.key for name, entity in offered.items()},
        asked=msgspec.structs.replace(asked, choices=tuple(offered)),
    )


def flow_buttons(turn: Turn, flow: Flow) -> tuple[Button, ...]:
    """What can be pressed below the question of a flow."""
    return (*choice_buttons(turn, flow), Button("cancel", word("button.cancel", turn.language)))


def choice_buttons(turn: Turn, flow: Flow) -> tuple[Button, ...]:
    """The choices of a flow's question. Each carries the number of its flow: it chooses for that alone."""
    if flow.candidates:
        return tuple(
            Button(f"service:{name}", _with_environment(turn, name, key), value=f"{flow.number} {key}")
            for name, key in flow.candidates.items()
        )
    asked = flow.asked or Asked(user="", what=("",))
    return tuple(
        Button(f"choose:{choice}", _choice(turn, asked.what[0], choice), value=f"{flow.number} {choice}")
        for choice in asked.choices
    )


def value_of(slot: str, choice: str) -> SlotValue:
    """What a choice on a button stands for."""
    if slot != "replicas":
        return choice
    return Quantity("by" if choice[:1] in ("+", "-") else "to", float(choice))


def is_of(flow: Flow, value: str) -> bool:
    """Whether a button's value is of this flow. One that carries no number is of whichever is there."""
    number, numbered, _ = value.partition(" ")
    return not numbered or not number.isdecimal() or int(number) == flow.number


def make_way(turn: Turn, flow: Flow) -> None:
    """Another flow that is asked for gives way, and is put aside."""
    other = turn.session.flow
    if other is not None and other.number != flow.number:
        turn.set(flow=None)
        parking.put_aside(turn, other)


def named_slots(turn: Turn, slots: Iterable[str]) -> str:
    """Slots in words, one after the other."""
    return ", ".join(word(f"slot.{slot}", turn.language) for slot in slots)


def _asked_before(turn: Turn, flow: Flow) -> Flow | None:
    """The same flow as it was when this turn began."""
    before = turn.began.flow
    return before if before is not None and before.number == flow.number else None


def _tries(earlier: Flow | None, flow: Flow, what: tuple[str, ...]) -> int:
    """How often the same was asked for in vain: nothing was gained since."""
    if earlier is None or earlier.asked is None:
        return flow.tries
    gained = (earlier.slots, earlier.entity) != (flow.slots, flow.entity) or earlier.asked.what != what
    return 0 if gained else earlier.tries + 1


def _with_environment(turn: Turn, name: str, key: str) -> str:
    entity = turn.world.entity(key)
    return f"{name} ({entity.environment})" if entity is not None and entity.environment else name


def _choice(turn: Turn, slot: str, value: str) -> str:
    """What a choice's button says: the value, in words where the texts have some for its slot."""
    if slot in SLOTS and SLOTS[slot].outright:
        return turn.text(say(f"choice.{slot}"))
    if slot == "replicas":
        key = {"+": "choice.by", "-": "choice.fewer"}.get(value[:1], "choice.to")
        return turn.text(say(key, value=value.lstrip("+-")))
    return turn.text(say("choice.revision", value=value)) if slot == "revision" else value
