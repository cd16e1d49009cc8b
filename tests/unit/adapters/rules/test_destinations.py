"""Where a rollback goes back to, as people say it. What cannot be placed is never taken for "the previous one"."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.rules.values.parameters import OF_INTENT
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.flows import FLOWS
from chatops_bot.domain.intents import PendingPlan, Route, SlotValue
from tests.unit.adapters.rules.speaking import PLANNED, answered, intents, replied, slots

ROLLBACK = PendingPlan(action="rollback", entity=PLANNED, parameters={"revision": 3}, before={"revision": 5})


@pytest.mark.parametrize("action", sorted(ACTIONS))
def test_the_rules_find_what_the_action_takes(action: str) -> None:
    named = {"node"} if ACTIONS[action].kinds == {"Node"} else set()  # which is what the request is about
    assert set(OF_INTENT[action]) == set(FLOWS[action].slots) | named


@pytest.mark.parametrize(
    "text",
    [
        "roll back web",
        "roll back web now",
        "revert web to the previous version",
        "roll back web to the last release",
        "put web back to the previous version please",
        "undo the last deploy of web",
        "roll back web because version 1.5.2 is broken",
        "roll back web after the upgrade to 1.5.2",
        "roll back web, it broke with 1.5.2",
        "web 回滚一下",
        "把 web 回滚到上一个版本",
        "把 web 退回到上次的版本",
        "恢复 web 到之前的版本",
    ],
)
def test_the_previous_one_is_what_is_left_out(text: str) -> None:
    assert intents(text) == ["rollback"]
    assert "revision" not in slots(text)


@pytest.mark.parametrize(
    ("text", "revision"),
    [
        ("rollback web to revision 3", 3),
        ("roll web back to 3", 3),
        ("回滚 web 到 3", 3),
        ("web 回滚到 4 号版本", 4),
        ("把 web 回滚到第二个版本", 2),
        ("roll back web to v1.4", "v1.4"),
        ("downgrade web to 1.3", "1.3"),
        ("web 回滚到 1.4.2", "1.4.2"),
        ("web 回退 1.4.2 版本", "1.4.2"),
        ("web 回滚到 reg/web:1.4.2", "reg/web:1.4.2"),
        ("roll back web to 3.5", "3.5"),
        ("roll back web to -1", "-1"),
        ("roll back web to revision -1", "-1"),
        ("回滚 web 到版本 -1", "-1"),
        ("roll back web to 2 replicas", "2 replicas"),
        ("roll back web to stable", "stable"),
        ("roll back web to yesterday's version", "yesterday's version"),
        ("roll back web two versions", "two versions"),
        ("roll back web to the version before last", "the version before last"),
        ("roll back web to the last known good version", "the last known good version"),
        ("把 web 回滚到昨天的版本", "昨天的版本"),
        ("web 回滚两个版本", "两个版"),
        ("web 回滚到上上个版本", "上上个版本"),
    ],
)
def test_where_to_is_taken_as_it_was_said(text: str, revision: SlotValue) -> None:
    assert slots(text)["revision"] == revision


@pytest.mark.parametrize(
    ("text", "route", "revision"),
    [
        ("回滚吧", Route.CONFIRM, None),
        ("没错，回滚到版本 3", Route.CONFIRM, None),
        ("go ahead", Route.CONFIRM, None),
        ("make it revision 2", Route.MODIFY, 2),
        ("换成 4 号版本", Route.MODIFY, 4),
        ("yes but to revision 1", Route.MODIFY, 1),
        ("不，回滚到 1.4", Route.MODIFY, "1.4"),
    ],
)
def test_a_plan_is_confirmed_or_changed(text: str, route: Route, revision: SlotValue | None) -> None:
    meaning = answered(text, ROLLBACK)
    assert meaning.route is route
    assert [request.slots.get("revision") for request in meaning.requests] == ([] if revision is None else [revision])


@pytest.mark.parametrize(
    ("text", "revision"),
    [("3", "3"), ("版本 4", "4"), ("revision 7", 7), ("1.4", "1.4"), ("reg/web:1", "reg/web:1"), ("7", 7)],
)
def test_a_question_for_the_revision_is_answered(text: str, revision: SlotValue) -> None:
    meaning = replied(text, "revision", choices=("4", "3"), intent="rollback")
    assert (meaning.route, meaning.requests[0].slots) == (Route.PROVIDE, {"revision": revision})


@pytest.mark.parametrize("text", ["the last one", "the second one", "第一个"])
def test_no_place_in_a_list_is_a_revision(text: str) -> None:
    meaning = replied(text, "revision", choices=("4", "3"), intent="rollback")
    assert not any("revision" in request.slots for request in meaning.requests)
