"""Deleting a pod, as people say it: by its name, or without one, which is asked for."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import PendingPlan, Route
from tests.unit.adapters.rules.speaking import PLANNED, answered, intents, replied, slots

POD = "web-7d9f8b6c5-x2x4z"
PLAN = PendingPlan(action="delete_pod", entity=PLANNED, parameters={"pod": "payment-api-7d9f8b6c5-x2x4z"})


@pytest.mark.parametrize(
    "text",
    [
        f"delete pod {POD}",
        f"kill the pod {POD}",
        f"evict pod {POD}",
        f"please delete the pod {POD} of web",
        f"restart pod {POD}",
        f"kill {POD}",
        f"删除 pod {POD}",
        f"删掉 web 的 pod {POD}",
        f"重启 web 的 pod {POD}",
    ],
)
def test_by_its_name(text: str) -> None:
    assert intents(text) == ["delete_pod"]
    assert slots(text) == {"pod": POD}


@pytest.mark.parametrize(
    "text", ["kill that pod", "delete a pod of web", "把 web 的 pod 删掉", "删掉 web 的一个 pod", "delete web"]
)
def test_which_one_is_never_made_up(text: str) -> None:
    assert intents(text) == ["delete_pod"]
    assert slots(text) == {}


@pytest.mark.parametrize("text", [f"don't delete pod {POD}", f"别删 pod {POD}", f"who deleted pod {POD}?"])
def test_what_orders_nothing(text: str) -> None:
    assert "delete_pod" not in intents(text)


@pytest.mark.parametrize(
    "text", ["delete pod payment-api-7d9f8b6c5-aaaaa instead", "改成删除 pod payment-api-7d9f8b6c5-aaaaa"]
)
def test_a_plan_is_changed_to_another_pod(text: str) -> None:
    meaning = answered(text, PLAN)
    assert meaning.route in (Route.MODIFY, Route.SWITCH)
    assert meaning.requests[0].slots == {"pod": "payment-api-7d9f8b6c5-aaaaa"}


@pytest.mark.parametrize(
    "text", ["确认，payment-api-7d9f8b6c5-x2x4z", "yes, payment-api-7d9f8b6c5-x2x4z", "yes payment-api"]
)
def test_its_own_name_confirms(text: str) -> None:
    meaning = answered(text, PLAN)
    assert (meaning.route is Route.CONFIRM, meaning.affirmative) == (True, True)


@pytest.mark.parametrize(
    "text",
    ["pod payment-api-7d9f8b6c5-aaaaa", "yes, payment-api-7d9f8b6c5-aaaaa", "确认，payment-api-7d9f8b6c5-aaaaa"],
)
def test_another_pods_name_confirms_nothing(text: str) -> None:
    meaning = answered(text, PLAN)
    assert (meaning.route is Route.CONFIRM, meaning.affirmative) == (False, False)


@pytest.mark.parametrize(
    ("text", "pod"), [("order-db-1", "order-db-1"), ("the second", "order-db-1"), ("pod order-db-0", "order-db-0")]
)
def test_the_question_is_answered(text: str, pod: str) -> None:
    meaning = replied(text, "pod", choices=("order-db-0", "order-db-1"), intent="delete_pod")
    assert meaning.route is Route.PROVIDE
    assert meaning.requests[0].slots == {"pod": pod}
