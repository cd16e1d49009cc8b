"""Who one is, what one may, acting as somebody else, and the words of a refusal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cluster.api import Answer
from tests.contract.kubernetes_api.conftest import ADMIN, REVIEWS, Backend, acting
from tests.contract.kubernetes_api.shop import Shop, causes, says

Json = dict[str, Any]
WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
MAY_I = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
READING = {"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get", "list"]}
SCALING = {"apiGroups": ["apps"], "resources": ["deployments/scale"], "verbs": ["patch"]}


def who(shop: Shop, headers: Any = None) -> Json:
    answer = shop.api.send(
        "POST", WHO, {"kind": "SelfSubjectReview", "apiVersion": "authentication.k8s.io/v1"}, headers=headers
    )
    assert answer.status == 201, answer.text
    found: Json = answer.json["status"]["userInfo"]
    return found


def test_who_one_is(shop: Shop) -> None:
    assert who(shop) == {"username": ADMIN, "uid": ADMIN, "groups": ["system:masters", "system:authenticated"]}


def test_who_one_acts_as(shop: Shop) -> None:
    assert who(shop, acting("alice")) == {"username": "alice", "groups": ["system:authenticated"]}
    assert who(shop, acting("alice", "devs", "ops"))["groups"] == ["devs", "ops", "system:authenticated"]
    # One header with two groups is one group, whatever its sender thought.
    assert who(shop, acting("alice", "devs,ops"))["groups"] == ["devs,ops", "system:authenticated"]
    headers = acting("alice", "devs")
    headers["Impersonate-Uid"], headers["Impersonate-Extra-Team"] = "u1", "red"
    assert who(shop, headers) == {
        "username": "alice",
        "uid": "u1",
        "groups": ["devs", "system:authenticated"],
        "extra": {"team": ["red"]},
    }
    account = who(shop, acting("system:serviceaccount:shop:bot"))
    assert account["groups"] == ["system:serviceaccounts", "system:serviceaccounts:shop", "system:authenticated"]


def test_groups_without_a_user(shop: Shop) -> None:
    status, reason, text = says(shop.api.send("POST", WHO, {}, headers={"Impersonate-Group": "devs"}))
    assert (status, reason) == (400, "BadRequest")
    assert text.endswith("without impersonating a user name")


def test_nobody_is_not_told_who_he_is(backend: Backend, shop: Shop) -> None:
    """Lost credentials do not show as a name in a review, but as a refusal of the review itself."""
    text = (
        'selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource '
        '"selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope'
    )
    answer = backend.anonymous().post(WHO, {})
    assert says(answer) == (403, "Forbidden", text)
    assert answer.json["details"] == {"group": "authentication.k8s.io", "kind": "selfsubjectreviews"}
    assert backend.anonymous().post(MAY_I, {"spec": {"resourceAttributes": {"verb": "get"}}}).status == 403
    nodes = backend.anonymous().get("/api/v1/nodes")
    assert says(nodes)[2] == (
        'nodes is forbidden: User "system:anonymous" cannot list resource "nodes" in API group "" at the cluster scope'
    )


def test_a_token_that_nobody_has(backend: Backend) -> None:
    stranger = backend.anonymous()
    answer = stranger.send("GET", "/api/v1/nodes", headers={"Authorization": "Bearer stolen"})
    assert says(answer) == (401, "Unauthorized", "Unauthorized")


@pytest.mark.parametrize(
    ("method", "place", "said"),
    [
        ("GET", "deployments/web", '"web" cannot get resource "deployments"'),
        ("GET", "deployments", 'cannot list resource "deployments"'),
        ("GET", "deployments?watch=true", 'cannot watch resource "deployments"'),
        ("POST", "deployments", 'cannot create resource "deployments"'),
        ("PATCH", "deployments/web", '"web" cannot patch resource "deployments"'),
        ("PATCH", "deployments/web?dryRun=All", '"web" cannot patch resource "deployments"'),
        ("PATCH", "deployments/web/scale", '"web" cannot patch resource "deployments/scale"'),
        ("PATCH", "deployments/nope", '"nope" cannot patch resource "deployments"'),
        ("DELETE", "deployments/web", '"web" cannot delete resource "deployments"'),
        ("DELETE", "deployments", 'cannot deletecollection resource "deployments"'),
    ],
)
def test_what_is_forbidden_in_a_namespace(shop: Shop, method: str, place: str, said: str) -> None:
    path = shop.path(place, group="apps/v1")
    answer = shop.api.send(method, path, {}, kind="application/merge-patch+json", headers=acting("stranger"))
    name, _, action = said.rpartition("cannot ")
    named = f" {name.strip()}" if name else ""
    text = (
        f'deployments.apps{named} is forbidden: User "stranger" cannot {action} in API group "apps" in the namespace '
    )
    assert says(answer) == (403, "Forbidden", f'{text}"{shop.namespace}"')
    details = {"group": "apps", "kind": "deployments"}
    assert answer.json["details"] == ({"name": name.strip().strip('"'), **details} if name else details)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/api/v1/nodes", 'nodes is forbidden: User "stranger" cannot list resource "nodes" in API group ""'),
        ("/api/v1/nodes/n", 'nodes "n" is forbidden: User "stranger" cannot get resource "nodes" in API group ""'),
        ("/api/v1/pods", 'pods is forbidden: User "stranger" cannot list resource "pods" in API group ""'),
        (
            "/apis/argoproj.io/v1/rollouts",
            'rollouts.argoproj.io is forbidden: User "stranger" cannot list resource "rollouts" in API group "argoproj.io"',
        ),
    ],
)
def test_what_is_forbidden_in_the_whole_cluster(shop: Shop, path: str, text: str) -> None:
    """Also what is not there: who may not look is not told."""
    answer = shop.api.send("GET", path, headers=acting("stranger"))
    assert says(answer) == (403, "Forbidden", f"{text} at the cluster scope")


def test_what_is_forbidden_of_a_pod(shop: Shop) -> None:
    answer = shop.api.send("GET", shop.path("pods", "x/log"), headers=acting("stranger"))
    text = 'pods "x" is forbidden: User "stranger" cannot get resource "pods/log" in API group "" in the namespace '
    assert says(answer) == (403, "Forbidden", f'{text}"{shop.namespace}"')
    answer = shop.api.send("POST", shop.path("pods", "x/eviction"), {}, headers=acting("stranger"))
    assert 'cannot create resource "pods/eviction"' in answer.json["message"]


def test_a_grant_is_for_what_it_names(backend: Backend, shop: Shop) -> None:
    user = f"reader-of-{shop.namespace}"
    backend.grant(user, shop.namespace, [READING, SCALING])
    web = shop.workload(replicas=0)

    def tried(method: str, path: str) -> Answer:
        body = {"spec": {"replicas": 1}}
        return shop.api.send(method, path, body, kind="application/merge-patch+json", headers=acting(user))

    assert tried("GET", web).status == 200
    assert tried("PATCH", web).status == 403
    assert tried("PATCH", f"{web}/scale").status == 200
    assert tried("GET", "/apis/apps/v1/deployments").status == 403
    assert tried("GET", web.replace(shop.namespace, "default")).status == 403


def may(shop: Shop, headers: Any = None, **asked: str) -> Json:
    answer = shop.api.send("POST", MAY_I, {"spec": {"resourceAttributes": asked}}, headers=headers)
    assert answer.status == 201, answer.text
    body: Json = answer.json
    assert body["spec"] == {"resourceAttributes": asked}
    found: Json = body["status"]
    return found


def test_access_reviews_tell_what_would_be_allowed(backend: Backend, shop: Shop) -> None:
    user = f"scaler-of-{shop.namespace}"
    backend.grant(user, shop.namespace, [SCALING])
    scale = {"group": "apps", "resource": "deployments", "subresource": "scale", "verb": "patch"}
    here = {**scale, "namespace": shop.namespace}
    assert may(shop, **here)["allowed"] is True
    assert may(shop, acting(user), **here)["allowed"] is True
    assert may(shop, acting(user), **here, name="web")["allowed"] is True
    for other in ({**scale, "namespace": "default"}, scale, {**here, "subresource": ""}, {**here, "verb": "update"}):
        asked = {key: value for key, value in other.items() if value}
        assert may(shop, acting(user), **asked) == {"allowed": False}
    review = {"spec": {"user": user, "resourceAttributes": here}}
    answer = shop.api.post(REVIEWS, review)
    assert (answer.status, answer.json["status"]["allowed"]) == (201, True)
    stranger = {"spec": {"user": "stranger", "resourceAttributes": here}}
    assert shop.api.post(REVIEWS, stranger).json["status"] == {"allowed": False}


def test_reviews_that_ask_nothing(shop: Shop) -> None:
    assert causes(shop.api.post(MAY_I, {"spec": {}})) == [("spec.resourceAttributes", "FieldValueInvalid")]
    answer = shop.api.post(REVIEWS, {"spec": {"resourceAttributes": {"verb": "get", "resource": "pods"}}})
    assert causes(answer) == [("spec.user", "FieldValueInvalid")]


def test_who_may_not_impersonate_is_forbidden(backend: Backend, shop: Shop) -> None:
    """Its words differ from version to version; status and reason do not."""
    user, api = backend.account(shop.namespace)
    backend.grant(user, shop.namespace, [READING])
    path = shop.path("deployments", group="apps/v1")
    assert api.get(path).status == 200
    assert says(api.send("GET", path, headers=acting("alice")))[:2] == (403, "Forbidden")


def test_an_account_is_told_who_it_is(backend: Backend, shop: Shop) -> None:
    user, api = backend.account(shop.namespace)
    assert api.make(WHO, {})["status"]["userInfo"]["username"] == user
