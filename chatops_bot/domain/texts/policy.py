"""Refusals of the policy, as key -> (Chinese, English).

`rule` is the number of the rule in the policy file, counted from 1; `who` and `entry` are as that file names people.
"""

from __future__ import annotations

from typing import Final

_ROLES: Final = {
    "read": ("查看", "read"),
    "request": ("请求 {action}", "ask for {action}"),
    "confirm": ("确认 {action}", "confirm {action}"),
    "approve": ("批准 {action}", "approve {action}"),
}

TEXTS: Final[dict[str, tuple[str, str]]] = {
    **{
        f"policy.only.{role}": (
            f"策略规则 {{rule}} 不允许你{zh}。可以的人：{{who}}。",
            f"Rule {{rule}} of the policy does not let you {en}. These can: {{who}}.",
        )
        for role, (zh, en) in _ROLES.items()
    },
    **{
        f"policy.nobody.{role}": (
            f"策略规则 {{rule}} 不允许任何人{zh}。如需放开，请让管理员修改该规则。",
            f"Rule {{rule}} of the policy lets nobody {en}. Whoever keeps the policy has to change that rule.",
        )
        for role, (zh, en) in _ROLES.items()
    },
    "policy.no_rule": (
        "策略中没有任何规则允许在这里执行 {action}，所以拒绝。请让管理员补一条规则。",
        "No rule of the policy allows {action} here, so it is refused. Whoever keeps the policy has to add one.",
    ),
    "policy.no_file": (
        "没有配置策略文件，机器人处于只读状态，不执行 {action}。管理员设置 policy 或 policy_file 后才能变更。",
        "There is no policy file, so the bot only reads and {action} is refused. It takes a policy or policy_file in the configuration to allow changes.",
    ),
    "policy.broken": (
        "策略文件有错误，在修好之前拒绝一切变更，不执行 {action}。请运行 chatops-bot check-config 查看错误。",
        "The policy file has errors; until they are mended every change is refused, {action} too. `chatops-bot check-config` lists them.",
    ),
    "policy.unknown_action": (
        "没有名为 {action} 的操作，所以拒绝。",
        "There is no action called {action}, so it is refused.",
    ),
    "policy.guest": (
        "访客不能使用机器人，除非策略规则点名允许。需要时请让管理员把 {entry} 写进规则。",
        "Guests may do nothing here unless a rule of the policy names them. To allow it, a rule has to name {entry}.",
    ),
    "policy.foreign": (
        "外部组织的成员不能使用机器人，除非策略规则点名允许。需要时请让管理员把 {entry} 写进规则。",
        "People of other organisations may do nothing here unless a rule of the policy names them. To allow it, a rule has to name {entry}.",
    ),
    "policy.limit_replicas": (
        "策略规则 {rule} 最多允许 {max} 个副本，而这里要 {asked} 个，所以拒绝。",
        "Rule {rule} of the policy allows at most {max} replicas; {asked} is too many.",
    ),
    "policy.limit_unreadable": (
        "策略规则 {rule} 最多允许 {max} 个副本，而 {slot} 不是确定的数字，所以拒绝。",
        "Rule {rule} of the policy allows at most {max} replicas, and {slot} is no definite number, so it is refused.",
    ),
    "policy.own_approval_anybody": (
        "你不能批准自己请求或确认的操作（策略规则 {rule}）。任何其他人都可以批准。",
        "You cannot approve what you asked for or confirmed yourself (rule {rule} of the policy). Anybody else can.",
    ),
    "policy.own_approval": (
        "你不能批准自己请求或确认的操作（策略规则 {rule}）。可以批准的人：{who}。",
        "You cannot approve what you asked for or confirmed yourself (rule {rule} of the policy). These can: {who}.",
    ),
    "freeze.only": (
        "变更冻结“{name}”进行中，到 {until} 为止，变更必须由这些人放行：{who}。",
        "The change freeze “{name}” is on until {until}; meanwhile a change takes an override by: {who}.",
    ),
    "freeze.nobody": (
        "变更冻结“{name}”进行中，到 {until} 为止，任何人都不能变更：策略没有写明谁可以放行。",
        "The change freeze “{name}” is on until {until}, and the policy names nobody who may override it.",
    ),
    "freeze.reason": (
        "变更冻结“{name}”到 {until} 才结束，放行必须有原因，而这个操作没有写。请重新提出并写上“原因：…”。",
        "The change freeze “{name}” is on until {until}. An override takes a reason, and none was given: ask for it again with “because …”.",
    ),
    "freeze.warning": (
        "变更冻结“{name}”进行中，到 {until} 为止。确认即放行，只有这些人可以：{who}。",
        "The change freeze “{name}” is on until {until}. To confirm this is to override it, which these can: {who}.",
    ),
    "freeze.ask_reason": (
        "变更冻结“{name}”到 {until} 才结束，放行必须有原因。为什么现在就要做？",
        "The change freeze “{name}” is on until {until}, and an override takes a reason. Why does this have to be done now?",
    ),
}
