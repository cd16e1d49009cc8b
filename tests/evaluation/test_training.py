"""The weights are those of the rows as they are, and of none that they are measured by."""

from __future__ import annotations

import json
from pathlib import Path

from chatops_bot.adapters.rules.answers.weights import learned, parse
from tests.evaluation import training
from tests.evaluation.training import FRESH, HERE, TUNED

SHORT = 24
"""Characters. Two people may well write the same few."""


def texts(path: Path) -> set[str]:
    return {json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()}


def test_the_weights_were_learned_of_the_rows_as_they_are() -> None:
    assert learned().rows == training.digest(), "rows have changed: make train"


def test_no_row_that_is_held_back_was_learned_of() -> None:
    held = {text for path in (HERE / "held").glob("*.jsonl") if "corrections" not in path.name for text in texts(path)}
    seen = {text for path in (*TUNED, *FRESH) for text in texts(path)}

    assert len(held) > 1_000
    assert not {text for text in held & seen if len(text) > SHORT}


def test_a_table_is_read_as_it_was_written() -> None:
    table = parse("labels\tabc\tcancel\tconfirm\nbias\t0\t-50\n1 yes\t-200\t300\n")

    assert parse(training.written(table)) == table


def test_what_is_learned_of_carries_what_the_rules_made_of_it() -> None:
    (first, *rest) = training.examples([HERE / "learn" / "talk.jsonl"])

    assert len(rest) > 1_000
    assert first.label == "not_confirm"
    assert first.placed == "hold"
    assert any(sign.startswith("rules ") for sign in first.signs)
