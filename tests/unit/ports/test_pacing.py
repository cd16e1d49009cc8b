"""Pace of posts and updates on a virtual clock."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest

from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.pacing import KEPT, Pace, Updates, back_off, seconds
from tests.fakes.clock import ManualClock, settle


@dataclass
class Screen:
    """Where updates are sent: each takes `takes_s`, and may fail."""

    clock: ManualClock
    takes_s: float = 0
    failures: list[Exception | None] = field(default_factory=list)
    shown: list[tuple[float, str]] = field(default_factory=list)

    async def send(self, view: str) -> None:
        if self.takes_s:
            await self.clock.sleep(self.takes_s)
        failure = self.failures.pop(0) if self.failures else None
        if failure:
            raise failure
        self.shown.append((self.clock.monotonic(), view))


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


async def test_a_burst_of_updates_shows_the_first_and_the_last(clock: ManualClock) -> None:
    screen, updates = Screen(clock), Updates[str](clock=clock)
    first = asyncio.create_task(updates.show("m", "1", screen.send))
    await settle()
    rest = [asyncio.create_task(updates.show("m", str(number), screen.send)) for number in range(2, 11)]
    await settle()
    assert first.done()
    assert screen.shown == [(0, "1")]
    await clock.advance(0.9)
    assert len(screen.shown) == 1
    await clock.advance(0.2)
    assert screen.shown == [(0, "1"), (1, "10")]
    assert all(task.done() for task in rest)


async def test_a_slow_update_is_never_overtaken_by_a_newer_one(clock: ManualClock) -> None:
    screen, updates = Screen(clock, takes_s=5), Updates[str](clock=clock)
    old = asyncio.create_task(updates.show("m", "old", screen.send))
    await clock.advance(1)
    new = asyncio.create_task(updates.show("m", "new", screen.send))
    await clock.advance(3)
    assert screen.shown == []
    await clock.advance(1)
    assert [view for _, view in screen.shown] == ["old"]
    assert old.done()
    assert not new.done()
    await clock.advance(6)
    assert screen.shown == [(5, "old"), (11, "new")]
    assert new.done()


async def test_a_failure_reaches_those_whose_view_was_sent_and_no_newer_ones(clock: ManualClock) -> None:
    screen = Screen(clock, takes_s=2, failures=[ChatUnavailable("down", maybe_posted=True)])
    updates = Updates[str](clock=clock)
    lost = asyncio.create_task(updates.show("m", "1", screen.send))
    await clock.advance(1)
    newer = asyncio.create_task(updates.show("m", "2", screen.send))
    await clock.advance(1)
    with pytest.raises(ChatUnavailable):
        await lost
    await clock.advance(3)
    await newer
    assert [view for _, view in screen.shown] == ["2"]


@pytest.mark.parametrize("failure", [CardGone("gone"), ChatRefused("no"), ChatUnavailable("429", retry_after_s=30)])
async def test_all_who_wait_for_one_update_hear_of_its_failure(clock: ManualClock, failure: Exception) -> None:
    screen, updates = Screen(clock, failures=[None, failure]), Updates[str](clock=clock)
    await updates.show("m", "0", screen.send)
    waiting = [asyncio.create_task(updates.show("m", str(number), screen.send)) for number in range(3)]
    await clock.advance(1)
    assert await asyncio.gather(*waiting, return_exceptions=True) == [failure] * 3


async def test_messages_do_not_wait_for_each_other(clock: ManualClock) -> None:
    screen, updates = Screen(clock), Updates[str](clock=clock)
    await asyncio.gather(*(updates.show(f"m{number}", "x", screen.send) for number in range(5)))
    assert [at for at, _ in screen.shown] == [0] * 5


async def test_a_caller_who_is_gone_stops_nobody(clock: ManualClock) -> None:
    screen, updates = Screen(clock), Updates[str](clock=clock)
    await updates.show("m", "0", screen.send)
    gone = asyncio.create_task(updates.show("m", "1", screen.send))
    stays = asyncio.create_task(updates.show("m", "2", screen.send))
    await settle()
    gone.cancel()
    await clock.advance(1)
    await stays
    assert screen.shown[-1] == (1, "2")


async def test_closing_tells_those_who_wait(clock: ManualClock) -> None:
    screen, updates = Screen(clock, takes_s=9), Updates[str](clock=clock)
    waiting = asyncio.create_task(updates.show("m", "1", screen.send))
    await settle()
    await updates.close()
    with pytest.raises(ChatUnavailable):
        await waiting


async def test_a_channel_takes_a_burst_and_then_one_post_a_second(clock: ManualClock) -> None:
    pace = Pace(clock=clock, burst=3)
    posted: list[float] = []

    async def post() -> None:
        await pace.wait("C1")
        posted.append(clock.monotonic())

    tasks = [asyncio.create_task(post()) for _ in range(6)]
    await clock.advance(10)
    await asyncio.gather(*tasks)
    assert posted == [0, 0, 0, 1, 2, 3]
    await pace.wait("C2")
    assert clock.monotonic() == 10


async def test_who_would_wait_too_long_is_told_to_come_back(clock: ManualClock) -> None:
    pace = Pace(clock=clock, burst=1, longest_s=2)
    tasks = [asyncio.create_task(pace.wait("C1")) for _ in range(5)]
    await clock.advance(10)
    results = await asyncio.gather(*tasks, return_exceptions=True)
    refused = [each for each in results if isinstance(each, ChatUnavailable)]
    assert [each.retry_after_s for each in refused] == [3, 3]
    assert results[:3] == [None] * 3


async def test_old_channels_are_forgotten_and_rarely_looked_for(clock: ManualClock) -> None:
    pace = Pace(clock=clock)
    looked, known = 0, pace._due
    for number in range(5 * KEPT):
        await pace.wait(f"live {number}")
        looked, known = looked + (pace._due is not known), pace._due
    assert len(pace._due) == 5 * KEPT
    assert looked <= 3
    await clock.advance(60)
    for number in range(5 * KEPT):
        await pace.wait(f"new {number}")
    assert not any(channel.startswith("live") for channel in pace._due)


async def test_updates_of_old_messages_are_forgotten_and_rarely_looked_for(clock: ManualClock) -> None:
    screen, updates = Screen(clock), Updates[str](clock=clock)
    looked, known = 0, updates._slots
    for number in range(5 * KEPT):
        await updates.show(f"live {number}", "view", screen.send)
        looked, known = looked + (updates._slots is not known), updates._slots
    assert len(updates._slots) == 5 * KEPT
    assert looked <= 3
    await clock.advance(60)
    for number in range(5 * KEPT):
        await updates.show(f"new {number}", "view", screen.send)
    assert not any(message.startswith("live") for message in updates._slots)


@pytest.mark.parametrize(
    ("failures", "jitter", "pause"), [(0, 1, 1), (0, 0, 0.5), (3, 1, 8), (3, 0, 4), (9, 1, 60), (2_000, 0, 30)]
)
def test_each_failure_doubles_the_pause_up_to_a_limit(failures: int, jitter: float, pause: float) -> None:
    assert back_off(failures, jitter) == pause
    assert back_off(failures, jitter, longest_s=3_600) >= pause


@pytest.mark.parametrize(
    ("header", "wait"), [("30", 30), ("1.5", 1.5), ("-3", 0), ("", 0), ("Wed, 21 Oct 2026 07:28:00 GMT", 0)]
)
def test_a_header_that_is_no_number_of_seconds_asks_for_none(header: str, wait: float) -> None:
    assert seconds(header) == wait
