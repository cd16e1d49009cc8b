"""A proposed change to the cluster: what is shown, confirmed, recorded and executed. Design rules 2 to 6."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Language, SlotValue
from chatops_bot.domain.risks import Risk
from chatops_bot.domain.say import Say

Scalar = str | int | bool | None

WORK_S = 900
"""How long the further writes of a plan of several may take, from its first one on."""

Verb = Literal["patch", "evict", "delete"]


class Change(msgspec.Struct, frozen=True, omit_defaults=True):
    """One write to the Kubernetes API, complete but for uid and resourceVersion, which the gate takes from
    its last read. `body` is a strategic-merge or merge patch (mapping); an eviction or a deletion of a pod has none.
    `uid` is said where another object than the plan's entity is written, as its autoscaler or one of its pods is."""

    group: str
    version: str
    plural: str
    name: str
    body: dict[str, Any]
    namespace: str = ""
    subresource: str = ""
    content: Literal["strategic", "merge"] = "strategic"
    uid: str = ""
    verb: Verb = "patch"


class Draft(msgspec.Struct, frozen=True, omit_defaults=True):
    """A change computed from what was observed, before it is a plan.

    `parameters` are resolved values (`replicas` 6, never "by 2"); `before` the values they replace;
    `watched` the fields that must still hold at execution, by path. `steps` are further writes, made one after the
    other behind `change` while it stands: each names its object by uid, so that it may be sent again.
    """

    action: str
    change: Change
    parameters: dict[str, SlotValue]
    before: dict[str, SlotValue]
    watched: dict[str, Scalar]
    risk: Risk
    preview: tuple[Say, ...]
    warnings: tuple[Say, ...] = ()
    steps: tuple[Change, ...] = ()


class Plan(msgspec.Struct, frozen=True, omit_defaults=True):
    """A draft bound to one object and one request. Exactly one target by cluster, namespace, kind, name, uid.

    Times are ms of the store's clock. `requester` is a user key; `digest` covers everything that matters
    for what will be done. `approvals` is what policy wanted when it was made (shown; judged anew later).
    """

    token: str
    action: str
    entity: Entity
    uid: str
    resource_version: str
    change: Change
    parameters: dict[str, SlotValue]
    before: dict[str, SlotValue]
    watched: dict[str, Scalar]
    risk: Risk
    preview: tuple[Say, ...]
    room: Room
    thread: str
    requester: str
    language: Language
    created: int
    expires: int
    warnings: tuple[Say, ...] = ()
    digest: str = ""
    requester_name: str = ""
    reason: str = ""
    approvals: int = 0
    steps: tuple[Change, ...] = ()

    @property
    def form(self) -> int:
        """Of which form its record has to be for those who read it: 1 is one patch, 2 anything else. A worker that
        does not know a form leaves its plans to others."""
        return 2 if self.steps or self.change.verb != "patch" else 1

    @property
    def written(self) -> Entity | Change:
        """Which object it writes."""
        return self.change if self.change.uid else self.entity

    @property
    def written_uid(self) -> str:
        """That object's uid."""
        return self.change.uid or self.uid


def digest_of(plan: Plan) -> str:
    """SHA-256 (hex, 16 bytes) of what would be done to which object; the same for equal plans.

    Covers token, target, uid, parameters, watched fields and every write: what was confirmed is what is
    executed, or nothing is.
    """
    covered = (
        plan.token,
        plan.action,
        plan.entity.key,
        plan.uid,
        sorted(plan.parameters.items()),
        sorted(plan.watched.items()),
        plan.change,
        *plan.steps,
    )
    return hashlib.sha256(msgspec.json.encode(covered, order="sorted")).hexdigest()[:32]
