"""Times as the API writes them."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    return datetime.now(UTC)


def stamp(at: datetime) -> str:
    """`metav1.Time`: whole seconds."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def micro(at: datetime) -> str:
    """`metav1.MicroTime`, as Leases have it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def nano(at: datetime) -> str:
    """As lines of logs have it."""
    return at.strftime("%Y-%m-%dT%H:%M:%S.%f000Z")
