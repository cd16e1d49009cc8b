"""What is said of runbooks, as key -> (Chinese, English). Their own sentences are in their files."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "runbook.help": (
        "预案：磁盘满了怎么处理？带我走一遍。",
        'Runbooks: "how do we handle a full disk?", "walk me through it".',
    ),
    "runbook.found": ("有 {count} 份预案与此有关：", "Runbooks about this: {count}"),
    "runbook.hit": ("{number}. {title_zh}（{id}）", "{number}. {title_en} ({id})"),
    "runbook.hit_step": (
        "{number}. {title_zh}（{id}）第 {step} 步：{step_zh}",
        "{number}. {title_en} ({id}), step {step}: {step_en}",
    ),
    "runbook.none": ("没有找到与此有关的预案。", "There is no runbook about this."),
    "runbook.none_hint": (
        "现有 {count} 份预案。可以用症状（OOM、磁盘满）、报错原文或告警名来问；要我动手就直接说，例如“重启 web”，我会先给出方案。",
        (
            "There are {count}. Ask by symptom (OOM, full disk), by the text of an error, or by the name of an alert. To have "
            'something done, say so, such as "restart web": I show a plan first.'
        ),
    ),
    "runbook.none_service": (
        "想找适合 {name} 的预案，先问“{name} 怎么样”：诊断卡片会带上与所见问题对应的预案。",
        'For those that fit {name}, ask "how is {name}?" first: its diagnosis offers the runbooks of what it finds.',
    ),
    "runbook.gone": (
        "没有 {id} 这份预案，可能已被删除或改名。",
        "There is no runbook {id}; it may have been removed or renamed.",
    ),
    "runbook.title": ("预案：{title}", "Runbook: {title}"),
    "runbook.for": ("适用：{what}", "For: {what}"),
    "runbook.say": ("{number}. {text}{then}", "{number}. {text}{then}"),
    "runbook.query": ("{number}. 看{what}{slots}：{text}{then}", "{number}. Look at {what}{slots}: {text}{then}"),
    "runbook.ask": ("{number}. {text} {answers}", "{number}. {text} {answers}"),
    "runbook.action": (
        "{number}. 可执行“{what}”{slots}：{text}{then}",
        '{number}. Action "{what}"{slots}: {text}{then}',
    ),
    "runbook.answer": ("{text} → {then}", "{text} → {then}"),
    "runbook.step": ("第 {number} 步", "step {number}"),
    "runbook.end": ("结束", "end"),
    "runbook.then": ("（接着：{then}）", " (then: {then})"),
    "runbook.verification": ("验证：{text}", "Verify: {text}"),
    "runbook.back": ("退路：{text}", "Way back: {text}"),
    "runbook.owner": ("{id} · 维护：{owner} · 最近复核：{date}", "{id} · kept by {owner} · reviewed {date}"),
    "runbook.overdue": (
        "⚠ 已超过一年没有人复核，照做之前先想一想是否仍然适用。",
        "⚠ Nobody has reviewed it for over a year: think twice whether it still holds.",
    ),
    "working.alone": ("正在查询{intent}…", "Looking: {intent}…"),
}
