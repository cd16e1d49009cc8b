"""Playing on a cluster behind a kubeconfig. Here it is a sandbox, reached as any cluster is and told nothing apart."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from chatops_bot.adapters.sandbox import INSTANT, Access, Sandbox, User
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.http import HttpRequest
from chatops_bot.adapters.sandbox.resources import DEPLOYMENTS, PODS
from chatops_bot.app import replay, transcript
from chatops_bot.app.player import Player
from chatops_bot.app.real_cluster.clearing import MADE
from chatops_bot.app.real_cluster.cluster import RealCluster, namespaces_of
from chatops_bot.app.replay import Real
from chatops_bot.app.replay_store import ReplayRedis
from chatops_bot.app.settings import LogSettings
from chatops_bot.app.stage import Stage
from chatops_bot.app.telemetry import configure_logging
from chatops_bot.app.transcript import Transcript, TranscriptError
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.cluster import ClusterError, ClusterUnavailable

OTHERS_TOKEN = "somebody"
WEB = {"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2, "image": "reg/web:1"}
SCALE = {"id": "a", "from": "alice", "say": "@bot scale web to 5"}
CONFIRM = {"id": "b", "from": "bob", "click": "confirm", "on": "a"}


@pytest.fixture
async def cluster() -> AsyncIterator[Sandbox]:
    async with Sandbox(time.time, auto=True, timing=INSTANT) as running:
        running.access.tokens[OTHERS_TOKEN] = User("somebody", ("system:authenticated",))
        accounts = asyncio.create_task(_give_accounts(running))
        yield running
        accounts.cancel()


async def _give_accounts(cluster: Sandbox) -> None:
    """A service account to each new namespace, as a cluster's controller does."""
    with cluster.subscribe() as notices:
        async for notice in notices:
            if (notice.kind, notice.type) == ("Namespace", "ADDED"):
                headers = [("authorization", f"Bearer {BOT_TOKEN}")]
                path = f"/api/v1/namespaces/{notice.name}/serviceaccounts"
                await cluster.handle(HttpRequest("POST", path, {}, headers, b'{"metadata": {"name": "default"}}'))


@pytest.fixture
def kubeconfig(cluster: Sandbox, tmp_path: Path) -> Path:
    """Its current context is somebody's; that of the bot is called sandbox."""
    content = cluster.kubeconfig()
    content["users"].append({"name": "somebody", "user": {"token": OTHERS_TOKEN}})
    content["contexts"].append({"name": "somebody", "context": {"cluster": "sandbox", "user": "somebody"}})
    content["current-context"] = "somebody"
    path = tmp_path / "kubeconfig"
    path.write_text(json.dumps(content))
    return path


@pytest.fixture
async def redis(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ReplayRedis]:
    monkeypatch.delenv("REDIS_URL", raising=False)
    async with ReplayRedis() as store:
        yield store


class Play:
    """Plays turns as `replay --cluster` does."""

    def __init__(self, folder: Path, kubeconfig: Path, redis: ReplayRedis, capsys: pytest.CaptureFixture[str]) -> None:
        self._folder = folder
        self._capsys = capsys
        self._redis = redis
        self.real = Real(kubeconfig)
        self.said = ""
        self.printed: list[dict[str, Any]] = []

    def file(self, *turns: dict[str, Any], **head: Any) -> Transcript:
        path = self._folder / "talk.yaml"
        content = {"version": 1, "cluster": {"workloads": [WEB]}, **head, "turns": list(turns)}
        path.write_text(yaml.safe_dump(content, sort_keys=False))
        return transcript.read(path)

    async def __call__(self, *turns: dict[str, Any], **head: Any) -> list[dict[str, Any]]:
        configure_logging(LogSettings(level="error"))
        try:
            await replay.play(self.file(*turns, **head), self._redis, as_json=True, real=self.real)
        finally:
            out, self.said = self._capsys.readouterr()
            await self._redis.clear()
        self.printed = [json.loads(line) for line in out.splitlines()]
        return self.printed


@pytest.fixture
def play(tmp_path: Path, kubeconfig: Path, redis: ReplayRedis, capsys: pytest.CaptureFixture[str]) -> Play:
    return Play(tmp_path, kubeconfig, redis, capsys)


def executed(printed: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    return [turn["executed"] for turn in printed]


SCALED = {"action": "scale", "target": "deployment/web", "namespace": "shop", "replicas": 5}


async def test_the_head_is_made_and_what_the_bot_writes_is_read_off_the_objects(play: Play, cluster: Sandbox) -> None:
    assert executed(await play(SCALE, CONFIRM)) == [[], [SCALED]]
    (web,) = cluster.snapshot()["workloads"]
    assert (web["replicas"], web["ready"]) == (5, 5)
    assert [line.partition(": ")[2] for line in play.said.splitlines()] == [
        "created namespace shop",
        "created deployment/web in shop",
    ]


async def test_what_is_printed_is_what_the_sandbox_prints(play: Play, redis: ReplayRedis) -> None:
    turns = (SCALE, CONFIRM, {"id": "c", "from": "alice", "say": "@bot restart web"}, {**CONFIRM, "id": "d", "on": "c"})
    real = await play(*turns)
    play.real = None  # type: ignore[assignment]
    assert executed(await play(*turns)) == executed(real)
    assert [turn["state"] for turn in play.printed] == [turn["state"] for turn in real]
    assert real[3]["executed"] == [{"action": "restart", "target": "deployment/web", "namespace": "shop"}]


async def test_a_second_replay_begins_anew(play: Play) -> None:
    assert executed(await play(SCALE, CONFIRM)) == executed(await play(SCALE, CONFIRM)) == [[], [SCALED]]
    assert "removed deployments/web in shop, which an earlier replay had made" in play.said
    assert "created deployment/web in shop" in play.said


async def test_what_nobody_has_touched_since_is_left_as_it_is(play: Play, cluster: Sandbox) -> None:
    await play(SCALE)
    (made,) = cluster.store.all(DEPLOYMENTS)
    await play(SCALE)
    assert play.said.endswith(": left as it is: deployment/web in shop\n")
    (left,) = cluster.store.all(DEPLOYMENTS)
    assert left["metadata"]["uid"] == made["metadata"]["uid"]
    await play(SCALE, cluster={"workloads": [{**WEB, "image": "reg/web:2"}]})
    assert "removed deployments/web" in play.said
    cluster.stage("shop", "web", "NotReady")
    await cluster.settle()
    await play(SCALE, cluster={"workloads": [{**WEB, "image": "reg/web:2"}]})
    assert "removed deployments/web" in play.said


async def test_what_an_earlier_replay_left_is_found_by_none_that_does_not_make_it(play: Play, cluster: Sandbox) -> None:
    api = {**WEB, "name": "api"}
    await play(SCALE, cluster={"workloads": [WEB, api]})
    printed = await play({"from": "alice", "say": "@bot scale api to 5"})
    assert printed[0]["plan"] is None
    assert [each["name"] for each in cluster.snapshot()["workloads"]] == ["web"]


async def test_what_others_have_made_is_merged_and_never_removed(play: Play, cluster: Sandbox) -> None:
    cluster.apply({"workloads": [{**WEB, "replicas": 7, "labels": {"team": "shop"}}]})
    await play(SCALE)
    assert "changed deployment/web in shop" in play.said
    await play(SCALE, cluster={"workloads": [{**WEB, "image": "reg/web:2"}]})
    assert "removed" not in play.said
    (web,) = (row for row in cluster.store.all(DEPLOYMENTS) if row["metadata"]["name"] == "web")
    assert web["metadata"]["labels"] == {"app": "web", "team": "shop"}
    assert web["spec"]["replicas"] == 2
    assert web["spec"]["template"]["spec"]["containers"][0]["image"] == "reg/web:2"


async def test_somebody_else_changes_the_cluster_meanwhile(play: Play) -> None:
    change = {"id": "c", "cluster": {"workloads": [{**WEB, "replicas": 4}]}}
    printed = await play(SCALE, change, CONFIRM)
    assert executed(printed) == [[], [], []]
    assert "4 → 5" in printed[2]["plan"]["preview"][0]


async def test_the_whole_of_a_workload_is_made(play: Play, cluster: Sandbox) -> None:
    more = {
        "revisions": ["reg/web:0.8", "reg/web:0.9"],
        "hpa": {"min": 2, "max": 8},
        "pdb": {"min_available": 1},
        "paused": True,
        "annotations": {"team": "shop"},
        "logs": "hello",
    }
    objects = [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "settings", "namespace": "shop"}}]
    objects += [{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "other"}}]
    stateful = {"kind": "StatefulSet", "namespace": "shop", "name": "db"}
    daemon = {"kind": "DaemonSet", "namespace": "kube-system", "name": "agent"}
    section = {"workloads": [{**WEB, **more}, stateful, daemon], "objects": objects}
    await play(SCALE, cluster=section)
    rows = {each["name"]: each for each in cluster.snapshot()["workloads"]}
    assert set(rows) == {"web", "db", "agent"}
    (web,) = cluster.store.all(DEPLOYMENTS)
    assert web["metadata"]["annotations"]["deployment.kubernetes.io/revision"] == "3"
    assert web["metadata"]["annotations"]["team"] == "shop"
    assert MADE in web["metadata"]["labels"]
    assert web["spec"]["paused"] is True
    assert web["spec"]["template"]["metadata"]["annotations"] == {"kubelet.test/logs": "hello"}
    assert "created configmap/settings in shop" in play.said
    assert "created namespace/other" in play.said

    changed = {**WEB, "hpa": None, "pdb": {"max_unavailable": 1}, "paused": False}
    printed = await play(SCALE, {"id": "b", "cluster": {"workloads": [changed]}}, cluster=section)
    assert any("HPA" in warning for warning in printed[0]["plan"]["warnings"])
    assert printed[1]["executed"] == []
    (web,) = cluster.store.all(DEPLOYMENTS)
    assert "paused" not in web["spec"]
    assert "changed configmap/settings in shop" in play.said


async def test_troubles_are_annotations_on_the_pods(play: Play, cluster: Sandbox) -> None:
    await play(SCALE, cluster={"workloads": [{**WEB, "pods": ["Running", "CrashLoopBackOff"]}]})
    pods = sorted(cluster.store.all(PODS, "shop"), key=lambda pod: str(pod["metadata"]["name"]))
    assert [(pod["metadata"].get("annotations") or {}).get("kubelet.test/stage") for pod in pods] == [
        None,
        "CrashLoopBackOff",
    ]


@pytest.mark.parametrize(
    ("section", "said"),
    [
        ({"nodes": [{"name": "n1"}]}, "cluster.nodes: nodes cannot be made on a real cluster"),
        (
            {"objects": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}}]},
            "cluster.objects[0]: a node cannot be made on a real cluster",
        ),
        (
            {"objects": [{"apiVersion": "example.org/v1", "kind": "Gizmo", "metadata": {"name": "g"}}]},
            "cluster.objects[0]: the cluster knows no Gizmo of example.org/v1",
        ),
        ({"workloads": [{**WEB, "name": "No_Name"}]}, "cluster.workloads[0]: the cluster refuses it: "),
        ({"workloads": [{**WEB, "pods": ["Running"] * 3}]}, "cluster.workloads[0].pods: 3 pods are listed"),
        ({"workloads": [{**WEB, "bogus": 1}]}, "cluster.workloads[0].bogus"),
    ],
)
async def test_what_cannot_be_made_is_told_with_its_place(play: Play, section: dict[str, Any], said: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        await play(SCALE, cluster=section)
    assert f"talk.yaml: {said}" in caught.value.problems[0]
    with pytest.raises(TranscriptError) as caught:
        await play(SCALE, {"id": "t", "cluster": section})
    assert f"talk.yaml: turn t: {said}" in caught.value.problems[0]


async def test_what_one_may_not_make_is_told_in_the_clusters_words(play: Play, cluster: Sandbox) -> None:
    cluster.access.deny(verb="create", resource="deployments")
    with pytest.raises(TranscriptError, match=r"cluster.workloads\[0\]: the cluster refuses it: .* is forbidden"):
        await play(SCALE)


async def test_the_cluster_is_cut_off_and_comes_back(play: Play) -> None:
    printed = await play(
        SCALE,
        {"id": "b", "down": "cluster"},
        {"id": "c", "from": "bob", "say": "@bot how is web?"},
        {"id": "d", "up": "cluster"},
        {"id": "e", "from": "bob", "say": "@bot how is web?"},
    )
    assert "cannot be connected to" in printed[2]["reply"]
    assert "2/2 pods ready" in printed[4]["reply"]


async def test_a_write_is_told_although_the_store_is_cut_off_afterwards(play: Play) -> None:
    printed = await play(
        SCALE,
        CONFIRM,
        {"id": "c", "down": "redis"},
        {"id": "d", "restart": True},
        {"id": "e", "from": "alice", "say": "@bot scale web to 3"},
        {**CONFIRM, "id": "f", "on": "e"},
    )
    assert [len(done) for done in executed(printed)] == [0, 1, 0, 0, 0, 1]
    assert printed[5]["executed"][0]["replicas"] == 3


async def test_the_bot_acts_under_a_context_of_its_own(play: Play, cluster: Sandbox, kubeconfig: Path) -> None:
    play.real = Real(kubeconfig, "sandbox")
    await play(SCALE, CONFIRM)
    wrote = {(record.user, record.field_manager) for record in cluster.writes() if record.resource == "deployments"}
    assert wrote == {("somebody", "kubectl-create"), ("chatops-bot", "chatops-bot")}


async def test_a_context_that_is_not_there_is_told(play: Play, kubeconfig: Path) -> None:
    play.real = Real(kubeconfig, "nobody")
    with pytest.raises(ClusterError, match="nobody"):
        await play(SCALE)


class Hurried(SystemClock):
    """Every sleep takes seconds."""

    def __init__(self) -> None:
        self.passed = 0.0

    def monotonic(self) -> float:
        return self.passed

    async def sleep(self, seconds: float) -> None:
        self.passed += 5
        await super().sleep(0)


@pytest.fixture
async def asleep(tmp_path: Path) -> AsyncIterator[tuple[Sandbox, Path]]:
    """A cluster whose controllers do nothing unless the test lets them, and its kubeconfig."""
    async with Sandbox(time.time) as cluster:
        path = tmp_path / "asleep"
        path.write_text(json.dumps(cluster.kubeconfig()))
        yield cluster, path


async def test_controllers_that_do_not_come_to_rest_are_told(
    play: Play, asleep: tuple[Sandbox, Path], redis: ReplayRedis
) -> None:
    cluster, kubeconfig = asleep
    cluster.apply({"workloads": [{**WEB, "name": "api"}]})
    await cluster.settle()
    file = play.file(SCALE)
    real = RealCluster(kubeconfig, file, redis, context="", clock=Hurried(), tell=lambda _line: None)
    with pytest.raises(ClusterUnavailable) as caught:
        async with Stage(file, redis, cluster=real):
            pass
    assert str(caught.value) == (
        "the controllers have not come to rest within 60 s: "
        "deployment/web in shop (generation 1, observed 0, 0 pods ready)"
    )


async def test_where_no_controllers_work_none_are_waited_for(
    play: Play, asleep: tuple[Sandbox, Path], redis: ReplayRedis
) -> None:
    told: list[str] = []
    file = play.file(SCALE, CONFIRM, cluster={"workloads": [{**WEB, "pods": ["Running", "CrashLoopBackOff"]}]})
    real = RealCluster(asleep[1], file, redis, context="", clock=Hurried(), tell=told.append)
    async with Stage(file, redis, cluster=real) as stage:
        player = Player(stage)
        printed = [await player.play(turn) for turn in file.turns]
    assert executed(printed) == [[], [SCALED]]
    assert told[-1] == "no controllers work in this cluster: its workloads stay as they are written"
    assert len(told) == 3


def as_the_bot_may(access: Access) -> bool:
    """Roughly the README's role: nothing is made, and only workloads are patched."""
    return (
        access.verb in ("get", "list") or (access.verb, access.group) == ("patch", "apps") or "self" in access.resource
    )


async def test_an_account_like_the_bots_will_do_where_everything_is_there(play: Play, cluster: Sandbox) -> None:
    cluster.apply({"workloads": [WEB]})
    cluster.access.authorizer = as_the_bot_may
    printed = await play(SCALE, CONFIRM, cluster={"workloads": [{**WEB, "pods": ["Running", "CrashLoopBackOff"]}]})
    assert executed(printed) == [[], [SCALED]]
    assert "talk.yaml: left pod/web-" in play.said
    assert "cannot patch resource" in play.said
    assert "left as it is: deployment/web in shop" in play.said
    changed = [record for record in cluster.writes() if record.user == "somebody" and record.name == "web"]
    assert [record.field_manager for record in changed] == ["chatops-bot"]


async def test_workloads_that_stay_in_trouble_are_at_rest(play: Play, cluster: Sandbox) -> None:
    cluster.bad_images.add("reg/web:2")
    change = {"id": "b", "cluster": {"workloads": [{**WEB, "image": "reg/web:2"}]}}
    printed = await play(SCALE, change, {"id": "c", "from": "bob", "say": "@bot how is web?"})
    assert "image" in printed[2]["reply"]


async def test_the_first_turn_plays_now(play: Play, kubeconfig: Path, redis: ReplayRedis) -> None:
    file = play.file({**SCALE, "at": "23:00:00"}, {**CONFIRM, "at": "23:10:00"})
    async with Stage(file, redis, cluster=Real(kubeconfig).cluster(file, redis)) as stage:
        await stage.wait_for(file.turns[0])
        assert abs(stage.clock.now() - time.time()) < 30


def test_namespaces_are_those_that_the_file_speaks_of(play: Play) -> None:
    service = {"name": "db", "namespace": "data", "workload": "statefulset/db"}
    objects = [{"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s", "namespace": "vault"}}]
    change = {"id": "c", "cluster": {"workloads": [{"kind": "Deployment", "name": "x"}], "objects": objects}}
    broken = {"id": "d", "cluster": {"bogus": 1}}
    assert namespaces_of(play.file(SCALE, change, broken, services=[service])) == ("data", "shop", "default", "vault")
    assert namespaces_of(play.file(SCALE, cluster={})) == ()
