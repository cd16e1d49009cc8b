"""Orders that were left and asked for again, and several plans told apart by name."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Card, Text
from chatops_bot.domain.effects import Judge, Prepare, Void
from chatops_bot.domain.events import Left, Prepared
from chatops_bot.domain.intents import Quantity, Request, Route, State
from chatops_bot.domain.say import say
from tests.unit.domain.dialogue.talk import API, WEB, Talk, act, named, user


def prepares(talk: Talk) -> list[tuple[str, object]]:
    return [(effect.action, effect.slots.get("replicas")) for effect in talk.work if isinstance(effect, Prepare)]


def newest(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def left() -> Talk:
    """A scale to 5 was left for a restart, which was cancelled."""
    talk = Talk()
    talk.plan(replicas=5)
    talk.say("alice", Route.SWITCH, act("restart"))
    talk.prepared()
    talk.say("alice", Route.CANCEL)
    talk.work.clear()
    return talk


@pytest.mark.parametrize("text", ["back to the scaling", "scale it after all", "继续扩容", "还是扩容吧"])
def test_a_left_order_is_taken_up_with_its_slots_when_asked(text: str) -> None:
    talk = left()
    talk.say("alice", Route.ACT, act("scale"), text=text)
    assert prepares(talk) == [("scale", Quantity("to", 5))]
    assert talk.state is State.CONFIRMING


@pytest.mark.parametrize("text", ["continue", "let's go back to it", "继续", "回到刚才的吧"])
def test_without_its_name_the_last_left_one_is_meant(text: str) -> None:
    talk = left()
    talk.say("alice", Route.CHAT, text=text)
    assert prepares(talk) == [("scale", Quantity("to", 5))]


@pytest.mark.parametrize("text", ["scale it", "把它扩容一下", "we will continue tomorrow"])
def test_without_such_words_nothing_is_taken_up(text: str) -> None:
    talk = left()
    talk.say("alice", Route.ACT, act("scale"), text=text) if "scale" in text or "扩" in text else talk.say(
        "alice", Route.CHAT, text=text
    )
    assert prepares(talk) == []


def test_the_number_of_before_is_a_button_when_it_is_asked_for_again() -> None:
    talk = left()
    talk.say("alice", Route.ACT, act("scale"), text="scale it")
    assert [button.id for button in newest(talk).buttons] == ["choose:5", "cancel"]
    talk.click("alice", "choose:5", token="")
    assert prepares(talk) == [("scale", Quantity("to", 5))]


def test_what_is_said_now_wins_over_what_was_kept() -> None:
    talk = left()
    talk.say("alice", Route.ACT, act("scale", replicas=Quantity("to", 9)), text="scale it after all, to 9")
    assert prepares(talk) == [("scale", Quantity("to", 9))]


def test_words_that_may_be_a_yes_to_the_plan_take_nothing_up() -> None:
    talk = left()
    talk.say("alice", Route.ACT, act("restart"))
    talk.prepared()
    talk.work.clear()
    talk.say("alice", Route.CONFIRM, affirmative=True, text="继续")
    assert prepares(talk) == []
    assert talk.session.pending[0].phase == "shown"


def test_another_service_in_the_thread_drops_what_was_kept() -> None:
    talk = left()
    talk.say("alice", Route.QUERY, act("status", API), via_card=True)
    assert talk.session.parked == ()


def test_leaving_for_another_thread_keeps_the_plan_s_slots_and_voids_it() -> None:
    talk = Talk()
    talk.plan(replicas=5)
    talk.event(Left(user=user("alice"), text="never mind, how is api?"))
    assert [effect.reason for effect in talk.work if isinstance(effect, Void)] == ["left"]
    assert talk.session.pending == ()
    talk.work.clear()
    talk.say("alice", Route.ACT, act("scale"), text="back to the scaling", via_card=True)
    assert prepares(talk) == [("scale", Quantity("to", 5))]


def two_plans() -> Talk:
    talk = Talk()
    web, api = act("scale", WEB, replicas=Quantity("to", 5)), act("restart", API, start=20)
    talk.say("alice", Route.ACT, web, api)
    talk.prepared(replicas=5)
    talk.prepared()
    talk.work.clear()
    return talk


def services(talk: Talk) -> list[str]:
    return [pending.entity.name for pending in talk.session.pending]


def test_cancel_with_a_name_voids_that_plan_only() -> None:
    talk = two_plans()
    cancel = Request(intent="", name=named(API))
    talk.say("alice", Route.CANCEL, cancel)
    assert services(talk) == ["web"]
    talk.say("alice", Route.CANCEL)
    assert services(talk) == []


def test_a_change_with_a_name_changes_that_plan_only() -> None:
    talk = two_plans()
    change = Request(intent="", name=named(WEB), slots={"replicas": Quantity("to", 7)})
    talk.say("alice", Route.MODIFY, change)
    assert prepares(talk) == [("scale", Quantity("to", 7))]
    assert sorted(services(talk)) == ["api", "web"]


def test_several_plans_are_told_apart_before_the_words_are_weighed() -> None:
    talk = two_plans()
    decision = talk.say("alice", Route.CONFIRM, affirmative=False, text="yes")
    assert [record.reason for record in decision.audit] == ["refuse.several"]
    assert [pending.phase for pending in talk.session.pending] == ["shown", "shown"]
    assert msgspec.structs.replace(talk.session.pending[0]).token


def test_a_change_that_names_only_the_plan_s_own_service_replaces_nothing() -> None:
    talk = two_plans()
    before = [pending.token for pending in talk.session.pending]
    talk.say("alice", Route.MODIFY, Request(intent="", name=named(API)))
    assert prepares(talk) == []
    assert [pending.token for pending in talk.session.pending] == before


def test_a_question_about_a_service_that_a_plan_waits_for_drops_no_plan() -> None:
    talk = two_plans()
    talk.say("alice", Route.ASK, act("status", API))
    talk.queried()
    assert services(talk) == ["web", "api"]
    assert talk.session.lock is not None
    assert talk.session.lock.entity.name == "web"


def test_below_an_answer_several_plans_are_counted_and_none_is_offered() -> None:
    talk = two_plans()
    talk.say("alice", Route.ASK, act("status", API))
    talk.queried()
    said = [block.text for block in newest(talk).blocks if isinstance(block, Text)]
    assert said.count("2 plans still wait: press the button on the card of the one you mean.") == 1
    assert "confirm" not in [button.id for button in newest(talk).buttons]
    live = [card_id for card_id, card in talk.cards.items() if "confirm" in [button.id for button in card.buttons]]
    assert len(live) == 2


def test_help_is_given_while_a_plan_waits() -> None:
    talk = Talk()
    talk.plan()
    talk.say("alice", Route.ASK, Request(intent="help"))
    assert newest(talk).title == "What I can do"
    assert "confirm" in [button.id for button in newest(talk).buttons]


def test_what_another_value_would_make_is_offered_on_buttons() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("rollback", WEB, revision=7))
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    problem = say("rollback.unknown_revision", name="web", revision="7", revisions="2 (reg/web:1)")
    talk.event(Prepared(effect=effect.id, problem=problem, ask=("revision",), choices=("2",)))
    assert talk.state is State.COLLECTING
    assert [(button.id, button.label) for button in newest(talk).buttons][:1] == [("choose:2", "revision 2")]
    talk.click("alice", "choose:2", token="")
    again = talk.take(Prepare)
    assert isinstance(again, Prepare)
    assert again.slots == {"revision": "2"}


def test_an_undo_of_nothing_known_is_void() -> None:
    talk = Talk()
    talk.plan()
    decision = talk.click("alice", "undo", token="t", value="explode")
    assert [record.kind for record in decision.audit] == ["refusal"]


@pytest.mark.parametrize("key", ["scale.not_whole", "scale.ends_at_zero"])
def test_a_number_that_does_not_fit_is_asked_for_anew(key: str) -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("times", 0.5)))
    args: dict[str, str | int] = {"current": 3, "factor": "0.5", "below": 1, "above": 2, "difference": -3}
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    talk.event(Prepared(effect=effect.id, problem=say(key, **args), ask=("replicas",)))
    assert talk.state is State.COLLECTING
    talk.say("alice", Route.PROVIDE, Request(intent="", slots={"replicas": Quantity("to", 2)}), addressed=False)
    assert prepares(talk) == [("scale", Quantity("to", 2))]


def test_the_same_order_anew_is_not_said_to_be_put_aside() -> None:
    talk = Talk()
    talk.plan(replicas=5)
    talk.say("alice", Route.SWITCH, act("restart"), act("scale", replicas=Quantity("to", 4)))
    shown = [block.text for card in talk.cards.values() for block in card.blocks if isinstance(block, Text)]
    assert not [text for text in shown if text.startswith("Put aside")]
    assert talk.session.parked == ()


def test_a_refusal_before_there_is_a_plan_is_on_record_with_its_action() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("resume", WEB))
    decision = talk.unprepared()
    assert [(one.action, one.service) for one in decision.audit if one.kind == "refusal"] == [("resume", WEB.key)]


@pytest.mark.parametrize("text", ["continue", "please carry on", "继续", "请继续"])
def test_words_that_take_up_what_was_put_aside_confirm_no_plan_beside_it(text: str) -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.say("alice", Route.SWITCH, act("restart", WEB))
    talk.prepared()
    decision = talk.say("alice", Route.CONFIRM, affirmative=True, text=text)
    assert not [effect for effect in talk.work if isinstance(effect, Judge)]
    assert [one.reason for one in decision.audit] == ["refuse.put_aside"]
    talk.say("alice", Route.CONFIRM, affirmative=True, text="confirm")
    assert [effect for effect in talk.work if isinstance(effect, Judge)]
