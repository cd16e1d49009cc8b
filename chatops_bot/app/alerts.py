"""Alertmanager's webhook (version 4) as events of ours. Design section 10.

The body's form: Alertmanager's documentation, "Webhook receiver". A group's own status is not looked at, since
"firing" there holds resolved alerts too.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final
from urllib.parse import quote

import msgspec

from chatops_bot.app.alert_services import among, candidates_of
from chatops_bot.app.settings import AlertRoute
from chatops_bot.domain.entities import Service
from chatops_bot.domain.events import Alert, AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.domain.masking import mask
from chatops_bot.domain.web_links import web_address

_SUMMARY_LIMIT: Final = 300
_LABEL_LIMIT: Final = 256
_LABELS: Final = 64
"""Of one alert, and characters of a label's name."""
_ALERT_LIMIT: Final = 500
"""Alerts kept of one delivery, those that fire first."""
_WHOLE: Final = 20
"""Of these, how many with all that they say; more are not shown."""
_COUNT_LIMIT: Final = 1_000_000

_SUMMARIES: Final = ("summary", "description", "message")
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
    generatorURL: str = ""  # noqa: N815
    fingerprint: str = ""

    @property
    def firing(self) -> bool:
        """Judged on its own status."""
        return self.status == "firing"


class Delivery(msgspec.Struct):
    """One webhook body, as far as it is used."""

    version: str | int
    groupKey: str  # noqa: N815
    alerts: list[_Alert]
    receiver: str = ""
    externalURL: str = ""  # noqa: N815
    truncatedAlerts: int = 0  # noqa: N815
    groupLabels: dict[str, str] | None = None  # noqa: N815
    commonLabels: dict[str, str] | None = None  # noqa: N815


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


def without(delivery: Delivery, ignored: Iterable[Mapping[str, str]]) -> Delivery | None:
    """The delivery without the alerts that have all labels of one of these mappings; None where nothing is left."""
    unwanted = [labels.items() for labels in ignored if labels]
    kept = [alert for alert in delivery.alerts if not any(labels <= alert.labels.items() for labels in unwanted)]
    return msgspec.structs.replace(delivery, alerts=kept) if kept else None


def to_group(
    delivery: Delivery,
    *,
    services: Iterable[Service],
    clusters: Sequence[str],
    room_for: Callable[[frozenset[str], frozenset[str]], Room],
    at: float,
) -> AlertGroup:
    """The event of a delivery that came `at` (s).

    `clusters` are the names of the configured ones; `room_for` chooses the room by the owners that all alerted
    services have in common and the severities. The service is the one that all its firing alerts (or else all) map
    to, and none where they differ.
    """
    services = tuple(services)
    raw = sorted(delivery.alerts, key=lambda alert: not alert.firing)
    decisive = [alert for alert in raw if alert.firing] or raw
    labels = [_bounded(alert.labels) for alert in decisive[:_ALERT_LIMIT]]
    found = among(labels, services, clusters)
    service = found[0] if len(found) == 1 else None
    owners = frozenset.intersection(*(frozenset(one.owners) for one in found)) if found else frozenset()
    severities = frozenset(one["severity"] for one in labels if one.get("severity"))
    candidates = () if service else (found or candidates_of(labels, services))[:_WHOLE]
    firing = sum(alert.firing for alert in raw)
    return AlertGroup(
        id=identity(delivery, at),
        room=room_for(owners, severities),
        group=_hash(delivery.receiver, delivery.groupKey),
        alerts=tuple(_alert(alert, whole=place < _WHOLE) for place, alert in enumerate(raw[:_ALERT_LIMIT])),
        service=service.entity.key if service else "",
        url=web_address(delivery.externalURL),
        candidates=tuple(one.entity.key for one in candidates),
        several=len(found) > 1,
        firing=firing,
        resolved=len(raw) - firing,
        left_out=max(0, min(delivery.truncatedAlerts, _COUNT_LIMIT)),
        silence=silence_link(delivery),
    )


def identity(delivery: Delivery, at: float) -> str:
    """The same for what several Alertmanagers of one cluster send about one state of one group in one minute.

    Covers group, receiver, and per alert its fingerprint, status, start, and whether it has an end; neither
    annotations nor the end itself, which differ from sender to sender. Of another minute it is another one, since a
    state can come again: an alert that Alertmanager took for resolved, because Prometheus was not heard of, goes on
    firing as of its old start.
    """
    states = sorted(
        f"{_fingerprint(alert)} {alert.status} {alert.startsAt} {alert.status == 'resolved' and _is_set(alert.endsAt)}"
        for alert in delivery.alerts
    )
    return "alert:" + _hash(delivery.receiver, delivery.groupKey, str(int(at // 60)), *states)


def silence_link(delivery: Delivery) -> str:
    """Alertmanager's form for a new silence, with the labels of the group filled in; "" without its address or without
    a label, since a silence of everything is nobody's wish."""
    common = delivery.commonLabels or {}
    labels = delivery.groupLabels or {name: value for name, value in common.items() if name == "alertname"}
    if not labels:
        return ""
    matchers = ", ".join(f"{name}={_quoted(value)}" for name, value in sorted(labels.items()))
    return web_address(f"{delivery.externalURL.rstrip('/')}/#/silences/new?filter={quote(f'{{{matchers}}}', safe='')}")


def route(routes: Iterable[AlertRoute], *, default: str, owners: Iterable[str], severities: frozenset[str]) -> str:
    """Id of the room: that of the first route that fits owner and severity, else the default."""
    owned = frozenset(owners)
    for entry in routes:
        owner_fits = not entry.owners or not owned.isdisjoint(entry.owners)
        if owner_fits and (not entry.severities or not severities.isdisjoint(entry.severities)):
            return entry.room
    return default


def _alert(alert: _Alert, *, whole: bool) -> Alert:
    annotations = alert.annotations or {}
    summary = next((annotations[name] for name in _SUMMARIES if annotations.get(name)), "")
    return Alert(
        fingerprint=_fingerprint(alert),
        firing=alert.firing,
        name=_line(mask(alert.labels.get("alertname", "")[: 4 * _LABEL_LIMIT]), _LABEL_LIMIT) or "alert",
        severity=_line(mask(alert.labels.get("severity", "")[: 4 * _LABELS]), _LABELS),
        summary=_line(mask(summary[: 8 * _SUMMARY_LIMIT]), _SUMMARY_LIMIT) if whole else "",
        labels={name: mask(value) for name, value in _bounded(alert.labels).items()} if whole else {},
        starts_at=alert.startsAt[:_LABELS] if _is_set(alert.startsAt) else "",
        ends_at=alert.endsAt[:_LABELS] if not alert.firing and _is_set(alert.endsAt) else "",
        source=web_address(alert.generatorURL) if whole else "",
    )


def _bounded(labels: Mapping[str, str]) -> dict[str, str]:
    return {name[:_LABELS]: value[:_LABEL_LIMIT] for name, value in list(labels.items())[:_LABELS]}


def _line(text: str, limit: int) -> str:
    """One line that can be read: no control characters, and none that turn the direction of writing."""
    shown = "".join(
        character if character.isprintable() else "" if unicodedata.category(character) == "Cf" else " "
        for character in text[: 4 * limit]
    )
    return " ".join(shown.split())[:limit]


def _quoted(value: str) -> str:
    """A label's value as a matcher writes it."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _fingerprint(alert: _Alert) -> str:
    """Alertmanager's, which is a hash of the labels; ours where an older one sends none."""
    return alert.fingerprint[:_LABELS] or _hash(json.dumps(alert.labels, sort_keys=True))


def _is_set(time: str) -> bool:
    return bool(time) and not time.startswith(_NEVER)


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _in_words(message: str) -> str:
    """`msgspec`'s complaint with the path in front, as everywhere in ours."""
    what, _, path = message.partition(" - at `$")
    place = path.rstrip("`").lstrip(".")
    return f"{place}: {what}" if place else what
