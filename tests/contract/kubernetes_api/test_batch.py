"""Jobs: their pods, how these are told apart, what is counted, and what goes with them; and selections by name that a
reader may make who may not get."""

from __future__ import annotations

from typing import Any

from tests.contract.kubernetes_api.shop import Shop, template

Json = dict[str, Any]


def job(shop: Shop, name: str = "once", **spec: Any) -> str:
    body = {"metadata": {"name": name}, "spec": {"template": template(name, restartPolicy="Never"), **spec}}
    path = shop.path("jobs", group="batch/v1")
    shop.api.make(path, body)
    return f"{path}/{name}"


def test_a_job_has_a_pod_that_bears_its_name_and_uid(shop: Shop) -> None:
    path = job(shop)
    found = shop.until(path, lambda one: one.get("status", {}).get("ready") == 1)
    assert (found["status"]["active"], found["status"].get("failed", 0)) == (1, 0)
    assert found["spec"]["selector"]["matchLabels"] == {"batch.kubernetes.io/controller-uid": found["metadata"]["uid"]}
    (pod,) = shop.get(shop.path("pods", labelSelector="batch.kubernetes.io/job-name=once"))["items"]
    (owner,) = pod["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["name"], owner["controller"]) == ("Job", "once", True)
    assert pod["metadata"]["name"].startswith("once-")
    assert pod["metadata"]["labels"].items() >= {
        "app": "once", "job-name": "once", "controller-uid": found["metadata"]["uid"],
    }.items()  # fmt: skip


def test_as_many_at_once_as_it_may_have(shop: Shop) -> None:
    path = job(shop, parallelism=2, completions=3)
    assert shop.until(path, lambda one: one.get("status", {}).get("ready") == 2)["status"]["active"] == 2
    assert len(shop.names("pods")) == 2


def test_one_that_is_suspended_has_none(shop: Shop) -> None:
    path = job(shop, suspend=True)
    found = shop.until(path, lambda one: bool(one.get("spec", {}).get("selector")))
    assert found["status"].get("active", 0) == 0
    assert shop.names("pods") == []


def test_its_pods_go_with_it(shop: Shop) -> None:
    path = job(shop)
    shop.until(path, lambda one: one.get("status", {}).get("ready") == 1)
    shop.api.delete(path, {"propagationPolicy": "Background"})
    shop.until(shop.path("pods"), lambda found: not found["items"])


def test_one_object_is_listed_by_its_name(shop: Shop) -> None:
    job(shop, "a", suspend=True)
    job(shop, "b", suspend=True)
    assert shop.names("jobs", group="batch/v1", fieldSelector="metadata.name=a") == ["a"]
    assert shop.names("jobs", group="batch/v1", fieldSelector="metadata.name=c") == []
    assert shop.names("cronjobs", group="batch/v1", fieldSelector="metadata.name=a") == []
    for plural, group in (("persistentvolumeclaims", ""), ("replicasets", "apps/v1")):
        assert shop.names(plural, group=group, fieldSelector="metadata.name=a") == []


def test_events_are_listed_by_the_kind_and_name_of_what_they_are_about(shop: Shop) -> None:
    shop.workload(replicas=1)
    chosen = "involvedObject.kind=Deployment,involvedObject.name=web"
    found = shop.get(shop.path("events", fieldSelector=chosen))["items"]
    assert {event["reason"] for event in found} == {"ScalingReplicaSet"}
    assert shop.names("events", fieldSelector="involvedObject.kind=Service,involvedObject.name=web") == []
    assert shop.names("events", fieldSelector=f"{chosen},type=Warning") == []


def test_slices_are_listed_by_the_names_of_several_services(shop: Shop) -> None:
    shop.workload(replicas=1)
    for name in ("one", "two", "three"):
        spec = {"selector": {"app": "web"}, "ports": [{"port": 80}]}
        shop.api.make(shop.path("services"), {"metadata": {"name": name}, "spec": spec})
    chosen = "kubernetes.io/service-name in (one,two)"
    path = shop.path("endpointslices", group="discovery.k8s.io/v1", labelSelector=chosen)
    found = shop.until(path, lambda listed: len(listed["items"]) == 2)
    names = {row["metadata"]["labels"]["kubernetes.io/service-name"] for row in found["items"]}
    assert names == {"one", "two"}
