"""Which services are looked after, where their cards go, and which have alerts already."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from pydantic import ValidationError

from chatops_bot.app import care
from chatops_bot.app.event_door import EventDoor
from chatops_bot.app.settings import Settings
from chatops_bot.domain.catalog import CatalogError, parse
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import Alert, AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import Receipt
from chatops_bot.ports.store import StoreUnavailable

ENABLED: dict[str, Any] = {"care": {"enabled": True, "room": "C1"}, "rooms": {"C1": {"platform": "slack"}}}


def service(name: str, environment: str, *, watch: bool = False) -> Service:
    entity = Entity("east", "shop", "Deployment", name, name, environment)
    return Service(entity=entity, watch=watch)


def test_those_that_are_marked_and_those_of_an_environment_are_watched() -> None:
    services = (service("a", "prod"), service("b", "dev", watch=True), service("c", "dev"))
    settings = Settings(**{**ENABLED, "care": {**ENABLED["care"], "environments": ["prod"]}})
    assert [one.entity.name for one in care.watched(settings, services)] == ["a", "b"]
    assert [one.entity.name for one in care.watched(Settings(**ENABLED), services)] == ["b"]


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"care": {"enabled": True}}, "care is enabled, but has no room"),
        ({"rooms": {}}, "care names the room 'C1', which is not under rooms"),
        ({"care": {"enabled": True, "room": "C1", "every_s": 5}}, "greater than or equal to 30"),
    ],
)
def test_what_cannot_be_is_said(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        Settings(**{**ENABLED, **changed})


def test_the_catalog_says_watch_in_yes_or_no() -> None:
    entry = {"name": "web", "namespace": "shop", "workload": "deployment/web"}
    assert parse([{**entry, "watch": True}], default_cluster="east")[0].watch
    assert not parse([entry], default_cluster="east")[0].watch
    with pytest.raises(CatalogError, match=r"services\[0\]\.watch: must be true or false, not a text"):
        parse([{**entry, "watch": "often"}], default_cluster="east")


class Store:
    """The commands that reach Redis."""

    def __init__(self, *, down: bool = False) -> None:
        self.asked: list[tuple[object, ...]] = []
        self.down = down
        self.client = self
        self.audit = None

    async def command(self, *arguments: object, **_: object) -> int:
        if self.down:
            raise StoreUnavailable("gone")
        self.asked.append(arguments)
        return 1


class Door(EventDoor):
    async def alert(self, group: AlertGroup) -> Receipt:
        return Receipt(taken="stored", thread="t")


def group(*, firing: bool = True, **more: Any) -> AlertGroup:
    alerts = (Alert(fingerprint="f", firing=firing, name="Slow"),)
    about = {"service": "east/shop/deployment/web", **more}
    return AlertGroup(id="a", room=Room("slack", "T", "C1"), group="g", alerts=alerts, **about)


@pytest.mark.parametrize(
    ("told", "commands"),
    [
        (group(), ["SADD", "EXPIRE"]),
        (group(firing=False), ["SREM"]),
        (group(service=""), []),
        (group(elsewhere=True), []),
    ],
)
def test_alerts_about_a_service_are_noted(told: AlertGroup, commands: list[str]) -> None:
    store = Store()
    heard = care.AlertsHeard(Door(), lambda: store)  # type: ignore[arg-type, return-value]
    assert asyncio.run(heard(told)).taken == "stored"
    assert [arguments[0] for arguments in store.asked] == commands


def test_alerts_are_taken_whether_they_can_be_noted_or_not() -> None:
    for opened in (Store(down=True), None):
        heard = care.AlertsHeard(Door(), lambda opened=opened: opened)  # type: ignore[misc]
        assert asyncio.run(heard(group())).taken == "stored"
