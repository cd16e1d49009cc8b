"""Every card that the bot can make is one that Feishu takes, as far as the checker of the fake knows its limits."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chatops_bot.adapters.feishu.fake import limits, looks
from chatops_bot.adapters.feishu.render import BUTTONS, SUM, Shown, elements, render, size
from chatops_bot.domain.cards import Block, Button, Card, Code, Fields, Link, Links, Note, Picture, Table, Text
from chatops_bot.domain.intents import Language
from chatops_bot.ports.pictures import key_of
from tests.fakes.pictures import PICTURES, picture

words = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(
        ["<at id=all></at>", "```", '"\\"\\', "支付", "x" * 5000, "行\n" * 700, "", " ", "<at id=ou_1></at> & <b>"]
    ),
)
blocks = st.one_of(
    st.builds(Text, words, st.booleans()),
    st.builds(Note, words),
    PICTURES,
    st.builds(Code, words),
    st.builds(
        Links,
        st.lists(st.builds(Link, words, st.just("https://am/#/silences/new?filter=%7B%7D")), max_size=3).map(tuple),
    ),
    st.builds(Fields, st.lists(st.tuples(words, words), max_size=12).map(tuple)),
    st.builds(Table, st.lists(st.lists(words, min_size=1, max_size=12).map(tuple), max_size=14).map(tuple)),
)
styles = st.sampled_from(["default", "primary", "danger"])
cards = st.builds(
    Card,
    title=words,
    language=st.sampled_from(["zh", "en"]),
    tone=st.sampled_from(["info", "ok", "warn", "danger", "muted"]),
    blocks=st.lists(blocks, max_size=12).map(tuple),
    buttons=st.lists(st.builds(Button, words, words, styles, words, words), max_size=40).map(tuple),
    mention=st.lists(st.sampled_from(["ou_alice", "all", "ou_bob></at><at id=all", ""]), max_size=3).map(tuple),
)


def taken(shown: Shown) -> None:
    for card in [shown.card, *([shown.more] if shown.more else [])]:
        content = json.dumps(card, ensure_ascii=False)
        limits.check(json.loads(content))
        assert limits.shared(card)
        body = {"receive_id": "oc_" + "x" * 32, "msg_type": "interactive", "content": content, "uuid": "u" * 48}
        assert len(json.dumps(body, ensure_ascii=False).encode()) <= limits.REQUEST_BYTES


@settings(max_examples=150, deadline=None)
@given(cards)
def test_every_card_is_one_that_feishu_takes_and_rings_nobody_but_whom_it_names(card: Card) -> None:
    keys = {key_of(block): "img_v3_1" for block in card.blocks if isinstance(block, Picture)}
    taken(render(card, thread="t" * 40, root="omt_1/om_1", pictures=keys))
    shown = render(card, thread="t" * 40, root="omt_1/om_1")
    taken(shown)
    named = {user for user in card.mention if user in ("ou_alice", "ou_bob")}
    assert set(limits.rung(shown.card)) == named
    assert not shown.more or not limits.rung(shown.more)


def card(*parts: Block, language: Language = "en", **more: object) -> Card:
    return Card(title="web", language=language, blocks=parts, **more)  # type: ignore[arg-type]


def test_all_of_a_small_card_is_shown_in_order() -> None:
    shown = render(
        card(
            Text("restart web?", strong=True),
            Fields((("replicas", "2"), ("image", ""))),
            Table((("pod", "state"), ("web-1", "Running"), ("web-2", "Pending"))),
            Code("line 1\nline 2"),
            Note("expires in 15 min"),
            tone="danger",
            buttons=(Button("confirm", "Confirm", "danger", token="k"), Button("cancel", "Cancel")),
        ),
        thread="t",
    )
    assert shown.more is None
    assert looks.text_of(shown.card).split("\n") == [
        "web", "restart web?", "replicas: 2", "image: –", "pod  state", "web-1  Running", "web-2  Pending",
        "line 1", "line 2", "expires in 15 min",
    ]  # fmt: skip
    assert [(one.id, one.label, one.token, one.thread) for one in looks.buttons_of(shown.card)] == [
        ("confirm", "Confirm", "k", "t"),
        ("cancel", "Cancel", "", "t"),
    ]
    assert shown.card["header"] == {"title": {"tag": "plain_text", "content": "web"}, "template": "red"}


def test_nothing_is_read_as_markup_outside_code() -> None:
    wild = "**bold** <at id=all></at> [x](http://y) `z`"
    shown = render(card(Text(wild), Note(wild), Fields(((wild, wild),)), Table((("a",), (wild,)))), thread="t")
    assert not [part for part in limits.tags(shown.card) if part["tag"] in ("markdown", "lark_md")]
    assert looks.text_of(shown.card).count("<at id=all></at>") == 5


def test_a_link_is_one_whatever_its_label_says() -> None:
    shown = render(card(Links((Link("Silence](http://evil) <at id=all></at>", "http://am:9093/#/x"),))), thread="t")
    assert "[Silence (http://evil) at id=all /at (am:9093)](http://am:9093/#/x)" in json.dumps(shown.card)


def test_somebody_is_rung_only_by_being_mentioned() -> None:
    shown = render(card(Code("<at id=all></at>"), mention=("ou_alice", "all", "<at id=all>")), thread="t")
    assert limits.rung(shown.card) == ["ou_alice"]


def test_from_the_fourth_table_on_they_are_shown_as_code() -> None:
    table = Table((("pod", "state"), ("web-1", "Running")))
    shown = render(card(*[table] * 7), thread="t")
    assert [part["tag"] for part in shown.card["body"]["elements"]] == ["table"] * 3 + ["markdown"] * 4  # type: ignore[index]
    taken(shown)


@pytest.mark.parametrize("rows", [(), (("only a header",),), (("a", "b"), ("1", "2", "3")), (("x",) * 11, ("y",) * 11)])
def test_a_table_that_feishu_cannot_show_is_code(rows: tuple[tuple[str, ...], ...]) -> None:
    shown = render(card(Table(rows)), thread="t")
    assert not [part for part in limits.tags(shown.card) if part["tag"] == "table"]
    taken(shown)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_does_not_fit_is_counted_and_follows(language: Language) -> None:
    log = "\n".join(f"line {number} of a long log" for number in range(3000))
    shown = render(card(Text("the cause"), Code(log), Note("the end"), language=language), thread="t")
    text = looks.text_of(shown.card)
    assert text.startswith("web\nthe cause\nline 0")
    assert text.endswith("the end")
    assert ("more lines" if language == "en" else "还有") in text
    assert shown.more
    assert size(shown.card) <= SUM
    taken(shown)
    last = text.split("\n")[-3]
    following = f"line {int(last.split()[1]) + 1} of"
    assert following in looks.text_of(shown.more)


def test_paragraphs_outlive_code() -> None:
    shown = render(card(Code("x\n" * 40_000), Text("a" * 2000), Text("b" * 2000)), thread="t")
    assert "a" * 2000 in looks.text_of(shown.card)
    assert "b" * 2000 in looks.text_of(shown.card)


def test_quotes_and_backslashes_count_twice() -> None:
    shown = render(card(Code('"\\' * 10_000)), thread="t")
    taken(shown)


def test_many_small_parts_stay_within_the_number_of_elements() -> None:
    shown = render(card(*[Text(f"part {number}") for number in range(300)]), thread="t")
    assert elements(shown.card) <= limits.ELEMENTS
    assert shown.more
    taken(shown)


def test_buttons_that_do_not_fit_are_told() -> None:
    many = tuple(Button(f"service:svc-{number}", f"svc-{number}") for number in range(50))
    shown = render(card(buttons=many), thread="t")
    assert len(looks.buttons_of(shown.card)) == BUTTONS
    assert "20 more choices" in json.dumps(shown.card)
    long = render(card(buttons=(Button("choose", "x", value="v" * 5000), Button("cancel", "Cancel"))), thread="t")
    assert [one.id for one in looks.buttons_of(long.card)] == ["cancel"]
    taken(long)


def test_an_empty_card_is_a_card() -> None:
    taken(render(Card(title="", language="en"), thread=""))


def test_a_picture_is_an_image_that_can_be_enlarged_or_its_lines() -> None:
    block = picture()
    shown = Card(title="web", language="en", blocks=(Text("a"), block))
    image = render(shown, thread="t", pictures={key_of(block): "img_v3_1"}).card["body"]["elements"][1]  # type: ignore[index]
    assert (image["tag"], image["img_key"], image["preview"]) == ("img", "img_v3_1", True)
    assert image["alt"]["content"] == block.lines[0]
    assert looks.text_of(render(shown, thread="t").card) == f"web\na\n{block.lines[0]}"
