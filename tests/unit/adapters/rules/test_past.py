"""Questions about what was done, and spans of time by name, in both languages."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.rules import RulesInterpreter
from chatops_bot.adapters.rules.tables import past
from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import Interpretation, Request, Route, State, Utterance

WEB = Entity("c", "shop", "Deployment", "web", "web", "prod")
CATALOG = Catalog([Service(entity=WEB)])


def meant(text: str, *, state: State = State.IDLE, intent: str = "") -> Interpretation:
    found = names.find(text, CATALOG, {})
    utterance = Utterance(text=text, state=state, names=found.names, dismissed=found.dismissed, intent=intent)
    return RulesInterpreter().interpret(utterance)


def asked(text: str) -> Request:
    meaning = meant(text)
    assert meaning.route is Route.QUERY, text
    (request,) = meaning.requests
    return request


@pytest.mark.parametrize(
    ("text", "slots", "named"),
    [
        ("what did we do on web yesterday?", {"when": "yesterday"}, True),
        ("What have you done to web this week", {"when": "this_week"}, True),
        ("what was done to web last week?", {"when": "last_week"}, True),
        ("what happened to web last night", {"when": "last_night"}, True),
        ("what happened with web on Monday?", {"when": "monday"}, True),
        ("what did we do with web", {}, True),
        ("what happened here last night", {"when": "last_night", "about": "room"}, False),
        ("who did what yesterday", {"when": "yesterday"}, False),
        ("recap of last week please", {"when": "last_week"}, False),
        ("what did people do in this channel today?", {"when": "today", "about": "room"}, False),
        ("昨天我们对 web 做了什么", {"when": "yesterday"}, True),
        ("我们昨天对 web 做了什么操作？", {"when": "yesterday"}, True),
        ("web 昨晚出了什么事", {"when": "last_night"}, True),
        ("上周都对 web 做过哪些操作", {"when": "last_week"}, True),
        ("昨晚这里发生了什么", {"when": "last_night", "about": "room"}, False),
        ("这周大家都干了啥", {"when": "this_week"}, False),
        ("周三我们对 web 做过什么", {"when": "wednesday"}, True),
        ("前天群里都处理了哪些事情", {"when": "day_before", "about": "room"}, False),
    ],
)
def test_what_was_done_is_asked_for(text: str, slots: dict[str, str], named: bool) -> None:
    request = asked(text)
    assert request.intent == "changes"
    assert request.slots == {"part": "ours", **slots}
    assert (request.name is not None) is named


@pytest.mark.parametrize(
    "text",
    [
        "what happened to web?",
        "what can you do",
        "what should we do about web",
        "what do we do now",
        "what changed in web yesterday",
        "你能做什么",
        "web 怎么了",
        "web 改了什么",
    ],
)
def test_other_questions_are_not_about_what_was_done(text: str) -> None:
    assert all("part" not in request.slots for request in meant(text).requests)


def test_what_has_changed_knows_spans_as_well() -> None:
    assert asked("what changed in web yesterday").slots == {"when": "yesterday"}
    assert asked("who touched web today").slots == {"since": 86_400}


@pytest.mark.parametrize(("text", "when"), [("and last week?", "last_week"), ("前天呢", "day_before")])
def test_another_span_alone_asks_the_same_again(text: str, when: str) -> None:
    meaning = meant(text, state=State.FOLLOW_UP, intent="changes")
    assert meaning.route is Route.QUERY
    assert [(request.intent, request.slots) for request in meaning.requests] == [("", {"when": when})]


@pytest.mark.parametrize("text", ["we restarted web yesterday", "昨天我们重启了 web", "restart web, like yesterday"])
def test_telling_or_ordering_asks_nothing_of_the_past(text: str) -> None:
    assert all(request.slots.get("part") != "ours" for request in meant(text).requests)


@pytest.mark.parametrize(
    ("held", "text", "when"),
    [
        ("this_week", "not this one, the week before", "last_week"),
        ("last_week", "not this one, the week before", "week_before"),
        ("yesterday", "not this one, the week before", "last_week"),
        ("monday", "no, the week before", "last_week"),
        ("yesterday", "the day before", "day_before"),
        ("last_week", "不是这个，上一周的", "week_before"),
        ("yesterday", "前一周呢", "last_week"),
        ("week_before", "the week before", None),
        ("", "the week before", None),
    ],
)
def test_what_lies_before_is_as_long_as_it_is_said(held: str, text: str, when: str | None) -> None:
    assert past.before(text, {"when": held}).get("when") == when


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("logs of web yesterday", 2),
        ("昨晚 web 的日志", 1),
        ("上周 web 的日志", 14),
        ("logs of web today", 1),
        ("resources of web, the week before", 14),
        ("events of web on monday", 7),
    ],
)
def test_what_is_looked_at_up_to_now_reaches_back_so_far_that_it_holds_the_span(text: str, days: int) -> None:
    assert asked(text).slots == {"since": days * 86_400}


def test_a_length_that_is_said_counts_before_a_span() -> None:
    assert asked("logs of web from the last 3h, it broke yesterday").slots == {"since": 10_800}
