"""How a conversation ended: every signal, alone and with every other."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from chatops_bot.domain.settling import AGAIN_MS, GOOD_SCORE, WEIGHTS, Evidence, quality, rated, settle
from chatops_bot.domain.texts import render

AGAINST: dict[str, dict[str, Any]] = {
    "alerts_firing": {"alerts": 1},
    "incident_open": {"incident": "inc-20261130-1"},
    "repeated": {"repeated": 1},
    "rated_low": {"score": 3.9},
    "again_in_trouble": {"again_at": 5},
}
NOW = 1_000


def test_the_table_has_every_signal_and_the_order_that_it_is_meant_to_have() -> None:
    assert set(WEIGHTS) == {*AGAINST, "closing_words"}
    high, medium, low = WEIGHTS["alerts_firing"], WEIGHTS["rated_low"], WEIGHTS["closing_words"]
    assert WEIGHTS["incident_open"] == WEIGHTS["repeated"] == high
    assert WEIGHTS["again_in_trouble"] == medium
    assert high > medium > low > 0


@pytest.mark.parametrize("signal", AGAINST)
@pytest.mark.parametrize("closing", ["", "good", "bad"])
def test_any_signal_but_closing_words_is_enough_whatever_was_said_at_the_end(signal: str, closing: str) -> None:
    ended = settle(Evidence(**AGAINST[signal], closing=closing), ended=0, now=NOW)  # type: ignore[arg-type]
    assert ended.verdict == "unresolved"
    assert ended.reasons[0].signal == signal
    assert len(ended.reasons) == (2 if closing else 1)


@pytest.mark.parametrize("closing", ["", "good", "bad"])
def test_closing_words_alone_decide_nothing(closing: str) -> None:
    ended = settle(Evidence(closing=closing), ended=0, now=NOW)  # type: ignore[arg-type]
    assert ended.verdict == "resolved"


@pytest.mark.parametrize(("one", "other"), list(combinations(AGAINST, 2)))
def test_two_signals_are_both_told_the_weightier_one_first(one: str, other: str) -> None:
    ended = settle(Evidence(**AGAINST[one], **AGAINST[other]), ended=0, now=NOW)
    assert ended.verdict == "unresolved"
    assert {reason.signal for reason in ended.reasons} == {one, other}
    weights = [reason.weight for reason in ended.reasons]
    assert weights == sorted(weights, reverse=True)
    assert ended.weight == sum(weights)


@pytest.mark.parametrize(("score", "verdict"), [(3.99, "unresolved"), (4.0, "resolved"), (None, "resolved")])
def test_a_quality_below_four_of_five_counts(score: float | None, verdict: str) -> None:
    assert settle(Evidence(score=score), ended=0, now=NOW).verdict == verdict


def test_nothing_that_is_known_against_it_leaves_it_resolved_without_reasons() -> None:
    ended = settle(Evidence(), ended=0, now=NOW)
    assert (ended.verdict, ended.reasons) == ("resolved", ())


@pytest.mark.parametrize(("after", "settled"), [(AGAIN_MS - 1, False), (AGAIN_MS, True)])
def test_it_is_final_when_nothing_later_can_count(after: int, settled: bool) -> None:
    assert settle(Evidence(), ended=500, now=500 + after).settled is settled


@pytest.mark.parametrize(
    ("good", "bad", "score"),
    [(1, 0, 5.0), (0, 1, 1.0), (1, 1, 3.0), (3, 1, 4.0), (2, 1, pytest.approx(3.67, abs=0.01))],
)
def test_thumbs_make_a_score_of_one_to_five(good: int, bad: int, score: float) -> None:
    assert quality(good, bad) == score


def test_no_thumbs_make_no_score() -> None:
    assert quality(0, 0) is None


@pytest.mark.parametrize(
    ("thumbs", "grade", "score"),
    [
        (None, None, None),
        (5.0, None, 5.0),
        (None, 2, 2),
        (5.0, 4, 4.5),
        (5.0, 1, 4.0),
        (4.0, 1, 4.0),
        (3.0, 1, 2.0),
        (3.0, 5, 3.0),
        (1.0, 5, 1.0),
    ],
)
def test_a_grade_stands_in_for_thumbs_or_is_weighed_with_them(
    thumbs: float | None, grade: int | None, score: float | None
) -> None:
    assert rated(thumbs, grade) == score
    assert settle(Evidence(score=thumbs, grade=grade), ended=0, now=NOW).score == score


@pytest.mark.parametrize("grade", range(1, 6))
@pytest.mark.parametrize("thumbs", [1.0, 2.3, 3.0, 3.9, 4.0, 4.5, 5.0])
def test_no_grade_turns_what_people_have_said(thumbs: float, grade: int) -> None:
    alone = settle(Evidence(score=thumbs), ended=0, now=NOW)
    graded = settle(Evidence(score=thumbs, grade=grade), ended=0, now=NOW)
    assert graded.verdict == alone.verdict
    assert (graded.score or 0) >= GOOD_SCORE or thumbs < GOOD_SCORE


def test_a_low_grade_alone_says_that_it_is_a_models() -> None:
    [reason] = settle(Evidence(grade=3), ended=0, now=NOW).reasons
    assert (reason.signal, reason.weight) == ("rated_low", WEIGHTS["rated_low"])
    assert render(reason.said, "en") == "a model graded it 3.0 of 5"
    assert render(reason.said, "zh") == "模型评分 3.0/5"


@pytest.mark.parametrize("signal", AGAINST)
def test_every_reason_is_told_in_both_languages(signal: str) -> None:
    [reason] = settle(Evidence(**AGAINST[signal]), ended=0, now=NOW).reasons
    assert render(reason.said, "zh") != render(reason.said, "en")
