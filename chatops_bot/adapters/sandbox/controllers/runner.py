"""Runs the controllers in the background, whenever something changed or a moment has come."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.controllers.loop import ControlLoop
from chatops_bot.adapters.sandbox.store import Change


class Runner:
    def __init__(self, context: Context, loop: ControlLoop) -> None:
        self._context = context
        self._loop = loop
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._context.store.listeners.append(self._on_change)
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def stop(self) -> None:
        if self._task is None:
            return
        self._context.store.listeners.remove(self._on_change)
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    def nudge(self) -> None:
        """Something that is not in the store has changed."""
        self._changed.set()

    def _on_change(self, _: Change) -> None:
        self._changed.set()

    async def _run(self) -> None:
        while True:
            self._loop.settle()
            self._changed.clear()
            wake = self._context.wake
            wait = None if wake is None else max(0.01, wake - self._context.timeline.now())
            with suppress(TimeoutError):
                # Not `wait_for`: before Python 3.12 it swallows a cancellation that comes together with a change.
                async with asyncio.timeout(wait):
                    await self._changed.wait()
