"""What is said of workloads as a whole and of what stands around them: rollouts, autoscalers, Services, policies, jobs;
and what a diagnosis has looked at. See `texts`; `why.*` are likely causes, words."""

from __future__ import annotations

_ROLLOUTS: dict[str, tuple[str, str]] = {
    "rollout.none": ("它没有发布过程。", "It has no rollouts."),
    "finding.rollout_failed": ("版本 {revision} 发布失败：{seconds} 秒内没有进展。新 Pod：{states}；旧 Pod 仍在服务的有 {count} 个。", "Rollout of revision {revision} failed: no progress within {seconds} s. New pods: {states}. Old pods that still serve: {count}."),
    "finding.rollout_failed_without": ("版本 {revision} 发布失败：{seconds} 秒内没有进展，看不到未就绪的新 Pod；旧 Pod 仍在服务的有 {count} 个。", "Rollout of revision {revision} failed: no progress within {seconds} s, and no new pod that is not ready is to be seen. Old pods that still serve: {count}."),
    "finding.paused": ("发布已被 {who} 在 {ago} 前暂停：之后的模板改动不会生效，直到恢复。", "Its rollout was paused by {who}, {ago} ago: template changes take no effect until it is resumed."),
    "finding.paused_pending": ("发布已被 {who} 在 {ago} 前暂停，有改动在等：恢复后才会发布。", "Its rollout was paused by {who}, {ago} ago, and changes wait behind it: they roll out once it is resumed."),
    "finding.quota": ("无法创建新 Pod：配额 {quota} 已满，{resource} 已用 {used}，上限 {hard}，每个 Pod 还要 {each}。", "New pods cannot be created: quota {quota} is full, {resource} used {used} of {hard}, and each pod needs {each}."),
    "finding.webhook_down": ("无法创建新 Pod：准入 webhook {webhook}（Service {service}）没有应答。{message}", "New pods cannot be created: admission webhook {webhook} (Service {service}) does not answer. {message}"),
    "finding.stateful_stale": ("{pod}（{state}）还是坏的旧版本 {revision}，StatefulSet 在等它就绪，不会换成 {update}：改对模板也没用，要删掉这个 Pod。", "{pod} ({state}) is still of the broken revision {revision}; the StatefulSet waits for it to become ready and does not replace it with {update}. Mending the template is not enough: the pod has to be deleted."),
    "finding.stateful_broken": ("{pod}（{state}）在新版本 {revision} 上起不来，挡住了发布。只回滚不够：之后还要删掉这个 Pod。", "{pod} ({state}) is broken at the new revision {revision} and blocks the rollout. Going back alone does not mend it: the pod has to be deleted afterwards."),
    "finding.stateful_broken_parallel": ("{pod}（{state}）在新版本 {revision} 上起不来，挡住了发布。", "{pod} ({state}) is broken at the new revision {revision} and blocks the rollout."),
    "finding.stateful_waiting": ("{pod}（{state}）没就绪，后面的 {count} 个 Pod 不会创建（OrderedReady）。", "{pod} ({state}) is not ready, and the pods after it are not made before it is (OrderedReady); missing: {count}."),
    "finding.stateful_service": ("它的 headless Service {service} 不存在：Pod 的域名解析不了。", "Its headless Service {service} does not exist: the names of its pods do not resolve."),
    "finding.daemon_incomplete": ("应有 {desired} 个节点运行，只有 {ready} 个就绪；缺：{nodes}。", "{ready} of {desired} nodes have a ready pod; not: {nodes}."),
    "finding.daemon_misscheduled": ("另有 {count} 个节点不该运行它，却有它的 Pod。", "It also runs on nodes where it should not: {count}."),
    "finding.overlap": ("它的选择器还选中了 {owner} 的 {count} 个 Pod（{names}）：自动扩缩和 Service 会把它们算进来。", "Its selector also matches pods of {owner} ({names}; {count} in all): its autoscaler and its Services count them in."),
    "finding.unmanaged": ("没有控制器管理这个 Pod：删掉或节点坏了都不会重建。", "Nothing controls this pod: deleted, or lost with its node, it is not made again."),
    "finding.single_replica": ("Service {services} 后面只有 1 个副本：它重启时就没有服务。", "A single replica serves {services}: while it restarts, nothing does."),
}  # fmt: skip

_AUTOSCALERS: dict[str, tuple[str, str]] = {
    "finding.autoscaler_load": ("HPA {name} 已到上限 {max}，还想更多：{metric} 现在 {current}，目标 {target}。", "HPA {name} is at its maximum of {max} and wants more: {metric} is at {current}, its target is {target}."),
    "finding.autoscaler_no_request": ("HPA {name} 算不出使用率：容器 {container} 没有声明 {resource} 的 requests。", "HPA {name} cannot work out the use of {resource}: container {container} has no request for it."),
    "finding.autoscaler_no_api": ("HPA {name} 读不到指标：指标 API 不可用。{message}", "HPA {name} is blind: the metrics API is not available. {message}"),
    "finding.autoscaler_no_figures": ("HPA {name} 没有拿到指标数据：{message}", "HPA {name} gets no figures: {message}"),
    "finding.autoscaler_ambiguous": ("HPA {name} 停用了：它的 Pod 被不止一个 HPA 选中。{message}", "HPA {name} does nothing: its pods are selected by more than one HPA. {message}"),
    "finding.autoscaler_twice": ("有多个 HPA 管同一个工作负载，互相打架：{names}。", "Several HPAs scale this one workload against each other: {names}."),
}  # fmt: skip

_NETWORK: dict[str, tuple[str, str]] = {
    "finding.no_endpoints": ("Service {service} 没有可用的后端：选中 {count} 个 Pod，都没就绪。", "Service {service} has nobody to send traffic to: pods that it selects: {count}, none of them ready."),
    "finding.no_endpoints_labels": ("Service {service} 没有后端：它选 {selector}，而 Pod 是 {have}。", "Service {service} has no endpoints: it selects {selector}, and the pods have {have}."),
    "finding.port_name": ("Service {service} 指向端口名 {port}，{total} 个 Pod 中 {count} 个没有这个端口名（有：{names}）。", "Service {service} leads to a port named {port}, which {count} of {total} pods do not have (they have: {names})."),
    "finding.port_number": ("Service {service} 指向端口 {port}，而 Pod 只声明了 {names}：如果程序不监听 {port}，连接会被拒绝。", "Service {service} leads to port {port}, and the pods declare {names} only: unless the program listens on {port} as well, connections are refused."),
    "finding.load_balancer": ("Service {service} 已等待负载均衡器 {ago}：{message}", "Service {service} has been waiting for its load balancer for {ago}: {message}"),
    "finding.ingress_service": ("Ingress {ingress} 把 {path} 转给 Service {service}，而它不存在。", "Ingress {ingress} routes {path} to Service {service}, which does not exist."),
    "finding.ingress_port": ("Ingress {ingress} 把 {path} 转给 Service {service} 的端口 {port}，而它没有这个端口（有：{ports}）。", "Ingress {ingress} routes {path} to port {port} of Service {service}, which has no such port (it has: {ports})."),
    "finding.ingress_class": ("Ingress {ingress} 没有写 class，{ago} 了还没有控制器给它地址。", "Ingress {ingress} names no class, and no controller has given it an address for {ago}."),
    "finding.isolated_in": ("网络策略 {policies} 拒绝一切进入 Pod 的流量，没有规则放行：Service {services} 不通（如果集群执行网络策略）。", "NetworkPolicy {policies} lets nothing in to the pods, and no rule allows anything: {services} cannot be reached, where the cluster enforces policies."),
    "finding.isolated_port": ("网络策略 {policies} 没有放行 Service 用的端口 {ports}（如果集群执行网络策略就不通）。", "NetworkPolicy {policies} lets nothing in at the ports that its Services lead to ({ports}): they cannot be reached, where the cluster enforces policies."),
    "finding.isolated_out": ("网络策略 {policies} 拒绝 Pod 发出的一切流量，DNS 也在内（如果集群执行网络策略）。", "NetworkPolicy {policies} lets nothing out of the pods, DNS included, where the cluster enforces policies."),
    "finding.dns_down": ("集群的域名服务有问题：{count} 个 Pod 中只有 {ready} 个就绪（{names} 未就绪）。", "The cluster's name service is in trouble: {ready} of {count} pods are ready (not: {names})."),
    "finding.dns_policy": ("网络策略 {policies} 没有放行 53 端口：Pod 解析不了域名。", "NetworkPolicy {policies} lets no port 53 out: the pods cannot resolve names."),
    "finding.dns_log": ("日志说域名解析失败：{line}", "Its log says that a name could not be resolved: {line}"),
}  # fmt: skip

_JOBS_AND_USE: dict[str, tuple[str, str]] = {
    "finding.job_failed": ("任务 {job} 失败（{reason}）：失败 {count} 次，上次退出码 {exit}。{message}", "Job {job} has failed ({reason}): failed tries {count}, last exit {exit}. {message}"),
    "finding.job_retrying": ("任务 {job} 已失败 {count} 次（最多试 {tries} 次），上次退出码 {exit}，还在重试。", "Job {job} has failed {count} times of {tries} at most, last exit {exit}, and tries again."),
    "finding.cron_suspended": ("定时任务已被 {who} 在 {ago} 前挂起，不会再运行；上次成功在 {last} 前。", "The schedule was suspended by {who}, {ago} ago: nothing runs any more. Last success: {last} ago."),
    "finding.cron_late": ("已 {ago} 没有成功（计划 {schedule}）；上次启动在 {last} 前，没有成功。", "No success for {ago} (schedule {schedule}); it was started {last} ago, and did not succeed."),
    "finding.cron_held": ("已 {ago} 没有成功（计划 {schedule}）：任务 {job} 还在运行，挡住了后面的。", "No success for {ago} (schedule {schedule}): job {job} is still running, and holds up the next."),
    "finding.cron_unscheduled": ("已 {ago} 没有成功（计划 {schedule}）：没有按时启动，上次启动在 {last} 前。", "No success for {ago} (schedule {schedule}): it is not started on time, last {last} ago."),
    "finding.saturated_cpu": ("容器 {container} 的 CPU 用到上限 {limit} 的 {percent}%：{total} 个 Pod 中有 {count} 个被限速。", "Container {container} uses {percent}% of its CPU limit {limit}: throttled in {count} of {total} pods."),
    "finding.saturated_memory": ("容器 {container} 的内存用到上限 {limit} 的 {percent}%，快要被杀（OOM）：{total} 个 Pod 中有 {count} 个。", "Container {container} uses {percent}% of its memory limit {limit} and is about to be OOM-killed: {count} of {total} pods."),
    "finding.budget": ("PDB {name} 不允许中断任何 Pod：{expected} 个里要求 {needed} 个健康，节点会排不空。", "PDB {name} lets no pod go: it needs {needed} healthy pods of {expected}, so that their nodes cannot be drained."),
    "finding.budget_unhealthy": ("PDB {name} 现在不允许中断：健康 {healthy} 个，要求 {needed} 个（共 {expected} 个）。", "PDB {name} lets no pod go for now: {healthy} healthy of {expected}, {needed} needed."),
    "finding.budget_failed": ("PDB {name} 没有生效：{message}", "PDB {name} does not work: {message}"),
    "finding.budget_twice": ("有多个 PDB 选中同一批 Pod（{names}）：驱逐会被拒绝，节点排不空。", "Several PDBs select the same pods ({names}): evictions are refused, so that their nodes cannot be drained."),
}  # fmt: skip

_WHY: dict[str, tuple[str, str]] = {
    "why.forgotten_pause": ("暂停后忘了恢复", "a pause that somebody forgot"),
    "why.forgotten_suspend": ("挂起后忘了恢复", "a suspension that somebody forgot"),
    "why.pod_security": ("Pod 不符合命名空间的 Pod 安全标准", "pods that the Pod Security Standard of the namespace forbids"),
    "why.policy": ("被准入策略拒绝", "an admission policy that refuses them"),
    "why.quota": ("命名空间的配额用完", "a quota of the namespace that is used up"),
    "why.quota_unsaid": ("配额要求容器声明 requests 或 limits，而它没有", "a quota that wants requests or limits, which a container does not say"),
    "why.limit_range": ("超出 LimitRange 的范围", "amounts outside a LimitRange"),
    "why.service_account": ("ServiceAccount 不存在", "a ServiceAccount that is not there"),
    "why.webhook_pods": ("webhook 自己的 Pod 没有运行", "pods of the webhook that are down"),
    "why.webhook_network": ("API server 连不上 webhook（网络、证书）", "a network or certificate between API server and webhook"),
    "why.taints": ("节点污点没有被容忍", "taints that it does not tolerate"),
    "why.node_full": ("节点满了", "nodes that are full"),
    "why.same_labels": ("两个工作负载的标签相同", "the same labels on two workloads"),
    "why.load": ("负载真的高", "real load"),
    "why.slow_pods": ("每个 Pod 变慢了", "pods that have become slow"),
    "why.no_request": ("容器没有声明 requests", "a container without requests"),
    "why.metrics_server": ("metrics-server 或指标适配器没有运行", "a metrics-server or adapter that is down"),
    "why.metric_name": ("指标名或选择器写错", "a wrong metric name or selector"),
    "why.scaled_to_zero": ("之前缩到了 0", "an earlier scale to 0"),
    "why.two_autoscalers": ("重复的 HPA", "an HPA too many"),
    "why.labels_changed": ("标签或选择器改过", "labels or a selector that were changed"),
    "why.port_renamed": ("端口改名或改号", "a port that was renamed or renumbered"),
    "why.cloud_quota": ("云厂商的配额或子网", "a quota or subnet of the cloud"),
    "why.no_balancer": ("集群里没有负载均衡器控制器", "no controller for load balancers in the cluster"),
    "why.service_renamed": ("Service 改名或被删", "a Service that was renamed or deleted"),
    "why.other_namespace": ("Service 在别的命名空间", "a Service in another namespace"),
    "why.no_class": ("没有写 ingressClassName，也没有默认的", "no ingressClassName, and no default one"),
    "why.new_policy": ("新加的网络策略", "a new NetworkPolicy"),
    "why.name_service": ("CoreDNS 有问题", "CoreDNS in trouble"),
    "why.name_wrong": ("域名写错，或那个 Service 不存在", "a wrong name, or a Service that is not there"),
    "why.job_deadline": ("超过 activeDeadlineSeconds", "it ran beyond activeDeadlineSeconds"),
    "why.job_hangs": ("上一次任务卡住", "a run that hangs"),
    "why.missed_times": ("错过太多次，控制器放弃了", "too many missed times, so that the controller gave up"),
    "why.controller": ("CronJob 控制器没有启动它", "a CronJob controller that does not start it"),
    "why.cpu_limit": ("CPU 上限太低", "a CPU limit that is too low"),
    "why.budget_strict": ("PDB 要求全部健康", "a budget that wants every pod healthy"),
    "why.pods_unhealthy": ("有 Pod 不健康", "pods that are not healthy"),
}  # fmt: skip

_RUNS: dict[str, tuple[str, str]] = {
    "status.job_done": ("任务 {name} 已成功，{ago} 前结束。", "Job {name} has succeeded, {ago} ago."),
    "status.job_failed": ("任务 {name} 失败了，{ago} 前。", "Job {name} has FAILED, {ago} ago."),
    "status.job_suspended": ("任务 {name} 被挂起，没有在运行。", "Job {name} is suspended: it does not run."),
    "status.job_running": ("任务 {name} 正在运行：{count} 个 Pod，{ready} 个就绪，目前没有异常。", "Job {name} is running: pods {count}, ready {ready}, nothing wrong so far."),
    "status.run_but": ("{name} 有问题：{cause}。", "{name} is in trouble: {cause}."),
    "status.cron": ("定时任务 {name} 正常（{schedule}）：上次成功在 {ago} 前。", "{name} runs on schedule ({schedule}): last success {ago} ago."),
    "status.cron_new": ("定时任务 {name}（{schedule}）还没有成功过，目前没有异常。", "{name} ({schedule}) has not succeeded yet, nothing wrong so far."),
    "status.pod_ended": ("Pod {name} 已正常结束。", "Pod {name} has ended well."),
}  # fmt: skip

_CHECKED: dict[str, tuple[str, str]] = {
    "checked.count": ("已检查 {count} 项：", "Looked at {count} things: "),
    "checked.pods": ("{count} 个 Pod（状态、重启、探针）", "pods ({count}; state, restarts, probes)"),
    "checked.rollout": ("发布", "rollout"),
    "checked.creation": ("能否创建 Pod（配额、准入）", "creation of pods (quota, admission)"),
    "checked.neighbours": ("选择器有没有选中别人的 Pod", "pods of others under its selector"),
    "checked.autoscalers": ("HPA（{count}）", "HPA ({count})"),
    "checked.budgets": ("PDB（{count}）", "PDB ({count})"),
    "checked.events": ("事件（{count}）", "events ({count})"),
    "checked.services": ("Service 的选择器和端口（{count}）", "selectors and ports of Services ({count})"),
    "checked.slices": ("Service 的后端", "endpoints"),
    "checked.ingresses": ("Ingress 的后端（{count}）", "backends of Ingresses ({count})"),
    "checked.network": ("NetworkPolicy（{count}）", "NetworkPolicies ({count})"),
    "checked.usage": ("{count} 个 Pod 的 CPU 和内存用量", "use of CPU and memory ({count} pods)"),
    "checked.logs": ("日志里的域名解析错误", "its log for names that do not resolve"),
    "checked.job": ("任务的结果", "how the job has ended"),
    "checked.jobs": ("它启动的任务（{count}）", "jobs that it has started ({count})"),
    "checked.schedule": ("是否按计划成功", "success on schedule"),
}  # fmt: skip

TEXTS: dict[str, tuple[str, str]] = {**_ROLLOUTS, **_AUTOSCALERS, **_NETWORK, **_JOBS_AND_USE, **_WHY, **_RUNS, **_CHECKED}
