"""A runbook while it is walked: its steps as cards, and what is repeated of the present one below an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from chatops_bot.domain.cards import Block, Button, Card, Note, Text
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.intents import Language
from chatops_bot.domain.runbooks import Runbook, Step
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Walk
from chatops_bot.domain.texts import render

LABEL: Final = 40
"""Characters of an answer or a title on its button."""


def current(turn: Turn) -> Runbook | None:
    """The runbook that is walked, if it is still the one whose steps were counted."""
    walk = turn.session.walk
    runbook = turn.world.runbooks.by_id(walk.runbook) if walk is not None else None
    same = runbook is not None and walk is not None and runbook.id == walk.runbook and len(runbook.steps) == walk.length
    return runbook if same else None


def mark_of(walk: Walk) -> str:
    """What a button of the present step carries: it is good for this step and no other."""
    return f"{walk.runbook} {walk.position} {walk.visit}"


def step_card(turn: Turn, walk: Walk, runbook: Runbook, notes: Iterable[Say] = ()) -> Card:
    """The present step, with what can be done at it."""
    language = turn.language
    said = Text(turn.text(_said(runbook, walk, language)), strong=True)
    blocks: list[Block] = [Text(turn.text(note)) for note in notes]
    blocks.append(said)
    kind = runbook.steps[walk.position].kind if walk.position < walk.length else ""
    if kind == "action":
        blocks.append(Note(turn.text(say("walk.gated"))))
    again = (_button("on", mark_of(walk), language, "again"),) if kind == "query" and walk.shown else ()
    about = label(walk.entity) if walk.entity is not None else ""
    blocks.append(Note(turn.text(say("walk.how", about=about) if about else say("walk.how_bare"))))
    return Card(
        title=turn.text(_title(runbook, walk, language)),
        language=language,
        tone="info",
        blocks=tuple(blocks),
        buttons=(*step_buttons(runbook, walk, language), *again, *_ways(walk, language)),
    )


def left_card(turn: Turn, walk: Walk, runbook: Runbook, how: str) -> Card:
    """A step that was left: who did what, and no buttons."""
    taken = say("walk.taken", name=turn.name or turn.text(say("nobody")), how=how)
    return Card(
        title=turn.text(_title(runbook, walk, turn.language)),
        language=turn.language,
        tone="muted",
        blocks=(Text(turn.text(_said(runbook, walk, turn.language))), Note(turn.text(taken))),
    )


def prompt(turn: Turn) -> tuple[Say, tuple[Button, ...]] | None:
    """What stands below the answer to something else: the present step and its buttons. None where no runbook is
    walked, and while something else has the word."""
    session, runbook = turn.session, current(turn)
    walk = session.walk
    if walk is None or runbook is None or session.archived or session.handed_off or session.pending:
        return None
    return _said_shortly(runbook, walk, turn.language), step_buttons(runbook, walk, turn.language)


def left_at(turn: Turn) -> tuple[Say, ...]:
    """Where the runbook stands, for whoever takes over."""
    walk, runbook = turn.session.walk, current(turn)
    if walk is None or runbook is None:
        return ()
    return (Say("walk.left_at", _place(runbook, walk, turn.language)),)


def go_on_buttons(turn: Turn) -> tuple[Button, ...]:
    """For the card of an outcome: the next step of the runbook that it was a step of, else the one that it came
    between."""
    walk, runbook = turn.session.walk, current(turn)
    if walk is None or runbook is None or walk.position >= walk.length:
        return ()
    return (_on_button(walk, turn.language),)


def start_button(runbook_id: str, language: Language, title: str = "") -> Button:
    """Begins a runbook, named where there is more than one."""
    said = say("walk.button.start_one", title=cut(title)) if title else say("walk.button.start")
    return Button("walk:start", render(said, language), value=runbook_id)


def step_buttons(runbook: Runbook, walk: Walk, language: Language) -> tuple[Button, ...]:
    """What leads on from the present step."""
    if not walk.shown or walk.position >= walk.length:
        return (_on_button(walk, language),)
    step, mark = runbook.steps[walk.position], mark_of(walk)
    if step.kind == "ask":
        return tuple(
            Button(f"walk:answer-{number}", cut(answer.texts.of(language)), value=mark)
            for number, answer in enumerate(step.answers, 1)
        )
    if step.kind == "action":
        what = render(say(f"offer.{step.intent}"), language)
        do = Button("walk:do", render(say("walk.button.do", what=what), language), "primary", value=mark)
        return (do, _button("skip", mark, language))
    return (_button("next", mark, language),)


def slots_of(step: Step) -> str:
    """Its slots as they are written."""
    slots = " ".join(
        f"{name}={str(value).lower() if isinstance(value, bool) else value}" for name, value in step.slots.items()
    )
    return f" ({slots})" if slots else ""


def cut(text: str) -> str:
    """As long as a button can be."""
    return text if len(text) <= LABEL else text[: LABEL - 1] + "…"


def _ways(walk: Walk, language: Language) -> Iterator[Button]:
    mark = mark_of(walk)
    if walk.before:
        yield _button("back", mark, language)
    yield _button("stop", mark, language)


def _button(move: str, mark: str, language: Language, said: str = "") -> Button:
    return Button(f"walk:{move}", render(say(f"walk.button.{said or move}"), language), value=mark)


def _on_button(walk: Walk, language: Language) -> Button:
    if walk.position >= walk.length:
        said = say("walk.button.end")
    else:
        said = say("walk.button.on", number=walk.position + 1, count=walk.length)
    return Button("walk:on", render(said, language), "primary", value=mark_of(walk))


def _place(runbook: Runbook, walk: Walk, language: Language) -> dict[str, str | int]:
    number = min(walk.position + 1, walk.length)
    return {"title": runbook.title.of(language), "number": number, "count": walk.length}


def _title(runbook: Runbook, walk: Walk, language: Language) -> Say:
    ended = walk.position >= walk.length
    return Say("walk.title_end" if ended else "walk.title", _place(runbook, walk, language))


def _said(runbook: Runbook, walk: Walk, language: Language) -> Say:
    """The step itself, in words."""
    if walk.position >= walk.length:
        return say("runbook.verification", text=runbook.verification.of(language))
    step = runbook.steps[walk.position]
    text = step.texts.of(language)
    if step.kind not in ("query", "action"):
        return say("walk.plain", text=text)
    group = "intent" if step.kind == "query" else "action"
    return say(f"walk.{step.kind}", what=f"{group}.{step.intent}", slots=slots_of(step), text=text)


def _said_shortly(runbook: Runbook, walk: Walk, language: Language) -> Say:
    place = _place(runbook, walk, language)
    if walk.position >= walk.length:
        return Say("walk.prompt_end", place)
    if not walk.shown:
        return Say("walk.prompt_on", place)
    return Say("walk.prompt", {**place, "text": render(_said(runbook, walk, language), language)})


def header(runbook: Runbook, walk: Walk, language: Language) -> Say:
    """Above the answer of a step that looks at something."""
    return Say("walk.header", _place(runbook, walk, language))
