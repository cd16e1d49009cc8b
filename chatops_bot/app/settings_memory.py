"""Working memory: how long an answer holds, how often a conversation is summed up, and whose clock counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field, field_validator

from chatops_bot.app.section import Section, a_zone
from chatops_bot.app.settings_platforms import RoomSettings
from chatops_bot.app.settings_retention import RetentionSettings
from chatops_bot.domain.world import Recall


class FreshnessSettings(Section):
    """For how many seconds an answer holds for the same question again; past it, or on "refresh", it is read anew. 0:
    always anew."""

    status_s: Annotated[int, Field(ge=0, le=3_600)] = 30
    """A diagnosis, and the state of pods."""
    logs_s: Annotated[int, Field(ge=0, le=3_600)] = 0
    """Logs; whoever asks again wants the new lines."""
    events_s: Annotated[int, Field(ge=0, le=3_600)] = 60
    """Events of a workload."""
    history_s: Annotated[int, Field(ge=0, le=86_400)] = 300
    """The history of its rollouts."""
    resources_s: Annotated[int, Field(ge=0, le=3_600)] = 60
    """Its use of resources, with what Prometheus has measured."""
    changes_s: Annotated[int, Field(ge=0, le=3_600)] = 60
    """What changed lately."""
    overview_s: Annotated[int, Field(ge=0, le=3_600)] = 30
    """What is broken in a namespace or a cluster."""
    runbook_s: Annotated[int, Field(ge=0, le=604_800)] = 86_400
    """Runbooks."""


class MemorySettings(Section):
    """What the bot remembers of a conversation, and for how long it is good. `docs/memory.md` says more."""

    summary_every: Annotated[int, Field(ge=1, le=100)] = 8
    """After so many messages and presses the summary of a conversation is written anew."""
    time_zone: str = "UTC"
    """Whose midnight "yesterday" goes by, such as `Asia/Shanghai`; a room may have its own (`rooms`)."""
    fresh: FreshnessSettings = FreshnessSettings()

    @field_validator("time_zone")
    @classmethod
    def _known(cls, name: str) -> str:
        return a_zone(name)

    def of_world(self, rooms: Mapping[str, RoomSettings], retention: RetentionSettings) -> Recall:
        """As the dialogue takes it."""
        return Recall(
            summary_every=self.summary_every,
            fresh_s={name.removesuffix("_s"): value for name, value in self.fresh.model_dump().items()},
            zone=self.time_zone,
            zones={room: chosen.time_zone for room, chosen in rooms.items() if chosen.time_zone},
            summaries_days=retention.summaries_days,
            audit_days=retention.audit_days,
        )
