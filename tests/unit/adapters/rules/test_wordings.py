"""How people word what they want, by those who made the rules: `wordings.jsonl` holds one utterance a line, as the rows
of `tests/evaluation` are, among the services that lie there. They measure nothing; they hold what works."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.app.evaluation.slots import labelled, said
from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog, parse
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Interpretation, Route, State, Utterance
from chatops_bot.domain.normalise import clean

_SERVICES = Path(__file__).parents[3] / "evaluation" / "services.yaml"
_CATALOG = Catalog(parse(yaml.safe_load(_SERVICES.read_text("utf-8"))["services"], default_cluster="prod"))
_ROWS = [json.loads(line) for line in Path(__file__).with_name("wordings.jsonl").read_text("utf-8").splitlines()]
_INTERPRETER = RulesInterpreter()
_TALK = frozenset({Route.CHAT, Route.FEEDBACK, Route.DONE, Route.CANCEL})


class Kind(NamedTuple):
    """Rows of one intent in one language."""

    intent: str
    lang: str


def lock_of(name: str | None) -> Entity | None:
    return _CATALOG.lookup(name)[0].entity if name else None


def meaning_of(text: str, lock: str | None = None) -> Interpretation:
    cleaned = clean(text)
    found = names.find(cleaned, _CATALOG)
    state = State.FOLLOW_UP if lock else State.IDLE
    return _INTERPRETER.interpret(
        Utterance(text=cleaned, state=state, names=found.names, dismissed=found.dismissed, lock=lock_of(lock))
    )


def understood(row: dict[str, Any]) -> tuple[list[str], dict[str, str]]:
    meaning = meaning_of(row["text"], row.get("lock"))
    if meaning.route in _TALK:
        return ["chat"], {}
    if meaning.route is Route.REFRESH:
        return ["status"], {}
    slots = said(meaning.requests[0]) if meaning.requests else {}
    if row["slots"].get("revision") == "previous":  # where a rollback goes when none is said
        slots.setdefault("revision", "previous")
    return [request.intent for request in meaning.requests], slots


def rows(kind: Kind) -> Iterator[dict[str, Any]]:
    return (row for row in _ROWS if (row["intent"], row["lang"]) == kind)


@pytest.mark.parametrize("kind", sorted({Kind(row["intent"], row["lang"]) for row in _ROWS}), ids="-".join)
def test_what_is_asked_is_understood(kind: Kind) -> None:
    misses = {
        row["text"]: got for row in rows(kind) if (got := understood(row)) != ([kind.intent], labelled(row["slots"]))
    }

    assert not misses


def test_there_are_enough_of_each() -> None:
    for intent in {row["intent"] for row in _ROWS}:
        for lang in ("en", "zh"):
            assert sum(1 for _ in rows(Kind(intent, lang))) >= 10, (intent, lang)
