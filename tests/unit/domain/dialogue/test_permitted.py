"""The chat and `policy explain` say the same of a person's permission, and asking changes nothing."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.app.configuration import Configuration
from chatops_bot.app.policy_command import Question
from chatops_bot.app.policy_command import explain as on_the_command_line
from chatops_bot.app.settings import ClusterSettings, Settings
from chatops_bot.domain.cards import Card, Text
from chatops_bot.domain.entities import Service
from chatops_bot.domain.intents import Request, Route, State
from chatops_bot.domain.policy_file import parse
from tests.unit.domain.dialogue.talk import API, NOW, WEB, Talk, act, named

POLICY = parse(
    {
        "groups": {"sre": ["bob", "slack:U0000001"]},
        "rules": [
            {"actions": ["restart"], "services": ["api"], "confirm": []},
            {"request": ["alice", "sre"], "confirm": ["sre"], "approvals": 1, "limits": {"max_replicas": 9}},
        ],
        "freezes": [{"name": "sale", "starts": "2025-12-31T00:00", "ends": "2026-12-31T00:00", "override": ["sre"]}],
    }
)


def asks(action: str, target: object = WEB) -> Request:
    name = named(target) if target is not None else None  # type: ignore[arg-type]
    return Request("permission", {"action": action}, name)


def texts(card: Card) -> list[str]:
    return [block.text for block in card.blocks if isinstance(block, Text) and not block.strong]


@pytest.mark.parametrize("who", ["alice", "bob", "carol"])
@pytest.mark.parametrize(("action", "target"), [("scale", WEB), ("restart", API), ("logs", WEB)])
def test_the_chat_says_what_the_command_line_says(who: str, action: str, target: object) -> None:
    talk = Talk(policy=POLICY)
    decision = talk.say(who, Route.HELP, asks(action, target))
    (card,) = dict(decision.cards).values()
    settings = Settings(clusters=(ClusterSettings(name="east", url="http://x"),))
    catalog = (Service(WEB), Service(API))
    question = Question(user=who, action=action, service=target.name, room="ops")  # type: ignore[attr-defined]
    assert texts(card) == list(
        on_the_command_line(Configuration(settings=settings, services=catalog, policy=POLICY), question, now=NOW)
    )
    assert len(texts(card)) >= 2


def test_asking_changes_nothing_while_a_plan_waits() -> None:
    talk = Talk()
    token = talk.plan()
    before = talk.session
    decision = talk.say("alice", Route.ASK, asks("restart", API))
    assert (talk.state, talk.token, talk.session.lock) == (State.CONFIRMING, token, before.lock)
    assert decision.work == ()
    (card,) = (card for card in dict(decision.cards).values() if card.title == "Permissions of alice")
    assert "restart deployment/api (prod · east · shop)" in texts(card)
    assert {"confirm", "cancel"} <= {button.id for button in card.buttons}


def test_while_it_is_asked_for_and_in_a_question_by_pronoun() -> None:
    talk = Talk(policy=POLICY)
    talk.say("alice", Route.ACT, act("scale", WEB))
    assert talk.state is State.COLLECTING
    flow = talk.session.flow
    decision = talk.say("alice", Route.HELP, asks("restart", None))
    assert talk.session.flow == flow
    assert any("restart deployment/web (prod · east · shop)" in texts(card) for card in dict(decision.cards).values())


def test_without_any_service_it_is_asked_which_and_the_switch_is_told() -> None:
    decision = Talk(policy=POLICY).say("alice", Route.HELP, asks("restart", None))
    assert decision.work == ()
    talk = Talk(policy=POLICY, read_only="why.configured")
    (card,) = dict(talk.say("bob", Route.HELP, asks("restart")).cards).values()
    assert texts(card)[1].startswith("The bot only reads now (the configuration says so)")


def test_rules_that_are_not_those_of_the_file_say_so() -> None:
    talk = Talk(policy=msgspec.structs.replace(POLICY, outdated=True))
    (card,) = dict(talk.say("bob", Route.HELP, asks("restart")).cards).values()
    assert "the rules of before hold" in texts(card)[1]
