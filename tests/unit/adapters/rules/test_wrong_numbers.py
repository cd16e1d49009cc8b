"""Numbers that are easily read as others: bounds, numbers about there, denied ones, directions and steps."""

import msgspec
import pytest

from chatops_bot.adapters.rules.text.numbers import is_number, number
from chatops_bot.domain.intents import PendingPlan, Quantity, Route, SlotValue, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, SCALE, utterance

FEWER = msgspec.structs.replace(SCALE, parameters={"replicas": 2})
BOUNDS = PendingPlan(
    action="set_autoscaler", entity=PLANNED, parameters={"min": 3, "max": 9}, before={"min": 2, "max": 4}
)
IMAGE = PendingPlan(
    action="set_image", entity=PLANNED, parameters={"image": "r/pay:2.9"}, before={"image": "r/pay:2.8"}
)


def changed(text: str, plan: PendingPlan) -> dict[str, SlotValue]:
    """What a text changes of a plan, of whatever route that changes nothing nothing."""
    meaning = INTERPRETER.interpret(utterance(text, State.CONFIRMING, plans=(plan,)))
    assert not meaning.affirmative
    assert meaning.route is not Route.ACT
    return {slot: value for request in meaning.requests for slot, value in request.slots.items()}


def ordered(text: str) -> dict[str, SlotValue]:
    (request,) = INTERPRETER.interpret(utterance(text, State.IDLE)).requests
    return dict(request.slots)


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("两百五", 250),
        ("一千五", 1500),
        ("一百零五", 105),
        ("二零二四", 2024),
        ("一打", 12),
        ("半打", 6),
        ("三十五", 35),
    ],
)
def test_what_a_chinese_number_comes_to(said: str, value: float) -> None:
    assert is_number(said)
    assert number(said) == value


@pytest.mark.parametrize("said", ["五六", "三五", "十五六", "七八", "两三百", "二三十", "一二"])
def test_two_digits_in_a_row_are_no_number(said: str) -> None:
    assert not is_number(said)


@pytest.mark.parametrize(
    "text",
    [
        *("checkout 扩到五六个", "checkout 扩到三五个", "checkout 扩到十五六个", "checkout 扩到5、6个"),
        *("checkout 扩到五、六个", "cut checkout by two thirds", "cut checkout by a third"),
    ],
)
def test_a_number_about_there_is_asked(text: str) -> None:
    assert "replicas" not in ordered(text)


@pytest.mark.parametrize(
    ("text", "replicas"),
    [
        ("checkout 至少3个", Quantity("to", 3)),
        ("checkout 最多3个副本", Quantity("to", 3)),
        ("checkout 顶多3个", Quantity("to", 3)),
        ("checkout 多3个", Quantity("by", 3)),
        ("scale checkout by 5 not to 5", Quantity("by", 5)),
        ("scale checkout to 5 not by 5", Quantity("to", 5)),
    ],
)
def test_which_number_is_ordered(text: str, replicas: Quantity) -> None:
    assert ordered(text) == {"replicas": replicas}


@pytest.mark.parametrize(
    ("text", "replicas"),
    [
        ("最多5", 5),
        ("至少5个", 5),
        ("7 not 5", 7),
        ("5 not 6", 5),
        ("不是6 是5", 5),
        ("scale it back to 4", 4),
    ],
)
def test_which_number_is_put_in_place(text: str, replicas: int) -> None:
    assert changed(text, SCALE) == {"replicas": Quantity("to", replicas)}


@pytest.mark.parametrize(
    "text",
    [
        "不是5 是6",
        "6 not 5",
        "no, not 5",
        "不是5",
        "1/2",
        "1e3",
        "5、6个吧",
        "rather than 5",
        "don't make it 5",
        "5? no, 6",
        "别改成5",
    ],
)
def test_a_number_that_is_denied_or_no_number_of_replicas_changes_nothing(text: str) -> None:
    said = changed(text, SCALE).get("replicas")
    assert said in (None, Quantity("to", 6))


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("one further down", -1),
        ("one more down", -1),
        ("take one more away", -1),
        ("add one back", 1),
        ("put two back", 2),
        ("少减一个", 1),
        ("多减一个", -1),
        ("少加一个", -1),
        ("one more", 1),
    ],
)
def test_the_direction_of_a_step(text: str, by: int) -> None:
    assert changed(text, FEWER) == {"replicas": Quantity("by", by)}


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("max +4", {"max": 13}),
        ("max one less than 8", {"max": 7}),
        ("min -1", {"min": 2}),
        ("4min8max", {"min": 4, "max": 8}),
        ("max8 min2", {"min": 2, "max": 8}),
        ("max by 4", {}),
        ("max 2x", {}),
        ("the upper one by 2", {}),
        ("8 min 3", {}),
    ],
)
def test_how_a_bound_moves(text: str, bounds: dict[str, SlotValue]) -> None:
    assert changed(text, BOUNDS) == bounds


@pytest.mark.parametrize("text", ["max by 4", "max 2x", "min by 2"])
def test_a_bound_that_moves_somehow_is_asked_after(text: str) -> None:
    meaning = INTERPRETER.interpret(utterance(text, State.CONFIRMING, plans=(BOUNDS,)))
    assert meaning.route is Route.MODIFY
    assert not meaning.requests[0].slots


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("hpa web 3 min 8 max", {"min": 3, "max": 8}),
        ("web hpa min/max 2/8", {"min": 2, "max": 8}),
        ("hpa web max 8 min 2", {"min": 2, "max": 8}),
        ("hpa web 8 max 2 min", {"min": 2, "max": 8}),
        ("web hpa min up to 3", {"min": 3}),
        ("web hpa min 3 max 8", {"min": 3, "max": 8}),
        ("set the hpa max of web to +4", {"max": "+4"}),
    ],
)
def test_which_bounds_are_ordered(text: str, bounds: dict[str, SlotValue]) -> None:
    assert ordered(text) == bounds


@pytest.mark.parametrize("text", ["not 2.9", "2.9 rc1", "3.0 rc1"])
def test_a_tag_that_is_denied_or_not_all_there_is_none(text: str) -> None:
    assert changed(text, IMAGE) == {}


@pytest.mark.parametrize("text", ["两个都要", "两个都", "三台都要"])
def test_both_of_two_things_is_no_number_of_replicas(text: str) -> None:
    said = INTERPRETER.interpret(utterance(text, State.CONFIRMING, plans=(SCALE,), lock=PLANNED))

    assert not any("replicas" in request.slots for request in said.requests)


@pytest.mark.parametrize(
    "text",
    [
        "scale payment-api up if cpu > 80",
        "scale payment-api when load < 3",
        "scale payment-api if latency >= 300",
        "scale payment-api, cpu exceeds 90",
        "payment-api 扩容，负载超过 12",
    ],
)
def test_what_a_metric_is_to_reach_is_no_number_of_replicas(text: str) -> None:
    orders = [request for request in INTERPRETER.interpret(utterance(text)).requests if request.intent == "scale"]

    assert orders
    assert not any("replicas" in order.slots for order in orders)
