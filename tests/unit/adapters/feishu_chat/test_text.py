from __future__ import annotations

import json

import pytest

from chatops_bot.adapters.feishu.text import Mentioned, NoText, Plain, fenced, inert, plain

BOT = "ou_bot"
MENTIONS = {
    "@_user_1": Mentioned(BOT, "ops"),
    "@_user_2": Mentioned("ou_alice", "alice"),
    "@_user_3": Mentioned("ou_carol", ""),
    "@_user_10": Mentioned("ou_bob", "bob"),
}


def read(kind: str, body: object) -> Plain:
    names = {"ou_carol": "carol", "ou_dave": "dave"}
    return plain(kind, json.dumps(body), mentions=MENTIONS, bot=BOT, name_of=lambda user: names.get(user, ""))


@pytest.mark.parametrize(
    ("typed", "text", "addressed"),
    [
        ("@_user_1 restart web", "restart web", True),
        ("restart @_user_1  web", "restart web", True),
        ("@_user_1重启 web", "重启 web", True),
        ("restart web", "restart web", False),
        ("ask @_user_2", "ask @alice", False),
        ("ask @_user_3", "ask @carol", False),
        ("ask @_user_10 not @_user_1", "ask @bob not", True),
        ("ask @_user_99", "ask @_user_99", False),
        ("@_all look here", "@all look here", False),
        ("a  b", "a  b", False),
        ("x < y && z > 1 &amp; <b>", "x < y && z > 1 &amp; <b>", False),
        ("", "", False),
    ],
)
def test_a_text_is_read_with_its_mentions(typed: str, text: str, addressed: bool) -> None:
    assert read("text", {"text": typed}) == (text, addressed)


def test_a_rich_text_is_read_paragraph_by_paragraph() -> None:
    body = {
        "title": "urgent",
        "content": [
            [
                {"tag": "at", "user_id": "@_user_1", "user_name": "ops"},
                {"tag": "text", "text": " restart "},
                {"tag": "a", "href": "http://x", "text": "web"},
            ],
            [{"tag": "img", "image_key": "img_1"}],
            [
                {"tag": "at", "user_id": "ou_dave", "user_name": "dave"},
                {"tag": "emotion", "emoji_type": "SMILE"},
                {"tag": "code_block", "text": "kubectl get pods"},
                {"tag": "a", "href": "http://y"},
            ],
        ],
    }
    assert read("post", body) == ("urgent\n restart web\n\n@davekubectl get podshttp://y", True)


def test_a_rich_text_of_an_app_is_wrapped_in_a_language() -> None:
    assert read("post", {"zh_cn": {"title": "", "content": [[{"tag": "text", "text": "重启"}]]}}).text == "重启"


@pytest.mark.parametrize(
    "body", [{}, {"content": "x"}, {"content": [1, [2], None]}, {"title": 3, "content": [[{"tag": 1}]]}]
)
def test_a_rich_text_of_another_shape_says_nothing(body: object) -> None:
    assert read("post", body).text == ""


@pytest.mark.parametrize("kind", ["image", "file", "sticker", "interactive", "merge_forward", "something new"])
def test_other_messages_have_no_words(kind: str) -> None:
    with pytest.raises(NoText):
        read(kind, {"image_key": "img_1"})


@pytest.mark.parametrize("content", ["", "{", "[]", '"x"', "null"])
def test_content_that_is_no_object_cannot_be_read(content: str) -> None:
    with pytest.raises(ValueError):
        plain("text", content, mentions={}, bot=BOT, name_of=str)


@pytest.mark.parametrize("text", ["<at id=all></at>", "<AT user_id='all'>", "</at>", "a <b", "<person id=1>"])
def test_no_tag_begins_in_inert_text(text: str) -> None:
    shown = inert(text)
    assert "<\u200b" in shown
    assert shown.replace("\u200b", "") == text


def test_comparisons_stay_as_they_are() -> None:
    assert inert("1 < 2 <= 3 <<< 4") == "1 < 2 <= 3 <<< 4"


def test_nothing_ends_a_fence_from_within() -> None:
    shown = fenced("a\n```\n<at id=all></at>\n````b")
    assert shown.startswith("```\n")
    assert shown.endswith("\n```")
    assert "```" not in shown[4:-4]
    assert "<at" not in shown
