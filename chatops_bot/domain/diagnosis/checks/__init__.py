"""The checks, one function a symptom."""

from chatops_bot.domain.diagnosis.checks import (
    autoscaling,
    containers,
    creation,
    ingresses,
    jobs,
    network,
    node,
    pods,
    probing,
    rollouts,
    scheduling,
    services,
    usage,
    workloads,
)
from chatops_bot.domain.diagnosis.examining import Check

CHECKS: tuple[Check, ...] = (
    *node.CHECKS,
    *scheduling.CHECKS,
    *pods.CHECKS,
    *containers.CHECKS,
    *probing.CHECKS,
    *rollouts.CHECKS,
    *creation.CHECKS,
    *workloads.CHECKS,
    *autoscaling.CHECKS,
    *services.CHECKS,
    *ingresses.CHECKS,
    *network.CHECKS,
    *jobs.CHECKS,
    *usage.CHECKS,
)
"""All of them; their order means nothing."""

__all__ = ["CHECKS"]
