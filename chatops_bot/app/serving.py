"""Serving HTTP inside this process: uvicorn without its own signals, logs and exits."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Iterator
from typing import Final

import structlog
import uvicorn
from starlette.types import ASGIApp

from chatops_bot.app.process import Background, StartError

CLOSING_S: Final = 3
"""For answers under way when the server stops."""


log = structlog.get_logger(__name__)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """The process has its own order of stopping."""
        yield


class Servers:
    """The applications that this process serves."""

    def __init__(self, background: Background) -> None:
        self._background = background
        self._servers: list[_Server] = []
        self._tasks: list[asyncio.Task[None]] = []

    def serve(self, name: str, app: ASGIApp, listening: socket.socket) -> None:
        """Serve on a listening socket until `stop`. A server that ends by itself breaks the process."""
        server = _Server(
            uvicorn.Config(
                app,
                lifespan="off",
                ws="none",
                log_config=None,
                log_level="warning",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=CLOSING_S,
            )
        )
        self._servers.append(server)
        self._tasks.append(self._background.vital(f"{name} server", server.serve(sockets=[listening])))
        host, port = listening.getsockname()[:2]
        log.info("listening", what=name, host=host, port=port)

    async def stop(self) -> None:
        """Take no more requests; answers under way have `CLOSING_S`."""
        for server in self._servers:
            server.should_exit = True
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=CLOSING_S + 1)


def listen(host: str, port: int, *, setting: str, further: int = 0) -> socket.socket:
    """A listening socket. `further` ports above are tried when one is taken, then any free one.

    Raises `StartError` naming the setting to change.
    """
    ports = [port, *((port + step) % 65_536 for step in range(1, further + 1)), *([0] if further else [])]
    problem: OSError | None = None
    for candidate in ports:
        try:
            family = socket.getaddrinfo(host, candidate, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0][0]
            return socket.create_server((host, candidate), family=family, backlog=512)
        except OSError as error:
            problem = error
    # `strerror` of what `create_server` raises names the address once more.
    why = (os.strerror(problem.errno) if problem.errno and problem.errno > 0 else str(problem)) if problem else ""
    raise StartError(f"{host}:{port} cannot be listened on ({why}); choose another address under {setting}")
