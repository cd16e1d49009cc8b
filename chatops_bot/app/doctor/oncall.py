"""Whether hand-offs find somebody to call."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chatops_bot.app.doctor.findings import Finding, ok, warn
from chatops_bot.app.settings import PLATFORMS, Settings
from chatops_bot.domain.entities import Service
from chatops_bot.domain.identity import Room
from chatops_bot.domain.oncall import OnCall, ids, known_as
from chatops_bot.domain.policy import Policy


def on_oncall(settings: Settings, services: Sequence[Service], policy: Policy) -> Iterator[Finding]:
    """All findings about hand-offs; one good one where there is none."""
    oncall = settings.oncall.of_world(settings.rooms)
    found = [*_owners(oncall, services, policy), *_names(oncall, policy), *_reach(settings, oncall, policy)]
    yield from found or [ok(f"hand-offs find somebody to call: {len(oncall.groups)} groups")]


def unmapped(oncall: OnCall, services: Sequence[Service], policy: Policy) -> tuple[str, ...]:
    """Owners in the catalog of whom it is not known how they are called."""
    owners = dict.fromkeys(owner for service in services for owner in service.owners)
    return tuple(owner for owner in owners if not known_as(owner, oncall, policy))


def _owners(oncall: OnCall, services: Sequence[Service], policy: Policy) -> Iterator[Finding]:
    if missing := unmapped(oncall, services, policy):
        yield warn(
            f"nobody is mentioned when something of {', '.join(missing[:8])} is handed to a person",
            "name them under oncall.groups, or in the groups of the policy",
        )


def _names(oncall: OnCall, policy: Policy) -> Iterator[Finding]:
    """Groups that rooms or the default speak of, and entries that are names of the policy."""
    for place, name in (("oncall.default", oncall.default), *((f"the room {r}", g) for r, g in oncall.rooms.items())):
        if name and not known_as(name, oncall, policy):
            yield warn(f"{place} names the on-call group {name}, which there is not", "add it to oncall.groups")


def _reach(settings: Settings, oncall: OnCall, policy: Policy) -> Iterator[Finding]:
    """Groups of which a platform that is on cannot mention anybody. On the console nobody is rung."""
    for platform in PLATFORMS:
        if platform == "console" or not getattr(settings, platform).enabled:
            continue
        room = Room(platform, "", "")
        mute = [name for name in oncall.groups if not ids((name,), oncall=oncall, policy=policy, room=room)]
        if mute:
            yield warn(
                f"on {platform} nobody of {', '.join(mute[:8])} can be mentioned",
                f"add {platform}:ID for somebody of them to oncall.groups",
            )
