"""Argo Rollouts on a real API server. There is no controller of theirs: the test plays it by writing the status."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator

import pytest

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.objects import PLAN_ANNOTATION, RESTARTED_ANNOTATION, annotation, text
from chatops_bot.domain.plans import Plan
from chatops_bot.ports.clock import SystemClock
from tests.cluster import argo
from tests.cluster.api import Api
from tests.cluster.bot_side import CLUSTER, BotSide, bot_side, entity_of
from tests.cluster.controlplane import ControlPlane
from tests.cluster.kubectl import Kubectl
from tests.cluster.proxy import Proxy, requests
from tests.cluster.twins import comparable, differences, manifest

ABORT = "/rollouts/web/status"


@pytest.fixture(scope="module", autouse=True)
def kind_installed(controlplane: ControlPlane) -> Iterator[None]:
    api = controlplane.api()
    argo.install(api)
    yield
    argo.remove(api)


@pytest.fixture
def rollout(admin: Api, namespace: str) -> argo.Rollout:
    return argo.Rollout(admin, namespace)


@pytest.fixture
def web(namespace: str) -> Entity:
    return entity_of("Rollout", namespace, "web")


@pytest.fixture
async def reader(controlplane: ControlPlane, namespace: str) -> AsyncIterator[KubernetesCluster]:
    connection = Connection.from_kubeconfig(controlplane.kubeconfig())
    made = KubernetesCluster(CLUSTER, connection, clock=SystemClock(), namespaces=(namespace,))
    yield made
    await made.close()


async def told(bot: BotSide, plan: Plan) -> list[str]:
    """What the card says in the end; nothing while it goes on."""
    followed = await bot.follow(plan)
    if followed is None:
        return []
    assert not followed.failed, followed
    return [line.key for line in followed.lines]


async def test_it_is_listed_and_read_with_its_pods(
    rollout: argo.Rollout, web: Entity, reader: KubernetesCluster
) -> None:
    assert [entity.target for entity in await reader.workloads() if entity.kind == "Rollout"] == ["rollout/web"]
    observed = await reader.observe(web, events=True)
    assert (len(observed.pods), len(observed.replica_sets), observed.unread) == (2, 1, ())
    assert observed.object["kind"] == "Rollout"


async def test_scaled_by_its_spec_and_put_back(rollout: argo.Rollout, web: Entity, bot: BotSide) -> None:
    plan = await bot.change(web, "scale", {"replicas": Quantity(kind="to", value=4)})
    live = rollout.read()
    assert live["spec"]["replicas"] == 4
    assert live["spec"]["selector"] == {"matchLabels": {"app": "web"}}
    assert annotation(live, PLAN_ANNOTATION) == plan.token
    assert await told(bot, plan) == []
    rollout.resize(argo.STABLE, 4)
    rollout.report()
    assert await told(bot, plan) == ["progress.scaled"]
    again = await bot.change(web, "scale", {"replicas": Quantity(kind="to", value=2)})
    assert rollout.read()["spec"]["replicas"] == 2
    assert again.before == {"replicas": 4}


async def test_restarted_by_restart_at_without_another_template(
    rollout: argo.Rollout, web: Entity, bot: BotSide
) -> None:
    before = rollout.read()["spec"]["template"]
    plan = await bot.change(web, "restart")
    live = rollout.read()
    stamp = text(live, "spec", "restartAt")
    assert stamp
    assert live["spec"]["template"] == before
    assert RESTARTED_ANNOTATION not in str(live)
    rollout.report(phase="Progressing", message="rollout is restarting")
    assert await told(bot, plan) == []
    rollout.replace_pods()
    rollout.report(phase="Healthy", restartedAt=stamp)
    assert await told(bot, plan) == ["progress.argo_restarted"]


async def test_aborted_by_its_status_as_its_own_tool_does(rollout: argo.Rollout, web: Entity, bot: BotSide) -> None:
    rollout.begin_update()
    generation = rollout.read()["metadata"]["generation"]
    plan = await bot.change(web, "abort")
    live = rollout.read()
    assert live["status"]["abort"] is True
    assert live["status"]["currentPodHash"] == argo.CANARY
    assert live["metadata"]["generation"] == generation
    assert annotation(live, PLAN_ANNOTATION) == ""
    assert await told(bot, plan) == []
    rollout.resize(argo.CANARY, 0)
    rollout.resize(argo.STABLE, 2)
    rollout.report(phase="Degraded", message="RolloutAborted: aborted update to revision 2", abort=True)
    assert await told(bot, plan) == ["progress.aborted"]
    prepared = await bot.prepare(web, "abort")
    assert prepared.problem is not None
    assert prepared.problem.key == "abort.already"


async def test_an_update_that_was_promoted_meanwhile_is_not_aborted(
    rollout: argo.Rollout, web: Entity, bot: BotSide
) -> None:
    rollout.begin_update()
    prepared = await bot.prepare(web, "abort")
    assert prepared.plan is not None
    rollout.report(phase="Healthy", message="", stableRS=argo.CANARY)
    executed = await bot.execute(prepared.plan)
    assert (executed.outcome, executed.fresh) == ("refused", True)
    assert "abort" not in rollout.read()["status"]


@pytest.mark.parametrize("after", [False, True], ids=["never-arrived", "answer-lost"])
async def test_whose_abort_it_is_is_told_by_the_field(
    rollout: argo.Rollout, web: Entity, controlplane: ControlPlane, redis_url: str, *, after: bool
) -> None:
    """A status holds no plan's token. After a write without an answer the owner of the field tells."""
    rollout.begin_update()
    async with Proxy(controlplane) as proxy:
        kubeconfig = controlplane.kubeconfig(name="argo-proxy", server=proxy.url)
        async with bot_side(redis=redis_url, kubeconfig=kubeconfig) as bot:
            prepared = await bot.prepare(web, "abort")
            assert prepared.plan is not None, prepared.problem
            proxy.reset(requests("PATCH", ABORT), after=after)
            executed = await bot.execute(prepared.plan)
    assert executed.outcome == ("done" if after else "interrupted")
    assert rollout.read()["status"].get("abort", False) is after


async def test_somebody_elses_abort_in_between_is_not_done_again(
    rollout: argo.Rollout, web: Entity, bot: BotSide
) -> None:
    rollout.begin_update()
    prepared = await bot.prepare(web, "abort")
    assert prepared.plan is not None, prepared.problem
    rollout.report(abort=True)
    assert (await bot.execute(prepared.plan)).outcome == "refused"


@pytest.mark.kubectl
@pytest.mark.parametrize("action", ["scale", "restart", "abort"])
async def test_kubectl_makes_the_same_of_a_twin(
    action: str,
    admin: Api,
    namespaces: tuple[str, str],
    bot: BotSide,
    kubectl_in: Callable[[str], Kubectl],
) -> None:
    """What Argo's plugin sends, sent by kubectl itself."""
    here, there = namespaces
    ours, theirs = (argo.Rollout(admin, namespace) for namespace in namespaces)
    if action == "abort":
        for twin in (ours, theirs):
            twin.begin_update()
    slots: dict[str, SlotValue] = {"replicas": Quantity(kind="to", value=3)} if action == "scale" else {}
    await bot.change(entity_of("Rollout", here, "web"), action, slots)
    stamp = text(ours.read(), "spec", "restartAt")
    command = {
        "scale": ("scale", "rollout", "web", "--replicas=3"),
        "restart": ("patch", "rollout", "web", "--type=merge", "-p", json.dumps({"spec": {"restartAt": stamp}})),
        "abort": ("patch", "rollout", "web", "--subresource=status", "--type=merge", "-p", '{"status":{"abort":true}}'),
    }[action]
    await kubectl_in(there).run(*command)
    made, wanted = (comparable(twin.read()) for twin in (ours, theirs))
    for twin in (ours, theirs):
        twin.remove()
    assert differences(made, wanted) == []


def test_what_the_server_does_with_a_patch_of_the_status(rollout: argo.Rollout, admin: Api) -> None:
    """What `abort` rests on: an outdated version is a conflict, and a status carries no annotation."""
    old = rollout.read()["metadata"]["resourceVersion"]
    rollout.report(message="moved")
    body = {"metadata": {"resourceVersion": old}, "status": {"abort": True}}
    assert admin.patch(f"{rollout.path}/status", body).status == 409
    marked = {"metadata": {"annotations": {PLAN_ANNOTATION: "t"}}, "status": {"abort": True}}
    assert admin.patch(f"{rollout.path}/status", marked).status == 200
    live = rollout.read()
    assert (live["status"]["abort"], annotation(live, PLAN_ANNOTATION)) == (True, "")
    assert admin.patch(rollout.path, {"spec": {"replicas": 3}}, kind="strategic").status == 415


async def test_a_deployment_that_it_refers_to_is_refused(
    admin: Api, namespace: str, rollout: argo.Rollout, bot: BotSide
) -> None:
    admin.make(f"/apis/apps/v1/namespaces/{namespace}/deployments", manifest("Deployment", "template", replicas=0))
    rollout.patch({"spec": {"workloadRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "template"}}})
    deployment = entity_of("Deployment", namespace, "template")
    prepared = await bot.prepare(deployment, "scale", {"replicas": Quantity(kind="to", value=3)})
    assert prepared.problem is not None
    assert prepared.problem.key == "argo.referenced"
    assert prepared.choices == (f"{CLUSTER}/{namespace}/rollout/web",)
