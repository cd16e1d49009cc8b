"""Feishu's deliveries over HTTP: size, form, key, signature and age checked on the bytes as they came.

Rules are those of Feishu's pages on receiving events and on the Encrypt Key. The age check is the bot's own: Feishu
signs the time of a request, and leaves it to the receiver to make use of that.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from chatops_bot.adapters.feishu import crypto, inbound
from chatops_bot.adapters.feishu.front import Answer, Body
from chatops_bot.ports.asgi import body_within
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

BODY_LIMIT = 1_048_576
AGE_S = 300

Headers = Mapping[str, str]


class Door(Protocol):
    """One app, as the endpoint needs it."""

    @property
    def app_id(self) -> str: ...

    @property
    def encrypt_key(self) -> str: ...

    @property
    def verification_token(self) -> str: ...

    @property
    def dispatch(self) -> Callable[[Body], Awaitable[Answer]]: ...


class _Refused(Exception):
    """A delivery that is not Feishu's, or not for these apps."""

    def __init__(self, status: int, what: str) -> None:
        super().__init__(what)
        self.status = status
        self.what = what


class _Opened(NamedTuple):
    """A body in clear, and the app whose key opened it."""

    door: Door
    body: Body


class FeishuEndpoint:
    """ASGI application for the addresses that Feishu delivers events and callbacks to.

    Several apps may share it. A delivery is for the app whose key signed it; its header then has to say the same.
    """

    def __init__(self, doors: Sequence[Door], *, clock: Clock) -> None:
        if not doors:
            raise ValueError("Feishu's webhook needs an app")
        for door in doors:
            if not door.encrypt_key.strip() or not door.verification_token.strip():
                raise ValueError(f"Feishu's webhook needs Encrypt Key and Verification Token of {door.app_id}")
        self._doors = tuple(doors)
        self._clock = clock

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Anything but an HTTP POST is told so."""
        if scope["type"] != "http":
            raise RuntimeError(f"Feishu delivers over HTTP, not {scope['type']}")
        try:
            response = await self._answer(Request(scope, receive), _headers(scope))
        except ClientDisconnect:
            log.info("Feishu went away before its delivery was complete")
            return
        except _Refused as refused:
            log.warning("a delivery is refused: %s", refused.what)
            response = JSONResponse({"msg": refused.what}, status_code=refused.status)
        await response(scope, receive, send)

    async def _answer(self, request: Request, headers: Headers) -> Response:
        if request.method != "POST":
            raise _Refused(405, "deliver with POST")
        raw = await _body(request)
        outer = _object(raw)
        try:
            opened = self._open(outer, raw, headers)
        except _Refused:
            if (challenge := self._challenge(outer)) is None:
                raise
            return JSONResponse({"challenge": challenge})
        if opened.body.get("type") == "url_verification":
            return JSONResponse({"challenge": opened.body.get("challenge")})
        answer = await opened.door.dispatch(opened.body)
        return JSONResponse(answer.body, status_code=answer.status)

    def _challenge(self, outer: Body) -> str | None:
        """What Feishu asks when the address is entered in its console; such a request need not be signed. None for
        all other requests."""
        asked = False
        for door in self._doors:
            try:
                body = _clear(door, outer)
            except crypto.Undecipherable:
                continue
            if body.get("type") != "url_verification":
                continue
            challenge = body.get("challenge")
            if isinstance(challenge, str) and crypto.same(body.get("token"), door.verification_token):
                return challenge
            asked = True
        if asked:
            raise _Refused(401, "the verification token is wrong: check it under Encryption Strategy")
        return None

    def _open(self, outer: Body, raw: bytes, headers: Headers) -> _Opened:
        """The delivery in clear. Raises `_Refused`."""
        stamp = headers.get("x-lark-request-timestamp", "")
        nonce = headers.get("x-lark-request-nonce", "")
        given = headers.get("x-lark-signature", "")
        if not (stamp.isascii() and stamp.isdigit() and len(stamp) < 20):
            raise _Refused(401, "no request timestamp")
        if abs(self._clock.now() - int(stamp)) > AGE_S:
            raise _Refused(401, "the request timestamp is more than five minutes off: check the clocks")
        problem = _Refused(401, "the signature is wrong: check the Encrypt Key")
        for door in self._doors:
            if crypto.signed(door.encrypt_key, timestamp=stamp, nonce=nonce, raw=raw, signature=given):
                # Apps may have been given the same key, and then their tokens tell them apart.
                try:
                    return _Opened(door, _checked(door, outer))
                except _Refused as refused:
                    problem = refused
        for door in self._doors:
            if crypto.signed_as_old_card(
                door.verification_token, timestamp=stamp, nonce=nonce, raw=raw, signature=given
            ):
                body = _decrypted(door, outer)
                if not inbound.is_old_card(body):
                    raise _Refused(401, "the signature is that of an old card callback")
                return _Opened(door, body)
        raise problem


def _checked(door: Door, outer: Body) -> Body:
    """The body in clear, its token that of the app, which is also the one that it names. Raises `_Refused`."""
    body = _decrypted(door, outer)
    header = body.get("header")
    told = header if isinstance(header, Mapping) else body
    if not inbound.is_old_card(body) and not crypto.same(told.get("token"), door.verification_token):
        raise _Refused(401, "the verification token is wrong: check it under Encryption Strategy")
    if isinstance(header, Mapping) and header.get("app_id") not in (None, door.app_id):
        raise _Refused(403, "a delivery for another app")
    return body


def _decrypted(door: Door, outer: Body) -> Body:
    try:
        return _clear(door, outer)
    except crypto.Undecipherable as error:
        raise _Refused(401, str(error)) from error


def _clear(door: Door, outer: Body) -> Body:
    """The body in clear. Raises `crypto.Undecipherable`."""
    encrypted = outer.get("encrypt")
    if not isinstance(encrypted, str):
        return outer
    try:
        return _object(crypto.decrypt(door.encrypt_key, encrypted))
    except _Refused as refused:
        # With a wrong key a padding is right by chance now and then.
        raise crypto.Undecipherable("the body cannot be decrypted: check the Encrypt Key") from refused


def _object(raw: bytes) -> Body:
    try:
        found = json.loads(raw)
    except ValueError as error:  # UnicodeDecodeError is one
        raise _Refused(400, "malformed: the body is not JSON") from error
    except RecursionError as error:
        raise _Refused(400, "malformed: nested too deeply") from error
    if not isinstance(found, dict):
        raise _Refused(400, "malformed: the body is not an object")
    return found


def _headers(scope: Scope) -> Headers:
    """By name in lower case, whatever the server gives; of one that came twice, the first."""
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in reversed(scope["headers"])}


async def _body(request: Request) -> bytes:
    """Raises `_Refused` when there are too many bytes."""
    raw = await body_within(request, BODY_LIMIT)
    if raw is None:
        raise _Refused(413, f"more than {BODY_LIMIT} bytes")
    return raw
