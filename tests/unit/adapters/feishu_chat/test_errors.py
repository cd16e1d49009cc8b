from __future__ import annotations

import pytest

from chatops_bot.adapters.feishu.errors import GONE, LIMITS, Refusal, translate
from chatops_bot.adapters.feishu.web import details_of
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.pacing import seconds


def judged(code: int, *, status: int = 400, after: float = 0, details: str = "") -> Exception:
    return translate("messages.create", code, status=status, retry_after_s=after, details=details)


@pytest.mark.parametrize("code", LIMITS)
def test_limits_are_waited_out_and_nothing_was_posted(code: int) -> None:
    error = judged(code, after=9)
    assert isinstance(error, ChatUnavailable)
    assert (error.retry_after_s, error.maybe_posted) == (9, False)
    shortest = judged(code)
    assert isinstance(shortest, ChatUnavailable)
    assert shortest.retry_after_s >= 1


@pytest.mark.parametrize("code", GONE)
def test_what_is_gone_is_posted_anew(code: int) -> None:
    assert isinstance(judged(code), CardGone)


@pytest.mark.parametrize(("code", "status"), [(0, 502), (0, 200), (0, 404), (1500, 200), (230002, 500)])
def test_where_it_is_unsure_it_may_have_been_posted(code: int, status: int) -> None:
    error = judged(code, status=status)
    assert isinstance(error, ChatUnavailable)
    assert error.maybe_posted


def test_a_refusal_keeps_the_code_and_names_what_is_missing() -> None:
    error = judged(99991672, details="needed: im:chat:readonly")
    assert isinstance(error, Refusal)
    assert error.code == 99991672
    assert "im:chat:readonly" in error.reason
    unknown = judged(424242, details="what Feishu said")
    assert isinstance(unknown, ChatRefused)
    assert "what Feishu said" in str(unknown)
    assert "no further reason" in str(judged(424242))


def test_of_what_feishu_says_about_a_permission_its_name_is_kept() -> None:
    said = (
        "Access denied. One of the following scopes is required: [im:chat, im:chat:readonly].Apply at https://x/?id=cli"
    )
    assert details_of({"msg": said}) == "needed: im:chat, im:chat:readonly"
    assert details_of({"msg": "x" * 1000}) == "x" * 300
    assert details_of({"msg": 5}) == details_of({}) == ""


@pytest.mark.parametrize(("text", "number"), [("3", 3), ("0.5", 0.5), ("", 0), ("-1", 0), ("Wed, 21 Oct", 0)])
def test_seconds_of_a_header(text: str, number: float) -> None:
    assert seconds(text) == number
