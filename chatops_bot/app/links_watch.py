"""The rooms that incidents may be linked with: named by the configuration, known once their platforms are connected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

import structlog

from chatops_bot.domain.identity import Room
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock

log = structlog.get_logger(__name__)

EVERY_S: Final = 5.0
"""Between two looks."""


class LinkWatch:
    """Keeps them in the snapshot. `names` are ids of rooms by what people call them; `room` says which room an id is,
    None while its platform has not said which organisation this is."""

    def __init__(
        self, names: Mapping[str, str], *, room: Callable[[str], Room | None], snapshot: Snapshot, clock: Clock
    ) -> None:
        self._names = names
        self._room = room
        self._snapshot = snapshot
        self._clock = clock

    def look(self) -> None:
        """Once."""
        found = {name: self._room(id) for name, id in self._names.items()}
        known = {name: room for name, room in found.items() if room is not None}
        if known != self._snapshot.world.incidents.links:
            log.info("rooms_linkable", rooms=sorted(known))
            self._snapshot.set_links(known)

    async def run(self) -> None:
        """For ever."""
        while True:
            self.look()
            await self._clock.sleep(EVERY_S)
