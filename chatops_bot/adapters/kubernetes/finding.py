"""Objects by their exact names, with the workload that each belongs to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final, cast, get_args

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.lists import Lists, fields, is_name
from chatops_bot.adapters.kubernetes.passes import AT_ONCE
from chatops_bot.adapters.kubernetes.paths import resource_path
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.objects import controller_of, name_of, text, uid_of
from chatops_bot.domain.observed import Found, Raw
from chatops_bot.ports.cluster import ClusterError, Refused

_KINDS: Final = frozenset(get_args(EntityKind))


class Finder:
    """Looks in the served namespaces alone, none named meaning all."""

    def __init__(
        self, client: Client, installed: Installed, *, cluster: str, namespaces: tuple[str, ...], environment: str
    ) -> None:
        self._lists = Lists(client)
        self._installed = installed
        self._cluster = cluster
        self._namespaces = namespaces
        self._environment = environment

    async def find(self, kind: EntityKind, name: str, namespace: str) -> list[Found]:
        """What there is, in the order of namespaces. Raises where no namespace could be looked into."""
        if not is_name(name) or not await self._installed.has(kind):
            return []
        spaces = self._spaces(kind, namespace)
        gate = asyncio.Semaphore(AT_ONCE)

        async def within(space: str) -> list[Raw] | ClusterError:
            async with gate:
                try:
                    return await self._lists.named(kind, name, space)
                except ClusterError as problem:
                    return problem

        answers = await asyncio.gather(*(within(space) for space in spaces))
        problems = [answer for answer in answers if isinstance(answer, ClusterError)]
        unanswered = [problem for problem in problems if not isinstance(problem, Refused)]
        if unanswered or (problems and len(problems) == len(answers)):
            raise (unanswered or problems)[0]
        rows = [row for answer in answers if isinstance(answer, list) for row in answer]
        return [await self._found(kind, row) for row in sorted(rows, key=_place)]

    def _spaces(self, kind: EntityKind, namespace: str) -> Iterable[str]:
        if kind == "Node":
            return ("",)
        if namespace:
            return (namespace,) if not self._namespaces or namespace in self._namespaces else ()
        return self._namespaces or ("",)

    async def _found(self, kind: EntityKind, row: Raw) -> Found:
        space = text(row, "metadata", "namespace")
        return Found(entity=self._entity(kind, space, name_of(row)), owner=await self._owner(space, row))

    async def _owner(self, space: str, row: Raw) -> Entity | None:
        """The workload that controls it. None where there is none, or where it cannot be told for certain."""
        owner = controller_of(row)
        if text(owner, "kind") == "ReplicaSet":
            owner = await self._maker(space, owner)
        kind, name = text(owner, "kind"), text(owner, "name")
        return self._entity(cast("EntityKind", kind), space, name) if kind in _KINDS and name else None

    async def _maker(self, space: str, reference: Raw) -> Raw:
        """What controls a ReplicaSet: not every one is a Deployment's, and a name alone does not tell."""
        path = resource_path("apps", "v1", "replicasets", namespace=space)
        try:
            rows = await self._lists.rows(path, fields(metadata__name=text(reference, "name")), pages=1, slim=True)
        except ClusterError:
            return {}
        return next((controller_of(row) for row in rows if uid_of(row) == text(reference, "uid")), {})

    def _entity(self, kind: EntityKind, space: str, name: str) -> Entity:
        return Entity(
            cluster=self._cluster,
            namespace="" if kind == "Node" else space,
            kind=kind,
            workload=name,
            name=name,
            environment=self._environment,
        )


def _place(row: Raw) -> str:
    return text(row, "metadata", "namespace")
