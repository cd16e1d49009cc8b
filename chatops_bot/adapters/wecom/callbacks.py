"""WeCom's callbacks over HTTP: size, signature, age and form checked before anything is read.

One address for the application (XML in, an empty answer) and one for the robot (JSON in, an encrypted answer where
there is something to say). A `GET` is WeCom checking the address: it wants the decrypted text back, byte for byte.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Callable
from typing import Protocol

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from chatops_bot.adapters.wecom.crypto import CallbackCrypto, NotGenuineError
from chatops_bot.adapters.wecom.plain_xml import fields
from chatops_bot.ports.asgi import body_within
from chatops_bot.ports.chat import NotAccepted
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

BODY_LIMIT = 1_048_576
Json = dict[str, object]


class Form(Protocol):
    """How a body is written and answered."""

    def ciphertext(self, raw: bytes) -> str:
        """The encrypted part of a body. Raises `ValueError`."""

    def message(self, plain: bytes) -> object:
        """What was decrypted. Raises `ValueError`."""


class AppForm:
    """XML, as applications are called."""

    def ciphertext(self, raw: bytes) -> str:
        return _needed(fields(raw).get("Encrypt"))

    def message(self, plain: bytes) -> object:
        return fields(plain)


class RobotForm:
    """JSON, as robots are called."""

    def ciphertext(self, raw: bytes) -> str:
        body = _json(raw)
        return _needed(body.get("encrypt") if isinstance(body, dict) else None)

    def message(self, plain: bytes) -> object:
        return _json(plain)


class WeComEndpoint:
    """ASGI application for one callback address. `take` gets what was decrypted and returns what to answer, None for
    nothing; it raises `NotAccepted` when the platform shall deliver again, `ValueError` when it cannot be read."""

    def __init__(
        self,
        *,
        crypto: CallbackCrypto,
        form: Form,
        clock: Clock,
        random_bytes: Callable[[int], bytes],
        take: Callable[[object], Awaitable[Json | None]],
    ) -> None:
        self._crypto = crypto
        self._form = form
        self._clock = clock
        self._random_bytes = random_bytes
        self._take = take

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request. Anything but GET and POST is told so."""
        if scope["type"] != "http":
            raise RuntimeError(f"WeCom delivers over HTTP, not {scope['type']}")
        try:
            response = await self._answer(Request(scope, receive))
        except ClientDisconnect:
            log.info("WeCom went away before its delivery was complete")
            return
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> Response:
        try:
            if request.method == "GET":
                return PlainTextResponse(self._opened(request, request.query_params.get("echostr", "")))
            if request.method != "POST":
                return _problem(405, "deliver with POST")
            raw = await body_within(request, BODY_LIMIT)
            if raw is None:
                return _problem(413, f"more than {BODY_LIMIT} bytes")
            plain = self._opened(request, self._form.ciphertext(raw))
            reply = await self._take(self._form.message(plain))
        except NotGenuineError as error:
            log.warning("a delivery is refused: %s", error)
            return _problem(401, str(error))
        except NotAccepted as error:
            log.warning("not acknowledged, WeCom shall deliver it again: %s", error)
            return _problem(503, "not stored, deliver again")
        except ValueError as error:
            log.warning("a malformed delivery: %s", error)
            return _problem(400, "malformed")
        return Response(status_code=200) if reply is None else self._sealed(reply)

    def _opened(self, request: Request, encrypted: str) -> bytes:
        query = request.query_params
        return self._crypto.open(
            signature=query.get("msg_signature", ""),
            timestamp=query.get("timestamp", ""),
            nonce=query.get("nonce", ""),
            encrypted=encrypted,
        )

    def _sealed(self, reply: Json) -> Response:
        stamp, nonce = int(self._clock.now()), self._random_bytes(8).hex()
        plain = json.dumps(reply, ensure_ascii=False).encode()
        sealed = self._crypto.seal(plain, timestamp=str(stamp), nonce=nonce, salt=self._random_bytes(16))
        return JSONResponse(
            {"encrypt": sealed.encrypted, "msgsignature": sealed.signature, "timestamp": stamp, "nonce": nonce}
        )


def _needed(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("nothing encrypted in it")
    return value


def _json(raw: bytes) -> object:
    try:
        return json.loads(raw.decode("utf-8"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _problem(status: int, what: str) -> Response:
    return JSONResponse({"error": what}, status_code=status)
