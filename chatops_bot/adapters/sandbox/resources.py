"""Which kinds of objects the sandbox knows, and how the API names them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Resource:
    """One row of discovery. `generation`: the API server counts changes of its spec."""

    group: str
    version: str
    plural: str
    kind: str
    namespaced: bool = True
    short_names: tuple[str, ...] = ()
    subresources: tuple[str, ...] = ()
    generation: bool = False
    in_category_all: bool = False
    custom: bool = False

    @property
    def api_version(self) -> str:
        return f"{self.group}/{self.version}" if self.group else self.version

    @property
    def qualified(self) -> str:
        """As error texts name it: `deployments.apps`, `pods`."""
        return f"{self.plural}.{self.group}" if self.group else self.plural

    @property
    def singular(self) -> str:
        return self.kind.lower()

    @property
    def has_status(self) -> bool:
        return "status" in self.subresources


_SCALED = ("status", "scale")
_STATUS = ("status",)

NAMESPACES = Resource("", "v1", "namespaces", "Namespace", namespaced=False, short_names=("ns",), subresources=_STATUS)
NODES = Resource("", "v1", "nodes", "Node", namespaced=False, short_names=("no",), subresources=_STATUS)
PODS = Resource(
    "",
    "v1",
    "pods",
    "Pod",
    short_names=("po",),
    subresources=("status", "log", "eviction"),
    generation=True,
    in_category_all=True,
)
EVENTS = Resource("", "v1", "events", "Event", short_names=("ev",))
SERVICES = Resource("", "v1", "services", "Service", short_names=("svc",), subresources=_STATUS, in_category_all=True)
DEPLOYMENTS = Resource(
    "apps",
    "v1",
    "deployments",
    "Deployment",
    short_names=("deploy",),
    subresources=_SCALED,
    generation=True,
    in_category_all=True,
)
REPLICASETS = Resource(
    "apps",
    "v1",
    "replicasets",
    "ReplicaSet",
    short_names=("rs",),
    subresources=_SCALED,
    generation=True,
    in_category_all=True,
)
STATEFULSETS = Resource(
    "apps",
    "v1",
    "statefulsets",
    "StatefulSet",
    short_names=("sts",),
    subresources=_SCALED,
    generation=True,
    in_category_all=True,
)
DAEMONSETS = Resource(
    "apps",
    "v1",
    "daemonsets",
    "DaemonSet",
    short_names=("ds",),
    subresources=_STATUS,
    generation=True,
    in_category_all=True,
)
CONTROLLERREVISIONS = Resource("apps", "v1", "controllerrevisions", "ControllerRevision")
HPAS = Resource(
    "autoscaling",
    "v2",
    "horizontalpodautoscalers",
    "HorizontalPodAutoscaler",
    short_names=("hpa",),
    subresources=_STATUS,
    in_category_all=True,
)
PDBS = Resource(
    "policy",
    "v1",
    "poddisruptionbudgets",
    "PodDisruptionBudget",
    short_names=("pdb",),
    subresources=_STATUS,
    generation=True,
)
ENDPOINTSLICES = Resource("discovery.k8s.io", "v1", "endpointslices", "EndpointSlice")
JOBS = Resource("batch", "v1", "jobs", "Job", subresources=_STATUS, generation=True, in_category_all=True)

_BUILT_IN = (
    NAMESPACES,
    NODES,
    PODS,
    EVENTS,
    SERVICES,
    Resource("", "v1", "endpoints", "Endpoints", short_names=("ep",)),
    Resource("", "v1", "configmaps", "ConfigMap", short_names=("cm",)),
    Resource("", "v1", "secrets", "Secret"),
    Resource("", "v1", "serviceaccounts", "ServiceAccount", short_names=("sa",)),
    Resource("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", short_names=("pvc",), subresources=_STATUS),
    Resource(
        "", "v1", "persistentvolumes", "PersistentVolume", namespaced=False, short_names=("pv",), subresources=_STATUS
    ),
    Resource("", "v1", "resourcequotas", "ResourceQuota", short_names=("quota",), subresources=_STATUS),
    Resource("", "v1", "limitranges", "LimitRange", short_names=("limits",)),
    Resource(
        "",
        "v1",
        "replicationcontrollers",
        "ReplicationController",
        short_names=("rc",),
        subresources=_SCALED,
        generation=True,
        in_category_all=True,
    ),
    DEPLOYMENTS,
    REPLICASETS,
    STATEFULSETS,
    DAEMONSETS,
    CONTROLLERREVISIONS,
    HPAS,
    PDBS,
    JOBS,
    Resource(
        "batch",
        "v1",
        "cronjobs",
        "CronJob",
        short_names=("cj",),
        subresources=_STATUS,
        generation=True,
        in_category_all=True,
    ),
    ENDPOINTSLICES,
    Resource(
        "networking.k8s.io",
        "v1",
        "ingresses",
        "Ingress",
        short_names=("ing",),
        subresources=_STATUS,
        generation=True,
    ),
    Resource("networking.k8s.io", "v1", "ingressclasses", "IngressClass", namespaced=False),
    Resource("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", short_names=("netpol",), generation=True),
    Resource("storage.k8s.io", "v1", "storageclasses", "StorageClass", namespaced=False, short_names=("sc",)),
    Resource("coordination.k8s.io", "v1", "leases", "Lease"),
    Resource(
        "apiregistration.k8s.io",
        "v1",
        "apiservices",
        "APIService",
        namespaced=False,
        subresources=_STATUS,
    ),
)

# Groups whose resources hold nothing: they answer questions (module `reviews`).
REVIEW_GROUPS = {
    "authorization.k8s.io": (
        ("selfsubjectaccessreviews", "SelfSubjectAccessReview"),
        ("subjectaccessreviews", "SubjectAccessReview"),
    ),
    "authentication.k8s.io": (("selfsubjectreviews", "SelfSubjectReview"),),
}


ROLLOUTS = Resource(
    "argoproj.io", "v1alpha1", "rollouts", "Rollout", subresources=_SCALED, generation=True, custom=True
)
"""Not there until a manifest of this kind is seeded, as on a cluster without Argo Rollouts."""

POD_METRICS = Resource("metrics.k8s.io", "v1beta1", "pods", "PodMetrics")
"""Likewise, as on a cluster without a metrics API."""


class Catalog:
    """The resources served: the built-in ones, and any custom kind whose manifest was seeded."""

    def __init__(self) -> None:
        self._by_path = {(row.group, row.version, row.plural): row for row in _BUILT_IN}
        self._by_kind = {(row.api_version, row.kind): row for row in _BUILT_IN}

    def __iter__(self) -> Iterator[Resource]:
        return iter(list(self._by_path.values()))

    def find(self, group: str, version: str, plural: str) -> Resource | None:
        return self._by_path.get((group, version, plural))

    def of_kind(self, api_version: str, kind: str) -> Resource | None:
        return self._by_kind.get((api_version, kind))

    def define(self, api_version: str, kind: str, *, namespaced: bool) -> Resource:
        """The resource of this kind, made up as a custom one when it is not known yet."""
        known = self.of_kind(api_version, kind)
        if known is not None:
            return known
        group, _, version = api_version.rpartition("/")
        resource = Resource(
            group,
            version,
            _plural(kind),
            kind,
            namespaced=namespaced,
            subresources=_SCALED,
            generation=True,
            custom=True,
        )
        if (api_version, kind) == (POD_METRICS.api_version, POD_METRICS.kind):
            resource = POD_METRICS
        self._by_path[(group, version, resource.plural)] = resource
        self._by_kind[(api_version, kind)] = resource
        return resource

    def serves(self, group: str) -> bool:
        """Whether any kind of this group is built in: others the server has never heard of."""
        return any(row.group == group and not row.custom for row in self)

    def groups(self) -> dict[str, list[str]]:
        """Versions by group, the core group (named "") included, in the order of definition."""
        found: dict[str, list[str]] = {}
        for row in self:
            versions = found.setdefault(row.group, [])
            if row.version not in versions:
                versions.append(row.version)
        for group in REVIEW_GROUPS:
            found.setdefault(group, ["v1"])
        return found


def _plural(kind: str) -> str:
    lower = kind.lower()
    if lower.endswith("y") and lower[-2:-1] not in "aeiou":
        return lower[:-1] + "ies"
    return lower + ("es" if lower.endswith(("s", "x", "ch", "sh")) else "s")
