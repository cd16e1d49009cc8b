"""What is said of single pods that are to go, and of plans of several writes. See `texts`."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # plans of several writes
    "working.title": ("进行中：{action} {service}", "Under way: {action} {service}"),
    "halted.title": ("中途停下：{action} {service}", "Stopped half-way: {action} {service}"),
    "working.following": ("第一步已写入，还有 {count} 步，我会逐步执行并更新这张卡片。", "The first step is written; {count} more follow, and this card with them."),
    "work.superseded": ("有人改动了第一步的结果，后面的步骤不再执行。", "Somebody has changed what the first step wrote, so no further one is made."),
    "work.timeout": ("到时限仍未全部完成，后面的步骤不再执行。", "Not all of it was done within its time; no further step is made."),
    "work.rest": ("剩下 {count} 步：{names}", "Left undone ({count}): {names}"),
    "work.refused": ("{name}：API 服务器拒绝了（{why}），后面的步骤不再执行。", "{name}: the API server refused ({why}), so no further step is made."),
    "work.lost": ("后面的步骤没有执行完，原因没有记录下来；请核对现状。", "The further steps were not all made, and why is not on record; look at it as it is now."),
    # single pods
    "plan.blocked": ("现在不能驱逐：{why}。", "It cannot be evicted now: {why}."),
    "gate.blocked": ("现在不能驱逐，没有执行：{why}。", "It cannot be evicted now, so nothing was run: {why}."),
    "gate.pod_gone": ("Pod {pod} 已经不在了（或已被同名的新 Pod 取代），没有执行。", "Pod {pod} is gone already (or another has its name), so nothing was run."),
}
