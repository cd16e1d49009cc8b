"""Reading lists: page by page, up to a bound, and one object by its name where only lists may be read."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from chatops_bot.adapters.kubernetes.client import Client, Query
from chatops_bot.adapters.kubernetes.paths import RESOURCES, entity_path, resource_path
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.objects import items, mapping, text
from chatops_bot.domain.observed import Raw
from chatops_bot.ports.cluster import ClusterError, NotFound, Refused

PAGE = 500
PAGES = 4
"""More objects than PAGE * PAGES around one workload are not read."""
CLUSTER_PAGES = 20
"""Likewise of the pods of a whole cluster, of which a part would be worse than none."""
EXPIRED = 410
PODS: Final = resource_path("", "v1", "pods")
RUNNING: Final = "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"
"""Pods that hold room on a node."""
LISTED: Final[frozenset[EntityKind]] = frozenset({"Job", "CronJob", "Pod"})
"""Kinds of which the bot may list objects and not get one."""

_NAME: Final = re.compile(r"[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")
"""Any other name is nobody's, and in a field selector it could mean more than itself."""


def fields(**wanted: str) -> Query:
    """A selection by fields, `__` standing for the dot."""
    return [("fieldSelector", ",".join(f"{field.replace('__', '.')}={value}" for field, value in wanted.items()))]


def selection(wanted: str) -> Query:
    """A selection by fields that is more than equalities."""
    return [("fieldSelector", wanted)]


def is_name(name: str) -> bool:
    """Whether an object can have this name."""
    return bool(_NAME.fullmatch(name))


class Lists:
    """The lists of one cluster."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def rows(
        self, path: str, query: Query = (), *, pages: int = PAGES, whole: bool = False, slim: bool = False
    ) -> list[Raw]:
        """All items of a list, up to the bound. Raises `ClusterError` where it must be the `whole` list and there is
        more. With `slim` they come without what says who wrote which field, a third of a pod."""
        rows, more = await self.some(path, query, pages=pages, slim=slim)
        if more and whole:
            raise ClusterError(f"more than {len(rows)} objects", reason="too many")
        return rows

    async def some(
        self,
        path: str,
        query: Query = (),
        *,
        pages: int = PAGES,
        slim: bool = False,
        keep: Callable[[Raw], bool] | None = None,
    ) -> tuple[list[Raw], bool]:
        """The items up to the bound, and whether there are more. What is not to be kept goes with its page."""
        rows: list[Raw] = []
        more = ""
        for _ in range(pages):
            paging = [("limit", str(PAGE)), *([("continue", more)] if more else [])]
            try:
                page = await self._client.call("GET", path, query=[*query, *paging])
            except Refused as problem:
                if problem.status != EXPIRED or not more:
                    raise
                rows, more = [], ""  # the list was too slow: its version is gone, and it begins anew
                continue
            found = items(page, "items")
            rows += found if keep is None else [row for row in found if keep(row)]
            if slim:
                for row in found:
                    mapping(row, "metadata").pop("managedFields", None)
            more = text(page, "metadata", "continue")
            if not more:
                break
        return rows, bool(more)

    async def object(self, entity: Entity) -> Raw:
        """The entity's object. Raises `NotFound` and the other exceptions of ports.cluster."""
        if entity.kind not in LISTED:
            return await self._client.call("GET", entity_path(entity))
        entity_path(entity)  # a name that is none, or no full one, is refused
        found = await self.named(entity.kind, entity.workload, entity.namespace)
        if not found:
            plural = RESOURCES[entity.kind][2]
            raise NotFound(f'{plural} "{entity.workload}" not found', status=404, reason="NotFound")
        return found[0]

    async def named(self, kind: EntityKind, name: str, namespace: str) -> list[Raw]:
        """The objects of this kind and exactly this name, in a namespace or ("") in all."""
        if not is_name(name):
            return []
        group, version, plural = RESOURCES[kind]
        rows = await self.rows(
            resource_path(group, version, plural, namespace=namespace), fields(metadata__name=name), pages=1
        )
        return [typed(row, kind) for row in rows if text(row, "metadata", "name") == name]


def typed(row: Raw, kind: EntityKind) -> Raw:
    """An item of a list with what it is: items of the API's own kinds do not say it."""
    group, version, _ = RESOURCES[kind]
    return {"apiVersion": f"{group}/{version}" if group else version, "kind": kind, **row}
