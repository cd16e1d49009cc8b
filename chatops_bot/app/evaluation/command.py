"""`chatops-bot eval`: figures on standard output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import msgspec

from chatops_bot.adapters.redis.embedded import EmbeddedError
from chatops_bot.app.bot import BuiltInRules, ByRules
from chatops_bot.app.evaluation.measuring import files_of, measure
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.evaluation.rows import EvaluationError
from chatops_bot.app.evaluation.shown import lines
from chatops_bot.app.replay_store import NoRoomError
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.app.transcript import TranscriptError
from chatops_bot.ports.clock import Clock, SystemClock

FALSE: Final = 1
UNUSABLE: Final = 2

OWN_ROWS: Final = Path(__file__).with_name("utterances.jsonl")
"""The project's own rows, evaluated when no file is named."""


def main(
    paths: list[Path],
    *,
    as_json: bool,
    misses: bool,
    echo: Callable[[str], None],
    complain: Callable[[str], None],
    runs: int = 1,
) -> int:
    """Print the figures of each file. 0 when nothing was confirmed or executed falsely, 1 when something was, 2 when a
    file cannot be used, which is said before anything is measured, or the store cannot."""
    configure_logging(LogSettings(level="error"))
    try:
        files = files_of(paths or [OWN_ROWS])
        measured = asyncio.run(measure(files, [rules(SystemClock())], runs=runs, misses=misses))
    except (EvaluationError, TranscriptError, NoRoomError, EmbeddedError) as error:
        complain(str(error))
        return UNUSABLE
    for one in measured:
        for line in [msgspec.json.encode(one).decode()] if as_json else lines(one, misses=misses):
            echo(line)
    return FALSE if any(falsely(one) for one in measured) else 0


def rules(clock: Clock) -> Contender:
    """The built-in rules alone."""
    interpreter = ByRules(BuiltInRules())
    return Contender("rules", lambda _catalog: interpreter, clock)


def falsely(measured: dict[str, Any]) -> int:
    """How often something was confirmed or executed that should not have been."""
    return sum(figures["false_executions"] for figures in measured["figures"].values())
