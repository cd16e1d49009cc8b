"""Routes while a plan waits: the project's own utterances, class by class, and the rules between the classes."""

from collections import defaultdict

import pytest

from chatops_bot.app.evaluation.command import OWN_ROWS
from chatops_bot.app.evaluation.confirming import ROUTES
from chatops_bot.app.evaluation.prompts import plan_of
from chatops_bot.app.evaluation.rows import Answer, read
from chatops_bot.domain.intents import Asked, PendingPlan, Quantity, Route, State
from tests.unit.adapters.rules.speaking import INTERPRETER, PLANNED, RESTART, SCALE, answered, utterance

GROUPS: dict[tuple[str, str], list[str]] = defaultdict(list)
for _, row in read(OWN_ROWS).rows:
    assert isinstance(row, Answer)
    GROUPS[row.lang, row.label].append(row.text)


@pytest.mark.parametrize(("lang", "label"), sorted(GROUPS))
def test_every_own_utterance_takes_its_route(lang: str, label: str) -> None:
    wrong = {text: route.value for text in GROUPS[lang, label] if (route := answered(text).route) not in ROUTES[label]}

    assert not wrong


def test_there_are_enough_of_each() -> None:
    assert all(len(texts) >= 30 for texts in GROUPS.values())
    assert plan_of("Scale payment-api in prod from 4 to 6 replicas?").parameters == {"replicas": 6}


@pytest.mark.parametrize(
    ("text", "slots"),
    [
        ("make it 8", {"replicas": Quantity("to", 8)}),
        ("等一下，改成 3 个", {"replicas": Quantity("to", 3)}),
        ("two more", {"replicas": Quantity("by", 2)}),
        ("减一个", {"replicas": Quantity("by", -1)}),
        ("翻倍吧", {"replicas": Quantity("times", 2)}),
        ("yes but to 3", {"replicas": Quantity("to", 3)}),
        ("不是 6，是 5", {"replicas": Quantity("to", 5)}),
        ("改到预发", {"environment": "staging"}),
        ("only in the canary env", {"environment": "canary"}),
        ("先不要动 prod，改到预发", {"environment": "staging"}),
    ],
)
def test_a_change_carries_the_one_slot_that_changes(text: str, slots: dict[str, object]) -> None:
    meaning = answered(text)

    assert meaning.route is Route.MODIFY
    assert meaning.requests[0].intent == ""
    assert meaning.requests[0].slots == slots


def test_a_change_of_target_names_it_known_or_not() -> None:
    assert answered("换成 checkout").requests[0].name.matches  # type: ignore[union-attr]
    unknown = answered("use order-api instead").requests[0].name

    assert unknown is not None
    assert unknown.text == "order-api"
    assert not unknown.matches


def test_cancelling_wins_over_a_change_in_the_same_breath() -> None:
    assert answered("算了，改成 3 个").route is Route.CANCEL
    assert answered("forget it, make it 3").route is Route.CANCEL


def test_a_mere_no_before_a_change_is_part_of_it() -> None:
    assert answered("no, make it 3").route is Route.MODIFY
    assert answered("不，8 个").route is Route.MODIFY


@pytest.mark.parametrize(
    "text", ["restart it instead", "不扩了，重启吧", "never mind, roll it back", "cancel that and restart web"]
)
def test_another_order_is_a_switch_even_beside_a_cancel(text: str) -> None:
    meaning = answered(text)

    assert meaning.route is Route.SWITCH
    assert meaning.requests[0].intent in ("restart", "rollback")


def test_the_negation_of_the_plan_cancels_it() -> None:
    assert answered("don't restart, look first", RESTART).route is Route.CANCEL
    assert answered("别重启", RESTART).route is Route.CANCEL


@pytest.mark.parametrize("text", ["can I cancel later?", "怎么取消？", "能撤销吗", "what happens if I cancel?"])
def test_asking_about_cancelling_cancels_nothing(text: str) -> None:
    assert answered(text).route is Route.ASK


def test_a_question_carries_what_it_asks_for_or_the_plan() -> None:
    assert [request.intent for request in answered("先看下日志").requests] == ["logs"]
    assert [request.intent for request in answered("is this prod?").requests] == ["plan"]
    assert [request.intent for request in answered("when was the last scale up").requests] == ["changes"]


@pytest.mark.parametrize("text", ["bob approved it", "did she confirm?", "领导还没批", "等同事确认"])
def test_what_others_said_executes_nothing(text: str) -> None:
    assert answered(text).route in (Route.UNCLEAR, Route.CONFIRM)
    assert not answered(text).affirmative


def test_the_other_one_is_marked() -> None:
    meaning = answered("the other one")

    assert meaning.route is Route.MODIFY
    assert meaning.other
    assert answered("都确认", SCALE, RESTART).all


def test_while_approving_a_yes_is_unclear() -> None:
    meaning = answered("yes", state=State.APPROVING)

    assert meaning.route is Route.UNCLEAR
    assert not meaning.affirmative
    assert answered("取消", state=State.APPROVING).route is Route.CANCEL


@pytest.mark.parametrize("text", ["等下，先给我看看日志", "等等，帮我看下日志", "wait, show me the logs first"])
def test_waiting_words_before_a_question_to_the_bot_do_not_swallow_it(text: str) -> None:
    meaning = answered(text, RESTART)

    assert (meaning.route, [request.intent for request in meaning.requests]) == (Route.ASK, ["logs"])


def test_a_quoted_yes_confirms_nothing() -> None:
    assert answered("> yes").route is Route.UNCLEAR
    assert not answered("> yes").affirmative


@pytest.mark.parametrize("text", ["6", "make it 6", "六个"])
def test_a_question_that_is_open_beside_a_plan_can_be_answered(text: str) -> None:
    asked = Asked(user="alice", what=("replicas",))
    meaning = INTERPRETER.interpret(utterance(text, State.CONFIRMING, plans=(RESTART,), asked=asked, intent="scale"))

    assert (meaning.route, meaning.requests[0].slots) == (Route.MODIFY, {"replicas": Quantity("to", 6)})


def test_a_first_reason_is_a_change_and_a_further_one_is_none() -> None:
    meaning = answered("restart payment-api because of OOM", RESTART)
    assert (meaning.route, meaning.requests[0].slots) == (Route.MODIFY, {"reason": "OOM"})
    given = PendingPlan(action="restart", entity=PLANNED, reason="it leaks")
    further = answered("restart payment-api because of OOM", given)
    assert (further.route, further.affirmative) == (Route.CONFIRM, False)
    assert answered("yes", given).affirmative
