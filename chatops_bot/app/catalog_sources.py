"""The catalog: what the cluster has, enriched by what the file says. Design section 9."""

from __future__ import annotations

from collections.abc import Iterable

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import Entity, Service


def merged(filed: Iterable[Service], found: Iterable[Entity], *, clusters: Iterable[str] = ()) -> Catalog:
    """One catalog of the file's services and of the workloads found. A workload that the file describes is
    the file's service; the others go by their own names. Nodes are not services.

    Raises `CatalogError` when the file names one workload twice.
    """
    services = list(filed)
    described = {service.entity.key for service in services}
    services += [Service(entity=e) for e in found if e.kind != "Node" and e.key not in described]
    return Catalog(services, clusters=clusters)
