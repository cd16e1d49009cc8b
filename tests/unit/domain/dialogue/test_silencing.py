"""Who wants an alert silenced or acknowledged is told where that is done; it is never done, nor passed over."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Card, Links
from chatops_bot.domain.effects import Prepare
from chatops_bot.domain.intents import Route
from chatops_bot.domain.session import AlertState
from tests.unit.domain.dialogue.talk import WEB, Talk, act

_FORM = "https://alerts.example.com/#/silences/new"


def below_an_alert(*, firing: int = 1) -> Talk:
    talk = Talk()
    talk.session = msgspec.structs.replace(talk.session, alert=AlertState(group="g1", firing=firing, silence=_FORM))
    return talk


def last_card(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def led_to(card: Card) -> list[str]:
    return [link.url for block in card.blocks if isinstance(block, Links) for link in block.links]


@pytest.mark.parametrize(
    "text",
    [
        "silence it",
        "Silence this alert please",
        "mute it for 2h",
        "snooze the alert",
        "静默",
        "静默一下",
        "把这个告警静默掉",
        "屏蔽这条告警",
    ],
)
def test_it_is_said_where_an_alert_is_silenced(text: str) -> None:
    talk = below_an_alert()

    assert talk.say("alice", Route.CHAT, text=text).route == "silence"
    assert led_to(last_card(talk)) == [_FORM]
    assert not talk.work


@pytest.mark.parametrize("text", ["ack", "ack it", "acknowledge this alert", "认领告警", "确认一下这个告警"])
def test_it_is_said_that_nothing_is_acknowledged_here(text: str) -> None:
    talk = below_an_alert()

    assert talk.say("alice", Route.CHAT, text=text).route == "acknowledge"
    assert "acknowledge" in last_card(talk).title


def test_where_nothing_fires_there_is_no_form() -> None:
    for talk in (Talk(), below_an_alert(firing=0)):
        assert talk.say("alice", Route.CHAT, text="silence it").route == "silence"
        assert not led_to(last_card(talk))


@pytest.mark.parametrize(
    "text", ["silence is golden", "mute yourself, bob", "we silenced it", "package", "it goes silent", "back", "我静静"]
)
def test_other_words_are_left_to_others(text: str) -> None:
    assert below_an_alert().say("alice", Route.CHAT, text=text).route == "chat"


def test_what_people_say_to_each_other_is_not_answered() -> None:
    talk = below_an_alert()

    assert talk.say("alice", Route.CHAT, text="ack", addressed=False).route != "acknowledge"


def test_an_order_beside_it_is_an_order() -> None:
    talk = below_an_alert()
    talk.say("alice", Route.ACT, act("restart", WEB), text="silence it")

    assert isinstance(talk.take(Prepare), Prepare)


def test_in_the_middle_of_an_order_it_is_the_orders_answer() -> None:
    talk = below_an_alert()
    talk.say("alice", Route.ACT, act("scale", WEB), text="scale web")

    assert talk.say("alice", Route.CHAT, text="ack").route != "acknowledge"
