"""Deleting: preconditions, grace, finalizers, what is owned, namespaces."""

from __future__ import annotations

import pytest

from tests.contract.kubernetes_api.shop import Shop, causes, says


def test_a_pod_is_given_time_to_go(shop: Shop) -> None:
    path = shop.pod("one", terminationGracePeriodSeconds=9)
    shop.until(path, lambda pod: pod["status"]["phase"] == "Running")
    before = shop.get(path)["metadata"]
    gone = shop.api.delete(path, {"preconditions": {"uid": before["uid"]}}).json["metadata"]
    assert (gone["uid"], gone["deletionGracePeriodSeconds"]) == (before["uid"], 9)
    assert gone["deletionTimestamp"] > before["creationTimestamp"]
    assert gone["generation"] == before["generation"] + 1
    shop.gone(path)
    assert says(shop.api.delete(path)) == (404, "NotFound", 'pods "one" not found')


def test_a_pod_without_grace_goes_at_once(shop: Shop) -> None:
    path = shop.pod("one")
    shop.until(path, lambda pod: pod["status"]["phase"] == "Running")
    answer = shop.api.delete(f"{path}?gracePeriodSeconds=0")
    assert (answer.status, answer.json["metadata"]["deletionGracePeriodSeconds"]) == (200, 0)
    assert shop.api.get(path).status == 404


def test_preconditions(shop: Shop) -> None:
    path = shop.config()
    uid, version = (shop.get(path)["metadata"][key] for key in ("uid", "resourceVersion"))
    other = shop.api.delete(path, {"preconditions": {"uid": "other"}})
    text = (
        'Operation cannot be fulfilled on ConfigMap "settings": the UID in the precondition (other) does not match the '
        f"UID in record ({uid}). The object might have been deleted and then recreated"
    )
    assert says(other) == (409, "Conflict", text)
    assert other.json["details"] == {"name": "settings", "kind": "ConfigMap"}
    stale = shop.api.delete(path, {"preconditions": {"resourceVersion": "1"}})
    assert says(stale)[2].endswith(
        f"the ResourceVersion in the precondition (1) does not match the ResourceVersion in record ({version}). "
        "The object might have been modified"
    )
    web = shop.workload(replicas=0)
    refused = shop.api.delete(web, {"preconditions": {"uid": "other"}})
    assert refused.json["details"] == {"name": "web", "group": "apps", "kind": "Deployment"}
    assert shop.api.delete(path, {"preconditions": {"uid": uid, "resourceVersion": version}}).status == 200


def test_what_is_gone_is_told_by_a_status(shop: Shop) -> None:
    path = shop.config()
    uid = shop.get(path)["metadata"]["uid"]
    assert shop.api.delete(path).json == {
        "kind": "Status",
        "apiVersion": "v1",
        "metadata": {},
        "status": "Success",
        "details": {"name": "settings", "kind": "configmaps", "uid": uid},
    }
    assert shop.api.delete(path, {"preconditions": {"uid": uid}}).status == 404


def test_an_unknown_way_of_deleting_is_refused(shop: Shop) -> None:
    path = shop.config()
    answer = shop.api.delete(path, {"propagationPolicy": "Sideways"})
    assert causes(answer) == [("propagationPolicy", "FieldValueNotSupported")]
    assert shop.api.delete(path, {"gracePeriodSeconds": -1}).status == 200


def test_a_finalizer_holds_what_is_deleted(shop: Shop) -> None:
    path = shop.config(finalizers=["example.com/hold"])
    held = shop.api.delete(path).json["metadata"]
    assert (held["finalizers"], held["deletionGracePeriodSeconds"]) == (["example.com/hold"], 0)
    assert held["deletionTimestamp"]
    again = shop.api.delete(path).json["metadata"]
    assert again["deletionTimestamp"] == held["deletionTimestamp"]
    more = shop.api.patch(path, {"metadata": {"finalizers": ["example.com/hold", "example.com/more"]}})
    assert causes(more) == [("metadata.finalizers", "FieldValueForbidden")] * 2
    assert shop.api.patch(path, {"data": {"a": "2"}}).status == 200
    last = shop.api.patch(path, {"metadata": {"finalizers": None}}).json
    assert "finalizers" not in last["metadata"]
    assert shop.api.get(path).status == 404
    answer = shop.api.post(shop.path("configmaps"), {"metadata": {"name": "x", "finalizers": ["hold"]}})
    assert causes(answer) == [("metadata.finalizers[0]", "FieldValueInvalid")]


@pytest.mark.parametrize(("policy", "left"), [("Background", 0), ("Foreground", 0), ("Orphan", 1)])
def test_what_is_owned_goes_after_its_owner(shop: Shop, policy: str, left: int) -> None:
    web = shop.workload(replicas=1)
    shop.api.delete(web, {"propagationPolicy": policy})
    shop.gone(web)
    sets = shop.path("replicasets", group="apps/v1")
    found = shop.until(sets, lambda listed: len(listed["items"]) == left)["items"]
    if left:
        shop.until(f"{sets}/{found[0]['metadata']['name']}", lambda item: not item["metadata"].get("ownerReferences"))
    assert len(shop.names("pods")) == left or shop.until(shop.path("pods"), lambda listed: not listed["items"])


def test_a_pod_that_is_deleted_is_replaced_by_another(shop: Shop) -> None:
    shop.workload("db", kind="StatefulSet", replicas=1)
    path = shop.path("pods", "db-0")
    uid = shop.get(path)["metadata"]["uid"]
    shop.api.delete(path)
    shop.until(
        shop.path("pods"), lambda listed: [item["metadata"]["uid"] for item in listed["items"]] not in ([], [uid])
    )
    replaced = shop.get(path)
    assert replaced["metadata"]["uid"] != uid
    # Whoever had the old one in mind does not meet the new one.
    assert says(shop.api.delete(path, {"preconditions": {"uid": uid}}))[1] == "Conflict"
    assert shop.get(path)["metadata"]["uid"] == replaced["metadata"]["uid"]


def test_a_namespace_takes_nothing_new_while_it_goes(shop: Shop) -> None:
    name = f"{shop.namespace}-going"
    shop.api.make("/api/v1/namespaces", {"metadata": {"name": name}})
    held = f"/api/v1/namespaces/{name}/configmaps"
    shop.api.make(held, {"metadata": {"name": "held", "finalizers": ["example.com/hold"]}})
    going = shop.api.delete(f"/api/v1/namespaces/{name}").json
    assert (going["kind"], going["status"]["phase"]) == ("Namespace", "Terminating")
    answer = shop.api.post(held, {"metadata": {"name": "late"}})
    text = f'configmaps "late" is forbidden: unable to create new content in namespace {name} because it is being terminated'
    assert says(answer) == (403, "Forbidden", text)
    assert answer.json["details"]["causes"][0]["reason"] == "NamespaceTerminating"
    shop.api.patch(f"{held}/held", {"metadata": {"finalizers": None}})
    usual = shop.api.delete("/api/v1/namespaces/default")
    assert says(usual) == (403, "Forbidden", 'namespaces "default" is forbidden: this namespace may not be deleted')
