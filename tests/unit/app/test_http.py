"""Health, metrics and the door for alerts, over HTTP."""

from __future__ import annotations

import asyncio
import base64
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from chatops_bot.app.alert_door import AlertDoor
from chatops_bot.app.http import create_app, readiness
from chatops_bot.app.settings import AlertRoute, AlertSettings
from chatops_bot.app.telemetry import Metrics
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import NotAccepted
from chatops_bot.ports.cluster import ClusterUnavailable
from chatops_bot.ports.store import StoreUnavailable
from tests.unit.app.deliveries import LABELS, alert, raw

PAYMENT = Service(
    Entity("east", "shop", "Deployment", "payment", "payment"), owners=("team-pay",), alerts={"service": "payment"}
)
REFUNDS = Service(
    Entity("east", "shop", "Deployment", "refunds", "refunds"),
    owners=("team-pay", "team-back"),
    alerts={"service": "refunds"},
)
ROOMS = {name: Room("slack", "T1", name) for name in ("C1", "C2")}


def answer(text: str) -> Callable[[], Awaitable[str]]:
    async def check() -> str:
        return text

    return check


def failure(error: Exception) -> Callable[[], Awaitable[str]]:
    async def check() -> str:
        raise error

    return check


async def hang() -> str:
    await asyncio.Event().wait()
    return ""


@contextlib.asynccontextmanager
async def served(**arguments: Any) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(**{"checks": {}, "metrics": Metrics(), **arguments})
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://bot") as client:
        yield client


class TestHealth:
    async def test_alive_whatever_else_is_wrong(self) -> None:
        async with served(checks={"store": answer("gone")}) as client:
            assert (await client.get("/healthz")).status_code == 200

    async def test_ready_when_every_check_is_well(self) -> None:
        async with served(checks={"store": answer(""), "slack": answer("")}) as client:
            response = await client.get("/readyz")
        assert response.status_code == 200
        assert response.json() == {"status": "ready", "problems": {}}

    async def test_not_ready_says_what_is_wrong(self) -> None:
        metrics = Metrics()
        checks = {
            "store": failure(StoreUnavailable("no answer")),
            "cluster prod": failure(ClusterUnavailable("refused")),
            "slack": answer("no connection is up"),
            "console": answer(""),
            "disk": failure(OSError()),
        }
        async with served(checks=checks, metrics=metrics) as client:
            response = await client.get("/readyz")
        assert response.status_code == 503
        assert response.json()["problems"] == {
            "store": "no answer",
            "cluster prod": "refused",
            "slack": "no connection is up",
            "disk": "OSError",
        }
        shown = metrics.render().decode()
        assert 'chatops_ready{what="store"} 0.0' in shown
        assert 'chatops_ready{what="console"} 1.0' in shown

    @pytest.mark.parametrize(
        ("query", "status", "problems", "excluded"),
        [
            ("", 503, {"cluster east", "cluster west"}, None),
            (
                "?exclude=clusters",
                200,
                set(),
                {"cluster east": "refused", "cluster west": "gone", "cluster north": "ok"},
            ),
            ("?exclude=cluster%20east", 503, {"cluster west"}, {"cluster east": "refused"}),
            (
                "?exclude=cluster+east&exclude=cluster+west",
                200,
                set(),
                {"cluster east": "refused", "cluster west": "gone"},
            ),
            ("?exclude=store", 503, {"cluster east", "cluster west"}, {"store": "ok"}),
        ],
    )
    async def test_what_is_excluded_is_shown_and_does_not_count(
        self, query: str, status: int, problems: set[str], excluded: dict[str, str] | None
    ) -> None:
        checks = {
            "store": answer(""),
            "cluster east": failure(ClusterUnavailable("refused")),
            "cluster west": answer("gone"),
            "cluster north": answer(""),
            "clusterish": answer(""),
        }
        metrics = Metrics()
        async with served(checks=checks, metrics=metrics) as client:
            response = await client.get(f"/readyz{query}")
        body = response.json()
        assert response.status_code == status
        assert body["status"] == ("ready" if status == 200 else "not ready")
        assert body["problems"].keys() == problems
        assert body.get("excluded") == excluded
        assert "warning" not in body
        assert 'chatops_ready{what="cluster east"} 0.0' in metrics.render().decode()

    async def test_what_counts_is_not_excluded_with_the_clusters(self) -> None:
        async with served(checks={"store": answer("down"), "cluster east": answer("gone")}) as client:
            response = await client.get("/readyz?exclude=clusters")
        assert response.status_code == 503
        assert response.json() == {
            "status": "not ready",
            "problems": {"store": "down"},
            "excluded": {"cluster east": "gone"},
        }

    async def test_a_check_that_joins_meanwhile_waits_for_its_turn(self) -> None:
        async def joining() -> str:
            checks["cluster east"] = answer("gone")
            return ""

        checks: dict[str, Callable[[], Awaitable[str]]] = {"store": joining}
        async with served(checks=checks) as client:
            assert (await client.get("/readyz")).json() == {"status": "ready", "problems": {}}
            assert (await client.get("/readyz")).json()["problems"] == {"cluster east": "gone"}

    async def test_a_name_that_fits_no_check_is_a_warning(self) -> None:
        async with served(checks={"store": answer("")}) as client:
            unknown = await client.get("/readyz?exclude=stoer&exclude=&exclude=store")
            early = await client.get("/readyz?exclude=clusters")
        assert unknown.status_code == 200
        assert unknown.json()["excluded"] == {"store": "ok"}
        assert unknown.json()["warning"] == "some checks cannot be excluded: no matches for '', 'stoer'"
        assert early.json() == {"status": "ready", "problems": {}, "excluded": {}}

    async def test_a_check_that_hangs_is_given_up_and_holds_up_no_other(self) -> None:
        checks: Mapping[str, Callable[[], Awaitable[str]]] = {"store": hang, "slack": answer("down")}
        assert await readiness(checks, within_s=0.01) == {"store": "no answer within 0.01 s", "slack": "down"}


class TestMetrics:
    async def test_what_platforms_are_answered_is_counted_by_its_status(self) -> None:
        async def events(request: Request) -> Response:
            return PlainTextResponse("", status_code=int(request.query_params["status"]))

        metrics = Metrics()
        async with served(routes=[Route("/feishu/events", events, methods=["POST"])], metrics=metrics) as client:
            for status in (401, 401, 200):
                assert (await client.post(f"/feishu/events?status={status}")).status_code == status
            shown = (await client.get("/metrics")).text
        assert 'chatops_deliveries_total{path="/feishu/events",status="401"} 2.0' in shown
        assert 'chatops_deliveries_total{path="/feishu/events",status="200"} 1.0' in shown
        assert "/metrics" not in shown

    async def test_levels_are_brought_up_to_date_before_they_are_shown(self) -> None:
        metrics = Metrics()

        async def gauges() -> None:
            metrics.level("queue_depth", 7, queue="mailbox")

        async with served(metrics=metrics, gauges=gauges) as client:
            response = await client.get("/metrics")
        assert response.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert 'chatops_queue_depth{queue="mailbox"} 7.0' in response.text


class TestRoutes:
    async def test_platforms_bring_their_own(self) -> None:
        async def events(_request: object) -> PlainTextResponse:
            return PlainTextResponse("taken")

        async with served(routes=[Route("/slack/events", events, methods=["POST"])]) as client:
            assert (await client.post("/slack/events")).text == "taken"

    async def test_there_are_no_alerts_where_they_are_off(self) -> None:
        async with served() as client:
            assert (await client.post("/alerts")).status_code == 404


class Inbox:
    """Receives events, or refuses them."""

    def __init__(self, *, full: bool = False) -> None:
        self.full = full
        self.taken: list[AlertGroup] = []

    async def receive(self, group: AlertGroup) -> None:
        if self.full:
            raise NotAccepted
        self.taken.append(group)


TOKEN = {"authorization": "Bearer s3cret"}


def settings(**changes: Any) -> AlertSettings:
    return AlertSettings(
        **{"enabled": True, "room": "C1", "token": SecretStr("s3cret"), "max_bytes": 100_000, **changes}
    )


@contextlib.asynccontextmanager
async def door(
    inbox: Inbox,
    chosen: AlertSettings | None = None,
    *,
    rooms: Mapping[str, Room] = ROOMS,
    metrics: Metrics | None = None,
    read_within_s: float = 10,
) -> AsyncIterator[httpx.AsyncClient]:
    meter = metrics or Metrics()
    alert_door = AlertDoor(
        chosen or settings(),
        receive=inbox.receive,
        room=rooms.get,
        services=lambda: [PAYMENT, REFUNDS],
        clusters=("east",),
        meter=meter,
        now=lambda: 0.0,
        read_within_s=read_within_s,
    )
    async with served(alert_door=alert_door, metrics=meter) as client:
        yield client


def basic(user: str, password: str) -> dict[str, str]:
    return {"authorization": f"Basic {base64.b64encode(f'{user}:{password}'.encode()).decode()}"}


class TestAlertDoor:
    async def test_a_delivery_becomes_an_event_in_its_room(self) -> None:
        inbox, metrics = Inbox(), Metrics()
        async with door(inbox, metrics=metrics) as client:
            response = await client.post("/alerts", content=raw(), headers=TOKEN)
        assert response.status_code == 200
        assert response.json() == {"id": inbox.taken[0].id}
        assert inbox.taken[0].room == ROOMS["C1"]
        assert inbox.taken[0].service == PAYMENT.entity.key
        assert 'chatops_alerts_total{result="taken"} 1.0' in metrics.render().decode()

    async def test_a_route_by_the_owner_of_the_service(self) -> None:
        inbox = Inbox()
        async with door(inbox, settings(routes=[AlertRoute(owners=("team-pay",), room="C2")])) as client:
            await client.post("/alerts", content=raw(), headers=TOKEN)
            await client.post("/alerts", content=raw(alert(labels={"alertname": "Other"})), headers=TOKEN)
        assert [group.room.channel for group in inbox.taken if not group.elsewhere] == ["C2", "C1"]

    async def test_a_route_by_what_the_owners_of_several_services_have_in_common(self) -> None:
        inbox = Inbox()
        other = alert(labels={**LABELS, "service": "refunds"}, fingerprint="2")
        async with door(inbox, settings(routes=[AlertRoute(owners=("team-pay",), room="C2")])) as client:
            await client.post("/alerts", content=raw(alert(), other), headers=TOKEN)
        assert inbox.taken[0].room.channel == "C2"
        assert inbox.taken[0].service == ""

    async def test_the_other_rooms_are_told_that_the_group_goes_on_elsewhere(self) -> None:
        inbox = Inbox()
        routes = [AlertRoute(severities=("critical",), room="C2"), AlertRoute(owners=("x",), room="C2")]
        async with door(inbox, settings(routes=routes)) as client:
            await client.post("/alerts", content=raw(), headers=TOKEN)
        assert [(group.room.channel, group.elsewhere) for group in inbox.taken] == [("C2", False), ("C1", True)]
        assert inbox.taken[0].id == inbox.taken[1].id

    async def test_a_room_that_is_not_connected_is_told_nothing_and_holds_up_no_other(self) -> None:
        inbox = Inbox()
        routes = [AlertRoute(severities=("info",), room="C9")]
        async with door(inbox, settings(routes=routes)) as client:
            response = await client.post("/alerts", content=raw(), headers=TOKEN)
        assert response.status_code == 200
        assert [group.room.channel for group in inbox.taken] == ["C1"]

    @pytest.mark.parametrize(
        ("changes", "body"),
        [
            ({}, raw(alert(labels={"alertname": "Watchdog", "severity": "none"}))),
            ({"receivers": ("chatops",)}, raw(receiver="pager")),
            ({"receivers": ("chatops",)}, raw(receiver=None)),
            ({"ignore": ({"alertname": "HighErrorRate"},)}, raw()),
        ],
    )
    async def test_what_is_not_wanted_is_taken_and_goes_no_further(self, changes: Any, body: bytes) -> None:
        inbox, metrics = Inbox(), Metrics()
        async with door(inbox, settings(**changes), metrics=metrics) as client:
            response = await client.post("/alerts", content=body, headers=TOKEN)
        assert (response.status_code, response.json()) == (200, {"ignored": True})
        assert not inbox.taken
        assert 'chatops_alerts_total{result="ignored"} 1.0' in metrics.render().decode()

    async def test_what_was_ignored_by_default_may_be_wanted(self) -> None:
        inbox = Inbox()
        async with door(inbox, settings(ignore=(), receivers=("pager", "chatops"))) as client:
            await client.post("/alerts", content=raw(alert(labels={"alertname": "Watchdog"})), headers=TOKEN)
        assert len(inbox.taken) == 1

    @pytest.mark.parametrize(
        "headers",
        [
            {},
            {"authorization": ""},
            {"authorization": "Bearer"},
            {"authorization": "Bearer wrong"},
            {"authorization": "Bearer s3cret2"},
            {"authorization": "bearer"},
            {"authorization": "s3cret"},
            {"authorization": "Basic !!!"},
            {"authorization": "Basic s3cret"},
            basic("am", "s3cret"),
            basic("", ""),
        ],
    )
    async def test_without_the_token_nothing_is_even_read(self, headers: dict[str, str]) -> None:
        inbox = Inbox()
        async with door(inbox) as client:
            response = await client.post("/alerts", content=b"{", headers=headers)
        assert response.status_code == 401
        assert response.headers["www-authenticate"]
        assert not inbox.taken

    @pytest.mark.parametrize(
        ("user", "password", "status"),
        [
            ("am", "pässword", 200),
            ("am", "wrong", 401),
            ("other", "pässword", 401),
            ("", "pässword", 401),
            ("am", "", 401),
        ],
    )
    async def test_basic_authentication(self, user: str, password: str, status: int) -> None:
        chosen = settings(token=None, username="am", password=SecretStr("pässword"))
        async with door(Inbox(), chosen) as client:
            assert (await client.post("/alerts", content=raw(), headers=basic(user, password))).status_code == status
            assert (await client.post("/alerts", content=raw(), headers=TOKEN)).status_code == 401

    @pytest.mark.parametrize("value", ["!!!", "YW0", "/w==", ""])
    async def test_basic_authentication_that_is_none(self, value: str) -> None:
        chosen = settings(token=None, username="am", password=SecretStr("pässword"))
        async with door(Inbox(), chosen) as client:
            response = await client.post("/alerts", content=raw(), headers={"authorization": f"Basic {value}"})
        assert response.status_code == 401

    async def test_what_alertmanager_left_out_does_not_stop_the_rest(self) -> None:
        inbox = Inbox()
        async with door(inbox) as client:
            response = await client.post("/alerts", content=raw(truncatedAlerts=12), headers=TOKEN)
        assert response.status_code == 200
        assert len(inbox.taken) == 1

    async def test_anybody_is_let_in_only_where_that_is_set(self) -> None:
        async with door(Inbox(), settings(token=None, unauthenticated=True)) as client:
            assert (await client.post("/alerts", content=raw())).status_code == 200

    async def test_a_wrong_token_is_refused_even_where_anybody_is_let_in(self) -> None:
        async with door(Inbox(), settings(unauthenticated=True)) as client:
            assert (
                await client.post("/alerts", content=raw(), headers={"authorization": "Bearer x"})
            ).status_code == 401

    async def test_a_body_that_is_no_delivery_is_answered_with_the_reason(self) -> None:
        inbox, metrics = Inbox(), Metrics()
        async with door(inbox, metrics=metrics) as client:
            response = await client.post("/alerts", content=raw()[:50], headers=TOKEN)
        assert response.status_code == 400
        assert response.json() == {"error": "the body is not complete JSON"}
        assert not inbox.taken
        assert 'chatops_alerts_total{result="400"} 1.0' in metrics.render().decode()

    async def test_a_body_beyond_the_limit_is_refused(self) -> None:
        inbox = Inbox()
        async with door(inbox, settings(max_bytes=1_024)) as client:
            response = await client.post("/alerts", content=b" " * 1_025, headers=TOKEN)
        assert response.status_code == 413
        assert not inbox.taken

    async def test_a_body_that_never_ends_is_given_up(self) -> None:
        async def slow() -> AsyncIterator[bytes]:
            yield b"{"
            await asyncio.Event().wait()

        async with door(Inbox(), read_within_s=0.01) as client:
            assert (await client.post("/alerts", content=slow(), headers=TOKEN)).status_code == 408

    async def test_what_could_not_be_stored_is_delivered_again(self) -> None:
        async with door(Inbox(full=True)) as client:
            response = await client.post("/alerts", content=raw(), headers=TOKEN)
        assert response.status_code == 503
        assert response.headers["retry-after"]

    async def test_a_room_whose_platform_is_not_connected_yet_makes_it_wait(self) -> None:
        async with door(Inbox(), rooms={}) as client:
            assert (await client.post("/alerts", content=raw(), headers=TOKEN)).status_code == 503

    async def test_only_posts_are_taken(self) -> None:
        async with door(Inbox()) as client:
            assert (await client.get("/alerts", headers=TOKEN)).status_code == 405

    async def test_identical_deliveries_are_the_same_event(self) -> None:
        inbox = Inbox()
        async with door(inbox) as client:
            for sender in ("http://am-0", "http://am-1"):
                await client.post("/alerts", content=raw(externalURL=sender), headers=TOKEN)
        assert inbox.taken[0].id == inbox.taken[1].id
