"""An answer to a plan: what the rules make of it, unless learned weights find something else far likelier.

The weights choose among what may be said below a plan, and never that it is carried out: their `confirm` comes
without the guard's key, so that it takes a press (design 6.7). Numbers, names and orders are always those that the
rules have read.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.answers.by_rules import by_rules, change_of, orders_in
from chatops_bot.adapters.rules.answers.contrasting import contrasted, holds_off
from chatops_bot.adapters.rules.answers.corrections import puts_right, says_as_before
from chatops_bot.adapters.rules.answers.features import is_own, signs, words
from chatops_bot.adapters.rules.answers.guard import names_plan
from chatops_bot.adapters.rules.answers.weights import learned, likelihoods
from chatops_bot.adapters.rules.requests.attached import ends_in_other
from chatops_bot.adapters.rules.requests.clauses import split
from chatops_bot.adapters.rules.requests.finding import find_requests
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.flow import flow_of, says_all, says_other, spares
from chatops_bot.adapters.rules.values.changed import sole
from chatops_bot.adapters.rules.values.stepping import steps_somehow
from chatops_bot.adapters.rules.verdict import Verdict
from chatops_bot.domain.intents import QUERIES, PendingPlan, Request, Route, State, Utterance

LONGEST: Final = 240
"""Characters. What is longer is no answer in passing, and is left to the rules."""

MARGIN: Final = 0.1
"""How much likelier something else must be than what the rules found, where they found anything."""

FIRM: Final = 0.5
"""Likewise where it would be lost: another name, an order, a question or a value that the rules found."""

CAREFUL: Final = 0.2
"""Likewise for what the rules found no word of, and what does away with the plan or has to be asked about."""

_LABELS: Final = {
    Route.CONFIRM: "confirm",
    Route.MODIFY: "modify",
    Route.CANCEL: "cancel",
    Route.ASK: "question",
    Route.SWITCH: "switch",
    Route.UNCLEAR: "hold",
}
"""What the rules may be overruled in. Calling a person is never among it."""

_INSTEAD: Final = frozenset({Route.MODIFY, Route.SWITCH})
"""Both put something in place of what waits: an order of something else, or else what the rules found of it."""
_HALTED: Final = re.compile(r"\W*(?:pause|暂停|暂停一下)\W*")
"""To a plan that pauses it may be a yes, and may be "wait"."""
_WORD: Final = re.compile(r"[^\W\d_]")
_BIDDEN: Final = re.compile(r"帮我?(?:看|查|瞅|拉|搜)|给我(?:看|查|瞅|拉|发|来)|\b(?:show|give|get|send) (?:me|us)\b")


def judge(reading: Reading, utterance: Utterance) -> Verdict:
    """The route of an utterance while at least one plan waits."""
    if (found := contrasted(reading, utterance)) is not None:
        return found
    verdict = _weighed(reading, utterance)
    if holds_off(reading, utterance.plans, verdict):
        return Verdict(Route.UNCLEAR)
    if verdict.route is Route.CANCEL and not verdict.requests:
        return verdict._replace(requests=_only(reading, utterance.plans))
    if verdict.route is not Route.MODIFY or _says_what(verdict) or len(utterance.plans) != 1:
        return verdict
    return Verdict(Route.MODIFY, (_whatever_changes(reading, utterance.plans[0]),))


def _only(reading: Reading, plans: tuple[PendingPlan, ...]) -> tuple[Request, ...]:
    """Which of several plans of different kinds a refusal names by what it does ("cancel the restart"); none: all."""
    waiting = {plan.action for plan in plans}
    said = {mark.intent for clause in split(reading).clauses for mark in clause.marks} & waiting
    every = said == waiting or says_all(reading.masked)
    return () if every else tuple(Request(intent) for intent in sorted(said))


def _whatever_changes(reading: Reading, plan: PendingPlan) -> Request:
    """What a text may change, of which it is known already that it changes something."""
    change = change_of(reading, find_requests(reading), plan) or Request("", sole(reading, plan))
    if says_other(reading.masked) and not (change.name or {"pod", "node"} & change.slots.keys()):
        return Request("")  # "the other one" holds no number
    return change


def _weighed(reading: Reading, utterance: Utterance) -> Verdict:
    verdict = by_rules(reading, utterance)
    if verdict.affirmative or verdict.route not in _LABELS or not _is_answer(reading, utterance):
        return verdict
    (plan,) = utterance.plans
    if _stands(verdict, reading, plan):
        return verdict
    found = likelihoods(words(reading, plan), signs(reading, plan, verdict.route, verdict.requests), learned())
    likeliest = max(found, key=found.__getitem__)
    surer = found[likeliest] - found[_LABELS[verdict.route]]
    if surer < _margin(verdict, likeliest, plan):
        return verdict
    no_yes = _HALTED.fullmatch(reading.masked) is not None or ends_in_other(reading)
    if likeliest == "confirm" and (no_yes or not _all_own(reading, plan)):
        return verdict
    if likeliest in ("confirm", "cancel") and steps_somehow(reading.masked, plan.action):
        return Verdict(Route.MODIFY, (Request(""),))
    if likeliest == "cancel" and spares(reading.masked):
        return verdict
    placed = _placed(likeliest, reading, plan)
    if placed.route is Route.SWITCH and not placed.requests and surer < FIRM:
        return verdict  # turning to nothing that is known would only do away with the plan
    ordered = placed.route is Route.SWITCH and bool(placed.requests)
    if {verdict.route, placed.route} <= _INSTEAD and _says_what(verdict) and not ordered:
        return verdict
    return placed


def _all_own(reading: Reading, plan: PendingPlan) -> bool:
    return all(is_own(name, plan) for name in reading.names)


def _is_answer(reading: Reading, utterance: Utterance) -> bool:
    """Whether it can be an answer to one plan and to nothing else that was asked, done or said before."""
    alone = utterance.state is State.CONFIRMING and len(utterance.plans) == 1 and utterance.asked is None
    points_back = says_other(reading.masked) or says_as_before(reading.masked)
    return alone and not points_back and _WORD.search(reading.masked) is not None and len(reading.masked) <= LONGEST


def _stands(verdict: Verdict, reading: Reading, plan: PendingPlan) -> bool:
    """Whether what the rules found is never overruled: the escape hatch (design 5), a reason for an override, a value
    that is put right outright, an order about what only hangs on a service (`attached`), and a question that is
    narrowed or that the bot is bidden to look into."""
    match verdict.route:
        case Route.CANCEL:
            return flow_of(reading).cancel in ("whole", "hard")
        case Route.MODIFY:
            given = any("reason" in change.slots for change in verdict.requests)
            return given or any(puts_right(reading, plan, change) for change in verdict.requests)
        case Route.SWITCH:
            return any(request.name is not None and request.name not in reading.names for request in verdict.requests)
        case Route.ASK:
            narrowed = any(not request.intent for request in verdict.requests)
            return narrowed or (bool(verdict.requests) and _BIDDEN.search(reading.masked) is not None)
        case _:
            return False


def _margin(verdict: Verdict, likeliest: str, plan: PendingPlan) -> float:
    """How much likelier something else must be than what the rules found."""
    found = verdict.requests
    another = any(
        (request.dangerous and request.intent != plan.action)
        or (request.name is not None and not names_plan(request.name, plan))
        for request in found
    )
    asked = verdict.route is Route.ASK and any(request.intent in QUERIES for request in found)
    if another or asked or any(request.slots for request in found):
        return FIRM
    if likeliest in ("cancel", "modify"):
        return CAREFUL
    return 0 if verdict.route is Route.UNCLEAR else MARGIN


def _says_what(verdict: Verdict) -> bool:
    """Whether it is known what is wanted in place of the plan, or of something of it."""
    return any(request.intent or request.name is not None or request.slots for request in verdict.requests)


def _placed(label: str, reading: Reading, plan: PendingPlan) -> Verdict:
    """The verdict of a label, with what the rules read of the text."""
    findings = find_requests(reading)
    queries = tuple(request for request in findings.requests if not request.dangerous)
    match label:
        case "confirm":
            return Verdict(Route.CONFIRM)
        case "modify":
            return Verdict(Route.MODIFY, (_whatever_changes(reading, plan),))
        case "cancel":
            return Verdict(Route.CANCEL)
        case "question":
            return Verdict(Route.ASK, queries or (Request("plan"),))
        case "switch":
            return Verdict(Route.SWITCH, (*orders_in(reading, findings, plan), *queries))
        case _:
            return Verdict(Route.UNCLEAR)
