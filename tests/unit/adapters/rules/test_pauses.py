"""Blanks that stand for commas, and blanks that stand for nothing."""

import pytest

from chatops_bot.adapters.rules.requests.clauses import split
from chatops_bot.adapters.rules.text.reading import read
from tests.unit.adapters.rules.speaking import intents, said, utterance


def parts(text: str) -> int:
    return len(split(read(utterance(text))).clauses)


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("web 报错了 重启", "restart"),
        ("流量打满 扩容 web", "scale"),
        ("worker-2 要换盘 排空", "drain"),
        ("新版本有问题 回滚 web", "rollback"),
        ("客服说打不开 帮我看看 web", "status"),
        ("web 卡住了 请重启", "restart"),
    ],
)
def test_behind_a_whole_statement_a_blank_is_a_comma(text: str, intent: str) -> None:
    assert parts(text) == 2
    assert intents(text) == [intent]


@pytest.mark.parametrize(
    "text",
    ["小王 把 web 重启了", "老李 重启 web", "我 去 重启 web", "张工 要去 重启", "异常的 k8s 事件", "重启 web 的 pod"],
)
def test_no_subject_is_cut_off_from_its_verb(text: str) -> None:
    assert parts(text) == 1


@pytest.mark.parametrize("text", ["小王 把 web 重启了", "老李 重启 web", "我 去 重启 web"])
def test_what_somebody_does_stays_told(text: str) -> None:
    assert not any(request.dangerous for request in said(text).requests)


@pytest.mark.parametrize(
    ("close", "apart"),
    [
        ("把worker-2上面的pod全部迁走", "把 worker-2 上面的 pod 全部迁走"),
        ("web扩到5个pod", "web 扩到 5 个 pod"),
        ("看下web的log", "看下 web 的 log"),
        ("web的rollout停一下", "web 的 rollout 停一下"),
    ],
)
def test_a_blank_between_scripts_changes_nothing(close: str, apart: str) -> None:
    assert intents(close) == intents(apart) != []
