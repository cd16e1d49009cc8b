"""The ConfigMaps that a workload is made with."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.objects import items, mapping, text
from chatops_bot.domain.observed import Raw


def config_maps_of(workload: Raw) -> list[str]:
    """Names of the ConfigMaps that its pods mount or take their environment from, each once, in the order of the
    template."""
    return list(dict.fromkeys(name for name in _config_maps(mapping(workload, "spec", "template", "spec")) if name))


def _config_maps(spec: Raw) -> Iterator[str]:
    for volume in items(spec, "volumes"):
        yield text(volume, "configMap", "name")
        yield from (text(source, "configMap", "name") for source in items(volume, "projected", "sources"))
    for container in (*items(spec, "initContainers"), *items(spec, "containers")):
        yield from (text(source, "configMapRef", "name") for source in items(container, "envFrom"))
        yield from (text(variable, "valueFrom", "configMapKeyRef", "name") for variable in items(container, "env"))
