"""A correction says that it is one; a name alone is none."""

from __future__ import annotations

import pytest

from chatops_bot.domain.corrections import corrects


@pytest.mark.parametrize(
    "text",
    [
        "use order-api instead",
        "I meant order-api",
        "not web, order-api",
        "actually order-api",
        "it should be order-api",
        "换成 order-api",
        "不是 web，是 order-api",
        "我说的是 order-api",
    ],
)
def test_a_correction(text: str) -> None:
    assert corrects(text)


@pytest.mark.parametrize(
    "text", ["order-api", "how is order-api?", "restart order-api", "order-api 的状态", "order-api please"]
)
def test_no_correction(text: str) -> None:
    assert not corrects(text)
