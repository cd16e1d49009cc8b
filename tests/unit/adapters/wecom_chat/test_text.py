"""Text that is measured as WeCom measures it, and that neither rings nor marks up."""

import pytest

from chatops_bot.adapters.wecom.text import chunks, columns, cut, escape, escape_code, quiet, size


def test_a_chinese_character_is_two_columns_wide() -> None:
    assert columns("扩容 web") == 8


@pytest.mark.parametrize(
    ("text", "limit", "shown"),
    [
        ("short", 10, "short"),
        ("two\n lines", 20, "two lines"),
        ("0123456789", 10, "0123456789"),
        ("01234567890", 10, "012345678…"),
        ("扩容支付服务", 12, "扩容支付服务"),
        ("扩容支付服务", 11, "扩容支付服…"),
        ("扩容支付服务", 10, "扩容支付…"),
        ("", 5, ""),
    ],
)
def test_a_text_that_is_too_wide_is_cut(text: str, limit: int, shown: str) -> None:
    assert cut(text, limit) == shown
    assert columns(cut(text, limit)) <= limit


@pytest.mark.parametrize("text", ["<@all>", "@all", "@ALL", "@所有人", "<@alice>", "x @all y"])
def test_nothing_rings(text: str) -> None:
    for quieted in (escape(text), escape_code(text), quiet(text)):
        assert "<@" not in quieted
        assert "@all" not in quieted.lower()
        assert "@所有人" not in quieted
        assert quieted.replace("\u200b", "") == text


def test_an_ordinary_at_sign_stays() -> None:
    assert escape("ops@example.com and @allison") == "ops@example.com and @allison"


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("[x](y)", "]("),
        ("**x**", "**"),
        ("# x", "# x"),
        ("> x", "> x"),
        ("a\n> x", "\n> x"),
        ("<font>", "<f"),
        ("```", "```"),
    ],
)
def test_nothing_becomes_markup(text: str, mark: str) -> None:
    assert mark in text
    assert not escape(text).startswith(mark) if mark[0] in "#>" else mark not in escape(text)


def test_a_fence_cannot_be_ended_from_inside() -> None:
    assert "```" not in escape_code("a\n```\nb ````` c")


def test_chunks_hold_everything_within_their_limit() -> None:
    text = "\n".join(["head", "```", *(f"line {n} 扩容" for n in range(300)), "```", "tail", "x" * 700])
    pieces = chunks(text, 500)
    assert all(size(piece) <= 500 for piece in pieces)
    assert all(piece.count("```") % 2 == 0 for piece in pieces)
    for number in range(300):
        assert any(f"line {number} 扩容" in piece for piece in pieces)
    assert "".join(pieces).count("x") == 700


def test_a_short_text_is_one_chunk() -> None:
    assert chunks("hello", 100) == ["hello"]
