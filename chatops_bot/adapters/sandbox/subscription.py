"""Notices of what changed, for a screen that shows the cluster."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from chatops_bot.adapters.sandbox.objects import name_of, namespace_of
from chatops_bot.adapters.sandbox.store import Change, ChangeType, Store


@dataclass(frozen=True, slots=True)
class Notice:
    type: ChangeType
    kind: str
    namespace: str
    name: str
    version: int


class Subscription:
    """An endless iterator of notices, to be closed by its reader.

    A reader that is slow gets the newest notice of each object, so what waits for it stays small.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[tuple[str, str, str], Notice] = {}
        self._arrived = asyncio.Event()
        store.listeners.append(self._on_change)

    def _on_change(self, change: Change) -> None:
        kind, namespace, name = change.resource.kind, namespace_of(change.obj), name_of(change.obj)
        self._waiting[(kind, namespace, name)] = Notice(change.type, kind, namespace, name, change.version)
        self._arrived.set()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Notice:
        while not self._waiting:
            self._arrived.clear()
            await self._arrived.wait()
        return self._waiting.pop(next(iter(self._waiting)))

    def close(self) -> None:
        if self._on_change in self._store.listeners:
            self._store.listeners.remove(self._on_change)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
