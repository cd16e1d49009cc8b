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
        "策略文件不能用（找不到、读不了或有错误），在修好之前拒绝一切变更，不执行 {action}。请运行 chatops-bot check-config 查看原因。",
        "The policy file cannot be used (it is gone, unreadable, or has errors); until that is mended every change is refused, {action} too. `chatops-bot check-config` says what is wrong.",
    ),
    "policy.outdated": (
        "策略文件改过之后有错误，没有生效；仍按改之前的规则判断。请运行 chatops-bot check-config 查看错误。",
        "The policy file was changed and has errors, so the change has not come into force; the rules of before hold. `chatops-bot check-config` lists the errors.",
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
    "policy.raised": (
        "策略规则 {rule} 把它算作{risk}风险。",
        "By rule {rule} of the policy this is of {risk} risk.",
    ),
    "policy.limit_replicas": (
        "策略规则 {rule} 最多允许 {max} 个副本，而这里要 {asked} 个，所以拒绝。任何人都不能超过；如需更多，请让管理员修改该规则。",
        "Rule {rule} of the policy allows at most {max} replicas; {asked} is too many. Nobody may go beyond it: whoever keeps the policy has to change that rule.",
    ),
    "policy.limit_unreadable": (
        "策略规则 {rule} 最多允许 {max} 个副本，而 {slot} 不是确定的数字，所以拒绝。",
        "Rule {rule} of the policy allows at most {max} replicas, and {slot} is no definite number, so it is refused.",
    ),
    "policy.not_yet": (
        "策略规则 {rule} 目前只允许这些人批准 {action}：{who}。等待满 {after} 仍无人批准时，才会轮到你。",
        "Rule {rule} of the policy lets these approve {action}: {who}. You can only once it has waited for {after}.",
    ),
    "policy.unread": (
        "策略规则 {rule} 只允许这些人执行 {action}：{who}。其中的组 {group} 现在读不到成员：{why}。读到之前，这个组视为没有人。",
        "Rule {rule} of the policy lets these do that ({action}): {who}. Who is in the group {group} cannot be read: {why}. Until it can, nobody is in it.",
    ),
    "impersonate.nobody": (
        "{cluster} 的变更要以本人的身份执行，而配置（impersonate）没有写明 {who} 在集群里是谁，所以拒绝。请让管理员补上。",
        "Changes in {cluster} are made in people's own names, and the configuration (impersonate) does not say who {who} is there, so it is refused. Whoever keeps the configuration has to add it.",
    ),
    "impersonate.as": (
        "将以 {user} 的身份提交给集群（确认者是谁，就以谁的身份执行）",
        "Tried as {user}; it is made in the name of whoever confirms it",
    ),
    "access.bot": (
        "机器人的帐号在 {cluster} 没有权限：{permission}。chatops-bot doctor 会列出要授予什么；授权后再试。",
        "The bot's own account in {cluster} lacks a permission: {permission}. chatops-bot doctor lists what to grant; then ask again.",
    ),
    "access.person": (
        "你在 {cluster} 的身份 {user} 没有权限：{permission}。请让集群管理员授权，或者由有权限的人提出。",
        "{user}, who you are in {cluster}, lacks a permission there: {permission}. Whoever keeps the cluster has to grant it, or somebody who has it asks for the change.",
    ),
    "policy.own_approval_anybody": (
        "你不能批准自己请求或确认的操作（策略规则 {rule}）。任何其他人都可以批准。",
        "You cannot approve what you asked for or confirmed yourself (rule {rule} of the policy). Anybody else can.",
    ),
    "policy.own_approval": (
        "你不能批准自己请求或确认的操作（策略规则 {rule}）。可以批准的人：{who}。",
        "You cannot approve what you asked for or confirmed yourself (rule {rule} of the policy). These can: {who}.",
    ),
    "explain.head": ("{action} {target}（{place}）", "{action} {target} ({place})"),
    "explain.no": ("{role}：不可以。{why}", "{role}: no. {why}"),
    "explain.yes": (
        "{role}：可以，依据策略规则 {rule}。可以的人：{who}。",
        "{role}: yes, by rule {rule} of the policy. These can: {who}.",
    ),
    "explain.yes_everybody": (
        "{role}：可以，依据策略规则 {rule}。除访客外任何人都可以。",
        "{role}: yes, by rule {rule} of the policy. Everybody but guests can.",
    ),
    "explain.yes_unruled": (
        "{role}：可以，没有规则提到它。除访客外任何人都可以。",
        "{role}: yes, no rule speaks of it. Everybody but guests can.",
    ),
    "explain.approvals_others": (
        "确认之后还要 {count} 人批准（请求者和确认者不算），可以批准的人：{who}。",
        "After the confirmation {count} must approve (neither the requester nor the confirmer), out of: {who}.",
    ),
    "explain.approvals_own": (
        "确认之后还要 {count} 人批准（请求者和确认者也算），可以批准的人：{who}。",
        "After the confirmation {count} must approve (themselves included), out of: {who}.",
    ),
    "explain.escalated": (
        "等待满 {after} 仍不够时，这些人也可以批准：{who}。",
        "Where that has waited for {after}, these can approve too: {who}.",
    ),
    "explain.risk": (
        "算作{risk}风险：要按按钮，或在确认的话里写明服务名。",
        "It counts as {risk} risk: press the button, or name the service in the words that confirm it.",
    ),
    "explain.limit": ("最多 {max} 个副本。", "Up to {max} replicas."),
    "explain.read_only": (
        "机器人现在只读（{why}）：无论策略怎么写，一切变更都被拒绝。",
        "The bot only reads now ({why}): whatever the policy says, every change is refused.",
    ),
    "explain.freeze": ("冻结：{why}", "freeze: {why}"),
    "explain.freeze_later": ("冻结：“{name}”从 {begins} 开始。", "freeze: “{name}” begins {begins}."),
    "explain.freeze_over": ("冻结：“{name}”已经结束。", "freeze: “{name}” is over."),
    "explain.freeze_yours": (
        "冻结：“{name}”进行中，到 {until} 为止；此人写明原因即可放行。",
        "freeze: “{name}” is on until {until}; this person may override it, with a reason.",
    ),
    "explain.title": ("权限：{name}", "Permissions of {name}"),
    "freeze.only": (
        "变更冻结“{name}”进行中，到 {until} 为止，变更必须由这些人放行：{who}。",
        "The change freeze “{name}” is on until {until}; meanwhile a change takes an override by: {who}.",
    ),
    "freeze.nobody": (
        "变更冻结“{name}”进行中，到 {until} 为止，任何人都不能变更：策略没有写明谁可以放行。",
        "The change freeze “{name}” is on until {until}, and the policy names nobody who may override it.",
    ),
    "freeze.unread": (
        "变更冻结“{name}”进行中，到 {until} 为止，变更必须由这些人放行：{who}。其中的组 {group} 现在读不到成员：{why}。",
        "The change freeze “{name}” is on until {until}; meanwhile a change takes an override by: {who}. Who is in the group {group} cannot be read: {why}.",
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
        "变更冻结“{name}”到 {until} 才结束，放行必须有原因。为什么现在就要做？请回答“因为……”。",
        "The change freeze “{name}” is on until {until}, and an override takes a reason. Why does this have to be done now? Answer with “because …”.",
    ),
}
