"""The checks, one function a symptom."""

from chatops_bot.domain.diagnosis.checks import containers, node, pods, probing, scheduling, workloads
from chatops_bot.domain.diagnosis.examining import Check

CHECKS: tuple[Check, ...] = (
    *node.CHECKS,
    *scheduling.CHECKS,
    *pods.CHECKS,
    *containers.CHECKS,
    *probing.CHECKS,
    *workloads.CHECKS,
)
"""All of them; their order means nothing."""

__all__ = ["CHECKS"]
