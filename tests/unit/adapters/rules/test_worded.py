"""Orders and questions in the words of many voices: what is moved, stopped, wished, shared; and what is none of ours."""

import pytest

from chatops_bot.domain.catalog import Catalog, parse
from chatops_bot.domain.intents import Quantity, Route, State
from chatops_bot.domain.names import find
from tests.unit.adapters.rules.speaking import CATALOG, intents, said, slots

LOCK = CATALOG.lookup("web")[0].entity


def _pairs(text: str) -> list[tuple[str, str]]:
    return [(one.intent, one.name.text if one.name else "") for one in said(text).requests]


@pytest.mark.parametrize(
    ("text", "by"),
    [
        ("给 web 再添三个副本扛一扛", 3),
        ("撤俩 pod 下来", -2),
        ("整两个 pod 给它添上", 2),
        ("take two pods away from this one", -2),
        ("chuck three pods at it", 3),
    ],
)
def test_replicas_that_are_moved_are_counted(text: str, by: int) -> None:
    requests = said(text, State.FOLLOW_UP, lock=LOCK).requests
    assert [(one.intent, one.slots) for one in requests] == [("scale", {"replicas": Quantity("by", by)})]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("web 发版按住 别往下滚了", "pause"),
        ("兹请暂停 web 之滚动发布", "pause"),
        ("🧊 freeze the web rollout 🧊", "pause"),
        ("刚才按住的 rollout 放行", "resume"),
        ("qa gave thumbs up 👍 let the web rollout go on", "resume"),
    ],
)
def test_a_rollout_is_stopped_or_goes_on(text: str, intent: str) -> None:
    assert intents(text) == [intent]


@pytest.mark.parametrize(
    "text",
    ["deploy freeze starts friday fyi", "the web rollout was paused by the other team", "web 的发布昨天就暂停了"],
)
def test_a_rollout_that_is_told_of_is_left_alone(text: str) -> None:
    assert not {"pause", "resume"} & set(intents(text))


@pytest.mark.parametrize(
    "text",
    [
        "回滚你的发型",
        "暂停音乐",
        "重启一下我这被窝",
        "restart my will to live",
        "pause the spotify playlist somebody",
        "we should scale our coffee supply to 12 mugs",
    ],
)
def test_an_object_that_is_none_of_ours_is_no_order(text: str) -> None:
    assert not any(one.dangerous for one in said(text, State.FOLLOW_UP, lock=LOCK).requests)


@pytest.mark.parametrize(
    "text", ["restart the poor thing", "pause the current release", "scale this to 3", "回滚我的服务"]
)
def test_what_is_ours_is(text: str) -> None:
    assert any(one.dangerous for one in said(text, State.FOLLOW_UP, lock=LOCK).requests)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("再挂的话 @ 我一声", ""),
        ("web 往后的告警都推我一份呗", "web"),
        ("subscribe me to web", "web"),
        ("As release owner of web I wish to be notified of anything that happens with it", "web"),
        ("nap time. dm me if anything moves here", ""),
    ],
)
def test_a_wish_to_be_told(text: str, name: str) -> None:
    assert _pairs(text) == [("subscribe", name)]


def test_several_are_to_be_told_of() -> None:
    assert _pairs("subscribe me to web, api and checkout") == [("subscribe", n) for n in ("web", "api", "checkout")]


@pytest.mark.parametrize("text", ["刚发完版 有问题叫我", "pls stop pinging me everyone"])
def test_what_is_said_to_colleagues_is_no_wish(text: str) -> None:
    assert intents(text) == []


@pytest.mark.parametrize(
    ("text", "bounds"),
    [
        ("add an HPA to web, at least four pods, at most ten", {"min": 4, "max": 10}),
        ("the web hpa must never go under six, set its minimum accordingly", {"min": 6}),
        ("web 自动扩缩容的天花板抬到 30", {"max": 30}),
    ],
)
def test_bounds_in_other_words(text: str, bounds: dict[str, int]) -> None:
    assert (intents(text), slots(text)) == (["set_autoscaler"], bounds)


@pytest.mark.parametrize(
    "text", ["set the web hpa, we have at least 2 errors", "set the web hpa, p99 is at most 1200ms"]
)
def test_what_counts_something_else_is_no_bound(text: str) -> None:
    assert not {"min", "max"} & set(slots(text))


def test_a_time_of_the_day_is_no_image() -> None:
    assert "image" not in slots("use 18:04")
    assert "set_image" not in intents("use 18:04")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("web 和 api 各扩到 5，日志也都看下", [("scale", "web"), ("scale", "api"), ("logs", "web"), ("logs", "api")]),
        ("web 和 api 一块儿上的线，都撤回上个版本", [("rollback", "web"), ("rollback", "api")]),
        ("freeze the web and the api rollout", [("pause", "web"), ("pause", "api")]),
        ("which revisions of web are there, and which of api", [("history", "web"), ("history", "api")]),
        ("给 web 来个重启，api 同样待遇", [("restart", "web"), ("restart", "api")]),
        ("web logs 🙏 api events 🙏", [("logs", "web"), ("events", "api")]),
        ("重启 web，api 看看", [("restart", "web"), ("status", "api")]),
    ],
)
def test_names_are_shared_among_clauses(text: str, pairs: list[tuple[str, str]]) -> None:
    assert _pairs(text) == pairs


def test_each_goes_back_to_its_own_revision() -> None:
    requests = said("web rev 6, api rev 15, roll both back").requests
    assert [(one.intent, one.slots["revision"]) for one in requests] == [("rollback", 6), ("rollback", 15)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("web 前一个 revision 是好的，滚回去", ["rollback"]),
        ("web 灰度那几个 pod 报错率不对，这次上线先挂起", ["pause"]),
        ("the logs of web are full of timeouts, restart it", ["restart"]),
        ("unpause web, it was frozen for the audit", ["resume"]),
        ("web 日志不用看了，直接扩到 6 个副本", ["scale"]),
    ],
)
def test_what_tells_why_is_not_asked(text: str, found: list[str]) -> None:
    assert intents(text) == found


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("can u list the operations you support", "help"),
        ("能听懂哪些指令，发我一份清单呗", "help"),
        ("哪位大神动了 web 的配置，站出来", "changes"),
        ("was anything altered on web in the past ninety minutes, mate", "changes"),
        ("集群里还有没有趴窝的", "overview"),
        ("how does one drain a node properly", "runbook"),
        ("别跟我扯了，整个活人来", "hand_off"),
        ("what did it print before it died", "logs"),
    ],
)
def test_questions_in_other_words(text: str, intent: str) -> None:
    assert intents(text) == [intent]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("web rb 31", "rollback"),
        ("web img 2.4.1", "set_image"),
        ("web has gone weird since lunch, bounce the pods", "restart"),
        ("web pod web-7d9f8b6c5-x2x4z is stuck, restart that pod", "delete_pod"),
        ("cq web", "restart"),
        ("pls role web back two revision number thirteen", "rollback"),
        ("那个那个把 web 回滚到嗯上一个版本", "rollback"),
        ("Might I trouble you to give web a gentle restart, old chap", "restart"),
        ("I should be obliged if web could be restarted", "restart"),
    ],
)
def test_short_forms_and_long_ones(text: str, intent: str) -> None:
    requests = said(text).requests
    assert [(one.intent, one.conditional) for one in requests] == [(intent, False)]


def test_people_are_no_place() -> None:
    assert "environment" not in slots("restart web, qa is waiting")
    assert "environment" not in slots("web 更新到镜像 20241103，测试小姐姐催我三遍了")


def test_a_place_that_is_told_of_narrows_no_other_name() -> None:
    catalog = Catalog(
        parse(
            [
                {"name": "web", "namespace": "shop", "workload": "deployment/web", "environment": "prod"},
                {"name": "web", "namespace": "shop-s", "workload": "deployment/web", "environment": "staging"},
                {"name": "search", "namespace": "shop", "workload": "deployment/search", "environment": "prod"},
            ],
            default_cluster="prod",
        )
    )
    assert find("灰度的 pod 看着挺干净,search 继续发", catalog).names[0].matches
    in_staging = find("in staging, restart web", catalog).names[0].matches
    assert [service.entity.environment for service in in_staging] == ["staging"]


@pytest.mark.parametrize(
    "text",
    [
        "the checkout queue at the supermarket took forever today",
        "I've got order-db covered, going to bump it after standup",
        "whoever named it order-db deserves a raise",
        "good thing we drained node-3 before the power cut",
        "alert fatigue is real",
        "web 那边我在跟了，不用管",
        "听说隔壁组把 node-3 玩坏了",
        "昨晚扩容扩到凌晨三点，求调休",
    ],
)
def test_talk_of_the_world_and_its_people_asks_nothing(text: str) -> None:
    assert said(text).route is Route.CHAT
    assert said(text, State.FOLLOW_UP, lock=LOCK).route in (Route.CHAT, Route.FEEDBACK, Route.DONE)


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("kubectl -n shop scale deploy/web --replicas=6", [("scale", "deploy/web")]),
        ("put 2.0.1 on web and 5.5.0 on api", [("set_image", "web"), ("set_image", "api")]),
        ("web restart, and drop me a line if it fails", [("restart", "web"), ("subscribe", "")]),
        ("web 谁动的？日志呢？值班呢？", [("changes", "web"), ("logs", "web"), ("hand_off", "web")]),
        ("stop the web rollout before it eats staging", [("pause", "web")]),
    ],
)
def test_other_forms(text: str, pairs: list[tuple[str, str]]) -> None:
    assert _pairs(text) == pairs
    assert "environment" not in slots(text)
