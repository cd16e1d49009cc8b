"""The digest of a week: when it is due, what it counts, and how it reads."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from chatops_bot.domain import digests
from chatops_bot.domain.audit import Record
from chatops_bot.domain.cards import Fields, Text
from chatops_bot.domain.digests import Figures, due, figures
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.memory import Fact, Gist
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Summary
from chatops_bot.domain.settling import Settlement

SHANGHAI = ZoneInfo("Asia/Shanghai")
WEB = Entity("east", "shop", "Deployment", "web", "web")


def at(text: str) -> float:
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("now", "moment"),
    [
        ("2026-01-05 01:00:00", "2026-01-05 01:00:00"),  # a Monday, nine o'clock in Shanghai
        ("2026-01-05 00:59:59", "2025-12-29 01:00:00"),
        ("2026-01-11 23:00:00", "2026-01-05 01:00:00"),
        ("2026-01-12 00:30:00", "2026-01-05 01:00:00"),
    ],
)
def test_it_is_due_once_a_week_by_the_clock_of_its_zone(now: str, moment: str) -> None:
    assert due(at(now), weekday=0, hour=9, zone=SHANGHAI).timestamp() == at(moment)


def summary(**more: Any) -> Summary:
    asked = Fact("asked", say("memory.asked", what="x", service="web"), 5, "status east/shop/deployment/web", times=2)
    return Summary(**{"thread": "t", "at": 50, "entity": WEB, "gist": Gist((asked,)), **more})


def test_conversations_questions_and_trouble_are_counted() -> None:
    bad = Fact("found", say("status.zero"), 6, "status web", bad=True)
    gist = Gist((*summary().gist.facts, bad))
    ended = [
        summary(settled=Settlement("resolved", 60)),
        summary(settled=Settlement("unresolved", 60), gist=gist),
        summary(at=200),
        summary(gist=Gist()),
    ]
    week = figures(ended, [], since=0, until=100)
    assert (week.conversations, week.resolved, week.unresolved) == (2, 1, 1)
    assert week.asked == {"status": 4}
    assert week.noisy == {"web": 1}


@pytest.mark.parametrize(
    ("reasons", "outcome"),
    [
        ([("execution", "done")], "done"),
        ([("execution", "working"), ("execution", "step cordoned"), ("outcome", "steps done")], "done"),
        ([("execution", "working"), ("outcome", "steps halted")], "halted"),
        ([("execution", "done"), ("outcome", "event written"), ("outcome", "verified")], "verified"),
        ([("execution", "done"), ("outcome", "not verified: failed")], "failed"),
        ([("execution", "done"), ("outcome", "not verified: timeout")], "timeout"),
        ([("outcome", "unknown"), ("execution", "settled done")], "done"),
        ([("outcome", "unknown")], "unknown"),
        ([("outcome", "gate.drift")], "refused"),
        ([("outcome", "verified")], ""),
        ([("decision", "prepared"), ("confirmation", ""), ("outcome", "linked")], ""),
    ],
    ids=str,
)
def test_a_plan_counts_once_by_how_it_ended(reasons: list[tuple[Any, str]], outcome: str) -> None:
    records = [
        Record(at=at, kind=kind, action="scale", token="a", reason=reason) for at, (kind, reason) in enumerate(reasons)
    ]
    wanted = {("scale", outcome): 1} if outcome else {}
    assert figures([], reversed(records), since=0, until=100).actions == wanted


def test_each_plan_counts_once_and_refusals_by_their_reason() -> None:
    records = [
        Record(at=10, kind="execution", action="scale", token="a", reason="done"),
        Record(at=11, kind="execution", action="scale", token="a", reason="settled done"),
        Record(at=12, kind="execution", action="scale", token="b", reason="settled failed"),
        Record(at=13, kind="refusal", reason="scale.already"),
        Record(at=13, kind="refusal", reason="limit.max_replicas"),
        Record(at=13, kind="refusal", reason="button"),
        Record(at=13, kind="refusal", action="confirm", reason="done"),
        Record(at=13, kind="refusal", reason="policy"),
        Record(at=14, kind="refusal", reason="policy"),
        Record(at=140, kind="refusal", reason="policy"),
        Record(at=15, kind="request", action="scale"),
    ]
    week = figures([], records, since=0, until=100)
    assert week.actions == {("scale", "done"): 1, ("scale", "failed"): 1}
    assert week.refusals == {"policy": 2, "other": 2}, "a button that was void refuses nothing"


def lines(week: Figures, language: Any = "en") -> dict[str, str]:
    card = digests.card(week, language, zone=SHANGHAI)
    [text] = [block for block in card.blocks if isinstance(block, Text)]
    rows = next((block.rows for block in card.blocks if isinstance(block, Fields)), ())
    return {"": text.text, **dict(rows)}


def test_the_card_says_it_all_in_words() -> None:
    week = Figures(
        since=0,
        until=1,
        conversations=3,
        resolved=2,
        unresolved=1,
        asked={"status": 5, "logs": 2},
        actions={("scale", "done"): 2},
        refusals={"policy": 4, "never heard of": 1},
        noisy={"web": 3},
        open=("inc-20260101-1",),
        tokens=1_234_567,
        cost=2.5,
        currency="USD",
    )
    said = lines(week)
    assert said[""] == "Conversations: 3; resolved 2, not resolved 1"
    assert said["Asked"] == "status 5, logs 2"
    assert said["Changes"].startswith("scale (")
    assert said["Refused"] == "5: the rules do not allow it 4, other reasons 1"
    assert said["Noisy services"] == "web 3"
    assert said["Open incidents"] == "inc-20260101-1"
    assert said["Model"] == "1,234,567 tokens (2.50 USD)"
    assert set(lines(week, "zh")) == {"", "问过", "变更", "被拒绝", "最不安稳的服务", "未关闭的故障", "模型用量"}


def test_a_quiet_week_says_so_and_tells_of_no_model() -> None:
    said = lines(Figures(since=0, until=1))
    assert said == {"": "Nobody asked the bot anything this week.", "Changes": "none", "Refused": "none"}


def test_long_lists_are_cut_with_their_number() -> None:
    many = tuple(f"inc-20260101-{number}" for number in range(8))
    assert lines(Figures(since=0, until=1, open=many))["Open incidents"].endswith("inc-20260101-4 +3")
