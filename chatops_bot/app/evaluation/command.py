"""`chatops-bot eval`: figures on standard output."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import msgspec

from chatops_bot.adapters.redis.embedded import EmbeddedError
from chatops_bot.app.configuration import ConfigurationError, config_path, load
from chatops_bot.app.evaluation.contenders import Tally, rules, with_model
from chatops_bot.app.evaluation.measuring import File, files_of, measure
from chatops_bot.app.evaluation.rows import EvaluationError
from chatops_bot.app.evaluation.shown import lines
from chatops_bot.app.replay_store import NoRoomError
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.app.transcript import TranscriptError
from chatops_bot.ports.clock import SystemClock

FALSE: Final = 1
UNUSABLE: Final = 2

OWN_ROWS: Final = Path(__file__).with_name("utterances.jsonl")
"""The project's own rows, evaluated when no file is named."""


class Wanted(msgspec.Struct, frozen=True):
    """What is asked of the command. `config` is the file that a model is looked for in; `model`: whether one is to be
    measured too, None for whenever one is configured."""

    as_json: bool = False
    misses: bool = False
    runs: int = 1
    config: Path | None = None
    model: bool | None = None


def main(
    paths: list[Path],
    wanted: Wanted,
    *,
    environ: Mapping[str, str],
    echo: Callable[[str], None],
    complain: Callable[[str], None],
) -> int:
    """Print the figures of each file: of the rules, and of a model beside them. 0 when nothing was confirmed or
    executed falsely, 1 when something was, 2 when a file cannot be used, which is said before anything is measured, or
    the store cannot. Of a model it is told, at the end and by `complain`, how often it answered."""
    configure_logging(LogSettings(level="error"))
    tally = Tally()
    try:
        model = chosen_model(wanted, environ, complain)
        files = files_of(paths or [OWN_ROWS])
        false = asyncio.run(_measured(files, wanted, model, tally, echo))
    except (EvaluationError, TranscriptError, NoRoomError, EmbeddedError) as error:
        complain(str(error))
        return UNUSABLE
    if model is not None:
        for line in of_model(model, tally):
            complain(line)
    return FALSE if false else 0


def chosen_model(wanted: Wanted, environ: Mapping[str, str], complain: Callable[[str], None]) -> ModelSettings | None:
    """The model to be measured. Raises `EvaluationError` where one is asked for that is not there; what is wrong with a
    configuration that nobody asked for is only told."""
    if wanted.model is False:
        return None
    found = config_path(wanted.config, environ)
    try:
        chosen = load(found, environ).settings.model
    except ConfigurationError as error:
        problem = f"The configuration ({found or 'environment only'}) cannot be used:\n{error}"
        if wanted.model or wanted.config is not None:
            raise EvaluationError(problem) from error
        complain(f"{problem}\nOnly the rules are measured.")
        return None
    if chosen.enabled:
        return chosen
    if wanted.model:
        raise EvaluationError(f"{found or 'The environment'}: has no model; set model.name, as docs/model.md tells")
    return None


async def _measured(
    files: list[File], wanted: Wanted, model: ModelSettings | None, tally: Tally, echo: Callable[[str], None]
) -> int:
    """Prints the figures of each file as they come; how much was executed falsely in all."""
    clock = SystemClock()
    contenders, made = [rules(clock)], None
    if model is not None:
        beside, made = with_model(model, clock, tally)
        contenders.append(beside)
    false = 0
    try:
        async for one in measure(files, contenders, runs=wanted.runs, misses=wanted.misses):
            for line in [msgspec.json.encode(one).decode()] if wanted.as_json else lines(one, misses=wanted.misses):
                echo(line)
            false += falsely(one)
    finally:
        if made is not None:
            await made.close()
    return false


def falsely(measured: dict[str, Any]) -> int:
    """How often something was confirmed or executed that should not have been."""
    return sum(figures["false_executions"] for figures in measured["figures"].values())


def of_model(model: ModelSettings, tally: Tally) -> Iterator[str]:
    """How often it answered, so that figures of the rules are not taken for its own."""
    calls = ", ".join(f"{outcome} {count}" for outcome, count in tally.answers.most_common())
    yield f"{model.name}: questions by outcome: {calls or 'none was asked'}"
    if tally.fallbacks:
        why = ", ".join(f"{reason} {count}" for reason, count in tally.fallbacks.most_common())
        yield f"{model.name}: left to the rules: {why}"
    if not tally.answers["answered"]:
        yield f"{model.name}: never answered; its figures are those of the rules. Look at `chatops-bot doctor`."
