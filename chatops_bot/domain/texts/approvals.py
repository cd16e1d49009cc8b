"""What is said while a plan waits for approvals, as key -> (Chinese, English).

`who` are names as they are known in the thread, else as the policy writes them; times are of UTC.
"""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "approval.count": ("{name} 已确认。批准 {have}/{need}。", "Confirmed by {name}. Approvals: {have} of {need}."),
    "approval.given": ("已批准：{who}。", "Approved by: {who}."),
    "approval.lapsed": (
        "按现在的规则不再算数的批准：{who}。",
        "No longer counted, by the rules as they are now: {who}.",
    ),
    "approval.asked": ("等待批准：{who}。", "Asked to approve: {who}."),
    "approval.anybody": ("除访客外任何人都可以批准。", "Anybody but guests can approve it."),
    "approval.anybody_else": (
        "除访客外，请求者和确认者以外的任何人都可以批准。",
        "Anybody but guests can approve it, other than whoever asked for it or confirmed it.",
    ),
    "approval.enough": (
        "按现在的规则批准已经够了，但不会自动执行：可以批准的人再点一次“批准”才执行。",
        (
            "By the rules as they are now that is enough. It does not run by itself: it runs when somebody who may approve "
            "presses Approve once more."
        ),
    ),
    "approval.enough_nobody": (
        "按现在的规则不再需要批准，但不会自动执行：请取消，再重新提出。",
        "By the rules as they are now it needs no approval. It does not run by itself: cancel it, then ask again.",
    ),
    "approval.next": (
        "到 {at} 仍不够时，也会请这些人批准：{who}。",
        "If it still waits at {at}, these are asked too: {who}.",
    ),
    "approval.until": (
        "还有 {minutes} 分钟，到 {until} 过期。只能点按钮批准或驳回；取消或改动可以直接说。",
        "{minutes} minutes left: it expires at {until}. Approve or reject by the button only; to cancel or change it, say so.",
    ),
    "approval.reminder": (
        "提醒：已等待 {minutes} 分钟，仍在等批准。",
        "Reminder: this has waited for {minutes} minutes, and still waits for approval.",
    ),
    "approval.escalated": (
        "已等待 {minutes} 分钟仍无足够批准，从现在起这些人也可以批准：{who}。",
        "This has waited for {minutes} minutes without enough approvals. From now on these may approve too: {who}.",
    ),
    "approval.expired": (
        "已过期：到时只有 {have}/{need} 个批准{who}，什么都没有执行。需要的话请重新提出。",
        "Expired with {have} of {need} approvals{who}. Nothing was run. Ask again if it is still needed.",
    ),
    "approval.void": (
        "旧方案已有的批准（{who}）不算在新方案上。",
        "The approvals of the former plan ({who}) do not count for this one.",
    ),
    "approval.rejected": (
        "{name} 已驳回，什么都没有执行。{name} 回复此卡即可写明原因。",
        "Rejected by {name}. Nothing was run. {name}: answer this card to say why.",
    ),
    "approval.already": (
        "{name} 已经批准过了，仍算一个批准。要撤回批准，请点“驳回”。",
        "{name} has approved already, which counts once. To take it back, press Reject.",
    ),
    "approval.reason": ("{name} 的驳回原因", "Why {name} rejected it"),
    "approval.reason_noted": ("已记下驳回原因。", "The reason is on the card and in the audit log."),
    "approval.by_button": (
        "这句话没有驳回任何东西。批准或驳回只能点按钮；点了“驳回”之后再说原因。",
        "These words reject nothing. Approve or reject by the button; after Reject, say why.",
    ),
    "approval.not_back": (
        "批准不能口头撤回。要拦下这个方案，请点“驳回”，或说“取消”。什么都还没有执行。",
        'An approval cannot be taken back by words. To stop the plan, press Reject, or say "cancel". Nothing has been run.',
    ),
    "approval.elsewhere_title": ("这个对话里没有等待批准的方案", "No plan waits for approval in this conversation"),
    "approval.elsewhere": (
        "什么都没有执行。批准或驳回请点那张方案卡片上的按钮；驳回的人要写明原因，请直接回复那张卡片。",
        "Nothing was run. Approve or reject by the button on the card of the plan; whoever rejected one says why by a reply to its card.",
    ),
    "gate.confirmer_lapsed": (
        "{who} 确认了这个操作，但按现在的规则 {rule} 不能再确认，没有执行。可以的人：{can}。",
        "Nothing was run: by rule {rule} as it is now, {who}, who confirmed this, may not confirm it. These can: {can}.",
    ),
    "gate.approvals_lapsed": (
        "按现在的规则还差 {count} 个批准，没有执行：{who} 的批准不再算数。",
        "By the rules as they are now, {count} more approvals are needed, so nothing was run: the approval of {who} no longer counts.",
    ),
}
