"""Other ways in which symptoms show themselves, each with words that the verdict has to hold."""

from __future__ import annotations

from tests.cluster.kubelet.node import CONDITIONS
from tests.cluster.symptoms.ground import (
    CORDONED,
    PRESSED,
    TAINT,
    Json,
    Place,
    Steps,
    Table,
    ended,
    pods,
    probe,
    staged,
    waits,
    warning,
)
from tests.cluster.symptoms.of_networks import rule
from tests.cluster.symptoms.of_pods import BACK_OFF, BACKED_OFF
from tests.cluster.symptoms.of_workloads import UNREADY

SCENES: Table = {}


@staged(SCENES, 4, "image_pull", says="access denied")
def image_that_may_not_be_pulled(place: Place) -> Steps:
    image = "registry.test/shop/private:1"
    why = (
        f'rpc error: code = Unknown desc = failed to pull and unpack image "{image}": failed to resolve reference '
        f'"{image}": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to '
        "https://registry.test/token: 401 Unauthorized"
    )
    stage = waits(
        "ImagePullBackOff",
        f'Back-off pulling image "{image}": ErrImagePull: {why}',
        warning("Failed", f'Failed to pull image "{image}": {why}'),
    )
    place.workload(pods=pods(stage, stage, app={"image": image}))
    yield place.told()


@staged(SCENES, 6, "config", says="a key that the Secret or ConfigMap does not hold")
def key_that_is_missing(place: Place) -> Steps:
    message = f"couldn't find key DB_HOST in ConfigMap {place.namespace}/web"
    stage = waits("CreateContainerConfigError", message, warning("Failed", f"Error: {message}"))
    place.workload(pods=pods(stage, stage))
    yield place.told()


@staged(SCENES, 1, "crash_loop", says="another CPU architecture")
def image_of_another_architecture(place: Place) -> Steps:
    """Which is seen in the log alone."""
    stage = waits("CrashLoopBackOff", BACK_OFF, BACKED_OFF, last=ended(255), restarts=3)
    place.workload(pods=pods(stage, stage, logs="exec /usr/local/bin/web: exec format error\n"))
    yield place.told()


@staged(SCENES, 9, "not_ready", says="example.com/load-balancer")
def readiness_gate_that_stays_shut(place: Place) -> Steps:
    place.workload(pods=pods(readinessGates=[{"conditionType": "example.com/load-balancer"}]))
    yield place.told()


@staged(SCENES, 11, "init", says="wait-for-db")
def init_container_that_waits(place: Place) -> Steps:
    waiting: Json = {"state": {"waiting": {"reason": "PodInitializing"}}}
    running: Json = {"state": {"running": {"startedAt": "@-5"}}, "ready": False}
    stage = {"containers": {"wait-for-db": running, "app": waiting}}
    initial = [{"name": "wait-for-db", "image": "registry.test/busybox:1"}]
    place.workload(pods=pods(stage, stage, initContainers=initial))
    yield place.told()


@staged(SCENES, 13, "unschedulable", says=f"{CORDONED} would take them but for being cordoned")
def cordoned_node(place: Place) -> Steps:
    answer = place.api.patch(f"/api/v1/nodes/{CORDONED}", {"spec": {"unschedulable": True}})
    assert answer.status == 200, answer.text
    place.workload(pods=pods(on=CORDONED))
    yield place.unplaced()


@staged(SCENES, 13, "unschedulable", says=f"untolerated taint(s) {{{TAINT}")
def taint_that_is_not_tolerated(place: Place) -> Steps:
    place.workload(pods=pods(nodeSelector={"kubernetes.io/hostname": PRESSED}))
    yield place.unplaced()


@staged(SCENES, 13, "unschedulable", says="anti-affinity")
def more_replicas_than_nodes(place: Place) -> Steps:
    own = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "kubernetes.io/hostname"}
    apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [own]}}
    place.workload(pods=pods(affinity=apart), replicas=5)
    yield place.ready(3)
    yield place.happened("FailedScheduling")


@staged(SCENES, 14, "volume", says="the claim data does not exist")
def claim_that_is_missing(place: Place) -> Steps:
    place.workload(pods=pods(volumes=[{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]), replicas=1)
    yield place.unplaced(count=1)


@staged(SCENES, 16, "stuck_creating", says="failed to assign an IP address to container. Pods")
def no_address_left_for_pods(place: Place) -> Steps:
    why = (
        'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5d2e": '
        'plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container'
    )
    event = {"type": "Warning", "reason": "FailedCreatePodSandBox", "message": why, "count": 9}
    stage = waits("ContainerCreating", "", event) | {"sandbox": False}
    place.workload(pods=pods(stage, stage))
    yield place.told()


@staged(SCENES, 20, "node_pressure", kind="Node", target=PRESSED, says="DiskPressure")
def pressed_node_itself(place: Place) -> Steps:
    node = f"/api/v1/nodes/{PRESSED}"
    place.api.patch(node, {"metadata": {"annotations": {CONDITIONS: '{"DiskPressure": "True"}'}}})
    yield lambda: any(
        (row["type"], row["status"]) == ("DiskPressure", "True")
        for row in place.api.get(node).json["status"]["conditions"]
    )


@staged(SCENES, 21, "rollout_failed", below=True, says="Rollout of revision 2 failed")
def rollout_failed_for_its_image(place: Place) -> Steps:
    place.workload(pods=pods(), progressDeadlineSeconds=2)
    yield place.ready()
    worse = {"containers": [{"name": "app", "image": "registry.test/shop/web:missing"}]}
    place.change("Deployment", "web", {"spec": {"template": {"spec": worse}}})
    yield place.has("Deployment", "Progressing", "False", "ProgressDeadlineExceeded")


@staged(SCENES, 23, "blocked", says="PodSecurity")
def pod_security_refuses(place: Place) -> Steps:
    labels = {"metadata": {"labels": {"pod-security.kubernetes.io/enforce": "restricted"}}}
    place.api.patch(f"/api/v1/namespaces/{place.namespace}", labels)
    place.workload(pods=pods())
    yield place.has("Deployment", "ReplicaFailure", "True")


@staged(SCENES, 23, "blocked", says="maximum cpu usage per Container is 100m")
def limit_range_refuses(place: Place) -> Steps:
    path = f"/api/v1/namespaces/{place.namespace}/limitranges"
    place.api.make(
        path, {"metadata": {"name": "small"}, "spec": {"limits": [{"type": "Container", "max": {"cpu": "100m"}}]}}
    )
    place.workload(pods=pods())
    yield place.has("Deployment", "ReplicaFailure", "True")


@staged(SCENES, 23, "blocked", kind="StatefulSet", says="quota compute is full")
def quota_under_a_stateful_set(place: Place) -> Steps:
    """Which has no condition for it, only events."""
    place.make("ResourceQuota", "compute", {"hard": {"pods": "1"}})
    yield place.when("ResourceQuota", lambda obj: "used" in obj.get("status", {}), "compute")
    place.service(clusterIP="None")
    place.workload("StatefulSet", pods=pods(), podManagementPolicy="Parallel")
    yield place.happened("FailedCreate")
    yield place.ready(1, kind="StatefulSet")


@staged(SCENES, 23, "blocked", kind="Job", target="import", says="serviceaccount")
def job_without_its_account(place: Place) -> Steps:
    template = pods("Completed", name="import", restartPolicy="Never", serviceAccountName="importer")
    place.make("Job", "import", {"template": template})
    yield place.happened("FailedCreate")


@staged(SCENES, 24, "stateful_stuck", kind="StatefulSet", says="Service db-headless does not exist")
def stateful_set_without_its_service(place: Place) -> Steps:
    place.workload("StatefulSet", pods=pods(), serviceName="db-headless")
    yield place.ready(kind="StatefulSet")


@staged(SCENES, 27, "autoscaler_blind", says="has no request for it")
def autoscaler_without_a_request(place: Place) -> Steps:
    place.workload(pods=pods(app={"resources": {}}))
    yield place.ready()
    place.measure("30m", "30m")
    place.autoscaler(2, 5)
    yield place.has("HorizontalPodAutoscaler", "ScalingActive", "False", "FailedGetResourceMetric")


@staged(SCENES, 28, "autoscaler_off", says="web")
def two_autoscalers(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.measure("30m", "30m")
    place.autoscaler(2, 5)
    place.autoscaler(2, 8, name="web-too")
    yield lambda: "AmbiguousSelector" in place.api.get(place.path("HorizontalPodAutoscaler")).text


@staged(SCENES, 31, "ingress_backend", says="Service web")
def ingress_to_no_service(place: Place) -> Steps:
    place.workload(pods=pods())
    place.make("Ingress", "shop", {"ingressClassName": "nginx", "rules": [rule("web", 80)]})
    yield place.ready()


@staged(SCENES, 33, "job_failed", kind="Job", target="import", says="DeadlineExceeded")
def job_beyond_its_deadline(place: Place) -> Steps:
    template = pods(name="import", restartPolicy="Never")
    place.make("Job", "import", {"activeDeadlineSeconds": 1, "template": template})
    yield place.has("Job", "Failed", "True", "DeadlineExceeded", "import")


@staged(SCENES, 33, "job_failed", kind="Job", target="import", says="exit 1")
def job_that_goes_on_failing(place: Place) -> Steps:
    place.make("Job", "import", {"template": pods("Failed", name="import", restartPolicy="Never")})
    yield place.when("Job", lambda obj: obj.get("status", {}).get("failed") == 1, "import")


@staged(SCENES, 35, "budget", says="web-too")
def two_budgets(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=3)
    yield place.ready(3)
    selector = {"matchLabels": {"app": "web"}}
    for name in ("web", "web-too"):
        place.make("PodDisruptionBudget", name, {"minAvailable": 1, "selector": selector})
        yield place.when("PodDisruptionBudget", lambda obj: obj.get("status", {}).get("expectedPods") == 3, name)


@staged(SCENES, 36, "saturated", says="memory")
def memory_almost_used_up(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.measure("30m", "30m", memory="252Mi")


@staged(SCENES, 37, "dns", says="default-deny")
def names_that_a_policy_shuts_off(place: Place) -> Steps:
    place.make("NetworkPolicy", "default-deny", {"podSelector": {}, "policyTypes": ["Egress"]})
    said = "getaddrinfo EAI_AGAIN db\n"
    stage = waits("CrashLoopBackOff", BACK_OFF, BACKED_OFF, last=ended(1), restarts=6)
    place.workload(pods=pods(stage, stage, logs=said))
    yield place.told()


@staged(SCENES, 40, "unmanaged", says="A single replica serves web")
def single_replica_behind_a_service(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=1)
    place.service()
    yield place.ready(1)


@staged(SCENES, 9, "not_ready", kind="DaemonSet", says="statuscode: 503")
def daemon_that_is_not_ready(place: Place) -> Steps:
    place.workload("DaemonSet", pods=pods(app={"readinessProbe": probe()}))
    yield place.ready(3, kind="DaemonSet")
    place.stage(place.pods()[0], UNREADY)
    yield place.ready(2, kind="DaemonSet")
