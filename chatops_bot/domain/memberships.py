"""Groups that a chat platform keeps: named in a policy's groups, their members read from the platform."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.people import People

SOURCES: Final[Mapping[str, str]] = {"slack-group": "slack", "feishu-department": "feishu"}
"""What an entry such as `slack-group:S0123` begins with, and the platform whose people are in it."""

UNREAD: Final = "it has not been read yet"


class Membership(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who is in one such group: `members` are user keys (`User.key`), as read at `read` (ms of wall time). With a
    `problem` nobody is in it, whatever was read before."""

    members: tuple[str, ...] = ()
    read: int = 0
    problem: str = ""


def kept_outside(entry: str) -> bool:
    """Whether an entry names a group that a platform keeps."""
    kind, colon, name = entry.partition(":")
    return bool(colon and name) and kind in SOURCES


def accounts_of(entry: str, outside: Mapping[str, Membership], people: People) -> Iterator[str]:
    """The accounts that such an entry names now: of its members, and of the same persons elsewhere."""
    membership = outside.get(entry)
    if membership is None or membership.problem:
        return
    for key in membership.members:
        yield key
        yield from people.accounts.get(people.owners.get(key, ""), ())


def why_unread(members: Iterable[str], outside: Mapping[str, Membership]) -> tuple[str, str] | None:
    """The first of these entries of a group that cannot be read, and why."""
    for member in members:
        if kept_outside(member):
            membership = outside.get(member)
            problem = UNREAD if membership is None else membership.problem
            if problem:
                return member, problem
    return None
