"""Who asks for somebody by name, and who wants to be told of changes."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.domain.intents import Interpretation, Route, State, Utterance


def understood(text: str, state: State = State.FOLLOW_UP) -> Interpretation:
    return RulesInterpreter().interpret(Utterance(text=text, state=state))


def intents(text: str, state: State = State.FOLLOW_UP) -> list[str]:
    return [request.intent for request in understood(text, state).requests]


@pytest.mark.parametrize(
    "text",
    [
        "hand this over to @dana",
        "assign this to team-pay",
        "pass it to dana",
        "can you page team-pay?",
        "ping @dana",
        "page the payments on-call",
        "交给 @张三",
        "把它转给 team-pay",
        "叫 @张三 来处理",
        "移交给张三",
    ],
)
@pytest.mark.parametrize("state", [State.IDLE, State.FOLLOW_UP, State.COLLECTING, State.CONFIRMING, State.EXECUTING])
def test_a_hand_off_by_name(text: str, state: State) -> None:
    assert understood(text, state).route is Route.HAND_OFF


@pytest.mark.parametrize(
    "text", ["交给你了", "交给机器人吧", "give it to the bot", "pass it to 5", "assign it to the bot"]
)
def test_what_is_left_to_the_bot_is_none(text: str) -> None:
    assert understood(text).route is not Route.HAND_OFF


@pytest.mark.parametrize(
    "text",
    [
        "keep me posted",
        "ping me when it recovers",
        "let me know once the rollout is through",
        "tell me if it crashes again",
        "notify me on any change",
        "有变化叫我",
        "恢复了通知我",
        "好了告诉我一声",
        "subscribe",
        "please keep me in the loop, thanks",
    ],
)
def test_a_wish_to_be_told(text: str) -> None:
    assert intents(text) == ["subscribe"]
    assert understood(text, State.CONFIRMING).route is Route.ASK
    assert understood(text, State.HANDED_OFF).route is Route.NOTE


@pytest.mark.parametrize(
    "text", ["unsubscribe", "stop pinging me", "别通知我了", "don't notify me anymore", "取消订阅"]
)
def test_a_wish_to_be_told_no_more(text: str) -> None:
    assert intents(text) == ["unsubscribe"]


@pytest.mark.parametrize(
    "text",
    ["tell me how many pods are running", "tell me when it was last deployed", "告诉我状态", "tell me what changed"],
)
def test_a_question_is_no_wish(text: str) -> None:
    assert "subscribe" not in intents(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("restart it and let me know when it's done", ["restart", "subscribe"]),
        ("let me know when it is done and restart it", ["subscribe", "restart"]),
        ("重启一下，好了叫我", ["restart", "subscribe"]),
        ("what is the status? keep me posted", ["status", "subscribe"]),
    ],
)
def test_neither_hides_the_other(text: str, wanted: list[str]) -> None:
    assert intents(text) == wanted


@pytest.mark.parametrize("text", ["yes and keep me posted", "yes, ping me when it's done", "确认，好了叫我"])
def test_a_wish_beside_a_yes_confirms_nothing(text: str) -> None:
    meant = understood(text, State.CONFIRMING)
    assert (meant.route is Route.CONFIRM, meant.affirmative) == (False, False)


def test_what_is_said_to_a_person_does_not_call_the_bot_back() -> None:
    assert understood("@dana please take over", State.HANDED_OFF).route is Route.NOTE
    assert understood("resume", State.HANDED_OFF).route is Route.RESUME
