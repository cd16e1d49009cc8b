"""Lists of events. API servers keep no index of them: each goes through all events of its namespace."""

from __future__ import annotations

from functools import partial

from chatops_bot.adapters.kubernetes.lists import Lists, fields
from chatops_bot.adapters.kubernetes.passes import Read
from chatops_bot.adapters.kubernetes.paths import resource_path


def events_of(lists: Lists, namespace: str, uid: str) -> Read:
    """Those about the object of this uid: names are used again, and others' events must not be blamed on it."""
    path = resource_path("", "v1", "events", namespace=namespace)
    return "events", partial(lists.rows, path, fields(involvedObject__uid=uid), slim=True)


def events_of_name(lists: Lists, namespace: str, kind: str, name: str) -> Read:
    """Those about an object that has not been read."""
    path = resource_path("", "v1", "events", namespace=namespace)
    return "events", partial(lists.rows, path, fields(involvedObject__kind=kind, involvedObject__name=name), slim=True)
