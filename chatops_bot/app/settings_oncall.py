"""Hand-offs to people: who is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final

from pydantic import Field, field_validator

from chatops_bot.app.section import Section
from chatops_bot.app.settings_platforms import RoomSettings
from chatops_bot.domain.oncall import WHOLE, OnCall
from chatops_bot.domain.people import PLATFORMS

_KINDS: Final = (*PLATFORMS, *sorted(WHOLE))


class OnCallSettings(Section):
    """Whom a conversation is handed to ("get me a human"), and how they are called; `docs/handoff.md` says more."""

    groups: dict[str, tuple[str, ...]] = Field(default={})
    """Who is mentioned, by name: that of an owner in the catalog, or one that people say ("hand this over to
    team-pay"). An entry is an account as in the policy (`slack:U…`, `feishu:ou_…`, `wecom:…`), a user group of Slack
    (`slack-group:S…`), or a group or person of the policy. A name that is not here is looked up among the policy's
    groups and people."""
    default: str = ""
    """Group for services without an owner, and for conversations about none; empty for nobody."""
    reminder_s: Annotated[int, Field(ge=0, le=86_400)] = 600
    """When nobody has taken a hand-off for so long, in seconds, they are mentioned once more; after as long again the
    room is told. 0 for neither."""
    keep_h: Annotated[int, Field(ge=1, le=168)] = 24
    """A hand-off in which nobody writes for so many hours is over; by then people have it elsewhere."""

    @field_validator("groups")
    @classmethod
    def _entries(cls, groups: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
        for name, entries in groups.items():
            if not name.strip() or name != name.strip() or ":" in name or len(name) > 80 or not name.isprintable():
                raise ValueError(f"{name!a} is no name for a group; write a plain word such as team-pay")
            for entry in entries:
                kind, colon, own = entry.partition(":")
                if kind == "feishu-department":
                    raise ValueError(f"{entry!r} cannot be mentioned; put it into a group of the policy, and name that")
                if not entry.strip() or not entry.isprintable() or (colon and (kind not in _KINDS or not own)):
                    known = ", ".join(f"{each}:ID" for each in _KINDS)
                    raise ValueError(f"{entry!a} in {name} is nobody; write {known}, or a name of the policy")
        return groups

    def of_world(self, rooms: Mapping[str, RoomSettings]) -> OnCall:
        """As the dialogue takes it."""
        return OnCall(
            groups=self.groups,
            default=self.default,
            rooms={room: chosen.oncall for room, chosen in rooms.items() if chosen.oncall},
            reminder_s=self.reminder_s,
            keep_s=self.keep_h * 3_600,
        )
