"""The command: what it prints, and how it ends."""

import json
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.app.evaluation.command import Wanted, falsely, main, of_model
from chatops_bot.app.evaluation.contenders import Tally
from chatops_bot.app.settings_model import ModelSettings
from tests.unit.app.evaluation.test_judges import answer
from tests.unit.app.evaluation.written import written


class Ended:
    """How a call of the command went."""

    def __init__(self, *paths: Path, environ: dict[str, str] | None = None, **wanted: Any) -> None:
        self.out: list[str] = []
        self.problems: list[str] = []
        self.code = main(
            list(paths),
            Wanted(**wanted),
            environ=environ or {},
            echo=self.out.append,
            complain=self.problems.append,
        )


def test_the_own_rows_hold_their_targets() -> None:
    ended = Ended(as_json=True)

    assert (ended.code, len(ended.out)) == (0, 1)
    figures = json.loads(ended.out[0])["figures"]["rules"]
    assert figures["false_executions"] == 0
    assert figures["confirmations_recognised"] >= 0.95
    assert all(language["accuracy"] >= 0.95 for language in figures["by_lang"].values())


def test_json_is_one_object_a_file(tmp_path: Path) -> None:
    rows = [answer("confirm", "yes"), answer("hold", "hmm")]
    (tmp_path / "more").mkdir()
    files = [written(tmp_path, *rows), written(tmp_path / "more", *rows)]

    ended = Ended(*files, as_json=True, misses=True)

    assert [json.loads(line)["file"] for line in ended.out] == [str(file) for file in files]
    assert json.loads(ended.out[0])["misses"] == {"rules": []}


def test_people_read_sentences(tmp_path: Path) -> None:
    rows = [
        answer("confirm", "yes"),
        answer("hold", "hm", "zh"),
        answer("modify", "make it 8", slots={"replicas": 9}),
        answer("cancel", "why?"),
    ]

    text = "\n".join(Ended(written(tmp_path, *rows), misses=True, runs=3).out)

    assert "rules: 4 rows, accuracy 75.0%" in text
    assert "0 false executions of 3 (95 % sure: below" in text
    assert "right in all 3 runs: 75.0%" in text
    assert "line 4: cancel taken for question: why?" in text
    assert "slots {'replicas': '9'} taken as {'replicas': '8'}: make it 8" in text


def test_a_false_confirmation_makes_it_fail(tmp_path: Path) -> None:
    ended = Ended(written(tmp_path, answer("hold", "yes")), misses=True)

    assert ended.code == 1
    assert "FALSELY EXECUTED" in "\n".join(ended.out)


@pytest.mark.parametrize("name", ["none.jsonl", "bad.jsonl", "empty"])
def test_what_cannot_be_used_is_told_before_anything_is_measured(tmp_path: Path, name: str) -> None:
    good = written(tmp_path, answer("confirm", "yes"))
    (tmp_path / "bad.jsonl").write_text("{", encoding="utf-8")
    (tmp_path / "empty").mkdir()

    ended = Ended(good, tmp_path / name)

    assert (ended.code, ended.out) == (2, [])
    assert name in ended.problems[0]


def test_a_model_that_is_asked_for_has_to_be_there(tmp_path: Path) -> None:
    ended = Ended(written(tmp_path, answer("confirm", "yes")), model=True)

    assert ended.code == 2
    assert "has no model; set model.name" in ended.problems[0]


def test_a_broken_configuration_is_told_and_used_only_where_it_is_asked_for(tmp_path: Path) -> None:
    rows = written(tmp_path, answer("confirm", "yes"))
    broken = tmp_path / "broken.yaml"
    broken.write_text("modle: {}\n", encoding="utf-8")

    asked = Ended(rows, config=broken)
    beside = Ended(rows, environ={"CHATOPS_CONFIG": str(broken)})
    not_wanted = Ended(rows, environ={"CHATOPS_CONFIG": str(broken)}, model=False)

    assert (asked.code, beside.code, not_wanted.code) == (2, 0, 0)
    assert "modle" in asked.problems[0]
    assert beside.problems[0].endswith("Only the rules are measured.")
    assert not not_wanted.problems


def test_of_a_model_it_is_told_how_often_it_answered() -> None:
    tally = Tally()
    tally.count("model_calls", outcome="answered")
    tally.count("model_calls", outcome="timeout")
    tally.count("model_fallbacks", reason="breaker")
    tally.count("turns")

    assert [*of_model(ModelSettings(name="m"), tally)] == [
        "m: questions by outcome: answered 1, timeout 1",
        "m: left to the rules: breaker 1",
    ]
    assert "its figures are those of the rules" in [*of_model(ModelSettings(name="m"), Tally())][-1]


def test_falsely_counts_over_all_contenders() -> None:
    assert falsely({"figures": {"rules": {"false_executions": 0}, "m": {"false_executions": 2}}}) == 2
