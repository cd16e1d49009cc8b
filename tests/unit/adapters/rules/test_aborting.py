"""Aborting an update of Argo Rollouts, as people say it; beside a plan the same words rather end the plan."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import PendingPlan, Route
from tests.unit.adapters.rules.speaking import PLANNED, answered, intents

ABORT = PendingPlan(action="abort", entity=PLANNED)
RESTART = PendingPlan(action="restart", entity=PLANNED)


@pytest.mark.parametrize(
    "text",
    [
        "abort the rollout of web",
        "please abort the canary of web",
        "can you abort the update of web?",
        "中止 web 的发布",
        "终止 web 的金丝雀发布",
        "web 中止发布",
    ],
)
def test_what_is_ordered(text: str) -> None:
    assert intents(text) == ["abort"]


@pytest.mark.parametrize(
    "text",
    [
        "don't abort the rollout of web",
        "should we abort the rollout of web?",
        "why was the rollout of web aborted?",
        "the rollout of web was aborted",
        "别中止 web 的发布",
        "web 的发布被中止了吗",
        "终止对话",
    ],
)
def test_what_is_none(text: str) -> None:
    assert "abort" not in intents(text)


@pytest.mark.parametrize(
    ("text", "plan", "route"),
    [
        ("go ahead", ABORT, Route.CONFIRM),
        ("确认", ABORT, Route.CONFIRM),
        ("abort", ABORT, Route.CANCEL),
        ("abort it", ABORT, Route.CANCEL),
        ("abort the rollout", RESTART, Route.CANCEL),
        ("中止", ABORT, Route.CANCEL),
        ("中止发布", ABORT, Route.CONFIRM),
        ("确认中止", ABORT, Route.CONFIRM),
        ("abort the rollout of web", RESTART, Route.SWITCH),
        ("中止 web 的发布", RESTART, Route.SWITCH),
    ],
)
def test_a_plan_is_never_confirmed_by_a_word_that_also_ends_it(text: str, plan: PendingPlan, route: Route) -> None:
    meaning = answered(text, plan)

    assert meaning.route is route
    assert meaning.affirmative is (text in ("go ahead", "确认"))
