"""Utterances as the dialogue would pose them, and proposals for them."""

from __future__ import annotations

from typing import Any, Final

from chatops_bot.app.bot import BuiltInRules
from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog, parse
from chatops_bot.domain.intents import Asked, Interpretation, PendingPlan, Route, SlotValue, State, Utterance
from chatops_bot.domain.proposals.candidates import candidates
from chatops_bot.domain.proposals.checking import intents_in
from chatops_bot.domain.proposals.form import Proposal, Proposed, Said
from chatops_bot.domain.proposals.merging import Merged, merged

RULES: Final = BuiltInRules()

CATALOG: Final = Catalog(
    parse(
        [
            {"name": "web", "namespace": "shop", "workload": "deployment/web", "environment": "prod"},
            {"name": "api", "namespace": "shop", "workload": "deployment/api", "environment": "prod"},
            {
                "name": "payment-svc",
                "namespace": "pay",
                "workload": "deployment/payment-svc",
                "environment": "prod",
                "aliases": ["支付"],
            },
        ],
        default_cluster="c",
    )
)

WEB: Final = CATALOG.lookup("web")[0]
API: Final = CATALOG.lookup("api")[0]


def heard(
    text: str,
    state: State = State.IDLE,
    *,
    lock: str = "",
    plan: str = "",
    parameters: dict[str, SlotValue] | None = None,
    asked: tuple[str, ...] = (),
    intent: str = "",
) -> Utterance:
    """An utterance with the names that the catalog finds in it."""
    found = names.find(text, CATALOG)
    entity = CATALOG.lookup(lock)[0].entity if lock else None
    plans = (PendingPlan(plan, (entity or WEB.entity), parameters=parameters or {}),) if plan else ()
    return Utterance(
        text=text,
        state=state,
        names=found.names,
        dismissed=found.dismissed,
        lock=entity,
        plans=plans,
        asked=Asked("u", asked) if asked else None,
        intent=intent,
    )


def wanted(intent: str, service: str = "", *, said: str = "", conditional: bool = False, **slots: str) -> Proposed:
    """A request of a model; a slot `replicas="to 5"` says how it is meant."""
    given = []
    for slot, value in slots.items():
        how, _, number = value.rpartition(" ") if slot == "replicas" else ("", "", value)
        given.append(Said(slot, number, how or "plain"))
    return Proposed(intent, service, said or service, conditional, tuple(given))


def ruled(utterance: Utterance) -> Interpretation:
    """What the rules say alone."""
    return RULES.interpret(utterance)


def both(utterance: Utterance, route: str, *requests: Proposed, alone: Route | None = None) -> Merged:
    """The rules' reading of it with this proposal beside it; `alone` is what they would say, where that may change."""
    services = candidates(utterance, CATALOG)
    rules = Interpretation(alone, "en") if alone is not None else ruled(utterance)
    proposal = Proposal(route, requests)
    evidence = RULES.evidence(utterance, intents_in(proposal, utterance))
    return merged(rules, proposal, utterance, evidence, services)


def shown(merging: Merged) -> list[tuple[str, str, dict[str, Any]]]:
    """Its requests: intent, the name as said, slots."""
    return [
        (request.intent, request.name.text if request.name else "", request.slots)
        for request in merging.meaning.requests
    ]
