"""What is wrong with a workload, one finding a cause, before it is put into words."""

from __future__ import annotations

from typing import Literal

import msgspec

from chatops_bot.domain.say import Say

Severity = Literal["danger", "warn", "info"]

RANKS = (
    "replaced",
    "deleting",
    "unschedulable",
    "gated",
    "blocked",
    "image_pull",
    "image_name",
    "config",
    "start",
    "init",
    "out_of_memory",
    "crash_loop",
    "killed",
    "exited",
    "evicted",
    "stuck_creating",
    "stuck_terminating",
    "not_ready",
    "startup",
    "rollout_failed",
    "missing",
    "paused",
    "rolling",
    "restarted",
    "autoscaler_blind",
    "autoscaler_off",
    "autoscaler_limit",
    "budget",
    "warning",
)
"""Codes of findings, the one nearest to a cause first: what keeps a pod from being placed explains why it
is not ready, never the other way round."""


class Finding(msgspec.Struct, frozen=True):
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


def rank_of(finding: Finding) -> int:
    """Position in RANKS."""
    return RANKS.index(finding.code)
