"""Overviews over several clusters, and what is found by name: what is missing is said, what is forbidden left out."""

from __future__ import annotations

from typing import Any

from chatops_bot.domain.catalog import Catalog
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.events import Queried
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.observed import Found, Overview, Raw
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import parse
from chatops_bot.domain.reports import Report
from chatops_bot.domain.texts import render
from chatops_bot.domain.world import World
from chatops_bot.engine.overviews import OverviewAnswers
from chatops_bot.ports.cluster import ClusterError, ClusterUnavailable, Refused
from tests.unit.domain.cluster_objects import NOW, workload
from tests.unit.domain.diagnosis.recorded import HASH, crashing, pod

ROOM = Room("console", "local", "ops")
EAST = Entity("east", "shop", "Deployment", "web", "storefront", "prod")


def deployment(name: str, space: str, *, ready: int = 1) -> Raw:
    row = workload("Deployment", 1, ready)
    return {**row, "metadata": {**row["metadata"], "name": name, "namespace": space}}


def crashed(owner: str, space: str) -> Raw:
    row = pod("p", crashing(1))
    meta = {**row["metadata"], "name": f"{owner}-{HASH}-x2x4z", "namespace": space}
    meta["ownerReferences"] = [{"kind": "ReplicaSet", "name": f"{owner}-{HASH}", "controller": True}]
    return {**row, "metadata": meta}


class Reader:
    """A cluster of two namespaces, with one broken Deployment called `web` in each."""

    def __init__(self, name: str, *spaces: str, away: bool = False) -> None:
        self.name = name
        self.spaces = spaces
        self.away = away
        self.held: dict[tuple[str, str], list[Found] | ClusterError] = {}

    async def overview(self, namespaces: tuple[str, ...] = ()) -> Overview:
        if self.away:
            lost = ("deployments:timeout", "pods:timeout", "jobs:timeout")
            return Overview(cluster=self.name, at=NOW, namespaces=namespaces, unread=lost)
        served = tuple(space for space in namespaces or self.spaces if space in self.spaces)
        strangers = tuple(f"namespaces:{space}" for space in namespaces if space not in self.spaces)
        return Overview(
            cluster=self.name,
            at=NOW,
            namespaces=served,
            workloads=tuple(deployment("web", space, ready=0) for space in served if space != "empty"),
            pods=tuple(crashed("web", space) for space in served if space != "empty"),
            unread=strangers,
        )

    async def find(self, kind: EntityKind, name: str, namespace: str = "") -> list[Found]:
        found = self.held.get((kind, name), [])
        if isinstance(found, ClusterError):
            raise found
        return [one for one in found if namespace in ("", one.entity.namespace)]


def answers(*readers: Reader, policy: Policy | None = None) -> OverviewAnswers:
    world = World(
        catalog=Catalog([Service(entity=EAST)], namespaces=["shop", "pay", "empty"]),
        policy=policy or Policy.open(),
        clusters={"east": "prod", "west": "staging"},
    )
    return OverviewAnswers(clusters={one.name: one for one in readers}, world=lambda: world)  # type: ignore[misc]


async def asked(of: OverviewAnswers, intent: str = "overview", **slots: Any) -> Queried:
    user = User("console", "local", "alice")
    effect = Query(id="e", thread="t", room=ROOM, user=user, intent=intent, entity=None, slots=slots)
    return await of.answer(effect, NOW)


async def report(of: OverviewAnswers, intent: str = "overview", **slots: Any) -> Report:
    found = (await asked(of, intent, **slots)).report
    assert found is not None
    return found


def said(found: Report) -> list[str]:
    return [render(row.line, "en").split(":")[0] for row in found.rows]


async def test_several_clusters_are_one_list_and_each_row_says_where() -> None:
    found = await report(answers(Reader("east", "shop", "pay"), Reader("west", "shop")))
    assert sorted(said(found)) == ["east/pay/deployment/web", "east/shop/storefront", "west/shop/deployment/web"]
    assert render(found.headline, "en") == "Problems in all clusters: 3 of 3 workloads and jobs."
    assert {row.entity.environment for row in found.rows} == {"prod", "staging"}


async def test_a_namespace_is_looked_for_everywhere_and_found_where_it_is() -> None:
    of = answers(Reader("east", "shop", "pay"), Reader("west", "shop"))
    assert said(await report(of, namespace="PAY")) == ["deployment/web"]
    assert render((await report(of, namespace="pay")).headline, "en").startswith("Problems in east/pay")
    assert said(await report(of, namespace="shop")) == ["east/storefront", "west/deployment/web"]
    assert said(await report(of, cluster="west")) == ["shop/deployment/web"]
    assert said(await report(of, namespace="west")) == ["shop/deployment/web"]


async def test_a_place_that_is_none_is_said_with_those_that_are() -> None:
    of = answers(Reader("east", "shop", "empty"), Reader("west", "shop"))
    for slots in ({"namespace": "nowhere"}, {"cluster": "north"}):
        found = await report(of, **slots)
        assert found.headline.key == "overview.nowhere"
        assert render(found.lines[0], "en") == "I know: east, west, empty, pay, shop."
    assert (await report(of, namespace="empty")).headline.key == "overview.empty"


async def test_an_environment_is_that_of_each_entity() -> None:
    of = answers(Reader("east", "shop"), Reader("west", "shop"))
    assert said(await report(of, environment="prod")) == ["east/shop/storefront"]
    assert said(await report(of, environment="staging")) == ["west/shop/deployment/web"]
    assert render((await report(of, environment="test")).headline, "en") == "Nothing found in test."


async def test_a_cluster_that_does_not_answer_is_named_and_the_others_are_read() -> None:
    found = await report(answers(Reader("east", "shop"), Reader("west", "shop", away=True)))
    assert said(found) == ["shop/storefront"]
    assert render(found.unread[-1], "en") == "Cluster west could not be read: timeout."
    alone = await asked(answers(Reader("west", "shop", away=True)))
    assert alone.report is None
    assert alone.problem is not None
    assert "west" in render(alone.problem, "en")


async def test_what_may_not_be_read_is_left_out() -> None:
    rule = {"actions": ["read"], "environments": ["staging"], "request": ["bob"]}
    of = answers(Reader("east", "shop"), Reader("west", "shop"), policy=parse({"rules": [rule]}))
    found = await report(of)
    assert said(found) == ["east/shop/storefront"]
    assert found.unread[-1].args == {"count": 1, "names": "shop"}
    assert (await report(of, cluster="west")).headline.key == "overview.forbidden"


def entity(kind: EntityKind, name: str, space: str = "shop", cluster: str = "east") -> Entity:
    return Entity(cluster, space, kind, name, name)


async def test_a_pod_is_its_service_and_whatever_no_catalog_lists_itself() -> None:
    east = Reader("east", "shop", "pay")
    east.held = {
        ("Pod", "web-1-a"): [Found(entity("Pod", "web-1-a"), owner=entity("Deployment", "web"))],
        ("Pod", "b-1"): [Found(entity("Pod", "b-1"), owner=entity("Job", "b"))],
        ("Job", "backup"): [Found(entity("Job", "backup")), Found(entity("Job", "backup", "pay"))],
        ("CronJob", "nightly"): [Found(entity("CronJob", "nightly"))],
    }
    of = answers(east, Reader("west", "shop"))
    assert [row.entity for row in (await report(of, "find", kind="Pod", name="web-1-a")).rows] == [EAST]
    (alone,) = (await report(of, "find", kind="Pod", name="b-1")).rows
    assert (alone.entity.kind, alone.entity.environment) == ("Pod", "prod")
    both = (await report(of, "find", kind="Job", name="backup")).rows
    assert [row.entity.namespace for row in both] == ["shop", "pay"]
    assert len((await report(of, "find", kind="Job", name="backup", namespace="pay")).rows) == 1
    assert [row.entity.kind for row in (await report(of, "find", kind="Job", name="nightly")).rows] == ["CronJob"]
    assert (await report(of, "find", kind="Pod", name="none")).rows == ()


async def test_where_nothing_could_be_looked_for_that_is_said_and_not_that_there_is_none() -> None:
    east, west = Reader("east", "shop"), Reader("west", "shop")
    east.held = {("Pod", "a-1"): [Found(entity("Pod", "a-1"))]}
    west.held = {("Pod", "a-1"): ClusterUnavailable("no answer"), ("Pod", "b-1"): Refused("no", status=403)}
    found = await report(answers(east, west), "find", kind="Pod", name="a-1")
    assert len(found.rows) == 1
    assert "west" in render(found.unread[0], "en")
    alone = await asked(answers(west), "find", kind="Pod", name="b-1")
    assert alone.report is None
    assert alone.problem is not None
