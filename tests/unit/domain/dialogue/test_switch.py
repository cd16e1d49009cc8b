"""The read-only switch by chat (promise 8 of the README)."""

from __future__ import annotations

import pytest

from chatops_bot.domain.dialogue.switch import command_of
from chatops_bot.domain.effects import Switch
from chatops_bot.domain.intents import Route
from chatops_bot.domain.people import People
from chatops_bot.domain.policy import Policy, Rule
from tests.unit.domain.dialogue.talk import Talk

ON = [
    "read-only",
    "read only on",
    "go read-only",
    "Read-only: database migration",
    "只读",
    "进入只读模式",
    "只读模式开启",
]
OFF = ["read-only off", "turn off read-only", "关闭只读", "解除只读模式", "只读关闭"]
NEITHER = ["is it read-only?", "restart web read-only", "why are you read-only", "restart web", "只读的副本有几个"]


@pytest.mark.parametrize("text", ON)
def test_words_that_switch_on(text: str) -> None:
    assert (command_of(text) or ("",))[0] == "on"


@pytest.mark.parametrize("text", OFF)
def test_words_that_switch_off(text: str) -> None:
    assert command_of(text) == ("off", "")


@pytest.mark.parametrize("text", NEITHER)
def test_other_words_switch_nothing(text: str) -> None:
    assert command_of(text) is None


def test_everybody_may_stop_the_bot_and_the_reason_is_kept() -> None:
    talk = Talk(policy=Policy.closed())
    talk.say("alice", Route.CHAT, text="read-only: migration")
    assert [effect.reason for effect in talk.work if isinstance(effect, Switch)] == ["migration (alice)"]


def test_only_who_may_confirm_something_lifts_it() -> None:
    talk = Talk(policy=Policy(groups={"sre": ("carol",)}, rules=(Rule(confirm=("sre",)),)), read_only="x")
    decision = talk.say("alice", Route.CHAT, text="read-only off")
    assert decision.work == ()
    assert decision.audit[0].kind == "refusal"
    talk.say("carol", Route.CHAT, text="read-only off")
    assert [effect.reason for effect in talk.work if isinstance(effect, Switch)] == [""]


def test_a_person_lifts_it_from_any_account() -> None:
    policy = Policy(people=People({"Carol Li": ("carol", "carol_mobile")}), rules=(Rule(confirm=("Carol Li",)),))
    talk = Talk(policy=policy, read_only="x")
    assert talk.say("alice", Route.CHAT, text="read-only off").work == ()
    decision = talk.say("carol_mobile", Route.CHAT, text="read-only off")
    assert [effect.reason for effect in talk.work if isinstance(effect, Switch)] == [""]
    assert {(record.user, record.person) for record in decision.audit} == {("carol_mobile", "Carol Li")}


def test_a_card_says_read_only_once_however_often_it_is_drawn() -> None:
    talk = Talk(read_only="maintenance")
    token = talk.plan()
    talk.say("alice", Route.UNCLEAR, addressed=False, via_card=True)
    talk.say("alice", Route.CANCEL)
    assert token
    assert all(card.text().count("Read-only: maintenance") == 1 for card in talk.cards.values())
