"""What is missing is asked for in one question, each value checked by code; after three tries nothing is asked any more."""

from __future__ import annotations

import pytest

from chatops_bot.domain.cards import Card
from chatops_bot.domain.effects import Prepare, Query
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import Prepared
from chatops_bot.domain.intents import Name, Quantity, Request, Route, SlotValue, State
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.say import say
from tests.unit.domain.dialogue.talk import WEB, Talk, act, named

NODES = tuple(Entity("east", "", "Node", f"node-{n}", f"node-{n}", environment="prod") for n in range(1, 8))


def prepares(talk: Talk) -> list[tuple[str, str]]:
    return [(effect.action, effect.entity.name) for effect in talk.work if isinstance(effect, Prepare)]


def newest(talk: Talk) -> Card:
    return talk.cards[f"c{talk.session.cards}"]


def buttons(talk: Talk) -> list[str]:
    return [button.id for button in newest(talk).buttons]


def given(**slots: SlotValue) -> Request:
    return Request(intent="", slots=slots)


def asked() -> Talk:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale", WEB))
    return talk


def nonsense(talk: Talk, times: int = 1, who: str = "alice") -> None:
    for _ in range(times):
        talk.say(who, Route.CHAT, text="abc")


def test_all_that_is_missing_is_asked_in_one_question() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale"))
    flow = talk.session.flow
    assert flow is not None
    assert flow.asked is not None
    assert flow.asked.what == ("service", "replicas")
    assert "Still needed: replicas" in newest(talk).text()
    talk.say("alice", Route.PROVIDE, Request("", slots={"replicas": Quantity("to", 4)}, name=named(WEB)))
    assert prepares(talk) == [("scale", "web")]


def test_an_answer_to_one_of_two_leaves_the_other_asked() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale"))
    talk.say("alice", Route.PROVIDE, given(replicas=Quantity("to", 4)))
    assert talk.session.flow is not None
    assert talk.session.flow.tries == 0
    assert talk.session.flow.slots == {"replicas": Quantity("to", 4)}
    assert buttons(talk) == ["service:web", "service:api", "cancel"]
    talk.click("alice", "service:api", token="")
    assert prepares(talk) == [("scale", "api")]


def test_the_third_try_is_the_last_one_and_the_order_is_put_aside() -> None:
    talk = asked()
    nonsense(talk, 2)
    assert talk.session.flow is not None
    nonsense(talk)
    assert talk.state is State.FOLLOW_UP
    assert [flow.intent for flow in talk.session.parked] == ["scale"]
    assert "could not make out the replicas" in newest(talk).text()
    assert buttons(talk) == ["take_up:1", "hand_off"]


@pytest.mark.parametrize(("value", "why"), [(-3, "negative"), (2.5, "2.5")])
def test_what_can_never_be_right_is_a_try(value: float, why: str) -> None:
    talk = asked()
    for _ in range(3):
        talk.say("alice", Route.PROVIDE, given(replicas=Quantity("to", value)))
    assert talk.session.flow is None
    assert prepares(talk) == []
    assert why in newest(talk).text(), "why the last one was none"


def test_an_unknown_name_is_a_try_and_the_second_shows_what_there_is() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, Request("restart", name=Name("zzz", 0)))
    assert buttons(talk) == ["cancel"]
    talk.say("alice", Route.PROVIDE, Request("", name=Name("yyy", 0)))
    assert buttons(talk) == ["cancel"]
    talk.say("alice", Route.PROVIDE, Request("", name=Name("xxx", 0)))
    assert buttons(talk) == ["service:web", "service:api", "cancel"]
    talk.say("alice", Route.PROVIDE, Request("", name=Name("www", 0)))
    assert buttons(talk) == ["service:web", "service:api", "take_up:1", "hand_off"]
    talk.click("bob", "service:api", token="", value=newest(talk).buttons[1].value)
    assert prepares(talk) == [("restart", "api")]
    assert talk.session.parked == ()
    assert talk.session.pending[0].requester.key.endswith("bob"), "whoever takes it up asks for it"


def test_a_value_that_does_not_fit_what_is_there_is_a_try_of_its_question() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("rollback", WEB, revision=99))
    for number in range(4):
        flow_before = talk.session.flow
        effect = talk.take(Prepare)
        unknown = say("rollback.unknown_revision", name="web", revision=99, revisions="1, 2")
        talk.event(Prepared(effect=effect.id, problem=unknown, ask=("revision",), choices=("1", "2")))
        assert flow_before is None
        if number < 3:
            assert buttons(talk) == ["choose:1", "choose:2", "cancel"]
            talk.say("alice", Route.PROVIDE, given(revision=98))
    assert talk.session.flow is None
    assert buttons(talk) == ["choose:1", "choose:2", "take_up:4", "hand_off"]


def test_a_digression_is_no_try() -> None:
    talk = asked()
    nonsense(talk, 2)
    for _ in range(3):
        talk.say("alice", Route.ASK, Request("logs"))
        talk.say("alice", Route.ASK, Request("plan"))
    assert talk.state is State.COLLECTING
    assert talk.session.flow is not None
    assert talk.session.flow.tries == 2


def test_what_others_say_to_the_bot_is_no_try() -> None:
    talk = asked()
    nonsense(talk, 4, who="bob")
    assert talk.state is State.COLLECTING


def test_a_valid_answer_begins_to_count_anew() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("set_autoscaler", WEB))
    nonsense(talk, 2)
    talk.say("alice", Route.PROVIDE, given(min=9, max=3))
    assert talk.session.flow is None, "crossed bounds are the third"
    talk = Talk()
    talk.say("alice", Route.ACT, act("scale"))
    nonsense(talk, 2)
    talk.click("alice", "service:web", token="")
    assert talk.session.flow is not None
    assert talk.session.flow.tries == 0
    nonsense(talk, 2)
    assert talk.state is State.COLLECTING


def test_a_choice_is_for_the_question_that_it_stands_below() -> None:
    talk = Talk()
    talk.say("alice", Route.ACT, act("restart"))
    old = newest(talk).buttons[0]
    assert old.id == "service:web"
    talk.say("alice", Route.CANCEL)
    talk.say("alice", Route.ACT, act("scale"))
    decision = talk.click("alice", "service:web", token="", value=old.value)
    assert prepares(talk) == []
    assert talk.session.flow is not None
    assert talk.session.flow.entity is None
    assert any(record.kind == "refusal" for record in decision.audit)


def test_values_of_questions_are_checked_too() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("logs", WEB, tail=0))
    assert talk.state is State.COLLECTING
    assert "How many of the last lines" in newest(talk).text()
    talk.say("alice", Route.PROVIDE, given(tail=50))
    assert [effect.slots for effect in talk.work if isinstance(effect, Query)] == [{"tail": 50}]


def test_a_question_in_the_middle_of_an_order_never_pushes_it_away() -> None:
    talk = asked()
    talk.say("alice", Route.ASK, act("logs", tail=0))
    assert talk.session.flow is not None
    assert talk.session.flow.intent == "scale"
    assert "at least 1" in newest(talk).text()
    assert "How many replicas" in newest(talk).text()
    talk.say("alice", Route.ASK, Request("logs", name=Name("zzz", 0)))
    assert talk.session.flow.intent == "scale"


def with_nodes(count: int) -> Talk:
    talk = Talk()
    nodes = {node.name: (Service(entity=node),) for node in NODES[:count]}
    talk.world = type(talk.world)(
        catalog=talk.world.catalog, policy=talk.world.policy, timing=talk.world.timing, nodes=nodes
    )
    return talk


def test_a_node_is_asked_for_beside_the_service_that_is_talked_about() -> None:
    talk = with_nodes(3)
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("alice", Route.ACT, act("drain"))
    assert buttons(talk) == ["service:node-1", "service:node-2", "service:node-3", "cancel"]
    talk.click("alice", "service:node-2", token="")
    assert prepares(talk) == [("drain", "node-2")]
    assert talk.session.lock is not None
    assert talk.session.lock.entity == WEB
    talk.say("alice", Route.CANCEL)
    talk.say("alice", Route.ACT, Request("restart", pronoun=True))
    assert prepares(talk)[-1] == ("restart", "web")


def test_an_order_for_it_is_never_one_for_another_kind() -> None:
    talk = with_nodes(3)
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.say("alice", Route.ACT, Request("drain", pronoun=True))
    assert prepares(talk) == []
    assert "Refused" in newest(talk).text()


def test_of_many_nodes_some_are_offered_and_the_others_counted() -> None:
    talk = with_nodes(7)
    talk.say("alice", Route.ACT, act("cordon"))
    assert len(buttons(talk)) == 6
    assert "More: 2" in newest(talk).text()


def test_a_word_that_must_be_said_outright_stands_on_its_button() -> None:
    talk = with_nodes(3)
    talk.say("alice", Route.ACT, Request("drain", name=named(NODES[0])))
    effect = talk.take(Prepare)
    lost = say("drain.needs_force", count=1, pods="bare")
    talk.event(Prepared(effect=effect.id, problem=lost, ask=("force",), choices=("force",)))
    first = newest(talk).buttons[0]
    assert (first.id, first.label) == ("choose:force", "Force")
    talk.click("alice", "choose:force", token="", value=newest(talk).buttons[0].value)
    assert [effect.slots for effect in talk.work if isinstance(effect, Prepare)] == [{"force": "force"}]


def test_what_is_declined_is_not_asked_for() -> None:
    talk = Talk(policy=Policy())
    talk.say("alice", Route.ACT, act("scale", WEB))
    assert talk.session.flow is None
    assert "Refused" in newest(talk).text()


def test_values_of_what_needs_no_service_are_checked_too() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("overview", slots={"namespace": "a b"}))
    assert not talk.work
    assert "can be no name" in newest(talk).text()


def test_who_asks_for_something_is_helped_by_that() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, Request("help"), act("logs", WEB, start=9))
    assert [effect.intent for effect in talk.work if isinstance(effect, Query)] == ["logs"]


def test_choices_that_are_always_the_same_are_offered_at_once() -> None:
    talk = Talk()
    talk.say("alice", Route.QUERY, act("status", WEB, part="half"))
    assert buttons(talk) == ["choose:dependents", "cancel"]


def test_an_order_that_is_said_again_is_the_answer_it_gives() -> None:
    talk = asked()
    talk.say("alice", Route.PROVIDE, given())
    assert talk.session.flow is not None
    assert talk.session.flow.tries == 1


FREEZE = {"name": "week", "starts": "0 0 * * MON", "ends": "0 0 * * SAT", "override": ["leads"]}


def test_the_reason_that_a_freeze_wants_is_asked_for_like_anything_else() -> None:
    frozen = parse({"groups": {"leads": ["alice"]}, "rules": [{"confirm": ["*"]}], "freezes": [FREEZE]})
    talk = Talk(policy=frozen)
    talk.say("alice", Route.ACT, act("restart", WEB))
    nonsense(talk, 3)
    assert "could not make out the reason" in newest(talk).text()
    talk.click("alice", "take_up:1", token="")
    talk.say("alice", Route.PROVIDE, given(reason="it burns"))
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    assert (effect.action, effect.reason) == ("restart", "it burns")
    talk = Talk(policy=frozen)
    talk.say("alice", Route.QUERY, act("status", WEB))
    talk.click("alice", "undo", token="t-1", value=f"scale {WEB.key}")
    assert talk.session.flow is not None
    assert talk.session.flow.undo_of == "t-1"
    talk.say("alice", Route.PROVIDE, given(reason="it burns"))
    effect = talk.take(Prepare)
    assert isinstance(effect, Prepare)
    assert effect.undo_of == "t-1", "nothing but the reason is asked for"


def test_who_nobody_can_override_is_not_asked_why() -> None:
    closed = parse({"rules": [{"confirm": ["*"]}], "freezes": [{**FREEZE, "override": []}]})
    talk = Talk(policy=closed)
    talk.say("alice", Route.ACT, act("scale", WEB))
    assert talk.session.flow is None
    assert prepares(talk) == []
