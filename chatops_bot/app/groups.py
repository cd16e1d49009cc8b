"""Groups that chat platforms keep, as the policy names them: read in the background, refused when they cannot."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final

import msgspec
import structlog

from chatops_bot.app import chats
from chatops_bot.app.configuration import Configuration
from chatops_bot.app.settings import Settings
from chatops_bot.domain.memberships import SOURCES, UNREAD, Membership
from chatops_bot.domain.policy import Policy
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.directory import Directory, GroupUnreadable

log = structlog.get_logger(__name__)

LOOK_S: Final = 1.0
"""Between looks at what is due and what has become too old; nothing is asked of a platform in one."""

ANSWER_S: Final = 30.0
"""For all pages of one group."""

AGAIN_S: Final = 15.0
"""After a failure, at most as often as otherwise."""

FIRST_S: Final = 5.0
"""How long the platforms' events wait for the first reading: whoever is in a group should be known at once."""


def directories_of(settings: Settings, *, clock: Clock) -> dict[str, Directory]:
    """By kind of group, those whose platforms are on and installed."""
    absent = chats.absent_extras(settings)
    made: dict[str, Directory] = {}
    if settings.slack.enabled:
        made["slack-group"] = chats.slack_groups(settings.slack, clock=clock)
    if settings.feishu.enabled and "feishu" not in absent:
        made["feishu-department"] = chats.feishu_departments(settings.feishu, clock=clock)
    return made


class _Known:
    """What is known of one group. Times are of the monotonic clock; None: never."""

    def __init__(self) -> None:
        self.members: tuple[str, ...] = ()
        self.read_at: float | None = None
        self.read_ms = 0
        self.next_at = 0.0
        self.problem = UNREAD
        self.final = False
        self.reading: asyncio.Task[None] | None = None


class GroupsWatch:
    """Keeps the members of every group that the policy in force names.

    A group is read again after `refresh_s`. While a platform does not answer, what was read counts for `stale_s`; what
    it refuses for good (no permission, no such group) counts no more at once.
    """

    def __init__(
        self,
        directories: Mapping[str, Directory],
        *,
        snapshot: Snapshot,
        clock: Clock,
        refresh_s: float,
        stale_s: float,
    ) -> None:
        self._directories = directories
        self._snapshot = snapshot
        self._clock = clock
        self._refresh_s = refresh_s
        self._stale_s = stale_s
        self._known: dict[str, _Known] = {}

    async def run(self) -> None:
        """For ever."""
        while True:
            self.look()
            await self._clock.sleep(LOOK_S)

    def look(self) -> None:
        """Begin what is due, forget what is not named any more, and put what is known into force."""
        now = self._clock.monotonic()
        wanted = self._snapshot.policy_read.kept_outside()
        for entry in set(self._known) - set(wanted):
            self._stop(self._known.pop(entry))
        for entry in wanted:
            known = self._known.setdefault(entry, _Known())
            if known.reading is None and now >= known.next_at:
                known.reading = asyncio.create_task(self._read(entry, known), name=f"group {entry}")
        self._enforce()

    async def first(self, *, within_s: float = FIRST_S) -> None:
        """Wait until each has been read, or could not be."""
        self.look()
        reading = [known.reading for known in self._known.values() if known.reading is not None]
        if reading:
            await asyncio.wait(reading, timeout=within_s)

    async def close(self) -> None:
        """End what is being read, and give connections back."""
        tasks = [known.reading for known in self._known.values() if known.reading is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for directory in self._directories.values():
            await directory.close()

    def _stop(self, known: _Known) -> None:
        if known.reading is not None:
            known.reading.cancel()

    async def _read(self, entry: str, known: _Known) -> None:
        wait_s = min(AGAIN_S, self._refresh_s)
        try:
            members = await _members(self._directories, entry)
        except GroupUnreadable as error:
            if error.reason != known.problem:
                nobody = error.final or known.read_at is None
                log.warning(
                    "group_unreadable",
                    group=entry,
                    why=error.reason,
                    what_to_do=error.what_to_do or "it is tried again",
                    consequence="nobody is in it" if nobody else "what was read before counts for now",
                )
            known.problem, known.final = error.reason, error.final
            wait_s = max(wait_s, error.retry_after_s)
        else:
            if known.problem or set(members) != set(known.members):
                log.info("group_read", group=entry, members=len(members))
            known.members, known.problem, known.final = members, "", False
            known.read_at, known.read_ms = self._clock.monotonic(), int(self._clock.now() * 1000)
            wait_s = self._refresh_s
        finally:
            known.reading = None
            known.next_at = self._clock.monotonic() + wait_s
        if self._known.get(entry) is known:
            self._enforce()

    def _enforce(self) -> None:
        groups = {entry: self._membership(known) for entry, known in self._known.items()}
        if groups != self._snapshot.world.policy.outside:
            self._snapshot.set_groups(groups)

    def _membership(self, known: _Known) -> Membership:
        if known.read_at is None or known.final:
            return Membership(problem=known.problem)
        age = self._clock.monotonic() - known.read_at
        if age > self._stale_s:
            why = known.problem or "it is not answered"
            return Membership(read=known.read_ms, problem=f"{why}; last read {int(age // 60)} min ago")
        return Membership(members=known.members, read=known.read_ms)


async def policy_of(configuration: Configuration, *, clock: Clock) -> Policy:
    """A configuration's policy with all its groups read once, for a command; those that cannot be read say why."""
    policy = configuration.policy
    entries = policy.kept_outside()
    if not entries:
        return policy
    directories = directories_of(configuration.settings, clock=clock)
    found = await asyncio.gather(*(_once(directories, entry, clock=clock) for entry in entries))
    for directory in directories.values():
        await directory.close()
    return msgspec.structs.replace(policy, outside=dict(zip(entries, found, strict=True)))


async def _once(directories: Mapping[str, Directory], entry: str, *, clock: Clock) -> Membership:
    try:
        return Membership(members=await _members(directories, entry), read=int(clock.now() * 1000))
    except GroupUnreadable as error:
        advice = f" ({error.what_to_do})" if error.what_to_do else ""
        return Membership(problem=f"{error.reason}{advice}")


async def _members(directories: Mapping[str, Directory], entry: str) -> tuple[str, ...]:
    """All members of a group. Raises `GroupUnreadable`."""
    kind, _, group = entry.partition(":")
    directory = directories.get(kind)
    if directory is None:
        platform = SOURCES[kind]
        what = f"set {platform}.enabled, or take the group out of the policy"
        raise GroupUnreadable(f"{platform} is not enabled here", final=True, what_to_do=what)
    try:
        async with asyncio.timeout(ANSWER_S):
            return await directory.members(group)
    except TimeoutError as error:
        raise GroupUnreadable(f"no answer within {ANSWER_S:g} s", final=False) from error
