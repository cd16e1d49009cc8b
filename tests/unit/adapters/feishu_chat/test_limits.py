"""The checker of the fake: what it refuses is what Feishu's pages and public reports say is refused."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from chatops_bot.adapters.feishu.fake import limits

Json = dict[str, Any]

BUTTON: Json = {
    "tag": "button",
    "text": {"tag": "plain_text", "content": "Confirm"},
    "type": "primary",
    "behaviors": [{"type": "callback", "value": {"button": "confirm"}}],
}
TABLE: Json = {
    "tag": "table",
    "page_size": 5,
    "columns": [{"name": "pod", "display_name": "Pod", "data_type": "text"}],
    "rows": [{"pod": "web-1"}],
}
WORDS: Json = {"tag": "div", "text": {"tag": "plain_text", "content": "hello"}}


def card(*elements: Json, **more: Any) -> Json:
    made: Json = {
        "schema": "2.0",
        "config": {"update_multi": True},
        "header": {"title": {"tag": "plain_text", "content": "web"}, "template": "blue"},
        "body": {"elements": list(elements) or [WORDS]},
    }
    return {**made, **more}


def without(part: Json, name: str) -> Json:
    return {key: value for key, value in part.items() if key != name}


def row(*elements: Json) -> Json:
    return {"tag": "column_set", "columns": [{"tag": "column", "elements": [one]} for one in elements]}


@pytest.mark.parametrize(
    "good",
    [
        card(),
        card(WORDS, BUTTON, TABLE, row(BUTTON, WORDS), {"tag": "hr"}),
        card(*[TABLE] * limits.TABLES),
        card(*[WORDS] * 99),
        card({"tag": "markdown", "content": "<at id=ou_1></at> **x**"}),
        without(card(), "header"),
    ],
)
def test_a_card_of_json_2_is_taken(good: Json) -> None:
    assert limits.read_card(json.dumps(good)) == good


@pytest.mark.parametrize(
    ("bad", "code", "words"),
    [
        (card(schema="1.0"), 230099, "schema"),
        (card(elements=[WORDS]), 230099, "unknown property elements"),
        (card(body={"elements": []}), 230099, "no elements"),
        (card(body=None), 230099, "no elements"),
        (card(header={"template": "blue"}), 230099, "no title"),
        (card(header={"title": {"tag": "plain_text", "content": ""}}), 230099, "no title"),
        (card(header={"title": {"tag": "plain_text", "content": "x"}, "template": "pink"}), 230099, "template"),
        (card(*[WORDS] * 100), 230099, "element exceeds the limit"),
        (card(*[TABLE] * 6), 230099, "card table number over limit"),
        (card({"tag": "action", "actions": [BUTTON]}), 230099, "unsupported tag action"),
        (card({"tag": "note", "elements": []}), 230099, "unsupported tag note"),
        (card({"text": "x"}), 230099, "no tag"),
        (card(row(TABLE)), 230099, "table stands in"),
        (card({"tag": "plain_text", "content": "x"}), 230099, "stands among elements"),
        (card({"tag": "column_set", "columns": []}), 230099, "no columns"),
        (card({"tag": "column_set", "columns": [WORDS]}), 230099, "something else"),
        (card(without(BUTTON, "behaviors")), 230099, "does nothing"),
        (card({**BUTTON, "value": {}}), 230099, "behaviors"),
        (card({**BUTTON, "type": "warning"}), 230099, "button type"),
        (card({**BUTTON, "behaviors": [{"type": "callback", "value": "x"}]}), 230099, "no object"),
        (card({**BUTTON, "behaviors": [{"type": "ring"}]}), 230099, "behavior"),
        (card({**BUTTON, "text": {"tag": "plain_text", "content": ""}}), 230099, "no text"),
        (card({**TABLE, "page_size": 11}), 230099, "page_size"),
        (card({**TABLE, "rows": [{"node": "x"}]}), 230099, "unknown columns"),
        (card({**TABLE, "rows": [{"pod": 1}]}), 230099, "no string"),
        (card({**TABLE, "columns": TABLE["columns"] * 2}), 230099, "names of their own"),
        (card({**TABLE, "columns": []}), 230099, "no columns"),
        (card({"tag": "markdown", "content": ""}), 230099, "empty"),
        (card({"tag": "markdown", "content": "<at id='x'>"}), 230099, "invalid at"),
        (card({"tag": "div"}), 230099, "no text"),
        (card({"tag": "div", "text": {"tag": "plain_text"}}), 230099, "no content"),
        (card({"tag": "div", "text": {"tag": "plain_text", "content": "x", "text_size": "huge"}}), 230099, "text_size"),
    ],
)
def test_what_is_not_a_card_is_refused(bad: Json, code: int, words: str) -> None:
    with pytest.raises(limits.CardError, match=words) as caught:
        limits.check(copy.deepcopy(bad))
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("content", "code"), [({}, 230001), (None, 230001), ("{", 230001), ("[]", 230099), ('"x"', 230099)]
)
def test_content_is_a_string_of_json(content: object, code: int) -> None:
    with pytest.raises(limits.CardError) as caught:
        limits.read_card(content)
    assert caught.value.code == code


def test_what_a_button_carries_is_not_part_of_the_card() -> None:
    sly = {**BUTTON, "behaviors": [{"type": "callback", "value": {"tag": "action", "button": "x"}}]}
    limits.check(card(sly))
    assert [part["tag"] for part in limits.tags(sly)] == ["button", "plain_text"]


def test_whom_a_card_rings() -> None:
    made = card({"tag": "markdown", "content": "<at id=ou_1></at> <at id=all></at>"}, WORDS)
    assert limits.rung(made) == ["ou_1", "all"]
    assert not limits.shared(card(config={"update_multi": False}))
    assert not limits.shared(without(card(), "config"))
