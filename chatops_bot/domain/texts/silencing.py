"""Sentences about silencing and acknowledging alerts."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "silence.title": ("我不静默、也不认领告警", "I neither silence nor acknowledge alerts"),
    "silence.there": (
        "请用下面的链接在 Alertmanager 里静默这一组告警。",
        "Silence this group of alerts in Alertmanager, by the link below.",
    ),
    "silence.where": (
        "请在 Alertmanager 里静默；告警卡片上有它的链接。",
        "Silence them in Alertmanager; the card of an alert carries the link.",
    ),
    "silence.no_ack": (
        "这里没有“认领”：卡片会跟着告警自己更新，恢复时自己关闭。",
        "There is nothing to acknowledge here: the card follows its alerts, and closes when they are resolved.",
    ),
    "silence.instead": (
        "我能做的：看状态、开事故单，或把它转给某个人。",
        "What I can do: look at the service, open an incident, or hand this over to somebody.",
    ),
}
