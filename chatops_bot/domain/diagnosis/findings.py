"""What is wrong with a workload, one finding a cause, before it is put into words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from chatops_bot.domain.offers import Offer
from chatops_bot.domain.say import Say

Severity = Literal["danger", "warn", "info"]

RANKS = (
    "replaced",
    "deleting",
    "node_not_ready",
    "node_pressure",
    "node_cordoned",
    "webhook_down",
    "blocked",
    "preempted",
    "no_capacity",
    "unschedulable",
    "volume",
    "gated",
    "image_pull",
    "image_name",
    "config",
    "start",
    "init",
    "out_of_memory",
    "dns",
    "crash_loop",
    "liveness",
    "killed",
    "exited",
    "evicted",
    "stuck_creating",
    "stuck_terminating",
    "not_ready",
    "startup",
    "job_failed",
    "stateful_stuck",
    "rollout_failed",
    "daemon_incomplete",
    "missing",
    "paused",
    "rolling",
    "restarted",
    "cron_suspended",
    "cron_late",
    "autoscaler_blind",
    "autoscaler_off",
    "autoscaler_limit",
    "saturated",
    "port_mismatch",
    "no_endpoints",
    "ingress_backend",
    "load_balancer",
    "isolated",
    "overlap",
    "unmanaged",
    "budget",
    "warning",
)
"""Codes of findings, the one nearest to a cause first: what keeps a pod from being placed explains why it
is not ready, never the other way round. The symptoms are those of `docs/diagnosis.md`."""


class Evidence(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a verdict rests on: `object` as `kind/name`, the path in it (`status.phase`), and the value there, masked
    and one line."""

    object: str
    path: str
    value: str


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """`code` is one of RANKS; `cause.CODE` is its short name in the texts. `pods` it was seen on.

    `where` separates findings of one code that have different causes: a container with its exit code, a
    message; findings that agree in code and `where` become one.
    """

    code: str
    severity: Severity
    line: Say
    where: str = ""
    pods: tuple[str, ...] = ()
    hard: bool = True
    """Will not go away by waiting a little."""
    object: str = ""
    """What it is about, as `kind/name`."""
    evidence: tuple[Evidence, ...] = ()
    causes: tuple[str, ...] = ()
    """Keys of the texts: what is likely behind it, the likeliest first."""
    offers: tuple[Offer, ...] = ()


SEVERITIES = {"danger": 0, "warn": 1, "info": 2}
"""The worst first."""


def worst_first(finding: Finding) -> tuple[int, int]:
    """Key to sort by: what hurts most, of equals the one nearest to a cause."""
    return SEVERITIES[finding.severity], rank_of(finding)


def worst_of(findings: Iterable[Finding]) -> Finding | None:
    """The first of them by `worst_first`."""
    return min(findings, key=worst_first, default=None)


def rank_of(finding: Finding) -> int:
    """Position in RANKS."""
    return RANKS.index(finding.code)
