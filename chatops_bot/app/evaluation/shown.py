"""The figures as a person reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

Figures = dict[str, Any]

_MARKS: Final = {
    "orders_hidden": "orders lost among questions",
    "orders_invented": "orders taken that nobody gave",
    "taken_for_a_read": "changes taken for reads",
    "planned": "changes proposed as a plan",
    "intents_right": "intents right, whatever they are about",
    "routed": "in the thread of the service expected",
    "routing": "turns that say which service",
    "expecting": "turns that expect something",
    "slots_right": "all slots right",
}


def lines(measured: Figures, *, misses: bool) -> Iterator[str]:
    """Of one file: a paragraph for each contender."""
    yield f"{measured['file']} ({measured['kind']}, {_times(measured['runs'])})"
    for name, figures in measured["figures"].items():
        yield f"  {name}: {sentence(figures)}"
        if len(figures["by_lang"]) > 1:
            for lang, own in figures["by_lang"].items():
                yield f"    {lang}: {sentence(own)}"
        yield from (f"    {line}" for line in _details(figures, measured["runs"]))
        if misses:
            yield from (f"    {_miss(miss)}" for miss in measured["misses"][name])


def _times(runs: int) -> str:
    return "once" if runs == 1 else f"{runs} runs"


def sentence(figures: Figures) -> str:
    """The figures that matter most."""
    parts = [f"{figures['n']} rows", f"accuracy {percent(figures['accuracy'])}"]
    if figures["macro_f1"] is not None:
        parts.append(f"macro F1 {percent(figures['macro_f1'])}")
    if "confirmations_recognised" in figures:
        parts.append(f"confirmations recognised {percent(figures['confirmations_recognised'])}")
        parts.append(f"executed by words {percent(figures['confirmations_executed'])}")
    parts.append(f"{figures['false_confirmations']} false confirmations")
    if figures["routing"] is not None:
        parts.append(f"routing {percent(figures['routing'])}")
    if (bound := figures["false_executions_upper_95"]) is not None:
        could = figures["could_execute_falsely"]
        parts.append(f"{figures['false_executions']} false executions of {could} (95 % sure: below {bound:.2%})")
    return ", ".join(parts)


def percent(value: float | None) -> str:
    """With one digit."""
    return "none to count" if value is None else f"{value:.1%}"


def _details(figures: Figures, runs: int) -> Iterator[str]:
    if runs > 1:
        yield f"right in all {runs} runs: {percent(figures['pass_k'])}"
    of_labels = (f"{label} {percent(own['accuracy'])} of {own['n']}" for label, own in figures["by_label"].items())
    yield f"by label: {', '.join(of_labels)}"
    if (worst := figures["worst"]) is not None:
        taken = ", ".join(f"{label} {count}" for label, count in worst["taken_for"].items())
        yield f"worst: {worst['label']} (F1 {percent(worst['f1'])}), taken for {taken or 'nothing else'}"
    if figures["marks"]:
        yield ", ".join(f"{_MARKS.get(mark, mark)}: {count}" for mark, count in figures["marks"].items())
    if (slots := figures["slots"]) is not None:
        yield f"slots of the bot's own kinds: {_slots(slots['own'])}; all slots: {_slots(slots['all'])}"
        of_kinds = (f"{slot} {percent(own['exact'])}" for slot, own in slots["by_kind"].items())
        yield f"exact: {', '.join(of_kinds)}"
    latency = figures["latency_ms"]
    asked = (
        f", {figures['asked']} by a model with {figures['tokens_per_call']:g} tokens each" if figures["asked"] else ""
    )
    yield (
        f"{figures['calls']} calls{asked}; "
        f"latency median {latency['median'] or 0} ms, 95 % within {latency['p95'] or 0} ms"
    )


def _slots(shares: Figures) -> str:
    return (
        f"{shares['values']} values, exact {percent(shares['exact'])} "
        f"(precision {percent(shares['precision'])}, recall {percent(shares['recall'])})"
    )


def _miss(miss: Figures) -> str:
    falsely = " FALSELY EXECUTED" if miss["executed"] else " FALSELY CONFIRMED" if miss["confirmed"] else ""
    slots = f"; slots {miss['wanted']} taken as {miss['found']}" if "wanted" in miss else ""
    return f"{miss['where']}: {miss['label']} taken for {miss['understood']}{falsely}{slots}: {miss['text']}"
