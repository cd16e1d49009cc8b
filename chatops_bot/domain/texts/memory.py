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
        "此前关于 {service} 的对话已结束（{ago} 前）{what}，没有还在等的方案。",
        "The earlier conversation ({service}) has ended ({ago} ago){what}; none of its plans waits any more.",
    ),
    "returning.bare": (
        "此前的对话已结束（{ago} 前）{what}，没有还在等的方案。",
        "The earlier conversation has ended ({ago} ago){what}; none of its plans waits any more.",
    ),
    "returning.asked": ("，当时问过：{what}", ", asked: {what}"),
    "returning.found": ("当时的结论：{what}", "Found then: {what}"),
    "returning.open": ("还没有了结：{what}。", "Still open: {what}."),
    "returning.settled": ("没有遗留。", "Nothing of it is open."),
    "ask.when": (
        "哪一段时间？比如“昨天”“昨晚”“上周”。",
        'Which time? For example "yesterday", "last night", "last week".',
    ),
    "past.some": ("{name}：{when}通过我做过的变更：{count}", "{name}: changes made through me {when}: {count}"),
    "past.none": ("{name}：{when}没有通过我做过变更。", "{name}: nothing was changed through me {when}."),
    "past.span": ("{since} 到 {until}（{zone}）", "{since} to {until} ({zone})"),
    "past.deed": (
        "{at} {action} {service}（{change}）：{outcome}；{asker} 提出，{by} 确认",
        "{at} {action} {service} ({change}): {outcome}; asked for by {asker}, confirmed by {by}",
    ),
    "past.deed_of": (
        "{at} {action} {service}（{change}）：{outcome}；{by} 确认",
        "{at} {action} {service} ({change}): {outcome}; confirmed by {by}",
    ),
    "past.plan": (
        "{at} {action} {service}（{change}）没有执行：{outcome}；{asker} 提出",
        "{at} {action} {service} ({change}) was not run: {outcome}; asked for by {asker}",
    ),
    "past.refused": ("{at} {by}：{what} {service} 被拒绝（{why}）", "{at} {by}: {what} {service} refused ({why})"),
    "past.incident": (
        "{at} 故障单 {id}（{severity}，{status}）：{title}",
        "{at} incident {id} ({severity}, {status}): {title}",
    ),
    "past.handed": ("{at} 已转交给 {who}", "{at} handed over to {who}"),
    "past.asked": ("查看过：{what} {service} ×{count}", "Looked at: {what} {service} ×{count}"),
    "past.more": ("更早的还有 {count} 条没有列出。", "{count} earlier ones are not listed."),
    "past.hidden": (
        "有些服务按规则你不能查看，没有列出。",
        "Services that the rules do not let you read are left out.",
    ),
    "past.kept": (
        "对话摘要只保留 {days} 天；更早的只有审计日志里的变更。",
        "Conversations are on record for {days} days; from before that there are only the changes in the audit log.",
    ),
    "past.audit_kept": (
        "审计日志只保留 {days} 天。",
        "The audit log goes back {days} days.",
    ),
    "past.cut": (
        "只看了最近的 {count} 条审计记录，到 {at} 为止。",
        "Only the latest {count} audit records were looked at, back to {at}.",
    ),
    "past.latest": ("只看了最近的 {count} 段对话。", "Only the latest {count} conversations were looked at."),
    "past.services": (
        "只查了最近的 {count} 个服务各自的审计记录。",
        "The audit records of only the latest {count} services were looked at.",
    ),
    "past.unread": ("审计日志暂时读不到。", "The audit log could not be read."),
    "past.untold": ("对话摘要暂时读不到。", "The summaries of conversations could not be read."),
}

WORDS: Final[dict[str, tuple[str, str]]] = {
    "slot.when": ("哪一段时间", "span of time"),
    "intent.ours": ("做过的操作", "what was done"),
    "past.room": ("这个群", "This room"),
    "past.nobody": ("（未知）", "(unknown)"),
    "when.today": ("今天", "today"),
    "when.this_morning": ("今天上午", "this morning"),
    "when.yesterday": ("昨天", "yesterday"),
    "when.day_before": ("前天", "the day before yesterday"),
    "when.last_night": ("昨晚", "last night"),
    "when.this_week": ("这周", "this week"),
    "when.last_week": ("上周", "last week"),
    "when.week_before": ("上上周", "the week before last"),
    "when.monday": ("周一", "on Monday"),
    "when.tuesday": ("周二", "on Tuesday"),
    "when.wednesday": ("周三", "on Wednesday"),
    "when.thursday": ("周四", "on Thursday"),
    "when.friday": ("周五", "on Friday"),
    "when.saturday": ("周六", "on Saturday"),
    "when.sunday": ("周日", "on Sunday"),
    "when.lately": ("这段时间", "in that time"),
    "memory.request": ("请求", "a request"),
    "memory.somebody": ("值班同学", "somebody on call"),
    "refused.policy": ("规则不允许", "the rules do not allow it"),
    "refused.freeze": ("变更冻结", "a change freeze"),
    "refused.kind": ("对象不支持", "nothing that can be done to it"),
    "refused.unsupported": ("不支持", "not supported"),
    "refused.conflict": ("目标正被另一个方案占用", "another plan held the target"),
    "refused.read_only": ("只读状态", "read-only"),
    "refused.other": ("原因见当时的卡片", "its card says why"),
}
"""Words that other sentences name."""
