"""The world as it is now: one immutable snapshot for every turn, replaced when something changes."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chatops_bot.domain import names
from chatops_bot.domain.catalog import Catalog, Nodes
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import Incidents
from chatops_bot.domain.intents import Language
from chatops_bot.domain.memberships import Membership
from chatops_bot.domain.mirrors import place
from chatops_bot.domain.names import Found
from chatops_bot.domain.normalise import clean
from chatops_bot.domain.oncall import OnCall
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.routing import Listen
from chatops_bot.domain.runbooks import Runbooks
from chatops_bot.domain.world import Recall, Timing, World

REMEMBERED = 256
"""Texts whose names are kept: some more than wait for their turn at once."""


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
        incidents: Incidents | None = None,
        clusters: Mapping[str, str] | None = None,
        oncall: OnCall | None = None,
        recall: Recall | None = None,
    ) -> None:
        self.world = World(
            catalog=catalog,
            policy=policy,
            timing=timing,
            read_only=read_only,
            language=language,
            incidents=incidents or Incidents(),
            recall=recall or Recall(),
            oncall=oncall or OnCall(),
            clusters=clusters or {},
        )
        self.policy_read = policy
        """The policy as its file has it, without the members of groups that platforms keep."""
        self._groups: Mapping[str, Membership] = {}
        self._configured_read_only = read_only
        self._listen = listen
        self.rooms: dict[str, Listen] = {}
        self._found: dict[str, tuple[World, Found]] = {}

    def listen(self, room: Room) -> Listen:
        """How a room is listened to: by its key, by the platform's id, or the default."""
        return self.rooms.get(room.key) or self.rooms.get(room.channel) or self._listen

    def names_in(self, text: str, world: World) -> Found:
        """The names in a text, with offsets into its cleaned form. A message is asked about at its intake and again at
        its turn, mostly moments later: the second time it is not read again."""
        known = self._found.get(text)
        if known is not None and known[0].catalog is world.catalog and known[0].nodes is world.nodes:
            return known[1]
        found = names.find(clean(text), world.catalog, world.nodes)
        if len(self._found) >= REMEMBERED:
            del self._found[next(iter(self._found))]
        self._found[text] = (world, found)
        return found

    def set_catalog(self, catalog: Catalog, nodes: Nodes) -> None:
        """Services and nodes as just watched."""
        self._found.clear()
        self.world = msgspec.structs.replace(self.world, catalog=catalog, nodes=nodes)

    def set_policy(self, policy: Policy) -> None:
        """A policy as just read; holds from now on, also for plans that wait."""
        self.policy_read = policy
        self._set_policy()

    def set_links(self, links: Mapping[str, Room]) -> None:
        """Rooms that incidents may be shown in beside their own, as far as they are known."""
        linkable = self.world.incidents.linkable | {place(room) for room in links.values()}
        incidents = msgspec.structs.replace(self.world.incidents, links=links, linkable=linkable)
        self.world = msgspec.structs.replace(self.world, incidents=incidents)

    def set_oncall(self, oncall: OnCall) -> None:
        """Whom hand-offs call."""
        self.world = msgspec.structs.replace(self.world, oncall=oncall)

    def set_runbooks(self, runbooks: Runbooks) -> None:
        """Runbooks as just read."""
        self.world = msgspec.structs.replace(self.world, runbooks=runbooks)

    def set_groups(self, groups: Mapping[str, Membership]) -> None:
        """Who is in the groups that platforms keep, as just read."""
        self._groups = groups
        self._set_policy()

    def _set_policy(self) -> None:
        policy = self.policy_read
        if self._groups:
            policy = msgspec.structs.replace(policy, outside=self._groups)
        self.world = msgspec.structs.replace(self.world, policy=policy)

    def set_switch(self, reason: str) -> None:
        """The read-only switch of the store; the configured one cannot be lifted by it."""
        read_only = self._configured_read_only or reason
        if read_only != self.world.read_only:
            self.world = msgspec.structs.replace(self.world, read_only=read_only)
