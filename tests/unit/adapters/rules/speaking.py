"""Utterances for the tests of the rules: a catalog, a pending plan, and one way to say something."""

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog, parse
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import Asked, Interpretation, PendingPlan, SlotValue, State, Utterance
from chatops_bot.domain.normalise import clean

PLANNED = Entity(
    cluster="prod", namespace="pay", kind="Deployment", workload="payment-api", name="payment-api", environment="prod"
)
SCALE = PendingPlan(action="scale", entity=PLANNED, parameters={"replicas": 6}, before={"replicas": 4})
RESTART = PendingPlan(action="restart", entity=PLANNED)
INTERPRETER = RulesInterpreter()

CATALOG = Catalog(
    [
        Service(entity=PLANNED, aliases=("支付服务",)),
        *parse(
            [
                {"name": "web", "namespace": "shop", "workload": "deployment/web", "environment": "prod"},
                {"name": "checkout", "namespace": "shop", "workload": "deployment/checkout", "environment": "prod"},
                {
                    "name": "order-db",
                    "namespace": "data",
                    "workload": "statefulset/order-db",
                    "environment": "prod",
                    "aliases": ["订单数据库"],
                },
                {"name": "api", "namespace": "edge", "workload": "deployment/api", "environment": "prod"},
            ],
            default_cluster="prod",
        ),
    ]
)


def utterance(
    text: str,
    state: State = State.IDLE,
    *,
    plans: tuple[PendingPlan, ...] = (),
    asked: Asked | None = None,
    intent: str = "",
    lock: Entity | None = None,
) -> Utterance:
    cleaned = clean(text)
    found = names.find(cleaned, CATALOG)
    return Utterance(
        text=cleaned,
        state=state,
        names=found.names,
        dismissed=found.dismissed,
        plans=plans,
        asked=asked,
        intent=intent,
        lock=lock,
    )


def said(text: str, state: State = State.IDLE, *, lock: Entity | None = None) -> Interpretation:
    return INTERPRETER.interpret(utterance(text, state, lock=lock))


def answered(text: str, *plans: PendingPlan, state: State = State.CONFIRMING) -> Interpretation:
    return INTERPRETER.interpret(utterance(text, state, plans=plans or (SCALE,)))


def replied(text: str, *what: str, choices: tuple[str, ...] = (), intent: str = "scale") -> Interpretation:
    asked = Asked(user="alice", what=what, choices=choices)
    lock = CATALOG.lookup("web")[0].entity
    return INTERPRETER.interpret(utterance(text, State.COLLECTING, asked=asked, intent=intent, lock=lock))


def intents(text: str) -> list[str]:
    return [request.intent for request in said(text).requests]


def slots(text: str) -> dict[str, SlotValue]:
    found: dict[str, SlotValue] = {}
    for request in said(text).requests:
        found |= request.slots
    return found
