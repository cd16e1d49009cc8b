"""Orders that were put aside and taken up again, and what waits its turn."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.parking import KEPT_MS
from chatops_bot.domain.effects import Prepare, Query
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import Click, Left
from chatops_bot.domain.intents import Name, Quantity, Request, Route, State
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.session import Summary
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, user

FIVE = Quantity("to", 5)


def prepares(talk: Talk) -> list[tuple[str, str]]:
    return [(effect.action, effect.entity.name) for effect in talk.work if isinstance(effect, Prepare)]


def queries(talk: Talk) -> list[str]:
    return [effect.intent for effect in talk.work if isinstance(effect, Query)]


def newest(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def offered(card: Card) -> list[str]:
    return [button.id for button in card.buttons if button.id.startswith("take_up:")]


def given(**slots: Quantity) -> Request:
    return Request(intent="", slots={**slots})


def switched() -> Talk:
    """A scale to 5 was left for a restart, whose plan waits."""
    talk = Talk()
    talk.plan(replicas=5)
    talk.say("alice", Route.SWITCH, act("restart"))
    talk.prepared()
    talk.work.clear()
    return talk


def click(who: str, button: str) -> Click:
    return Click(id="k", room=ROOM, user=user(who), button=button, token="", value="", name=who)


def run(talk: Talk) -> None:
    talk.click("alice", "confirm")
    talk.judged()
    talk.executed()


def test_what_was_left_is_offered_when_the_other_is_cancelled_by_words() -> None:
    talk = switched()
    talk.say("alice", Route.CANCEL)
    assert offered(newest(talk)) == ["take_up:1"]
    records = talk.click("bob", "take_up:1", token="").audit
    assert [(one.kind, one.reason, one.user) for one in records[:1]] == [("decision", "taken_up", user("bob").key)]
    assert prepares(talk) == [("scale", "web")]
    assert talk.session.pending[0].slots == {"replicas": FIVE}
    assert talk.session.pending[0].requester == user("bob"), "whoever takes it up asks for it"
    assert talk.session.parked == ()


def test_and_when_it_is_cancelled_by_its_button() -> None:
    talk = switched()
    card = talk.session.pending[0].card
    talk.click("alice", "cancel")
    assert offered(talk.cards[card]) == ["take_up:1"]


def test_and_on_the_card_of_its_outcome_from_which_the_next_session_goes_on() -> None:
    talk = switched()
    card = talk.session.pending[0].card
    run(talk)
    assert talk.session.archived
    assert offered(talk.cards[card]) == ["take_up:1"]
    summary = Summary(thread="t1", at=talk.now, entity=WEB, parked=talk.session.parked)
    later = Talk()
    later.click("bob", "take_up:1", token="")
    assert prepares(later) == [], "another session knows of none"
    assert "not at hand" in newest(later).text()
    later = Talk()
    later.event(click("bob", "take_up:1"), beside=summary)
    assert prepares(later) == [("scale", "web")]


def test_after_a_day_it_is_offered_no_longer() -> None:
    talk = switched()
    talk.now += KEPT_MS + 1
    talk.say("alice", Route.CANCEL)
    assert offered(newest(talk)) == []
    summary = Summary(thread="t1", at=talk.now, entity=WEB, parked=talk.session.parked)
    later = Talk()
    later.now = talk.now
    later.event(click("bob", "take_up:1"), beside=summary)
    assert prepares(later) == []


def test_nor_taken_up_in_a_session_that_lives_longer() -> None:
    talk = switched()
    talk.say("alice", Route.CANCEL)
    talk.now += KEPT_MS + 1
    talk.click("alice", "take_up:1", token="")
    assert prepares(talk) == []
    assert "not at hand" in newest(talk).text()
    talk.say("alice", Route.ASK, text="continue")
    talk.say("alice", Route.ACT, act("scale", WEB), text="resume the scale of web")
    assert prepares(talk) == [], "its number is asked for anew"


def test_nor_by_a_choice_below_a_question_of_then() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, Request("restart", name=Name("ap", 0, closest=(Service(entity=API),)), start=0))
    for _ in range(3):
        talk.say("alice", Route.CHAT, text="abc")
    button = next(button for button in newest(talk).buttons if button.id == "service:api")
    talk.now += KEPT_MS + 1
    talk.click("alice", button.id, token="", value=button.value)
    assert prepares(talk) == []


def test_what_waits_is_for_its_asker_even_where_the_thread_has_forgotten_them() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("logs", start=0), Request("events", start=5))
    talk.session = msgspec.structs.replace(talk.session, people={})
    talk.click("bob", "service:web", token="")
    asked = {effect.intent: effect.user for effect in talk.work if isinstance(effect, Query)}
    assert asked == {"logs": user("bob"), "events": user("alice")}


def test_who_takes_it_up_must_be_permitted_now() -> None:
    talk = switched()
    talk.say("alice", Route.CANCEL)
    talk.world = msgspec.structs.replace(
        talk.world, policy=Policy(rules=(Rule(actions=("scale",), request=("alice",)),))
    )
    talk.click("bob", "take_up:1", token="")
    assert prepares(talk) == []
    assert "Refused" in newest(talk).text()


def test_nothing_is_taken_up_once_another_service_is_talked_about() -> None:
    talk = switched()
    talk.say("alice", Route.CANCEL)
    talk.say("alice", Route.QUERY, act("status", API))
    talk.work.clear()
    talk.click("alice", "take_up:1", token="")
    assert prepares(talk) == []
    assert "not at hand" in newest(talk).text()


@pytest.mark.parametrize("button", ["take_up:9", "take_up:", "take_up:x", "take_up:99999999999"])
def test_a_number_that_is_none_takes_up_nothing(button: str) -> None:
    talk = switched()
    talk.click("alice", button, token="")
    assert prepares(talk) == []


def test_taking_one_up_puts_what_is_asked_aside() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.say("alice", Route.SWITCH, act("set_image", WEB))
    assert talk.session.flow is not None
    assert talk.session.flow.intent == "set_image"
    talk.click("alice", "take_up:1", token="")
    assert talk.session.flow.intent == "scale"
    assert [flow.intent for flow in talk.session.parked] == ["set_image"]
    assert "How many replicas" in newest(talk).text()


def test_two_flows_that_want_the_same_slot_keep_their_own() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("set_image", WEB, image="reg/web:2"))
    talk.say("alice", Route.SWITCH, act("rollback", WEB, revision=3))
    talk.say("alice", Route.SWITCH, act("scale", WEB))
    slots = {flow.intent: flow.slots for flow in talk.session.parked}
    assert slots == {"set_image": {"image": "reg/web:2"}, "rollback": {"revision": 3}}


def test_the_second_of_two_that_lack_something_waits_for_the_first() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), act("set_image", API, start=9))
    assert "After that: set the image of api" in newest(talk).text()
    assert [flow.intent for flow in talk.session.queued] == ["set_image"]
    talk.say("alice", Route.PROVIDE, given(replicas=FIVE))
    assert prepares(talk) == [("scale", "web")]
    talk.prepared()
    assert talk.session.flow is None, "a question beside the plan would keep words from confirming it"
    run(talk)
    assert not talk.session.archived
    assert talk.session.flow is not None
    assert (talk.session.flow.intent, talk.session.flow.entity) == ("set_image", API)
    assert "Which image" in newest(talk).text()


def test_and_begins_when_the_first_cannot_be_had() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), act("set_image", API, start=9))
    for _ in range(3):
        talk.say("alice", Route.CHAT, text="abc")
    assert talk.session.flow is not None
    assert talk.session.flow.intent == "set_image"
    assert [flow.intent for flow in talk.session.parked] == ["scale"]
    assert talk.session.queued == ()


def test_cancel_calls_it_off_and_offers_it() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), act("set_image", API, start=9))
    talk.say("alice", Route.CANCEL)
    assert (talk.session.flow, talk.session.queued) == (None, ())
    assert talk.state is State.FOLLOW_UP
    assert [flow.intent for flow in talk.session.parked] == ["set_image"]
    assert offered(newest(talk)) == ["take_up:2"]


def test_a_question_that_waits_is_answered_as_soon_as_nothing_is_asked() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("logs", start=0), Request("events", start=5))
    assert talk.session.flow is not None
    talk.click("alice", "service:web", token="")
    assert queries(talk) == ["logs", "events"]


def test_a_name_in_doubt_is_asked_in_its_turn() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), Request("restart", name=Name("ap", 9), start=9))
    talk.say("alice", Route.PROVIDE, given(replicas=FIVE))
    talk.prepared()
    talk.click("alice", "cancel")
    assert [flow.intent for flow in talk.session.parked] == ["restart"], "cancel is for all of the utterance"
    talk.click("alice", "take_up:2", token="")
    assert talk.session.flow is not None
    assert talk.session.flow.asked is not None
    assert talk.session.flow.asked.what == ("service",)


def test_a_plan_beside_a_question_takes_nothing_from_it() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), act("restart", API, start=9))
    assert prepares(talk) == [("restart", "api")]
    assert talk.session.flow is not None
    assert talk.session.flow.intent == "scale"
    talk.prepared()
    run(talk)
    assert not talk.session.archived
    assert talk.session.lock is None
    talk.say("alice", Route.PROVIDE, given(replicas=FIVE))
    assert prepares(talk) == [("scale", "web")]


def test_what_is_left_out_is_named_with_its_service_and_put_aside() -> None:
    talk = Talk()
    wanted = (
        act("restart", WEB, start=0),
        Request("scale", slots={"replicas": FIVE}, start=9, pronoun=True),
        act("restart", API, start=20),
        Request("logs", pronoun=True, start=30),
    )
    decision = talk.say("alice", Route.ACT, *wanted)
    said = "\n".join(card.text() for _, card in decision.cards)
    assert "left out: restart api, logs api" in said
    assert prepares(talk) == [("restart", "web"), ("scale", "web")]
    assert [(flow.intent, flow.entity) for flow in talk.session.parked] == [("restart", API)]


def test_leaving_for_another_service_puts_all_of_it_aside() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), act("set_image", API, start=9))
    talk.event(Left(user=user("alice")))
    assert [flow.intent for flow in talk.session.parked] == ["scale", "set_image"]
    assert (talk.session.flow, talk.session.queued) == (None, ())


def test_what_waits_for_a_plan_that_nobody_decides_is_put_aside() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), act("set_image", API, start=9))
    talk.say("alice", Route.PROVIDE, given(replicas=FIVE))
    talk.prepared()
    decision = talk.timer(3600)
    assert talk.session.archived
    assert decision.summary is not None
    assert [flow.intent for flow in decision.summary.parked] == ["set_image"]


def test_what_begins_by_itself_is_for_whoever_asked_for_it() -> None:
    talk = Talk()
    talk.say(
        "alice", Route.ACT, act("scale", WEB, start=0), act("restart", API, start=9, replicas=Quantity("unclear", 2))
    )
    assert [flow.intent for flow in talk.session.queued] == ["restart"]
    talk.say("alice", Route.PROVIDE, given(replicas=FIVE))
    talk.prepared()
    talk.click("bob", "confirm")
    talk.judged()
    talk.executed()
    assert talk.session.flow is not None
    assert talk.session.flow.requester == user("alice")


def test_the_plan_names_who_asked_for_it_whoever_gave_the_last_word() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.say("bob", Route.PROVIDE, given(replicas=FIVE))
    asked = next(effect for effect in talk.work if isinstance(effect, Prepare))
    assert (asked.user, asked.name) == (user("alice"), "alice")


def test_an_answer_is_no_turning_away_from_the_plan_that_was_asked_for_in_the_same_breath() -> None:
    talk = Talk()
    doubt = Name("ap", 9, closest=(Service(entity=API),))
    talk.say("alice", Route.ACT, act("scale", WEB, start=0, replicas=FIVE), Request("restart", name=doubt, start=9))
    talk.prepared()
    talk.click("alice", "service:api", token="")
    assert prepares(talk) == [("restart", "api")]
    assert [pending.action for pending in talk.session.pending] == ["scale", "restart"]
    assert talk.session.lock is not None
    assert talk.session.lock.entity == WEB


def test_an_answer_to_a_later_question_is_one() -> None:
    talk = Talk()
    talk.plan(replicas=5)
    talk.say("alice", Route.SWITCH, Request("restart", name=Name("ap", 9, closest=(Service(entity=API),))))
    talk.work.clear()
    talk.click("alice", "service:api", token="")
    assert [pending.action for pending in talk.session.pending] == ["restart"]
    assert talk.session.lock is not None
    assert talk.session.lock.entity == API


@pytest.mark.parametrize(
    ("text", "intent"), [("back to it", "scale"), ("继续刚才的", "scale"), ("continue", "set_image")]
)
def test_in_the_middle_of_another_order_the_words_must_say_that_they_mean_the_earlier(text: str, intent: str) -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.say("alice", Route.SWITCH, act("set_image", WEB))
    talk.say("alice", Route.CHAT, text=text)
    assert talk.session.flow is not None
    assert talk.session.flow.intent == intent


def test_a_button_of_before_flows_had_numbers_is_of_the_question_that_is_open() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("unclear", 5)))
    talk.click("alice", "choose:5", token="", value="5")
    assert prepares(talk) == [("scale", "web")]


def test_the_same_order_is_kept_once_and_not_offered_beside_itself() -> None:
    talk = switched()
    talk.say("alice", Route.SWITCH, act("scale", replicas=Quantity("to", 7)))
    assert [flow.intent for flow in talk.session.parked] == ["restart"], "the scaling is under way again"
    talk.prepared()
    talk.say("alice", Route.SWITCH, act("restart"))
    assert [(flow.intent, flow.slots.get("replicas")) for flow in talk.session.parked] == [("scale", Quantity("to", 7))]


def given_up() -> Talk:
    """A restart of nobody knows what was given up; its choices are on the card."""
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart"))
    for _ in range(3):
        talk.say("alice", Route.CHAT, text="abc")
    return talk


def test_a_choice_of_what_was_given_up_puts_what_is_asked_now_aside() -> None:
    talk = given_up()
    choice = newest(talk).buttons[0]
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.click("alice", choice.id, token="", value=choice.value)
    assert prepares(talk) == [("restart", "web")]
    assert [flow.intent for flow in talk.session.parked] == ["scale"]


def test_what_was_given_up_is_asked_anew_when_it_is_taken_up_without_a_choice() -> None:
    talk = given_up()
    talk.click("bob", "take_up:1", token="")
    assert talk.session.flow is not None
    assert (talk.session.flow.requester, talk.session.flow.tries) == (user("bob"), 0)
    assert [button.id for button in newest(talk).buttons] == ["service:web", "service:api", "cancel"]


def test_a_question_that_waited_is_let_go_with_the_order_before_it() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", start=0), Request("logs", start=9))
    assert [flow.intent for flow in talk.session.queued] == ["logs"]
    talk.say("alice", Route.CANCEL)
    assert (talk.session.queued, talk.session.parked) == ((), ())


def test_a_name_in_doubt_that_waited_is_asked_after_the_plan_before_it() -> None:
    talk = Talk()
    doubt = Name("ap", 9, closest=(Service(entity=API),))
    talk.say("alice", Route.ACT, act("scale", WEB, start=0), Request("restart", name=doubt, start=9))
    talk.say("alice", Route.PROVIDE, given(replicas=FIVE))
    talk.prepared()
    assert talk.session.flow is None
    run(talk)
    assert talk.session.flow is not None
    assert [button.id for button in newest(talk).buttons] == ["service:api", "cancel"]
