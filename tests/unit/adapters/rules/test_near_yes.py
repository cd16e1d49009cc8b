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


FURTHER_NO_YES = (
    "confirm the rollback",
    "就这么缩",
    "按计划缩",
    "apply the image",
    "do it in 5",
    "go ahead at 5",
    "sure in 5",
    "let's do it at 6",
    "run it between 4 and 6",
    "go in a couple",
    "6号执行",
    "6号没问题",
    "嗯 6号",
    "好 加6个",
    "加6台吧",
    "扩6个吧",
    "yes bump it 6",
    "ok add more pods 6",
    "yes version 6",
    "yes pod 6",
    "第6个吧",
    "6个节点",
    "yes 6*6",
    "6. do it",
    "4-6个吧",
    "那台吧",
    "那个版本吧",
    "ok drop it",
    "get rid of it",
    "cut it",
    "恢复✅",
    "ok payment-api 恢复",
    "pod恢复",
    "payment-api cleared",
    "finally cleared",
    "cleared, thanks",
    "payment-api在跑",
    "payment-api在执行",
    "payment-api 开始启动",
    "现在6个在跑",
    "i'm in",
    "ok i'm in now",
    "i'm in the payment-api pod",
    "嗯 现在6个",
    "yes 6 pods now",
    "yes its on 6",
    "yes its up to 6 now",
    "现在6个吧",
    "6 pods confirmed",
    "6 ✅",
    "6 100%",
    "重启✅",
    "restart ok",
    "payment-api restart ok",
    "重启 妥了",
    "restart no issues",
    "重启 漂亮",
    "great restart",
    "pods restart",
    "pod重启",
    "服务重启",
    "on restart",
    "嗯 pod重启",
    "finally ok",
    "finally fine",
    "just fine",
    "bot ok",
    "机器人没问题",
    "everything is all right",
    "全部没问题",
    "这边没问题",
    "looks great now",
    "great, no issues",
    "that's as expected",
    "fine as is",
    "ok as is",
    "这样挺好",
    "妥了 谢谢",
    "搞掂",
    "太好了 审批通过",
    "批准了 谢谢",
    "great, approved",
    "机器人批准了",
    "ok 🔥🔥🔥",
    "ok 🟢",
    "100% now",
    "100% payment-api",
    "yes its payment-api",
    "没错 就是payment-api",
    "就是它",
    "confirmed: payment-api",
    "走payment-api",
    "收到 马上安排",
    "好的 马上弄",
    "收到，马上执行",
    "好的 马上重启",
    "马上启动",
    "wilco",
    "滚吧",
    "滚回去吧",
    "快滚吧",
    "您确定",
    "您没意见",
    "y restart",
    "y now",
    "really delete",
    "so restart then",
    "啊 重启",
    "yes really",
    "ok and now",
    "您来吧",
    "您操作吧 谢谢",
    "麻烦您来操作",
    "你弄吧",
    "快来吧",
    "您可以走了",
    "快跑",
    "快走吧",
    "尽快确认",
    "快批准 谢谢",
    "您批准",
    "拜托了，批准",
    "有劳确认",
    "批准 谢谢",
    "approve pls",
    "just approve it already",
    "hey confirm",
    "please press the button",
    "go ahead and confirm",
    "run this in the payment-api pod",
    "send it to payment-api",
    "go to payment-api",
    "begin with payment-api",
    "i see, continue",
    "了解 您继续",
    "that's what i need to do",
    "ok you're right",
    "啊对对对",
    "对对对 厉害",
    "可以啊 牛",
    "great, just what i need",
    "great, naturally",
    "ya right",
    "yeah yeah",
    "那就好",
    "哦好",
    "哦对",
    "哦 好的",
    "right right",
    "that's true",
    "makes sense, thanks",
    "i can confirm it's true",
    "好嘞 谢谢",
    "行 辛苦了",
    "好的 麻烦了",
    "放心 没问题",
    "you're good to go, thanks",
    "ok just",
    "yes and then",
    "so what i need",
    "尽管同意",
    "and then restart",
    "nailed it",
    "nice run",
    "finally let's gooo",
    "nice 🚀",
    "hai bot",
    "哇 干",
    "涨起来",
)
"""Likewise, found by going through all pairs of parts: of another amount, time or action, of how things are, to others."""


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("text", [*(text for texts in NO_YES.values() for text in texts), *FURTHER_NO_YES])
def test_listed_words_do_not_add_up_to_a_yes(text: str, plan: str) -> None:
    assert not confirms(text, plan)
