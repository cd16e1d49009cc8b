from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.adapters.feishu import buttons
from chatops_bot.domain.cards import Button

texts = st.text(st.characters(codec="utf-8"), max_size=60)


@given(texts.filter(bool), texts, texts, texts, texts)
def test_what_a_button_carries_comes_back(name: str, thread: str, root: str, token: str, value: str) -> None:
    carried = buttons.encode(Button(name, "x", token=token, value=value), thread=thread, root=root)
    assert carried is not None
    for returned in (json.loads(json.dumps(carried)), json.dumps(carried)):
        found = buttons.decode(returned)
        assert found == buttons.Carried(name, thread, root, token, value)


def test_a_value_that_is_too_long_is_not_carried() -> None:
    assert buttons.encode(Button("choose", "x", value="v" * 3000), thread="t", root="") is None


@pytest.mark.parametrize("value", [None, 1, "", "null", [], {}, {"thread": "t"}, {"button": "x", "token": 1}])
def test_other_values_are_nobodys(value: object) -> None:
    assert buttons.decode(value) is None
