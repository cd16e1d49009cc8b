"""The policy judges by the first matching rule, and whatever is in doubt means no."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import ACTIONS, QUERIES, Quantity
from chatops_bot.domain.memberships import Membership
from chatops_bot.domain.policy import (
    Limits,
    Policy,
    Role,
    Rule,
    Ruling,
    approvals_missing,
    entry_for,
    own_approval,
    shown_duration,
)
from chatops_bot.domain.policy_file import PolicyError, parse
from chatops_bot.domain.risks import RISKS
from chatops_bot.domain.texts.policy import TEXTS

OPS = Room("console", "local", "ops")
SLACK = Room("slack", "T1", "C1")
ROLES: tuple[Role, ...] = ("read", "request", "confirm", "approve")
WRITING: tuple[Role, ...] = ("request", "confirm", "approve")


def person(name: str, *, guest: bool = False, foreign: bool = False) -> User:
    return User("console", "local", name, guest=guest, foreign=foreign)


def service(name: str = "web", *, environment: str = "prod", cluster: str = "east", namespace: str = "shop") -> Entity:
    return Entity(cluster, namespace, "Deployment", name, name, environment)


def judge(policy: Policy, user: User, role: Role = "confirm", **other: Any) -> Ruling:
    arguments: dict[str, Any] = {"action": "scale", "entity": service(), "room": OPS, **other}
    return policy.judge(user=user, role=role, **arguments)


def rules(*entries: dict[str, Any], **groups: list[str]) -> Policy:
    return parse({"groups": groups, "rules": list(entries)})


class TestStanding:
    @pytest.mark.parametrize("role", ROLES)
    def test_open_lets_everybody_do_everything(self, role: Role) -> None:
        assert judge(Policy.open(), person("alice"), role).allowed

    @pytest.mark.parametrize("policy", [Policy.closed(), Policy.broken(), Policy()])
    @pytest.mark.parametrize("role", WRITING)
    def test_without_a_rule_writing_is_refused(self, policy: Policy, role: Role) -> None:
        ruling = judge(policy, person("alice"), role)
        assert not ruling.allowed
        assert ruling.rule == -1

    def test_each_reason_has_its_own_words(self) -> None:
        keys = [
            problem.key
            for policy in (Policy.closed(), Policy.broken(), Policy())
            if (problem := judge(policy, person("alice")).problem)
        ]
        assert keys == ["policy.no_file", "policy.broken", "policy.no_rule"]

    @pytest.mark.parametrize("policy", [Policy.closed(), Policy.broken(), Policy(), Policy.open()])
    @pytest.mark.parametrize("query", ["read", *QUERIES])
    def test_without_a_rule_reading_is_allowed_but_not_for_outsiders(self, policy: Policy, query: str) -> None:
        assert judge(policy, person("alice"), "read", action=query).allowed
        assert not judge(policy, person("eve", guest=True), "read", action=query).allowed
        assert not judge(policy, person("eve", foreign=True), "read", action=query).allowed

    def test_a_query_is_reading_whatever_the_role(self) -> None:
        assert judge(Policy.closed(), person("alice"), "confirm", action="logs").allowed

    def test_an_unknown_action_is_refused_even_by_an_open_policy(self) -> None:
        ruling = judge(Policy.open(), person("alice"), action="exec")
        assert not ruling.allowed
        assert ruling.problem is not None
        assert ruling.problem.key == "policy.unknown_action"


class TestPeople:
    def test_an_empty_list_is_nobody_and_said_so(self) -> None:
        ruling = judge(rules({"confirm": []}), person("alice"))
        assert not ruling.allowed
        assert ruling.problem is not None
        assert ruling.problem.key == "policy.nobody.confirm"
        assert ruling.problem.args["rule"] == 1

    def test_an_empty_group_is_nobody(self) -> None:
        assert not judge(rules({"confirm": ["sre"]}, sre=[]), person("alice")).allowed

    def test_confirm_left_out_is_nobody_and_request_left_out_is_everybody(self) -> None:
        policy = rules({"actions": ["scale"]})
        assert judge(policy, person("alice"), "request").allowed
        assert not judge(policy, person("alice"), "confirm").allowed
        assert not judge(policy, person("alice"), "approve").allowed

    def test_approve_left_out_is_as_confirm_and_empty_is_nobody(self) -> None:
        assert judge(rules({"confirm": ["alice"]}), person("alice"), "approve").allowed
        assert not judge(rules({"confirm": ["alice"], "approve": []}), person("alice"), "approve").allowed

    def test_a_refusal_names_the_rule_and_who_could(self) -> None:
        policy = rules({"actions": ["drain"], "confirm": ["*"]}, {"confirm": ["sre", "carol"]}, sre=["bob"])
        ruling = judge(policy, person("alice"))
        assert ruling.rule == 1
        assert ruling.problem is not None
        assert ruling.problem.key == "policy.only.confirm"
        assert ruling.problem.args == {"rule": 2, "action": "scale", "who": "sre, carol"}
        assert ruling.who == ("sre", "carol")

    def test_members_of_a_group_are_named_by_it(self) -> None:
        policy = rules({"confirm": ["sre"]}, sre=["alice", "slack:U1"])
        assert judge(policy, person("alice")).allowed
        assert judge(policy, User("slack", "T1", "U1"), room=SLACK).allowed
        assert not judge(policy, User("slack", "T1", "U2"), room=SLACK).allowed

    def test_a_name_of_one_platform_is_nobody_on_another(self) -> None:
        policy = rules({"confirm": ["slack:U1", "bob"]})
        assert not judge(policy, person("U1")).allowed
        assert not judge(policy, User("slack", "T1", "bob"), room=SLACK).allowed
        assert not judge(policy, User("feishu", "T1", "U1"), room=Room("feishu", "T1", "oc_1")).allowed

    def test_names_are_compared_exactly(self) -> None:
        assert not judge(rules({"confirm": ["alice"]}), person("Alice")).allowed


class TestOutsiders:
    GUEST = User("slack", "T1", "UG", guest=True)
    FOREIGN = User("slack", "T2", "U1", foreign=True)

    @pytest.mark.parametrize("user", [GUEST, FOREIGN])
    def test_the_star_does_not_name_them(self, user: User) -> None:
        policy = rules({"confirm": ["*"]}, {"actions": ["read"], "request": ["*"]})
        for role in ROLES:
            ruling = judge(policy, user, role, room=SLACK, action="status" if role == "read" else "scale")
            assert not ruling.allowed
            assert ruling.problem is not None
            assert ruling.problem.key == ("policy.foreign" if user.foreign else "policy.guest")

    def test_a_guest_may_do_what_names_them_individually_or_by_group(self) -> None:
        assert judge(rules({"confirm": ["slack:UG"]}), self.GUEST, room=SLACK).allowed
        assert judge(rules({"confirm": ["them"]}, them=["slack:UG"]), self.GUEST, room=SLACK).allowed
        assert not judge(rules({"confirm": ["slack:UG"]}), self.GUEST, "request", room=SLACK).allowed

    def test_the_same_id_of_another_organisation_is_another_person(self) -> None:
        policy = rules({"confirm": ["slack:U1"]})
        assert judge(policy, User("slack", "T1", "U1"), room=SLACK).allowed
        refusal = judge(policy, self.FOREIGN, room=SLACK)
        assert not refusal.allowed
        assert refusal.problem is not None
        entry = refusal.problem.args["entry"]
        assert entry == "slack:T2/U1"
        assert judge(rules({"confirm": [entry]}), self.FOREIGN, room=SLACK).allowed
        assert not judge(rules({"confirm": [entry]}), User("slack", "T1", "U1"), room=SLACK).allowed

    def test_the_entry_shown_is_the_one_that_works(self) -> None:
        for user in (self.GUEST, self.FOREIGN, User("slack", "T1", "U9")):
            assert judge(rules({"confirm": [entry_for(user, SLACK)]}), user, room=SLACK).allowed


class TestScopes:
    @pytest.mark.parametrize(
        ("scope", "hit", "miss"),
        [
            ("environments", "prod", "dev"),
            ("environments", "PROD", "dev"),
            ("clusters", "east", "west"),
            ("namespaces", "shop", "payments"),
            ("services", "web", "web-2"),
            ("services", "east/shop/deployment/web", "west/shop/deployment/web"),
            ("rooms", "ops", "dev"),
            ("rooms", "console:ops", "slack:ops"),
            ("actions", "scale", "restart"),
            ("actions", "*", "drain"),
        ],
    )
    def test_a_scope_holds_where_it_names_the_place(self, scope: str, hit: str, miss: str) -> None:
        assert judge(rules({scope: [hit], "confirm": ["alice"]}), person("alice")).rule == 0
        assert judge(rules({scope: [miss], "confirm": ["alice"]}), person("alice")).rule == -1

    def test_the_first_match_wins_even_if_it_refuses(self) -> None:
        policy = rules({"environments": ["prod"], "confirm": ["sre"]}, {"confirm": ["*"]}, sre=["bob"])
        assert not judge(policy, person("alice")).allowed
        assert judge(policy, person("alice"), entity=service(environment="dev")).rule == 1

    def test_a_service_is_not_meant_by_a_part_of_its_name(self) -> None:
        policy = rules({"services": ["verification"], "confirm": ["*"]})
        assert not judge(policy, person("alice"), entity=service("verification-small")).allowed

    def test_reading_has_to_be_named(self) -> None:
        policy = rules({"request": [], "confirm": []}, {"actions": ["*"], "request": [], "confirm": []})
        assert judge(policy, person("alice"), "read", action="status").rule == -1

    def test_read_covers_logs_and_logs_only_logs(self) -> None:
        reading = rules({"actions": ["read"], "request": ["bob"]})
        logs = rules({"actions": ["logs"], "request": ["bob"]})
        assert not judge(reading, person("alice"), "read", action="logs").allowed
        assert not judge(logs, person("alice"), "read", action="logs").allowed
        assert judge(logs, person("alice"), "read", action="status").allowed

    def test_read_covers_incidents_and_incident_only_incidents(self) -> None:
        reading = rules({"actions": ["read"], "request": ["bob"]})
        handling = rules({"actions": ["incident"], "request": ["bob"]})
        assert not judge(reading, person("alice"), "read", action="incident").allowed
        assert not judge(handling, person("alice"), "read", action="incident").allowed
        assert judge(handling, person("bob"), "read", action="incident").allowed
        for action in ("status", "logs", "read"):
            assert judge(handling, person("alice"), "read", action=action).allowed

    def test_reading_beyond_one_service_is_refused_where_a_rule_might_refuse(self) -> None:
        policy = rules({"actions": ["read"], "environments": ["prod"], "request": ["bob"]})
        assert not judge(policy, person("alice"), "read", action="overview", entity=None).allowed
        assert judge(policy, person("bob"), "read", action="overview", entity=None).allowed

    def test_a_place_is_judged_by_what_is_known_of_it(self) -> None:
        policy = rules({"actions": ["read"], "namespaces": ["payments"], "request": ["bob"]})
        elsewhere = Entity("east", "shop", "Deployment", "", "")
        everywhere = Entity("east", "", "Deployment", "", "")
        assert judge(policy, person("alice"), "read", action="overview", entity=elsewhere).allowed
        assert not judge(policy, person("alice"), "read", action="overview", entity=everywhere).allowed

    def test_a_rule_for_some_places_keeps_nobody_from_talking(self) -> None:
        policy = rules({"actions": ["read"], "namespaces": ["payments"], "request": ["bob"]})
        assert policy.may_talk(Room("console", "local", "ops"), person("alice")).allowed
        everywhere = rules({"actions": ["read"], "request": ["bob"]})
        assert not everywhere.may_talk(Room("console", "local", "ops"), person("alice")).allowed
        assert everywhere.may_talk(Room("console", "local", "ops"), person("bob")).allowed
        first = rules(
            {"actions": ["read"], "namespaces": ["shop"], "request": ["alice"]},
            {"actions": ["read"], "request": ["bob"]},
        )
        assert first.may_talk(Room("console", "local", "ops"), person("alice")).allowed
        assert not first.may_talk(Room("console", "local", "ops"), person("carol")).allowed

    def test_a_guest_is_not_let_in_by_a_rule_for_some_places(self) -> None:
        guest = User("console", "local", "gus", guest=True)
        policy = rules({"actions": ["read"], "namespaces": ["shop"], "request": ["gus"]})
        assert not policy.may_talk(Room("console", "local", "ops"), guest).allowed
        assert rules({"actions": ["read"], "request": ["gus"]}).may_talk(Room("console", "local", "ops"), guest).allowed

    def test_a_node_is_in_no_namespace(self) -> None:
        node = Entity("east", "", "Node", "node-1", "node-1")
        assert judge(rules({"namespaces": ["shop"], "confirm": ["*"]}), person("alice"), entity=node).rule == -1
        assert judge(rules({"services": ["node-1"], "confirm": ["*"]}), person("alice"), entity=node).allowed


class TestApprovals:
    RULING = Ruling(allowed=True, rule=0, approvals=2, approvers=("alice", "bob", "carol"))

    def missing(self, *approvers: str, ruling: Ruling = RULING) -> int:
        return approvals_missing(ruling, requester="alice", confirmer="bob", approvers=approvers)

    def test_distinct_further_people_are_counted(self) -> None:
        dave = msgspec.structs.replace(self.RULING, approvers=("alice", "bob", "carol", "dave"))
        assert self.missing() == 2
        assert self.missing("carol", "carol") == 1
        assert self.missing("alice", "bob", "carol") == 1
        assert self.missing("carol", "dave", ruling=dave) == 0

    def test_people_whom_the_rule_no_longer_names_do_not_count(self) -> None:
        assert self.missing("carol", "dave") == 1

    def test_self_approval_is_allowed_only_where_the_rule_says_so(self) -> None:
        ruling = msgspec.structs.replace(self.RULING, self_approve=True)
        assert self.missing("alice", "bob", ruling=ruling) == 0
        assert own_approval(ruling, requester="alice", confirmer="bob", approver="alice") is None
        for approver in ("alice", "bob"):
            problem = own_approval(self.RULING, requester="alice", confirmer="bob", approver=approver)
            assert problem is not None
            assert problem.key == "policy.own_approval"
        assert own_approval(self.RULING, requester="alice", confirmer="bob", approver="carol") is None

    def test_a_ruling_that_refuses_never_has_enough(self) -> None:
        assert self.missing("carol", ruling=Ruling(allowed=False, approvers=("*",))) == 1

    def test_the_star_lets_anybody_count(self) -> None:
        assert self.missing("x", "y", ruling=msgspec.structs.replace(self.RULING, approvers=("*",))) == 0

    def test_somebody_of_another_organisation_counts_by_their_key(self) -> None:
        foreign = User("slack", "T2", "U7", foreign=True)
        policy = rules({"confirm": ["slack:U1"], "approve": ["slack:T2/U7"], "approvals": 1})
        assert judge(policy, foreign, "approve", room=SLACK).allowed
        ruling = judge(policy, User("slack", "T1", "U1"), room=SLACK)
        assert self.missing(foreign.key, ruling=ruling) == 0
        assert self.missing("slack:U8", ruling=ruling) == 1

    def test_a_changed_rule_counts_at_once(self) -> None:
        before = rules({"confirm": ["*"], "approvals": 1})
        after = rules({"confirm": ["*"], "approve": ["carol"], "approvals": 1})
        assert self.missing("dave", ruling=judge(before, person("bob"))) == 0
        assert self.missing("dave", ruling=judge(after, person("bob"))) == 1


class TestLimits:
    RULING = Ruling(allowed=True, rule=2, limits=Limits(max_replicas=10))

    @pytest.mark.parametrize(
        ("parameters", "key"),
        [
            ({"replicas": 10}, None),
            ({"replicas": 11}, "policy.limit_replicas"),
            ({"min": 2, "max": 11}, "policy.limit_replicas"),
            ({"min": 2, "max": 10}, None),
            ({}, None),
            ({"replicas": Quantity("to", 3)}, "policy.limit_unreadable"),
            ({"replicas": "3"}, "policy.limit_unreadable"),
            ({"replicas": True}, "policy.limit_unreadable"),
        ],
    )
    def test_more_than_allowed_or_unreadable_is_refused(self, parameters: dict[str, Any], key: str | None) -> None:
        problem = self.RULING.beyond_limits(parameters)
        assert (problem.key if problem else None) == key

    def test_the_refusal_names_rule_and_numbers(self) -> None:
        problem = self.RULING.beyond_limits({"replicas": 60})
        assert problem is not None
        assert problem.args == {"rule": 3, "max": 10, "asked": 60}

    def test_no_limit_is_no_bound(self) -> None:
        assert Ruling(allowed=True).beyond_limits({"replicas": 10_000}) is None

    def test_the_limit_of_the_matching_rule_is_given(self) -> None:
        policy = rules({"confirm": ["*"], "limits": {"max_replicas": 7}})
        assert judge(policy, person("alice")).limits.max_replicas == 7


class TestRisk:
    def test_a_rule_raises_the_risk_of_its_actions_and_lowers_none(self) -> None:
        raising = judge(rules({"confirm": ["*"], "risk": "high"}), person("alice"))
        assert [raising.raised(risk) for risk in RISKS] == ["high", "high", "high"]
        plain = judge(rules({"confirm": ["*"]}), person("alice"))
        assert [plain.raised(risk) for risk in RISKS] == list(RISKS)


ESCALATED: dict[str, Any] = {
    "confirm": ["alice"],
    "approve": ["bob"],
    "approvals": 1,
    "escalate": ["bosses", "slack:U1"],
    "escalate_after": "15m",
}


class TestEscalation:
    POLICY = parse({"groups": {"bosses": ["carol"]}, "rules": [ESCALATED]})

    def approve(self, name: str, *, escalated: bool, **more: bool) -> Ruling:
        return self.POLICY.judge(
            action="scale", entity=service(), room=OPS, user=person(name, **more), role="approve", escalated=escalated
        )

    def test_who_it_is_escalated_to_may_approve_from_then_on_and_not_before(self) -> None:
        early = self.approve("carol", escalated=False)
        assert not early.allowed
        assert early.problem is not None
        assert early.problem.key == "policy.not_yet"
        assert early.problem.args["after"] == "15m"
        assert self.approve("carol", escalated=True).allowed
        assert self.approve("bob", escalated=True).allowed

    def test_nobody_else_gains_by_it(self) -> None:
        for name in ("alice", "dave"):
            refused = self.approve(name, escalated=True).problem
            assert refused is not None
            assert refused.key == "policy.only.approve"
        for role in ("request", "confirm"):
            ruling = self.POLICY.judge(
                action="scale", entity=service(), room=OPS, user=person("carol"), role=role, escalated=True
            )
            assert ruling.allowed is (role == "request")

    def test_an_approval_of_theirs_counts_only_when_it_had_been_escalated(self) -> None:
        for escalated in (False, True):
            ruling = self.POLICY.judge(
                action="scale", entity=service(), room=OPS, user=person("alice"), role="confirm", escalated=escalated
            )
            missing = approvals_missing(ruling, requester="dave", confirmer="alice", approvers=["carol"])
            assert missing == (0 if escalated else 1)

    def test_a_ruling_says_who_is_next_until_they_have_been_asked(self) -> None:
        early, late = self.approve("bob", escalated=False), self.approve("bob", escalated=True)
        assert (early.approvers, early.next_approvers, early.escalate_after) == (("bob",), ("carol", "slack:U1"), 900)
        assert (late.approvers, late.next_approvers) == (("bob", "carol", "slack:U1"), ())

    @pytest.mark.parametrize(("text", "seconds"), [("90s", 90), ("15m", 900), ("2h", 7200)])
    def test_times_are_read_with_their_unit_and_shown_as_written(self, text: str, seconds: int) -> None:
        (rule,) = parse({"rules": [{**ESCALATED, "escalate_after": text}]}).rules
        assert rule.escalate_after == seconds
        assert shown_duration(seconds) == text


PEOPLE = ("alice", "bob", "carol")
lists = st.lists(st.sampled_from([*PEOPLE, "sre", "*"]), max_size=3, unique=True).map(tuple)
scoped = st.one_of(st.none(), st.lists(st.sampled_from(["prod", "dev"]), min_size=1, unique=True).map(tuple))
any_rule = st.builds(
    Rule,
    actions=st.one_of(
        st.none(), st.lists(st.sampled_from(["*", "read", "logs", "scale", "restart"]), min_size=1).map(tuple)
    ),
    environments=scoped,
    request=lists,
    confirm=lists,
    approve=st.one_of(st.none(), lists),
    approvals=st.integers(0, 2),
    self_approve=st.booleans(),
)
any_policy = st.builds(
    Policy,
    groups=st.fixed_dictionaries({"sre": st.lists(st.sampled_from(PEOPLE), max_size=3, unique=True).map(tuple)}),
    rules=st.lists(any_rule, max_size=4).map(tuple),
)
any_user = st.builds(person, st.sampled_from(PEOPLE), guest=st.booleans(), foreign=st.booleans())
any_case = st.fixed_dictionaries(
    {
        "action": st.sampled_from([*ACTIONS, *QUERIES, "nonsense"]),
        "entity": st.one_of(
            st.none(), st.sampled_from(["prod", "dev", ""]).map(lambda name: service(environment=name))
        ),
        "role": st.sampled_from(ROLES),
    }
)


def without(policy: Policy, name: str) -> Policy:
    """The policy with one person struck off every list."""

    def struck(entries: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(entry for entry in entries if entry != name)

    return msgspec.structs.replace(
        policy,
        groups={group: struck(members) for group, members in policy.groups.items()},
        rules=tuple(
            msgspec.structs.replace(
                rule,
                request=struck(rule.request),
                confirm=struck(rule.confirm),
                approve=None if rule.approve is None else struck(rule.approve),
            )
            for rule in policy.rules
        ),
    )


class TestProperties:
    @given(any_policy, any_user, any_case, st.sampled_from(PEOPLE))
    def test_striking_a_person_off_never_grants(
        self, policy: Policy, user: User, case: dict[str, Any], struck: str
    ) -> None:
        if without(policy, struck).judge(room=OPS, user=user, **case).allowed:
            assert policy.judge(room=OPS, user=user, **case).allowed

    @given(any_policy, any_user, any_case)
    def test_an_outsider_who_is_struck_off_may_do_nothing(
        self, policy: Policy, user: User, case: dict[str, Any]
    ) -> None:
        ruling = without(policy, user.id).judge(room=OPS, user=user, **case)
        assert not (ruling.allowed and (user.guest or user.foreign))

    @given(any_policy, any_user, any_case)
    def test_a_guest_may_never_do_more_than_a_member(self, policy: Policy, user: User, case: dict[str, Any]) -> None:
        if policy.judge(room=OPS, user=user, **case).allowed:
            assert policy.judge(room=OPS, user=person(user.id), **case).allowed

    @given(any_policy, any_user, any_case)
    def test_every_refusal_has_words_and_no_permission_has(
        self, policy: Policy, user: User, case: dict[str, Any]
    ) -> None:
        ruling = policy.judge(room=OPS, user=user, **case)
        assert (ruling.problem is None) == ruling.allowed
        if ruling.problem is not None:
            for template in TEXTS[ruling.problem.key]:
                assert "{" not in template.format(**ruling.problem.args)

    @given(any_policy, any_user, any_case)
    def test_without_the_person_in_any_list_of_the_role_there_is_no_writing(
        self, policy: Policy, user: User, case: dict[str, Any]
    ) -> None:
        ruling = policy.judge(room=OPS, user=user, **case)
        if ruling.allowed and case["action"] in ACTIONS and case["role"] != "read":
            named = policy.members(policy.rules[ruling.rule].people(case["role"]))
            assert user.id in named or ("*" in named and not user.guest and not user.foreign)

    @given(any_policy, st.lists(st.sampled_from(PEOPLE)), st.sampled_from(PEOPLE), st.sampled_from(PEOPLE))
    def test_fewer_approvers_never_miss_less(
        self, policy: Policy, approvers: list[str], requester: str, confirmer: str
    ) -> None:
        ruling = policy.judge(action="scale", entity=service(), room=OPS, user=person(confirmer), role="confirm")
        missing = [
            approvals_missing(ruling, requester=requester, confirmer=confirmer, approvers=approvers[:count])
            for count in range(len(approvers) + 1)
        ]
        assert missing == sorted(missing, reverse=True)


def problems_of(mapping: object, **other: Any) -> tuple[str, ...]:
    with pytest.raises(PolicyError) as caught:
        parse(mapping, **other)
    return caught.value.problems


class TestParsing:
    def test_the_example_of_the_documentation(self) -> None:
        policy = parse(
            {
                "groups": {"sre": ["slack:U024BE7LH", "feishu:ou_7d8a6e", "wecom:zhangsan"]},
                "rules": [
                    {
                        "actions": ["scale", "restart"],
                        "environments": ["prod"],
                        "request": ["*"],
                        "confirm": ["sre"],
                        "approve": ["sre"],
                        "approvals": 1,
                        "self_approve": False,
                        "limits": {"max_replicas": 50},
                    }
                ],
            }
        )
        assert policy.rules[0].limits.max_replicas == 50
        assert judge(policy, User("wecom", "corp", "zhangsan"), room=Room("wecom", "corp", "x")).allowed

    @pytest.mark.parametrize("nothing", [None, {}, {"groups": None, "rules": None}, {"rules": []}])
    def test_nothing_in_it_is_a_policy_without_rules(self, nothing: object) -> None:
        assert parse(nothing) == Policy()

    @pytest.mark.parametrize(
        ("mapping", "problem"),
        [
            ([], "policy: must be a mapping, not a list"),
            ("sre", "policy: must be a mapping, not a text"),
            ({"rule": []}, "policy.rule: is not known here"),
            ({"rules": {}}, "policy.rules: must be a list"),
            ({"rules": ["x"]}, "policy.rules[0]: must be a mapping"),
            ({"rules": [{"confirms": []}]}, "policy.rules[0].confirms: is not known here"),
            ({"rules": [{"confirm": "sre"}]}, "policy.rules[0].confirm: must be a list"),
            ({"rules": [{"confirm": None}]}, "policy.rules[0].confirm: must be a list such as [sre], not nothing"),
            ({"rules": [{"confirm": [12345]}]}, "12345 is read as a number; put it in quotes"),
            ({"rules": [{"confirm": [True]}]}, "True is read as yes or no; put it in quotes"),
            ({"rules": [{"confirm": [" "]}]}, "has an empty entry"),
            ({"rules": [{"confirm": ["slak:U1"]}]}, "'slak:U1' names nobody"),
            ({"rules": [{"confirm": ["slack:"]}]}, "'slack:' names nobody"),
            ({"rules": [{"actions": ["scal"]}]}, "'scal' is no action"),
            ({"rules": [{"environments": []}]}, "could never match"),
            ({"rules": [{"namespaces": ["team-*"]}]}, "patterns are not understood"),
            ({"rules": [{"approvals": -1}]}, "must be a whole number from 0 on"),
            ({"rules": [{"approvals": True}]}, "must be a whole number from 0 on"),
            ({"rules": [{"approvals": 1, "confirm": []}]}, "approvals that nobody may give"),
            ({"rules": [{"self_approve": "no"}]}, "must be true or false"),
            ({"rules": [ESCALATED | {"escalate_after": 15}]}, "must be a time with its unit, such as 15m"),
            ({"rules": [ESCALATED | {"escalate_after": "0m"}]}, "must be a time with its unit"),
            ({"rules": [ESCALATED | {"escalate_after": "-5m"}]}, "must be a time with its unit"),
            ({"rules": [ESCALATED | {"escalate_after": "1.5h"}]}, "must be a time with its unit"),
            ({"rules": [ESCALATED | {"escalate_after": "15 m"}]}, "must be a time with its unit"),
            ({"rules": [ESCALATED | {"escalate": "boss"}]}, "policy.rules[0].escalate: must be a list"),
            ({"rules": [ESCALATED | {"escalate": ["*"]}]}, "let anybody approve what nobody answers"),
            ({"rules": [ESCALATED | {"approvals": 0}]}, "policy.rules[0].escalate: asks nobody"),
            ({"rules": [{"confirm": ["a"], "approvals": 1, "escalate": ["b"]}]}, "escalate: needs escalate_after"),
            ({"rules": [{"confirm": ["a"], "approvals": 1, "escalate_after": "5m"}]}, "escalate_after: needs escalate"),
            (
                {"rules": [{"risk": "low"}]},
                "policy.rules[0].risk: a rule can raise the risk of its actions, never lower",
            ),
            ({"rules": [{"risk": "medium"}]}, "write high or leave it out, not 'medium'"),
            ({"rules": [{"risk": True}]}, "write high or leave it out, not True"),
            ({"rules": [{"limits": {"max_replica": 1}}]}, "policy.rules[0].limits.max_replica: is not known here"),
            ({"rules": [{"limits": {"max_replicas": "5"}}]}, "must be a whole number from 0 on, not '5'"),
            ({"groups": {"sre": "bob"}}, "policy.groups.sre: must be a list"),
            ({"groups": {"sre": ["*"]}}, "a group lists people"),
            ({"groups": {"a:b": []}}, "is no name for a group"),
            ({"groups": {1: []}}, "put the name in quotes"),
            ({"groups": {"sre": ["oncall"], "oncall": ["bob"]}}, "policy.groups.oncall: is both a group and a person"),
        ],
    )
    def test_a_mistake_is_named_with_its_place(self, mapping: object, problem: str) -> None:
        assert any(problem in found for found in problems_of(mapping))

    def test_a_name_that_is_both_a_group_and_a_console_user_is_an_error(self) -> None:
        mapping = {"groups": {"alice": ["bob"]}}
        assert parse(mapping).groups == {"alice": ("bob",)}
        assert "is both a group and a person" in problems_of(mapping, users=["alice"])[0]

    def test_all_mistakes_are_told_at_once_under_the_given_path(self) -> None:
        mapping = {"groups": {"sre": 1}, "rules": [{"confirm": "x"}, {"actions": ["y"]}], "z": 1}
        found = problems_of(mapping, where="team.yaml")
        assert len(found) == 4
        assert all(problem.startswith("team.yaml") for problem in found)

    @given(
        st.recursive(
            st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.sampled_from(["sre", "*"])),
            lambda inner: st.one_of(
                st.lists(inner, max_size=3),
                st.dictionaries(
                    st.sampled_from(["groups", "rules", "confirm", "actions", "limits", "approvals", "x"]), inner
                ),
            ),
            max_leaves=12,
        )
    )
    def test_whatever_is_written_is_read_or_complained_about(self, mapping: object) -> None:
        problems: tuple[str, ...] = ()
        try:
            parse(mapping)
        except PolicyError as error:
            problems = error.problems
            read = False
        else:
            read = True
        assert read or problems


class TestPlatformGroups:
    def test_only_a_group_may_hold_them(self) -> None:
        policy = parse({"groups": {"sre": ["slack-group:S0123456", "feishu-department:od-1", "bob"]}})
        assert policy.kept_outside() == ("feishu-department:od-1", "slack-group:S0123456")
        for section in (
            {"rules": [{"confirm": ["slack-group:S0123456"]}]},
            {"people": {"p": ["slack-group:S0123456"]}},
            {"groups": {"sre": ["teams-group:1"]}},
            {"groups": {"sre": ["slack-group:"]}},
        ):
            with pytest.raises(PolicyError):
                parse(section)

    def test_a_group_nobody_has_read_is_nobody(self) -> None:
        policy = parse({"groups": {"sre": ["slack-group:S0123456", "bob"]}, "rules": [{"confirm": ["sre"]}]})
        assert policy.members(["sre"]) == ("bob",)
        assert policy.unread(["sre"]) == ("sre (slack-group:S0123456)", "it has not been read yet")
        read = msgspec.structs.replace(policy, outside={"slack-group:S0123456": Membership(members=("slack:U1",))})
        assert read.members(["sre"]) == ("bob", "slack:U1")
        assert read.members(["sre"], outside=False) == ("bob",)
        assert read.unread(["sre"]) is None
