"""What is said beside a decision: open words, under vetoes."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.rules import affirmative
from chatops_bot.adapters.rules.comments import harmless
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import PendingPlan, State, Utterance

WEB = Entity("east", "shop", "Deployment", "web", "web", environment="prod")
RESTART = PendingPlan("restart", WEB)
SCALE = PendingPlan("scale", WEB, parameters={"replicas": 5}, before={"replicas": 2})


def confirms(text: str, plan: PendingPlan = RESTART) -> bool:
    return affirmative(Utterance(text=text, state=State.CONFIRMING, lock=plan.entity, plans=(plan,)))


@pytest.mark.parametrize(
    "text",
    [
        "do it, checkout has been dead for ages",
        "my phone keeps ringing. go ahead.",
        "finance signed off on the call, proceed",
        "go for it, the queue is exploding",
        "执行，值班经理在电话里点头了",
        "客诉群已经炸锅了，执行吧",
        "重启吧，出了事情我来背锅",
        "队列堆到三万了，赶紧重启",
    ],
)
def test_a_command_in_so_many_words_may_be_explained(text: str) -> None:
    assert confirms(text)


@pytest.mark.parametrize(
    "text",
    [
        "do it, in staging",
        "do it, bob said",
        "bob: do it",
        "do it, the other one",
        "do it, but gently",
        "do it, checkout has recovered",
        "do it, after the deploy lands",
        "do it, only half of them",
        "do it, add two on top",
        "do it, logs of web",
        "do it, is anybody on it",
        "do it, i will look at it",
        "do it, we are not sure",
        "do it, reset the cache as well",
        "do it, make sure dns is up",
        "do it, checkout looks odd with 3",
        "checkout has been dead for half an hour",
        "the queue is exploding, thanks",
        "执行，过了高峰",
        "执行，两个都",
        "执行，测试环境的那个",
        "执行，它自己恢复了",
        "执行，把网关也带上",
        "执行，小王说的",
        "执行，留一个",
        "值班经理在电话里点头了",
    ],
)
def test_whatever_changes_delays_doubts_asks_or_decides_nothing_confirms_nothing(text: str) -> None:
    assert not confirms(text)


def test_a_number_is_the_plans_own_or_a_time() -> None:
    assert confirms("go ahead, five is what we need", SCALE)
    assert confirms("go ahead, down for 20 minutes", SCALE)
    assert not confirms("go ahead, checkout feels like 7", SCALE)


@pytest.mark.parametrize("clause", ["web", "ok", "的话", "half", "why", "wait", "没好"])
def test_what_is_too_short_to_be_understood_is_no_comment(clause: str) -> None:
    assert not harmless(clause, cure=True, own=frozenset())


def test_what_is_ill_speaks_against_letting_it_go_on() -> None:
    assert harmless("the node is broken again", cure=True, own=frozenset())
    assert not harmless("the node is broken again", cure=False, own=frozenset())
