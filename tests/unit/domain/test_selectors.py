"""Label selectors, matched as the API server matches them."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.selectors import selects

LABELS = {"app": "web", "tier": "front"}


def expression(key: str, operator: str, *values: str) -> dict[str, Any]:
    return {"matchExpressions": [{"key": key, "operator": operator, "values": list(values)}]}


@pytest.mark.parametrize(
    ("selector", "fits"),
    [
        (None, False),
        ({}, True),
        ({"matchLabels": {"app": "web"}}, True),
        ({"matchLabels": {"app": "api"}}, False),
        ({"matchLabels": {"app": "web"}, **expression("tier", "In", "back")}, False),
        (expression("app", "In", "web", "api"), True),
        (expression("app", "In", "api"), False),
        (expression("app", "NotIn", "api"), True),
        (expression("app", "NotIn", "web"), False),
        (expression("none", "NotIn", "web"), True),
        (expression("app", "Exists"), True),
        (expression("none", "Exists"), False),
        (expression("none", "DoesNotExist"), True),
        (expression("app", "DoesNotExist"), False),
        (expression("app", "Gt", "1"), False),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": None}]}, False),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": [1, "web"]}]}, True),
    ],
)
def test_what_a_selector_fits(selector: Any, fits: bool) -> None:
    assert selects(selector, LABELS) is fits
