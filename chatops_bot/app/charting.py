"""From settings to what charts are made with: the Prometheus of each cluster, and what draws them."""

from __future__ import annotations

import asyncio
from importlib.util import find_spec
from typing import Final

import structlog

from chatops_bot.adapters.prometheus import Prometheus
from chatops_bot.app.settings import Settings
from chatops_bot.app.settings_metrics import PrometheusSettings
from chatops_bot.engine.metrics import Charts
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pictures import Painter

DRAWING_S: Final = 5.0
"""For one picture: a tenth of it is usual, the first one loads fonts."""

EXTRA: Final = "matplotlib is not installed; pip install 'chatops-bot[charts]'"

log = structlog.get_logger(__name__)


def configured(settings: Settings) -> dict[str, PrometheusSettings]:
    """The Prometheus of each cluster that has one."""
    found = {cluster.name: settings.metrics.of(cluster.name) for cluster in settings.clusters}
    return {name: chosen for name, chosen in found.items() if chosen is not None}


def can_draw() -> bool:
    """Whether the extra is installed. Imports nothing."""
    return find_spec("matplotlib") is not None


class Charting:
    """All that charts are made with. Where no Prometheus is configured, there is nothing of it."""

    def __init__(self, settings: Settings, *, snapshot: Snapshot, clock: Clock) -> None:
        chosen = settings.metrics
        clusters = configured(settings)
        # Clusters that are configured alike share one set of connections.
        clients = {each.access(): Prometheus(each.access(), timeout_s=chosen.timeout_s) for each in clusters.values()}
        self._clients = tuple(clients.values())
        self.charts = (
            Charts(
                sources={name: clients[each.access()] for name, each in clusters.items()},
                recipes=chosen.recipes(clusters),
                service=lambda key: snapshot.world.catalog.by_key(key),
                clock=clock,
                limit_s=chosen.timeout_s,
            )
            if clusters
            else None
        )
        self.painter = painter(settings) if clusters and chosen.pictures else None

    async def close(self) -> None:
        """Release connections and threads."""
        await asyncio.gather(*(client.close() for client in self._clients))
        if self.painter is not None:
            await self.painter.close()


def painter(settings: Settings) -> Painter | None:
    """What draws charts for platforms that show pictures; None where none of them is on, or the extra is missing."""
    if not (settings.slack.enabled or settings.feishu.enabled):
        return None
    if not can_draw():
        log.warning("charts_not_drawn", why=EXTRA, consequence="each chart is a line of text")
        return None
    from chatops_bot.adapters.pictures import Pictures

    return Pictures(time_zone=settings.metrics.time_zone, limit_s=DRAWING_S)
