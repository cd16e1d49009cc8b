"""What a pass of reads brings, named where it could not be read, and notes on logs. See `texts`."""

from __future__ import annotations

TEXTS: dict[str, tuple[str, str]] = {
    "unread.services": ("Service", "the Services"),
    "unread.config_maps": ("ConfigMap", "ConfigMaps"),
    "unread.slices": ("EndpointSlice", "the EndpointSlices"),
    "unread.ingresses": ("Ingress", "the Ingresses"),
    "unread.ways": ("Ingress、NetworkPolicy", "the Ingresses and NetworkPolicies"),
    "unread.network": ("NetworkPolicy", "the NetworkPolicies"),
    "unread.claims": ("存储卷声明（PVC）", "the volume claims"),
    "unread.classes": ("StorageClass", "the StorageClasses"),
    "unread.usage": ("资源用量（metrics API）", "the resource usage (metrics API)"),
    "unread.dns": ("集群 DNS 的 Pod", "the pods of the cluster's DNS"),
    "unread.hosts": ("Pod 所在的节点", "the nodes of its pods"),
    "unread.logs": ("崩溃容器的日志", "the log of the container that crashes"),
    "unread.jobs": ("Job", "the Jobs"),
    "unread.cron_jobs": ("CronJob", "the CronJobs"),
    "unread.deployments": ("Deployment", "the Deployments"),
    "unread.statefulsets": ("StatefulSet", "the StatefulSets"),
    "unread.daemonsets": ("DaemonSet", "the DaemonSets"),
    "unread.argo": ("Argo Rollouts", "the Argo Rollouts"),
    "unread.namespaces": ("不由我服务的命名空间", "namespaces that I do not serve"),
    "logs.note.empty": ("日志里什么都没有。", "There is nothing in the logs."),
}
