"""The server of one's own: quickly there, gone with its parent, one folder one owner."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.embedded import EmbeddedError, EmbeddedServer, FolderInUseError, find_server, running

PARENT = """
import asyncio, os, signal, sys
from pathlib import Path
from chatops_bot.adapters.redis.embedded import EmbeddedServer
server = asyncio.run(EmbeddedServer.start(Path(sys.argv[1])))
sys.stdout.write(f"{server.pid}\\n")
sys.stdout.flush()
os.kill(os.getpid(), signal.SIGKILL)
"""


async def test_it_keeps_what_it_was_told(tmp_path: Path) -> None:
    for expected in (None, b"value"):
        server = await EmbeddedServer.start(tmp_path / "data")
        client = connect(server.url)
        assert await client.command("GET", "key") == expected
        await client.command("SET", "key", "value")
        await client.close()
        await server.stop()
        assert not _alive(server.pid)


async def test_it_is_set_up_to_lose_nothing(own: EmbeddedServer) -> None:
    client = connect(own.url)
    for name, value in (("appendonly", b"yes"), ("appendfsync", b"always"), ("maxmemory-policy", b"noeviction")):
        assert await client.command("CONFIG", "GET", name) == [name.encode(), value]
    assert await client.command("CONFIG", "GET", "port") == [b"port", b"0"]
    await client.close()


async def test_a_folder_has_one_owner(tmp_path: Path) -> None:
    server = await EmbeddedServer.start(tmp_path)
    with pytest.raises(FolderInUseError, match=f"in use by another server \\(process {server.pid}\\)"):
        await EmbeddedServer.start(tmp_path)
    server.kill()
    await (await EmbeddedServer.start(tmp_path)).stop()


async def test_it_starts_at_once_after_its_predecessor_was_killed(tmp_path: Path) -> None:
    """The lock of a server that is just ending is waited for."""
    server = await EmbeddedServer.start(tmp_path)
    next_one = asyncio.create_task(EmbeddedServer.start(tmp_path))
    await asyncio.sleep(0)
    server.kill()
    await (await next_one).stop()


def test_it_ends_with_its_parent(tmp_path: Path) -> None:
    if not sys.platform.startswith("linux"):
        pytest.skip("asking to be ended with one's parent is Linux only")
    parent = subprocess.run([sys.executable, "-c", PARENT, str(tmp_path)], stdout=subprocess.PIPE, check=False)
    assert parent.returncode == -signal.SIGKILL
    pid = int(parent.stdout)
    until = time.monotonic() + 10
    while _alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    assert not _alive(pid)


async def test_a_long_path_is_no_obstacle(tmp_path: Path) -> None:
    server = await EmbeddedServer.start(tmp_path / ("x" * 120) / "data")
    client = connect(server.url)
    assert await client.command("PING") == b"PONG"
    await client.close()
    await server.stop()
    assert not Path(server.url.removeprefix("unix://")).parent.exists()


async def test_it_is_found_by_others_while_it_runs(tmp_path: Path) -> None:
    for folder in (tmp_path / "short", tmp_path / ("x" * 120)):
        assert await running(folder) == ""
        server = await EmbeddedServer.start(folder)
        assert await running(folder) == server.url
        await server.stop()
        assert await running(folder) == ""


async def test_why_it_cannot_start(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EmbeddedError, match="cannot be used"):
        await EmbeddedServer.start(tmp_path / "file")
    with pytest.raises(EmbeddedError, match="ended at once"):
        await EmbeddedServer.start(tmp_path / "data", options=("--no-such-option", "1"))
    await (await EmbeddedServer.start(tmp_path / "data")).stop()


def test_the_binary_comes_with_a_package() -> None:
    assert find_server().name == "valkey-server"
    assert os.access(find_server(), os.X_OK)


def _alive(pid: int) -> bool:
    """Whether a process runs; one that has ended but was not waited for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"
