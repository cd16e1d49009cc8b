"""How conversations ended, and what a week was like."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "settled.resolved": ("已解决", "resolved"),
    "settled.unresolved": ("未解决：{why}", "not resolved: {why}"),
    "settled.alerts_firing": ("该服务仍有 {count} 组告警在触发", "groups of alerts about it still firing: {count}"),
    "settled.incident_open": ("故障单 {id} 未关闭", "incident {id} is still open"),
    "settled.repeated": ("同一个问题问了 {times} 次", "the same question was asked {times} times"),
    "settled.rated_low": ("评分 {score}/5", "it was rated {score} of 5"),
    "settled.again_in_trouble": ("7 天内该服务再次出问题", "the service was in trouble again within 7 days"),
    "settled.closing_good": ("结束时表示感谢", "it ended with thanks"),
    "button.helpful": ("👍 有用", "👍 Helped"),
    "button.unhelpful": ("👎 没用", "👎 Did not help"),
    "feedback.sorry": (
        "已记下，没帮上忙。可以换个问法，或说“转人工”。",
        'Noted that it did not help. Ask again in other words, or say "hand off" for a person.',
    ),
    "feedback.counted": ("评价已记下：👍 {up}，👎 {down}。", "Noted: 👍 {up}, 👎 {down}."),
    "feedback.gone": (
        "这条回答已不在当前对话中，评价没有记下。请直接在新的回答下评价。",
        "That answer is no longer part of this conversation, so nothing was noted. Rate a newer one.",
    ),
    "settled.closing_bad": ("结束时表示没有帮助", "it ended with words that it did not help"),
}
