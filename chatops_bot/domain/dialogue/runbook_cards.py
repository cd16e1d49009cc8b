"""Asking for runbooks, and a runbook as a card."""

from __future__ import annotations

import datetime
from collections.abc import Iterator

import msgspec

from chatops_bot.domain.cards import Block, Card, Note, Text
from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.lock import bind, resolve
from chatops_bot.domain.dialogue.turn import Turn, cite
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.dialogue.walk_cards import start_button
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Click
from chatops_bot.domain.intents import Interpretation, Language, Request, SlotValue
from chatops_bot.domain.masking import mask
from chatops_bot.domain.runbooks import END, Runbook, Step
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render, word

INTENT = "runbook"

ASKED = 1_000
"""Characters of a question that are searched for."""


def topic(text: str, meaning: Interpretation) -> str:
    """What of an utterance says which runbook is meant: the names of services are called like troubles sometimes."""
    for name in (*meaning.names, *(request.name for request in meaning.requests if request.name is not None)):
        text = text.replace(name.text, " ")
    return mask(text[:ASKED])


def ask(turn: Turn, request: Request, said_before: Entity | None, text: str) -> None:
    """Have runbooks looked for; one that is named by its id is shown at once. A service is not needed; where one is
    known, what was found there counts too."""
    resolved = resolve(turn, request, said_before)
    entity = resolved if isinstance(resolved, Entity) else None
    if entity is not None and turn.session.lock is None:
        bind(turn, entity)
    named = next((each for each in turn.world.runbooks.all if each.id in text), None)
    if named is not None:
        _show(turn, named)
        return
    turn.record("request", service=entity.key if entity is not None else "", action=INTENT)
    requests.start_query(turn, INTENT, entity, {"text": text, **known(turn, entity)})


def known(turn: Turn, entity: Entity | None) -> dict[str, SlotValue]:
    """What is known beside the words: findings, alerts that fire, and the service's own runbooks, each a list."""
    world, found = turn.world, {}
    if entity is not None:
        service = world.by_key(entity.key)
        named = [world.runbooks.by_id(id_) for id_ in (service.runbooks if service is not None else ())]
        own = [each.id for each in (*named, *world.runbooks.for_service(entity.name)) if each is not None]
        status = turn.session.results.get("status")
        same = status is not None and status.entity is not None and status.entity.key == entity.key
        found["own"] = " ".join(dict.fromkeys(own))
        found["symptoms"] = " ".join(status.codes) if status is not None and same else ""
    alert = turn.session.alert
    found["alerts"] = " ".join(dict.fromkeys(line.name for line in alert.shown if line.firing)) if alert else ""
    return {name: listed for name, listed in found.items() if listed}


def on_click(turn: Turn, event: Click, rest: str) -> None:
    """A runbook, whole, by the id that the button carries."""
    runbook = turn.world.runbooks.by_id(event.value)
    if runbook is None:
        gone = say("runbook.gone", id=event.value[:80] or "-")
        turn.reply(line_card(gone, turn.language, tone="warn"))
        return
    _show(turn, runbook)


def _show(turn: Turn, runbook: Runbook) -> None:
    turn.record("request", action=INTENT, text=runbook.id)
    cite(turn, (runbook.id,))
    turn.set(used=True)
    today = datetime.datetime.fromtimestamp(turn.now / 1000, datetime.UTC).date()
    card = whole(runbook, turn.language, today=today)
    turn.reply(msgspec.structs.replace(card, buttons=(start_button(runbook.id, turn.language),)))
    requests.repeat_prompt(turn)


def whole(runbook: Runbook, language: Language, *, today: datetime.date) -> Card:
    """All that it says. Commands in it are text."""
    blocks: list[Block] = []
    if runbook.overdue(today):
        blocks.append(Text(render(say("runbook.overdue"), language), strong=True))
    if runbook.symptoms or runbook.alerts:
        causes = [word(f"cause.{code}", language) for code in runbook.symptoms]
        what = ", ".join((*causes, *runbook.alerts[:_ALERTS]))
        blocks.append(Note(render(say("runbook.for", what=what), language)))
    blocks += [Text(step_line(runbook, number, language)) for number in range(1, len(runbook.steps) + 1)]
    for key, texts in (("runbook.verification", runbook.verification), ("runbook.back", runbook.back)):
        blocks.append(Text(render(say(key, text=texts.of(language)), language)))
    about = say("runbook.owner", id=runbook.id, owner=runbook.owner, date=runbook.reviewed.isoformat())
    blocks.append(Note(render(about, language)))
    title = render(say("runbook.title", title=runbook.title.of(language)), language)
    return Card(title=title, language=language, tone="info", blocks=tuple(blocks))


_ALERTS = 4
"""Names of alerts that are shown: some runbooks have a dozen, of as many collections of rules."""


def step_line(runbook: Runbook, number: int, language: Language) -> str:
    """One step (from 1) as a line of the whole."""
    step = runbook.steps[number - 1]
    slots = " ".join(f"{name}={_written(value)}" for name, value in step.slots.items())
    group = "intent" if step.kind == "query" else "action"
    said = say(
        f"runbook.{step.kind}",
        number=number,
        text=step.texts.of(language),
        what=f"{group}.{step.intent}",
        slots=f" ({slots})" if slots else "",
        answers=" · ".join(_answers(runbook, step, number, language)),
        then=_then(runbook, step, language),
    )
    return render(said, language)


def _answers(runbook: Runbook, step: Step, number: int, language: Language) -> Iterator[str]:
    for index, answer in enumerate(step.answers):
        then = _place(runbook.after(number - 1, index), language)
        yield render(say("runbook.answer", text=answer.texts.of(language), then=then), language)


def _then(runbook: Runbook, step: Step, language: Language) -> str:
    if not step.goto:
        return ""
    target = None if step.goto == END else next(i for i, each in enumerate(runbook.steps) if each.id == step.goto)
    return render(say("runbook.then", then=_place(target, language)), language)


def _place(index: int | None, language: Language) -> str:
    return render(say("runbook.end") if index is None else say("runbook.step", number=index + 1), language)


def _written(value: SlotValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
