"""Collecting, changing, asking in between, leaving: what is kept and what is void."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.effects import Prepare, Query, Void
from chatops_bot.domain.events import Click, Left, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Name, Quantity, Request, Route, SlotValue, State
from chatops_bot.domain.policy import Policy
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, meaning, named, user


def prepares(talk: Talk) -> list[dict[str, SlotValue]]:
    return [effect.slots for effect in talk.work if isinstance(effect, Prepare)]


def newest(talk: Talk) -> list[str]:
    card = talk.cards[max(talk.cards, key=lambda card: int(card[1:]))]
    return [button.id for button in card.buttons]


def test_a_scale_without_a_number_asks_for_it() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    assert talk.state is State.COLLECTING
    assert prepares(talk) == []
    talk.say("alice", Route.PROVIDE, Request(intent="", slots={"replicas": Quantity("to", 4)}))
    assert prepares(talk) == [{"replicas": Quantity("to", 4)}]


def test_to_or_by_is_asked_with_both_as_buttons() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("unclear", 5)))
    assert prepares(talk) == []
    assert newest(talk) == ["choose:5", "choose:+5", "cancel"]
    talk.click("alice", "choose:+5", token="")
    assert prepares(talk) == [{"replicas": Quantity("by", 5)}]


def test_down_by_a_number_never_offers_more() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("unclear", -2)))
    assert newest(talk) == ["choose:2", "choose:-2", "cancel"]
    talk.click("alice", "choose:-2", token="")
    assert prepares(talk) == [{"replicas": Quantity("by", -2)}]


def test_negative_and_fractional_numbers_are_refused_before_anything_is_read() -> None:
    for value in (-3.0, 2.5):
        talk = Talk()
        talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", value)))
        assert prepares(talk) == []
        assert talk.state is State.COLLECTING


def test_a_number_from_somebody_else_unaddressed_is_no_answer() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    four = Request(intent="", slots={"replicas": Quantity("to", 4)})
    decision = talk.say("bob", Route.PROVIDE, four, addressed=False)
    assert decision.ignored
    decision = talk.say("alice", Route.PROVIDE, four, addressed=False)
    assert not decision.ignored
    assert prepares(talk) == [{"replicas": Quantity("to", 4)}]


def test_modify_keeps_what_was_collected() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("to", 5), reason="load"))
    talk.prepared()
    talk.work.clear()
    decision = talk.say("alice", Route.MODIFY, Request(intent="", slots={"replicas": Quantity("to", 3)}))
    assert prepares(talk) == [{"replicas": Quantity("to", 3), "reason": "load"}]
    assert talk.session.lock is not None
    assert talk.session.lock.entity == WEB
    assert any(isinstance(effect, Void) for effect in decision.work)


def test_two_more_after_a_plan_is_computed_from_the_plan() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB, replicas=Quantity("by", 2)))
    talk.prepared(replicas=4)
    talk.work.clear()
    talk.say("alice", Route.MODIFY, Request(intent="", slots={"replicas": Quantity("by", 2)}))
    assert prepares(talk) == [{"replicas": Quantity("to", 6)}]


def test_a_question_in_between_is_answered_and_the_flow_stays_untouched() -> None:
    talk = Talk()
    token = talk.plan()
    before = talk.session.pending
    talk.say("alice", Route.ASK, Request(intent="logs"))
    assert [e.intent for e in talk.work if isinstance(e, Query)] == ["logs"]
    talk.queried()
    assert talk.state is State.CONFIRMING
    assert [p.token for p in talk.session.pending] == [token]
    assert [p.plan for p in talk.session.pending] == [p.plan for p in before]
    assert "confirm" in newest(talk), "its prompt is repeated below the answer"


def test_what_cannot_be_answered_is_said_and_the_prompt_is_repeated() -> None:
    talk = Talk()
    talk.plan()
    talk.say("alice", Route.ASK)
    assert "confirm" in newest(talk)
    assert "cannot" in talk.cards[max(talk.cards, key=lambda card: int(card[1:]))].text()


def test_switch_voids_the_plan_and_shows_the_new_one() -> None:
    talk = Talk()
    old = talk.plan()
    decision = talk.say("alice", Route.SWITCH, Request(intent="restart", pronoun=True))
    assert [effect.token for effect in decision.work if isinstance(effect, Void)] == [old]
    talk.prepared()
    assert talk.token != old
    assert [parked.intent for parked in talk.session.parked] == ["scale"]


def test_an_order_in_the_middle_of_a_flow_is_a_switch_whatever_the_interpreter_calls_it() -> None:
    talk = Talk()
    old = talk.plan()
    talk.say("alice", Route.ACT, Request(intent="restart", pronoun=True))
    assert old not in [pending.token for pending in talk.session.pending]


def test_cancel_ends_a_question_too() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    talk.say("alice", Route.CANCEL)
    assert talk.session.flow is None
    assert talk.state is State.FOLLOW_UP


def test_cancel_while_executing_explains_and_stops_nothing() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.judged()
    talk.say("alice", Route.CANCEL)
    assert talk.state is State.EXECUTING
    assert "cannot be taken back" in talk.cards[max(talk.cards, key=lambda card: int(card[1:]))].text()


def test_unclear_shows_the_plan_again_and_drops_nothing() -> None:
    talk = Talk()
    token = talk.plan()
    talk.say("alice", Route.UNCLEAR)
    assert [p.token for p in talk.session.pending] == [token]
    assert newest(talk) == ["confirm", "cancel", "modify"]
    live = [card for card in talk.cards.values() if any(b.id == "confirm" for b in card.buttons)]
    assert len(live) == 1, "only the newest view of the plan can be clicked"


def test_the_dangerous_one_of_two_comes_first_whatever_its_position() -> None:
    talk = Talk()
    decision = talk.say("alice", Route.ACT, act("logs", WEB, start=0), Request(intent="restart", pronoun=True, start=9))
    kinds = [type(effect).__name__ for effect in decision.work]
    assert kinds == ["Prepare", "Query"]


def test_from_the_third_on_it_is_said_what_was_left_out() -> None:
    talk = Talk()
    wanted = (act("logs", WEB, start=0), act("events", WEB, start=9), act("restart", WEB, start=20))
    decision = talk.say("alice", Route.ACT, *wanted)
    assert not any(isinstance(effect, Prepare) for effect in decision.work)
    assert "left out: restart web" in "\n".join(card.text() for _, card in decision.cards)


def test_a_plan_that_arrives_below_another_answer_is_shown_as_the_newest_card() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("logs", WEB, start=0), Request(intent="restart", pronoun=True, start=9))
    talk.queried()
    talk.prepared()
    assert "confirm" in newest(talk)


def test_a_plan_expires_by_its_timer_and_its_buttons_die() -> None:
    talk = Talk()
    token = talk.plan()
    talk.timer(899)
    assert talk.state is State.CONFIRMING
    talk.timer(1)
    assert talk.session.pending == ()
    talk.click("alice", "confirm", token=token)
    assert "expired" in talk.cards[max(talk.cards, key=lambda card: int(card[1:]))].text()


def test_a_timer_in_the_middle_of_the_confirmation_changes_nothing() -> None:
    talk = Talk()
    talk.plan()
    talk.click("alice", "confirm")
    talk.timer(900)
    assert [pending.phase for pending in talk.session.pending] == ["judging"]


def test_an_idle_session_is_archived_and_its_pointer_cleared() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.timer(599)
    assert talk.state is State.FOLLOW_UP
    decision = talk.timer(1)
    assert talk.session.state is State.ARCHIVED
    assert decision.release == ("alice",)
    assert decision.summary is not None
    assert decision.summary.entity == WEB


def test_leaving_for_another_service_voids_the_plan() -> None:
    talk = Talk()
    old = talk.plan()
    decision = talk.event(Left(user=user("alice")))
    assert talk.session.pending == ()
    assert [effect.token for effect in decision.work if isinstance(effect, Void)] == [old]


def test_a_fresh_answer_is_given_again_without_asking_the_cluster() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.now += 20_000
    talk.say("alice", Route.QUERY, Request(intent="status"))
    assert not any(isinstance(effect, Query) for effect in talk.work)
    assert "As of 20 s ago" in talk.cards[max(talk.cards, key=lambda card: int(card[1:]))].text()
    talk.now += 10_000
    talk.say("alice", Route.QUERY, Request(intent="status"))
    assert any(isinstance(effect, Query) for effect in talk.work)


def test_refresh_reads_anew() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    talk.say("alice", Route.REFRESH)
    assert any(isinstance(effect, Query) for effect in talk.work)


def test_handed_off_the_bot_only_takes_notes_until_resume() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("alice", Route.HAND_OFF)
    assert talk.state is State.HANDED_OFF
    order = Request(intent="restart", pronoun=True)
    assert talk.say("bob", Route.ACT, order, via_card=True, addressed=False).cards == ()
    told = talk.say("bob", Route.ACT, order, via_card=True)
    assert [card.title for _, card in told.cards] == [
        'Handed to a person: noted, nothing was done. Say "resume" to bring me back.'
    ]
    assert told.work == ()
    talk.say("alice", Route.RESUME)
    assert talk.session.state is State.FOLLOW_UP


def test_a_guest_may_do_nothing_unless_a_rule_names_them() -> None:
    talk = Talk()
    guest = User("console", "local", "gus", guest=True)
    message = Message(id="m", room=ROOM, user=guest, text="status of web", addressed=True)
    decision = talk.event(message, meaning(Route.QUERY, act("status", WEB)))
    assert decision.work == ()
    assert [record.kind for record in decision.audit] == ["refusal"]


def test_a_message_given_up_after_many_attempts_is_answered_uninterpreted() -> None:
    talk = Talk()
    message = Message(id="m", room=ROOM, user=user("alice"), text="restart web", addressed=True)
    decision = talk.event(message, None)
    assert decision.work == ()
    assert "failed several times" in decision.cards[0][1].text()


def test_without_a_policy_file_reading_works_and_writing_is_refused() -> None:
    talk = Talk(policy=Policy.closed())
    talk.say("alice", Route.QUERY, act("status", WEB))
    assert any(isinstance(effect, Query) for effect in talk.work)
    decision = talk.say("alice", Route.ACT, act("restart", WEB))
    assert not any(isinstance(effect, Prepare) for effect in talk.work)
    assert decision.audit[-1].reason == "policy"


def test_read_only_is_said_on_every_card() -> None:
    talk = Talk(read_only="maintenance")
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.queried()
    assert all("Read-only: maintenance" in card.text() for card in talk.cards.values())


def test_deciding_twice_gives_the_same() -> None:
    talk, twin = Talk(), Talk()
    for each in (talk, twin):
        each.plan()
        each.say("bob", Route.MODIFY, Request(intent="", name=named(API)))
    assert msgspec.json.encode(talk.session) == msgspec.json.encode(twin.session)
    assert talk.work == twin.work


def test_what_people_say_to_each_other_below_a_card_is_left_alone() -> None:
    talk = Talk()
    talk.plan()
    for route in (Route.CHAT, Route.DONE, Route.FEEDBACK):
        talk = Talk()
        talk.say("alice", Route.QUERY, act("status", WEB))
        talk.queried()
        decision = talk.say("bob", route, addressed=False, via_card=True)
        assert decision.cards == ()
        assert [line.key for line in talk.session.window if not line.bot] == ["alice", "bob"]


def test_what_people_write_is_kept_without_secrets() -> None:
    talk = Talk()
    talk.say("alice", Route.CHAT, text="its password=hunter2 does not work")
    assert [line.text for line in talk.session.window if not line.bot] == ["its password=*** does not work"]


def test_an_answer_belongs_to_the_platform_thread_of_its_question() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB))
    inside = Message(id="m2", room=ROOM, user=user("alice"), text="restart", addressed=True, root="1700.1")
    talk.event(inside, meaning(Route.ACT, Request(intent="restart", pronoun=True)))
    assert talk.session.roots == {"c2": "1700.1"}
    talk.say("alice", Route.ASK, Request(intent="logs"))
    assert talk.session.roots == {"c2": "1700.1"}, "what is said in the open room is answered there"


def test_a_thread_takes_nothing_from_another_room() -> None:
    talk = Talk()
    token = talk.plan()
    elsewhere = Room("console", "local", "other")
    click = Click(id="k", room=elsewhere, user=user("alice"), button="confirm", token=token)
    decision = talk.event(click)
    assert decision.work == ()
    assert decision.cards == ()
    assert decision.audit[0].reason == "foreign room"


def test_a_change_that_has_to_be_asked_about_voids_the_plan_first() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart", WEB))
    talk.prepared()
    typo = Name(text="ap", start=0, closest=named(API).matches)
    talk.say("alice", Route.MODIFY, Request(intent="", name=typo))
    assert talk.session.pending == ()
    assert talk.state is State.COLLECTING
    before = len(talk.work)
    talk.say("alice", Route.CONFIRM, affirmative=True)
    assert len(talk.work) == before


def test_words_confirm_nothing_while_a_question_is_open() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart", WEB), act("scale", API, start=9))
    talk.prepared()
    assert (talk.state, talk.session.flow is not None) == (State.CONFIRMING, True)
    decision = talk.say("alice", Route.CONFIRM, affirmative=True)
    assert decision.work == ()
    assert [record.reason for record in decision.audit] == ["refuse.asked"]
