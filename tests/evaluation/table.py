"""The measured tables of docs/evaluation.md: `python -m tests.evaluation.table` measures anew and writes them."""

from __future__ import annotations

import asyncio
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from chatops_bot.app.evaluation.bounds import upper_bound
from chatops_bot.app.evaluation.command import OWN_ROWS
from chatops_bot.app.evaluation.contenders import RULES, rules
from chatops_bot.app.evaluation.measuring import files_of, measure
from chatops_bot.app.evaluation.shown import percent
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.ports.clock import SystemClock

Figures = dict[str, Any]

ROOT: Final = Path(__file__).parents[2]
DOCUMENT: Final = ROOT / "docs" / "evaluation.md"
HALVES: Final = ("look", "held")
_CHANGES: Final = ("value", "narrow", "time", "place", "same_for", "other", "relative", "retained")


def own_files() -> list[Path]:
    """Rows that lie in the repository."""
    folder = Path(__file__).parent
    return [OWN_ROWS, *(path for half in HALVES for path in sorted((folder / half).glob("*.jsonl")))]


def measured(paths: Iterable[Path]) -> dict[str, Figures]:
    """The rules' figures of each file, by `half/name` or else its name."""

    async def all_of() -> dict[str, Figures]:
        found = measure(files_of(paths), [rules(SystemClock())])
        return {called(Path(one["file"])): {"kind": one["kind"], **one["figures"][RULES]} async for one in found}

    return asyncio.run(all_of())


def called(path: Path) -> str:
    """How a file is called here."""
    return f"{path.parent.name}/{path.name}" if path.parent.name in HALVES else path.name


def own_tables(found: Mapping[str, Figures]) -> dict[str, str]:
    """Of the repository's own rows, by the name of their mark in the document."""
    return {
        "confirming": _table(_CONFIRMING, (_confirmed(*each) for each in _of_languages(found, "confirming"))),
        "requests": _table(_REQUESTS, _rows(found, "requests", _requests)),
        "corrections": _table(_CORRECTIONS, _rows(found, "corrections", _corrections)),
        "changes": _table(("kind", *_files(found, "corrections")), _changes(found)),
        "several": _table(_SEVERAL, _rows(found, "several", _several)),
        "own": _table(_CONFIRMING, [_confirmed("the bot's own rows", of) for of in [found[OWN_ROWS.name]]]),
    }


def others_tables(found: Mapping[str, Figures]) -> dict[str, str]:
    """Of the sets of others, of commands and of transcripts, as far as there are any."""
    rows: dict[str, list[list[str]]] = defaultdict(list)
    for name, figures in found.items():
        called = name.removesuffix(".jsonl").removesuffix("-dev")
        if figures["kind"] == "commands":
            rows["commands"].append(_commands(called, figures))
        elif figures["kind"] == "confirming":
            rows["others"] += [_confirmed(f"{called}, {lang}", of) for lang, of in _by_lang(figures)]
    transcripts = [figures for figures in found.values() if figures["kind"] == "transcript"]
    if transcripts:
        rows["transcripts"].append(_transcripts(transcripts))
    heads = {"others": _CONFIRMING, "commands": _COMMANDS, "transcripts": _TRANSCRIPTS}
    return {name: _table(heads[name], listed) for name, listed in rows.items()}


def written(document: str, tables: Mapping[str, str]) -> str:
    """The document with these tables in it."""
    for name, table in tables.items():
        found = _marked(name).search(document)
        if found is None:
            raise KeyError(name)
        document = f"{document[: found.start(2)]}\n{table}\n{document[found.end(2) :]}"
    return document


def table_in(document: str, name: str) -> str:
    """What stands in the document. Raises `KeyError` where the mark is missing."""
    found = _marked(name).search(document)
    if found is None:
        raise KeyError(name)
    return found[2].strip()


def _marked(name: str) -> re.Pattern[str]:
    return re.compile(rf"(<!-- measured: {name} -->)(.*?)(<!-- end -->)", re.DOTALL)


_CONFIRMING: Final = (
    "rows",
    "n",
    "accuracy",
    "macro F1",
    "yes understood",
    "executed by words",
    "false executions",
    "upper bound",
)
_REQUESTS: Final = (
    "rows",
    "n",
    "intents",
    "macro F1",
    "slots exact",
    "precision",
    "recall",
    "orders invented",
    *_CONFIRMING[-2:],
)
_CORRECTIONS: Final = ("rows", "n", "accuracy", "at the service", *_CONFIRMING[-2:])
_COMMANDS: Final = (
    "rows",
    "n",
    "right",
    "changes taken for reads",
    "proposed as a plan",
    "orders invented",
    *_CONFIRMING[-2:],
)
_TRANSCRIPTS: Final = ("transcripts", "turns", "as expected", "in the thread of the service", *_CONFIRMING[-2:])
_SEVERAL: Final = ("rows", "n", "exact", "intents", "orders lost", "orders invented", *_CONFIRMING[-2:])


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    head = [*head]
    lines = [head, ["---", *("---:" for _ in head[1:])], *([*row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _files(found: Mapping[str, Figures], kind: str) -> dict[str, list[Figures]]:
    """Files of a kind by how they are called in a table: `look`, `look, more`, `held`. There may be one a language."""
    files: dict[str, list[Figures]] = defaultdict(list)
    for half in HALVES:
        for name, of in found.items():
            folder, _, file = name.partition("/")
            batch = file.partition(".")[0].removeprefix(kind).lstrip("-")
            if folder == half and file.startswith(kind):
                files[f"{half}, {batch}" if batch else half].append(of)
    return files


def _of_languages(found: Mapping[str, Figures], kind: str) -> Iterator[tuple[str, Figures]]:
    for name, files in _files(found, kind).items():
        for of in files:
            yield from ((f"{name}, {language}", own) for language, own in _by_lang(of))


def _rows(found: Mapping[str, Figures], kind: str, row: Callable[[Figures], list[str]]) -> Iterator[list[str]]:
    for name, of in _of_languages(found, kind):
        yield [name, str(of["n"]), *row(of), *_falsely(of)]


def _confirmed(name: str, of: Figures) -> list[str]:
    shares = (of["confirmations_recognised"], of["confirmations_executed"])
    confirmed = ("–" if share is None else percent(share) for share in shares)
    return [name, str(of["n"]), percent(of["accuracy"]), percent(of["macro_f1"]), *confirmed, *_falsely(of)]


def _falsely(of: Figures) -> list[str]:
    bound = of["false_executions_upper_95"]
    return [f"{of['false_executions']} of {of['could_execute_falsely']}", "–" if bound is None else f"{bound:.2%}"]


def _by_lang(figures: Figures) -> Iterator[tuple[str, Figures]]:
    for lang, of in figures["by_lang"].items():
        yield {"zh": "Chinese", "en": "English"}[lang], of


def _requests(of: Figures) -> list[str]:
    own = of["slots"]["own"]
    shares = [percent(own[figure]) for figure in ("exact", "precision", "recall")]
    return [percent(of["accuracy"]), percent(of["macro_f1"]), *shares, _marks(of, "orders_invented")]


def _corrections(of: Figures) -> list[str]:
    return [percent(of["accuracy"]), f"{_marks(of, 'routed')} of {of['n']}"]


def _changes(found: Mapping[str, Figures]) -> Iterator[list[str]]:
    files = _files(found, "corrections").values()
    for change in _CHANGES:
        of = [file["by_label"][change] for each in files for file in each if change in file["by_label"]]
        yield [change.replace("_", " "), *(f"{percent(each['accuracy'])} of {each['n']}" for each in of)]


def _several(of: Figures) -> list[str]:
    intents = f"{_marks(of, 'intents_right')} of {of['n']}"
    return [percent(of["accuracy"]), intents, _marks(of, "orders_hidden"), _marks(of, "orders_invented")]


def _commands(name: str, of: Figures) -> list[str]:
    changes = of["by_label"]["yes"]["n"]
    taken, planned = (f"{_marks(of, mark)} of {changes}" for mark in ("taken_for_a_read", "planned"))
    return [name, str(of["n"]), percent(of["accuracy"]), taken, planned, _marks(of, "orders_invented"), *_falsely(of)]


def _transcripts(each: list[Figures]) -> list[str]:
    turns = sum(of["n"] for of in each)
    right = sum(round(of["accuracy"] * of["n"]) for of in each)
    falsely = sum(of["false_executions"] for of in each)
    routed, routing = (sum(of["marks"].get(mark, 0) for of in each) for mark in ("routed", "routing"))
    total = {
        "false_executions": falsely,
        "could_execute_falsely": turns,
        "false_executions_upper_95": upper_bound(falsely, turns),
    }
    return [str(len(each)), str(turns), percent(right / turns), f"{routed} of {routing}", *_falsely(total)]


def _marks(of: Figures, mark: str) -> str:
    return str(of["marks"].get(mark, 0))


def main(others: list[Path]) -> None:
    """Measure and write. `others` are files of the sets of others, and folders of transcripts; what is left out stays as
    it is."""
    configure_logging(LogSettings(level="error"))
    tables = own_tables(measured(own_files()))
    if others:
        tables |= others_tables(measured(others))
    DOCUMENT.write_text(written(DOCUMENT.read_text(encoding="utf-8"), tables), encoding="utf-8")


if __name__ == "__main__":
    main([Path(name) for name in sys.argv[1:]])
