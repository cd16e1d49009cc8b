"""What only hangs on a service is not that service: an order about it goes to nothing that is known, and is asked."""

import pytest

from chatops_bot.domain.intents import PendingPlan, Route, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, RESTART, SCALE, utterance
from tests.unit.adapters.rules.test_wordings import meaning_of


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("restart web's database", "web's database"),
        ("restart web's shiny vault", "web's shiny vault"),
        ("restart the upstream of web", "the upstream of web"),
        ("restart the db behind web", "the db behind web"),
        ("scale the service in front of web to 3", "the service in front of web"),
        ("restart everything that calls web", "everything that calls web"),
        ("restart the thing web depends on", "the thing web depends on"),
        ("重启web的上游", "web的上游"),
        ("重启 web 的依赖", "web 的依赖"),
        ("重启web依赖的服务", "web依赖的服务"),
        ("重启web所在的节点", "web所在的节点"),
        ("重启web的缓存", "web的缓存"),
    ],
)
@pytest.mark.parametrize("lock", [None, "web", "checkout"])
def test_what_is_somebody_s_is_asked(text: str, thing: str, lock: str | None) -> None:
    (request,) = meaning_of(text, lock).requests

    assert request.name is not None
    assert (request.name.text, request.name.matches) == (thing, ())


@pytest.mark.parametrize("text", ["restart its database", "scale its upstream to 3", "重启它的上游", "重启它的数据库"])
def test_what_is_its_is_not_what_is_talked_of(text: str) -> None:
    (request,) = meaning_of(text, "web").requests

    assert request.name is not None
    assert not request.name.matches


@pytest.mark.parametrize("text", ["web is down, restart its database", "web挂了，重启它的数据库"])
def test_nor_what_was_named_before(text: str) -> None:
    orders = [request for request in meaning_of(text).requests if request.dangerous]

    assert [request.name.matches for request in orders if request.name is not None] == [()]


@pytest.mark.parametrize(
    ("text", "service"),
    [
        ("restart web's checkout", "checkout"),
        ("重启web的checkout", "checkout"),
        ("restart web's pods", "web"),
        ("restart web's stuck pods please", "web"),
        ("scale web's replicas to 5", "web"),
        ("roll back web's deployment", "web"),
        ("web的副本数扩到5", "web"),
        ("回滚web的版本", "web"),
        ("restart web because its db is back", "web"),
        ("restart web, its database is up again", "web"),
        ("重启web，其他节点没事", "web"),
        ("restart the order-db database", "order-db"),
        ("重启订单数据库", "order-db"),
    ],
)
def test_what_it_consists_of_is_itself(text: str, service: str) -> None:
    orders = [request for request in meaning_of(text).requests if request.dangerous]

    assert [one.name.matches[0].entity.name for one in orders if one.name is not None and one.name.matches] == [service]


@pytest.mark.parametrize(
    "text", ["restart search and its database", "重启search和它的数据库", "restart search and its upstream"]
)
def test_both_are_ordered_and_one_is_known(text: str) -> None:
    first, second = (request.name for request in meaning_of(text).requests)

    assert first is not None
    assert second is not None
    assert [service.entity.name for service in first.matches] == ["search"]
    assert not second.matches


@pytest.mark.parametrize(
    "text",
    [
        "restart its database",
        "restart its upstream instead",
        "restart payment-api's database",
        "yes, its database",
        "yes, payment-api's upstream",
        "yes, scale its database",
        "确认，重启它的数据库",
        "确认重启支付服务的数据库",
        "重启它的上游",
        "把它的上游扩到5",
    ],
)
@pytest.mark.parametrize("plan", [RESTART, SCALE], ids=lambda plan: plan.action)
def test_below_a_plan_it_is_no_yes(text: str, plan: PendingPlan) -> None:
    said = utterance(text, State.CONFIRMING, plans=(plan,), lock=PLANNED)

    assert INTERPRETER.interpret(said).route is not Route.CONFIRM
