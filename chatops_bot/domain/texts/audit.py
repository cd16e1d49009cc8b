"""What the bot says of its own record: that it cannot be written, and what it leaves in the cluster."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "gate.audit_unwritable": (
        "审计日志写不进去：没有记录就不执行，什么都没有执行。请管理员检查存储（`chatops-bot audit verify`）；修好之后再确认一次。",
        "The audit log cannot be written, and nothing is done without a record: nothing was run. An operator must look at the store (`chatops-bot audit verify`); confirm again once it is mended.",
    ),
    "gate.audit_behind": (
        "审计日志超过 {minutes} 分钟没有送达第二处，配置要求（audit.required）在此期间不执行变更。什么都没有执行；只读查询不受影响。",
        "The audit log has not reached its second place for more than {minutes} minutes, and the configuration (audit.required) wants no changes meanwhile. Nothing was run; I can still look.",
    ),
    "notice.audit_unwritable": (
        "审计日志写不进去：这条消息还没有处理，什么都没有执行；修好之后会自动继续。",
        "The audit log cannot be written: this was not dealt with yet and nothing was run. I go on by myself once it is mended.",
    ),
    "notice.audit_reading": (
        "审计日志写不进去：现在只能查看，不能变更。",
        "The audit log cannot be written: I can look, but change nothing.",
    ),
    # The Event on the target: one line, read by whoever describes the object.
    "event.done": (
        "{name} 经 ChatOps 执行：{change}。方案 {plan}，提出人 {asked}{approved}。{link}",
        "{name} did this by chat: {change}. Plan {plan}, asked by {asked}{approved}. {link}",
    ),
    "event.unknown": (
        "{name} 经 ChatOps 确认：{change}；写入结果未知，需人工核对。方案 {plan}，提出人 {asked}{approved}。{link}",
        "{name} confirmed this by chat: {change}; whether it was written is unknown and must be checked by a person. Plan {plan}, asked by {asked}{approved}. {link}",
    ),
    "event.approved": ("，批准人 {names}", ", approved by {names}"),
}
