"""Words that want an undo get its button, and only where nothing else is meant."""

from __future__ import annotations

import pytest

from chatops_bot.domain.effects import Prepare
from chatops_bot.domain.intents import Quantity, Request, Route
from chatops_bot.domain.session import Done
from tests.unit.domain.dialogue.talk import API, WEB, Talk, act


def talk_after_a_change(undo: str = "scale") -> Talk:
    talk = Talk()
    talk.session = talk.session.__class__(
        thread="t1", room=talk.session.room, owner="alice", done=Done("token-1", "scale", WEB, undo)
    )
    return talk


def offered(talk: Talk, text: str, *requests: Request) -> list[tuple[str, str, str]]:
    talk.say("alice", Route.ACT if requests else Route.CHAT, *requests, text=text)
    card = talk.cards[f"c{talk.session.cards}"]
    return [(button.id, button.token, button.value) for button in card.buttons if button.id == "undo"]


@pytest.mark.parametrize(
    "text", ["undo", "Undo it, please", "撤销", "把刚才的操作回退", "还原刚才的变更", "不对，撤销"]
)
def test_the_button_of_the_last_change_is_offered(text: str) -> None:
    talk = talk_after_a_change()
    assert offered(talk, text) == [("undo", "token-1", f"scale {WEB.key}")]
    assert not talk.work


def test_an_action_named_with_it_is_the_one_that_was_done() -> None:
    assert offered(talk_after_a_change(), "把 web 的扩容撤销掉", act("scale", WEB))
    assert not offered(talk_after_a_change(), "把 api 的扩容撤销掉", act("scale", API))


@pytest.mark.parametrize("text", ["do not undo it", "不要撤销", "don't you dare undo that", "the undone list"])
def test_a_prohibition_offers_nothing(text: str) -> None:
    assert not offered(talk_after_a_change(), text)


def test_another_order_is_an_order() -> None:
    talk = talk_after_a_change()
    assert not offered(talk, "undo that, scale web to 4", act("scale", WEB, replicas=Quantity("to", 4)))
    assert isinstance(talk.take(Prepare), Prepare)


def test_what_cannot_be_undone_is_said() -> None:
    assert not offered(talk_after_a_change(undo=""), "undo")
