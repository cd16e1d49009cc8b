"""How a conversation ended, judged afterwards from what speaks against it being resolved: thanks alone decide nothing.

Every signal has one weight, in one table; the sum decides against one line. Of strong signals one is enough, of
middling ones too, and closing words tip no balance: they make neither of them good, and alone they spoil nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

import msgspec

from chatops_bot.domain.say import Say, say

Signal = Literal["alerts_firing", "incident_open", "repeated", "rated_low", "again_in_trouble", "closing_words"]
Verdict = Literal["resolved", "unresolved"]

HIGH: Final = 6
MEDIUM: Final = 3
LOW: Final = 1

WEIGHTS: Final[dict[Signal, int]] = {
    "alerts_firing": HIGH,
    "incident_open": HIGH,
    "repeated": HIGH,
    "rated_low": MEDIUM,
    "again_in_trouble": MEDIUM,
    "closing_words": LOW,
}
"""How much each signal says. Closing words count for the conversation or against it, all others only against."""

LINE: Final = 2
"""From this sum on it is not resolved: below a middling signal that thanks were said about, above sour words alone."""

GOOD_SCORE: Final = 4.0
"""Of 5: a lower quality speaks against it."""

AGAIN_MS: Final = 7 * 86_400_000
"""For so long new trouble with the same service counts against what was said to be over."""

REPEATED_MS: Final = 3_600_000
"""Within so long the same question is the same question."""


class Grade(msgspec.Struct, frozen=True):
    """What a model thought of a conversation, 1 to 5 by a rubric, in its own words why, and which model with which
    prompt. The words are for whoever runs the bot: they are shown on no card."""

    score: int
    why: str
    prompt: str


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of one ended conversation.

    - `alerts` counts the groups of alerts about its service that fire; `incident` is the id of its incident while that
      is open.
    - `repeated` is how many times one question was asked again, the most of all.
    - `score` is its quality by thumbs, 1 to 5, None where nobody has rated it; `grade` is a model's, likewise.
    - `again_at` is when the same service was in trouble again (ms), 0 where it was not within `AGAIN_MS`.
    - `closing` are its last words: thanks and the like, or that it did not help.
    """

    alerts: int = 0
    incident: str = ""
    repeated: int = 0
    score: float | None = None
    grade: int | None = None
    again_at: int = 0
    closing: Literal["", "good", "bad"] = ""


class Reason(msgspec.Struct, frozen=True):
    """One signal with its weight (negative: for the conversation) and what it is, in words."""

    signal: Signal
    weight: int
    said: Say


class Settlement(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a conversation ended, when (ms) that was judged, and why, the weightiest reason first. `settled`: nothing
    that happens later can change it."""

    verdict: Verdict
    at: int
    reasons: tuple[Reason, ...] = ()
    score: float | None = None
    settled: bool = False

    @property
    def weight(self) -> int:
        """The sum that decided."""
        return sum(reason.weight for reason in self.reasons)


def settle(evidence: Evidence, *, ended: int, now: int) -> Settlement:
    """Judge a conversation that ended at `ended` (ms) by what is known at `now`."""
    reasons = tuple(sorted(_reasons(evidence), key=lambda reason: -abs(reason.weight)))
    weight = sum(reason.weight for reason in reasons)
    return Settlement(
        verdict="unresolved" if weight >= LINE else "resolved",
        at=now,
        reasons=reasons,
        score=rated(evidence.score, evidence.grade),
        settled=now - ended >= AGAIN_MS,
    )


def quality(good: int, bad: int) -> float | None:
    """From thumbs to a score of 1 to 5: all up is 5, all down 1, None where there are none."""
    return 1 + 4 * good / (good + bad) if good + bad else None


def rated(thumbs: float | None, grade: int | None) -> float | None:
    """The quality by what there is of both: their mean, on the side of `GOOD_SCORE` on which the thumbs are. A model
    neither spoils what people call good nor lifts what they call bad."""
    if thumbs is None or grade is None:
        return grade if thumbs is None else thumbs
    mean = (thumbs + grade) / 2
    return max(mean, GOOD_SCORE) if thumbs >= GOOD_SCORE else min(mean, thumbs)


def _reasons(evidence: Evidence) -> Iterator[Reason]:
    if evidence.alerts:
        yield _reason("alerts_firing", say("settled.alerts_firing", count=evidence.alerts))
    if evidence.incident:
        yield _reason("incident_open", say("settled.incident_open", id=evidence.incident))
    if evidence.repeated:
        yield _reason("repeated", say("settled.repeated", times=evidence.repeated + 1))
    score = rated(evidence.score, evidence.grade)
    if score is not None and score < GOOD_SCORE:
        key = "settled.rated_low" if evidence.score is not None else "settled.graded_low"
        yield _reason("rated_low", say(key, score=f"{score:.1f}"))
    if evidence.again_at:
        yield _reason("again_in_trouble", say("settled.again_in_trouble"))
    if evidence.closing:
        good = evidence.closing == "good"
        said = say("settled.closing_good" if good else "settled.closing_bad")
        yield Reason("closing_words", -WEIGHTS["closing_words"] if good else WEIGHTS["closing_words"], said)


def _reason(signal: Signal, said: Say) -> Reason:
    return Reason(signal, WEIGHTS[signal], said)
