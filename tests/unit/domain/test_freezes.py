"""A change freeze takes rights away: who overrides it, what it covers, and how a file says so."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.freezes import Freeze
from chatops_bot.domain.identity import Room
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import PolicyError, parse
from chatops_bot.domain.windows import Window

OPS = Room("slack", "T1", "C1")
WEB = Entity("east", "shop", "Deployment", "web", "web", "prod")
NODE = Entity("east", "", "Node", "node-1", "node-1", "prod")
MONDAY_NOON = 1_767_614_400_000
FREEZE: dict[str, Any] = {"name": "week", "starts": "0 0 * * MON", "ends": "0 0 * * SAT", "override": ["leads"]}


def policy(**changes: Any) -> Policy:
    groups = {"leads": ["slack:U1", "Carol"], "nobody": []}
    people = {"Carol": ["slack:T1/U2", "feishu:ou_2"]}
    return parse({"people": people, "groups": groups, "freezes": [{**FREEZE, **changes}]})


def problem(of: Policy, *by: str, reason: str = "it burns", **other: Any) -> str:
    asked: dict[str, Any] = {"action": "scale", "entity": WEB, "room": OPS, "now": MONDAY_NOON, **other}
    said = of.freeze_problem(by=by, reason=reason, **asked)
    return said.key if said else ""


def test_it_takes_one_of_the_group_and_a_reason() -> None:
    assert problem(policy(), "slack:U9") == "freeze.only"
    assert problem(policy(), "slack:U1") == ""
    assert problem(policy(), "slack:U9", "slack:U1") == ""
    assert problem(policy(), "slack:U1", reason=" ") == "freeze.reason"
    assert problem(policy(), "slack:U9", reason="") == "freeze.only"


def test_each_account_of_a_person_is_that_person() -> None:
    assert problem(policy(), "slack:U2") == ""
    assert problem(policy(), "feishu:ou_2") == ""
    assert problem(policy(), "slack:T2/U2") == "freeze.only"


@pytest.mark.parametrize("override", [[], ["nobody"]])
def test_without_anybody_there_is_no_way(override: list[str]) -> None:
    assert problem(policy(override=override), "slack:U1", "*") == "freeze.nobody"


def test_every_freeze_that_holds_has_to_be_overridden() -> None:
    other = {**FREEZE, "name": "campaign", "override": ["slack:U3"]}
    both = parse({"groups": {"leads": ["slack:U1"]}, "freezes": [FREEZE, other]})
    assert problem(both, "slack:U1") == "freeze.only"
    assert problem(both, "slack:U3") == "freeze.only"
    assert problem(both, "slack:U1", "slack:U3") == ""


@pytest.mark.parametrize(
    ("scope", "held"),
    [
        ({}, True),
        ({"environments": ["PROD"]}, True),
        ({"environments": ["dev"]}, False),
        ({"namespaces": ["shop"]}, True),
        ({"namespaces": ["payments"]}, False),
        ({"services": ["east/shop/deployment/web"]}, True),
        ({"services": ["api"]}, False),
        ({"clusters": ["west"]}, False),
        ({"rooms": ["C2"]}, False),
        ({"actions": ["restart"]}, False),
        ({"actions": ["restart", "scale"]}, True),
        ({"actions": ["*"]}, True),
    ],
)
def test_what_it_covers(scope: dict[str, Any], held: bool) -> None:
    assert bool(problem(policy(**scope))) is held


@pytest.mark.parametrize(
    ("scope", "held"),
    [
        ({"namespaces": ["payments"]}, True),
        ({"services": ["payment-svc"]}, True),
        ({"environments": ["dev"]}, False),
        ({"clusters": ["west"]}, False),
    ],
)
def test_a_node_is_a_part_of_all_that_may_run_on_it(scope: dict[str, Any], held: bool) -> None:
    assert bool(problem(policy(**scope), entity=NODE, action="drain")) is held


def test_outside_its_time_it_is_nothing() -> None:
    assert problem(policy(), now=MONDAY_NOON - 86_400_000) == ""


def test_one_that_cannot_be_computed_holds() -> None:
    broken = Policy(freezes=(Freeze(name="x", window=Window("?", "?"), override=("slack:U1",)),))
    (frozen,) = broken.frozen(action="scale", entity=WEB, room=OPS, now=MONDAY_NOON)
    assert frozen.until == ""
    assert problem(broken, "slack:U9") == "freeze.only"
    assert problem(broken, "slack:U1") == ""


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"override": ["*"]}, "policy.freezes[0].override: must name who may override the freeze"),
        ({"override": "leads"}, "policy.freezes[0].override: must be a list"),
        ({"actions": ["logs"]}, "policy.freezes[0].actions: 'logs' is no action"),
        ({"starts": None}, "policy.freezes[0].starts: is missing"),
        ({"starts": 5}, "policy.freezes[0].starts: must be a text, not a number"),
        ({"ends": "never"}, "policy.freezes[0].ends: 'never' is no moment"),
        ({"timezone": "Shanghai"}, "policy.freezes[0].timezone: there is no time zone 'Shanghai'"),
        ({"name": " "}, "policy.freezes[0].name: must be a text"),
        ({"environments": []}, "policy.freezes[0].environments: is empty"),
        ({"until": "x"}, "policy.freezes[0].until: is not known here"),
    ],
)
def test_mistakes_in_the_file_stop_it(change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(PolicyError) as raised:
        policy(**change)
    assert [said for said in raised.value.problems if said.startswith(complaint)]


def test_names_differ_and_a_list_is_a_list() -> None:
    with pytest.raises(PolicyError, match="two freezes are called 'week'"):
        parse({"groups": {"leads": []}, "freezes": [FREEZE, FREEZE]})
    with pytest.raises(PolicyError, match="freezes: must be a list of freezes, not a mapping"):
        parse({"freezes": FREEZE})
