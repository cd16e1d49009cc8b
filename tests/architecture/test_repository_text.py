"""The repository works on any machine: no file names a package registry, or a path of the machine it was written on."""

import re
from collections.abc import Iterator

import pytest

from tests.architecture.sources import Finding, listed, tracked_texts

# Put together from parts, so that this file may be searched as well.
REGISTRY_HOSTS = tuple(
    ".".join(parts)
    for parts in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("pypi", "python", "org"),
        ("registry", "npmjs", "org"),
        ("npmjs", "com"),
        ("registry", "yarnpkg", "com"),
        ("proxy", "golang", "org"),
        ("sum", "golang", "org"),
        ("crates", "io"),
        ("rubygems", "org"),
        ("deb", "debian", "org"),
        ("archive", "ubuntu", "com"),
    )
)
INDEX_OPTIONS = tuple("-" * 2 + "-".join(parts) for parts in (("index", "url"), ("extra", "index", "url")))
MACHINE_PATH = re.compile(r"(?<![\w./-])/(?:work|root)/")


def foreign_words(path: str, text: str) -> Iterator[Finding]:
    """Every line that names a registry, gives an index address, or holds an absolute path of a machine."""
    for number, line in enumerate(text.splitlines(), 1):
        for word in (*REGISTRY_HOSTS, *INDEX_OPTIONS):
            if word in line.lower():
                yield Finding(path, number, f"names {word}")
        if MACHINE_PATH.search(line):
            yield Finding(path, number, "holds an absolute path of a machine")


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    findings = [found for path, text in tracked_texts() for found in foreign_words(path, text)]
    assert not findings, listed(findings)


@pytest.mark.parametrize(
    "line",
    [
        *(f"see https://{host}/simple" for host in REGISTRY_HOSTS),
        *(f"pip install {option} x" for option in INDEX_OPTIONS),
        *(f"open('/{folder}/x')" for folder in ("work", "root")),
        f"Files.{REGISTRY_HOSTS[1].upper()}",
    ],
)
def test_a_foreign_word_is_found(line: str) -> None:
    assert list(foreign_words("README.md", f"first\n{line}\n"))


@pytest.mark.parametrize(
    "line", [f"https://example.com/{'work'}/items", "FROM python:3.11-slim", f"frame/{'root'}/of", f"../{'root'}/x"]
)
def test_ordinary_lines_are_left_alone(line: str) -> None:
    assert not list(foreign_words("README.md", line))
