"""What is said while a runbook is walked, as key -> (Chinese, English)."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "walk.title": ("预案：{title} · 第 {number}/{count} 步", "Runbook: {title} · step {number} of {count}"),
    "walk.title_end": ("预案：{title} · 步骤已走完", "Runbook: {title} · no step is left"),
    "walk.header": ("预案“{title}”第 {number}/{count} 步", "Runbook “{title}”, step {number} of {count}"),
    "walk.plain": ("{text}", "{text}"),
    "walk.query": ("看{what}{slots}，应当看到：{text}", "Look at {what}{slots}. What to see: {text}"),
    "walk.action": ("可执行“{what}”{slots}：{text}", 'Action "{what}"{slots}: {text}'),
    "walk.gated": (
        "按下按钮或说“执行”会给出方案，有人确认后才会执行；“下一步”则什么都不做。",
        'The button or "do it" makes a plan, and nothing is run until somebody confirms it; "next" leaves it out.',
    ),
    "walk.prompt": (
        "预案“{title}”第 {number}/{count} 步：{text}",
        "Runbook “{title}”, step {number} of {count}: {text}",
    ),
    "walk.prompt_on": (
        "预案“{title}”接下来是第 {number}/{count} 步。",
        "Runbook “{title}” goes on at step {number} of {count}.",
    ),
    "walk.prompt_end": ("预案“{title}”只剩最后的验证。", "Of runbook “{title}” only the verification is left."),
    "walk.how": (
        "{about} · 可以说：下一步、跳过、上一步、到哪了、结束预案",
        "{about} · say: next, skip, back, where was I, stop the runbook",
    ),
    "walk.how_bare": (
        "可以说：下一步、跳过、上一步、到哪了、结束预案",
        "say: next, skip, back, where was I, stop the runbook",
    ),
    "walk.begins": ("开始预案：{title}", "Starting the runbook: {title}"),
    "walk.others": ("也可能是下面这些，按下即换：", "If that is not the one, these fit too:"),
    "walk.which": ("要走哪一份预案？", "Which runbook?"),
    "walk.replaced": ("预案“{title}”停在第 {number} 步，不再继续。", "Runbook “{title}” ends at step {number}."),
    "walk.rebound": (
        "预案“{title}”是为 {before} 走的，停在第 {number} 步。",
        "Runbook “{title}” was walked for {before}; it ends at step {number}.",
    ),
    "walk.here": ("已经在走这份预案。", "This runbook is under way already."),
    "walk.stale": (
        "那个按钮属于另一步，没有起作用；现在在这里。",
        "That button belongs to another step and did nothing; this is where the runbook stands.",
    ),
    "walk.first": ("已经是第一步。", "This is the first step."),
    "walk.answer_first": (
        "这一步要先回答：按下一个答案，或说出它。",
        "This step needs an answer: press one, or say it.",
    ),
    "walk.do_or_next": (
        "这一步有一个操作：说“执行”给出方案，说“下一步”则不做。",
        'This step offers an action: say "do it" for a plan, or "next" to leave it out.',
    ),
    "walk.plan_first": (
        "这句话是对预案说的还是对方案说的，说不准，所以什么都没有确认。请按方案上的按钮，或取消它，再往下走。",
        (
            "That could be meant for the runbook or for the plan, so it confirmed nothing. Confirm or cancel the plan with its "
            "buttons, then go on."
        ),
    ),
    "walk.busy": ("先把还在等的事定下来，预案再往下走。", "What still waits comes first; then the runbook goes on."),
    "walk.nothing_to_do": ("这一步没有可执行的操作。", "This step has no action."),
    "walk.over": ("这里没有正在走的预案。", "No runbook is under way here."),
    "walk.stopped": ("预案“{title}”停在第 {number}/{count} 步", "Runbook “{title}” ended at step {number} of {count}"),
    "walk.stopped_plan": ("还在等的方案没有变。", "The plan that waits is not touched."),
    "walk.gone": (
        "预案 {id} 已被删除或改名，走到第 {number} 步为止。",
        "Runbook {id} has been removed or renamed; it ends at step {number}.",
    ),
    "walk.changed": (
        "预案 {id} 改过了（原来 {before} 步，现在 {count} 步），说不准走到了哪里。请从头再走。",
        "Runbook {id} was changed meanwhile ({before} steps, now {count}), so its place is lost. Start it again.",
    ),
    "walk.finished": ("预案走完了：{title}", "Runbook finished: {title}"),
    "walk.left_at": (
        "预案“{title}”停在第 {number}/{count} 步。",
        "Runbook “{title}” stands at step {number} of {count}.",
    ),
    "walk.taken": ("✓ {name}：{how}", "✓ {name}: {how}"),
    "walk.took.next": ("下一步", "next"),
    "walk.took.skip": ("跳过", "skipped"),
    "walk.took.back": ("回到上一步", "went back"),
    "walk.took.stop": ("结束", "ended it"),
    "walk.took.done": ("已执行", "done"),
    "walk.button.start": ("一步一步走", "Walk me through it"),
    "walk.button.start_one": ("走：{title}", "Walk: {title}"),
    "walk.button.next": ("下一步", "Next"),
    "walk.button.skip": ("跳过", "Skip"),
    "walk.button.back": ("上一步", "Back"),
    "walk.button.stop": ("结束预案", "Stop"),
    "walk.button.again": ("再看一次", "Look again"),
    "walk.button.on": ("继续预案：第 {number}/{count} 步", "Go on: step {number} of {count}"),
    "walk.button.end": ("继续预案：验证", "Go on: verification"),
    "walk.button.do": ("{what}…", "{what}…"),
    "incident.entry.walk": ("{id} 第 {number}/{count} 步：{how}", "{id}, step {number} of {count}: {how}"),
    "incident.entry.walk_begun": ("开始预案 {id}", "runbook {id} begun"),
    "incident.entry.walk_ended": ("预案 {id} 走完", "runbook {id} finished"),
}
