"""The console over HTTP: one page, its files, and the small interface that the page uses.

Nobody logs in: whoever reaches it may speak as anybody. It is made for one machine, or for a place whose
visitors may all do everything.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from chatops_bot.adapters.console.bodies import Click, Problem, Say, Stage, read_body
from chatops_bot.adapters.console.chat import ConsoleChat
from chatops_bot.adapters.console.guard import LOOPBACK_HOSTS, Guard
from chatops_bot.adapters.console.pane import Pane
from chatops_bot.adapters.console.stream import HEARTBEAT_S, Stream
from chatops_bot.ports.chat import NotAccepted

STATIC = Path(__file__).parent / "static"


def web_console(
    chat: ConsoleChat,
    *,
    rooms: Sequence[str] = ("ops",),
    people: Sequence[str] = ("alice", "bob", "carol"),
    closed: bool = False,
    pane: Pane | None = None,
    hosts: Collection[str] = LOOPBACK_HOSTS,
    heartbeat_s: float = HEARTBEAT_S,
) -> Starlette:
    """The sub-application; it may be mounted at any path.

    `rooms` are those that people may enter, the first one by default; `people` the names offered (any other
    may be typed, unless the console is `closed` to them); `hosts` the names, without port, under which the console
    is reached.
    """
    endpoints = _Endpoints(chat, rooms=tuple(rooms), people=tuple(people), closed=closed, pane=pane)
    stream = Stream(feed=chat.feed, epoch=chat.epoch, pane=pane, heartbeat_s=heartbeat_s)
    return Starlette(
        routes=[
            Route("/", endpoints.page),
            Mount("/static", StaticFiles(directory=STATIC)),
            Route("/api/room", endpoints.room),
            Route("/api/room/{room}", endpoints.room),
            Route("/api/stream", stream, methods=["GET"]),
            Route("/api/say", endpoints.say, methods=["POST"]),
            Route("/api/click", endpoints.click, methods=["POST"]),
            Route("/api/cluster", endpoints.cluster),
            Route("/api/stage", endpoints.stage, methods=["POST"]),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        exception_handlers={HTTPException: _answer_problem, NotAccepted: _answer_not_accepted},
    )


class _Endpoints:
    """The handlers, with what they need."""

    def __init__(
        self, chat: ConsoleChat, *, rooms: tuple[str, ...], people: tuple[str, ...], closed: bool, pane: Pane | None
    ) -> None:
        self._chat = chat
        self._rooms = rooms
        self._people = people
        self._closed = closed
        self._pane = pane

    async def page(self, request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def room(self, request: Request) -> Response:
        """All that a room shows (without a name, the first room), and the number of the last change in it."""
        room = self._known_room(request.path_params.get("room", self._rooms[0]))
        return _json(
            {
                "epoch": self._chat.epoch,
                "sequence": self._chat.feed.sequence,
                "room": room,
                "rooms": self._rooms,
                "people": self._people,
                "bot": self._chat.bot,
                "pane": self._pane is not None,
                "entries": self._chat.log.entries(room),
            }
        )

    async def say(self, request: Request) -> Response:
        body = await read_body(request, Say)
        receipt = await self._chat.say(
            event_id=f"said:{body.nonce}" if body.nonce else None,
            room=self._known_room(body.room),
            user=self._person(body.user),
            text=body.text.strip(),
            reply_to=body.reply_to,
        )
        return _json(receipt)

    async def click(self, request: Request) -> Response:
        body = await read_body(request, Click)
        receipt = await self._chat.click(
            event_id=f"click:{body.nonce}" if body.nonce else None,
            room=self._known_room(body.room),
            user=self._person(body.user),
            card=body.card,
            button=body.button,
            token=body.token,
            value=body.value,
        )
        return _json(receipt)

    async def cluster(self, request: Request) -> Response:
        return _json(self._known_pane().snapshot())

    async def stage(self, request: Request) -> Response:
        pane = self._known_pane()
        body = await read_body(request, Stage)
        try:
            pane.stage(body.namespace, body.name, body.trouble)
        except LookupError as error:
            raise Problem(404, "unknown_workload", str(error)) from error
        return _json({})

    def _known_room(self, name: str) -> str:
        if name not in self._rooms:
            raise Problem(404, "unknown_room", f"there is no room {name!r}")
        return name

    def _person(self, name: str) -> str:
        if name.lower() == self._chat.bot.lower():
            raise Problem(400, "invalid", "nobody may speak as the bot")
        if self._closed and name not in self._people:
            raise Problem(403, "unknown_person", f"nobody called {name!r} may use this console")
        return name

    def _known_pane(self) -> Pane:
        if self._pane is None:
            raise Problem(404, "no_pane", "there is no sandbox cluster here")
        return self._pane


def _json(data: object) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json", headers={"cache-control": "no-store"})


async def _answer_problem(request: Request, error: Exception) -> Response:
    if isinstance(error, Problem):
        return JSONResponse({"error": error.code, "detail": error.detail}, status_code=error.status_code)
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": "http", "detail": str(error)}, status_code=status)


async def _answer_not_accepted(request: Request, error: Exception) -> Response:
    """503: nothing was stored; the page offers to send the same again."""
    return JSONResponse({"error": "not_accepted", "detail": str(error)}, status_code=503)
