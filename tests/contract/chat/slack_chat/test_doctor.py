"""What `check` finds in an installation, each with what to do."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from chatops_bot.adapters.slack import SlackChat
from chatops_bot.adapters.slack.fake.server import FakeSlack, Fault
from chatops_bot.adapters.slack.fake.workspace import ROOM, SCOPES, Channel
from chatops_bot.ports.chat import Finding
from tests.contract.chat.slack_chat.conftest import Rig, settings
from tests.fakes.clock import ManualClock


@pytest.fixture
async def slack() -> AsyncIterator[FakeSlack]:
    async with FakeSlack(ManualClock()) as fake:
        yield fake


async def check(slack: FakeSlack, *rooms: str, mode: str = "socket") -> list[Finding]:
    chat = SlackChat(settings(slack, mode), clock=ManualClock(), random_bytes=bytes)
    return await chat.check(rooms)


def bad(findings: list[Finding]) -> Finding:
    (found,) = [finding for finding in findings if finding.severity != "ok"]
    assert found.what_to_do
    return found


async def test_a_sound_installation_has_nothing_to_do(slack: FakeSlack) -> None:
    findings = await check(slack, ROOM)
    assert {finding.severity for finding in findings} == {"ok"}
    assert [finding.what for finding in findings][-1] == f"the bot is in #ops ({ROOM})"
    assert slack.live == []


async def test_a_channel_written_by_name_is_told_its_id(slack: FakeSlack) -> None:
    """botkube 105."""
    for name in ("#ops", "ops"):
        found = bad(await check(slack, name))
        assert ROOM in found.what_to_do


async def test_a_name_that_no_channel_has_is_told_where_ids_are(slack: FakeSlack) -> None:
    assert "details" in bad(await check(slack, "#nowhere")).what_to_do


async def test_a_channel_without_the_bot(slack: FakeSlack) -> None:
    slack.workspace.channels[ROOM].member = False
    assert "/invite" in bad(await check(slack, ROOM)).what_to_do


async def test_an_archived_channel(slack: FakeSlack) -> None:
    slack.workspace.channels[ROOM] = Channel(ROOM, "ops", archived=True)
    assert "unarchive" in bad(await check(slack, ROOM)).what_to_do


async def test_a_channel_that_does_not_exist(slack: FakeSlack) -> None:
    found = bad(await check(slack, "C0NOWHERE01"))
    assert "C0NOWHERE01" in found.what
    assert "check the id" in found.what_to_do


async def test_a_missing_scope_is_named_with_what_is_lost(slack: FakeSlack) -> None:
    slack.workspace.scopes = SCOPES.replace(",users:read", "")
    found = bad(await check(slack))
    assert "users:read" in found.what
    assert "guest" in found.what


async def test_a_wrong_bot_token(slack: FakeSlack) -> None:
    slack.workspace.valid_tokens = {"xapp-test"}
    assert "token" in bad(await check(slack)).what_to_do


async def test_a_wrong_app_token(slack: FakeSlack) -> None:
    slack.workspace.valid_tokens = {"xoxb-test"}
    assert "connections:write" in bad(await check(slack)).what_to_do


async def test_over_http_no_app_token_is_asked_for(slack: FakeSlack) -> None:
    await check(slack, mode="http")
    assert slack.workspace.count("apps.connections.open") == 0


async def test_a_persons_token(slack: FakeSlack) -> None:
    slack.fail("auth.test", Fault())
    slack.workspace.bot_id = ""
    assert "xoxb" in bad(await check(slack)).what_to_do


async def test_a_slack_that_cannot_be_reached(slack: FakeSlack) -> None:
    slack.fail("auth.test", Fault(status=502, text="<html>"))
    found = bad(await check(slack))
    assert found.what.startswith("Slack cannot be asked"), "nothing is wrong with the token, as far as is known"
    assert "network" in found.what_to_do


async def test_a_check_while_it_runs_leaves_it_running(socket_rig: Rig) -> None:
    assert {finding.severity for finding in await socket_rig.chat.check([ROOM])} == {"ok"}
    assert socket_rig.chat.healthy() == ""
    await socket_rig.chat.check()
