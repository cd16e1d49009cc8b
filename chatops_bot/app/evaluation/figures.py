"""Counts what became of rows. Shares are from 0 to 1, rounded to four digits, None where there is nothing to count."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final

from chatops_bot.app.evaluation.bounds import upper_bound
from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.slots import OWN

Figures = dict[str, Any]

CLASSES: Final = frozenset({"confirming", "requests", "commands"})
"""Kinds whose labels are classes, so that what was understood is one of them too."""

_CONFUSIONS: Final = 5


def figures_of(kind: str, judged: Sequence[Judged]) -> Figures:
    """Of all runs of one file by one contender."""
    found = _counted(kind, judged)
    found["by_lang"] = {
        lang: _counted(kind, [one for one in judged if one.lang == lang]) for lang in sorted({j.lang for j in judged})
    }
    return found


def _counted(kind: str, judged: Sequence[Judged]) -> Figures:
    harmless = [one for one in judged if one.harmless]
    false = sum(one.false for one in judged)
    found: Figures = {
        "n": len({one.where for one in judged}),
        "accuracy": share(sum(one.right for one in judged), len(judged)),
        "pass_k": _in_every_run(judged),
        "macro_f1": macro_f1(judged) if kind in CLASSES else None,
        "false_confirmations": sum(one.harmless and one.confirmed for one in judged),
        "false_executions": false,
        "could_execute_falsely": len(harmless),
        "false_executions_upper_95": rounded(upper_bound(false, len(harmless))),
        "by_label": {label: _of_label(kind, label, judged) for label in sorted({one.label for one in judged})},
        "worst": _worst(judged) if kind in CLASSES else None,
        "marks": dict(sorted(Counter(mark for one in judged for mark in one.marks).items())),
        "routing": _routing(kind, judged),
        "slots": slot_figures(judged),
        **_cost(judged),
    }
    if kind == "confirming":
        confirms = [one for one in judged if one.label == "confirm"]
        found["confirmations_recognised"] = share(sum(one.right for one in confirms), len(confirms))
        found["confirmations_executed"] = share(sum(one.executed for one in confirms), len(confirms))
    return found


def share(part: int, whole: int) -> float | None:
    """Rounded."""
    return round(part / whole, 4) if whole else None


def rounded(value: float | None) -> float | None:
    """To the digits that are told."""
    return None if value is None else round(value, 4)


def _in_every_run(judged: Iterable[Judged]) -> float | None:
    """pass^k: the share of rows that were right in all k runs."""
    right: dict[str, bool] = {}
    for one in judged:
        right[one.where] = right.get(one.where, True) and one.right
    return share(sum(right.values()), len(right))


def macro_f1(judged: Sequence[Judged]) -> float | None:
    """The mean of the labels' F1, over the labels that the file has."""
    labels = {one.label for one in judged}
    if not labels:
        return None
    return round(sum(_f1(label, judged) for label in labels) / len(labels), 4)


def _routing(kind: str, judged: Sequence[Judged]) -> float | None:
    """The share of dialogues and turns that ended in the thread of the service that they name."""
    naming = [one for one in judged if kind == "corrections" or "routing" in one.marks]
    return share(sum("routed" in one.marks for one in naming), len(naming))


def _f1(label: str, judged: Sequence[Judged]) -> float:
    hits = sum(one.label == label == one.understood for one in judged)
    said = sum(one.understood == label for one in judged)
    there = sum(one.label == label for one in judged)
    return 2 * hits / (said + there) if said + there else 0.0


def _of_label(kind: str, label: str, judged: Sequence[Judged]) -> Figures:
    own = [one for one in judged if one.label == label]
    found: Figures = {"n": len({one.where for one in own}), "accuracy": share(sum(one.right for one in own), len(own))}
    if kind in CLASSES:
        found["f1"] = round(_f1(label, judged), 4)
    return found


def _worst(judged: Sequence[Judged]) -> Figures | None:
    """The label that is understood worst, and for what it was taken."""
    labels = {one.label for one in judged if not one.right}
    if not labels:
        return None
    label = min(sorted(labels), key=lambda label: _f1(label, judged))
    taken = Counter(one.understood for one in judged if one.label == label and not one.right)
    return {"label": label, "f1": round(_f1(label, judged), 4), "taken_for": dict(taken.most_common(_CONFUSIONS))}


def slot_figures(judged: Iterable[Judged]) -> Figures | None:
    """Of the rows that were understood rightly: of every place where a value is labelled or was taken, the share in
    which both are the same (`exact`); precision, of what was taken; recall, of what is labelled. `own`: of the kinds
    that a target is set for; `all`; and by kind. None where no slots are compared."""
    compared = [one for one in judged if one.wanted is not None and one.right]
    if not compared:
        return None
    kinds: dict[str, Counter[str]] = defaultdict(Counter)
    for one in compared:
        wanted, found = one.wanted or {}, one.found or {}
        for slot in wanted.keys() | found.keys():
            kinds[slot]["places"] += 1
            kinds[slot]["labelled"] += slot in wanted
            kinds[slot]["taken"] += slot in found
            kinds[slot]["same"] += slot in wanted and wanted[slot] == found.get(slot)
    own = _sum(counts for slot, counts in kinds.items() if slot in OWN)
    by_kind = {slot: _slot_shares(counts) for slot, counts in sorted(kinds.items())}
    return {
        "rows": len(compared),
        "own": _slot_shares(own),
        "all": _slot_shares(_sum(kinds.values())),
        "by_kind": by_kind,
    }


def _sum(counted: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counts in counted:
        total.update(counts)
    return total


def _slot_shares(counts: Counter[str]) -> Figures:
    return {
        "values": counts["places"],
        "exact": share(counts["same"], counts["places"]),
        "precision": share(counts["same"], counts["taken"]),
        "recall": share(counts["same"], counts["labelled"]),
    }


def _cost(judged: Iterable[Judged]) -> Figures:
    """`calls` of the interpreter; in how many of them a model answered (`asked`), and its tokens in each of those."""
    seconds: list[float] = []
    tokens: list[int] = []
    for one in judged:
        seconds += one.seconds
        tokens += one.tokens
    asked = [used for used in tokens if used]
    return {
        "calls": len(seconds),
        "asked": len(asked),
        "tokens": sum(asked),
        "tokens_per_call": round(sum(asked) / len(asked), 1) if asked else None,
        "latency_ms": {"median": _percentile(seconds, 50), "p95": _percentile(seconds, 95)},
    }


def _percentile(seconds: list[float], percent: int) -> float | None:
    """By nearest rank, in ms."""
    if not seconds:
        return None
    rank = -(-len(seconds) * percent // 100)
    return round(sorted(seconds)[rank - 1] * 1000, 2)
