"""`POST /alerts`: who may knock, how much is read, and what is answered."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hmac
from collections.abc import Awaitable, Callable, Sequence

import msgspec
import structlog
from pydantic import SecretStr
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response

from chatops_bot.app import alerts
from chatops_bot.app.settings import AlertSettings
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.ports.asgi import body_within
from chatops_bot.ports.chat import NotAccepted
from chatops_bot.ports.meter import Meter

READ_WITHIN_S = 10.0
"""Alertmanager itself gives up after some ten seconds; a slower body is no Alertmanager's."""

log = structlog.get_logger(__name__)


class AlertDoor:
    """Takes deliveries, checks who sends them, and hands them over as events.

    - `receive` stores an event; `NotAccepted` makes Alertmanager deliver it again.
    - `room` gives the room of an id, None while its platform is not connected yet.
    - `services` are those known now, `clusters` the names of the configured clusters. `now` is the time in s.
    """

    def __init__(
        self,
        settings: AlertSettings,
        *,
        receive: Callable[[AlertGroup], Awaitable[object]],
        room: Callable[[str], Room | None],
        services: Callable[[], Sequence[Service]],
        clusters: Sequence[str],
        meter: Meter,
        now: Callable[[], float],
        read_within_s: float = READ_WITHIN_S,
    ) -> None:
        self._settings = settings
        self._receive = receive
        self._room = room
        self._services = services
        self._clusters = clusters
        self._meter = meter
        self._now = now
        self._read_within_s = read_within_s

    async def __call__(self, request: Request) -> Response:
        """Answer one request: 200 taken or not wanted, 400, 401, 413 with a reason, 503 to be delivered again."""
        if not self._authorised(request.headers.get("authorization", "")):
            return self._refuse(401, "a token or a user name with password is needed; see the setting `alerts`")
        body = await self._body(request)
        if isinstance(body, Response):
            return body
        try:
            group = self._group(body)
        except alerts.AlertBodyError as error:
            return self._refuse(400, str(error))
        except LookupError:
            return self._refuse(503, "the platform of the room is not connected yet")
        if group is None:
            self._meter.count("alerts", result="ignored")
            return JSONResponse({"ignored": True})
        with structlog.contextvars.bound_contextvars(event_id=group.id):
            return await self._hand_over(group)

    async def _hand_over(self, group: AlertGroup) -> Response:
        try:
            for each in (group, *self._elsewhere(group)):
                await self._receive(each)
        except NotAccepted:
            return self._refuse(503, "the event could not be stored; deliver it again")
        self._meter.count("alerts", result="taken")
        log.info("alerts taken", group=group.group, alerts=len(group.alerts), service=group.service)
        return JSONResponse({"id": group.id})

    def _group(self, body: bytes) -> AlertGroup | None:
        """None for what is not to be shown here."""
        delivery = alerts.parse(body)
        if self._settings.receivers and delivery.receiver not in self._settings.receivers:
            return None
        if delivery.truncatedAlerts:
            log.warning("alertmanager left alerts out of a delivery", left_out=delivery.truncatedAlerts)
        shown = alerts.without(delivery, self._settings.ignore)
        if shown is None:
            return None
        return alerts.to_group(
            shown, services=self._services(), clusters=self._clusters, room_for=self._room_for, at=self._now()
        )

    def _room_for(self, owners: frozenset[str], severities: frozenset[str]) -> Room:
        wanted = alerts.route(self._settings.routes, default=self._settings.room, owners=owners, severities=severities)
        room = self._room(wanted)
        if room is None:
            raise LookupError(wanted)
        return room

    def _elsewhere(self, group: AlertGroup) -> list[AlertGroup]:
        """The same for each other room that a route can lead to: a card that the group has there, from when its alerts
        were others, is told that it goes on here."""
        wanted = dict.fromkeys((self._settings.room, *(route.room for route in self._settings.routes)))
        rooms = [room for name in wanted if (room := self._room(name)) is not None and room != group.room]
        return [msgspec.structs.replace(group, room=room, elsewhere=True) for room in rooms]

    async def _body(self, request: Request) -> bytes | Response:
        """The whole body, never more of it in memory than is allowed."""
        limit = self._settings.max_bytes
        try:
            async with asyncio.timeout(self._read_within_s):
                body = await body_within(request, limit)
        except TimeoutError:
            return self._refuse(408, "the body did not arrive in time")
        except ClientDisconnect:
            return self._refuse(400, "the body ended early")
        return body if body is not None else self._refuse(413, f"the body is larger than {limit} bytes")

    def _authorised(self, header: str) -> bool:
        scheme, _, value = header.partition(" ")
        value = value.strip()
        if scheme.lower() == "bearer" and self._settings.token is not None:
            return _same(value, self._settings.token)
        if scheme.lower() == "basic" and self._settings.password is not None:
            return self._knows_password(value)
        return self._settings.unauthenticated

    def _knows_password(self, value: str) -> bool:
        try:
            user, colon, password = base64.b64decode(value, validate=True).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError, ValueError):
            return False
        # Both are compared, whatever the first says: the time taken tells nothing.
        right_user = _same(user, SecretStr(self._settings.username))
        return _same(password, self._settings.password or SecretStr("")) and right_user and bool(colon)

    def _refuse(self, status: int, reason: str) -> Response:
        self._meter.count("alerts", result=str(status))
        log.warning("alerts refused", status=status, reason=reason)
        headers = {401: {"WWW-Authenticate": 'Bearer, Basic realm="alerts"'}, 503: {"Retry-After": "5"}}.get(status)
        return JSONResponse({"error": reason}, status_code=status, headers=headers)


def _same(given: str, secret: SecretStr) -> bool:
    return hmac.compare_digest(given.encode(), secret.get_secret_value().encode())
