"""Tokens, entities and escaping."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.adapters.slack.text import chunks, cut, escape, escape_code, plain, unescape

NAMES = {"U2": "bob"}
SPECIAL = st.text(alphabet=st.sampled_from("<>&`ab\n 服é|@!#;"), max_size=60)


def read(text: str) -> tuple[str, bool]:
    found = plain(text, bot="UBOT", name_of=lambda user: NAMES.get(user, ""))
    return found.text, found.addressed


@pytest.mark.parametrize(
    ("written", "wanted", "addressed"),
    [
        ("<@UBOT> restart web", "restart web", True),
        ("<@UBOT|ops-bot> restart web", "restart web", True),
        ("hey <@UBOT> restart web", "hey restart web", True),
        ("<@UBOT>", "", True),
        ("restart web", "restart web", False),
        ("ask <@U2> and <@U9>", "ask @bob and @U9", False),
        ("ask <@U9|carol>", "ask @carol", False),
        ("see <#C1|ops> or <#C2>", "see #ops or #C2", False),
        ("<!here> <!channel> <!subteam^S1|@sre> <!subteam^S2>", "@here @channel @sre @S2", False),
        ("<!date^1392734382^{date}|Feb 18>", "Feb 18", False),
        ("set image <https://reg.io/app:1|reg.io/app:1>", "set image reg.io/app:1", False),
        ("see <https://e.x/d?a=1&amp;b=2>", "see https://e.x/d?a=1&b=2", False),
        ("See <https://e.x/d|doc>", "See doc", False),
        ("<mailto:a@b.c|a@b.c> <mailto:d@e.f>", "a@b.c d@e.f", False),
        ("if a &lt; b &amp;&amp; b &gt; c", "if a < b && b > c", False),
        ("&amp;lt;@UBOT&amp;gt;", "&lt;@UBOT&gt;", False),
        ("&lt;@UBOT&gt; restart web", "<@UBOT> restart web", False),
        ("<https://e.x|a &lt; b>", "a < b", False),
        ("<@UBOT> line one\nline two", "line one\nline two", True),
    ],
)
def test_what_people_write_is_read_as_they_see_it(written: str, wanted: str, addressed: bool) -> None:
    assert read(written) == (wanted, addressed)


def test_whoever_is_mentioned_is_told_with_their_id_and_the_bot_is_not() -> None:
    found = plain(
        "<@UBOT> ask <@U2>, <!subteam^S123|@sre> &lt;@U7&gt; <!here>",
        bot="UBOT",
        name_of=lambda user: NAMES.get(user, ""),
    )
    assert found.mentioned == (("bob", "U2"), ("sre", "S123"))


@given(SPECIAL)
def test_escaped_text_is_read_back_as_it_was_and_holds_no_token(text: str) -> None:
    assert unescape(escape(text)) == text
    assert "<" not in escape(text)
    assert read(escape(text)) == (text.strip(), False)


@given(SPECIAL, st.integers(min_value=6, max_value=40))
def test_a_cut_keeps_its_limit_and_whole_entities(text: str, limit: int) -> None:
    shown = cut(text, limit)
    assert len(shown) <= limit
    if shown.endswith("…") and not text.endswith("…"):
        assert text.startswith(unescape(shown[:-1]))
    else:
        assert unescape(shown) == text


@given(SPECIAL.map(lambda text: text * 3), st.integers(min_value=12, max_value=60))
def test_chunks_keep_their_limit_and_lose_nothing(text: str, limit: int) -> None:
    pieces = chunks(text, limit)
    assert all(len(escape_code(piece)) <= limit for piece in pieces)
    assert "".join(pieces).replace("\n", "") == text.replace("\n", "")


@given(st.text(alphabet="`a", max_size=30))
def test_code_cannot_end_its_block(text: str) -> None:
    assert "```" not in escape_code(text)
    assert escape_code(text).replace("\u200b", "") == text
