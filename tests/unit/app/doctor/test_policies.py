"""What the doctor says of a policy: each finding once where it applies, and none of a sound one."""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.app.doctor.findings import Finding
from chatops_bot.app.doctor.policies import Known, on_policy
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import ACTIONS, QUERIES
from chatops_bot.domain.memberships import Membership
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.policy_file import parse


def entity(name: str, environment: str = "prod", cluster: str = "east") -> Entity:
    return Entity(cluster, "shop", "Deployment", name, name, environment)


KNOWN = Known(
    clusters=frozenset({"east", "west"}),
    entities=(entity("web"), entity("api", "dev", "west")),
    console=True,
    approval_s=3600,
)


def findings(*rules: dict[str, Any], known: Known = KNOWN, **groups: list[str]) -> list[Finding]:
    return on_policy(parse({"groups": groups, "rules": list(rules)}), known)


def said(*rules: dict[str, Any], known: Known = KNOWN, **groups: list[str]) -> str:
    return "\n".join(f"{finding.severity} {finding.what}" for finding in findings(*rules, known=known, **groups))


LATER = {"confirm": ["x"], "approve": ["a"], "approvals": 1, "escalate": ["boss"], "escalate_after": "15m"}
SOUND = {"environments": ["prod"], "confirm": ["sre"], "approvals": 1}


def test_a_sound_policy_is_well() -> None:
    assert said(SOUND, {"confirm": ["*"]}, sre=["bob", "slack:U024BE7LH"]) == "ok the policy is sound: 2 rules"


def test_none_is_told() -> None:
    (finding,) = on_policy(Policy.closed(), KNOWN)
    assert finding.severity == "warn"
    assert "only reads" in finding.what
    assert finding.to_do


@pytest.mark.parametrize(
    ("rule", "groups", "finding"),
    [
        ({"confirm": ["*"]}, {"sre": []}, "warn the group sre has no members"),
        ({"confirm": []}, {}, "warn rule 1 lets nobody confirm"),
        ({"actions": ["scale"]}, {}, "warn rule 1 lets nobody confirm"),
        ({"actions": ["logs"], "risk": "high"}, {}, "warn rule 1 raises the risk of what only reads"),
        ({"confirm": ["sre"]}, {"sre": []}, "warn rule 1 lets nobody confirm"),
        ({"confirm": ["slack:bob"]}, {}, "warn slack:bob is no user id of Slack"),
        ({"confirm": ["slack:@U024BE7LH"]}, {}, "warn slack:@U024BE7LH is no user id of Slack"),
        ({"confirm": ["feishu:zhangsan"]}, {}, "warn feishu:zhangsan is no user id of Feishu"),
        ({"confirm": ["*"], "clusters": ["north"]}, {}, "warn rule 1 speaks of clusters that do not exist: north"),
        ({"confirm": ["*"], "environments": ["staging"]}, {}, "warn rule 1 speaks of environments"),
        ({"confirm": ["*"], "services": ["web", "wbe"]}, {}, "services that do not exist: wbe"),
        ({"confirm": ["*"], "namespaces": ["shopp"]}, {}, "namespaces that do not exist: shopp"),
        ({"confirm": ["bob"], "approvals": 1}, {}, "bad rule 1 wants 1 approvals, but only 0"),
        ({"confirm": ["sre"], "approvals": 2}, {"sre": ["a", "b"]}, "bad rule 1 wants 2 approvals, but only 1"),
        ({"confirm": ["x"], "approve": ["a"], "approvals": 2}, {}, "bad rule 1 wants 2 approvals, but only 1"),
        (LATER | {"escalate": ["sre"]}, {"sre": []}, "warn rule 1 escalates to nobody who may not approve at once"),
        (LATER | {"escalate": ["a"]}, {}, "warn rule 1 escalates to nobody who may not approve at once"),
        (LATER | {"approve": ["*"]}, {}, "warn rule 1 escalates to nobody who may not approve at once"),
        (LATER | {"escalate_after": "60m"}, {}, "bad rule 1 escalates after 1h, when the plan has expired"),
        (LATER | {"escalate": ["slack:boss"]}, {}, "warn slack:boss is no user id of Slack"),
    ],
)
def test_a_doubtful_rule_is_told(rule: dict[str, Any], groups: dict[str, Any], finding: str) -> None:
    assert finding in said(rule, **groups)


@pytest.mark.parametrize(
    ("rule", "groups"),
    [
        ({"confirm": ["*"], "approvals": 5}, {}),
        ({"confirm": ["bob"], "approvals": 1, "self_approve": True}, {}),
        ({"confirm": ["x"], "approve": ["a", "b"], "approvals": 2}, {}),
        (LATER, {}),
        (LATER | {"approvals": 2}, {}),
        ({"confirm": ["slack:W024BE7LH", "slack:T024BE7LH/U024BE7LH"]}, {}),
        ({"confirm": ["feishu:ou_7d8a6e", "feishu:13a0b/ou_7d8a6e", "wecom:zhangsan"]}, {}),
        ({"confirm": ["*"], "clusters": ["EAST", "*"], "services": ["west/shop/deployment/api"]}, {}),
        ({"actions": ["read", "logs"], "request": ["bob"]}, {}),
    ],
)
def test_a_rule_that_is_meant_so_is_left_alone(rule: dict[str, Any], groups: dict[str, Any]) -> None:
    assert said(rule, **groups) == "ok the policy is sound: 1 rules"


class TestPersons:
    PEOPLE: ClassVar = {"zhang.san": ["slack:U024BE7LH", "feishu:ou_7d8a6e"], "li.si": ["slack:U0G9QF9C6"]}
    OFF = Known(clusters=KNOWN.clusters, entities=KNOWN.entities, console=False)

    def said(self, *rules: dict[str, Any], people: dict[str, list[str]] | None = None, **groups: list[str]) -> str:
        mapping = {"people": people or self.PEOPLE, "groups": groups, "rules": list(rules)}
        return "\n".join(f"{finding.severity} {finding.what}" for finding in on_policy(parse(mapping), self.OFF))

    def test_a_person_is_no_name_on_the_console(self) -> None:
        assert self.said({"confirm": ["sre", "li.si"]}, sre=["zhang.san"]) == "ok the policy is sound: 1 rules"

    def test_ids_of_accounts_are_looked_at_too(self) -> None:
        text = self.said({"confirm": ["p"]}, people={"p": ["slack:p", "p"]})
        assert "warn slack:p is no user id of Slack" in text
        assert "warn p is no group, so it is a name on the console, which is off" in text

    def test_one_account_of_several_is_told(self) -> None:
        text = self.said({"confirm": ["slack:U024BE7LH", "slack:U0G9QF9C6"]})
        assert text == "warn slack:U024BE7LH is one account of zhang.san, whose other accounts are not meant by it"

    def test_a_person_without_an_account_is_told(self) -> None:
        assert "warn the person p has no account" in self.said({"confirm": ["*"]}, people={"p": []})

    def test_approvers_are_counted_by_people(self) -> None:
        short = "bad rule 1 wants 2 approvals, but only 1 of those who may approve can be further people"
        assert self.said({"confirm": ["zhang.san", "li.si"], "approvals": 2}) == short
        assert "bad" not in self.said({"confirm": ["zhang.san", "li.si"], "approvals": 1})


def test_a_bare_name_is_doubtful_where_the_console_is_off() -> None:
    off = Known(clusters=KNOWN.clusters, entities=KNOWN.entities, console=False)
    assert "warn sree is no group" in said({"confirm": ["sree"]}, known=off, sre=["slack:U024BE7LH"])
    assert "warn" not in said({"confirm": ["sree"]}, sre=["slack:U024BE7LH"])


def test_services_without_an_environment_are_told_where_rules_go_by_it() -> None:
    known = Known(
        clusters=KNOWN.clusters,
        entities=(*KNOWN.entities, *(entity(f"s{n}", "") for n in range(7)), Entity("east", "", "Node", "n", "n")),
        console=True,
    )
    text = said({"environments": ["prod"], "confirm": ["*"]}, known=known)
    assert "warn 7 services have no environment" in text
    assert text.endswith("s0, s1, s2, s3, s4 …")
    assert "no environment" not in said({"confirm": ["*"]}, known=known)


def test_names_are_not_doubted_where_no_cluster_could_be_asked() -> None:
    blind = Known(clusters=frozenset({"east"}), entities=(), console=True)
    assert said({"services": ["web"], "environments": ["x"], "confirm": ["*"]}, known=blind).startswith("ok")


@pytest.mark.parametrize(
    ("first", "second", "shadowed"),
    [
        ({}, {"actions": ["scale"]}, True),
        ({"actions": ["*"]}, {}, True),
        ({"actions": ["scale", "restart"]}, {"actions": ["scale"]}, True),
        ({"environments": ["prod", "dev"]}, {"environments": ["PROD"]}, True),
        ({"actions": ["read"]}, {"actions": ["logs"]}, True),
        ({"actions": ["scale"]}, {}, False),
        ({"actions": list(ACTIONS)}, {"actions": ["*"]}, True),
        ({}, {"actions": ["read"]}, False),
        ({"actions": ["logs"]}, {"actions": ["read"]}, False),
        ({"environments": ["prod"]}, {}, False),
        ({"environments": ["prod"]}, {"environments": ["*"]}, False),
        ({"environments": ["prod"], "clusters": ["east"]}, {"environments": ["prod"]}, False),
    ],
)
def test_a_rule_that_can_never_match_is_told(first: dict[str, Any], second: dict[str, Any], shadowed: bool) -> None:
    text = said({**first, "confirm": ["*"]}, {**second, "confirm": ["*"]})
    assert ("warn rule 2 never matches: rule 1 comes first" in text) == shadowed


scopes = st.one_of(st.none(), st.lists(st.sampled_from(["prod", "dev", "*"]), min_size=1, unique=True).map(tuple))
named = st.one_of(
    st.none(), st.lists(st.sampled_from(["*", "read", "logs", "scale", "restart"]), min_size=1, unique=True).map(tuple)
)


@given(
    st.lists(st.builds(Rule, actions=named, environments=scopes, confirm=st.just(("*",))), min_size=2, max_size=4).map(
        tuple
    )
)
def test_a_rule_that_is_said_never_to_match_never_does(rules: tuple[Rule, ...]) -> None:
    policy = Policy(rules=rules)
    never = {
        number
        for number in range(len(rules))
        for finding in on_policy(policy, KNOWN)
        if finding.what.startswith(f"rule {number + 1} never matches")
    }
    room, user = Room("console", "local", "ops"), User("console", "local", "bob")
    for action in (*ACTIONS, *QUERIES):
        for environment in ("prod", "dev", "other"):
            ruling = policy.judge(
                action=action, entity=entity("web", environment), room=room, user=user, role="confirm"
            )
            assert ruling.rule not in never


FREEZE: dict[str, Any] = {"name": "week", "starts": "0 0 * * MON", "ends": "0 0 * * SAT", "override": ["bob"]}
SUNDAY_NOON = 1_767_528_000_000


@pytest.mark.parametrize(
    ("change", "now", "finding"),
    [
        ({"environments": ["stage"]}, SUNDAY_NOON, "the freeze week speaks of environments that do not exist: stage"),
        ({"override": []}, SUNDAY_NOON, "the freeze week names nobody who may override it"),
        ({"override": ["carol"]}, SUNDAY_NOON, "no rule lets those confirm or approve who may override freeze week"),
        ({"override": ["slack:bob"]}, SUNDAY_NOON, "slack:bob is no user id of Slack"),
        ({}, SUNDAY_NOON + 86_400_000, "the freeze week is on until 2026-01-10 00:00 (UTC)"),
        ({"starts": "2025-12-24T18:00", "ends": "2026-01-02T08:00"}, SUNDAY_NOON, "week is over and does not come"),
        ({"starts": "2026-12-24T18:00", "ends": "2027-01-02T08:00"}, SUNDAY_NOON, ""),
        ({}, SUNDAY_NOON, ""),
    ],
)
def test_freezes(change: dict[str, Any], now: int, finding: str) -> None:
    policy = parse({"rules": [{"confirm": ["bob"]}], "freezes": [{**FREEZE, **change}]})
    found = [f"{one.severity} {one.what}" for one in on_policy(policy, KNOWN, now=now)]
    if not finding:
        assert found == ["ok the policy is sound: 1 rules"]
        return
    assert any(one.startswith("warn") and finding in one for one in found), found


def test_services_without_an_environment_are_in_no_freeze_by_environment() -> None:
    known = Known(KNOWN.clusters, (*KNOWN.entities, entity("lost", "")), console=True)
    policy = parse({"rules": [{"confirm": ["bob"]}], "freezes": [{**FREEZE, "environments": ["prod"]}]})
    assert any("1 services have no environment" in one.what for one in on_policy(policy, known, now=SUNDAY_NOON))


def test_a_platforms_group_is_read_or_it_is_told_why_not() -> None:
    policy = parse({"groups": {"sre": ["slack-group:S0123456"]}, "rules": [{"confirm": ["sre"], "approvals": 1}]})

    def told(**membership: Any) -> list[str]:
        read = msgspec.structs.replace(policy, outside={"slack-group:S0123456": Membership(**membership)})
        return [f"{one.severity} {one.what}" for one in on_policy(read, KNOWN)]

    assert told(members=("slack:U0000001", "slack:U0000002", "slack:U0000003")) == ["ok the policy is sound: 1 rules"]
    assert any("bad who is in slack-group:S0123456 cannot be read: missing" in one for one in told(problem="missing"))
    assert "warn slack-group:S0123456 has no members, so it is nobody" in told()
    assert any("it has not been read yet" in one.what for one in on_policy(policy, KNOWN))
