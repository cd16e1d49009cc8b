"""Where the sources lie, and how the checks of this folder name a place in them."""

import ast
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "chatops_bot"

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Finding:
    """One place that breaks a rule; printed as `path:line: what`."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


def listed(findings: Iterable[Finding]) -> str:
    """All findings, one a line, as the message of a failed assertion."""
    return "\n" + "\n".join(str(finding) for finding in findings)


def modules(*folders: str) -> Iterator[tuple[str, str]]:
    """Path (relative to the repository) and text of every module below the given folders of the package, or of all."""
    for start in [PACKAGE / folder for folder in folders] or [PACKAGE]:
        for path in sorted(start.rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


def tracked_texts() -> Iterator[tuple[str, str]]:
    """Path and text of every file that is in git or about to be (neither tracked nor ignored); binary files left out."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    for name in filter(None, names.split("\0")):
        try:
            yield name, (ROOT / name).read_text(encoding="utf-8")
        except (UnicodeDecodeError, FileNotFoundError):
            continue


def scopes(tree: ast.AST, outer: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Every function and class below `tree` with its dotted name, outermost first."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, Function | ast.ClassDef):
            name = f"{outer}.{node.name}" if outer else node.name
            yield name, node
            yield from scopes(node, name)
        else:
            yield from scopes(node, outer)
