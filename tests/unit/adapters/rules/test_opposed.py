"""Leaving, waiting and turning elsewhere in words that nobody listed. None of it may confirm."""

import time

import pytest

from chatops_bot.adapters.rules import opposed
from chatops_bot.domain.intents import PendingPlan, Route
from tests.unit.adapters.rules.speaking import PLANNED, RESTART, SCALE, answered

PAUSE = PendingPlan(action="pause", entity=PLANNED)

LEAVES = {
    "absolutely not, the batch runs on it": SCALE,
    "ugh, that's a no": SCALE,
    "it healed on its own": RESTART,
    "false positive, everybody relax": RESTART,
    "keep it as is": SCALE,
    "dont you dare touch that": RESTART,
    "let it finish": PAUSE,
    "keep 4": SCALE,
    "绝对不行": SCALE,
    "谁都不许动它": RESTART,
    "报错没了，散了吧": RESTART,
    "一重启全站都得重新登录": RESTART,
    "让它继续发": PAUSE,
    "这事没得谈": SCALE,
}
WAITS = {
    "研发还在查，再给他们五分钟": RESTART,
    "要是零点前降不下来就重启": RESTART,
    "我再核对一下": SCALE,
    "let me fail over the primary first": RESTART,
    "still comparing the two configs": SCALE,
    "let Kim get online before we touch it": RESTART,
}
TURNS = {
    "no need to scale, a restart will do": SCALE,
    "instead of restarting just roll it back": RESTART,
    "wrong thing, I wanted a rollback": SCALE,
    "光扩没用，直接回滚": SCALE,
}
AGREES = {
    "ofc": SCALE,
    "obviously yes": SCALE,
    "do ittt": SCALE,
    "crank it up": SCALE,
    "reboot": RESTART,
    "可以的呢亲": SCALE,
    "启它": RESTART,
    "没啥风险，执行": RESTART,
    "quota checked, 40 cores spare, do it": SCALE,
}
DOUBTFUL = {
    "4 cores, go": SCALE,
    "滚": PendingPlan(action="rollback", entity=PLANNED, parameters={"revision": 3}),
    "随便搞": RESTART,
    "加到十几个，执行": SCALE,
    "reboot web": RESTART,
    "reboot?": RESTART,
    "ofc not": SCALE,
    "as you wish, but later": SCALE,
    "可不是": SCALE,
    "我改好了参数，执行": SCALE,
    "half an hour, then go": SCALE,
}
ASKS = ("够用吗", "is it on its own node", "would it break anything?")


@pytest.mark.parametrize(("text", "plan"), LEAVES.items())
def test_a_refusal_in_any_words_leaves_the_plan(text: str, plan: PendingPlan) -> None:
    assert answered(text, plan).route is Route.CANCEL


@pytest.mark.parametrize(("text", "plan"), WAITS.items())
def test_what_has_still_to_come_keeps_the_plan(text: str, plan: PendingPlan) -> None:
    assert answered(text, plan).route is Route.UNCLEAR


@pytest.mark.parametrize(("text", "plan"), TURNS.items())
def test_another_action_in_place_of_the_plan_is_turned_to(text: str, plan: PendingPlan) -> None:
    assert answered(text, plan).route is Route.SWITCH


@pytest.mark.parametrize(("text", "plan"), AGREES.items())
def test_curt_assent_confirms(text: str, plan: PendingPlan) -> None:
    meaning = answered(text, plan)
    assert (meaning.route, meaning.affirmative) == (Route.CONFIRM, True)


@pytest.mark.parametrize(("text", "plan"), DOUBTFUL.items())
def test_what_only_resembles_assent_confirms_nothing(text: str, plan: PendingPlan) -> None:
    meaning = answered(text, plan)
    assert meaning.route is not Route.CONFIRM
    assert not meaning.affirmative


@pytest.mark.parametrize("text", ASKS)
def test_a_question_leaves_nothing(text: str) -> None:
    assert answered(text, SCALE).route is not Route.CANCEL


@pytest.mark.parametrize("unit", ["no ", "!别 ", "重启了", "等", "if ", "let ab ", "\n", "keep ", "roll "])
def test_forty_thousand_characters_are_read_at_once(unit: str) -> None:
    text = "!" + (unit * 40_000)[:40_000] + "x"
    begun = time.process_time()
    opposed.refuses(text, RESTART), opposed.lets_be(text, RESTART), opposed.waits(text), opposed.turns(text, RESTART)
    assert time.process_time() - begun < 2
