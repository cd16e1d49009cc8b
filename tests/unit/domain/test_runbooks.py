"""Runbooks: how they are looked up, and which step follows which."""

from __future__ import annotations

import datetime

import pytest

from chatops_bot.domain.runbooks import END, Answer, Runbook, Runbooks, Step, Texts

DAY = datetime.date(2026, 11, 30)
WORDS = Texts("中文", "English")


def runbook(id_: str, *steps: Step, **fields: object) -> Runbook:
    return Runbook(
        id=id_,
        title=WORDS,
        steps=steps or (Step("say", WORDS),),
        verification=WORDS,
        back=WORDS,
        owner="SRE",
        reviewed=DAY,
        **fields,  # type: ignore[arg-type]
    )


def ids(found: tuple[Runbook, ...]) -> list[str]:
    return [each.id for each in found]


def test_a_runbook_is_found_by_what_it_is_for() -> None:
    memory = runbook("workloads/memory", symptoms=("out_of_memory",), alerts=("KubeMemory",), services=("payment-svc",))
    crash = runbook("workloads/crash", symptoms=("crash_loop", "out_of_memory"))
    both = Runbooks([crash, memory])
    assert ids(both.for_symptoms(["crash_loop"])) == ["workloads/crash"]
    assert ids(both.for_symptoms(["out_of_memory", "crash_loop"])) == ["workloads/crash", "workloads/memory"]
    assert ids(both.for_alert("kubememory")) == ["workloads/memory"]
    assert ids(both.for_service("Payment-Svc")) == ["workloads/memory"]
    assert both.for_symptoms(["healthy"]) == both.for_alert("") == both.for_service("order-db") == ()


def test_the_area_may_be_left_out_where_one_alone_bears_the_name() -> None:
    some = Runbooks([runbook("a/one"), runbook("a/two"), runbook("b/two")])
    assert ids(tuple(filter(None, [some.by_id("one"), some.by_id("b/two")]))) == ["a/one", "b/two"]
    assert some.by_id("two") is None
    assert some.by_id("three") is None


def test_the_steps_follow_each_other_or_where_they_lead() -> None:
    ask = Step("ask", WORDS, answers=(Answer(WORDS, "last"), Answer(WORDS), Answer(WORDS, END)))
    book = runbook("a/b", ask, Step("say", WORDS, goto=END), Step("say", WORDS, id="last"))
    assert [book.after(0, answer) for answer in (0, 1, 2)] == [2, 1, None]
    assert (book.after(0), book.after(1), book.after(2)) == (1, None, None)
    with pytest.raises(IndexError):
        book.after(0, 3)


def test_what_nobody_has_looked_at_for_a_year_is_overdue() -> None:
    assert not runbook("a/b").overdue(DAY + datetime.timedelta(days=365))
    assert runbook("a/b").overdue(DAY + datetime.timedelta(days=366))
