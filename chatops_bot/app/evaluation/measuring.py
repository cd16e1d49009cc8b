"""From files to figures: every row, by every contender, as often as is wanted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final

from chatops_bot.app import transcript
from chatops_bot.app.evaluation import commands, confirming, corrections, requests, several, transcripts
from chatops_bot.app.evaluation.figures import figures_of
from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.posing import Contender
from chatops_bot.app.evaluation.rows import EvaluationError, Rows, read
from chatops_bot.app.evaluation.scene import BESIDE, needed, services_beside
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.transcript import Transcript, TranscriptError
from chatops_bot.app.yaml_file import YamlError, read_yaml

File = Rows | Transcript

_POSED: Final[dict[str, Callable[[Rows, Contender], Awaitable[list[Judged]]]]] = {
    "confirming": confirming.judge,
    "requests": requests.judge,
    "several": several.judge,
    "commands": commands.judge,
}
"""Kinds that need neither store nor cluster."""

_NEEDING: Final = frozenset({"requests", "several", "corrections"})
"""Kinds that name services."""

_YAML: Final = frozenset({".yaml", ".yml"})
_JSON: Final = ".jsonl"


def files_of(paths: Iterable[Path]) -> list[File]:
    """The files named, and those in folders named: rows (`*.jsonl`) and transcripts (`*.yaml` with turns). Raises
    `EvaluationError` for what cannot be used, a folder without any among it."""
    found: list[File] = []
    for path in paths:
        if not path.is_dir():
            found.append(_file(path))
            continue
        inside = [_file(each) for each in sorted(path.rglob("*")) if _is_one(each)]
        if not inside:
            raise EvaluationError(f"{path}: holds neither rows (*{_JSON}) nor transcripts (*.yaml with turns)")
        found += inside
    return found


def _is_one(path: Path) -> bool:
    if path.suffix in _YAML and path.is_file() and path.name != BESIDE:
        try:
            raw = read_yaml(path)
        except YamlError as error:
            raise EvaluationError(str(error)) from error
        return isinstance(raw, dict) and "turns" in raw
    return path.suffix == _JSON and path.is_file()


def _file(path: Path) -> File:
    if path.suffix not in _YAML:
        return _with_services(read(path))
    try:
        return transcript.read(path)
    except TranscriptError as error:
        raise EvaluationError(str(error)) from error


def _with_services(file: Rows) -> Rows:
    """The same, with what lies beside it looked at as well."""
    if file.kind not in _NEEDING:
        services_beside(file.path)
    elif file.kind == "requests":
        requests.check(file)
    else:
        needed(file.path, what=file.kind)
    return file


async def measure(
    files: Sequence[File], contenders: Sequence[Contender], *, runs: int = 1, misses: bool = False
) -> AsyncIterator[dict[str, Any]]:
    """For each file, as soon as it is measured: `file`, `kind`, `n` (rows that are judged), `runs`, `figures` by
    contender, and `misses` by contender when asked for. Raises `EvaluationError`, and what the store or a stage
    raises."""
    async with AsyncExitStack() as stack:
        redis: ReplayRedis | None = None
        for file in files:
            if redis is None and _needs_store(file):
                redis = await stack.enter_async_context(ReplayRedis())
            yield await _measured(file, contenders, redis, runs=runs, misses=misses)


def _needs_store(file: File) -> bool:
    return isinstance(file, Transcript) or file.kind not in _POSED


async def _measured(
    file: File, contenders: Sequence[Contender], redis: ReplayRedis | None, *, runs: int, misses: bool
) -> dict[str, Any]:
    kind = file.kind if isinstance(file, Rows) else transcripts.KIND
    judged: dict[str, list[Judged]] = {}
    for contender in contenders:
        judged[contender.name] = [one for _ in range(runs) for one in await _judge(file, contender, redis)]
    figures = {name: figures_of(kind, found) for name, found in judged.items()}
    result: dict[str, Any] = {
        "file": str(file.path),
        "kind": kind,
        "n": next(iter(figures.values()))["n"],
        "runs": runs,
        "figures": figures,
    }
    if misses:
        result["misses"] = {name: list(_misses(found)) for name, found in judged.items()}
    return result


async def _judge(file: File, contender: Contender, redis: ReplayRedis | None) -> list[Judged]:
    if isinstance(file, Rows) and file.kind in _POSED:
        return await _POSED[file.kind](file, contender)
    if redis is None:
        raise EvaluationError(f"{file.path}: needs a store to be played")
    if isinstance(file, Rows):
        return await corrections.judge(file, contender, redis)
    return await transcripts.judge(file, contender, redis)


def _misses(judged: Iterable[Judged]) -> Iterator[dict[str, Any]]:
    """What was not understood as labelled, or slots taken otherwise; a row that goes wrong the same way in several
    runs once."""
    told: set[tuple[str, str]] = set()
    for one in judged:
        differs = one.right and one.wanted is not None and one.wanted != one.found
        if (one.right and not one.false and not differs) or (one.where, one.understood) in told:
            continue
        told.add((one.where, one.understood))
        miss: dict[str, Any] = {
            "where": one.where,
            "lang": one.lang,
            "label": one.label,
            "understood": one.understood,
            "confirmed": one.harmless and one.confirmed,
            "executed": one.harmless and one.executed,
            "text": one.text,
        }
        if differs:
            miss |= {"wanted": one.wanted, "found": one.found}
        yield miss
