"""Cards in a terminal."""

from __future__ import annotations

import pytest

from chatops_bot.app.scene_print import Look, card_box, columns, wrapped
from chatops_bot.domain.cards import Button, Card, Code, Fields, Note, Table, Text

PLAIN = Look(colours=False, width=40)
CARD = Card(
    title="payment-svc · 状态",
    language="zh",
    tone="danger",
    blocks=(
        Text("payment-svc 受损：只有 1/2 个 Pod 就绪，容器反复崩溃，请看上一次运行的日志。", strong=True),
        Fields((("风险", "中"),)),
        Table((("Pod", "状态"), ("payment-svc-1", "Running"))),
        Code("FATAL\nbye"),
        Note("生产环境"),
    ),
    buttons=(Button(id="logs", label="日志"), Button(id="restart", label="重启")),
)


def test_every_line_of_a_box_has_the_same_width() -> None:
    lines = list(card_box(CARD, PLAIN))
    assert {columns(line) for line in lines} == {40}
    text = "\n".join(lines)
    for wanted in ("payment-svc · 状态", "风险: 中", "payment-svc-1  Running", "> FATAL", "[日志]  [重启]"):
        assert wanted in text


def test_colours_change_nothing_but_colours() -> None:
    coloured = "\n".join(card_box(CARD, Look(colours=True, width=40)))
    assert "\x1b[" in coloured
    assert "\x1b[" not in "\n".join(card_box(CARD, PLAIN))


def test_what_is_told_anew_is_marked() -> None:
    assert "↻" in "\n".join(card_box(CARD, PLAIN, updated=True))
    assert "↻" not in "\n".join(card_box(CARD, PLAIN))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("一二三四五六", ["一二三四", "五六"]),
        ("abcdefghijk", ["abcdefgh", "ijk"]),
        ("", [""]),
        ("a\n\nb", ["a", "", "b"]),
    ],
)
def test_long_lines_are_broken_at_spaces_and_by_columns(text: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in wrapped(text, 8)] == lines
