"""Questions about logs, changes, use and what hangs on a service, as people ask them; and what only asks for more or
less of the last answer."""

from __future__ import annotations

import pytest

from chatops_bot.domain.intents import Route, SlotValue, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, said, utterance


@pytest.mark.parametrize(
    ("text", "intent", "slots"),
    [
        ("logs of all pods of web", "logs", {"everyone": True}),
        ("web 所有 pod 的日志", "logs", {"everyone": True}),
        ("errors in web", "logs", {"errors": True}),
        ("show errors of web grouped", "logs", {"errors": True}),
        ("top errors in web", "logs", {"errors": True}),
        ("web's error logs", "logs", {"errors": True}),
        ("web 的报错有哪些", "logs", {"errors": True}),
        ("看下 web 的报错", "logs", {"errors": True}),
        ("web 日志里有什么错误", "logs", {"errors": True}),
        ("web logs grep error", "logs", {"grep": "error"}),
        ("last 50 lines of web since 10m grep timeout", "logs", {"tail": 50, "since": 600, "grep": "timeout"}),
        ("web 最近 10 分钟包含 timeout 的日志 50 行", "logs", {"tail": 50, "since": 600, "grep": "timeout"}),
        ("logs of web container app", "logs", {"container": "app"}),
        ("web 上一个容器的日志", "logs", {"previous": True}),
        ("show history of web", "history", {}),
        ("which image does web run", "history", {}),
        ("web 的发布历史", "history", {}),
        ("web 有哪些版本", "history", {}),
        ("usage of web", "resources", {}),
        ("limits of web", "resources", {}),
        ("how much memory does web use", "resources", {}),
        ("cpu of web for the last 2 hours", "resources", {"since": 7200}),
        ("web 内存用了多少", "resources", {}),
        ("who deployed web", "changes", {}),
        ("who touched web today", "changes", {"since": 86400}),
        ("what changed in the last 2 hours on web", "changes", {"since": 7200}),
        ("谁动过 web？", "changes", {}),
        ("web 最近改了啥", "changes", {}),
        ("web 最近 2 小时改了什么", "changes", {"since": 7200}),
        ("what depends on web", "status", {"part": "dependents"}),
        ("which services point to web", "status", {"part": "dependents"}),
        ("web 的入口有哪些", "status", {"part": "dependents"}),
        ("谁依赖 web", "status", {"part": "dependents"}),
        ("web 的 service 和 ingress", "status", {"part": "dependents"}),
        ("did anyone deploy web recently?", "changes", {}),
        ("是不是刚才发布 web 搞的", "changes", {}),
        ("who else uses web", "status", {"part": "dependents"}),
        ("get pods of web", "status", {}),
        ("web 的根因是啥", "status", {}),
        ("has somebody restarted web", "changes", {}),
        ("lgos web", "logs", {}),
        ("web 没流量了", "status", {}),
        # told of, or asked about the whole: no question for a log
        ("web 报错了", "status", {}),
        ("web 一直报错", "status", {}),
        ("any errors in web", "status", {}),
        ("web error rate", "resources", {}),
        # what is charted
        ("show me the CPU of web for the last 2 hours", "resources", {"since": 7200}),
        ("看下 web 最近 2 小时的内存", "resources", {"since": 7200}),
        ("memory graph for web over the past 30 minutes", "resources", {"since": 1800}),
        ("画一下 web 最近一天的 CPU 曲线", "resources", {"since": 86_400}),
        ("plot web's latency for the last 3h", "resources", {"since": 10_800}),
        ("how is the request rate of web over the last day?", "resources", {"since": 86_400}),
        ("web 过去 6 小时的 QPS", "resources", {"since": 21_600}),
        ("web 的错误率最近一小时怎么样", "resources", {"since": 3600}),
        ("what's the p99 of web?", "resources", {}),
        # complained of: that wants a diagnosis
        ("error rate of web is spiking", "status", {}),
        ("web 延迟很高怎么回事", "status", {}),
        ("web 错误率飙升", "status", {}),
    ],
)
def test_what_is_asked(text: str, intent: str, slots: dict[str, SlotValue]) -> None:
    (request,) = said(text).requests
    assert (request.intent, request.slots) == (intent, slots)
    assert request.name is not None


@pytest.mark.parametrize("text", ["rollout history", "最近改了啥", "内存用了多少", "谁动过它", "what changed"])
def test_the_service_may_be_left_out(text: str) -> None:
    (request,) = said(text).requests
    assert request.intent in ("history", "changes", "resources")
    assert request.name is None


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("the last 200 lines", {"tail": 200}),
        ("200 lines please", {"tail": 200}),
        ("最后 500 行", {"tail": 500}),
        ("再来 100 行", {"tail": 100}),
        ("上一个容器的", {"previous": True}),
        ("the previous container", {"previous": True}),
        ("上一次的呢", {"previous": True}),
        ("container sidecar", {"container": "sidecar"}),
        ("只看 error", {"errors": True}),
        ("只看报错", {"errors": True}),
        ("only errors", {"errors": True}),
        ("grep timeout", {"grep": "timeout"}),
        ("只看 timeout", {"grep": "timeout"}),
        ("所有 pod 的", {"everyone": True}),
        ("all pods", {"everyone": True}),
        ("since 1h", {"since": 3600}),
        ("最近一小时的", {"since": 3600}),
    ],
)
def test_more_or_less_of_the_last_answer(text: str, slots: dict[str, SlotValue]) -> None:
    meant = INTERPRETER.interpret(utterance(text, State.FOLLOW_UP, intent="logs", lock=PLANNED))
    (request,) = meant.requests
    assert (meant.route, request.intent, request.slots) == (Route.QUERY, "", slots)


@pytest.mark.parametrize("text", ["the last 200 lines", "container sidecar", "since 1h"])
def test_after_anything_else_it_is_no_such_question(text: str) -> None:
    meant = INTERPRETER.interpret(utterance(text, State.FOLLOW_UP, intent="status", lock=PLANNED))
    assert all(request.intent for request in meant.requests)


@pytest.mark.parametrize(
    ("text", "intents"),
    [
        ("logs of web", ["logs"]),
        ("scale it to 3", ["scale"]),
        ("restart it", ["restart"]),
        ("it is slow", ["status"]),
        ("thanks", []),
        ("yes", []),
        ("why", []),
        ("only 5 replicas", []),
        ("what about pod web-7d9f-x2x1z", ["status"]),
    ],
)
def test_what_asks_for_something_else_is_that(text: str, intents: list[str]) -> None:
    meant = INTERPRETER.interpret(utterance(text, State.FOLLOW_UP, intent="logs", lock=PLANNED))
    assert [request.intent for request in meant.requests] == intents


def test_a_container_is_no_word_to_look_for() -> None:
    (request,) = said("logs of the sidecar container of web").requests
    assert "grep" not in request.slots
