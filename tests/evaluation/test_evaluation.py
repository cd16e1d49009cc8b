"""What is measured of the repository's own rows, and the page that tells it."""

import pytest

from tests.evaluation import table
from tests.evaluation.table import HALVES, Figures

pytestmark = pytest.mark.timeout(900)  # everything is measured once, within the first test


KINDS = {"confirming.zh.jsonl", "confirming.en.jsonl", "requests.jsonl", "corrections.jsonl", "several.jsonl"}


def test_every_file_of_rows_is_measured_and_has_a_half_that_is_held_back(found: dict[str, Figures]) -> None:
    of = {half: {name.partition("/")[2] for name in found if name.startswith(f"{half}/")} for half in HALVES}

    assert of["held"] >= KINDS
    assert of["look"] >= KINDS


def test_nothing_is_executed_falsely(found: dict[str, Figures]) -> None:
    falsely = {name: of["false_executions"] for name, of in found.items() if of["false_executions"]}

    assert not falsely
    assert sum(of["could_execute_falsely"] for of in found.values()) > 2500


def test_the_page_has_a_place_for_every_table(found: dict[str, Figures]) -> None:
    page = table.DOCUMENT.read_text(encoding="utf-8")
    tables = table.own_tables(found)

    again = table.written(page, tables)

    assert {name: table.table_in(again, name) for name in tables} == tables
    assert table.written(again, tables) == again


def test_a_page_without_the_mark_of_a_table_is_told() -> None:
    with pytest.raises(KeyError, match="requests"):
        table.written("<!-- measured: others -->\n<!-- end -->", {"requests": "| a |"})
