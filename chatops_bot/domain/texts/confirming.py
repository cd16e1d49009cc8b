"""What is answered to words that may be a yes and set nothing going, as key -> (Chinese, English).

Each is true as well where they were no yes at all.
"""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "confirm.unsure": (
        "如果这是同意：请点“确认执行”，或 @我 只说“确认”。这句话没有执行任何操作。",
        'If that was a yes: press Confirm, or mention me and say just "confirm". Nothing was run by these words.',
    ),
    "confirm.unsure_named": (
        "如果这是同意：请点“确认执行”，或 @我 只说“确认 {service}”。这句话没有执行任何操作。",
        'If that was a yes: press Confirm, or mention me and say just "confirm {service}". Nothing was run by these words.',
    ),
    "confirm.preparing": (
        "方案还没有显示出来，什么都没有确认。请等卡片出来，看过再确认。",
        "The plan is not on the screen yet, so nothing is confirmed. Wait for its card, read it, then confirm.",
    ),
    "confirm.judging": (
        "对这个方案的确认正在核对；结果会写在它的卡片上。",
        "A confirmation of this plan is being checked; its card will tell.",
    ),
}
