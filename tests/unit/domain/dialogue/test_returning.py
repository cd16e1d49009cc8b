"""Coming back: one line about the conversation before, told once, to who may read it, and never what was said in it."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.dialogue.decide import decide
from chatops_bot.domain.dialogue.returning import OTHERS_MS, OTHERS_OPEN_MS, SOON_MS, chosen
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.incidents import Incident
from chatops_bot.domain.intents import Route
from chatops_bot.domain.memory import Fact, Gist, Open
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Session, Summary
from chatops_bot.domain.world import World
from tests.unit.domain.dialogue.talk import API, CATALOG, NOW, ROOM, WEB, act, meaning, user

HOUR = 3_600_000
DAY = 24 * HOUR


def deed(outcome: str = "verified", *, at: int = NOW - DAY) -> Fact:
    said = say(
        "memory.deed", action="action.scale", service="web", change="replicas 2 → 5", outcome=f"outcome.{outcome}"
    )
    return Fact("done", said, at, f"ref {outcome}", by="bob", about=WEB.key)


def ended(*facts: Fact, at: int = NOW - DAY, **more: object) -> Summary:
    base = Summary(thread="t0", at=at, entity=WEB, people=("alice",), gist=Gist(facts))
    return msgspec.structs.replace(base, **more)


def shown(
    *earlier: Summary,
    beside: Summary | None = None,
    who: str = "alice",
    policy: Policy | None = None,
    known: tuple[Incident, ...] = (),
    catalog: Catalog = CATALOG,
) -> str:
    """What the first card says to somebody who asks how web is."""
    world = World(catalog=catalog, policy=policy or Policy.open())
    message = Message(id="m", room=ROOM, user=user(who), text="status of web", addressed=True, name=who)
    decision = decide(
        Session(thread="t1", room=ROOM, owner=who),
        message,
        meaning(Route.QUERY, act("status", WEB)),
        event_id="e1",
        sequence=1,
        now=NOW,
        world=world,
        beside=beside,
        earlier=earlier,
        known=known,
    )
    return "\n".join(str(block) for _, card in decision.cards for block in (card.title, *card.blocks))


def test_what_was_done_when_and_by_whom_stands_above_the_answer() -> None:
    assert "Earlier here, 1d ago: scale web (replicas 2 → 5): verified (bob). Nothing of it is open." in shown(
        ended(deed())
    )


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        (
            ended(
                deed("done"), open=(Open("unverified", say("memory.unverified", action="action.scale", service="web")),)
            ),
            "Still open: scale web: nobody has seen yet whether it took effect.",
        ),
        (
            ended(open=(Open("handed_off", say("memory.handed", who="team-pay")),)),
            "Still open: handed over to team-pay.",
        ),
        (
            ended(open=(Open("parked", say("memory.parked", action="action.scale", service="web")),)),
            "Still open: scale web, put aside.",
        ),
    ],
)
def test_what_is_still_open_is_said(summary: Summary, words: str) -> None:
    assert words in shown(summary)


def test_an_incident_is_told_by_what_it_is_now() -> None:
    incident = Incident("inc-1", ROOM.key, "sev2", "open", NOW - DAY, NOW - DAY)
    assert "Still open: incident inc-1 (open)." in shown(ended(deed(), incident="inc-1"), known=(incident,))
    policy = Policy(rules=(Rule(actions=("read",), services=("api",), request=("sre",)),))
    others = msgspec.structs.replace(incident, target=API.key)
    assert "inc-1" not in shown(ended(deed(), incident="inc-1"), known=(others,), policy=policy)
    over = msgspec.structs.replace(incident, status="resolved")
    assert "inc-1" not in shown(ended(deed(), incident="inc-1"), known=(over,))


def test_the_last_verdict_is_told_unless_something_was_changed_after_it() -> None:
    found = Fact(
        "found", say("memory.asked", what="CrashLoopBackOff", service=""), NOW - DAY, f"status {WEB.key}", about=WEB.key
    )
    parked = (Open("parked", say("memory.parked", action="action.scale", service="web")),)
    assert "Found then: CrashLoopBackOff" in shown(ended(found, open=parked))
    assert "CrashLoopBackOff" not in shown(ended(found, deed(at=NOW - DAY + 1)))


def test_who_may_see_no_logs_is_told_no_verdict_that_may_rest_on_them() -> None:
    found = Fact(
        "found", say("memory.asked", what="last words", service=""), NOW - DAY, f"status {WEB.key}", about=WEB.key
    )
    parked = (Open("parked", say("memory.parked", action="action.scale", service="web")),)
    policy = Policy(rules=(Rule(actions=("logs",), request=("sre",)),))
    text = shown(ended(found, open=parked), policy=policy)
    assert "put aside" in text
    assert "last words" not in text


def test_who_may_not_read_it_is_told_nothing() -> None:
    policy = Policy(rules=(Rule(actions=("read",), request=("sre",)),))
    assert "scale" not in shown(ended(deed()), policy=policy)
    assert "scale" not in shown(beside=ended(deed()), policy=policy)


def test_below_the_old_card_even_what_was_only_looked_at_is_told() -> None:
    asked = Fact("asked", say("memory.asked", what="intent.status", service="web"), NOW - DAY, "r", by="alice", times=3)
    text = shown(beside=ended(asked))
    assert (
        "The earlier conversation (web) has ended (1d ago), asked: status web ×3 (alice); none of its plans waits any more."
        in text
    )


def test_of_a_summary_without_facts_as_an_earlier_version_wrote_it_the_change_is_told() -> None:
    text = shown(beside=Summary(thread="t0", at=NOW - HOUR, entity=WEB, action="scale", outcome="done", by="bob"))
    assert "Earlier here, 1h ago: scale web (deployment/web): done (bob)." in text


def test_a_press_is_told_as_well() -> None:
    click = Click(id="k", room=ROOM, user=user("alice"), button="diagnose", value=WEB.key, name="alice")
    decision = decide(
        Session(thread="t1", room=ROOM),
        click,
        None,
        event_id="e1",
        sequence=1,
        now=NOW,
        world=World(catalog=CATALOG, policy=Policy.open()),
        beside=ended(deed()),
    )
    assert any("Earlier here" in str(block) for _, card in decision.cards for block in card.blocks)
    assert decision.session.told == "t0"


def test_only_what_is_worth_telling_is_chosen() -> None:
    def picks(*earlier: Summary, who: str = "alice") -> bool:
        return chosen(earlier, user=who, now=NOW) is not None

    asked = Fact("asked", say("memory.asked", what="intent.status", service="web"), NOW - DAY, "r")
    refused = Fact("refused", say("memory.refused", what="action.scale", service="web", why="refused.policy"), NOW, "x")
    assert picks(ended(deed()))
    assert not picks(ended(asked))
    assert not picks(ended(refused))
    assert not picks(ended(deed("cancelled")))
    assert not picks(ended(deed(), at=NOW - SOON_MS + 1))
    assert picks(ended(deed(), at=NOW - 29 * DAY))


def test_others_are_told_of_it_for_a_while() -> None:
    def picks(summary: Summary) -> bool:
        return chosen([summary], user="carol", now=NOW) is not None

    waits = (Open("parked", say("memory.parked", action="action.scale", service="web")),)
    assert picks(ended(deed(), at=NOW - OTHERS_MS + 1))
    assert not picks(ended(deed(), at=NOW - OTHERS_MS))
    assert picks(ended(deed(), at=NOW - OTHERS_OPEN_MS + 1, open=waits))
    assert not picks(ended(deed(), at=NOW - OTHERS_OPEN_MS, open=waits))


def test_it_is_told_to_each_once() -> None:
    first, second = ended(deed()), ended(deed(), at=NOW - 2 * DAY, thread="t9")
    told = ended(at=NOW - HOUR, thread="t5", told="t0")
    assert chosen([told, first, second], user="alice", now=NOW) == second
    others = msgspec.structs.replace(told, people=("dave",))
    assert chosen([others, first, second], user="alice", now=NOW) == first


def test_a_service_that_nobody_knows_any_more_is_judged_all_the_same() -> None:
    policy = Policy(rules=(Rule(actions=("read",), namespaces=("shop",), request=("sre",)),))
    gone = msgspec.structs.replace(ended(deed()), entity=API)
    assert "Earlier here" not in shown(beside=gone, policy=policy, catalog=Catalog([]))


def test_of_another_service_in_it_that_one_may_not_read_nothing_is_told() -> None:
    policy = Policy(rules=(Rule(actions=("read",), services=("api",), request=("sre",)),))
    asked = Fact("asked", say("memory.asked", what="intent.status", service="api"), NOW - DAY, "r", about=API.key)
    waits = (
        Open("parked", say("memory.parked", action="action.scale", service="api"), about=API.key),
        Open("parked", say("memory.parked", action="action.restart", service="web"), about=WEB.key),
    )
    text = shown(beside=ended(asked, open=waits), policy=policy)
    assert "Still open: restart web, put aside." in text
    assert "api" not in text
    assert "status api" in shown(beside=ended(asked))
