"""What a clause says and hardly anything beside changes a plan, whatever the other clauses tell; what is only told, asked,
put off or denied changes nothing."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import PendingPlan, Quantity, Route, SlotValue, Standing, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, utterance
from tests.unit.adapters.rules.test_corrections import BACK, BOUNDS, IMAGE, LOGS, PLAN, below, changed, said

STAGING = msgspec.structs.replace(PLANNED, namespace="pay-staging", environment="staging")


def moved(text: str, entity: Entity = PLANNED) -> SlotValue | None:
    meaning = below(text, msgspec.structs.replace(PLAN, entity=entity))
    return changed(meaning).get("environment") if meaning.route is Route.MODIFY else None


@pytest.mark.parametrize(
    "text",
    [
        "wait im staring at the staging dashboard, do it over there, not in prod",
        "先别拿生产练手，在 staging 弄 试试水",
        "oh god no I had the wrong tab open, I wanted the staging one",
        "吓死，我想动的是 staging",
        "fuck no STAGING",
        "stop, i have no business in prod, staging was the idea",
        "wrong cluster lol, meant staging",
        "prod 也是同样毛病 staging 也来一遍",
    ],
)
def test_a_place_that_a_clause_says_alone_is_meant(text: str) -> None:
    assert moved(text) == "staging"


@pytest.mark.parametrize(
    "text",
    [
        "soak is over and everyone is happy with it so on to prod",
        "测试同学验完了没毛病，该上 prod 了",
        "staging 验证没问题了，搬到 prod",
        "啊啊啊不对不对 是 prod！！",
        "this was supposed to go to production",
        "一样的操作 prod 上",
    ],
)
def test_what_was_tried_in_one_place_goes_on_to_the_next(text: str) -> None:
    assert moved(text, STAGING) == "prod"


@pytest.mark.parametrize(
    "text",
    [
        "we tried this in staging yesterday",
        "staging is fine with it",
        "does staging have the same issue?",
        "not touching staging",
        "预发那边没问题",
        "测试还在验 验完喊你",
        "回头再弄 staging 的",
    ],
)
def test_a_place_that_is_told_of_is_not(text: str) -> None:
    assert moved(text) is None


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("抠掉两个吧 测试机快爆了", Quantity("by", -2)),
        ("再塞俩进去", Quantity("by", 2)),
        ("小气啥，翻一番", Quantity("times", 2)),
        ("顶不住啊家人们，翻个倍", Quantity("times", 2)),
        ("halve that, were not spamming the whole planet", Quantity("times", 0.5)),
        ("and another on top for good luck", Quantity("by", 1)),
        ("2 extra, marketing just sent the push", Quantity("by", 2)),
        ("two too many imo", Quantity("by", -2)),
        ("take two back", Quantity("by", -2)),
        ("hmm let's go three above that", Quantity("by", 3)),
        ("还差点意思，多来三个", Quantity("by", 3)),
        ("三倍吧别抠了", Quantity("times", 3)),
        ("财务那边嫌贵，省俩出来", Quantity("by", -2)),
    ],
)
def test_more_or_fewer_are_counted_from_the_plan(text: str, quantity: Quantity) -> None:
    meaning = below(text, PLAN)
    assert (meaning.route, changed(meaning)) == (Route.MODIFY, {"replicas": quantity})


@pytest.mark.parametrize(
    "text",
    [
        "we lost two pods an hour ago",
        "half the team is asleep",
        "Bob restarted it twice already",
        "is one more even possible?",
        "昨天谁加了两个",
        "要是不够再加两个吧",
        "少了一半流量",
        "结算少一个都不行",
        "他们说 8 个也不一定够",
    ],
)
def test_numbers_that_are_told_asked_or_denied_change_nothing(text: str) -> None:
    meaning = below(text, PLAN)
    assert not any(request.slots for request in meaning.requests)
    assert not meaning.affirmative


@pytest.mark.parametrize(
    ("text", "plan", "slots"),
    [
        ("scratch that, hotfix got tagged 1.8.1 ten minutes ago", IMAGE, {"image": "1.8.1"}),
        ("Sorry, Priya reminds me seven is what was agreed", PLAN, {"replicas": Quantity("to", 7)}),
        ("did i say 12? i ment 11", BACK, {"revision": 11}),
        ("@bob 纠正我了：11", BACK, {"revision": 11}),
        ("excuse me, i write wrong, is 9", PLAN, {"replicas": Quantity("to", 9)}),
        ("仨顶不住，怎么也得 8", PLAN, {"replicas": Quantity("to", 8)}),
        ("哦哦懂了，那还是退，版本换成 10", BACK, {"revision": 10}),
        ("start from 3 please", BOUNDS, {"min": 3}),
        ("go back another version", BACK, {"revision": 11}),
        ("再往回倒一版", BACK, {"revision": 11}),
    ],
)
def test_a_value_is_put_right_whoever_says_so(text: str, plan: PendingPlan, slots: dict[str, SlotValue]) -> None:
    meaning = below(text, plan)
    assert (meaning.route, changed(meaning)) == (Route.MODIFY, slots)


ORDER = Standing("restart", PLANNED, waits=True)


def carried(text: str, *standing: Standing) -> list[tuple[str, str]]:
    meaning = INTERPRETER.interpret(msgspec.structs.replace(utterance(text, State.IDLE), standing=standing))
    return [(request.intent, request.name.text if request.name else "") for request in meaning.requests]


@pytest.mark.parametrize(
    "text",
    [
        "它旁边那个 checkout 同理",
        "checkout too while ur at it 🙏",
        "checkout deserves that many as well i guess",
        "bah, wrong name. checkout is the one thats wedged",
        "哎嘴瓢了，卡死的是 checkout",
        "make checkout match",
        "do checkout the same way",
        "crap, meant checkout",
        "checkout is always behind so it gets one too",
        "checkout 也别放过",
    ],
)
def test_an_order_is_carried_over_by_the_clause_that_names_its_next(text: str) -> None:
    assert carried(text, ORDER) == [("restart", "checkout")]


@pytest.mark.parametrize(
    "text",
    [
        "checkout is down too btw",
        "checkout also looks slow",
        "checkout 也挂了",
        "checkout 也一样卡",
        "checkout too, if it does not recover",
        "it's checkout that is slow",
        "we also restarted checkout",
    ],
)
def test_what_is_told_of_another_carries_no_order(text: str) -> None:
    assert ("restart", "checkout") not in carried(text, ORDER)


@pytest.mark.parametrize(
    "text",
    [
        "they blame upstream of course. pull me exactly that from checkout",
        "and on checkout, bc finance keeps pinging me",
        "hows checkout on that front",
        "checkout's turn",
        "now checkout's",
        "k now checkout",
        "And may I see the equivalent for checkout?",
        "@老李 说根子在 checkout，那换成它，条件别动",
    ],
)
def test_a_question_is_asked_of_the_next(text: str) -> None:
    assert carried(text, LOGS) == [("logs", "checkout")]


@pytest.mark.parametrize(
    ("text", "standing", "slots"),
    [
        ("过滤下 403", LOGS, {"grep": "403"}),
        ("that tells me nothing, gimme 300", LOGS, {"tail": 300}),
        ("最多 40 行", LOGS, {"tail": 40}),
        ("太长不看，砍到 80", LOGS, {"tail": 80}),
        ("上回挂掉那个容器里的", LOGS, {"previous": True}),
        ("the prior container's, from before it crashed", LOGS, {"previous": True}),
        ("it keeps dying so i need what the previous container said", LOGS, {"previous": True}),
        ("the run before the current one", LOGS, {"previous": True}),
        ("含 rollback failed 的行挑出来", LOGS, {"grep": "rollback failed"}),
        ("just what contains 504", LOGS, {"grep": "504"}),
        ("只抓 timeout 的行", LOGS, {"grep": "timeout"}),
        ("sorry i want refused not timeout", Standing("logs", PLANNED, {"grep": "timeout"}), {"grep": "refused"}),
        ("不要 timeout 了，换 refused", Standing("logs", PLANNED, {"grep": "timeout"}), {"grep": "refused"}),
        ("i only care about the past quarter of an hour", LOGS, {"since": 900}),
        ("时间放宽点，一整天", Standing("changes", PLANNED, {"since": 3600}), {"since": 86400}),
    ],
)
def test_a_clause_narrows_an_answer(text: str, standing: Standing, slots: dict[str, SlotValue]) -> None:
    meaning = said(text, standing)
    assert (meaning.route, changed(meaning)) == (Route.QUERY, slots)


def test_an_order_of_its_own_is_no_number_of_lines() -> None:
    assert [request.intent for request in said("scale it to 3", LOGS).requests] == ["scale"]
