"""What can be wrong with the image, judged by reading: for a machine without a container engine."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.architecture.dockerfile import Instruction, Stage, in_context, stages
from tests.architecture.sources import ROOT, Finding, tracked_texts

DOCKERFILE = "Dockerfile"
IGNORE = ".dockerignore"
CONSTRAINTS = "constraints.txt"
LABELS = {"title": "name", "description": "description", "version": "version", "licenses": "license"}
"""Labels of the image (https://specs.opencontainers.org/image-spec/annotations/), and where pyproject.toml says the same."""
BUILD_TOOLS = re.compile(r"\b(?:pip|apt-get|apt|apk|gcc|g\+\+|make|cargo|build-essential|curl|wget|git)\b")
NAMED_BASE = re.compile(r"python:3\.\d+-slim\Z")


@dataclass(frozen=True)
class Project:
    """The texts that make the image, and the files that there are."""

    dockerfile: str
    ignore: str
    constraints: str
    pyproject: str
    files: frozenset[str]

    @classmethod
    def read(cls) -> Project:
        texts = {name: (ROOT / name).read_text(encoding="utf-8") for name in (DOCKERFILE, IGNORE, CONSTRAINTS)}
        return cls(
            texts[DOCKERFILE],
            texts[IGNORE],
            texts[CONSTRAINTS],
            (ROOT / "pyproject.toml").read_text(encoding="utf-8"),
            frozenset(name for name, _ in tracked_texts()),
        )

    @cached_property
    def about(self) -> dict[str, Any]:
        about: dict[str, Any] = tomllib.loads(self.pyproject)["project"]
        return about

    @cached_property
    def context(self) -> set[str]:
        """Files that reach the builder."""
        return in_context(self.files, self.ignore)

    @cached_property
    def stages(self) -> list[Stage]:
        return stages(self.dockerfile)[1]

    @cached_property
    def pinned(self) -> dict[str, Version]:
        lines = (line.split("==") for line in self.constraints.splitlines() if "==" in line)
        return {canonicalize_name(name): Version(version) for name, version in lines}

    @cached_property
    def extras(self) -> set[str]:
        """Optional parts that the image installs."""
        named = re.search(r"\.whl\)\[([\w,]+)\]", self.dockerfile)
        return set(named.group(1).split(",")) if named else set()

    def copied(self) -> Iterator[tuple[Instruction, str]]:
        """What is copied from the context, as (instruction, source)."""
        for stage in self.stages:
            for one in stage.all("COPY"):
                if "from" not in one.flags:
                    for source in one.rest.split()[:-1]:
                        yield one, source.removeprefix("./").rstrip("/")

    def below(self, source: str) -> set[str]:
        """The files that a source of COPY stands for."""
        return {file for file in self.files if file == source or file.startswith(f"{source}/")}


def findings(project: Project) -> list[Finding]:
    """Everything that is wrong; `Finding.line` is that of the Dockerfile."""
    checks = (_bases, _copies, _build, _final_layers, _user, _commands, _labels, _versions)
    return [found for check in checks for found in check(project)]


def _found(where: Instruction | None, what: str) -> Finding:
    return Finding(DOCKERFILE, where.line if where else 0, what)


def _bases(project: Project) -> Iterator[Finding]:
    before = {one.name: one for one in stages(project.dockerfile)[0]}
    name, _, base = before["ARG"].value.partition("=") if "ARG" in before else ("", "", "")
    if not NAMED_BASE.match(base):
        yield _found(before.get("ARG"), "the base is no slim Python of one minor version")
    for stage in project.stages:
        if stage.base.value.split()[0] != f"${{{name}}}":
            yield _found(stage.base, "is not based on the one base")


def _copies(project: Project) -> Iterator[Finding]:
    for one, source in project.copied():
        there = project.below(source)
        if not there:
            yield _found(one, f"copies {source}, which is not there")
        for file in sorted(there - project.context):
            yield _found(one, f"copies {file}, which {IGNORE} keeps from the builder")
    named = {stage.name for stage in project.stages}
    for stage in project.stages:
        yield from (_found(one, "uses ADD, which fetches and unpacks") for one in stage.all("ADD"))
        for one in stage.all("COPY"):
            if one.flags.get("from", stage.name) not in named:
                yield _found(one, f"copies from {one.flags['from']}, which is no stage")


def _build(project: Project) -> Iterator[Finding]:
    """The build stage installs the wheel with exactly our versions, and compiles it."""
    runs = " ".join(one.value for one in project.stages[0].all("RUN"))
    installed = next((one for one in project.stages[0].all("RUN") if " install " in one.value), None)
    for words, what in (
        ("pip wheel --no-deps", "no wheel is built"),
        (f"-c {CONSTRAINTS}", f"the versions of {CONSTRAINTS} are not asked for"),
        ("--only-binary=:all:", "a dependency without a wheel would ask for a compiler"),
        ("compileall", "no bytecode is compiled"),
    ):
        if words not in runs:
            yield _found(installed, what)
    for extra in sorted(project.extras - set(project.about["optional-dependencies"])):
        yield _found(installed, f"asks for {extra}, which pyproject.toml does not know")


def _final_layers(project: Project) -> Iterator[Finding]:
    for one in project.stages[-1].all("RUN"):
        if tool := BUILD_TOOLS.search(one.value):
            yield _found(one, f"uses {tool.group()} in the final stage")
    if len(project.stages) < 2:
        yield _found(None, "builds in the stage that runs")


def _user(project: Project) -> Iterator[Finding]:
    user = project.stages[-1].last("USER")
    if user is None:
        yield _found(None, "runs as root")
    elif not re.fullmatch(r"[1-9]\d*(?::[1-9]\d*)?", user.value):
        # `runAsNonRoot` cannot tell of a name whether it is root.
        yield _found(user, "the user is not a number other than 0")


def _commands(project: Project) -> Iterator[Finding]:
    final = project.stages[-1]
    for name in ("ENTRYPOINT", "CMD", "HEALTHCHECK"):
        one = final.last(name)
        if one is None:
            yield _found(None, f"has no {name}")
        elif one.form is None:
            yield _found(one, f"{name} would run in a shell, which does not pass signals on")


def _labels(project: Project) -> Iterator[Finding]:
    labels = {key: value for one in project.stages[-1].all("LABEL") for key, value in one.pairs.items()}
    for label, key in LABELS.items():
        name = f"org.opencontainers.image.{label}"
        if labels.get(name) != project.about[key]:
            yield _found(project.stages[-1].last("LABEL"), f"{name} is not the {key} of pyproject.toml")


def _versions(project: Project) -> Iterator[Finding]:
    """Of what is asked for directly. What that asks for in turn, the installed packages know."""
    optional = project.about["optional-dependencies"]
    asked = [*project.about["dependencies"], *(text for extra in project.extras for text in optional.get(extra, ()))]
    for requirement in map(Requirement, asked):
        pinned = project.pinned.get(canonicalize_name(requirement.name))
        if pinned is None or pinned not in requirement.specifier:
            yield Finding(CONSTRAINTS, 0, f"has no version of {requirement} ")
