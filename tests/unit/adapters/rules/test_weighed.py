"""Where learned weights overrule the rules below a plan, and what they can never do."""

import msgspec
import pytest

from chatops_bot.adapters.rules.answers.by_rules import by_rules
from chatops_bot.adapters.rules.answers.weighed import LONGEST, judge
from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.domain.intents import Asked, Quantity, Route, State, Utterance
from tests.unit.adapters.rules.speaking import RESTART, SCALE, utterance

REASONED = "certs didn't change since tuesday so six is fine with me, yes"
"""A yes with reasons in words of its own: none that the guard knows."""


def below(text: str, **changes: object) -> Utterance:
    return msgspec.structs.replace(utterance(text, State.CONFIRMING, plans=(SCALE,)), **changes)


def judged(said: Utterance) -> Route:
    return judge(read(said), said).route


@pytest.mark.parametrize(
    ("text", "route"),
    [
        (REASONED, Route.CONFIRM),
        ("队列一直在涨，配额也够，那就上吧没毛病", Route.CONFIRM),
        ("we're good, traffic dropped by itself, no point anymore", Route.CANCEL),
        ("流量自己下来了，没这个必要了", Route.CANCEL),
        ("mark has to see this before anything moves", Route.UNCLEAR),
    ],
)
def test_words_that_no_rule_lists_are_placed(text: str, route: Route) -> None:
    assert judged(below(text)) is route


def test_a_yes_of_the_weights_never_has_the_key_of_the_guard() -> None:
    verdict = judge(read(below(REASONED)), below(REASONED))

    assert verdict.route is Route.CONFIRM
    assert not verdict.affirmative


def test_a_plain_yes_stays_one() -> None:
    assert judge(read(below("yes")), below("yes")).affirmative


@pytest.mark.parametrize(
    "changes",
    [
        {"state": State.APPROVING},
        {"plans": (SCALE, RESTART)},
        {"asked": Asked(what=("replicas",), user="u")},
    ],
    ids=["approving", "two plans", "asked"],
)
def test_only_an_answer_to_one_plan_is_weighed(changes: dict[str, object]) -> None:
    said = below(REASONED, **changes)

    assert judge(read(said), said) == by_rules(read(said), said)


def test_what_is_long_is_left_to_the_rules() -> None:
    said = below(f"{REASONED}, {'and again ' * (LONGEST // 10)}")

    assert judge(read(said), said) == by_rules(read(said), said)


def test_calling_a_person_is_never_overruled() -> None:
    said = below("get me a human, yes yes go")

    assert judged(said) is by_rules(read(said), said).route is Route.HAND_OFF


def test_numbers_and_names_are_those_that_the_rules_read() -> None:
    said = below("nah seven, not that many pods fit on there")
    verdict = judge(read(said), said)

    assert verdict.route is Route.MODIFY
    assert verdict.requests[0].slots == {"replicas": Quantity("to", 7)}
