"""Reading raw Kubernetes objects. Nothing here raises, whatever is null, absent or of another type.

The API server leaves out zeros and empty fields, and objects come from versions and operators that nobody
foresaw; so a missing number is 0, a missing text "", a missing list empty.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from chatops_bot.domain.observed import Raw

FIELD_MANAGER = "chatops-bot"
"""As the API server records who wrote (`metadata.managedFields`)."""
PLAN_ANNOTATION = "chatops-bot.io/plan"
"""Token of the last plan of the bot that was written to the object."""
SETTLED_ANNOTATION = "chatops-bot.io/settled"
"""Token of the last plan whose unknown outcome was settled: set to move the resourceVersion."""
RESTARTED_ANNOTATION = "kubectl.kubernetes.io/restartedAt"
"""On the pod template, as `kubectl rollout restart` sets it; every pod made from it carries it too."""


def at(raw: object, *path: str) -> Any:
    """The value at `path`, or None where anything on the way is missing or no mapping."""
    for key in path:
        if not isinstance(raw, Mapping):
            return None
        raw = raw.get(key)
    return raw


def text(raw: object, *path: str) -> str:
    """The string at `path`, or ""."""
    value = at(raw, *path)
    return value if isinstance(value, str) else ""


def number(raw: object, *path: str, default: int = 0) -> int:
    """The whole number at `path`, or the default."""
    value = at(raw, *path)
    if isinstance(value, bool):
        return default
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) else default


def flag(raw: object, *path: str) -> bool:
    """Whether the value at `path` is true. Most booleans of the API are absent when they are false."""
    return at(raw, *path) is True


def mapping(raw: object, *path: str) -> Raw:
    """The mapping at `path`, or an empty one."""
    value = at(raw, *path)
    return value if isinstance(value, dict) else {}


def has(raw: object, *path: str) -> bool:
    """Whether there is a mapping at `path`, be it empty."""
    return isinstance(at(raw, *path), dict)


def items(raw: object, *path: str) -> list[Raw]:
    """The mappings of the list at `path`; anything else in it is left out."""
    value = at(raw, *path)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def name_of(raw: object) -> str:
    """`metadata.name`."""
    return text(raw, "metadata", "name")


def uid_of(raw: object) -> str:
    """`metadata.uid`."""
    return text(raw, "metadata", "uid")


def annotation(raw: object, key: str) -> str:
    """One of `metadata.annotations`."""
    return text(raw, "metadata", "annotations", key)


def label(raw: object, key: str) -> str:
    """One of `metadata.labels`."""
    return text(raw, "metadata", "labels", key)


def restarted_at(workload: object) -> str:
    """The stamp of the last rollout restart on the workload's pod template."""
    return annotation(at(workload, "spec", "template"), RESTARTED_ANNOTATION)


def controller_of(raw: object) -> Raw:
    """The owner reference that is marked as the controller, or an empty mapping."""
    return next((owner for owner in items(raw, "metadata", "ownerReferences") if flag(owner, "controller")), {})


def condition(raw: object, kind: str) -> Raw:
    """The status condition of that type, or an empty mapping."""
    return next((found for found in items(raw, "status", "conditions") if text(found, "type") == kind), {})


def holds(raw: object, kind: str) -> bool:
    """Whether the status condition of that type is True."""
    return text(condition(raw, kind), "status") == "True"


def field_writer(raw: object, field: str) -> tuple[str, int]:
    """Who wrote a field of the spec last, as a field manager, and when (ms); ("", 0) where that is not recorded. The
    time is that of the manager's last write to any field."""
    entries = (
        (instant(at(entry, "time")), text(entry, "manager"))
        for entry in items(raw, "metadata", "managedFields")
        if f"f:{field}" in mapping(entry, "fieldsV1", "f:spec")
    )
    moment, manager = max(entries, default=(0, ""))
    return manager, moment


_LATEST_MS: Final = 253_370_764_800_000
"""The year 9999: a later time is none in every time zone."""


def instant(stamp: object) -> int:
    """Milliseconds since 1970 of an RFC 3339 stamp; 0 when it is none, or of no time that can be shown."""
    if not isinstance(stamp, str):
        return 0
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        return 0
    found = int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
    return found if 0 <= found < _LATEST_MS else 0


def span(milliseconds: int) -> str:
    """A duration as kubectl writes ages: `42s`, `5m`, `3h10m`, `2d`. The same in every language."""
    seconds = max(0, milliseconds) // 1000
    if seconds < 120:
        return f"{seconds}s"
    minutes = seconds // 60
    if minutes < 60:
        return f"{minutes}m"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours}h{minutes}m" if minutes else f"{hours}h"
    days, hours = divmod(hours, 24)
    return f"{days}d{hours}h" if hours and days < 7 else f"{days}d"


def since(stamp: object, now_ms: int) -> str:
    """How long ago a stamp was, as a span; "?" when there is none."""
    moment = instant(stamp)
    return span(now_ms - moment) if moment else "?"


class LastChange(msgspec.Struct, frozen=True):
    """Who wrote the workload's spec last, and when (ms)."""

    manager: str
    at: int


def last_change(workload: Raw) -> LastChange | None:
    """The newest write to the spec. Managers that only wrote annotations or status do not count."""
    changes = [
        LastChange(text(entry, "manager") or "?", instant(entry.get("time")))
        for entry in items(workload, "metadata", "managedFields")
        if text(entry, "subresource") != "status" and at(entry, "fieldsV1", "f:spec")
    ]
    return max(changes, key=lambda change: change.at, default=None)


def replicas_of(workload: object) -> int:
    """Replicas that a Deployment or StatefulSet asks for. Absent means 1, the API's default: on the object
    itself (unlike its scale subresource) a zero is written out."""
    return number(workload, "spec", "replicas", default=1)


def containers_of(workload_or_pod: object) -> list[Raw]:
    """Containers of a pod, or of a workload's template."""
    template = at(workload_or_pod, "spec", "template", "spec")
    return items(template if isinstance(template, dict) else at(workload_or_pod, "spec"), "containers")


def digest(value: object) -> str:
    """A short hash of a JSON value, the same for equal values whatever the order of their keys."""
    return hashlib.sha256(msgspec.json.encode(value, order="deterministic")).hexdigest()[:12]


def listed(names: Iterable[str], *, most: int = 3) -> str:
    """Names joined for a sentence, at most so many: `web-a, web-b, web-c +2`."""
    rows = list(names)
    return ", ".join(rows[:most]) + (f" +{len(rows) - most}" if len(rows) > most else "")


def shortened(message: str, limit: int = 200) -> str:
    """One line of somebody else's text, cut with an ellipsis."""
    line = " ".join(message.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def clause(message: str, limit: int = 200) -> str:
    """Likewise, to stand within a sentence: without a full stop of its own, "-" for nothing."""
    return shortened(message, limit).rstrip(" .。") or "-"
