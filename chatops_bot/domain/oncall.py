"""Whom a hand-off calls: the groups of the configuration, those of the policy, and people, as each platform mentions
them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.identity import Room, account_in
from chatops_bot.domain.memberships import SOURCES, accounts_of, kept_outside
from chatops_bot.domain.policy import Policy, key_of

MENTIONED: Final = 20
"""The most that one card rings; as many as every platform takes."""

WHOLE: Final = frozenset({"slack-group"})
"""Groups of a platform that it mentions as such. Of others each member is mentioned."""


class OnCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """What holds for hand-offs (configurable).

    - `groups`: entries by name, as in the groups of a policy; a name may be that of an owner in the catalog.
    - `rooms`: the name of a group by room (its key, or the platform's id of it), `default` that of all others: for what
      has no owner.
    - `reminder_s`: whoever was called is called once more when nobody has taken it for so long, and after as long again
      the room is told; 0 for neither. `keep_s`: a hand-off in which nobody writes for so long is over.
    """

    groups: Mapping[str, tuple[str, ...]] = {}
    default: str = ""
    rooms: Mapping[str, str] = {}
    reminder_s: int = 600
    keep_s: int = 86_400

    def of_room(self, room: Room) -> str:
        """The group for what has no owner there, "" for none."""
        return self.rooms.get(room.key) or self.rooms.get(room.channel) or self.default


def known_as(name: str, oncall: OnCall, policy: Policy) -> str:
    """The name as it is configured of whom somebody calls so: a group or a person; "" for nobody known."""
    wanted = name.casefold()
    return next((known for known in names(oncall, policy) if known.casefold() == wanted), "")


def names(oncall: OnCall, policy: Policy) -> Iterator[str]:
    """Everybody that can be called by a name, groups first."""
    yield from oncall.groups
    yield from policy.groups
    yield from policy.people.accounts


def group_of(entry: str, oncall: OnCall) -> str:
    """The group that consists of this group of a platform alone (`slack-group:S…`), "" for none."""
    return next((name for name, entries in oncall.groups.items() if tuple(entries) == (entry,)), "")


def ids(called: Iterable[str], *, oncall: OnCall, policy: Policy, room: Room) -> tuple[str, ...]:
    """What a card mentions in this room to ring these: names that are configured, accounts, or groups of a platform.
    Whom the platform of the room cannot ring is left out."""
    found = (one for name in called for entry in _entries(name, oncall, policy) for one in _ids(entry, policy, room))
    return tuple(dict.fromkeys(found))[:MENTIONED]


def _entries(name: str, oncall: OnCall, policy: Policy) -> Iterator[str]:
    for entry in oncall.groups.get(name, (name,)):
        yield from policy.groups.get(entry, (entry,))


def _ids(entry: str, policy: Policy, room: Room) -> Iterator[str]:
    kind, _, group = entry.partition(":")
    if kind in WHOLE and SOURCES[kind] == room.platform:
        yield group
        return
    accounts = accounts_of(entry, policy.outside, policy.people)
    if not kept_outside(entry):
        accounts = iter(policy.people.named_by(entry))
    for account in accounts:
        own = account_in(room, key_of(account, room))
        if own:
            yield own
