"""Which pods a ReplicaSet takes for its own."""

from __future__ import annotations

from typing import Any

from tests.contract.kubernetes_api.shop import Shop, at_rest, template

Json = dict[str, Any]


def owner(pod: Json) -> str:
    references = pod["metadata"].get("ownerReferences") or []
    return next((item["name"] for item in references if item.get("controller")), "")


def test_a_pod_that_fits_and_belongs_to_nobody_is_adopted(shop: Shop) -> None:
    """It then counts, and there is one too many."""
    shop.workload(replicas=1)
    (first,) = shop.get(shop.path("pods"))["items"]
    body = template("web")
    body["metadata"] = {"name": "stray", "labels": first["metadata"]["labels"]}
    shop.api.make(shop.path("pods"), body)
    found = shop.until(shop.path("pods"), lambda listed: len(listed["items"]) == 1 and all(map(owner, listed["items"])))
    assert owner(found["items"][0]) == owner(first)


def test_a_pod_whose_template_is_another_is_left_alone(shop: Shop) -> None:
    web = shop.workload(replicas=1)
    shop.api.make(shop.path("pods"), {**template("web"), "metadata": {"name": "stray", "labels": {"app": "web"}}})
    shop.until(shop.path("pods", "stray"), lambda pod: pod["status"]["phase"] == "Running")
    shop.until(web, at_rest)
    assert owner(shop.get(shop.path("pods", "stray"))) == ""
    assert len(shop.names("pods")) == 2


def test_a_pod_that_is_given_other_labels_is_let_go_and_replaced(shop: Shop) -> None:
    """What one does to look at a sick pod in peace."""
    web = shop.workload(replicas=1)
    (name,) = shop.names("pods")
    shop.api.patch(shop.path("pods", name), {"metadata": {"labels": {"app": "aside"}}})
    shop.until(shop.path("pods", labelSelector="app=web"), lambda listed: len(listed["items"]) == 1)
    shop.until(web, at_rest)
    assert owner(shop.get(shop.path("pods", name))) == ""
