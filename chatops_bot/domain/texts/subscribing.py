"""What is said to those who want to be told of changes, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "subscribe.done": ("有变化我会 @ {name}", "I will mention {name} when this changes"),
    "subscribe.of": ("关注的变化：{what}。", "That is: {what}."),
    "subscribe.until": (
        "到 {until} 为止；不再需要时说“别通知我了”或按按钮。",
        'Until {until}; before that, say "unsubscribe" or press the button.',
    ),
    "subscribe.nothing": (
        "这个对话里没有正在进行、会有变化的事情",
        "Nothing is under way in this conversation that could change",
    ),
    "subscribe.nothing_how": (
        "没有触发中的告警、进行中的发布或方案、未解决的事故，所以没有什么可以通知。告警请在它的卡片下回复。",
        (
            "No alert fires here, nothing is rolled out or planned, no incident is open: I would have nothing to "
            "tell. For alerts, say it in a reply to their card."
        ),
    ),
    "subscribe.other": (
        "这个对话是关于 {service} 的，{other} 的变化不会在这里出现。",
        "This conversation is about {service}; what happens to {other} is not told here.",
    ),
    "subscribe.full": ("已有 {most} 人关注，达到上限", "{most} people are subscribed already, which is the most"),
    "subscribe.over": ("不再通知 {name}", "{name} is not mentioned any more"),
    "subscribe.none": ("{name} 没有关注这个对话", "{name} is not subscribed here"),
    "subscribe.none_how": (
        "如果是另一个对话，请在它的卡片下回复，或按卡片上的按钮。",
        "If another conversation is meant, say it in a reply to its card, or press the button there.",
    ),
    "subscribe.alerts": ("告警恢复或再次触发", "alerts that end or fire again"),
    "subscribe.plans": ("方案执行", "plans that are carried out"),
    "subscribe.rollout": ("发布完成或失败", "a rollout that finishes or fails"),
    "subscribe.incident": ("事故缓解或解决", "the incident, mitigated or resolved"),
    "subscribe.handed": ("转交后有人接手或交回", "the hand-off, taken or given back"),
    "news.resolved": ("告警已恢复：{what}", "Resolved: {what}"),
    "news.fires": ("告警再次触发：{what}", "Firing again: {what}"),
    "news.executed": ("{action} {service}：{outcome}", "{action} {service}: {outcome}"),
    "news.incident": ("事故 {id}：{status}", "Incident {id}: {status}"),
    "news.taken": ("{who} 已接手", "{who} took it"),
    "news.back": ("转交结束，机器人回来了", "The hand-off is over, the bot is back"),
    "news.why": ("被提到的人关注了这个对话。", "Whoever is mentioned asked to be told."),
}

WORDS: Final[dict[str, tuple[str, str]]] = {
    "intent.subscribe": ("关注变化", "being told of changes"),
    "intent.unsubscribe": ("取消关注", "being told no more"),
    "button.unsubscribe": ("不再通知我", "Unsubscribe me"),
}
