"""What a button carries there and back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.adapters.slack import buttons
from chatops_bot.domain.cards import Button

ANY = st.text(max_size=300)


@given(st.lists(st.tuples(st.text(min_size=1, max_size=300), ANY, ANY), min_size=1, max_size=6), ANY)
def test_a_click_brings_back_what_the_button_was_given(made: list[tuple[str, str, str]], thread: str) -> None:
    taken: set[str] = set()
    for id_, token, value in [*made, *made]:
        button = Button(id=id_, label="x", token=token, value=value)
        shown_as = buttons.action_id(button, taken)
        text = buttons.encode(button, thread=thread, shown_as=shown_as)
        assert 1 <= len(shown_as) <= 255
        assert not set("<>&") & set(text)
        back, carried = buttons.decode(text, shown_as)
        assert (back, carried.thread, carried.token, carried.value) == (id_, thread, token, value)
    assert len(taken) == 2 * len(made)


def test_the_first_button_of_an_id_keeps_it() -> None:
    taken: set[str] = set()
    assert [buttons.action_id(Button(id="confirm", label="x"), taken) for _ in range(3)] == [
        "confirm",
        "confirm#2",
        "confirm#3",
    ]


def test_a_value_of_somebody_else_carries_nothing() -> None:
    for value in ("", "legacy-17", "[1]", '{"token": "t"}', '{"thread": 5}'):
        assert buttons.decode(value, "confirm") == ("confirm", buttons.Carried(thread=""))
