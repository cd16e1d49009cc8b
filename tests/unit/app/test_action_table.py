"""The page of actions says what the actions declare."""

from __future__ import annotations

from pathlib import Path

import pytest

from chatops_bot.app.action_table import render
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.actions.risk import RISK
from chatops_bot.domain.flows import FLOWS

PAGE = Path(__file__).resolve().parents[3] / "docs" / "actions.md"


def test_the_page_in_docs_is_the_one_that_the_actions_make() -> None:
    assert PAGE.read_text(encoding="utf-8") == render(), "run: chatops-bot actions > docs/actions.md"


@pytest.mark.parametrize("name", ACTIONS)
def test_every_declaration_is_told(name: str) -> None:
    action = ACTIONS[name]
    told = render().partition(f"## `{name}`\n")[2].partition("\n## ")[0]
    for slot in FLOWS[action.name].slots:
        assert f"`{slot}`" in told
    for kind in action.kinds:
        assert kind in told
        assert all(permission.resource in told and permission.verb in told for permission in action.permissions(kind))
        assert all(f"`{path}`" in told for path in action.watched({"kind": kind}))
    for consequence, risk in RISK[name].items():
        assert consequence == "ordinary" or f"{risk} for {consequence.replace('_', ' ')}" in told


def test_what_puts_back_what_is_told() -> None:
    undone = {
        part.partition("`")[0]: part.partition("| undo | ")[2].partition(" |")[0] for part in render().split("## `")[1:]
    }
    assert undone | {"scale": "`scale`", "restart": "none", "pause": "`resume`", "resume": "`pause`"} == undone
