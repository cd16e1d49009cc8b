"""The doctor on chat platforms: each app is asked about its own rooms, and no secret is shown."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic import SecretStr

from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.feishu.fake.world import App
from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP
from chatops_bot.adapters.wecom.fake.postman import AES_KEY, TOKEN
from chatops_bot.adapters.wecom.fake.server import SECRET
from chatops_bot.adapters.wecom.fake.wire import FakeWeCom
from chatops_bot.app.doctor.chats import on_platforms
from chatops_bot.app.doctor.findings import Finding, shown
from chatops_bot.app.settings import FeishuApp, FeishuSettings, RoomSettings, Settings, WeComSettings
from tests.fakes.clock import ManualClock


@pytest.fixture
async def feishu() -> AsyncIterator[FeishuWire]:
    wire = FeishuWire(clock=ManualClock())
    await wire.start()
    yield wire
    await wire.stop()


@pytest.fixture
async def wecom() -> AsyncIterator[FakeWeCom]:
    wire = FakeWeCom(ManualClock(), "app")
    await wire.start()
    yield wire
    await wire.stop()


def app_of(wire: FeishuWire, app: App, **more: Any) -> dict[str, Any]:
    return {
        "app_id": app.app_id,
        "app_secret": SecretStr(app.app_secret),
        "mode": "webhook",
        "encrypt_key": SecretStr(app.encrypt_key),
        "verification_token": SecretStr(app.verification_token),
        "base_url": wire.server.url,
        **more,
    }


def on_wecom(wire: FakeWeCom, **more: Any) -> WeComSettings:
    given = {
        "corp_id": CORP,
        "agent_id": AGENT,
        "app_secret": SecretStr(SECRET),
        "app_token": SecretStr(TOKEN),
        "app_aes_key": SecretStr(AES_KEY),
        "api_url": f"http://{wire.server.address}/cgi-bin/",
    }
    return WeComSettings(**{"enabled": True, **given, **more})


async def findings(**chosen: Any) -> list[Finding]:
    found = await on_platforms(Settings(**chosen), clock=ManualClock())
    text = "\n".join(shown(found, as_json=False)) + repr(found)
    for secret in (App.app_secret, App.encrypt_key, App.verification_token, SECRET, TOKEN, AES_KEY, "mistaken"):
        assert secret not in text
    return found


def bad(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.severity == "bad"]


async def test_sound_installations_have_nothing_bad(feishu: FeishuWire, wecom: FakeWeCom) -> None:
    group, talk = feishu.room("ops"), wecom.room("alice")
    rooms = {group: RoomSettings(platform="feishu"), talk: RoomSettings(platform="wecom")}
    on_feishu = FeishuSettings(enabled=True, **app_of(feishu, feishu.app))
    found = await findings(feishu=on_feishu, wecom=on_wecom(wecom), rooms=rooms)
    assert bad(found) == []
    said = [finding.what for finding in found]
    assert "feishu: connected as ops" in said
    assert f"feishu: the bot is in ops ({group})" in said
    assert any(what.startswith("wecom: connected as the application") for what in said)
    assert f"wecom: {talk} is served by the application" in said


async def test_what_is_wrong_is_told_with_the_page_to_open(feishu: FeishuWire, wecom: FakeWeCom) -> None:
    on_feishu = FeishuSettings(enabled=True, **app_of(feishu, feishu.app, app_secret=SecretStr("mistaken")))
    found = bad(await findings(feishu=on_feishu, wecom=on_wecom(wecom, app_secret=SecretStr("mistaken"))))
    (first, second) = found
    assert first.what.startswith("feishu: ")
    assert "Credentials & Basic Info" in first.to_do
    assert second.what.startswith("wecom: ")
    assert "Secret" in second.to_do


async def test_of_several_apps_each_is_asked_about_its_own_rooms(feishu: FeishuWire) -> None:
    second = App(app_id="cli_second", tenant="tk-second")
    feishu.world.apps[second.app_id] = second
    group = feishu.room("ops")
    rooms = {
        group: RoomSettings(platform="feishu", app=feishu.app.app_id),
        "not-an-id": RoomSettings(platform="feishu", app="cli_second"),
    }
    chosen = FeishuSettings(
        enabled=True, **app_of(feishu, feishu.app), further_apps=(FeishuApp(**app_of(feishu, second)),)
    )
    found = await findings(feishu=chosen, rooms=rooms)
    first = [finding for finding in found if finding.what.startswith(f"feishu {feishu.app.app_id}: ")]
    others = [finding for finding in found if finding.what.startswith("feishu cli_second: ")]
    assert len(first) + len(others) == len(found)
    assert any(group in finding.what for finding in first)
    assert not any(group in finding.what for finding in others)
    assert any("not-an-id is a name" in finding.what for finding in others)


async def test_nothing_is_asked_of_platforms_that_are_off() -> None:
    assert await findings() == []
