"""Every code has its words, and its row on the page."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import chatops_bot
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.diagnosis.findings import RANKS
from chatops_bot.domain.diagnosis.remedies import TAKES
from chatops_bot.domain.texts import findings, symptoms
from chatops_bot.domain.texts.cluster import TEXTS, WORDS

PACKAGE = Path(chatops_bot.__file__).parent
PAGE = PACKAGE.parent / "docs/diagnosis.md"
SEVERITIES = {"danger", "warn", "info"}
IN_VERDICTS = {"replaced", "deleting", "missing", "rolling", "warning"}
"""Named in a verdict, and found by no check."""
OTHERWISE = {
    "blocked": "rollout.blocked",
    "stateful_stuck": "finding.stateful_",
    "port_mismatch": "finding.port_",
    "ingress_backend": "finding.ingress_",
}
"""Codes whose sentences are called otherwise."""


def rows() -> dict[str, list[str]]:
    """Cells by code, of the first table."""
    lines = PAGE.read_text(encoding="utf-8").partition("## Exit codes")[0].splitlines()
    cells = ([cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| `"))
    return {row[0].strip(" `"): row for row in cells}


def test_the_page_lists_every_code_in_the_order_of_ranks() -> None:
    assert list(rows()) == list(RANKS)
    assert all(len(row) == 5 for row in rows().values())


@pytest.mark.parametrize("code", RANKS)
def test_every_code_has_its_words(code: str) -> None:
    assert all(WORDS[f"cause.{code}"])
    prefix = OTHERWISE.get(code, f"finding.{code}")
    assert code in IN_VERDICTS or any(key.startswith(prefix) for key in TEXTS), code


def emitted() -> Iterator[tuple[str, set[str]]]:
    """Code and severities of every finding whose code is written out where it is made."""
    for path in (PACKAGE / "domain/diagnosis").rglob("*.py"):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Finding":
                code = call.args[0] if call.args else None
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    said = {one.value for one in ast.walk(call.args[1]) if isinstance(one, ast.Constant)}
                    yield code.value, {one for one in said if isinstance(one, str)} & SEVERITIES


def test_the_page_names_the_severities_that_there_are() -> None:
    table = rows()
    found = list(emitted())
    assert len(found) > 30
    for code, severities in found:
        assert severities <= set(re.findall(r"danger|warn|info", table[code][3])), code
    variable = {"no_capacity", "unschedulable", "exited"}  # where they are made the code is one of several
    assert set(RANKS) - {code for code, _ in found} == IN_VERDICTS | variable


def test_what_is_offered_are_actions() -> None:
    offered = {name for row in rows().values() for name in re.findall(r"`(\w+)`", row[4])}
    assert offered <= set(ACTIONS)
    assert {"rollback", "restart", "scale", "set_image", "drain"} <= offered


def test_nothing_is_offered_on_a_kind_that_the_action_refuses() -> None:
    for action, kinds in TAKES.items():
        assert kinds == ACTIONS[action].kinds, action


def test_no_text_is_written_twice() -> None:
    assert not set(findings.TEXTS) & set(symptoms.TEXTS)
