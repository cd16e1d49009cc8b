"""What an utterance asks for: intents, names, pronouns, order; and what is no request at all."""

import pytest

from chatops_bot.domain.intents import ACTIONS, Quantity, Route
from tests.unit.adapters.rules.speaking import intents, said

INTENTS = {
    "status": "how is web|web?|is web down?|what's wrong with web?|why is web slow?|look at web|pods of web|web 怎么样|看下 web|web 挂了|web 为什么一直重启|排查一下 web|订单数据库有没有慢查询？",
    "logs": "logs of web|show me the logs for web|tail the logs of web|看下 web 的日志|查 web 最近 10 分钟的报错日志|拉一下 web 的日志",
    "events": "events of web|any events for web?|web 有什么事件",
    "history": "rollout history of web|which version is web running?|web 的发布历史|web 现在是什么版本",
    "resources": "cpu of web|how much memory does web use?|web 内存占用多少|web 资源使用情况",
    "changes": "what changed in web?|who restarted web?|when was web last deployed?|谁动了 web|web 最近有什么变更",
    "overview": "what's broken?|what is broken in prod|which services are down?|show all services|哪些服务有问题|集群状态怎么样|看下整体情况",
    "runbook": "runbook for web|how do I fix a crashloop?|web 超时怎么处理|有没有预案|怎么回滚 web",
    "incident": "open incidents|any alerts firing?|有哪些告警|现在有什么故障",
    "hand_off": "get me the on-call engineer|page the on-call|转人工|叫值班同学",
    "help": "help|what can you do?|what may I do here?|帮助|你能做什么|我在这里能做什么",
    "scale": "scale web to 5|scale up web|add two replicas to web|double web|web to 5 replicas|把 web 扩到 5 个副本|给 web 加两个副本|web 翻倍|web 再加 2 个实例|web从4个扩到6个|k scale web to 5 pls",
    "restart": "restart web|please restart the web service|can you restart web?|bounce web|k restart web pls|web needs a restart|重启 web|把 web 重启一下|能帮我重启 web 吗|web 卡住了，重启一下",
    "rollback": "roll back web|rollback web to revision 3|revert web to the previous version|web 回滚|把 web 退回到上一个版本",
    "pause": "pause the rollout of web|暂停 web 的发布",
    "resume": "resume web|continue the rollout of web|恢复 web 的发布",
    "abort": "abort the rollout of web|abort the canary of web|abort web|中止 web 的发布|终止 web 的更新|把 web 的灰度发布中止一下|web 中止发布",
    "set_image": "set image of web to reg/web:2|update web to 1.5|web 更新到 1.5|给 web 换镜像 reg/web:2",
    "set_autoscaler": "autoscale web between 2 and 8|set hpa of web to min 2 max 8|设置 web 的 hpa 最小 2 最大 8|web 的 hpa 改成 2 到 8",
    "delete_pod": "kill the pod web-7d9f8b6c5-x2x4z|删掉 pod web-7d9f8b6c5-x2x4z",
    "cordon": "cordon node-1|封锁节点 node-1|把 node-1 设为不可调度",
    "uncordon": "uncordon node-1|恢复 node-1 的调度",
    "drain": "drain node-1|把 node-1 排空|驱逐 node-1 上的 pod",
}


@pytest.mark.parametrize(("intent", "texts"), INTENTS.items())
def test_every_intent_in_both_languages(intent: str, texts: str) -> None:
    wrong = {text: found for text in texts.split("|") if (found := intents(text))[:1] != [intent]}

    assert not wrong


@pytest.mark.parametrize(
    "text",
    [
        *(
            "I will restart web in a minute",
            "i'm restarting web",
            "bob restarted web",
            "web was restarted by bob",
            "we should restart web",
        ),
        *(
            "don't restart web",
            "please don't scale web",
            "never restart web",
            "let's not restart web",
            "should we restart web?",
        ),
        *(
            "what happens if I restart web?",
            "how do I restart web?",
            "why did web restart",
            "the restart of web failed",
        ),
        *(
            "我去重启 web",
            "我刚把 web 重启了",
            "web 已经重启了",
            "他把 web 重启了",
            "别重启 web",
            "先别重启 web",
            "不要重启 web",
        ),
        *(
            "restart didn't help",
            "rollback didn't help",
            "scale didn't work",
            "rollback fixed it",
            "restart is not needed",
            "restart didnt help",
            "restart did not help",
            "pause alerts",
            "resume the alerts",
            "暂停告警",
            "暂停 web 的告警",
            "rollback done",
            "restart ok",
            "scale events",
            "pause status",
            "drain status",
            "回滚能解决吗",
            "restart the runbook",
            "resume the runbook",
            "restart from step 1",
            "roll back the incident",
            "pause this incident",
            "revert my last note",
            "暂停预案",
            "回滚事故",
            "web 重启没用",
            "重启不管用",
            "web 扩容没效果",
            "web 在重启",
            "web 重启 3 次了",
            "web 重启多少次",
            "回滚有风险吗",
            "重启 web 影响大吗",
            "kubectl get pods",
            "get the pods of web",
            "刚才重启 web",
            "是不是刚才发布搞的",
            "did it work?",
            "web 回滚怎么操作",
            "回滚 web 怎么弄",
            "web 的重启步骤",
            "web 扩容流程",
            "要不要重启 web？",
            "需要重启 web 吗？",
            "谁来重启一下 web",
            "web 重启次数",
            "web 重启之后好了",
            "为什么要重启 web",
        ),
    ],
)
def test_what_is_told_asked_or_forbidden_is_no_order(text: str) -> None:
    assert not set(intents(text)) & set(ACTIONS)


@pytest.mark.parametrize(
    "text",
    ["lunch anyone?", "how is the weather", "good morning", "哈哈", "中午吃什么", "I will restart web in a minute"],
)
def test_talk_is_talk(text: str) -> None:
    meaning = said(text)

    assert meaning.route is Route.CHAT
    assert not meaning.requests


def test_what_may_come_of_it_makes_no_statement_of_an_order() -> None:
    for text in (
        "现在重启 web",
        "重启 web 不行就回滚",
        "web 重启一次",
        "web 重启一下，影响不大",
        "restart web, it is down",
    ):
        assert said(text).requests[0].intent == "restart", text


def test_a_bare_name_asks_for_its_status() -> None:
    meaning = said("web")

    assert meaning.route is Route.QUERY
    assert [(request.intent, request.name.text) for request in meaning.requests if request.name] == [("status", "web")]


def test_several_orders_have_their_own_names_and_numbers() -> None:
    restart, scale = said("restart api and scale web to 3").requests

    assert (restart.intent, restart.name and restart.name.text, restart.slots) == ("restart", "api", {})
    assert (scale.intent, scale.name and scale.name.text) == ("scale", "web")
    assert scale.slots == {"replicas": Quantity("to", 3)}


def test_a_further_name_takes_over_the_order_before_it() -> None:
    assert [(r.intent, r.name and r.name.text) for r in said("restart api and web").requests] == [
        ("restart", "api"),
        ("restart", "web"),
    ]
    assert [r.slots["replicas"] for r in said("scale web to 3 and api to 5").requests] == [
        Quantity("to", 3),
        Quantity("to", 5),
    ]
    assert [r.name and r.name.text for r in said("重启 api 和 web").requests] == ["api", "web"]


def test_a_pronoun_refers_to_the_name_before_it() -> None:
    logs, restart = said("查一下 web 的日志然后重启它").requests

    assert (logs.intent, logs.pronoun) == ("logs", False)
    assert restart.pronoun
    assert restart.name is not None
    assert restart.name.text == "web"


def test_a_pronoun_alone_names_nothing() -> None:
    (request,) = said("好的，帮我把它扩容到 5 个副本").requests

    assert request.pronoun
    assert request.name is None


def test_a_report_of_trouble_gives_way_to_what_is_asked() -> None:
    (request,) = said("web is slow, restart it").requests

    assert request.intent == "restart"
    assert request.name is not None
    assert [r.intent for r in said("华东生产环境的 web 好像超时了，帮我查下 Pod 状态").requests] == ["status"]


@pytest.mark.parametrize(
    "text",
    [
        "if it crashes again, restart web",
        "如果再崩就重启 web",
        "restart web in 10 minutes",
        "等会儿再重启 web",
        "restart web tomorrow",
    ],
)
def test_orders_that_hang_on_something_are_marked(text: str) -> None:
    found = [request for request in said(text).requests if request.dangerous]

    assert all(request.conditional for request in found)


def test_a_plain_order_hangs_on_nothing() -> None:
    assert not said("restart web").requests[0].conditional
    assert not said("等一下，重启 web").requests[0].conditional


def test_a_service_may_be_spelled_like_an_order() -> None:
    """The names of services are masked before any rule looks at the text."""
    assert intents("status of api") == ["status"]
    assert said("never mind web, look at order-db").dismissed[0].text == "web"


def test_the_reason_is_kept_and_its_words_are_no_orders() -> None:
    (request,) = said("scale web to 3 because we had to restart it").requests

    assert request.intent == "scale"
    assert request.slots["reason"] == "we had to restart it"


@pytest.mark.parametrize("text", ["delete deployment web", "把 web 删了", "stop web", "shut down web", "web 下线"])
def test_an_order_that_there_is_none_for_is_no_look_at_the_service(text: str) -> None:
    assert (intents(text), said(text).route) == ([], Route.CHAT)


def test_what_is_pasted_or_quoted_orders_nothing() -> None:
    assert intents("why does web log this?\n```\nscale order-db to 0\n```") == ["logs"]
    assert intents("> restart web\nhow is api?") == ["status"]


@pytest.mark.parametrize("text", ["把 web 和 api 重启一下", "web 和 api 都重启一下", "麻烦把 web 跟 api 都重启"])
def test_joined_names_before_the_verb_are_each_meant(text: str) -> None:
    meant = [(request.intent, request.name.text) for request in said(text).requests if request.name is not None]
    assert meant == [("restart", "web"), ("restart", "api")]


@pytest.mark.parametrize("text", ["小王和 web 重启", "不要把 web 和 api 重启"])
def test_somebody_beside_a_name_is_no_order(text: str) -> None:
    assert intents(text) == []


LISTED = {
    "把 web、api 都扩到 5": ["web", "api"],
    "web、api 都重启": ["web", "api"],
    "web, api and order-db restart": ["web", "api", "order-db"],
    "麻烦把 web 和 api、order-db 都重启一下": ["web", "api", "order-db"],
    "web, restart api": ["api"],
    "web，把 api 重启": ["api"],
    "web? api 重启": ["api"],
    "不是 web, api 重启": ["api"],
}


@pytest.mark.parametrize(("text", "names"), LISTED.items())
def test_a_verb_behind_a_list_is_meant_for_every_name_of_it(text: str, names: list[str]) -> None:
    assert [request.name.text for request in said(text).requests if request.name is not None] == names


@pytest.mark.parametrize("text", ["别把 web、api 重启", "不要把 web、api、order-db 都重启", "web、api 都别重启"])
def test_a_list_that_a_prohibition_begins_is_no_order(text: str) -> None:
    assert intents(text) == []
