"""The learned weights: how they are read and summed, and what an answer looks like to them."""

import pytest

from chatops_bot.adapters.rules.answers import features
from chatops_bot.adapters.rules.answers.weights import learned, likelihoods, parse
from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.domain.intents import PendingPlan, Request, Route
from tests.unit.adapters.rules.speaking import RESTART, SCALE, utterance

TABLE = parse("labels\tabc\tcancel\tconfirm\nbias\t0\t-50\n1 yes\t-200\t300\nrules cancel\t900\t0\n")


def words(text: str, plan: PendingPlan = SCALE) -> frozenset[str]:
    return features.words(read(utterance(text, plans=(plan,))), plan)


def test_a_table_tells_its_labels_and_what_it_was_learned_of() -> None:
    assert TABLE.labels == ("cancel", "confirm")
    assert TABLE.rows == "abc"
    assert TABLE.of["1 yes"] == (-200, 300)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "not whole"),
        ("labels\tabc\tcancel\tconfirm\nbias\t0", "not whole"),
        ("labels\tabc\tcancel\tconfirm\nbias\t0\n", "line 2"),
        ("bias\t0\t0\n", "not whole"),
    ],
    ids=["empty", "cut off", "a number is missing", "no heading"],
)
def test_a_table_that_is_not_whole_is_told(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        parse(text)


def test_what_speaks_for_a_label_makes_it_likelier() -> None:
    yes = likelihoods(["1 yes"], [], TABLE)
    nothing = likelihoods([], [], TABLE)

    assert yes["confirm"] > 0.99
    assert nothing["cancel"] > nothing["confirm"]
    assert sum(yes.values()) == pytest.approx(1)


def test_words_count_for_less_the_more_there_are_of_them() -> None:
    alone = likelihoods(["1 yes"], [], TABLE)
    among_others = likelihoods(["1 yes", *(f"1 word{number}" for number in range(99))], [], TABLE)

    assert alone["confirm"] > among_others["confirm"] > 0.5


def test_what_the_rules_found_counts_in_full() -> None:
    assert likelihoods(["1 yes"], ["rules cancel"], TABLE)["cancel"] < 0.5
    assert likelihoods([*"abcdefghijklmno", "1 yes"], ["rules cancel"], TABLE)["cancel"] > 0.9


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("payment-api", "1 〖own〗"),
        ("checkout", "1 〖other〗"),
        ("6 it is", "1 〘p〙"),
        ("leave it at 4", "1 〘b〙"),
        ("9 it is", "1 〘n〙"),
        ("扩容", "1 〚v〛"),
        ("scale up", "1 〚v〛"),
        ("缩容", "2 〚o〛 缩"),
        ("重启", "2 〚o〛 重"),
    ],
)
def test_names_numbers_and_verbs_are_seen_from_the_plan(text: str, mark: str) -> None:
    assert mark in words(text)


def test_the_same_verb_is_another_to_another_plan() -> None:
    assert "1 〚v〛" in words("重启", RESTART)
    assert "1 〚v〛" not in words("重启", SCALE)


def test_a_typo_shares_pieces_with_its_word() -> None:
    assert words("confrim") & words("confirm") & {"~ con"}


def test_what_the_rules_made_of_it_is_told() -> None:
    reading = read(utterance("restart it? no, 9", plans=(SCALE,)))
    signs = features.signs(reading, SCALE, Route.SWITCH, [Request("restart", slots={"replicas": 9}), Request("scale")])

    assert {
        "rules switch",
        "rules switch: restart+same",
        "rules switch, values: True",
        "mark: question",
        "mark: veto",
        "mark: foreign number",
    } <= signs


def test_the_package_carries_a_table_for_every_route_that_may_be_overruled() -> None:
    assert set(learned().labels) == {"cancel", "confirm", "hold", "modify", "question", "switch"}
    assert len(learned().of) > 10_000
