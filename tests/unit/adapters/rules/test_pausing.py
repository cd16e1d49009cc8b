"""Pausing and resuming a rollout, as people say it."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import PendingPlan, Route
from tests.unit.adapters.rules.speaking import PLANNED, answered, intents

PAUSE = PendingPlan(action="pause", entity=PLANNED)
RESUME = PendingPlan(action="resume", entity=PLANNED)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("暂停 web 的发布", "pause"),
        ("web 停一下发布", "pause"),
        ("pause the rollout of web", "pause"),
        ("pause web", "pause"),
        ("恢复 web 的发布", "resume"),
        ("web 继续发布", "resume"),
        ("resume the rollout of web", "resume"),
        ("unpause web", "resume"),
    ],
)
def test_what_is_ordered(text: str, intent: str) -> None:
    assert intents(text) == [intent]


@pytest.mark.parametrize(
    ("text", "plan", "route"),
    [
        ("go ahead", PAUSE, Route.CONFIRM),
        ("确认", RESUME, Route.CONFIRM),
        ("恢复吧", RESUME, Route.CONFIRM),
        ("别暂停了", PAUSE, Route.CANCEL),
        ("resume it", PAUSE, Route.SWITCH),
        ("pause it", RESUME, Route.SWITCH),
        ("pause it", PAUSE, Route.CONFIRM),
        ("暂停", RESUME, Route.UNCLEAR),
    ],
)
def test_a_plan_is_confirmed_or_left(text: str, plan: PendingPlan, route: Route) -> None:
    """The word alone may also mean "wait": it executes nothing."""
    meaning = answered(text, plan)

    assert meaning.route is route
    assert meaning.affirmative is (text in ("go ahead", "确认", "恢复吧"))
