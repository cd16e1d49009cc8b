"""Kubernetes Events, written as the components of a cluster write them."""

from __future__ import annotations

from chatops_bot.adapters.sandbox.objects import (
    Json,
    clone,
    is_deleting,
    name_of,
    namespace_of,
    object_reference,
    short_hash,
    uid_of,
)
from chatops_bot.adapters.sandbox.registry import DeleteOptions, Registry
from chatops_bot.adapters.sandbox.resources import EVENTS, NAMESPACES
from chatops_bot.adapters.sandbox.timeline import parse

_KEPT_SECONDS = 3600.0  # as `--event-ttl` of a real API server
# Components that write through events.k8s.io: what core/v1 shows of their events has no last time and no count.
_NEW_STYLE = {"default-scheduler"}


class EventLog:
    """Repeated events are counted on the one that is there."""

    def __init__(self, registry: Registry) -> None:
        self._registry = registry
        self._names: dict[tuple[str, str, str, str], str] = {}

    def record(
        self, about: Json, reason: str, message: str, *, component: str, warning: bool = False, times: int = 1
    ) -> None:
        """Write that `reason` happened to `about`; `times` is how often by now, for troubles staged with a past."""
        namespace = namespace_of(about) or "default"
        key = (uid_of(about), reason, message, component)
        name = self._names.get(key, "")
        old = self._registry.store.get(EVENTS, namespace, name) if name else None
        stamp = self._registry.timeline.stamp()
        if old is not None:
            self._again(old, stamp)
            return
        self._names[key] = name = f"{name_of(about)}.{short_hash([*key, stamp], 16)}"
        event: Json = {
            "metadata": {"name": name, "namespace": namespace},
            "involvedObject": object_reference(about),
            "reason": reason,
            "message": message,
            "type": "Warning" if warning else "Normal",
            "source": {"component": component},
            "reportingComponent": component,
            "reportingInstance": "",
        }
        if component in _NEW_STYLE:
            micro = stamp.replace("Z", ".000000Z")
            event |= {"source": {}, "firstTimestamp": None, "lastTimestamp": None, "eventTime": micro}
            event |= {"action": "Scheduling" if warning else "Binding", "reportingInstance": f"{component}-0"}
        else:
            event |= {"firstTimestamp": stamp, "lastTimestamp": stamp, "count": times, "eventTime": None}
        place = self._registry.store.get(NAMESPACES, "", namespace)
        if place is None or is_deleting(place):
            return  # refused, and nobody minds
        if self._registry.store.get(EVENTS, namespace, name) is None:
            self._registry.create(EVENTS, event, manager=component)

    def _again(self, old: Json, stamp: str) -> None:
        event = clone(old)
        if event.get("eventTime"):
            series = event.get("series") or {"count": 1}
            event["series"] = {"count": series["count"] + 1, "lastObservedTime": stamp.replace("Z", ".000000Z")}
        else:
            event["count"] = event.get("count", 1) + 1
            event["lastTimestamp"] = stamp
        self._registry.update(EVENTS, event, manager=event["reportingComponent"])

    def expire(self) -> None:
        """Drop what is older than a cluster keeps."""
        oldest = self._registry.timeline.now() - _KEPT_SECONDS
        for event in self._registry.store.all(EVENTS):
            series = event.get("series") or {}
            last = series.get("lastObservedTime") or event.get("lastTimestamp") or event.get("eventTime")
            if parse(last or event["metadata"]["creationTimestamp"]) < oldest:
                self._registry.delete(EVENTS, event, DeleteOptions())
