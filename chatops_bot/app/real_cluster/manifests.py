"""Full manifests on a real cluster: made, or merged by kind, namespace and name."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from typing import Final

import msgspec

from chatops_bot.adapters.kubernetes.client import Client, Query
from chatops_bot.adapters.kubernetes.paths import RESOURCES, resource_path
from chatops_bot.domain.objects import flag, items, mapping, name_of, text, uid_of
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import Conflict, NotFound, Refused

CREATOR: Final = "kubectl-create"
EDITOR: Final = "kubectl-edit"
"""Field managers: of what the head makes, and of what somebody changes afterwards."""

MERGE: Final = "application/merge-patch+json"

FORBIDDEN: Final = 403
POLL_S: Final = 0.05
ACCOUNT_S: Final = 5.0
"""How long a new namespace is waited for to get its service account, without which no pod is made in it."""

_SERVERS_OWN: Final = ("uid", "resourceVersion", "creationTimestamp", "generation", "managedFields")


class Resource(msgspec.Struct, frozen=True):
    """Where objects of one kind live."""

    group: str
    version: str
    plural: str
    namespaced: bool

    def path(self, namespace: str, name: str = "") -> str:
        """Of one object, or of their list."""
        where = namespace if self.namespaced else ""
        return resource_path(self.group, self.version, self.plural, namespace=where, name=name)


WORKLOADS: Final = {kind: Resource(*RESOURCES[kind], True) for kind in ("Deployment", "StatefulSet", "DaemonSet")}
HPAS: Final = Resource("autoscaling", "v2", "horizontalpodautoscalers", True)
PDBS: Final = Resource("policy", "v1", "poddisruptionbudgets", True)


async def listed(client: Client, path: str, *, query: Query = ()) -> list[Raw]:
    """What is in a list; nothing in one that may not be read. Raises the other exceptions of ports.cluster."""
    try:
        return items(await client.call("GET", path, query=query), "items")
    except Refused as problem:
        if problem.status != FORBIDDEN:
            raise
        return []


class Manifests:
    """Any kind that the cluster knows. A status is left to whoever writes it there."""

    def __init__(self, client: Client, *, tell: Callable[[str], None], clock: Clock) -> None:
        self._client = client
        self._clock = clock
        self._tell = tell
        self._known: dict[tuple[str, str], Resource] = {}

    async def put(self, manifest: Raw, *, manager: str) -> None:
        """Raises ValueError for a kind that the cluster does not know or that nobody can make, and what the API
        server answers as the exceptions of ports.cluster."""
        kind = str(manifest["kind"])
        if kind == "Node":
            raise ValueError("a node cannot be made on a real cluster")
        resource = await self._resource(str(manifest["apiVersion"]), kind)
        body = copy.deepcopy({key: value for key, value in manifest.items() if key != "status"})
        namespace = text(body, "metadata", "namespace") or "default"
        if resource.namespaced:
            await self.namespace(namespace)
        for field in _SERVERS_OWN:
            body["metadata"].pop(field, None)
        await self._link_owners(body, namespace)
        made = await self.merge(resource.path(namespace), body, manager=manager)
        where = f" in {namespace}" if resource.namespaced else ""
        self._tell(f"{'created' if made else 'changed'} {kind.lower()}/{name_of(body)}{where}")

    async def merge(self, path: str, body: Raw, *, manager: str, label: Mapping[str, str] | None = None) -> bool:
        """Create the object in its list at `path`, with a label more, or merge it into the one that is there, where a
        null of its spec takes away; whether it is new."""
        query = [("fieldManager", manager)]
        labels = {**mapping(body, "metadata", "labels"), **(label or {})}
        new = {**body, "metadata": {**body["metadata"], "labels": labels}}
        if "spec" in body:
            new["spec"] = {key: value for key, value in body["spec"].items() if value is not None}
        try:
            await self._client.call("POST", path, query=query, body=new)
        except Conflict as problem:
            if problem.reason != "AlreadyExists":
                raise
        else:
            return True
        await self._client.call("PATCH", f"{path}/{name_of(body)}", query=query, body=body, content=MERGE)
        return False

    async def namespace(self, name: str) -> None:
        """Make sure of one, and that pods can be made in it. Raises the exceptions of ports.cluster."""
        if await self._there(resource_path("", "v1", "namespaces", name=name)):
            return
        await self._client.call("POST", "/api/v1/namespaces", body={"metadata": {"name": name}})
        self._tell(f"created namespace {name}")
        ends = self._clock.monotonic() + ACCOUNT_S
        accounts = resource_path("", "v1", "serviceaccounts", namespace=name)
        while not await self._any(accounts) and self._clock.monotonic() < ends:
            await self._clock.sleep(POLL_S)

    async def _there(self, path: str) -> bool:
        """Whether the object is there; what may not be looked at is taken to be."""
        try:
            await self._client.call("GET", path)
        except NotFound:
            return False
        except Refused as problem:
            if problem.status != FORBIDDEN:
                raise
        return True

    async def _any(self, path: str) -> bool:
        """Whether the list holds anything; one that is unknown or may not be looked at is taken to."""
        try:
            return bool(items(await self._client.call("GET", path), "items"))
        except (NotFound, Refused):
            return True

    async def _link_owners(self, body: Raw, namespace: str) -> None:
        """A manifest cannot know the uids of its owners: they are looked up by kind and name."""
        for reference in items(body, "metadata", "ownerReferences"):
            resource = await self._resource(text(reference, "apiVersion"), text(reference, "kind"))
            owner = await self._client.call("GET", resource.path(namespace, text(reference, "name")))
            reference["uid"] = uid_of(owner)

    async def _resource(self, api_version: str, kind: str) -> Resource:
        if (api_version, kind) not in self._known:
            group, _, version = api_version.rpartition("/")
            try:
                found = await self._client.call("GET", resource_path(group, version, ""))
            except NotFound:
                found = {}
            for row in items(found, "resources"):
                if "/" not in text(row, "name"):
                    known = Resource(group, version, text(row, "name"), flag(row, "namespaced"))
                    self._known[api_version, text(row, "kind")] = known
        if (api_version, kind) not in self._known:
            raise ValueError(f"the cluster knows no {kind} of {api_version}")
        return self._known[api_version, kind]
