"""Logs: which pod and container is read, and what its text looks like afterwards."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.observed import LogQuery
from chatops_bot.ports.cluster import NotFound, Refused
from tests.contract.cluster.targets import Target

TEXT = "one\n\x1b[31mERROR\x1b[0m two\npassword=hunter2\n100% done\n四\n"


async def fill(target: Target, *pods: str, logs: str = TEXT) -> None:
    workload = {
        "kind": "Deployment", "namespace": "shop", "name": "web", "replicas": max(len(pods), 1),
        "image": "reg/web:1", "pods": list(pods) or ["Running"], "logs": logs,
    }  # fmt: skip
    await target.fill({"workloads": [workload]})


async def test_a_log_comes_clean_and_masked(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target)
    log = await cluster.logs(target.web(), LogQuery())
    assert log.text.splitlines()[-5:] == ["one", "ERROR two", "password=***", "100% done", "四"]
    assert (log.container, log.previous, log.note) == ("web", False, "")


async def test_the_tail_is_the_newest_lines(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target)
    assert (await cluster.logs(target.web(), LogQuery(tail=2))).text == "100% done\n四"


async def test_grep_searches_more_than_it_shows(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target, logs="".join(f"line {n} {'Odd' if n % 2 else 'even'}\n" for n in range(400)))
    log = await cluster.logs(target.web(), LogQuery(tail=3, grep="odd"))
    assert log.text.splitlines() == ["line 395 Odd", "line 397 Odd", "line 399 Odd"]
    nothing = await cluster.logs(target.web(), LogQuery(grep="absent"))
    assert (nothing.text, nothing.note) == ("", "logs.note.nothing_matches")


async def test_what_grep_would_find_of_a_secret_stays_masked(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target)
    assert (await cluster.logs(target.web(), LogQuery(grep="hunter2"))).text == "password=***"


async def test_the_pod_in_trouble_is_read_and_its_previous_run(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target, "Running", "CrashLoopBackOff", "Running")
    log = await cluster.logs(target.web(), LogQuery())
    crashing = next(
        pod["metadata"]["name"]
        for pod in (await cluster.observe(target.web())).pods
        if pod["status"]["containerStatuses"][0]["restartCount"]
    )
    assert (log.pod, log.previous, log.note) == (crashing, True, "logs.note.crashed")
    assert log.text


async def test_a_pod_without_a_log_is_not_preferred(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target, "ImagePullBackOff", "Running")
    log = await cluster.logs(target.web(), LogQuery())
    assert "one" in log.text
    assert log.note == "logs.note.one_of"  # it is well; the one in trouble has no log


async def test_a_container_that_never_started_has_no_log_and_says_so(
    cluster: KubernetesCluster, target: Target
) -> None:
    await fill(target, "ImagePullBackOff")
    log = await cluster.logs(target.web(), LogQuery())
    assert (log.text, log.note) == ("", "logs.note.waiting")


async def test_where_there_was_no_previous_run_the_present_one_is_shown(
    cluster: KubernetesCluster, target: Target
) -> None:
    await fill(target)
    log = await cluster.logs(target.web(), LogQuery(previous=True))
    assert (log.previous, log.note) == (False, "logs.note.no_previous")
    assert "one" in log.text


async def test_a_named_pod_is_read_and_only_of_this_workload(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target, "Running", "Running")
    names = [pod["metadata"]["name"] for pod in (await cluster.observe(target.web())).pods]
    assert (await cluster.logs(target.web(), LogQuery(pod=names[1]))).pod == names[1]
    with pytest.raises(NotFound):
        await cluster.logs(target.web(), LogQuery(pod="other-pod"))
    with pytest.raises(NotFound):
        await cluster.logs(target.web(), LogQuery(container="nope"))


async def test_a_workload_without_pods_has_no_log(cluster: KubernetesCluster, target: Target) -> None:
    await target.fill(
        {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 0, "image": "reg/web:1"}]}
    )
    assert (await cluster.logs(target.web(), LogQuery())).note == "logs.note.no_pods"


async def test_a_huge_log_is_asked_for_again_with_fewer_lines(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await fill(target, logs="".join(f"{n} {'x' * 30_000}\n" for n in range(60)))
    log = await cluster.logs(target.web(), LogQuery(tail=50))
    rows = log.text.splitlines()
    assert log.note == "logs.note.cut"
    assert rows[-1].startswith("59 ")  # the newest line is there: a fuse that cuts the end would lose it
    assert len(rows) == 25
    assert max(len(row) for row in rows) == 2001


async def test_what_is_not_permitted_is_refused(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await fill(target)
    sandbox.access.deny(resource="pods/log")
    with pytest.raises(Refused):
        await cluster.logs(target.web(), LogQuery())
