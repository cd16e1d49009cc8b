"""Text as it is understood: what platforms and keyboards do to it undone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.normalise import clean, language_of, own_words, strip_bot


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("set image web <https://reg.io/app:1|reg.io/app:1>", "set image web reg.io/app:1"),
        ("see <https://x.io/a>", "see https://x.io/a"),
        ("<@U1> restart web", "@bob restart web"),
        ("<@U9|carol> hi", "@carol hi"),
        ("<@U8> hi", "@U8 hi"),
        ("@_user_1 restart web", "@alice restart web"),
        ("<#C1|ops> down", "#ops down"),
        ("a &lt;b&gt; &amp;amp; c", "a <b> &amp; c"),
        ("扩到　５ 个，ｏｋ？", "扩到 5 个,ok?"),
        ("“don’t” — ok…", '"don\'t" - ok...'),
        ("web\u200b-api\u00a0now", "web-api now"),
        ("👍🏽 :+1::skin-tone-2: :unknown_thing:", "👍 👍 :unknown_thing:"),
        ("  a   b \n c ", "a b\nc"),
    ],
)
def test_clean(text: str, expected: str) -> None:
    assert clean(text, {"U1": "@bob", "@_user_1": "@alice"}) == expected


@given(st.text(alphabet=st.characters(exclude_characters="<>&@:"), max_size=40))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@bot restart web", "restart web"),
        ("restart web @Bot", "restart web"),
        ("@bot, restart @bob", "restart @bob"),
        ("mail bot@bot.io", "mail bot@bot.io"),
        ("@botanist hi", "@botanist hi"),
        ("no mention", "no mention"),
    ],
)
def test_only_the_bot_is_stripped(text: str, expected: str) -> None:
    assert strip_bot(text) == expected


def test_language() -> None:
    assert language_of("重启 web", "en") == "zh"
    assert language_of("restart", "zh") == "en"
    assert language_of("5", "zh") == "zh"
    assert language_of("👌", "en") == "en"


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("why?\n```\nscale order-db to 0\n```", "why?\n   \n                   \n   "),
        ("> restart order-db\nstatus of web", "                  \nstatus of web"),
        ("> yes", "     "),
        ("```\nrestart web\n```", "```\nrestart web\n```"),
        ("web > 5 errors", "web > 5 errors"),
    ],
)
def test_what_is_only_quoted_is_blanked(text: str, own: str) -> None:
    assert own_words(text) == own


def test_a_wide_colon_before_a_word_joins_no_name() -> None:
    assert clean("宣布事故 P1：web 很慢") == "宣布事故 P1: web 很慢"
    assert clean("reg/web：1.2") == "reg/web:1.2"
