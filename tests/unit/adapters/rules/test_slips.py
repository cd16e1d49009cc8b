"""Slips of the thumb in the words that ask for something."""

import pytest

from chatops_bot.adapters.rules.text.reading import read
from chatops_bot.adapters.rules.text.spelling import slips
from tests.unit.adapters.rules.speaking import intents, said, slots, utterance


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("restrat web", "restart"),
        ("resatrt web", "restart"),
        ("restar web", "restart"),
        ("rollbak web", "rollback"),
        ("sclae web to 5", "scale"),
        ("lgos of web", "logs"),
        ("logz plz", "logs"),
        ("evnts of web", "events"),
        ("uncordn node-3", "uncordon"),
        ("cq 一下 web", "restart"),
        ("kr 到 5", "scale"),
        ("hg 吧", "rollback"),
        ("rizhi 看下", "logs"),
    ],
)
def test_what_was_meant_is_understood(text: str, intent: str) -> None:
    assert intents(text) == [intent]


@pytest.mark.parametrize("text", ["sale of web", "darin is on web", "the rever", "autoscale web between 2 and 5", "cq"])
def test_words_of_their_own_are_left(text: str) -> None:
    assert all(slip.meant not in ("scale", "drain", "revert", "autoscaler") for slip in slips(text, ()))


def test_names_are_never_put_right_and_stay_where_they_stand() -> None:
    reading = read(utterance("restrat order-db and sclae web to 5"))

    assert [name.text for name in reading.names] == ["order-db", "web"]
    for name in reading.names:
        assert reading.text[name.start : name.start + len(name.text)] == name.text
    assert [request.intent for request in said("restrat order-db and sclae web to 5").requests] == ["restart", "scale"]


def test_no_slip_is_seen_in_a_kept_part_or_an_image() -> None:
    assert slips("restrat", [(0, 7)]) == []
    assert slips("reg/restrat:1 'restrat' restrat-svc", ()) == []


@pytest.mark.parametrize("text", ["scale web two 5", "scale it too five", "scale up to 5"])
def test_dictation_hears_to_as_a_number(text: str) -> None:
    assert slots(text)["replicas"] == slots("scale web to 5")["replicas"]


def test_two_alone_is_a_number() -> None:
    assert slots("scale web to two")["replicas"] == slots("scale web to 2")["replicas"]
