"""Slack's deliveries over HTTP: size, signature and form checked on the bytes as they came.

Signing as in Slack's "Verifying requests from Slack": HMAC-SHA256 over `v0:timestamp:raw body`, not older
than five minutes. Nothing in a body can switch it off.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Awaitable, Callable
from urllib.parse import parse_qsl

from slack_bolt.response import BoltResponse
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from chatops_bot.adapters.slack.front import Headers
from chatops_bot.ports.asgi import body_within
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

BODY_LIMIT = 1_048_576
AGE_S = 300
_KEPT_HEADERS = ("x-slack-retry-num", "x-slack-retry-reason")


class SlackEndpoint:
    """ASGI application for the one address that Slack delivers to (events, interactivity and commands)."""

    def __init__(
        self,
        *,
        signing_secret: str,
        clock: Clock,
        dispatch: Callable[[object, Headers], Awaitable[BoltResponse]],
    ) -> None:
        if not signing_secret.strip():
            raise ValueError("Slack over HTTP needs the app's signing secret")
        self._secret = signing_secret.encode()
        self._clock = clock
        self._dispatch = dispatch

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Anything but an HTTP POST is told so."""
        if scope["type"] != "http":
            raise RuntimeError(f"Slack delivers over HTTP, not {scope['type']}")
        try:
            response = await self._answer(Request(scope, receive), _headers(scope))
        except ClientDisconnect:
            log.info("Slack went away before its delivery was complete")
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request, headers: Headers) -> Response:
        if request.method != "POST":
            return _problem(405, "deliver with POST")
        raw = await body_within(request, BODY_LIMIT)
        if raw is None:
            return _problem(413, f"more than {BODY_LIMIT} bytes")
        if problem := self._signature_problem(headers, raw):
            log.warning("a delivery is refused: %s", problem)
            return _problem(401, problem)
        try:
            body = parse(raw, headers.get("content-type", ""))
        except ValueError as error:
            log.warning("a malformed delivery: %s", error)
            return _problem(400, f"malformed: {error}")
        kept = {name: headers[name] for name in _KEPT_HEADERS if name in headers}
        return _response(await self._dispatch(body, kept))

    def _signature_problem(self, headers: Headers, raw: bytes) -> str:
        stamp = headers.get("x-slack-request-timestamp", "")
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 20):
            return "no request timestamp"
        if abs(self._clock.now() - int(stamp)) > AGE_S:
            return "the request timestamp is more than five minutes off: check the clocks"
        wanted = hmac.new(self._secret, b"v0:" + stamp.encode() + b":" + raw, hashlib.sha256).hexdigest()
        given = headers.get("x-slack-signature", "")
        if not hmac.compare_digest(b"v0=" + wanted.encode(), given.encode()):
            return "the signature is wrong: check the signing secret"
        return ""


def parse(raw: bytes, content_type: str) -> object:
    """The object in a body: JSON, a form, or a form with JSON in its field `payload`. Raises `ValueError`."""
    text = raw.decode("utf-8")
    if content_type.split(";")[0].strip().lower() == "application/json" or text.lstrip().startswith("{"):
        return _json(text)
    form = dict(parse_qsl(text, keep_blank_values=True))
    return _json(form["payload"]) if "payload" in form else form


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _headers(scope: Scope) -> Headers:
    """By name in lower case, as ASGI servers give them; of one that came twice, the first."""
    return {name.decode("latin-1"): value.decode("latin-1") for name, value in reversed(scope["headers"])}


def _problem(status: int, what: str) -> Response:
    return JSONResponse({"error": what}, status_code=status, headers={"x-slack-no-retry": "1"})


def _response(answer: BoltResponse) -> Response:
    headers = {name: values[0] for name, values in answer.headers.items() if values}
    return Response(answer.body, status_code=answer.status, headers=headers)
