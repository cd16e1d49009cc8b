"""What the engine needs of a Kubernetes cluster. Raw objects are the API's JSON, as decoded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Protocol

import msgspec

from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.notes import Note
from chatops_bot.domain.observed import Found, LogQuery, LogText, Need, Observed, Overview, Permission, Raw
from chatops_bot.domain.plans import Change


class ClusterError(Exception):
    """A call failed; `message` is fit for an engineer (no secrets), `status` the HTTP status or 0."""

    def __init__(self, message: str, *, status: int = 0, reason: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        self.reason = reason


class ClusterUnavailable(ClusterError):
    """No answer, or a 5xx/429. For a write: the outcome is unknown unless `not_sent`."""

    def __init__(self, message: str, *, status: int = 0, reason: str = "", not_sent: bool = False) -> None:
        super().__init__(message, status=status, reason=reason)
        self.not_sent = not_sent


class NotFound(ClusterError):
    """404: the object is not there."""


class Conflict(ClusterError):
    """409, or a 422 about the uid: resourceVersion or uid is not the one sent; nothing was changed."""


class Refused(ClusterError):
    """401, 403, 400, 422 …: the API server will not do it; nothing was changed."""


class Blocked(ClusterError):
    """A disruption budget does not let the pod go, now or (two of them) ever; nothing was changed. The message names
    the budget with its counts, as the API server does."""


READS = 15
"""Requests that one diagnosis makes at most, pages of long lists and an access plugin's own not counted."""


class ClusterReader(Protocol):
    """The read side of one configured cluster."""

    @property
    def name(self) -> str:
        """As configured; shown on every card."""

    async def observe(self, entity: Entity, *, events: bool = False, needs: frozenset[Need] = frozenset()) -> Observed:
        """The workload and what is needed to judge it: pods, ReplicaSets, HPAs, PDBs, optionally events and what
        is needed beside it. With `diagnosis` all that `Around` holds, within READS reads in all.
        Raises `NotFound` if the workload itself is gone, `ClusterUnavailable`, `Refused`."""

    async def overview(self, namespaces: tuple[str, ...] = ()) -> Overview:
        """What is in these namespaces, or in all that the bot serves: as much as is needed to say what is broken there.
        Raises nothing for what cannot be read: it is `unread`."""

    async def find(self, kind: EntityKind, name: str, namespace: str = "") -> list[Found]:
        """Everything of this kind that has exactly this name, in one namespace or in all that the bot serves. Raises
        `ClusterUnavailable`, and `Refused` where it may look in none of them."""

    async def read(self, which: Entity | Change) -> Raw:
        """The entity's object alone, or the one that a change is of, read from the server (never a cache)."""

    async def logs(self, entity: Entity, query: LogQuery) -> LogText:
        """One container's log, or the merged ones of all pods. Raises `NotFound` for a pod or container that does not
        exist."""

    async def allowed(
        self, permission: Permission, *, namespace: str, name: str = "", actor: Actor | None = None
    ) -> bool:
        """Access review of the bot itself, or of whoever it acts for."""

    async def installed(self, kind: EntityKind) -> bool:
        """Whether the cluster has this kind at all, be the bot allowed to see it or not."""

    async def whoami(self) -> str:
        """The user name the API server sees."""

    async def workloads(self) -> list[Entity]:
        """Deployments, StatefulSets, DaemonSets and Argo Rollouts in the allowed namespaces, and nodes."""

    async def watch(self, changed: Callable[[list[Entity]], Awaitable[None]]) -> None:
        """Keep calling `changed` with all workloads whenever the set of them changes; runs until cancelled,
        survives 410, resets and silence."""

    async def close(self) -> None:
        """Release threads and connections."""


class Permit(msgspec.Struct, frozen=True):
    """Names the ledger record under which a write happens: the write side checks it before the call. `ended`: that of a
    plan that is over, which permits a note and nothing else."""

    token: str
    target: str
    attempt: str
    ended: bool = False


class ClusterWriter(Protocol):
    """The write side of one cluster. Only the gate holds it. Nothing is retried."""

    async def dry_run(self, change: Change, *, uid: str, actor: Actor | None = None) -> Raw:
        """Server-side dry-run of the change on the object as it is now, in the name of `actor` or the bot's own;
        nothing is persisted. Raises as `write`.
        Names no version: during a rollout every one is outdated at once by the next count of pods. That of an eviction
        takes nothing of the budget: each of several may succeed where only one could."""

    async def write(self, change: Change, *, uid: str, resource_version: str, permit: Permit) -> Raw:
        """Carry it out, once. Raises `Conflict`, `Refused`, `NotFound`, `Blocked` (nothing changed) or
        `ClusterUnavailable` (unknown). Refuses with `PermissionError` without a ledger record that has the change
        executed now. Where the cluster shall see the person, it is made in the name of whom the record has as its
        confirmer. With `resource_version` "" whatever version of the object of this uid will do."""

    async def touch(self, which: Entity | Change, *, uid: str, permit: Permit) -> Raw:
        """Move the object's resourceVersion by an annotation, so that a late write of a frozen holder fails;
        returns the object. Refuses as `write` does where the object is not the one of this uid any more. Never for
        an eviction or a deletion, for which it would need more rights than these."""

    async def note(self, entity: Entity, note: Note, *, permit: Permit) -> None:
        """Leave an Event on the plan's target, once the plan has ended (`permit.ended`); one of that name that is there
        already is left as it is. Raises as `write`. Changes nothing of the target."""

    async def close(self) -> None:
        """Release threads and connections."""


Clusters = Mapping[str, ClusterReader]
