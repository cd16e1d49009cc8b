"""Access reviews for a plan: whether the bot, and whoever it would act for, may make its writes at all."""

from __future__ import annotations

import asyncio
from typing import Final

from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.engine.gate import Cluster
from chatops_bot.ports.cluster import ClusterError

MOST: Final = 8
"""Reviews of one plan by one account. A drain evicts in as many namespaces as its pods are in; the first few tell
whether somebody had forgotten to grant it."""

Asked = tuple[Permission, str, str]
"""A permission, its namespace and the object's name."""


async def lacking(cluster: Cluster, plan: Plan, actor: Actor | None) -> Say | None:
    """What the bot's account lacks for this plan, or the person in whose name it would be made; None for nothing.

    The bot needs the same as the person: when an outcome is not known, it touches the object in its own name. What
    cannot be reviewed is left to the API server, which decides in the end.
    """
    asked = asked_of(plan)
    who: list[Actor | None] = [None, actor] if actor is not None else [None]
    answers = await asyncio.gather(*(_allowed(cluster, one, account) for account in who for one in asked))
    missing = [
        (one, account)
        for (account, one), fine in zip(((account, one) for account in who for one in asked), answers, strict=True)
        if not fine
    ]
    if not missing:
        return None
    (permission, namespace, name), account = missing[0]
    where = _words(permission, namespace, name)
    if account is None:
        return say("access.bot", cluster=plan.entity.cluster, permission=where)
    return say("access.person", cluster=plan.entity.cluster, permission=where, user=account.user)


def asked_of(plan: Plan) -> tuple[Asked, ...]:
    """The permissions for the writes of a plan. Of further steps, which are of many objects, one per namespace."""
    first = _permission(plan.change), plan.change.namespace, _named(plan.change)
    further = [(_permission(change), change.namespace, "") for change in plan.steps]
    return tuple(dict.fromkeys((first, *further)))[:MOST]


def _permission(change: Change) -> Permission:
    if change.verb == "evict":
        return Permission(group="", resource="pods", verb="create", subresource="eviction")
    return Permission(group=change.group, resource=change.plural, verb=change.verb, subresource=change.subresource)


def _named(change: Change) -> str:
    """Roles may be limited to names, but nobody writes pods into them: those change with every rollout."""
    return "" if change.plural == "pods" else change.name


async def _allowed(cluster: Cluster, asked: Asked, actor: Actor | None) -> bool:
    permission, namespace, name = asked
    try:
        return await cluster.reader.allowed(permission, namespace=namespace, name=name, actor=actor)
    except ClusterError:
        return True


def _words(permission: Permission, namespace: str, name: str) -> str:
    """As RBAC writes it: `patch deployments.apps/web -n shop`."""
    resource = f"{permission.resource}.{permission.group}" if permission.group else permission.resource
    resource += f"/{permission.subresource}" if permission.subresource else ""
    named = f" {name}" if name else ""
    return f"{permission.verb} {resource}{named}{f' -n {namespace}' if namespace else ''}"
