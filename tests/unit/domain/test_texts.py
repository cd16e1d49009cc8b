"""Durations and missing values read as words of the reader's language."""

from __future__ import annotations

import pytest

from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import render


@pytest.mark.parametrize(
    ("said", "zh", "en"),
    [
        (say("warn.changed", manager="helm", ago="4d"), "4 天前刚被 helm 改过。", "Changed 4d ago by helm."),
        (say("warn.changed", manager="helm", ago="3h10m"), "3 小时 10 分钟前", "3h10m ago"),
        (say("warn.changed", manager="helm", ago="?"), "? 前", "? ago"),
        (
            say("policy.not_yet", rule=1, action="action.scale", who="bob", after="5m"),
            "等待满 5 分钟仍",
            "waited for 5m",
        ),
        (say("warn.pod_grace", span="42s"), "它有 42 秒的", "It has 42s"),
        (say("warn.tenfold", before=2, after=50), "50", "50"),
        (
            say("warn.room", count=3, fits=1, nodes=2, each="requests.none"),
            "每个 没有声明 requests",
            "no requests each",
        ),
    ],
)
def test_arguments_are_rendered_in_the_language(said: Say, zh: str, en: str) -> None:
    assert zh in render(said, "zh")
    assert en in render(said, "en")
