"""What is asked for each slot, and why a value that was said cannot be taken."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "ask.cluster": ("哪个集群？", "Which cluster?"),
    "ask.namespace": ("哪个命名空间？", "Which namespace?"),
    "ask.environment": ("哪个环境？", "Which environment?"),
    "ask.pod": ("{service} 的哪个 Pod？", "Which pod of {service}?"),
    "ask.since": ("从多久以前看起？比如“最近 30 分钟”。", 'How far back? For example "the last 30 minutes".'),
    "ask.tail": ("看最后多少行？", "How many of the last lines?"),
    "ask.previous": ("看崩溃之前的那个容器吗？", "Of the container before the last crash?"),
    "ask.grep": ("只看含有什么字的行？", "Lines that contain what?"),
    "ask.errors": ("只看错误吗？", "Errors alone?"),
    "ask.everyone": ("看所有 Pod 吗？", "Of all pods?"),
    "ask.part": ("看状态的哪一部分？", "Which part of the status?"),
    "ask.about": ("看什么：重启、没就绪的 Pod，还是任务？", "What of it: restarts, pods that are not ready, or jobs?"),
    "ask.reason": ("为什么要做这个变更？", "Why is this change wanted?"),
    "ask.runbook": ("哪份预案？", "Which runbook?"),
    "ask.to": ("交给谁？", "To whom?"),
    "ask.severity": ("多严重？", "How severe is it?"),
    "ask.title": ("出了什么事？", "What has happened?"),
    "flow.gave_up": (
        "还是没弄明白：{what}。我先不再问了，什么都没有执行。",
        "I still could not make out the {what}, so I stop asking. Nothing was run.",
    ),
    "flow.gave_up_choose": (
        "已放下：{intent}{about}。可以点下面的选项，说“继续刚才的”，或者找人来处理。",
        'Put aside: {intent}{about}. Press one of the choices, say "continue" to take it up again, or have a person look at it.',
    ),
    "flow.gave_up_aside": (
        "已放下：{intent}{about}。说“继续刚才的”可以接着做，或者找人来处理。",
        'Put aside: {intent}{about}. Say "continue" to take it up again, or have a person look at it.',
    ),
    "flow.more": ("还有 {count} 个：也可以直接写名字。", "More: {count}. Or write the name of one."),
    "done.goes_on": (
        "这里还有别的事在等；下一个请求请写明服务名。",
        "Something else still waits here; name the service in your next request.",
    ),
    "flow.queued": ("之后再办：{intent}{about}。", "After that: {intent}{about}."),
    "flow.next": ("接下来：{intent}{about}。", "Next: {intent}{about}."),
    "flow.not_at_hand": (
        "这件事已经不在手边了，什么都没有执行。需要的话请重新提出。",
        "That is not at hand any more; nothing was run. Ask for it again if it is still needed.",
    ),
    "flow.take_up": ("接着做：{what}{about}", "Go on: {what}{about}"),
    "refuse.put_aside": (
        "刚才还放下了别的事，这句话不知道指哪一个，什么都没有执行。要执行这个方案，请点“确认”或说“确认”。",
        'Something was put aside before, and you may mean that. Nothing was run. Press Confirm, or say "confirm", for this plan.',
    ),
    "flow.no_number": ("“{value}”不是副本数。", '"{value}" is no number of replicas.'),
    "flow.no_name": (
        "“{value}”不可能是名字：只能用字母、数字、“-”和“.”。",
        '"{value}" can be no name: only letters, digits, "-" and "." may be in it.',
    ),
    "flow.no_text": ("不能为空，最多 {most} 个字。", "It must not be empty, and have {most} characters at most."),
    "flow.no_span": (
        "“{value}”不是我能往回看的时间：至少 1 秒，最多 {days} 天。",
        "{value} is no time that I can look back: at least 1 second, at most {days} days.",
    ),
    "flow.no_lines": (
        "看不了 {value} 行：至少 1 行，最多 {most} 行。",
        "I cannot show {value} lines: at least 1, at most {most}.",
    ),
    "flow.no_flag": ("“{value}”既不是“是”也不是“否”。", '"{value}" is neither yes nor no.'),
    "flow.outright": ("这要明确说出来：“{words}”。", 'This must be said outright: "{words}".'),
    "flow.none_of": ("“{value}”不在其中；有：{known}。", '"{value}" is none of them; there are: {known}.'),
    "flow.no_severity": (
        "“{value}”不是严重程度；比如 sev2 或 P1。",
        '"{value}" is no severity; it is said like sev2 or P1.',
    ),
}

WORDS: dict[str, tuple[str, str]] = {
    "slot.cluster": ("集群", "cluster"),
    "slot.namespace": ("命名空间", "namespace"),
    "slot.environment": ("环境", "environment"),
    "slot.node": ("节点", "node"),
    "slot.since": ("时间范围", "time span"),
    "slot.tail": ("行数", "number of lines"),
    "slot.previous": ("崩溃之前的容器", "container before the crash"),
    "slot.grep": ("过滤的字", "text to filter by"),
    "slot.errors": ("只看错误", "errors alone"),
    "slot.everyone": ("所有 Pod", "all pods"),
    "slot.part": ("状态的哪一部分", "part of the status"),
    "slot.about": ("看什么", "what is looked for"),
    "slot.runbook": ("预案", "runbook"),
    "slot.to": ("交给谁", "to whom"),
    "slot.severity": ("严重程度", "severity"),
    "slot.title": ("标题", "title"),
    "intent.declare": ("开故障单", "declaring an incident"),
}
