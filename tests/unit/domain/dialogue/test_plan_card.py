"""The card of a plan as somebody reads it on a phone at night: what, where, what it costs, who puts it back, what else."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.plan_lines import autoscaler_range_for, plan_lines, worst_first
from chatops_bot.domain.dialogue.views import plan_card
from chatops_bot.domain.intents import Language, Quantity
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Draft, Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Pending
from tests.unit.domain.cluster_objects import NOW, keys, observed, plan_of, pod, workload
from tests.unit.domain.dialogue.talk import user

HPA: Raw = {"metadata": {"name": "web"}, "spec": {"minReplicas": 2, "maxReplicas": 8}}
FULL: Raw = {"metadata": {"name": "team"}, "status": {"hard": {"pods": "4"}, "used": {"pods": "3"}}}


def scaled(after: int, before: int = 3) -> Plan:
    """A plan that has everything to say."""
    obj = workload(replicas=before)
    obj["metadata"] |= {
        "annotations": {"meta.helm.sh/release-name": "web"},
        "managedFields": [{"manager": "kubectl", "time": "2026-11-29T10:30:00Z", "fieldsV1": {"f:spec": {"f:replicas": {}}}}],
    }  # fmt: skip
    budget = {"metadata": {"name": "web"}, "status": {"desiredHealthy": 2}}
    found = observed(
        obj, *(pod(f"web-{number}") for number in range(before)), autoscalers=(HPA,), budgets=(budget,), quotas=(FULL,),
        unread=("limits:403", "nodes:403"),
    )  # fmt: skip
    slots = {"replicas": Quantity("to", after)}
    made = ACTIONS["scale"].draft(found, slots, token="t0", stamp="")
    assert isinstance(made, Draft)
    tried = (*made.preview, say("plan.dry_run_ok"))
    return msgspec.structs.replace(
        plan_of(made), preview=tried, warnings=made.warnings, expires=NOW + 900_000, requester_name="Alice"
    )


def card(plan: Plan, language: Language = "en") -> Card:
    pending = Pending(
        effect="e", card="c1", phase="shown", action=plan.action, entity=plan.entity, requester=user("alice"),
        utterance="m1", plan=plan,
    )  # fmt: skip
    return plan_card(pending, plan, language, now=NOW)


def test_it_is_read_from_what_changes_to_how_it_is_confirmed() -> None:
    lines = card(scaled(60)).text().splitlines()
    assert lines[:4] == [
        "HIGH RISK, to confirm: scale web (prod)",
        "deployment/web: replicas 3 → 60 (3 ready now)",
        "Environment PRODUCTION · cluster prod-east · namespace shop",
        "⚠ From 3 to 60 is more than tenfold. Check for a zero too many.",
    ]
    starts = ["⚠ From 3", "⚠ Quota team holds only 1", "⚠ 60 is outside the range", "⚠ Managed by Helm", "Besides: "]
    assert [line for line, start in zip(lines[3:8], starts, strict=True) if not line.startswith(start)] == []
    assert "Could not read the LimitRanges (403)" in lines[7]
    assert "the room on the nodes (403)" in lines[7]
    assert [line.partition(":")[0] for line in lines[8:11]] == ["Risk", "Asked by", "Dry-run by the API server"]
    assert lines[11].startswith("Valid for 15 minutes")
    assert len(lines) == 12


def test_it_says_the_same_in_chinese() -> None:
    lines = card(scaled(60), "zh").text().splitlines()
    assert lines[:3] == [
        "高风险，待确认：扩缩容 web (prod)",
        "deployment/web：副本数 3 → 60（现在 3 个就绪）",
        "环境：生产环境 · 集群 prod-east · 命名空间 shop",
    ]
    assert lines[3].startswith("⚠ 从 3 到 60，超过十倍")
    assert lines[7].startswith("另外：")
    assert len(lines) == 12


def test_nothing_that_the_plan_says_is_left_out_or_said_twice() -> None:
    for after in (0, 1, 5, 60):
        plan = scaled(after)
        lines = plan_lines(plan)
        said = [line for part in msgspec.structs.astuple(lines) for line in part]
        assert sorted(map(repr, said)) == sorted(map(repr, (*plan.preview, *plan.warnings)))


def test_a_plan_that_says_nothing_has_a_card_too() -> None:
    assert card(msgspec.structs.replace(scaled(5), preview=(), warnings=())).title == "To confirm: scale web (prod)"


def test_the_worst_comes_first_and_what_is_not_known_last() -> None:
    ordered = worst_first(
        Say(key)
        for key in (
            "warn.unread",
            "warn.changed",
            "warn.helm",
            "warn.room",
            "warn.quota",
            "warn.zero",
            "freeze.warning",
        )
    )
    assert keys(ordered) == [
        "warn.zero", "freeze.warning", "warn.room", "warn.quota", "warn.helm", "warn.changed", "warn.unread",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        (3, 10, (10, 10)),  # beyond its maximum
        (3, 6, (6, 8)),  # more, within it: to stay there
        (3, 1, (1, 8)),  # below its minimum
        (6, 4, None),  # fewer, within it: load decides, whatever the range
        (3, 0, None),  # switched off, not put back
    ],
)
def test_the_range_of_an_autoscaler_that_would_leave_it(
    before: int, after: int, wanted: tuple[int, int] | None
) -> None:
    plan = scaled(after, before)
    assert autoscaler_range_for(plan) == wanted
    offered = [button for button in card(plan).buttons if button.id == "set_autoscaler"]
    assert [button.value for button in offered] == (
        [f"min={wanted[0]} max={wanted[1]} {plan.entity.key}"] if wanted else []
    )
    assert all(button.token == plan.token for button in offered)


def test_without_an_autoscaler_none_is_offered() -> None:
    assert autoscaler_range_for(msgspec.structs.replace(scaled(5), warnings=())) is None
