"""Who somebody is: of which organisation, and by what name. The signed event tells the first, the directory the second.

A name is worth a short wait and no more: an event must be stored and acknowledged in moments. Whom the directory calls
resigned or suspended is taken for a guest, who may do nothing unless a policy rule names them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from urllib.parse import quote

import msgspec

from chatops_bot.adapters.feishu import inbound
from chatops_bot.adapters.feishu.errors import Refusal
from chatops_bot.adapters.feishu.web import Web
from chatops_bot.domain.identity import User
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

KEPT = 50_000
NOT_ALLOWED = frozenset({99991672, 99991679, 40014, 41050, 40004})
"""The app may not read the directory, or not this part of it."""
ASK_AGAIN_S = 3600


class Status(msgspec.Struct, frozen=True):
    """Of a member, as far as it matters."""

    is_frozen: bool | None = None
    is_resigned: bool | None = None
    is_exited: bool | None = None


class Account(msgspec.Struct, frozen=True):
    """A user object of contact/v3; fields that the app may not read are left out by Feishu."""

    open_id: str | None = None
    name: str | None = None
    status: Status | None = None


class Person(msgspec.Struct, frozen=True):
    """What is known of somebody."""

    name: str
    gone: bool = False


async def learn(web: Web, *, app: str, tenant: str) -> inbound.Self:
    """Who the bot is, and of which organisation: `tenant`, else asked. Where the app may not ask, that is left to the
    first event. Raises `ChatUnavailable`, `ChatRefused`, `CardGone`."""
    bot = (await web.get("bot.info", "/open-apis/bot/v3/info")).get("bot")
    if not isinstance(bot, dict) or not isinstance(bot.get("open_id"), str):
        raise ChatUnavailable("bot.info gave no open_id")
    if not tenant:
        try:
            found = (await web.get("tenant.query", "/open-apis/tenant/v2/tenant/query")).get("tenant")
            key = found.get("tenant_key") if isinstance(found, dict) else ""
            tenant = key if isinstance(key, str) else ""
        except (ChatRefused, CardGone) as error:
            log.info("the organisation is learned from the first event: %s", error)
    name = bot.get("app_name")
    return inbound.Self(app, bot["open_id"], tenant, name if isinstance(name, str) else "")


class People:
    """The directory. `wait_s` is how long an event waits for one person; an entry is used for `fresh_s`, then read
    again in the background."""

    def __init__(self, *, web: Web, clock: Clock, wait_s: float = 0.05, fresh_s: float = 3600) -> None:
        self._web = web
        self._clock = clock
        self._wait_s = wait_s
        self._fresh_s = fresh_s
        self._known: dict[str, tuple[Person, float]] = {}
        self._reading: dict[str, asyncio.Task[None]] = {}
        self._silent_until = 0.0

    def name(self, user: str) -> str:
        """The name by which people know somebody, or "" (nothing is looked up)."""
        found = self._known.get(user)
        return found[0].name if found else ""

    def heard(self, names: Mapping[str, str]) -> None:
        """Names that came with a mention, by open id; the directory's own are better."""
        for user, name in names.items():
            if user not in self._known:
                # At once out of date, so that the directory is asked when this person speaks.
                self._remember(user, Person(name), self._clock.monotonic() - self._fresh_s)

    async def author(self, author: inbound.Author, *, tenant: str) -> tuple[User, str]:
        """The author of a delivery as a user of the organisation `tenant`, and the name they go by.

        Who is of another organisation, or of none that is told, is foreign."""
        foreign = not author.home or author.home != tenant
        person = await self._find(author.id) if not foreign else None
        user = User(
            platform=inbound.PLATFORM,
            tenant=author.home if foreign and author.home else tenant,
            id=author.id,
            guest=bool(person and person.gone),
            foreign=foreign,
        )
        return user, self.name(author.id)

    async def close(self) -> None:
        """End what is being read."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _find(self, user: str) -> Person | None:
        now = self._clock.monotonic()
        known = self._known.get(user)
        if known is not None and now - known[1] < self._fresh_s:
            return known[0]
        if now < self._silent_until:
            return known[0] if known else None
        reading = self._read_soon(user)
        if known is None:
            waiting = asyncio.ensure_future(self._clock.sleep(self._wait_s))
            try:
                await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
            finally:
                waiting.cancel()
            known = self._known.get(user)
        return known[0] if known else None

    def _remember(self, user: str, person: Person, since: float) -> None:
        self._known.pop(user, None)
        self._known[user] = (person, since)
        if len(self._known) > KEPT:
            del self._known[next(iter(self._known))]

    def _read_soon(self, user: str) -> asyncio.Task[None]:
        task = self._reading.get(user)
        if task is None:
            task = self._reading[user] = asyncio.create_task(self._read(user), name=f"feishu-user-{user}")
            task.add_done_callback(lambda _: self._reading.pop(user, None))
        return task

    async def _read(self, user: str) -> None:
        try:
            path = f"/open-apis/contact/v3/users/{quote(user, safe='')}"
            data = await self._web.get("users.get", path, {"user_id_type": "open_id"})
            account = msgspec.convert(data.get("user"), Account)
        except (ChatUnavailable, ChatRefused, CardGone) as error:
            if isinstance(error, Refusal) and error.code in NOT_ALLOWED:
                self._silent_until = self._clock.monotonic() + ASK_AGAIN_S
            log.warning("Feishu does not name %s: %s", user, error)
            return
        except msgspec.ValidationError as error:
            log.warning("a user object of Feishu cannot be read: %s", error)
            return
        status = account.status or Status()
        gone = bool(status.is_frozen or status.is_resigned or status.is_exited)
        self._remember(user, Person(account.name or self.name(user), gone), self._clock.monotonic())
