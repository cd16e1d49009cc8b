"""The world as it is now: one immutable snapshot for every turn, replaced when something changes."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.catalog import Catalog, Nodes
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Language
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.routing import Listen
from chatops_bot.domain.world import Timing, World


class Snapshot:
    """Holds the current `World`. Readers take it once per turn; whoever watches a source replaces it."""

    def __init__(
        self,
        *,
        catalog: Catalog,
        policy: Policy,
        timing: Timing,
        read_only: str = "",
        listen: Listen = "mentions",
        language: Language = "en",
    ) -> None:
        self.world = World(catalog=catalog, policy=policy, timing=timing, read_only=read_only, language=language)
        self._configured_read_only = read_only
        self._listen = listen
        self.rooms: dict[str, Listen] = {}

    def listen(self, room: Room) -> Listen:
        """How a room is listened to: by its key, by the platform's id, or the default."""
        return self.rooms.get(room.key) or self.rooms.get(room.channel) or self._listen

    def set_catalog(self, catalog: Catalog, nodes: Nodes) -> None:
        """Services and nodes as just watched."""
        self.world = msgspec.structs.replace(self.world, catalog=catalog, nodes=nodes)

    def set_policy(self, policy: Policy) -> None:
        """A policy as just read; holds from now on, also for plans that wait."""
        self.world = msgspec.structs.replace(self.world, policy=policy)

    def set_switch(self, reason: str) -> None:
        """The read-only switch of the store; the configured one cannot be lifted by it."""
        read_only = self._configured_read_only or reason
        if read_only != self.world.read_only:
            self.world = msgspec.structs.replace(self.world, read_only=read_only)
