"""Figures of `chatops-bot eval`, the plan read out of a prompt, and what is said of bad files."""

import json
from pathlib import Path

import pytest

from chatops_bot.app.evaluate import EvaluationError, evaluate, main, plan_of

ENGLISH = "[PENDING] Scale deployment payment-api in prod from 4 to 6 replicas. Reply 'confirm' to run it."
CHINESE = "【待确认】将 prod 集群 payment-api 的副本数从 4 调整为 6。回复“确认”执行。"


def written(tmp_path: Path, *rows: dict[str, str]) -> Path:
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n\n", encoding="utf-8")
    return path


def row(label: str, text: str, lang: str = "en", prompt: str = ENGLISH) -> dict[str, str]:
    return {"lang": lang, "label": label, "text": text, "prompt": prompt}


@pytest.mark.parametrize("prompt", [ENGLISH, CHINESE])
def test_the_plan_of_a_prompt(prompt: str) -> None:
    plan = plan_of(prompt)

    assert (plan.action, plan.entity.name, plan.entity.environment) == ("scale", "payment-api", "prod")
    assert plan.parameters == {"replicas": 6}
    assert plan.before == {"replicas": 4}


def test_other_prompts() -> None:
    assert plan_of("Restart web in staging?").action == "restart"
    assert plan_of("Restart web in staging?").entity.environment == "staging"
    assert plan_of("是否把 order-db 回滚到上个版本？").action == "rollback"
    assert plan_of("Scale web to 3 replicas?").parameters == {"replicas": 3}
    assert plan_of("Book a table for 2 at 7?").parameters == {}


def test_figures(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        row("confirm", "yes, to 6"),
        row("confirm", "certainly maybe"),
        row("modify", "make it 8"),
        row("question", "why?"),
        row("not_confirm", "the weather is nice"),
        row("either", "great"),
        row("confirm+question", "yes, why?"),
        row("exit", "转人工", "zh", CHINESE),
    )

    (figures,) = evaluate([path], misses=True)

    assert (figures["n"], figures["false_confirmations"]) == (6, 0)
    assert figures["confirmations_recognised"] == 0.5
    assert figures["accuracy"] == pytest.approx(5 / 6, abs=1e-4)
    assert set(figures["by_lang"]) == {"en", "zh"}
    assert figures["by_lang"]["zh"]["confirmations_recognised"] is None
    assert [(miss["line"], miss["label"]) for miss in figures["misses"]] == [(2, "confirm")]


def test_a_false_confirmation_is_counted_and_makes_the_command_fail(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, row("hold", "yes"))

    assert main([path], as_json=False, misses=True) == 1
    assert "FALSELY CONFIRMED" in capsys.readouterr().out


def test_macro_f1_is_the_mean_over_labels(tmp_path: Path) -> None:
    path = written(tmp_path, row("confirm", "yes"), row("modify", "hmm"), row("modify", "make it 8"))

    (figures,) = evaluate([path])

    assert figures["macro_f1"] == pytest.approx((1 + 2 / 3) / 2, abs=1e-4)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "rows.jsonl:1"),
        ("[1]", "rows.jsonl:1"),
        ('{"label": "confirm"}', "text"),
        ('{"label": "yes", "text": "a"}', "unknown label 'yes'"),
    ],
)
def test_a_bad_row_is_told_with_its_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text(line, encoding="utf-8")

    with pytest.raises(EvaluationError, match=problem):
        evaluate([path])
    assert main([path], as_json=True, misses=False) == 2


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="cannot be read"):
        evaluate([tmp_path / "none.jsonl"])


@pytest.mark.parametrize(("content", "problem"), [(b"", "no rows"), (b" \n\n", "no rows"), (b"\xff", "UTF-8")])
def test_a_file_without_rows_measures_nothing_and_does_not_pass(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(content)
    with pytest.raises(EvaluationError, match=problem):
        evaluate([path])


def test_the_own_rows_hold_their_targets(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([], as_json=True, misses=False) == 0

    figures = json.loads(capsys.readouterr().out)
    assert figures["false_confirmations"] == 0
    assert figures["confirmations_recognised"] >= 0.95
    assert all(language["accuracy"] >= 0.95 for language in figures["by_lang"].values())
