"""PATCH and PUT: the three kinds of patch, preconditions, dry runs."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cluster.api import PATCHES
from tests.contract.kubernetes_api.conftest import Backend
from tests.contract.kubernetes_api.shop import Shop, causes, says, template

Json = dict[str, Any]
MODIFIED = (
    'Operation cannot be fulfilled on deployments.apps "web": the object has been modified; '
    "please apply your changes to the latest version and try again"
)
UNPROCESSABLE = (422, "Invalid", "the server rejected our request due to an error in our request")


@pytest.fixture
def web(shop: Shop) -> str:
    """A Deployment that no controller is at work on."""
    return shop.workload(replicas=0)


@pytest.mark.parametrize("kind", ["merge", "strategic"])
def test_a_version_that_is_not_the_present_one_conflicts(shop: Shop, web: str, kind: str) -> None:
    before = shop.get(web)
    shop.api.patch(web, {"metadata": {"labels": {"a": "b"}}})
    body = {"metadata": {"resourceVersion": before["metadata"]["resourceVersion"]}, "spec": {"paused": True}}
    answer = shop.api.patch(web, body, kind=kind)
    assert says(answer) == (409, "Conflict", MODIFIED)
    assert answer.json["details"] == {"name": "web", "group": "apps", "kind": "deployments"}
    dry = shop.api.patch(f"{web}?dryRun=All", body, kind=kind)
    assert says(dry) == (409, "Conflict", MODIFIED)
    assert "paused" not in shop.get(web)["spec"]
    assert says(shop.api.send("PUT", web, before)) == (409, "Conflict", MODIFIED)


def test_a_present_version_is_taken_once(shop: Shop, web: str) -> None:
    body = {"metadata": {"resourceVersion": shop.get(web)["metadata"]["resourceVersion"]}, "spec": {"paused": True}}
    assert shop.api.patch(web, body).status == 200
    assert says(shop.api.patch(web, body)) == (409, "Conflict", MODIFIED)


@pytest.mark.parametrize("kind", ["merge", "strategic"])
def test_another_uid_in_a_patch_is_no_conflict_but_invalid(shop: Shop, web: str, kind: str) -> None:
    body: Json = {"metadata": {"uid": "other"}, "spec": {"paused": True}}
    answer = shop.api.patch(web, body, kind=kind)
    text = 'Deployment.apps "web" is invalid: metadata.uid: Invalid value: "other": field is immutable'
    assert says(answer) == (422, "Invalid", text)
    assert causes(answer) == [("metadata.uid", "FieldValueInvalid")] * 2
    dry = shop.api.patch(f"{web}?dryRun=All", body, kind=kind)
    assert says(dry) == (422, "Invalid", text)
    # The version is looked at first.
    body["metadata"]["resourceVersion"] = "1"
    assert says(shop.api.patch(web, body, kind=kind)) == (409, "Conflict", MODIFIED)
    assert "paused" not in shop.get(web)["spec"]


def test_another_uid_in_a_put_is_a_conflict(shop: Shop, web: str) -> None:
    found = shop.get(web)
    uid = found["metadata"]["uid"]
    found["metadata"]["uid"] = "other"
    status, reason, text = says(shop.api.send("PUT", web, found))
    assert (status, reason) == (409, "Conflict")
    assert text.endswith(f"Precondition failed: UID in precondition: other, UID in object meta: {uid}")


def test_an_object_of_another_name_is_refused(shop: Shop, web: str) -> None:
    text = "the name of the object (other) does not match the name on the URL (web)"
    assert says(shop.api.patch(web, {"metadata": {"name": "other"}})) == (400, "BadRequest", text)
    found = shop.get(web)
    found["metadata"]["name"] = "other"
    assert says(shop.api.send("PUT", web, found)) == (400, "BadRequest", text)
    assert shop.api.patch(f"{web}-not", {"metadata": {"uid": "u"}}).status == 404


def test_what_changes_nothing_is_not_written(shop: Shop, web: str) -> None:
    before = shop.get(web)
    for body in ({}, {"spec": {"replicas": 0}}, {"metadata": {"labels": {"app": "web"}}}):
        assert shop.api.patch(web, body).json == before
    assert shop.get(web) == before


def test_the_generation_of_a_deployment_moves_with_its_spec_and_with_its_annotations(shop: Shop, web: str) -> None:
    """The plan's own mark moves it therefore, and the controller has to look again."""
    begun = shop.get(web)["metadata"]["generation"]

    def after(body: Json) -> int:
        moved: int = shop.api.patch(web, body).json["metadata"]["generation"] - begun
        return moved

    assert after({"metadata": {"labels": {"a": "b"}}}) == 0
    assert after({"metadata": {"annotations": {"a": "b"}}}) == 1
    assert after({"spec": {"paused": True}}) == 2
    found = shop.until(web, lambda found: found["status"]["observedGeneration"] == begun + 2)
    assert found["metadata"]["generation"] == begun + 2


@pytest.mark.parametrize("kind", ["StatefulSet", "DaemonSet"])
def test_the_generation_of_others_moves_with_their_spec_alone(shop: Shop, kind: str) -> None:
    spec: Json = {"selector": {"matchLabels": {"app": "x"}}, "template": template("x", nodeSelector={"no": "where"})}
    if kind == "StatefulSet":
        spec["replicas"] = 0
    path = shop.path(f"{kind.lower()}s", group="apps/v1")
    shop.api.make(path, {"metadata": {"name": "x"}, "spec": spec})
    assert shop.api.patch(f"{path}/x", {"metadata": {"annotations": {"a": "b"}}}).json["metadata"]["generation"] == 1
    assert shop.api.patch(f"{path}/x", {"spec": {"revisionHistoryLimit": 3}}).json["metadata"]["generation"] == 2


def test_nodes_and_autoscalers_have_no_generation(shop: Shop) -> None:
    spec = {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}}
    path = shop.path("horizontalpodautoscalers", group="autoscaling/v2")
    assert "generation" not in shop.api.make(path, {"metadata": {"name": "web"}, "spec": spec})["metadata"]
    node = shop.api.get("/api/v1/nodes").json["items"][0]
    assert "generation" not in node["metadata"]


def test_a_restart_and_its_repetition(shop: Shop, web: str) -> None:
    annotations = {"kubectl.kubernetes.io/restartedAt": "2026-11-29T20:19:50Z"}
    body = {"spec": {"template": {"metadata": {"annotations": annotations}}}}
    first = shop.api.patch(web, body, kind="strategic").json
    assert first["metadata"]["generation"] == 2
    again = shop.api.patch(web, body, kind="strategic").json
    assert (again["metadata"]["generation"], again["spec"]) == (2, first["spec"])


def test_an_undo_brings_the_old_replica_set_back_under_a_new_number(shop: Shop) -> None:
    web = shop.workload(replicas=1)
    revision = "deployment.kubernetes.io/revision"

    def sets(number: str) -> list[Json]:
        rows = shop.get(shop.path("replicasets", group="apps/v1"))["items"]
        return [row for row in rows if row["metadata"]["annotations"].get(revision) == number]

    (first,) = sets("1")
    shop.api.patch(web, {"spec": {"template": template("web", "reg/web:3")}}, kind="strategic")
    shop.until(web, lambda found: found["metadata"]["annotations"][revision] == "2")
    old = first["spec"]["template"]
    del old["metadata"]["labels"]["pod-template-hash"]
    steps = [{"op": "replace", "path": "/spec/template", "value": old}]
    assert shop.api.patch(web, steps, kind="json").status == 200
    shop.until(web, lambda found: found["metadata"]["annotations"][revision] == "3")
    (back,) = sets("3")
    assert back["metadata"]["uid"] == first["metadata"]["uid"]
    assert sets("1") == []


@pytest.mark.parametrize(
    ("steps", "accepted"),
    [
        ([{"op": "test", "path": "/spec/replicas", "value": 0}], True),
        ([{"op": "test", "path": "/spec/replicas", "value": 3}], False),
        ([{"op": "test", "path": "/metadata/uid", "value": "other"}], False),
        ([{"op": "test", "path": "/spec/none", "value": None}], True),
        ([{"op": "test", "path": "/spec/none", "value": 3}], False),
        ([{"op": "add", "path": "/spec/replicas", "value": 2}], True),
        ([{"op": "add", "path": "/metadata/annotations/kubernetes.io~1change-cause", "value": "why"}], True),
        ([{"op": "remove", "path": "/spec/none"}], False),
        ([{"op": "replace", "path": "/spec/minReadySeconds", "value": 1}], True),  # though it was not there
        ([{"op": "replace", "path": "/spec/none/deep", "value": 1}], False),
        ([{"op": "replace", "path": "/spec/template/spec/containers/7/image", "value": "x"}], False),
        ([{"op": "what", "path": "/spec"}], False),
    ],
)
def test_steps_of_a_json_patch(shop: Shop, web: str, steps: list[Json], accepted: bool) -> None:
    answer = shop.api.patch(f"{web}?dryRun=All", steps, kind="json")
    if accepted:
        assert answer.status == 200, answer.text
    else:
        assert says(answer) == UNPROCESSABLE
        assert answer.json["details"] == {}


def test_a_json_patch_is_carried_out_whole_or_not_at_all(shop: Shop, web: str) -> None:
    steps = [
        {"op": "add", "path": "/spec/minReadySeconds", "value": 4},
        {"op": "test", "path": "/spec/replicas", "value": 7},
    ]
    assert says(shop.api.patch(web, steps, kind="json")) == UNPROCESSABLE
    assert "minReadySeconds" not in shop.get(web)["spec"]
    stale = [{"op": "replace", "path": "/metadata/resourceVersion", "value": "1"}]
    assert says(shop.api.patch(web, stale, kind="json")) == (409, "Conflict", MODIFIED)


@pytest.mark.parametrize(
    ("body", "kind", "text"),
    [
        (
            {"op": "test"},
            "json",
            "error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp",
        ),
        ([1], "json", "error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp"),
        (
            [1],
            "merge",
            "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}",
        ),
        ([1], "strategic", "json: cannot unmarshal array into Go value of type map[string]interface {}"),
    ],
)
def test_a_patch_of_the_wrong_shape(shop: Shop, web: str, body: Any, kind: str, text: str) -> None:
    assert says(shop.api.patch(web, body, kind=kind)) == (400, "BadRequest", text)


def test_a_kind_of_patch_that_is_not_known(shop: Shop, web: str) -> None:
    answer = shop.api.send("PATCH", web, {}, kind="application/json")
    assert says(answer) == (415, "UnsupportedMediaType", "415: Unsupported Media Type")


def pod_spec(shop: Shop, web: str, spec: Json, *, kind: str = "strategic") -> Json:
    answer = shop.api.patch(f"{web}?dryRun=All", {"spec": {"template": {"spec": spec}}}, kind=kind)
    assert answer.status == 200, answer.text
    made: Json = answer.json["spec"]["template"]["spec"]
    return made


def images(spec: Json) -> list[tuple[str, str]]:
    return [(container["name"], container["image"]) for container in spec["containers"]]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ({"containers": [{"name": "web", "image": "reg/web:3"}]}, [("web", "reg/web:3")]),
        # A name that is not there adds a container, before the others.
        ({"containers": [{"name": "side", "image": "reg/s:1"}]}, [("side", "reg/s:1"), ("web", "reg/web:2")]),
        (
            {
                "$setElementOrder/containers": [{"name": "web"}, {"name": "side"}],
                "containers": [{"name": "side", "image": "reg/s:1"}],
            },
            [("web", "reg/web:2"), ("side", "reg/s:1")],
        ),
        ({"containers": []}, [("web", "reg/web:2")]),
        ({"containers": [{"$patch": "replace"}, {"name": "only", "image": "o:1"}]}, [("only", "o:1")]),
        (
            {"containers": [{"name": "web", "$patch": "delete"}, {"name": "new", "image": "n:1"}]},
            [("new", "n:1")],
        ),
    ],
)
def test_a_strategic_merge_joins_containers_by_name(
    shop: Shop, web: str, spec: Json, expected: list[tuple[str, str]]
) -> None:
    assert images(pod_spec(shop, web, spec)) == expected


def test_only_a_strategic_merge_keeps_the_rest_of_a_container(shop: Shop, web: str) -> None:
    spec = {"containers": [{"name": "web", "image": "reg/web:3"}]}
    assert pod_spec(shop, web, spec)["containers"][0]["ports"] == [{"containerPort": 8080, "protocol": "TCP"}]
    assert "ports" not in pod_spec(shop, web, spec, kind="merge")["containers"][0]


def test_a_strategic_merge_of_variables_and_ports(shop: Shop, web: str) -> None:
    def container(**fields: Any) -> Json:
        return {"spec": {"template": {"spec": {"containers": [{"name": "web", **fields}]}}}}

    given = [{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]
    shop.api.patch(web, container(env=given), kind="strategic")
    changes = [{"name": "C", "value": "3"}, {"name": "A", "value": "9"}, {"name": "B", "$patch": "delete"}]
    made = shop.api.patch(web, container(env=changes, ports=[{"containerPort": 9090}]), kind="strategic").json
    (found,) = made["spec"]["template"]["spec"]["containers"]
    assert found["env"] == [{"name": "C", "value": "3"}, {"name": "A", "value": "9"}]
    assert [port["containerPort"] for port in found["ports"]] == [9090, 8080]


def test_a_strategic_merge_replaces_tolerations(shop: Shop, web: str) -> None:
    for key in ("a", "b"):
        body = {"spec": {"template": {"spec": {"tolerations": [{"key": key, "operator": "Exists"}]}}}}
        made = shop.api.patch(web, body, kind="strategic").json
        assert made["spec"]["template"]["spec"]["tolerations"] == [{"key": key, "operator": "Exists"}]


@pytest.mark.parametrize(
    "strategy",
    [
        {"$retainKeys": ["type"], "type": "Recreate"},
        {"$patch": "replace", "type": "Recreate"},
        {"type": "Recreate", "rollingUpdate": None},
    ],
)
def test_a_strategic_merge_can_leave_out_what_no_longer_fits(shop: Shop, web: str, strategy: Json) -> None:
    made = shop.api.patch(web, {"spec": {"strategy": strategy}}, kind="strategic").json
    assert made["spec"]["strategy"] == {"type": "Recreate"}


def test_finalizers_are_merged_and_taken_out_one_by_one(shop: Shop) -> None:
    path = shop.config(finalizers=["example.com/a", "example.com/b"])

    def left(metadata: Json) -> Any:
        return shop.api.patch(path, {"metadata": metadata}, kind="strategic").json["metadata"].get("finalizers")

    assert left({"finalizers": ["example.com/c", "example.com/a"]}) == [
        "example.com/c",
        "example.com/a",
        "example.com/b",
    ]
    assert left({"$deleteFromPrimitiveList/finalizers": ["example.com/a", "example.com/c"]}) == ["example.com/b"]
    assert left({"finalizers": None}) is None


def test_custom_kinds_know_no_strategic_merge(backend: Backend, shop: Shop) -> None:
    backend.define_custom()
    path = shop.path("rollouts", group="argoproj.io/v1alpha1")
    body = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "r"}, "spec": {"replicas": 2}}
    shop.api.make(path, body)
    answer = shop.api.patch(f"{path}/r", {"spec": {"paused": True}}, kind="strategic")
    assert answer.status == 415
    assert "application/merge-patch+json" in answer.json["message"]
    made = shop.api.patch(f"{path}/r", {"spec": {"paused": True}}).json
    assert (made["spec"], made["metadata"]["generation"]) == ({"replicas": 2, "paused": True}, 2)
    assert (
        causes(shop.api.patch(f"{path}/r", {"metadata": {"uid": "other"}}))
        == [("metadata.uid", "FieldValueInvalid")] * 2
    )


def test_spec_and_status_are_written_apart(shop: Shop, web: str) -> None:
    found = shop.get(web)
    found["spec"]["minReadySeconds"], found["status"]["replicas"] = 5, 99
    written = shop.api.send("PUT", web, found).json
    assert written["spec"]["minReadySeconds"] == 5
    assert "replicas" not in written["status"]
    body = {"spec": {"minReadySeconds": 1}, "status": {"collisionCount": 9}}
    written = shop.api.patch(f"{web}/status", body).json
    assert (written["spec"]["minReadySeconds"], written["status"]["collisionCount"]) == (5, 9)


def test_dry_runs_change_nothing(shop: Shop) -> None:
    web = shop.workload(replicas=1)
    pod = shop.path("pods", shop.names("pods")[0])
    before = {path: shop.get(path) for path in (web, pod)}
    assert shop.api.patch(f"{web}?dryRun=All", {"spec": {"replicas": 9}}).json["spec"]["replicas"] == 9
    assert shop.api.patch(f"{web}/scale?dryRun=All", {"spec": {"replicas": 9}}).json["spec"] == {"replicas": 9}
    body = {"metadata": {"name": "x"}, "spec": {"containers": [{"name": "a", "image": "a:1"}]}}
    assert shop.api.post(shop.path("pods", dryRun="All"), body).status == 201
    assert shop.api.delete(f"{web}?dryRun=All").status == 200
    assert shop.api.delete(pod, {"dryRun": ["All"]}).json["metadata"]["deletionTimestamp"]
    eviction = {"metadata": {"name": pod.rpartition("/")[2]}, "deleteOptions": {"dryRun": ["All"]}}
    assert shop.api.post(f"{pod}/eviction", eviction).status == 201
    assert {path: shop.get(path) for path in (web, pod)} == before


@pytest.mark.parametrize(
    ("method", "options"), [("PATCH", "PatchOptions"), ("DELETE", "DeleteOptions"), ("PUT", "UpdateOptions")]
)
def test_a_dry_run_of_some_of_it_is_invalid(shop: Shop, web: str, method: str, options: str) -> None:
    body = None if method == "DELETE" else shop.get(web)
    kind = PATCHES["merge"] if method == "PATCH" else "application/json"
    answer = shop.api.send(method, f"{web}?dryRun=Some", body, kind=kind)
    text = f'{options}.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["Some"]: supported values: "All"'
    assert says(answer) == (422, "Invalid", text)


def test_the_name_of_a_field_manager_is_limited(shop: Shop, web: str) -> None:
    assert shop.api.patch(f"{web}?fieldManager={'m' * 128}", {"spec": {"paused": True}}).status == 200
    answer = shop.api.patch(f"{web}?fieldManager={'m' * 129}", {"spec": {"paused": None}})
    assert causes(answer) == [("fieldManager", "FieldValueTooLong")]
