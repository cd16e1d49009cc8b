"""What a button's key carries, there and back."""

import pytest

from chatops_bot.adapters.wecom.buttons import Carried, decode, encode
from chatops_bot.domain.cards import Button


@pytest.mark.parametrize(
    "button",
    [
        Button("confirm", "Confirm", token="tok"),
        Button("service:支付", "支付", value="prod/payments/deployment/支付"),
        Button("x", "x", value='a "quoted" <tag> & ]]> value'),
        Button("", ""),
    ],
)
def test_a_key_brings_everything_back(button: Button) -> None:
    key = encode(button, thread="t-1", taken=set())
    assert decode(key) == Carried(button=button.id, thread="t-1", token=button.token, value=button.value)
    assert not set("<>&") & set(key)


def test_two_buttons_that_are_alike_have_keys_of_their_own() -> None:
    taken: set[str] = set()
    keys = [encode(Button("logs", "Logs"), thread="t", taken=taken) for _ in range(3)]
    assert len(set(keys)) == 3
    assert [decode(key).n for key in keys] == [0, 1, 2]


@pytest.mark.parametrize("key", ["confirm", "", "{", "[1]", '{"t": "t"}', '{"b": 5}', "\u200b"])
def test_a_key_of_somebody_else_carries_nothing(key: str) -> None:
    assert decode(key) == Carried(button=key)
