"""One order for a service in two places is two orders, each with the value that is said for its place; what is put
right is one."""

import pytest

from chatops_bot.domain.intents import Quantity
from tests.unit.adapters.rules.test_wordings import meaning_of


@pytest.mark.parametrize(
    "text",
    [
        "restart web in prod and staging",
        "restart web in prod, then staging",
        "restart web in prod and then in staging",
        "restart web in prod, also in staging",
        "重启生产的web，然后预发",
        "重启生产的web，预发也是",
        "重启生产的web，预发也来一下",
    ],
)
def test_each_place_has_its_own(text: str) -> None:
    requests = meaning_of(text).requests

    assert [request.intent for request in requests] == ["restart", "restart"]
    assert [request.slots.get("environment") for request in requests] == ["prod", "staging"]


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("scale web in prod to 4, staging to 2", (4, 2)),
        ("scale web in prod to 4, and also in staging", (4, 4)),
        ("生产的web扩到4，预发2个", (4, 2)),
    ],
)
def test_and_its_own_value(text: str, counts: tuple[int, int]) -> None:
    first, second = meaning_of(text).requests

    assert (first.slots["environment"], first.slots["replicas"]) == ("prod", Quantity("to", counts[0]))
    assert (second.slots["environment"], second.slots["replicas"]) == ("staging", Quantity("to", counts[1]))


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("restart web in prod, no, staging", "staging"),
        ("restart web in prod, actually staging", "staging"),
        ("restart web in prod, staging is fine", "prod"),
        ("restart web in prod, not staging", "prod"),
    ],
)
def test_what_is_put_right_is_one(text: str, place: str) -> None:
    (request,) = meaning_of(text).requests

    assert request.slots["environment"] == place


@pytest.mark.parametrize("text", ["restart web, not in prod, in staging", "重启web，别动生产，预发的"])
def test_a_place_that_is_ruled_out_is_none_of_them(text: str) -> None:
    (request,) = meaning_of(text).requests

    assert request.slots["environment"] == "staging"
