"""The read side of one cluster."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from chatops_bot.adapters.kubernetes import identity
from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.adapters.kubernetes.finding import Finder
from chatops_bot.adapters.kubernetes.installed import Installed
from chatops_bot.adapters.kubernetes.listing import WorkloadLists
from chatops_bot.adapters.kubernetes.lists import Lists
from chatops_bot.adapters.kubernetes.merging import merged_logs
from chatops_bot.adapters.kubernetes.overseeing import Overseer
from chatops_bot.adapters.kubernetes.paths import object_path
from chatops_bot.adapters.kubernetes.podlogs import choose, read_log
from chatops_bot.adapters.kubernetes.surveying import Survey
from chatops_bot.adapters.kubernetes.watching import WorkloadWatch
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.observed import Found, LogQuery, LogText, Need, Observed, Overview, Permission, Raw
from chatops_bot.domain.plans import Change
from chatops_bot.ports.clock import Clock


class KubernetesCluster:
    """A `ports.cluster.ClusterReader`.

    `namespaces` are those whose workloads are served, none named meaning all. `environment` is what this cluster's
    workloads belong to unless the catalog says otherwise.
    """

    def __init__(
        self,
        name: str,
        connection: Connection,
        *,
        clock: Clock,
        namespaces: tuple[str, ...] = (),
        environment: str = "",
        threads: int = 6,
    ) -> None:
        self._name = name
        self._clock = clock
        self._client = Client(connection, threads=threads)
        self._installed = Installed(self._client, clock=clock)
        self._survey = Survey(self._client, self._installed, now=clock.now)
        self._finder = Finder(
            self._client, self._installed, cluster=name, namespaces=namespaces, environment=environment
        )
        self._overseer = Overseer(self._client, self._installed, cluster=name, namespaces=namespaces, now=clock.now)
        self._lists = WorkloadLists(
            self._client, self._installed, cluster=name, namespaces=namespaces, environment=environment
        )
        self._watch = WorkloadWatch(self._client, self._lists, clock=clock)

    @property
    def name(self) -> str:
        """As configured."""
        return self._name

    async def observe(self, entity: Entity, *, events: bool = False, needs: frozenset[Need] = frozenset()) -> Observed:
        """One pass of reads; `unread` holds `what:why` for each part that could not be read."""
        return await self._survey.observe(entity, events=events, needs=needs)

    async def overview(self, namespaces: tuple[str, ...] = ()) -> Overview:
        """Of these namespaces as far as they are served; what could not be read is in `unread`."""
        return await self._overseer.overview(namespaces)

    async def find(self, kind: EntityKind, name: str, namespace: str = "") -> list[Found]:
        """Those of exactly this name, in the served namespaces."""
        return await self._finder.find(kind, name, namespace)

    async def read(self, which: Entity | Change) -> Raw:
        """The object alone."""
        if isinstance(which, Entity):
            return await Lists(self._client).object(which)
        return await self._client.call("GET", object_path(which))

    async def logs(self, entity: Entity, query: LogQuery) -> LogText:
        """One container's log, with a note (key of the texts) where something was chosen for the reader; or those of
        all pods."""
        pods = await self._survey.pods(entity)
        if query.everyone and not query.pod:
            return await merged_logs(self._client, entity.namespace, pods, query, int(self._clock.now() * 1000))
        choice = choose(pods, query, int(self._clock.now() * 1000))
        if choice is None:
            return LogText(pod="", container="", text="", note="logs.note.no_pods")
        return await read_log(self._client, entity.namespace, choice, query)

    async def allowed(
        self, permission: Permission, *, namespace: str, name: str = "", actor: Actor | None = None
    ) -> bool:
        """Access review of the bot itself, or of whoever it acts for."""
        return await identity.allowed(self._client, permission, namespace=namespace, name=name, actor=actor)

    async def installed(self, kind: EntityKind) -> bool:
        """By discovery, which needs no leave; an answer is believed for a minute."""
        return await self._installed.has(kind)

    async def whoami(self) -> str:
        """The user name the API server sees. Raises `Refused` for an anonymous one."""
        return await identity.whoami(self._client)

    async def workloads(self) -> list[Entity]:
        """All workloads of the served namespaces, and the nodes where they may be listed."""
        return await self._lists.entities()

    async def watch(self, changed: Callable[[list[Entity]], Awaitable[None]]) -> None:
        """Until cancelled."""
        await self._watch.run(changed)

    async def close(self) -> None:
        """Release threads and connections."""
        await self._watch.close()
        await self._client.close()
