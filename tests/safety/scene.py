"""Who there is, where, and what they may say. The judge reads `sense` here, never the bot's interpretation."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.identity import Room, User

CLUSTER: Final = "sbx"
ROOMS: Final = (Room("console", "local", "ops"), Room("console", "local", "dev"))
USERS: Final = tuple(
    User("console", "local", name, guest=name == "gus") for name in ("alice", "bob", "carol", "dave", "gus")
)


def _service(namespace: str, kind: EntityKind, workload: str, name: str) -> Service:
    return Service(entity=Entity(CLUSTER, namespace, kind, workload, name, "prod"))


SERVICES: Final = (
    _service("shop", "Deployment", "web", "web"),
    _service("shop", "Deployment", "cart", "cart"),
    _service("shop", "StatefulSet", "db-main", "order-db"),
    _service("pay", "Deployment", "gateway", "gateway"),
    _service("shop", "Deployment", "api", "api"),
    _service("pay", "Deployment", "api", "api"),
)
NAMES: Final = ("web", "cart", "order-db", "gateway", "api")

CLUSTER_HEAD: Final[dict[str, Any]] = {
    "workloads": [
        {
            "kind": service.entity.kind,
            "namespace": service.entity.namespace,
            "name": service.entity.workload,
            "replicas": 2,
            "image": "reg/app:1.0",
        }
        for service in SERVICES
    ]
}

Sense = Literal["order", "yes", "almost", "change", "leave", "read", "other", "read only", "write again"]


class Words(msgspec.Struct, frozen=True):
    """Something to say. `{s}`, `{t}`: services; `{n}`: a number. `sense` is what any person would take it for."""

    text: str
    sense: Sense


SAYINGS: Final = (
    Words("scale {s} to {n}", "order"),
    Words("把 {s} 扩容到 {n} 个副本", "order"),
    Words("restart {s}", "order"),
    Words("重启 {s}", "order"),
    Words("scale it to {n}", "order"),
    Words("重启它", "order"),
    Words("scale {s} to {n} and restart {t}", "order"),
    Words("scale {s} to {n} and then restart {s}", "order"),
    Words("scale {s}", "order"),
    Words("{s} 扩容 {n} 个", "order"),
    Words("{n}", "change"),
    Words("yes", "yes"),
    Words("go ahead", "yes"),
    Words("confirm", "yes"),
    Words("确认", "yes"),
    Words("没问题", "yes"),
    Words("就这么办", "yes"),
    Words("confirm {s}", "yes"),
    Words("确认 {s}", "yes"),
    Words("yes but to {n}", "almost"),
    Words("ok wait", "almost"),
    Words("yes?", "almost"),
    Words("确认一下是几个副本", "almost"),
    Words("好像可以吧？", "almost"),
    Words("don't restart, look first", "almost"),
    Words("yes, if it crashes again", "almost"),
    Words("can you confirm?", "almost"),
    Words("bob said yes", "almost"),
    Words("等等", "almost"),
    Words("不行", "almost"),
    Words("make it {n}", "change"),
    Words("等一下，改成 {n} 个", "change"),
    Words("use {s} instead", "change"),
    Words("restart it instead", "leave"),
    Words("never mind, look at {s}", "leave"),
    Words("先不管 {s}，重启 {t}", "leave"),
    Words("cancel", "leave"),
    Words("算了", "leave"),
    Words("status of {s}", "read"),
    Words("{s} 的状态", "read"),
    Words("is it up?", "read"),
    Words("what would the plan do?", "read"),
    Words("help", "other"),
    Words("thanks", "other"),
    Words("hello", "other"),
    Words("hand this over to a person", "other"),
    Words("resume", "other"),
    Words("read-only: maintenance", "read only"),
    Words("只读", "read only"),
    Words("read-only off", "write again"),
)


class Rules(msgspec.Struct, frozen=True):
    """A policy as the judge understands it: lists of names, "*" for everybody but guests."""

    name: str
    confirm: tuple[str, ...] = ("*",)
    approve: tuple[str, ...] | None = None
    approvals: int = 0
    self_approve: bool = False
    most: int | None = None
    services: tuple[str, ...] | None = None

    def file(self) -> dict[str, Any]:
        """As a policy file has it."""
        rule: dict[str, Any] = {"confirm": list(self.confirm), "approvals": self.approvals}
        rule["self_approve"] = self.self_approve
        if self.approve is not None:
            rule["approve"] = list(self.approve)
        if self.most is not None:
            rule["limits"] = {"max_replicas": self.most}
        if self.services is not None:
            rule["services"] = list(self.services)
        return {"rules": [rule]}

    def may(self, role: Literal["confirm", "approve"], user: str, service: str) -> bool:
        named = self.confirm if role == "confirm" or self.approve is None else self.approve
        here = self.services is None or service in self.services
        return here and (user in named or ("*" in named and user != "gus"))


POLICIES: Final = (
    Rules("open"),
    Rules("two people", confirm=("alice", "bob")),
    Rules("nobody", confirm=()),
    Rules("one approval", approve=("bob", "carol"), approvals=1),
    Rules("two approvals, own counts", approvals=2, self_approve=True),
    Rules("at most four", most=4),
    Rules("web alone", services=("web",)),
    Rules("the guest", confirm=("gus", "alice")),
)
