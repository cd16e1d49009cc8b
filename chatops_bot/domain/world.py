"""What decide may look at beside the session: snapshots of catalog, policy and settings, all immutable."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

import msgspec

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.entities import UNLISTED, Entity, Service
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import Incidents
from chatops_bot.domain.intents import Language
from chatops_bot.domain.oncall import OnCall
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.runbooks import Runbooks

FRESH_S: Final[Mapping[str, int]] = {
    "status": 30,
    "logs": 0,
    "events": 60,
    "history": 300,
    "resources": 60,
    "changes": 60,
    "overview": 30,
    "runbook": 86_400,
}
"""For how many seconds a result of each query answers the same question again, unless that is configured."""


class Timing(msgspec.Struct, frozen=True, omit_defaults=True):
    """Lifetimes in seconds (configurable). `approval_reminder_s` 0: nobody is reminded."""

    idle_s: int = 600
    collecting_s: int = 1800
    plan_s: int = 900
    approval_s: int = 3600
    approval_reminder_s: int = 600
    follow_s: int = 900


class Recall(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds for working memory (configurable): after how many turns the summary is rewritten, for how many seconds
    a result of each query answers the same question again, and whose clocks are meant by "yesterday": `zone`, but for
    rooms in `zones`, by the platform's id. `summaries_days` and `audit_days` are how far back records go, 0: for ever.
    """

    summary_every: int = 8
    fresh_s: Mapping[str, int] = msgspec.field(default_factory=lambda: FRESH_S)
    zone: str = "UTC"
    zones: Mapping[str, str] = {}
    summaries_days: int = 30
    audit_days: int = 0

    def zone_of(self, room: Room) -> str:
        """The name of the time zone that holds in a room."""
        return self.zones.get(room.channel, self.zone)


class Alerted(msgspec.Struct, frozen=True):
    """What an alert that was shown in a room is about, and when (ms) it came."""

    entity: Entity
    at: int


class World(msgspec.Struct, frozen=True):
    """One snapshot for one turn. `read_only` says who switched writes off and why, "" when they are on.
    `language` is that of what answers nobody in particular, such as alerts. `recent` are services talked about
    in the room lately, latest first: offered where none is named, never taken. `alerted` is the room's latest alert
    as far as it is known: where it is news to whoever says "restart it", it is asked which one is meant."""

    catalog: Catalog
    policy: Policy
    timing: Timing = Timing()
    read_only: str = ""
    language: Language = "en"
    recent: tuple[Entity, ...] = ()
    alerted: Alerted | None = None
    nodes: Mapping[str, tuple[Service, ...]] = {}
    runbooks: Runbooks = Runbooks()
    incidents: Incidents = Incidents()
    recall: Recall = Recall()
    oncall: OnCall = OnCall()
    clusters: Mapping[str, str] = {}
    """The environment of each configured cluster, which is that of whatever the catalog does not list."""

    def by_key(self, key: str) -> Service | None:
        """The service or node of an entity key."""
        nodes = self.nodes.get(key.rpartition("/")[2].casefold(), ())
        return self.catalog.by_key(key) or next((node for node in nodes if node.entity.key == key), None)

    def known(self, entity: Entity) -> Entity:
        """The same object as the catalog has it, or in the environment of its cluster."""
        service = self.by_key(entity.key)
        if service is not None:
            return service.entity
        return msgspec.structs.replace(entity, environment=self.clusters.get(entity.cluster, ""))

    def entity(self, key: str) -> Entity | None:
        """What a key names: a service, a node, or something that no catalog lists and that may be gone by now."""
        service = self.by_key(key)
        if service is not None:
            return service.entity
        found = _KEY.fullmatch(key)
        kind = UNLISTED.get(found["kind"]) if found else None
        if found is None or kind is None:
            return None
        name = found["name"]
        return self.known(Entity(found["cluster"], found["namespace"], kind, name, name))


_KEY: Final = re.compile(
    r"(?P<cluster>[^/\s]{1,100})/(?P<namespace>[a-z0-9-]{1,63})/(?P<kind>[a-z]+)/(?P<name>[a-z0-9][a-z0-9.-]{0,252})",
    re.ASCII,
)
