"""create, update, patch, scale, evict, delete: effects, preconditions, dry runs, refusals."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.adapters.sandbox import Sandbox
from tests.contract.sandbox.conftest import Clock, Kube

WEB: dict[str, Any] = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 3, "image": "reg/web:2"}
DB: dict[str, Any] = {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 2, "image": "reg/db:8"}
PATH = "/apis/apps/v1/namespaces/shop/deployments/web"
MODIFIED = (
    'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; '
    "please apply your changes to the latest version and try again"
)
MERGE = "application/merge-patch+json"
STRATEGIC = "application/strategic-merge-patch+json"
STEPS = "application/json-patch+json"


async def web(kube: Kube) -> dict[str, Any]:
    found: dict[str, Any] = (await kube.call(kube.apps.read_namespaced_deployment, "web", "shop")).json
    return found


@pytest.fixture
def shop(sandbox: Sandbox) -> Sandbox:
    sandbox.apply({"workloads": [WEB, DB]})
    return sandbox


async def test_scaling(shop: Sandbox, kube: Kube) -> None:
    read, patch = kube.apps.read_namespaced_deployment_scale, kube.apps.patch_namespaced_deployment_scale
    scale = (await kube.call(read, "web", "shop")).json
    assert (scale["spec"], scale["status"]) == ({"replicas": 3}, {"replicas": 3, "selector": "app=web"})
    meta = {"uid": scale["metadata"]["uid"], "resourceVersion": scale["metadata"]["resourceVersion"]}
    body = {"metadata": meta, "spec": {"replicas": 5}}
    answer = await kube.call(patch, "web", "shop", body, field_manager="bot")
    assert (answer.code, answer.json["spec"]) == (200, {"replicas": 5})
    await shop.settle()
    found = await web(kube)
    assert found["status"]["readyReplicas"] == 5
    assert found["metadata"]["generation"] == 2
    setters = [
        entry for entry in found["metadata"]["managedFields"] if "f:replicas" in entry["fieldsV1"].get("f:spec", {})
    ]
    assert [(entry["manager"], entry["subresource"]) for entry in setters] == [("bot", "scale")]


async def test_a_restart_and_its_repetition(shop: Sandbox, kube: Kube) -> None:
    annotations = {"kubectl.kubernetes.io/restartedAt": "2026-11-29T20:19:50Z"}
    body = {"spec": {"template": {"metadata": {"annotations": annotations}}}}
    before = {pod["name"] for pod in shop.snapshot()["workloads"][1]["pods"]}
    first = await kube.call(kube.apps.patch_namespaced_deployment, "web", "shop", body)
    again = await kube.call(kube.apps.patch_namespaced_deployment, "web", "shop", body)
    assert first.json["metadata"]["generation"] == 2
    assert again.json == first.json
    await shop.settle()
    after = shop.snapshot()["workloads"][1]
    assert not before & {pod["name"] for pod in after["pods"]}
    assert (after["ready"], after["revision"]) == (3, "2")


async def test_a_dry_run_changes_nothing(shop: Sandbox, kube: Kube) -> None:
    version = shop.store.version
    answer = await kube.call(
        kube.apps.patch_namespaced_deployment_scale, "web", "shop", {"spec": {"replicas": 9}}, dry_run="All"
    )
    assert answer.json["spec"] == {"replicas": 9}
    image = {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "x:1"}]}}}}
    assert (await kube.call(kube.apps.patch_namespaced_deployment, "web", "shop", image, dry_run="All")).code == 200
    pod = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}
    assert (await kube.send("POST", "/api/v1/namespaces/shop/pods?dryRun=All", pod)).code == 201
    assert (await kube.send("DELETE", "/api/v1/namespaces/shop/pods/db-0", {"dryRun": ["All"]})).code == 200
    eviction = {"metadata": {"name": "db-0"}, "deleteOptions": {"dryRun": ["All"]}}
    assert (await kube.send("POST", "/api/v1/namespaces/shop/pods/db-0/eviction", eviction)).code == 201
    assert (await kube.send("DELETE", f"{PATH}?dryRun=All")).code == 200
    assert (await kube.send("DELETE", f"{PATH}?dryRun=Some")).code == 422
    assert shop.store.version == version
    assert shop.writes() == []
    assert [record.dry_run for record in shop.requests] == [True] * 6 + [False]


async def test_deleting_a_pod(shop: Sandbox, kube: Kube) -> None:
    path = "/api/v1/namespaces/shop/pods/db-1"
    pod = (await kube.send("GET", path)).json
    answer = await kube.send("DELETE", path, {"preconditions": {"uid": "other"}})
    assert (answer.code, answer.json["reason"]) == (409, "Conflict")
    assert "the UID in the precondition (other) does not match the UID in record" in answer.json["message"]
    answer = await kube.send("DELETE", path, {"preconditions": {"resourceVersion": "1"}})
    assert answer.code == 409
    answer = await kube.send("DELETE", path, {"preconditions": {"uid": pod["metadata"]["uid"]}})
    assert answer.json["metadata"]["deletionTimestamp"] == "2026-11-30T00:53:50Z"
    assert (await kube.send("GET", path)).json["metadata"]["deletionGracePeriodSeconds"] == 30
    await shop.settle()
    replaced = (await kube.send("GET", path)).json
    assert replaced["metadata"]["uid"] != pod["metadata"]["uid"]
    assert (await kube.send("DELETE", f"{path}?gracePeriodSeconds=0")).code == 200
    assert (await kube.send("GET", path)).code == 404
    assert (await kube.send("DELETE", path)).code == 404


async def evict(kube: Kube, pod: str, **options: Any) -> Any:
    body = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": pod}, "deleteOptions": options}
    return await kube.send("POST", f"/api/v1/namespaces/shop/pods/{pod}/eviction", body)


async def test_a_budget_lets_go_only_what_it_can_spare(sandbox: Sandbox, kube: Kube, clock: Clock) -> None:
    sandbox.apply({"workloads": [{**DB, "replicas": 3, "pdb": {"min_available": 2}}]})
    assert (await evict(kube, "db-0", dryRun=["All"])).code == 201
    assert (await evict(kube, "db-0", preconditions={"uid": "other"})).code == 409
    # The refused one has used the budget up, as on a real server, which gives it back after two minutes.
    await sandbox.settle()
    assert (await evict(kube, "db-0")).code == 429
    clock.now += 120
    await sandbox.settle()
    assert (await evict(kube, "db-0")).json["status"] == "Success"
    refused = await evict(kube, "db-1")
    assert refused.code == 429
    assert refused.json["message"] == "Cannot evict pod as it would violate the pod's disruption budget."
    cause = refused.json["details"]["causes"][0]
    assert cause["reason"] == "DisruptionBudget"
    assert cause["message"] == "The disruption budget db needs 2 healthy pods and has 3 currently"
    await sandbox.settle()
    assert (await evict(kube, "db-1")).code == 201


async def test_pods_that_serve_nobody_are_evicted_freely(sandbox: Sandbox, kube: Kube) -> None:
    sandbox.apply({"workloads": [{**WEB, "pods": ["Pending", "NotReady"], "pdb": {"min_available": 1}}]})
    pods = {pod["state"]: pod["name"] for pod in sandbox.snapshot()["workloads"][0]["pods"] if not pod["ready"]}
    assert (await evict(kube, pods["Pending"])).code == 201
    assert (await evict(kube, pods["Running"])).code == 201
    answer = await kube.send("POST", f"/api/v1/namespaces/shop/pods/{pods['Running']}/eviction", {"metadata": {}})
    assert answer.json["message"] == "name in URL does not match name in Eviction object"


async def test_equal_use_gives_equal_clusters(clock: Clock) -> None:
    async def run() -> Any:
        async with Sandbox(clock, seed="same") as sandbox:
            sandbox.apply({"workloads": [WEB, DB]})
            kube = Kube(sandbox)
            await kube.call(kube.apps.patch_namespaced_deployment_scale, "web", "shop", {"spec": {"replicas": 6}})
            await sandbox.settle()
            found = (await kube.call(kube.core.list_pod_for_all_namespaces)).json
            kube.api.rest_client.pool_manager.clear()
            return found

    assert await run() == await run()
