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
    "settled.graded_low": ("模型评分 {score}/5", "a model graded it {score} of 5"),
    "settled.again_in_trouble": ("7 天内该服务再次出问题", "the service was in trouble again within 7 days"),
    "settled.closing_good": ("结束时表示感谢", "it ended with thanks"),
    "returning.judged": ("后来的判断：{verdict}。", "Judged since: {verdict}."),
    "digest.quiet": ("这一周没有人找过机器人。", "Nobody asked the bot anything this week."),
    "digest.unjudged": ("对话 {count} 次，尚未评判结果", "Conversations: {count}; how they ended is not judged yet"),
    "digest.ended": (
        "对话 {count} 次：已解决 {resolved}，未解决 {unresolved}",
        "Conversations: {count}; resolved {resolved}, not resolved {unresolved}",
    ),
    "digest.tokens": ("{count} tokens", "{count} tokens"),
    "digest.span": ("{first} 至 {last}（{zone}）", "{first} to {last} ({zone})"),
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

WORDS: Final[dict[str, tuple[str, str]]] = {
    "button.helpful": ("👍 有用", "👍 Helped"),
    "button.unhelpful": ("👎 没用", "👎 Did not help"),
    "digest.title": ("本周回顾", "The week"),
    "digest.asked": ("问过", "Asked"),
    "digest.actions": ("变更", "Changes"),
    "digest.refusals": ("被拒绝", "Refused"),
    "digest.noisy": ("最不安稳的服务", "Noisy services"),
    "digest.open": ("未关闭的故障", "Open incidents"),
    "digest.model": ("模型用量", "Model"),
    "digest.none": ("无", "none"),
    "digest.other": ("其他原因", "other reasons"),
}
