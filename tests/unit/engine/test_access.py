"""Which permissions a plan needs, as access reviews ask for them."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.plans import Change, Plan
from chatops_bot.domain.texts import render
from chatops_bot.engine.access import MOST, asked_of, lacking
from chatops_bot.engine.gate import Cluster
from chatops_bot.ports.cluster import ClusterUnavailable
from tests.unit.domain.dialogue.talk import Talk

PATCH = Permission(group="apps", resource="deployments", verb="patch")
EVICT = Permission(group="", resource="pods", verb="create", subresource="eviction")


class Reader:
    """Answers reviews; `denied` are (user or "", verb)."""

    name = "east"

    def __init__(self, *denied: tuple[str, str], away: bool = False) -> None:
        self._denied = denied
        self._away = away
        self.asked: list[tuple[str, Permission, str, str]] = []

    async def allowed(
        self, permission: Permission, *, namespace: str, name: str = "", actor: Actor | None = None
    ) -> bool:
        if self._away:
            raise ClusterUnavailable("away")
        user = actor.user if actor else ""
        self.asked.append((user, permission, namespace, name))
        return (user, permission.verb) not in self._denied


def plan(*steps: Change) -> Plan:
    talk = Talk()
    talk.plan()
    made = talk.session.pending[-1].plan
    assert made is not None
    change = Change(group="apps", version="v1", plural="deployments", name="web", namespace="shop", body={})
    return msgspec.structs.replace(made, change=change, steps=steps)


def evictions(*namespaces: str) -> tuple[Change, ...]:
    return tuple(
        Change(group="", version="v1", plural="pods", name=f"p{n}", namespace=namespace, body={}, uid="u", verb="evict")
        for n, namespace in enumerate(namespaces)
    )


async def ask(reader: Reader, wanted: Plan, actor: Actor | None = None) -> str:
    found = await lacking(Cluster(reader=reader, writer=None), wanted, actor)  # type: ignore[arg-type]
    return render(found, "en") if found else ""


def test_steps_are_asked_about_once_per_namespace_and_not_without_end() -> None:
    asked = asked_of(plan(*evictions("a", "b", "a")))
    assert asked == ((PATCH, "shop", "web"), (EVICT, "a", ""), (EVICT, "b", ""))
    assert len(asked_of(plan(*evictions(*(f"n{number}" for number in range(50)))))) == MOST


async def test_the_bot_alone_or_the_bot_and_the_person() -> None:
    reader = Reader()
    assert await ask(reader, plan()) == ""
    assert reader.asked == [("", PATCH, "shop", "web")]
    reader = Reader(("bob", "create"))
    said = await ask(reader, plan(*evictions("a")), Actor("bob"))
    assert "bob, who you are in east, lacks a permission there: create pods/eviction -n a." in said
    assert [user for user, *_ in reader.asked] == ["", "", "bob", "bob"]
    said = await ask(Reader(("", "patch"), ("bob", "patch")), plan(), Actor("bob"))
    assert "The bot's own account in east lacks a permission: patch deployments.apps web -n shop." in said


async def test_what_cannot_be_reviewed_is_left_to_the_api_server() -> None:
    assert await ask(Reader(away=True), plan()) == ""
