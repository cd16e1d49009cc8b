"""Clusters: reachable, as whom, and with which permissions."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from chatops_bot.app.doctor.findings import Finding, bad, ok, warn
from chatops_bot.domain.actions.registry import ACTIONS, is_node_action
from chatops_bot.domain.actions.shared import ARGO
from chatops_bot.domain.entities import EntityKind
from chatops_bot.domain.impersonation import Impersonation
from chatops_bot.domain.observed import Permission
from chatops_bot.ports.cluster import ClusterError, ClusterReader

_WORKLOADS: Final = ("deployments", "statefulsets", "daemonsets")

ESSENTIAL: Final = (
    *(Permission("apps", kind, verb) for kind in _WORKLOADS for verb in ("get", "list", "watch")),
    Permission("", "pods", "list"),
)
"""Without these the bot knows no services, or nothing of them."""

USEFUL: Final = (
    Permission("apps", "replicasets", "list"),
    Permission("apps", "controllerrevisions", "list"),
    Permission("", "events", "list"),
    Permission("", "pods", "get", "log"),
    Permission("autoscaling", "horizontalpodautoscalers", "list"),
    Permission("policy", "poddisruptionbudgets", "list"),
    Permission("", "resourcequotas", "list"),
    Permission("", "limitranges", "list"),
    Permission("", "services", "list"),
    Permission("", "persistentvolumeclaims", "list"),
    Permission("discovery.k8s.io", "endpointslices", "list"),
    Permission("networking.k8s.io", "ingresses", "list"),
    Permission("networking.k8s.io", "networkpolicies", "list"),
    Permission("batch", "jobs", "list"),
    Permission("batch", "cronjobs", "list"),
    Permission("metrics.k8s.io", "pods", "list"),
)
"""Without these answers have gaps, and warnings before a change are missing."""

LEAVE_EVENTS: Final = Permission("", "events", "create")
"""Without it nobody learns from the cluster alone what was changed by chat."""

_ROLLOUTS: Final = tuple(Permission(ARGO, "rollouts", verb) for verb in ("get", "list", "watch"))
"""Where Argo Rollouts are installed."""

_NODES: Final = Permission("", "nodes", "list")
"""Without it the bot knows no nodes, so that nobody can name one."""

_TOO_MUCH: Final = (Permission("*", "*", "*"), Permission("", "secrets", "get"), Permission("", "secrets", "list"))
_NOBODY: Final = ("", "system:anonymous")


async def on_cluster(
    cluster: ClusterReader, *, namespaces: Sequence[str], actions: Collection[str], events: bool = False
) -> list[Finding]:
    """Findings about one cluster. `actions`: those that configuration and policy let somebody confirm there; `events`:
    whether these are to be told in the cluster."""
    place = f"cluster {cluster.name}"
    try:
        name = await cluster.whoami()
        if name in _NOBODY:
            return [bad(f"{place} takes the bot for an anonymous user", "check the credentials of the kubeconfig")]
        findings = [ok(f"{place} knows the bot as {name}")]
        findings += await _nodes(cluster, namespaces, actions)
        for namespace in namespaces or ("",):
            found = await _permissions(cluster, namespace, actions)
            findings += [*await _events(cluster, namespace), *found] if events and actions else found
    except ClusterError as error:
        return [bad(f"{place} cannot be used: {error.message}", "check address, network and credentials")]
    return findings


async def impersonating(cluster: ClusterReader, impersonation: Impersonation) -> list[Finding]:
    """Whether the bot may act for everybody whom the configuration names."""
    actors = impersonation.people.values()
    groups = [("groups", group) for actor in actors for group in actor.groups]
    asked = [*(("users", actor.user) for actor in actors), *groups]
    missing = [
        f"{resource}/{name}"
        for resource, name in dict.fromkeys(asked)
        if not await cluster.allowed(Permission("", resource, "impersonate"), namespace="", name=name)
    ]
    if not missing:
        return [ok(f"cluster {cluster.name}: the bot may act for the {len(actors)} people under impersonate")]
    what = f"cluster {cluster.name}: changes in people's names are refused; missing: impersonate {', '.join(missing)}"
    return [bad(what, "grant it by a ClusterRole with these resourceNames, as docs/helm.md shows, or drop impersonate")]


async def _events(cluster: ClusterReader, namespace: str) -> list[Finding]:
    if not (missing := await _denied(cluster, namespace, (LEAVE_EVENTS,))):
        return []
    place = f"{cluster.name}, {f'namespace {namespace}' if namespace else 'all namespaces'}"
    what = f"{place}: no Event is left on what was changed; missing: {missing}"
    return [warn(what, "grant it, as the README shows, or set events: false for this cluster")]


async def _nodes(cluster: ClusterReader, namespaces: Sequence[str], actions: Collection[str]) -> list[Finding]:
    """Why no node is changed there, where somebody might be let."""
    names = ", ".join(name for name in actions if is_node_action(name))
    if names and namespaces:
        why = f"it serves only {', '.join(namespaces)}, and nodes are in no namespace"
        return [ok(f"cluster {cluster.name}: the bot changes no nodes ({names}): {why}")]
    if names and await _denied(cluster, "", (_NODES,)):
        return [ok(f"cluster {cluster.name}: the bot changes no nodes ({names}): it may not list them")]
    return []


async def _permissions(cluster: ClusterReader, namespace: str, actions: Collection[str]) -> list[Finding]:
    place = f"{cluster.name}, {f'namespace {namespace}' if namespace else 'all namespaces'}"
    grant = f"grant it by a {'Role' if namespace else 'ClusterRole'}, as the README shows"
    found: list[Finding] = []
    if missing := await _denied(cluster, namespace, ESSENTIAL):
        found.append(bad(f"{place}: the bot cannot see what it is about; missing: {missing}", grant))
    if missing := await _denied(cluster, namespace, USEFUL):
        found.append(warn(f"{place}: answers have gaps; missing: {missing}", grant))
    unseen: set[EntityKind] = set() if await cluster.installed("Rollout") else {"Rollout"}
    if not unseen and (missing := await _denied(cluster, namespace, _ROLLOUTS)):
        unseen = {"Rollout"}
        what = f"{place}: Argo Rollouts are installed, and the bot cannot see them; missing: {missing}"
        found.append(warn(what, "grant it (rollouts.enabled in the chart), or leave Rollouts to their own tool"))
    if namespace or await _denied(cluster, "", (_NODES,)):
        unseen |= {"Node"}
    found += await _actions(cluster, namespace, actions, unseen, place, grant)
    for permission in _TOO_MUCH:
        if await cluster.allowed(permission, namespace=namespace):
            found.append(warn(f"{place}: the bot may do more than it needs: {_shown(permission)}", "take it away"))
            break
    return found or [ok(f"{place}: all permissions are there")]


async def _actions(
    cluster: ClusterReader,
    namespace: str,
    actions: Collection[str],
    unseen: Collection[EntityKind],
    place: str,
    grant: str,
) -> list[Finding]:
    """One finding per action that the account cannot carry out. `unseen`: kinds that the bot knows nothing of."""
    found = []
    for action in (action for name, action in ACTIONS.items() if name in actions):
        needed = {permission for kind in action.kinds for permission in action.permissions(kind) if kind not in unseen}
        if missing := await _denied(cluster, namespace, sorted(needed, key=_shown)):
            what = f"{place}: {action.name} cannot be carried out; missing: {missing}"
            found.append(bad(what, f"{grant}, or take {action.name} out of the policy"))
    return found


async def _denied(cluster: ClusterReader, namespace: str, permissions: Iterable[Permission]) -> str:
    """Those that the cluster does not grant, as one text."""
    denied = [entry for entry in permissions if not await cluster.allowed(entry, namespace=namespace)]
    return ", ".join(_shown(permission) for permission in denied)


def _shown(permission: Permission) -> str:
    resource = f"{permission.resource}/{permission.subresource}" if permission.subresource else permission.resource
    return f"{permission.verb} {resource}{f'.{permission.group}' if permission.group else ''}"
