"""What one pass of reads found: raw Kubernetes objects around one workload, and log excerpts."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from chatops_bot.domain.entities import Entity

Raw = dict[str, Any]
"""An object of the Kubernetes API, its JSON as decoded. Zeros and empty fields are absent."""


Need = Literal["history", "quotas", "limits", "room", "application", "diagnosis"]
"""What a draft may need beside the workload: its earlier revisions, the ResourceQuotas and LimitRanges of its
namespace, the nodes with all that runs on them, and the Argo CD Application that keeps it. `diagnosis` is everything
around it that a diagnosis looks at: `Around`."""


class LogText(msgspec.Struct, frozen=True):
    """Decoded, stripped of terminal codes, masked. `note` says what was chosen or why there is nothing."""

    pod: str
    container: str
    text: str
    previous: bool = False
    note: str = ""


class Around(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a diagnosis looks at beside the workload's own parts.

    - `services` are those that select its pods or would by all but one label, and a StatefulSet's own; `slices` their
      EndpointSlices; `ingresses` those that name one of them.
    - `network` are the NetworkPolicies of the namespace, `claims` the volume claims of its pods, `classes` the
      StorageClasses (where a claim waits), `usage` the PodMetrics of its pods.
    - `dns` are the pods of the cluster's name service, read where a log or a finding suggests it.
    - `jobs` are those of a CronJob. `neighbours` are pods that its selector matches and others control.
    - `hosts` are the nodes of its pods that are in trouble.
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
    around: Around = Around()
    unread: tuple[str, ...] = ()

    def why_unread(self, *parts: str) -> str | None:
        """Why one of these parts could not be read, "?" where nobody knows; None where all were."""
        rows = (row.partition(":") for row in self.unread)
        return next((why or "?" for part, _, why in rows if part in parts), None)


class LogQuery(msgspec.Struct, frozen=True, omit_defaults=True):
    """Which log: of one pod (exact name) or of the pod most worth reading. `tail` lines; `since` seconds."""

    pod: str = ""
    container: str = ""
    previous: bool = False
    tail: int = 50
    since: int = 0
    grep: str = ""


class Permission(msgspec.Struct, frozen=True):
    """One verb on one resource, as RBAC and access reviews name it."""

    group: str
    resource: str
    verb: str
    subresource: str = ""
