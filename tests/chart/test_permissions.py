"""What the account that the chart makes may do on a real API server, and what the bot says where that is not enough.

The chart is installed without pods: the bot is here, and has the account's token.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import Entity, EntityKind, Service
from chatops_bot.domain.observed import Permission
from tests.chart.conftest import Store
from tests.chart.release import NAME, Release
from tests.chart.rendering import CHART, RELEASE
from tests.chart.test_static_rbac import Grants, granted, permissions
from tests.chart.workloads import path_of, workload
from tests.cluster.api import Api
from tests.cluster.talk import CLUSTER, Talk, talk

WORKLOADS: dict[EntityKind, str] = {"Deployment": "web", "StatefulSet": "store", "DaemonSet": "agent"}
REQUESTS = {"scale": ("scale {} to 3", "把 {} 扩容到 3 个副本"), "restart": ("restart {}", "重启 {}")}
POLICY = {"rules": [{"confirm": ["*"]}]}
BOTH = tuple(REQUESTS)
"""Two that stand for all: what each is granted is compared without a cluster in `test_static_rbac`."""

CASES: dict[str, dict[str, Any]] = {
    "reading": {},
    "scale": {"policy": POLICY, "actions": ["scale"]},
    "restart": {"policy": POLICY, "actions": ["restart"]},
    "both": {"policy": POLICY, "actions": [*BOTH]},
    "cluster-wide": {"policy": POLICY, "actions": [*BOTH], "clusterWide": True},
    "nodes": {"policy": POLICY, "actions": [*BOTH], "nodes": {"read": True}},
}


def values_of(release: Release, case: str) -> dict[str, Any]:
    return {
        "image": {"repository": "registry.test/pretended"},
        "replicaCount": 0,
        "namespaces": [release.served],
        "redis": {"mode": "external", "external": {"url": "redis://redis:6379"}},
        **CASES[case],
    }


def enabled(case: str) -> tuple[str, ...]:
    return tuple(CASES[case]["actions"]) if "policy" in CASES[case] else ()


@dataclass(frozen=True)
class Account:
    """The bot's account, as whoever has its token."""

    release: Release
    token: str

    @property
    def api(self) -> Api:
        return self.release.controlplane.api(self.token)

    def allowed(self, namespace: str, group: str, resource: str, verb: str) -> bool:
        """What the server says that it may."""
        name, _, below = resource.partition("/")
        asked = {"namespace": namespace, "group": group, "resource": name, "subresource": below, "verb": verb}
        body = {"spec": {"resourceAttributes": asked}}
        path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
        return bool(self.api.make(path, body)["status"]["allowed"])

    def rules(self, namespace: str) -> frozenset[Permission]:
        """All that it may do in a namespace, by the server's own list."""
        path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews"
        found = self.api.make(path, {"spec": {"namespace": namespace}})["status"]
        assert not found["incomplete"]
        return frozenset(permissions({"apiGroups": [""], **rule} for rule in found["resourceRules"]))


def install(release: Release, values: dict[str, Any], *, chart: Path = CHART) -> Account:
    release.run("install", RELEASE, str(chart), values=values)
    return account(release, NAME)


def account(release: Release, name: str) -> Account:
    path = f"/api/v1/namespaces/{release.namespace}/serviceaccounts/{name}/token"
    made = release.api.make(path, {"spec": {"expirationSeconds": 600}})
    return Account(release, made["status"]["token"])


def expected(grants: Grants, namespace: str) -> frozenset[Permission]:
    return grants.get(namespace, frozenset()) | grants.get("", frozenset())


def catalog(release: Release) -> list[Service]:
    found = [Entity(CLUSTER, release.served, kind, name, name, "prod") for kind, name in WORKLOADS.items()]
    return [Service(entity=entity) for entity in [*found, Entity(CLUSTER, "", "Node", "node-a", "node-a", "prod")]]


async def reads_all(bot: Talk) -> None:
    for name in WORKLOADS.values():
        assert f"{name} is healthy" in await bot.ask(f"how is {name}?", f"reader-of-{name}")
        assert f"Log of {name}-" in await bot.ask(f"logs of {name}", f"log-reader-of-{name}")
        assert "cannot list" not in await bot.ask(f"events of {name}", f"event-reader-of-{name}")
    assert "does not allow" not in bot.everything()


async def carries_out(bot: Talk, action: str, name: str) -> None:
    """From the words to the end of the rollout."""
    user = f"{action}-{name}"
    told = await bot.ask(REQUESTS[action][0].format(name), user)
    assert bot.offers("confirm", user), told
    await bot.press("confirm", user)
    await bot.until_heard(f"Done: {action} {name}", user)


async def is_told_what_is_missing(bot: Talk, release: Release, action: str, kind: EntityKind) -> None:
    """In both languages: no plan; which permission, and where it is missing."""
    name, plural = WORKLOADS[kind], path_of("", "", kind).split("/")[-2]
    missing = f"patch {plural}.apps {name} -n {release.served}"
    for number, (words, doctor) in enumerate(
        zip(REQUESTS[action], ("doctor lists what to grant", "doctor 会列出要授予什么"), strict=True)
    ):
        user = f"{action}-{name}-{number}"
        told = await bot.ask(words.format(name), user)
        assert missing in told
        assert doctor in told
        assert not bot.offers("confirm", user)


def pairs(actions: Iterable[str]) -> Iterator[tuple[str, EntityKind]]:
    for action in actions:
        for kind in ACTIONS[action].kinds:
            if kind in WORKLOADS:
                yield action, kind


def verbs_on(kind: EntityKind, actions: Iterable[str]) -> set[Permission]:
    return {each for action in actions if kind in ACTIONS[action].kinds for each in ACTIONS[action].permissions(kind)}


def refused_of(release: Release, case: str) -> list[tuple[str, str, str, str, str, str]]:
    """What must never succeed: method and path of an attempt, and how the server's review calls it."""
    here, bot, other = release.served, release.namespace, "kube-system"
    pod = f"/api/v1/namespaces/{here}/pods/store-0"
    web = path_of(here, "web")
    found = [
        ("GET", f"/api/v1/namespaces/{here}/secrets", here, "", "secrets", "list"),
        ("GET", f"/api/v1/namespaces/{bot}/secrets/slack", bot, "", "secrets", "get"),
        ("GET", f"/api/v1/namespaces/{here}/configmaps", here, "", "configmaps", "list"),
        ("POST", f"{pod}/exec?command=id&stdout=true", here, "", "pods/exec", "create"),
        ("POST", f"{pod}/attach", here, "", "pods/attach", "create"),
        ("POST", f"{pod}/portforward", here, "", "pods/portforward", "create"),
        ("POST", f"{pod}/eviction", here, "", "pods/eviction", "create"),
        ("DELETE", pod, here, "", "pods", "delete"),
        ("PATCH", pod, here, "", "pods", "patch"),
        ("POST", f"/apis/apps/v1/namespaces/{here}/deployments", here, "apps", "deployments", "create"),
        ("DELETE", web, here, "apps", "deployments", "delete"),
        ("PUT", web, here, "apps", "deployments", "update"),
        ("PATCH", f"{web}/scale", here, "apps", "deployments/scale", "patch"),
        ("PATCH", "/api/v1/nodes/node-a", "", "", "nodes", "patch"),
        (
            "POST",
            f"/api/v1/namespaces/{bot}/serviceaccounts/default/token",
            bot,
            "",
            "serviceaccounts/token",
            "create",
        ),
    ]
    wide, nodes = CASES[case].get("clusterWide"), CASES[case].get("nodes")
    if not wide:
        found.append(("GET", f"/apis/apps/v1/namespaces/{other}/deployments", other, "apps", "deployments", "list"))
        found.append(("PATCH", path_of(bot, NAME), bot, "apps", "deployments", "patch"))
        found.append(("GET", "/apis/apps/v1/deployments?watch=true", "", "apps", "deployments", "watch"))
    if not nodes:
        found.append(("GET", "/api/v1/nodes", "", "", "nodes", "list"))
    for kind, name in WORKLOADS.items():
        if not verbs_on(kind, enabled(case)):
            plural = path_of("", "", kind).split("/")[-2]
            found.append(("PATCH", path_of(here, name, kind), here, "apps", plural, "patch"))
    return found


@pytest.fixture
def shop(release: Release) -> Release:
    for kind, name in WORKLOADS.items():
        workload(release.api, release.served, name, kind=kind)
    return release


async def exercise(account: Account, store: Store, actions: Sequence[str], *, nodes: bool = False) -> None:
    """Everything that these actions and reading mean, end to end."""
    release = account.release
    kubeconfig = release.controlplane.kubeconfig(account.token, name=release.account)
    async with talk(redis=store.url, kubeconfig=kubeconfig, services=catalog(release)) as bot:
        await reads_all(bot)
        for action, kind in pairs(actions):
            await carries_out(bot, action, WORKLOADS[kind])
        changed = [what for _, what, _ in release.writes()]
        paths = [path_of("", WORKLOADS[kind], kind).split("/")[-2:] for _, kind in pairs(actions)]
        assert changed == [f"{release.served}/{plural}/{name}" for plural, name in paths]
        for action, kind in pairs(set(BOTH) - set(actions)):
            if not verbs_on(kind, actions):
                await is_told_what_is_missing(bot, release, action, kind)
        assert len(release.writes()) == len(changed)
        missing = f'User "{release.account}" cannot get resource "nodes" in API group "" at the cluster scope'
        for words, well in (("how is node-a?", "Node node-a is ready"), ("node-a 怎么样？", "节点 node-a 正常")):
            told = await bot.ask(words, words)
            assert (missing in told, well in told) == (not nodes, nodes), told


@pytest.mark.parametrize("case", CASES)
async def test_what_is_switched_on_works_and_nothing_else_does(shop: Release, store: Store, case: str) -> None:
    values = values_of(shop, case)
    bot = install(shop, values)

    await exercise(bot, store, enabled(case), nodes="nodes" in CASES[case])

    for method, path, namespace, group, resource, verb in refused_of(shop, case):
        assert not bot.allowed(namespace, group, resource, verb), (verb, resource)
        kind = "application/merge-patch+json" if method == "PATCH" else "application/json"
        answer = bot.api.send(method, path, {}, kind=kind)
        assert answer.status == 403, f"{method} {path}: {answer.status} {answer.text}"
        assert f'User "{shop.account}" cannot {verb} resource' in answer.json["message"]
    grants = granted(shop.helm.render(values))
    anybody = account(shop, "default")
    for namespace in (shop.served, shop.namespace, "default", "kube-system"):
        assert bot.rules(namespace) == anybody.rules(namespace) | expected(grants, namespace)


async def test_a_bot_of_the_whole_cluster_changes_nodes_where_that_is_switched_on(shop: Release, store: Store) -> None:
    whole = {"namespaces": [], "clusterWide": True, "nodes": {"read": True}}
    bot = install(shop, {**values_of(shop, "nodes"), **whole, "actions": ["cordon", "uncordon", "drain"]})
    name, pod = f"own-of-{shop.served}", f"/api/v1/namespaces/{shop.served}/pods"
    ready = {"conditions": [{"type": "Ready", "status": "True"}]}
    taint = {"key": "test", "value": "own", "effect": "NoSchedule"}
    shop.api.make("/api/v1/nodes", {"metadata": {"name": name}, "spec": {"taints": [taint]}, "status": ready})
    container = {"name": "main", "image": "registry.test/plain:1"}
    spec = {"containers": [container], "nodeName": name, "terminationGracePeriodSeconds": 0}
    shop.api.make(pod, {"metadata": {"name": "alone"}, "spec": spec})
    service = Service(entity=Entity(CLUSTER, "", "Node", name, name, "prod"))
    kubeconfig = shop.controlplane.kubeconfig(bot.token, name=shop.account)
    async with talk(redis=store.url, kubeconfig=kubeconfig, services=[service]) as chat:
        for words, heard in ((f"cordon {name}", "Cordoned"), (f"drain {name}, force", "Drained: all 1 pods are gone")):
            told = await chat.ask(words, heard)
            assert chat.offers("confirm", heard), told
            await chat.press("confirm", heard)
            await chat.until_heard(heard, heard)
    assert shop.api.get(f"{pod}/alone").status == 404
    assert shop.api.get(f"/api/v1/nodes/{name}").json["spec"]["unschedulable"]
    shop.api.delete(f"/api/v1/nodes/{name}")


@pytest.mark.parametrize(
    ("action", "kinds", "fewer", "cannot"),
    [
        ("scale", "deployments, statefulsets", "deployments", "statefulsets"),
        ("restart", "deployments, statefulsets, daemonsets", "deployments, statefulsets", "daemonsets"),
    ],
)
async def test_a_verb_that_is_dropped_is_missed(
    shop: Release, store: Store, tmp_path: Path, action: str, kinds: str, fewer: str, cannot: str
) -> None:
    chart = changed(tmp_path, action, (kinds, fewer))
    bot = install(shop, values_of(shop, action), chart=chart)
    with pytest.raises(AssertionError, match=f"lacks a permission: patch {cannot}"):
        await exercise(bot, store, [action])


def test_a_verb_that_is_added_is_seen(release: Release, tmp_path: Path) -> None:
    chart = changed(tmp_path, "scale", ("verbs: [get, patch]", "verbs: [get, patch, delete]"))
    bot = install(release, values_of(release, "scale"), chart=chart)
    grants = granted(release.helm.render(values_of(release, "scale")))
    more = bot.rules(release.served) - account(release, "default").rules(release.served) - grants[release.served]
    assert {(each.resource, each.verb) for each in more} == {("deployments", "delete"), ("statefulsets", "delete")}


def changed(folder: Path, part: str, change: tuple[str, str]) -> Path:
    """A copy of the chart with another rule in one part."""
    chart = folder / "chatops-bot"
    shutil.copytree(CHART, chart)
    file = chart / "files" / "permissions.yaml"
    head, found, tail = file.read_text("utf-8").partition(f"  {part}:\n")
    assert found
    assert change[0] in tail
    file.write_text(f"{head}{found}{tail.replace(*change, 1)}", encoding="utf-8")
    return chart
