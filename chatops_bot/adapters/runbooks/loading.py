"""Reads folders of runbooks, `AREA/NAME.yaml`. A file that cannot be used is left out and said; the others are used."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

import chatops_bot
from chatops_bot.adapters.runbooks import checking
from chatops_bot.adapters.runbooks.form import KINDS, RunbookFile
from chatops_bot.domain.runbooks import Runbook

MAX_BYTES: Final = 64 * 1024
"""Of one file: ten times the longest of ours."""

MAX_FILES: Final = 2_000
"""Of one folder: search goes through all of them."""

_DEPTH: Final = 20
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,59}", re.ASCII)
_SUFFIXES: Final = (".yaml", ".yml")


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a file: `where` in it ("" for the whole), and what to do about it."""

    file: str
    where: str
    text: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.file, self.where, self.text) if part)


class Loaded(msgspec.Struct, frozen=True):
    """The runbooks that can be used, in the order of their ids, and everything that is wrong with the others."""

    runbooks: tuple[Runbook, ...] = ()
    problems: tuple[Problem, ...] = ()


_HOME: Final = Path(chatops_bot.__file__).parent

PACKAGED: Final = next((f for f in (_HOME / "runbooks", _HOME.parent / "runbooks") if f.is_dir()), _HOME / "runbooks")
"""Where the runbooks that come with the bot lie: inside the package that was built, in a checkout beside it."""


@cache
def packaged() -> Loaded:
    """The runbooks that come with the bot, read once a process."""
    return load_folder(PACKAGED)


def load(folders: Iterable[Path], *, with_packaged: bool = True) -> Loaded:
    """Those of all folders. One of a folder replaces the packaged one of the same id; the same id in two folders is a
    problem, and the first one counts."""
    runbooks = {each.id: each for each in packaged().runbooks} if with_packaged else {}
    problems = list(packaged().problems) if with_packaged else []
    owners: dict[str, Path] = {}
    for folder in folders:
        loaded = load_folder(folder)
        problems += loaded.problems
        for runbook in loaded.runbooks:
            if runbook.id in owners:
                there = f"{owners[runbook.id]} has a runbook of this id too, which is used; rename one of them"
                problems.append(Problem(str(folder / runbook.id), "", there))
                continue
            owners[runbook.id] = folder
            runbooks[runbook.id] = runbook
    return Loaded(tuple(runbooks[id_] for id_ in sorted(runbooks)), tuple(problems))


def load_folder(folder: Path) -> Loaded:
    """The runbooks of one folder. A folder that cannot be read is a problem of its own."""
    runbooks: dict[str, Runbook] = {}
    problems: list[Problem] = []
    try:
        files = list(_files(folder, problems))
    except OSError as error:
        return Loaded((), (Problem(str(folder), "", f"cannot be read ({error.strerror}); check the path"),))
    if len(files) > MAX_FILES:
        text = f"holds {len(files)} files, of which {MAX_FILES} are read; divide it, or remove what is no runbook"
        problems.append(Problem(str(folder), "", text))
    for file in files[:MAX_FILES]:
        id_ = f"{file.parent.name}/{file.stem}"
        runbook, found = load_file(file)
        problems += found
        if runbook is not None and id_ in runbooks:
            problems.append(Problem(str(file), "", f"another file has the id {id_} too; rename one of them"))
        elif runbook is not None:
            runbooks[id_] = runbook
    return Loaded(tuple(runbooks.values()), tuple(problems))


def _files(folder: Path, problems: list[Problem]) -> Iterator[Path]:
    """Every file that is meant as a runbook. Hidden ones are none: a mounted ConfigMap has `..data` beside them."""
    for area in sorted(folder.iterdir()):
        if area.name.startswith("."):
            continue
        if not area.is_dir():
            if area.suffix in _SUFFIXES:
                problems.append(Problem(str(area), "", "lies beside the areas; move it to AREA/NAME.yaml"))
            continue
        try:
            yield from sorted(f for f in area.iterdir() if f.suffix in _SUFFIXES and not f.name.startswith("."))
        except OSError as error:
            problems.append(Problem(str(area), "", f"cannot be read ({error.strerror}); check its permissions"))


def load_file(file: Path) -> tuple[Runbook | None, tuple[Problem, ...]]:
    """The runbook of one file, or None with everything that is wrong with it."""

    def problem(text: str, where: str = "") -> tuple[None, tuple[Problem, ...]]:
        return None, (Problem(str(file), where, text),)

    area, name = file.parent.name, file.stem
    if not _NAME.fullmatch(area) or not _NAME.fullmatch(name):
        return problem(f"{area}/{name} is no id; use lower-case letters, digits and hyphens for area and name")
    try:
        content = _content(file)
    except OSError as error:
        return problem(f"cannot be read ({error.strerror}); check its permissions")
    except _Unusable as error:
        return problem(str(error))
    try:
        runbook = RunbookFile.model_validate(content).runbook(f"{area}/{name}")
    except ValidationError as error:
        return None, tuple(Problem(str(file), _path(each), _text(each)) for each in _told(error.errors()))
    found = tuple(Problem(str(file), where, text) for where, text in checking.problems(runbook))
    return (None, found) if found else (runbook, ())


class _Unusable(Exception):
    """The file is not what can be a runbook at all; the message says why and what to do."""


def _content(file: Path) -> object:
    if file.exists() and not file.is_file():  # to open a pipe would be to wait for whoever writes to it
        raise _Unusable("is no file; remove it")
    with file.open("rb") as opened:
        raw = opened.read(MAX_BYTES + 1)
    if len(raw) > MAX_BYTES:
        raise _Unusable(f"is larger than {MAX_BYTES // 1024} KiB; divide it, and let one runbook name the other")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise _Unusable(f"is not UTF-8 text (byte {error.start}); save it as UTF-8") from None
    try:
        _bounded(text)
        return yaml.load(text, _Loader)  # noqa: S506 (a SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        what = " ".join(filter(None, (error.context, error.problem))) or "is not YAML"
        raise _Unusable(f"{place}{what}; mend the YAML there") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _Unusable(f"is not YAML ({str(error).splitlines()[0]})") from None


_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The one in C where it is built in: all of ours are read in a tenth of a second instead of two."""


class _Loader(_Base):  # type: ignore[misc]
    """Plain data only; a key that is written twice is an error. Only true and false are truth values, and dates stay
    text, as in all YAML files of ours."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> Any:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    what = f"the key {key.value!r} is written twice"
                    raise yaml.constructor.ConstructorError(None, None, what, key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep=deep)


_Loader.yaml_implicit_resolvers = {
    first: [pair for pair in resolvers if pair[0] not in ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"), list("tf"))


def _bounded(text: str) -> None:
    """Refuse what would grow when it is read: aliases that multiply, and nesting without end. One document only."""
    depth = documents = 0
    for event in yaml.parse(text, Loader=_Base):
        if isinstance(event, yaml.AliasEvent):
            raise _Unusable(f"aliases (*{event.anchor}) are not taken; write out what is meant")
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEPTH or documents > 1:
            raise _Unusable("is nested too deeply" if depth > _DEPTH else "holds several documents; one file each")


def _told(errors: list[ErrorDetails]) -> Iterator[ErrorDetails]:
    """Those that are of use: a list counts as empty for the models where all of its items are wrong."""
    inside = {error["loc"][:1] for error in errors if len(error["loc"]) > 1}
    return (error for error in errors if not (error["type"] == "too_short" and error["loc"] in inside))


def _path(error: ErrorDetails) -> str:
    """Where it is in the file: without the name of the step's kind, which the models put after the number."""
    parts = [str(part) for part in error["loc"]]
    if len(parts) > 2 and parts[0] == "steps" and parts[2] in KINDS:
        del parts[2]
    return ".".join(parts)


_TOLD: Final = {
    "missing": "is missing; add it",
    "string_type": "must be text; put it into quotes if it looks like a number",
    "model_type": "must be a mapping of keys and values",
    "model_attributes_type": "must be a mapping of keys and values",
    "dict_type": "must be a mapping of keys and values",
    "tuple_type": "must be a list",
    "too_short": "is too short; write what is missing",
    "date_type": "must be a day such as 2026-11-30",
    "date_from_datetime_parsing": "must be a day such as 2026-11-30",
    "string_too_short": "is empty; write what is meant",
}


def _text(error: ErrorDetails) -> str:
    kind = error["type"]
    if kind == "extra_forbidden":
        key = str(error["loc"][-1])
        close = get_close_matches(key, _KEYS, n=1)
        return "is not a key that belongs here; " + (f"{close[0]!r} is meant?" if close else "remove it")
    told = _TOLD.get(kind)
    if told == _TOLD["missing"] and error["loc"][-1] in ("zh", "en"):
        language = {"zh": "Chinese", "en": "English"}[str(error["loc"][-1])]
        return f"is missing; write the sentence in {language} too"
    if told:
        return told
    message = error["msg"]
    return f"{message[0].lower()}{message[1:]}"


def _keys(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        yield from node.get("properties", {})
        for value in node.values():
            yield from _keys(value)


_KEYS: Final = sorted(set(_keys(RunbookFile.model_json_schema())))
