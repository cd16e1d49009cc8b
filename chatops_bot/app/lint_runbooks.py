"""`chatops-bot lint-runbooks`: everything that is wrong with runbooks, without using them."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import yaml

from chatops_bot.adapters.runbooks.loading import PACKAGED, Loaded, Problem, load_folder
from chatops_bot.app.audit_command import plain
from chatops_bot.domain.runbooks import Runbook


class Linted(msgspec.Struct, frozen=True):
    """What was found: `problems` keep a file out, `overdue` are ids that nobody has reviewed for over a year; `absent`
    are folders that cannot be read."""

    runbooks: int
    problems: tuple[Problem, ...]
    overdue: tuple[str, ...]
    absent: tuple[Problem, ...]

    @property
    def code(self) -> int:
        """The exit status."""
        return 2 if self.absent else 1 if self.problems else 0


def lint(folders: Sequence[Path], *, today: datetime.date) -> Linted:
    """Look at each folder on its own, those that come with the bot where none is given."""
    absent: list[Problem] = []
    problems: list[Problem] = []
    loaded: list[Loaded] = []
    for folder in folders or (PACKAGED,):
        each = load_folder(folder)
        unread = [problem for problem in each.problems if problem.file == str(folder) and not each.runbooks]
        absent += unread
        problems += [problem for problem in each.problems if problem not in unread]
        problems += [problem for runbook in each.runbooks for problem in _refused_elsewhere(folder, runbook)]
        loaded.append(each)
    runbooks = [runbook for each in loaded for runbook in each.runbooks]
    overdue = tuple(runbook.id for runbook in runbooks if runbook.overdue(today))
    return Linted(len(runbooks), tuple(problems), overdue, tuple(absent))


def _refused_elsewhere(folder: Path, runbook: Runbook) -> Iterator[Problem]:
    """What Helm would refuse of a file that the bot can read: its reader, like PyYAML's own, takes no plain text that
    ends with a question mark before `,` or `}`; the one in C does."""
    for suffix in (".yaml", ".yml"):
        file = folder / f"{runbook.id}{suffix}"
        try:
            for _ in yaml.parse(file.read_text(encoding="utf-8-sig"), Loader=yaml.SafeLoader):
                pass
        except FileNotFoundError:
            continue
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark
            where = f"line {mark.line + 1}, column {mark.column + 1}" if mark else ""
            yield Problem(str(file), where, f"{error.problem}; Helm does not read this: put the text in quotes")


def shown(linted: Linted, *, as_json: bool) -> Iterator[str]:
    """One line a problem, each a JSON object with `as_json`, and at last how many there are of what."""
    if as_json:
        for problem in (*linted.absent, *linted.problems):
            yield msgspec.json.encode(problem).decode()
        counts = {"runbooks": linted.runbooks, "problems": len(linted.absent) + len(linted.problems)}
        yield msgspec.json.encode({**counts, "overdue": linted.overdue}).decode()
        return
    yield from (plain(str(problem)) for problem in (*linted.absent, *linted.problems))
    yield from (f"{id_}: not reviewed for over a year; go through it and set `reviewed`" for id_ in linted.overdue)
    yield f"{linted.runbooks} runbooks are usable; {len(linted.absent) + len(linted.problems)} problems"
