"""Values in other people's words: lengths of time, revisions, tags, bounds, and namespaces in unusual places."""

import pytest

from chatops_bot.adapters.rules.values.lengths import since
from chatops_bot.domain.catalog import Catalog, parse
from chatops_bot.domain.intents import Quantity
from chatops_bot.domain.names import find
from chatops_bot.domain.normalise import clean
from tests.unit.adapters.rules.speaking import intents, said, slots


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("an hour and a half", 5400),
        ("two and a half hours", 9000),
        ("an hour and a quarter", 4500),
        ("last three quarters of an hour", 2700),
        ("the last quarter of an hour", 900),
        ("going back 45 minutes", 2700),
        ("half an hour", 1800),
        ("一个半小时内", 5400),
        ("两个半小时", 9000),
        ("这半个小时", 1800),
    ],
)
def test_a_length_may_have_a_part_of_its_unit(text: str, seconds: int) -> None:
    assert since(text, text) == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("could u dump an hour and a half of logs from web", 5400),
        ("10 minutes of web logs", 600),
        ("10分钟内的，web，事件看一下", 600),
        ("web 这两个小时有什么 event", 7200),
        ("get events of web, going back 20 min", 1200),
    ],
)
def test_a_length_is_read_wherever_it_stands(text: str, seconds: int) -> None:
    assert slots(text)["since"] == seconds


@pytest.mark.parametrize(
    ("text", "revision"),
    [
        ("roll web back to revision twenty one", 21),
        ("roll web in shop back to rev 12", 12),
        ("revision 9 was fine, roll web in shop back to that", 9),
        ("九号版本是好的，web 回滚到这个", 9),
        ("web 回滚 rev5", 5),
    ],
)
def test_a_revision_is_read_in_any_words(text: str, revision: int) -> None:
    requests = said(text).requests
    assert [(one.intent, one.slots["revision"]) for one in requests] == [("rollback", revision)]


@pytest.mark.parametrize(
    ("text", "revision"),
    [("what was in rev 12 of web", 12), ("web 的 11 版是什么内容", 11), ("可以回滚的版本有哪些？web 的", None)],
)
def test_what_a_revision_holds_is_a_question_for_the_history(text: str, revision: int | None) -> None:
    assert [(one.intent, one.slots.get("revision")) for one in said(text).requests] == [("history", revision)]


@pytest.mark.parametrize(
    ("text", "image"),
    [
        ("switch web in shop over to image tag rc-17", "rc-17"),
        ("web 切到 rc-21 这个镜像 tag", "rc-21"),
        ("7.8.0 这个镜像给 web 换上", "7.8.0"),
        ("new image tag for web in prod is 7.7.1, please set it", "7.7.1"),
        ("shop 命名空间里 web 的镜像更新为 reg/shop:5.2", "reg/shop:5.2"),
    ],
)
def test_an_image_is_set_by_any_tag(text: str, image: str) -> None:
    assert [(one.intent, one.slots["image"]) for one in said(text).requests] == [("set_image", image)]


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("the autoscaler for web shouldnt go under 3, set that", {"min": 3}),
        ("the web autoscaler must never go over four", {"max": 4}),
        ("hpa max for web in shop namespace: set it to 10", {"max": 10}),
        ("shop 命名空间 web 的 hpa 最大值改成十四", {"max": 14}),
        ("web 的自动伸缩最少要留 4 个，改一下", {"min": 4}),
        ("web needs autoscaling from 5 up to 15", {"min": 5, "max": 15}),
    ],
)
def test_bounds_of_an_autoscaler_are_read_in_any_words(text: str, bounds: dict[str, int]) -> None:
    requests = said(text).requests
    assert [one.intent for one in requests] == ["set_autoscaler"]
    assert {slot: requests[0].slots.get(slot) for slot in bounds} == bounds


@pytest.mark.parametrize(
    ("text", "replicas"),
    [
        ("give web in the shop namespace two more pods", Quantity("by", 2)),
        ("i want web running with ten pods", Quantity("to", 10)),
        ("4 副本 -n shop web 帮我扩一下", Quantity("to", 4)),
        ("shop 这个 ns 里的 web 扩到 6 个副本", Quantity("to", 6)),
    ],
)
def test_replicas_are_ordered_beside_a_namespace(text: str, replicas: Quantity) -> None:
    requests = said(text).requests
    assert [(one.intent, one.slots["replicas"]) for one in requests] == [("scale", replicas)]
    assert requests[0].name is not None
    assert len(requests[0].name.matches) == 1


@pytest.mark.parametrize(
    ("text", "namespace"),
    [
        ("give me a rundown of whatever broke in the shop namespace", "shop"),
        ("shop 这个 ns 最近三十分钟坏了哪些东西", "shop"),
        ("which services in namespace shop are in trouble", "shop"),
        ("whats been broken in ns shop for the last 20 minutes", "shop"),
    ],
)
def test_what_broke_in_a_namespace_is_an_overview(text: str, namespace: str) -> None:
    assert [(one.intent, one.slots["namespace"]) for one in said(text).requests] == [("overview", namespace)]


def test_logs_from_before_a_restart_restart_nothing() -> None:
    assert intents("web 重启前上一个容器的日志呢") == ["logs"]
    assert intents("web 重启前那个容器的日志") == ["logs"]


def test_what_went_out_is_asked_by_the_word_for_it() -> None:
    assert intents("which changes went out to web over the past 4 hours?") == ["changes"]


@pytest.mark.parametrize("text", ["shop-staging 那个 web 的 pod 都起来了吗", "logs from web, the one in shop-staging"])
def test_a_namespace_beside_a_name_says_which_is_meant(text: str) -> None:
    catalog = Catalog(
        parse(
            [
                {"name": "web", "namespace": place, "workload": "deployment/web", "environment": environment}
                for place, environment in (("shop", "prod"), ("shop-staging", "staging"))
            ],
            default_cluster="prod",
        )
    )
    found = find(clean(text), catalog).names
    assert [[service.entity.namespace for service in name.matches] for name in found] == [["shop-staging"]]
