"""Every card becomes a message that Slack takes. Judges: the SDK's own block models, and the fake's rules."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slack_sdk.models.blocks import ActionsBlock, Block, ContextBlock, ImageBlock, SectionBlock

from chatops_bot.adapters.slack.fake import blockkit
from chatops_bot.adapters.slack.render import Shown, render
from chatops_bot.adapters.slack.text import unescape
from chatops_bot.domain.cards import Button, Card, Code, Fields, Link, Links, Note, Picture, Table, Text
from chatops_bot.domain.layout import table_lines
from chatops_bot.ports.pictures import key_of
from tests.fakes.pictures import PICTURES, picture

WORDS = st.text(alphabet=st.sampled_from("<>&`*_~|@!# ab\n服务é🔥\u200b"), max_size=40)
LONG = st.builds(lambda text, times: text * times, WORDS, st.sampled_from([1, 1, 1, 40, 400]))
ADDRESSES = ("http://prometheus:9090/graph?g0.expr=up&g0.tab=1", "https://am/#/silences/new?filter=" + "%7B" * 600)
BLOCKS = st.one_of(
    st.builds(Text, LONG, strong=st.booleans()),
    st.builds(Fields, st.lists(st.tuples(WORDS, LONG), max_size=25).map(tuple)),
    st.builds(Table, st.lists(st.lists(WORDS, max_size=5).map(tuple), max_size=30).map(tuple)),
    st.builds(Code, LONG),
    st.builds(Note, LONG),
    PICTURES,
    st.builds(Links, st.lists(st.builds(Link, WORDS, st.sampled_from(ADDRESSES)), max_size=4).map(tuple)),
)
BUTTONS = st.builds(
    Button,
    id=st.sampled_from(["confirm", "cancel", "service:web", "choose:" + "x" * 300]),
    label=LONG,
    style=st.sampled_from(["default", "primary", "danger"]),
    token=WORDS,
    value=LONG,
)
CARDS = st.builds(
    Card,
    title=LONG,
    language=st.sampled_from(["zh", "en"]),
    tone=st.sampled_from(["info", "ok", "warn", "danger", "muted"]),
    blocks=st.lists(BLOCKS, max_size=60).map(tuple),
    buttons=st.lists(BUTTONS, max_size=70).map(tuple),
    mention=st.lists(st.sampled_from(["U1AB", "W2CD", "S0123AB", "S1^", "!channel", "u1", "<!here>"]), max_size=30).map(
        tuple
    ),
)


def judge(shown: Shown) -> None:
    """Fails unless Slack would take the message."""
    for text, blocks in [(shown.text, shown.blocks), *([shown.more] if shown.more else [])]:
        assert 0 < len(text) <= 40_000
        assert not blockkit.problems(blocks), blockkit.problems(blocks)
        assert len(json.dumps(blocks, ensure_ascii=False)) <= 13_000
        assert len("".join(blockkit.texts(blocks))) <= 12_000
        parsed = Block.parse_all(json.loads(json.dumps(blocks)))
        assert len(parsed) == len(blocks)
        for block in parsed:
            assert isinstance(block, SectionBlock | ContextBlock | ActionsBlock | ImageBlock)
            block.validate_json()
            for element in getattr(block, "elements", []):
                element.validate_json()
        # Otherwise Slack makes links and mentions of plain words.
        assert all(each.get("verbatim") is True for each in blockkit.objects(blocks, "mrkdwn"))
        rung = [each for each in [text, *blockkit.texts(blocks)] for each in blockkit.rings(each)]
        assert not [each for each in rung if not each.startswith(("<@", "<!subteam^"))], rung


@settings(max_examples=150)
@given(CARDS)
def test_every_card_is_a_message_that_slack_takes(card: Card) -> None:
    judge(render(card, thread="t-1"))
    files = {key_of(block): "F0FILE0001" for block in card.blocks if isinstance(block, Picture)}
    judge(render(card, thread="t-1", pictures=files))


@given(CARDS)
def test_only_mentions_ring(card: Card) -> None:
    shown = render(card, thread="t-1")
    wanted = {f"<@{user}>" for user in card.mention if user in {"U1AB", "W2CD"}}
    wanted |= {f"<!subteam^{group}>" for group in card.mention if group == "S0123AB"}
    assert set(blockkit.rings(shown.text)) <= wanted
    assert {ring for text in blockkit.texts(shown.blocks) for ring in blockkit.rings(text)} == wanted


def texts_of(shown: Shown) -> str:
    """All the text that people can read of a card, its continuation included, as they see it."""
    found = [*blockkit.texts(shown.blocks), *(blockkit.texts(shown.more[1]) if shown.more else [])]
    return unescape("\n".join(found))


def card(*blocks: Any, **more: Any) -> Card:
    return Card(**{"title": "payment-svc", "language": "en", **more, "blocks": blocks})


def test_an_alert_that_names_the_channel_rings_nobody() -> None:
    """bytedance/deer-flow 4197."""
    shown = render(card(Text("<!channel> disk <90% & rising"), title="<!channel> disk <90% & rising"), thread="t")
    judge(shown)
    assert "<!channel> disk <90% & rising" in texts_of(shown)


def test_a_link_in_a_text_is_shown_as_it_was_written() -> None:
    """thesmallstar/slackify-markdown-python 14: values are escaped before any markup is added."""
    shown = render(card(Text("See <https://e.x/d|doc>", strong=True)), thread="t")
    judge(shown)
    assert "*See &lt;https://e.x/d|doc&gt;*" in "\n".join(blockkit.texts(shown.blocks))


def test_a_link_is_one_whatever_its_label_says() -> None:
    link = Link("Silence> <!channel> | ops", "http://am:9093/#/silences/new?a=1&b=2")
    shown = render(card(Links((link,))), thread="t")
    judge(shown)
    said = "<http://am:9093/#/silences/new?a=1&amp;b=2|Silence&gt; &lt;!channel&gt; ops (am:9093)>"
    assert said in "\n".join(blockkit.texts(shown.blocks))


@pytest.mark.parametrize("block", [Text, Code, Note])
def test_a_text_beyond_one_section_arrives_whole(block: Any) -> None:
    """slackapi/python-slack-sdk 1336: a list of hosts of more than 3000 characters."""
    hosts = "\n".join(f"host-{number:04}.example" for number in range(180))
    assert len(hosts) > 3042
    shown = render(card(block(hosts)), thread="t")
    judge(shown)
    assert shown.more is None
    for host in hosts.split("\n"):
        assert host in texts_of(shown)


def test_a_long_log_goes_on_in_a_second_message_and_arrives_whole() -> None:
    lines = [f"{number:05} ERROR timeout & <retry> of request" for number in range(300)]
    shown = render(card(Code("\n".join(lines)), Text("Next: look at the database")), thread="t")
    judge(shown)
    assert shown.more is not None
    assert all(line in texts_of(shown) for line in lines)
    last = list(blockkit.texts(shown.blocks))[-1]
    assert last == "Next: look at the database"
    assert "more lines" in "\n".join(blockkit.texts(shown.blocks))
    assert "Continued: payment-svc" in "\n".join(blockkit.texts(shown.more[1]))


def test_what_fits_in_no_two_messages_is_said_to_be_left_out() -> None:
    lines = [f"line {number}" for number in range(20_000)]
    shown = render(card(Code("\n".join(lines)), language="zh"), thread="t")
    judge(shown)
    assert shown.more is not None
    first = "\n".join(blockkit.texts(shown.blocks))
    rest = "\n".join(blockkit.texts(shown.more[1]))
    hidden = int(rest.split("… 还有 ")[1].split(" 行")[0])
    seen = [line for line in (first + "\n" + rest).split("\n") if line.startswith("line ")]
    assert len(seen) + hidden == len(lines)
    assert seen[0] == "line 0"


def test_a_single_endless_line_is_shown_in_parts() -> None:
    shown = render(card(Code("x" * 9000)), thread="t")
    judge(shown)
    assert texts_of(shown).count("x") == 9000


def test_buttons_carry_thread_token_and_value() -> None:
    made = card(buttons=(Button("confirm", "Confirm", "primary", token="tok", value="5"), Button("cancel", "Cancel")))
    shown = render(made, thread="t-9")
    judge(shown)
    (actions,) = [block for block in shown.blocks if block["type"] == "actions"]
    elements: Any = actions["elements"]
    assert [each["action_id"] for each in elements] == ["confirm", "cancel"]
    assert json.loads(elements[0]["value"]) == {"thread": "t-9", "token": "tok", "value": "5"}
    assert json.loads(elements[1]["value"]) == {"thread": "t-9"}
    assert elements[0]["style"] == "primary"
    assert "style" not in elements[1]


def test_thirty_candidates_are_all_offered() -> None:
    made = card(buttons=tuple(Button(f"service:svc-{number}", f"svc-{number}") for number in range(30)))
    shown = render(made, thread="t")
    judge(shown)
    found = [each for block in shown.blocks if block["type"] == "actions" for each in block["elements"]]  # type: ignore[attr-defined]
    assert len(found) == 30


def test_a_button_whose_value_cannot_come_back_is_left_out_and_said_to_be() -> None:
    shown = render(
        card(buttons=(Button("confirm", "Confirm", value="x" * 2000), Button("cancel", "Cancel"))), thread="t"
    )
    judge(shown)
    assert "1 more choices" in "\n".join(blockkit.texts(shown.blocks))


def test_fields_are_pairs_and_long_values_are_cut() -> None:
    shown = render(card(Fields((("Cluster", "prod-east"), ("Image", "r" * 2500), ("Empty", "")))), thread="t")
    judge(shown)
    fields: Any = shown.blocks[1]["fields"]
    assert fields[0]["text"] == "*Cluster*\nprod-east"
    assert fields[1]["text"].endswith("r…")
    assert fields[2]["text"] == "*Empty*\n–"


def test_a_table_is_aligned_whatever_the_width_of_its_characters() -> None:
    assert table_lines((("Pod", "状态", "n"), ("web-1", "运行中", "2"))) == [
        "Pod    状态    n",
        "web-1  运行中  2",
    ]


def test_a_picture_is_an_image_with_its_lines_as_the_text_for_who_sees_none() -> None:
    block = picture()
    card = Card(title="web", language="en", blocks=(Text("a"), block, Text("b")))
    shown = render(card, thread="t", pictures={key_of(block): "F0FILE0001"})
    assert [each["type"] for each in shown.blocks] == ["section", "section", "image", "section"]
    assert shown.blocks[2]["slack_file"] == {"id": "F0FILE0001"}
    assert shown.blocks[2]["alt_text"] == block.lines[0]


def test_a_picture_without_a_file_is_said_in_small_print() -> None:
    block = picture()
    shown = render(Card(title="web", language="en", blocks=(block,)), thread="t")
    assert [each["type"] for each in shown.blocks] == ["section", "context"]
    assert block.lines[0] in "".join(blockkit.texts(shown.blocks))
