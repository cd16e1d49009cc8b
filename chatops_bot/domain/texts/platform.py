"""What an adapter adds to a card by itself, because the platform holds less than the card says."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "platform.more_lines": ("… 还有 {count} 行", "… {count} more lines"),
    "platform.more_buttons": (
        "… 还有 {count} 个选项放不下，请直接输入名称",
        "… {count} more choices do not fit: type the name",
    ),
    "platform.press_taken": ("已收到，正在处理", "Got it, working on it"),
    "platform.press_again": ("已经在处理了，请看卡片", "Already under way, see the card"),
    "platform.continued": ("续：{title}", "Continued: {title}"),
    "platform.type_instead": ("按钮放不下的选项，请直接输入：{labels}", "What no button holds can be typed: {labels}"),
    "platform.replaces": (
        "此消息取代上一张卡片，上一张的按钮已失效",
        "This replaces the card above, whose buttons are void",
    ),
    "platform.working": ("⏳ 正在处理…", "⏳ Working on it…"),
    "platform.follows": ("结果另发一条消息", "The result follows in a message of its own"),
    "platform.not_taken": (
        "这条消息没有存下来，什么也没有做，请稍后再说一遍",
        "This message could not be stored and nothing was done: say it again later",
    ),
}
