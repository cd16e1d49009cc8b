"""The steps of a runbook that is walked: shown, left, and put on record."""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.cards import Button, Card, Note, Text
from chatops_bot.domain.dialogue import overview, requests
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.dialogue.walk_cards import current, header, left_card, start_button, step_card
from chatops_bot.domain.runbooks import Runbook, Step
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Walk
from chatops_bot.domain.texts import word

BEFORE: Final = 50
"""Steps that can be gone back."""


def waits(turn: Turn) -> bool:
    """Whether a plan or a question waits, which comes first."""
    return bool(turn.session.pending) or turn.session.flow is not None


def go(turn: Turn, runbook: Runbook, to: int, how: Say, before: tuple[int, ...]) -> None:
    """From the present step to another, and show it."""
    leave_step(turn, runbook, to, how, before)
    show(turn, runbook)


def leave_step(turn: Turn, runbook: Runbook, to: int, how: Say, before: tuple[int, ...]) -> None:
    walk = turn.session.walk
    if walk is None:
        return
    take(turn, walk, how)
    if walk.card:
        turn.draw(walk.card, left_card(turn, walk, runbook, turn.text(how)))
    moved = msgspec.structs.replace(
        walk,
        position=to,
        by=turn.user.key if turn.user is not None else walk.by,
        visit=max(walk.visit + 1, turn.sequence),
        shown=False,
        card="",
        asks=False,
        before=before[-BEFORE:],
    )
    turn.set(walk=moved)


def show(turn: Turn, runbook: Runbook) -> None:
    """The present step: a card, or what it looks at."""
    walk, step = turn.session.walk, step_of(turn)
    if walk is None:
        return
    if step is None:
        finish(turn, walk, runbook)
        return
    walk = msgspec.structs.replace(walk, shown=True, shown_at=turn.sequence, asks=step.kind == "ask", card="")
    turn.set(walk=walk, used=True)
    if step.kind == "query":
        turn.first(header(runbook, walk, turn.language))
        _look(turn, walk, step)
        return
    card = turn.reply(step_card(turn, walk, runbook))
    turn.set(walk=msgspec.structs.replace(walk, card=card))
    if waits(turn):
        requests.repeat_prompt(turn)


def _look(turn: Turn, walk: Walk, step: Step) -> None:
    """What a step looks at, of the runbook's entity; of an overview, where that lies."""
    entity = walk.entity
    if step.intent == overview.INTENT:
        place = {"cluster": entity.cluster, "namespace": entity.namespace} if entity is not None else {}
        overview.start(turn, {name: value for name, value in place.items() if value})
        return
    turn.record("request", service=entity.key if entity is not None else "", action=step.intent)
    requests.start_query(turn, step.intent, entity, dict(step.slots))


def finish(turn: Turn, walk: Walk, runbook: Runbook) -> None:
    language = turn.language
    blocks = (
        Text(turn.text(say("runbook.verification", text=runbook.verification.of(language))), strong=True),
        Text(turn.text(say("runbook.back", text=runbook.back.of(language)))),
        Note(runbook.id),
    )
    buttons = (Button("diagnose", word("button.diagnose", language), value=walk.entity.key),) if walk.entity else ()
    title = turn.text(say("walk.finished", title=runbook.title.of(language)))
    turn.record("decision", reason="runbook finished", service=walk.entity.key if walk.entity else "", text=runbook.id)
    enter_timeline(turn, walk, say("incident.entry.walk_ended", id=runbook.id))
    turn.set(walk=None, used=True)
    turn.reply(Card(title=title, language=language, tone="ok", blocks=blocks, buttons=buttons))


def where(turn: Turn, *notes: Say) -> None:
    """The present step once more, without doing it again."""
    walk, runbook = turn.session.walk, current(turn)
    if walk is None or runbook is None:
        lost(turn)
        return
    card = turn.reply(step_card(turn, walk, runbook, notes))
    if walk.card or (walk.shown and (step := step_of(turn)) is not None and step.kind != "query"):
        turn.set(walk=msgspec.structs.replace(walk, card=card))
    if waits(turn):
        requests.repeat_prompt(turn)


def step_of(turn: Turn) -> Step | None:
    """The present step; None past the last, and where the runbook is no longer what it was."""
    walk, runbook = turn.session.walk, current(turn)
    known = walk is not None and runbook is not None and walk.position < walk.length
    return runbook.steps[walk.position] if known and runbook is not None and walk is not None else None


def lost(turn: Turn) -> None:
    """The runbook was removed, or has another number of steps than when the present one was reached."""
    walk = turn.session.walk
    if walk is None:
        over(turn)
        return
    book = turn.world.runbooks.by_id(walk.runbook)
    turn.set(walk=None)
    if book is None:
        said = say("walk.gone", id=walk.runbook, number=min(walk.position + 1, walk.length))
    else:
        said = say("walk.changed", id=walk.runbook, before=walk.length, count=len(book.steps))
    card = line_card(said, turn.language, tone="warn")
    buttons = (start_button(book.id, turn.language),) if book is not None else ()
    turn.reply(msgspec.structs.replace(card, buttons=buttons))


def over(turn: Turn, runbook_id: str = "") -> None:
    """No runbook is under way here; the one of the button can be begun."""
    book = turn.world.runbooks.by_id(runbook_id) if runbook_id else None
    card = line_card(say("walk.over"), turn.language, tone="muted")
    buttons = (start_button(book.id, turn.language),) if book is not None else ()
    turn.reply(msgspec.structs.replace(card, buttons=buttons))
    requests.repeat_prompt(turn)


def take(turn: Turn, walk: Walk, how: Say) -> None:
    """On record: who took the present step, and how."""
    number, said = min(walk.position + 1, walk.length), turn.text(how)
    turn.record(
        "decision",
        reason="runbook step",
        service=walk.entity.key if walk.entity is not None else "",
        text=f"{walk.runbook} {number}/{walk.length}: {said}",
    )
    enter_timeline(turn, walk, say("incident.entry.walk", id=walk.runbook, number=number, count=walk.length, how=said))


def enter_timeline(turn: Turn, walk: Walk, said: Say) -> None:
    if turn.session.incident:
        user = turn.user.key if turn.user is not None else ""
        turn.chronicle.add(
            turn.session.incident, "runbook", said=said, runbooks=(walk.runbook,), user=user, name=turn.name
        )
