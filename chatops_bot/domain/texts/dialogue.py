"""What the bot says in a conversation: questions, plans, refusals, outcomes."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    # what is being done
    "working": ("正在查询 {service} 的{intent}…", "Looking at {service}: {intent}…"),
    "working_place": ("正在查询{intent}…", "Looking: {intent}…"),
    "preparing": ("正在准备：{action} {service}…", "Preparing to {action} {service}…"),
    "judging": ("正在核对 {name} 的确认…", "Checking the confirmation by {name}…"),
    "executing": ("{name} 已确认，正在执行：{action} {service}", "Confirmed by {name}. Executing: {action} {service}"),
    # plans
    "plan.title": ("待确认：{action} {service}", "To confirm: {action} {service}"),
    "plan.title_high": ("高风险，待确认：{action} {service}", "HIGH RISK, to confirm: {action} {service}"),
    "plan.closed": ("{reason}：{action} {service}", "{reason}: {action} {service}"),
    "plan.beside": ("另外：{lines}", "Besides: {lines}"),
    "plan.requester": ("提出人", "Asked by"),
    "plan.risk": ("风险", "Risk"),
    "plan.expires": (
        "{minutes} 分钟内有效。点“确认执行”，或 @我 说“确认”；也可以直接说要改什么。",
        'Valid for {minutes} minutes. Press Confirm, or mention me and say "confirm"; or say what to change.',
    ),
    "plan.expires_high": (
        "{minutes} 分钟内有效。高风险：请点“确认执行”，或 @我 说“确认 {service}”。",
        'Valid for {minutes} minutes. High risk: press Confirm, or mention me and say "confirm {service}".',
    ),
    "plan.reason": ("原因", "Reason"),
    "plan.waits": (
        "仍在等待：{action} {service}（{change}）。什么都还没有执行。",
        "Still waiting: {action} {service} ({change}). Nothing has been run.",
    ),
    "plan.unclear": (
        "我没有把这句话当作确认，什么都没有执行。请确认、取消，或说要改什么。",
        "I did not take that as a confirmation; nothing was run. Confirm, cancel, or say what to change.",
    ),
    "plan.unclear_approving": (
        "我没有把这句话当作批准，什么都没有执行。批准或驳回只能点按钮；取消或改动可以直接说。",
        "I did not take that as an approval; nothing was run. Approve or reject by the button; to cancel or change it, say so.",
    ),
    "plan.below": ("{action} {service}：方案见下方。", "{action} {service}: the plan is below."),
    "plan.several_wait": (
        "仍有 {count} 个方案在等确认：请按各自卡片上的按钮。",
        "{count} plans still wait: press the button on the card of the one you mean.",
    ),
    "plan.others_wait": (
        "这个方案仍在等确认。",
        "This plan still waits.",
    ),
    "plan.superseded": (
        "已被新的方案取代，此卡的按钮作废。",
        "Replaced by a newer plan; the buttons of this card are void.",
    ),
    "plan.cancelled": ("{name} 已取消，什么都没有执行。", "Cancelled by {name}. Nothing was run."),
    "plan.rejected": ("{name} 已驳回，什么都没有执行。", "Rejected by {name}. Nothing was run."),
    "plan.expired": (
        "已过期，什么都没有执行。需要的话请重新提出。",
        "Expired. Nothing was run. Ask again if it is still needed.",
    ),
    "plan.left": (
        "已离开这个话题，方案作废，什么都没有执行。",
        "Left for something else: the plan is void. Nothing was run.",
    ),
    "plan.failed": ("无法准备：{action} {service}", "Cannot {action} {service}"),
    "plan.approvals": ("还需 {count} 人批准", "{count} more must approve after the confirmation"),
    "plan.approving_title": ("待批准：{action} {service}", "To approve: {action} {service}"),
    "plan.approving_title_high": ("高风险，待批准：{action} {service}", "HIGH RISK, to approve: {action} {service}"),
    "plan.approved_by": ("已批准", "Approved by"),
    "plan.opposed": (
        "还有另一个方案（{action} {service}）占用这个目标，完成或取消前不能确认这一个。",
        "Another plan ({action} {service}) holds this target; this one cannot be confirmed until that one ends.",
    ),
    "plan.dry_run_ok": ("API 服务器预演通过", "Dry-run by the API server: accepted"),
    "plan.dry_run_refused": (
        "API 服务器预演拒绝：{why}。解决后请重新提出。",
        "Dry-run by the API server: refused: {why}. Ask again once that is settled.",
    ),
    "plan.dry_run_altered": (
        "集群的准入策略会把它改成别的样子（{what}），所以没有给出方案。请按策略允许的重新提出，或先修改策略。",
        (
            "An admission policy of the cluster would make something else of it ({what}), so there is no plan. Ask for "
            "what the policy allows, or have the policy changed."
        ),
    ),
    "plan.dry_run_absent": ("此处无法预演：{why}", "No dry-run possible here: {why}"),
    # outcomes
    "done.title": ("已执行：{action} {service}", "Done: {action} {service}"),
    "done.by": ("由 {name} 确认", "Confirmed by {name}"),
    "done.closed": (
        "本次对话已结束；下一个请求请写明服务名。",
        "This conversation is closed: name the service in your next request.",
    ),
    "done.following": ("集群正在跟进变更…", "The cluster is rolling the change out…"),
    "lost.title": ("结果待查：{action} {service}", "Outcome not known yet: {action} {service}"),
    "lost.text": (
        "写请求已发出，随后与集群 {cluster} 失去联系（{why}）。不会再发第二次；集群恢复应答后，我会查明是否生效，并写在这里。",
        (
            "The write was sent, then contact with cluster {cluster} was lost ({why}). It is not sent again: once the cluster "
            "answers, I find out whether it took effect and say so here."
        ),
    ),
    "failed.title": ("没有执行：{action} {service}", "Not done: {action} {service}"),
    "unknown.title": (
        "结果未知：{action} {service}",
        "Outcome unknown: {action} {service}",
    ),
    "unknown.text": (
        "写请求发出后失去联系，且无法从集群读出结果。不会再次执行；请人工核对 {target}（命名空间 {namespace}）。",
        (
            "The write was sent, then contact was lost, and the cluster could not tell the result. It will not be run again. "
            "Check {target} in namespace {namespace} yourself."
        ),
    ),
    "interrupted.text": (
        "执行被打断，写请求没有生效。需要的话请重新提出。",
        "Execution was interrupted before the write took effect. Ask again if it is still needed.",
    ),
    # refusals
    "refuse.title": ("不能执行", "Refused"),
    "refuse.button_void": (
        "这个按钮已失效：{why}。什么都没有执行。",
        "This button is void: {why}. Nothing was run.",
    ),
    "plan.waits_high": (
        "高风险，仍在等待：{action} {service}（{change}）。什么都还没有执行。",
        "HIGH RISK, still waiting: {action} {service} ({change}). Nothing has been run.",
    ),
    "refuse.why.unknown": ("找不到对应的方案", "no such plan waits here"),
    "refuse.why.token": ("它不属于当前的方案", "it does not belong to the plan that waits now"),
    "refuse.why.superseded": ("方案已被取代", "the plan has been replaced"),
    "refuse.why.expired": (
        "方案已过期，需要的话请重新提出",
        "the plan has expired; ask again if it is still needed",
    ),
    "refuse.why.cancelled": (
        "方案已取消，需要的话请重新提出",
        "the plan was cancelled; ask again if it is needed after all",
    ),
    "refuse.why.rejected": ("方案已驳回", "the plan was rejected"),
    "refuse.why.left": (
        "方案已作废，需要的话请重新提出",
        "the plan was dropped; ask again if it is needed after all",
    ),
    "refuse.why.done": ("已由 {by} 执行", "already done, confirmed by {by}"),
    "refuse.why.refused": ("方案没有执行", "the plan was refused"),
    "refuse.why.interrupted": ("执行被打断", "its execution was interrupted"),
    "refuse.why.unknown_outcome": ("结果未知，需人工核对", "its outcome is unknown and must be checked by a person"),
    "refuse.why.judging": ("正在核对另一次确认", "another confirmation of it is being checked"),
    "refuse.why.executing": ("正在执行", "it is being executed"),
    "refuse.why.approving": ("已确认，正在等待批准", "it is confirmed and waits for approval"),
    "refuse.why.preparing": ("方案还在准备", "the plan is still being prepared"),
    "refuse.conflict": (
        "另一个方案正占用 {target}，完成或取消前不能确认这一个。什么都没有执行。",
        "Another plan holds {target}; this one cannot be confirmed until that one ends. Nothing was run.",
    ),
    "refuse.read_only": (
        "机器人处于只读状态（{why}），什么都没有执行。恢复：@我 说“关闭只读”。",
        'The bot is read-only ({why}), so nothing was run. To lift it, mention me and say "read-only off".',
    ),
    "refuse.several": (
        "有 {count} 个方案在等确认，口头确认不知道指哪一个：要执行哪个，就点哪个的按钮。什么都没有执行。",
        "{count} plans wait; words alone confirm none of them. To run one, press the button on its card. Nothing was run.",
    ),
    "refuse.unseen": (
        "这句话比方案的卡片先到，不算对它的确认，什么都没有执行。请看过方案再确认。",
        "You wrote that before this plan was on the screen, so it confirms nothing. Nothing was run. Read it first.",
    ),
    "refuse.asked": (
        "还有一个问题没有回答，口头确认不知道指哪一个：请先回答，或点方案的按钮。什么都没有执行。",
        (
            "A question is still open, so words alone cannot tell what you mean: answer it first, or press the plan's "
            "button. Nothing was run."
        ),
    ),
    "refuse.others": (
        "方案显示之后有别人在这里说过话：请点按钮，或 @我 再说一次。什么都没有执行。",
        (
            "Somebody else has written here since the plan was shown: press the button, or mention me and say it again. "
            "Nothing was run."
        ),
    ),
    "refuse.high": (
        "高风险：请点按钮，或在确认时说出服务名（“确认 {service}”）。什么都没有执行。",
        'High risk: press the button, or name the service when you confirm ("confirm {service}"). Nothing was run.',
    ),
    "refuse.beside": (
        "刚才另一个方案已经执行，这一个要另外确认：请点按钮，或在确认时说出服务名（“确认 {service}”）。这次什么都没有执行。",
        (
            "Another plan of this conversation has been run; this one takes a confirmation of its own: press the button, or "
            'name the service when you confirm ("confirm {service}"). Nothing more was run.'
        ),
    ),
    "refuse.unaddressed": (
        "口头确认需要 @我，或点按钮。什么都没有执行。",
        "To confirm by words, mention me; or press the button. Nothing was run.",
    ),
    "refuse.drift_words": (
        "你上次发言后，{name} 把话题换成了 {service}：请点按钮确认。什么都没有执行。",
        "Since you last wrote, {name} moved this thread to {service}: press the button to confirm. Nothing was run.",
    ),
    "refuse.unsettled": (
        "有人要改这个方案，但没说清改成什么：照原样执行请点“确认执行”，要改请说改成什么。什么都没有执行。",
        (
            "Somebody wanted this plan changed and it is not clear to what: press Confirm to run it as it is, or say what to "
            "change. Nothing was run."
        ),
    ),
    "refuse.changed": (
        "你要的方案已经不在了，这一个是 {name} 的：请看清内容，再点按钮，或再说一次。什么都没有执行。",
        "Your plan is gone, and this one is of {name}: read it, then press the button or say it again. Nothing was run.",
    ),
    "refuse.executing": (
        "{action} {service} 正在执行，已发出的调用收不回来。完成后可以用“撤销”放回原样。",
        (
            "{action} {service} is being executed; a call that was made cannot be taken back. When it is done, Undo puts back "
            "what can be put back."
        ),
    ),
    "refuse.button_unknown": (
        "不认识这个按钮：{button}。什么都没有执行。",
        "Unknown button: {button}. Nothing was run.",
    ),
    "refuse.action_unknown": (
        "还不支持：{action} {service}。说“帮助”看我能做什么。",
        'I cannot {action} {service} yet. Say "help" for what I can do.',
    ),
    "refuse.kind": (
        "对 {kind} 不能做“{action}”。说“帮助”看我能做什么。",
        'I cannot {action} a {kind}. Say "help" for what I can do.',
    ),
    "refuse.conditional": (
        "我不会等待条件或时间：下面是现在就能执行的方案，确认后立即执行。",
        "I do not wait for conditions or times: this plan runs as soon as it is confirmed.",
    ),
    # questions
    "ask.service": ("哪个服务？", "Which service?"),
    "ask.node": ("哪个节点？", "Which node?"),
    "ask.node_nothing": (
        "没有叫“{text}”的节点，也可能我看不到节点。请写出准确的名字。",
        'No node is called "{text}", or I may not see nodes. Write its exact name.',
    ),
    "choice.force": ("强制", "Force"),
    "choice.local_data": ("删除本地数据", "Delete local data"),
    "ask.force": ("要强制驱逐 {service} 上的这些 Pod 吗？", "Force the eviction of these pods of {service}?"),
    "ask.local_data": (
        "要删除 {service} 上这些 Pod 的本地数据吗？",
        "Delete the local data of these pods of {service}?",
    ),
    "ask.service_several": ("“{text}”有好几个，是哪一个？", 'There are several "{text}". Which one?'),
    "ask.service_which": ("指的是哪一个：{text}？", "Which one do you mean: {text}?"),
    "ask.service_unknown": (
        "没有叫“{text}”的服务。是这些之一吗？",
        'No service is called "{text}". Is it one of these?',
    ),
    "ask.service_elsewhere": (
        "你说的地方没有“{text}”。是这个吗？",
        '"{text}" is not in the place that you named. Do you mean this one?',
    ),
    "ask.service_nothing": (
        "没有叫“{text}”的服务，也没有相近的。请写出准确的名字。",
        'No service is called "{text}", and none is similar. Write its exact name.',
    ),
    "ask.service_alerted": (
        "刚有一条 {alerted} 的告警，而你在这里说的是 {service}。你指的是哪一个？",
        "An alert about {alerted} has just come in, while you were talking about {service}. Which one do you mean?",
    ),
    "ask.service_drift": (
        "你上次发言后，{name} 把话题从 {before} 换成了 {service}。你指的是哪一个？",
        "Since you last wrote, {name} moved this thread from {before} to {service}. Which one do you mean?",
    ),
    "ask.service_pronoun": ("“它”指的是哪一个？", 'Which one is "it"?'),
    "ask.replicas": ("{service} 要多少个副本？", "How many replicas should {service} have?"),
    "ask.replicas_unclear": (
        "{service}：是扩到 {number} 个，还是再加 {number} 个？",
        "{service}: to {number} replicas, or {number} more?",
    ),
    "ask.replicas_unclear_down": (
        "{service}：是缩到 {number} 个，还是减掉 {number} 个？",
        "{service}: down to {number} replicas, or {number} fewer?",
    ),
    "ask.image": ("{service} 要换成哪个镜像或标签？", "Which image or tag should {service} get?"),
    "ask.container": ("{service} 的哪个容器？", "Which container of {service}?"),
    "ask.min": ("{service} 的 HPA 最小副本数改成多少？", "What should be the minimum of {service}'s HPA?"),
    "ask.max": ("{service} 的 HPA 最大副本数改成多少？", "What should be the maximum of {service}'s HPA?"),
    "ask.revision": ("{service} 要回到哪个版本？", "To which revision should {service} go back?"),
    "ask.slot": ("还需要：{slot}。", "Still needed: {slot}."),
    "ask.which_plan": ("是哪一个方案？", "Which plan?"),
    "ask.change": (
        "要改成什么？回复这张卡片，或 @我 说，比如“改成 3 个”“换成 web”“重启它”。",
        'What should change? Reply to this card, or mention me, e.g. "make it 3", "web instead", "restart it instead".',
    ),
    "choice.revision": ("版本 {value}", "revision {value}"),
    "choice.to": ("到 {value} 个", "to {value}"),
    "choice.fewer": ("减 {value} 个", "{value} fewer"),
    "choice.by": ("再加 {value} 个", "{value} more"),
    # lock
    "lock.rebound": ("现在说的是 {service}，不再是 {before}。", "Now about {service}, no longer {before}."),
    "lock.dropped": (
        "{before} 的未执行方案已作废。",
        "What was pending for {before} is void; nothing of it was run.",
    ),
    "parked": (
        "已放下：{intent}{about}。说“回到刚才的”可以接着做。",
        'Put aside: {intent}{about}. Say "back to it" to take it up again.',
    ),
    "resumed": ("接着刚才的：{intent}{about}。", "Taken up again: {intent}{about}."),
    "left_out": ("一次最多处理两件事，没有处理：{what}。", "I take two things at a time; left out: {what}."),
    # answers
    "answer.as_of": (
        "{seconds} 秒前的结果；说“刷新”可重新读取。",
        'As of {seconds} s ago; say "refresh" to read again.',
    ),
    "aside.name_it": ("问这个请带上服务名。", "To ask that, name its service."),
    "answer.cannot": ("这个我答不了。说“帮助”看我能做什么。", 'That I cannot answer. Say "help" for what I can do.'),
    "answer.cannot_intent": ("{intent} 还不支持。", 'I cannot answer "{intent}" yet.'),
    "answer.plan_is": ("方案如下；什么都还没有执行。", "This is the plan; nothing has been run yet."),
    "answer.about": ("{service} · {intent}", "{service} · {intent}"),
    "answer.can": (
        "我能答的是：{what}。",
        "What I can answer: {what}.",
    ),
    "answer.failed": ("没有读到：{why}", "Could not read it: {why}"),
    "answer.too_many": (
        "查询太频繁，请 {seconds} 秒后再试。",
        "Too many queries just now; try again in {seconds} s.",
    ),
    "answer.greeting": (
        (
            "这句话里没有要我做的事，什么都没有执行；你所在的对话里没有待确认的方案。"
            "如果指的是某张卡片，请点它的按钮，或直接回复那张卡片。"
            "否则请写明服务名和要做的事，例如“payment 的状态”。说“帮助”可看我能做什么。"
        ),
        (
            "I found nothing to do in that: nothing was run, and no plan waits in the conversation that you are in. "
            "If you mean a card, press its button, or reply to that card. "
            'Else name a service and what you need, e.g. "status of payment". Say "help" for what I can do.'
        ),
    ),
    "answer.no_answer": (
        "我没有把这句话当作回答，什么都没有执行。",
        "I did not take that as an answer; nothing was run.",
    ),
    "answer.thanks": ("好的。", "You're welcome."),
    "answer.nothing_to_cancel": ("没有待取消的内容。", "Nothing is pending, so nothing was cancelled."),
    "answer.cancelled": ("已取消，什么都没有执行。", "Cancelled. Nothing was run."),
    "answer.uninterpreted": (
        "这条消息多次处理失败，我没有理解它，也没有执行任何操作。请换个说法再发一次。",
        "Processing this message failed several times, so I did not interpret it and ran nothing. Please rephrase and send it again.",
    ),
    "answer.greeting_title": ("我在", "I am here"),
    "help.title": ("我能做什么", "What I can do"),
    "help.queries": ("查看：{what}", "Look: {what}"),
    "help.actions": ("变更（都要确认）：{what}", "Change (always confirmed): {what}"),
    "help.may": ("你在这里可以：{what}", "Here you may: {what}"),
    "help.may_not": ("你在这里不能：{what}", "Here you may not: {what}"),
    "help.how": (
        "@我 并写明服务；之后可以用“它”。回复我的卡片，就是接着说那张卡片的服务。",
        'Mention me and name a service; afterwards "it" will do. Replying to one of my cards continues about that card\'s service.',
    ),
    "note.read_only": ("只读：{why}", "Read-only: {why}"),
    "note.unread": ("没能读到：{what}", "Could not be read: {what}"),
    "nobody": ("有人", "somebody"),
    "answer.no_cluster": ("没有配置名为 {cluster} 的集群。", "No cluster called {cluster} is configured."),
    "answer.gone": (
        "集群 {cluster} 的命名空间 {namespace} 里没有 {target}。",
        "There is no {target} in namespace {namespace} of cluster {cluster}.",
    ),
    "answer.no_pod": (
        "{target} 没有名为 {name} 的 Pod，可能刚被替换。",
        "{target} has no pod called {name}; it may just have been replaced.",
    ),
    "answer.no_container": ("{target} 没有名为 {name} 的容器。", "{target} has no container called {name}."),
    "answer.cluster_failed": (
        "集群 {cluster} 没有回答：{why}。请稍后再试，或用别的途径查看。",
        "Cluster {cluster} did not answer: {why}. Try again shortly, or look at it another way.",
    ),
    "answer.cluster_busy": (
        "集群 {cluster} 暂时不接请求：{why}。请过一分钟再试。",
        "Cluster {cluster} is turning requests away: {why}. Try again in a minute.",
    ),
    "answer.cluster_forbidden": (
        "集群 {cluster} 不允许：{why}。若是机器人缺少权限，chatops-bot doctor 会列出要授予什么；之后再试。",
        (
            "Cluster {cluster} does not allow it: {why}. If the bot lacks a permission, chatops-bot doctor lists what to "
            "grant; then ask again."
        ),
    ),
    "answer.cluster_unauthorized": (
        "集群 {cluster} 不认可机器人的凭据：{why}。请管理员更新凭据，之后再试。",
        "Cluster {cluster} does not accept the bot's credentials: {why}. Have them renewed, then ask again.",
    ),
    "answer.cluster_refused": (
        "集群 {cluster} 拒绝了：{why}。解决后再试。",
        "Cluster {cluster} refused: {why}. Ask again once that is settled.",
    ),
    "answer.plan_void": ("方案已作废。", "The plan is void."),
    "gate.expired": ("方案已过期，什么都没有执行。", "The plan has expired. Nothing was run."),
    "gate.superseded": ("方案已被取代，什么都没有执行。", "The plan has been replaced. Nothing was run."),
    "gate.cancelled": ("方案已取消，什么都没有执行。", "The plan was cancelled. Nothing was run."),
    "gate.rejected": ("方案已驳回，什么都没有执行。", "The plan was rejected. Nothing was run."),
    "gate.left": ("方案已作废，什么都没有执行。", "The plan was dropped. Nothing was run."),
    "gate.refused": ("方案没有执行。", "The plan was refused. Nothing was run."),
    "gate.interrupted": ("执行被打断，什么都没有执行。", "It was interrupted. Nothing was run."),
    "gate.approvals": (
        "按现在的规则还差 {count} 个批准，没有执行。",
        "By the rules as they are now, {count} more approvals are needed, so nothing was run.",
    ),
    "gate.unknown": ("账本里没有这个方案，什么都没有执行。", "The ledger does not hold this plan. Nothing was run."),
    "gate.changed": (
        "目标在方案显示之后变了（{what}），没有执行。",
        "The target changed after the plan was shown ({what}), so nothing was run.",
    ),
    "gate.replaced": (
        "目标已被删除或重建，没有执行。若仍有需要，请对现在的对象重新提出。",
        "The target was deleted or created anew, so nothing was run. Ask again for the object as it is now.",
    ),
    "gate.altered": (
        "集群的准入策略把它改成了别的样子：{what}。请先看现状再决定。",
        "An admission policy of the cluster made something else of it: {what}. Look at it as it is before going on.",
    ),
    "gate.busy": (
        "集群 {cluster} 暂时不接请求，没有执行：{why}。请过一分钟重新提出。",
        "Cluster {cluster} is turning requests away, so nothing was run: {why}. Ask again in a minute.",
    ),
    "gate.forbidden": (
        "集群 {cluster} 不允许，没有改动：{why}。若是机器人缺少权限，chatops-bot doctor 会列出要授予什么；之后请重新提出。",
        (
            "Cluster {cluster} does not allow it; nothing was changed: {why}. If the bot lacks a permission, chatops-bot "
            "doctor lists what to grant; then ask again."
        ),
    ),
    "gate.unauthorized": (
        "集群 {cluster} 不认可机器人的凭据，没有改动：{why}。请管理员更新凭据，之后重新提出。",
        (
            "Cluster {cluster} does not accept the bot's credentials; nothing was changed: {why}. Have them renewed, then "
            "ask again."
        ),
    ),
    "gate.api_refused": (
        "集群 {cluster} 的 API 服务器拒绝了，没有改动：{why}。解决后请重新提出。",
        "The API server of cluster {cluster} refused; nothing was changed: {why}. Ask again once that is settled.",
    ),
    "gate.unreachable": (
        "集群 {cluster} 连不上，没有执行：{why}。连上后请重新提出。",
        "Cluster {cluster} could not be reached, so nothing was run: {why}. Ask again once it answers.",
    ),
    "gate.digest": (
        "方案内容与确认时不符，没有执行。",
        "The plan is not the one that was confirmed, so nothing was run.",
    ),
    "follow.lost": (
        "变更已写入，但直到时限都没能读到它的进展。",
        "The change was written; how it went could not be read until the time limit.",
    ),
    "follow.timeout": (
        "到时限仍未完成，请自行查看。",
        "Still not finished at the time limit; look at it yourself.",
    ),
    # outside the store
    "notice.store": (
        "存储暂时不可用：这条消息没有收下，什么都没有执行。请稍后再发一次。",
        "The store is unavailable: this was not taken and nothing was run. Send it again shortly.",
    ),
    "notice.store_reading": (
        "存储暂时不可用：现在只能查看，不能变更，也不会记住这次对话。",
        "The store is unavailable: I can look, but change nothing, and I will not remember this.",
    ),
    "notice.full": (
        "这个话题排队的消息太多：新消息没有收下。请稍后再发一次。",
        "Too many messages wait in this thread: this one was not taken. Send it again shortly.",
    ),
    # the read-only switch
    "switch.on": ("已切换为只读", "Read-only from now on"),
    "switch.on_text": (
        "{why}。从现在起什么都不会执行，已确认和已批准的也不会。恢复：@我 说“关闭只读”，或运行 chatops-bot read-only off。",
        (
            "{why}. Nothing is executed from now on, confirmed and approved plans included. "
            'To lift it, mention me and say "read-only off", or run: chatops-bot read-only off'
        ),
    ),
    "switch.off": ("已解除只读", "No longer read-only"),
    "switch.off_text": ("变更又可以确认执行了。", "Changes can be confirmed again."),
    "switch.may_not": (
        "只有能确认某项变更的人才能解除只读。",
        "Only somebody who may confirm a change may lift read-only.",
    ),
}
