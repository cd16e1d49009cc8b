"""The write side of one cluster: refuses without a permit, sends once, retries nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from chatops_bot.adapters.kubernetes.client import Client, Query
from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.adapters.kubernetes.identity import whoami
from chatops_bot.adapters.kubernetes.paths import RESOURCES, change_path, object_path, resource_path
from chatops_bot.domain.actions.owners import FIELD_MANAGER
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.notes import Note
from chatops_bot.domain.objects import PLAN_ANNOTATION, SETTLED_ANNOTATION
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.plans import Change
from chatops_bot.ports.cluster import ClusterUnavailable, Conflict, Permit

Permitted = Callable[[Permit, Change | None], Awaitable[bool | Actor]]
"""Whether this very change, or (None) the touch of its object, may be sent now; by an `Actor`, in whose name."""

_CONTENT = {
    "strategic": "application/strategic-merge-patch+json",
    "merge": "application/merge-patch+json",
}


class KubernetesWriter:
    """`permitted` tells whether a ledger record in execution stands behind a permit; asked before every write."""

    def __init__(self, connection: Connection, *, permitted: Permitted, threads: int = 6) -> None:
        self._client = Client(connection, writes=True, threads=threads)
        self._permitted = permitted
        self._known = ""
        self._asking = asyncio.Lock()

    async def dry_run(self, change: Change, *, uid: str, actor: Actor | None = None) -> Raw:
        """As ports.cluster.ClusterWriter says."""
        await self._identified()
        return await self._send(change, {"uid": uid}, dry_run=True, actor=actor)

    async def write(self, change: Change, *, uid: str, resource_version: str, permit: Permit) -> Raw:
        """As ports.cluster.ClusterWriter says. Raises `PermissionError` without a permit that holds."""
        await self._identified()
        actor = await self._check(permit, change)
        version = {"resourceVersion": resource_version} if resource_version else {}
        return await self._send(change, {"uid": uid, **version}, plan=permit.token, actor=actor)

    async def touch(self, which: Entity | Change, *, uid: str, permit: Permit) -> Raw:
        """As ports.cluster.ClusterWriter says. Needs no version: any present state will do."""
        await self._identified()
        await self._check(permit, None)
        return await self._client.call(
            "PATCH",
            object_path(which),
            query=[("fieldManager", FIELD_MANAGER)],
            body={"metadata": {"uid": uid, "annotations": {SETTLED_ANNOTATION: permit.token}}},
            content=_CONTENT["merge"],
        )

    async def note(self, entity: Entity, note: Note, *, permit: Permit) -> None:
        """As ports.cluster.ClusterWriter says."""
        await self._identified()
        if not permit.ended or entity.key != permit.target or not await self._permitted(permit, None):
            raise PermissionError(f"no plan that has ended stands behind this note on {entity.key}")
        space = entity.namespace or "default"  # where the API server keeps the events of what has no namespace
        try:
            await self._client.call(
                "POST",
                resource_path("", "v1", "events", namespace=space),
                query=[("fieldManager", FIELD_MANAGER)],
                body=_event(entity, note, space),
            )
        except Conflict:
            return

    async def close(self) -> None:
        """Release threads and connections; a request under way ends by its own time limits."""
        await self._client.close()

    async def _send(
        self,
        change: Change,
        preconditions: dict[str, str],
        *,
        dry_run: bool = False,
        plan: str = "",
        actor: Actor | None,
    ) -> Raw:
        path = change_path(change)
        match change.verb:
            case "evict":
                body = _eviction(change, _options(preconditions, dry_run), plan)
                return await self._client.call("POST", path, body=body, actor=actor)
            case "delete":
                return await self._client.call("DELETE", path, body=_options(preconditions, dry_run), actor=actor)
            case "patch":
                query = [("dryRun", "All")] if dry_run else []
                return await self._patch(change, preconditions, query=query, actor=actor)

    async def _patch(self, change: Change, preconditions: dict[str, str], *, query: Query, actor: Actor | None) -> Raw:
        return await self._client.call(
            "PATCH",
            change_path(change),
            query=[("fieldManager", FIELD_MANAGER), *query],
            body={**change.body, "metadata": {**(change.body.get("metadata") or {}), **preconditions}},
            content=_CONTENT[change.content],
            actor=actor,
        )

    async def _check(self, permit: Permit, change: Change | None) -> Actor | None:
        """In whose name a write is permitted; None for the bot's own. Raises `PermissionError` where it is not."""
        leave = False if permit.ended else await self._permitted(permit, change)
        if not leave:
            raise PermissionError(f"no plan in execution stands behind this write to {permit.target}")
        return leave if isinstance(leave, Actor) else None

    async def _identified(self) -> None:
        """Once: find out who the API server takes the bot for. Raises `Refused` for nobody (anonymous).

        A failure to find out is none of the write, which has not been sent.
        """
        async with self._asking:
            if self._known:
                return
            try:
                self._known = await whoami(self._client)
            except ClusterUnavailable as problem:
                raise ClusterUnavailable(
                    problem.message, status=problem.status, reason=problem.reason, not_sent=True
                ) from problem


def _event(entity: Entity, note: Note, space: str) -> Raw:
    """In the form of core/v1 with times and a count, which every tool sorts and shows."""
    group, version, _ = RESOURCES[entity.kind]
    time = datetime.fromtimestamp(note.at / 1_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    about = {
        "apiVersion": f"{group}/{version}" if group else version,
        "kind": entity.kind,
        "name": entity.workload,
        "uid": note.uid,
    }
    return {
        "apiVersion": "v1",
        "kind": "Event",
        "metadata": {"name": note.name, "namespace": space},
        "involvedObject": {**about, **({"namespace": entity.namespace} if entity.namespace else {})},
        "reason": note.reason,
        "message": note.text,
        "type": "Warning" if note.warning else "Normal",
        "source": {"component": FIELD_MANAGER},
        "reportingComponent": FIELD_MANAGER,
        "reportingInstance": "",
        "firstTimestamp": time,
        "lastTimestamp": time,
        "count": 1,
    }


def _eviction(change: Change, options: Raw, plan: str) -> Raw:
    """An Eviction; the API server wants the pod named in it too. Nothing is left of it, but the plan's token stands in
    the API server's record of requests."""
    mark = {"annotations": {PLAN_ANNOTATION: plan}} if plan else {}
    return {
        "apiVersion": "policy/v1",
        "kind": "Eviction",
        "metadata": {"name": change.name, "namespace": change.namespace, **mark},
        "deleteOptions": options,
    }


def _options(preconditions: dict[str, str], dry_run: bool) -> Raw:
    """DeleteOptions without a grace period: the pod has the one that it asks for."""
    options: Raw = {"preconditions": preconditions}
    return {**options, "dryRun": ["All"]} if dry_run else options
