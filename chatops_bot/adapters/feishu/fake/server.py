"""The fake's open API and its long connections, on one port of the loopback."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from chatops_bot.adapters.feishu.fake.faults import CallFaults
from chatops_bot.adapters.feishu.fake.sockets import Sockets
from chatops_bot.adapters.feishu.fake.world import TOKEN_S, ApiError, App, Post, World
from chatops_bot.ports.wire import Fault

Json = dict[str, Any]
Handler = Callable[[web.Request, App], Awaitable[Json]]

_IMAGE_BYTES = 10 * 1024 * 1024


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
        messages = "/open-apis/im/v1/messages"
        routes: list[tuple[str, str, str, Handler]] = [
            ("GET", "/open-apis/bot/v3/info", "bot.info", self._bot),
            ("GET", "/open-apis/tenant/v2/tenant/query", "tenant.query", self._tenant),
            ("POST", messages, "messages.create", self._create),
            ("POST", messages + "/{message}/reply", "messages.reply", self._reply),
            ("PATCH", messages + "/{message}", "messages.patch", self._patch),
            ("POST", "/open-apis/ephemeral/v1/send", "ephemeral.send", self._ephemeral),
            ("POST", "/open-apis/im/v1/images", "images.create", self._image),
            ("GET", "/open-apis/contact/v3/users/{user}", "users.get", self._user),
            ("GET", "/open-apis/im/v1/chats", "chats.list", self._chats),
            ("GET", "/open-apis/im/v1/chats/{chat}", "chats.get", self._chat),
            ("GET", "/open-apis/application/v6/scopes", "scopes.list", self._scopes),
            ("GET", "/open-apis/application/v6/applications/{app}/app_versions", "versions.list", self._versions),
        ]
        for verb, path, method, handler in routes:
            app.router.add_route(verb, path, self._guarded(method, handler))
        app.router.add_post("/open-apis/auth/v3/tenant_access_token/internal", self._open("auth", self._auth))
        app.router.add_post("/callback/ws/endpoint", self._open("ws.endpoint", self._endpoint))
        app.router.add_get("/ws", self.sockets.accept)
        self._runner = web.AppRunner(app, access_log=None)
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
            return await self._faulty(method, request, lambda: handler(request, self._caller(request)), bare=False)

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

    async def _bot(self, request: web.Request, app: App) -> Json:
        if not app.bot:
            raise ApiError(11205, "app do not have bot", status=200)
        return {"bot": {"activate_status": 2, "app_name": app.name, "open_id": app.open_id, "ip_white_list": []}}

    async def _tenant(self, request: web.Request, app: App) -> Json:
        _need(app, "tenant:tenant:readonly")
        return {"tenant": {"name": "Example", "tenant_key": app.tenant}}

    async def _create(self, request: web.Request, app: App) -> Json:
        _need(app, "im:message:send_as_bot", code=230027)
        if request.query.get("receive_id_type") != "chat_id":
            raise ApiError(99992402, "field validation failed: receive_id_type")
        body = await _json(request)
        return self._sent(app, body, chat=str(body.get("receive_id", "")), answers="", size=await _size(request))

    async def _reply(self, request: web.Request, app: App) -> Json:
        _need(app, "im:message:send_as_bot", code=230027)
        body = await _json(request)
        answered = request.match_info["message"]
        chat = self._world.alive(answered).chat
        return self._sent(app, body, chat=chat, answers=answered, size=await _size(request))

    def _sent(self, app: App, body: Json, *, chat: str, answers: str, size: int) -> Json:
        post = self._world.send(
            app,
            chat=chat,
            kind=str(body.get("msg_type", "")),
            content=body.get("content"),
            once=str(body.get("uuid", "")),
            size=size,
            answers=answers,
            in_topic=body.get("reply_in_thread") is True,
        )
        return _described(post)

    async def _patch(self, request: web.Request, app: App) -> Json:
        _need(app, "im:message:send_as_bot", code=230027)
        body = await _json(request)
        content = body.get("content")
        self._world.change(app, request.match_info["message"], content=content, size=await _size(request))
        return {}

    async def _ephemeral(self, request: web.Request, app: App) -> Json:
        body = await _json(request)
        chat = self._world.chats.get(str(body.get("chat_id", "")))
        if chat is None or chat.kind != "group" or app.app_id not in chat.members:
            raise ApiError(18054, "chat does not support ephemeral messages")
        text = body["card"]["elements"][0]["text"]["content"]
        content = json.dumps({"text": text})
        number = self._world.number()
        post = Post(
            f"om_{number}", chat.id, app.app_id, "text", content, self._world.clock.now(), to=str(body["open_id"])
        )
        self._world.posts[post.id] = post
        return {"message_id": post.id}

    async def _image(self, request: web.Request, app: App) -> Json:
        form = await request.post()
        image = form.get("image")
        if form.get("image_type") != "message" or not isinstance(image, web.FileField):
            raise ApiError(234001, "Invalid request param.")
        content = image.file.read()
        if not 0 < len(content) <= _IMAGE_BYTES:
            raise ApiError(234006, "The file size exceed the max value.")
        key = f"img_v3_{self._world.number()}"
        self._world.images[key] = content
        return {"image_key": key}

    async def _user(self, request: web.Request, app: App) -> Json:
        _need(app, "contact:user.base:readonly")
        person = self._world.people.get(request.match_info["user"])
        if person is None or person.tenant != app.tenant:
            raise ApiError(41050, "no user authority error")
        status = {"is_frozen": person.gone, "is_resigned": False, "is_exited": False, "is_activated": True}
        return {"user": {"open_id": person.id, "name": person.name, "status": status}}

    async def _chats(self, request: web.Request, app: App) -> Json:
        items = [
            {"chat_id": chat.id, "name": chat.name} for chat in self._world.chats.values() if app.app_id in chat.members
        ]
        return {"items": items, "has_more": False, "page_token": ""}

    async def _chat(self, request: web.Request, app: App) -> Json:
        _need(app, "im:chat:readonly")
        chat = self._world.chats.get(request.match_info["chat"])
        if chat is None:
            raise ApiError(232006, "Your request specifies an invalid chat_id.")
        if app.app_id not in chat.members:
            raise ApiError(232011, "Operator can NOT be out of the chat.")
        state = "dissolved" if chat.dissolved else "normal"
        return {"name": chat.name, "chat_mode": "group", "external": chat.external, "chat_status": state}

    async def _scopes(self, request: web.Request, app: App) -> Json:
        return {"scopes": [{"scope_name": scope, "grant_status": 1} for scope in sorted(app.scopes)]}

    async def _versions(self, request: web.Request, app: App) -> Json:
        _need(app, "application:application.app_version:readonly")
        version = {"version": "1.0.0", "status": 1 if app.released else 4, "events": app.events}
        return {"items": [version], "has_more": False}


def _need(app: App, scope: str, *, code: int = 99991672) -> None:
    if scope not in app.scopes:
        raise ApiError(code, f"Access denied. One of the following scopes is required: [{scope}]")


def _described(post: Post) -> Json:
    data: Json = {
        "message_id": post.id,
        "chat_id": post.chat,
        "msg_type": post.kind,
        "create_time": str(int(post.at * 1000)),
    }
    for name, value in (("root_id", post.root), ("parent_id", post.parent), ("thread_id", post.topic)):
        if value:
            data[name] = value
    return data


async def _json(request: web.Request) -> Json:
    try:
        body = await request.json()
    except ValueError as error:
        raise ApiError(9499, "Bad Request") from error
    if not isinstance(body, dict):
        raise ApiError(9499, "Bad Request")
    return body


async def _size(request: web.Request) -> int:
    return len(await request.read())


def _failed(fault: Fault) -> web.StreamResponse:
    headers = {"x-ogw-ratelimit-reset": f"{fault.retry_after_s:g}"} if fault.retry_after_s else {}
    if not fault.code:
        return web.Response(status=fault.status, text="bad gateway", headers=headers)
    return web.json_response({"code": int(fault.code), "msg": "planned"}, status=fault.status, headers=headers)


def _broken(request: web.Request) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
