"""What `expect` matches: subsets of mappings, lists item by item, and text with `contains` and `absent`."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.app.expectations import mismatches

PRINTED: dict[str, Any] = {
    "state": "confirming",
    "ignored": False,
    "plan": {"action": "scale", "replicas": 5, "warnings": ["An HPA will undo it", "1/3 ready"]},
    "executed": [{"action": "scale", "target": "deployment/web", "replicas": 5}],
    "buttons": ["confirm", "cancel"],
    "reply": "To confirm: scale WEB",
    "refused": None,
    "thread": None,
}


@pytest.mark.parametrize(
    "expected",
    [
        {},
        {"state": "confirming"},
        {"plan": {"replicas": 5}},
        {"plan": {}},
        {"executed": [{"replicas": 5}]},
        {"executed": [{}]},
        {"buttons": ["confirm", "cancel"]},
        {"buttons": {"contains": "cancel", "absent": "approve"}},
        {"buttons": {"contains": ["confirm", "cancel"]}},
        {"plan": {"warnings": {"contains": "hpa"}}},
        {"reply": {"contains": "scale web"}},
        {"reply": {"contains": ["confirm", "web"], "absent": ["done", "api"]}},
        {"refused": None},
        {"refused": {"absent": "policy"}},
        {"executed": {"contains": "deployment/web"}},
        {"ignored": False},
    ],
)
def test_it_matches(expected: dict[str, Any]) -> None:
    assert mismatches(expected, PRINTED) == []


@pytest.mark.parametrize(
    ("expected", "where"),
    [
        ({"state": "idle"}, "state"),
        ({"state": "Confirming"}, "state"),
        ({"plan": None}, "plan"),
        ({"plan": {"replicas": 6}}, "plan.replicas"),
        ({"plan": {"replicas": "5"}}, "plan.replicas"),
        ({"plan": {"image": "x"}}, "plan.image"),
        ({"plan": {"warnings": []}}, "plan.warnings"),
        ({"executed": []}, "executed"),
        ({"executed": [{}, {}]}, "executed"),
        ({"executed": [{"replicas": 4}]}, "executed[0].replicas"),
        ({"executed": [{"namespace": "shop"}]}, "executed[0].namespace"),
        ({"buttons": ["cancel", "confirm"]}, "buttons[0]"),
        ({"buttons": ["confirm"]}, "buttons"),
        ({"buttons": {"absent": "cancel"}}, "buttons"),
        ({"buttons": {"contains": ["confirm", "undo"]}}, "buttons"),
        ({"reply": {"contains": "scale api"}}, "reply"),
        ({"reply": {"absent": "WEB"}}, "reply"),
        ({"reply": "To confirm"}, "reply"),
        ({"refused": {"contains": "policy"}}, "refused"),
        ({"thread": {"state": "idle"}}, "thread"),
        ({"ignored": 0}, "ignored"),
        ({"ignored": True}, "ignored"),
        ({"gone": None}, "gone"),
    ],
)
def test_it_does_not_and_says_where(expected: dict[str, Any], where: str) -> None:
    found = mismatches(expected, PRINTED)
    assert [problem.partition(":")[0] for problem in found][:1] == [where]


def test_every_difference_is_told() -> None:
    found = mismatches({"state": "idle", "plan": {"replicas": 1, "action": "restart"}, "buttons": []}, PRINTED)
    assert len(found) == 4


def test_a_list_is_joined_before_it_is_searched_so_that_absent_means_nowhere() -> None:
    assert mismatches({"absent": "b"}, ["a", "xbx"], "items") == ["items: contains 'b': 'a\\nxbx'"]
    assert mismatches({"contains": ["a", "b"]}, ["a", "b"], "items") == []
