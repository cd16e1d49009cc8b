"""Who asks whether something is allowed orders nothing, in whatever state."""

from __future__ import annotations

from itertools import product

import pytest

from chatops_bot.domain.intents import Route, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, RESTART, SCALE, said, utterance

OF_WEB = {
    "restart": (
        "may I restart web?",
        "can i restart web",
        "am I allowed to restart web?",
        "is bob allowed to restart web?",
        "do I have permission to restart web?",
        "who can approve a restart of web",
        "why may I not restart web?",
        "我能重启 web 吗",
        "我可以重启 web 吗？",
        "我有权限重启 web 吗",
        "谁能批准重启 web",
        "允许我重启 web 吗",
        "为什么我不能重启 web",
    ),
    "scale": (
        "who may scale web?",
        "can I scale web to 5 please",
        "谁可以扩容 web？",
        "我能不能把 web 扩到 5 个副本",
    ),
    "logs": ("who may see the logs of web?", "谁有权限看 web 的日志"),
}
STATES = tuple(state for state in State if state not in (State.ARCHIVED, State.HANDED_OFF))


@pytest.mark.parametrize(("action", "text"), [(action, text) for action, texts in OF_WEB.items() for text in texts])
def test_a_question_after_permission_in_every_state(action: str, text: str) -> None:
    for state, plans in product(STATES, ((RESTART,), (SCALE,))):
        waiting = plans if state in (State.CONFIRMING, State.APPROVING) else ()
        meant = INTERPRETER.interpret(utterance(text, state, plans=waiting, intent="scale", lock=PLANNED))
        assert meant.route in (Route.HELP, Route.ASK), (state, meant)
        (request,) = meant.requests
        assert (request.intent, request.slots, request.dangerous) == ("permission", {"action": action}, False)
        assert request.name is not None
        assert request.name.text == "web"


def test_it_is_about_the_lock_where_no_name_is_said_and_about_each_action_said() -> None:
    assert said("may I restart it?", lock=PLANNED).requests[0].pronoun
    assert said("may I restart?").requests[0].name is None
    assert [r.slots["action"] for r in said("may I restart or scale web?").requests] == ["restart", "scale"]


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("can you restart web?", Route.ACT),
        ("能重启 web 吗", Route.ACT),
        ("我能麻烦你重启一下 web 吗", Route.ACT),
        ("restart web", Route.ACT),
        ("may I have the logs of web?", Route.QUERY),
        ("can I see the logs of web", Route.QUERY),
    ],
)
def test_politeness_is_no_question_after_permission(text: str, route: Route) -> None:
    assert said(text).route is route or not any(r.intent == "permission" for r in said(text).requests)


def test_leaving_wins_over_the_question() -> None:
    meant = INTERPRETER.interpret(utterance("算了，我能重启 web 吗", State.CONFIRMING, plans=(SCALE,)))
    assert meant.route in (Route.CANCEL, Route.SWITCH)


def test_people_hand_over_undisturbed() -> None:
    assert said("may I restart web?", State.HANDED_OFF).route is Route.NOTE
