"""What `check` finds in an installation, each with the console's page that changes it."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.wecom.fake.postman import Mode
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.ports.chat import Finding
from chatops_bot.ports.wire import Fault
from tests.fakes.clock import ManualClock


async def check(mode: Mode, *rooms: str, prepare: Any = None, **changed: Any) -> list[Finding]:
    wecom = FakeWeCom(ManualClock(), mode)
    await wecom.start()
    if prepare:
        prepare(wecom)
    try:
        return await wecom.chat(clock=ManualClock(), random_bytes=bytes, **changed).check(rooms)
    finally:
        await wecom.stop()


def bad(findings: list[Finding]) -> Finding:
    (found,) = [finding for finding in findings if finding.severity != "ok"]
    assert found.what_to_do
    return found


async def test_a_sound_application_has_nothing_to_do() -> None:
    findings = await check("app", "app:alice")
    assert {finding.severity for finding in findings} == {"ok"}
    assert "ops" in findings[0].what


async def test_a_sound_robot_has_nothing_to_do() -> None:
    findings = await check("socket", "wrkSFfCgAALFgnzNuqUVCPFZ", "user:alice")
    assert {finding.severity for finding in findings} == {"ok"}


async def test_the_robots_connection_is_not_taken_from_the_bot_that_runs() -> None:
    wecom = FakeWeCom(ManualClock())
    await wecom.start()
    await wecom.chat(clock=ManualClock(), random_bytes=bytes).check()
    assert wecom.faults.calls("aibot_subscribe") == 0
    await wecom.stop()


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"app_secret": "wrong"}, "Secret"),
        ({"corp_id": "wwother"}, "企业信息"),
        ({"agent_id": 7}, "AgentId"),
    ],
)
async def test_a_wrong_setting_of_the_application(changed: dict[str, Any], words: str) -> None:
    found = bad(await check("app", **changed))
    assert words in found.what_to_do
    assert "wrong" not in found.what + found.what_to_do or words == "企业信息" or words == "AgentId"


@pytest.mark.parametrize(
    ("code", "words"),
    [("60020", "企业可信IP"), ("48002", "权限"), ("99999", "failed"), ("301002", "another application")],
)
async def test_what_wecom_refuses(code: str, words: str) -> None:
    def prepare(wecom: FakeWeCom) -> None:
        wecom.faults.fail("agent/get", Fault(code=code))

    found = bad(await check("app", prepare=prepare))
    assert code in found.what
    assert words in found.what_to_do


async def test_an_application_that_is_disabled() -> None:
    found = bad(await check("app", prepare=lambda wecom: wecom.server.agent.update(close=1)))
    assert "启用" in found.what_to_do


async def test_an_application_that_nobody_sees() -> None:
    found = bad(await check("app", prepare=lambda wecom: wecom.server.agent.pop("allow_userinfos")))
    assert "可见范围" in found.what_to_do


async def test_a_network_that_leads_nowhere() -> None:
    assert "network" in bad(await check("app", api_url="http://127.0.0.1:9/cgi-bin/")).what_to_do
    assert "network" in bad(await check("socket", socket_url="ws://127.0.0.1:9")).what_to_do


async def test_an_answer_that_is_not_of_wecom() -> None:
    def prepare(wecom: FakeWeCom) -> None:
        wecom.faults.fail("agent/get", Fault(status=502))

    assert "502" in bad(await check("app", prepare=prepare)).what


async def test_a_robot_over_callbacks_is_told_what_it_cannot_do() -> None:
    assert "长连接" in bad(await check("http")).what_to_do


async def test_a_robot_without_a_name() -> None:
    assert "bot_name" in bad(await check("socket", bot_name="")).what_to_do


@pytest.mark.parametrize("room", ["ops", "#ops", "运维群", ""])
async def test_a_room_that_is_no_id(room: str) -> None:
    assert "log" in bad(await check("socket", room)).what_to_do


async def test_a_room_that_nothing_serves() -> None:
    assert "agent_id" in bad(await check("socket", "app:alice")).what_to_do
    assert "bot_mode" in bad(await check("app", "wrkSFfCgAALFgnzNuqUVCPFZ")).what_to_do


async def test_no_secret_is_shown() -> None:
    for mode in ("app", "socket", "http"):
        for prepare in (None, lambda wecom: wecom.faults.fail("agent/get", Fault(code="40001", times=9))):
            told = str(await check(mode, "nowhere", prepare=prepare))
            assert not any(secret in told for secret in ("app-secret-1", "bot-secret-1", "callback-token", "token-"))
