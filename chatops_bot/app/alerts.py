"""Alertmanager's webhook (version 4) as events of ours. Design section 10.

The body's form: Alertmanager's documentation, "Webhook receiver". A group's own status is not looked at, since
"firing" there holds resolved alerts too.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from chatops_bot.app.settings import AlertRoute
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import Alert, AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.domain.masking import mask

_SUMMARY_LIMIT: Final = 300
_LABEL_LIMIT: Final = 256
_ALERT_LIMIT: Final = 500
"""Alerts taken of one delivery; Alertmanager puts the firing ones first."""

_SUMMARIES: Final = ("summary", "description", "message")
_WORKLOAD_LABELS: Final = ("deployment", "statefulset", "daemonset")
_NEVER: Final = "0001-01-01"
"""How Go writes a time that is not set."""


class AlertBodyError(ValueError):
    """A body that is no delivery; the message says what is wrong, fit for the sender."""


class _Alert(msgspec.Struct):
    status: str
    labels: dict[str, str]
    annotations: dict[str, str] | None = None
    startsAt: str = ""  # noqa: N815 (Alertmanager's names)
    endsAt: str = ""  # noqa: N815
    fingerprint: str = ""


class Delivery(msgspec.Struct):
    """One webhook body, as far as it is used."""

    version: str | int
    groupKey: str  # noqa: N815
    alerts: list[_Alert]
    receiver: str = ""
    externalURL: str = ""  # noqa: N815
    truncatedAlerts: int = 0  # noqa: N815


def parse(body: bytes) -> Delivery:
    """The delivery of a webhook body; what is not needed of it is ignored. Raises `AlertBodyError`."""
    try:
        delivery = msgspec.json.decode(body, type=Delivery)
    except msgspec.ValidationError as error:
        raise AlertBodyError(_in_words(str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise AlertBodyError("the body is not complete JSON") from None
    except RecursionError:
        raise AlertBodyError("the body is nested too deeply") from None
    if str(delivery.version) != "4":
        raise AlertBodyError(f"version {str(delivery.version)[:20]!r} is not understood; this takes version 4")
    if not delivery.alerts:
        raise AlertBodyError("alerts: is empty; a delivery has at least one")
    for number, alert in enumerate(delivery.alerts):
        if alert.status not in ("firing", "resolved"):
            raise AlertBodyError(f"alerts[{number}].status: must be firing or resolved, not {alert.status[:20]!r}")
    return delivery


def to_group(
    delivery: Delivery,
    *,
    services: Iterable[Service],
    clusters: Sequence[str],
    room_for: Callable[[Service | None, frozenset[str]], Room],
) -> AlertGroup:
    """The event of a delivery.

    `clusters` are the names of the configured ones; `room_for` chooses the room by the alerted service and the
    severities. The service is the one that all its firing alerts (or else all) map to, and none where they differ.
    """
    services = tuple(services)
    raw = delivery.alerts[:_ALERT_LIMIT]
    alerts = tuple(_alert(alert) for alert in raw)
    decisive = [alert for alert in alerts if alert.firing] or list(alerts)
    found = {service.entity.key: service for alert in decisive for service in services_of(alert, services, clusters)}
    service = next(iter(found.values())) if len(found) == 1 else None
    return AlertGroup(
        id=identity(delivery),
        room=room_for(service, frozenset(alert.severity for alert in decisive if alert.severity)),
        group=_hash(delivery.receiver, delivery.groupKey),
        alerts=alerts,
        service=service.entity.key if service else "",
        url=delivery.externalURL[:_LABEL_LIMIT],
    )


def identity(delivery: Delivery) -> str:
    """The same for what several Alertmanagers of one cluster send about one state of one group.

    Covers group, receiver, and per alert its fingerprint, status, start, and whether it has an end; neither
    annotations nor the end itself, which differ from sender to sender.
    """
    states = sorted(
        f"{_fingerprint(alert)} {alert.status} {alert.startsAt} {alert.status == 'resolved' and _is_set(alert.endsAt)}"
        for alert in delivery.alerts
    )
    return "alert:" + _hash(delivery.receiver, delivery.groupKey, *states)


def services_of(alert: Alert, services: Iterable[Service], clusters: Sequence[str]) -> list[Service]:
    """The services that an alert is about: those with the most labels of their `alerts` mapping in it, else the one
    workload that its labels name exactly. Two that fit equally well are both given."""
    mapped = [service for service in services if service.alerts and service.alerts.items() <= alert.labels.items()]
    if mapped:
        most = max(len(service.alerts) for service in mapped)
        return [service for service in mapped if len(service.alerts) == most]
    return [service for service in services if _names_workload(alert.labels, service, clusters)]


def route(routes: Iterable[AlertRoute], *, default: str, owners: Iterable[str], severities: frozenset[str]) -> str:
    """Id of the room: that of the first route that fits owner and severity, else the default."""
    owned = frozenset(owners)
    for entry in routes:
        owner_fits = not entry.owners or not owned.isdisjoint(entry.owners)
        if owner_fits and (not entry.severities or not severities.isdisjoint(entry.severities)):
            return entry.room
    return default


def _names_workload(labels: Mapping[str, str], service: Service, clusters: Sequence[str]) -> bool:
    """Whether the labels of kube-state-metrics name this workload, and in no other cluster than its own.

    An alert without a cluster is only believed to be about ours where there is just one.
    """
    entity = service.entity
    cluster = labels.get("cluster")
    if cluster != entity.cluster and (cluster is not None or len(clusters) != 1):
        return False
    kind = entity.kind.lower()
    return (
        kind in _WORKLOAD_LABELS and labels.get("namespace") == entity.namespace and labels.get(kind) == entity.workload
    )


def _alert(alert: _Alert) -> Alert:
    labels = {name: value[:_LABEL_LIMIT] for name, value in alert.labels.items()}
    annotations = alert.annotations or {}
    summary = next((annotations[name] for name in _SUMMARIES if annotations.get(name)), "")
    return Alert(
        fingerprint=_fingerprint(alert),
        firing=alert.status == "firing",
        name=labels.get("alertname", "") or "alert",
        severity=labels.get("severity", ""),
        summary=mask(summary)[:_SUMMARY_LIMIT],
        labels=labels,
        starts_at=alert.startsAt if _is_set(alert.startsAt) else "",
    )


def _fingerprint(alert: _Alert) -> str:
    """Alertmanager's, which is a hash of the labels; ours where an older one sends none."""
    return alert.fingerprint or _hash(json.dumps(alert.labels, sort_keys=True))


def _is_set(time: str) -> bool:
    return bool(time) and not time.startswith(_NEVER)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _in_words(message: str) -> str:
    """`msgspec`'s complaint with the path in front, as everywhere in ours."""
    what, _, path = message.partition(" - at `$")
    place = path.rstrip("`").lstrip(".")
    return f"{place}: {what}" if place else what
