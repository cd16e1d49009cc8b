"""States that look odd and are as they should be, and those that a diagnosis has to leave alone."""

from __future__ import annotations

from typing import Any

from tests.cluster.symptoms.ground import Place, Steps, Table, container, ended, pods, probe, staged, warning
from tests.cluster.symptoms.of_networks import rule
from tests.cluster.symptoms.of_workloads import NOT_WELL

SCENES: Table = {}

Json = dict[str, Any]

_NODES = "/api/v1/nodes"


@staged(SCENES, after_s=5)
def young_rollout(place: Place) -> Steps:
    """Its new pods are not ready yet."""
    place.workload(pods=pods(app={"readinessProbe": probe()}), replicas=4)
    place.service()
    yield place.ready(4)
    newer = pods("NotReady", "NotReady", "NotReady", app={"readinessProbe": probe(), "image": "registry.test/web:2"})
    place.change("Deployment", "web", {"spec": {"template": newer}})
    yield place.when("Deployment", lambda obj: obj["status"].get("updatedReplicas", 0) == 2)


@staged(SCENES, after_s=200)
def rollout_at_a_third_of_its_time(place: Place) -> Steps:
    place.workload(pods=pods(app={"readinessProbe": probe()}), replicas=4)
    place.service()
    yield place.ready(4)
    newer = pods("NotReady", "NotReady", "NotReady", app={"readinessProbe": probe(), "image": "registry.test/web:2"})
    place.change("Deployment", "web", {"spec": {"template": newer}})
    yield place.when("Deployment", lambda obj: obj["status"].get("updatedReplicas", 0) == 2)


@staged(SCENES)
def autoscaler_at_its_minimum(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.measure("1m", "1m")
    place.autoscaler(2, 5)
    yield place.has("HorizontalPodAutoscaler", "ScalingLimited", "True", "TooFewReplicas")


@staged(SCENES)
def autoscaler_at_its_maximum_and_content(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.measure("30m", "30m")
    place.autoscaler(1, 2)
    yield place.has("HorizontalPodAutoscaler", "ScalingLimited", "False", "DesiredWithinRange")


@staged(SCENES, after_s=20)
def autoscaler_before_the_first_figures(place: Place) -> Steps:
    place.workload(pods=pods())
    yield place.ready()
    place.autoscaler(2, 5)
    yield place.has("HorizontalPodAutoscaler", "ScalingActive", "False", "FailedGetResourceMetric")


@staged(SCENES, kind="Job", target="import")
def job_that_succeeded_at_the_second_try(place: Place) -> Steps:
    template = pods("Failed", "Completed", name="import", restartPolicy="Never")
    place.make("Job", "import", {"backoffLimit": 4, "template": template})
    yield place.has("Job", "Complete", "True", name="import")
    assert place.read("Job", "import")["status"]["failed"] == 1


@staged(SCENES, kind="Job", target="import")
def completed_job(place: Place) -> Steps:
    template = pods("Completed", "Completed", name="import", restartPolicy="OnFailure")
    place.make("Job", "import", {"completions": 2, "parallelism": 2, "template": template})
    yield place.has("Job", "Complete", "True", name="import")


@staged(SCENES, kind="CronJob", target="nightly", after_s=60)
def cron_job_that_never_ran_yet(place: Place) -> Steps:
    template = {"spec": {"template": pods("Completed", name="nightly", restartPolicy="Never")}}
    place.make("CronJob", "nightly", {"schedule": "0 0 1 1 *", "jobTemplate": template})
    yield place.when("CronJob", lambda obj: bool(obj["metadata"]["uid"]), "nightly")


@staged(SCENES)
def native_sidecar_and_finished_init(place: Place) -> Steps:
    initial = [
        {"name": "proxy", "image": "registry.test/proxy:1", "restartPolicy": "Always"},
        {"name": "migrate", "image": "registry.test/migrate:1"},
    ]
    place.workload(pods=pods(initContainers=initial))
    place.service()
    yield place.ready()


@staged(SCENES)
def restarts_of_long_ago(place: Place) -> Steps:
    app = {"restartCount": 41, "lastState": {"terminated": ended(137, ago_s=7200)}}
    place.workload(pods=pods({"containers": {"app": app}}))
    yield place.ready()


@staged(SCENES)
def restarted_once_by_order(place: Place) -> Steps:
    app = {"restartCount": 1, "lastState": {"terminated": ended(143, ago_s=300)}}
    place.workload(pods=pods({"containers": {"app": app}}))
    yield place.ready()


@staged(SCENES)
def services_without_pods_of_their_own(place: Place) -> Steps:
    """Of a name outside, without a selector, and an operator's, headless."""
    place.workload(pods=pods())
    place.service()
    place.make("Service", "web-db", {"type": "ExternalName", "externalName": "db.example.com"})
    place.make("Service", "web-leader", {"ports": [{"port": 80}]})
    role = {"app": "web", "role": "leader"}
    place.service("web-headless", role, clusterIP="None", publishNotReadyAddresses=True)
    yield place.ready()


@staged(SCENES)
def addresses_that_name_no_pod(place: Place) -> Steps:
    place.workload(pods=pods())
    place.make("Service", "web", {"ports": [{"name": "http", "port": 80}]})
    labels = {"labels": {"kubernetes.io/service-name": "web"}}
    endpoints: list[Json] = [{"addresses": ["192.0.2.7"]}, {"addresses": ["192.0.2.8"], "conditions": {"ready": True}}]
    ports = [{"name": "http", "port": 8080}]
    place.make("EndpointSlice", "web-1", metadata=labels, addressType="IPv4", endpoints=endpoints, ports=ports)
    yield place.ready()


@staged(SCENES)
def ingress_of_a_cloud(place: Place) -> Steps:
    """A default backend alone, a class that is no object, a bucket, TLS without a Secret's name."""
    place.workload(pods=pods())
    place.service()
    backend = {"service": {"name": "web", "port": {"number": 80}}}
    cloud = {"annotations": {"kubernetes.io/ingress.class": "gce"}}
    place.make("Ingress", "web", {"defaultBackend": backend, "tls": [{}]}, metadata=cloud)
    bucket = {"resource": {"apiGroup": "storage.test", "kind": "Bucket", "name": "static"}}
    place.make("Ingress", "static", {"defaultBackend": bucket, "rules": [rule("web", 80)]})
    yield place.ready()


@staged(SCENES)
def at_zero_on_purpose(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=0)
    place.service()
    place.make("Ingress", "web", {"ingressClassName": "nginx", "rules": [rule("web", 80)]})
    yield place.when("Deployment", lambda obj: obj["status"].get("observedGeneration") == 1)


@staged(SCENES)
def evicted_pod_of_the_revision_before(place: Place) -> Steps:
    place.workload(pods=pods("Evicted"))
    place.service()
    yield place.ready()
    place.change("Deployment", "web", {"spec": {"template": pods(app={"image": "registry.test/shop/web:2"})}})
    yield place.when("Deployment", lambda obj: obj["status"].get("updatedReplicas") == 2)
    yield place.when("Deployment", lambda obj: obj["status"].get("replicas") == 2)
    yield place.ready()


@staged(SCENES, after_s=5)
def made_a_moment_ago(place: Place) -> Steps:
    """No status but what controllers write first; a budget and an autoscaler that nobody has looked at."""
    place.workload(pods=pods("Pending", "Pending"))
    place.service()
    place.make("PodDisruptionBudget", "web", {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}})
    yield place.told()


@staged(SCENES, after_s=10)
def pod_that_takes_its_time_to_end(place: Place) -> Steps:
    place.workload(pods=pods("Running", "Running", "Terminating", terminationGracePeriodSeconds=60), replicas=3)
    yield place.ready(3)
    place.change("Deployment", "web", {"spec": {"replicas": 2}})
    yield place.when("Deployment", lambda obj: obj["status"].get("replicas") == 2)


@staged(SCENES, kind="Node", target="node-a")
def condition_of_another_making_on_a_node(place: Place) -> Steps:
    row = {"type": "EtcdIsVoter", "status": "True", "reason": "MemberNotLearner", "message": "voting member"}
    answer = place.api.patch(f"{_NODES}/node-a/status", {"status": {"conditions": [row]}}, kind="strategic")
    assert answer.status == 200, answer.text
    yield lambda: True


@staged(SCENES, kind="DaemonSet")
def daemon_set_for_no_node(place: Place) -> Steps:
    place.workload("DaemonSet", pods=pods(nodeSelector={"gpu": "true"}))
    yield place.when("DaemonSet", lambda obj: obj["status"].get("observedGeneration") == 1)


@staged(SCENES, kind="DaemonSet")
def daemon_set_beside_tainted_nodes(place: Place) -> Steps:
    place.workload("DaemonSet", pods=pods())
    yield place.ready(3, kind="DaemonSet")


@staged(SCENES, kind="StatefulSet")
def canary_by_partition(place: Place) -> Steps:
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}
    place.service(clusterIP="None")
    place.workload("StatefulSet", pods=pods(), replicas=3, updateStrategy=strategy)
    yield place.ready(3, kind="StatefulSet")
    newer = pods(app={"image": "registry.test/shop/web:2"})
    place.change("StatefulSet", "web", {"spec": {"template": newer}})
    yield place.when("StatefulSet", lambda obj: obj["status"].get("updatedReplicas") == 1)
    yield place.ready(3, kind="StatefulSet")


@staged(SCENES)
def default_deny_with_rules(place: Place) -> Steps:
    place.workload(pods=pods())
    place.service()
    place.make("NetworkPolicy", "default-deny", {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]})
    own = {"matchLabels": {"app": "web"}}
    inward = [{"ports": [{"port": "http"}]}]
    place.make("NetworkPolicy", "web", {"podSelector": own, "policyTypes": ["Ingress"], "ingress": inward})
    dns = [{"ports": [{"port": 53, "protocol": "UDP"}]}]
    place.make("NetworkPolicy", "dns", {"podSelector": {}, "policyTypes": ["Egress"], "egress": dns})
    yield place.ready()


@staged(SCENES)
def budget_of_a_single_pod(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=1)
    yield place.ready(1)
    place.make("PodDisruptionBudget", "web", {"minAvailable": 1, "selector": {"matchLabels": {"app": "web"}}})
    yield place.when("PodDisruptionBudget", lambda obj: obj.get("status", {}).get("expectedPods") == 1)


@staged(SCENES)
def one_of_three_at_its_limit(place: Place) -> Steps:
    place.workload(pods=pods(), replicas=3)
    yield place.ready(3)
    place.measure("499m", "40m", "55m", memory="200Mi")


@staged(SCENES)
def probe_that_fails_now_and_then(place: Place) -> Steps:
    place.workload(pods=pods({"events": [warning("Unhealthy", NOT_WELL, 2)]}, app={"readinessProbe": probe()}))
    place.service()
    yield place.ready()


@staged(SCENES)
def slow_start_within_its_startup_probe(place: Place) -> Steps:
    """A pod that has been starting for ten minutes of the twenty that it may take, beside one that serves."""
    app = {"ready": False, "started": False}
    slow = probe(periodSeconds=10, failureThreshold=120)
    place.workload(pods=pods({"containers": {"app": app}}, app=container(startupProbe=slow, readinessProbe=probe())))
    yield place.ready(1)
