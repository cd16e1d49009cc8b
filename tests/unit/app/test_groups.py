"""Groups that platforms keep: read in the background, kept for a while, and nobody's where they cannot be read."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
import structlog

from chatops_bot.app import groups
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.groups import GroupsWatch
from chatops_bot.app.settings import GroupSettings, Settings
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Execute
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.memberships import Membership
from chatops_bot.domain.policy import Ruling
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.texts import render
from chatops_bot.domain.world import Timing
from chatops_bot.engine.execution import policy_problem
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.directory import GroupUnreadable
from tests.fakes.clock import ManualClock, settle
from tests.unit.domain.dialogue.talk import Talk

SRE = "slack-group:S0123456"
POLICY = parse({"groups": {"sre": [SRE, "slack:UCAROL00"]}, "rules": [{"confirm": ["sre"]}]})
WEB = Entity("east", "shop", "Deployment", "web", "web", "prod")
ROOM = Room("slack", "T1", "C1")


@dataclass
class Directory:
    """What a platform says of one group; `held` keeps it waiting."""

    people: tuple[str, ...] = ("slack:UBOB0000",)
    problem: GroupUnreadable | None = None
    held: asyncio.Event | None = None
    asked: list[str] = field(default_factory=list)
    closed: bool = False

    async def members(self, group: str) -> tuple[str, ...]:
        self.asked.append(group)
        if self.held is not None:
            await self.held.wait()
        if self.problem is not None:
            raise self.problem
        return self.people

    async def close(self) -> None:
        self.closed = True


class Rig:
    def __init__(self, policy: object = POLICY) -> None:
        self.clock = ManualClock()
        self.directory = Directory()
        self.snapshot = Snapshot(catalog=Catalog(), policy=policy, timing=Timing())  # type: ignore[arg-type]
        self.watch = GroupsWatch(
            {"slack-group": self.directory}, snapshot=self.snapshot, clock=self.clock, refresh_s=300, stale_s=1800
        )

    async def after(self, seconds: float) -> None:
        await self.clock.advance(seconds)
        self.watch.look()
        await settle()
        self.watch.look()

    def confirms(self, user: str, *, guest: bool = False) -> Ruling:
        return self.snapshot.world.policy.judge(
            action="scale", entity=WEB, room=ROOM, user=User("slack", "T1", user, guest=guest), role="confirm"
        )


async def test_members_count_from_the_first_reading_and_leave_with_the_next() -> None:
    rig = Rig()
    ruling = rig.confirms("UBOB0000")
    assert not ruling.allowed
    assert ruling.problem is not None
    assert "Who is in the group sre (slack-group:S0123456) cannot be read: it has not been read yet." in render(
        ruling.problem, "en"
    )
    await rig.watch.first()
    assert rig.confirms("UBOB0000").allowed
    assert rig.confirms("UCAROL00").allowed
    assert not rig.confirms("UALICE00").allowed
    rig.directory.people = ("slack:UALICE00",)
    await rig.after(299)
    assert rig.directory.asked == ["S0123456"]
    assert rig.confirms("UBOB0000").allowed
    await rig.after(1)
    assert rig.directory.asked == ["S0123456"] * 2
    assert not rig.confirms("UBOB0000").allowed
    assert rig.confirms("UALICE00").allowed


async def test_while_the_platform_is_away_what_was_read_counts_until_it_is_too_old() -> None:
    rig = Rig()
    await rig.watch.first()
    rig.directory.problem = GroupUnreadable("Slack cannot be reached", final=False)
    with structlog.testing.capture_logs() as logs:
        await rig.after(300)
        await rig.after(600)
        assert rig.confirms("UBOB0000").allowed
        await rig.after(901)
    ruling = rig.confirms("UBOB0000")
    assert not ruling.allowed
    assert ruling.problem is not None
    said = render(ruling.problem, "en")
    assert "Slack cannot be reached; last read 30 min ago" in said
    assert "nobody is in it" in said
    assert [line["event"] for line in logs] == ["group_unreadable"]
    assert rig.confirms("UCAROL00").allowed
    rig.directory.problem = None
    await rig.after(15)
    assert rig.confirms("UBOB0000").allowed


async def test_a_reading_that_never_ends_does_not_keep_anybody_in() -> None:
    rig = Rig()
    await rig.watch.first()
    rig.directory.held = asyncio.Event()
    await rig.after(300)
    await rig.after(1501)
    assert not rig.confirms("UBOB0000").allowed
    await rig.watch.close()
    assert rig.directory.closed


async def test_what_the_platform_refuses_for_good_counts_no_more_at_once() -> None:
    rig = Rig()
    await rig.watch.first()
    rig.directory.problem = GroupUnreadable("Slack says no_such_subteam", final=True, what_to_do="copy its id")
    await rig.after(300)
    ruling = rig.confirms("UBOB0000")
    assert not ruling.allowed
    assert "no_such_subteam" in str(ruling.problem)


async def test_a_guest_is_let_in_by_the_policy_alone() -> None:
    rig = Rig()
    await rig.watch.first()
    assert rig.confirms("UBOB0000").allowed
    assert not rig.confirms("UBOB0000", guest=True).allowed
    assert rig.confirms("UCAROL00", guest=True).allowed


async def test_one_person_is_meant_with_all_accounts() -> None:
    people = {"bob": ["slack:UBOB0000", "slack:UBOB0001"]}
    rig = Rig(parse({"people": people, "groups": {"sre": [SRE]}, "rules": [{"confirm": ["sre"]}]}))
    await rig.watch.first()
    assert rig.confirms("UBOB0001").allowed


async def test_groups_follow_the_policy() -> None:
    rig = Rig()
    await rig.watch.first()
    rig.snapshot.set_policy(parse({"groups": {"sre": ["slack-group:S0999999"]}, "rules": [{"confirm": ["sre"]}]}))
    assert not rig.confirms("UBOB0000").allowed
    await rig.after(1)
    assert rig.directory.asked == ["S0123456", "S0999999"]
    assert rig.confirms("UBOB0000").allowed
    assert list(rig.snapshot.world.policy.outside) == ["slack-group:S0999999"]


async def test_a_platform_that_is_off_has_no_groups() -> None:
    policy = await groups.policy_of(Configuration(settings=Settings(), policy=POLICY), clock=ManualClock())
    assert policy.outside[SRE] == Membership(
        problem="slack is not enabled here (set slack.enabled, or take the group out of the policy)"
    )


async def test_a_freeze_whose_people_cannot_be_read_says_so() -> None:
    freeze = {"name": "sale", "starts": "2023-01-01T00:00", "ends": "2027-01-01T00:00", "override": ["sre"]}
    rig = Rig(parse({"groups": {"sre": [SRE]}, "rules": [{"confirm": ["*"]}], "freezes": [freeze]}))
    policy = rig.snapshot.world.policy
    frozen = policy.frozen(action="scale", entity=WEB, room=ROOM, now=int(rig.clock.now() * 1000))
    problem = policy.not_overridden(frozen, by=("slack:UBOB0000",), room=ROOM)
    assert problem is not None
    assert "cannot be read" in render(problem, "en")
    await rig.watch.first()
    assert rig.snapshot.world.policy.not_overridden(frozen, by=("slack:UBOB0000",), room=ROOM) is None


def test_a_limit_below_the_refreshing_is_refused() -> None:
    with pytest.raises(ValueError, match="shorter than refresh_s"):
        GroupSettings(refresh_s=300, stale_s=60)


async def test_an_approver_who_leaves_the_group_before_the_execution_counts_no_more() -> None:
    rule = {"confirm": ["slack:UALICE00"], "approve": ["sre"], "approvals": 1}
    rig = Rig(parse({"groups": {"sre": [SRE]}, "rules": [rule]}))
    await rig.watch.first()
    talk = Talk()
    talk.plan()
    plan = talk.session.pending[-1].plan
    assert plan is not None
    effect = Execute(
        id="x",
        thread="t",
        room=ROOM,
        token=plan.token,
        entity=plan.entity,
        action=plan.action,
        confirmer=User("slack", "T1", "UALICE00"),
        approvers=("slack:UBOB0000",),
    )
    assert policy_problem(rig.snapshot.world.policy, effect, plan, 0) is None
    rig.directory.people = ()
    await rig.after(300)
    problem = policy_problem(rig.snapshot.world.policy, effect, plan, 0)
    assert problem is not None
    assert "slack:UBOB0000" in render(problem, "en")
    rig.directory.problem = GroupUnreadable("Slack says no_such_subteam", final=True)
    await rig.after(300)
    assert policy_problem(rig.snapshot.world.policy, effect, plan, 0) is not None
