"""Symptoms of nodes, workloads, autoscalers and jobs: rows 19 to 28, 33 to 36, 42 and 43."""

from __future__ import annotations

from tests.cluster.kubelet.node import CONDITIONS
from tests.cluster.kubelet.node import LOST as IS_LOST
from tests.cluster.symptoms.ground import (
    LOST,
    PRESSED,
    Place,
    Steps,
    Table,
    container,
    pods,
    probe,
    staged,
    warning,
)

SCENES: Table = {}

_NODES = "/api/v1/nodes"
NOT_WELL = "Readiness probe failed: HTTP probe failed with statuscode: 503"
UNREADY = {"containers": {"app": {"ready": False}}, "events": [warning("Unhealthy", NOT_WELL, 9)]}
_EVERYWHERE = [{"operator": "Exists", "effect": "NoSchedule"}]


@staged(SCENES, 19, "node_not_ready", after_s=120)
def node_not_ready(place: Place) -> Steps:
    place.workload(pods=pods(on=LOST))
    yield place.ready()
    place.api.patch(f"{_NODES}/{LOST}", {"metadata": {"annotations": {IS_LOST: "true"}}})
    yield place.ready(0)


@staged(SCENES, 20, "node_pressure")
def node_pressure(place: Place) -> Steps:
    staged_so = {"metadata": {"annotations": {CONDITIONS: '{"DiskPressure": "True"}'}}}
    place.workload(pods=pods(on=PRESSED, app={"readinessProbe": probe()}, tolerations=_EVERYWHERE))
    yield place.ready()
    place.api.patch(f"{_NODES}/{PRESSED}", staged_so)
    for pod in place.pods():
        place.stage(pod, UNREADY)
    yield place.ready(0)


@staged(SCENES, 21, "rollout_failed")
def rollout_failed(place: Place) -> Steps:
    place.workload(pods=pods(app={"readinessProbe": probe()}), progressDeadlineSeconds=2)
    yield place.ready()
    worse = pods(UNREADY, app={"readinessProbe": probe(), "image": "registry.test/shop/web:1.5.0"})
    place.change("Deployment", "web", {"spec": {"template": worse}})
    yield place.has("Deployment", "Progressing", "False", "ProgressDeadlineExceeded")


@staged(SCENES, 22, "paused")
def paused(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    newer = {"containers": [{"name": "app", "image": "registry.test/shop/web:1.5.0"}]}
    place.change("Deployment", "web", {"spec": {"paused": True, "template": {"spec": newer}}})
    yield place.when("Deployment", lambda obj: obj["status"]["observedGeneration"] == obj["metadata"]["generation"])


@staged(SCENES, 23, "blocked")
def quota(place: Place) -> Steps:
    place.make("ResourceQuota", "compute", {"hard": {"requests.cpu": "100m"}})
    yield place.when("ResourceQuota", lambda obj: "used" in obj.get("status", {}), "compute")
    place.workload(pods=pods(), replicas=3)
    yield place.has("Deployment", "ReplicaFailure", "True")
    yield place.ready()


@staged(SCENES, 24, "stateful_stuck", kind="StatefulSet", below=True)
def stateful_stuck(place: Place) -> Steps:
    """Its newest pod crashes: that is the cause, and stands above."""
    place.service(clusterIP="None")
    place.workload("StatefulSet", pods=pods(), replicas=3)
    yield place.ready(3, kind="StatefulSet")
    worse = pods("CrashLoopBackOff", app={"image": "registry.test/shop/web:1.5.0"})
    place.change("StatefulSet", "web", {"spec": {"template": worse}})
    yield place.when("StatefulSet", lambda obj: obj["status"].get("updatedReplicas") == 1)
    yield place.ready(2, kind="StatefulSet")
    yield place.happened("BackOff")


@staged(SCENES, 25, "daemon_incomplete", kind="DaemonSet", below=True)
def daemon_incomplete(place: Place) -> Steps:
    """On one of three nodes somebody else has its port: that is the cause, and stands above."""
    taken = {"ports": [{"containerPort": 9100, "hostPort": 9100}]}
    place.workload(name="first", pods=pods(name="first", app=taken), replicas=1)
    yield place.ready(1, "first")
    place.workload("DaemonSet", pods=pods(app=taken))
    yield place.when("DaemonSet", lambda obj: obj["status"].get("desiredNumberScheduled", 0) == 3)
    yield place.happened("FailedScheduling")
    yield place.ready(2, kind="DaemonSet")


@staged(SCENES, 26, "autoscaler_limit")
def autoscaler_limit(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=3)
    yield place.ready(3)
    place.measure("95m", "95m", "95m")
    place.autoscaler(2, 3)
    yield place.has("HorizontalPodAutoscaler", "ScalingLimited", "True", "TooManyReplicas")


@staged(SCENES, 27, "autoscaler_blind")
def autoscaler_blind(place: Place) -> Steps:
    """Nobody has measured anything."""
    place.workload(pods=pods())
    yield place.ready()
    place.autoscaler(2, 5)
    yield place.has("HorizontalPodAutoscaler", "ScalingActive", "False", "FailedGetResourceMetric")


@staged(SCENES, 28, "autoscaler_off")
def autoscaler_off(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=0)
    place.autoscaler(2, 5)
    yield place.has("HorizontalPodAutoscaler", "ScalingActive", "False", "ScalingDisabled")


@staged(SCENES, 33, "job_failed", kind="Job", target="migrate")
def job_failed(place: Place) -> Steps:
    template = pods("Failed", "Failed", name="migrate", restartPolicy="Never")
    place.make("Job", "migrate", {"backoffLimit": 0, "template": template})
    yield place.has("Job", "Failed", "True", "BackoffLimitExceeded", "migrate")


@staged(SCENES, 34, "cron_suspended", kind="CronJob", target="nightly")
def cron_suspended(place: Place) -> Steps:
    place.make("CronJob", "nightly", {"schedule": "0 3 * * *", "suspend": True, "jobTemplate": _job("nightly")})
    yield place.when("CronJob", lambda obj: obj["spec"]["suspend"], "nightly")


@staged(SCENES, 34, "cron_late", kind="CronJob", target="hourly", after_s=4 * 3600)
def cron_late(place: Place) -> Steps:
    place.make("CronJob", "hourly", {"schedule": "30 * * * *", "timeZone": "Etc/UTC", "jobTemplate": _job("hourly")})
    yield place.when("CronJob", lambda obj: bool(obj["spec"]["schedule"]), "hourly")


def _job(name: str) -> dict[str, object]:
    return {"spec": {"template": pods("Completed", name=name, restartPolicy="Never")}}


@staged(SCENES, 35, "budget")
def budget(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.make("PodDisruptionBudget", "web", {"minAvailable": 2, "selector": {"matchLabels": {"app": "web"}}})
    yield place.when("PodDisruptionBudget", lambda obj: obj.get("status", {}).get("expectedPods") == 2)


@staged(SCENES, 36, "saturated")
def saturated(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.measure("498m", "500m")


@staged(SCENES, 42, "overlap")
def overlap(place: Place) -> Steps:
    """A StatefulSet of the same labels."""
    place.workload(pods=pods())
    yield place.ready()
    place.service("other", clusterIP="None")
    spec = {"selector": {"matchLabels": {"app": "web"}}, "serviceName": "other", "template": pods(), "replicas": 1}
    place.make("StatefulSet", "other", spec)
    yield place.ready(1, "other", "StatefulSet")


@staged(SCENES, 43)
def healthy(place: Place) -> Steps:
    place.workload(pods=pods(app=container(readinessProbe=probe())))
    place.service()
    yield place.ready()
