"""In people's own names on a real API server: its roles decide about the person, and its audit log names them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from chatops_bot.domain.impersonation import Actor, Impersonation
from tests.cluster.account import NAME
from tests.cluster.controlplane import ControlPlane
from tests.cluster.talk import service, talk
from tests.cluster.weather import Weather, place

RBAC = "/apis/rbac.authorization.k8s.io/v1"
Json = dict[str, Any]


@pytest.fixture
def people(controlplane: ControlPlane, namespace: str) -> Iterator[Impersonation]:
    """alice has no role, bob's second group may patch workloads; the bot may act for these two and no others."""
    admin = controlplane.api()
    who = {
        "alice": Actor(f"alice@{namespace}", (f"dev-{namespace}",)),
        "bob": Actor(f"bob@{namespace}", (f"all-{namespace}", f"sre-{namespace}")),
        "mallory": Actor(f"mallory@{namespace}", (f"sre-{namespace}",)),
    }
    known = (who["alice"], who["bob"])
    may_patch: Json = {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["patch"]}
    may_act: list[Json] = [
        {
            "apiGroups": [""],
            "resources": ["users"],
            "verbs": ["impersonate"],
            "resourceNames": [each.user for each in known],
        },
        {
            "apiGroups": [""],
            "resources": ["groups"],
            "verbs": ["impersonate"],
            "resourceNames": [group for each in known for group in each.groups],
        },
    ]
    group = "rbac.authorization.k8s.io"
    admin.make(f"{RBAC}/namespaces/{namespace}/roles", {"metadata": {"name": "sre"}, "rules": [may_patch]})
    admin.make(
        f"{RBAC}/namespaces/{namespace}/rolebindings",
        {
            "metadata": {"name": "sre"},
            "roleRef": {"apiGroup": group, "kind": "Role", "name": "sre"},
            "subjects": [{"apiGroup": group, "kind": "Group", "name": f"sre-{namespace}"}],
        },
    )
    cluster_wide = f"act-{namespace}"
    admin.make(f"{RBAC}/clusterroles", {"metadata": {"name": cluster_wide}, "rules": may_act})
    admin.make(
        f"{RBAC}/clusterrolebindings",
        {
            "metadata": {"name": cluster_wide},
            "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": cluster_wide},
            "subjects": [{"kind": "ServiceAccount", "name": NAME, "namespace": namespace}],
        },
    )
    yield Impersonation(people=who)
    admin.delete(f"{RBAC}/clusterrolebindings/{cluster_wide}")
    admin.delete(f"{RBAC}/clusterroles/{cluster_wide}")


def patches(there: Weather) -> list[Json]:
    """What the API server recorded of all patches by the bot, in whoever's name."""
    return [
        event
        for event in there.controlplane.audit()
        if event["verb"] == "patch" and event["user"]["username"] == there.account.user
    ]


async def test_roles_decide_about_the_person_and_the_audit_log_names_them(
    controlplane: ControlPlane, namespace: str, redis_url: str, people: Impersonation
) -> None:
    async with (
        place(controlplane, namespace, redis_url) as there,
        talk(
            redis=there.store,
            kubeconfig=there.kubeconfig,
            services=[service(namespace, "web")],
            impersonation=people,
        ) as room,
    ):
        told = await room.ask("scale web to 5", "alice")
        assert f"alice@{namespace}, who you are in" in told
        assert f"lacks a permission there: patch deployments.apps web -n {namespace}." in told
        assert not room.offers("confirm", "alice")

        assert f"Tried as bob@{namespace}" in await room.ask("scale web to 3", "bob")
        assert "Done: scale web" in await room.press("confirm", "bob")
        assert there.replicas("web") == 3

        # Nobody has granted the bot to act for this one: the API server refuses, and nothing is written.
        told = await room.ask("scale web to 4", "mallory")
        assert "impersonate" in told
        assert not room.offers("confirm", "mallory")
        assert there.replicas("web") == 3

        (write,) = [event for event in patches(there) if "dryRun=" not in event["requestURI"]]
        assert write["responseStatus"]["code"] == 200
        acting = write["impersonatedUser"]
        assert acting["username"] == f"bob@{namespace}"
        assert {f"all-{namespace}", f"sre-{namespace}"} <= set(acting["groups"])
        assert f"system:serviceaccounts:{namespace}" not in acting["groups"]
