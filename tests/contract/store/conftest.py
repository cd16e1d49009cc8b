"""Real servers for the tests of what is stored: Valkey from the package, and the system's Redis where it is."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.embedded import EmbeddedServer, find_server
from tests.contract.store.kit import REDIS_SERVER, World, connected


@pytest.fixture(scope="session", params=["valkey", "redis"])
def binary(request: pytest.FixtureRequest) -> Path:
    """The server's program."""
    if request.param == "valkey":
        return find_server()
    if not REDIS_SERVER.exists():
        pytest.skip(f"{REDIS_SERVER} is not installed")
    return REDIS_SERVER


@pytest.fixture(scope="session")
def server(binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedServer]:
    """One server for all tests; it is emptied before each."""
    folder = tmp_path_factory.mktemp(binary.name)
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
