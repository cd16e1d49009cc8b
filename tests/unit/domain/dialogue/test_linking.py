"""An incident's thread in a second room: who may link it, what is drawn where, what is refused from elsewhere."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.cards import Button, Card
from chatops_bot.domain.dialogue.turn import Decision
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Route
from chatops_bot.domain.mirrors import Linked, lane, place
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.session import Live, Summary
from tests.unit.domain.dialogue.talk import ROOM, meaning, user
from tests.unit.domain.dialogue.test_incidents import Story

SEA = Room("feishu", "t9", "oc_sea")
LINKS = {"sea": SEA, "duty": Room("feishu", "t9", "oc_duty"), "here": ROOM}


class Linking(Story):
    """A thread of an incident, where some rooms may be linked."""

    def __init__(
        self, policy: Policy | None = None, links: dict[str, Room] | None = None, *, fires: tuple[str, ...] = ()
    ) -> None:
        super().__init__(policy=policy)
        self.link_rooms(LINKS if links is None else links)
        if fires:
            self.alert(*fires)
        self.write("declare an incident: web is slow")

    def link_rooms(self, links: dict[str, Room]) -> None:
        linkable = frozenset(map(place, links.values()))
        chosen = msgspec.structs.replace(self.world.incidents, links=links, linkable=linkable)
        self.world = msgspec.structs.replace(self.world, incidents=chosen)

    def write(self, text: str, *, name: str = "alice", room: Room = ROOM, addressed: bool = True) -> Decision:
        linked = Linked(ROOM, "t1/c1") if room != ROOM else None
        message = Message(
            f"m{self.count}", room, user(name), text, addressed=addressed, name=name, linked=linked, root="r"
        )
        return self.event(message, meaning(Route.CHAT), via_card=True)


def shown(decision: Decision) -> dict[str, str]:
    return {f"{copy.room.channel} {copy.lane}": copy.card.text() for copy in decision.copies}


def test_every_card_from_the_link_on_is_drawn_there_as_well() -> None:
    story = Linking()
    linked = story.write("link this incident to sea")
    ((card, view),) = linked.cards
    assert shown(linked) == {f"oc_sea {lane(card, SEA)}": view.text()}
    assert "alice linked" in view.text()
    entry = story.records.one.entries[-1]
    assert (entry.kind, entry.user) == ("linked", user("alice").key)
    assert ("incident linked", "feishu.t9:oc_sea") in [
        (record.reason, record.parameters.get("room")) for record in linked.audit
    ]
    after = story.write("incident status")
    assert len(after.copies) == len(after.cards) == 1


def test_an_answer_stands_where_its_question_was_and_in_the_other_room_where_the_card_before_it_does() -> None:
    story = Linking()
    story.write("link it to sea")
    first = story.write("incident status", room=SEA)
    assert [copy.root for copy in first.copies] == ["r"]
    card = first.cards[-1][0]
    assert story.session.roots[card] == "r"  # the card before it stood in that thread at home
    assert story.session.roots[lane(card, SEA)] == "r"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("link the incident to nowhere", 'No room that may be linked is called "nowhere"'),
        ("link the incident to here", "is the room that this thread is in"),
        ("unlink the incident", "is linked with no other room"),
        ("unlink the incident from duty", "is linked with no other room"),
    ],
)
def test_what_cannot_be_linked_is_refused_in_words(words: str, said: str) -> None:
    story = Linking()
    decision = story.write(words)
    assert said in decision.cards[-1][1].text()
    assert decision.copies == ()
    assert story.session.mirrors == ()


def test_rooms_are_named_by_the_configuration_or_not_at_all() -> None:
    story = Linking(links={})
    assert "incidents.links" in story.write("link the incident to feishu:oc_sea").cards[-1][1].text()
    assert story.session.mirrors == ()


def test_a_room_of_another_organisation_on_the_same_platform_is_none() -> None:
    other = Room(ROOM.platform, "T9", "C9")
    story = Linking(links={"other": other})
    assert "another organisation" in story.write("link the incident to other").cards[-1][1].text()
    assert story.session.mirrors == ()


def test_three_rooms_are_the_most() -> None:
    story = Linking(links={f"r{n}": Room("feishu", "t9", f"oc_{n}") for n in range(4)})
    said = [story.write(f"link the incident to r{n}").cards[-1][1].text() for n in range(4)]
    assert "which is the most" in said[-1]
    assert len(story.session.mirrors) == 3
    again = story.write("link the incident to r1")
    assert "linked with r1 already" in again.cards[-1][1].text()


def test_a_commander_needs_the_right_of_the_other_room_to_bring_it_there() -> None:
    rules = (Rule(actions=("incident",), rooms=("oc_sea",), request=("U9",)), Rule(confirm=("*",)))
    story = Linking(Policy(rules=rules))
    assert story.records.one.commander == user("alice").key
    refused = story.write("link the incident to sea")
    assert story.session.mirrors == ()
    assert [record.reason for record in refused.audit if record.kind == "refusal"] == ["policy"]


def test_words_that_may_be_said_between_people_do_nothing_without_a_room_of_that_name() -> None:
    story = Linking()
    decision = story.write("同步到大群了", addressed=False)
    assert story.session.mirrors == ()
    assert not decision.copies


def test_once_unlinked_its_cards_there_say_so_and_its_buttons_are_gone() -> None:
    story = Linking()
    story.write("link the incident to sea")
    unlinked = story.write("unlink the incident")
    assert story.session.mirrors == ()
    assert [copy.room for copy in unlinked.copies] == [SEA]
    assert "no longer shown in this room" in unlinked.copies[0].card.text()
    assert story.records.one.entries[-1].kind == "unlinked"
    pressed = story.event(Click("p1", SEA, user("bob"), "incident:resolve", linked=Linked(ROOM, "t1/c1")))
    assert story.records.one.status == "open"
    assert not pressed.cards
    assert "no longer shown" in pressed.copies[0].card.text()
    chatter = story.write("I will look at it", name="bob", room=SEA, addressed=False)
    assert (chatter.ignored, chatter.cards, chatter.copies) == (True, (), ())


def test_a_room_that_the_configuration_no_longer_names_is_shown_nothing_and_heard_no_more() -> None:
    story = Linking()
    story.write("link the incident to sea")
    story.link_rooms({})
    assert story.write("incident status").copies == ()
    story.event(Click("p1", SEA, user("bob"), "incident:resolve", linked=Linked(ROOM, "t1/c1")))
    assert story.records.one.status == "open"
    story.link_rooms(LINKS)
    assert len(story.write("incident status").copies) == 1


def test_a_room_that_was_never_linked_is_foreign() -> None:
    story = Linking()
    decision = story.event(Click("p1", SEA, user("bob"), "incident:resolve"))
    assert (decision.ignored, decision.cards, decision.copies) == (True, (), ())
    assert [record.reason for record in decision.audit] == ["foreign room"]


def test_the_thread_that_goes_on_with_a_card_is_shown_there_as_long_as_its_incident_is() -> None:
    story = Linking()
    story.write("link the incident to sea")
    incident = story.records.one.id
    summary = Summary(thread="t0", at=0, incident=incident, mirrors=story.session.mirrors)
    next_one = Story(story.records)
    next_one.world = story.world
    message = Message("m9", SEA, user("bob"), "incident status", addressed=True, linked=Linked(ROOM, "t0/c1"))
    decision = next_one.event(message, meaning(Route.CHAT), via_card=True, beside=summary)
    assert len(decision.copies) == len(decision.cards) == 1
    other = Story()
    other.world = story.world
    refused = other.event(message, meaning(Route.CHAT), via_card=True, beside=summary)
    assert not refused.cards
    assert "no longer shown" in refused.copies[0].card.text()


def test_the_other_room_gets_the_card_of_the_alerts_and_the_plans_that_wait() -> None:
    story = Linking(fires=("Slow",))
    view = Card(title="To confirm", language="en", buttons=(Button("confirm", "Confirm", token="tok"),))
    story.session = msgspec.structs.replace(story.session, live=(Live("c9", view, "tok"),))
    linked = story.write("link the incident to sea")
    assert story.session.alert is not None
    there = [copy.lane for copy in linked.copies]
    assert there[:2] == [lane(story.session.alert.card, SEA), lane("c9", SEA)]
    assert len(there) == 3
    left = story.write("unlink the incident")
    plan = next(copy.card for copy in left.copies if copy.lane == lane("c9", SEA))
    assert plan.buttons == ()
    assert "no longer shown" in plan.text()


def test_what_may_not_be_read_in_a_room_is_not_brought_there_even_by_the_commander() -> None:
    rules = (Rule(actions=("incident",)), Rule(actions=("read",), rooms=("oc_sea",), services=("web",), request=()))
    story = Linking(Policy(rules=rules), fires=("Slow",))
    assert story.records.one.target
    story.write("link the incident to sea")
    assert story.session.mirrors == ()
    story.write("link the incident to duty")
    assert len(story.session.mirrors) == 1


def test_the_alerts_card_may_quote_logs_and_stays_out_where_these_do() -> None:
    rules = (Rule(actions=("logs",), rooms=("oc_sea",), request=()), Rule(confirm=("*",)))
    story = Linking(Policy(rules=rules), fires=("Slow",))
    linked = story.write("link the incident to sea")
    assert len(story.session.mirrors) == len(linked.copies) == 1
    assert story.session.alert is not None
    assert linked.copies[0].lane != lane(story.session.alert.card, SEA)
