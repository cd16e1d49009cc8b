"""Routes of the other states: collecting, follow-up, executing, handed off; and only what each state offers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.intents import ROUTES, Quantity, Route, State
from tests.unit.adapters.rules.speaking import CATALOG, INTERPRETER, SCALE, replied, said, utterance

LOCK = CATALOG.lookup("web")[0].entity


@pytest.mark.parametrize(
    ("text", "what", "choices", "slots"),
    [
        ("5", "replicas", (), {"replicas": Quantity("to", 5)}),
        ("五个", "replicas", (), {"replicas": Quantity("to", 5)}),
        ("5 副本", "replicas", (), {"replicas": Quantity("to", 5)}),
        ("再加两个", "replicas", (), {"replicas": Quantity("by", 2)}),
        ("scale it to 5", "replicas", (), {"replicas": Quantity("to", 5)}),
        ("-3", "replicas", (), {"replicas": Quantity("by", -3)}),
        ("the second one", "replicas", ("to:5", "by:5"), {"replicas": "by:5"}),
        ("加", "replicas", ("to:5", "by:5"), {"replicas": "by:5"}),
        ("to", "replicas", ("to:5", "by:5"), {"replicas": "to:5"}),
        ("make it 7 for now thx", "replicas", (), {"replicas": Quantity("to", 7)}),
        ("生产那个", "service", ("prod/web", "stg/web"), {"service": "prod"}),
        ("第二个", "service", ("order-db", "web"), {"service": "web"}),
        ("foo", "service", (), {"service": "foo"}),
        ("3", "revision", (), {"revision": 3}),
        ("v1.5", "image", (), {"image": "v1.5"}),
        ("node-1", "node", (), {"node": "node-1"}),
        ("prod", "environment", (), {"environment": "prod"}),
        ("payments", "namespace", ("payments", "shop"), {"namespace": "payments"}),
        ("Logins time OUT", "reason", (), {"reason": "Logins time OUT"}),
        ("because web leaks", "reason", (), {"reason": "web leaks"}),
        ("原因：内存泄漏", "reason", (), {"reason": "内存泄漏"}),
        ("because of the disk", "reason", (), {"reason": "the disk"}),
        ("due to the sale", "reason", (), {"reason": "the sale"}),
    ],
)
def test_short_answers(text: str, what: str, choices: tuple[str, ...], slots: dict[str, object]) -> None:
    meaning = replied(text, what, choices=choices)

    assert meaning.route is Route.PROVIDE
    assert meaning.requests[0].slots == slots


@pytest.mark.parametrize("text", ["yes", "ok!", "Confirm", "确认", "好的", "批准吧"])
def test_assent_is_no_reason(text: str) -> None:
    assert not any("reason" in request.slots for request in replied(text, "reason").requests)


def test_both_bounds_in_one_answer() -> None:
    assert replied("2 and 8", "min", "max", intent="set_autoscaler").requests[0].slots == {"min": 2, "max": 8}


def test_a_name_answers_which_service() -> None:
    (change,) = replied("the order-db one", "service", choices=("order-db", "web")).requests

    assert change.name is not None
    assert change.name.text == "order-db"


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("cancel", Route.CANCEL),
        ("算了", Route.CANCEL),
        ("no", Route.CANCEL),
        ("don't scale", Route.CANCEL),
        ("restart it instead", Route.SWITCH),
        ("看下日志", Route.ASK),
        ("现在几个副本", Route.ASK),
        ("help", Route.HELP),
        ("转人工", Route.HAND_OFF),
        ("in staging", Route.MODIFY),
        ("ok", Route.CHAT),
    ],
)
def test_what_is_no_answer(text: str, route: Route) -> None:
    assert replied(text, "replicas").route is route


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("thanks", Route.DONE),
        ("好了谢谢", Route.DONE),
        ("没事了", Route.DONE),
        ("refresh", Route.REFRESH),
        ("再看一下", Route.REFRESH),
        ("现在呢", Route.REFRESH),
        ("any update?", Route.REFRESH),
        ("never mind", Route.CANCEL),
        ("that is wrong", Route.FEEDBACK),
        ("不准", Route.FEEDBACK),
        ("restart it", Route.ACT),
        ("logs", Route.QUERY),
        ("日志呢", Route.QUERY),
        ("还是很慢", Route.QUERY),
        ("order-db", Route.QUERY),
        ("why?", Route.ASK),
        ("转人工", Route.HAND_OFF),
        ("what can you do", Route.HELP),
        ("哈哈", Route.CHAT),
    ],
)
def test_follow_up(text: str, route: Route) -> None:
    assert said(text, State.FOLLOW_UP, lock=LOCK).route is route


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("stop", Route.CANCEL),
        ("停下", Route.CANCEL),
        ("restart order-db", Route.SWITCH),
        ("进度如何", Route.ASK),
        ("hmm", Route.ASK),
    ],
)
def test_executing(text: str, route: Route) -> None:
    assert said(text, State.EXECUTING, lock=LOCK).route is route


@pytest.mark.parametrize(
    ("text", "route"),
    [
        ("resume", Route.RESUME),
        ("机器人继续", Route.RESUME),
        ("cancel the hand-off", Route.CANCEL),
        ("不用人工了", Route.CANCEL),
        ("it was a bad config", Route.NOTE),
        ("I restarted web", Route.NOTE),
        ("restart web", Route.NOTE),
    ],
)
def test_handed_off(text: str, route: Route) -> None:
    assert said(text, State.HANDED_OFF, lock=LOCK).route is route


@given(
    st.lists(
        st.sampled_from(
            [
                "yes",
                "no",
                "ok",
                "确认",
                "取消",
                "restart",
                "重启",
                "scale",
                "to",
                "5",
                "个",
                "web",
                "order-db",
                "it",
                "它",
                "logs",
                "日志",
                "?",
                "吗",
                ",",
                "不",
                "别",
                "why",
                "help",
                "转人工",
                "and",
                "然后",
                "if",
                "如果",
                "the",
                "second",
                "thanks",
            ]
        ),
        max_size=7,
    ),
    st.sampled_from([state for state in State if state is not State.ARCHIVED]),
)
def test_only_routes_that_the_state_offers(words: list[str], state: State) -> None:
    heard = utterance(" ".join(words), state, plans=(SCALE,) if state in (State.CONFIRMING, State.APPROVING) else ())

    assert INTERPRETER.interpret(heard).route in ROUTES[state]


def test_the_language_is_that_of_the_utterance() -> None:
    assert said("重启 web").language == "zh"
    assert said("restart web").language == "en"
    assert said("5").language == "en"


@pytest.mark.parametrize("text", ["lunch at 12", "brb, at 3 I have the review", "3-5", "3 or 4", "三到五个"])
def test_a_number_said_of_something_else_or_left_open_is_no_answer(text: str) -> None:
    assert replied(text, "replicas").route is not Route.PROVIDE
