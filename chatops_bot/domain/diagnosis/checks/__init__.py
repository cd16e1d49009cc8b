"""The checks, one function a symptom."""

from chatops_bot.domain.diagnosis.checks import pods, workloads
from chatops_bot.domain.diagnosis.examining import Check

CHECKS: tuple[Check, ...] = (*pods.CHECKS, *workloads.CHECKS)
"""All of them; their order means nothing."""

__all__ = ["CHECKS"]
