"""What cards of alert groups say, as key -> (Chinese, English). Times are of UTC."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "alert.firing": ("告警：{name}（{count} 条触发中）", "Alert: {name} ({count} firing)"),
    "alert.resolved": ("告警已恢复：{name}", "Resolved: {name}"),
    "alert.uncertain": ("发来的告警都已恢复：{name}", "Resolved as far as it was told: {name}"),
    "alert.moved": ("告警已转到另一个房间：{name}", "Alert, now in another room: {name}"),
    "alert.over": ("全部恢复。", "All of it is resolved."),
    "alert.lasted": (
        "全部恢复，持续了 {span} （{since} 至 {until}）。",
        "All of it is resolved. It lasted {span}, from {since} to {until}.",
    ),
    "alert.since": ("{time} 起", "since {time}"),
    "alert.more": ("另有 {count} 条。", "{count} more."),
    "alert.left_out": (
        "Alertmanager 另有 {count} 条没有发来（max_alerts），它们的状态不知道。",
        "Alertmanager did not send {count} more (max_alerts); their state is not known.",
    ),
    "alert.flapping": ("反复触发：{time} 以来 {count} 次。", "Flapping: it has fired {count} times since {time}."),
    "alert.unmapped": (
        "这些告警没有对应到已知的服务。",
        "These alerts map to no known service.",
    ),
    "alert.choose": (
        "这些告警没有对应到确定的服务。可能是下面的：选一个就去看它。",
        "These alerts map to no known service for certain. They may be about one of these: choose it to look into it.",
    ),
    "alert.several": (
        "这些告警涉及多个服务。选一个就去看它。",
        "These alerts are about several services. Choose one to look into it.",
    ),
    "alert.diagnosing": ("正在诊断 {service}…", "Diagnosing {service} …"),
    "alert.undiagnosed": ("没能诊断：{why}", "Not diagnosed: {why}"),
    "alert.not_again": (
        "没能再次诊断，上面是之前看到的：{why}",
        "Not diagnosed again, so this is what was seen before: {why}",
    ),
    "alert.earlier": ("此前触发过，那次到 {time} 为止。", "It has fired before, until {time}."),
    "alert.earlier_done": (
        "此前触发过，当时做过：{action}，{service}。",
        "It has fired before. Done then: {action}, {service}.",
    ),
    "alert.silence": ("静默", "Silence"),
    "alert.source": ("告警规则", "Source"),
}
