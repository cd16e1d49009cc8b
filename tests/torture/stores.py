"""Stores that crash: a server of one's own, a master behind Sentinel, a Cluster's masters in turn."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Literal, Protocol

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from tests.contract.store.topology import Cluster, Replicated, cli, until

Kind = Literal["single", "sentinel", "cluster"]


class Store(Protocol):
    """Servers under torture. `wait_replicas`: copies that are waited for."""

    url: str
    wait_replicas: int

    async def crash(self) -> None:
        """Kill what holds data, and have it back as it comes back by itself."""

    async def stop(self) -> None: ...


class Single:
    """One embedded server, `appendfsync always`."""

    wait_replicas = 0

    def __init__(self, folder: Path, server: EmbeddedServer) -> None:
        self._folder = folder
        self._server = server
        self.url = server.url

    async def crash(self) -> None:
        self._server.kill()
        await asyncio.sleep(random.uniform(0.0, 0.5))
        self._server = await EmbeddedServer.start(self._folder)

    async def stop(self) -> None:
        await self._server.stop()


class Behind:
    """A master with one replica, found through sentinels; the replica takes over."""

    wait_replicas = 1

    def __init__(self, servers: Replicated) -> None:
        self._servers = servers
        self.url = servers.url

    async def crash(self) -> None:
        await asyncio.to_thread(self._fail_over)

    def _fail_over(self) -> None:
        servers = self._servers
        servers.kill(servers.master)
        servers.until_failed_over()
        servers.start(servers.master)
        cli(servers.master, "REPLICAOF", "127.0.0.1", str(servers.replica))
        until(lambda: "state=online" in cli(servers.replica, "INFO", "replication"))
        servers.master, servers.replica = servers.replica, servers.master

    async def stop(self) -> None:
        self._servers.end()


class Spread:
    """Three masters with a replica each; one master after the other is killed."""

    wait_replicas = 1

    def __init__(self, servers: Cluster) -> None:
        self._servers = servers
        self._turn = 0
        self.url = f"cluster://{','.join(f'127.0.0.1:{port}' for port in servers.nodes)}"

    async def crash(self) -> None:
        await asyncio.to_thread(self._fail_over)

    def _fail_over(self) -> None:
        masters = self._servers.masters()
        dead = masters[self._turn % len(masters)]
        self._turn += 1
        self._servers.kill(dead)
        until(lambda: len(self._servers.masters()) == 3 and dead not in self._servers.masters())
        self._servers.start(dead)
        until(lambda: all("state=online" in cli(port, "INFO", "replication") for port in self._servers.masters()))

    async def stop(self) -> None:
        self._servers.end()


async def started(kind: Kind, folder: Path) -> Store:
    """A store of a kind, ready, with its data in `folder`."""
    if kind == "sentinel":
        return Behind(await asyncio.to_thread(Replicated, folder))
    if kind == "cluster":
        return Spread(await asyncio.to_thread(Cluster, folder))
    return Single(folder, await EmbeddedServer.start(folder))
