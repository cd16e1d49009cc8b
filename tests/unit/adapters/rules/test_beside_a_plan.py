"""A yes with its reasons, per kind of plan; what seems one and changes, doubts, or puts off; and slips put right."""

from __future__ import annotations

import time

import pytest

from chatops_bot.adapters.rules.text.mishearing import put_right, spelled
from chatops_bot.adapters.rules.text.pinyin import in_characters
from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.adapters.rules.text.sections import sections
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Interpretation, PendingPlan, Quantity, Route, SlotValue
from tests.unit.adapters.rules.speaking import PLANNED, answered, utterance

NODE = Entity(cluster="prod", namespace="", kind="Node", workload="node-b", name="node-b")
PLANS = {
    "scale up": PendingPlan(action="scale", entity=PLANNED, parameters={"replicas": 6}, before={"replicas": 4}),
    "scale down": PendingPlan(action="scale", entity=PLANNED, parameters={"replicas": 2}, before={"replicas": 4}),
    "restart": PendingPlan(action="restart", entity=PLANNED),
    "rollback": PendingPlan(action="rollback", entity=PLANNED, parameters={"revision": 14}),
    "set_image": PendingPlan(action="set_image", entity=PLANNED, parameters={"image": "reg/pay:1.5"}),
    "set_autoscaler": PendingPlan(action="set_autoscaler", entity=PLANNED, parameters={"min": 3, "max": 10}),
    "pause": PendingPlan(action="pause", entity=PLANNED),
    "resume": PendingPlan(action="resume", entity=PLANNED),
    "delete_pod": PendingPlan(action="delete_pod", entity=PLANNED, parameters={"pod": "payment-api-7d9f-bcdfg"}),
    "drain": PendingPlan(action="drain", entity=NODE, parameters={"node": "node-b"}),
    "cordon": PendingPlan(action="cordon", entity=NODE, parameters={"node": "node-b"}),
    "uncordon": PendingPlan(action="uncordon", entity=NODE, parameters={"node": "node-b"}),
}


def below(plan: str, text: str) -> Interpretation:
    return answered(text, PLANS[plan])


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("rollback", "yes back to 14"),
        ("set_image", "对，就是1.5这个tag，上"),
        ("set_image", "好 换成1.5"),
        ("set_autoscaler", "确认，最小3最大10"),
        ("set_autoscaler", "可以的，3到10"),
        ("pause", "yes stop the rollout now!!"),
        ("resume", "接着滚"),
        ("drain", "对 排空吧"),
        ("cordon", "嗯 封锁"),
    ],
)
def test_a_yes_may_repeat_its_plan(plan: str, text: str) -> None:
    meaning = below(plan, text)

    assert meaning.route is Route.CONFIRM
    assert meaning.affirmative


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("scale up", "do it, we're getting hammered"),
        ("scale up", "好，加到6个吧，群里都炸了"),
        ("scale up", "go ahead, the boss is calling nonstop"),
        ("scale down", "yes shrink it, peak is over"),
        ("restart", "赶紧重启，客服电话被打爆了"),
        ("restart", "bounce it, i'll take the heat"),
        ("restart", "yes restart it, sessions are stuck anyway"),
        ("rollback", "rev 14 is the good one, go ahead"),
        ("resume", "resume, qa signed off"),
        ("delete_pod", "删，它自己会起来的"),
        ("delete_pod", "yep get rid of it, been stuck for an hour"),
        ("uncordon", "放开吧 内存条换好了"),
    ],
)
def test_a_reason_beside_a_yes_takes_a_press(plan: str, text: str) -> None:
    meaning = below(plan, text)

    assert meaning.route is Route.CONFIRM
    assert not meaning.affirmative


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    "text",
    [
        "do it, approval withdrawn",
        "do it, freeze is active",
        "yes restart it, approval missing",
        "scale it up, scratch that",
        "go ahead, cab rejected it",
        "执行，尚未审批",
        "执行，领导拒绝",
        "重启吧，窗口已关",
        "执行，张三来按",
        "执行，二号机房",
        "~~确认~~",
        "~confirm~",
        "plus one more",
        "ok google, do it",
        "do it, my foot",
    ],
)
def test_a_yes_beside_any_other_word_executes_nothing(plan: str, text: str) -> None:
    assert not below(plan, text).affirmative


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize(
    "text",
    [
        *(
            "yes it's fixed now",
            "yes it recovered",
            "执行，过了高峰",
            "i restarted it",
            "执行完了",
            "确认过了",
            "我来执行",
        ),
        *(
            "yes one more",
            "do all of them",
            "全部重启",
            "确认 两个都",
            "yes, the other one",
            "yes, half of it",
            "手动执行",
        ),
        *(
            "yes tonight",
            "go tomorrow",
            "晚上执行",
            "夜里执行，没人用",
            "do it at night, traffic is low",
            "3点执行",
            "窗口内执行",
        ),
        *(
            "没问题就执行",
            "验过就执行",
            "好了就执行",
            "窗口到了就执行",
            "go if green",
            "yes once tests pass",
            "yes when ready",
        ),
        *("yes slowly", "慢慢来 执行", "一个一个来", "灰度执行", "do it by hand", "yes for 10 minutes"),
        *("yes yesterday", "yeah right", "好个屁", "确认个锤子", "同意才怪", "just kidding yes", "lol yes", "哈哈执行"),
        *(
            '"yes"',
            "@bob confirm",
            "bob: yes",
            "回复确认",
            "reply confirm",
            "确认取消",
            "do nothing",
            "go home",
            "right now",
        ),
        *("the errors are rising", "错误率在涨", "老板同意了", "产品在催了", "approved by bob", "security approved"),
        *("go ahead, staging is broken", "执行吧，order-db 挂了", "go ahead, the fix is in the other image"),
        *("全停了吗", "执行了没", "确认啥", "yes or no", "yes no", "先放放", "暂停执行", "换台机器", "go back to bed"),
    ],
)
def test_what_only_sounds_like_a_yes_confirms_no_plan(plan: str, text: str) -> None:
    assert not below(plan, text).affirmative


@pytest.mark.parametrize(
    ("plan", "text"),
    [
        ("restart", "go ahead, it is healthy again"),
        ("restart", "重启吧，已经恢复了"),
        ("drain", "do it, node is fixed"),
        ("pause", "let it roll"),
        ("pause", "continue"),
        ("cordon", "放开"),
        ("scale down", "yes scale it up, traffic is low"),
        ("set_autoscaler", "yes min 10"),
        ("set_autoscaler", "yes 10 to 3"),
        ("uncordon", "go ahead, the node is broken"),
    ],
)
def test_reasons_that_speak_against_the_plan_confirm_nothing(plan: str, text: str) -> None:
    assert not below(plan, text).affirmative


@pytest.mark.parametrize(
    ("plan", "text", "slots"),
    [
        ("rollback", "29", {"revision": 29}),
        ("rollback", "不是14，13", {"revision": 13}),
        ("rollback", "回12吧 13 14 都带那个内存泄漏", {"revision": 12}),
        ("rollback", "thirteen, not fourteen", {"revision": 13}),
        ("set_autoscaler", "min别3了 直接6起步吧 冷启动太慢", {"min": 6}),
        ("set_autoscaler", "下限5 上限15", {"min": 5, "max": 15}),
        ("set_autoscaler", "4 to 16 please", {"min": 4, "max": 16}),
        ("set_image", "tag改 3.0-rc2", {"image": "3.0-rc2"}),
        ("delete_pod", "wrong pod, its payment-api-7d9f-xk2pq", {"pod": "payment-api-7d9f-xk2pq"}),
        ("drain", "b is healthy, a is the one to drain", {"node": "node-a"}),
        ("uncordon", "是 c 节点修好了 不是 b", {"node": "node-c"}),
    ],
)
def test_a_value_without_a_verb_is_put_in_place_of_the_plans_own(
    plan: str, text: str, slots: dict[str, SlotValue]
) -> None:
    meaning = below(plan, text)

    assert meaning.route is Route.MODIFY
    assert meaning.requests[0].slots == slots


def test_a_correction_in_the_manner_of_an_editor_changes_the_number() -> None:
    assert below("scale up", "s/6/8/").requests[0].slots == {"replicas": Quantity("to", 8)}
    assert not below("scale up", "s/5/8/").requests


@pytest.mark.parametrize(
    ("text", "route"),
    [
        *((text, Route.CANCEL) for text in ("❌", "🙅‍♂️", "点错了点错了点错了 不要跑", "cancel cancel cancel", "qx")),
        *(
            (text, Route.CANCEL)
            for text in ("不用了 已经自己好了", "pls dont, that tag is gone", "nah traffic is fine")
        ),
        *(
            (text, Route.UNCLEAR)
            for text in ("等零点流量下去了再说", "验完喊你", "let me check the dashboard first", "啊这")
        ),
        *(
            (text, Route.UNCLEAR)
            for text in ("@jun can you have a look before we run this", "稍候，在拉人", "yes..? wait no")
        ),
        *(
            (text, Route.ASK)
            for text in ("现在的副本数是几", "重启是滚动的还是一起停啊", "10 个够吗你觉得", "会丢消息马")
        ),
        *((text, Route.SWITCH) for text in ("别扩了 重启吧", "扩个屁 直接回滚", "no not this. restart web")),
    ],
)
def test_dismissals_delays_questions_and_turns_take_their_route(text: str, route: Route) -> None:
    assert below("scale up", text).route is route


def test_dictation_and_traditional_characters_are_put_right_at_the_same_length() -> None:
    for heard, meant in (
        ("却认", "确认"),
        ("阔到8巴", "扩到8吧"),
        ("麻煩幫我執行", "麻烦帮我执行"),
        ("立马", "立马"),
        ("actaully", "actually"),
    ):
        assert put_right(heard) == meant
        assert len(put_right(heard)) == len(heard)


def test_a_word_is_never_spelled_into_agreement() -> None:
    assert spelled("y e s, porceed") == "yes, proceed"
    for word in ("unconfirmed", "incorrect", "disapprove", "confirms", "restarted"):
        assert spelled(word) == word


def test_pinyin_counts_only_where_all_of_the_message_is() -> None:
    assert in_characters("gai cheng 5 ge ba") == "改成 5 个吧"
    assert in_characters("queren") == "确认"
    for text in ("ma", "en", "restart web", "queren the plan"):
        assert in_characters(text) == text


def test_a_space_ends_a_clause_only_where_one_has_ended() -> None:
    def broken(text: str) -> str:
        return sections(read(utterance(text))).masked

    assert broken("别恢复发布 回滚吧") == "别恢复发布,回滚吧"
    assert broken("不要 重启") == "不要 重启"
    assert broken("扩到 5 个") == "扩到 5 个"


def test_reasons_do_not_make_the_guard_slow() -> None:
    began = time.process_time()
    for text in ("错误率在涨" * 24, "the boss is angry " * 6, "别等了" * 40, "y e s " * 20, "了" * 119):
        below("restart", f"{text}§")
    below("scale up", "一" * 960)
    for plan in ("scale up", "rollback"):
        below(plan, "1 " * 950)
    assert time.process_time() - began < 5


@pytest.mark.parametrize(
    "text",
    ["please run that by me again", "run it past us", "重启 payment-api", "重启, payment-api", "say that again please"],
)
@pytest.mark.parametrize("plan", ["restart", "scale up", "set_image"])
def test_words_around_a_verb_do_not_make_it_go(plan: str, text: str) -> None:
    assert not below(plan, text).affirmative
