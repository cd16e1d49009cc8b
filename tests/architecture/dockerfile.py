"""What a Dockerfile and a .dockerignore say, as far as ours go."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Instruction:
    """One instruction: its number of line, its name in capitals, and the rest with its lines joined."""

    line: int
    name: str
    value: str

    @property
    def flags(self) -> dict[str, str]:
        """The `--flag=value` words before everything else."""
        leading = re.match(r"(?:--[\w-]+=\S+\s+)*", self.value)
        words = leading.group().split() if leading else []
        return dict(word.removeprefix("--").split("=", 1) for word in words)

    @property
    def rest(self) -> str:
        """The value without its flags."""
        return re.sub(r"^(?:--[\w-]+=\S+\s+)*", "", self.value)

    @property
    def form(self) -> list[str] | None:
        """The words of an exec form; None of a shell form."""
        try:
            words = json.loads(self.rest.removeprefix("CMD").strip())
        except ValueError:
            return None
        return words if isinstance(words, list) and all(isinstance(word, str) for word in words) else None

    @property
    def pairs(self) -> dict[str, str]:
        """Of `ENV` and `LABEL`, `KEY=VALUE` each."""
        return dict(word.split("=", 1) for word in shlex.split(self.rest) if "=" in word)


@dataclass
class Stage:
    """What follows one FROM."""

    base: Instruction
    name: str
    instructions: list[Instruction] = field(default_factory=list)

    def all(self, name: str) -> list[Instruction]:
        return [one for one in self.instructions if one.name == name]

    def last(self, name: str) -> Instruction | None:
        """Of what may stand repeatedly, the last one counts."""
        return next(reversed(self.all(name)), None)


def instructions(text: str) -> Iterator[Instruction]:
    """Instructions in order; lines joined as the builder joins them, comments dropped in between too."""
    begun, joined = 0, ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#") or (not joined and not line.strip()):
            continue
        begun = begun or number
        joined += line.rstrip().removesuffix("\\")
        if not line.rstrip().endswith("\\"):
            name, _, value = joined.strip().partition(" ")
            yield Instruction(begun, name.upper(), value.strip())
            begun, joined = 0, ""


def stages(text: str) -> tuple[list[Instruction], list[Stage]]:
    """What stands before the first FROM, and the stages."""
    before: list[Instruction] = []
    found: list[Stage] = []
    for one in instructions(text):
        if one.name == "FROM":
            named = re.search(r"\sAS\s+(\S+)$", one.value, re.IGNORECASE)
            found.append(Stage(one, named.group(1) if named else str(len(found))))
        else:
            (found[-1].instructions if found else before).append(one)
    return before, found


def in_context(files: Iterable[str], ignore: str) -> set[str]:
    """What of the files the builder gets to see, by the text of a .dockerignore: the last pattern that fits decides.
    https://docs.docker.com/build/concepts/context/#dockerignore-files"""
    rules = [
        (not line.startswith("!"), _pattern(line.lstrip("!")))
        for line in map(str.strip, ignore.splitlines())
        if line and not line.startswith("#")
    ]
    return {file for file in files if not _ignored(file, rules)}


def _ignored(file: str, rules: Sequence[tuple[bool, re.Pattern[str]]]) -> bool:
    ignored = False
    for excludes, pattern in rules:
        if pattern.match(file):
            ignored = excludes
    return ignored


def _pattern(text: str) -> re.Pattern[str]:
    """Fits a path, and everything below it."""
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    words = re.split(r"(\*\*/|\*\*|\*|\?)", text.strip("/"))
    return re.compile("".join(parts.get(word, re.escape(word)) for word in words) + r"(?:/.*)?\Z")
