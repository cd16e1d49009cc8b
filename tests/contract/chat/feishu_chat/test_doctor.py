"""What `doctor` says of a Feishu installation: which page of the console to open, and never a secret."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest

from chatops_bot.adapters.feishu import FeishuChat
from chatops_bot.adapters.feishu.doctor import LOST, WISHED
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.ports.chat import Finding
from chatops_bot.ports.wire import Fault
from tests.fakes.clock import ManualClock


@pytest.fixture
async def wire() -> AsyncIterator[FeishuWire]:
    made = FeishuWire(clock=ManualClock(), mode="connection")
    made.app.scopes.add("application:application.app_version:readonly")
    await made.start()
    yield made
    await made.stop()


def chat(wire: FeishuWire, **more: Any) -> FeishuChat:
    return wire.chat(clock=ManualClock(), random_bytes=bytes, **more)


async def findings(wire: FeishuWire, *rooms: str, **more: str) -> list[Finding]:
    found = await chat(wire, **more).check(rooms)
    text = str(found)
    for secret in (wire.app.app_secret, wire.app.encrypt_key, wire.app.verification_token, "wrong-secret", "ticket"):
        assert secret not in text
    return found


def bad(found: list[Finding]) -> list[Finding]:
    return [one for one in found if one.severity != "ok"]


async def test_a_good_installation_has_nothing_to_do(wire: FeishuWire) -> None:
    found = await findings(wire, wire.room("ops"))
    assert not bad(found), found
    assert found[0] == Finding("ok", "connected as ops")
    assert found[-1].what.startswith("the bot is in ops (oc_")
    assert any("200340" in one.what_to_do and "Callback Configuration (回调配置)" in one.what_to_do for one in found)


async def test_a_wrong_secret_or_id_names_the_page(wire: FeishuWire) -> None:
    (secret,) = await findings(wire, app_secret="wrong-secret")
    assert secret.severity == "error"
    assert "10014" in secret.what
    assert "Credentials & Basic Info" in secret.what_to_do
    (unknown,) = await findings(wire, app_id="cli_unknown")
    assert "App ID" in unknown.what_to_do


@pytest.mark.parametrize("scope", [*LOST, *WISHED])
async def test_each_missing_permission_is_told_with_what_is_lost(wire: FeishuWire, scope: str) -> None:
    wire.app.scopes -= {scope}
    if scope in LOST:
        for other in LOST[scope][0]:
            wire.app.scopes.discard(other)
    found = [one for one in bad(await findings(wire)) if scope in one.what]
    if scope == "im:message.group_msg":
        assert found[0].severity == "warning"
    assert len(found) == 1
    assert found[0].severity == ("error" if scope in LOST else "warning")
    assert "Permissions & Scopes (权限管理)" in found[0].what_to_do
    assert "publish" in found[0].what_to_do


async def test_a_permission_that_includes_another_is_enough(wire: FeishuWire) -> None:
    wire.app.scopes.discard("im:message:send_as_bot")
    wire.app.scopes.add("im:message")
    assert not [one for one in await findings(wire) if "send_as_bot" in one.what]


async def test_an_app_without_a_bot_or_not_enabled(wire: FeishuWire) -> None:
    wire.app.bot = False
    (found,) = await findings(wire)
    assert "11205" in found.what
    assert "Bot under Add Features" in found.what_to_do
    wire.app.bot = True
    wire.app.installed = False
    (found,) = await findings(wire)
    assert "administrator" in found.what_to_do


async def test_messages_that_are_not_subscribed(wire: FeishuWire) -> None:
    wire.app.events = ["im.chat.updated_v1"]
    (found,) = bad(await findings(wire))
    assert "im.message.receive_v1 is not subscribed" in found.what
    assert "Event Configuration (事件配置)" in found.what_to_do
    wire.app.released = False
    (found,) = bad(await findings(wire))
    assert "no version" in found.what


async def test_what_cannot_be_read_is_no_error(wire: FeishuWire) -> None:
    wire.app.scopes.discard("application:application.app_version:readonly")
    found = await findings(wire)
    assert not bad(found)
    assert any("cannot be read" in one.what for one in found)


async def test_a_long_connection_that_is_refused(wire: FeishuWire) -> None:
    wire.faults.fail("ws.endpoint", Fault(status=200, code="1000040350"))
    (found,) = bad(await findings(wire))
    assert "1000040350" in found.what
    assert "50 long connections" in found.what_to_do
    assert "mode: webhook" in found.what_to_do
    assert not bad(await findings(wire, mode="webhook"))


async def test_rooms_by_name_unknown_left_and_dissolved(wire: FeishuWire) -> None:
    ops = wire.room("ops")
    (by_name,) = bad(await findings(wire, "#ops"))
    assert (by_name.what, by_name.what_to_do) == ("#ops is a name, not the id of a group", f"write {ops}")
    (nowhere,) = bad(await findings(wire, "nowhere"))
    assert "oc_" in nowhere.what_to_do
    (unknown,) = bad(await findings(wire, "oc_0000000000000000"))
    assert "232006" in unknown.what
    wire.world.chats[ops].members.clear()
    (left,) = bad(await findings(wire, ops))
    assert "add it there" in left.what_to_do
    wire.world.chats[ops].members.add(wire.app.app_id)
    wire.world.chats[ops].dissolved = True
    (over,) = bad(await findings(wire, ops))
    assert "dissolved" in over.what
    wire.world.chats[ops].dissolved = False
    wire.world.chats[ops].external = True
    (external,) = bad(await findings(wire, ops))
    assert external.severity == "warning"


async def test_without_a_network(wire: FeishuWire) -> None:
    await wire.server.stop()
    (found,) = await findings(wire)
    assert "cannot be asked" in found.what
    assert "network" in found.what_to_do


async def test_it_changes_nothing_and_is_not_seen(wire: FeishuWire) -> None:
    ops = wire.room("ops")
    await findings(wire, ops)
    assert not wire.shown(ops)
    assert not wire.notices(ops)
    assert not wire.server.sockets.opened
