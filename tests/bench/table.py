"""The rows of a run, in numbers and in print."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import median, quantiles

import msgspec

from tests.bench.load import Cost


class Row(msgspec.Struct, frozen=True):
    """One kind at one number of live threads: medians over all rounds.

    `per_second` with 64 in flight; `p50_us` and `p99_us` with one. The ratios say how many PINGs, or how many
    dispatches of bare Bolt of the same round, one of these takes (64 in flight).
    """

    name: str
    threads: int
    per_second: float
    p50_us: float
    p99_us: float
    redis_round_trips: float
    ratio_to_ping: float
    ratio_to_bolt: float


class Samples:
    """What the rounds gave, by kind, at one number of threads. Times in seconds."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.crowd: defaultdict[str, list[Cost]] = defaultdict(list)
        self.alone: defaultdict[str, list[float]] = defaultdict(list)
        self.trips: dict[str, float] = {}

    def rows(self) -> list[Row]:
        """One row for each kind, in the order of the first round."""
        return [self._row(name) for name in self.crowd]

    def _row(self, name: str) -> Row:
        crowd, alone = [cost.time for cost in self.crowd[name]], self.alone[name]
        return Row(
            name=name,
            threads=self.threads,
            per_second=round(1 / median(crowd), 1),
            p50_us=round(median(alone) * 1e6, 1),
            p99_us=round(quantiles(alone, n=100, method="inclusive")[98] * 1e6, 1),
            redis_round_trips=self.trips.get(name, 0.0),
            ratio_to_ping=self._ratio(crowd, "ping"),
            ratio_to_bolt=self._ratio(crowd, "bolt"),
        )

    def _ratio(self, crowd: list[float], other: str) -> float:
        pairs = zip(crowd, self.crowd[other], strict=True)
        return round(median(one / two.time for one, two in pairs), 3)

    def processor_us(self, name: str) -> float:
        """Processor time that one takes of the bot's process, whatever else the machine does."""
        return median(cost.processor for cost in self.crowd[name]) * 1e6


def table(sizes: Iterable[Samples]) -> str:
    """For people."""
    lines = ["name       threads  per_second    p50_us    p99_us  trips   x ping   x bolt   cpu_us"]
    lines += [
        f"{row.name:<10} {row.threads:>7} {row.per_second:>11,.0f} {row.p50_us:>9,.0f} {row.p99_us:>9,.0f} "
        f"{row.redis_round_trips:>6.2f} {row.ratio_to_ping:>8.2f} {row.ratio_to_bolt:>8.2f} "
        f"{samples.processor_us(row.name):>8,.0f}"
        for samples in sizes
        for row in samples.rows()
    ]
    return "\n".join(lines)


def write(rows: list[Row], file: Path) -> None:
    """For programs: a list of rows as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=1) + b"\n")
