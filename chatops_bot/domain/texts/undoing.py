"""What is said of putting a change back, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "undo.unknown": ("没有找到要撤销的操作。", "The change to undo is not on record."),
    "undo.impossible": ("“{action}”不能撤销。", 'A change by "{action}" cannot be undone.'),
    "undo.offer": ("撤销：{action} {service}？", "Undo: {action} {service}?"),
    "undo.press": (
        "什么都还没有执行。点“撤销”，我会核对现状，给出放回原样的方案。",
        "Nothing has been run. Press Undo: I look at what is there now and show a plan that puts back what was there.",
    ),
    "undo.where": (
        "这里没有我能撤销的操作。要撤销别处的，请点那张“已执行”卡片上的“撤销”，或回复那张卡片说“撤销”。",
        (
            "Nothing that I did in this conversation can be undone here. To undo another change, press Undo on the card that "
            'says it is done, or reply to that card and say "undo".'
        ),
    ),
    "undo.changed": (
        "在那之后有人改过它，不能直接撤销。请看现状后再决定。",
        "Somebody has changed it since, so it cannot simply be put back. Look at it as it is now, then decide.",
    ),
}
