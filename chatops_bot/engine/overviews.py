"""Answering what is broken in a namespace or a cluster, and finding what is known by its name alone.

What the asker may not read is left out here, entity by entity, by the policy as it is now.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Final, cast

import msgspec

from chatops_bot.domain import joint
from chatops_bot.domain.diagnosis.overview import Asked, seen_in
from chatops_bot.domain.diagnosis.overview_report import hidden_says, overview_report
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.events import Queried
from chatops_bot.domain.objects import listed, name_of, text
from chatops_bot.domain.observed import Found, Observed, Overview, Raw
from chatops_bot.domain.places import environment_of, environment_of_entity
from chatops_bot.domain.reports import Report, Row
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.texts import word
from chatops_bot.domain.world import World
from chatops_bot.ports.cluster import ClusterError, ClusterReader, NotFound

NAMED: Final = 10
"""Places named where the one that was said is none."""
_LISTED: Final = ("deployments", "pods")
"""Without these a cluster was not read at all."""
_ASKED: Final = frozenset({"restarts", "pods", "jobs"})


class OverviewAnswers:
    """Reads all clusters that are meant at once; `world` is the snapshot as it is."""

    def __init__(self, *, clusters: Mapping[str, ClusterReader], world: Callable[[], World]) -> None:
        self._clusters = clusters
        self._world = world

    async def answer(self, effect: Query, now: int) -> Queried:
        """The report of an overview or of a search by name, or why there is none. `now` is in ms of the wall clock."""
        made = await (self.report(effect, now) if effect.intent == "overview" else self.found(effect, now))
        if isinstance(made, Say):
            return Queried(effect=effect.id, problem=made)
        return Queried(effect=effect.id, report=made)

    async def report(self, effect: Query, now: int) -> Report | Say:
        """The overview of what the slots `cluster`, `namespace` and `environment` say, or why there is none."""
        world = self._world()
        where = self._where(effect)
        if where is None:
            return self._nowhere(effect, world, now)
        names, space = where
        overviews = await asyncio.gather(*(self._clusters[name].overview((space,) if space else ()) for name in names))
        read = [one for one in overviews if not _unanswered(one)]
        lost = [one for one in overviews if _unanswered(one)]
        if space and read:
            served = [one for one in read if not any(row.startswith("namespaces:") for row in one.unread)]
            if not served and not lost:
                return self._nowhere(effect, world, now)
            read = [one for one in served if _holds_anything(one)]
            if not read and not lost:
                return _bare(now, say("overview.empty", name=space), *_known(world))
        lines = tuple(say("overview.unread_cluster", cluster=one.cluster, why=_why(one)) for one in lost)
        if not read:
            return lines[0]
        return self._judged(effect, world, read, lines, space, now)

    def _judged(
        self, effect: Query, world: World, read: list[Overview], unread: tuple[Say, ...], space: str, now: int
    ) -> Report:
        environment = environment_of(str(effect.slots.get("environment", ""))) or ""
        about = str(effect.slots.get("about", ""))
        asked = cast("Asked", about if about in _ASKED else "")
        several = len(read) > 1

        def name(entity: Entity) -> str:
            own = entity.name if world.by_key(entity.key) and entity.kind != "Node" else entity.target
            parts = [entity.cluster if several else "", entity.namespace if not space else "", own]
            return "/".join(part for part in parts if part)

        pairs = [
            (
                one,
                seen_in(
                    one,
                    now,
                    asked=asked,
                    known=world.known,
                    may=lambda entity: _may(world, effect, entity),
                    within=lambda entity: (
                        not (space and entity.kind == "Node")
                        and (not environment or environment_of_entity(entity) == environment)
                    ),
                    name=name,
                ),
            )
            for one in read
        ]
        if not any(seen.total or seen.nodes for _, seen in pairs) and any(seen.hidden for _, seen in pairs):
            return _bare(now, say("overview.forbidden"))
        place = _place(effect, space, environment, [one.cluster for one in read], len(self._clusters))
        return overview_report(pairs, place=place, slots=effect.slots, asked=asked, unread=unread)

    async def found(self, effect: Query, now: int) -> Report | Say:
        """Everything of the name and kind that the slots say: rows with what a thread would be about, the workload of a
        pod where that is a known service."""
        kind, name = str(effect.slots.get("kind", "")), str(effect.slots.get("name", ""))
        space, world = str(effect.slots.get("namespace", "")), self._world()
        said = str(effect.slots.get("cluster", ""))
        readers = [reader for key, reader in self._clusters.items() if not said or key.casefold() == said.casefold()]
        kinds = cast("tuple[EntityKind, ...]", ("Job", "CronJob") if kind == "Job" else (kind,))
        answers = await asyncio.gather(*(_find(reader, kinds, name, space) for reader in readers))
        problems = [answer for answer in answers if isinstance(answer, ClusterError)]
        if problems and len(problems) == len(answers):
            return say("overview.unread_cluster", cluster=", ".join(r.name for r in readers), why=problems[0].message)
        targets = (_target(found, world) for answer in answers if isinstance(answer, list) for found in answer)
        entities = {entity.key: entity for entity in targets if _may(world, effect, entity)}
        line = say("overview.open", name=name)
        unread = tuple(
            say("overview.unread_cluster", cluster=reader.name, why=answer.message)
            for reader, answer in zip(readers, answers, strict=True)
            if isinstance(answer, ClusterError)
        )
        rows = tuple(Row(entity=entity, line=line) for entity in entities.values())
        return Report(kind="find", at=now, headline=line, rows=rows, unread=unread, slots=dict(effect.slots))

    def of_node(self, effect: Query, observed: Observed) -> tuple[Observed, tuple[Say, ...]]:
        """What was observed of a node without the pods that the asker may not see, and a line about those."""
        world, cluster = self._world(), observed.entity.cluster
        seen: list[Raw] = []
        hidden: list[str] = []
        for pod in observed.pods:
            name, space = name_of(pod), text(pod, "metadata", "namespace")
            if _may(world, effect, world.known(Entity(cluster, space, "Pod", name, name))):
                seen.append(pod)
            else:
                hidden.append(space)
        return msgspec.structs.replace(observed, pods=tuple(seen)), tuple(hidden_says(hidden))

    def _where(self, effect: Query) -> tuple[list[str], str] | None:
        """Names of clusters and a namespace, "" for all; None where a cluster is said that is none."""
        cluster, space = (str(effect.slots.get(slot, "")).casefold() for slot in ("cluster", "namespace"))
        own = {name.casefold(): name for name in self._clusters}
        if not cluster and space in own and space not in self._world().catalog.namespaces:
            cluster, space = space, ""
        if cluster:
            return ([own[cluster]], space) if cluster in own else None
        return list(self._clusters), space

    def _nowhere(self, effect: Query, world: World, now: int) -> Report:
        said = str(effect.slots.get("namespace") or effect.slots.get("cluster") or "")
        clusters = sorted(self._clusters) if len(self._clusters) > 1 else ()
        return _bare(now, say("overview.nowhere", name=said), *_known(world, clusters))


async def _find(
    reader: ClusterReader, kinds: Iterable[EntityKind], name: str, space: str
) -> list[Found] | ClusterError:
    found: list[Found] = []
    for kind in kinds:
        try:
            found += await reader.find(kind, name, space)
        except NotFound:
            continue
        except ClusterError as error:
            return error
    return found


def _target(found: Found, world: World) -> Entity:
    service = world.by_key(found.owner.key) if found.owner is not None else None
    return service.entity if service is not None else world.known(found.entity)


def _may(world: World, effect: Query, entity: Entity) -> bool:
    return joint.judge(
        world.policy,
        (effect.room, *effect.rooms),
        action=effect.intent if effect.intent != "find" else "status",
        entity=entity,
        user=effect.user,
        role="read",
    ).allowed


def _unanswered(overview: Overview) -> bool:
    missed = {row.partition(":")[0] for row in overview.unread}
    return missed.issuperset(_LISTED) and not _holds_anything(overview)


def _holds_anything(overview: Overview) -> bool:
    return bool(overview.workloads or overview.pods or overview.jobs or overview.cron_jobs or overview.healthy)


def _why(overview: Overview) -> str:
    return next((row.partition(":")[2] for row in overview.unread if row.startswith("pods:")), "") or "?"


def _bare(now: int, headline: Say, *lines: Say) -> Report:
    return Report(kind="overview", at=now, headline=headline, tone="warn", lines=lines)


def _known(world: World, clusters: Iterable[str] = ()) -> tuple[Say, ...]:
    names = [*clusters, *sorted(world.catalog.namespaces)]
    return (say("overview.known", names=listed(names, most=NAMED)),) if names else ()


def _place(effect: Query, space: str, environment: str, clusters: list[str], configured: int) -> str:
    """Where it looked, as a name or a key of the texts."""
    if space:
        return space if len(clusters) > 1 or configured == 1 else f"{clusters[0]}/{space}"
    if effect.slots.get("cluster") or (configured > 1 and len(clusters) == 1):
        return clusters[0]
    if environment:
        key = f"environment.{environment}"
        return key if word(key, "en") != key else environment
    return "place.everything" if configured == 1 else "place.clusters"
