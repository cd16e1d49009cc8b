"""What is only told or mentioned while a plan waits changes nothing of it, and a cancel that is denied cancels
nothing."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import Interpretation, PendingPlan, Quantity, Route, State
from tests.unit.adapters.rules.speaking import PLANNED, RESTART, SCALE, answered

IMAGE = PendingPlan(action="set_image", entity=PLANNED, parameters={"image": "reg/pay:1.5"})
ROLLBACK = PendingPlan(action="rollback", entity=PLANNED, parameters={"revision": 14})
STATES = (State.CONFIRMING, State.APPROVING)


def changes(meaning: Interpretation) -> list[str]:
    return [slot for request in meaning.requests if not request.intent for slot in request.slots]


def loses_the_plan(meaning: Interpretation) -> bool:
    named = any(request.name is not None for request in meaning.requests)
    return meaning.route in (Route.CANCEL, Route.SWITCH) or (meaning.route is Route.MODIFY and named)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("plan", "text"),
    [
        *((SCALE, text) for text in ("only 1 pod is up", "only 1 replica is ready", "现在只有 1 个好的", "算我一个")),
        *(
            (SCALE, text)
            for text in ("qps 3000", "p99 is 1200ms", "we only have 2 ready", "只剩 2 个了", "tps 到 5000 了")
        ),
        *((ROLLBACK, text) for text in ("only 1 pod is up", "qps 3000", "现在只有 1 个好的", "only 13 errors")),
        *((IMAGE, text) for text in ("we only need it until 18:00", "until 18:00", "只要到 18:00", "from 9:30 on")),
    ],
)
def test_a_number_that_is_told_changes_nothing(plan: PendingPlan, text: str, state: State) -> None:
    assert changes(answered(text, plan, state=state)) == []


@pytest.mark.parametrize(
    ("text", "replicas"),
    [("only 3", 3), ("we only need 3 pods", 3), ("need 3 running", 3), ("只要 3 个", 3), ("i want only 3 pods up", 3)],
)
def test_a_number_that_is_wanted_still_changes_the_plan(text: str, replicas: int) -> None:
    assert [request.slots for request in answered(text).requests] == [{"replicas": Quantity("to", replicas)}]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "text",
    [
        *("预发验证过了", "i tested it in staging", "same thing happened on staging last week"),
        *("looked ok in staging", "刚在测试环境验完", "worked on staging"),
    ],
)
def test_a_place_that_is_only_mentioned_moves_no_plan_to_it(text: str, state: State) -> None:
    assert changes(answered(text, RESTART, state=state)) == []


@pytest.mark.parametrize(
    "text", ["staging", "i meant staging", "不对，预发", "run it on staging", "rather in staging, i havent tested it"]
)
def test_a_place_that_is_wanted_moves_the_plan(text: str) -> None:
    assert changes(answered(text, RESTART)) == ["environment"]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "text", ["scrap the other one, not this", "not the other one", "取消另一个，这个留着", "drop the other one"]
)
def test_who_does_away_with_the_other_one_does_not_mean_it(text: str, state: State) -> None:
    assert answered(text, RESTART, state=state).route is Route.UNCLEAR


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "text",
    [
        *("yes restart helps", "INC-2231", "see JIRA-123", "yes restart sounds good", "related to INC-77"),
        "approved, CHG0001234",
    ],
)
def test_a_word_that_resembles_no_service_loses_no_plan(text: str, state: State) -> None:
    assert not loses_the_plan(answered(text, RESTART, state=state))


def test_an_unknown_service_is_asked_about_where_it_is_meant() -> None:
    for text in ("billing-api", "I meant billing-api"):
        assert answered(text, RESTART).route is Route.MODIFY
    assert answered("zx-9000", RESTART, state=State.APPROVING).route is Route.UNCLEAR
    assert answered("I meant billing-api", RESTART, state=State.APPROVING).route is Route.MODIFY
    assert answered("restart frobnicator", RESTART).route is Route.SWITCH


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    "text",
    [
        *("先别动，不要取消", "别取消，我问一下", "no cancel needed, carry on", "没说要取消", "谁说要取消了"),
        *("don't drop the plan, give me two minutes", "nvm the question, keep it pending", "no worries"),
        *("no need for a call", "no need to cancel", "别担心", "cancel the question, keep the plan"),
    ],
)
def test_a_cancel_that_is_denied_or_of_something_else_cancels_nothing(text: str, state: State) -> None:
    assert answered(text, RESTART, state=state).route in (Route.UNCLEAR, Route.ASK)


@pytest.mark.parametrize(
    "text",
    [
        "no cancel",
        "no, cancel it",
        "别执行，取消",
        "don't do it, cancel",
        "no worries, cancel it",
        "no need to restart",
        "别动",
    ],
)
def test_a_cancel_beside_a_no_still_cancels(text: str) -> None:
    assert answered(text, RESTART).route is Route.CANCEL
