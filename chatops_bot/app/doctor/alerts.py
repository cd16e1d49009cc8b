"""Whether alerts find their rooms and their services."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from chatops_bot.app.doctor.findings import Finding, ok, warn
from chatops_bot.app.settings import AlertRoute, AlertSettings, Settings
from chatops_bot.domain.entities import Service


def on_alerts(settings: Settings, services: Sequence[Service]) -> Iterator[Finding]:
    """What becomes of alerts, `services` being those of the catalog file; nothing where they are off."""
    chosen = settings.alerts
    if not chosen.enabled:
        return
    found = [*_silent_rooms(settings), *_routes(chosen, services), *_twins(services)]
    mapped = sum(bool(service.alerts) for service in services)
    others = f"{mapped} services by labels of their own, workloads that an alert names exactly by those"
    yield ok(f"alerts come to POST /alerts and go to {chosen.room}; {others}")
    yield from found


def _silent_rooms(settings: Settings) -> Iterator[Finding]:
    """Rooms on a platform that is off: Alertmanager is told to try again, for ever."""
    for name in dict.fromkeys((settings.alerts.room, *(route.room for route in settings.alerts.routes))):
        room = settings.rooms.get(name)
        if room is not None and not getattr(settings, room.platform).enabled:
            yield warn(
                f"alerts for the room {name} cannot be shown: {room.platform} is not enabled",
                f"set {room.platform}.enabled, or name another room",
            )


def _routes(chosen: AlertSettings, services: Sequence[Service]) -> Iterator[Finding]:
    """Routes that no alert takes."""
    known = {owner for service in services for owner in service.owners}
    for number, route in enumerate(chosen.routes):
        if route.owners and known.isdisjoint(route.owners):
            yield warn(
                f"alerts.routes[{number}]: nothing in the catalog belongs to {', '.join(route.owners)}",
                "correct the owners, or name them in the catalog",
            )
        before = next(
            (place for place, other in enumerate(chosen.routes[:number]) if _takes_all_of(other, route)), None
        )
        if before is not None:
            yield warn(
                f"alerts.routes[{number}] is never reached: alerts.routes[{before}] takes all that it would",
                "put the narrower route first",
            )


def _takes_all_of(other: AlertRoute, route: AlertRoute) -> bool:
    owners = not other.owners or (route.owners and set(route.owners) <= set(other.owners))
    severities = not other.severities or (route.severities and set(route.severities) <= set(other.severities))
    return bool(owners and severities)


def _twins(services: Sequence[Service]) -> Iterator[Finding]:
    """Services that an alert cannot tell apart: a person has to choose each time."""
    by_labels: defaultdict[tuple[tuple[str, str], ...], list[str]] = defaultdict(list)
    for service in services:
        if service.alerts:
            by_labels[tuple(sorted(service.alerts.items()))].append(service.entity.name)
    for labels, names in by_labels.items():
        if len(names) > 1:
            shown = ", ".join(f"{name}={value}" for name, value in labels)
            yield warn(
                f"alerts with {shown} may be about {', '.join(names[:5])}: none of them is locked",
                "give each of them a label of its own under alerts",
            )
