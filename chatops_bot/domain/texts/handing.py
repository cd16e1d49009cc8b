"""What is said of hand-offs to people, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "handed.title": ("已转人工", "Handed to a person"),
    "handed.title_to": ("已转交 {who}", "Handed to {who}"),
    "handed.title_taken": ("{who} 已接手", "{who} has it"),
    "handed.title_over": ("转交已结束", "The hand-off is over"),
    "handed.text": (
        "{service}：已按 {name} 的要求转人工。在此期间我只做记录；说“继续”让我回来。",
        '{service}: handed to a person at {name}\'s request. I only take notes here until somebody says "resume".',
    ),
    "handed.text_alone": (
        "已按 {name} 的要求转人工。在此期间我只做记录；说“继续”让我回来。",
        'Handed to a person at {name}\'s request. I only take notes here until somebody says "resume".',
    ),
    "handed.to": ("转给", "To"),
    "handed.reason": ("原话", "In their words"),
    "handed.owners": ("负责人", "Owners"),
    "handed.assigned": ("处理人：{who}", "Assigned to {who}"),
    "handed.nobody": (
        "没有配置可以通知的人或值班组，所以没有提醒任何人；请直接找人。",
        "No owner and no on-call group is set up for this, so nobody was mentioned. Please call somebody yourself.",
    ),
    "handed.unreached": (
        "在这个群里无法提醒 {who}（没有配置这个平台的帐号），请直接联系。",
        "{who} cannot be mentioned here: no account on this platform is set up. Please tell them yourself.",
    ),
    "handed.unknown": ("我不认识“{name}”。", 'I know nobody called "{name}".'),
    "handed.groups": ("值班组：{groups}", "On-call groups: {groups}"),
    "handed.asked": ("问过：{what}", "Asked: {what}"),
    "handed.found": ("发现：{what}", "Found: {what}"),
    "handed.done": ("做过：{what}", "Done: {what}"),
    "handed.refused": ("被拒绝：{what}", "Refused: {what}"),
    "handed.open": ("还没有了结：{what}", "Still open: {what}"),
    "handed.cited": ("引用过的预案：{what}", "Runbooks cited: {what}"),
    "handed.plan_void": ("{action} {service} 已搁置，没有生效的方案", "{action} {service}, put aside without a plan"),
    "handed.plan_runs": ("正在执行 {action} {service}", "{action} {service}, which is being carried out"),
    "handed.incident": ("事故 {id}", "incident {id}"),
    "handed.firing": ("告警 {what} 仍在触发", "alerts firing: {what}"),
    "handed.taken": ("{name} 于 {at} 接手。", "{name} took it at {at}."),
    "handed.already": ("已经转交 {who} 了；我只做记录。", "This is with {who} already; I only take notes."),
    "handed.over_already": ("这里没有转交中的内容。", "Nothing is handed over here."),
    "handed.moved": ("见下方新的卡片。", "See the newer card below."),
    "handed.reminder": (
        "{minutes} 分钟了还没有人接手。",
        "Nobody has taken it for {minutes} minutes.",
    ),
    "handed.untaken": (
        "{minutes} 分钟了，{who} 还没有接手。谁能来看？按“我来处理”接手。",
        'For {minutes} minutes nobody ({who}) has taken this. Whoever can: press "I take it".',
    ),
    "handed.untaken_nobody": (
        "{minutes} 分钟了还没有人接手。谁能来看？按“我来处理”接手。",
        'For {minutes} minutes nobody has taken this. Whoever can: press "I take it".',
    ),
    "handed.noted": (
        "已转人工：只记录，没有执行任何操作。说“继续”让我回来。",
        'Handed to a person: noted, nothing was done. Say "resume" to bring me back.',
    ),
    "handed.noted_to": (
        "已转交 {who}：只记录，没有执行任何操作。说“继续”让我回来。",
        'Handed to {who}: noted, nothing was done. Say "resume" to bring me back.',
    ),
    "handed.dead": (
        "已转交 {who}：在有人说“继续”之前，这里的按钮不做任何变更。什么都没有执行。",
        'Handed to {who}: until somebody says "resume", buttons change nothing here. Nothing was run.',
    ),
    "handed.stopped": (
        "对象已变化，而且已转人工：不再自动准备新方案。",
        "The target has changed, and this is handed to a person: no new plan is made by itself.",
    ),
    "handed.order_first": (
        "先处理变更；要转人工，请说“转人工”或按按钮。",
        'The change comes first. To hand this over to a person, say "get me a human".',
    ),
    "handed.back": ("我回来了。", "I am back."),
    "handed.back_had": (
        "{who} 处理了 {span}；期间记下 {notes} 条消息。",
        "{who} had it for {span}; messages noted meanwhile: {notes}.",
    ),
    "handed.back_untaken": (
        "转交了 {span}，没有人接手；期间记下 {notes} 条消息。",
        "It was handed over for {span} and nobody took it; messages noted meanwhile: {notes}.",
    ),
    "handed.given_back": ("{name} 让我回来了。", "{name} brought me back."),
    "handed.lapsed": (
        "{hours} 小时没有动静，转交到此为止。",
        "Nothing was said for {hours} hours; the hand-off ends here.",
    ),
    "incident.entry.handed_to": ("转交 {who}", "handed over to {who}"),
    "incident.entry.taken": ("{who} 接手", "taken by {who}"),
    "incident.assignee": ("处理人", "Assigned to"),
}

WORDS: Final[dict[str, tuple[str, str]]] = {
    "handed.somebody": ("值班同学", "a person"),
    "button.take": ("我来处理", "I take it"),
    "button.give_back": ("让机器人回来", "Give back to the bot"),
    "outcome.handed_off": ("转交后无人处理", "handed over"),
}
