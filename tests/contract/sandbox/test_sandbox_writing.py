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
    assert [(entry["manager"], entry["subresource"], entry["time"]) for entry in setters] == [
        ("bot", "scale", "2026-11-30T00:53:20Z")
    ]


async def test_zero_is_left_out(shop: Sandbox, kube: Kube) -> None:
    answer = await kube.call(kube.apps.patch_namespaced_stateful_set_scale, "db", "shop", {"spec": {"replicas": 0}})
    assert answer.json["spec"] == {}
    await shop.settle()
    assert (await kube.call(kube.apps.read_namespaced_stateful_set_scale, "db", "shop")).json["status"]["replicas"] == 0
    await kube.call(kube.apps.patch_namespaced_deployment_scale, "web", "shop", {"spec": {"replicas": 0}})
    await shop.settle()
    assert set((await web(kube))["status"]) == {"observedGeneration", "conditions"}


async def test_a_scale_of_an_older_version_or_another_object_conflicts(shop: Sandbox, kube: Kube) -> None:
    patch = kube.apps.patch_namespaced_deployment_scale
    stale = (await web(kube))["metadata"]["resourceVersion"]
    await kube.call(patch, "web", "shop", {"spec": {"replicas": 4}})
    answer = await kube.call(patch, "web", "shop", {"metadata": {"resourceVersion": stale}, "spec": {"replicas": 6}})
    assert (answer.code, answer.json["reason"], answer.json["message"]) == (409, "Conflict", MODIFIED)
    answer = await kube.call(patch, "web", "shop", {"metadata": {"uid": "other"}, "spec": {"replicas": 6}})
    assert answer.code == 409
    assert "Precondition failed: UID in precondition: other, UID in object meta: " in answer.json["message"]
    assert (await web(kube))["spec"]["replicas"] == 4


async def test_a_scale_can_be_put(shop: Sandbox, kube: Kube) -> None:
    scale = (await kube.send("GET", f"{PATH}/scale")).json
    scale["spec"]["replicas"] = 2
    assert (await kube.send("PUT", f"{PATH}/scale", scale)).code == 200
    assert (await kube.send("PUT", f"{PATH}/scale", scale)).json["message"] == MODIFIED


@pytest.mark.parametrize("replicas", [-1, "five", True])
async def test_a_number_that_is_none_is_refused(shop: Sandbox, kube: Kube, replicas: Any) -> None:
    for path in (f"{PATH}/scale", PATH):
        answer = await kube.send("PATCH", path, {"spec": {"replicas": replicas}}, kind=MERGE)
        assert (answer.code, answer.json["details"]["causes"][0]["field"]) == (422, "spec.replicas")
    assert shop.writes() == []


async def test_a_patch_that_carries_a_stale_version_conflicts(shop: Sandbox, kube: Kube) -> None:
    found = await web(kube)
    await kube.send("PATCH", PATH, {"metadata": {"labels": {"a": "b"}}}, kind=MERGE)
    for kind in (MERGE, STRATEGIC):
        body = {"metadata": {"resourceVersion": found["metadata"]["resourceVersion"]}, "spec": {"paused": True}}
        answer = await kube.send("PATCH", PATH, body, kind=kind)
        assert (answer.code, answer.json["message"]) == (409, MODIFIED)
    answer = await kube.send("PATCH", PATH, {"metadata": {"uid": "other"}, "spec": {"paused": True}}, kind=MERGE)
    assert (answer.code, answer.json["reason"]) == (409, "Conflict")
    assert (await kube.send("PUT", PATH, found)).code == 409
    assert "paused" not in (await web(kube))["spec"]


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


async def test_a_json_patch_tests_before_it_writes(shop: Sandbox, kube: Kube) -> None:
    steps: list[dict[str, Any]] = [
        {"op": "test", "path": "/spec/replicas", "value": 3},
        {"op": "add", "path": "/spec/replicas", "value": 4},
        {"op": "add", "path": "/metadata/annotations/kubernetes.io~1change-cause", "value": "why"},
    ]
    answer = await kube.send("PATCH", PATH, steps, kind=STEPS)
    assert answer.json["metadata"]["annotations"]["kubernetes.io/change-cause"] == "why"
    answer = await kube.send("PATCH", PATH, steps, kind=STEPS)
    assert (answer.code, answer.json["reason"]) == (422, "Invalid")
    assert answer.json["message"] == "the server rejected our request due to an error in our request"
    assert (
        await kube.send("PATCH", PATH, [{"op": "replace", "path": "/spec/none", "value": 1}], kind=STEPS)
    ).code == 422
    assert (await kube.send("PATCH", PATH, {"op": "test"}, kind=STEPS)).code == 400
    assert (await web(kube))["spec"]["replicas"] == 4


async def test_only_a_strategic_merge_keeps_the_rest_of_a_container(shop: Sandbox, kube: Kube) -> None:
    body = {"spec": {"template": {"spec": {"containers": [{"name": "web", "image": "reg/web:3"}]}}}}
    changed = (await kube.send("PATCH", PATH, body, kind=STRATEGIC)).json["spec"]["template"]["spec"]["containers"][0]
    assert (changed["image"], changed["ports"][0]["containerPort"]) == ("reg/web:3", 8080)
    changed = (await kube.send("PATCH", PATH, body, kind=MERGE)).json["spec"]["template"]["spec"]["containers"][0]
    assert "ports" not in changed


async def test_unknown_patches_are_refused(shop: Sandbox, kube: Kube) -> None:
    assert (await kube.send("PATCH", PATH, {}, kind="application/json")).code == 415
    manifest = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "r", "namespace": "shop"}}
    shop.apply({"objects": [{**manifest, "spec": {"replicas": 2}}]})
    path = "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/r"
    assert (await kube.send("PATCH", path, {"spec": {"paused": True}}, kind=STRATEGIC)).code == 415
    assert (await kube.send("PATCH", path, {"spec": {"paused": True}}, kind=MERGE)).json["spec"]["paused"] is True
    assert (await kube.send("GET", f"{path}/scale")).json["spec"] == {"replicas": 2}


async def test_the_spec_and_the_status_are_written_apart(shop: Sandbox, kube: Kube) -> None:
    found = await web(kube)
    found["spec"]["replicas"], found["status"]["replicas"] = 7, 99
    written = (await kube.send("PUT", PATH, found)).json
    assert (written["spec"]["replicas"], written["status"]["replicas"]) == (7, 3)
    written = (
        await kube.send("PATCH", f"{PATH}/status", {"spec": {"replicas": 1}, "status": {"replicas": 9}}, kind=MERGE)
    ).json
    assert (written["spec"]["replicas"], written["status"]["replicas"]) == (7, 9)
    assert written["metadata"]["generation"] == found["metadata"]["generation"] + 1


async def test_creating(shop: Sandbox, kube: Kube) -> None:
    pod = {"metadata": {"generateName": "job-"}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}
    made = await kube.send("POST", "/api/v1/namespaces/shop/pods", {**pod, "status": {"phase": "Failed"}})
    assert made.code == 201
    assert made.json["metadata"]["name"].startswith("job-")
    assert made.json["status"]["phase"] == "Pending"
    again = await kube.send("POST", "/api/v1/namespaces/shop/pods", {**pod, "metadata": {"name": "db-0"}})
    assert (again.code, again.json["reason"]) == (409, "AlreadyExists")
    nowhere = await kube.send("POST", "/api/v1/namespaces/nowhere/pods", {**pod, "metadata": {"name": "x"}})
    assert (nowhere.code, nowhere.json["message"]) == (404, 'namespaces "nowhere" not found')
    bad = await kube.send(
        "POST", "/api/v1/namespaces/shop/pods", {"metadata": {"name": "B_d"}, "spec": {"containers": []}}
    )
    assert {cause["field"] for cause in bad.json["details"]["causes"]} == {"metadata.name", "spec.containers"}
    assert (
        await kube.send("POST", "/api/v1/namespaces/shop/pods", {"metadata": {"name": "x"}, "spec": "?"})
    ).code == 400


async def test_an_autoscaler_needs_bounds_that_fit(shop: Sandbox, kube: Kube) -> None:
    shop.apply({"workloads": [{**WEB, "hpa": {"min": 2, "max": 8}}]})
    path = "/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers/web"
    answer = await kube.send("PATCH", path, {"spec": {"minReplicas": 9}}, kind=MERGE)
    assert (answer.code, answer.json["details"]["causes"][0]["field"]) == (422, "spec.maxReplicas")
    assert (await kube.send("PATCH", path, {"spec": {"minReplicas": 3, "maxReplicas": 9}}, kind=MERGE)).code == 200


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
    assert (await kube.send("DELETE", f"{PATH}?dryRun=Some")).code == 400
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


async def test_a_finalizer_holds_what_is_deleted(shop: Sandbox, kube: Kube) -> None:
    path = "/api/v1/namespaces/shop/configmaps"
    await kube.send("POST", path, {"metadata": {"name": "c", "finalizers": ["example.com/hold"]}})
    assert (await kube.send("DELETE", f"{path}/c")).json["metadata"]["deletionTimestamp"]
    assert (await kube.send("GET", f"{path}/c")).code == 200
    await kube.send("PATCH", f"{path}/c", {"metadata": {"finalizers": None}}, kind=MERGE)
    assert (await kube.send("GET", f"{path}/c")).code == 404


@pytest.mark.parametrize(("policy", "pods_left"), [("Background", 0), ("Foreground", 0), ("Orphan", 3)])
async def test_what_is_owned_goes_after_its_owner(shop: Sandbox, kube: Kube, policy: str, pods_left: int) -> None:
    assert (await kube.send("DELETE", PATH, {"propagationPolicy": policy})).code == 200
    await shop.settle()
    assert (await kube.send("GET", PATH)).code == 404
    pods = await kube.call(kube.core.list_namespaced_pod, "shop", label_selector="app=web")
    assert len(pods.json["items"]) == pods_left


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


async def test_two_budgets_are_one_too_many(sandbox: Sandbox, kube: Kube) -> None:
    second = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "more", "namespace": "shop"},
    }
    spec = {"maxUnavailable": 1, "selector": {"matchExpressions": [{"key": "app", "operator": "In", "values": ["db"]}]}}
    sandbox.apply({"workloads": [{**DB, "pdb": {"min_available": 1}}], "objects": [{**second, "spec": spec}]})
    answer = await evict(kube, "db-0")
    assert (answer.code, answer.json["status"], answer.json["code"]) == (201, "Failure", 500)
    assert sandbox.writes() == []


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
