"""Wires to servers, opened when first needed and shared by all calls."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager

from chatops_bot.adapters.redis.errors import UnreadyError, checked
from chatops_bot.adapters.redis.url import Address, Login, Target
from chatops_bot.adapters.redis.wire import Wire


class Connections:
    """At most two wires to a server: one whose calls wait for copies, one whose calls do not, so that a
    replica that lags holds up nothing else. `timeout_s` bounds opening one, and each answer."""

    def __init__(self, target: Target, *, timeout_s: float) -> None:
        self._target = target
        self._timeout_s = timeout_s
        self._wires: dict[tuple[Address, int], Wire] = {}
        self._opening: dict[tuple[Address, int], asyncio.Task[Wire]] = {}

    def open_wire(self, place: Address, copies: int) -> Wire | None:
        """The wire to a server, if there is one."""
        wire = self._wires.get((place, copies))
        return None if wire is None or wire.closed else wire

    async def wire(self, place: Address, copies: int) -> Wire:
        """The wire to a server; opened once however many ask for it. Raises as `errors.TRANSIENT`, or
        `StoreUnavailable` when the server refuses (a wrong password)."""
        if wire := self.open_wire(place, copies):
            return wire
        key = (place, copies)
        task = self._opening.get(key)
        if task is None:
            task = asyncio.create_task(self._open(place, copies))
            self._opening[key] = task

            def opened(task: asyncio.Task[Wire]) -> None:
                self._opening.pop(key, None)
                if not task.cancelled():
                    task.exception()  # marks it as seen: everybody who waited may have been cancelled

            task.add_done_callback(opened)
        return await asyncio.shield(task)

    @asynccontextmanager
    async def briefly(self, place: Address, login: Login) -> AsyncIterator[Wire]:
        """A wire for one question."""
        with ExitStack() as unless_done:
            yield await self._connect(place, login, unless_done)

    async def close(self) -> None:
        """End all connections."""
        for task in self._opening.values():
            task.cancel()
        await asyncio.gather(*self._opening.values(), return_exceptions=True)
        for wire in self._wires.values():
            wire.close()
        self._wires.clear()

    async def _open(self, place: Address, copies: int) -> Wire:
        with ExitStack() as unless_done:
            async with asyncio.timeout(self._timeout_s):
                wire = await self._connect(place, self._target.login, unless_done)
                if self._target.db:
                    checked(await wire.call(("SELECT", self._target.db)))
                if self._target.kind == "sentinel":
                    role = checked(await wire.call(("ROLE",)))
                    if not isinstance(role, list) or role[0] != b"master":
                        raise UnreadyError(f"{place} is not the master")
            unless_done.pop_all()
        wire.demand_copies(copies)
        self._wires[place, copies] = wire
        return wire

    async def _connect(self, place: Address, login: Login, unless_done: ExitStack) -> Wire:
        loop = asyncio.get_running_loop()

        def make() -> Wire:
            return Wire(timeout_s=self._timeout_s)

        if place.path:
            _, wire = await loop.create_unix_connection(make, place.path)
        else:
            _, wire = await loop.create_connection(make, place.host, place.port, ssl=self._target.tls)
        unless_done.callback(wire.close)
        if login.password:
            user = (login.username,) if login.username else ()
            checked(await wire.call(("AUTH", *user, login.password)))
        return wire
