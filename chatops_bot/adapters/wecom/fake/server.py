"""The port that the bot calls: WeCom's server API, answer addresses, and the robot's long connection."""

from __future__ import annotations

import json
import ssl
from collections.abc import Callable

from aiohttp import WSMsgType, web

from chatops_bot.adapters.wecom.fake import rules
from chatops_bot.adapters.wecom.fake.corp import AGENT, CORP, Corp
from chatops_bot.adapters.wecom.fake.faults import WeComFaults
from chatops_bot.adapters.wecom.fake.limits import Rejected
from chatops_bot.ports.wire import Fault

Json = dict[str, object]

SECRET = "app-secret-1"  # noqa: S105  # of a corporation that does not exist
BOT_ID = "aib-1"
BOT_SECRET = "bot-secret-1"  # noqa: S105  # likewise
TOKEN_S = 7200


class Server:
    """`tls` makes it speak TLS, for a client that speaks nothing else. `deaf` leaves pings unanswered."""

    def __init__(self, corp: Corp, faults: WeComFaults, *, tls: ssl.SSLContext | None = None) -> None:
        self.corp = corp
        self.faults = faults
        self.deaf = False
        self.agent: Json = {"name": "ops", "close": 0, "allow_userinfos": {"user": [{"userid": "alice"}]}}
        self.live: web.WebSocketResponse | None = None
        self.frames: list[Json] = []
        self._tls = tls
        self._runner: web.AppRunner | None = None
        self._tokens: dict[str, float] = {}
        self._sockets: set[web.WebSocketResponse] = set()
        self.address = ""

    async def start(self) -> None:
        app = web.Application(client_max_size=10**7)
        app.router.add_route("*", "/cgi-bin/aibot/response", self._response)
        app.router.add_route("*", "/cgi-bin/{method:.+}", self._api)
        app.router.add_get("/", self._connect)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0, ssl_context=self._tls).start()
        self.address = f"127.0.0.1:{self._runner.addresses[0][1]}"

    async def stop(self) -> None:
        self.faults.released.set()
        self.drop()
        if self._runner is not None:
            await self._runner.cleanup()

    def drop(self) -> None:
        """End every connection without a word."""
        for socket in list(self._sockets):
            _cut(socket)
        self.live = None

    def expire_tokens(self) -> None:
        """No access token is good any more."""
        self._tokens = dict.fromkeys(self._tokens, 0.0)

    async def push(self, cmd: str, request: str, body: Json) -> bool:
        """A callback over the connection; False when there is none."""
        socket = self.live
        if socket is None or socket.closed:
            return False
        await socket.send_json({"cmd": cmd, "headers": {"req_id": request}, "body": body})
        return True

    async def _api(self, request: web.Request) -> web.StreamResponse:
        method = request.match_info["method"]
        raw = await request.read()
        body = json.loads(raw) if raw else {}
        return await self._faulty(request, method, lambda: self._called(method, request, body))

    async def _response(self, request: web.Request) -> web.StreamResponse:
        body = await request.json()
        callback = self.corp.callbacks.get(request.query.get("response_code", ""))
        return await self._faulty(request, "response_url", lambda: rules.robot_url(self.corp, callback, body))

    async def _faulty(self, request: web.Request, method: str, work: Callable[[], Json]) -> web.StreamResponse:
        fault = self.faults.next(method)
        if fault is not None and fault.kind == "answer":
            return _failed(fault)
        if fault is not None and fault.kind == "hang":
            await self.faults.released.wait()
        if fault is not None and fault.kind == "reset_before":
            return _reset(request)
        try:
            answer = {"errcode": 0, "errmsg": "ok", **work()}
        except Rejected as problem:
            answer = {"errcode": problem.code, "errmsg": f"{problem.said}, hint: [1], from ip: 192.0.2.1"}
        if fault is not None and fault.kind == "reset_after":
            return _reset(request)
        return web.json_response(answer)

    def _called(self, method: str, request: web.Request, body: Json) -> Json:
        if method == "gettoken":
            return self._new_token(request)
        good_until = self._tokens.get(request.query.get("access_token", ""))
        if good_until is None:
            raise Rejected(40014, "invalid access_token")
        if self.corp.clock.monotonic() >= good_until:
            raise Rejected(42001, "access_token expired")
        if method == "message/send":
            return rules.app_send(self.corp, body, agent_id=AGENT)
        if method == "message/update_template_card":
            return rules.app_update(self.corp, body, agent_id=AGENT)
        if method == "user/get":
            return rules.person(self.corp, request.query.get("userid", ""))
        if method == "agent/get":
            if request.query.get("agentid") != str(AGENT):
                raise Rejected(40056, "invalid agentid")
            return self.agent
        raise Rejected(40066, "invalid url")

    def _new_token(self, request: web.Request) -> Json:
        if request.query.get("corpid") != CORP:
            raise Rejected(40013, "invalid corpid")
        if request.query.get("corpsecret") != SECRET:
            raise Rejected(40001, "invalid credential")
        token = f"token-{next(self.corp.numbers)}"
        self._tokens[token] = self.corp.clock.monotonic() + TOKEN_S
        return {"access_token": token, "expires_in": TOKEN_S}

    async def _connect(self, request: web.Request) -> web.StreamResponse:
        fault = self.faults.next("connect")
        if fault is not None and fault.kind == "hang":
            await self.faults.released.wait()
        if fault is not None:
            return _failed(fault) if fault.kind == "answer" else _reset(request)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._sockets.add(socket)
        try:
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._frame(socket, json.loads(message.data))
        except ConnectionError:
            pass
        finally:
            self._sockets.discard(socket)
            if self.live is socket:
                self.live = None
        return socket

    async def _frame(self, socket: web.WebSocketResponse, frame: Json) -> None:
        self.frames.append(frame)
        cmd = str(frame.get("cmd"))
        headers = frame.get("headers")
        request = str(headers.get("req_id", "")) if isinstance(headers, dict) else ""
        body = frame.get("body")
        body = body if isinstance(body, dict) else {}
        fault = self.faults.next(cmd)
        if cmd == "ping" and self.deaf:
            return
        if fault is not None and fault.kind != "reset_after":
            if fault.kind == "reset_before":
                _cut(socket)
            elif fault.kind == "answer":
                code = int(fault.code or -1)
                await socket.send_json({"headers": {"req_id": request}, "errcode": code, "errmsg": "failed"})
            return
        try:
            await self._obey(socket, cmd, request, body)
            answer: Json = {"errcode": 0, "errmsg": "ok"}
        except Rejected as problem:
            answer = {"errcode": problem.code, "errmsg": problem.said}
        if fault is not None:
            _cut(socket)
            return
        await socket.send_json({"headers": {"req_id": request}, **answer})

    async def _obey(self, socket: web.WebSocketResponse, cmd: str, request: str, body: Json) -> None:
        if cmd == "aibot_subscribe":
            if (body.get("bot_id"), body.get("secret")) != (BOT_ID, BOT_SECRET):
                raise Rejected(40001, "invalid secret")
            await self._replace(socket)
            return
        if socket is not self.live:
            raise Rejected(846609, "aibot websocket not subscribed")
        if cmd == "aibot_send_msg":
            rules.robot_send(self.corp, body, name=request.removesuffix(".text"))
        elif cmd == "aibot_respond_msg":
            rules.robot_answer(self.corp, self.corp.callbacks.get(request), body)
        elif cmd == "aibot_respond_update_msg":
            rules.robot_update(self.corp, self.corp.callbacks.get(request), body)
        elif cmd != "ping":
            raise Rejected(40008, f"unknown cmd {cmd}")

    async def _replace(self, socket: web.WebSocketResponse) -> None:
        """One connection a robot: the older one is told, and closed."""
        older, self.live = self.live, socket
        if older is not None and older is not socket and not older.closed:
            event = {
                "msgtype": "event",
                "msgid": "gone",
                "aibotid": BOT_ID,
                "event": {"eventtype": "disconnected_event"},
            }
            await older.send_json({"cmd": "aibot_event_callback", "headers": {"req_id": "gone"}, "body": event})
            await older.close()


def _failed(fault: Fault) -> web.Response:
    if fault.code:
        return web.json_response({"errcode": int(fault.code), "errmsg": "failed"}, status=200)
    return web.Response(status=fault.status, text="<html>no WeCom here</html>", content_type="text/html")


def _reset(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=500)


def _cut(socket: web.WebSocketResponse) -> None:
    transport = socket._req.transport if socket._req else None
    if transport is not None:
        transport.abort()
