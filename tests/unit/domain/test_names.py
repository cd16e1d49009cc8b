"""Which services a text names: exactly, where, dismissed, contradicted, or only looking like one."""

import time

import pytest

from chatops_bot.domain.catalog import Catalog, index_nodes, parse
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Name
from chatops_bot.domain.names import Found, find
from chatops_bot.domain.normalise import clean

CATALOG = Catalog(
    parse(
        [
            {
                "name": "payment-svc",
                "cluster": "prod-east",
                "namespace": "payments",
                "workload": "deployment/payment-svc",
                "environment": "prod",
                "aliases": ["payment", "支付", "支付服务"],
            },
            {
                "name": "order-db",
                "cluster": "prod-east",
                "namespace": "data",
                "workload": "statefulset/order-db",
                "environment": "prod",
                "aliases": ["订单数据库"],
            },
            {"name": "verification", "namespace": "v", "workload": "deployment/verification"},
            {"name": "verification-small", "namespace": "v", "workload": "deployment/verification-small"},
            *(
                {
                    "name": "api",
                    "cluster": cluster,
                    "namespace": "edge",
                    "workload": "deployment/api",
                    "environment": environment,
                }
                for cluster, environment in (("prod-us", "prod"), ("stg-us", "staging"))
            ),
            {"name": "web", "namespace": "shop", "workload": "deployment/web", "environment": "prod"},
            {"name": "events", "namespace": "shop", "workload": "deployment/events"},
            {"name": "cart", "namespace": "shop", "workload": "deployment/cart", "aliases": ["shopping cart"]},
        ],
        default_cluster="main",
    )
)
NODES = index_nodes([Entity(cluster="main", namespace="", kind="Node", workload="node-1", name="node-1")])


def look(text: str) -> Found:
    return find(clean(text), CATALOG, NODES)


def known(text: str) -> list[str]:
    return [name.matches[0].entity.name for name in look(text).names if name.matches]


def unknown(text: str) -> list[Name]:
    return [name for name in look(text).names if not name.matches]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("restart verification", ["verification"]),
        ("restart verification-small", ["verification-small"]),
        ("PAYMENT-SVC down?", ["payment-svc"]),
        ("payment's logs", ["payment-svc"]),
        ("重启web吧", ["web"]),
        ("重启`web`", ["web"]),
        ("restart 'web'", ["web"]),
        ("支付服务怎么样", ["payment-svc"]),
        ("支付挂了", ["payment-svc"]),
        ("订单数据库有没有慢查询", ["order-db"]),
        ("restart the payment service", ["payment-svc"]),
        ("logs of payments/payment-svc", ["payment-svc"]),
        ("restart deployment/web", ["web"]),
        ("restart prod-east/data/order-db", ["order-db"]),
        ("service:payment-svc", ["payment-svc"]),
        ("how is the shopping cart?", ["cart"]),
        ("delete pod payment-svc-7d9f8b6c5-x2x4z", ["payment-svc"]),
        ("logs of order-db-0", ["order-db"]),
        ("drain node-1", ["node-1"]),
        ("restart the events service", ["events"]),
        ("restart web. Then look at cart.", ["web", "cart"]),
    ],
)
def test_exact_names(text: str, expected: list[str]) -> None:
    assert known(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *(
            "restart payment-svc-v2",
            "payment.svc",
            "set image of x to reg.io/payment:1.4",
            "statefulset/web",
            "other/web",
        ),
        *(
            "show me the events",
            "restart it",
            "the pods",
            "this one",
            "everything",
            "the service",
            "the database",
            "服务",
            "数据库",
        ),
        *("verification-smaller", "webhook", "@web", "#web", "web-1 is a pod"),
    ],
)
def test_a_part_of_a_word_is_no_name(text: str) -> None:
    assert known(text) == []


@pytest.mark.parametrize(
    "text",
    [
        *(
            "restart it",
            "restart everything",
            "how is the weather",
            "check the logs",
            "restart now",
            "lunch anyone?",
            "look at this one",
        ),
        *(
            "show me the pods",
            "看下所有服务",
            "有问题的服务",
            "看下这个服务的状态",
            "给它扩容",
            "update it to v1.5.2",
            "last-minute change",
            "make it sev2",
            "memory logs",
        ),
    ],
)
def test_ordinary_words_are_no_names(text: str) -> None:
    assert look(text) == Found((), ())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("restart foo-bar", "foo-bar"),
        ("restart foo", "foo"),
        ("看下 foo 的日志", "foo"),
        ("use order-api instead", "order-api"),
        ("what's wrong with web-frontend?", "web-frontend"),
        ("look at redis latency first", "redis"),
        ("重启订单服务", "订单服务"),
        ("把 gateway 扩到 3", "gateway"),
        ("支付网关挂了", "支付网关"),
    ],
)
def test_what_stands_where_a_name_stands_is_asked_about(text: str, said: str) -> None:
    (name,) = unknown(text)

    assert name.text == said
    assert clean(text)[name.start :].startswith(said)


@pytest.mark.parametrize(
    "text",
    ["order logs", "is order down?", "order slow again", "what changed in order", "how is order", "order 日志"],
)
def test_half_a_name_with_what_is_said_of_it_is_asked_about(text: str) -> None:
    (name,) = unknown(text)

    assert name.text == "order"
    assert "order-db" in [service.entity.name for service in name.closest]


@pytest.mark.parametrize("text", ["order", "the order failed", "checkout logs", "web, order is fine"])
def test_elsewhere_half_a_name_is_a_word(text: str) -> None:
    assert [name for name in look(text).names if not name.matches] == []


def test_an_unknown_name_comes_with_the_closest() -> None:
    (name,) = unknown("restart payment-svc-v2")

    assert [service.entity.name for service in name.closest][:1] == ["payment-svc"]


@pytest.mark.parametrize(
    ("text", "cluster"),
    [
        ("api in prod", "prod-us"),
        ("api in staging", "stg-us"),
        ("预发的 api", "stg-us"),
        ("生产环境的 api 挂了", "prod-us"),
        ("on cluster stg-us restart api", "stg-us"),
        ("api on prod-us", "prod-us"),
        ("in staging: restart api", "stg-us"),
        ("restart api, not in prod but in staging", "stg-us"),
    ],
)
def test_places_narrow_what_a_name_means(text: str, cluster: str) -> None:
    (name,) = look(text).names

    assert [service.entity.cluster for service in name.matches] == [cluster]


def test_without_a_place_it_is_ambiguous() -> None:
    assert len(look("restart api").names[0].matches) == 2


@pytest.mark.parametrize(
    "text",
    [
        *(
            "restart payment in staging",
            "预发的支付服务",
            "in prod-eu, pods of api",
            "api in the foo namespace",
            "测试环境的 web 重启一下",
        ),
        *("verification in staging",),
    ],
)
def test_a_place_that_contradicts_makes_it_a_question(text: str) -> None:
    (name,) = look(text).names

    assert not name.matches
    assert name.closest


def test_places_belong_to_the_name_beside_them() -> None:
    first, second = look("restart payment in prod and api in staging").names

    assert first.matches
    assert [service.entity.cluster for service in second.matches] == ["stg-us"]


@pytest.mark.parametrize(
    ("text", "dismissed", "named"),
    [
        ("never mind payment, look at web", ["payment"], ["web"]),
        ("forget about the payment service, how is web?", ["payment"], ["web"]),
        ("not payment, web", ["payment"], ["web"]),
        ("先不管支付服务，看下 web", ["支付服务"], ["web"]),
        ("payment 先放着，看下订单数据库", ["payment"], ["订单数据库"]),
        ("不是 payment，是 web", ["payment"], ["web"]),
        ("never mind payment and cart, look at web", ["payment", "cart"], ["web"]),
        ("payment can wait", ["payment"], []),
        ("是不是 payment 的问题", [], ["payment"]),
        ("why not payment", [], ["payment"]),
        ("don't restart web", [], ["web"]),
    ],
)
def test_dismissed_names_are_not_named(text: str, dismissed: list[str], named: list[str]) -> None:
    found = look(text)

    assert [name.text for name in found.dismissed] == dismissed
    assert [name.text for name in found.names] == named


def test_talk_costs_next_to_nothing_with_ten_thousand_services() -> None:
    big = Catalog(
        parse(
            [
                {"name": f"svc-{n}", "namespace": "x", "workload": f"deployment/svc-{n}", "aliases": [f"别名{n}服务"]}
                for n in range(10_000)
            ],
            default_cluster="main",
        )
    )

    began = time.process_time()
    for _ in range(1000):
        find("lunch anyone? I will be there in ten minutes", big)
        find("今天中午大家一起吃饭吗，我十分钟后到", big)
    assert time.process_time() - began < 0.5


ODD = Catalog(
    parse(
        [
            {"name": name, "namespace": "odd", "workload": f"deployment/{name}", "aliases": list(aliases)}
            for name, aliases in (
                ("yes", ()),
                ("stop", ("确认",)),
                ("all", ()),
                ("it", ()),
                ("api", ("状态",)),
                ("web", ()),
            )
        ],
        default_cluster="main",
    )
)


@pytest.mark.parametrize(
    "text", ["yes", "stop", "restart it", "show all pods of that one", "确认", "取消状态", "stop it"]
)
def test_words_that_answer_leave_or_point_are_never_a_name(text: str) -> None:
    assert find(text, ODD) == Found((), ())


@pytest.mark.parametrize("text", ['restart "yes"', "restart service stop", "restart `all`", 'look at "确认"'])
def test_such_a_name_counts_where_it_is_marked(text: str) -> None:
    assert [len(name.matches) for name in find(text, ODD).names] == [1]


def test_what_is_quoted_names_nothing() -> None:
    assert [name.text for name in look("why does web say\n```\nscale order-db to 0\n```").names] == ["web"]
    assert not look("> restart web").names


KIND_WORDS = Catalog(
    parse(
        [
            {"name": name, "namespace": "shop", "workload": f"deployment/{name}"}
            for name in ("web", "db", "app", "server", "node")
        ],
        default_cluster="main",
    )
)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("restart db", ["db"]),
        ("restart db please", ["db"]),
        ("restart statefulset db", ["db"]),
        ("scale db to 5", ["db"]),
        ("roll back db", ["db"]),
        ("status of db", ["db"]),
        ("重启 db", ["db"]),
        ("把 db 扩到 5", ["db"]),
        ("restart db and web", ["db", "web"]),
        # What only points, or stands beside a name, is what a thing is.
        ("restart the db", []),
        ("restart this app", []),
        ("重启这个 db", []),
        ("web 的 db 怎么样", ["web"]),
        ("restart app web", ["web"]),
        ("restart app wbe", []),
        ("restart the web server", ["web"]),
        ("drain node node-1", ["node-1"]),
    ],
)
def test_a_word_for_what_a_thing_is_is_a_name_where_a_service_bears_it(text: str, names: list[str]) -> None:
    found = find(clean(text), KIND_WORDS, NODES).names
    assert [name.matches[0].entity.name for name in found if name.matches] == names
