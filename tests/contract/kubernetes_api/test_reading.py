"""get and list: what an object looks like, what is not there, selectors, pages."""

from __future__ import annotations

import base64
import json

import pytest

from tests.contract.kubernetes_api.conftest import Backend
from tests.contract.kubernetes_api.shop import Shop, says


def test_an_object_says_what_it_is_and_an_item_of_a_list_does_not(shop: Shop) -> None:
    path = shop.workload(replicas=0)
    found = shop.get(path)
    assert (found["kind"], found["apiVersion"]) == ("Deployment", "apps/v1")
    listed = shop.get(shop.path("deployments", group="apps/v1"))
    assert (listed["kind"], listed["apiVersion"]) == ("DeploymentList", "apps/v1")
    assert listed["items"] == [{key: value for key, value in found.items() if key not in {"kind", "apiVersion"}}]


def test_items_of_a_custom_kind_say_it(backend: Backend, shop: Shop) -> None:
    backend.define_custom()
    path = shop.path("rollouts", group="argoproj.io/v1alpha1")
    body = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "canary"}, "spec": {}}
    shop.api.make(path, body)
    assert [item["kind"] for item in shop.get(path)["items"]] == ["Rollout"]


def test_what_is_not_there(shop: Shop) -> None:
    answer = shop.api.get(shop.path("deployments", "nope", group="apps/v1"))
    assert answer.status == 404
    assert answer.json == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Failure",
        "message": 'deployments.apps "nope" not found',
        "reason": "NotFound",
        "details": {"name": "nope", "group": "apps", "kind": "deployments"},
        "code": 404,
    }
    core = shop.api.get(shop.path("pods", "nope"))
    assert says(core) == (404, "NotFound", 'pods "nope" not found')
    assert core.json["details"] == {"name": "nope", "kind": "pods"}
    assert shop.names("pods") == []
    assert shop.api.get("/api/v1/namespaces/nowhere/pods").json["items"] == []


NO_RESOURCE = (404, "NotFound", "the server could not find the requested resource")


@pytest.mark.parametrize(
    "path",
    [
        "/apis/apps/v1/namespaces/x/widgets",
        "/apis/apps/v2/deployments",
        "/apis/apps/v1/deployments/web",
        "/apis/apps/v1/namespaces/x/deployments/web/logs",
        "/api/v1/namespaces/x/nodes",
    ],
)
def test_a_path_that_a_known_group_does_not_have(shop: Shop, path: str) -> None:
    answer = shop.api.get(path)
    assert says(answer) == NO_RESOURCE
    assert answer.json["details"] == {}


@pytest.mark.parametrize("path", ["/apis/metrics.k8s.io/v1beta1/pods", "/apis/unknown.example.com/v1/x", "/nowhere"])
def test_a_group_that_nobody_knows_is_answered_in_plain_words(shop: Shop, path: str) -> None:
    answer = shop.api.get(path)
    assert (answer.status, answer.text) == (404, "404 page not found\n")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "deployments/web"),
        ("PUT", "deployments"),
        ("PATCH", "deployments"),
        ("DELETE", "deployments/web/scale"),
    ],
)
def test_a_method_that_a_path_does_not_have(shop: Shop, method: str, path: str) -> None:
    answer = shop.api.send(method, shop.path(path, group="apps/v1"), {}, kind="application/merge-patch+json")
    text = "the server does not allow this method on the requested resource"
    assert says(answer) == (405, "MethodNotAllowed", text)


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("app=front", ["front"]),
        ("app==back", ["back"]),
        ("app!=front", ["back", "bare"]),
        ("tier in (one, two)", ["back", "front"]),
        ("tier notin (one)", ["back", "bare"]),
        ("tier", ["back", "front"]),
        ("!tier", ["bare"]),
        ("app=front,tier in (one)", ["front"]),
        ("app=front,tier in (two,three)", []),
        ("weight>3", ["front"]),
        ("app in ()", []),
        ("app=", []),
        ("", ["back", "bare", "front"]),
    ],
)
def test_label_selectors(shop: Shop, selector: str, expected: list[str]) -> None:
    shop.config("front", labels={"app": "front", "tier": "one", "weight": "5"})
    shop.config("back", labels={"app": "back", "tier": "two", "weight": "3"})
    shop.config("bare")
    assert [name for name in shop.names("configmaps", labelSelector=selector) if name != "kube-root-ca.crt"] == expected


@pytest.mark.parametrize(
    ("selector", "text"),
    [
        ("app,", "found '', expected: identifier after ','"),
        ("a=b,,c", "found ',', expected: identifier after ','"),
        (",app", "found ',', expected: !, identifier, or 'end of string'"),
        ("app=a=b", "found '=', expected: ',' or 'end of string'"),
        ("app in web", "unable to parse requirement: found 'web' expected: '('"),
        ("app in (web", "unable to parse requirement: found '', expected: ',' or ')'"),
    ],
)
def test_a_label_selector_that_cannot_be_read(shop: Shop, selector: str, text: str) -> None:
    assert says(shop.api.get(shop.path("pods", labelSelector=selector))) == (400, "BadRequest", text)


def test_field_selectors_of_pods(shop: Shop) -> None:
    shop.workload("db", kind="StatefulSet", replicas=2)
    node = shop.get(shop.path("pods", "db-0"))["spec"]["nodeName"]
    everywhere = shop.api.get(f"/api/v1/pods?fieldSelector=spec.nodeName%3D{node}").json["items"]
    assert {item["spec"]["nodeName"] for item in everywhere} == {node}
    assert "db-0" in {item["metadata"]["name"] for item in everywhere}
    assert shop.names("pods", fieldSelector="metadata.name=db-1,status.phase=Running") == ["db-1"]
    assert shop.names("pods", fieldSelector="status.phase!=Running") == []


def test_field_selectors_of_events(shop: Shop) -> None:
    path = shop.workload(replicas=1)
    uid = shop.get(path)["metadata"]["uid"]
    chosen = f"involvedObject.uid={uid},type=Normal,reason=ScalingReplicaSet"
    (event,) = shop.get(shop.path("events", fieldSelector=chosen))["items"]
    assert event["message"].startswith("Scaled up replica set web-")
    assert (event["involvedObject"]["kind"], event["source"]["component"]) == ("Deployment", "deployment-controller")
    (pod,) = shop.names("pods")
    scheduled = f"involvedObject.name={pod},reason=Scheduled,reportingComponent=default-scheduler"
    (event,) = shop.get(shop.path("events", fieldSelector=scheduled))["items"]
    # What is written through events.k8s.io has neither a last time nor a count.
    assert (event["lastTimestamp"], event.get("count"), event["source"]) == (None, None, {})
    assert event["eventTime"]
    assert event["action"] == "Binding"


@pytest.mark.parametrize(
    ("plural", "group", "field", "text"),
    [
        ("pods", "", "spec.color", "field label not supported: spec.color"),
        ("events", "", "count", "field label not supported: count"),
        (
            "deployments",
            "apps/v1",
            "spec.replicas",
            '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
        ),
    ],
)
def test_a_field_that_cannot_be_selected_by(shop: Shop, plural: str, group: str, field: str, text: str) -> None:
    answer = shop.api.get(shop.path(plural, group=group, fieldSelector=f"{field}=1"))
    assert says(answer) == (400, "BadRequest", text)


def test_lists_come_in_pages(shop: Shop) -> None:
    for number in range(5):
        shop.config(f"m{number}", labels={"page": "yes"})
    everything = shop.names("configmaps")
    first = shop.get(shop.path("configmaps", limit=2))
    assert first["metadata"]["remainingItemCount"] == len(everything) - 2
    token = first["metadata"]["continue"]
    shop.api.patch(shop.path("configmaps", "m4"), {"data": {"later": "yes"}})
    second = shop.get(shop.path("configmaps", **{"limit": 9, "continue": token}))
    assert "continue" not in second["metadata"]
    assert second["metadata"]["resourceVersion"] == first["metadata"]["resourceVersion"]
    assert [item["metadata"]["name"] for item in first["items"] + second["items"]] == everything


def test_a_page_of_a_selection_does_not_count_the_rest(shop: Shop) -> None:
    for number in range(3):
        shop.config(f"m{number}", labels={"page": "yes"})
    page = shop.get(shop.path("configmaps", limit=2, labelSelector="page=yes"))
    assert len(page["items"]) == 2
    assert page["metadata"]["continue"]
    assert "remainingItemCount" not in page["metadata"]


def test_a_list_of_any_version_is_never_cut(shop: Shop) -> None:
    for number in range(3):
        shop.config(f"m{number}")
    path = shop.path("configmaps", limit=2, resourceVersion=0)
    shop.until(path, lambda found: len(found["items"]) >= 3)
    assert "continue" not in shop.get(path)["metadata"]


def test_a_page_that_comes_too_late(backend: Backend, shop: Shop) -> None:
    """Continued lists are read as of their first page, until that state is forgotten: then 410, with a token to go on
    without it."""
    for number in range(4):
        shop.config(f"m{number}")
    token = shop.get(shop.path("configmaps", limit=2))["metadata"]["continue"]
    backend.forget()
    late = shop.api.get(shop.path("configmaps", **{"limit": "9", "continue": _as_of(token, 1)}))
    status, reason, text = says(late)
    assert (status, reason) == (410, "Expired")
    assert text.startswith("The provided continue parameter is too old to display a consistent list result.")
    rest = shop.get(shop.path("configmaps", **{"limit": 9, "continue": late.json["metadata"]["continue"]}))
    assert len(rest["items"]) == len(shop.names("configmaps")) - 2


def _as_of(token: str, version: int) -> str:
    place = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    return base64.urlsafe_b64encode(json.dumps({**place, "rv": version}).encode()).decode().rstrip("=")


def test_parameters_that_do_not_go_together_or_cannot_be_read(shop: Shop) -> None:
    for number in range(3):
        shop.config(f"m{number}")
    token = shop.get(shop.path("configmaps", limit=2))["metadata"]["continue"]
    answer = shop.api.get(shop.path("configmaps", **{"continue": token, "resourceVersion": "5"}))
    assert says(answer) == (400, "BadRequest", "specifying resource version is not allowed when using continue")
    answer = shop.api.get(shop.path("configmaps", limit="two"))
    assert says(answer) == (400, "BadRequest", 'strconv.ParseInt: parsing "two": invalid syntax')
    answer = shop.api.get(shop.path("configmaps", **{"continue": "zzz"}))
    assert answer.json["message"].startswith("invalid continue token: continue key is not valid: ")
    assert len(shop.names("configmaps", limit=-1)) >= 3


def test_discovery(shop: Shop) -> None:
    groups = {group["name"] for group in shop.get("/apis")["groups"]}
    assert groups >= {"apps", "autoscaling", "policy", "batch", "authorization.k8s.io", "authentication.k8s.io"}
    assert "metrics.k8s.io" not in groups
    rows = {row["name"]: row for row in shop.get("/apis/apps/v1")["resources"]}
    assert (rows["deployments"]["kind"], rows["deployments/scale"]["kind"]) == ("Deployment", "Scale")
    assert set(rows["deployments"]["verbs"]) >= {"get", "list", "watch", "patch"}
    version = shop.get("/version")
    assert (version["major"], version["minor"]) == ("1", "36")
    assert shop.api.get("/readyz").text == "ok"
