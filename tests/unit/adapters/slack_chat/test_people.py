"""The directory of people: fresh, stale, unknown, and never a reason to wait long."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from chatops_bot.adapters.slack.people import People
from chatops_bot.adapters.slack.web import Reply, Web
from chatops_bot.ports.chat import ChatRefused, ChatUnavailable
from tests.fakes.clock import ManualClock, settle


class Answers(Web):
    """A Web API that answers from a script; each call takes `takes_s`."""

    def __init__(self, clock: ManualClock) -> None:
        super().__init__(token="t", clock=clock, base_url="http://x/")
        self.clock = clock
        self.takes_s = 0.0
        self.script: list[dict[str, Any] | Exception] = []
        self.asked: list[tuple[str, Mapping[str, str | int]]] = []

    async def get(self, method: str, params: Mapping[str, str | int] | None = None) -> Reply:
        self.asked.append((method, params or {}))
        if self.takes_s:
            await self.clock.sleep(self.takes_s)
        answer = self.script.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer, {})


def account(user: str = "U1", **more: Any) -> dict[str, Any]:
    return {"id": user, "team_id": "T1", "name": "al", "profile": {"display_name": "alice"}, **more}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def web(clock: ManualClock) -> Answers:
    return Answers(clock)


@pytest.fixture
def people(web: Answers, clock: ManualClock) -> People:
    return People(web=web, clock=clock, wait_s=1, fresh_s=100, stale_s=1000)


async def test_somebody_is_asked_for_once_and_then_known(people: People, web: Answers) -> None:
    web.script = [{"user": account()}]
    first, second = await asyncio.gather(people.find("U1"), people.find("U1"))
    assert first is not None
    assert first == second == await people.find("U1")
    assert (first.name, first.guest, people.name("U1")) == ("alice", False, "alice")
    assert web.asked == [("users.info", {"user": "U1"})]


async def test_an_old_entry_is_used_and_read_again_behind(people: People, web: Answers, clock: ManualClock) -> None:
    people.remember(account())
    await clock.advance(200)
    web.script = [{"user": account(is_restricted=True)}]
    before = await people.find("U1")
    await settle()
    after = await people.find("U1")
    assert before is not None
    assert after is not None
    assert (before.guest, after.guest) == (False, True)


async def test_an_entry_beyond_its_age_is_not_used_when_slack_says_nothing(
    people: People, web: Answers, clock: ManualClock
) -> None:
    people.remember(account())
    await clock.advance(2000)
    web.script = [ChatUnavailable("down")]
    assert await people.find("U1") is None


async def test_a_slow_answer_is_not_waited_for_but_kept(people: People, web: Answers, clock: ManualClock) -> None:
    web.takes_s, web.script = 5, [{"user": account()}]
    asked = asyncio.create_task(people.find("U1"))
    await clock.advance(1)
    assert await asked is None
    await clock.advance(4)
    assert await people.find("U1") is not None
    assert len(web.asked) == 1


@pytest.mark.parametrize("failure", [ChatUnavailable("down"), ChatRefused("missing_scope")])
async def test_whom_slack_does_not_name_is_nobody(people: People, web: Answers, failure: Exception) -> None:
    web.script = [failure, {"user": account()}]
    assert await people.find("U1") is None
    assert await people.find("U1") is not None


async def test_a_user_object_that_cannot_be_read_is_nobody(people: People, web: Answers) -> None:
    web.script = [{"user": {"id": 5}}, {}]
    assert await people.find("U1") is None
    assert await people.find("U1") is None


async def test_all_members_are_read_page_by_page_past_a_limit(people: People, web: Answers, clock: ManualClock) -> None:
    web.script = [
        {"members": [account("U1"), "odd"], "response_metadata": {"next_cursor": "p2"}},
        ChatUnavailable("limited", retry_after_s=30),
        {"members": [account("U2")], "response_metadata": {"next_cursor": ""}},
    ]
    reading = asyncio.create_task(people.read_all())
    await clock.advance(29)
    assert not reading.done()
    await clock.advance(1)
    await reading
    assert [params["cursor"] for _, params in web.asked] == ["", "p2", "p2"]
    assert await people.find("U2") is not None


async def test_members_that_may_not_be_read_are_looked_up_one_by_one(people: People, web: Answers) -> None:
    web.script = [ChatRefused("missing_scope")]
    await people.read_all()
    web.script = [{"user": account()}]
    assert await people.find("U1") is not None


async def test_closing_ends_what_is_being_read(people: People, web: Answers, clock: ManualClock) -> None:
    web.takes_s, web.script = 50, [{"user": account()}]
    asked = asyncio.create_task(people.find("U1"))
    await clock.advance(1)
    await asked
    await people.close()
    await clock.advance(100)
    assert people.name("U1") == ""
