"""Who somebody is: name, guest or not, of which organisation. Read from `users.list` and `users.info`, kept in memory.

An event must be stored and acknowledged in moments, so nobody waits long for Slack to say who its author is:
whom the directory does not know in time is taken for a guest, who may do nothing unless a policy rule
names them. To make that rare, the members are read before events are, and kept fresh by `user_change`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

import msgspec

from chatops_bot.adapters.slack import inbound
from chatops_bot.adapters.slack.web import Web
from chatops_bot.domain.identity import User
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

KEPT = 50_000
PAGES = 100


class Profile(msgspec.Struct, frozen=True):
    """The part of a profile that is read."""

    display_name: str | None = None
    real_name: str | None = None


class EnterpriseUser(msgspec.Struct, frozen=True):
    """Membership of an organisation of several workspaces."""

    enterprise_id: str | None = None


class Account(msgspec.Struct, frozen=True):
    """A user object of Slack's Web API."""

    id: str
    team_id: str | None = None
    name: str | None = None
    real_name: str | None = None
    deleted: bool | None = None
    is_restricted: bool | None = None
    is_ultra_restricted: bool | None = None
    is_stranger: bool | None = None
    profile: Profile | None = None
    enterprise_user: EnterpriseUser | None = None


class Person(msgspec.Struct, frozen=True):
    """What is known of an account. `home` is its workspace, `organisation` the one above that or ""."""

    name: str
    guest: bool
    home: str = ""
    organisation: str = ""
    stranger: bool = False


def person_of(account: Account) -> Person:
    """An account as a person; a deactivated one may do no more than a guest."""
    profile = account.profile or Profile()
    return Person(
        name=profile.display_name or profile.real_name or account.real_name or account.name or account.id,
        guest=bool(account.is_restricted or account.is_ultra_restricted or account.deleted),
        home=account.team_id or "",
        organisation=(account.enterprise_user and account.enterprise_user.enterprise_id) or "",
        stranger=bool(account.is_stranger),
    )


class People:
    """The directory. `wait_s` is how long an event waits for one person; an entry is used for `fresh_s`, then
    read again in the background, and not used beyond `stale_s`."""

    def __init__(
        self, *, web: Web, clock: Clock, wait_s: float = 0.05, fresh_s: float = 1800, stale_s: float = 43_200
    ) -> None:
        self._web = web
        self._clock = clock
        self._wait_s = wait_s
        self._fresh_s = fresh_s
        self._stale_s = stale_s
        self._known: dict[str, tuple[Person, float]] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}

    def name(self, user: str) -> str:
        """The name by which people know somebody, or "" (nothing is looked up)."""
        found = self._known.get(user)
        return found[0].name if found else ""

    def remember(self, raw: object) -> None:
        """Take in a user object (`user_change`, `team_join`, a page of `users.list`)."""
        try:
            account = msgspec.convert(raw, Account)
        except msgspec.ValidationError as error:
            log.warning("a user object of Slack cannot be read: %s", error)
            return
        self._known.pop(account.id, None)
        self._known[account.id] = (person_of(account), self._clock.monotonic())
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    async def find(self, user: str) -> Person | None:
        """The person, or None when Slack did not say who it is in time."""
        known = self._fresh(user)
        if known is not None:
            return known
        reading = self._read_soon(user)
        waiting = asyncio.ensure_future(self._clock.sleep(self._wait_s))
        try:
            await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        found = self._known.get(user)
        if found is None or self._age(found[1]) >= self._stale_s:
            log.warning("Slack does not say who %s is: taken for a guest", user)
            return None
        return found[0]

    async def author(self, author: inbound.Author, me: inbound.Self) -> tuple[User, str]:
        """The author of a delivery as a user, and the name they go by. What cannot be known means a guest."""
        ours = {me.team, me.enterprise} - {""}
        elsewhere = bool(author.home) and author.home not in ours
        told = author.guest is not None and bool(author.home)
        # Of somebody from elsewhere only an organisation of several workspaces has more to say.
        ask = not told and (not elsewhere or bool(me.enterprise))
        person = await self.find(author.id) if ask else None
        home = author.home or (person.home if person else "")
        foreign = _foreign(home, person, ours=ours, enterprise=me.enterprise)
        guest = author.guest if author.guest is not None else (person.guest if person else not elsewhere)
        user = User(
            platform=inbound.PLATFORM,
            tenant=home if foreign and home else me.team,
            id=author.id,
            guest=guest,
            foreign=foreign,
        )
        return user, author.name or self.name(author.id)

    async def read_all(self) -> None:
        """Take in the members of the workspace, page by page; what cannot be read is looked up one by one."""
        cursor = ""
        for _ in range(PAGES):
            try:
                reply = await self._web.get("users.list", {"limit": 500, "cursor": cursor})
            except ChatUnavailable as error:
                log.info("members of the workspace: %s", error.reason)
                await self._clock.sleep(max(error.retry_after_s, 5))
                continue
            except (ChatRefused, CardGone) as error:
                log.warning("the members of the workspace cannot be read: %s", error)
                return
            self._take_page(reply.data)
            metadata = reply.data.get("response_metadata")
            cursor = str(metadata.get("next_cursor") or "") if isinstance(metadata, Mapping) else ""
            if not cursor:
                return

    async def close(self) -> None:
        """End what is being read."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _take_page(self, data: Mapping[str, object]) -> None:
        members = data.get("members")
        for member in members if isinstance(members, list) else []:
            self.remember(member)

    def _fresh(self, user: str) -> Person | None:
        found = self._known.get(user)
        if found is None or self._age(found[1]) >= self._stale_s:
            return None
        if self._age(found[1]) >= self._fresh_s:
            self._read_soon(user)
        return found[0]

    def _age(self, since: float) -> float:
        return self._clock.monotonic() - since

    def _read_soon(self, user: str) -> asyncio.Task[None]:
        task = self._reading.get(user)
        if task is None:
            task = self._reading[user] = asyncio.create_task(self._read(user), name=f"slack-user-{user}")
            task.add_done_callback(lambda _: self._reading.pop(user, None))
        return task

    async def _read(self, user: str) -> None:
        try:
            reply = await self._web.get("users.info", {"user": user})
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            log.warning("users.info of %s: %s", user, error)
            return
        self.remember(reply.data.get("user"))


def _foreign(home: str, person: Person | None, *, ours: set[str], enterprise: str) -> bool:
    if person is not None and person.stranger:
        return True
    if not home or home in ours:
        return False
    return not (person is not None and enterprise and person.organisation == enterprise)
