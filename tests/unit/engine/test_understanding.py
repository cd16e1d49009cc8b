"""The model on its lead: time, tries, breaker and budget, on a clock of the test's."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable

import pytest
import structlog

from chatops_bot.domain.breaker import Breaker
from chatops_bot.domain.events import Message
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Route, State
from chatops_bot.domain.proposals.inquiry import Inquiry
from chatops_bot.domain.routing import Heard
from chatops_bot.domain.session import Session, Speaker
from chatops_bot.engine.understanding import Lead, Limits, Understanding, for_the_bot
from chatops_bot.ports.interpreter import Where
from chatops_bot.ports.model import ModelError, Reply, Trouble
from chatops_bot.ports.store import StoreUnavailable
from tests.fakes.clock import ManualClock, settle
from tests.unit.domain.proposals.scene import CATALOG, RULES, heard

ANSWER = '{"route": "query", "requests": [{"intent": "events", "service": "web", "slots": []}]}'
HERE = Where(thread="t1", room="r1", catalog=CATALOG)


class Counts:
    """A meter that can be asked."""

    def __init__(self) -> None:
        self.counted: Counter[str] = Counter()
        self.observed: list[str] = []

    def count(self, name: str, amount: float = 1, **labels: str) -> None:
        self.counted[" ".join((name, *labels.values()))] += int(amount)

    def observe(self, name: str, seconds: float, **labels: str) -> None:
        self.observed.append(name)


class Scripted:
    """A model that does one thing after the other."""

    name = "m"
    form = "json"

    def __init__(self, *steps: Callable[[], Awaitable[Reply]]) -> None:
        self._steps = list(steps)
        self.asked: list[Inquiry] = []
        self.limits: list[float] = []

    def version(self, prompt: str) -> str:
        return f"{prompt}.v1"

    async def ask(self, inquiry: Inquiry, *, timeout_s: float) -> Reply:
        self.asked.append(inquiry)
        self.limits.append(timeout_s)
        step = self._steps.pop(0) if len(self._steps) > 1 else self._steps[0]
        return await step()

    async def close(self) -> None:
        return


class Purse:
    """Spending in memory: what is kept for good is tested on a real store."""

    def __init__(self) -> None:
        self.used: Counter[str] = Counter()
        self.down = False
        self.full = False

    async def spent(self, *, thread: str, room: str, day: str) -> tuple[int, int, int]:
        if self.down:
            raise StoreUnavailable("down")
        return self.used[f"{day} {room} {thread}"], self.used[f"{day} {room}"], self.used[day]

    async def spend(self, tokens: int, *, thread: str, room: str, day: str) -> None:
        if self.full:
            raise StoreUnavailable("full")
        for key in (f"{day} {room} {thread}", f"{day} {room}", day):
            self.used[key] += tokens


class House:
    """All of it around one scripted model."""

    def __init__(self, *steps: Callable[[], Awaitable[Reply]], limits: Limits | None = None) -> None:
        self.clock, self.counts, self.purse = ManualClock(), Counts(), Purse()
        self.model = Scripted(*steps)
        self.lead = Lead(
            self.model,
            spending=self.purse,
            limits=limits or Limits(),
            breaker=Breaker(after=3, pause_s=30),
            clock=self.clock,
            meter=self.counts,
        )
        self.understanding = Understanding(RULES, self.lead, meter=self.counts)

    async def hears(
        self, text: str = "web keeps acting up, whose fingerprints are on it", *, seconds: float = 0
    ) -> Route:
        """The route of a message, for which that much time passes."""
        asking = asyncio.create_task(self.understanding.interpret(heard(text), where=HERE))
        await settle()
        await self.clock.advance(seconds)
        return (await asking).route


async def answers() -> Reply:
    return Reply(ANSWER, 100, 20)


def fails(trouble: Trouble, after_s: float = 0.0) -> Callable[[], Awaitable[Reply]]:
    async def fail() -> Reply:
        raise ModelError(trouble, after_s=after_s, tokens=7)

    return fail


async def hangs() -> Reply:
    await asyncio.Event().wait()
    raise AssertionError


async def test_a_proposal_is_used_and_what_it_took_is_told() -> None:
    house = House(answers)
    meaning = await house.understanding.interpret(
        heard("web keeps acting up, whose fingerprints are on it"), where=HERE
    )
    assert [request.intent for request in meaning.requests] == ["events"]
    assert (meaning.tokens, meaning.model) == (120, "m understand.v1")
    assert house.counts.counted["model_calls understand answered"] == 1
    assert house.counts.counted["model_proposals used"] == 1
    assert (house.counts.counted["model_tokens m in"], house.counts.counted["model_tokens m out"]) == (100, 20)
    assert house.counts.observed == ["model_seconds"]


@pytest.mark.parametrize(
    "text",
    [
        "logs of web",
        "restart api",
        "👍",
        "@somebody",
        "",
        "read only on",
        "declare an incident sev2",
        "note: web looks bad",
        "next step",
        "carry on with that",
        "继续刚才的",
    ],
)
async def test_what_the_rules_are_certain_of_is_not_asked(text: str) -> None:
    house = House(answers)
    await house.hears(text)
    assert house.model.asked == []


@pytest.mark.parametrize("text", ["yes", "ship it", "cancel", "算了", "make it 3", "别重启了"])
async def test_plain_words_to_a_plan_are_not_asked(text: str) -> None:
    house = House(answers)
    utterance = heard(text, State.CONFIRMING, lock="web", plan="scale", parameters={"replicas": 5})
    await house.understanding.interpret(utterance, where=HERE)
    assert house.model.asked == []


async def test_what_is_not_for_the_bot_is_not_asked() -> None:
    house = House(answers)
    utterance = heard("web keeps acting up, whose fingerprints are on it")
    await house.understanding.interpret(utterance, where=Where(ask=False))
    assert house.model.asked == []


async def test_silence_ends_with_the_time_limit() -> None:
    house = House(hangs)
    alone = RULES.interpret(heard("web keeps acting up, whose fingerprints are on it")).route
    assert await house.hears(seconds=3.0) is alone
    assert house.counts.counted["model_fallbacks slow"] == 1
    assert house.clock.monotonic() == 3.0


async def test_one_more_try_within_the_time() -> None:
    house = House(fails("broken"), answers)
    await house.hears(seconds=0.2)
    assert len(house.model.asked) == 2
    assert house.model.limits == [3.0, pytest.approx(2.9)]
    assert house.counts.counted["model_calls understand answered"] == 1
    assert house.purse.used["r1"] == 0  # days are part of every name
    assert sum(house.purse.used.values()) == 3 * (7 + 120)


@pytest.mark.parametrize("trouble", ["refused", "rejected", "declined", "slow"])
async def test_no_second_try_where_it_cannot_help(trouble: Trouble) -> None:
    house = House(fails(trouble))
    await house.hears(seconds=3)
    assert len(house.model.asked) == 1
    assert house.counts.counted[f"model_fallbacks {trouble}"] == 1


async def test_a_server_that_wants_to_be_left_alone_longer_than_there_is_time_is() -> None:
    house = House(fails("limited", after_s=20), answers)
    await house.hears(seconds=0.5)
    assert len(house.model.asked) == 1
    house = House(fails("limited", after_s=2), answers)
    await house.hears(seconds=2)
    assert len(house.model.asked) == 2


async def test_the_breaker_leaves_it_alone_and_tries_it_again() -> None:
    house = House(fails("refused"), fails("refused"), fails("refused"), answers)
    for _ in range(3):
        await house.hears()
    phases = [house.lead.phase]
    await house.hears()
    assert (len(house.model.asked), house.counts.counted["model_fallbacks breaker"]) == (3, 1)
    await house.clock.advance(30)
    phases.append(house.lead.phase)
    assert await house.hears() is Route.QUERY
    assert [*phases, house.lead.phase] == ["open", "half_open", "closed"]


async def test_words_that_it_would_not_answer_shut_it_off_for_nobody() -> None:
    house = House(fails("declined"))
    for _ in range(9):
        await house.hears()
    assert (len(house.model.asked), house.lead.phase) == (9, "closed")


@pytest.mark.parametrize(
    ("limits", "of"),
    [(Limits(of_thread=120), "thread"), (Limits(of_room=120), "room"), (Limits(of_all=120), "day")],
)
async def test_a_budget_ends_it_until_the_next_day(limits: Limits, of: str) -> None:
    house = House(answers, limits=limits)
    with structlog.testing.capture_logs() as lines:
        for _ in range(4):
            await house.hears()
    assert len(house.model.asked) == 1
    assert house.counts.counted[f"model_fallbacks budget_{of}"] == 3
    assert [line["of"] for line in lines if line["event"] == "model_budget_spent"] == [of]
    await house.clock.advance(86_400)
    await house.hears()
    assert len(house.model.asked) == 2


async def test_another_thread_has_a_budget_of_its_own() -> None:
    house = House(answers, limits=Limits(of_thread=120))
    await house.hears()
    other = Where(thread="t2", room="r1", catalog=CATALOG)
    await house.understanding.interpret(heard("web keeps acting up, whose fingerprints are on it"), where=other)
    assert len(house.model.asked) == 2


async def test_no_budget_at_all_means_no_call() -> None:
    house = House(answers, limits=Limits(of_all=0))
    await house.hears()
    assert house.model.asked == []


async def test_what_cannot_be_counted_is_not_spent() -> None:
    house = House(answers)
    house.purse.down = True
    await house.hears()
    assert (house.model.asked, house.counts.counted["model_fallbacks store"]) == ([], 1)


async def test_what_could_not_be_counted_is_used_all_the_same() -> None:
    house = House(answers)
    house.purse.full = True
    with structlog.testing.capture_logs() as lines:
        assert await house.hears() is Route.QUERY
    assert [line["tokens"] for line in lines if line["event"] == "model_tokens_uncounted"] == [120]


async def test_what_does_not_count_is_told_by_its_kind() -> None:
    async def invents() -> Reply:
        return Reply('{"route": "act", "requests": [{"intent": "restart", "service": "order-db", "slots": []}]}', 9, 9)

    house = House(invents)
    await house.hears()
    assert house.counts.counted["model_proposals dropped"] == 1
    assert house.counts.counted["model_disagreements order"] == 1


async def test_a_server_that_does_not_count_is_counted_for() -> None:
    async def uncounted() -> Reply:
        return Reply(ANSWER)

    house = House(uncounted)
    await house.hears()
    assert house.counts.counted["model_tokens m in"] > 10
    assert house.counts.counted["model_tokens m out"] > 10


async def test_more_at_once_than_allowed_are_read_by_the_rules() -> None:
    house = House(hangs, limits=Limits(at_once=1))
    first = asyncio.create_task(house.hears(seconds=3))
    await settle()
    await house.understanding.interpret(heard("web keeps acting up, whose fingerprints are on it"), where=HERE)
    await first
    assert house.counts.counted["model_fallbacks busy"] == 1


async def test_an_answer_out_of_form_leaves_the_rules_reading() -> None:
    async def talks() -> Reply:
        return Reply("I would restart it, if I were you.", 50, 9)

    house = House(talks)
    alone = RULES.interpret(heard("web keeps acting up, whose fingerprints are on it"))
    meaning = await house.understanding.interpret(
        heard("web keeps acting up, whose fingerprints are on it"), where=HERE
    )
    assert (meaning.route, meaning.requests, meaning.tokens) == (alone.route, alone.requests, 59)
    assert house.counts.counted["model_fallbacks form"] == 1


async def test_the_log_holds_nothing_that_was_said() -> None:
    house = House(answers, fails("broken"))
    with structlog.testing.capture_logs() as lines:
        await house.hears("web 抽风了 my secret words, whose fingerprints are on it")
        await house.hears("web 抽风了 my secret words, whose fingerprints are on it", seconds=1)
    assert lines
    assert "secret" not in repr(lines)


ROOM = Room("console", "t", "ops")
ALICE, BOB = User("console", "t", "alice"), User("console", "t", "bob")


def message(**more: object) -> Message:
    return Message(id="1", room=ROOM, user=ALICE, text="hm", **more)  # type: ignore[arg-type]


def session(*people: User, **more: object) -> Session:
    speakers = {user.key: Speaker(user, "en", 1, "") for user in people}
    return Session(thread="t", room=ROOM, people=speakers, **more)  # type: ignore[arg-type]


class TestWhoMayBeHeard:
    def test_who_addresses_the_bot(self) -> None:
        assert for_the_bot(message(addressed=True), session(BOB), via_card=False)
        assert for_the_bot(message(direct=True), session(), via_card=False)
        assert not for_the_bot(message(), session(), via_card=False)

    def test_requests_in_a_room_that_is_listened_to(self) -> None:
        assert for_the_bot(message(heard=Heard(addressed=False, listen="all", request=True)), session(), via_card=False)
        assert not for_the_bot(
            message(heard=Heard(addressed=False, listen="all", request=False)), session(), via_card=False
        )

    def test_below_a_card_who_is_alone_there(self) -> None:
        assert for_the_bot(message(), session(ALICE), via_card=True)
        assert not for_the_bot(message(), session(ALICE, BOB), via_card=True)


@pytest.fixture(autouse=True)
async def nothing_left_running() -> AsyncIterator[None]:
    """No task outlives its test: a model that hangs is let go."""
    yield
    left = [task for task in asyncio.all_tasks() if task.get_name().startswith("model")]
    assert left == []
