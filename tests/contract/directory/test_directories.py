"""Who is in a platform's group: all of them, or a failure that says whether and what can be done."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.feishu.departments import Departments
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.ports.directory import GroupUnreadable
from tests.contract.directory.conftest import Hands
from tests.fakes.clock import ManualClock


@pytest.mark.parametrize("count", [0, 1, 120])
async def test_all_members_as_keys_however_many_pages(hands: Hands, count: int) -> None:
    expected = hands.put(count)
    assert list(await hands.directory.members(hands.group)) == expected


async def test_a_group_that_is_not_there_is_final(hands: Hands) -> None:
    hands.put(1)
    for group in (hands.unknown, "sre", ""):
        with pytest.raises(GroupUnreadable) as unread:
            await hands.directory.members(group)
        assert unread.value.final
        assert unread.value.what_to_do


async def test_a_missing_permission_is_final_and_named(hands: Hands) -> None:
    hands.put(1)
    hands.forbid()
    with pytest.raises(GroupUnreadable) as unread:
        await hands.directory.members(hands.group)
    assert unread.value.final
    assert hands.scope in unread.value.what_to_do


@pytest.mark.parametrize("status", [429, 500, 503])
async def test_a_platform_that_does_not_answer_is_not_final(hands: Hands, status: int) -> None:
    hands.put(1)
    hands.fail(status)
    with pytest.raises(GroupUnreadable) as unread:
        await hands.directory.members(hands.group)
    assert not unread.value.final


async def test_a_list_that_breaks_off_is_no_list() -> None:
    wire = FeishuWire(clock=ManualClock())
    await wire.start()
    wire.app.scopes.add("contact:department.organize:readonly")
    wire.world.departments["od-sre"] = [wire.world.person(f"p{number}").id for number in range(60)]
    wire.world.person("p1").gone = True
    directory = Departments([wire.settings()], clock=ManualClock())
    try:
        found = await directory.members("od-sre")
        assert len(found) == 59
        assert f"feishu:{wire.world.person('p1').id}" not in found
        wire.world.departments["od-sre"][55] = "ou_gone"
        with pytest.raises(GroupUnreadable):
            await directory.members("od-sre")
    finally:
        await directory.close()
        await wire.stop()


async def test_of_several_apps_the_one_that_reads_it_is_said() -> None:
    wire = FeishuWire(clock=ManualClock())
    await wire.start()
    wire.app.scopes.add("contact:department.organize:readonly")
    wire.world.departments["od-sre"] = [wire.world.person("alice").id]
    other = wire.settings(app_id="cli_other")
    directory = Departments([other, wire.settings()], clock=ManualClock())
    try:
        with pytest.raises(GroupUnreadable, match="which app"):
            await directory.members("od-sre")
        assert len(await directory.members(f"{wire.app.app_id}/od-sre")) == 1
    finally:
        await directory.close()
        await wire.stop()
