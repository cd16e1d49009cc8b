"""Carries out a whole section in the order that makes a believable cluster of it."""

from __future__ import annotations

from collections.abc import Callable

from chatops_bot.adapters.sandbox.controllers.context import Context
from chatops_bot.adapters.sandbox.errors import ApiError
from chatops_bot.adapters.sandbox.resources import Catalog
from chatops_bot.adapters.sandbox.seeding import ground, manifests, staging
from chatops_bot.adapters.sandbox.seeding.format import ClusterSeed
from chatops_bot.adapters.sandbox.seeding.workloads import WorkloadSeeder

_LEFTOVER_AGE = 600.0


class Seeder:
    """`settle` runs the controllers to rest at once, whatever the timing of the sandbox."""

    def __init__(self, context: Context, catalog: Catalog, settle: Callable[[], None]) -> None:
        self._context = context
        self._catalog = catalog
        self._settle = settle
        self._workloads = WorkloadSeeder(context, settle)
        self._is_first = True

    def apply(self, seed: ClusterSeed) -> None:
        """The first section makes a cluster with a past; later ones are what somebody else does now.

        Raises ValueError for what the API server would refuse.
        """
        first, self._is_first = self._is_first, False
        if first and seed.nodes:
            ground.replace_nodes(self._context, seed.nodes)
        new = [workload for workload in seed.workloads if not self._workloads.exists(workload)]
        self._workloads.make(new, aged=first)
        # A cluster that is made gets its lost and cordoned nodes after its pods, or they would have had nowhere to go.
        for node in seed.nodes:
            ground.set_node(self._context, node)
        for workload in seed.workloads:
            if workload not in new:
                self._workloads.change(workload)
        self._objects(seed)
        self._stage(seed)
        if first:
            self._settle()

    def _objects(self, seed: ClusterSeed) -> None:
        for index, manifest in enumerate(seed.objects):
            try:
                manifests.put(self._context, self._catalog, manifest)
            except ApiError as problem:
                raise ValueError(f"cluster.objects[{index}]: {problem}") from problem

    def _stage(self, seed: ClusterSeed) -> None:
        """Troubles come last: every step before would have run on into them."""
        listed = [workload for workload in seed.workloads if workload.pods is not None]
        if any(workload.leftovers for workload in listed):
            with self._context.timeline.set_back(_LEFTOVER_AGE):
                for workload in listed:
                    staging.stage_leftovers(self._context, workload)
                self._settle()
        elif listed:
            self._settle()
        for workload in seed.workloads:
            self._workloads.print_given(workload)
        for workload in listed:
            staging.stage_counted(self._context, workload)
