"""Several accounts may be one person: the policy, approvals and the audit log see the person."""

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.people import People
from chatops_bot.domain.policy import Policy, Role, Ruling, approvals_missing, own_approval
from chatops_bot.domain.policy_file import PolicyError, parse

SLACK = Room("slack", "T1", "C1")
FEISHU = Room("feishu", "tk1", "oc_1")
WECOM = Room("wecom", "ww1", "wr1")
WEB = Entity("east", "shop", "Deployment", "web", "web", "prod")
ACCOUNTS = {
    "zhang.san": ["slack:U024BE7LH", "feishu:ou_7d8a6e", "wecom:zhangsan"],
    "li.si": ["slack:U0G9QF9C6", "slack:U0SECOND", "feishu:ou_9f1c"],
}


def policy(*rules: dict[str, Any], people: dict[str, list[str]] | None = None, **groups: list[str]) -> Policy:
    return parse({"people": ACCOUNTS if people is None else people, "groups": groups, "rules": list(rules)})


def judge(chosen: Policy, user: User, room: Room, role: Role = "confirm") -> Ruling:
    return chosen.judge(action="scale", entity=WEB, room=room, user=user, role=role)


def problems_of(people: object, **other: Any) -> tuple[str, ...]:
    groups = other.pop("groups", {})
    with pytest.raises(PolicyError) as caught:
        parse({"people": people, "groups": groups}, **other)
    return caught.value.problems


class TestNaming:
    @pytest.mark.parametrize("entry", ["zhang.san", "sre"])
    @pytest.mark.parametrize(
        ("room", "account"), [(SLACK, "U024BE7LH"), (FEISHU, "ou_7d8a6e"), (WECOM, "zhangsan")], ids=lambda v: str(v)
    )
    def test_a_rule_or_a_group_that_names_the_person_means_every_account(
        self, entry: str, room: Room, account: str
    ) -> None:
        chosen = policy({"confirm": [entry]}, sre=["zhang.san"])
        assert judge(chosen, User(room.platform, room.tenant, account), room).allowed
        assert not judge(chosen, User(room.platform, room.tenant, "somebody"), room).allowed

    def test_an_entry_that_names_one_account_means_that_one_alone(self) -> None:
        chosen = policy({"confirm": ["slack:U024BE7LH"]})
        assert judge(chosen, User("slack", "T1", "U024BE7LH"), SLACK).allowed
        assert not judge(chosen, User("feishu", "tk1", "ou_7d8a6e"), FEISHU).allowed

    def test_the_same_id_on_another_platform_is_somebody_else(self) -> None:
        chosen = policy({"confirm": ["zhang.san"]})
        assert not judge(chosen, User("feishu", "tk1", "U024BE7LH"), FEISHU).allowed
        assert not judge(chosen, User("slack", "T1", "zhangsan"), SLACK).allowed

    @pytest.mark.parametrize("written", ["wecom:ZhangSan", "wecom:ww1/ZHANGSAN", "wecom:zhangsan"])
    @pytest.mark.parametrize("comes", ["zhangsan", "ZhangSan"])
    def test_wecom_tells_no_capital_letters_apart(self, written: str, comes: str) -> None:
        user = User("wecom", "ww1", comes)
        assert judge(policy({"confirm": [written]}, people={}), user, WECOM).allowed
        rule = {"confirm": ["p"], "approve": ["*"], "approvals": 1}
        chosen = policy(rule, people={"p": ["slack:U1", written]})
        ruling = judge(chosen, user, WECOM, role="approve")
        assert own_approval(ruling, requester="slack:U9", confirmer="slack:U1", approver=user.key)
        assert not judge(policy({"confirm": ["slack:u1"]}, people={}), User("slack", "T1", "U1"), SLACK).allowed

    def test_a_console_user_called_like_a_person_is_not_that_person(self) -> None:
        console = Room("console", "local", "ops")
        chosen = policy({"confirm": ["zhang.san"]})
        assert not judge(chosen, User("console", "local", "zhang.san"), console).allowed
        mine = policy({"confirm": ["zhang.san"]}, people={"zhang.san": ["zhang.san", "slack:U1"]})
        assert judge(mine, User("console", "local", "zhang.san"), console).allowed

    @pytest.mark.parametrize("room", [SLACK, FEISHU, WECOM], ids=lambda room: str(room.platform))
    def test_an_outsider_is_named_by_the_person_only_with_their_organisation(self, room: Room) -> None:
        outsider = User(room.platform, "other", "x1", foreign=True)
        plain = policy({"confirm": ["p", "*"]}, people={"p": [f"{room.platform}:x1"]})
        assert not judge(plain, outsider, room).allowed
        full = policy({"confirm": ["p"]}, people={"p": [f"{room.platform}:other/x1"]})
        assert judge(full, outsider, room).allowed

    def test_a_person_without_accounts_is_nobody(self) -> None:
        chosen = policy({"confirm": ["p"]}, people={"p": []})
        assert not judge(chosen, User("console", "local", "p"), Room("console", "local", "ops")).allowed


class TestApprovals:
    RULE: ClassVar[dict[str, Any]] = {"confirm": ["*"], "approvals": 2}

    def missing(self, *approvers: str, requester: str = "slack:U9", confirmer: str = "slack:U8", **rule: Any) -> int:
        ruling = judge(policy({**self.RULE, **rule}), User("slack", "T1", "U8"), SLACK)
        return approvals_missing(ruling, requester=requester, confirmer=confirmer, approvers=approvers)

    def test_people_are_counted_not_accounts(self) -> None:
        assert self.missing("slack:U024BE7LH", "feishu:ou_7d8a6e", "wecom:zhangsan") == 1
        assert self.missing("slack:U0G9QF9C6", "slack:U0SECOND") == 1
        assert self.missing("slack:U024BE7LH", "slack:U0SECOND") == 0
        assert self.missing("slack:U024BE7LH", "slack:U7") == 0

    @pytest.mark.parametrize("role", ["requester", "confirmer"])
    def test_nobody_approves_their_own_plan_from_another_account(self, role: str) -> None:
        own = {role: "feishu:ou_9f1c"}
        assert self.missing("slack:U0G9QF9C6", "slack:U024BE7LH", **own) == 1
        ruling = judge(policy(self.RULE), User("slack", "T1", "U0SECOND"), SLACK, "approve")
        people = {"requester": "slack:U9", "confirmer": "slack:U8", **own}
        assert own_approval(ruling, **people, approver="slack:U0SECOND") is not None
        assert own_approval(ruling, **people, approver="slack:U024BE7LH") is None

    def test_where_self_approval_is_allowed_all_accounts_are_still_one(self) -> None:
        own = ("slack:U0G9QF9C6", "slack:U0SECOND")
        assert self.missing(*own, requester=own[0], confirmer=own[1], self_approve=True) == 1

    def test_an_account_that_may_not_approve_does_not_count_for_one_that_may(self) -> None:
        assert self.missing("feishu:ou_7d8a6e", approve=["slack:U024BE7LH", "li.si"]) == 2

    def test_an_account_written_with_the_rooms_own_organisation_is_known(self) -> None:
        chosen = policy(self.RULE, people={"p": ["slack:T1/U1", "slack:T1/U2"]})
        ruling = judge(chosen, User("slack", "T1", "U8"), SLACK)
        found = approvals_missing(
            ruling, requester="slack:U9", confirmer="slack:U8", approvers=("slack:U1", "slack:U2")
        )
        assert found == 1
        elsewhere = judge(chosen, User("slack", "T2", "U8"), Room("slack", "T2", "C2"))
        found = approvals_missing(
            elsewhere, requester="slack:U9", confirmer="slack:U8", approvers=("slack:U1", "slack:U2")
        )
        assert found == 0

    def test_of_each_person_the_first_account_stands_for_them(self) -> None:
        ruling = judge(policy(self.RULE), User("slack", "T1", "U8"), SLACK)
        keys = ("slack:U7", "slack:U0G9QF9C6", "slack:U024BE7LH", "slack:U0SECOND", "slack:U6")
        assert ruling.one_each(keys) == ("slack:U7", "slack:U0G9QF9C6", "slack:U024BE7LH", "slack:U6")

    @given(st.lists(st.sampled_from([*ACCOUNTS["li.si"], *ACCOUNTS["zhang.san"], "slack:U7"]), max_size=6))
    def test_a_map_never_lets_fewer_people_do(self, approvers: list[str]) -> None:
        user = User("slack", "T1", "U8")
        with_map, without = judge(policy(self.RULE), user, SLACK), judge(policy(self.RULE, people={}), user, SLACK)
        for requester in ("slack:U9", "slack:U0SECOND"):
            sides = {"requester": requester, "confirmer": "slack:U8", "approvers": approvers}
            assert approvals_missing(with_map, **sides) >= approvals_missing(without, **sides)  # type: ignore[arg-type]


class TestOwners:
    def test_the_owner_of_an_account_is_found_and_of_others_nobody(self) -> None:
        people = People({"p": ("slack:U1", "feishu:other/ou_1", "wecom:ww1/zhang")})
        assert people.owner("slack:U1", SLACK) == "p"
        assert people.owner("feishu:other/ou_1", FEISHU) == "p"
        assert people.owner("feishu:ou_1", FEISHU) == ""
        assert people.owner("wecom:zhang", WECOM) == "p"
        assert people.owner("wecom:zhang", Room("wecom", "ww2", "wr1")) == ""
        assert people.owner("wecom:zhang", None) == ""
        assert people.owner("", SLACK) == ""


class TestMistakes:
    @pytest.mark.parametrize(
        ("people", "problem"),
        [
            ([], "policy.people: must be a mapping, not a list"),
            ({"p": "slack:U1"}, "policy.people.p: must be a list"),
            ({"p": ["slak:U1"]}, "policy.people.p: 'slak:U1' names nobody"),
            ({"p": ["feishu: ou_1"]}, "policy.people.p: 'feishu: ou_1' names nobody: no id has a space"),
            ({"p": ["wecom:zh\u200bang"]}, "policy.people.p: 'wecom:zh\\u200bang' names nobody: no id has a space"),
            ({"zh\u200bang": ["slack:U1"]}, "policy.people.'zh\\u200bang': has an invisible character in it"),
            ({"zhang ": ["slack:U1"]}, "policy.people.'zhang ': has an invisible character in it"),
            ({"p": ["*"]}, 'policy.people.p: "*" is nobody\'s account'),
            ({"a:b": []}, "policy.people.a:b: is no name for a person"),
            ({"*": []}, "policy.people.*: is no name for a person"),
            ({"p": ["slack:U1"], "q": ["slack:U1"]}, "policy.people.q: 'slack:U1' is an account of p too"),
            ({"p": ["slack:U1"], "q": ["slack:T1/U1"]}, "'slack:T1/U1' may be the same account as 'slack:U1' of p"),
            ({"p": ["wecom:Li"], "q": ["wecom:li"]}, "policy.people.q: 'wecom:li' is an account of p too"),
            ({"p": ["q"], "q": ["slack:U1"]}, "policy.people.p: 'q' is another person"),
            ({"p": ["sre"]}, "policy.people.p: 'sre' is a group"),
            ({"sre": ["slack:U1"]}, "policy.people.sre: is both a person and a group"),
        ],
    )
    def test_a_mistake_is_named_with_its_place(self, people: object, problem: str) -> None:
        found = problems_of(people, groups={"sre": ["slack:U5"]})
        assert any(problem in each for each in found), found

    def test_a_person_named_like_somebody_on_the_console_has_to_be_that_one(self) -> None:
        assert "is also a name on the console" in problems_of({"alice": ["slack:U1"]}, users=["alice"])[0]
        chosen = parse({"people": {"alice": ["alice", "slack:U1"]}}, users=["alice"])
        assert chosen.members(["alice"]) == ("alice", "slack:U1")

    def test_all_mistakes_are_told_at_once(self) -> None:
        people = {"p": ["slack:U1", "slack:U2"], "q": ["slack:U1", "slack:U2"], "sre": ["*"], "r": 1}
        assert len(problems_of(people, groups={"sre": []})) == 5

    def test_accounts_of_different_organisations_are_different_people(self) -> None:
        people = parse({"people": {"p": ["slack:T1/U1"], "q": ["slack:T2/U1"], "r": ["feishu:U1"], "s": ["U1"]}}).people
        assert people.owner("slack:U1", SLACK) == "p"

    def test_an_account_that_is_listed_twice_is_still_one(self) -> None:
        assert parse({"people": {"p": ["slack:U1", "slack:U1", "slack:T1/U1"]}}).people.owner("slack:U1", SLACK) == "p"

    def test_ten_thousand_people_are_read_at_once(self) -> None:
        accounts = {f"p{n}": [f"slack:U{n:07}", f"feishu:ou_{n}", f"wecom:u{n}"] for n in range(10_000)}
        assert parse({"people": accounts}).people.owner("wecom:u9999", WECOM) == "p9999"
