"""The write side: permitted, preconditioned, sent once, and honest about what is not known."""

from __future__ import annotations

import msgspec
import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster, KubernetesWriter
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.impersonation import Actor
from chatops_bot.domain.intents import Quantity
from chatops_bot.domain.observed import Permission
from chatops_bot.domain.plans import Change, Draft
from chatops_bot.ports.cluster import ClusterUnavailable, Conflict, NotFound, Permit, Refused
from tests.contract.cluster.conftest import Permits
from tests.contract.cluster.kit import PERMIT, versions
from tests.contract.cluster.targets import Target
from tests.unit.domain.cluster_objects import plan_of

WEB = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:1"}


@pytest.fixture(autouse=True)
async def filled(target: Target) -> None:
    await target.fill({"workloads": [WEB]})


async def test_a_write_is_carried_out_as_it_was_planned(
    cluster: KubernetesCluster, writer: KubernetesWriter, permits: Permits, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    written = await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert written["spec"]["replicas"] == 5
    assert written["metadata"]["annotations"]["chatops-bot.io/plan"] == "t0"
    assert "chatops-bot" in {entry["manager"] for entry in written["metadata"]["managedFields"]}
    assert permits.asked == [PERMIT]
    (record,) = sandbox.writes()
    assert (record.method, record.content_type) == ("PATCH", "application/strategic-merge-patch+json")
    assert record.user_agent == "chatops-bot"
    assert record.body["metadata"]["resourceVersion"] == live["metadata"]["resourceVersion"]


async def test_nothing_is_written_without_a_permit(
    cluster: KubernetesCluster, writer: KubernetesWriter, permits: Permits, sandbox: Sandbox, target: Target
) -> None:
    permits.granted = False
    live = await cluster.read(target.web())
    with pytest.raises(PermissionError):
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    with pytest.raises(PermissionError):
        await writer.touch(target.web(), uid=versions(live)["uid"], permit=PERMIT)
    assert sandbox.writes() == []
    assert not [record for record in sandbox.requests if record.method == "PATCH"]


async def test_a_dry_run_needs_no_permit_and_changes_nothing(
    cluster: KubernetesCluster, writer: KubernetesWriter, permits: Permits, sandbox: Sandbox, target: Target
) -> None:
    permits.granted = False
    live = await cluster.read(target.web())
    assert (await writer.dry_run(target.scaled(5), uid=versions(live)["uid"]))["spec"]["replicas"] == 5
    assert await cluster.read(target.web()) == live
    assert permits.asked == []


async def test_a_dry_run_minds_the_object_and_not_its_version(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    before = versions(await cluster.read(target.web()))
    await writer.touch(target.web(), uid=before["uid"], permit=PERMIT)
    assert (await writer.dry_run(target.scaled(5), uid=before["uid"]))["spec"]["replicas"] == 5
    with pytest.raises(Conflict):
        await writer.dry_run(target.scaled(5), uid="another")


async def test_another_version_or_object_is_a_conflict(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    await writer.touch(target.web(), uid=versions(live)["uid"], permit=PERMIT)
    with pytest.raises(Conflict):
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    fresh = versions(await cluster.read(target.web()))
    with pytest.raises(Conflict):
        await writer.write(target.scaled(5), uid="another", resource_version=fresh["resource_version"], permit=PERMIT)
    assert (await cluster.read(target.web()))["spec"]["replicas"] == 2


async def test_a_touch_moves_the_version_and_leaves_its_mark(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    live = await cluster.read(target.web())
    touched = await writer.touch(target.web(), uid=versions(live)["uid"], permit=PERMIT)
    assert touched["metadata"]["resourceVersion"] != live["metadata"]["resourceVersion"]
    assert touched["metadata"]["annotations"]["chatops-bot.io/settled"] == "t0"
    assert touched["spec"] == live["spec"]
    with pytest.raises(Conflict):
        await writer.touch(target.web(), uid="another", permit=PERMIT)


async def test_another_object_than_the_workload_is_read_and_touched_by_what_is_written_to_it(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target
) -> None:
    await target.fill({"workloads": [{**WEB, "hpa": {"min": 2, "max": 8}}]})
    change = Change(
        group="autoscaling",
        version="v2",
        plural="horizontalpodautoscalers",
        name="web",
        namespace=target.web().namespace,
        body={"spec": {"maxReplicas": 9}},
        content="merge",
        subresource="status",
    )
    live = await cluster.read(change)
    assert (live["kind"], live["spec"]["maxReplicas"]) == ("HorizontalPodAutoscaler", 8)
    touched = await writer.touch(change, uid=versions(live)["uid"], permit=PERMIT)
    assert touched["metadata"]["annotations"]["chatops-bot.io/settled"] == "t0"
    assert touched["spec"] == live["spec"]
    whole = msgspec.structs.replace(change, subresource="")
    with pytest.raises(Conflict):
        await writer.write(whole, **versions(live), permit=PERMIT)
    written = await writer.write(whole, **versions(touched), permit=PERMIT)
    assert (written["spec"]["minReplicas"], written["spec"]["maxReplicas"]) == (2, 9)


async def test_what_is_gone_or_refused_is_told_apart(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    with pytest.raises(NotFound):
        await writer.write(target.scaled(5, "nope"), **versions(live), permit=PERMIT)
    with pytest.raises(NotFound):
        await writer.touch(target.web(name="nope"), uid="u", permit=PERMIT)
    with pytest.raises(Refused) as invalid:
        await writer.dry_run(target.scaled(-1), uid=versions(live)["uid"])
    assert invalid.value.status == 422
    sandbox.access.deny(verb="patch", resource="deployments")
    with pytest.raises(Refused) as forbidden:
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert forbidden.value.status == 403


@pytest.mark.parametrize("status", [500, 503, 504])
@pytest.mark.parametrize("carried_out", [False, True])
async def test_after_a_server_error_nothing_is_known_and_nothing_sent_again(
    cluster: KubernetesCluster,
    writer: KubernetesWriter,
    sandbox: Sandbox,
    status: int,
    carried_out: bool,
    target: Target,
) -> None:
    live = await cluster.read(target.web())
    sandbox.faults.fail(status, count=9, method="PATCH", retry_after=1, after=carried_out)
    with pytest.raises(ClusterUnavailable) as lost:
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert (lost.value.status, lost.value.not_sent) == (status, False)
    assert len([record for record in sandbox.requests if record.method == "PATCH"]) == 1
    assert (await cluster.read(target.web()))["spec"]["replicas"] == (5 if carried_out else 2)


async def test_too_many_requests_means_not_done(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    sandbox.faults.fail(429, count=9, method="PATCH", retry_after=1)
    with pytest.raises(ClusterUnavailable) as turned_away:
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert (turned_away.value.status, turned_away.value.not_sent) == (429, True)
    assert len([record for record in sandbox.requests if record.method == "PATCH"]) == 1


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_connection_lost_after_sending_leaves_it_unknown(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, carried_out: bool, target: Target
) -> None:
    live = await cluster.read(target.web())
    sandbox.faults.reset(count=9, method="PATCH", after=carried_out)
    with pytest.raises(ClusterUnavailable) as lost:
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert not lost.value.not_sent
    assert len([record for record in sandbox.requests if record.method == "PATCH"]) == 1


async def test_a_refused_connection_means_not_sent(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    await writer.dry_run(target.scaled(5), uid=versions(live)["uid"])
    sandbox.down = True
    with pytest.raises(ClusterUnavailable) as away:
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert away.value.not_sent


async def test_nobody_writes_anonymously(cluster: KubernetesCluster, target: Target, permits: Permits) -> None:
    nameless = KubernetesWriter(target.nameless(), permitted=permits)
    live = await cluster.read(target.web())
    with pytest.raises(Refused, match="system:anonymous"):
        await nameless.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert await cluster.read(target.web()) == live
    await nameless.close()


async def test_not_finding_out_who_one_is_means_not_sent(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    sandbox.faults.fail(503, method="POST", path="selfsubjectreviews")
    with pytest.raises(ClusterUnavailable) as lost:
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)
    assert lost.value.not_sent
    assert (await writer.write(target.scaled(5), **versions(live), permit=PERMIT))["spec"]["replicas"] == 5


async def test_an_api_server_that_cannot_tell_who_one_is_gets_no_writes(
    cluster: KubernetesCluster, writer: KubernetesWriter, sandbox: Sandbox, target: Target
) -> None:
    live = await cluster.read(target.web())
    sandbox.faults.fail(404, method="POST", path="selfsubjectreviews")
    with pytest.raises(Refused, match=r"1\.28"):
        await writer.write(target.scaled(5), **versions(live), permit=PERMIT)


@pytest.mark.parametrize("name", ["scale", "restart"])
async def test_an_action_goes_all_its_way(
    cluster: KubernetesCluster, writer: KubernetesWriter, target: Target, name: str
) -> None:
    action = ACTIONS[name]
    found = await cluster.observe(target.web())
    slots = {"replicas": Quantity(kind="by", value=3)} if name == "scale" else {}
    made = action.draft(found, slots, token="t0", stamp="2026-11-29T10:00:00Z")
    assert isinstance(made, Draft)
    plan = msgspec.structs.replace(plan_of(made), uid=found.object["metadata"]["uid"])
    assert action.watched(await cluster.read(target.web())) == made.watched
    await writer.write(made.change, **versions(found.object), permit=PERMIT)
    assert action.holds(await cluster.read(target.web()), plan)
    assert not action.progress(await cluster.observe(target.web()), plan).finished
    await target.settle()
    ended = action.progress(await cluster.observe(target.web()), plan)
    assert (ended.finished, ended.failed) == (True, False)


async def test_in_a_persons_name_each_group_has_its_own_header(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    async def as_bob(permit: Permit, change: Change | None) -> bool | Actor:
        return Actor("bob@corp", ("sre", "on-call"))

    side = KubernetesWriter(target.connection(), permitted=as_bob)
    try:
        live = await cluster.read(target.web())
        await side.dry_run(target.scaled(4), uid=versions(live)["uid"], actor=Actor("alice@corp"))
        await side.write(target.scaled(5), **versions(live), permit=PERMIT)
        await side.touch(target.web(), uid=versions(live)["uid"], permit=PERMIT)
    finally:
        await side.close()
    sent = [(record.acting_as, record.groups) for record in sandbox.requests if record.method == "PATCH"]
    assert sent == [
        ("alice@corp", ("system:authenticated",)),
        ("bob@corp", ("sre", "on-call", "system:authenticated")),
        ("", ()),
    ]
    asked, bob = Permission("apps", "deployments", "patch"), Actor("bob@corp")
    assert await cluster.allowed(asked, namespace="shop", actor=bob)
    sandbox.access.deny(verb="patch", user="bob@corp")
    assert not await cluster.allowed(asked, namespace="shop", name="web", actor=bob)
    assert await cluster.allowed(asked, namespace="shop", name="web")
