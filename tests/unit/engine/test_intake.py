"""What comes in can be stored and shown, whatever characters a platform or a person put into it."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from chatops_bot.domain import events
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.engine.arrivals import click_arrival
from chatops_bot.engine.intake import Intake
from chatops_bot.ports.meter import NoMeter
from chatops_bot.ports.store import Arrival
from tests.fakes.clock import ManualClock

HALF = json.loads('"\\ud83d"')
"""What a text ends in that was cut in the middle of an emoji."""
ROOM = Room("feishu", "t1", "oc_1")
ALICE = User("feishu", "t1", "ou_1")


@pytest.mark.parametrize(
    "event",
    [
        Message("e1", ROOM, ALICE, f"@Ann{HALF} how is web?", answers=("om_1",), name=f"Al{HALF}"),
        Message("e1", ROOM, User("feishu", HALF, "ou_1", foreign=True), "how is web?"),
        Click("e1", ROOM, ALICE, "confirm", value=f"web{HALF}"),
    ],
)
def test_half_a_character_costs_no_event(event: Message | Click) -> None:
    with pytest.raises(UnicodeEncodeError):
        events.encode(event)
    mended = events.whole(event)
    assert events.decode(events.encode(mended)) == mended
    assert (mended.id, mended.room, mended.user.id) == (event.id, event.room, event.user.id)
    assert "?" in repr(mended)


def test_whole_characters_are_left_alone() -> None:
    event = Message("e1", ROOM, ALICE, "how is web \U0001f440?")
    assert events.whole(event) is event


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zhang San 张三", "Zhang San 张三"),
        ("eve\nApproved by: carol", "eve Approved by: carol"),
        ("eve\u2028\x1b[31m\tx", "eve [31m x"),
        ("\u202eevil\u2066 na\u200bme", "evil name"),
        ("\n\u200b", ""),
        ("x" * 300, "x" * (events.NAME - 1) + "…"),
    ],
)
def test_a_name_is_one_short_line(name: str, shown: str) -> None:
    """It stands on cards, where a line of its own would be taken for the bot's."""
    message = events.whole(Message("e1", ROOM, ALICE, "a\nb", name=name))
    assert (message.name, message.text) == (shown, "a\nb")
    assert events.whole(Click("e1", ROOM, ALICE, "confirm", name=name)).name == shown


async def test_the_door_stores_what_is_whole() -> None:
    kept: list[Arrival] = []

    async def store(arrival: Arrival) -> Any:
        kept.append(arrival)
        return SimpleNamespace(taken="new", thread="t1", claims=())

    unused: Any = None
    door = Intake(
        store=SimpleNamespace(intake=store),
        arrivals=SimpleNamespace(of=click_arrival),  # type: ignore[arg-type]
        degraded=unused,
        take=lambda claims: None,
        spawn=unused,
        clock=ManualClock(),
        meter=NoMeter(),
    )
    receipt = await door.receive(Click("e1", ROOM, ALICE, "confirm", value=f"web{HALF}"))
    assert receipt.taken == "stored"
    stored = events.decode(kept[0].event)
    assert isinstance(stored, Click)
    assert stored.value == "web?"
