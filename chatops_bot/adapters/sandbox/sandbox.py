"""The sandbox cluster: start one, fill it, point any Kubernetes client at it, and look at what became of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from chatops_bot.adapters.sandbox import snapshots
from chatops_bot.adapters.sandbox.access import BOT_TOKEN, AccessPolicy
from chatops_bot.adapters.sandbox.api.context import Backend
from chatops_bot.adapters.sandbox.api.dispatch import Dispatcher
from chatops_bot.adapters.sandbox.controllers.context import INSTANT, NATURAL, Context, Timing
from chatops_bot.adapters.sandbox.controllers.loop import ControlLoop
from chatops_bot.adapters.sandbox.controllers.runner import Runner
from chatops_bot.adapters.sandbox.eventlog import EventLog
from chatops_bot.adapters.sandbox.faults import Faults
from chatops_bot.adapters.sandbox.http import HttpServer
from chatops_bot.adapters.sandbox.journal import Journal, RequestRecord
from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.podlogs import PodLogs
from chatops_bot.adapters.sandbox.registry import Registry, UidSource
from chatops_bot.adapters.sandbox.resources import PODS, Catalog
from chatops_bot.adapters.sandbox.seeding import format as seed_format
from chatops_bot.adapters.sandbox.seeding import ground
from chatops_bot.adapters.sandbox.seeding.seeder import Seeder
from chatops_bot.adapters.sandbox.seeding.staging import WORKLOADS, pods_of_workload, stage
from chatops_bot.adapters.sandbox.store import Store
from chatops_bot.adapters.sandbox.subscription import Subscription
from chatops_bot.adapters.sandbox.timeline import Timeline
from chatops_bot.adapters.sandbox.troubles import TROUBLES, Trouble, Troubles


class Sandbox:
    """A cluster in memory behind a real HTTP API on the loopback; one event loop, no threads of its own.

    `clock` gives epoch seconds. Without `auto`, controllers run only in `settle`, at the clock's present time and
    without delays, so that tests decide when the cluster moves. With `auto`, they run by themselves in real time, and
    pods take about two seconds to start. `timing` overrides those delays. `seed` makes uids and generated names differ
    between sandboxes; equal seeds and equal use give equal clusters.

        async with Sandbox(clock=clock) as sandbox:
            sandbox.apply({"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2}]})
            await sandbox.settle()

    `requests` is everything that clients asked, in order. `access` decides who may do what, `faults` what goes wrong
    on the way, and images in `bad_images` cannot be pulled. `store` is the cluster's memory, for a look inside.
    """

    def __init__(
        self, clock: Callable[[], float], *, auto: bool = False, timing: Timing | None = None, seed: str = "sandbox"
    ) -> None:
        self.store = Store()
        self.faults = Faults()
        self.access = AccessPolicy()
        registry = Registry(self.store, Timeline(clock), UidSource(seed).next)
        timing = timing or (NATURAL if auto else INSTANT)
        self._context = Context(registry, PodLogs(), EventLog(registry), Troubles(), timing)
        self.bad_images = self._context.bad_images
        self._loop = ControlLoop(self._context)
        self._runner = Runner(self._context, self._loop) if auto else None
        backend = Backend(registry, Catalog(), self._context.logs, self.access)
        self._seeder = Seeder(self._context, backend.catalog, self._loop.settle_at_once)
        self._journal = Journal()
        self.requests = self._journal.records
        self.handle = Dispatcher(backend, self._journal, self.faults).handle
        """Answers one request as over HTTP, for whoever puts a front of their own before the cluster."""
        self._server = HttpServer(self.handle)
        self._is_down = False
        ground.lay(self._context)

    async def __aenter__(self) -> Self:
        await self._server.start()
        if self._runner is not None:
            self._runner.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            await self._runner.stop()
        await self._server.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.port}"

    @property
    def down(self) -> bool:
        """Whether the API server is away: connections are refused. Set it to take it away and to bring it back."""
        return self._is_down

    @down.setter
    def down(self, away: bool) -> None:
        if away != self._is_down:
            self._is_down = away
            if away:
                self._server.refuse()
            else:
                self._server.accept()

    def apply(self, head: Mapping[str, Any]) -> None:
        """Merge a transcript's `cluster:` section into the cluster, by kind, namespace and name.

        What is made by the first call has a past of some days; later calls are what somebody else changes just now, as
        `kubectl-edit`. Raises ValueError that names the place of what is wrong.
        """
        self._seeder.apply(seed_format.read(head))
        if self._runner is not None:
            self._runner.nudge()

    async def settle(self) -> None:
        """Run the controllers until nothing but time is awaited."""
        self._loop.settle()

    @property
    def next_due(self) -> float | None:
        """The epoch second at which the controllers have something to do next, as of the last `settle`."""
        return self._context.wake

    def stage(self, namespace: str, name: str, trouble: Trouble) -> None:
        """Give a trouble (or "Running", which heals) to the pod of this name, or to every pod of the workload.

        Raises ValueError for an unknown trouble, LookupError when there is neither.
        """
        if trouble not in TROUBLES:
            raise ValueError(f"{trouble!r} is none of {', '.join(TROUBLES)}")
        pod = self.store.get(PODS, namespace, name)
        found = [self.store.get(resource, namespace, name) for resource in WORKLOADS.values()]
        pods = [pod for owner in found if owner for pod in pods_of_workload(self._context, owner)]
        if pod is None and not any(found):
            raise LookupError(f"no pod and no workload {namespace}/{name}")
        for each in [pod] if pod is not None else pods:
            stage(self._context, each, trouble)
        if self._runner is not None:
            self._runner.nudge()

    def writes(self, *, after: int = 0) -> list[RequestRecord]:
        """What clients wrote successfully, dry runs left out, later than sequence number `after`."""
        return list(self._journal.writes(after))

    def snapshot(self) -> Json:
        """The workloads with their pods, and the nodes; the fields are described in `snapshots.snapshot`."""
        return snapshots.snapshot(self._context)

    def subscribe(self) -> Subscription:
        """Notices of every change from now on; close it when done."""
        return Subscription(self.store)

    def kubeconfig(self, context: str = "sandbox") -> Json:
        """A kubeconfig of one cluster, one user and one context, all called `context`; as JSON it is a file's text."""
        return {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [{"name": context, "cluster": {"server": self.url}}],
            "users": [{"name": context, "user": {"token": BOT_TOKEN}}],
            "contexts": [{"name": context, "context": {"cluster": context, "user": context, "namespace": "default"}}],
            "current-context": context,
        }
