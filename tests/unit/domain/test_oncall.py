"""Whom a name calls, on which platform."""

from __future__ import annotations

from chatops_bot.domain.identity import Room
from chatops_bot.domain.memberships import Membership
from chatops_bot.domain.oncall import MENTIONED, OnCall, group_of, ids, known_as
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse

SLACK, FEISHU, WECOM = (Room(name, "T1", "C1") for name in ("slack", "feishu", "wecom"))
POLICY = parse(
    {
        "people": {"dana": ["slack:UDANA", "wecom:Dana"]},
        "groups": {"sre": ["dana", "slack-group:S0123ABC", "feishu-department:od-1"], "empty": []},
        "rules": [],
    }
)
ONCALL = OnCall(
    groups={"team-pay": ("slack-group:S0PAY99", "feishu:ou_erin", "sre"), "far": ("slack:T2/U9", "slack:T1/U8")},
    default="sre",
    rooms={"C2": "team-pay", "slack.T1:C3": "far"},
)


def called(*names: str, room: Room, policy: Policy = POLICY) -> tuple[str, ...]:
    return ids(names, oncall=ONCALL, policy=policy, room=room)


def test_a_group_of_slack_is_mentioned_as_such_and_others_member_by_member() -> None:
    assert called("team-pay", room=SLACK) == ("S0PAY99", "UDANA", "S0123ABC")
    assert called("team-pay", room=FEISHU) == ("ou_erin",)
    assert called("team-pay", room=WECOM) == ("dana",)
    department = Membership(members=("feishu:ou_a", "feishu:ou_b"))
    read = Policy(groups=POLICY.groups, people=POLICY.people, outside={"feishu-department:od-1": department})
    assert called("sre", room=FEISHU, policy=read) == ("ou_a", "ou_b")


def test_accounts_of_other_organisations_are_nobody_here() -> None:
    assert called("far", room=SLACK) == ("U8",)


def test_no_more_are_mentioned_than_a_card_rings() -> None:
    many = OnCall(groups={"all": tuple(f"slack:U{number:03}" for number in range(50))})
    assert len(ids(["all"], oncall=many, policy=POLICY, room=SLACK)) == MENTIONED


def test_names_are_known_whatever_their_case() -> None:
    assert [known_as(name, ONCALL, POLICY) for name in ("Team-Pay", "SRE", "Dana", "nobody")] == [
        "team-pay",
        "sre",
        "dana",
        "",
    ]
    assert group_of("slack-group:S0PAY99", ONCALL) == ""
    assert group_of("slack-group:S1", OnCall(groups={"one": ("slack-group:S1",)})) == "one"


def test_the_group_of_a_room_is_by_its_key_or_its_id_or_the_default() -> None:
    rooms = [Room("slack", "T1", channel) for channel in ("C1", "C2", "C3")]
    assert [ONCALL.of_room(room) for room in rooms] == ["sre", "team-pay", "far"]
