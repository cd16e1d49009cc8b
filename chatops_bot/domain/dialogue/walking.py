"""A runbook step by step, in its thread. Design section 5.

It is no state of the dialogue but data beside: what is asked, planned and looked at meanwhile goes its usual way, and
the present step is repeated below. Nothing here confirms anything. While a plan or a question waits, that comes first:
the runbook stands still, and words that could be meant for either confirm nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import msgspec

from chatops_bot.domain.actions.quantities import quantity_of
from chatops_bot.domain.dialogue import collecting, requests
from chatops_bot.domain.dialogue.lock import bind
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.dialogue.walk_cards import current, mark_of, start_button
from chatops_bot.domain.dialogue.walk_starting import ROUTE, begin
from chatops_bot.domain.dialogue.walk_steps import go, leave_step, lost, over, show, step_of, waits, where
from chatops_bot.domain.dialogue.walking_words import Move, answer_of, move_of
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.intents import State
from chatops_bot.domain.normalise import has_chinese
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.runbooks import Runbook
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Flow, Pending, Session, Walk
from chatops_bot.domain.world import World

_RAN: Final = frozenset({"done", "working"})
"""Outcomes after which the change was made."""


def answered(session: Session, event: Message, world: World) -> bool:
    """Whether words that are addressed to nobody answer the question that the runbook has asked this very person."""
    walk = session.walk
    if walk is None or not walk.asks or walk.by != event.user.key:
        return False
    if session.pending or session.flow is not None or session.handed_off:
        return False
    book = world.runbooks.by_id(walk.runbook)
    step = book.steps[walk.position] if book is not None and walk.position < len(book.steps) else None
    return step is not None and answer_of(step, event.text) is not None


def on_words(turn: Turn, event: Message) -> bool:
    """Do what a message says that is a move or an answer, whole. False for any other, and for what is said between
    people."""
    session, walk = turn.session, turn.session.walk
    if walk is None or session.handed_off or _rejects(session, event) or not _to_the_bot(turn, event, walk):
        return False
    step = step_of(turn)
    answer = answer_of(step, event.text) if step is not None and step.kind == "ask" else None
    move = move_of(event.text) if answer is None else None
    if (move is None and answer is None) or (waits(turn) and not _beside(turn, move)):
        return False
    if step is not None and move == "do" and step.kind != "action":
        return False
    speaker = session.people.get(event.user.key)
    if speaker is not None and not has_chinese(event.text):  # "ok" and "next" are said in every language
        turn.language = speaker.language
        turn.set(language=turn.language)
    turn.route = ROUTE
    if waits(turn) and move not in ("where", "stop"):
        requests.show_again(turn, say("walk.plan_first"), in_place=not (event.addressed or event.direct))
    else:
        _do(turn, move or "next", answer)
    return True


def _rejects(session: Session, event: Message) -> bool:
    """Whether whoever speaks has just rejected a plan, and may be giving the reason."""
    return session.rejection is not None and session.rejection.by == event.user.key


def _to_the_bot(turn: Turn, event: Message, walk: Walk) -> bool:
    """Below a card people talk to each other, too: there a word counts while nobody else has written since the step."""
    if event.addressed or event.direct or not turn.via_card:
        return True
    people = turn.session.people.items()
    return not any(key != event.user.key and speaker.spoke > walk.shown_at for key, speaker in people)


def _beside(turn: Turn, move: Move | None) -> bool:
    """Whether words are for the runbook, or for nobody, although something else waits: everything that has rules of its
    own (what confirms, what cancels, what answers a question) goes by those."""
    if move in ("where", "stop"):
        return True
    planned = turn.session.state in (State.CONFIRMING, State.APPROVING) and turn.session.flow is None
    return planned and move not in ("do", "leave")


def on_click(turn: Turn, event: Click, rest: str) -> None:
    """A button of a step: good for that step alone. `walk:start` begins the runbook whose id it carries."""
    name, _, number = rest.partition("-")
    if name == "start":
        _start(turn, event)
        return
    walk = turn.session.walk
    if name not in _BUTTONS:
        requests.refuse(turn, say("refuse.button_unknown", button=event.button[:60]), reason="button")
    elif walk is None:
        over(turn, event.value.partition(" ")[0])
    elif event.value != mark_of(walk):
        turn.record("refusal", reason="stale", action="walk", text=event.value[:80])
        where(turn, say("walk.stale"))
    elif waits(turn) and name != "stop":
        turn.reply(line_card(say("walk.busy"), turn.language, tone="warn"))
        requests.repeat_prompt(turn)
    elif name == "on":
        _again(turn)
    else:
        answer = int(number) - 1 if number.isascii() and number.isdecimal() and len(number) < 3 else None
        _do(turn, _BUTTONS[name], answer)


def _start(turn: Turn, event: Click) -> None:
    book = turn.world.runbooks.by_id(event.value)
    if book is None:
        turn.reply(line_card(say("runbook.gone", id=event.value[:80] or "-"), turn.language, tone="warn"))
    else:
        begin(turn, book, None)


_BUTTONS: Final[dict[str, Move]] = {
    "next": "next",
    "skip": "skip",
    "back": "back",
    "stop": "stop",
    "do": "do",
    "answer": "next",
    "on": "next",
}


def _do(turn: Turn, move: Move, answer: int | None) -> None:
    """One move, where nothing else waits."""
    runbook = current(turn)
    if runbook is None:
        lost(turn)
    elif move in _MOVES:
        _MOVES[move](turn, runbook)
    else:
        _forward(turn, runbook, move, answer)


def _forward(turn: Turn, runbook: Runbook, move: Move, answer: int | None) -> None:
    walk, step = turn.session.walk, step_of(turn)
    if walk is None:
        return
    if not walk.shown or step is None:
        show(turn, runbook)
        return
    given = answer is not None and 0 <= answer < len(step.answers)
    if step.kind == "ask" and not given:
        where(turn, say("walk.answer_first"))
    elif step.kind == "action" and move == "ok":
        where(turn, say("walk.do_or_next"))
    else:
        taken = answer if given else None
        text = step.answers[taken].texts.of(turn.language) if taken is not None else ""
        how = say("walk.plain", text=text) if text else say("walk.took.skip" if move == "skip" else "walk.took.next")
        following = runbook.after(walk.position, taken)
        go(turn, runbook, len(runbook.steps) if following is None else following, how, (*walk.before, walk.position))


def _again(turn: Turn) -> None:
    """Go on where the runbook was left, or look at the same once more."""
    runbook = current(turn)
    if runbook is None:
        lost(turn)
    else:
        show(turn, runbook)


def _back(turn: Turn, runbook: Runbook) -> None:
    walk = turn.session.walk
    if walk is None:
        return
    if not walk.before:
        where(turn, say("walk.first"))
        return
    go(turn, runbook, walk.before[-1], say("walk.took.back"), walk.before[:-1])


def _stop(turn: Turn, runbook: Runbook) -> None:
    walk = turn.session.walk
    if walk is None:
        return
    how, place = say("walk.took.stop"), min(walk.position + 1, walk.length)
    leave_step(turn, runbook, walk.position, how, walk.before)
    turn.set(walk=None)
    title = say("walk.stopped", title=runbook.title.of(turn.language), number=place, count=walk.length)
    lines = (say("walk.stopped_plan"),) if requests.waiting(turn) else ()
    card = line_card(title, turn.language, *lines, tone="muted")
    turn.reply(msgspec.structs.replace(card, buttons=(start_button(runbook.id, turn.language),)))
    if waits(turn):
        requests.repeat_prompt(turn)


def _act(turn: Turn, runbook: Runbook) -> None:
    """The action of the step, asked for like any other: what is missing is asked, and the plan waits for somebody."""
    walk, step = turn.session.walk, step_of(turn)
    if walk is None or step is None or step.kind != "action" or walk.entity is None or turn.user is None:
        where(turn, say("walk.nothing_to_do"))
        return
    if not walk.shown:
        show(turn, runbook)
        return
    if turn.session.lock is None:
        bind(turn, walk.entity)
    slots = dict(step.slots)
    replicas = quantity_of(slots)
    if replicas is not None:
        slots["replicas"] = replicas
    collecting.start(turn, Flow(intent=step.intent, requester=turn.user, entity=walk.entity, slots=slots))


_MOVES: Final[dict[Move, Callable[[Turn, Runbook], None]]] = {
    "back": _back,
    "stop": _stop,
    "leave": _stop,
    "do": _act,
    "where": lambda turn, runbook: where(turn),
}
"""Moves that are no step forward."""


def carried_out(turn: Turn, pending: Pending, plan: Plan, outcome: str) -> None:
    """An action of which the write was made: where it is that of the present step, this is done, and the runbook goes
    on at the next one when somebody comes back to it."""
    walk, runbook, step = turn.session.walk, current(turn), step_of(turn)
    if walk is None or runbook is None or step is None or outcome not in _RAN or pending.undo_of:
        return
    about = walk.entity is not None and walk.entity.key == plan.entity.key
    if step.kind != "action" or step.intent != plan.action or not about:
        return
    by = pending.confirmer or pending.requester
    speaker = turn.session.people.get(by.key)
    turn.user, turn.name = by, (speaker.name if speaker is not None else "") or by.key
    following = runbook.after(walk.position)
    leave_step(
        turn,
        runbook,
        len(runbook.steps) if following is None else following,
        say("walk.took.done"),
        (*walk.before, walk.position),
    )


def taken_over(walk: Walk | None) -> Walk | None:
    """The runbook of an ended session, for the one that goes on with its card: the old cards are not this one's."""
    return msgspec.structs.replace(walk, card="", shown_at=0) if walk is not None else None
