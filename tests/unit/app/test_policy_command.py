"""`policy explain` says what the policy itself would say."""

from __future__ import annotations

import re
from typing import Any

import pytest

from chatops_bot.app.configuration import Configuration
from chatops_bot.app.policy_command import Question, explain
from chatops_bot.app.settings import ClusterSettings, Settings
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse

POLICY = parse(
    {
        "groups": {"sre": ["bob", "slack:U0000001"]},
        "rules": [
            {"environments": ["prod"], "confirm": ["sre"], "approvals": 1, "limits": {"max_replicas": 9}},
            {"environments": ["dev"], "confirm": ["*"]},
            {"actions": ["logs"], "services": ["web"], "request": ["sre"]},
        ],
    }
)
WEB = Service(Entity("east", "shop", "Deployment", "web", "web", "prod"), aliases=("前端",))


def lines(policy: Policy = POLICY, *, read_only: bool = False, **changes: Any) -> list[str]:
    settings = Settings(
        clusters=(ClusterSettings(name="east", url="http://x", environment="dev"),), read_only=read_only
    )
    configuration = Configuration(settings=settings, services=(WEB,), policy=policy)
    question = Question(**{"user": "bob", "action": "scale", "service": "web", **changes})
    return list(explain(configuration, question))


def test_what_a_person_may_do_by_which_rule_and_under_which_conditions() -> None:
    assert lines() == [
        "scale deployment/web (prod · east · shop)",
        "request: yes, by rule 1 of the policy. Everybody but guests can.",
        "confirm: yes, by rule 1 of the policy. These can: sre.",
        "After the confirmation 1 must approve (neither the requester nor the confirmer), out of: bob, slack:U0000001.",
        "Up to 9 replicas.",
        "approve: yes, by rule 1 of the policy. These can: sre.",
    ]


def test_a_refusal_says_who_could_in_the_language_asked_for() -> None:
    english, chinese = lines(user="alice")[2], lines(user="alice", language="zh")[2]
    assert english.startswith("confirm: no. Rule 1 of the policy does not let you confirm")
    assert english.endswith("These can: sre.")
    assert chinese.startswith("确认：不可以。策略规则 1 不允许你确认")
    assert chinese.endswith("可以的人：sre。")


def test_people_of_platforms_and_of_other_organisations() -> None:
    assert lines(user="slack:U0000001")[2].startswith("confirm: yes, by rule 1")
    assert any("slack:T2/U0000001" in line for line in lines(user="slack:T2/U0000001"))
    assert any("Guests may do nothing" in line for line in lines(user="slack:U0000002", guest=True))


def test_a_person_is_explained_account_by_account_and_counted_once() -> None:
    people = {"zhang.san": ["slack:U0000001", "feishu:ou_1"], "li.si": ["slack:U0000002", "wecom:lisi"]}
    chosen = parse({"people": people, "rules": [{"confirm": ["zhang.san", "li.si", "bob"], "approvals": 1}]})
    found = lines(chosen, user="zhang.san")
    assert [line for line in found if " as " in line] == ["zhang.san as slack:U0000001:", "zhang.san as feishu:ou_1:"]
    assert len([line for line in found if line.startswith("confirm: yes, by rule 1")]) == 2
    (conditions,) = {line for line in found if "must approve" in line}
    assert conditions.endswith("out of: bob, zhang.san, li.si.")


def test_reading_has_one_role() -> None:
    assert lines(user="alice", action="status")[1:] == ["read: yes, no rule speaks of it. Everybody but guests can."]
    assert lines(user="alice", action="logs")[1].startswith("read: no.")


def test_a_service_is_found_by_alias_and_one_outside_the_catalog_by_its_place() -> None:
    assert lines(service="前端")[0] == "scale deployment/web (prod · east · shop)"
    assert lines(service="api", namespace="shop")[0] == "scale deployment/api (dev · east · shop)"
    assert lines(service="api", namespace="shop", environment="prod")[0].endswith("(prod · east · shop)")
    assert lines(service="api", namespace="shop", user="alice")[2].startswith("confirm: yes, by rule 2")


def test_the_switch_in_the_configuration_is_told_first() -> None:
    assert "every change is refused" in lines(read_only=True)[1]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"action": "scal"}, "'scal' is no action"),
        ({"user": "slak:U1"}, "'slak:U1' names nobody"),
        ({"user": ""}, "'' names nobody"),
        ({"user": "*"}, "'*' names nobody"),
        ({"user": "sre"}, "'sre' is a group of the policy; name one of its people"),
        ({"service": "api"}, "say where it runs with --cluster"),
        ({"service": "web", "namespace": "other", "cluster": "west"}, "not under clusters; known are east"),
        ({"language": "fr"}, "there is no language 'fr'"),
    ],
)
def test_a_question_that_cannot_be_asked_is_told(changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        lines(**changes)


FROZEN = parse(
    {
        "groups": {"leads": ["bob"]},
        "rules": [{"confirm": ["*"]}],
        "freezes": [
            {"name": "weekend", "starts": "0 18 * * FRI", "ends": "0 8 * * MON", "override": ["leads"], "why": "rest"},
            {"name": "sale", "starts": "2026-01-02T00:00", "ends": "2026-01-04T00:00", "environments": ["prod"]},
            {"name": "quiet", "starts": "0 8 * * *", "ends": "0 9 * * *", "environments": ["dev"]},
        ],
    }
)


def test_freezes_of_a_moment_and_who_may_override_them() -> None:
    assert lines(FROZEN, at="2026-01-03T12:00")[4:] == [
        "freeze: “weekend” is on until 2026-01-05 08:00 (UTC); this person may override it, with a reason.",
        (
            "freeze: The change freeze “sale” is on until 2026-01-04 00:00 (UTC), and the policy names nobody who may "
            "override it."
        ),
    ]
    assert lines(FROZEN, user="alice", at="2026-01-03T12:00")[4].endswith(
        "“weekend (rest)” is on until 2026-01-05 08:00 (UTC); meanwhile a change takes an override by: leads."
    )
    assert lines(FROZEN, at="2026-01-06T12:00+08:00")[4:] == [
        "freeze: “weekend” begins 2026-01-09 18:00 (UTC).",
        "freeze: “sale” is over.",
    ]
    assert not any("freeze" in line for line in lines(FROZEN, action="read", at="2026-01-03T12:00"))
    with pytest.raises(ValueError, match="is no time"):
        lines(FROZEN, at="tomorrow")


def test_a_rule_that_raises_the_risk_is_said() -> None:
    said = "It counts as high risk: press the button, or name the service in the words that confirm it."
    assert said in lines(parse({"rules": [{"confirm": ["bob"], "risk": "high"}]}))
    assert said not in lines(parse({"rules": [{"confirm": ["bob"]}]}))


def test_who_may_approve_once_nobody_has() -> None:
    rule = {"confirm": ["bob"], "approve": ["carol"], "approvals": 1, "escalate": ["dave"], "escalate_after": "15m"}
    assert "Where that has waited for 15m, these can approve too: dave." in lines(parse({"rules": [rule]}))
