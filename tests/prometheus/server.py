"""Prometheus as others run it: a real one on a free port of loopback, with a past, and scraping what a test exports."""

from __future__ import annotations

import contextlib
import ctypes
import http.client
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

PROMETHEUS: Final = shutil.which("prometheus")
PROMTOOL: Final = shutil.which("promtool")
MISSING: Final = "prometheus is not installed"
READY_S: Final = 30

Samples = Mapping[str, Mapping[int, float]]
"""Values by time (seconds) of each series, which is written as `name{label="value"}`."""


class Server:
    """One Prometheus. `past` is what it has measured before it was started; `targets` are `host:port` that it scrapes each
    second; `web` is its web configuration (users, certificates)."""

    def __init__(self, folder: Path, *, past: Samples, targets: tuple[str, ...] = (), web: str = "") -> None:
        self._folder = folder
        self.port = free_port()
        self.secure = "tls_server_config" in web
        if past:
            self._fill(past)
        (folder / "prometheus.yml").write_text(_configuration(targets))
        (folder / "web.yml").write_text(web)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"{'https' if self.secure else 'http'}://localhost:{self.port}"

    def start(self) -> None:
        self._log = (self._folder / "log").open("wb")
        self._process = subprocess.Popen(
            [
                str(PROMETHEUS),
                f"--config.file={self._folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={self._folder / 'data'}",
                "--storage.tsdb.retention.time=10y",
                f"--web.listen-address=127.0.0.1:{self.port}",
                f"--web.config.file={self._folder / 'web.yml'}",
            ],
            stdout=subprocess.DEVNULL,
            stderr=self._log,
            preexec_fn=_end_with_parent,
        )
        until(self._ready, lambda: (self._folder / "log").read_text()[-2000:])

    def end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._log.close()

    def _ready(self) -> bool:
        """Whether it answers; one that asks who one is does so as soon as it listens."""
        with contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", self.port), 1):
                pass
            if self.secure:
                return True
            asked = http.client.HTTPConnection("127.0.0.1", self.port, timeout=1)
            try:
                asked.request("GET", "/-/ready")
                return asked.getresponse().status == 200
            finally:
                asked.close()
        return False

    def _fill(self, past: Samples) -> None:
        """The past as blocks on disk, as a Prometheus that ran then would have left them."""
        lines = [
            f"{name} {value} {moment}" for name, points in past.items() for moment, value in sorted(points.items())
        ]
        text = self._folder / "past.txt"
        text.write_text("\n".join([*lines, "# EOF", ""]))
        subprocess.run(
            [str(PROMTOOL), "tsdb", "create-blocks-from", "openmetrics", str(text), str(self._folder / "data")],
            check=True,
            capture_output=True,
            timeout=60,
        )


def _configuration(targets: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{target}"' for target in targets)
    return f"""\
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs:
  - job_name: exporter
    honor_labels: true
    static_configs: [{{targets: [{shown}]}}]
"""


def _end_with_parent() -> None:
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def until(condition: Callable[[], bool], said: Callable[[], str] = str) -> None:
    """Wait for another process to come to something."""
    end = time.monotonic() + READY_S
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {READY_S} s: {said()}")
        time.sleep(0.05)
