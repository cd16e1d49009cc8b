"""Real servers for the tests of what is stored: Valkey from the package, and the system's Redis where it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.embedded import EmbeddedServer
from tests.contract.store.kit import REDIS_SERVER, World, connected


@pytest.fixture(scope="session", params=["valkey", "redis"])
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """One server for all tests; it is emptied before each."""
    binary = None if request.param == "valkey" else REDIS_SERVER
    if binary is not None and not binary.exists():
        pytest.skip(f"{binary} is not installed")
    folder = tmp_path_factory.mktemp(request.param)
    started = asyncio.run(EmbeddedServer.start(folder, fsync="no", binary=binary))
    yield started
    asyncio.run(started.stop())


@pytest.fixture(params=["once", "twice"])
async def world(server: EmbeddedServer, request: pytest.FixtureRequest) -> AsyncIterator[World]:
    """A store on an empty server; in the second mode every script runs twice (see `TwiceClient`)."""
    client = connected(server.url, twice=request.param == "twice")
    await client.command("FLUSHALL")
    yield World(client)
    await client.close()


@pytest.fixture
async def own(tmp_path: Path) -> AsyncIterator[EmbeddedServer]:
    """A server for one test, which may kill it."""
    started = await EmbeddedServer.start(tmp_path / "data")
    yield started
    await started.stop()
