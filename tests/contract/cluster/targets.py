"""The clusters on which the Kubernetes adapter must behave alike, and how a test fills and disturbs them.

Namespaces have the names here by which tests know them; what they are called in the cluster is the target's affair.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.sandbox.access import BOT, BOT_TOKEN
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.adapters.sandbox.seeding import format as seed_format
from chatops_bot.app.real_cluster.making import Making
from chatops_bot.app.real_cluster.workloads import Workloads
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.plans import Change
from tests.cluster.account import Account
from tests.cluster.controlplane import NODES, ControlPlane

Json = dict[str, Any]
SPACES = ("shop", "other")

_numbers = itertools.count(1)


class TestClock:
    """Real time, but pauses are short: nothing here is proved by waiting."""

    __test__ = False

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.02))


class Target:
    """A cluster under test. `user` is who the bot is there, `nodes` its nodes."""

    user: str
    nodes: tuple[str, ...]

    def __init__(self, spaces: Mapping[str, str]) -> None:
        self.spaces = spaces

    def web(self, kind: EntityKind = "Deployment", name: str = "web", namespace: str = "shop") -> Entity:
        """A workload, whether it is there or not."""
        space = self.spaces.get(namespace, namespace)
        return Entity(cluster="test", namespace=space, kind=kind, workload=name, name=name)

    def scaled(self, replicas: int, name: str = "web") -> Change:
        """A Deployment of the shop to another size, with the mark of a plan."""
        body = {"metadata": {"annotations": {"chatops-bot.io/plan": "t0"}}, "spec": {"replicas": replicas}}
        space = self.spaces["shop"]
        return Change(group="apps", version="v1", plural="deployments", namespace=space, name=name, body=body)

    def connection(self) -> Connection:
        """As the bot."""
        raise NotImplementedError

    def nameless(self) -> Connection:
        """Without credentials."""
        raise NotImplementedError

    async def fill(self, section: Mapping[str, Any]) -> None:
        """As the `cluster` section of a transcript; returns when controllers are at rest."""
        await self._fill({key: [self._placed(item) for item in rows] for key, rows in section.items()})

    async def remove(self, kind: EntityKind, name: str) -> None:
        """Take a workload of the shop away."""
        raise NotImplementedError

    async def cordon(self, node: str, *, on: bool) -> None:
        raise NotImplementedError

    async def bound(self, hard: Json, default: Json) -> None:
        """Give the shop a quota, taken stock of, and limits that a container has by default."""
        raise NotImplementedError

    async def settle(self) -> None:
        raise NotImplementedError

    async def close(self) -> None:
        """Leave nothing behind."""

    async def _fill(self, section: Mapping[str, Any]) -> None:
        raise NotImplementedError

    def _placed(self, item: Any) -> Any:
        """A workload or a manifest, in the namespace that is meant."""
        if not isinstance(item, dict):
            return item
        moved = {key: self._placed(value) if key == "metadata" else value for key, value in item.items()}
        return moved | ({"namespace": self.spaces[item["namespace"]]} if "namespace" in item else {})


class SandboxTarget(Target):
    user = BOT.name
    nodes = ("node-1", "node-2", "node-3")

    def __init__(self, sandbox: Sandbox) -> None:
        super().__init__({name: name for name in SPACES})
        self.sandbox = sandbox

    def connection(self) -> Connection:
        return Connection.at_url(self.sandbox.url, token=BOT_TOKEN)

    def nameless(self) -> Connection:
        return Connection.at_url(self.sandbox.url)

    async def _fill(self, section: Mapping[str, Any]) -> None:
        self.sandbox.apply(section)
        await self.sandbox.settle()

    async def remove(self, kind: EntityKind, name: str) -> None:
        client = Client(self.connection(), writes=True, threads=1)
        await client.call("DELETE", f"/apis/apps/v1/namespaces/shop/{kind.lower()}s/{name}")
        await client.close()

    async def cordon(self, node: str, *, on: bool) -> None:
        await self._fill({"nodes": [{"name": node, "unschedulable": on}]})

    async def bound(self, hard: Json, default: Json) -> None:
        quota, limits = _bounds(hard, default)
        named = {"namespace": "shop"}
        quota = {"apiVersion": "v1", "kind": "ResourceQuota", **quota, "metadata": {**quota["metadata"], **named}}
        quota["status"] = {"hard": hard, "used": dict.fromkeys(hard, "2")}  # nobody counts here
        limits = {"apiVersion": "v1", "kind": "LimitRange", **limits, "metadata": {**limits["metadata"], **named}}
        await self._fill({"objects": [quota, limits]})

    async def settle(self) -> None:
        await self.sandbox.settle()


class ControlPlaneTarget(Target):
    """The bot has an account there that may do what the README says, in the shop alone."""

    nodes = NODES

    def __init__(self, running: ControlPlane) -> None:
        number = next(_numbers)
        super().__init__({name: f"{name}-of-test-{number}" for name in SPACES})
        self._running = running
        self._admin = running.api()
        self._account = Account(self._admin, self.spaces["shop"])
        self.user = self._account.user
        self._client = Client(Connection.from_kubeconfig(running.kubeconfig()), threads=4)
        spaces = tuple(self.spaces.values())
        self._workloads = Workloads(self._client, spaces, clock=TestClock(), tell=_silent)
        self._making = Making(self._client, settle=self._workloads.rest, tell=_silent, clock=TestClock())
        self._kubeconfig = ""

    async def open(self) -> None:
        await asyncio.to_thread(self._prepare)

    def _prepare(self) -> None:
        for space in self.spaces.values():
            self._admin.make("/api/v1/namespaces", {"metadata": {"name": space}})
        for space in self.spaces.values():
            self._admin.until(f"/api/v1/namespaces/{space}/serviceaccounts/default", lambda _: True)
        self._account.create()
        apart = [
            {"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get"]},
            {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get", "list", "watch"]},
            {"apiGroups": [""], "resources": ["pods"], "verbs": ["list"]},
        ]
        rbac = "/apis/rbac.authorization.k8s.io/v1"
        name = self.spaces["shop"]
        self._admin.make(f"{rbac}/clusterroles", {"metadata": {"name": name}, "rules": apart})
        subject = {"kind": "ServiceAccount", "name": "chatops-bot", "namespace": name}
        role = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name}
        self._admin.make(
            f"{rbac}/clusterrolebindings", {"metadata": {"name": name}, "roleRef": role, "subjects": [subject]}
        )
        self._kubeconfig = str(self._running.kubeconfig(self._account.token(), name=f"bot-in-{name}"))

    def connection(self) -> Connection:
        return Connection.from_kubeconfig(self._kubeconfig)

    def nameless(self) -> Connection:
        content = yaml.safe_load(Path(self._kubeconfig).read_text())
        content["users"][0]["user"] = {}
        path = Path(f"{self._kubeconfig}-nameless")
        path.write_text(yaml.safe_dump(content))
        return Connection.from_kubeconfig(path)

    async def _fill(self, section: Mapping[str, Any]) -> None:
        stirred = await self._making.apply(seed_format.read(section), manager="kubectl-create")
        await self._workloads.rest(stirred=stirred)

    async def remove(self, kind: EntityKind, name: str) -> None:
        await self._client.call("DELETE", f"/apis/apps/v1/namespaces/{self.spaces['shop']}/{kind.lower()}s/{name}")

    async def cordon(self, node: str, *, on: bool) -> None:
        body = {"spec": {"unschedulable": on or None}}
        content = "application/strategic-merge-patch+json"
        await self._client.call("PATCH", f"/api/v1/nodes/{node}", body=body, content=content)

    async def bound(self, hard: Json, default: Json) -> None:
        await asyncio.to_thread(self._bound, hard, default)

    def _bound(self, hard: Json, default: Json) -> None:
        quota, limits = _bounds(hard, default)
        space = f"/api/v1/namespaces/{self.spaces['shop']}"
        self._admin.make(f"{space}/limitranges", limits)
        self._admin.make(f"{space}/resourcequotas", quota)
        self._admin.until(f"{space}/resourcequotas/team", lambda found: "used" in found.get("status", {}))

    async def settle(self) -> None:
        await self._workloads.rest()

    async def close(self) -> None:
        """Of what is left the namespaces go by themselves."""
        await self._client.close()
        rbac = "/apis/rbac.authorization.k8s.io/v1"
        for path in (f"{rbac}/clusterrolebindings", f"{rbac}/clusterroles"):
            await asyncio.to_thread(self._admin.delete, f"{path}/{self.spaces['shop']}")
        for space in self.spaces.values():
            await asyncio.to_thread(self._admin.delete, f"/api/v1/namespaces/{space}")


def _bounds(hard: Json, default: Json) -> tuple[Json, Json]:
    quota = {"metadata": {"name": "team"}, "spec": {"hard": hard}}
    return quota, {"metadata": {"name": "bounds"}, "spec": {"limits": [{"type": "Container", "default": default}]}}


def _silent(_: str) -> None:
    """Nobody wants to know."""
