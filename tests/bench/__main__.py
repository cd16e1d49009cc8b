"""`python -m tests.bench`: measure the bot's path, print a table, write `build/bench.json`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from tests.bench.memory import footprint
from tests.bench.run import run
from tests.bench.table import table, write


def main() -> int:
    """0 when everything was measured."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 100, 10_000], help="live threads")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--batch", type=int, default=400, help="answered questions a round")
    parser.add_argument("--alone", type=int, default=40, help="events timed one by one, a round")
    parser.add_argument("--fsync", choices=("always", "everysec"), default="always", help="the product's default")
    parser.add_argument("--loopback", action="store_true", help="call Slack over sockets, in another process")
    parser.add_argument("--only", nargs="*", default=[], help="kinds; ping and bolt always run")
    parser.add_argument("--out", type=Path, default=Path("build/bench.json"))
    parser.add_argument("--memory", action="store_true", help="measure the idle process and its start instead")
    wanted = parser.parse_args()
    if wanted.memory:
        found = asyncio.run(footprint())
        sys.stdout.write(
            f"idle, Slack on, no model: {found.bot_mb:.0f} MB resident, embedded store {found.embedded_mb:.0f} MB\n"
            f"chatops-bot --help: {found.help_s:.2f} s; imports of chatops-bot run: {found.import_s:.2f} s\n"
        )
        return 0
    only = ("ping", "bolt", *wanted.only) if wanted.only else ()
    sizes = asyncio.run(
        run(
            wanted.threads,
            rounds=wanted.rounds,
            batch=wanted.batch,
            alone=wanted.alone,
            fsync=wanted.fsync,
            loopback=wanted.loopback,
            only=only,
        )
    )
    place = "on loopback" if wanted.loopback else "in the process"
    write([row for samples in sizes for row in samples.rows()], wanted.out)
    sys.stdout.write(
        f"64 in flight, latencies with one; appendfsync {wanted.fsync}; Slack {place}, cluster stubbed\n{table(sizes)}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
