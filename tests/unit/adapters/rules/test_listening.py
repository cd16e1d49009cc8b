"""What is for the bot in a room where it hears everything; and that nothing makes the rules slow."""

import time

import pytest

from chatops_bot.adapters.rules import carries_request, carries_request_text
from chatops_bot.domain.intents import State
from tests.unit.adapters.rules.speaking import INTERPRETER, SCALE, utterance


@pytest.mark.parametrize(
    "text",
    [
        *("is web ok?", "how is web?", "restart web", "check web please", "why is web slow?", "scale it to 5", "web"),
        *("web 怎么样了", "重启 web", "谁动了 web", "看下 web 的日志", "web 好像超时了，帮我查下", "请重启 web"),
    ],
)
def test_questions_and_orders_are_for_the_bot(text: str) -> None:
    assert carries_request(utterance(text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "I will restart web in a minute",
            "web looks fine to me",
            "web 刚刚重启过了",
            "web 已经重启了",
            "Bob restarted web",
            "web is down",
            "can someone check web",
        ),
        *(
            "@bob can you check web",
            "I checked web, all good",
            "we should restart web",
            "let's restart web",
            "let me check web",
        ),
        *("thanks for fixing web", "deploying web now", "lunch anyone?", "ok", "did anyone restart web?"),
        *(
            "web 挂了",
            "我去重启 web",
            "有人动 web 吗",
            "大家看下 web",
            "今天 web 发版",
            "他把 web 重启了",
            "web 的日志看了吗",
            "我看下 web 的日志",
        ),
    ],
)
def test_talk_between_people_is_not(text: str) -> None:
    assert not carries_request(utterance(text))


def test_a_text_without_names_may_still_order() -> None:
    assert carries_request_text("restart it")
    assert not carries_request_text("good morning")


FRAGMENTS = "ok |no |can you |想要|好了|嗯|再增加|取消吧|不用了|thanks |, |。|!|from 4 |五|一|a-|2-|1.|because |如果|then |yes |that is very |看一下|<@U|the "


@pytest.mark.parametrize("fragment", FRAGMENTS.split("|"))
@pytest.mark.parametrize("state", [State.IDLE, State.CONFIRMING, State.COLLECTING, State.FOLLOW_UP])
def test_no_repetition_makes_the_rules_slow(fragment: str, state: State) -> None:
    plans = (SCALE,) if state is State.CONFIRMING else ()
    heard = utterance((fragment * 400)[:600] + "§", state, plans=plans)

    began = time.process_time()
    INTERPRETER.interpret(heard)

    assert time.process_time() - began < 1
