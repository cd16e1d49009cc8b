"""The sandbox's time: the injected clock, in the forms that Kubernetes objects hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime


class Timeline:
    """Epoch seconds from an injected clock, and their RFC 3339 stamps of whole seconds.

    While seeding, time can be set back, so that a cluster that has just been made has a past.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._behind = 0.0

    def now(self) -> float:
        return self._clock() - self._behind

    def stamp(self, offset: float = 0.0) -> str:
        return stamp(self.now() + offset)

    @contextmanager
    def set_back(self, seconds: float) -> Iterator[None]:
        """Within the block, every time is `seconds` earlier."""
        self._behind += seconds
        try:
            yield
        finally:
            self._behind -= seconds


def stamp(epoch: float) -> str:
    """`2026-11-29T20:19:50Z`."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def nano_stamp(epoch: float) -> str:
    """`2026-11-29T20:19:50.000000000Z`, as the kubelet puts it before lines of a log."""
    return datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%S.%f000Z")


def parse(text: str) -> float:
    """The epoch seconds of an RFC 3339 stamp. Raises ValueError when it is none."""
    return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
