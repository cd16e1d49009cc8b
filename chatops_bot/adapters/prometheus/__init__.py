"""Prometheus, and whatever else answers its HTTP API: Thanos, Mimir, VictoriaMetrics."""

from chatops_bot.adapters.prometheus.client import Access, Prometheus

__all__ = ["Access", "Prometheus"]
