"""Opens the store that the settings name: a Redis, or the embedded Valkey."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client, connect
from chatops_bot.adapters.redis.embedded import EmbeddedServer
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.app.settings import StoreSettings
from chatops_bot.ports.clock import Clock, SystemClock, random_bytes
from chatops_bot.ports.store import Retention


@dataclass(frozen=True)
class Opened:
    """The three ports of one store. `server` is the embedded one, where this process has started it."""

    client: Client
    threads: RedisStore
    ledger: RedisLedger
    audit: RedisAuditLog
    server: EmbeddedServer | None = None


@asynccontextmanager
async def open_store(
    settings: StoreSettings,
    *,
    clock: Clock | None = None,
    virtual_ms: Callable[[], int] | None = None,
    join: bool = False,
    patience_s: float = 2.0,
    retention: Retention | None = None,
) -> AsyncIterator[Opened]:
    """The store, closed again at the end; an embedded server runs meanwhile.

    `virtual_ms` makes a replay's clock the store's. With `join`, for tools beside a running bot, the embedded server
    of another process is used. Raises `EmbeddedError` for a server that cannot be started and `ValueError` for a bad
    address; whether the store can be reached shows with its first use.
    """
    server: EmbeddedServer | None = None
    url = settings.url.get_secret_value() if settings.url is not None else ""
    if not url and join:
        url = await _running(_socket_in(settings.directory))
    if not url:
        server = await EmbeddedServer.start(settings.directory, fsync=settings.appendfsync)
        url = server.url
    client = connect(url, wait_replicas=settings.wait_replicas, patience_s=patience_s)
    base = Scripts(client, random_bytes=random_bytes, clock=virtual_ms, retention=retention)
    try:
        yield Opened(
            client=client,
            threads=RedisStore(base, monotonic=(clock or SystemClock()).monotonic),
            ledger=RedisLedger(base),
            audit=RedisAuditLog(base),
            server=server,
        )
    finally:
        await client.close()
        if server is not None:
            await server.stop()


def _socket_in(directory: Path) -> Path:
    """Where the embedded server of this folder listens."""
    return directory.resolve() / "redis.sock"


async def _running(socket: Path) -> str:
    """Address of a server that another process has started, "" where none answers."""
    try:
        _, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return ""
    writer.close()
    await writer.wait_closed()
    return f"unix://{socket}"
