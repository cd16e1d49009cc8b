"""Alertmanager's deliveries before the door of the bot, signed with its token."""

from __future__ import annotations

import json
from itertools import count

import msgspec
from pydantic import SecretStr
from starlette.requests import Request
from starlette.types import Message

from chatops_bot.adapters.slack.fake.workspace import TEAM
from chatops_bot.app import alerts
from chatops_bot.app.alert_door import AlertDoor
from chatops_bot.app.settings import AlertSettings
from chatops_bot.app.telemetry import Metrics
from chatops_bot.domain.identity import Room
from chatops_bot.engine.arrivals import thread_id
from tests.bench.rig import Rig
from tests.bench.stubs import CLUSTER, WEB, catalog

_TOKEN = "bench-token"


class Firing(msgspec.Struct, frozen=True):
    """A delivery of a group that fires for the first time, and the thread that it opens."""

    body: bytes
    thread: str


class Webhook:
    """The door, and deliveries of ten alerts about one service, each of another group in a room of its own."""

    def __init__(self, rig: Rig) -> None:
        self._numbers = count()
        self._door = AlertDoor(
            AlertSettings(enabled=True, room="-", token=SecretStr(_TOKEN)),
            receive=rig.bot.intake.alert,
            room=lambda _id: Room("slack", TEAM, rig.new_room()),
            services=lambda: services,
            clusters=(CLUSTER,),
            meter=Metrics(),
            now=lambda: 0.0,
        )
        services = catalog().services

    def delivery(self) -> Firing:
        """The next one."""
        body = _body(next(self._numbers))
        return Firing(body, "t" + thread_id(alerts.identity(alerts.parse(body), 0.0)))

    async def deliver(self, delivery: Firing) -> None:
        """Raises unless it is taken."""

        async def receive() -> Message:
            return {"type": "http.request", "body": delivery.body, "more_body": False}

        headers = [(b"authorization", f"Bearer {_TOKEN}".encode())]
        scope = {"type": "http", "method": "POST", "path": "/alerts", "headers": headers, "query_string": b""}
        answer = await self._door(Request(scope, receive))
        if answer.status_code != 200:
            raise RuntimeError(f"the door answers {answer.status_code}")


def _body(number: int) -> bytes:
    labels = {
        "alertname": f"Slow{number}",
        "namespace": WEB.namespace,
        "deployment": WEB.workload,
        "severity": "warning",
    }
    listed = [
        {
            "status": "firing",
            "labels": {**labels, "pod": f"web-shop-{pod}"},
            "annotations": {"summary": "answers slowly"},
            "startsAt": "2026-01-05T10:00:00Z",
            "endsAt": "0001-01-01T00:00:00Z",
            "generatorURL": "http://prometheus:9090/graph?g0.expr=up",
            "fingerprint": f"{number:08x}{pod:08x}",
        }
        for pod in range(10)
    ]
    group = {"alertname": f"Slow{number}"}
    whole = {
        "version": "4",
        "groupKey": f'{{}}:{{alertname="Slow{number}"}}',
        "receiver": "chatops",
        "groupLabels": group,
        "commonLabels": labels,
        "externalURL": "http://alertmanager:9093",
        "alerts": listed,
    }
    return json.dumps(whole).encode()
