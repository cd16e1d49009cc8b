"""Who is in the groups that a chat platform keeps, for rules that name them."""

from __future__ import annotations

from typing import Protocol


class GroupUnreadable(Exception):
    """The members of a group cannot be told. `final`: the platform has said that it will not (no permission, no such
    group), so that what was read before counts no more; else it could not be asked. `what_to_do` is for whoever
    keeps the installation."""

    def __init__(self, reason: str, *, final: bool, what_to_do: str = "", retry_after_s: float = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final
        self.what_to_do = what_to_do
        self.retry_after_s = retry_after_s


class Directory(Protocol):
    """The groups of one kind (`memberships.SOURCES`) on one platform."""

    async def members(self, group: str) -> tuple[str, ...]:
        """The user keys (`User.key`) of everybody in the group with this id of the platform, whoever is suspended or
        has left omitted. All or none: raises `GroupUnreadable` where a part cannot be read."""

    async def close(self) -> None:
        """Give connections back."""
