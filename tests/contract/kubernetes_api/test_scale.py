"""`/scale`: the number alone, its zero, its preconditions, and who is noted as its setter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.kubernetes_api.conftest import Backend
from tests.contract.kubernetes_api.shop import Shop, at_rest, causes, says

Json = dict[str, Any]
MODIFIED = "the object has been modified; please apply your changes to the latest version and try again"


def test_it_shows_and_sets_the_number(shop: Shop) -> None:
    web = shop.workload(replicas=2)
    scale = shop.get(f"{web}/scale")
    live = shop.get(web)["metadata"]
    assert scale == {
        "kind": "Scale",
        "apiVersion": "autoscaling/v1",
        "metadata": {key: live[key] for key in ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")},
        "spec": {"replicas": 2},
        "status": {"replicas": 2, "selector": "app=web"},
    }
    body = {"metadata": {"uid": live["uid"], "resourceVersion": live["resourceVersion"]}, "spec": {"replicas": 3}}
    assert shop.api.patch(f"{web}/scale", body).json["spec"] == {"replicas": 3}
    assert shop.until(web, at_rest)["status"]["readyReplicas"] == 3


def test_zero_is_left_out_everywhere(shop: Shop) -> None:
    web = shop.workload(replicas=1)
    assert shop.api.patch(f"{web}/scale", {"spec": {"replicas": 0}}).json["spec"] == {}
    found = shop.until(web, at_rest)
    assert found["spec"]["replicas"] == 0
    assert set(found["status"]) == {"observedGeneration", "terminatingReplicas", "conditions"}
    assert shop.get(f"{web}/scale")["spec"] == {}
    db = shop.workload("db", kind="StatefulSet", replicas=0)
    assert shop.get(f"{db}/scale")["status"] == {"replicas": 0, "selector": "app=db"}


@pytest.mark.parametrize("kind", ["merge", "strategic"])
def test_an_older_version_or_another_object_conflicts(shop: Shop, kind: str) -> None:
    web = shop.workload(replicas=0)
    live = shop.get(web)["metadata"]
    stale = {"metadata": {"resourceVersion": "1"}, "spec": {"replicas": 6}}
    status, reason, text = says(shop.api.patch(f"{web}/scale", stale, kind=kind))
    assert (status, reason, text) == (
        409,
        "Conflict",
        f'Operation cannot be fulfilled on deployments.apps "web": {MODIFIED}',
    )
    other = {"metadata": {"uid": "other"}, "spec": {"replicas": 6}}
    answer = shop.api.patch(f"{web}/scale", other, kind=kind)
    why = f"Precondition failed: UID in precondition: other, UID in object meta: {live['uid']}"
    text = f'Operation cannot be fulfilled on deployments/scale.apps "web": {why}'
    assert says(answer) == (409, "Conflict", text)
    assert answer.json["details"] == {"name": "web", "group": "apps", "kind": "deployments/scale"}
    assert shop.get(web)["spec"]["replicas"] == 0


def test_it_can_be_put(shop: Shop) -> None:
    web = shop.workload(replicas=0)
    scale = shop.get(f"{web}/scale")
    scale["spec"]["replicas"] = 1
    assert shop.api.send("PUT", f"{web}/scale", scale).status == 200
    assert says(shop.api.send("PUT", f"{web}/scale", scale))[0] == 409
    scale["metadata"].pop("resourceVersion")
    assert (
        shop.api.send("PUT", f"{web}/scale", {**scale, "metadata": {**scale["metadata"], "uid": "other"}}).status == 409
    )


def test_of_what_is_not_there_or_cannot_be_scaled(shop: Shop) -> None:
    missing = shop.path("deployments", "nope", group="apps/v1")
    answer = shop.api.patch(f"{missing}/scale", {"spec": {"replicas": 1}})
    assert says(answer) == (404, "NotFound", 'deployments.apps "nope" not found')
    daemons = shop.path("daemonsets", "nope", group="apps/v1")
    assert says(shop.api.get(f"{daemons}/scale"))[2] == "the server could not find the requested resource"


def test_numbers_that_are_none(shop: Shop) -> None:
    web = shop.workload(replicas=0)
    for path in (web, f"{web}/scale"):
        answer = shop.api.patch(path, {"spec": {"replicas": -1}})
        assert causes(answer) == [("spec.replicas", "FieldValueInvalid")]
        assert answer.json["message"].endswith("spec.replicas: Invalid value: -1: must be greater than or equal to 0")
        nonsense: tuple[Any, ...] = ("five", True, {})
        for wrong in nonsense:
            assert causes(shop.api.patch(path, {"spec": {"replicas": wrong}})) == [("patch", "FieldValueInvalid")]
    assert shop.get(web)["spec"]["replicas"] == 0


def setters(found: Json) -> list[tuple[str, str, bool]]:
    """Who is noted to have set the number: manager, subresource, and whether with a time."""
    return [
        (entry["manager"], entry.get("subresource", ""), "time" in entry)
        for entry in found["metadata"]["managedFields"]
        if "f:replicas" in entry["fieldsV1"].get("f:spec", {})
    ]


def test_who_set_the_number(shop: Shop) -> None:
    """Through `/scale` without a time, and a zero in nobody's name: it is left out of the Scale."""
    web = shop.workload(replicas=1)
    shop.api.patch(f"{web}?fieldManager=one", {"spec": {"replicas": 2}})
    assert setters(shop.get(web)) == [("one", "", True)]
    shop.api.patch(f"{web}/scale?fieldManager=two", {"spec": {"replicas": 1}})
    assert setters(shop.get(web)) == [("two", "scale", False)]
    shop.api.patch(f"{web}/scale?fieldManager=three", {"spec": {"replicas": 0}})
    assert setters(shop.get(web)) == []
    shop.api.patch(f"{web}?fieldManager=four", {"spec": {"replicas": 1}})
    shop.api.patch(f"{web}?fieldManager=four", {"spec": {"replicas": 0}})
    assert setters(shop.get(web)) == [("four", "", True)]


def test_of_a_custom_kind(backend: Backend, shop: Shop) -> None:
    backend.define_custom()
    path = shop.path("rollouts", group="argoproj.io/v1alpha1")
    body = {"apiVersion": "argoproj.io/v1alpha1", "kind": "Rollout", "metadata": {"name": "r"}, "spec": {"replicas": 2}}
    shop.api.make(path, body)
    assert shop.get(f"{path}/r/scale")["spec"] == {"replicas": 2}
    assert shop.api.patch(f"{path}/r/scale", {"spec": {"replicas": 0}}).json["spec"] == {}
    # Of these nobody looks at the uid: a precondition must be the version.
    assert shop.api.patch(f"{path}/r/scale", {"metadata": {"uid": "other"}, "spec": {"replicas": 3}}).status == 200
    stale = {"metadata": {"resourceVersion": "1"}, "spec": {"replicas": 4}}
    assert says(shop.api.patch(f"{path}/r/scale", stale))[0] == 409
    assert shop.get(f"{path}/r")["spec"]["replicas"] == 3
