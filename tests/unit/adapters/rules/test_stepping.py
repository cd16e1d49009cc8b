"""Values counted from those of the plan that waits, and values of which only the number is understood."""

import msgspec
import pytest

from chatops_bot.adapters.rules.values.stepping import steps_from
from chatops_bot.domain.intents import PendingPlan, Quantity, Route, SlotValue, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, SCALE, utterance

ROLLBACK = PendingPlan(action="rollback", entity=PLANNED, parameters={"revision": 14})
BOUNDS = PendingPlan(action="set_autoscaler", entity=PLANNED, parameters={"min": 3, "max": 10})
POD = PendingPlan(action="delete_pod", entity=PLANNED, parameters={"pod": "payment-api-7d9f-abcde"})


def changed(text: str, plan: PendingPlan) -> dict[str, SlotValue]:
    meaning = INTERPRETER.interpret(utterance(text, State.CONFIRMING, plans=(plan,)))
    assert meaning.route is Route.MODIFY, meaning
    (request,) = meaning.requests
    assert request.name is None
    return dict(request.slots)


@pytest.mark.parametrize(
    ("text", "revision"),
    [
        ("go one further back than that", 13),
        ("14 was bad too, back one more", 13),
        ("should be two versions earlier", 12),
        ("再往前退一个版本", 13),
        ("14也不行，再退多一版", 13),
        ("10, that is the last one before the refactor", 10),
        ("13就可以，14才有问题", 13),
        ("再往前两个版本", 12),
    ],
)
def test_further_back_is_counted_from_the_plan(text: str, revision: int) -> None:
    assert changed(text, ROLLBACK) == {"revision": revision}


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("bump the ceiling by 4 more", {"max": 14}),
        ("2 more on the max", {"max": 12}),
        ("最大再加四个", {"max": 14}),
        ("最大减3", {"max": 7}),
        ("lower the min by 1", {"min": 2}),
        ("最小加到5", {"min": 5}),
        ("give the ceiling 5 more", {"max": 15}),
        ("上限再往上抬五个", {"max": 15}),
        ("2 low 6 high", {"min": 2, "max": 6}),
        ("2 min 8 max lah enough", {"min": 2, "max": 8}),
        ("六个起步 十八封顶", {"min": 6, "max": 18}),
        ("上下限改成 2 和 8", {"min": 2, "max": 8}),
        ("min should be 2, three is waste at night", {"min": 2}),
        ("max 20 min 不变", {"max": 20}),
        ("min 6 max 10", {"min": 6}),
        ("+5 on the max", {"max": 15}),
    ],
)
def test_bounds_are_moved_from_where_the_plan_has_them(text: str, bounds: dict[str, int]) -> None:
    assert changed(text, BOUNDS) == bounds


@pytest.mark.parametrize(
    ("text", "action", "planned"),
    [
        ("ten versions back", "rollback", {"revision": 10}),
        ("one further back", "rollback", {"revision": "previous"}),
        ("one further back", "rollback", {}),
        ("it broke one week back", "rollback", {"revision": 14}),
        ("lower the min by 3", "set_autoscaler", {"min": 3}),
        ("one further back", "scale", {"replicas": 5}),
    ],
)
def test_what_cannot_be_counted_is_not(text: str, action: str, planned: dict[str, SlotValue]) -> None:
    assert steps_from(text, action, planned) == {}


@pytest.mark.parametrize(
    ("text", "replicas"),
    [
        ("Kindly make the count as 12 only", 12),
        ("Please make the count as 3 only, sir", 3),
        ("one more, 8 total", 8),
        ("再减一个，5 个", 5),
        ("多给两个，8个副本", 8),
    ],
)
def test_the_one_number_of_a_change_is_its_value_whatever_stands_beside_it(text: str, replicas: int) -> None:
    assert changed(text, SCALE) == {"replicas": Quantity("to", replicas)}


@pytest.mark.parametrize(
    "text",
    [
        "sry copy paste fail, i want payment-api-5c8d-q4h8s gone",
        "不是abcde 是 payment-api-5c8d-q4h8s",
        "换一个删: payment-api-5c8d-q4h8s",
        "other one: payment-api-5c8d-q4h8s",
    ],
)
def test_another_pod_of_the_workload_needs_not_be_known(text: str) -> None:
    assert changed(text, POD) == {"pod": "payment-api-5c8d-q4h8s"}


@pytest.mark.parametrize("text", ["我刚跟开发聊了，回到8", "问过测试的同学了，改成8", "开发让回到8"])
def test_those_who_develop_and_test_are_no_environment(text: str) -> None:
    staged = msgspec.structs.replace(ROLLBACK, entity=PLANNED)
    assert changed(text, staged) == {"revision": 8}
