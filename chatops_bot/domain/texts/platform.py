"""What an adapter adds to a card by itself, because the platform holds less than the card says."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "platform.more_lines": ("… 还有 {count} 行", "… {count} more lines"),
    "platform.more_buttons": (
        "… 还有 {count} 个选项放不下，请直接输入名称",
        "… {count} more choices do not fit: type the name",
    ),
    "platform.continued": ("续：{title}", "Continued: {title}"),
}
