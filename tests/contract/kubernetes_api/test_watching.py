"""Watches: from a version on, through selectors, after a break, from too long ago."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.contract.kubernetes_api.conftest import Backend, follow
from tests.contract.kubernetes_api.shop import Shop

Json = dict[str, Any]


def version_of(shop: Shop, plural: str, group: str = "") -> str:
    return str(shop.get(shop.path(plural, group=group))["metadata"]["resourceVersion"])


def data(events: Iterable[Json]) -> list[tuple[str, Any]]:
    return [(event["type"], event["object"].get("data")) for event in events]


def test_what_has_happened_since_a_version_is_told_to_whoever_comes_later(shop: Shop) -> None:
    """And again to who comes again with the same version: a broken watch is taken up without a loss."""
    since = version_of(shop, "configmaps")
    path = shop.config()
    shop.api.patch(path, {"data": {"a": "2"}})
    watch = shop.path("configmaps", watch="true", resourceVersion=since, fieldSelector="metadata.name=settings")
    events, _ = follow(shop.api, watch, most=2)
    assert data(events) == [("ADDED", {"a": "1"}), ("MODIFIED", {"a": "2"})]
    assert [event["object"]["kind"] for event in events] == ["ConfigMap", "ConfigMap"]
    again, _ = follow(shop.api, watch, most=2)
    assert again == events
    middle = watch.replace(
        f"resourceVersion={since}", f"resourceVersion={events[0]['object']['metadata']['resourceVersion']}"
    )
    assert follow(shop.api, middle, most=1)[0] == events[1:]


def test_what_is_deleted_is_told_as_it_last_was_under_a_new_version(shop: Shop) -> None:
    path = shop.config()
    before = shop.get(path)["metadata"]["resourceVersion"]
    since = version_of(shop, "configmaps")
    shop.api.delete(path)
    (event,), _ = follow(shop.api, shop.path("configmaps", watch="true", resourceVersion=since), most=1)
    assert (event["type"], event["object"]["data"]) == ("DELETED", {"a": "1"})
    assert int(event["object"]["metadata"]["resourceVersion"]) > int(before)


def test_objects_enter_and_leave_a_selection(shop: Shop) -> None:
    path = shop.config(labels={"color": "none"})
    since = version_of(shop, "configmaps")
    for color in ("red", "blue"):
        shop.api.patch(path, {"metadata": {"labels": {"color": color}}})
    watch = shop.path("configmaps", watch="true", resourceVersion=since, labelSelector="color=red")
    events, _ = follow(shop.api, watch, most=2)
    # The one that left is shown as it was while it still belonged.
    assert [(event["type"], event["object"]["metadata"]["labels"]) for event in events] == [
        ("ADDED", {"color": "red"}),
        ("DELETED", {"color": "red"}),
    ]


def test_a_watch_from_too_long_ago_is_told_410_inside_the_stream(backend: Backend, shop: Shop) -> None:
    backend.define_custom()
    path = shop.path("rollouts", group="argoproj.io/v1alpha1", watch="true", resourceVersion=1)
    (event,), _ = follow(shop.api, path, most=1)
    told = event["object"]
    assert (event["type"], told["kind"], told["reason"], told["code"]) == ("ERROR", "Status", "Expired", 410)
    assert told["message"].startswith("too old resource version: 1 (")


def test_a_watch_ends_when_its_time_is_over(shop: Shop) -> None:
    since = version_of(shop, "configmaps")
    watch = shop.path("configmaps", watch="true", resourceVersion=since, labelSelector="no=body", timeoutSeconds=1)
    events, seconds = follow(shop.api, watch)
    assert [event["type"] for event in events if event["type"] != "BOOKMARK"] == []
    assert seconds < 4


def test_one_object_is_not_watched_by_its_own_path(shop: Shop) -> None:
    path = shop.config()
    assert shop.get(f"{path}?watch=true")["kind"] == "ConfigMap"


def test_a_pod_on_its_way_out_is_modified_before_it_is_deleted(shop: Shop) -> None:
    path = shop.pod("one", terminationGracePeriodSeconds=7)
    shop.until(path, lambda pod: pod["status"]["phase"] == "Running")
    since = version_of(shop, "pods")
    shop.api.delete(path)
    watch = shop.path("pods", watch="true", resourceVersion=since, fieldSelector="metadata.name=one", timeoutSeconds=20)
    shop.gone(path)
    events, _ = follow(shop.api, watch.replace("timeoutSeconds=20", "timeoutSeconds=1"))
    going = next(event for event in events if "deletionTimestamp" in event["object"]["metadata"])
    last = [event for event in events if event["type"] != "BOOKMARK"][-1]
    assert (going["type"], going["object"]["metadata"]["deletionGracePeriodSeconds"]) == ("MODIFIED", 7)
    assert going["object"]["status"]["phase"] == "Running"
    assert last["type"] == "DELETED"
