"""Only the gate writes to a cluster (promise 1 of the README): nobody else even names the write side."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "chatops_bot"

NAMING = {
    "ports/cluster.py": "declares it",
    "engine/gate.py": "holds it",
    "engine/preparation.py": "makes plans: dry-runs",
    "engine/execution.py": "carries them out: writes and touches",
    "engine/following.py": "carries on those of several writes",
    "engine/noting.py": "leaves a note when they have ended",
}
WRITES = frozenset({"write", "touch", "dry_run", "note"})


def uses(source: str) -> list[str]:
    """Places of a module that name the write side or reach for one of its calls."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name | ast.alias):
            name = node.id if isinstance(node, ast.Name) else node.name
            if name == "ClusterWriter":
                found.append(name)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr == "writer":
            found.append(f"writer.{node.attr}")
    return [use for use in found if use == "ClusterWriter" or use.rpartition(".")[2] in WRITES]


def test_only_the_gate_reaches_for_the_write_side() -> None:
    stray = {
        str(path.relative_to(PACKAGE)): found
        for path in sorted(PACKAGE.rglob("*.py"))
        if (found := uses(path.read_text(encoding="utf-8"))) and str(path.relative_to(PACKAGE)) not in NAMING
    }
    assert stray == {}


@pytest.mark.parametrize(
    "bad",
    [
        "from chatops_bot.ports.cluster import ClusterWriter",
        "async def f(self): await self.cluster.writer.write(change)",
        "async def f(both): await both.both.writer.touch(entity)",
    ],
)
def test_the_check_sees_a_stray_writer(bad: str) -> None:
    assert uses(bad)


def test_closing_the_write_side_is_no_writing() -> None:
    assert uses("async def f(self): await self.both.writer.close()") == []
