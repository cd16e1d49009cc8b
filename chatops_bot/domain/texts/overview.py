"""What is said of a namespace or a cluster as a whole, and of what is looked for by its name. See `texts`."""

from __future__ import annotations

from typing import Final

TEXTS: Final[dict[str, tuple[str, str]]] = {
    "overview.help": (
        "不用写服务也行：“pay 有什么问题”、“谁重启最多”、“有失败的任务吗”、“job backup-28 状态”。",
        "Without a service: “what is broken in pay?”, “which pods restart most?”, “any failed jobs?”, “job backup-28 status”.",
    ),
    "overview.working": ("正在查看{place}…", "Looking at {place} …"),
    "overview.broken": (
        "{place}：看了 {total} 个工作负载和任务，{count} 个有问题。",
        "Problems in {place}: {count} of {total} workloads and jobs.",
    ),
    "overview.healthy": ("{place}：没有发现问题。", "Nothing found in {place}."),
    "overview.healthy_as_far": (
        "{place}：能读到的部分没有发现问题。",
        "Nothing found in {place}, as far as it could be read.",
    ),
    "overview.restarts": (
        "{place}：{count} 个有容器重启过，次数多的在前。",
        "Restarts in {place}, most first: {count} with any.",
    ),
    "overview.restarts_none": ("{place}：没有容器重启过。", "No container has restarted in {place}."),
    "overview.pods": (
        "{place}：{count} 个有未就绪的 Pod。",
        "Workloads and jobs in {place} with pods that are not ready: {count}",
    ),
    "overview.pods_none": ("{place}：所有 Pod 都就绪。", "All pods in {place} are ready."),
    "overview.jobs": ("{place}：{count} 个任务有问题。", "Jobs in trouble in {place}: {count} of {total}."),
    "overview.jobs_none": ("{place}：没有出问题的任务。", "No job in trouble in {place}."),
    "overview.looked": (
        "已查看：{workloads} 个工作负载、{pods} 个 Pod、{jobs} 个 Job、{crons} 个 CronJob、{nodes} 个节点。",
        "Looked at: {workloads} workloads, {pods} pods, {jobs} Jobs, {crons} CronJobs, {nodes} nodes.",
    ),
    "overview.row": ("{name}：{cause}（已 {ago}）", "{name}: {cause}, for {ago}"),
    "overview.row_ageless": ("{name}：{cause}", "{name}: {cause}"),
    "overview.row_more": ("{name}：{cause}（已 {ago}），另有 {more} 项", "{name}: {cause}, for {ago}; {more} more"),
    "overview.row_restarts": (
        "{name}：重启 {count} 次，最近一次 {ago} 前（{pod}）",
        "{name}: {count} restarts, the last {ago} ago ({pod})",
    ),
    "overview.row_unready": ("{name}：{count} 个 Pod 未就绪，{cause}", "{name}: pods not ready {count}, {cause}"),
    "overview.more": ("另有 {count} 个没有列出。", "{count} more are not listed."),
    "overview.cut": (
        "太多了，没有读全：{what}。只说了读到的部分。",
        "There is more than is read at once of {what}: only what was read is spoken of.",
    ),
    "overview.hidden": (
        "你无权查看的没有列出：{count} 个，命名空间 {names}。",
        "Left out, since you may not see them: {count}, in namespace {names}.",
    ),
    "overview.unread_cluster": ("没有读到集群 {cluster}：{why}。", "Cluster {cluster} could not be read: {why}."),
    "overview.nowhere": (
        "我不认识命名空间或集群 {name}，或者它不归我管。",
        "I know no namespace or cluster {name}, or I do not serve it.",
    ),
    "overview.known": ("我知道的：{names}。", "I know: {names}."),
    "overview.empty": ("命名空间 {name} 里什么都没有，或者没有这个命名空间。", "There is nothing in namespace {name}, or no such namespace."),
    "overview.forbidden": ("你无权查看这里的任何东西。", "You may see nothing of what is there."),
    "open.gone": ("{name} 我不认识，或者已经不在了。", "I know no {name}, or it is gone."),
    "overview.open": ("看 {name}", "Look at {name}"),
    "care.firing": ("发现问题：{name}", "Noticed: {name}"),
    "care.over": ("问题已消失：{name}", "Gone again: {name}"),
    "care.held": (
        "过去一小时的卡片已到上限，另有 {count} 个服务也有问题：{names}",
        "Cards of the last hour were at their limit; trouble elsewhere too, services: {count} ({names})",
    ),
    "find.working": ("正在找 {kind} {name}…", "Looking for {kind} {name} …"),
    "find.none": ("没有找到 {kind} {name}。", "There is no {kind} {name}."),
    "find.none_as_far": (
        "能读到的集群里没有 {kind} {name}。",
        "There is no {kind} {name} in the clusters that could be read.",
    ),
    "find.none_in": ("命名空间 {namespace} 里没有 {kind} {name}。", "There is no {kind} {name} in namespace {namespace}."),
    "find.closest": ("名字相近的服务：{names}。", "Services of a similar name: {names}."),
    "find.several": ("有多个 {kind} {name}。是哪一个？", "There are several of {kind} {name}. Which one?"),
    "find.action": (
        "{kind} {name} 我只能查看，不能改动：它不是长期运行的服务。要改的话，改产生它的 CronJob 或工作负载的清单。",
        (
            "I only look at {kind} {name} and change nothing of it, since it is no service that is kept running. "
            "Change what makes it: the manifest of its CronJob or workload."
        ),
    ),
    "overview.of_pod": ("Pod {pod}：{state}，{ready} 就绪，重启 {count} 次。", "Pod {pod}: {state}, {ready} ready, {count} restarts."),
}  # fmt: skip

WORDS: Final[dict[str, tuple[str, str]]] = {
    "intent.find": ("按名称查找", "search by name"),
    "place.everything": ("整个集群", "the cluster"),
    "place.clusters": ("所有集群", "all clusters"),
}
