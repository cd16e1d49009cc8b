"""Proactive care as it is wired: which services are watched, where their cards go, and which have alerts already."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from chatops_bot.adapters.redis.care import RedisCare
from chatops_bot.app import alerts
from chatops_bot.app.event_door import EventDoor
from chatops_bot.app.opening import Opened
from chatops_bot.app.settings import Settings
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.engine.care import Care
from chatops_bot.engine.gate import Cluster
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import Receipt
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import StoreUnavailable


def watched(settings: Settings, services: tuple[Service, ...]) -> tuple[Service, ...]:
    """Those that the catalog or the configuration names."""
    environments = frozenset(settings.care.environments)
    return tuple(one for one in services if one.watch or one.entity.environment in environments)


def of(
    settings: Settings,
    opened: Opened,
    *,
    clusters: Mapping[str, Cluster],
    snapshot: Snapshot,
    door: EventDoor,
    room: Callable[[str], Room | None],
    clock: Clock,
    meter: Meter,
) -> Care:
    """Care by these settings. `room` knows rooms by their ids."""

    def room_for(service: Service) -> Room | None:
        routes = [route for route in settings.alerts.routes if route.owners and not route.severities]
        return room(alerts.route(routes, default=settings.care.room, owners=service.owners, severities=frozenset()))

    return Care(
        RedisCare(opened.client, opened.audit),
        clusters={name: both.reader for name, both in clusters.items()},
        watched=lambda: watched(settings, snapshot.world.catalog.services),
        room_for=room_for,
        receive=door.alert,
        terms=settings.care.terms(),
        every_s=settings.care.every_s,
        language=settings.language,
        clock=clock,
        meter=meter,
    )


class AlertsHeard:
    """Hands alerts on, and notes about which services there are some. `opened` gives the store once it is open."""

    def __init__(self, door: EventDoor, opened: Callable[[], Opened | None]) -> None:
        self._door = door
        self._opened = opened

    async def __call__(self, group: AlertGroup) -> Receipt:
        """As `EventDoor.alert`."""
        receipt = await self._door.alert(group)
        opened = self._opened()
        if opened is not None and group.service and not group.elsewhere:
            firing = any(alert.firing for alert in group.alerts)
            try:
                await RedisCare(opened.client, opened.audit).note_alerts(
                    group.service, group=group.group, firing=firing
                )
            except StoreUnavailable:
                return receipt  # it is taken all the same: at worst there are two cards
        return receipt
