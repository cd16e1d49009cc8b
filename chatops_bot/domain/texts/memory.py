"""What is said of earlier conversations and of what they came to, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "memory.asked": ("{what} {service}", "{what} {service}"),
    "memory.deed": ("{action} {service}（{change}）：{outcome}", "{action} {service} ({change}): {outcome}"),
    "memory.refused": ("{what} {service} 被拒绝：{why}", "{what} {service} refused: {why}"),
    "memory.by": ("{what}（{by}）", "{what} ({by})"),
    "memory.times": ("{what} ×{count}", "{what} ×{count}"),
    "memory.unverified": (
        "{action} {service}：还没有看到结果是否生效",
        "{action} {service}: nobody has seen yet whether it took effect",
    ),
    "memory.unknown": ("{action} {service}：结果未知", "{action} {service}: its outcome is unknown"),
    "memory.failed": ("{action} {service}：没有生效", "{action} {service}: it failed afterwards"),
    "memory.parked": ("搁置的 {action} {service}", "{action} {service}, put aside"),
    "memory.unasked": ("没有说完的 {action} {service}", "{action} {service}, not said to the end"),
    "memory.handed": ("已转交给 {who}", "handed over to {who}"),
    "memory.walk": ("预案 {runbook} 停在第 {step} 步", "runbook {runbook}, at step {step}"),
    "memory.incident": ("故障单 {id}（{status}）", "incident {id} ({status})"),
    "returning.line": ("{text}", "{text}"),
    "returning.done": ("此前（{ago} 前）：{what}。", "Earlier here, {ago} ago: {what}."),
    "returning.ended": (
        "此前关于 {service} 的对话已结束（{ago} 前）{what}，待办都已作废。",
        "The earlier conversation ({service}) has ended ({ago} ago){what}; nothing of it is pending.",
    ),
    "returning.bare": (
        "此前的对话已结束（{ago} 前）{what}，待办都已作废。",
        "The earlier conversation has ended ({ago} ago){what}; nothing of it is pending.",
    ),
    "returning.asked": ("，当时问过：{what}", ", asked: {what}"),
    "returning.found": ("当时的结论：{what}", "Found then: {what}"),
    "returning.open": ("还没有了结：{what}。", "Still open: {what}."),
    "returning.settled": ("没有遗留。", "Nothing of it is open."),
    "context.lock": ("{service} {key}", "service {service} = {key}"),
}

WORDS: Final[dict[str, tuple[str, str]]] = {
    "memory.somebody": ("值班同学", "somebody on call"),
    "refused.policy": ("规则不允许", "the rules do not allow it"),
    "refused.freeze": ("变更冻结", "a change freeze"),
    "refused.kind": ("对象不支持", "nothing that can be done to it"),
    "refused.unsupported": ("不支持", "not supported"),
    "refused.button": ("按钮已失效", "the button was void"),
    "refused.stale": ("按钮已失效", "the button was void"),
    "refused.expired": ("已过期", "it had expired"),
    "refused.conflict": ("目标正被另一个方案占用", "another plan held the target"),
    "refused.read_only": ("只读状态", "read-only"),
    "refused.other": ("见当时的卡片", "see the card of then"),
}
"""Words that other sentences name."""
