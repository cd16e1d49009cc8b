"""The roles that the chart makes grant what the bot asks for with what is switched on, and nothing else.

What reading takes is measured: the Kubernetes adapter reads all that there is to read from the sandbox cluster, which
keeps a record. What changing takes is what the actions declare.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import pytest
import yaml

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.actions.costs import COSTS
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.entities import Entity, EntityKind
from chatops_bot.domain.objects import name_of
from chatops_bot.domain.observed import Found, LogQuery, Need, Permission
from chatops_bot.ports.clock import SystemClock
from tests.chart.rendering import CHART, NAMESPACE, Helm, Rendered

Grants = dict[str, frozenset[Permission]]
"""What is granted or needed, by namespace; "" is the whole cluster."""

SERVED = "payments"
POLICY: dict[str, Any] = {"rules": [{"confirm": ["*"]}]}
SUBSETS = sorted(
    {names for size in (0, 1, len(ACTIONS) - 1, len(ACTIONS)) for names in combinations(ACTIONS, size)}, key=len
)
"""None, each alone, all but one, all: what an action is granted does not depend on the others."""
NODE_ACTIONS = {name for name, action in ACTIONS.items() if action.kinds == {"Node"}}
"""Only for a bot that serves the whole cluster and knows its nodes."""
ON_WORKLOADS = tuple(name for name in ACTIONS if name not in NODE_ACTIONS)
REVIEWS = ("selfsubjectaccessreviews", "selfsubjectreviews")
"""Everybody who is logged in may ask these: system:basic-user."""

WORKLOADS = {"Deployment": "web", "StatefulSet": "store", "DaemonSet": "agent"}
BATCH: dict[EntityKind, str] = {"Job": "once", "CronJob": "nightly"}
DIAGNOSIS: frozenset[Need] = frozenset({"diagnosis"})
NAMES_FAIL = "lookup redis on 10.96.0.10:53: no such host\n"
_LABELS = {"app": "canary"}
_POD = {"metadata": {"labels": _LABELS}, "spec": {"containers": [{"name": "app", "image": "reg/x:1"}]}}
ROLLOUT = {
    "apiVersion": "argoproj.io/v1alpha1",
    "kind": "Rollout",
    "metadata": {"name": "canary", "namespace": SERVED},
    "spec": {"replicas": 1, "selector": {"matchLabels": _LABELS}, "template": _POD, "strategy": {"canary": {}}},
}


def _object(kind: str, group: str, name: str, **parts: Any) -> dict[str, Any]:
    return {"apiVersion": group, "kind": kind, "metadata": {"name": name, "namespace": SERVED}, **parts}


_TEMPLATE = {"spec": {"restartPolicy": "Never", "containers": [{"name": "app", "image": "reg/x:1"}]}}
_WAITING = {
    "phase": "Pending",
    "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "unbound claims"}],
}
AROUND: list[dict[str, Any]] = [
    _object("Job", "batch/v1", "once", spec={"template": _TEMPLATE}),
    _object("CronJob", "batch/v1", "nightly", spec={"schedule": "0 3 * * *", "jobTemplate": {}}),
    _object("PodMetrics", "metrics.k8s.io/v1beta1", "web-1", containers=[]),
    _object("Service", "v1", "web", spec={"selector": {"app": "web"}, "ports": [{"port": 80}]}),
    _object("PersistentVolumeClaim", "v1", "data", spec={"accessModes": ["ReadWriteOnce"]}),
    _object(
        "Pod",
        "v1",
        "waiting",
        spec={**_TEMPLATE["spec"], "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "data"}}]},
        status=_WAITING,
    ),
]
"""So that there is a reason for every read that a diagnosis may make."""


@pytest.fixture(scope="module")
def asked() -> Grants:
    """What reading and watching ask of the API server, by namespace."""
    return asyncio.run(_asked())


async def _asked() -> Grants:
    seeds = [{"kind": kind, "namespace": SERVED, "name": name, "image": "reg/x:1"} for kind, name in WORKLOADS.items()]
    crash = {"kind": "Deployment", "namespace": SERVED, "name": "web", "pods": ["CrashLoopBackOff"], "logs": NAMES_FAIL}
    async with Sandbox(clock=lambda: 1_767_614_400.0) as sandbox:
        sandbox.apply({"workloads": seeds, "objects": [ROLLOUT, *AROUND]})
        await sandbox.settle()
        sandbox.apply({"workloads": [crash]})
        await sandbox.settle()
        connection = Connection.at_url(sandbox.url, token=BOT_TOKEN)
        reader = KubernetesCluster("main", connection, clock=SystemClock(), namespaces=(SERVED,))
        try:
            await _read_everything(reader)
            await _watch(reader, sandbox)
        finally:
            await reader.close()
    needed: dict[str, set[Permission]] = {}
    for request in sandbox.requests:
        assert request.code < 400, f"{request.method} {request.path}: {request.code}"
        if request.resource not in ("", *REVIEWS):  # "": discovery, which is open to everybody too
            permission = Permission(request.group, request.resource, request.verb, request.subresource)
            # The cluster's DNS is in no namespace that the bot serves: looking at it takes leave in the whole cluster.
            namespace = "" if request.namespace == "kube-system" else request.namespace
            needed.setdefault(namespace, set()).add(permission)
    return {namespace: frozenset(permissions) for namespace, permissions in needed.items()}


async def _read_everything(reader: KubernetesCluster) -> None:
    await reader.whoami()
    entities = await reader.workloads()
    assert {entity.kind for entity in entities} == {*WORKLOADS, "Rollout", "Node"}
    for entity in entities:
        await reader.read(entity)
        observed = await reader.observe(entity, events=True, needs=COSTS | {"history"})
        assert not observed.unread
        if entity.kind != "Node":
            await reader.logs(entity, LogQuery())
            assert not (await reader.observe(entity, events=True, needs=DIAGNOSIS)).unread
    for kind, name in (*BATCH.items(), ("Pod", "waiting")):
        (found,) = await reader.find(kind, name)
        assert not (await reader.observe(found.entity, events=True, needs=DIAGNOSIS)).unread
    ran = [pod async for pod in _owned(reader)]
    assert {found.owner.kind for found in ran if found.owner} == {"Deployment", "Job"}
    assert not (await reader.overview()).unread


async def _owned(reader: KubernetesCluster) -> AsyncIterator[Found]:
    """A pod of a Deployment and one of a Job, by their names."""
    wanted: tuple[tuple[EntityKind, str], ...] = (("Deployment", "web"), ("Job", "once"))
    for kind, name in wanted:
        observed = await reader.observe(Entity("main", SERVED, kind, name, name))
        for found in await reader.find("Pod", name_of(observed.pods[0])):
            yield found


async def _watch(reader: KubernetesCluster, sandbox: Sandbox) -> None:
    """Until each list has its watch."""

    async def changed(_entities: list[Entity]) -> None:
        pass

    watching = asyncio.create_task(reader.watch(changed))
    for _ in range(1_000):  # the limit only ends a test that has failed
        await asyncio.sleep(0.01)
        if len({request.resource for request in sandbox.requests if request.verb == "watch"}) > len(WORKLOADS) + 1:
            break
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)


def permissions(rules: Iterable[dict[str, Any]]) -> Iterator[Permission]:
    """Rules of a role, taken apart."""
    for rule in rules:
        for group, resource, verb in product(rule["apiGroups"], rule["resources"], rule["verbs"]):
            name, _, below = resource.partition("/")
            yield Permission(group, name, verb, below)


def granted(rendered: Rendered) -> Grants:
    """What the account is granted; each role counts only by a binding of its own namespace to the bot's account."""
    account = rendered.component("bot")[1]["spec"]["serviceAccountName"]
    subject = {"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}
    grants: dict[str, set[Permission]] = {}
    for prefix in ("", "Cluster"):
        for binding in rendered.of(f"{prefix}RoleBinding"):
            namespace = binding["metadata"].get("namespace", "")
            assert binding["subjects"] == [subject]
            assert binding["roleRef"]["kind"] == f"{prefix}Role"
            (role,) = [
                role
                for role in rendered.of(f"{prefix}Role")
                if role["metadata"]["name"] == binding["roleRef"]["name"]
                and role["metadata"].get("namespace", "") == namespace
            ]
            grants.setdefault(namespace, set()).update(permissions(role["rules"]))
    assert len(rendered.of("Role")) == len(rendered.of("RoleBinding"))
    assert len(rendered.of("ClusterRole")) == len(rendered.of("ClusterRoleBinding"))
    return {namespace: frozenset(found) for namespace, found in grants.items() if found}


def needed(
    asked: Grants, actions: Iterable[str], *, nodes: bool, wide: bool, rollouts: bool = False, events: bool = True
) -> Grants:
    """What the bot needs with some actions switched on."""
    actions = tuple(actions)
    written = {
        permission
        for name in actions
        for kind in ACTIONS[name].kinds
        if kind != "Rollout" or rollouts
        for permission in ACTIONS[name].permissions(kind)
    }
    if events and actions:
        written.add(Permission("", "events", "create"))
    asked = {
        namespace: frozenset(one for one in found if one.resource != "rollouts" or rollouts)
        for namespace, found in asked.items()
    }
    found = {SERVED: asked[SERVED] | written}
    if nodes:
        found = {**asked, **found}
    return {"": frozenset().union(*found.values())} if wide else found


def values(actions: Iterable[str], *, nodes: bool, wide: bool, **others: Any) -> dict[str, Any]:
    served = [] if NODE_ACTIONS & set(actions) else [SERVED]
    return {"namespaces": served, "clusterWide": wide, "nodes": {"read": nodes}, "actions": [*actions], **others}


@pytest.mark.parametrize("wide", [False, True], ids=["namespaces", "cluster-wide"])
@pytest.mark.parametrize("nodes", [False, True], ids=["no-nodes", "nodes"])
@pytest.mark.parametrize("actions", SUBSETS, ids=lambda names: "+".join(names) or "none")
def test_it_grants_what_is_needed_and_nothing_more(
    helm: Helm, asked: Grants, actions: tuple[str, ...], *, nodes: bool, wide: bool
) -> None:
    chosen = values(actions, nodes=nodes, wide=wide, policy=POLICY)
    if NODE_ACTIONS & set(actions) and not (nodes and wide):
        assert "nodes are in no namespace" in helm.refusal(chosen)
        return
    assert granted(helm.render(chosen)) == needed(asked, actions, nodes=nodes, wide=wide)


@pytest.mark.parametrize("wide", [False, True], ids=["namespaces", "cluster-wide"])
@pytest.mark.parametrize("actions", [(), ("scale",), ("abort",), ON_WORKLOADS], ids=lambda names: str(len(names)))
def test_argo_rollouts_are_granted_where_they_are_switched_on(
    newest: Helm, asked: Grants, actions: tuple[str, ...], *, wide: bool
) -> None:
    chosen = values(actions, nodes=False, wide=wide, policy=POLICY, rollouts={"enabled": True})
    assert granted(newest.render(chosen)) == needed(asked, actions, nodes=False, wide=wide, rollouts=True)
    read_only = granted(newest.render({**chosen, "config": {"read_only": True}}))
    assert {one.verb for found in read_only.values() for one in found} == {"get", "list", "watch"}


@pytest.mark.parametrize("wide", [False, True], ids=["namespaces", "cluster-wide"])
def test_leave_to_get_config_maps_is_given_only_where_it_is_wanted(newest: Helm, *, wide: bool) -> None:
    chosen = values((), nodes=False, wide=wide)
    rendered = {wanted: newest.render({**chosen, "configMaps": {"read": wanted}}) for wanted in (True, False)}
    (with_it,), (without,) = granted(rendered[True]).values(), granted(rendered[False]).values()
    assert with_it - without == {Permission("", "configmaps", "get")}
    assert without <= with_it


@pytest.mark.parametrize("wide", [False, True], ids=["namespaces", "cluster-wide"])
def test_leave_to_create_events_is_given_only_where_they_are_wanted(newest: Helm, *, wide: bool) -> None:
    create = Permission("", "events", "create")
    chosen = values(("scale",), nodes=False, wide=wide, policy=POLICY)
    rendered = {wanted: newest.render({**chosen, "cluster": {"events": wanted}}) for wanted in (True, False)}
    (with_it,), (without,) = granted(rendered[True]).values(), granted(rendered[False]).values()
    assert with_it - without == {create}
    assert without <= with_it
    assert rendered[False].configuration()["clusters"][0]["events"] is False
    assert "events" not in rendered[True].configuration()["clusters"][0]


@pytest.mark.parametrize("action", sorted(NODE_ACTIONS))
def test_a_bot_of_some_namespaces_changes_no_node(newest: Helm, action: str) -> None:
    chosen = {"namespaces": [SERVED], "clusterWide": True, "nodes": {"read": True}, "actions": ["scale", action]}
    assert f"{action}: nodes are in no namespace" in newest.refusal(chosen)
    remote = [{"name": "far", "secretName": "kubeconfig-far"}]
    assert newest.render({**chosen, "cluster": {"enabled": False}, "remoteClusters": remote}).objects


@pytest.mark.parametrize("others", [{}, {"policy": POLICY, "config": {"read_only": True}}], ids=["none", "read_only"])
@pytest.mark.parametrize("wide", [False, True], ids=["namespaces", "cluster-wide"])
def test_no_verb_that_writes_without_a_policy_that_is_in_force(
    helm: Helm, asked: Grants, others: dict[str, Any], *, wide: bool
) -> None:
    found = granted(helm.render(values(ACTIONS if wide else ON_WORKLOADS, nodes=True, wide=wide, **others)))
    assert found == needed(asked, (), nodes=True, wide=wide)
    assert {permission.verb for grants in found.values() for permission in grants} == {"get", "list", "watch"}


def test_each_namespace_has_a_role_of_its_own(newest: Helm, asked: Grants) -> None:
    found = granted(newest.render({"namespaces": ["a", "default"], "nodes": {"read": True}}))
    reading = needed(asked, (), nodes=True, wide=False)
    own = reading[SERVED]
    assert found == {"a": own, "default": own | reading["default"], "": reading[""]}


def test_a_cluster_wide_role_may_serve_some_namespaces(newest: Helm) -> None:
    some = newest.render({"namespaces": ["a", "b"], "clusterWide": True})
    everything = newest.render({"namespaces": [], "clusterWide": True})
    assert some.configuration()["clusters"][0]["namespaces"] == ["a", "b"]
    assert "namespaces" not in everything.configuration()["clusters"][0]
    assert granted(some) == granted(everything)


@pytest.mark.parametrize("values", [{"rbac": {"create": False}}, {"cluster": {"enabled": False}}])
def test_no_roles_where_none_are_wanted(newest: Helm, values: dict[str, Any]) -> None:
    remote = [{"name": "far", "secretName": "kubeconfig-far"}]
    rendered = newest.render({**values, "remoteClusters": remote, "nodes": {"read": True}})
    assert not any(each["kind"].endswith(("Role", "Binding")) for each in rendered.objects)


def test_each_kind_of_request_was_made(asked: Grants) -> None:
    verbs = {(permission.resource, permission.verb) for permission in asked[SERVED]}
    assert {("deployments", "watch"), ("daemonsets", "get"), ("pods", "get"), ("events", "list")} <= verbs
    assert Permission("", "nodes", "watch") in asked[""]
    assert set(asked) == {"", "default", SERVED}


@pytest.mark.parametrize(
    ("part", "change"),
    [
        ("restart", ("verbs: [get, patch]}", "verbs: [get]}")),
        ("scale", ("verbs: [get, patch]}", "verbs: [get, patch, delete]}")),
        ("rollback", ("verbs: [delete]", "verbs: [get]")),
        ("cordon", ("verbs: [get, list, patch]}", "verbs: [get, list]}")),
        ("reading", ("resources: [pods, events]", "resources: [pods]")),
        ("reading", ("resources: [ingresses, networkpolicies]", "resources: [ingresses]")),
        ("nodes", ("resources: [storageclasses]", "resources: [csidrivers]")),
        ("watching", ("verbs: [list, watch]}", "verbs: [list, watch, deletecollection]}")),
        ("nodes", ("verbs: [get, list, watch]}", "verbs: [get, list]}")),
        ("events", ("verbs: [create]", "verbs: [create, patch]")),
        ("reading", ("resources: [pods/log]", "resources: [pods/log, secrets]")),
    ],
)
def test_a_verb_too_few_or_too_many_is_seen(
    newest: Helm, asked: Grants, tmp_path: Path, part: str, change: tuple[str, str]
) -> None:
    chart = tmp_path / "chatops-bot"
    shutil.copytree(CHART, chart)
    file = chart / "files" / "permissions.yaml"
    head, found, tail = file.read_text("utf-8").partition(f"{part}:\n")
    assert found
    assert change[0] in tail
    file.write_text(f"{head}{found}{tail.replace(*change, 1)}", encoding="utf-8")
    actions = [part] if part in ACTIONS else ON_WORKLOADS  # what several grant, none misses alone
    wide = part in NODE_ACTIONS
    rendered = newest.render(values(actions, nodes=True, wide=wide, policy=POLICY), chart=chart)
    assert granted(rendered) != needed(asked, actions, nodes=True, wide=wide)


def test_the_chart_knows_the_actions_that_there_are() -> None:
    known = yaml.safe_load((CHART / "files" / "permissions.yaml").read_text("utf-8"))
    assert list(known["actions"]) == list(ACTIONS)


PEOPLE: dict[str, Any] = {
    "alice": {"user": "alice@example.com", "groups": ["dev"]},
    "slack:U024BE7LH": {"user": "bob@example.com", "groups": ["sre", "dev"]},
}


def impersonation(rendered: Rendered) -> dict[str, list[str]]:
    """The names that the bot may impersonate, by resource; that the role is bound to its account is seen too."""
    (role,) = [role for role in rendered.of("ClusterRole") if role["metadata"]["name"].endswith("-impersonate")]
    (binding,) = [
        each for each in rendered.of("ClusterRoleBinding") if each["roleRef"]["name"] == role["metadata"]["name"]
    ]
    account = rendered.component("bot")[1]["spec"]["serviceAccountName"]
    assert binding["subjects"] == [{"kind": "ServiceAccount", "name": account, "namespace": NAMESPACE}]
    assert {(*rule["apiGroups"], *rule["verbs"], len(rule["resources"])) for rule in role["rules"]} == {
        ("", "impersonate", 1)
    }
    return {rule["resources"][0]: rule["resourceNames"] for rule in role["rules"]}


@pytest.mark.parametrize("wide", [False, True], ids=["namespaces", "cluster-wide"])
def test_people_are_impersonated_by_their_exact_names_alone(newest: Helm, *, wide: bool) -> None:
    section = {"people": PEOPLE, "template": {"user": "{platform}:{id}", "groups": ["chat"]}}
    further = {"users": ["slack:U0000001"], "groups": ["chat"]}
    chosen = values(
        ("scale",),
        nodes=False,
        wide=wide,
        policy=POLICY,
        cluster={"impersonate": section},
        rbac={"impersonate": further},
    )
    rendered = newest.render(chosen)
    assert impersonation(rendered) == {
        "users": ["alice@example.com", "bob@example.com", "slack:U0000001"],
        "groups": ["chat", "dev", "sre"],
    }
    assert rendered.configuration()["clusters"][0]["impersonate"] == section
    nobody = [
        {key: value for key, value in chosen.items() if key != "policy"},
        values(("scale",), nodes=False, wide=wide),
    ]
    for other in nobody:
        assert not [role for role in newest.render(other).of("ClusterRole") if "impersonate" in str(role)]


@pytest.mark.parametrize("user", ["system:admin", "", "é"])
def test_whom_nobody_may_impersonate(newest: Helm, user: str) -> None:
    assert "impersonate" in newest.refusal({"cluster": {"impersonate": {"people": {"a": {"user": user}}}}})
    assert "impersonate" in newest.refusal({"rbac": {"impersonate": {"users": [user]}}})
