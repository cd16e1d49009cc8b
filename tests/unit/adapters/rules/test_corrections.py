"""What changes one thing of the last question or order; and what tells of something, which changes nothing."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.intents import Asked, Interpretation, PendingPlan, Quantity, Route, SlotValue, Standing, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, utterance

Slots = dict[str, SlotValue]
LOGS = Standing("logs", PLANNED, {"tail": 100})
SPAN = Standing("logs", PLANNED, {"since": 900, "previous": True})
EVENTS = Standing("events", PLANNED)
SCALE = Standing("scale", PLANNED, {"replicas": Quantity("to", 5)}, waits=True)
DROPPED = msgspec.structs.replace(SCALE, waits=False)
PLAN = PendingPlan("scale", PLANNED, {"replicas": 5}, {"replicas": 2})
BACK = PendingPlan("rollback", PLANNED, {"revision": 12})
IMAGE = PendingPlan("set_image", PLANNED, {"image": "reg/pay:1.8.0", "container": "pay"})
BOUNDS = PendingPlan("set_autoscaler", PLANNED, {"min": 2, "max": 10})


def said(text: str, *standing: Standing, state: State = State.FOLLOW_UP) -> Interpretation:
    spoken = utterance(text, state, lock=PLANNED)
    return INTERPRETER.interpret(msgspec.structs.replace(spoken, standing=standing))


def below(text: str, plan: PendingPlan, *standing: Standing) -> Interpretation:
    spoken = utterance(text, State.CONFIRMING, plans=(plan,), lock=PLANNED)
    return INTERPRETER.interpret(msgspec.structs.replace(spoken, standing=(SCALE, *standing)))


def changed(meaning: Interpretation) -> Slots:
    assert len(meaning.requests) == 1
    assert meaning.requests[0].intent == ""
    return meaning.requests[0].slots


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("last 50 lines", {"tail": 50}),
        ("no, 200", {"tail": 200}),
        ("100 is too many for my phone. 40", {"tail": 40}),
        ("一百行太长 五十行吧", {"tail": 50}),
        ("double that", {"tail": Quantity("times", 2)}),
        ("50 more lines", {"tail": Quantity("by", 50)}),
        ("only errors", {"errors": True}),
        ("筛一下报错", {"errors": True}),
        ("再 grep 一下 mapping", {"grep": "mapping"}),
        ("过滤一下 timeout", {"grep": "timeout"}),
        ("过滤一下，只留报错", {"errors": True}),
        ("换成搜 bounce", {"grep": "bounce"}),
        ("just last 10", {"tail": 10}),
        ("最近一刻钟的", {"since": 900}),
        ("from the last 2 hours", {"since": 7200}),
        ("cut that to the last 10 minutes", {"since": 600}),
        ("挑出带 disk 的行", {"grep": "disk"}),
        ("cut it to 80 lines", {"tail": 80}),
        ("only the lines with timeout in them", {"grep": "timeout"}),
        ("从崩掉的那个容器里拿", {"previous": True}),
    ],
)
def test_more_or_less_of_a_log(text: str, slots: Slots) -> None:
    meaning = said(text, LOGS)
    assert (meaning.route, changed(meaning)) == (Route.QUERY, slots)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("not this one, the last 2 hours", 7200),
        ("1h not 15m", 3600),
        ("十五改五十", 3000),
        ("太短了 看半小时的", 1800),
        ("make it 30 minutes", 1800),
        ("15 minutes is a blink, give me one day", 86400),
    ],
)
def test_a_span_is_told_from_the_one_that_it_takes_back(text: str, seconds: int) -> None:
    assert changed(said(text, SPAN)) == {"since": seconds}


@pytest.mark.parametrize("text", ["everything please", "所有行都要"])
def test_all_of_it_takes_the_filters_away(text: str) -> None:
    filtered = Standing("logs", PLANNED, {"errors": True, "grep": "x"})
    assert changed(said(text, filtered)) == {"errors": False, "grep": ""}


@pytest.mark.parametrize(
    ("text", "plan", "slots"),
    [
        ("no 13 sorry", BACK, {"revision": 13}),
        ("s/12/10/", BACK, {"revision": 10}),
        ("12 就是坏的那个，退到 11", BACK, {"revision": 11}),
        ("那保守点 只退到15那版", BACK, {"revision": 15}),
        ("tag 写错了，1.8.2", IMAGE, {"image": "1.8.2"}),
        ("不要 reg/pay:1.8.0，用 reg/pay:1.7.9", IMAGE, {"image": "reg/pay:1.7.9"}),
        ("max 12 instead of 10", BOUNDS, {"max": 12}),
        ("12 not 10", BOUNDS, {"max": 12}),
        ("封顶要 8", BOUNDS, {"max": 8}),
        ("raise the floor to 3", BOUNDS, {"min": 3}),
        ("10 is nuts. 6", PendingPlan("scale", PLANNED, {"replicas": 10}), {"replicas": Quantity("to", 6)}),
        ("那还是扩 9个就好", PLAN, {"replicas": Quantity("to", 9)}),
        ("不够不够 x2", PLAN, {"replicas": Quantity("times", 2)}),
        ("手抖了，7个", PLAN, {"replicas": Quantity("to", 7)}),
        ("9 sorry fat fingers", PLAN, {"replicas": Quantity("to", 9)}),
        ("*9", PLAN, {"replicas": Quantity("to", 9)}),
        ("take one off", PLAN, {"replicas": Quantity("by", -1)}),
        ("乘以 2", PLAN, {"replicas": Quantity("times", 2)}),
        ("no wait, in staging", PLAN, {"environment": "staging"}),
        ("唔系 prod，staging 先啱", PLAN, {"environment": "staging"}),
        ("ok whatever. back to the scaling, 9", PLAN, {"replicas": Quantity("to", 9)}),
        ("resume the scaling thing with 9", PLAN, {"replicas": Quantity("to", 9)}),
        ("on staging i mean, prod stays as is", PLAN, {"environment": "staging"}),
        ("等等 搞错环境了 应该是 staging", PLAN, {"environment": "staging"}),
    ],
)
def test_a_plan_is_changed_in_what_is_named(text: str, plan: PendingPlan, slots: Slots) -> None:
    meaning = below(text, plan)
    assert (meaning.route, changed(meaning), meaning.affirmative) == (Route.MODIFY, slots, False)


@pytest.mark.parametrize(
    "text",
    [
        "staging works fine",
        "staging 环境正常",
        "ok 5 more minutes",
        "pod 3 is down",
        "the other team said ok",
        "the other one is fine",
        "one moment",
        "the first one?",
        "缓一缓",
        "error rate is 12%",
    ],
)
def test_what_is_only_told_changes_no_plan(text: str) -> None:
    meaning = below(text, PLAN)

    assert not any(request.slots or request.name for request in meaning.requests)
    assert not meaning.affirmative


@pytest.mark.parametrize(
    "text", ["no, the other one", "选错了，另一个", "停 选错了 换另外一个环境", "wrong one, the other"]
)
def test_the_other_one_is_meant_also_where_the_first_is_halted(text: str) -> None:
    meaning = below(text, PLAN)
    assert (meaning.route, meaning.other, changed(meaning)) == (Route.MODIFY, True, {})
    asked = said(text, EVENTS)
    assert (asked.route, asked.other, changed(asked)) == (Route.QUERY, True, {})


@pytest.mark.parametrize(
    ("text", "plan", "slots"),
    [
        ("ugh, Priya says 7. go with hers", PLAN, {"replicas": Quantity("to", 7)}),
        ("what did I type... ten. revision ten", BACK, {"revision": 10}),
        ("hang on Tom just told me 11 was the last good one so 11", BACK, {"revision": 11}),
        ("第十二版也有那个 bug，用第五版", BACK, {"revision": 5}),
        ("哎？谁说要5了，文档里写的是6，按6来", PLAN, {"replicas": Quantity("to", 6)}),
        ("eh, 5 feels greedy. drop one", PLAN, {"replicas": Quantity("by", -1)}),
        ("hmm that's a lot, take three off", PLAN, {"replicas": Quantity("by", -3)}),
        ("shave off 4", PLAN, {"replicas": Quantity("by", -4)}),
        ("乘二", PLAN, {"replicas": Quantity("times", 2)}),
        ("最少不能是2，3 起步", BOUNDS, {"min": 3}),
        ("3 to 12, sorry, was looking at the wrong dashboard", BOUNDS, {"min": 3, "max": 12}),
    ],
)
def test_a_value_is_found_among_words_that_nobody_listed(text: str, plan: PendingPlan, slots: Slots) -> None:
    meaning = below(text, plan)
    assert (meaning.route, changed(meaning)) == (Route.MODIFY, slots)


@pytest.mark.parametrize(
    "text", ["still comparing the two configs", "ok 5 more minutes", "502 没了", "if 8 is too many then 7", "3 or 4"]
)
def test_a_number_of_something_else_changes_no_plan(text: str) -> None:
    assert not any(request.slots for request in below(text, PLAN).requests)


@pytest.mark.parametrize("text", ["no, as before", "keep the original number", "还是按原来的", "改回去吧"])
def test_the_last_change_is_taken_back(text: str) -> None:
    meaning = below(text, PLAN)
    assert (meaning.route, meaning.as_before, meaning.affirmative) == (Route.MODIFY, True, False)
    assert said(text, LOGS).as_before


@pytest.mark.parametrize(
    "text", ["cancel, take the other one off the list", "算了，另一个也不要了", "is it the other one?"]
)
def test_who_leaves_or_asks_wants_no_other(text: str) -> None:
    assert below(text, PLAN).route is not Route.MODIFY


def test_a_question_is_narrowed_beside_a_plan_and_a_flow() -> None:
    meaning = below("only errors", PLAN, LOGS)
    assert (meaning.route, changed(meaning)) == (Route.ASK, {"errors": True})
    spoken = utterance("last 20 lines", State.COLLECTING, intent="scale", lock=PLANNED)
    flowing = INTERPRETER.interpret(msgspec.structs.replace(spoken, standing=(SCALE, LOGS)))
    assert (flowing.route, changed(flowing)) == (Route.ASK, {"tail": 20})


def test_an_answer_to_a_question_that_is_collected_narrows_nothing() -> None:
    asked = Asked(user="u", what=("service",), choices=("web",))
    spoken = utterance("prod", State.COLLECTING, intent="logs", asked=asked)
    meaning = INTERPRETER.interpret(msgspec.structs.replace(spoken, standing=(Standing("logs", waits=True),)))
    assert meaning.route is not Route.ASK


@pytest.mark.parametrize(
    ("text", "place"),
    [("and in staging?", "staging"), ("now prod", "prod"), ("staging 的呢", "staging"), ("线上的", "prod")],
)
def test_another_place_of_the_same_question(text: str, place: str) -> None:
    assert changed(said(text, EVENTS)) == {"environment": place}


@pytest.mark.parametrize(
    "text",
    [
        "same for web",
        "ditto web",
        "web too please",
        "and web?",
        "what about web",
        "n web?",
        "web 呢",
        "web 那边呢",
        "web 也来一份",
        "再看看 web 的吧，同样的",
        "no, i meant web",
        "不是支付服务，是 web",
    ],
)
@pytest.mark.parametrize("state", [State.IDLE, State.FOLLOW_UP])
def test_the_same_question_for_another_service(text: str, state: State) -> None:
    meaning = said(text, LOGS, state=state)
    assert (meaning.route, [one.intent for one in meaning.requests]) == (Route.QUERY, ["logs"])
    assert meaning.requests[0].slots == {"tail": 100}
    assert meaning.requests[0].name is not None
    assert meaning.requests[0].name.text == "web"


@pytest.mark.parametrize(
    "text",
    [
        "same for web",
        "web too, same deal",
        "and web",
        "web 也一样",
        "web 同上",
        "no, i meant web",
        "use web instead",
        "搞错了，不是支付服务，是 web",
    ],
)
def test_an_order_is_carried_over_by_words_for_that(text: str) -> None:
    meaning = said(text, SCALE, state=State.IDLE)
    assert (meaning.route, [one.intent for one in meaning.requests]) == (Route.ACT, ["scale"])
    assert (meaning.requests[0].slots, meaning.affirmative) == ({"replicas": Quantity("to", 5)}, False)


@pytest.mark.parametrize(
    "text",
    [
        "what about web?",
        "web 呢",
        "web",
        "看看 web",
        "web is slow too",
        "web 也挂了",
        "we also scaled web",
        "bob did the same for web",
        "should i do the same for web?",
        "don't do the same for web",
        "web is down too",
        "web wants love too",
        "web needs the same config",
        "the same for web tomorrow",
        "web 照样扛得住",
        "web 也重启了",
        "web 也要扩吗",
        "is web also affected?",
        "also the logs of web",
    ],
)
@pytest.mark.parametrize("state", [State.IDLE, State.FOLLOW_UP])
def test_an_order_is_carried_over_by_nothing_else(text: str, state: State) -> None:
    assert all(not one.dangerous for one in said(text, SCALE, state=state).requests)


@pytest.mark.parametrize("text", ["same for web and checkout", "web 和 checkout 也一样"])
@pytest.mark.parametrize("state", [State.IDLE, State.FOLLOW_UP])
def test_several_services_are_each_meant(text: str, state: State) -> None:
    found = said(text, LOGS, state=state).requests
    assert [(one.intent, one.name.text if one.name else "", one.slots) for one in found] == [
        ("logs", "web", {"tail": 100}),
        ("logs", "checkout", {"tail": 100}),
    ]
    assert [one.intent for one in said(text, SCALE, state=state).requests] == ["scale", "scale"]


def test_of_an_order_with_its_own_values_these_are_carried() -> None:
    meaning = said("use web instead, to 3", SCALE, state=State.IDLE)
    assert meaning.requests[0].slots == {"replicas": Quantity("to", 3)}


def test_a_dropped_order_takes_words_that_change_it() -> None:
    assert changed(said("make it 3", DROPPED)) == {"replicas": Quantity("to", 3)}
    assert said("3", DROPPED).requests == ()
    assert said("cpu is at 3", DROPPED, LOGS).route is not Route.ACT


def test_a_number_is_asked_about_where_nothing_has_one() -> None:
    assert changed(said("make it 3", EVENTS)) == {"replicas": Quantity("to", 3)}
    assert said("there were 3", EVENTS).requests == ()


def test_a_question_of_its_own_is_no_change() -> None:
    meaning = said("events of the last hour", LOGS)
    assert [one.intent for one in meaning.requests] == ["events"]
    meaning = said("show the logs in staging", EVENTS)
    assert [one.intent for one in meaning.requests] == ["logs"]
