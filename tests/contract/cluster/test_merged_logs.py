"""The logs of all pods as one: in the order of time, bounded, and whose could not be read."""

from __future__ import annotations

import pytest

from chatops_bot.adapters.kubernetes import KubernetesCluster
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.domain.objects import name_of
from chatops_bot.domain.observed import LogQuery
from tests.contract.cluster.targets import Target
from tests.contract.cluster.test_logs import fill

ALL = LogQuery(everyone=True)


async def pods_of(cluster: KubernetesCluster, target: Target) -> list[str]:
    return sorted(name_of(pod) for pod in (await cluster.observe(target.web())).pods)


async def test_every_row_names_its_pod(cluster: KubernetesCluster, target: Target) -> None:
    await fill(target, "Running", "Running")
    log = await cluster.logs(target.web(), ALL)
    pods = await pods_of(cluster, target)
    assert sorted(log.pods) == pods
    rows = log.text.splitlines()
    for pod in pods:
        own = [row.removeprefix(f"{pod} ") for row in rows if row.startswith(f"{pod} ")]
        assert own[-5:] == ["one", "ERROR two", "password=***", "100% done", "四"]
    assert (log.pod, log.failed, log.left_out, log.note) == ("", (), 0, "")


async def test_rows_are_in_the_order_of_time(cluster: KubernetesCluster, target: Target, sandbox: Sandbox) -> None:
    await fill(target, "Running", "Running", logs="first\nsecond\nthird\n")
    words = [row.split(" ", 1)[1] for row in (await cluster.logs(target.web(), ALL)).text.splitlines()]
    assert words == ["first", "first", "second", "second", "third", "third"]


async def test_grep_and_tail_are_of_each_pod(cluster: KubernetesCluster, target: Target) -> None:
    await fill(
        target, "Running", "Running", logs="".join(f"line {n} {'odd' if n % 2 else 'even'}\n" for n in range(40))
    )
    log = await cluster.logs(target.web(), LogQuery(everyone=True, tail=1, grep="odd"))
    assert sorted(row.split(" ", 1)[1] for row in log.text.splitlines()) == ["line 39 odd", "line 39 odd"]
    nothing = await cluster.logs(target.web(), LogQuery(everyone=True, grep="absent"))
    assert (nothing.text, nothing.note) == ("", "logs.note.nothing_matches")


async def test_what_cannot_be_read_is_named_and_the_rest_is_there(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await fill(target, "Running", "Running", "ImagePullBackOff")
    pods = await pods_of(cluster, target)
    sandbox.faults.fail(403, path=f"{pods[0]}/log")
    log = await cluster.logs(target.web(), ALL)
    assert sorted(log.failed) == [f"{pods[0]}:403", f"{pods[2]}:waiting"]
    assert log.pods == (pods[1],)


async def test_a_pod_that_never_answers_costs_its_rows_alone(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(target, "Running", "Running")
    pods = await pods_of(cluster, target)
    monkeypatch.setattr("chatops_bot.adapters.kubernetes.merging.SURVEY_S", 0.3)
    sandbox.faults.hang(path=f"{pods[0]}/log", count=9)
    log = await cluster.logs(target.web(), ALL)
    sandbox.faults.clear()
    assert (log.pods, log.failed) == ((pods[1],), (f"{pods[0]}:timeout",))


async def test_there_is_a_bound_on_pods_and_on_rows(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await fill(target, *["Running"] * 25, logs="".join(f"{n} {'x' * 1500}\n" for n in range(40)))
    log = await cluster.logs(target.web(), ALL)
    assert (len(log.pods), log.left_out, log.note) == (20, 5, "logs.note.cut")
    assert len(log.text) <= 64 * 1024
    assert log.text.splitlines()[-1].split(" ")[1] == "39"


async def test_a_monstrous_row_and_binary_do_no_harm(
    cluster: KubernetesCluster, target: Target, sandbox: Sandbox
) -> None:
    await fill(target, "Running", "Running", logs=f"{'y' * 10_000_000}\nbefore\n\x00\x1b[2J\x07bell\n<!channel> last\n")
    log = await cluster.logs(target.web(), ALL)
    rows = log.text.splitlines()
    assert max(len(row) for row in rows) < 2100
    assert rows[-1].endswith("<!channel> last")
    assert any(row.endswith(" bell") for row in rows)
    assert log.note == "logs.note.cut"


async def test_without_pods_there_is_nothing_to_merge(cluster: KubernetesCluster, target: Target) -> None:
    empty = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 0, "image": "reg/web:1"}
    await target.fill({"workloads": [empty]})
    assert (await cluster.logs(target.web(), ALL)).note == "logs.note.no_pods"
