"""Who somebody is, and what they are called."""

from __future__ import annotations

import asyncio
import json

import pytest

from chatops_bot.adapters.wecom.fake.corp import CORP
from chatops_bot.domain.identity import User
from chatops_bot.ports.wire import Fault
from tests.contract.chat.wecom_chat.conftest import Rig
from tests.fakes.clock import until


async def test_an_external_contact_is_foreign(rig: Rig) -> None:
    stranger = rig.wecom.person("mallory", foreign=True)
    assert (await rig.say(user=stranger, room=f"app:{stranger}" if rig.mode == "app" else rig.room)).accepted
    (message,) = rig.store.messages
    assert message.user == User(platform="wecom", tenant="external", id=stranger, foreign=True)
    assert message.user.key == f"wecom:external/{stranger}"
    assert rig.wecom.faults.calls("user/get") == 0


@pytest.mark.parametrize(
    ("sender", "tenant", "foreign"),
    [
        ({"userid": "alice"}, CORP, False),
        ({"userid": "alice", "corpid": CORP}, CORP, False),
        ({"userid": "alice", "corpid": "wwpartner"}, "wwpartner", True),
        ({"userid": "wwpartner/alice"}, "wwpartner", True),
        ({"userid": "wm" + "a" * 30}, "external", True),
        ({"userid": "wo" + "a" * 30}, "external", True),
        ({"userid": "wm" + "a" * 30, "corpid": CORP}, "external", True),
        ({"userid": "womble"}, CORP, False),
    ],
)
async def test_people_of_other_organisations(
    socket_rig: Rig, sender: dict[str, str], tenant: str, foreign: bool
) -> None:
    body = socket_rig.wecom.bodies.robot_message("m1", user="alice", room=socket_rig.room, text="@bot hi")
    await socket_rig.wecom.server.push("aibot_msg_callback", "m1", {**body, "from": sender})
    await until(lambda: bool(socket_rig.store.events), "the message")
    user = socket_rig.store.events[0].user
    assert (user.tenant, user.foreign, user.guest) == (tenant, foreign, False)


async def test_a_name_is_read_once(app_rig: Rig) -> None:
    for _ in range(3):
        await app_rig.say()
    assert {message.name for message in app_rig.store.messages} == {"alice"}
    assert app_rig.wecom.faults.calls("user/get") == 1


async def test_a_name_that_may_not_be_read_is_not_asked_for_again(app_rig: Rig) -> None:
    app_rig.wecom.faults.fail("user/get", Fault(code="60011"))
    await app_rig.say()
    await app_rig.say()
    assert [message.name for message in app_rig.store.messages] == ["alice", "alice"]
    assert app_rig.wecom.faults.calls("user/get") == 1


async def test_a_name_that_takes_long_is_not_waited_for(app_rig: Rig) -> None:
    rig = app_rig
    rig.wecom.faults.fail("user/get", Fault(kind="hang"))
    first = asyncio.create_task(rig.say(text="one"))
    await until(lambda: rig.wecom.faults.calls("user/get") == 1, "the question")
    second = asyncio.create_task(rig.say(text="two"))
    await rig.clock.advance(0.2)
    assert (await first).accepted
    assert (await second).accepted
    assert [(message.text, message.name) for message in rig.store.messages] == [("one", ""), ("two", "")]


async def test_a_robot_alone_has_no_names(socket_rig: Rig) -> None:
    await socket_rig.say()
    assert socket_rig.store.messages[0].name == ""
    assert json.dumps(socket_rig.wecom.server.frames).count("user/get") == 0
