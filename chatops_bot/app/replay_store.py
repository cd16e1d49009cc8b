"""A Redis of its own for each replay: an embedded server, or an empty logical database of `REDIS_URL`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit, urlunsplit

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.url import parse
from chatops_bot.ports.store import StoreUnavailable

MARK = "chatops-bot:replay"
"""Marks a database as taken by a replay, so that two at once do not share one."""

MARK_S = 3600


class NoRoomError(RuntimeError):
    """The server of `REDIS_URL` cannot be used for a replay; says why and what to do."""


class SwitchedClient(Client):
    """A client that can be cut off, as if the server could not be reached."""

    down = False

    async def script(
        self,
        script: Script,
        shard: int,
        arguments: Sequence[Argument],
        *,
        keys: Sequence[str] = (),
        copies: bool = False,
        patient: bool = True,
    ) -> Reply:
        """As `Client.script`; raises `StoreUnavailable` while cut off."""
        self._reachable()
        return await super().script(script, shard, arguments, keys=keys, copies=copies, patient=patient)

    async def command(self, *arguments: Argument, shard: int = 0, copies: bool = False, patient: bool = True) -> Reply:
        """As `Client.command`; raises `StoreUnavailable` while cut off."""
        self._reachable()
        return await super().command(*arguments, shard=shard, copies=copies, patient=patient)

    def _reachable(self) -> None:
        if self.down:
            raise StoreUnavailable("the store cannot be reached")


class ReplayRedis:
    """Usable inside `async with`. Everything in it is gone afterwards."""

    def __init__(self) -> None:
        self._server: EmbeddedServer | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self.url = ""
        self._own: Client | None = None

    async def __aenter__(self) -> Self:
        given = os.environ.get("REDIS_URL", "")
        if given:
            self.url = await _empty_database(given)
        else:
            self._folder = tempfile.TemporaryDirectory(prefix="chatops-replay-")
            self._server = await EmbeddedServer.start(Path(self._folder.name), fsync="everysec")
            self.url = self._server.url
        self._own = Client(parse(self.url))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._own is not None:
            await self._own.command("FLUSHDB")
            await self._own.close()
        if self._server is not None:
            await self._server.stop()
        if self._folder is not None:
            self._folder.cleanup()

    def client(self) -> SwitchedClient:
        """A connection of its own, for one process of the bot."""
        return SwitchedClient(parse(self.url), patience_s=0)

    async def clear(self) -> None:
        """Forget everything, before the next file."""
        if self._own is not None:
            await self._own.command("FLUSHDB")
            if self._server is None:
                await self._own.command("SET", MARK, "1", "EX", MARK_S)


async def _empty_database(url: str) -> str:
    """The URL of an empty logical database of that server, marked as ours."""
    parts = urlsplit(url)
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise NoRoomError(f"REDIS_URL: a replay needs one plain server, not {parts.scheme}://; unset it to embed one")
    for number in (0, *range(15, 0, -1)):
        candidate = _with_database(url, number)
        client = Client(parse(candidate))
        try:
            if await client.command("DBSIZE") == 0 and await client.command("SET", MARK, "1", "NX", "EX", MARK_S):
                return candidate
        except StoreUnavailable as error:
            raise NoRoomError(f"REDIS_URL: the server cannot be used ({error}); unset it to embed one") from error
        finally:
            await client.close()
    raise NoRoomError("REDIS_URL: none of the server's 16 databases is empty; give a replay a server of its own")


def _with_database(url: str, number: int) -> str:
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return urlunsplit(parts._replace(query=f"db={number}"))
    return urlunsplit(parts._replace(path=f"/{number}"))
