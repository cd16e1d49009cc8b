"""What becomes of a log's bytes, and which pod is worth reading."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.kubernetes.podlogs import LINE, choose, cleaned
from chatops_bot.domain.observed import LogQuery
from chatops_bot.ports.cluster import NotFound
from tests.unit.domain.cluster_objects import NOW, container, ended, pod, waiting


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\x1b[31mred\x1b[0m \x1b]0;title\x07plain", "red plain"),
        (b"10%\r50%\r100% done\r\nnext\r\n", "100% done\nnext\n"),
        (b"caf\xc3\xa9 \xff\xfe", "café \ufffd\ufffd"),
        (b"bell\x07 null\x00 tab\tkept", "bell null tab\tkept"),
        (b"a" * (LINE + 5), "a" * LINE + "…"),
        (b"\x1b[", "["),
        (b"", ""),
    ],
)
def test_bytes_become_text_that_can_be_shown(data: bytes, text: str) -> None:
    assert cleaned(data) == text


def test_the_worst_pod_with_a_log_is_chosen() -> None:
    pods = [
        pod("fine"),
        pod("pulling", waiting("ImagePullBackOff"), phase="Pending"),
        pod("restarting", container(ready=False, restartCount=2)),
        pod("crashing", waiting("CrashLoopBackOff", restartCount=9, lastState=ended(1))),
        pod("gone", container(state=ended(1)), phase="Failed"),
    ]
    choice = choose(pods, LogQuery(), NOW)
    assert choice is not None
    assert (choice.pod, choice.previous) == ("crashing", True)
    second = choose([one for one in pods if one["metadata"]["name"] != "crashing"], LogQuery(), NOW)
    assert second is not None
    assert (second.pod, second.previous, second.note) == ("restarting", False, "logs.note.worst_pod")


def test_the_container_in_trouble_goes_before_the_default_and_the_first() -> None:
    two = pod("web-a", container(name="proxy"), container(name="app"))
    two["spec"]["containers"] = [{"name": "proxy"}, {"name": "app"}]
    first = choose([two], LogQuery(), NOW)
    two["metadata"]["annotations"] = {"kubectl.kubernetes.io/default-container": "app"}
    default = choose([two], LogQuery(), NOW)
    two["status"]["containerStatuses"][0] = waiting("CrashLoopBackOff", lastState=ended(1)) | {"name": "proxy"}
    troubled = choose([two], LogQuery(), NOW)
    named = choose([two], LogQuery(container="app"), NOW)
    assert [one.container for one in (first, default, troubled, named) if one] == ["proxy", "app", "proxy", "app"]


def test_names_that_do_not_exist_are_not_found_and_no_pods_are_no_error() -> None:
    with pytest.raises(NotFound):
        choose([pod("web-a")], LogQuery(pod="web-b"), NOW)
    with pytest.raises(NotFound) as no_container:
        choose([pod("web-a")], LogQuery(container="nope"), NOW)
    assert no_container.value.reason == "Container"
    with pytest.raises(NotFound) as no_pod:
        choose([pod("web-a")], LogQuery(pod="web-z"), NOW)
    assert no_pod.value.reason == "Pod"
    assert choose([], LogQuery(), NOW) is None
