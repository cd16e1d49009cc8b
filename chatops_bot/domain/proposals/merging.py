"""A model proposes: its checked proposal beside what the rules have understood.

The rules come first. What they found for certain stands; where they left something open, a proposal may fill it. In no
case does an order, a condition or a refusal that the rules saw get lost, and nothing is confirmed but by the rules: a
yes that a model alone has understood lacks the second key, and is told what would be one.
The table in `docs/model.md` is this module in words, with a test for each line.
"""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.entities import Service
from chatops_bot.domain.intents import QUERIES, Interpretation, Request, Route, State, Utterance
from chatops_bot.domain.proposals.checking import Checked, check
from chatops_bot.domain.proposals.evidence import Evidence
from chatops_bot.domain.proposals.form import Proposal
from chatops_bot.domain.proposals.vocabulary import PLAN, WITHOUT_MODEL


class Merged(msgspec.Struct, frozen=True):
    """What an utterance means after all. `used`: the proposal has changed that. `dropped`: what of it did not count, a
    word each; `order`, `confirm` and `cancel` are those to look at."""

    meaning: Interpretation
    used: bool = False
    dropped: tuple[str, ...] = ()


_TALK: Final = frozenset({Route.ASK, Route.HELP, Route.FEEDBACK, Route.DONE, Route.REFRESH, Route.HAND_OFF})
"""What only talk may be taken for without any request: nothing is changed by it."""


def merged(
    rules: Interpretation,
    proposal: Proposal,
    utterance: Utterance,
    evidence: Evidence,
    services: tuple[Service, ...] = (),
) -> Merged:
    """The meaning of an utterance for which the rules say `rules` and a model `proposal`."""
    found = check(proposal, utterance, evidence, services)
    if found is None or utterance.state in WITHOUT_MODEL:
        return Merged(rules, dropped=("route",))
    if not leaves_open(rules, utterance):
        return Merged(rules, dropped=found.dropped)
    if utterance.state is State.COLLECTING:
        route, requests, dropped = _collecting(rules, found, utterance, evidence)
    elif utterance.state in (State.CONFIRMING, State.APPROVING):
        route, requests, dropped = _waiting(rules, found, utterance, evidence)
    else:
        route, requests, dropped = _open(rules, found, utterance)
    used = (route, requests) != (rules.route, rules.requests)
    meaning = rules
    if used:
        meaning = msgspec.structs.replace(rules, route=route, requests=requests, affirmative=False)
    return Merged(meaning, used, (*found.dropped, *dropped))


def leaves_open(rules: Interpretation, utterance: Utterance) -> bool:
    """Whether the rules have left anything to understand: while something is collected or waits, only what they could
    not place; else everything but what is a whole phrase of theirs."""
    if utterance.state in WITHOUT_MODEL or rules.affirmative or rules.other or rules.as_before:
        return False
    if utterance.state in (State.COLLECTING, State.CONFIRMING, State.APPROVING):
        bare = all(
            request.intent in ("", PLAN) and not request.slots and not request.name for request in rules.requests
        )
        return bare and rules.route in (Route.UNCLEAR, Route.CHAT, Route.ASK, Route.MODIFY)
    corrects = any(not request.intent for request in rules.requests)
    return rules.route in (Route.QUERY, Route.ACT, Route.ASK, Route.CHAT) and not corrects


_Outcome = tuple[Route, tuple[Request, ...], tuple[str, ...]]


def _open(rules: Interpretation, found: Checked, utterance: Utterance) -> _Outcome:
    """Nothing is under way. Orders of the rules stay, whatever the model left out; its own are added where it has seen
    theirs as well."""
    ordered = tuple(request for request in rules.requests if request.dangerous)
    asked = tuple(request for request in rules.requests if not request.dangerous)
    dropped: tuple[str, ...] = ()
    proposed = found.orders if found.route in (Route.ACT, Route.SWITCH) else ()
    if ordered and not {request.intent for request in ordered} <= {request.intent for request in found.orders}:
        proposed, dropped = (), ("kept_order",)
    added = tuple(order for order in proposed if not any(_same(order, known) for known in ordered))
    queries = _queries(asked, found, beside=added)
    if not ordered and not added and not queries:
        return _talked(rules, found, utterance)
    requests = tuple(sorted((*ordered, *added, *queries), key=lambda request: request.start))
    return Route.ACT if ordered or added else Route.QUERY, requests, dropped


def _same(order: Request, known: Request) -> bool:
    """Whether two orders are one: the same action, on what is not known to be another target."""
    if order.intent != known.intent:
        return False
    if order.name is None or known.name is None:
        return True
    return order.name.text.casefold() == known.name.text.casefold()


def _queries(asked: tuple[Request, ...], found: Checked, *, beside: tuple[Request, ...]) -> tuple[Request, ...]:
    """The questions: the rules' exact ones, with the model's further ones behind. Where the rules only took a name for
    a look at it, what the model makes of it counts instead, if that is about all that was named."""
    proposed = found.queries
    if not proposed and not beside:
        return asked
    covered = {request.name.text for request in (*proposed, *beside) if request.name is not None}
    weak = all(request.intent == "status" for request in asked)
    if weak and {request.name.text for request in asked if request.name is not None} <= covered:
        return proposed
    return (*asked, *(one for one in proposed if not weak and one.intent not in {each.intent for each in asked}))


def _talked(rules: Interpretation, found: Checked, utterance: Utterance) -> _Outcome:
    """No request was found by anybody: what kind of talk it is."""
    unchanged = rules.route, rules.requests, ()
    if rules.requests or rules.route is not Route.CHAT:
        return unchanged
    narrowed = found.change
    if found.route is Route.QUERY and narrowed is not None and narrowed.name is None and utterance.intent in QUERIES:
        return Route.QUERY, (narrowed,), ()
    return (found.route, (), ()) if found.route in _TALK else unchanged


def _collecting(rules: Interpretation, found: Checked, utterance: Utterance, evidence: Evidence) -> _Outcome:
    """Something is asked for, and the rules saw no answer in it."""
    unchanged = rules.route, rules.requests, ()
    match found.route:
        case Route.PROVIDE | Route.MODIFY if found.change is not None and not evidence.asks:
            change = found.change
            wanted = set(utterance.asked.what if utterance.asked is not None else ())
            gives = set(change.slots) | ({"service"} if change.name is not None else set())
            return (Route.PROVIDE if gives & wanted else Route.MODIFY), (change,), ()
        case _:
            return _in_a_flow(rules, found, evidence) or unchanged


def _waiting(rules: Interpretation, found: Checked, utterance: Utterance, evidence: Evidence) -> _Outcome:
    """A plan waits, and the rules could not place the words. They confirm nothing, but may be answered as what reads
    like a yes; they change it only outright, and take nothing back that was confirmed."""
    unchanged = rules.route, rules.requests, ()
    if found.route is Route.CONFIRM:
        reads_like_it = rules.route is Route.UNCLEAR and not (evidence.asks or evidence.holds or evidence.leaves)
        return (Route.CONFIRM, (), ()) if reads_like_it else (*unchanged[:2], ("confirm",))
    if found.route is Route.CANCEL and utterance.state is State.APPROVING:
        return *unchanged[:2], ("cancel",)
    if found.route is Route.MODIFY:
        change = found.change
        if change is None or evidence.asks or evidence.holds or evidence.told:
            return unchanged
        return Route.MODIFY, (change,), ()
    return _in_a_flow(rules, found, evidence) or unchanged


def _in_a_flow(rules: Interpretation, found: Checked, evidence: Evidence) -> _Outcome | None:
    """What leaves a flow or is said beside it; None for what does neither."""
    match found.route:
        case Route.CANCEL:
            if evidence.leaves and not evidence.holds and not evidence.asks:
                return Route.CANCEL, (), ()
            return rules.route, rules.requests, ("cancel",)
        case Route.SWITCH if found.orders and not evidence.holds:
            return Route.SWITCH, found.requests, ()
        case Route.SWITCH | Route.ASK if found.queries:
            return Route.ASK, found.queries, ()
        case Route.HAND_OFF if not evidence.holds:
            return Route.HAND_OFF, (Request("hand_off"),), ()
        case Route.HELP:
            return Route.HELP, (Request("help"),), ()
    return None
