"""Symptoms that single pods show: rows 1 to 18, 40 and 41."""

from __future__ import annotations

from tests.cluster.symptoms.ground import (
    SMALL,
    Place,
    Steps,
    Table,
    ended,
    normal,
    pods,
    probe,
    staged,
    waits,
    warning,
)

SCENES: Table = {}

MANY = 8

BACK_OFF = "back-off 5m0s restarting failed container=app pod=web_shop(u)"
BACKED_OFF = warning("BackOff", "Back-off restarting failed container app in pod web_shop(u)", 28)


@staged(SCENES, 1, "crash_loop")
def crash_loop(place: Place) -> Steps:
    said = "2026-11-30 10:00:00 INFO starting\nFATAL: listen on :8080: permission denied\n"
    place.workload(pods=pods("CrashLoopBackOff", "CrashLoopBackOff", logs=said))
    yield place.told()


@staged(SCENES, 1, "crash_loop")
def crash_loop_of_many(place: Place) -> Steps:
    """Logs are read of one or two of them."""
    said = "panic: cannot read /etc/web/config.yaml\n"
    place.workload(pods=pods(*["CrashLoopBackOff"] * MANY, logs=said), replicas=MANY)
    yield place.told(MANY)


@staged(SCENES, 2, "out_of_memory")
def out_of_memory(place: Place) -> Steps:
    """With exit code 0, as a process does whose child was killed."""
    stage = waits("CrashLoopBackOff", BACK_OFF, BACKED_OFF, last=ended(0, "OOMKilled"), restarts=4)
    place.workload(pods=pods(stage, stage))
    yield place.told()


@staged(SCENES, 3, "killed")
def killed(place: Place) -> Steps:
    stage = waits("CrashLoopBackOff", BACK_OFF, BACKED_OFF, last=ended(137), restarts=4)
    place.workload(pods=pods(stage, stage))
    yield place.told()


@staged(SCENES, 4, "image_pull")
def image_pull(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.change("Deployment", "web", {"spec": {"template": {"spec": {"containers": [_image("web:missing")]}}}})
    yield place.when("Deployment", lambda obj: obj["status"].get("unavailableReplicas", 0) > 0)
    yield place.happened("Failed")


def _image(reference: str) -> dict[str, str]:
    return {"name": "app", "image": f"registry.test/shop/{reference}"}


@staged(SCENES, 5, "image_name")
def image_name(place: Place) -> Steps:
    image = "registry.test/shop/Web:${TAG}"
    message = (
        f'Failed to apply default image tag "{image}": couldn\'t parse image name "{image}": invalid reference format: '
        "repository name (shop/Web) must be lowercase"
    )
    stage = waits("InvalidImageName", message, warning("InspectFailed", message), warning("Failed", message))
    place.workload(pods=pods(stage, stage, app={"image": image}))
    yield place.told()


@staged(SCENES, 6, "config")
def config(place: Place) -> Steps:
    message = 'secret "db-credentials" not found'
    stage = waits("CreateContainerConfigError", message, warning("Failed", f"Error: {message}"))
    place.workload(pods=pods(stage, stage))
    yield place.told()


@staged(SCENES, 7, "start")
def start(place: Place) -> Steps:
    message = (
        "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: "
        'unable to start container process: error during container init: exec: "/bin/serve": stat /bin/serve: '
        "no such file or directory"
    )
    last = ended(128, "StartError", ran_s=0, message=message) | {"startedAt": "1970-01-01T00:00:00Z"}
    stage = waits("CrashLoopBackOff", BACK_OFF, warning("Failed", f"Error: {message}"), last=last, restarts=3)
    place.workload(pods=pods(stage, stage, app={"command": ["/bin/serve"]}))
    yield place.told()


@staged(SCENES, 8, "liveness")
def liveness(place: Place) -> Steps:
    yield from _killed_by_liveness(place, 2)


@staged(SCENES, 8, "liveness")
def liveness_of_many(place: Place) -> Steps:
    """Events are read of one or two of them."""
    yield from _killed_by_liveness(place, MANY)


def _killed_by_liveness(place: Place, count: int) -> Steps:
    fails = 'Liveness probe failed: Get "http://127.0.0.1:8080/healthz": context deadline exceeded'
    kills = normal("Killing", "Container app failed liveness probe, will be restarted", 5)
    running = {"state": {"running": {"startedAt": "@-5"}}, "ready": False, "restartCount": 5}
    running["lastState"] = {"terminated": ended(137, ago_s=6)}
    stage = {"containers": {"app": running}, "events": [warning("Unhealthy", fails, 15), kills]}
    app = {"livenessProbe": probe(timeoutSeconds=1), "readinessProbe": probe()}
    place.workload(pods=pods(*[stage] * count, app=app), replicas=count)
    yield place.told(count)


@staged(SCENES, 9, "not_ready")
def not_ready(place: Place) -> Steps:
    yield from _cease_to_be_ready(place, 2)


@staged(SCENES, 9, "not_ready")
def not_ready_in_many(place: Place) -> Steps:
    yield from _cease_to_be_ready(place, MANY)


def _cease_to_be_ready(place: Place, count: int) -> Steps:
    place.workload(pods=pods(app={"readinessProbe": probe()}), replicas=count)
    place.service()
    yield place.ready(count)
    why = 'Get "http://127.0.0.1:8080/healthz": dial tcp 127.0.0.1:8080: connect: connection refused'
    event = warning("Unhealthy", f"Readiness probe failed: {why}", 9)
    for pod in place.pods():
        place.stage(pod, {"containers": {"app": {"ready": False}}, "events": [event]})
    yield place.ready(0)


@staged(SCENES, 10, "startup")
def startup(place: Place) -> Steps:
    fails = "Startup probe failed: HTTP probe failed with statuscode: 503"
    kills = normal("Killing", "Container app failed startup probe, will be restarted", 3)
    running = {"state": {"running": {"startedAt": "@-5"}}, "ready": False, "started": False, "restartCount": 3}
    running["lastState"] = {"terminated": ended(137, ago_s=6)}
    stage = {"containers": {"app": running}, "events": [warning("Unhealthy", fails, 36), kills]}
    place.workload(pods=pods(stage, stage, app={"startupProbe": probe(failureThreshold=12)}))
    yield place.told()


@staged(SCENES, 11, "init")
def init_container(place: Place) -> Steps:
    migrate = {
        "state": {"waiting": {"reason": "CrashLoopBackOff", "message": BACK_OFF.replace("=app", "=migrate")}},
        "lastState": {"terminated": ended(1)},
        "restartCount": 3,
    }
    stage = {
        "containers": {"migrate": migrate, "app": {"state": {"waiting": {"reason": "PodInitializing"}}}},
        "events": [warning("BackOff", "Back-off restarting failed container migrate in pod web_shop(u)", 9, "migrate")],
    }
    initial = [{"name": "migrate", "image": "registry.test/shop/migrate:1"}]
    place.workload(pods=pods(stage, stage, logs='ERROR: relation "orders" exists\n', initContainers=initial))
    yield place.told()


@staged(SCENES, 12, "no_capacity")
def no_capacity(place: Place) -> Steps:
    place.workload(pods=pods(app={"resources": {"requests": {"cpu": "64"}}}))
    yield place.unplaced()


@staged(SCENES, 13, "unschedulable")
def unschedulable(place: Place) -> Steps:
    place.workload(pods=pods(nodeSelector={"disktype": "ssd"}))
    yield place.unplaced()


@staged(SCENES, 14, "volume")
def volume(place: Place) -> Steps:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "fast"}
    place.make("PersistentVolumeClaim", "data", spec)
    place.workload(pods=pods(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]), replicas=1)
    yield place.unplaced(count=1)
    yield place.happened("ProvisioningFailed")


@staged(SCENES, 15, "evicted")
def evicted(place: Place) -> Steps:
    place.workload(pods=pods("Evicted"))
    yield place.ready()


@staged(SCENES, 16, "stuck_creating")
def stuck_creating(place: Place) -> Steps:
    fails = (
        'Multi-Attach error for volume "pvc-1f2e" Volume is already exclusively attached to one node and can\'t be '
        "attached to another"
    )
    event = {"type": "Warning", "reason": "FailedAttachVolume", "message": fails, "count": 3}
    stage = waits("ContainerCreating", "", event) | {"sandbox": False}
    place.workload(pods=pods(stage, "Running"))
    yield place.ready(1)


@staged(SCENES, 17, "stuck_terminating", kind="StatefulSet")
def stuck_terminating(place: Place) -> Steps:
    place.service(clusterIP="None")
    place.workload("StatefulSet", pods=pods(metadata={"finalizers": ["backup.test/snapshot"]}))
    yield place.ready(kind="StatefulSet")
    place.api.delete(place.path("Pod", "web-1"))
    yield place.ready(1, kind="StatefulSet")


@staged(SCENES, 18, "gated")
def gated(place: Place) -> Steps:
    place.workload(pods=pods(schedulingGates=[{"name": "queue.test/admission"}]))
    yield place.unplaced("SchedulingGated")


@staged(SCENES, 40, "unmanaged", kind="Pod", target="debug")
def unmanaged(place: Place) -> Steps:
    template = pods(name="debug")
    place.make("Pod", "debug", template["spec"], metadata={"labels": template["metadata"]["labels"]})
    yield place.told(1)


@staged(SCENES, 41, "preempted", after_s=10)
def preempted(place: Place) -> Steps:
    """By the real scheduler, on a node that has room for one of the two."""
    classes = "/apis/scheduling.k8s.io/v1/priorityclasses"
    place.api.make(classes, {"metadata": {"name": "urgent"}, "value": 1000})
    room = {"resources": {"requests": {"cpu": "5"}}}
    place.workload(pods=pods("Terminating", app=room, on=SMALL, terminationGracePeriodSeconds=600), replicas=1)
    yield place.ready(1)
    urgent = pods(name="urgent", app=room, on=SMALL, priorityClassName="urgent")
    place.workload(name="urgent", pods=urgent, replicas=1)
    yield place.happened("Preempted")
    yield lambda: any("deletionTimestamp" in pod["metadata"] for pod in place.pods())
