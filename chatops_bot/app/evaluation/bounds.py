"""How often something that was seen `k` times in `n` may really happen."""

from __future__ import annotations

import math
from typing import Final

CONFIDENCE: Final = 0.95
_STEPS: Final = 60


def upper_bound(k: int, n: int, confidence: float = CONFIDENCE) -> float | None:
    """The exact one-sided bound of Clopper and Pearson: with this confidence, the true share is not above it. For
    `k` = 0 it is `1 - (1 - confidence) ** (1 / n)`, of which 3/n is the rule of thumb. None where `n` is 0."""
    if not 0 <= k <= n:
        raise ValueError(f"{k} of {n} is no count")
    if n == 0:
        return None
    if k == n:
        return 1.0
    low, high = k / n, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(k, n, middle) > 1 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(k: int, n: int, share: float) -> float:
    """The chance of no more than `k` in `n`, each of this share (0 < share < 1)."""
    logs = (
        math.lgamma(n + 1)
        - math.lgamma(i + 1)
        - math.lgamma(n - i + 1)
        + i * math.log(share)
        + (n - i) * math.log1p(-share)
        for i in range(k + 1)
    )
    return math.fsum(math.exp(value) for value in logs)
