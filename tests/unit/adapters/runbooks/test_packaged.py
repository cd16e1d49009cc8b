"""The runbooks that come with the bot are in order; their form, its schema and its documentation are one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.runbooks.form import READS, json_schema
from chatops_bot.adapters.runbooks.loading import PACKAGED, packaged
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.diagnosis.findings import RANKS
from chatops_bot.domain.runbooks import Runbook, Runbooks, Texts

ALL = packaged().runbooks
DOCS = Path(__file__).parents[4] / "docs" / "runbooks.md"

HARMLESS = {"replaced", "missing", "warning"}
"""Findings that say what is so, or that there is more to read; nothing is to be done by a runbook."""


def texts(runbook: Runbook) -> Iterator[Texts]:
    yield from (runbook.title, runbook.verification, runbook.back)
    for step in runbook.steps:
        yield step.texts
        yield from (answer.texts for answer in step.answers)


def test_all_of_them_can_be_used() -> None:
    assert packaged().problems == ()
    assert len(ALL) == len(list(PACKAGED.glob("*/*.yaml"))) >= 36


def test_every_finding_that_asks_for_something_to_be_done_has_one() -> None:
    some = Runbooks(ALL)
    assert [code for code in RANKS if code not in HARMLESS and not some.for_symptoms([code])] == []


@pytest.mark.parametrize("runbook", ALL, ids=lambda runbook: runbook.id)
def test_both_languages_say_it_each_in_its_own(runbook: Runbook) -> None:
    chinese = re.compile(r"[一-鿿]")
    for each in texts(runbook):
        assert not chinese.search(each.en), each.en
        assert chinese.search(each.zh) or each.zh == each.en, each.zh
    assert any(chinese.search(word) for word in runbook.words)
    assert any(not chinese.search(word) for word in runbook.words)


@pytest.mark.parametrize("runbook", ALL, ids=lambda runbook: runbook.id)
def test_it_looks_before_it_changes_and_is_not_long(runbook: Runbook) -> None:
    kinds = [step.kind for step in runbook.steps]
    assert 5 <= len(kinds) <= 9
    assert kinds[0] in ("query", "say")


@pytest.mark.parametrize("runbook", ALL, ids=lambda runbook: runbook.id)
def test_its_actions_fit_one_thing_that_it_can_be_walked_for(runbook: Runbook) -> None:
    kinds = [ACTIONS[step.intent].kinds for step in runbook.steps if step.kind == "action"]
    assert not kinds or frozenset.intersection(*kinds)


@pytest.mark.parametrize("id_", ["network/dns-failures", "platform/admission-webhook-down", "data/cache-unavailable"])
def test_one_about_what_others_need_offers_nothing_on_those_that_suffer(id_: str) -> None:
    [runbook] = [each for each in ALL if each.id == id_]
    assert [step.intent for step in runbook.steps if step.kind == "action"] == []


def test_another_runbook_that_is_named_is_there() -> None:
    ids = {runbook.id for runbook in ALL}
    areas = "|".join(sorted({id_.partition("/")[0] for id_ in ids}))
    named = re.compile(rf"(?<![\w/.-])(?:{areas})/[a-z][a-z-]+")
    found = [
        name for book in ALL for each in texts(book) for text in (each.zh, each.en) for name in named.findall(text)
    ]
    assert len(found) > 40
    assert set(found) <= ids


def test_the_schema_is_that_of_the_form() -> None:
    written = json.loads((PACKAGED / "schema.json").read_text(encoding="utf-8"))
    assert written == json_schema()
    assert not list(undescribed(written, "")), "every key says what it is for"


def undescribed(node: Any, where: str) -> Iterator[str]:
    if isinstance(node, dict):
        for name, field in node.get("properties", {}).items():
            if "description" not in field:
                yield f"{where}.{name}"
        for key, value in node.items():
            yield from undescribed(value, f"{where}.{key}")


def test_the_documentation_has_every_key_as_the_schema_says_it() -> None:
    page = " ".join(DOCS.read_text(encoding="utf-8").split())
    schema = json_schema()
    parts = [schema, *schema["$defs"].values()]
    for part in parts:
        for name, field in part["properties"].items():
            row = f"| `{name}` | {' '.join(field['description'].split())} |"
            assert row in page, row
    assert all(f"`{read}`" in page for read in READS)
