"""Rows 26 to 28 and 33 to 36 of the table of symptoms: autoscalers, jobs, budgets, and what pods use."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.observed import Around, Raw
from tests.unit.domain.cluster_objects import ago, workload
from tests.unit.domain.diagnosis.recorded import (
    alarms,
    codes,
    crashing,
    event,
    offered,
    pod,
    proven,
    spoken,
    terminated,
    top,
)
from tests.unit.domain.diagnosis.surrounding import cpu_at, cron, hpa, job, pdb, usage, written_by

PAIR = pod("web-a"), pod("web-b")
NO_API = (  # as a cluster without metrics-server writes it
    "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for "
    "resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested "
    "resource (get pods.metrics.k8s.io)"
)
WANTS_MORE = ("ScalingLimited", "True", "TooManyReplicas", "the desired replica count is more than the maximum")


def inactive(reason: str, message: str = "") -> tuple[str, str, str, str]:
    return ("ScalingActive", "False", reason, message)


def test_row_26_at_its_maximum_with_the_metric_that_wants_more() -> None:
    found = top(*PAIR, autoscalers=(hpa(WANTS_MORE, desiredReplicas=10, **cpu_at(93)),))
    assert (found.code, found.severity, found.hard) == ("autoscaler_limit", "warn", False)
    assert "at its maximum of 10 and wants more: cpu is at 93%, its target is 60%" in spoken(found.line)
    assert found.offers[0].slots == {"max": 16}
    assert "hpa/web spec.maxReplicas = 10" in proven(found)


@pytest.mark.parametrize(("percent", "most"), [(600, 20), (61, 11), (None, 15)])
def test_row_26_offers_a_bounded_maximum(percent: int | None, most: int) -> None:
    status = {} if percent is None else cpu_at(percent)
    assert top(*PAIR, autoscalers=(hpa(WANTS_MORE, **status),)).offers[0].slots == {"max": most}


def test_row_26_offers_nothing_during_a_rollout_or_against_keda() -> None:
    moving = workload(replicas=2)
    moving["status"] |= {"updatedReplicas": 1}
    assert offered(top(*PAIR, obj=moving, autoscalers=(hpa(WANTS_MORE),))) == []
    keda = hpa(WANTS_MORE, labels={"scaledobject.keda.sh/name": "web"})
    assert offered(top(*PAIR, autoscalers=(keda,))) == []


def test_row_26_names_metrics_of_any_type() -> None:
    queue = hpa(WANTS_MORE)
    queue["spec"]["metrics"] = [
        {"type": "External", "external": {"metric": {"name": "queue_depth"}, "target": {"averageValue": "30"}}}
    ]
    queue["status"]["currentMetrics"] = [
        {"type": "External", "external": {"metric": {"name": "queue_depth"}, "current": {"averageValue": "90"}}}
    ]
    assert "queue_depth is at 90, its target is 30" in spoken(top(*PAIR, autoscalers=(queue,)).line)


def test_row_26_is_silent_at_the_minimum_and_before_the_first_look() -> None:
    low = ("ScalingLimited", "True", "TooFewReplicas", "the desired replica count is less than the minimum")
    new = hpa()
    new["status"] = {"conditions": None, "currentMetrics": None}
    for one in (hpa(low), hpa(), new, hpa(("ScalingLimited", "False", "DesiredWithinRange", ""))):
        assert codes(*PAIR, autoscalers=(one,)) == []


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (
            "failed to get cpu utilization: missing request for cpu in container side of Pod web-a",
            "container side has no request for it",
        ),
        (
            "unable to get metrics for resource cpu: the server could not find the requested resource (get pods.metrics)",
            "the metrics API is not available",
        ),
        (
            "unable to fetch metrics: the server is currently unable to handle the request (get pods.metrics.k8s.io)",
            "the metrics API is not available",
        ),
        (NO_API, "the metrics API is not available. failed to get cpu utilization: unable to get metrics"),
        ("no metrics returned from resource metrics API", "gets no figures: no metrics returned"),
        ("invalid metric source type", "cannot read its metrics: invalid metric source type"),
    ],
)
def test_row_27_says_why_it_is_blind(message: str, words: str) -> None:
    found = top(*PAIR, autoscalers=(hpa(inactive("FailedGetResourceMetric", message)),))
    assert (found.code, found.severity) == ("autoscaler_blind", "warn")
    assert words in spoken(found.line)
    assert offered(found) == ["scale"]
    assert "ScalingActive] = False/FailedGetResourceMetric" in proven(found)


def test_row_27_is_silent_while_no_pod_can_have_been_measured() -> None:
    blind = hpa(inactive("FailedGetResourceMetric", "no metrics returned from resource metrics API"))
    young = pod("web-a", age=40)
    assert codes(young, autoscalers=(blind,)) == []
    assert "autoscaler_blind" not in codes(pod("web-a", crashing(1)), autoscalers=(blind,))


def test_row_28_off_at_zero_is_said_with_a_way_back_to_the_minimum() -> None:
    off = hpa(inactive("ScalingDisabled", "scaling is disabled since the replica count of the target is zero"))
    found = top(obj=workload(replicas=0), autoscalers=(off,))
    assert (found.code, found.severity) == ("autoscaler_off", "info")
    assert found.offers[0].slots == {"replicas": 2}
    keda = hpa(inactive("ScalingDisabled"), labels={"scaledobject.keda.sh/name": "web"})
    assert codes(obj=workload(replicas=0), autoscalers=(keda,)) == []


def test_row_28_two_for_the_same_pods() -> None:
    ambiguous = hpa(inactive("AmbiguousSelector", "pods by selector app=web are controlled by multiple HPAs: web, old"))
    found = top(*PAIR, autoscalers=(ambiguous,))
    assert (found.code, found.severity) == ("autoscaler_off", "warn")
    assert "selected by more than one HPA" in spoken(found.line)
    found = top(*PAIR, autoscalers=(hpa(), hpa(name="web-old")))
    assert "against each other: web, web-old" in spoken(found.line)
    assert codes(*PAIR, autoscalers=(ambiguous, hpa(name="old"))) == ["autoscaler_off"]


def test_row_28_a_target_that_cannot_be_scaled() -> None:
    lost = hpa(("AbleToScale", "False", "FailedGetScale", 'deployments/scale.apps "web" not found'))
    assert top(*PAIR, autoscalers=(lost,)).code == "autoscaler_off"
    resting = hpa(("AbleToScale", "False", "BackoffBoth", "the time since the previous scale is within the window"))
    assert codes(*PAIR, autoscalers=(resting,)) == []


def of_job(name: str, code: int) -> Raw:
    found = pod(f"{name}-x1", phase="Failed")
    found["metadata"]["ownerReferences"] = [{"kind": "Job", "name": name, "uid": f"u-{name}", "controller": True}]
    found["status"]["containerStatuses"][0] |= {"ready": False, "state": terminated(code)}
    found["status"]["conditions"] = []
    return found


def test_row_33_a_job_that_has_failed() -> None:
    failed = job("backup", ("Failed", "BackoffLimitExceeded", "Job has reached the specified backoff limit"), failed=6)
    found = top(of_job("backup", 2), kind="Job", obj=failed)
    assert (found.code, found.severity) == ("job_failed", "danger")
    assert "has failed (BackoffLimitExceeded): failed tries 6, last exit 2" in spoken(found.line)
    assert "job/backup status.failed = 6" in proven(found)
    late = job("backup", ("Failed", "DeadlineExceeded", "Job was active longer than specified deadline"))
    assert top(kind="Job", obj=late).causes == ("why.job_deadline",)
    ending = job("backup", ("FailureTarget", "PodFailurePolicy", "Container main exited with code 2"))
    assert top(kind="Job", obj=ending).severity == "danger"


def test_row_33_a_job_that_still_tries() -> None:
    found = next(one for one in [top(kind="Job", obj=job("backup", failed=2, active=1))] if one.code == "job_failed")
    assert found.severity == "warn"
    assert "2 times of 6 at most" in spoken(found.line)


@pytest.mark.parametrize("kind", ["Complete", "SuccessCriteriaMet"])
def test_row_33_is_silent_on_a_job_that_succeeded_in_the_end(kind: str) -> None:
    assert codes(kind="Job", obj=job("backup", (kind, "CompletionsReached", ""), failed=3, succeeded=1)) == []


def test_row_33_of_a_cron_job_the_newest_counts() -> None:
    bad = job("backup-1", ("Failed", "BackoffLimitExceeded", "limit"), age=7200, failed=6)
    good = job("backup-2", ("Complete", "CompletionsReached", ""), age=600, succeeded=1)
    assert codes(kind="CronJob", obj=cron(), around=Around(jobs=(good, bad))) == []
    newest = job("backup-3", ("Failed", "BackoffLimitExceeded", "limit"), age=60, failed=6)
    assert top(kind="CronJob", obj=cron(), around=Around(jobs=(newest, good, bad))).object == "job/backup-3"


def test_row_34_suspended_by_whom_and_since_when() -> None:
    held = written_by(cron(suspend=True, success=200_000), "suspend", "kubectl-patch", 180_000)
    found = top(kind="CronJob", obj=held)
    assert (found.code, found.severity) == ("cron_suspended", "warn")
    assert "suspended by kubectl-patch, 2d2h ago: nothing runs any more. Last success: 2d7h ago" in spoken(found.line)


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (cron(success=93_600, started=1200), "No success for 1d2h (schedule 0 * * * *); it was started 20m ago"),
        (cron(success=93_600, started=93_700), "it is not started on time, last 1d2h ago"),
        (cron("@hourly", success=93_600, started=1200), "schedule @hourly"),
        (cron("TZ=Asia/Shanghai 0 * * * *", success=93_600, started=1200), "No success for 1d2h"),
        (cron("30 2 * * *", success=300_000, started=4000), "No success for 3d11h"),
        (cron("0 2 * * *", success=118_800, started=28_900, timeZone="UTC"), "No success for 1d9h"),
        (cron(success=None, started=1200), "No success for 1041d"),
    ],
)
def test_row_34_no_success_in_time(made: Raw, words: str) -> None:
    found = top(kind="CronJob", obj=made)
    assert (found.code, found.severity) == ("cron_late", "warn")
    assert words in spoken(found.line)


def test_row_34_a_run_that_hangs_holds_up_the_next() -> None:
    held = cron(success=93_600, started=90_000)
    held["status"]["active"] = [{"kind": "Job", "name": "backup-29401"}]
    running = job("backup-29401", age=90_000, active=1)
    found = top(kind="CronJob", obj=held, around=Around(jobs=(running,)))
    assert "job backup-29401 is still running, and holds up the next" in spoken(found.line)
    assert found.causes == ("why.job_hangs",)


def test_row_34_missed_times_are_told_by_the_event() -> None:
    told = event(
        "TooManyMissedTimes",
        "too many missed start times: 101. Set or decrease .spec.startingDeadlineSeconds",
        about={"kind": "CronJob", "namespace": "shop", "name": "web"},
    )
    found = top(kind="CronJob", obj=cron(success=93_600, started=1200), events=(told,))
    assert found.causes[0] == "why.missed_times"


def active(made: Raw, seconds: float) -> Raw:
    made["status"]["active"] = [{"kind": "Job", "name": "backup-1"}]
    made["status"]["lastScheduleTime"] = ago(seconds)
    return made


@pytest.mark.parametrize(
    "fine",
    [
        cron(success=600),
        cron(success=4000),  # one run late or failed is not two
        cron("0 2 * * *", success=118_800, timeZone=None),  # on an unknown clock
        cron("@every 1h", success=93_600),
        cron("not a schedule", success=93_600),
        cron("0 * * * *", success=93_600, timeZone="Mars/Olympus"),
        active(cron(success=9000), 5400),  # a long run that is still at it
        written_by(cron(success=93_600), "suspend", "kubectl", 600),  # resumed just now
        written_by(cron(success=93_600), "schedule", "helm", 600),  # changed just now
        cron("0 0 30 2 *", success=93_600),
    ],
)
def test_row_34_is_silent(fine: Raw) -> None:
    assert codes(kind="CronJob", obj=fine) == []


def test_row_35_a_budget_that_lets_nobody_go() -> None:
    found = top(*PAIR, budgets=(pdb(),))
    assert (found.code, found.severity, found.hard) == ("budget", "warn", False)
    assert "it needs 2 healthy pods of 2" in spoken(found.line)
    assert "pdb/web status.disruptionsAllowed = 0" in proven(found)


def test_row_35_two_budgets_over_the_same_pods() -> None:
    found = top(*PAIR, budgets=(pdb("a", disruptionsAllowed=1, desiredHealthy=1), pdb("b", disruptionsAllowed=1)))
    assert "Several PDBs select the same pods (a, b)" in spoken(found.line)
    failed = pdb()
    row = {"type": "DisruptionAllowed", "status": "False", "reason": "SyncFailed", "message": "found no controllers"}
    failed["status"]["conditions"] = [row]
    assert "does not work: found no controllers" in spoken(top(*PAIR, budgets=(failed,)).line)


@pytest.mark.parametrize(
    "status",
    [
        {"currentHealthy": 1},  # guards the pods that are left
        {"currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1},  # of one pod
        {"disruptionsAllowed": 1, "desiredHealthy": 1},
    ],
)
def test_row_35_is_no_alarm(status: dict[str, Any]) -> None:
    assert alarms(*PAIR, budgets=(pdb(**status),)) == []


def test_row_35_is_silent_where_there_are_no_pods() -> None:
    assert codes(*PAIR, budgets=(pdb(expectedPods=0, currentHealthy=0, desiredHealthy=0),)) == []


def limited(*names: str, age: float = 3600) -> list[Raw]:
    pods = [pod(name, age=age) for name in names]
    for one in pods:
        one["spec"]["containers"][0]["resources"]["limits"] = {"cpu": "500m", "memory": "256Mi"}
    return pods


def test_row_36_cpu_at_the_limit() -> None:
    used = Around(usage=(usage("web-a", cpu="490m"), usage("web-b", cpu="488123456n")))
    found = top(*limited("web-a", "web-b"), around=used)
    assert (found.code, found.severity) == ("saturated", "warn")
    assert "app uses 98% of its CPU limit 500m: throttled in 2 of 2 pods" in spoken(found.line)
    assert "pod/web-a usage.app.cpu = 490m" in proven(found)
    assert offered(found) == ["scale"]
    assert offered(top(*limited("web-a", "web-b"), around=used, autoscalers=(hpa(),))) == []


def test_row_36_memory_at_the_limit_of_one_pod() -> None:
    used = Around(usage=(usage("web-a", memory="255Mi"), usage("web-b"), usage("web-c")))
    found = top(*limited("web-a", "web-b", "web-c"), around=used)
    assert "100% of its memory limit 256Mi and is about to be OOM-killed: 1 of 3 pods" in spoken(found.line)


@pytest.mark.parametrize(
    ("pods", "used"),
    [
        (limited("web-a", "web-b", "web-c"), [usage("web-a", cpu="500m"), usage("web-b"), usage("web-c")]),
        (limited("web-a", age=60), [usage("web-a", cpu="500m")]),
        (limited("web-a"), [usage("web-a", memory="230Mi")]),
        ([pod("web-a")], [usage("web-a", cpu="3")]),  # no limit
        (limited("web-a"), [usage("gone", cpu="500m")]),
        (limited("web-a"), [{"metadata": {"name": "web-a"}, "containers": None}]),
    ],
)
def test_row_36_is_silent(pods: list[Raw], used: list[Any]) -> None:
    assert codes(*pods, around=Around(usage=tuple(used))) == []
