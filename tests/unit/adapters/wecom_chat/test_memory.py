"""What is remembered, for how long, and when a card may be replaced."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.wecom.desk import REPLACED_S, Replacing, View, task_id
from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.render import Shown
from chatops_bot.ports.chat import CardGone, ChatUnavailable
from tests.fakes.clock import ManualClock

VIEW = View("room", "m1", Shown(text="x", card=None, whole=True, beside=None, still={}))


async def test_what_is_too_old_or_too_much_is_forgotten() -> None:
    clock = ManualClock()
    kept: Kept[int] = Kept(clock=clock, lives_s=10, most=3)
    for number in range(4):
        kept.put(str(number), number)
        await clock.advance(1)
    assert kept.values() == [1, 2, 3]
    assert kept.get("0") is None
    assert kept.take("1") == 1
    assert kept.take("1") is None
    await clock.advance(8.5)
    assert kept.values() == [3]
    assert kept.get("2") is None


async def test_a_view_is_replaced_at_once_unless_it_was_only_just_posted() -> None:
    clock = ManualClock()
    replacing = Replacing(clock=clock)
    assert isinstance(replacing.gone(VIEW, "why"), CardGone)
    replacing.posted("m1")
    await clock.advance(1)
    told = replacing.gone(VIEW, "why")
    assert isinstance(told, ChatUnavailable)
    assert told.retry_after_s == REPLACED_S - 1
    replacing.heard("other room")
    assert isinstance(replacing.gone(VIEW, "why"), ChatUnavailable)
    replacing.heard("room")
    assert isinstance(replacing.gone(VIEW, "why"), CardGone)
    replacing.posted("m1")
    await clock.advance(REPLACED_S + 0.1)
    assert isinstance(replacing.gone(VIEW, "why"), CardGone)


@pytest.mark.parametrize(
    "other", [("k2", VIEW.shown), ("k", Shown(text="y", card=None, whole=True, beside=None, still={}))]
)
def test_a_task_id_is_that_of_one_view_of_one_card(other: tuple[str, Shown]) -> None:
    assert task_id("k", VIEW.shown) == task_id("k", VIEW.shown)
    assert task_id(*other) != task_id("k", VIEW.shown)
    assert len(task_id("k", VIEW.shown)) <= 128
