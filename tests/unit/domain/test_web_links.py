"""An address of somebody else's is shown only as one that leads into the web and is no markup."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatops_bot.domain.cards import Card, Link, Links
from chatops_bot.domain.web_links import LONGEST, host_of, web_address


@pytest.mark.parametrize(
    ("given_", "shown"),
    [
        ("http://prometheus:9090/graph?g0.expr=up&g0.tab=1", "http://prometheus:9090/graph?g0.expr=up&g0.tab=1"),
        ("https://am.example.com/#/silences/new?filter=%7Ba%3D%22b%22%7D", None),
        ("http://[fd00::1]:9093/x", None),
        ("http://am/a(b)|c>d<e'f\"g`h[i]j k", "http://am/a%28b%29%7Cc%3Ed%3Ce%27f%22g%60h%5Bi%5Dj%20k"),
        ("http://am/路", "http://am/%E8%B7%AF"),
        ("http://am", None),
    ],
)
def test_an_address_of_the_web_is_shown_without_markup(given_: str, shown: str | None) -> None:
    assert web_address(given_) == (shown if shown is not None else given_)


@pytest.mark.parametrize(
    "other",
    [
        "",
        "javascript:alert(1)",
        "JAVASCRIPT://am/%0aalert(1)",
        "file:///etc/passwd",
        "//am/x",
        "am:9093",
        "http://",
        "http:///x",
        "http://user@am/",
        "http://user:secret@am/",
        "http://am:port/",
        "http://a m/",
        "http://am\n/x",
        "http://am|x/",
        "http://[::1",
        "http://am/?token=abcdef0123456789",
        "http://am/" + "x" * LONGEST,
        "http://am/" + "路" * 300,
    ],
)
def test_what_is_none_is_not_shown(other: str) -> None:
    assert web_address(other) == ""


@given(st.text(max_size=60), st.sampled_from(["", "http://", "https://am/", "http://am/?q=", "http://["]))
def test_whatever_comes_is_inert_or_nothing(text: str, before: str) -> None:
    found = web_address(before + text)
    assert not set(found) & set("<>|()\"'`\\^{} \n\t*")
    assert found.isascii()
    assert not found or host_of(found)
    assert web_address(found) == found


def test_a_link_tells_where_it_leads() -> None:
    link = Link("Silence", "http://am:9093/#/silences/new")
    assert link.text == "Silence (am:9093)"
    card = Card(title="t", language="en", blocks=(Links((link,)),))
    assert card.text() == "t\nSilence: http://am:9093/#/silences/new"
