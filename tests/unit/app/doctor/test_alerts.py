"""What becomes of alerts is looked at before one comes."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.app.doctor.alerts import on_alerts
from chatops_bot.app.doctor.findings import Finding
from chatops_bot.app.settings import Settings
from chatops_bot.domain.entities import Entity, Service


def service(name: str, *owners: str, **alerts: str) -> Service:
    return Service(Entity("east", "shop", "Deployment", name, name), owners=owners, alerts=alerts)


SERVICES = [service("web", "team-web", app="web"), service("api", "team-api", "team-web", app="api"), service("job")]


def found(*services: Service, **alerts: Any) -> list[Finding]:
    chosen = {
        "rooms": {name: {"platform": "console"} for name in ("ops", "pay")} | {"far": {"platform": "slack"}},
        "console": {"enabled": True},
        "alerts": {"enabled": True, "room": "ops", "token": "secret", **alerts},
    }
    return list(on_alerts(Settings.model_validate(chosen), services or SERVICES))


def test_where_they_go_is_told() -> None:
    (only,) = found()
    assert only.severity == "ok"
    assert "go to ops; 2 services by labels" in only.what


def test_nothing_is_said_where_they_are_off() -> None:
    assert list(on_alerts(Settings(), SERVICES)) == []


@pytest.mark.parametrize(
    ("alerts", "said"),
    [
        ({"room": "far"}, "alerts for the room far cannot be shown: slack is not enabled"),
        ({"routes": [{"severities": ["page"], "room": "far"}]}, "alerts for the room far cannot be shown"),
        (
            {"routes": [{"owners": ["nobody", "else"], "room": "pay"}]},
            "alerts.routes[0]: nothing in the catalog belongs",
        ),
        (
            {"routes": [{"room": "pay"}, {"owners": ["team-web"], "room": "ops"}]},
            "alerts.routes[1] is never reached: alerts.routes[0]",
        ),
        (
            {
                "routes": [
                    {"owners": ["team-web", "team-api"], "room": "pay"},
                    {"owners": ["team-api"], "severities": ["info"], "room": "ops"},
                ]
            },
            "alerts.routes[1] is never reached",
        ),
    ],
)
def test_what_leads_nowhere_is_told(alerts: dict[str, Any], said: str) -> None:
    _, warned = found(**alerts)
    assert warned.severity == "warn"
    assert said in warned.what
    assert warned.to_do


@pytest.mark.parametrize(
    "routes",
    [
        [{"owners": ["team-web"], "room": "pay"}, {"room": "ops"}],
        [{"owners": ["team-web"], "room": "pay"}, {"owners": ["team-web", "team-api"], "room": "ops"}],
        [{"severities": ["info"], "room": "pay"}, {"owners": ["team-web"], "room": "ops"}],
    ],
)
def test_a_wider_route_after_a_narrower_one_is_as_it_should_be(routes: list[dict[str, Any]]) -> None:
    assert len(found(routes=routes)) == 1


def test_services_that_no_alert_tells_apart_are_named() -> None:
    _, warned = found(service("web", a="1", b="2"), service("api", b="2", a="1"), service("job", a="1"), service("x"))
    assert "alerts with a=1, b=2 may be about web, api" in warned.what
