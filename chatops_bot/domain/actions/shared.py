"""What the drafts of all workload actions have in common: refusals, warnings, the place in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from chatops_bot.domain.actions.base import Progress
from chatops_bot.domain.actions.owners import RECENTLY_MS, Touched, owner_warnings
from chatops_bot.domain.diagnosis.status import Judgement
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.objects import PLAN_ANNOTATION, last_change, span, text, uid_of
from chatops_bot.domain.observed import Observed, Permission, Raw
from chatops_bot.domain.places import environment_in, environment_of_entity
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.say import Say, say

ARGO = "argoproj.io"
"""The API group of Argo Rollouts."""

PLURALS: dict[EntityKind, str] = {
    "Deployment": "deployments",
    "StatefulSet": "statefulsets",
    "DaemonSet": "daemonsets",
    "Rollout": "rollouts",
    "Node": "nodes",
}


def workload_permissions(kind: EntityKind) -> tuple[Permission, ...]:
    """To read a workload and patch it as a whole: its annotations hold the plan's token."""
    return tuple(Permission(group=group_of(kind), resource=PLURALS[kind], verb=verb) for verb in ("get", "patch"))


def group_of(kind: EntityKind) -> str:
    """The API group of a workload."""
    return ARGO if kind == "Rollout" else "apps"


def workload_change(
    entity: Entity, *, token: str, spec: Raw, annotations: Mapping[str, str] = MappingProxyType({})
) -> Change:
    """A patch of the spec that leaves the plan's token (and `annotations`) on the object itself, not on its template,
    where it would restart the pods. A strategic merge; of a custom kind, which takes none, a plain one."""
    custom = entity.kind == "Rollout"
    return Change(
        group=group_of(entity.kind),
        version="v1alpha1" if custom else "v1",
        plural=PLURALS[entity.kind],
        name=entity.workload,
        namespace=entity.namespace,
        body={"metadata": {"annotations": {PLAN_ANNOTATION: token, **annotations}}, "spec": spec},
        content="merge" if custom else "strategic",
    )


def refusal(observed: Observed) -> Say | None:
    """Why no action at all makes sense on this object."""
    if text(observed.object, "metadata", "deletionTimestamp"):
        return say("plan.deleting", name=observed.entity.name)
    return None


def place(entity: Entity) -> Say:
    """Environment, cluster and namespace, said in full on every plan: they are what is confused at night. Production is
    marked as such, whatever it is called."""
    known = entity.environment or environment_in(entity.cluster) or environment_in(entity.namespace)
    environment = "environment.prod" if known and environment_of_entity(entity) == "prod" else known
    if entity.kind == "Node":
        return say("plan.place_node", environment=environment or "-", cluster=entity.cluster)
    if environment:
        return say("plan.place", environment=environment, cluster=entity.cluster, namespace=entity.namespace or "-")
    return say("plan.place_bare", cluster=entity.cluster, namespace=entity.namespace or "-")


def common_warnings(observed: Observed, judgement: Judgement, touched: Touched = "template") -> Iterator[Say]:
    """What anybody should know before changing this workload: its health, its owners, who was at it."""
    worst = judgement.worst
    if worst is not None and worst.severity == "danger":
        counts = {"ready": judgement.ready, "wanted": judgement.wanted}
        yield say("warn.unhealthy", **counts, cause=f"cause.{worst.code}")
    yield from owner_warnings(observed.object, touched, observed.applications)
    changed = last_change(observed.object)
    if changed is not None and changed.at and observed.at - changed.at < RECENTLY_MS:
        yield say("warn.changed", manager=changed.manager, ago=span(observed.at - changed.at))
    for unread in observed.unread:
        what, _, why = unread.partition(":")
        if what in ("autoscalers", "budgets", "pods", "rollouts"):
            yield say("warn.unread", what=f"unread.{what}", why=why or "?")


def ended_early(observed: Observed, plan: Plan) -> Progress | None:
    """The object that was changed is gone: deleted, or made anew under its name."""
    if text(observed.object, "metadata", "deletionTimestamp"):
        return Progress(finished=True, failed=True, line=say("progress.deleting"))
    if plan.uid and uid_of(observed.object) != plan.uid:
        return Progress(finished=True, failed=True, line=say("progress.replaced"))
    return None
