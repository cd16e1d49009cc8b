"""What is wrong with single pods and their containers."""

from __future__ import annotations

from collections.abc import Iterator

from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding


def pods_in_trouble(scene: Scene) -> Iterator[Finding]:
    """Of each pod the one thing that explains the rest of it."""
    yield from (row.finding for row in scene.rows if row.finding is not None)


CHECKS: tuple[Check, ...] = (pods_in_trouble,)
