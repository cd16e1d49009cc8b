"""What is said of corrections that cannot be placed."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "correct.nothing": (
        "这里没有可以这样改的东西。",
        "There is nothing here that this could change.",
    ),
    "correct.how": (
        "请写明要做的事和数值，例如“把 payment 扩到 3 个”。什么都没有执行。",
        'Say what is to be done as well, e.g. "scale payment to 3". Nothing was run.',
    ),
    "correct.unchanged": (
        "之前没有改过，还是原来的样子。要改的话请说改成什么。",
        "Nothing was changed before: it is as it was first said. Say what it should be instead.",
    ),
}
