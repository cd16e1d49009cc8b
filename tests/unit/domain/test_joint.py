"""What happens in two rooms takes the rules of both."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain import joint
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Freeze
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Policy, Ruling, approvals_missing, own_approval
from chatops_bot.domain.policy_file import parse

HOME, THERE = Room("slack", "T1", "C1"), Room("feishu", "t9", "oc_1")
BOTH = (HOME, THERE)
ANN = User("slack", "T1", "U1")
WEB = Entity(cluster="c", namespace="shop", kind="Deployment", workload="web", name="web", environment="prod")


def policy(*rules: dict[str, Any], **more: Any) -> Policy:
    return parse({"rules": list(rules), **more}, where="policy", users=set())


def ruled(rules: Policy, role: Any = "confirm", rooms: tuple[Room, ...] = BOTH) -> Ruling:
    return joint.judge(rules, rooms, action="scale", entity=WEB, user=ANN, role=role)


@pytest.mark.parametrize("refusing", [HOME, THERE])
def test_either_of_the_two_can_refuse(refusing: Room) -> None:
    rules = policy({"rooms": [refusing.channel], "confirm": []}, {"confirm": ["*"]})
    assert not ruled(rules).allowed
    other = HOME if refusing is THERE else THERE
    assert ruled(rules, rooms=(other,)).allowed


def test_what_one_of_them_asks_for_is_asked_for() -> None:
    there = {
        "rooms": ["oc_1"],
        "confirm": ["*"],
        "approve": ["slack:U2", "slack:U3"],
        "approvals": 2,
        "risk": "high",
        "limits": {"max_replicas": 5},
    }
    here = {
        "confirm": ["*"],
        "approve": ["slack:U3", "slack:U4"],
        "approvals": 1,
        "self_approve": True,
        "limits": {"max_replicas": 9},
    }
    for rooms in (BOTH, BOTH[::-1]):
        ruling = ruled(policy(there, here), rooms=rooms)
        assert ruling.allowed
        assert (ruling.approvals, ruling.approvers, ruling.self_approve) == (2, ("slack:U3",), False)
        assert (ruling.limits.max_replicas, ruling.risk) == (5, "high")


def test_everybody_in_one_of_them_is_whoever_the_other_names() -> None:
    there = {"rooms": ["oc_1"], "confirm": ["*"], "approve": ["slack:U2"], "approvals": 1}
    here = {"confirm": ["*"], "approve": ["*"]}
    for rooms in (BOTH, BOTH[::-1]):
        assert ruled(policy(there, here), rooms=rooms).approvers == ("slack:U2",)


def test_one_room_is_judged_as_ever() -> None:
    rules = policy({"confirm": ["*"], "approve": ["slack:U2"], "approvals": 1, "limits": {"max_replicas": 9}})
    alone = rules.judge(action="scale", entity=WEB, room=HOME, user=ANN, role="confirm")
    assert ruled(rules, rooms=(HOME,)) == ruled(rules, rooms=(HOME, HOME)) == alone


def test_a_freeze_of_either_holds() -> None:
    frozen = {"name": "night", "starts": "0 0 * * *", "ends": "59 23 * * *", "rooms": ["oc_1"], "override": []}
    rules = policy({"confirm": ["*"]}, freezes=[frozen])
    assert isinstance(rules.freezes[0], Freeze)
    asked = {"action": "scale", "entity": WEB, "now": 1_780_000_000_000, "by": ("slack:U1",), "reason": "it burns"}
    assert joint.freeze_problem(rules, (HOME,), **asked) is None  # type: ignore[arg-type]
    assert joint.freeze_problem(rules, BOTH, **asked) is not None  # type: ignore[arg-type]


def test_one_person_is_one_in_whichever_room_and_however_the_account_is_written() -> None:
    people = {"Ann": ["slack:U1", "feishu:t9/ou_1"], "Bo": ["feishu:t9/ou_2"]}
    ruling = ruled(policy({"confirm": ["*"], "approve": ["Ann", "Bo"], "approvals": 1}, people=people))
    assert ruling.person("slack:U1") == ruling.person("feishu:ou_1")
    assert own_approval(ruling, requester="slack:U1", confirmer="slack:U1", approver="feishu:ou_1") is not None
    assert approvals_missing(ruling, requester="slack:U1", confirmer="slack:U1", approvers=("feishu:ou_1",)) == 1
    assert approvals_missing(ruling, requester="slack:U1", confirmer="slack:U1", approvers=("feishu:ou_2",)) == 0
