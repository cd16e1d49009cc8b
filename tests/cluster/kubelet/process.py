"""One run of a container as a process of this machine."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
from asyncio.subprocess import DEVNULL, PIPE, STDOUT, Process
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from tests.cluster.kubelet.clock import nano, now
from tests.cluster.kubelet.logs import Line
from tests.cluster.kubelet.namespaces import Isolation, View, script

_POLL_S = 0.005

# Whatever becomes of the kubelet, its processes do not outlive it.
_TIED = ("setpriv", "--pdeathsig", "KILL")


class Running:
    """Made by `start`, which returns when the process has its own root; `wait` has to be awaited once."""

    def __init__(self, process: Process, isolation: Isolation, view: View, env: Mapping[str, str], log: Path) -> None:
        self._process = process
        self._isolation = isolation
        self.view = view
        self._env = env
        self._log = log

    @classmethod
    async def start(cls, isolation: Isolation, view: View, env: Mapping[str, str], log: Path) -> Running:
        path = _write(view)
        process = await asyncio.create_subprocess_exec(
            *_TIED, *isolation.enter, "sh", str(path), env=env, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT, cwd="/"
        )
        running = cls(process, isolation, view, env, log)
        while True:
            if running.pid or process.returncode is not None:
                return running
            await asyncio.sleep(_POLL_S)

    async def wait(self) -> int:
        """The exit code; 128 and the signal for one that was killed."""
        await self._keep_log()
        code = await self._process.wait()
        return 128 - code if code < 0 else code

    def signal(self, which: signal.Signals) -> None:
        """To the container's first process alone."""
        pid = self.pid
        if pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, which)

    async def execute(self, command: Sequence[str], *, limit_s: float) -> tuple[int, str]:
        """Run a command inside. Exit code and output; raises TimeoutError."""
        pid = self.pid
        if not pid:
            return 126, "the container is not running"
        process = await asyncio.create_subprocess_exec(
            *_TIED,
            "nsenter",
            "--target",
            str(pid),
            *self._isolation.join,
            "--",
            *command,
            env=self._env,
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = await asyncio.wait_for(process.communicate(), limit_s)
        finally:
            if process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        return process.returncode or 0, output.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        """Zero when the process is not there yet, or no longer."""
        if self._process.returncode is not None:
            return 0
        text = self.view.pid_file.read_text().strip() if self.view.pid_file.exists() else ""
        return int(text or 0)

    async def _keep_log(self) -> None:
        assert self._process.stdout is not None
        rest = b""
        with self._log.open("ab", buffering=0) as log:
            while chunk := await self._process.stdout.read(1 << 16):
                at = nano(now()).encode()
                *lines, rest = (rest + chunk).split(b"\n")
                log.write(b"".join(at + b" " + line + b"\n" for line in lines))
            if rest:
                log.write(nano(now()).encode() + b" " + rest + b"\n")


def read_log(path: Path) -> list[Line]:
    """What `Running` has kept."""
    if not path.exists():
        return []
    lines = []
    for line in path.read_text(errors="replace").split("\n")[:-1]:
        at, _, text = line.partition(" ")
        lines.append(Line(datetime.fromisoformat(at), text))
    return lines


def _write(view: View) -> Path:
    shutil.rmtree(view.folder / "root", ignore_errors=True)
    view.folder.mkdir(parents=True, exist_ok=True)
    view.pid_file.unlink(missing_ok=True)
    path = view.folder / "run.sh"
    path.write_text(script(view))
    return path
