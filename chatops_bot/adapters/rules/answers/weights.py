"""What an answer to a plan is likeliest, by weights that were learned of labelled rows (`weights.tsv`).

    logits = bias + STRENGTH / sqrt(n) * (weights of the n features of the words) + (weights of the signs)

A linear model: no network, no service, the same answer every time. Decision 0020 tells what it may decide, which is
never that something is carried out. The table is written by `tests/evaluation/training.py`; a line is a feature and a
whole number per label, hundredths of a logit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

STRENGTH: Final = 4.0
UNIT: Final = 100
BIAS: Final = "bias"
HEADING: Final = "labels"


class Weights(NamedTuple):
    """The table. `rows` is the digest of the rows that it was learned of."""

    labels: tuple[str, ...]
    rows: str
    of: Mapping[str, tuple[int, ...]]


@cache
def learned() -> Weights:
    """The table that the package carries; read once."""
    return parse(files(__package__).joinpath("weights.tsv").read_text(encoding="utf-8"))


def parse(text: str) -> Weights:
    """A table as it is written. Raises `ValueError` for one that is not whole, with the line that is wrong."""
    lines = [line.split("\t") for line in text.splitlines()]
    if not text.endswith("\n") or lines[0][0] != HEADING:
        raise ValueError("the weights of the rules are not whole: install the package again, or run `make train`")
    _, rows, *labels = lines[0]
    for number, line in enumerate(lines[1:], start=2):
        if len(line) != len(labels) + 1:
            raise ValueError(f"the weights of the rules are not whole in line {number}: install the package again")
    return Weights(tuple(labels), rows, {line[0]: tuple(map(int, line[1:])) for line in lines[1:]})


def likelihoods(words: Iterable[str], signs: Iterable[str], weights: Weights) -> dict[str, float]:
    """How likely each label is, 0 to 1 and 1 together."""
    words = tuple(words)
    nothing = (0,) * len(weights.labels)
    sums = [0.0] * len(weights.labels)
    for features, strength in ((words, STRENGTH / math.sqrt(len(words) or 1)), ((BIAS, *signs), 1.0)):
        for feature in features:
            for at, weight in enumerate(weights.of.get(feature, nothing)):
                sums[at] += strength * weight / UNIT
    highest = max(sums)
    powers = [math.exp(each - highest) for each in sums]
    return {label: power / sum(powers) for label, power in zip(weights.labels, powers, strict=True)}
