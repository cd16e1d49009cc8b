"""The checker of cards and texts refuses what it is there to refuse."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.wecom.fake.limits import Rejected, check_card, check_text

GOOD: dict[str, Any] = {
    "card_type": "button_interaction",
    "main_title": {"title": "Title", "desc": "what it is about"},
    "sub_title_text": "more of it",
    "horizontal_content_list": [{"keyname": "风险", "value": "low"}],
    "button_list": [{"text": "确认", "style": 1, "key": "k1"}, {"text": "Cancel", "key": "k2"}],
    "task_id": "task-1",
}
STILL: dict[str, Any] = {
    "card_type": "text_notice",
    "main_title": {"title": "Title"},
    "card_action": {"type": 1, "url": "https://example.com"},
}


def test_good_cards_are_taken() -> None:
    assert check_card(GOOD) == GOOD
    assert check_card(STILL) == STILL


BAD = {
    "no card": ([], 40058),
    "a type nobody knows": ({**GOOD, "card_type": "hologram"}, 40058),
    "no task id": ({**GOOD, "task_id": None}, 42013),
    "a task id of other letters": ({**GOOD, "task_id": "任务"}, 42013),
    "a long task id": ({**GOOD, "task_id": "x" * 129}, 42013),
    "no title": ({**GOOD, "main_title": {}, "sub_title_text": ""}, 41016),
    "a wide title": ({**GOOD, "main_title": {"title": "标" * 27}}, 40058),
    "a wide description": ({**GOOD, "main_title": {"title": "x", "desc": "标" * 31}}, 40058),
    "a wide text": ({**GOOD, "sub_title_text": "标" * 113}, 40058),
    "a title that is a number": ({**GOOD, "main_title": {"title": 5}}, 40058),
    "seven rows": ({**GOOD, "horizontal_content_list": [{"keyname": "a", "value": "b"}] * 7}, 40058),
    "a row without a name": ({**GOOD, "horizontal_content_list": [{"value": "b"}]}, 40058),
    "a wide name": ({**GOOD, "horizontal_content_list": [{"keyname": "标" * 6}]}, 40058),
    "a wide value": ({**GOOD, "horizontal_content_list": [{"keyname": "a", "value": "标" * 27}]}, 40058),
    "no buttons": ({**GOOD, "button_list": []}, 42038),
    "seven buttons": ({**GOOD, "button_list": [{"text": "x", "key": str(n)} for n in range(7)]}, 42038),
    "a button without a text": ({**GOOD, "button_list": [{"key": "k"}]}, 42039),
    "a button without a key": ({**GOOD, "button_list": [{"text": "x"}]}, 42039),
    "two equal keys": ({**GOOD, "button_list": [{"text": "x", "key": "k"}] * 2}, 42039),
    "a long key": ({**GOOD, "button_list": [{"text": "x", "key": "k" * 1025}]}, 42039),
    "a wide label": ({**GOOD, "button_list": [{"text": "标" * 11, "key": "k"}]}, 40058),
    "a fifth style": ({**GOOD, "button_list": [{"text": "x", "key": "k", "style": 5}]}, 40058),
    "nowhere to lead": ({**STILL, "card_action": {}}, 42040),
    "an address that is none": ({**STILL, "card_action": {"type": 1, "url": "javascript:x"}}, 42040),
}


@pytest.mark.parametrize(("card", "code"), BAD.values(), ids=BAD)
def test_bad_cards_are_refused(card: Any, code: int) -> None:
    with pytest.raises(Rejected) as told:
        check_card(card)
    assert told.value.code == code


@pytest.mark.parametrize(("text", "code"), [("", 44004), (" \n", 44004), (None, 44004), ("扩" * 700, 45002)])
def test_bad_texts_are_refused(text: Any, code: int) -> None:
    with pytest.raises(Rejected) as told:
        check_text(text, most=2048)
    assert told.value.code == code
