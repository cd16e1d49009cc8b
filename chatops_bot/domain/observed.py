"""What one pass of reads found: raw Kubernetes objects around one workload, and log excerpts."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from chatops_bot.domain.entities import Entity

Raw = dict[str, Any]
"""An object of the Kubernetes API, its JSON as decoded. Zeros and empty fields are absent."""


Need = Literal["history", "quotas", "limits", "room", "application", "diagnosis", "configuration"]
"""What a draft may need beside the workload: its earlier revisions, the ResourceQuotas and LimitRanges of its
namespace, the nodes with all that runs on them, and the Argo CD Application that keeps it. `diagnosis` is everything
around it that a diagnosis looks at: `Around`; `configuration` the ConfigMaps that its template names, by their metadata
alone."""


class LogText(msgspec.Struct, frozen=True):
    """Decoded, stripped of terminal codes, masked. `note` says what was chosen or why there is nothing.

    Of all pods (`LogQuery.everyone`) `pod` is "", each row begins with the name of its pod and a space, and the rows
    are in the order of time. `pods` are those whose logs are in it, `failed` those whose logs could not be read, as
    `pod:why`; `left_out` is how many more there are.
    """

    pod: str
    container: str
    text: str
    previous: bool = False
    note: str = ""
    pods: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    left_out: int = 0


class Around(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a diagnosis looks at beside the workload's own parts.

    - `services` are those that select its pods or would by all but one label, a StatefulSet's own, and one of its name;
      `slices` their EndpointSlices; `ingresses` those that name one of them or a Service of the workload's name, be
      there one or not. `others` are the names of all other Services of the namespace, None where nobody looked.
    - `network` are the NetworkPolicies of the namespace, `usage` the PodMetrics of its pods (none as well where the
      cluster has no metrics API).
    - `claims` are the volume claims of its pods in the worst state that have not begun to run, `classes` the
      StorageClasses (where a claim waits).
    - `dns` are the pods of the cluster's name service, read where a log suggests it.
    - `jobs` are those of a CronJob. `neighbours` are pods that its selector matches and others control.
    - `hosts` are the nodes of its pods that are in trouble, two at most; the cordoned nodes where these are in the way
      of pods that find none.

    There is a bound on the reads of one pass: where pods are in trouble, parts that are less likely to tell why (first
    of all `ingresses`, then `network`) are left out, and are named in `skipped` then.
    """

    services: tuple[Raw, ...] = ()
    slices: tuple[Raw, ...] = ()
    ingresses: tuple[Raw, ...] = ()
    network: tuple[Raw, ...] = ()
    claims: tuple[Raw, ...] = ()
    classes: tuple[Raw, ...] = ()
    usage: tuple[Raw, ...] = ()
    dns: tuple[Raw, ...] = ()
    jobs: tuple[Raw, ...] = ()
    neighbours: tuple[Raw, ...] = ()
    hosts: tuple[Raw, ...] = ()
    logs: tuple[LogText, ...] = ()
    """The end of the log of the pods in the worst state (one or two): of the run before the last crash, if any."""
    others: tuple[str, ...] | None = None
    skipped: tuple[str, ...] = ()


class Observed(msgspec.Struct, frozen=True, omit_defaults=True):
    """One pass of reads around a workload, at wall time `at` (ms). `unread` names what could not be read.

    `revisions` (the ControllerRevisions of a StatefulSet or DaemonSet), `quotas`, `limits`, and of a workload `nodes`
    and `elsewhere` (the pods of all nodes) are read only where they are needed.
    `rollouts` are the Argo Rollouts that refer to a Deployment: they, and not it, decide over the pods.
    Around a node: `pods` are those on it, `nodes` the others, `budgets` those of its pods' namespaces, and `elsewhere`
    the pods of all other nodes, read where room is needed.
    """

    entity: Entity
    at: int
    object: Raw
    pods: tuple[Raw, ...] = ()
    replica_sets: tuple[Raw, ...] = ()
    revisions: tuple[Raw, ...] = ()
    autoscalers: tuple[Raw, ...] = ()
    budgets: tuple[Raw, ...] = ()
    events: tuple[Raw, ...] = ()
    rollouts: tuple[Raw, ...] = ()
    nodes: tuple[Raw, ...] = ()
    elsewhere: tuple[Raw, ...] = ()
    quotas: tuple[Raw, ...] = ()
    limits: tuple[Raw, ...] = ()
    applications: tuple[Raw, ...] = ()
    config_maps: tuple[Raw, ...] = ()
    around: Around = Around()
    unread: tuple[str, ...] = ()

    def why_unread(self, *parts: str) -> str | None:
        """Why one of these parts could not be read, "?" where nobody knows; None where all were."""
        rows = (row.partition(":") for row in self.unread)
        return next((why or "?" for part, _, why in rows if part in parts), None)


class Found(msgspec.Struct, frozen=True, omit_defaults=True):
    """An object of exactly the name that was asked for. `owner` is the workload that controls it, as far as that can be
    read: a pod's Deployment, StatefulSet, DaemonSet, Rollout or Job, a Job's CronJob."""

    entity: Entity
    owner: Entity | None = None


class Overview(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one pass of reads found in some namespaces, at wall time `at` (ms). Every object says its kind.

    - `workloads` are Deployments, StatefulSets, DaemonSets and Argo Rollouts; `jobs` and `cron_jobs` all there are.
    - `pods` are those that are not ready, or whose containers have restarted; `healthy` is how many others there are.
      The name of a Deployment's ReplicaSet, which controls a pod, is the Deployment's, a hyphen and the pod's label
      `pod-template-hash`.
    - `events` are the newest warnings, the newest first. `nodes` are empty where they may not be read.
    - `cut` names the parts of which there are more than are read, `unread` as `what:why` those that could not be.
    """

    cluster: str
    at: int
    namespaces: tuple[str, ...]
    """Those looked at; none means the whole cluster."""
    workloads: tuple[Raw, ...] = ()
    pods: tuple[Raw, ...] = ()
    healthy: int = 0
    jobs: tuple[Raw, ...] = ()
    cron_jobs: tuple[Raw, ...] = ()
    autoscalers: tuple[Raw, ...] = ()
    events: tuple[Raw, ...] = ()
    nodes: tuple[Raw, ...] = ()
    unread: tuple[str, ...] = ()
    cut: tuple[str, ...] = ()


class LogQuery(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which log: of one pod (exact name), of the pod most worth reading, or of `everyone`, their rows merged. `tail`
    lines (of each); `since` seconds."""

    pod: str = ""
    container: str = ""
    previous: bool = False
    tail: int = 50
    since: int = 0
    grep: str = ""
    everyone: bool = False


class Permission(msgspec.Struct, frozen=True):
    """One verb on one resource, as RBAC and access reviews name it."""

    group: str
    resource: str
    verb: str
    subresource: str = ""
