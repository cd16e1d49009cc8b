"""One Prometheus, asked by HTTP."""

from __future__ import annotations

import asyncio
import base64
import ssl
from pathlib import Path
from typing import Final

import aiohttp
import msgspec

from chatops_bot.adapters.prometheus.answers import read
from chatops_bot.domain.charts import Measured
from chatops_bot.domain.masking import MASK
from chatops_bot.ports.metrics import MetricsError

MOST_BYTES: Final = 10 * 1024 * 1024
"""Of one answer: some ten thousand lines of a chart."""

_LARGE: Final = 1_000_000
"""Bytes from which reading an answer would hold up everything else for some ten milliseconds."""

_CHUNK: Final = 65_536


class Access(msgspec.Struct, frozen=True):
    """Where a Prometheus is and what lets the bot in: a bearer `token`, or a `username` with its `password`. `ca` is a
    file of certificates to trust instead of the system's."""

    url: str
    token: str = ""
    username: str = ""
    password: str = ""
    ca: Path | None = None

    def __repr__(self) -> str:
        """Without what lets the bot in: this may get into a traceback."""
        return f"Access(url={self.url!r})"


class Prometheus:
    """`Metrics` of one server. `timeout_s` limits each call, from the connection to the end of the answer. Redirects
    are not followed: what lets the bot in is for this address."""

    def __init__(self, access: Access, *, timeout_s: float) -> None:
        self._access = access
        self._address = access.url.rstrip("/")
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None

    async def range(self, query: str, *, start: int, end: int, step: int) -> Measured:
        form = {"query": query, "start": _seconds(start), "end": _seconds(end), "step": _seconds(step)}
        return await self._ask("query_range", form)

    async def instant(self, query: str, *, at: int) -> Measured:
        return await self._ask("query", {"query": query, "time": _seconds(at)})

    async def close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _ask(self, path: str, form: dict[str, str]) -> Measured:
        # Prometheus gives up by itself when nobody waits any more.
        form["timeout"] = f"{max(1, round(self._timeout_s))}s"
        try:
            async with self._open().post(
                f"{self._address}/api/v1/{path}", data=form, headers=self._headers(), allow_redirects=False
            ) as answer:
                if 300 <= answer.status < 400:
                    raise MetricsError("wrong", f"it redirects (status {answer.status}), which is not followed")
                raw = await _bounded(answer)
        except TimeoutError:
            raise MetricsError("slow", f"no answer within {self._timeout_s:g} s") from None
        # Neither the address nor the library's words: both may hold secrets.
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise MetricsError("unreachable", type(error).__name__) from None
        try:
            if len(raw) > _LARGE:
                return await asyncio.to_thread(read, raw, status=answer.status)
            return read(raw, status=answer.status)
        except MetricsError as error:
            raise MetricsError(error.trouble, self._hidden(error.message)) from None

    def _hidden(self, message: str) -> str:
        """The server's words without what lets the bot in: some proxies repeat what they were sent."""
        sent = [self._access.token, self._access.password, self._headers().get("Authorization", "").partition(" ")[2]]
        for secret in filter(None, sent):
            message = message.replace(secret, MASK)
        return message

    def _headers(self) -> dict[str, str]:
        chosen = self._access
        if chosen.token:
            return {"Authorization": f"Bearer {chosen.token}"}
        if chosen.username:
            both = f"{chosen.username}:{chosen.password}".encode()
            return {"Authorization": f"Basic {base64.b64encode(both).decode()}"}
        return {}

    def _open(self) -> aiohttp.ClientSession:
        if self._session is None or self._session.closed:
            ca = self._access.ca
            tls = ssl.create_default_context(cafile=ca) if ca is not None else True
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(ssl=tls, limit=8),
                timeout=aiohttp.ClientTimeout(total=self._timeout_s),
            )
        return self._session


async def _bounded(answer: aiohttp.ClientResponse) -> bytes:
    """The body, as far as it is read at all. Compressed ones count as what they unpack to."""
    kept = bytearray()
    async for chunk in answer.content.iter_chunked(_CHUNK):
        kept += chunk
        if len(kept) > MOST_BYTES:
            raise MetricsError("large", f"the answer has more than {MOST_BYTES // 1024 // 1024} MiB")
    return bytes(kept)


def _seconds(moment: int) -> str:
    return f"{moment / 1000:.3f}"
