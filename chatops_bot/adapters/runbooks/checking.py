"""What is wrong with a runbook that has the right form: names that nothing bears, and steps that lead nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Final

from chatops_bot.domain.actions.quantities import quantity_of
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.diagnosis.findings import RANKS
from chatops_bot.domain.flows import FLOWS, problem
from chatops_bot.domain.runbooks import END, Runbook, Step
from chatops_bot.domain.texts import render

SLOTS: Final[Mapping[str, Mapping[str, type]]] = {
    "logs": {"pod": str, "container": str, "previous": bool, "since": int, "tail": int, "grep": str},
}
"""What each query may be asked with, and of which type; the others take nothing."""


def problems(runbook: Runbook) -> Iterator[tuple[str, str]]:
    """Where in the file, and what is wrong there with what to do about it."""
    for index, code in enumerate(runbook.symptoms):
        if code not in RANKS:
            yield f"symptoms.{index}", f"no finding has the code {code!r}{_instead(code, RANKS)}"
    for index, step in enumerate(runbook.steps):
        for path, wrong in _of_step(step):
            yield f"steps.{index}.{path}", wrong
    yield from _of_ids(runbook)
    yield from _of_ways(runbook)


def _of_step(step: Step) -> Iterator[tuple[str, str]]:
    if step.kind == "query":
        known = SLOTS.get(step.intent, {})
        yield from _unknown_slots(step, known)
        for name, value in step.slots.items():
            if name in known and type(value) is not known[name]:
                yield f"slots.{name}", f"must be {_TYPES[known[name]]}, not {value!r}"
    elif step.kind == "action":
        if step.intent not in ACTIONS:
            yield "action", f"there is no action {step.intent!r}{_instead(step.intent, ACTIONS)}"
            return
        yield from _unknown_slots(step, FLOWS[step.intent].slots)
        if "replicas" in step.slots and quantity_of(step.slots) is None:
            yield "slots.replicas", f"must be a number such as 3 or '+2', not {step.slots['replicas']!r}"
        question = problem(step.intent, step.slots) if step.slots else None
        if question is not None:
            yield "slots", render(question.problem, "en")


_TYPES: Final = {str: "text", bool: "true or false", int: "a whole number"}


def _unknown_slots(step: Step, known: Iterable[str]) -> Iterator[tuple[str, str]]:
    known = tuple(known)
    for name in step.slots:
        if name not in known:
            has = f"it has {', '.join(known)}" if known else "it has none"
            yield f"slots.{name}", f"{step.intent} has no slot {name!r}; {has}"


def _of_ids(runbook: Runbook) -> Iterator[tuple[str, str]]:
    """Names of steps that are there twice, and `goto`s to steps that are not there."""
    ids = [step.id for step in runbook.steps]
    for index, step in enumerate(runbook.steps):
        if step.id == END:
            yield f"steps.{index}.id", f"{END!r} means the end of a runbook; choose another id"
        elif step.id and step.id in ids[:index]:
            yield f"steps.{index}.id", f"two steps have the id {step.id!r}; choose another"
        gotos = [("goto", step.goto), *((f"answers.{n}.goto", a.goto) for n, a in enumerate(step.answers))]
        for path, goto in gotos:
            if goto and goto != END and goto not in ids:
                yield f"steps.{index}.{path}", f"no step has the id {goto!r}{_instead(goto, (*filter(None, ids), END))}"


def _of_ways(runbook: Runbook) -> Iterator[tuple[str, str]]:
    """Rounds without a question in them, which would never end, and steps that no way leads to."""
    reached, todo = {0}, [0]
    while todo:
        index = todo.pop()
        for following in _next(runbook, index):
            if following not in reached:
                reached.add(following)
                todo.append(following)
    for index in range(len(runbook.steps)):
        if index not in reached:
            yield f"steps.{index}", "no way leads to this step; let a goto lead to it, or remove it"
        elif _comes_back(runbook, index):
            yield f"steps.{index}", "the steps lead back here without a question in between; put an ask among them"


def _next(runbook: Runbook, index: int) -> set[int]:
    step = runbook.steps[index]
    answers: Iterable[int | None] = range(len(step.answers)) if step.kind == "ask" else (None,)
    following = {runbook.after(index, answer) for answer in answers}
    return {each for each in following if each is not None}


def _comes_back(runbook: Runbook, start: int) -> bool:
    """Whether the step is reached again from itself, no question being asked on the way."""
    index: int | None = start
    for _ in runbook.steps:
        if index is None or runbook.steps[index].kind == "ask":
            return False
        index = runbook.after(index)
        if index == start:
            return True
    return False


def _instead(name: str, known: Iterable[str]) -> str:
    names = list(known)
    close = get_close_matches(name, names, n=1)
    if close:
        return f"; {close[0]!r} is meant?"
    return f"; there are {', '.join(dict.fromkeys(names))}"
