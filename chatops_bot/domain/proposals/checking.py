"""What of a proposal the text bears out. Everything else is dropped, with a word for the metrics."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.domain.entities import Service
from chatops_bot.domain.intents import ACTIONS, QUERIES, ROUTES, Name, Request, Route, Utterance
from chatops_bot.domain.name_words import NO_NAMES
from chatops_bot.domain.normalise import clean, own_words
from chatops_bot.domain.proposals import values
from chatops_bot.domain.proposals.evidence import Evidence
from chatops_bot.domain.proposals.form import Proposal, Proposed
from chatops_bot.domain.proposals.vocabulary import CHANGE, PLAN, intents_of

PERSON: Final = re.compile(
    r"\b(?:human|person|people|some(?:one|body)|any(?:one|body)|on[- ]?call|engineer|operator|team|owners?|expert|"
    r"admin|sre|colleague|escalat\w*|page|hand\w*|take over|talk to|call)\b|"
    r"人|值班|同事|同学|专家|管理员|负责|升级|转|工程师|运维|找|叫|喊",
    re.IGNORECASE,
)
"""Without one of these nobody has asked for a person, whatever a model says."""


class Checked(msgspec.Struct, frozen=True):
    """A proposal as far as it counts. `dropped`: what did not, a word each."""

    route: Route
    requests: tuple[Request, ...] = ()
    dropped: tuple[str, ...] = ()

    @property
    def orders(self) -> tuple[Request, ...]:
        """Its actions."""
        return tuple(request for request in self.requests if request.dangerous)

    @property
    def queries(self) -> tuple[Request, ...]:
        """Its questions that have an intent of their own."""
        return tuple(request for request in self.requests if request.intent not in (*ACTIONS, *_NO_QUERIES))

    @property
    def change(self) -> Request | None:
        """What answers or changes something, where it says anything."""
        change = next((request for request in self.requests if not request.intent), None)
        return change if change is not None and (change.slots or change.name is not None) else None


_NO_QUERIES: Final = ("", "hand_off", "help", PLAN)


def intents_in(proposal: Proposal, utterance: Utterance) -> set[str]:
    """The intents whose parameters have to be looked for in the text to check a proposal."""
    found = {_going_on(utterance) if each.intent == CHANGE else each.intent for each in proposal.requests}
    return found & {*QUERIES, *ACTIONS}


def check(
    proposal: Proposal, utterance: Utterance, evidence: Evidence, services: tuple[Service, ...]
) -> Checked | None:
    """Check a whole proposal; None where even its route is none that the state offers."""
    route = Route(proposal.route)
    if route not in ROUTES[utterance.state]:
        return None
    text = own_words(clean(utterance.text))
    requests: list[Request] = []
    dropped: list[str] = []
    for proposed in proposal.requests:
        request, reasons = _request(proposed, utterance, evidence, services, text=text)
        dropped += reasons
        if request is not None:
            requests.append(request)
    if route is Route.HAND_OFF and not PERSON.search(text):
        dropped.append("hand_off")
        route = Route.UNCLEAR if Route.UNCLEAR in ROUTES[utterance.state] else Route.CHAT
    return Checked(route, tuple(requests), tuple(dropped))


def _request(
    proposed: Proposed, utterance: Utterance, evidence: Evidence, services: tuple[Service, ...], *, text: str
) -> tuple[Request | None, list[str]]:
    if proposed.intent not in intents_of(utterance.state):
        return None, ["intent"]
    intent = "" if proposed.intent == CHANGE else proposed.intent
    if intent in ("hand_off", "help", PLAN):
        return Request(intent), []
    dangerous = intent in ACTIONS
    if dangerous and not _ordered(intent, evidence):
        return None, ["order"]
    named = _name(proposed, utterance, services, text=text)
    if isinstance(named, str):
        return None, [named]
    slots, unsaid = values.checked(intent or _going_on(utterance), proposed.slots, evidence, text=text)
    start = named.start if named is not None else 0
    conditional = dangerous and (proposed.conditional or evidence.conditional)
    request = Request(
        intent,
        slots,
        named,
        pronoun=named is None and bool(intent),
        conditional=conditional,
        start=start,
        proposed=True,
    )
    return request, ["slot" for _ in unsaid]


def _ordered(intent: str, evidence: Evidence) -> bool:
    """Whether nothing in the text says that it is no order: it forbids it, asks about it, or tells of somebody's
    doing."""
    return not (evidence.denied & {intent, ""} or evidence.told or evidence.asks)


def _going_on(utterance: Utterance) -> str:
    """The intent of what is collected, waits, or was asked last: that of a change."""
    return utterance.plans[0].action if utterance.plans else utterance.intent


def _name(proposed: Proposed, utterance: Utterance, services: tuple[Service, ...], *, text: str) -> Name | str | None:
    """The service of a request: one that the text names; None where it is left out or referred to; else, beside a word
    that the catalog does not know, a question. A word for the metrics where it is none of these."""
    wanted = proposed.service.casefold()
    if not wanted:
        return None
    named = next((name for name in utterance.names if _is(name, wanted)), None)
    if named is not None:
        return named
    around = [utterance.lock, *(plan.entity for plan in utterance.plans)]
    if any(entity is not None and wanted == entity.name.casefold() for entity in around):
        return None if not any(name.matches for name in utterance.names) else "service"
    service = next((service for service in services if service.entity.name.casefold() == wanted), None)
    if service is None or any(_is(name, wanted) for name in utterance.dismissed):
        return "service"
    return _asked_about(proposed, utterance, service, text=text)


def _is(name: Name, wanted: str) -> bool:
    return name.text.casefold() == wanted or any(one.entity.name.casefold() == wanted for one in name.matches)


def _asked_about(proposed: Proposed, utterance: Utterance, service: Service, *, text: str) -> Name | str:
    """A name that only makes the bot ask, with the service that the model thinks of first on a button."""
    unknown = next((name for name in utterance.names if not name.matches), None)
    if unknown is not None:
        rest = tuple(one for one in unknown.closest if one.entity.key != service.entity.key)
        return msgspec.structs.replace(unknown, closest=(service, *rest)[:3])
    said = proposed.said.strip()
    start = text.lower().find(said.lower()) if len(said) > 1 else -1
    if start < 0 or len(said) > 60 or said.lower() in NO_NAMES:
        return "service"
    return Name(text=text[start : start + len(said)], start=start, closest=(service,))
