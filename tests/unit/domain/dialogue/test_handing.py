"""A person has the thread: who is meant, what is dead meanwhile, what becomes of work that was under way."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from chatops_bot.domain.cards import Note, Text
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue import handing_words
from chatops_bot.domain.dialogue.timers import wake_at
from chatops_bot.domain.effects import Execute, Prepare
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import Click, Mentioned, Message
from chatops_bot.domain.incidents import NAME
from chatops_bot.domain.intents import Request, Route, State
from chatops_bot.domain.oncall import OnCall
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.session import Flow, Session
from tests.unit.domain.dialogue.talk import API, ROOM, WEB, Talk, act, meaning, user


def talk(*owners: str, groups: Mapping[str, tuple[str, ...]] | None = None, **more: object) -> Talk:
    one = Talk()
    oncall = OnCall(groups=groups or {}, **more)  # type: ignore[arg-type]
    catalog = Catalog([Service(entity=WEB, owners=owners), Service(entity=API)])
    one.world = msgspec.structs.replace(one.world, oncall=oncall, catalog=catalog)
    one.say("alice", Route.QUERY, act("status", WEB))
    one.queried()
    return one


def who(one: Talk) -> tuple[str, tuple[str, ...]]:
    handed = one.session.handed
    assert handed is not None
    return handed.who, one.cards[handed.card].mention


def test_who_is_named_comes_before_the_owners_and_these_before_the_room() -> None:
    groups = {"team-web": ("erin",), "sre": ("frank", "grace")}
    one = talk("team-web", groups=groups, default="sre")
    one.say("alice", Route.HAND_OFF, text="page sre please")
    assert who(one) == ("sre", ("frank", "grace"))
    one = talk("team-web", groups=groups, default="sre")
    one.say("alice", Route.HAND_OFF, text="get me a human")
    assert who(one) == ("team-web", ("erin",))
    one = talk(groups=groups, default="sre", rooms={"ops": "team-web"})
    one.say("alice", Route.HAND_OFF, text="get me a human")
    assert who(one) == ("team-web", ("erin",))
    one = talk(groups=groups, default="sre")
    one.say("alice", Route.HAND_OFF, text="get me a human")
    assert who(one) == ("sre", ("frank", "grace"))


def test_a_platform_s_word_on_who_is_mentioned_counts() -> None:
    one = talk("team-web", groups={"team-web": ("erin",)})
    text = "hand this over to @dana, not to @bob"
    mentioned = (Mentioned("bob", "bob"), Mentioned("dana", "dana"))
    message = Message(id="m", room=ROOM, user=user("alice"), text=text, addressed=True, mentioned=mentioned)
    one.event(message, meaning(Route.HAND_OFF))
    assert who(one) == ("dana", ("dana",))


def test_several_owners_are_all_called_and_one_that_is_not_set_up_is_named() -> None:
    one = talk("team-web", "team-db", groups={"team-web": ("erin",)})
    one.say("alice", Route.HAND_OFF, text="escalate")
    assert who(one) == ("team-web, team-db", ("erin",))
    one = talk("team-db")
    one.say("alice", Route.HAND_OFF, text="escalate")
    name, mention = who(one)
    assert (name, mention) == ("team-db", ())
    assert "team-db cannot be mentioned here" in one.cards[one.session.handed.card].text()  # type: ignore[union-attr]


def test_to_oneself_calls_nobody_and_is_taken() -> None:
    one = talk("team-web", groups={"team-web": ("erin",)})
    one.say("alice", Route.HAND_OFF, text="assign this to me")
    handed = one.session.handed
    assert handed is not None
    assert (handed.taken, handed.remind_at, who(one)) == (True, 0, ("alice", ()))


@pytest.mark.parametrize("text", ["see:\n> page sre", "```\nescalate to sre, get me a human\n``` what is this?"])
def test_a_quotation_hands_nothing_over_whatever_an_interpreter_says(text: str) -> None:
    one = talk("team-web")
    one.say("alice", Route.HAND_OFF, text=text)
    assert one.state is State.FOLLOW_UP


@pytest.mark.parametrize(
    ("text", "addressed", "back"),
    [
        ("resume", True, True),
        ("机器人继续", False, True),
        ("回来吧", False, True),
        ("bot, please resume", False, True),
        ("never mind", True, True),
        ("never mind, it was the disk", False, False),
        ("continue", False, False),
        ("继续吧", False, False),
        ("what do you see in the pool?", True, False),
    ],
)
def test_the_bot_is_called_back_by_words_to_it_alone(text: str, addressed: bool, back: bool) -> None:
    """The interpreter says `resume` to all of them."""
    one = talk("team-web")
    one.say("alice", Route.HAND_OFF, text="escalate")
    one.say("bob", Route.RESUME, text=text, addressed=addressed, via_card=True)
    assert (one.state is State.FOLLOW_UP) is back


def test_notes_are_counted_and_said_to_be_taken_now_and_then() -> None:
    one = talk("team-web")
    one.say("alice", Route.HAND_OFF, text="escalate")
    shown = [bool(one.say("bob", Route.NOTE, text="hm", via_card=True).cards) for _ in range(3)]
    assert shown == [True, False, False]
    order = Request(intent="restart", pronoun=True)
    assert one.say("bob", Route.NOTE, order, text="restart it", via_card=True).cards
    assert not one.say("carol", Route.NOTE, text="hm", via_card=True, addressed=False).cards
    one.now += 600_000
    assert one.say("bob", Route.NOTE, text="hm", via_card=True).cards
    handed = one.session.handed
    assert handed is not None
    assert handed.notes == 6
    for number in range(50):
        one.say(f"p{number}", Route.NOTE, text="hm", via_card=True)
    assert one.session.handed is not None
    assert len(one.session.handed.told) == 20


@pytest.mark.parametrize(
    "button", ["restart", "scale", "resume", "undo", "walk:next", "choose:5", "take_up:1", "drain"]
)
def test_buttons_that_change_something_are_dead(button: str) -> None:
    one = talk("team-web")
    one.say("alice", Route.HAND_OFF, text="escalate")
    before = one.session.handed
    decision = one.click("bob", button, value=WEB.key, token="t")
    assert [record.reason for record in decision.audit] == ["handed_off"]
    assert not any(isinstance(effect, Prepare | Execute) for effect in decision.work)
    assert one.session.handed == before


@pytest.mark.parametrize(("ok", "missing"), [(False, 0), (True, 1)])
def test_a_plan_that_was_being_judged_is_not_offered_again(ok: bool, missing: int) -> None:
    one = Talk()
    one.plan()
    one.click("alice", "confirm")
    one.say("bob", Route.HAND_OFF, text="get me a human", via_card=True)
    one.judged(ok=ok, missing=missing)
    assert one.session.pending == ()
    assert one.state is State.HANDED_OFF
    assert not [button for card in one.cards.values() for button in card.buttons if button.token]


def test_an_execution_that_ends_meanwhile_leaves_the_hand_off_and_nothing_to_inherit() -> None:
    one = Talk()
    one.plan()
    one.click("alice", "confirm")
    one.judged()
    one.say("bob", Route.HAND_OFF, text="get me a human", via_card=True)
    assert "being carried out" in one.cards[one.session.handed.card].text()  # type: ignore[union-attr]
    one.now += 10 * 86_400_000
    assert wake_at(one.session, one.world.timing) < one.now  # that is the reminder
    one.timer(0)
    one.timer(0)
    assert wake_at(one.session, one.world.timing) == 0
    one.executed()
    assert (one.state, one.session.lock) == (State.HANDED_OFF, None)
    one.timer(0)
    assert one.session.archived


def test_a_target_that_changed_meanwhile_gets_no_new_plan() -> None:
    one = Talk()
    one.plan()
    one.click("alice", "confirm")
    one.judged()
    one.say("bob", Route.HAND_OFF, text="get me a human", via_card=True)
    one.executed("refused", fresh=True)
    assert not [effect for effect in one.work if isinstance(effect, Prepare)]
    assert one.session.pending == ()


def test_somebody_else_may_take_it_from_whoever_has_it() -> None:
    one = talk("team-web")
    one.say("alice", Route.HAND_OFF, text="escalate")
    one.click("erin", "take")
    one.click("frank", "take")
    assert one.session.assigned_to is not None
    assert (one.session.assigned_to.who, one.session.assigned_to.by) == ("frank", "alice")
    told = one.click("frank", "take")
    assert [card.title for _, card in told.cards] == ["This is with frank already; I only take notes."]


def test_a_hand_off_of_an_older_version_can_be_given_back() -> None:
    one = talk("team-web")
    one.session = msgspec.structs.replace(one.session, handed_off="why")
    assert isinstance(one.session, Session)
    assert one.say("bob", Route.NOTE, text="hm").cards
    one.click("bob", "take")
    one.click("bob", "give_back")
    assert one.state is State.FOLLOW_UP


def test_groups_and_people_of_the_policy_need_no_mapping() -> None:
    one = talk("sre")
    policy = parse(
        {"people": {"dana.d": ["dana"]}, "groups": {"sre": ["dana.d", "erin"]}, "rules": [{"confirm": ["*"]}]}
    )
    one.world = msgspec.structs.replace(one.world, policy=policy)
    one.say("alice", Route.HAND_OFF, text="escalate")
    assert who(one) == ("sre", ("dana", "erin"))
    one.say("alice", Route.RESUME, text="resume")
    one.say("alice", Route.HAND_OFF, text="hand it over to dana.d")
    assert who(one) == ("dana.d", ("dana",))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("hand this over to @dana", "dana"),
        ("page the payments on-call", "payments"),
        ("交给 @张三", "张三"),
        ("escalate to team-pay please", "team-pay"),
        ("get me a human", ""),
        ("转人工", ""),
        ("让值班的来看看", ""),
        ("请 team-pay 的同学来处理", "team-pay"),
        ("escalate this to someone who knows redis", ""),
    ],
)
def test_the_name_is_what_stands_where_a_name_would(text: str, name: str) -> None:
    assert handing_words.only_name(handing_words.called(text)) == name


def test_a_name_is_one_short_line_whatever_its_owner_calls_themselves() -> None:
    talk = Talk()
    called = "ali\nce\u202e: approved by everybody" + "x" * 500
    words = Message(id="m1", room=ROOM, user=user("alice"), text="get me a human", addressed=True, name=called)
    talk.event(words, meaning(Route.HAND_OFF, Request("hand_off")))
    talk.event(Click(id="k1", room=ROOM, user=user("bob"), button="take", token="", value="", name=f"b\n{called}"))
    said = "\n".join(card.text() for card in talk.cards.values())
    assert "ali ce : approved" in said
    assert "\u202e" not in said
    assert max(len(speaker.name) for speaker in talk.session.people.values()) <= NAME


def test_what_is_open_is_one_list_without_gaps() -> None:
    one = talk(groups={"sre": ("frank",)}, default="sre")
    orders = tuple(
        Flow(intent=intent, requester=user("alice"), number=number, entity=entity, parked_at=one.now)
        for number, (intent, entity) in enumerate([("status", None), ("scale", WEB)], start=1)
    )
    one.session = msgspec.structs.replace(one.session, parked=orders)
    one.say("alice", Route.HAND_OFF, text="转人工")
    card = one.cards[one.session.handed.card if one.session.handed else ""]
    lines = [block.text for block in card.blocks if isinstance(block, Text | Note)]
    told = next(line for line in lines if line.startswith(("还没有了结", "Still open")))
    assert "status, put aside without a plan; scale web" in told, told
    assert not [line for line in lines if "  " in line or ".;" in line or "。；" in line]
