"""What rows are posed among: the services that lie beside their file, and the nodes that they name."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import msgspec

from chatops_bot.adapters.runbooks.loading import packaged
from chatops_bot.app.evaluation.rows import EvaluationError
from chatops_bot.app.transcript import CLUSTER
from chatops_bot.app.yaml_file import YamlError, read_yaml
from chatops_bot.domain.catalog import Catalog, CatalogError, index_nodes, parse
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.intents import PendingPlan
from chatops_bot.domain.places import environment_of_entity
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.runbooks import Runbooks
from chatops_bot.domain.world import Timing, World

BESIDE: Final = "services.yaml"
"""The catalog beside labelled rows, in its folder or the one above, as in the head of a transcript."""


def services_beside(path: Path) -> tuple[Service, ...]:
    """The services that the rows of a file may name, none where there is no such file. Raises `EvaluationError` for
    one that cannot be used."""
    where, entries = _entries(path)
    try:
        return tuple(parse(entries, default_cluster=CLUSTER))
    except CatalogError as error:
        raise EvaluationError("\n".join(f"{where}: {problem}" for problem in error.problems)) from error


def _entries(path: Path) -> tuple[Path, Any]:
    where = next((folder / BESIDE for folder in (path.parent, path.parent.parent) if (folder / BESIDE).is_file()), None)
    if where is None:
        return path.with_name(BESIDE), None
    try:
        raw = read_yaml(where)
    except YamlError as error:
        raise EvaluationError(str(error)) from error
    if not isinstance(raw, dict) or not raw.get("services"):
        raise EvaluationError(f"{where}: must have services, as the head of a transcript")
    return where, raw["services"]


def needed(path: Path, *, what: str) -> tuple[Service, ...]:
    """As `services_beside`; raises `EvaluationError` where there are none."""
    services = services_beside(path)
    if not services:
        raise EvaluationError(f"{path}: {what} need {BESIDE} beside it, which says what services there are")
    return services


def world_of(services: Iterable[Service], nodes: Iterable[str] = ()) -> World:
    """Everybody may do everything there; the runbooks are those of the bot."""
    return World(
        catalog=Catalog(services),
        policy=Policy.open(),
        timing=Timing(),
        nodes=index_nodes([node(name) for name in sorted(set(nodes))]),
        runbooks=Runbooks(packaged().runbooks),
    )


def node(name: str) -> Entity:
    """A node of that name."""
    return Entity(cluster=CLUSTER, namespace="", kind="Node", workload=name, name=name)


def among(services: tuple[Service, ...], plan: PendingPlan) -> tuple[PendingPlan, tuple[Service, ...]]:
    """A plan for its service as the catalog has it, and the services with that one among them."""
    if plan.entity.kind == "Node":
        return msgspec.structs.replace(plan, entity=node(plan.entity.name)), services
    of_name = [s.entity for s in services if s.entity.name == plan.entity.name]
    known = next((e for e in of_name if environment_of_entity(e) == environment_of_entity(plan.entity)), None)
    if known is None:
        return plan, (*services, Service(entity=plan.entity))
    return msgspec.structs.replace(plan, entity=known), services
