"""Floods of alerts on a virtual clock and a real store: none is lost, and no room is written to faster than it takes."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from chatops_bot.app import alerts, bot
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.telemetry import Metrics
from chatops_bot.app.virtual_clock import VirtualClock
from chatops_bot.domain.cards import Card
from chatops_bot.domain.events import AlertGroup, Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.world import Timing
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.line import BURST, EVERY_S
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import ChatUnavailable, Posted, Sink
from chatops_bot.ports.pacing import Pace
from tests.bench.stubs import CLUSTER, WEB, StubReader, StubWriter, catalog

ROOM = Room("slack", "T1", "C1")
BEGIN = 1_767_600_000.0
MINUTE = 60.0
RATE_S, RATE_BURST = 1.0, 4
UPDATES_A_MINUTE = 50
"""What Slack takes of a workspace (its tier 3)."""


class Platform:
    """A platform as strict as Slack: a message a second in a channel, few at once, and an update a second of each
    message. Whoever is faster is sent away, and nothing of it is shown; `calls` are those that got through."""

    platform = "slack"

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        # It keeps nobody waiting: on this clock nobody sleeps.
        self._posts = Pace(clock=clock, every_s=RATE_S, burst=RATE_BURST, longest_s=0)
        self._updates = Pace(clock=clock, every_s=RATE_S, burst=1, longest_s=0)
        self.down = False
        self.calls: list[tuple[float, str, str]] = []
        self.cards: dict[str, Card] = {}

    async def start(self, sink: Sink) -> None:
        return

    async def stop(self) -> None:
        return

    async def post(self, *, room: Room, thread: str, card: Card, root: str, key: str, again: bool) -> Posted:
        if self.down:
            raise ChatUnavailable("it is down")
        await self._posts.wait(room.channel)
        message = f"m{len(self.cards)}"
        self.calls.append((self._clock.now(), "post", message))
        self.cards[message] = card
        return Posted(message)

    async def update(self, *, room: Room, thread: str, card: Card, message: str, root: str) -> None:
        await self._updates.wait(message)
        self.calls.append((self._clock.now(), "update", message))
        self.cards[message] = card

    async def notice(self, *, room: Room, text: str, root: str, to: str = "") -> None:
        return

    async def permalink(self, *, room: Room, message: str) -> str:
        return ""

    def healthy(self) -> str:
        return ""

    def posts(self) -> list[float]:
        """When messages were posted."""
        return [at for at, kind, _ in self.calls if kind == "post"]


class Flood:
    """The bot between Alertmanager and the platform."""

    def __init__(self, clock: VirtualClock, parts: bot.Bot, platform: Platform) -> None:
        self.clock = clock
        self.platform = platform
        self.metrics = Metrics()
        self._bot = parts
        self._services = catalog().services

    def group(self, name: str, members: dict[str, bool], **labels: str) -> AlertGroup:
        """What Alertmanager sends of a group whose members fire or not."""
        listed = [
            {
                "status": "firing" if firing else "resolved",
                "labels": {"alertname": name, "pod": member, **labels},
                "startsAt": "2026-01-05T08:00:00Z",
                "fingerprint": member,
            }
            for member, firing in members.items()
        ]
        body: dict[str, Any] = {"version": "4", "groupKey": name, "receiver": "chatops", "alerts": listed}
        return alerts.to_group(
            alerts.parse(json.dumps(body).encode()),
            services=self._services,
            clusters=(CLUSTER,),
            room_for=lambda _owners, _severities: ROOM,
            at=self.clock.now(),
        )

    async def deliver(self, group: AlertGroup) -> None:
        """Raises where it is not taken; until all that can be done at once is done."""
        await self._bot.intake.alert(group)
        await self._bot.worker.idle()

    async def say(self, text: str) -> None:
        user = User("slack", "T1", "U1")
        await self._bot.intake.receive(Message(id="q", room=ROOM, user=user, text=text, addressed=True))
        await self._bot.worker.idle()

    async def until(self, time: float) -> None:
        """Let the clock go on to a time, stopping wherever something is due."""
        while True:
            due = await self._bot.stores.threads.next_due() / 1000
            if not due or due > time:
                break
            self.clock.move_to(max(due, self.clock.now() + 0.001))
            await self._bot.worker.sweep()
            await self._bot.worker.idle()
        self.clock.move_to(time)


@asynccontextmanager
async def flood() -> AsyncIterator[Flood]:
    clock = VirtualClock(BEGIN)
    platform = Platform(clock)
    async with ReplayRedis() as redis:
        client = redis.client()
        parts = await bot.assemble(
            stores=bot.stores(client, clock=clock, virtual=clock.ms),
            clusters={CLUSTER: Cluster(reader=StubReader(clock), writer=StubWriter())},
            chats={"slack": platform},
            snapshot=Snapshot(catalog=catalog(), policy=Policy.open(), timing=Timing()),
            clock=clock,
            meter=Metrics(),
        )
        yield Flood(clock, parts, platform)
        await parts.worker.kill()
        await client.close()


def within(times: list[float], window_s: float) -> int:
    """The most that came within a window."""
    return max((sum(at <= other < at + window_s for other in times) for at in times), default=0)


@pytest.mark.timeout(120)
async def test_a_thousand_alerts_a_minute_for_ten_minutes() -> None:
    """In 20 groups, as rules make them: ten thousand alerts, each of which is on its group's card in the end."""
    async with flood() as found:
        members: dict[str, dict[str, bool]] = {f"Rule{number:02}": {} for number in range(20)}
        for minute in range(10):
            await found.until(BEGIN + minute * MINUTE)
            for name, pods in members.items():
                pods.update({f"{name}-{len(pods) + number:03}": True for number in range(50)})
                await found.deliver(found.group(name, pods, namespace=WEB.namespace, deployment=WEB.workload))
        await found.until(BEGIN + 11 * MINUTE)
        shown = sorted(card.title for card in found.platform.cards.values())
        assert shown == [f"Alert: {name} (500 firing)" for name in sorted(members)]
        for name, pods in members.items():
            await found.deliver(found.group(name, dict.fromkeys(pods, False), namespace=WEB.namespace))
        await found.until(BEGIN + 12 * MINUTE)
        shown = sorted(card.title for card in found.platform.cards.values())
        assert shown == [f"Resolved: {name}" for name in sorted(members)]
        _judge(found.platform)


@pytest.mark.timeout(120)
async def test_groups_that_grow_every_few_seconds_are_brought_up_to_date_at_the_pace_of_the_workspace() -> None:
    async with flood() as found:
        members: dict[str, dict[str, bool]] = {f"Rule{number:02}": {} for number in range(20)}
        for number in range(300):
            await found.until(BEGIN + number * 0.6)
            name = f"Rule{number % 20:02}"
            members[name].update({f"{name}-{len(members[name]) + more:03}": True for more in range(10)})
            await found.deliver(found.group(name, members[name], namespace=WEB.namespace, deployment=WEB.workload))
        await found.until(found.clock.now() + MINUTE)
        shown = sorted(card.title for card in found.platform.cards.values())
        assert shown == [f"Alert: {name} (150 firing)" for name in sorted(members)]
        _judge(found.platform)


def _judge(platform: Platform) -> None:
    """No faster than the platform takes, whatever came."""
    assert within(platform.posts(), RATE_S) <= RATE_BURST
    assert within(platform.posts(), MINUTE) <= RATE_BURST + MINUTE / RATE_S
    assert within([at for at, kind, _ in platform.calls if kind == "update"], MINUTE) < UPDATES_A_MINUTE
    updates = Counter((message, int(at)) for at, kind, message in platform.calls if kind == "update")
    assert max(updates.values(), default=0) <= 2


async def _storm(found: Flood, *, groups: int, minutes: int) -> list[str]:
    names = [f"Alone{number:05}" for number in range(groups)]
    each = minutes * MINUTE / groups
    for number, name in enumerate(names):
        await found.until(BEGIN + number * each)
        await found.deliver(found.group(name, {"a": True}))
    return names


@pytest.mark.timeout(120)
async def test_a_storm_of_groups_is_shown_one_after_the_other_and_answers_pass_it() -> None:
    async with flood() as found:
        names = await _storm(found, groups=300, minutes=1)
        asked = found.clock.now()
        await found.say(f"status of {WEB.name}")
        await found.until(asked + 5)
        answers = [at for at, kind, m in found.platform.calls if kind == "post" and not found.platform.cards[m].patient]
        assert len(answers) == 1, "nobody who asks waits for the storm to be over"
        await found.until(BEGIN + MINUTE + 300 * EVERY_S)
        shown = [card.title for card in found.platform.cards.values() if card.patient]
        assert shown == [f"Alert: {name} (1 firing)" for name in names], "each once, in the order they came"
        _judge(found.platform)
        alone = [at for at, kind, m in found.platform.calls if kind == "post" and found.platform.cards[m].patient]
        assert within(alone, MINUTE) <= BURST + MINUTE / EVERY_S


@pytest.mark.timeout(120)
async def test_a_platform_that_is_away_for_hours_shows_the_alert_when_it_is_back() -> None:
    async with flood() as found:
        found.platform.down = True
        await found.deliver(found.group("Slow", {"a": True}))
        await found.until(BEGIN + 5 * 60 * MINUTE)
        assert found.platform.cards == {}
        found.platform.down = False
        await found.until(found.clock.now() + 2 * MINUTE)
        assert [card.title for card in found.platform.cards.values()] == ["Alert: Slow (1 firing)"]


@pytest.mark.deep
@pytest.mark.timeout(1800)
async def test_ten_thousand_groups_in_ten_minutes_are_all_shown_at_last() -> None:
    async with flood() as found:
        names = await _storm(found, groups=10_000, minutes=10)
        await found.until(BEGIN + 10 * MINUTE + 10_000 * EVERY_S)
        shown = [card.title for card in found.platform.cards.values()]
        assert shown == [f"Alert: {name} (1 firing)" for name in names]
        _judge(found.platform)
