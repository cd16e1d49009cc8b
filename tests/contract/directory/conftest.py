"""Each platform's directory against its fake, behind one set of hands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from chatops_bot.adapters.feishu.departments import Departments
from chatops_bot.adapters.feishu.fake import FeishuWire
from chatops_bot.adapters.slack import SlackSettings
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.server import Fault as SlackFault
from chatops_bot.adapters.slack.groups import UserGroups
from chatops_bot.ports.directory import Directory
from chatops_bot.ports.wire import Fault
from tests.fakes.clock import ManualClock


@dataclass
class Hands:
    """A platform with one group that the bot may read. `put` fills it and gives the members' keys; `fail` makes the
    next call fail with this status, `forbid` takes the permission away; `scope` is that permission."""

    directory: Directory
    group: str
    unknown: str
    scope: str
    put: Callable[[int], list[str]]
    fail: Callable[[int], None]
    forbid: Callable[[], None]


@pytest.fixture(params=["slack", "feishu"])
async def hands(request: pytest.FixtureRequest) -> AsyncIterator[Hands]:
    if request.param == "slack":
        async with FakeSlack(ManualClock()) as slack:
            made = _slack(slack)
            yield made
            await made.directory.close()
        return
    wire = FeishuWire(clock=ManualClock())
    await wire.start()
    made = _feishu(wire)
    yield made
    await made.directory.close()
    await wire.stop()


def _slack(slack: FakeSlack) -> Hands:
    workspace = slack.workspace
    workspace.scopes += ",usergroups:read"

    def put(count: int) -> list[str]:
        workspace.usergroups["S0123456"] = [f"U{number:07}" for number in range(count)]
        return [f"slack:{user}" for user in workspace.usergroups["S0123456"]]

    def forbid() -> None:
        workspace.scopes = workspace.scopes.replace(",usergroups:read", "")

    settings = SlackSettings(bot_token="xoxb-test", app_token="xapp-test", base_url=slack.url)
    return Hands(
        directory=UserGroups(settings, clock=ManualClock()),
        group="S0123456",
        unknown="S0999999",
        scope="usergroups:read",
        put=put,
        fail=lambda status: slack.faults["usergroups.users.list"].append(SlackFault(error="x", status=status)),
        forbid=forbid,
    )


def _feishu(wire: FeishuWire) -> Hands:
    scope = "contact:department.organize:readonly"
    wire.app.scopes.add(scope)

    def put(count: int) -> list[str]:
        people = [wire.world.person(f"person {number}").id for number in range(count)]
        wire.world.departments["od-sre"] = people
        return [f"feishu:{person}" for person in people]

    return Hands(
        directory=Departments([wire.settings()], clock=ManualClock()),
        group="od-sre",
        unknown="od-nowhere",
        scope=scope,
        put=put,
        fail=lambda status: wire.faults.fail("users.find_by_department", Fault(status=status)),
        forbid=lambda: wire.app.scopes.discard(scope),
    )
