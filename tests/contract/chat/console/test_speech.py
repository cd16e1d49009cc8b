"""Whether a typed line is meant for the bot, and what remains of it."""

import pytest

from chatops_bot.adapters.console.speech import spoken


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("@bot how is payment?", "how is payment?"),
        ("@Bot, restart web", "restart web"),
        ("  @bot：重启 web ", "重启 web"),
        ("@bot帮我查一下 payment-svc", "帮我查一下 payment-svc"),
        ("＠bot 看看 web", "看看 web"),
        ("重启一下@bot", "重启一下"),
        ("restart web @bot please", "restart web please"),
        ("thanks @bot.", "thanks."),
        ("@bot @bot twice", "twice"),
        ("@bot", ""),
        ("@bot two\nlines", "two\nlines"),
        ("@bot @alice asked for it", "@alice asked for it"),
    ],
)
def test_a_mention_addresses_the_bot_and_is_removed(typed: str, text: str) -> None:
    assert spoken(typed, bot="bot") == (text, True, False)


@pytest.mark.parametrize(
    "typed",
    [
        "lunch anyone?",
        "ask @bottle",
        "write to me@bot",
        "mail ops@bot.example",
        "see @bot.example",
        "@bot-admin restart",
        "bot restart web",
        "",
    ],
)
def test_what_does_not_mention_the_bot_is_left_as_it_is(typed: str) -> None:
    assert spoken(typed, bot="bot") == (typed, False, False)


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("/ops status web", "status web"),
        ("/OPS", ""),
        ("/ops帮我查 web", "帮我查 web"),
        ("／ops web", "web"),
        ("/ops @bot web", "web"),
        (" /ops\nweb", "web"),
    ],
)
def test_the_command_addresses_the_bot_directly(typed: str, text: str) -> None:
    assert spoken(typed, bot="bot") == (text, True, True)


@pytest.mark.parametrize("typed", ["/opsgenie status", "/ops-team look", "see /ops for that", "/op web"])
def test_what_only_resembles_the_command_is_none(typed: str) -> None:
    assert spoken(typed, bot="bot") == (typed, False, False)


def test_the_name_of_the_bot_is_data_and_not_a_pattern() -> None:
    assert spoken("@b.t hello", bot="b.t") == ("hello", True, False)
    assert spoken("@bot hello", bot="b.t") == ("@bot hello", False, False)
