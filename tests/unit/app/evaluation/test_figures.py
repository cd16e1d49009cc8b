"""What is counted of rows, by numbers worked out by hand."""

import pytest

from chatops_bot.app.evaluation.bounds import upper_bound
from chatops_bot.app.evaluation.figures import figures_of, macro_f1, slot_figures
from chatops_bot.app.evaluation.judged import Judged
from chatops_bot.app.evaluation.shown import sentence


def row(label: str, understood: str = "", *, where: str = "line 1", lang: str = "en", **more: object) -> Judged:
    understood = understood or label
    given = {"right": label == understood, "text": "x", "harmless": label != "confirm", **more}
    return Judged(where=where, lang=lang, label=label, understood=understood, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("k", "n", "bound"),
    [
        (0, 1, 0.95),
        (0, 10, 0.25887),
        (0, 100, 0.02951),
        (0, 300, 0.00994),
        (1, 10, 0.39416),
        (3, 50, 0.14788),
        (9, 10, 0.99488),
        (10, 10, 1.0),
    ],
)
def test_the_bound_is_that_of_clopper_and_pearson(k: int, n: int, bound: float) -> None:
    assert upper_bound(k, n) == pytest.approx(bound, abs=5e-5)


def test_of_nothing_there_is_no_bound_and_no_count_is_beyond_its_whole() -> None:
    assert upper_bound(0, 0) is None
    with pytest.raises(ValueError, match="2 of 1"):
        upper_bound(2, 1)


def test_macro_f1_is_the_mean_over_the_labels_of_the_file() -> None:
    judged = [row("confirm"), row("modify", "hold"), row("modify")]

    assert macro_f1(judged) == pytest.approx((1 + 2 / 3) / 2, abs=1e-4)
    assert macro_f1([]) is None


def test_accuracy_by_label_and_language_and_what_is_confused_worst() -> None:
    judged = [
        row("hold", "question", where="line 1"),
        row("hold", "question", where="line 2"),
        row("hold", "cancel", where="line 3", lang="zh"),
        row("hold", where="line 4"),
        row("question", where="line 5"),
    ]

    found = figures_of("confirming", judged)

    assert (found["n"], found["accuracy"]) == (5, 0.4)
    assert found["by_label"]["hold"]["accuracy"] == 0.25
    assert found["worst"]["label"] == "hold"
    assert found["worst"]["taken_for"] == {"question": 2, "cancel": 1}
    assert {lang: of["accuracy"] for lang, of in found["by_lang"].items()} == {"en": 0.5, "zh": 0.0}
    assert found["by_lang"]["zh"]["confirmations_recognised"] is None
    assert found["by_lang"]["zh"]["confirmations_executed"] is None


def test_a_yes_that_is_understood_and_one_that_words_execute_are_counted_apart() -> None:
    judged = [
        row("confirm", executed=True),
        row("confirm"),
        row("confirm", "hold"),
        row("hold", "confirm"),
        row("hold"),
    ]

    found = figures_of("confirming", judged)

    assert (found["confirmations_recognised"], found["confirmations_executed"]) == (0.6667, 0.3333)
    assert (found["accuracy"], found["false_executions"]) == (0.6, 0)
    assert "confirmations recognised 66.7%, executed by words 33.3%" in sentence(found)


def test_a_false_execution_is_counted_among_those_that_could_be_one() -> None:
    judged = [row("confirm", executed=True), row("hold", executed=True), row("hold", confirmed=True), row("cancel")]

    found = figures_of("confirming", judged)

    assert (found["false_executions"], found["could_execute_falsely"], found["false_confirmations"]) == (2, 3, 1)
    assert found["false_executions_upper_95"] == pytest.approx(upper_bound(2, 3), abs=1e-4)
    assert "2 false executions of 3" in sentence(found)


def test_pass_k_counts_rows_that_are_right_in_all_runs() -> None:
    judged = [
        row("hold", where="line 1"),
        row("hold", "cancel", where="line 2"),
        row("hold", where="line 1"),
        row("hold", where="line 2"),
    ]

    found = figures_of("confirming", judged)

    assert (found["n"], found["accuracy"], found["pass_k"]) == (2, 0.75, 0.5)


def test_slots_count_every_place_where_a_value_is_or_should_be() -> None:
    judged = [
        row("scale", wanted={"service": "web", "replicas": "5"}, found={"service": "web", "replicas": "5"}),
        row("scale", wanted={"service": "web", "replicas": "+2"}, found={"service": "api"}),
        row("logs", wanted={"service": "web"}, found={"service": "web", "since": "60", "grep": "x"}),
        row("logs", "status", wanted={"service": "web"}, found={}),
    ]

    found = slot_figures(judged)

    assert found is not None
    assert found["rows"] == 3
    own = found["own"]
    assert (own["values"], own["exact"]) == (6, 0.5)
    assert (own["precision"], own["recall"]) == (0.6, 0.6)
    assert found["all"]["values"] == 7
    assert found["by_kind"]["service"]["exact"] == pytest.approx(2 / 3, abs=1e-4)
    assert found["by_kind"]["grep"] == {"values": 1, "exact": 0.0, "precision": 0.0, "recall": None}


def test_where_no_slots_are_compared_there_are_no_figures_of_them() -> None:
    assert slot_figures([row("hold")]) is None


def test_tokens_and_latency_are_those_of_calls() -> None:
    judged = [row("hold", seconds=(0.001, 0.002), tokens=(10, 0)), row("hold", seconds=(0.1,), tokens=(50,))]

    found = figures_of("confirming", judged)

    assert (found["calls"], found["asked"], found["tokens"], found["tokens_per_call"]) == (3, 2, 60, 30.0)
    assert found["latency_ms"] == {"median": 2.0, "p95": 100.0}
