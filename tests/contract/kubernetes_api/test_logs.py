"""`pods/log`."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.contract.kubernetes_api.shop import Shop, causes, says

Json = dict[str, Any]


@pytest.fixture
def one(shop: Shop) -> str:
    """A pod that runs, and has written something; the path of its log."""
    path = shop.pod("one")
    shop.until(path, lambda pod: pod["status"]["phase"] == "Running")
    return f"{path}/log"


def lines(shop: Shop, path: str) -> list[str]:
    answer = shop.api.get(path)
    assert answer.status == 200, answer.text
    assert answer.headers["Content-Type"].startswith("text/plain")
    return answer.text.splitlines(keepends=True)


def test_the_tail_and_the_limit(shop: Shop, one: str) -> None:
    """The limit cuts the end of what was asked for: the newest lines are lost."""
    whole = lines(shop, one)
    assert len(whole) > 1
    assert lines(shop, f"{one}?tailLines=1") == whole[-1:]
    assert lines(shop, f"{one}?tailLines=0") == []
    assert lines(shop, f"{one}?tailLines=99") == whole
    assert lines(shop, f"{one}?limitBytes=5") == [whole[0][:5]]
    first = f"{whole[-2]}{whole[-1]}"[: len(whole[-2]) + 3].splitlines(keepends=True)
    assert lines(shop, f"{one}?tailLines=2&limitBytes={len(whole[-2]) + 3}") == first


def test_times(shop: Shop, one: str) -> None:
    whole = lines(shop, one)
    stamped = lines(shop, f"{one}?timestamps=true")
    for line, plain in zip(stamped, whole, strict=True):
        stamp, _, rest = line.partition(" ")
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", stamp)
        assert rest == plain
    assert lines(shop, f"{one}?sinceSeconds=1000") == whole
    assert lines(shop, f"{one}?sinceTime=2020-01-01T00:00:00Z") == whole
    assert lines(shop, f"{one}?sinceTime=2120-01-01T00:00:00Z") == []


@pytest.mark.parametrize(
    ("query", "cause"),
    [
        ("tailLines=-1", ("tailLines", "FieldValueInvalid")),
        ("limitBytes=0", ("limitBytes", "FieldValueInvalid")),
        ("sinceSeconds=0", ("sinceSeconds", "FieldValueInvalid")),
        ("sinceSeconds=5&sinceTime=2020-01-01T00:00:00Z", ("[]", "FieldValueForbidden")),
    ],
)
def test_numbers_that_make_no_sense(shop: Shop, one: str, query: str, cause: tuple[str, str]) -> None:
    answer = shop.api.get(f"{one}?{query}")
    assert causes(answer) == [cause]
    assert answer.json["message"].startswith('PodLogOptions "one" is invalid: ')


def test_a_number_that_is_none(shop: Shop, one: str) -> None:
    text = 'strconv.ParseInt: parsing "x": invalid syntax'
    assert says(shop.api.get(f"{one}?tailLines=x")) == (400, "BadRequest", text)


def test_a_run_or_a_container_that_never_was(shop: Shop, one: str) -> None:
    text = 'previous terminated container "main" in pod "one" not found'
    assert says(shop.api.get(f"{one}?previous=true")) == (400, "BadRequest", text)
    text = "container other is not valid for pod one"
    assert says(shop.api.get(f"{one}?container=other")) == (400, "BadRequest", text)
    missing = shop.api.get(shop.path("pods", "nope/log"))
    assert says(missing) == (404, "NotFound", 'pods "nope" not found')


def test_a_container_must_be_named_where_there_are_two(shop: Shop) -> None:
    containers = [{"name": "app", "image": "a:1"}, {"name": "proxy", "image": "p:1"}]
    path = shop.pod("two", containers=containers, initContainers=[{"name": "wait", "image": "i:1"}])
    shop.until(path, lambda pod: pod["status"]["phase"] == "Running")
    text = "a container name must be specified for pod two, choose one of: [wait app proxy]"
    assert says(shop.api.get(f"{path}/log")) == (400, "BadRequest", text)
    assert lines(shop, f"{path}/log?container=proxy")


def test_a_pod_that_no_node_has_taken_has_an_empty_log(shop: Shop) -> None:
    path = shop.pod("homeless", nodeSelector={"no": "where"})
    answer = shop.api.get(f"{path}/log")
    assert (answer.status, answer.text) == (204, "")
