"""Where the sandbox keeps its objects: by resource, namespace and name, with one counter for all versions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from chatops_bot.adapters.sandbox.errors import expired
from chatops_bot.adapters.sandbox.objects import Json, name_of, namespace_of
from chatops_bot.adapters.sandbox.resources import Resource

Key = tuple[str, str]
ChangeType = Literal["ADDED", "MODIFIED", "DELETED"]


@dataclass(frozen=True, slots=True)
class Change:
    """One write. `before` is absent for ADDED; `obj` is the last state for DELETED."""

    version: int
    type: ChangeType
    resource: Resource
    obj: Json
    before: Json | None = None


class Store:
    """Objects are never changed in place: a write puts a new one, so readers may keep what they were given.

    `history` is how many changes a watch can go back; asked for older ones it is told to list anew (410).
    """

    def __init__(self, *, history: int = 2000) -> None:
        self.version = 100
        self.listeners: list[Callable[[Change], None]] = []
        self._objects: dict[Resource, dict[Key, Json]] = {}
        self._order: dict[Resource, list[Key]] = {}
        self._history: deque[Change] = deque(maxlen=history)
        self.compacted = self.version

    def get(self, resource: Resource, namespace: str, name: str) -> Json | None:
        return self._objects.get(resource, {}).get((namespace, name))

    def all(self, resource: Resource, namespace: str = "") -> list[Json]:
        """Objects in the order of namespace and name; of every namespace when none is given."""
        rows = self._objects.get(resource, {})
        order = self._order.get(resource)
        if order is None:
            order = self._order[resource] = sorted(rows)
        return [rows[key] for key in order if not namespace or key[0] == namespace]

    def resources(self) -> list[Resource]:
        """Those of which there is, or was, an object."""
        return list(self._objects)

    def put(self, resource: Resource, obj: Json) -> Json:
        """Store `obj` (which the store then owns) under a new resourceVersion."""
        key = (namespace_of(obj), name_of(obj))
        rows = self._objects.setdefault(resource, {})
        before = rows.get(key)
        self._stamp(obj)
        rows[key] = obj
        if before is None:
            self._order.pop(resource, None)
        self._tell(Change(self.version, "ADDED" if before is None else "MODIFIED", resource, obj, before))
        return obj

    def remove(self, resource: Resource, obj: Json) -> Json:
        """Take the object out; what watchers see of it last carries the version of its removal."""
        before = self._objects[resource].pop((namespace_of(obj), name_of(obj)))
        self._order.pop(resource, None)
        last = {**before, "metadata": dict(before["metadata"])}
        self._stamp(last)
        self._tell(Change(self.version, "DELETED", resource, last, before))
        return last

    def changes_since(self, version: int, resource: Resource) -> list[Change]:
        """Raises the 410 of a watch when the history does not reach back that far."""
        if version < self.compacted:
            raise expired(f"too old resource version: {version} ({self.compacted})")
        return [change for change in self._history if change.version > version and change.resource == resource]

    def compact(self) -> None:
        """Forget the history, so that watches and lists that go on from an earlier version are answered 410."""
        self._history.clear()
        self.version += 1
        self.compacted = self.version

    def _stamp(self, obj: Json) -> None:
        self.version += 1
        obj["metadata"]["resourceVersion"] = str(self.version)

    def _tell(self, change: Change) -> None:
        if len(self._history) == self._history.maxlen:
            self.compacted = self._history[0].version
        self._history.append(change)
        for listener in list(self.listeners):
            listener(change)
