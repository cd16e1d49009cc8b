"""The live side of the page: changes of all rooms and of the sandbox pane as Server-Sent Events.

One connection carries everything, because a browser opens at most six to one host. Every change of a room has
an id, `EPOCH-NUMBER`; a browser that reconnects sends the last one it saw and gets what it missed. When that
is not possible it gets `reset` and reads the state anew. Format: the HTML standard, section 9.2.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack

import msgspec
from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from chatops_bot.adapters.console.feed import Behind, Feed, FeedClosed, Listener
from chatops_bot.adapters.console.log import Entry
from chatops_bot.adapters.console.pane import Pane

HEARTBEAT_S = 15.0
"""Silence after which a comment is sent, so that proxies keep the connection."""

PANE_PAUSE_S = 0.1
"""How long changes of the pane are gathered: a rollout changes many objects at once."""

_HEADERS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-store")]


def encoded(event: str, data: object, *, identity: str = "") -> bytes:
    """One event of the stream. JSON has no line breaks, so that one `data` line holds it."""
    head = f"id: {identity}\n" if identity else ""
    return f"{head}event: {event}\n".encode() + b"data: " + msgspec.json.encode(data) + b"\n\n"


class Stream:
    """ASGI endpoint. `after` in the query, or the header Last-Event-ID, names the last change known."""

    def __init__(self, *, feed: Feed[Entry], epoch: str, pane: Pane | None, heartbeat_s: float = HEARTBEAT_S) -> None:
        self._feed = feed
        self._epoch = epoch
        self._pane = pane
        self._heartbeat_s = heartbeat_s

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        after = Headers(scope=scope).get("last-event-id") or QueryParams(scope["query_string"]).get("after", "")
        news = asyncio.Event()
        with ExitStack() as leaving:
            try:
                listener = leaving.enter_context(self._feed.listen(after=self._number(after), news=news))
            except FeedClosed:
                refusal = JSONResponse({"error": "closed", "detail": "the console is not running"}, status_code=503)
                await refusal(scope, receive, send)
                return
            except Behind:
                listener = _nothing_but_reset(news)
            view = _PaneView(self._pane, news)
            leaving.callback(view.leave)
            # Whoever goes away is told on the receiving side; sending does not notice it.
            gone = asyncio.create_task(_gone(receive, news))
            leaving.callback(gone.cancel)
            await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
            await self._serve(listener=listener, view=view, news=news, gone=gone, send=send)

    def _number(self, after: str) -> int:
        """The number in `EPOCH-NUMBER`; -1, which no feed can serve, if it is of another epoch or none."""
        epoch, _, number = after.rpartition("-")
        return int(number) if epoch == self._epoch and number.isdecimal() else -1

    async def _serve(
        self, *, listener: Listener[Entry], view: _PaneView, news: asyncio.Event, gone: asyncio.Task[None], send: Send
    ) -> None:
        """Write until the client goes away, falls behind, or the console stops."""

        async def write(text: bytes) -> None:
            await send({"type": "http.response.body", "body": text, "more_body": True})

        await write(b"retry: 1000\n\n")
        while not gone.done():
            news.clear()
            try:
                for number, entry in listener.take():
                    data = {"sequence": number, "epoch": self._epoch, "entry": entry}
                    await write(encoded("entry", data, identity=f"{self._epoch}-{number}"))
            except Behind:
                await write(encoded("reset", {"epoch": self._epoch}))
                break
            except FeedClosed:
                break
            if view.changed:
                await asyncio.sleep(PANE_PAUSE_S)
                await write(encoded("cluster", view.read()))
            try:
                async with asyncio.timeout(self._heartbeat_s):
                    await news.wait()
            except TimeoutError:
                await write(b": still here\n\n")
        await send({"type": "http.response.body", "body": b""})


class _PaneView:
    """The pane as one connection sees it: whether it has changed since it was read last."""

    def __init__(self, pane: Pane | None, news: asyncio.Event) -> None:
        self.changed = pane is not None
        self._pane = pane
        self._news = news
        self._changes = pane.subscribe() if pane else None
        self._watching = asyncio.create_task(self._watch())

    def read(self) -> object:
        """The snapshot; from now on it is unchanged."""
        self.changed = False
        return self._pane.snapshot() if self._pane else {}

    def leave(self) -> None:
        """Watch no longer."""
        self._watching.cancel()
        if self._changes is not None:
            self._changes.close()

    async def _watch(self) -> None:
        if self._changes is not None:
            async for _ in self._changes:
                self.changed = True
                self._news.set()


def _nothing_but_reset(news: asyncio.Event) -> Listener[Entry]:
    listener: Listener[Entry] = Listener(0, news)
    listener.end(Behind())
    return listener


async def _gone(receive: Receive, news: asyncio.Event) -> None:
    """Returns when the client has gone away."""
    while (await receive())["type"] != "http.disconnect":
        pass
    news.set()
