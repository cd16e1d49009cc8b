"""What an order leaves out is never what it is done to: all but one, everywhere but there."""

import pytest

from chatops_bot.domain.places import environment_of_entity
from tests.unit.adapters.rules.test_wordings import meaning_of


@pytest.mark.parametrize(
    "text",
    [
        "rollback everything except checkout",
        "restart everything but checkout",
        "rollback anything other than checkout",
        "except for checkout, restart everything",
        "drain all nodes except node-3",
        "restart everything, but not checkout",
        "回滚除收银台以外的所有服务",
        "重启收银台以外的服务",
        "除了收银台都重启",
        "所有服务都重启，收银台除外",
        "排空除 node-3 以外的节点",
    ],
)
@pytest.mark.parametrize("lock", [None, "checkout"])
def test_all_but_one_is_no_order(text: str, lock: str | None) -> None:
    assert not [request for request in meaning_of(text, lock).requests if request.dangerous]


@pytest.mark.parametrize("text", ["restart search but not checkout", "restart search, not web"])
def test_one_but_not_the_other_is_an_order(text: str) -> None:
    assert "search" in [one.name.matches[0].entity.name for one in meaning_of(text).requests if one.name is not None]


@pytest.mark.parametrize(
    "text",
    [
        "重启非生产的web",
        "重启web除了生产",
        "restart web everywhere but prod",
        "restart web outside prod",
        "restart non-prod web",
        "重启web，不要在生产",
        "重启生产以外的web",
    ],
)
def test_a_place_that_is_left_out_is_not_the_place(text: str) -> None:
    (request,) = meaning_of(text).requests

    assert request.slots.get("environment") is None
    assert request.name is not None
    assert {environment_of_entity(one.entity) for one in request.name.matches} == {"staging"}


@pytest.mark.parametrize("text", ["restart checkout outside prod", "重启收银台，不要在生产"])
def test_what_is_nowhere_else_is_no_order(text: str) -> None:
    assert not meaning_of(text).requests


@pytest.mark.parametrize("text", ["restart web, prod is fine", "重启web，生产没问题"])
def test_a_place_that_is_only_told_of_is_not_the_place(text: str) -> None:
    (request,) = meaning_of(text).requests

    assert "environment" not in request.slots
