"""An overview says what is broken, worst first, and stays silent on what only looks odd."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from chatops_bot.domain.diagnosis.checks import CHECKS
from chatops_bot.domain.diagnosis.findings import RANKS
from chatops_bot.domain.diagnosis.overview import Asked, Seen, seen_in
from chatops_bot.domain.diagnosis.overview_report import ROWS_SHOWN, overview_report
from chatops_bot.domain.diagnosis.pods import is_ready
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.observed import Overview, Raw
from chatops_bot.domain.reports import Report
from chatops_bot.domain.texts import TEXTS, render
from tests.unit.domain.cluster_objects import NOW, ago, workload
from tests.unit.domain.diagnosis.recorded import crashing, event, node, of_pod, pending, pod, running, scene, waiting
from tests.unit.domain.diagnosis.surrounding import cron, job
from tests.unit.domain.diagnosis.test_healthy import HEALTHY, State

FAILED = ("Failed", "BackoffLimitExceeded", "limit")


def called(row: Raw, name: str, *, controller: tuple[str, str] | None = None) -> Raw:
    """The same object under another name, and of another owner."""
    meta = {**row["metadata"], "name": name}
    if controller is not None:
        meta["ownerReferences"] = [{"kind": controller[0], "name": controller[1], "controller": True}]
    return {**row, "metadata": meta}


def of(row: Raw, owner: str) -> Raw:
    """A pod of that Deployment."""
    hash_ = row["metadata"]["labels"]["pod-template-hash"]
    return called(row, f"{owner}-{hash_}-x2x4z", controller=("ReplicaSet", f"{owner}-{hash_}"))


def overview(**parts: Any) -> Overview:
    parts = {name: tuple(rows) if isinstance(rows, list) else rows for name, rows in parts.items()}
    return Overview(cluster="prod-east", at=NOW, namespaces=("shop",), **parts)


def looked(found: Overview, *, asked: Asked = "", unseen: str = "") -> Seen:
    return seen_in(
        found,
        NOW,
        asked=asked,
        known=lambda entity: entity,
        may=lambda entity: entity.name != unseen,
        within=lambda entity: True,
        name=lambda entity: entity.target,
    )


def report(found: Overview, **how: Any) -> Report:
    asked = how.get("asked", "")
    return overview_report([(found, looked(found, **how))], place="shop", slots={}, asked=asked)


def lines(found: Report) -> list[str]:
    assert all(render(row.line, "zh") for row in found.rows)
    return [render(row.line, "en") for row in found.rows]


def deployment(name: str, replicas: int = 2, ready: int | None = None, **spec: Any) -> Raw:
    return called(workload("Deployment", replicas, ready, **spec), name)


TROUBLE = overview(
    workloads=[deployment("api", ready=1), deployment("slow", ready=1), deployment("fine")],
    pods=[
        of(pod("p", crashing(1), age=900), "api"),
        of(pending("0/3 nodes are available: 3 Insufficient cpu."), "slow"),
    ],
    healthy=4,
    jobs=[job("once", FAILED)],
    cron_jobs=[cron()],
    nodes=[node("n1"), node("n2", "Unknown")],
)


def test_the_worst_comes_first_and_each_row_says_what_and_since_when() -> None:
    found = report(TROUBLE)
    assert [row.entity.target for row in found.rows] == [
        "node/n2", "deployment/slow", "deployment/api", "job/once",
    ]  # fmt: skip
    assert lines(found)[2] == "deployment/api: a container keeps crashing, for 15m"
    assert (found.tone, render(found.headline, "en")) == ("danger", "Problems in shop: 4 of 5 workloads and jobs.")
    assert found.digest.startswith("4/5 broken: node/n2")


def test_nothing_wrong_is_said_with_what_was_looked_at() -> None:
    found = report(overview(workloads=[deployment("a"), deployment("b")], healthy=4, cron_jobs=[cron()]))
    assert (found.rows, found.tone, found.headline.key) == ((), "ok", "overview.healthy")
    (said,) = found.lines
    assert render(said, "en") == "Looked at: 2 workloads, 4 pods, 0 Jobs, 1 CronJobs, 0 nodes."


def test_what_was_not_read_is_never_healthy() -> None:
    found = report(overview(workloads=[deployment("a")], unread=("pods:403",), cut=("events",)))
    assert (found.tone, found.headline.key) == ("info", "overview.healthy_as_far")
    assert [line.key for line in found.unread] == ["unread", "overview.cut"]


@pytest.mark.parametrize(
    "parts",
    [
        {"workloads": [deployment("off", 0)]},
        {"workloads": [workload("DaemonSet", 3), workload("StatefulSet", 3)]},
        {"workloads": [deployment("new", ready=1)], "pods": [of(pod("p", running(5, ready=False), age=5), "new")]},
        {"jobs": [job("retried", ("Complete", "CompletionsReached", ""), failed=3)]},
        {"cron_jobs": [cron()], "jobs": [called(job("backup-1", FAILED, age=9000), "backup-1", controller=("CronJob", "backup")),
                                         called(job("backup-2", ("Complete", "", ""), age=600), "backup-2", controller=("CronJob", "backup"))]},
        {"pods": [called(pod("done", running(ready=False), phase="Succeeded"), "done", controller=("Job", "gone"))]},
        {"nodes": [node("n1", unschedulable=True)]},
    ],
)  # fmt: skip
def test_what_only_looks_odd_is_no_row(parts: dict[str, Any]) -> None:
    assert lines(report(overview(**parts))) == []


def test_pods_that_are_not_there_are_missed() -> None:
    lacking = deployment("gone", 3, 1)
    lacking["metadata"] = {**lacking["metadata"], "creationTimestamp": ago(3600)}
    assert lines(report(overview(workloads=[lacking]))) == ["deployment/gone: pods are missing"]


def test_the_newest_job_of_a_schedule_is_its_row_and_no_row_of_its_own() -> None:
    failed = called(job("backup-1", FAILED, failed=6), "backup-1", controller=("CronJob", "backup"))
    found = report(overview(cron_jobs=[cron()], jobs=[failed]))
    assert [row.entity.target for row in found.rows] == ["cronjob/backup"]
    assert found.headline.args == {"place": "shop", "count": 1, "total": 2}


def test_a_pod_of_nobody_is_a_row_of_its_own() -> None:
    alone = pod("tool", waiting("ImagePullBackOff"))
    alone["metadata"] = {**alone["metadata"], "ownerReferences": []}
    assert [row.entity.target for row in report(overview(pods=[alone])).rows] == ["pod/tool"]


def test_a_job_that_failed_long_ago_stands_behind_what_is_broken_now() -> None:
    old = job("old", FAILED, failed=6)
    old["status"]["conditions"][0]["lastTransitionTime"] = ago(200_000)
    warned = overview(jobs=[old], cron_jobs=[cron(suspend=True)])
    assert [row.entity.target for row in report(warned).rows] == ["cronjob/backup", "job/old"]


def test_many_rows_are_cut_and_counted() -> None:
    many = [deployment(f"api{n}", ready=1) for n in range(12)]
    broken = [of(pod("p", crashing(1)), f"api{n}") for n in range(12)]
    found = report(overview(workloads=many, pods=broken))
    assert len(found.rows) == ROWS_SHOWN
    assert [line.args for line in found.lines] == [{"count": 4}]
    assert found.headline.args["count"] == 12


def test_what_may_not_be_seen_is_left_out_of_the_counts_and_said() -> None:
    found = report(TROUBLE, unseen="api")
    assert "deployment/api" not in [row.entity.target for row in found.rows]
    assert found.headline.args == {"place": "shop", "count": 3, "total": 4}
    assert render(found.unread[-1], "en") == "Left out, since you may not see them: 1, in namespace shop."


def test_who_restarts_most() -> None:
    calm = of(
        pod("p", running(restartCount=2, lastState={"terminated": {"exitCode": 1, "finishedAt": ago(7200)}})), "calm"
    )
    found = report(
        overview(workloads=[deployment("api"), deployment("calm")], pods=[calm, of(pod("p", crashing(1)), "api")]),
        asked="restarts",
    )  # fmt: skip
    assert [row.entity.name for row in found.rows] == ["api", "calm"]
    assert lines(found)[0].startswith("deployment/api: 7 restarts, the last 2m ago (api-")
    assert found.rows[1].tone == "muted"
    assert report(overview(workloads=[deployment("a")]), asked="restarts").headline.key == "overview.restarts_none"


def test_pods_that_are_not_ready() -> None:
    found = report(TROUBLE, asked="pods")
    assert [row.entity.name for row in found.rows] == ["api", "slow"]
    assert lines(found)[1] == "deployment/slow: pods not ready 1, no node has room for its pods"


def test_jobs_alone() -> None:
    found = report(TROUBLE, asked="jobs")
    assert [row.entity.target for row in found.rows] == ["job/once"]
    assert render(found.headline, "en") == "Jobs in trouble in shop: 1 of 2.", "workloads are none of them"
    assert report(overview(cron_jobs=[cron()]), asked="jobs").headline.key == "overview.jobs_none"


def test_two_clusters_are_one_list() -> None:
    calm = overview(workloads=[deployment("west", ready=1)], pods=[of(pod("p", waiting("ImagePullBackOff")), "west")])
    west = msgspec.structs.replace(calm, cluster="prod-west")
    found = overview_report([(one, looked(one)) for one in (TROUBLE, west)], place="place.clusters", slots={})
    assert {row.entity.cluster for row in found.rows} == {"prod-east", "prod-west"}
    assert render(found.headline, "en").startswith("Problems in all clusters: 5 of 6")


def test_every_finding_has_a_short_name() -> None:
    assert [code for code in RANKS if f"cause.{code}" not in TEXTS] == []


def test_nothing_raises_on_odd_objects() -> None:
    rolled = random.Random(7)

    def odd(value: Any) -> Any:
        if rolled.random() < 0.15:
            return rolled.choice([None, 0, "", [], {}, "x", -1, True])
        if isinstance(value, dict):
            return {key: odd(inner) for key, inner in value.items() if rolled.random() > 0.05}
        return [odd(inner) for inner in value] if isinstance(value, list) else value

    parts = ("workloads", "pods", "jobs", "cron_jobs", "nodes")
    for _ in range(150):
        rows = {
            name: tuple(row for one in getattr(TROUBLE, name) if isinstance(row := odd(one), dict)) for name in parts
        }
        for asked in ("", "restarts", "pods", "jobs"):
            lines(report(overview(**rows), asked=asked))


def test_the_entity_is_the_catalog_s() -> None:
    mine = Entity("prod-east", "shop", "Deployment", "api", "payments", "prod")
    found = seen_in(
        TROUBLE,
        NOW,
        known=lambda entity: mine if entity.workload == "api" else entity,
        may=lambda entity: True,
        within=lambda entity: entity == mine,
        name=lambda entity: entity.name,
    )
    assert [row.entity for row in found.rows] == [mine]
    assert (found.workloads, found.jobs) == (1, 0)


def in_overview(state: State) -> Overview:
    """The same state as an overview brings it: without pods that are ready and never restarted, ReplicaSets, and all
    that stands around."""
    pods, parts = state
    observed = scene(*pods, **parts).observed
    kind = observed.entity.kind
    row = {
        **observed.object,
        "kind": kind,
        "metadata": {"name": "web", "namespace": "shop", **observed.object["metadata"]},
    }
    kept = tuple(
        one
        for one in pods
        if not is_ready(one) or any(s.get("restartCount") for s in one["status"]["containerStatuses"])
    )
    place = {"Job": "jobs", "CronJob": "cron_jobs", "Node": "nodes", "Pod": "pods"}.get(kind, "workloads")
    whole = {"pods": kept, "autoscalers": observed.autoscalers, "events": observed.events, "nodes": observed.nodes}
    return overview(**{**whole, place: (row,)} if place != "pods" else whole)


@pytest.mark.parametrize("state", HEALTHY, ids=lambda state: state.__name__)
def test_no_false_alarm_on_what_is_none_in_a_diagnosis(state: Callable[[], State]) -> None:
    assert lines(report(in_overview(state()))) == []


def test_a_large_cluster_is_judged_in_little_time() -> None:
    """500 workloads, a fifth of them broken, with two hundred events."""
    names = [f"svc{n}" for n in range(500)]
    broken = names[::5]
    large = overview(
        workloads=[deployment(name, ready=1 if name in broken else 2) for name in names],
        pods=[of(pod("p", crashing(1)), name) for name in broken],
        events=[event("BackOff", "back-off", about=of_pod(of(pod(), name))) for name in broken[:50]] * 4,
        healthy=4900,
    )
    begun = time.process_time()
    found = report(large)
    assert found.headline.args == {"place": "shop", "count": 100, "total": 500}
    assert time.process_time() - begun < 3.0


@pytest.mark.parametrize("asked", ["", "pods"])
def test_a_check_that_fails_is_named_once_and_the_rest_is_shown(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def tripping(_: object) -> Any:
        raise KeyError("x")

    before = report(TROUBLE, asked=asked)
    monkeypatch.setattr("chatops_bot.domain.diagnosis.status.CHECKS", (*CHECKS, tripping))
    found = report(TROUBLE, asked=asked)
    assert found.rows == before.rows
    assert [render(line, "en") for line in found.unread] == [
        "A check failed itself (tripping: KeyError): what it looks for is not known."
    ]
    fine = report(overview(workloads=[deployment("fine")]))
    assert (fine.headline.key, fine.tone) == ("overview.healthy_as_far", "info")
