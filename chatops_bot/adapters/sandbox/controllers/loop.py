"""Runs the controllers until the cluster is at rest."""

from __future__ import annotations

from typing import Protocol

from chatops_bot.adapters.sandbox.controllers.context import INSTANT, Context
from chatops_bot.adapters.sandbox.controllers.daemonset import DaemonSets
from chatops_bot.adapters.sandbox.controllers.deployment import Deployments
from chatops_bot.adapters.sandbox.controllers.disruption import DisruptionBudgets
from chatops_bot.adapters.sandbox.controllers.endpoints import Endpoints
from chatops_bot.adapters.sandbox.controllers.garbage import GarbageCollector, Namespaces
from chatops_bot.adapters.sandbox.controllers.hpa import Autoscalers
from chatops_bot.adapters.sandbox.controllers.job import Jobs
from chatops_bot.adapters.sandbox.controllers.kubelet import Kubelets
from chatops_bot.adapters.sandbox.controllers.nodes import NodeLifecycle
from chatops_bot.adapters.sandbox.controllers.replicaset import ReplicaSets
from chatops_bot.adapters.sandbox.controllers.rollout import Rollouts
from chatops_bot.adapters.sandbox.controllers.scheduler import Scheduler
from chatops_bot.adapters.sandbox.controllers.statefulset import StatefulSets

# A rollout of a thousand pods takes fewer passes; a pair of controllers that undo each other would take for ever.
_MOST_PASSES = 5000


class Controller(Protocol):
    def run(self) -> None:
        """Make the next step for every object that this controller looks after."""


class ControlLoop:
    def __init__(self, context: Context) -> None:
        self._context = context
        self._controllers: tuple[Controller, ...] = (
            Namespaces(context),
            NodeLifecycle(context),
            Autoscalers(context),
            Deployments(context),
            Rollouts(context),
            ReplicaSets(context),
            StatefulSets(context),
            DaemonSets(context),
            Jobs(context),
            Scheduler(context),
            Kubelets(context),
            DisruptionBudgets(context),
            Endpoints(context),
            GarbageCollector(context),
        )

    def settle(self) -> None:
        """Run to rest at the present time. Raises RuntimeError when the controllers never come to rest."""
        store = self._context.store
        for _ in range(_MOST_PASSES):
            self._context.wake = None
            before = store.version
            for controller in self._controllers:
                controller.run()
            if store.version == before:
                return
        raise RuntimeError("the sandbox's controllers do not come to rest")

    def settle_at_once(self) -> None:
        """Run to rest as if nothing took any time."""
        timing, self._context.timing = self._context.timing, INSTANT
        try:
            self.settle()
        finally:
            self._context.timing = timing
