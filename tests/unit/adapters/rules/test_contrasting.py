"""What waits, said against what does not: kept where it is meant, moved where another is, asked where it is unclear."""

import pytest

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import PendingPlan, Route
from tests.unit.adapters.rules.speaking import CATALOG, PLANNED, RESTART, SCALE, answered

WEB = CATALOG.lookup("web")[0].entity
OF_WEB = PendingPlan(action="restart", entity=WEB)
BOUNDS = PendingPlan(action="set_autoscaler", entity=PLANNED, parameters={"min": 2, "max": 6})
NODE = Entity(cluster="prod", namespace="", kind="Node", workload="node-2", name="node-2")
DRAIN = PendingPlan(action="drain", entity=NODE, parameters={"node": "node-2"})


@pytest.mark.parametrize("text", ["cancel all but web", "除了web都取消", "第二个不要", "cancel the second one"])
def test_of_several_it_is_asked_which(text: str) -> None:
    assert answered(text, SCALE, OF_WEB).route is Route.UNCLEAR


def test_what_is_spared_is_not_cancelled() -> None:
    assert answered("cancel all but web", OF_WEB).route is Route.UNCLEAR


@pytest.mark.parametrize("text", ["web, not checkout", "web不是checkout", "not checkout, web"])
def test_a_plan_that_is_meant_is_kept(text: str) -> None:
    assert answered(text, OF_WEB).route is Route.UNCLEAR


def test_a_node_that_is_meant_is_kept() -> None:
    assert answered("node-2, not node-3", DRAIN).route is Route.UNCLEAR


@pytest.mark.parametrize("text", ["not web but checkout", "不要web 要checkout", "checkout, not web"])
def test_a_plan_moves_to_what_is_meant(text: str) -> None:
    meaning = answered(text, OF_WEB)

    assert meaning.route is Route.MODIFY
    assert [one.name.text for one in meaning.requests if one.name is not None] == ["checkout"]


@pytest.mark.parametrize("text", ["除了生产", "non-prod", "非生产", "prod除外"])
def test_leaving_out_its_place_is_no_yes(text: str) -> None:
    assert answered(text, OF_WEB).route is Route.UNCLEAR


@pytest.mark.parametrize(("plan", "text"), [(SCALE, "not enough"), (SCALE, "太少了"), (BOUNDS, "don't touch the max")])
@pytest.mark.parametrize("pad", ["", "."])
def test_too_little_asks_what_to_change(plan: PendingPlan, text: str, pad: str) -> None:
    meaning = answered(text + pad, plan)

    assert meaning.route is Route.MODIFY
    assert not any(one.slots or one.name for one in meaning.requests)


def test_a_number_for_another_is_no_change_of_what_has_none() -> None:
    assert answered("make checkout 9", RESTART).route is Route.UNCLEAR
    assert answered("scale checkout to 9", RESTART).route is Route.SWITCH
