"""Ended conversations side by side: what one says about another, and how many ended how."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.memory import Fact
from chatops_bot.domain.session import Summary
from chatops_bot.domain.settling import AGAIN_MS, REPEATED_MS, Evidence, Settlement, quality, settle

ASKED_AGAIN: Final = 3
"""So often the very same is asked in one conversation, in words, before it counts as repeated: to look twice is to be
careful, and a refresh is no question."""


class Standing(msgspec.Struct, frozen=True):
    """What holds now outside of conversations: keys of entities about which alerts fire, ids of open incidents."""

    firing: frozenset[str] = frozenset()
    open: frozenset[str] = frozenset()


class Tally(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the conversations of a span ended, and what spoke against them. `at` is when (ms) that was counted."""

    at: int = 0
    resolved: int = 0
    unresolved: int = 0
    reasons: dict[str, int] = {}


def worth(summary: Summary) -> bool:
    """Whether anything was asked or done, so that there is something to settle."""
    return bool(summary.gist.of("asked") or summary.gist.of("done") or summary.incident or summary.group)


def settled(summaries: Iterable[Summary], standing: Standing, *, now: int) -> dict[str, Settlement]:
    """How each ended, by its thread, judged at `now` (ms). Those that are settled for good are left as they are, those
    in which nothing was asked left out; but all of them say something about the others."""
    known = sorted(summaries, key=_begun)
    about: Mapping[str, _Course] = defaultdict(_Course)
    for one in known:
        if one.entity is not None:
            about[one.entity.key].add(one)
    found = {}
    for one in known:
        if one.settled is not None and one.settled.settled:
            found[one.thread] = one.settled
        elif worth(one):
            course = about[one.entity.key] if one.entity is not None else _Course()
            found[one.thread] = _judged(one, course, standing, now)
    return found


class _Course:
    """The conversations about one entity in the order in which they began, so that what followed one of them is found
    without looking at all of them."""

    def __init__(self) -> None:
        self._all: list[Summary] = []
        self._troubled: list[int] = []

    def add(self, one: Summary) -> None:
        """One that began last."""
        self._all.append(one)
        if in_trouble(one):
            self._troubled.append(_begun(one))

    def trouble(self, after: int, until: int) -> int:
        """When the first one in trouble began in (after, until] ms, 0 for none."""
        at = bisect_right(self._troubled, after)
        return self._troubled[at] if at < len(self._troubled) and self._troubled[at] <= until else 0

    def begun(self, after: int, until: int) -> list[Summary]:
        """Those that began in (after, until] ms."""
        first, last = (bisect_right(self._all, moment, key=_begun) for moment in (after, until))
        return self._all[first:last]


def tally(settlements: Iterable[Settlement], *, now: int) -> Tally:
    """Count them."""
    verdicts: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for one in settlements:
        verdicts[one.verdict] += 1
        reasons.update(reason.signal for reason in one.reasons if reason.weight > 0)
    return Tally(now, verdicts["resolved"], verdicts["unresolved"], dict(sorted(reasons.items())))


def _judged(one: Summary, course: _Course, standing: Standing, now: int) -> Settlement:
    evidence = _evidence(one, course, standing)
    judged = settle(evidence, ended=one.at, now=now)
    before = one.settled
    if before is not None and (before.verdict, before.reasons, before.settled) == (
        judged.verdict,
        judged.reasons,
        judged.settled,
    ):
        return before
    return judged


def _evidence(one: Summary, course: _Course, standing: Standing) -> Evidence:
    key = one.entity.key if one.entity is not None else ""
    return Evidence(
        alerts=int(key in standing.firing),
        incident=one.incident if one.incident in standing.open else "",
        repeated=_repeated(one, course.begun(one.at, one.at + REPEATED_MS)),
        score=quality(one.good, one.bad),
        grade=one.grade.score if one.grade is not None else None,
        again_at=course.trouble(one.at, one.at + AGAIN_MS),
        closing=one.closing,
    )


def _begun(one: Summary) -> int:
    return one.began or one.at


def in_trouble(one: Summary) -> bool:
    """Whether something was wrong: an alert, an incident, a verdict."""
    return bool(one.group or one.incident) or any(fact.bad for fact in one.gist.of("found"))


def _repeated(one: Summary, soon: Iterable[Summary]) -> int:
    """How often one question was asked again: in the conversation itself, or soon after it in the same room with an
    answer that had not changed."""
    asked = one.gist.of("asked")
    within = (fact.again for fact in asked if fact.again + 1 >= ASKED_AGAIN)
    here = [other for other in soon if other.room == one.room]
    refs = {fact.ref for fact in asked}
    again = Counter(
        fact.ref
        for other in here
        for fact in other.gist.of("asked")
        if fact.ref in refs and (_same_deed(one, other, fact) if _order(fact) else _same_answer(one, other, fact.ref))
    )
    return max([*within, *again.values()], default=0)


def _order(fact: Fact) -> bool:
    """Whether a change was asked for. To correct one is not to ask again."""
    return fact.ref.partition(" ")[0] in ACTIONS


def _same_deed(one: Summary, other: Summary, order: Fact) -> bool:
    """Whether the same change was made again: the first one did not do."""
    first, second = (
        {_deed(fact) for fact in each.gist.of("done") if fact.about == order.about} for each in (one, other)
    )
    return bool(first & second)


def _deed(fact: Fact) -> tuple[str, ...]:
    return tuple(str(fact.said.args.get(name, "")) for name in ("action", "service", "change"))


def _same_answer(one: Summary, other: Summary, ref: str) -> bool:
    """Whether an answer was the same again, as far as verdicts tell. After a change people look whether it helped: then
    only what is still wrong is the same."""
    before, after = (next((fact for fact in each.gist.of("found") if fact.ref == ref), None) for each in (one, other))
    if before is not None and after is not None and (before.said.key, before.bad) != (after.said.key, after.bad):
        return False
    return (after is not None and after.bad) if one.gist.of("done") else True
