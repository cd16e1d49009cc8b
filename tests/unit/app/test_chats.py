"""What was configured reaches the adapters; rooms and addresses of each platform are known."""

from __future__ import annotations

import dataclasses
from typing import Any, cast

import pytest
from pydantic import SecretStr
from starlette.routing import Route

from chatops_bot.adapters.feishu import FeishuSettings as FeishuAdapterSettings
from chatops_bot.adapters.slack import SlackSettings as SlackAdapterSettings
from chatops_bot.adapters.wecom import WeComSettings as WeComAdapterSettings
from chatops_bot.app import chats
from chatops_bot.app.platforms import Platforms
from chatops_bot.app.section import Section
from chatops_bot.app.settings import (
    ConsoleSettings,
    FeishuApp,
    FeishuSettings,
    RoomSettings,
    Settings,
    SlackSettings,
    WeComSettings,
)
from chatops_bot.domain.identity import Room
from tests.fakes.clock import ManualClock

KEY = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEF"
S = SecretStr

SLACK = SlackSettings(
    enabled=True,
    mode="http",
    bot_token=S("xoxb-1"),
    app_token=S("xapp-1"),
    signing_secret=S("signed"),
    command="/bot",
    connections=3,
    allow_bots=("B1",),
    base_url="http://slack.test/",
)
FEISHU = FeishuSettings(
    enabled=True,
    app_id="cli_1",
    app_secret=S("secret"),
    mode="webhook",
    encrypt_key=S("key"),
    verification_token=S("token"),
    domain="lark",
    tenant="tk1",
    connections=4,
    base_url="http://feishu.test",
)
WECOM = WeComSettings(
    enabled=True,
    corp_id="ww1",
    agent_id=7,
    app_secret=S("app-secret"),
    app_token=S("app-token"),
    app_aes_key=S(f"{KEY}1"),
    bot_mode="http",
    bot_id="bot-id",
    bot_secret=S("bot-secret"),
    bot_token=S("bot-token"),
    bot_aes_key=S(f"{KEY}2"),
    bot_name="ops",
    link="https://wiki.test/",
    api_url="http://wecom.test/cgi-bin/",
    socket_url="ws://wecom.test",
)


def platforms(**chosen: Any) -> Platforms:
    return Platforms(Settings(**chosen), clock=ManualClock())


def told(chat: object) -> dict[str, Any]:
    """What an adapter was told."""
    return dataclasses.asdict(vars(chat)["_settings"])


@pytest.mark.parametrize(
    ("chosen", "adapter", "made"),
    [
        (SLACK, SlackAdapterSettings, chats.slack_chat),
        (FEISHU, FeishuAdapterSettings, chats.feishu_chat),
        (WECOM, WeComAdapterSettings, chats.wecom_chat),
    ],
    ids=["slack", "feishu", "wecom"],
)
def test_each_setting_reaches_the_adapter(chosen: Section, adapter: Any, made: Any) -> None:
    fields = {name for name in type(chosen).model_fields if not name.endswith("_file")} - {"enabled", "further_apps"}
    assert fields <= {field.name for field in dataclasses.fields(adapter)}
    found = told(made(chosen, clock=ManualClock()))
    for name in fields:
        value = getattr(chosen, name)
        assert value != type(chosen).model_fields[name].default, f"{name} is tried with its default"
        plain = value.get_secret_value() if isinstance(value, SecretStr) else value
        assert found[name] == (frozenset(plain) if isinstance(plain, tuple) else plain), name


def test_platforms_are_called_where_they_call_us() -> None:
    def paths(**chosen: Any) -> list[str]:
        return [cast("Route", route).path for route in platforms(**chosen).routes()]

    assert paths(slack=SLACK, feishu=FEISHU, wecom=WECOM, console=ConsoleSettings(enabled=True)) == [
        "/slack/events",
        "/feishu/events",
        "/wecom/app",
        "/wecom/robot",
    ]
    connected = FeishuSettings(enabled=True, app_id="cli_1", app_secret=S("s"))
    socket = WeComSettings(enabled=True, corp_id="ww1", bot_mode="socket", bot_id="b", bot_secret=S("s"))
    assert paths(feishu=connected, wecom=socket) == []
    assert paths() == []


def test_rooms_are_in_the_organisation_of_their_platform() -> None:
    second = FeishuApp(app_id="cli_2", app_secret=S("s"), tenant="tk2")
    unknown = FeishuApp(app_id="cli_3", app_secret=S("s"))
    feishu = FeishuSettings(
        enabled=True, app_id="cli_1", app_secret=S("s"), tenant="tk1", further_apps=(second, unknown)
    )
    rooms = {
        "C0": RoomSettings(platform="slack"),
        "oc_1": RoomSettings(platform="feishu", app="cli_1"),
        "oc_2": RoomSettings(platform="feishu", app="cli_2"),
        "oc_3": RoomSettings(platform="feishu", app="cli_3"),
        "wr1": RoomSettings(platform="wecom"),
        "ops": RoomSettings(platform="console"),
    }
    made = platforms(slack=SLACK, feishu=feishu, wecom=WECOM, console=ConsoleSettings(enabled=True), rooms=rooms)
    assert made.room("oc_1") == Room("feishu", "tk1", "oc_1")
    assert made.room("oc_2") == Room("feishu", "tk2", "oc_2")
    assert made.room("wr1") == Room("wecom", "ww1", "wr1")
    assert made.room("ops") == Room("console", "local", "ops")
    # Not known before the platform has said it.
    assert made.room("C0") is None
    assert made.room("oc_3") is None


def test_a_room_of_a_platform_that_is_off_is_nowhere() -> None:
    rooms = {name: RoomSettings(platform=name) for name in ("slack", "feishu", "wecom")}
    made = platforms(rooms=rooms)
    assert [made.room(name) for name in rooms] == [None, None, None]


async def test_each_platform_that_is_on_counts_for_readiness() -> None:
    made = platforms(slack=SLACK, feishu=FEISHU, wecom=WECOM, console=ConsoleSettings(enabled=True))
    found = {name: await check() for name, check in made.checks().items()}
    assert set(found) == {"slack", "feishu", "wecom", "console"}
    assert found["feishu"] == "cli_1: not started"
    assert found["wecom"] == "not started"
    await made.stop()
