"""Cordon, uncordon and drain against kubectl's own, and a drain under the real disruption controller.

The nodes are the tests' own: made by the API, without a kubelet, and with pods that these tests bind and report, for the
nodes of the stand-in kubelet are everybody's.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chatops_bot.domain.actions.owners import FIELD_MANAGER
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Followed
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.texts import render
from tests.cluster.api import Api
from tests.cluster.bot_side import BotSide, entity_of
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl
from tests.cluster.twins import Json, owned

_numbers = itertools.count(1)

Nodes = Callable[[], Entity]


def path_of(node: Entity) -> str:
    return f"/api/v1/nodes/{node.workload}"


@pytest.fixture
def own(admin: Api) -> Iterator[Nodes]:
    """Makes nodes that are ready, and on which no scheduler places anything."""
    made: list[Entity] = []

    def make() -> Entity:
        node = entity_of("Node", "", f"own-{next(_numbers)}")
        ready = {"type": "Ready", "status": "True", "reason": "KubeletReady", "message": "said by a test"}
        taint = {"key": "test", "value": "own", "effect": "NoSchedule"}
        admin.make(
            "/api/v1/nodes",
            {
                "metadata": {"name": node.workload},
                "spec": {"taints": [taint]},
                "status": {
                    "conditions": [ready],
                    "allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"},
                    "capacity": {"cpu": "8", "memory": "32Gi", "pods": "110"},
                },
            },
        )
        made.append(node)
        return node

    yield make
    for node in made:
        admin.delete(path_of(node))


@pytest.fixture
def kubectl(kubectl_in: Callable[[str], Kubectl], namespace: str) -> Kubectl:
    return kubectl_in(namespace)


def node_of(admin: Api, node: Entity) -> Json:
    found: Json = admin.get(path_of(node)).json
    return found


def placed(admin: Api, namespace: str, name: str, node: Entity, **metadata: Any) -> None:
    """A pod on a node, reported as ready. It ends at once, for nobody is there to stop it."""
    container = {"name": "main", "image": "registry.test/plain:1"}
    spec = {"containers": [container], "nodeName": node.workload, "terminationGracePeriodSeconds": 0}
    spec |= metadata.pop("spec", {})
    admin.make(f"/api/v1/namespaces/{namespace}/pods", {"metadata": {"name": name, **metadata}, "spec": spec})
    report(admin, namespace, name)


def report(admin: Api, namespace: str, name: str, phase: str = "Running") -> None:
    ready = {"type": "Ready", "status": "True" if phase == "Running" else "False"}
    body = {"status": {"phase": phase, "conditions": [ready]}}
    assert admin.patch(f"/api/v1/namespaces/{namespace}/pods/{name}/status", body).status == 200


def names_on(admin: Api, node: Entity) -> set[str]:
    rows = admin.get(f"/api/v1/pods?fieldSelector=spec.nodeName%3D{node.workload}").json["items"]
    return {row["metadata"]["name"] for row in rows}


async def to_the_end(bot: BotSide, plan: Plan, between: Callable[[], None] = lambda: None) -> Followed:
    """Rounds of following until the card has its last word; what `between` does goes on meanwhile."""
    for _ in range(200):
        told = await bot.follow(plan)
        if told is not None:
            return told
        between()
        await asyncio.sleep(0.1)
    raise AssertionError("it did not end")


def said(told: Followed) -> str:
    return "\n".join(render(line, "en") for line in told.lines)


@pytest.mark.kubectl
async def test_cordon_and_uncordon_are_kubectls(own: Nodes, admin: Api, bot: BotSide, kubectl: Kubectl) -> None:
    ours, theirs = own(), own()
    for action in ("cordon", "uncordon"):
        await kubectl.run(action, theirs.workload)
        plan = await bot.change(ours, action)
        told = await bot.follow(plan)
        assert told is not None
        assert (told.finished, told.failed) == (True, False)
        for node in (ours, theirs):
            admin.until(path_of(node), has_taint if action == "cordon" else has_no_taint)
        one, other = node_of(admin, ours), node_of(admin, theirs)
        assert without_times(one["spec"]) == without_times(other["spec"])
        assert owned(one, FIELD_MANAGER) == owned(other, "kubectl")
        notes = [key for key in one["metadata"].get("annotations", {}) if key == "chatops-bot.io/cordoned-by"]
        assert len(notes) == (action == "cordon")


def has_taint(node: Json) -> bool:
    return any(taint["key"] == "node.kubernetes.io/unschedulable" for taint in node["spec"].get("taints", ()))


def has_no_taint(node: Json) -> bool:
    return not has_taint(node)


def without_times(spec: Json) -> Json:
    taints = [{key: value for key, value in taint.items() if key != "timeAdded"} for taint in spec.get("taints", ())]
    return {**spec, "taints": sorted(taints, key=lambda taint: str(taint["key"]))}


@pytest.mark.kubectl
async def test_what_is_so_already_is_left_as_it_is_by_both(
    own: Nodes, bot: BotSide, kubectl: Kubectl, controlplane: ControlPlane
) -> None:
    node = own()
    assert "already uncordoned" in await kubectl.run("uncordon", node.workload)
    plain = await bot.prepare(node, "uncordon")
    assert plain.problem is not None
    assert plain.problem.key == "uncordon.not_cordoned"
    await kubectl.run("cordon", node.workload)
    assert "already cordoned" in await kubectl.run("cordon", node.workload)
    again = await bot.prepare(node, "cordon")
    assert again.problem is not None
    assert "kubectl" in render(again.problem, "en")
    written = [row for row in controlplane.writes() if row["objectRef"].get("name") == node.workload]
    assert not any(row["userAgent"] == FIELD_MANAGER for row in written)


@pytest.mark.kubectl
async def test_kubectls_cordon_is_somebody_elses(own: Nodes, bot: BotSide, kubectl: Kubectl) -> None:
    node = own()
    await kubectl.run("cordon", node.workload)
    theirs = await bot.prepare(node, "uncordon")
    assert theirs.plan is not None
    assert theirs.plan.risk == "high"
    assert "It was not me who cordoned it but kubectl" in render(theirs.plan.warnings[0], "en")
    await kubectl.run("uncordon", node.workload)
    await bot.change(node, "cordon")
    mine = await bot.prepare(node, "uncordon")
    assert mine.plan is not None
    assert mine.plan.risk == "medium"
    # Uncordoned and cordoned anew by somebody else, it is theirs, whatever the node's annotation says.
    await kubectl.run("uncordon", node.workload)
    await kubectl.run("cordon", node.workload)
    anew = await bot.prepare(node, "uncordon")
    assert anew.plan is not None
    assert anew.plan.risk == "high"
    refused = await bot.execute(mine.plan)
    assert (refused.outcome, refused.fresh) == ("refused", True)


@pytest.mark.kubectl
async def test_a_drain_leaves_what_kubectls_leaves(
    own: Nodes, admin: Api, bot: BotSide, kubectl: Kubectl, namespace: str
) -> None:
    ours, theirs = own(), own()
    daemon_set(admin, namespace, (ours, theirs))
    for side, node in (("ours", ours), ("theirs", theirs)):
        placed(admin, namespace, f"{side}-bare", node)
        placed(admin, namespace, f"{side}-local", node, spec={"volumes": [{"name": "tmp", "emptyDir": {}}]})
        placed(admin, namespace, f"{side}-done", node)
        report(admin, namespace, f"{side}-done", "Succeeded")
    await kubectl.run(
        "drain", theirs.workload, "--ignore-daemonsets", "--delete-emptydir-data", "--force", "--timeout=20s"
    )
    plan = await bot.change(ours, "drain", {"force": True, "local_data": True})
    told = await to_the_end(bot, plan)
    assert (told.finished, told.failed) == (True, False), told
    for node in (ours, theirs):
        (left,) = names_on(admin, node)
        assert left.startswith("agent-")
        assert node_of(admin, node)["spec"]["unschedulable"]
    assert "of DaemonSets 1" in said(told)


def daemon_set(admin: Api, namespace: str, nodes: tuple[Entity, ...]) -> None:
    """One that is wanted on these nodes alone, with its pods there."""
    label = {"test.example/for": namespace}
    for node in nodes:
        assert admin.patch(path_of(node), {"metadata": {"labels": label}}).status == 200
    pod = {
        "schedulerName": "nobody",
        "nodeSelector": label,
        "tolerations": [{"operator": "Exists"}],
        "containers": [{"name": "main", "image": "registry.test/plain:1"}],
    }
    labels = {"app": "agent"}
    template = {"metadata": {"labels": labels}, "spec": pod}
    spec = {"selector": {"matchLabels": labels}, "template": template}
    admin.make(f"/apis/apps/v1/namespaces/{namespace}/daemonsets", {"metadata": {"name": "agent"}, "spec": spec})
    listed = f"/api/v1/namespaces/{namespace}/pods?labelSelector=app%3Dagent"
    found = admin.until(listed, lambda rows: len(rows["items"]) == len(nodes))
    for row in found["items"]:
        terms = row["spec"]["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]
        (node_name,) = terms["nodeSelectorTerms"][0]["matchFields"][0]["values"]
        bind(admin, namespace, row["metadata"]["name"], node_name)


def bind(admin: Api, namespace: str, name: str, node: str) -> None:
    """As a scheduler does, and the pod is ready at once."""
    target = {"apiVersion": "v1", "kind": "Node", "name": node}
    path = f"/api/v1/namespaces/{namespace}/pods/{name}/binding"
    answer = admin.post(path, {"metadata": {"name": name}, "target": target})
    assert answer.status == 201, answer.text
    report(admin, namespace, name)


class Crew:
    """A Deployment whose pods no scheduler places: the test does, and says that they are ready."""

    def __init__(self, admin: Api, namespace: str, *, replicas: int, least: int) -> None:
        self._admin = admin
        self._pods = f"/api/v1/namespaces/{namespace}/pods"
        self._namespace = namespace
        labels = {"app": "crew"}
        pod = {
            "schedulerName": "nobody",
            "terminationGracePeriodSeconds": 0,
            "containers": [{"name": "main", "image": "registry.test/plain:1"}],
        }
        admin.make(
            f"/apis/apps/v1/namespaces/{namespace}/deployments",
            {
                "metadata": {"name": "crew"},
                "spec": {
                    "replicas": replicas,
                    "selector": {"matchLabels": labels},
                    "template": {"metadata": {"labels": labels}, "spec": pod},
                },
            },
        )
        self.budget = f"/apis/policy/v1/namespaces/{namespace}/poddisruptionbudgets/crew"
        admin.make(
            self.budget.rpartition("/")[0],
            {"metadata": {"name": "crew"}, "spec": {"minAvailable": least, "selector": {"matchLabels": labels}}},
        )
        admin.until(self.listed, lambda found: len(found["items"]) == replicas)
        self.lowest = 0

    @property
    def listed(self) -> str:
        return f"{self._pods}?labelSelector=app%3Dcrew"

    def place(self, node: Entity) -> None:
        """Every pod that has no node goes there."""
        rows = self._admin.get(self.listed).json["items"]
        there = sum(bool(row["spec"].get("nodeName")) for row in rows)
        self.lowest = min(self.lowest, there) if self.lowest else len(rows)
        for row in rows:
            if not row["spec"].get("nodeName"):
                bind(self._admin, self._namespace, row["metadata"]["name"], node.workload)

    def counted(self, allowed: int) -> None:
        """The disruption controller has counted."""
        self._admin.until(self.budget, lambda found: found.get("status", {}).get("disruptionsAllowed") == allowed)


async def test_a_drain_keeps_the_budget_at_every_moment(own: Nodes, admin: Api, bot: BotSide, namespace: str) -> None:
    full, free = own(), own()
    crew = Crew(admin, namespace, replicas=4, least=3)
    crew.place(full)
    crew.counted(1)
    prepared = await bot.prepare(full, "drain")
    assert prepared.plan is not None
    waves = [render(line, "en") for line in prepared.plan.warnings if line.key == "warn.drain_waves"]
    assert waves == [f"The budget {namespace}/crew allows 1 at a time, 4 are here: it goes in waves."]
    assert (await bot.execute(prepared.plan)).outcome == "working"
    told = await to_the_end(bot, prepared.plan, lambda: crew.place(free))
    assert (told.finished, told.failed) == (True, False), told
    assert "all 4 pods are gone" in said(told)
    assert names_on(admin, full) == set()
    # What came in the place of the last one to go.
    admin.until(crew.listed, lambda found: len(found["items"]) == 4)
    crew.place(free)
    assert len(names_on(admin, free)) == 4
    assert crew.lowest >= 3


async def test_whoever_uncordons_the_node_stops_the_drain(
    own: Nodes, admin: Api, bot: BotSide, kubectl: Kubectl, namespace: str
) -> None:
    full, free = own(), own()
    crew = Crew(admin, namespace, replicas=2, least=2)
    crew.place(full)
    crew.counted(0)
    plan = await bot.change(full, "drain")
    assert any(line.key == "warn.drain_never" for line in plan.warnings)
    for _ in range(3):
        assert await bot.follow(plan) is None
    await kubectl.run("uncordon", full.workload)
    admin.delete(crew.budget)
    told = await to_the_end(bot, plan, lambda: crew.place(free))
    assert (told.state, told.failed) == ("interrupted", True)
    assert "Somebody has uncordoned the node" in said(told)
    assert len(names_on(admin, full)) == 2
    assert "unschedulable" not in node_of(admin, full)["spec"]


async def test_a_node_that_is_deleted_ends_the_drain(own: Nodes, admin: Api, bot: BotSide, namespace: str) -> None:
    full = own()
    crew = Crew(admin, namespace, replicas=2, least=2)
    crew.place(full)
    crew.counted(0)
    plan = await bot.change(full, "drain")
    assert await bot.follow(plan) is None
    assert admin.delete(path_of(full)).status == 200
    told = await to_the_end(bot, plan)
    assert told.failed
    assert "deleted" in said(told)


async def test_a_node_made_anew_under_its_name_is_another_one(own: Nodes, admin: Api, bot: BotSide) -> None:
    node = own()
    prepared = await bot.prepare(node, "cordon")
    assert prepared.plan is not None
    assert admin.delete(path_of(node)).status == 200
    admin.make("/api/v1/nodes", {"metadata": {"name": node.workload}})
    executed = await bot.execute(prepared.plan)
    assert executed.outcome == "refused"
    assert executed.problem is not None
    assert executed.problem.key == "gate.replaced"
    assert "unschedulable" not in node_of(admin, node)["spec"]


async def test_undoing_a_drain_uncordons_the_node_and_brings_nothing_back(
    own: Nodes, admin: Api, bot: BotSide, namespace: str
) -> None:
    full, free = own(), own()
    crew = Crew(admin, namespace, replicas=2, least=1)
    crew.place(full)
    crew.counted(1)
    plan = await bot.change(full, "drain")
    await to_the_end(bot, plan, lambda: crew.place(free))
    await bot.change(full, "uncordon")
    assert "unschedulable" not in node_of(admin, full)["spec"]
    assert names_on(admin, full) == set()
