"""What people are called, as the application may see them. Who somebody is comes with every delivery, verified."""

from __future__ import annotations

import asyncio
import logging

from chatops_bot.adapters.wecom.kept import Kept
from chatops_bot.adapters.wecom.web import Web
from chatops_bot.domain.identity import User
from chatops_bot.ports.chat import CardGone, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

FRESH_S = 12 * 3600


class People:
    """Names by id. A person whose name cannot be read goes by the id. `wait_s`: how long an event waits for a name."""

    def __init__(self, *, web: Web, clock: Clock, wait_s: float) -> None:
        self._web = web
        self._clock = clock
        self._wait_s = wait_s
        self._names: Kept[str] = Kept(clock=clock, lives_s=FRESH_S, most=50_000)
        self._reading: dict[str, asyncio.Task[None]] = {}

    async def name(self, user: User) -> str:
        """What the user is called, "" while that is not known."""
        known = self._names.get(user.id)
        if known is not None or user.foreign:
            return known or ""
        task = self._reading.get(user.id)
        if task is None:
            task = self._reading[user.id] = asyncio.create_task(self._read(user.id), name=f"wecom-user-{user.id}")
            task.add_done_callback(lambda _: self._reading.pop(user.id, None))
        waiting = asyncio.ensure_future(self._clock.sleep(self._wait_s))
        try:
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
        return self._names.get(user.id) or ""

    async def close(self) -> None:
        """End what is being read."""
        tasks = list(self._reading.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _read(self, userid: str) -> None:
        try:
            data = await self._web.get("user/get", {"userid": userid})
        except ChatUnavailable as error:
            log.info("user/get of %s: %s", userid, error)
            return
        except (ChatRefused, CardGone) as error:
            log.info("user/get of %s: %s", userid, error)
            self._names.put(userid, userid)  # asking again would give the same
            return
        name = data.get("name")
        self._names.put(userid, name if isinstance(name, str) and name else userid)
