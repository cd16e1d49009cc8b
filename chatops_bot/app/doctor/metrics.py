"""Charts: each Prometheus answers, measures what is charted, and what draws them is installed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from chatops_bot.adapters.prometheus import Prometheus
from chatops_bot.app.charting import EXTRA, can_draw, configured
from chatops_bot.app.doctor.findings import Finding, bad, ok, warn
from chatops_bot.app.settings import Settings
from chatops_bot.domain.promql import pattern, quoted
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.metrics import Metrics, MetricsError, Trouble

SOURCES: Final[tuple[tuple[str, str, str], ...]] = (
    ("container_memory_working_set_bytes", "cAdvisor (the kubelet's /metrics/cadvisor)", "CPU and memory"),
    ("kube_pod_status_ready", "kube-state-metrics", "limits, restarts, replicas and rollouts"),
)
"""A metric of each source, what the source is called, and what cannot be charted without it."""

_TO_DO: Final[dict[Trouble, str]] = {
    "slow": "raise metrics.timeout_s, or look at the server's load",
    "unreachable": "check metrics.url, the network, its policies, and the certificate (metrics.ca_file)",
    "refused": "check the token or the user; the server's log says more",
    "wrong": "metrics.url must be that of Prometheus itself, without /graph and not of a page that asks to log in",
    "large": "metrics.url must be that of Prometheus itself",
}


async def on_metrics(chosen: Settings, *, clock: Clock) -> list[Finding]:
    """Findings about the Prometheus of each cluster; none where no one is configured."""
    clusters = configured(chosen)
    findings: list[Finding] = []
    for cluster in chosen.clusters:
        if (settings := clusters.get(cluster.name)) is None:
            continue
        client = Prometheus(settings.access(), timeout_s=chosen.metrics.timeout_s)
        where = f"{settings.cluster_label}={quoted(cluster.name)}" if settings.cluster_label else ""
        try:
            findings += await examine(
                client, f"Prometheus of {cluster.name}", where=where, namespaces=cluster.namespaces, clock=clock
            )
        finally:
            await client.close()
    if clusters and chosen.metrics.pictures and (chosen.slack.enabled or chosen.feishu.enabled):
        findings.append(_drawing(chosen))
    return findings


async def examine(client: Metrics, name: str, *, where: str, namespaces: Sequence[str], clock: Clock) -> list[Finding]:
    """Whether it answers, and knows of the namespaces what is charted. `where` picks the cluster's own series."""
    at = int(clock.now() * 1000)
    missing: list[Finding] = []
    try:
        await client.instant("vector(1)", at=at)
        for metric, source, charts in SOURCES:
            if absent := await _absent(client, metric, where=where, namespaces=namespaces, at=at):
                what = f"{name} has nothing of {source} for {absent}: {charts} are not charted"
                label = where.partition("=")[0]
                again = f", and that its label {label} has the cluster's name as it is here" if label else ""
                missing.append(warn(what, f"check that it scrapes {source}{again}"))
    except MetricsError as error:
        return [bad(f"{name} cannot be used ({error.trouble}): {error.message}", _TO_DO[error.trouble])]
    return [ok(f"{name} answers"), *missing]


async def _absent(client: Metrics, metric: str, *, where: str, namespaces: Sequence[str], at: int) -> str:
    """Which of the namespaces it has not measured; "any namespace" where none is named and none is there."""
    named = f"namespace=~{quoted('|'.join(pattern(each) for each in namespaces))}" if namespaces else ""
    matchers = ", ".join(part for part in (where, named) if part)
    found = await client.instant(f"count by (namespace) ({metric}{{{matchers}}})", at=at)
    there = {line.labels.get("namespace", "") for line in found.lines if line.points}
    if not namespaces:
        return "" if there - {""} else "any namespace"
    return ", ".join(sorted(set(namespaces) - there))


def _drawing(chosen: Settings) -> Finding:
    if not can_draw():
        return warn(f"charts are lines of text: {EXTRA}", "install the extra, or set metrics.pictures: false")
    from chatops_bot.adapters.pictures.drawing import families

    if chosen.language == "zh" and len(families()) < 2:
        return warn("pictures of charts are in English: there is no font for Chinese", "install fonts-noto-cjk")
    return ok("charts can be drawn")
