"""The neutral card as markdown and as a template card, within every limit that the fake holds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.adapters.wecom.fake.limits import APP_BYTES, ROBOT_BYTES, check_card, check_text
from chatops_bot.adapters.wecom.render import APP_PARTS, APP_TEXT, ROBOT_TEXT, Shown, parts, render
from chatops_bot.adapters.wecom.text import size
from chatops_bot.domain.cards import Block, Button, Card, Code, Fields, Link, Links, Note, Picture, Table, Text
from tests.fakes.pictures import PICTURES, picture

LINK = "https://example.com/"


def shown(card: Card, **more: Any) -> Shown:
    return render(card, thread="t-1", link=LINK, **more)


def card(*blocks: Block, title: str = "Title", **more: Any) -> Card:
    return Card(title=title, language="en", blocks=blocks, **more)


BUTTONS = (Button("confirm", "Confirm", "danger", "tok"), Button("cancel", "Cancel"))


def test_a_small_card_says_everything_by_itself() -> None:
    view = shown(card(Text("From 2 to 5"), Fields((("Risk", "low"),)), buttons=BUTTONS))
    assert view.whole
    assert view.card is not None
    assert view.card["main_title"] == {"title": "🔵 Title", "desc": "From 2 to 5"}
    assert view.card["horizontal_content_list"] == [{"keyname": "Risk", "value": "low"}]
    assert [button["style"] for button in view.card["button_list"]] == [3, 2]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "blocks",
    [
        (Table((("a", "b"), ("c", "d"))),),
        (Code("x"),),
        (picture(),),
        (Links((Link("Silence", "http://am/#/x"),)),),
        (Text("x" * 300),),
        (Fields(tuple((f"k{n}", "v") for n in range(7))),),
        (Fields((("a label that is long", "v"),)),),
        (Fields((("k", "v" * 60),)),),
    ],
)
def test_what_does_not_fit_is_not_whole_and_is_in_the_text(blocks: tuple[Block, ...]) -> None:
    view = shown(card(*blocks, buttons=BUTTONS))
    assert not view.whole
    for block in blocks:
        assert all(text in view.text for text in _texts(block))


def _texts(block: Block) -> list[str]:
    match block:
        case Text(text=text) | Note(text=text) | Code(text=text):
            return [text]
        case Fields(rows=rows) | Table(rows=rows):
            return [cell for row in rows for cell in row]
        case Links(links=links):
            return [link.url for link in links]
        case Picture():
            return [*block.lines]


def test_a_card_without_buttons_is_text_and_a_still_card() -> None:
    view = shown(card(Text("hello")))
    assert view.card is None
    assert view.text == "**🔵 Title**\nhello"
    assert view.keyed("task")["card_action"] == {"type": 1, "url": LINK}


def test_a_link_is_one_whatever_its_label_says() -> None:
    view = shown(card(Links((Link("Silence](http://evil) @all", "http://am:9093/#/x"),))))
    assert "> [Silence (http://evil) @\u200ball (am:9093)](http://am:9093/#/x)" in view.text
    assert not view.whole


def test_code_gives_way_before_words_do() -> None:
    blocks = (Text("the verdict"), Code("\n".join(f"line {n}" for n in range(5000))), Note("small print"))
    view = shown(card(*blocks), limit=2000)
    assert size(view.text) <= 2000
    assert "the verdict" in view.text
    assert "small print" in view.text
    assert "line 0" in view.text
    assert "more lines" in view.text
    assert view.text.count("```") == 2


def test_words_that_are_too_many_are_counted() -> None:
    view = shown(card(Text("\n".join(f"sentence {n}" for n in range(5000)))), limit=2000)
    assert size(view.text) <= 2000
    assert "more lines" in view.text


def test_a_replacement_says_so() -> None:
    for language, words in (("zh", "上一张的按钮已失效"), ("en", "buttons are void")):
        view = render(Card(title="T", language=language, buttons=BUTTONS), thread="t", link=LINK, replaces=True)  # type: ignore[arg-type]
        assert words in view.text
        assert words in str(view.card)


def test_buttons_that_decide_come_before_choices() -> None:
    choices = tuple(Button(f"choose:{n}", f"to {n}", value=str(n)) for n in range(8))
    view = shown(card(buttons=(*choices, *BUTTONS)))
    assert view.card is not None
    assert [button["text"] for button in view.card["button_list"]] == [  # type: ignore[attr-defined]
        "to 0",
        "to 1",
        "to 2",
        "to 3",
        "Confirm",
        "Cancel",
    ]
    assert "to 4 / to 5 / to 6 / to 7" in view.text
    assert not view.whole


def test_a_label_that_is_cut_is_said_in_full() -> None:
    label = "payment-service-internal (payments, prod-east)"
    view = shown(card(buttons=(Button("service:x", label),)))
    assert view.card is not None
    assert view.card["button_list"][0]["text"].endswith("…")  # type: ignore[index]
    assert label in view.text


def test_a_button_whose_key_is_too_long_is_said_to_be_typed() -> None:
    view = shown(card(buttons=(Button("service:x", "huge", value="v" * 2000), *BUTTONS)))
    assert view.card is not None
    assert "huge" not in str(view.card)
    assert "huge" in view.text


def test_the_text_of_an_application_comes_in_parts() -> None:
    view = shown(card(Code("\n".join(f"line {n}" for n in range(5000)))), limit=APP_TEXT * APP_PARTS - 400)
    pieces = parts(view.text)
    assert len(pieces) <= APP_PARTS
    assert all(size(piece) <= APP_BYTES for piece in pieces)
    assert "more lines" in pieces[-1]


texts = st.text(st.characters(codec="utf-8"), max_size=400)
blocks = st.one_of(
    st.builds(Text, texts, st.booleans()),
    st.builds(Note, texts),
    PICTURES,
    st.builds(Code, st.text(st.characters(codec="utf-8"), max_size=4000)),
    st.builds(Fields, st.lists(st.tuples(texts, texts), max_size=9).map(tuple)),
    st.builds(Table, st.lists(st.lists(texts, max_size=4).map(tuple), max_size=9).map(tuple)),
)
buttons = st.builds(Button, texts, texts, st.sampled_from(["default", "primary", "danger"]), texts, texts)
cards = st.builds(
    Card,
    title=texts,
    language=st.sampled_from(["zh", "en"]),
    tone=st.sampled_from(["info", "ok", "warn", "danger", "muted"]),
    blocks=st.lists(blocks, max_size=6).map(tuple),
    buttons=st.lists(buttons, max_size=10).map(tuple),
    mention=st.lists(texts, max_size=3).map(tuple),
)


@settings(max_examples=150, deadline=None)
@given(cards, st.booleans())
def test_every_card_keeps_within_every_limit(any_card: Card, replaces: bool) -> None:
    for limit, most in ((ROBOT_TEXT, ROBOT_BYTES), (APP_TEXT * APP_PARTS - 400, APP_BYTES * APP_PARTS)):
        view = shown(any_card, limit=limit, replaces=replaces)
        check_text(view.text, most=most)
        check_card(view.keyed("task-1"))
        check_card({**view.still, "task_id": "task-1"})
        for part in parts(view.text):
            assert size(part) <= APP_BYTES or limit == ROBOT_TEXT
        assert "<@" not in str(view.card)
