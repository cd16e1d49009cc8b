"""kubectl, pointed at a sandbox that runs by itself."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.sandbox import Sandbox, Timing
from tests.cluster.kubectl import Kubectl

pytestmark = pytest.mark.kubectl

Run = Callable[..., Awaitable[str]]
WEB: dict[str, Any] = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 3, "image": "reg/web:2"}
DB: dict[str, Any] = {"kind": "StatefulSet", "namespace": "shop", "name": "db", "replicas": 2, "image": "reg/db:8"}
AGENT: dict[str, Any] = {"kind": "DaemonSet", "namespace": "shop", "name": "agent", "image": "reg/agent:1"}


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    quick = Timing(start=0.05, ready=0.02, stop=0.03)
    async with Sandbox(time.time, auto=True, timing=quick) as running:
        running.apply(
            {
                "workloads": [
                    {**WEB, "revisions": ["reg/web:1"], "pods": ["Running", "OOMKilled"], "hpa": {"min": 1, "max": 9}},
                    DB,
                    AGENT,
                ]
            }
        )
        yield running


@pytest.fixture
def kubectl(sandbox: Sandbox, tmp_path: Path) -> Run:
    config = tmp_path / "kubeconfig"
    config.write_text(json.dumps(sandbox.kubeconfig()))
    return Kubectl(config, namespace="shop", cache=tmp_path / "cache").run


def columns(table: str) -> list[list[str]]:
    return [line.split()[:4] for line in table.splitlines()[1:]]


async def test_get(kubectl: Run) -> None:
    pods = columns(await kubectl("get", "pods", "-l", "app=web"))
    assert sorted(row[1:3] for row in pods) == [["0/1", "CrashLoopBackOff"], ["1/1", "Running"], ["1/1", "Running"]]
    assert columns(await kubectl("get", "deployments"))[0] == ["web", "2/3", "3", "2"]
    assert columns(await kubectl("get", "nodes"))[0][:2] == ["node-1", "Ready"]
    assert "cpu: 76%/80%" in await kubectl("get", "hpa")
    everything = await kubectl("get", "all")
    assert {"deployment.apps/web", "statefulset.apps/db", "daemonset.apps/agent"} <= set(everything.split())


async def test_describe(kubectl: Run) -> None:
    deployment = await kubectl("describe", "deployment", "web")
    assert "3 desired | 3 updated | 3 total | 2 available | 1 unavailable" in deployment
    pod = next(row[0] for row in columns(await kubectl("get", "pods", "-l", "app=web")) if row[2] == "CrashLoopBackOff")
    told = await kubectl("describe", "pod", pod)
    assert "OOMKilled" in told
    assert "Back-off restarting failed container web" in told
    assert "Allocated resources" in await kubectl("describe", "node", "node-1")


async def test_scale(kubectl: Run, sandbox: Sandbox) -> None:
    await kubectl("scale", "deployment", "web", "--replicas=5")
    await kubectl("scale", "statefulset", "db", "--current-replicas=2", "--replicas=3")
    assert "successfully" not in await kubectl("rollout", "status", "statefulset", "db", "--timeout=10s")
    assert [write.subresource for write in sandbox.writes()] == ["scale", "scale"]
    assert (await kubectl("get", "deployment", "web", "-o", "jsonpath={.spec.replicas}")) == "5"


@pytest.mark.parametrize("target", ["deployment/web", "statefulset/db", "daemonset/agent"])
async def test_rollout_restart_and_status(kubectl: Run, target: str) -> None:
    await kubectl("rollout", "restart", target)
    status = await kubectl("rollout", "status", target, "--timeout=20s")
    assert "successfully rolled out" in status or "roll out complete" in status
    pods = columns(await kubectl("get", "pods", "-l", f"app={target.partition('/')[2]}"))
    assert {row[2] for row in pods} == {"Running"}


async def test_rollout_history_and_undo(kubectl: Run) -> None:
    history = await kubectl("rollout", "history", "deployment/web")
    assert [row[0] for row in columns(history)[1:] if row] == ["1", "2"]
    await kubectl("rollout", "undo", "deployment/web")
    assert "successfully rolled out" in await kubectl("rollout", "status", "deployment/web", "--timeout=20s")
    image = "jsonpath={.spec.template.spec.containers[0].image}"
    assert await kubectl("get", "deployment", "web", "-o", image) == "reg/web:1"
    history = await kubectl("rollout", "history", "deployment/web")
    assert [row[0] for row in columns(history)[1:] if row] == ["2", "3"]


async def test_undo_of_a_stateful_set(kubectl: Run) -> None:
    await kubectl("set", "image", "statefulset/db", "db=reg/db:9")
    await kubectl("rollout", "status", "statefulset/db", "--timeout=20s")
    await kubectl("rollout", "undo", "statefulset/db")
    await kubectl("rollout", "status", "statefulset/db", "--timeout=20s")
    image = "jsonpath={.items[*].spec.containers[0].image}"
    assert await kubectl("get", "pods", "-l", "app=db", "-o", image) == "reg/db:8 reg/db:8"


async def test_drain(kubectl: Run, sandbox: Sandbox) -> None:
    await kubectl("drain", "node-1", "--ignore-daemonsets", "--timeout=20s")
    nodes = {pod["node"] for workload in sandbox.snapshot()["workloads"][1:] for pod in workload["pods"]}
    assert "node-1" not in nodes
    await kubectl("uncordon", "node-1")
    assert not sandbox.snapshot()["nodes"][0]["unschedulable"]
