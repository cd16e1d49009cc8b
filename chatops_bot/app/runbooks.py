"""The runbooks in force: those that come with the bot and those of the configured folders."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import structlog

from chatops_bot.adapters.runbooks.loading import Loaded, load
from chatops_bot.app.settings import RunbookSettings
from chatops_bot.domain.runbooks import Runbooks
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock

log = structlog.get_logger(__name__)

LOOK_S: Final = 30.0
"""Between looks at the folders; a mounted ConfigMap takes as long to change as that."""


def read(settings: RunbookSettings) -> Loaded:
    """What the settings bring into force, and what is wrong with the rest."""
    return load(settings.folders, with_packaged=settings.packaged)


class RunbooksWatch:
    """Brings changed folders into force. A file with mistakes is left out and complained about once a change."""

    def __init__(self, settings: RunbookSettings, *, snapshot: Snapshot, clock: Clock) -> None:
        self._settings = settings
        self._snapshot = snapshot
        self._clock = clock
        self._seen: tuple[object, ...] | None = None

    async def run(self) -> None:
        """For ever."""
        while True:
            await self.look()
            await self._clock.sleep(LOOK_S)

    async def look(self) -> None:
        """Once. In a thread, because a folder may lie on a volume that hangs."""
        stamp = await asyncio.to_thread(self._stamp)
        if stamp == self._seen:
            return
        loaded = await asyncio.to_thread(read, self._settings)
        self._seen = stamp
        self._snapshot.set_runbooks(Runbooks(loaded.runbooks))
        for problem in loaded.problems:
            log.error("runbook_unusable", problem=str(problem), consequence="it is left out; the others are used")
        log.info("runbooks_read", runbooks=len(loaded.runbooks), problems=len(loaded.problems))

    def _stamp(self) -> tuple[object, ...]:
        """Changes whenever a file of a folder does, also where it is replaced behind a link."""
        return tuple(entry for folder in self._settings.folders for entry in _entries(folder))


def _entries(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    try:
        found = sorted([*folder.glob("*.y*ml"), *folder.glob("*/*.y*ml")])
    except OSError as error:
        yield f"{folder}: {error.strerror}", 0, 0, 0
        return
    for path in found:
        try:
            state = path.stat()
            yield str(path), state.st_mtime_ns, state.st_size, state.st_ino
        except OSError as error:  # a link to nowhere hides no other file
            yield f"{path}: {error.strerror}", 0, 0, 0
