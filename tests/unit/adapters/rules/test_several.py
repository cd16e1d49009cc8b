"""Several requests of one utterance: which there are, in which order, about what; and what only tells why."""

import pytest

from chatops_bot.domain.intents import ACTIONS, Quantity
from tests.unit.adapters.rules.test_wordings import meaning_of


def asked(text: str) -> list[tuple[str, str]]:
    """Intents with the services they are about, in order."""
    named, found = "", []
    for request in meaning_of(text).requests:
        if request.name is not None:
            named = request.name.matches[0].entity.name if request.name.matches else request.name.text
        found.append((request.intent, named))
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("restart web staging and then tail checkout logs", "restart web, logs checkout"),
        ("scale search to 5, then show me its status", "scale search, status search"),
        ("网关重启，收银台扩到6个", "restart gateway, scale checkout"),
        ("restart web staging and page bob", "restart web, hand_off web"),
        ("重启网关，再叫一下 @bob", "restart gateway, hand_off gateway"),
        ("bounce gateway + mailer", "restart gateway, restart mailer"),
        ("hpa checkout 2 to 6, search 3 to 9 thanks", "set_autoscaler checkout, set_autoscaler search"),
        ("搜索的 hpa 2~5，网关的 3~8", "set_autoscaler search, set_autoscaler gateway"),
        ("把收银台扩到 4，把搜索也一样", "scale checkout, scale search"),
        ("支付、网关、搜索的日志", "logs payment-svc, logs gateway, logs search"),
        ("支付、结算、网关三个都瞅一眼", "status payment-svc, status order-settle, status gateway"),
        ("logs gateway logs search", "logs gateway, logs search"),
        ("logs, cpu for checkout", "logs checkout, resources checkout"),
        ("not the logs, the events of gateway", "events gateway"),
        ("web staging: pause the rollout. gateway: status", "pause web, status gateway"),
        ("restart gateway, no need to tell me its status", "restart gateway"),
        ("先看支付日志 再把它重启", "logs payment-svc, restart payment-svc"),
        ("cordon node-7 and drain node-8", "cordon node-7, drain node-8"),
        ("what's the cpu of mailer? also restart search-indexer", "resources mailer, restart search-indexer"),
        ("events and logs of mailer", "events mailer, logs mailer"),
        ("order-api 的事件和日志都给我", "events order-api, logs order-api"),
        ("scale web prod to 8 and user-auth prod to 4", "scale web, scale user-auth"),
        ("scale gateway to 6, checkout to 5 and web prod to 4", "scale gateway, scale checkout, scale web"),
        ("restart mailer & gateway & search", "restart mailer, restart gateway, restart search"),
        ("resume order-settle n pause order-api", "resume order-settle, pause order-api"),
        ("1) restart mailer 2) status of search", "restart mailer, status search"),
        ("1. 重启网关 2. 看搜索日志 3. 支付扩到 5", "restart gateway, logs search, scale payment-svc"),
        ("changes of web staging, ditto for user-auth staging", "changes web, changes user-auth"),
        ("restart gateway and is the db ok, order-db i mean", "restart gateway, status order-db"),
        ("日志采集还活着吗 网关呢", "status log-agent, status gateway"),
        ("网关暂停发布 支付 cpu 给我", "pause gateway, resources payment-svc"),
        ("重启邮件服务 顺手看下结算的内存", "restart mailer, resources order-settle"),
        ("check order-db then restart order-settle", "status order-db, restart order-settle"),
    ],
)
def test_each_is_found_with_what_it_is_about(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(each) for each in asked(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("流量打满了 网关赶紧扩容", "scale"),
        ("gateway 内存泄漏了 重启吧", "restart"),
        ("graphs look fine, carry on with the paused rollout of search", "resume"),
        ("the autoscaler of order-api is capped out, set max 18", "set_autoscaler"),
        ("封锁节点 node-7，磁盘有坏道", "cordon"),
        ("nobody can log in, start an incident on user-auth prod", "incident"),
        ("磁盘满了怎么清理 求手册", "runbook"),
        ("web prod is down, page the on-call", "hand_off"),
    ],
)
def test_what_tells_why_asks_for_nothing_itself(text: str, wanted: str) -> None:
    assert [intent for intent, _ in asked(text)] == [wanted]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("回滚先不做，暂停结算的发布", "pause"),
        ("don't restart gateway, just scale it to 6", "scale"),
        ("不用扩容网关，重启就好", "restart"),
        ("扩容的事@小陈在弄 我只要看订单库最近改过什么", "changes"),
        ("bob already restarted search, just show me the logs of gateway", "logs"),
        ("小王把支付重启过了，帮我看下网关状态", "status"),
    ],
)
def test_what_is_left_or_done_by_others_is_no_order(text: str, wanted: str) -> None:
    assert [intent for intent, _ in asked(text)] == [wanted]


@pytest.mark.parametrize("before", ["logs of web prod", "how is search", "收银台的日志", "看下网关", "cpu of mailer?"])
@pytest.mark.parametrize("between", [", ", " and ", ". also ", "\n"])
@pytest.mark.parametrize("order", ["restart order-db", "scale checkout to 5", "roll back gateway to 7", "drain node-7"])
def test_no_order_is_hidden_behind_a_question_nor_before_one(before: str, between: str, order: str) -> None:
    intent = asked(order)[0]
    for text in (f"{before}{between}{order}", f"{order}{between}{before}"):
        found = [each for each in asked(text) if each[0] in ACTIONS]
        assert found == [intent], text


def test_an_order_said_twice_of_one_thing_is_one() -> None:
    assert asked("restart web prod, restart it") == [("restart", "web")]
    assert [intent for intent, _ in asked("scale web prod to 5, then scale it to 6")] == ["scale", "scale"]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("网关回滚到 12，收银台跟着回 11", "rollback gateway, rollback checkout"),
        ("restart gateway, mailer could use one of those too", "restart gateway, restart mailer"),
        ("roll both gateway and mailer back", "rollback gateway, rollback mailer"),
        ("logs of gateway and mailer, then restart both", "logs gateway, logs mailer, restart gateway, restart mailer"),
        ("看下 gateway 和 mailer 的日志，然后两个都重启", "logs gateway, logs mailer, restart gateway, restart mailer"),
        ("pause gateway + restart mailer + logs of checkout", "pause gateway, restart mailer, logs checkout"),
        ("need memory numbers for mailer, then restart it", "resources mailer, restart mailer"),
        ("checkout & gateway: replicas to 5 each", "scale checkout, scale gateway"),
    ],
)
def test_no_order_is_lost_where_one_is_said_of_another_as_well(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(one) for one in asked(text)) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "昨晚扩过 checkout 了不用再扩，说下它现在 cpu 多少",
        "重启还是算了，看看日志，checkout 的",
        "重启、回滚、甩锅",
        "5 replicas, 3 regions, 0 sleep",
        "checkout 的日志，gateway 回了吗",
    ],
)
def test_no_order_is_made_of_a_list_of_words_or_of_what_is_not_wanted(text: str) -> None:
    assert not [intent for intent, _ in asked(text) if intent in ACTIONS]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("scale checkout to 5, no scratch that, just restart it", "restart checkout"),
        ("bounce gateway. nah forget it, logs of mailer pls", "logs mailer"),
        ("scale search to 4... wait, don't. check its cpu first", "resources search"),
        ("restart gateway, actually don't restart it, only its logs", "logs gateway"),
        ("drain node-3, on second thought just cordon it", "cordon node-3"),
        ("logs of mailer, no scratch that, events", "events mailer"),
        ("扩收银台到6，算了不扩了，看看它的cpu", "resources checkout"),
        ("回滚结算，不用了，看一下状态就行", "status order-settle"),
        ("重启支付，哎先别，看看日志", "logs payment-svc"),
        ("重启网关，还是扩容到5吧", "scale gateway"),
        ("取消刚才的扩容，改成重启网关", "restart gateway"),
        ("restart gateway, no rush", "restart gateway"),
    ],
)
def test_what_is_taken_back_is_not_asked_for(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(each) for each in asked(text)) == wanted


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("restart gateway, no, restart mailer", "restart mailer"),
        ("restart gateway. sorry, i meant checkout", "restart checkout"),
        ("scale checkout to 5, wait no, gateway", "scale gateway"),
        ("logs of gateway, no wait, checkout", "logs checkout"),
        ("重启网关，不对，重启支付", "restart payment-svc"),
        ("重启网关 不对 重启支付", "restart payment-svc"),
        ("重启网关，不对，是支付", "restart payment-svc"),
        ("drain node-3，说错了，node-4", "drain node-4"),
        ("不是重启搜索 是重启收银台", "restart checkout"),
        ("不是要重启搜索，是要重启收银台", "restart checkout"),
        ("not checkout, gateway is the one to restart", "restart gateway"),
        ("order-db 不用重启，order-api 要", "restart order-api"),
        ("checkout stays, search is what needs the restart", "restart search"),
        ("mailer doesn't need a restart, search does", "restart search"),
    ],
)
def test_an_order_is_for_the_name_that_was_meant(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(each) for each in asked(text)) == wanted


def test_a_value_said_afresh_takes_the_place_of_the_one_before() -> None:
    found = meaning_of("scale mailer to 5 and gateway to 4, no, gateway to 3").requests
    assert [request.slots["replicas"] for request in found] == [Quantity("to", 5), Quantity("to", 3)]


def test_each_of_a_list_goes_back_to_its_own_revision() -> None:
    found = meaning_of("回滚网关到 3，收银台到 5").requests
    assert [request.slots["revision"] for request in found] == [3, 5]


def test_a_number_alone_is_a_revision_where_versions_are_spoken_of() -> None:
    found = meaning_of("支付有哪些历史版本看一下，给我回到13").requests
    assert [(request.intent, request.slots.get("revision")) for request in found] == [
        ("history", None),
        ("rollback", 13),
    ]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("staus of gateway checkout search pls", "status gateway, status checkout, status search"),
        ("events of order-db order-api and order-settle", "events order-db, events order-api, events order-settle"),
        ("重启网关 收银台 搜索", "restart gateway, restart checkout, restart search"),
        ("订单接口 订单库 结算 三个都看下健康不", "status order-api, status order-db, status order-settle"),
        ("cordon node-3, node-4 and node-5", "cordon node-3, cordon node-4, cordon node-5"),
        ("node-13 跟 node-14 要下架了 两台都 drain 掉", "drain node-13, drain node-14"),
        ("put mailer down to 1 and search-indexer to 1 as well", "scale mailer, scale search-indexer"),
        ("恢复网关的 rollout 还有搜索的", "resume gateway, resume search"),
        ("halt the rollout of gateway and of search in prod", "pause gateway, pause search"),
        ("pause gateway's rollout and checkout's", "pause gateway, pause checkout"),
        ("checkout and payment-svc both look dead, check them", "status checkout, status payment-svc"),
        ("please scale: checkout 4, gateway 5", "scale checkout, scale gateway"),
        ("订单库 order-db 状态", "status order-db"),
        ("搜索有哪些 revision？结算的也列列呗", "history search, history order-settle"),
        ("收银台行不行，网关行不行？领导在线等", "status checkout, status gateway"),
    ],
)
def test_a_verb_is_shared_by_all_of_a_list(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(each) for each in asked(text)) == wanted


@pytest.mark.parametrize(
    "text", ["status of user-auth in prod and in staging", "status of user-auth in prod and staging"]
)
def test_one_name_in_two_places_is_asked_for_in_each(text: str) -> None:
    assert [request.slots["environment"] for request in meaning_of(text).requests] == ["prod", "staging"]


def test_a_place_said_afterwards_is_that_of_the_one_order() -> None:
    assert [request.slots for request in meaning_of("restart user-auth, in prod").requests] == [{"environment": "prod"}]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("收银台换 reg/checkout:2.9 网关换 reg/gateway:7.4", "set_image checkout, set_image gateway"),
        ("索引服务缩到1 搜索扩到6 完了看下搜索状态", "scale search-indexer, scale search, status search"),
        ("网关的自动扩缩设 4 到 10 现在先手动扩到 6", "set_autoscaler gateway, scale gateway"),
        ("先停掉搜索的发布 我看看是不是它搞的 日志给我", "pause search, logs search"),
        ("这破网关又超时 帮我查查 顺手扩到8", "status gateway, scale gateway"),
        ("小李已经把搜索扩了 我这边只要重启索引服务", "restart search-indexer"),
        ("mike is restarting checkout, so just give me its events", "events checkout"),
        (
            "any chance of a restart for order-settle? and how much memory does it use",
            "restart order-settle, resources order-settle",
        ),
        ("find me the runbook for expired certs and check on gateway too", "runbook gateway, status gateway"),
    ],
)
def test_a_clause_is_cut_where_the_next_request_begins(text: str, wanted: str) -> None:
    assert ", ".join(" ".join(each) for each in asked(text)) == wanted.replace("runbook gateway", "runbook ")


def test_an_alias_means_the_namesake_in_the_place_that_is_said() -> None:
    assert asked("logs of auth in staging") == [("logs", "user-auth")]


def test_a_command_that_no_intent_stands_for_is_no_look_at_what_it_changes() -> None:
    assert asked("kubectl label pod gateway 'app.kubernetes.io/name=gateway-controller'") == []
