"""The range of an autoscaler, as people say it. Two numbers are two bounds, one number alone is neither."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import PendingPlan, Route, SlotValue
from tests.unit.adapters.rules.speaking import PLANNED, answered, intents, replied, slots

PLAN = PendingPlan(
    action="set_autoscaler", entity=PLANNED, parameters={"min": 2, "max": 20}, before={"min": 2, "max": 8}
)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("web 的 HPA 最大改成 20", {"max": 20}),
        ("把 web 的最大副本数改成 20", {"max": 20}),
        ("web 的 hpa 下限调到 3", {"min": 3}),
        ("web 自动伸缩范围改成 2 到 10", {"min": 2, "max": 10}),
        ("web 弹性伸缩最小 2 最大 8", {"min": 2, "max": 8}),
        ("set the max replicas of web's hpa to 20", {"max": 20}),
        ("raise the hpa max of web to 30", {"max": 30}),
        ("increase max replicas of web to 15", {"max": 15}),
        ("set the autoscaler of web to 2-10", {"min": 2, "max": 10}),
        ("set web's hpa between 3 and 12", {"min": 3, "max": 12}),
        ("change the autoscaler of web", {}),
        ("set the hpa of web to min -1", {"min": -1}),
        ("set hpa of web max to 0", {"max": 0}),
        ("web 的 HPA 最大改成 2.5", {"max": "2.5"}),
    ],
)
def test_what_is_ordered(text: str, said: dict[str, SlotValue]) -> None:
    assert intents(text) == ["set_autoscaler"]
    assert slots(text) == said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("最大改成 15", {"max": 15}),
        ("make it max 15", {"max": 15}),
        ("min 3 instead", {"min": 3}),
        ("3 到 12", {"min": 3, "max": 12}),
        ("改成 15", {}),
    ],
)
def test_a_plan_is_changed(text: str, said: dict[str, SlotValue]) -> None:
    meaning = answered(text, PLAN)
    assert (meaning.route, meaning.requests[0].slots) == (Route.MODIFY, said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 到 10", {"min": 2, "max": 10}),
        ("2 and 10", {"min": 2, "max": 10}),
        ("min 2, max 9", {"min": 2, "max": 9}),
        ("最大 20", {"max": 20}),
    ],
)
def test_the_question_which_bound_is_answered(text: str, said: dict[str, SlotValue]) -> None:
    meaning = replied(text, "min", "max", intent="set_autoscaler")
    assert (meaning.route, meaning.requests[0].slots) == (Route.PROVIDE, said)


def test_one_number_alone_is_neither_bound() -> None:
    assert replied("20", "min", "max", intent="set_autoscaler").requests == ()
