"""Reading payloads by itself, without the filters that Bolt puts before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import ValidationError

from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.workspace import BOT_ID, BOT_USER, TEAM
from chatops_bot.adapters.slack.inbound import Ignored, Pressed, Read, Said, Self, read_click, read_command, read_event

ME = Self(team=TEAM, user=BOT_USER, bot=BOT_ID)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def read(event: dict[str, Any]) -> object:
    return read_event(deliveries.event(event), me=ME, name_of=lambda _: "")


@pytest.mark.parametrize(
    "event",
    [
        deliveries.message("status?", user=BOT_USER),
        deliveries.message("status?", user=BOT_USER, thread_ts="1.1"),
        deliveries.message("status?", user="U9", bot_id=BOT_ID),
        deliveries.mention(f"<@{BOT_USER}> status?", user=BOT_USER),
    ],
)
def test_the_bot_never_hears_itself(event: dict[str, Any]) -> None:
    assert read(event) == Ignored("a message of a bot")


def test_the_bot_on_its_own_list_does_not_hear_itself_either() -> None:
    me = Self(team=TEAM, user=BOT_USER, bot=BOT_ID, allow_bots=frozenset({BOT_USER, BOT_ID}))
    found = read_event(deliveries.event(deliveries.message("x", user=BOT_USER)), me=me, name_of=lambda _: "")
    assert found == Ignored("a message of a bot")


def test_a_mention_counts_where_its_token_cannot_be_seen() -> None:
    found = read(deliveries.mention("status?"))
    assert isinstance(found, Said)
    assert found.addressed


@pytest.mark.parametrize("name", ["channel_type", "user_team", "team", "user_profile", "app_id", "message"])
@given(JSON)
def test_fields_of_any_shape_that_decide_nothing_lose_no_message(name: str, value: object) -> None:
    assert isinstance(read({**deliveries.message("x"), name: value}), Said)


@given(st.dictionaries(st.sampled_from(["event", "team_id", "authorizations", "user", "actions", "container"]), JSON))
def test_payloads_of_any_shape_are_read_or_refused(body: dict[str, Any]) -> None:
    readers: list[Callable[[], Read]] = [
        lambda: read_event(body, me=ME, name_of=lambda _: ""),
        lambda: read_click(body, me=ME),
        lambda: read_command(body, me=ME, name_of=lambda _: ""),
    ]
    for reader in readers:
        try:
            assert isinstance(reader(), Said | Pressed | Ignored)
        except ValidationError:
            continue
