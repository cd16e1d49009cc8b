"""Webhook bodies as Alertmanager sends them."""

from __future__ import annotations

import json
from typing import Any

LABELS = {"alertname": "HighErrorRate", "severity": "critical", "service": "payment"}


def alert(**changes: Any) -> dict[str, Any]:
    """One alert of a body; a field given as None is left out."""
    whole: dict[str, Any] = {
        "status": "firing",
        "labels": dict(LABELS),
        "annotations": {"summary": "5 % of requests fail"},
        "startsAt": "2026-01-05T10:00:00.123Z",
        "endsAt": "0001-01-01T00:00:00Z",
        "generatorURL": "http://prometheus:9090/graph?g0.expr=up",
        "fingerprint": "c0ffee0000000001",
        **changes,
    }
    return {name: value for name, value in whole.items() if value is not None}


def body(*alerts: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """A whole body; a field given as None is left out."""
    whole: dict[str, Any] = {
        "version": "4",
        "groupKey": '{}:{alertname="HighErrorRate"}',
        "truncatedAlerts": 0,
        "status": "firing",
        "receiver": "chatops",
        "groupLabels": {"alertname": "HighErrorRate"},
        "commonLabels": {"alertname": "HighErrorRate"},
        "commonAnnotations": {},
        "externalURL": "http://alertmanager-0:9093",
        "alerts": list(alerts) or [alert()],
        **changes,
    }
    return {name: value for name, value in whole.items() if value is not None}


def raw(*alerts: dict[str, Any], **changes: Any) -> bytes:
    """As it comes over the wire."""
    return json.dumps(body(*alerts, **changes)).encode()
