"""The fake's open API and its long connections, on one port of the loopback."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from chatops_bot.adapters.feishu.fake.api import METHODS, Handler
from chatops_bot.adapters.feishu.fake.faults import CallFaults
from chatops_bot.adapters.feishu.fake.sockets import Sockets
from chatops_bot.adapters.feishu.fake.world import TOKEN_S, ApiError, App, World
from chatops_bot.ports.wire import Fault

Json = dict[str, Any]


class Server:
    """HTTP and WebSocket. Every answer has `code` and `msg`, errors with status 400, as Feishu's gateway does it."""

    def __init__(self, world: World, faults: CallFaults) -> None:
        self._world = world
        self._faults = faults
        self._tokens: dict[str, tuple[str, float]] = {}
        self.sockets = Sockets()
        self.url = ""
        self._runner: web.AppRunner | None = None

    async def start(self) -> None:
        """Open a free port; `url` is set then."""
        app = web.Application(client_max_size=32 * 1024 * 1024)
        for verb, path, method, handler in METHODS:
            app.router.add_route(verb, path, self._guarded(method, handler))
        app.router.add_post("/open-apis/auth/v3/tenant_access_token/internal", self._open("auth", self._auth))
        app.router.add_post("/callback/ws/endpoint", self._open("ws.endpoint", self._endpoint))
        app.router.add_get("/ws", self.sockets.accept)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        """Close everything, calls that hang included."""
        self._faults.released.set()
        await self.sockets.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    def expire_tokens(self) -> None:
        """All access tokens are void from now on."""
        self._tokens.clear()

    def _open(self, method: str, handler: Callable[[web.Request], Awaitable[Json]]) -> Any:
        async def answer(request: web.Request) -> web.StreamResponse:
            return await self._faulty(method, request, lambda: handler(request), bare=True)

        return answer

    def _guarded(self, method: str, handler: Handler) -> Any:
        async def answer(request: web.Request) -> web.StreamResponse:
            return await self._faulty(
                method, request, lambda: handler(self._world, request, self._caller(request)), bare=False
            )

        return answer

    async def _faulty(
        self, method: str, request: web.Request, work: Callable[[], Awaitable[Json]], *, bare: bool
    ) -> web.StreamResponse:
        fault = self._faults.count(method)
        if fault is not None and fault.kind == "answer":
            return _failed(fault)
        if fault is not None and fault.kind == "hang":
            await self._faults.released.wait()
        if fault is not None and fault.kind == "reset_before":
            return _broken(request)
        try:
            done = await work()
        except ApiError as error:
            return web.json_response({"code": error.code, "msg": error.words}, status=error.status)
        if fault is not None and fault.kind == "reset_after":
            return _broken(request)
        return web.json_response({"code": 0, "msg": "success", **(done if bare else {"data": done})})

    def _caller(self, request: web.Request) -> App:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        app_id, until = self._tokens.get(token, ("", 0.0))
        app = self._world.apps.get(app_id)
        if app is None or self._world.clock.now() >= until:
            raise ApiError(
                99991663, "Invalid access token for authorization. Please make a request with token attached."
            )
        if not app.installed:
            raise ApiError(99991662, "app is not in use")
        return app

    async def _auth(self, request: web.Request) -> Json:
        body = await request.json()
        app = self._world.apps.get(body.get("app_id", ""))
        if app is None:
            raise ApiError(10003, "invalid param", status=200)
        if body.get("app_secret") != app.app_secret:
            raise ApiError(10014, "app secret invalid", status=200)
        token = f"t-{self._world.number()}"
        self._tokens[token] = (app.app_id, self._world.clock.now() + TOKEN_S)
        return {"tenant_access_token": token, "expire": TOKEN_S}

    async def _endpoint(self, request: web.Request) -> Json:
        body = await request.json()
        app = self._world.apps.get(body.get("AppID", ""))
        if app is None or body.get("AppSecret") != app.app_secret:
            raise ApiError(1000040345, "app_id or app_secret is invalid", status=200)
        host = self.url.removeprefix("http://")
        address = f"ws://{host}/ws?device_id={self._world.number()}&service_id=1&ticket={app.app_id}"
        config = {
            "ReconnectCount": -1,
            "ReconnectInterval": 120,
            "ReconnectNonce": 30,
            "PingInterval": self.sockets.ping_s,
        }
        return {"data": {"URL": address, "ClientConfig": config}}


def _failed(fault: Fault) -> web.StreamResponse:
    headers = {"x-ogw-ratelimit-reset": f"{fault.retry_after_s:g}"} if fault.retry_after_s else {}
    if not fault.code:
        return web.Response(status=fault.status, text="bad gateway", headers=headers)
    return web.json_response({"code": int(fault.code), "msg": "planned"}, status=fault.status, headers=headers)


def _broken(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
