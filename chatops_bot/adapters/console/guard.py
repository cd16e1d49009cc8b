"""Keeps other web sites away from a console that has no log-in.

A page of another site can reach a server on the loopback interface in two ways: by sending requests across
sites, and by letting its own name point to the loopback address (DNS rebinding), which makes them look like
requests of the same site. The first is told by `Origin` and `Sec-Fetch-Site`, the second by `Host`.
"""

from __future__ import annotations

from collections.abc import Collection
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "[::1]"})

SAFE_METHODS = frozenset({"GET", "HEAD"})

# The page consists of its own files alone: nothing that a card says can load, run, frame or send anything.
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def host_name(netloc: str) -> str:
    """The host of `host:port`, lower case; brackets of an IPv6 address stay."""
    name, colon, port = netloc.rpartition(":")
    return (name if colon and port.isdigit() else netloc).lower()


class Guard:
    """ASGI middleware around the console. `hosts` are the names (without port) by which it may be called."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] = LOOPBACK_HOSTS) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded_send(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        reason = self._refused(scope["method"], scope["path"], Headers(scope=scope))
        if reason:
            answer = JSONResponse({"error": "forbidden", "detail": reason}, status_code=403)
            await answer(scope, receive, guarded_send)
        else:
            await self._app(scope, receive, guarded_send)

    def _refused(self, method: str, path: str, headers: Headers) -> str:
        """Why the request is refused, or ""."""
        host = headers.get("host", "")
        if host_name(host) not in self._hosts:
            return "the console is not served under this host name"
        if method in SAFE_METHODS and "/api/" not in path:
            return ""
        # "none" is a person who typed the address; browsers that do not send the header send Origin.
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            return "requests of other sites are refused"
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return "requests of other origins are refused"
        return ""
