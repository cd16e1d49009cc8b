"""Every intent has its row in the table of flows, and every slot a validator and prompts in both languages."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.rules.values.parameters import OF_INTENT
from chatops_bot.domain.actions.registry import ACTIONS as REGISTRY
from chatops_bot.domain.flows import FLOWS, SLOTS, WHERE, problem
from chatops_bot.domain.intents import ACTIONS, QUERIES, QUERY_SLOTS, Quantity, SlotValue
from chatops_bot.domain.texts import TEXTS, render, word
from chatops_bot.domain.texts.flows import WORDS
from tests.architecture.flow_table import table, written

GOOD: dict[str, SlotValue] = {
    "service": "web",
    "cluster": "prod-east",
    "namespace": "shop",
    "environment": "prod",
    "replicas": Quantity("to", 5),
    "container": "app",
    "image": "reg/web:2",
    "revision": 14,
    "pod": "web-6f8-x2",
    "node": "node-1",
    "min": 2,
    "max": 8,
    "since": 1800,
    "tail": 200,
    "previous": True,
    "grep": "time out",
    "errors": True,
    "everyone": True,
    "when": "yesterday",
    "part": "dependents",
    "about": "restarts",
    "force": True,
    "local_data": "delete local data",
    "reason": "the sale begins",
    "runbook": "workloads/out-of-memory",
    "to": "dana",
    "severity": "sev2",
    "title": "checkout is down",
}
BAD: dict[str, tuple[SlotValue, ...]] = {
    "service": ("", "x" * 301),
    "cluster": ("",),
    "namespace": ("a b", "x" * 254, 5),
    "environment": ("",),
    "replicas": (Quantity("to", -1), Quantity("to", 2.5), "many", Quantity("times", 0), True),
    "container": ("a;b", ""),
    "image": ("reg/web", "reg/web:2 --force"),
    "revision": (0, -3, Quantity("by", 2)),
    "pod": ("../x", "-a"),
    "node": ("a b",),
    "min": (0, "some"),
    "max": (2.5, 2**31),  # type: ignore[dict-item]
    "since": (0, -5, 10**9, "1h", True),
    "tail": (0, -1, 10**6, True),
    "previous": ("maybe",),
    "grep": (" ", "x" * 301),
    "errors": (3,),
    "everyone": ("all",),
    "when": ("next_week", 3),
    "part": ("half",),
    "about": ("weather",),
    "force": ("yes",),
    "local_data": ("force",),
    "reason": ("",),
    "runbook": ("",),
    "to": ("",),
    "severity": ("bad",),
    "title": ("",),
}


def test_every_intent_has_a_row() -> None:
    assert set(FLOWS) >= {*QUERIES, *ACTIONS, "hand_off", "help", "declare", "walk"}
    assert all(form.intent == name for name, form in FLOWS.items())
    assert {name for name, form in FLOWS.items() if form.about in ("service", "node")} == set(ACTIONS)


@pytest.mark.parametrize("name", REGISTRY)
def test_an_action_is_about_what_it_works_on(name: str) -> None:
    nodes = REGISTRY[name].kinds == {"Node"}
    assert FLOWS[name].about == ("node" if nodes else "service")


@pytest.mark.parametrize("intent", FLOWS)
def test_every_slot_of_an_intent_is_known_and_can_be_said(intent: str) -> None:
    form = FLOWS[intent]
    assert set(form.slots) <= set(SLOTS)
    assert set(form.required) <= set(form.slots)
    said = set(OF_INTENT.get(intent, {})) - {"node"}
    assert said <= set(form.slots), "rules find what the table does not know"
    assert word(f"{'action' if intent in ACTIONS else 'intent'}.{intent}", "zh").isascii() is False


def test_every_slot_of_the_vocabulary_is_in_the_table() -> None:
    found = {slot for slots in OF_INTENT.values() for slot in slots} | set(QUERY_SLOTS) | set(WHERE)
    assert found | {"service", "reason"} <= set(SLOTS)
    assert set(SLOTS) == set(GOOD) == set(BAD)


@pytest.mark.parametrize("name", SLOTS)
def test_every_slot_has_a_validator_and_prompts_in_both_languages(name: str) -> None:
    slot = SLOTS[name]
    for key in (f"ask.{name}", f"slot.{name}"):
        zh, en = TEXTS[key]
        assert zh
        assert en
    assert slot.check(GOOD[name]) is None
    for value in BAD[name]:
        why = slot.check(value)
        assert why is not None, value
        assert render(why, "zh") != render(why, "en")
    assert all(slot.check(choice) is None for choice in slot.choices)


def test_words_are_in_both_languages() -> None:
    assert all(zh and en for zh, en in WORDS.values())


def test_a_problem_names_the_slot_that_is_to_be_asked_anew() -> None:
    asked = problem("logs", {"tail": 0})
    assert asked is not None
    assert asked.slots == ("tail",)
    crossed = problem("set_autoscaler", {"min": 5, "max": 3})
    assert crossed is not None
    assert crossed.slots == ("min", "max")
    assert problem("restart", {"reason": "x" * 2001}) is not None


def test_the_docs_show_this_table() -> None:
    assert written() == table(), "run python -m tests.architecture.flow_table"
