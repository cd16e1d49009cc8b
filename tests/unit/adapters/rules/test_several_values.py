"""One answer may give several values: to all that was asked for, and of the same order beside it."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import Quantity, Route, SlotValue
from tests.unit.adapters.rules.speaking import replied

FIVE: dict[str, SlotValue] = {"replicas": Quantity("to", 5)}


@pytest.mark.parametrize("text", ["order-db 5", "order-db to 5", "order-db 扩到 5 个", "5 for order-db"])
def test_a_service_and_its_number(text: str) -> None:
    (change,) = replied(text, "service", "replicas", choices=("web", "order-db")).requests
    assert change.name is not None
    assert change.name.text == "order-db"
    assert change.slots == FIVE


@pytest.mark.parametrize("text", ["5", "五个", "5 replicas"])
def test_a_number_is_no_service_where_one_is_asked_for_beside(text: str) -> None:
    (change,) = replied(text, "service", "replicas", choices=("web", "order-db")).requests
    assert change.name is None
    assert change.slots == FIVE


def test_a_choice_leaves_the_number_open() -> None:
    (change,) = replied("the second one", "service", "replicas", choices=("web", "order-db")).requests
    assert change.slots == {"service": "order-db"}


@pytest.mark.parametrize(
    ("text", "slots"),
    [("between 3 and 9", {"min": 3, "max": 9}), ("5", {"min": 5}), ("最少 3 最多 9", {"min": 3, "max": 9})],
)
def test_an_answer_to_one_bound_may_say_the_other(text: str, slots: dict[str, object]) -> None:
    meaning = replied(text, "min", intent="set_autoscaler")
    assert meaning.route is Route.PROVIDE
    assert meaning.requests[0].slots == slots


def test_a_reason_is_nothing_but_a_reason() -> None:
    (change,) = replied("because max 5 is too few", "reason", intent="set_autoscaler").requests
    assert change.slots == {"reason": "max 5 is too few"}


@pytest.mark.parametrize(("text", "value"), [("to 2.5", 2.5), ("2.5", 2.5), ("到 3", 3), ("-3", -3), ("by 2", 2)])
def test_a_number_alone_is_no_version_of_an_image_where_a_number_was_asked_for(text: str, value: float) -> None:
    meaning = replied(text, "replicas")
    assert meaning.route is Route.PROVIDE
    said = meaning.requests[0].slots["replicas"]
    assert isinstance(said, Quantity)
    assert said.value == value


@pytest.mark.parametrize("what", [("replicas",), ("service", "replicas")])
def test_a_place_beside_the_number_is_kept(what: tuple[str, ...]) -> None:
    meaning = replied("5 in staging", *what)
    assert meaning.requests[0].slots == {**FIVE, "environment": "staging"}
