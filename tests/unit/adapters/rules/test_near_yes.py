"""Kinds of answers that stand close to a yes and are none: each with several sentences, in both languages."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.rules import affirmative
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import PendingPlan, State, Utterance
from tests.unit.adapters.rules.speaking import PLANNED, answered

NODE = Entity(cluster="prod", namespace="", kind="Node", workload="node-b", name="node-b")
PLANS = {
    "scale": PendingPlan(action="scale", entity=PLANNED, parameters={"replicas": 5}, before={"replicas": 2}),
    "restart": PendingPlan(action="restart", entity=PLANNED),
    "rollback": PendingPlan(action="rollback", entity=PLANNED, parameters={"revision": 14}),
    "set_image": PendingPlan(action="set_image", entity=PLANNED, parameters={"image": "reg/pay:1.5"}),
    "set_autoscaler": PendingPlan(action="set_autoscaler", entity=PLANNED, parameters={"min": 3, "max": 10}),
    "resume": PendingPlan(action="resume", entity=PLANNED),
    "delete_pod": PendingPlan(action="delete_pod", entity=PLANNED, parameters={"pod": "payment-api-7d9f-bcdfg"}),
    "drain": PendingPlan(action="drain", entity=NODE, parameters={"node": "node-b"}),
    "uncordon": PendingPlan(action="uncordon", entity=NODE, parameters={"node": "node-b"}),
}


def confirms(text: str, plan: str) -> bool:
    waiting = PLANS[plan]
    if waiting.entity is PLANNED:  # with the names of services found in it
        return answered(text, waiting).affirmative
    return affirmative(Utterance(text=text, state=State.CONFIRMING, lock=waiting.entity, plans=(waiting,)))


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    "text",
    [
        "confirmed, the resolver was at fault",
        *("send it to me", "push it to me", "sure you are", "ship it with this", "ok to me", "do so so"),
        *("嗯嗯", "嗯嗯啊啊", "嗯哼", "嗯呢", "mhm", "uh huh", "mm-hmm"),
        "confirmed: traffic from one address only",
        "agreed, what a night",
        "approved, vacation starts on friday",
        "affirmative, users are locked out",
        "exactly, the pool is exhausted",
        "确认了，是网络问题",
        "确认 就是内存泄漏",
        "同意，今天真的太热了",
        "批准了 年假批准了",
        "没错 就是它把队列卡死了",
        "就这么定了 晚上吃火锅",
        "就这么办！年会节目排好了",
        "let's do it, karaoke on friday",
        "make it happen, new hire is great",
        "确认无误 是同一个请求",
        "通过了 驾照考试通过了",
    ],
)
def test_a_yes_that_may_tell_a_fact_is_no_command_beside_open_words(text: str, plan: str) -> None:
    assert not confirms(text, plan)


@pytest.mark.parametrize(
    "text", ["确认收到", "收到确认", "已确认收到", "ok noted", "yes understood", "可以 收到", "对对对 明白了"]
)
def test_to_have_seen_it_is_no_yes(text: str) -> None:
    assert not confirms(text, "restart")
    assert confirms("got it, go ahead", "restart")


@pytest.mark.parametrize(
    "text",
    [
        "ok payment-api",
        "payment-api ok",
        "payment-api, right",
        "payment-api yes, that's the one on fire",
        "yes it is payment-api again",
        "对 支付",
        "支付 是的",
        "嗯 支付",
        "嗯 线上",
        "prod ok",
    ],
)
def test_a_name_beside_a_word_of_assent_tells_what_is_meant(text: str) -> None:
    assert not confirms(text, "restart")


def test_the_name_in_full_behind_a_yes_confirms() -> None:
    assert confirms("yes, payment-api", "restart")


@pytest.mark.parametrize(
    "text",
    [
        "同意扩 四个就够",
        "扩吧，三个够用",
        "扩吧 八个也行",
        "do it, four is plenty",
        "go ahead, three replicas are enough",
        "proceed, one more pod on top",
        "do it, one is enough",
        "ok +1",
    ],
)
def test_a_number_in_words_is_a_number(text: str) -> None:
    assert not confirms(text, "scale")


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("drain", "ok drain it, c is the sick one"),
        ("drain", "drain it yes, a is the broken one"),
        ("drain", "执行，c 的盘坏了"),
        ("drain", "b ok"),
        ("uncordon", "放开吧 a 修好了"),
    ],
)
def test_the_letter_of_another_node_is_not_overheard(plan: str, text: str) -> None:
    assert not confirms(text, plan)


@pytest.mark.parametrize(
    "text",
    [
        "恢复可以 限流配置同步过去了没",
        "恢复吧 数据库好了没有",
        "执行 通知业务了没有",
        "恢复吧 上面还有旧配置不",
        "do it, anyone told support",
    ],
)
def test_a_question_without_a_mark_is_one(text: str) -> None:
    assert not confirms(text, "resume")


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("restart", "嗯嗯我在看"),
        ("restart", "嗯 我在重启"),
        ("restart", "好 我重启一下"),
        ("restart", "我马上执行"),
        ("restart", "ok restarting"),
        ("restart", "yes, restarting it now"),
        ("restart", "go ahead, i'm listening"),
        ("restart", "重启吧 我的电脑卡死了"),
        ("restart", "hey bob, do it"),
        ("rollback", "rolling it back, ok"),
        ("delete_pod", "我删吧 正好在机器上"),
        ("drain", "draining it, yes"),
    ],
)
def test_what_somebody_does_himself_is_no_order(plan: str, text: str) -> None:
    assert not confirms(text, plan)


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("rollback", "回啦回啦 刚下地铁"),
        ("rollback", "回了 邮件已经回了"),
        ("rollback", "ok back"),
        ("rollback", "撤回"),
        ("resume", "恢复了"),
        ("resume", "恢复了 感冒好了"),
        ("restart", "重启了"),
        ("restart", "对 重启了"),
        ("restart", "在重启"),
        ("restart", "嗯 又重启"),
        ("restart", "对重启了 用户能登了"),
        ("restart", "the restart"),
        ("rollback", "好 回滚方案"),
        ("set_image", "yes update"),
        ("set_image", "ok update: all green again"),
        ("set_image", "换了 新手机真香"),
        ("delete_pod", "pod是自己没的 没人删"),
        ("delete_pod", "对 没人删过"),
        ("drain", "排 队排好了"),
        ("drain", "drained, yes"),
    ],
)
def test_a_verb_of_the_past_or_in_another_sense_is_no_order(plan: str, text: str) -> None:
    assert not confirms(text, plan)


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    "text",
    [
        "go team",
        "let's go, lunch is here",
        "send it, the invoice is overdue",
        "pizza is here, go",
        "走吧 吃饭去",
        "来吧 一起喝酒",
        "安排 周五团建",
        "干吧 今晚不醉不归",
        "facts",
        "all clear",
    ],
)
def test_cheering_is_no_order(text: str, plan: str) -> None:
    assert not confirms(text, plan)


@pytest.mark.parametrize(
    "text",
    ["false alarm, node is ok", "the node is ok", "do it, false alarm", "排吧，虚惊一场", "执行，是误报"],
)
def test_that_nothing_is_the_matter_speaks_against_a_cure(text: str) -> None:
    assert not confirms(text, "drain")


@pytest.mark.parametrize(
    "text",
    ["do it, at night", "do it, by hand", "do it, as a drill", "do it, db too", "执行，窗口期内", "执行，大家都反对"],
)
def test_what_belongs_to_the_command_is_no_comment(text: str) -> None:
    assert not confirms(text, "restart")


@pytest.mark.parametrize("text", ["y 14", "14 y", "k 14", "why 14"])
def test_a_letter_beside_a_number_is_no_yes(text: str) -> None:
    assert not confirms(text, "rollback")
    assert confirms("y", "rollback")


NO_YES = {
    "how things are": [
        "payment-api 没问题",
        "这边 payment-api 没问题",
        "hey, payment-api in prod looks good",
        "finally payment-api looks good",
        "yes payment-api is good",
        "so payment-api works for me",
        "now payment-api looks fine",
        "现在payment-api可以",
        "it works for me",
        "thanks, it works for me",
        "finally this works",
        "I can confirm this works",
        "yes this works",
        "right now it is fine",
        "no issues right now",
        "looks fine right now",
        "我们都没问题",
        "6 pods ok",
        "that would be nice, really",
    ],
    "somebody else is asked": [
        "请大佬批准",
        "辛苦大佬确认",
        "boss please approve",
        "请批准",
        "请同意",
        "麻烦您确认",
        "麻烦尽快批准",
        "求你了批准",
        "大佬快确认",
        "麻烦大哥确认执行",
        "hey man confirm",
        "please agree",
    ],
    "thanks": [
        "谢谢支持",
        "感谢授权",
        "谢谢批准",
        "感谢确认",
        "多谢支持",
        "you're free to go, thank you",
        "thanks, that will do",
        "that'll do",
        "just go",
        "fire away",
        "就这样，辛苦了",
    ],
    "done by the speaker or somebody else": [
        "我这边弄啦",
        "我这边处理",
        "我这边重启",
        "我这边直接重启吧",
        "我这边扩",
        "我这边执行",
        "处理啦",
        "执行啦",
        "执行了吧",
        "大佬你来吧",
        "兄弟你来吧",
        "大佬重启一下",
        "请大佬处理",
        "you can do it, mate",
        "do it mate",
    ],
    "not ended": [
        "ok so",
        "好的，那",
        "yes and",
        "right, so",
        "ok and",
        "alright so",
        "right, well",
        "ok hey",
        "可以，那么",
        "可以那",
    ],
    "soon, or done": [
        "马上就可以",
        "马上可以",
        "快可以啦",
        "快妥了",
        "就快搞掂",
        "好的，恢复啦",
        "好的 重启啦",
        "嗯，重启咯",
        "是啊 重启啦",
        "重启妥了",
        "重启搞掂",
        "restart confirmed",
        "重启就好了",
        "安排上啦",
    ],
}


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("text", [text for texts in NO_YES.values() for text in texts])
def test_listed_words_do_not_add_up_to_a_yes(text: str, plan: str) -> None:
    assert not confirms(text, plan)
