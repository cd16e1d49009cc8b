"""The workloads of a cluster: which lists hold them, and what is in those lists."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import msgspec

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.identity import allowed
from chatops_bot.adapters.kubernetes.installed import CUSTOM, Installed, NotInstalled
from chatops_bot.adapters.kubernetes.paths import RESOURCES, resource_path
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.objects import items, name_of, text
from chatops_bot.domain.observed import Permission, Raw
from chatops_bot.ports.cluster import NotFound, Refused

WATCHED_APART = 8
"""Namespaces watched one by one without a word; for more, leave to watch the whole cluster is better."""

_log = logging.getLogger(__name__)

Name = tuple[str, str]
"""Namespace and name."""


class Scope(msgspec.Struct, frozen=True):
    """One list: a kind in a namespace, or ("") in the whole cluster."""

    kind: EntityKind
    namespace: str

    @property
    def path(self) -> str:
        """Where it is listed and watched."""
        group, version, plural = RESOURCES[self.kind]
        return resource_path(group, version, plural, namespace=self.namespace)


class WorkloadLists:
    """Lists Deployments, StatefulSets, DaemonSets and Argo Rollouts of the served namespaces, and nodes."""

    def __init__(
        self, client: Client, installed: Installed, *, cluster: str, namespaces: tuple[str, ...], environment: str
    ) -> None:
        self.cluster = cluster
        self._installed = installed
        self._client = client
        self._namespaces = namespaces
        self._environment = environment

    async def entities(self) -> list[Entity]:
        """Everything that may be listed. Raises `ClusterUnavailable`; what is refused is left out and logged."""
        scopes = await self.scopes()
        found = await asyncio.gather(*(self._listed(scope) for scope in scopes))
        return self.named({scope: names for scope, (names, _) in zip(scopes, found, strict=True)})

    async def scopes(self) -> list[Scope]:
        """The lists to read: of the whole cluster where that is permitted, else of each namespace."""
        kinds: tuple[EntityKind, ...] = ("Deployment", "StatefulSet", "DaemonSet", "Rollout")
        spaces = self._namespaces or ("",)
        if len(spaces) > 1 and await self._everywhere():
            spaces = ("",)
        elif len(spaces) > WATCHED_APART:
            _log.warning("more than %d namespaces without leave to watch them all: many watches", WATCHED_APART)
        scopes = [Scope(kind, namespace) for kind in kinds for namespace in spaces]
        return [*scopes, Scope("Node", "")]

    async def _everywhere(self) -> bool:
        wanted = Permission(group="apps", resource="deployments", verb="watch")
        return await allowed(self._client, wanted, namespace="", name="")

    async def _listed(self, scope: Scope) -> tuple[set[Name], str]:
        try:
            return await self.names(scope)
        except NotInstalled:
            return set(), ""
        except Refused as problem:
            _log.warning("%s of %s cannot be listed: %s", scope.kind, self.cluster, problem.message)
            return set(), ""

    async def names(self, scope: Scope) -> tuple[set[Name], str]:
        """What is in a list, and its version, to watch from. Raises the exceptions of ports.cluster, and `NotInstalled`
        for a kind that the cluster does not have."""
        if not await self._installed.has(scope.kind):
            raise self._installed.missing(scope.kind)
        try:
            return await self._pages(scope)
        except NotFound as problem:
            if scope.kind in CUSTOM:
                raise self._installed.missing(scope.kind) from problem
            raise

    async def _pages(self, scope: Scope) -> tuple[set[Name], str]:
        names: set[Name] = set()
        more, version = "", ""
        while True:
            query = [("limit", "500"), *([("continue", more)] if more else [])]
            page = await self._client.call("GET", scope.path, query=query)
            names |= {key_of(row) for row in items(page, "items")}
            version = text(page, "metadata", "resourceVersion")
            more = text(page, "metadata", "continue")
            if not more:
                return self.served(names, scope), version

    def served(self, names: set[Name], scope: Scope) -> set[Name]:
        """Those of the served namespaces."""
        if scope.kind == "Node" or not self._namespaces:
            return names
        return {name for name in names if name[0] in self._namespaces}

    def named(self, names: Mapping[Scope, set[Name]]) -> list[Entity]:
        """As entities, in a fixed order."""
        found = [
            Entity(
                cluster=self.cluster,
                namespace="" if scope.kind == "Node" else namespace,
                kind=scope.kind,
                workload=name,
                name=name,
                environment=self._environment,
            )
            for scope, all_names in names.items()
            for namespace, name in all_names
        ]
        return sorted(found, key=lambda entity: entity.key)


def key_of(obj: Raw) -> Name:
    """Namespace and name of an object."""
    return text(obj, "metadata", "namespace"), name_of(obj)
