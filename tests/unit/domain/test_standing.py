"""What a correction is of, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Quantity, Request, SlotValue, Standing
from chatops_bot.domain.session import Flow, Lock, Pending, Session
from chatops_bot.domain.standing import (
    changed,
    changed_from,
    elsewhere,
    from_plan,
    meant,
    noted,
    placed_anew,
    recent,
    standings,
    takes,
)


def entity(name: str) -> Entity:
    return Entity(cluster="east", namespace="shop", kind="Deployment", workload=name, name=name, environment="prod")


WEB, API = entity("web"), entity("api")
ALICE = User("console", "local", "alice")
LOGS = Standing("logs", WEB, {"tail": 100})
SCALE = Standing("scale", WEB, {"replicas": Quantity("to", 5)})


def session(**more: object) -> Session:
    lock = Lock(entity=WEB, by=ALICE.key, at=0, sequence=1)
    return msgspec.structs.replace(Session(thread="t", room=Room("console", "local", "ops"), lock=lock), **more)


def waiting(action: str = "scale", about: Entity = WEB, phase: str = "shown") -> Pending:
    slots: dict[str, SlotValue] = {"replicas": Quantity("to", 3)}
    return Pending("e", "c1", phase, action, about, ALICE, "m1", slots=slots, shown_at=7)


@pytest.mark.parametrize(
    ("held", "said", "after"),
    [
        ({"tail": 100, "errors": True}, {"since": 600}, {"tail": 100, "errors": True, "since": 600}),
        ({"tail": 100}, {"tail": 50}, {"tail": 50}),
        ({"tail": 100, "errors": True, "grep": "x"}, {"errors": False, "grep": ""}, {"tail": 100}),
        ({"pod": "web-a"}, {"everyone": True}, {"everyone": True}),
        ({"since": 3600}, {"when": "yesterday"}, {"when": "yesterday"}),
        ({"when": "this_week"}, {"when": "week_before"}, {"when": "last_week"}),
        ({"when": "last_week"}, {"when": "week_before"}, {"when": "week_before"}),
        ({"min": 2, "max": 8}, {"max": 12}, {"min": 2, "max": 12}),
    ],
)
def test_what_is_not_named_stays(
    held: Mapping[str, SlotValue], said: Mapping[str, SlotValue], after: Mapping[str, SlotValue]
) -> None:
    assert changed(held, said) == after


@pytest.mark.parametrize(
    ("held", "said", "after"),
    [
        (Quantity("to", 5), Quantity("by", 2), Quantity("to", 7)),
        (Quantity("to", 5), Quantity("times", 2), Quantity("to", 10)),
        (Quantity("by", 2), Quantity("by", 1), Quantity("by", 3)),
        (Quantity("by", 2), Quantity("times", 2), Quantity("times", 2)),
        (Quantity("times", 2), Quantity("by", 1), Quantity("by", 1)),
        (6, Quantity("by", -1), Quantity("to", 5)),
        (None, Quantity("by", 2), Quantity("by", 2)),
        (Quantity("to", 5), Quantity("to", 3), Quantity("to", 3)),
    ],
)
def test_replicas_are_counted_from_what_was_said_before(
    held: SlotValue | None, said: SlotValue, after: SlotValue
) -> None:
    assert changed({} if held is None else {"replicas": held}, {"replicas": said}) == {"replicas": after}


def test_lines_and_spans_are_counted_from_what_is_shown() -> None:
    assert changed({"tail": 100}, {"tail": Quantity("by", 50)}) == {"tail": 150}
    assert changed({}, {"tail": Quantity("times", 2)}) == {"tail": 100}  # 50 are shown where nobody says how many
    assert changed({"since": 600}, {"since": Quantity("times", 2)}) == {"since": 1200}
    assert changed({}, {"since": Quantity("times", 2)}) == {}
    assert changed({"tail": 10}, {"tail": Quantity("by", -50)}) == {"tail": 1}


@pytest.mark.parametrize(
    ("held", "said", "after"),
    [
        ("reg/web:1.2", "1.3", "reg/web:1.3"),
        ("reg:5000/web:1.2", "v2", "reg:5000/web:v2"),
        ("reg/web:1.2", "reg/shop:1.2", "reg/shop:1.2"),
        ("1.2", "1.3", "1.3"),
    ],
)
def test_a_bare_tag_is_one_of_the_image_that_was_meant(held: str, said: str, after: str) -> None:
    assert changed({"image": held}, {"image": said}) == {"image": after}


def test_what_waits_comes_first_and_hides_the_same_order_as_it_was_said() -> None:
    told = session(standing=(LOGS, SCALE), pending=(waiting(),))
    assert [(one.intent, one.waits) for one in standings(told)] == [("scale", True), ("logs", False)]
    assert standings(told)[0].slots == {"replicas": Quantity("to", 3)}


def test_what_is_collected_comes_before_plans_that_wait() -> None:
    flow = Flow(intent="rollback", requester=ALICE, entity=WEB)
    told = session(standing=(LOGS,), pending=(waiting(),), flow=flow)
    assert [one.intent for one in standings(told)] == ["rollback", "scale", "logs"]


def test_what_is_written_can_no_longer_be_changed() -> None:
    assert standings(session(pending=(waiting(phase="executing"),))) == ()


def test_an_order_for_what_is_no_longer_talked_about_is_out_of_question() -> None:
    of_api = msgspec.structs.replace(SCALE, entity=API)
    nowhere = Standing("overview", None, {"namespace": "shop"})
    assert [one.intent for one in standings(session(standing=(of_api, nowhere)))] == ["overview"]
    assert [one.intent for one in standings(session(standing=(LOGS, SCALE), lock=None))] == ["logs"]


def test_elsewhere_the_latest_comes_first_with_what_its_plan_has() -> None:
    told = session(standing=(LOGS, SCALE), pending=(waiting(),))
    assert [(one.intent, one.waits) for one in recent(told)] == [("logs", False), ("scale", True)]
    only_waits = session(pending=(waiting(),), flow=Flow(intent="drain", requester=ALICE))
    assert [one.intent for one in recent(only_waits)] == ["drain", "scale"]


def test_one_question_and_one_order_are_kept_and_know_what_they_were() -> None:
    known = noted(noted((), LOGS), SCALE)
    assert known == (SCALE, LOGS)
    more = noted(known, Standing("logs", WEB, {"tail": 50}))
    assert [one.intent for one in more] == ["logs", "scale"]
    assert (more[0].was, more[0].was_about) == ({"tail": 100}, WEB)
    again = noted(more, Standing("logs", WEB, {"tail": 50}))  # the same once more is no change
    assert again[0].was == {"tail": 100}
    assert noted(known, Standing("events", WEB))[0].was is None
    assert noted(known, Standing("logs", API))[0].was is None


def test_a_change_to_another_service_knows_what_it_was_too() -> None:
    assert changed_from((Standing("logs", API),), LOGS)[0].was == {"tail": 100}
    assert changed_from((Standing("events", API),), LOGS)[0].was is None
    assert changed_from((), LOGS) == ()


def test_a_change_is_of_what_has_it() -> None:
    known = (SCALE, LOGS)
    assert meant(known, Request("", {"replicas": Quantity("to", 3)})) is SCALE
    assert meant(known, Request("", {"tail": 3})) is LOGS
    assert meant(known, Request("", {"environment": "prod"})) is SCALE
    assert meant(known, Request("", {"revision": 3})) is None
    assert not takes("nothing of that name", ())


def test_what_was_relative_is_kept_as_the_plan_showed_it() -> None:
    assert from_plan({"replicas": Quantity("by", 2)}, None) == {"replicas": Quantity("by", 2)}


def test_what_belongs_to_one_service_is_not_carried_to_another() -> None:
    slots: dict[str, SlotValue] = {
        "tail": 5,
        "pod": "web-a",
        "container": "app",
        "reason": "slow",
        "environment": "prod",
    }
    assert elsewhere(slots | {"force": True}) == {"tail": 5}
    assert placed_anew(slots).keys() == slots.keys() - {"environment"}
