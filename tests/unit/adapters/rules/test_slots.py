"""Parameters as they are said: numbers of both languages, times, lines, pods, images, bounds, places."""

import pytest

from chatops_bot.adapters.rules.values.quantities import quantity
from chatops_bot.domain.intents import Quantity
from tests.unit.adapters.rules.speaking import slots


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("scale it to 5", "to", 5),
        ("扩到 5", "to", 5),
        ("扩到5", "to", 5),
        ("扩容到 5 个副本", "to", 5),
        ("5 副本", "to", 5),
        ("五个", "to", 5),
        ("三十二个副本", "to", 32),
        ("twenty five replicas", "to", 25),
        ("two dozen replicas", "to", 24),
        ("scale to zero", "to", 0),
        ("缩到 0", "to", 0),
        ("scale to -2", "to", -2),
        ("scale to 2.5", "to", 2.5),
        ("from 4 to 6", "to", 6),
        ("把副本数从 4 改成 6", "to", 6),
        ("不是6个,是4个", "to", 4),
        ("scale to 5, no 6", "to", 6),
        ("scale to 5, sorry, i mean 6", "to", 6),
        ("扩到 5 个,不,6 个", "to", 6),
        ("扩到 5 个,不对,是 6 个", "to", 6),
        ("扩到 5 个,错了,6 个", "to", 6),
        ("scale to 5, wait 10 minutes", "to", 5),
        ("扩到 5 个,不超过 6 个", "to", 5),
        ("replicas=7", "to", 7),
        ("scale up by 5", "by", 5),
        ("scale down by two", "by", -2),
        ("+2", "by", 2),
        ("two more", "by", 2),
        ("add two replicas", "by", 2),
        ("remove one replica", "by", -1),
        ("再加两个", "by", 2),
        ("再扩容 5 个", "by", 5),
        ("减两个", "by", -2),
        ("加个副本", "by", 1),
        ("double it", "times", 2),
        ("翻倍", "times", 2),
        ("缩一半", "times", 0.5),
        ("3x", "times", 3),
        ("scale to 1,000", "to", 1000),
        ("scale to 1.5k", "to", 1500),
        ("扩到一万", "to", 10_000),
        ("扩到 2 千个", "to", 2000),
        ("一千二百个副本", "to", 1200),
        ("扩容 5 个", "unclear", 5),
        ("scale up 5", "unclear", 5),
    ],
)
def test_quantities(text: str, kind: str, value: float) -> None:
    found = quantity(text)

    assert found is not None
    assert (found.kind, found.value) == (kind, value)


@pytest.mark.parametrize(
    "text",
    [
        *("scale to 0x10", "scale to 1e3", "scale to 1,00", "scale to ٥", "scale to 3-5", "scale to 3 or 4"),
        *("to 4 and then 6", "扩到三到五个", "三到五个副本", "扩到 5 或者 6 个", "千万别扩"),
    ],
)
def test_a_number_that_cannot_be_told_for_certain_is_none(text: str) -> None:
    assert quantity(text) is None


def test_a_number_beyond_all_bounds_is_still_one() -> None:
    assert slots(f"last {'9' * 400} lines of logs of web")["tail"] == 2**53


@pytest.mark.parametrize(
    "text",
    ["看一下", "last 10 minutes", "最近 10 分钟", "v1.2.3", "再扩一下", "half an hour", "第一个", "另一个", "扩容"],
)
def test_other_numbers_are_no_quantities(text: str) -> None:
    assert quantity(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("logs of web last 10 minutes", {"since": 600}),
        ("web 最近半小时的日志", {"since": 1800}),
        ("web 最近一个半小时的日志", {"since": 5400}),
        ("logs of web for the last 2h", {"since": 7200}),
        ("web 过去三天的事件", {"since": 259200}),
        ("last 50 lines of the logs of web", {"tail": 50}),
        ("web 最后 100 行日志", {"tail": 100}),
        ("previous logs of web", {"previous": True}),
        ("web 崩溃前的日志", {"previous": True}),
        ("logs of web, grep TimeOut", {"grep": "TimeOut"}),
        ("web 的日志，过滤 timeout", {"grep": "timeout"}),
        ('logs of web containing "connection reset"', {"grep": "connection reset"}),
        ("logs of web, container istio-proxy", {"container": "istio-proxy"}),
        ("logs of container istio-proxy of web", {"container": "istio-proxy"}),
        ("show the logs from container c1 of web", {"container": "c1"}),
        ("logs of the c1 container of web", {"container": "c1"}),
        ("web 的日志，容器 sidecar-a", {"container": "sidecar-a"}),
        ("delete pod web-7d9f8b6c5-x2x4z", {"pod": "web-7d9f8b6c5-x2x4z"}),
        ("logs of web pod web-7d9f8b6c5-x2x4z", {"pod": "web-7d9f8b6c5-x2x4z"}),
        ("web 的 pod web-7d9f8b6c5-x2x4z 的日志", {"pod": "web-7d9f8b6c5-x2x4z"}),
        ("drain node-2", {"node": "node-2"}),
        ("roll back web to revision 3", {"revision": 3}),
        ("回滚 web 到第 3 个版本", {"revision": 3}),
        ("set image of web to Reg.io/web:1.4-RC", {"image": "Reg.io/web:1.4-RC"}),
        ("update web to v1.5.2", {"image": "v1.5.2"}),
        ("web 的镜像改成 reg/web:2", {"image": "reg/web:2"}),
        ("autoscale web between 2 and 8", {"min": 2, "max": 8}),
        ("web 的自动伸缩调成最小 2 最大 8", {"min": 2, "max": 8}),
        ("what is broken in prod", {"environment": "prod"}),
        ("what's broken in namespace shop?", {"namespace": "shop"}),
        ("anything broken in shop?", {"namespace": "shop"}),
        ("prod-east 集群状态怎么样", {"cluster": "prod-east"}),
        ("restart web because it leaks", {"reason": "it leaks"}),
        ("restart web because payment-api sees OOM", {"reason": "payment-api sees OOM"}),
        ("重启 web，因为支付服务 OOM 了", {"reason": "支付服务 OOM 了"}),
        ("重启 web，因为内存泄漏，再不重启就挂了", {"reason": "内存泄漏,再不重启就挂了"}),
    ],
)
def test_slots(text: str, expected: dict[str, object]) -> None:
    found = slots(text)

    assert {name: found.get(name) for name in expected} == expected


def test_a_number_is_asked_for_when_none_is_said() -> None:
    assert "replicas" not in slots("scale web")
    assert slots("扩容 web 5 个") == {"replicas": Quantity("unclear", 5)}
