"""What platforms call, in front of a bot that is a process of its own: hands each request on to its port."""

from __future__ import annotations

import httpx
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send


class Forward:
    """An ASGI application. `path` is where the bot serves what is called here."""

    def __init__(self, http: httpx.AsyncClient, path: str) -> None:
        self._http = http
        self._path = path

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        given = {name: value for name, value in request.headers.items() if name != "content-length"}
        url = f"{self._path}?{request.url.query}" if request.url.query else self._path
        answer = await self._http.request(request.method, url, content=await request.body(), headers=given)
        await Response(answer.content, answer.status_code)(scope, receive, send)
