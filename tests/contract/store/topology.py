"""Redis as it is run by others: a master with a replica and sentinels, or a Cluster, on free ports of loopback."""

from __future__ import annotations

import contextlib
import ctypes
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tests.contract.store.kit import REDIS_SERVER

REDIS_CLI: Final = Path("/usr/bin/redis-cli")
READY_S: Final = 20
COMMON: Final = ("--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--repl-diskless-sync-delay", "0")


class Servers:
    """Processes by port; whatever is left of them ends with the test, or with its process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._commands: dict[int, list[str]] = {}
        self._running: dict[int, subprocess.Popen[bytes]] = {}

    def start(self, port: int, *arguments: str) -> None:
        """Start a server, or one that was killed again with the arguments of before."""
        if arguments:
            home = self.folder / str(port)
            home.mkdir()
            self._commands[port] = [str(REDIS_SERVER), *arguments, "--port", str(port), "--dir", str(home)]
        self._running[port] = subprocess.Popen(
            self._commands[port], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=_end_with_parent
        )
        until(lambda: cli(port, "PING") == "PONG")

    def kill(self, port: int) -> None:
        process = self._running.pop(port)
        process.kill()
        process.wait()

    def end(self) -> None:
        for port in list(self._running):
            self.kill(port)


def _end_with_parent() -> None:
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def cli(port: int, *arguments: str) -> str:
    """One command; "" when there is no answer."""
    done = subprocess.run(
        [str(REDIS_CLI), "-p", str(port), *arguments], capture_output=True, text=True, check=False, timeout=10
    )
    return done.stdout.strip()


def until(condition: Callable[[], bool]) -> None:
    """Wait for other processes to come to something."""
    end = time.monotonic() + READY_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {READY_S} s")
        time.sleep(0.05)


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Replicated(Servers):
    """A master, a replica, three sentinels."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.master, self.replica, *self.sentinels = free_ports(5)
        self.start(self.master, *COMMON)
        self.start(self.replica, *COMMON, "--replicaof", "127.0.0.1", str(self.master))
        until(lambda: "state=online" in cli(self.master, "INFO", "replication"))
        for port in self.sentinels:
            settings = folder / f"sentinel-{port}.conf"
            settings.write_text(
                f"sentinel monitor main 127.0.0.1 {self.master} 2\n"
                "sentinel down-after-milliseconds main 500\n"
                "sentinel failover-timeout main 3000\n"
                "bind 127.0.0.1\n"
            )
            self.start(port, str(settings), "--sentinel")
        until(lambda: "num-other-sentinels\n2" in cli(self.sentinels[0], "SENTINEL", "MASTER", "main"))
        until(lambda: "num-slaves\n1" in cli(self.sentinels[0], "SENTINEL", "MASTER", "main"))

    @property
    def url(self) -> str:
        return f"sentinel://{','.join(f'127.0.0.1:{port}' for port in self.sentinels)}/main"

    def until_failed_over(self) -> None:
        def elsewhere() -> bool:
            found = {cli(port, "SENTINEL", "get-master-addr-by-name", "main") for port in self.sentinels}
            return found == {f"127.0.0.1\n{self.replica}"} and "role:master" in cli(self.replica, "INFO", "replication")

        until(elsewhere)


class Cluster(Servers):
    """Three masters, each with a replica."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        ports = free_ports(12)
        self.nodes, buses = ports[:6], ports[6:]
        for port, bus in zip(self.nodes, buses, strict=True):
            self.start(
                port,
                *COMMON,
                *("--cluster-enabled", "yes", "--cluster-node-timeout", "1000"),
                *("--cluster-require-full-coverage", "no", "--cluster-port", str(bus)),
            )
        places = [f"127.0.0.1:{port}" for port in self.nodes]
        subprocess.run(
            [str(REDIS_CLI), "--cluster", "create", *places, "--cluster-replicas", "1", "--cluster-yes"],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        until(lambda: all("cluster_state:ok" in cli(port, "CLUSTER", "INFO") for port in self.nodes))
        until(lambda: all("state=online" in cli(port, "INFO", "replication") for port in self.masters()))

    @property
    def url(self) -> str:
        return f"cluster://{','.join(f'127.0.0.1:{port}' for port in self.nodes[:2])}"

    def masters(self) -> list[int]:
        """Ports of the masters that live."""
        for port in self._running:
            lines = [line.split() for line in cli(port, "CLUSTER", "NODES").splitlines()]
            found = [
                int(line[1].split("@")[0].rpartition(":")[2])
                for line in lines
                if "master" in line[2] and "fail" not in line[2] and len(line) > 8
            ]
            if found:
                return found
        return []
