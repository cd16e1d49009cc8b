"""What stands beside a name: a place that belongs to another, words that make none of it, the word for a pod."""

import pytest

from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog, parse

_CATALOG = Catalog(
    parse(
        [
            {"name": "web", "namespace": "shop", "workload": "deployment/web", "environment": "prod"},
            {"name": "web", "namespace": "shop-staging", "workload": "deployment/web", "environment": "staging"},
            {
                "name": "pay",
                "namespace": "pay",
                "workload": "deployment/pay",
                "environment": "prod",
                "aliases": ["支付"],
            },
        ],
        default_cluster="east",
    )
)


def matched(text: str) -> list[tuple[str, list[str]]]:
    return [(name.text, [s.entity.namespace for s in name.matches]) for name in names.find(text, _CATALOG).names]


@pytest.mark.parametrize(
    "text",
    ["支付 cpu 给我 web staging 的日志也给我", "pay logs, web staging events", "scale pay to 5 with staging web at 3"],
)
def test_a_place_is_that_of_the_name_beside_it(text: str) -> None:
    assert [places for _, places in matched(text)] == [["pay"], ["shop-staging"]]


def test_a_place_behind_joined_names_is_that_of_all() -> None:
    assert matched("把 web 和支付 prod 的都重启") == [("web", ["shop"]), ("支付", ["pay"])]


def test_a_release_that_goes_out_in_steps_is_no_place() -> None:
    assert matched("支付灰度先暂停") == [("支付", ["pay"])]
    assert matched("灰度环境的支付重启") == [("支付", [])]


@pytest.mark.parametrize("text", ["pay-84c-k2l3m 这个pod 卡住了", "pod pay-84c-k2l3m", "pay-5d6f7b8c9-abx7d"])
def test_a_pod_names_its_service(text: str) -> None:
    assert [places for _, places in matched(text)] == [["pay"]]


@pytest.mark.parametrize(
    "text",
    [
        "restart plzzz",
        "restart lah",
        "logs for past one hour",
        "rollback --to-revision=22",
        "看看 envoy 那个容器的日志",
        "logs of the istio-proxy container",
        "过滤一下 deadlock 的日志",
        "先看 overview",
        "tail -n 50",
    ],
)
def test_no_name(text: str) -> None:
    assert matched(text) == []
