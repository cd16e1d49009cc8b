"""What is said of a language model's part, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "model.sentence": ("{text}（{id}）", "{text} ({id})"),
    "model.worded": (
        "以上由语言模型根据括号里的预案写成；以预案原文为准。",
        "Worded by a language model from the runbooks in brackets; what counts is what they say.",
    ),
    "refuse.proposed": (
        "这个操作是语言模型从你的话里理解出来的，不能用文字确认，什么都没有执行。请核对卡片，确实要执行就点“确认执行”。",
        (
            "A language model made this order of your words, so words cannot confirm it; nothing was run. Check the card, and "
            "press Confirm if it is what you want."
        ),
    ),
}
