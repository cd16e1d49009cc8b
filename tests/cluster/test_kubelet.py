"""The stand-in kubelet on a real control plane: what it says of pods that it does not run, and of nodes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cluster.api import Api
from tests.cluster.controlplane import NODES

IMAGE = "registry.test/web:1"


class Namespace:
    """Requests in one namespace, as an administrator."""

    def __init__(self, api: Api, name: str) -> None:
        self.api = api
        self.name = name
        self.pods_path = f"/api/v1/namespaces/{name}/pods"

    def path(self, resource: str) -> str:
        groups = {"deployments": "apps", "statefulsets": "apps", "jobs": "batch"}
        root = f"/apis/{groups[resource]}/v1" if resource in groups else "/api/v1"
        return f"{root}/namespaces/{self.name}/{resource}"

    def pods(self, app: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.api.get(f"{self.pods_path}?labelSelector=app={app}").json["items"]
        return found

    def until_pods(self, app: str, holds: Any, *, limit_s: float = 60) -> list[dict[str, Any]]:
        path = f"{self.pods_path}?labelSelector=app={app}"
        found: list[dict[str, Any]] = self.api.until(path, lambda answer: holds(answer["items"]), limit_s=limit_s)[
            "items"
        ]
        return found

    def deploy(self, name: str, replicas: int, *, stages: list[str] | None = None, image: str = IMAGE) -> str:
        """Returns its path."""
        body = workload(name, replicas, stages=stages, image=image)
        self.api.make(self.path("deployments"), body)
        return f"{self.path('deployments')}/{name}"

    def events(self, pod: str) -> list[tuple[str, str]]:
        found = self.api.get(f"/api/v1/namespaces/{self.name}/events").json["items"]
        return [(item["reason"], item["message"]) for item in found if item["involvedObject"]["name"] == pod]


def template(
    app: str, *, stages: list[str] | None = None, image: str = IMAGE, logs: str | None = None, **spec: Any
) -> dict[str, Any]:
    annotations = {"kubelet.test/stages": json.dumps(stages)} if stages else {}
    if logs is not None:
        annotations["kubelet.test/logs"] = logs
    return {
        "metadata": {"labels": {"app": app}, "annotations": annotations},
        "spec": {"containers": [{"name": "app", "image": image}], **spec},
    }


def workload(name: str, replicas: int, **more: Any) -> dict[str, Any]:
    return {
        "metadata": {"name": name},
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": {"app": name}},
            "template": template(name, **more),
        },
    }


def condition(obj: dict[str, Any], kind: str) -> str:
    found = {item["type"]: item["status"] for item in obj["status"].get("conditions", [])}
    return str(found.get(kind, ""))


def ready(pod: dict[str, Any]) -> bool:
    return condition(pod, "Ready") == "True"


def reported(pods: list[dict[str, Any]]) -> bool:
    return all(pod["status"].get("containerStatuses") for pod in pods)


@pytest.fixture
def here(admin: Api, namespace: str) -> Namespace:
    return Namespace(admin, namespace)


def test_a_deployment_becomes_ready_with_all_that_a_kubelet_says(here: Namespace) -> None:
    path = here.deploy("web", 3)

    here.api.until(path, lambda found: found["status"].get("readyReplicas") == 3)
    pods = here.pods("web")

    for pod in pods:
        status = pod["status"]
        assert status["phase"] == "Running"
        assert {item["type"]: item["status"] for item in status["conditions"]} == dict.fromkeys(
            ["PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"], "True"
        )
        assert status["startTime"]
        assert status["hostIP"] == "127.0.0.1"
        (container,) = status["containerStatuses"]
        assert container["ready"]
        assert container["started"]
        assert container["restartCount"] == 0
        assert container["containerID"].startswith("containerd://")
        assert container["imageID"].startswith("registry.test/web@sha256:")
        assert container["state"]["running"]["startedAt"]
    assert len({pod["status"]["podIP"] for pod in pods}) == 3
    here.api.until(
        f"/api/v1/namespaces/{here.name}/events",
        lambda found: (
            {"Pulled", "Created", "Started"}
            <= {
                item["reason"]
                for item in found["items"]
                if item["involvedObject"]["name"] == pods[0]["metadata"]["name"]
            }
        ),
    )


def test_a_service_leads_to_pods_that_are_said_to_run(here: Namespace) -> None:
    here.api.make(
        here.path("services"),
        {"metadata": {"name": "web"}, "spec": {"selector": {"app": "web"}, "ports": [{"port": 80}]}},
    )

    here.deploy("web", 2)

    slices = f"/apis/discovery.k8s.io/v1/namespaces/{here.name}/endpointslices"
    here.api.until(
        slices,
        lambda found: (
            [end["conditions"]["ready"] for item in found["items"] for end in item.get("endpoints") or []]
            == [True, True]
        ),
    )


STAGED: dict[str, dict[str, Any]] = {
    "NotReady": {"phase": "Running", "ready": False, "restarts": 0, "state": "running"},
    "CrashLoopBackOff": {"phase": "Running", "ready": False, "restarts": 7, "state": "waiting", "last": (1, "Error")},
    "OOMKilled": {"phase": "Running", "ready": False, "restarts": 7, "state": "waiting", "last": (137, "OOMKilled")},
    "ImagePullBackOff": {"phase": "Pending", "ready": False, "restarts": 0, "state": "waiting"},
    "Pending": {"phase": "Pending", "ready": False, "restarts": 0, "state": "waiting"},
    "Evicted": {"phase": "Failed", "ready": False, "restarts": 0, "state": "terminated"},
    "Completed": {"phase": "Succeeded", "ready": False, "restarts": 0, "state": "terminated"},
    "Failed": {"phase": "Failed", "ready": False, "restarts": 0, "state": "terminated"},
}


@pytest.mark.parametrize("stage", STAGED)
def test_a_staged_pod_looks_as_a_kubelet_would_say_it(here: Namespace, stage: str) -> None:
    here.api.make(here.pods_path, {**template("web", stages=[stage]), "metadata": {
        "name": "web", "labels": {"app": "web"}, "annotations": {"kubelet.test/stages": json.dumps([stage])}
    }})  # fmt: skip

    (pod,) = here.until_pods("web", lambda pods: reported(pods))

    wanted, (container,) = STAGED[stage], pod["status"]["containerStatuses"]
    assert pod["status"]["phase"] == wanted["phase"]
    assert condition(pod, "Ready") == "False"
    assert condition(pod, "ContainersReady") == "False"
    assert condition(pod, "PodScheduled") == "True"
    assert container["ready"] is wanted["ready"]
    assert container["restartCount"] == wanted["restarts"]
    assert list(container["state"]) == [wanted["state"]]
    ended = container["lastState"].get("terminated")
    if "last" not in wanted:
        assert ended is None
    else:
        assert (ended["exitCode"], ended["reason"]) == wanted["last"]
        assert ended["startedAt"] < ended["finishedAt"]


def test_the_words_of_troubles_are_a_kubelets(here: Namespace) -> None:
    stages = ["CrashLoopBackOff", "ImagePullBackOff", "Pending", "Evicted"]
    here.deploy("web", 4, stages=stages)

    pods = here.until_pods("web", lambda pods: len(pods) >= 5 and reported(pods))

    seen = {}
    for pod in pods:
        state = pod["status"]["containerStatuses"][0]["state"]
        seen[pod["status"].get("reason") or state.get("waiting", {}).get("reason", "Running")] = pod
    crashing = seen["CrashLoopBackOff"]
    identity = f"{crashing['metadata']['name']}_{here.name}({crashing['metadata']['uid']})"
    waiting = crashing["status"]["containerStatuses"][0]["state"]["waiting"]
    assert waiting["message"] == f"back-off 5m0s restarting failed container=app pod={identity}"
    unpulled = seen["ImagePullBackOff"]["status"]["containerStatuses"][0]["state"]["waiting"]
    assert unpulled["message"].startswith(f'Back-off pulling image "{IMAGE}": ErrImagePull: ')
    assert seen["Evicted"]["status"]["message"].startswith("The node was low on resource: ")
    assert "podIP" not in seen["ContainerCreating"]["status"]
    # The controller has replaced the evicted one.
    assert ready(seen["Running"])
    told = here.events(crashing["metadata"]["name"])
    assert ("BackOff", f"Back-off restarting failed container app in pod {identity}") in told


def test_stages_go_by_the_order_of_starting_and_a_rollout_counts_anew(here: Namespace) -> None:
    path = here.deploy("web", 2, stages=["CrashLoopBackOff"])
    pods = here.until_pods("web", lambda pods: len(pods) == 2 and reported(pods))
    assert sorted(map(ready, pods)) == [False, True]
    (broken,) = (pod["metadata"]["name"] for pod in pods if not ready(pod))

    here.api.delete(f"{here.pods_path}/{broken}")
    here.api.until(path, lambda found: found["status"].get("readyReplicas") == 2)

    here.api.patch(path, {"spec": {"template": {"metadata": {"annotations": {"again": "1"}}}}})
    fresh = here.until_pods(
        "web", lambda pods: any("again" in pod["metadata"]["annotations"] for pod in pods) and reported(pods)
    )
    assert [ready(pod) for pod in fresh if "again" in pod["metadata"]["annotations"]] == [False]


def test_an_image_that_is_not_there_is_not_pulled_and_its_undoing_heals(here: Namespace) -> None:
    path = here.deploy("web", 2)
    here.api.until(path, lambda found: found["status"].get("readyReplicas") == 2)
    containers = [{"name": "app", "image": "registry.test/web:missing"}]

    here.api.patch(path, {"spec": {"template": {"spec": {"containers": containers}}}}, kind="strategic")

    pods = here.until_pods("web", lambda pods: len(pods) == 3 and reported(pods))
    assert sorted(pod["status"]["phase"] for pod in pods) == ["Pending", "Running", "Running"]

    containers[0]["image"] = "registry.test/web:2"
    here.api.patch(path, {"spec": {"template": {"spec": {"containers": containers}}}}, kind="strategic")
    here.until_pods(
        "web",
        lambda pods: [ready(pod) for pod in pods if pod["spec"]["containers"][0]["image"].endswith(":2")] == [True] * 2,
    )


def test_a_stage_on_the_pod_itself_may_come_and_go(here: Namespace) -> None:
    here.deploy("web", 1)
    (pod,) = here.until_pods("web", lambda pods: len(pods) == 1 and ready(pods[0]))
    path = f"{here.pods_path}/{pod['metadata']['name']}"

    here.api.patch(path, {"metadata": {"annotations": {"kubelet.test/stage": "CrashLoopBackOff"}}})
    here.api.until(
        path, lambda found: not ready(found) and found["status"]["containerStatuses"][0]["restartCount"] == 7
    )

    here.api.patch(path, {"metadata": {"annotations": {"kubelet.test/stage": None}}})
    here.api.until(path, ready)


def test_logs_come_through_the_api_server(here: Namespace) -> None:
    text = "first\nsecond\nthird\n"
    here.api.make(here.path("deployments"), workload("web", 2, stages=["CrashLoopBackOff"], logs=text))
    pods = here.until_pods("web", lambda pods: len(pods) == 2 and reported(pods))
    crashing, running = sorted((pod["metadata"]["name"] for pod in pods), key=lambda name: name not in {
        pod["metadata"]["name"] for pod in pods if not ready(pod)
    })  # fmt: skip

    def log(pod: str, query: str = "") -> tuple[int, str]:
        answer = here.api.get(f"{here.pods_path}/{pod}/log?{query}")
        return answer.status, answer.text if answer.status == 200 else answer.json["message"]

    assert log(running) == (200, text)
    assert log(running, "tailLines=2") == (200, "second\nthird\n")
    assert log(running, "tailLines=0") == (200, "")
    assert log(running, "limitBytes=8") == (200, "first\nse")
    assert log(running, "sinceSeconds=3600") == (200, text)
    stamped = log(running, "timestamps=true&tailLines=1")[1]
    assert stamped.endswith("Z third\n")
    assert log(crashing, "previous=true") == (200, text)
    assert log(running, "previous=true") == (
        400,
        f'previous terminated container "app" in pod "{running}" not found',
    )


def test_there_is_no_log_of_what_has_not_started(here: Namespace) -> None:
    here.deploy("web", 1, stages=["ImagePullBackOff"])
    (pod,) = here.until_pods("web", lambda pods: len(pods) == 1 and reported(pods))
    name = pod["metadata"]["name"]

    answer = here.api.get(f"{here.pods_path}/{name}/log")

    assert answer.status == 400
    words = f'container "app" in pod "{name}" is waiting to start: trying and failing to pull image'
    assert answer.json["message"] == words


def test_jobs_end_as_their_pods_do(here: Namespace) -> None:
    for name, stages in (("good", ["Completed"]), ("bad", ["Failed"])):
        spec = {"backoffLimit": 0, "template": template(name, stages=stages, restartPolicy="Never")}
        here.api.make(here.path("jobs"), {"metadata": {"name": name}, "spec": spec})

    here.api.until(f"{here.path('jobs')}/good", lambda found: condition(found, "Complete") == "True")
    here.api.until(f"{here.path('jobs')}/bad", lambda found: condition(found, "Failed") == "True")


def test_a_job_that_is_deleted_while_it_runs_leaves_no_pod(here: Namespace) -> None:
    here.api.make(
        here.path("jobs"), {"metadata": {"name": "long"}, "spec": {"template": template("long", restartPolicy="Never")}}
    )
    here.until_pods("long", lambda pods: len(pods) == 1 and ready(pods[0]))

    here.api.delete(f"{here.path('jobs')}/long?propagationPolicy=Background")

    here.until_pods("long", lambda pods: not pods)


def test_how_a_pod_ended_is_said_to_whoever_keeps_its_object(here: Namespace) -> None:
    kept = {"name": "web", "labels": {"app": "web"}, "finalizers": ["kubelet.test/kept"]}
    here.api.make(here.pods_path, {**template("web"), "metadata": kept})
    here.until_pods("web", lambda pods: ready(pods[0]))

    here.api.delete(f"{here.pods_path}/web")

    (pod,) = here.until_pods("web", lambda pods: pods[0]["metadata"].get("deletionGracePeriodSeconds") == 0)
    assert pod["status"]["phase"] == "Failed"
    assert pod["status"]["containerStatuses"][0]["state"]["terminated"]["exitCode"] == 143
    here.api.patch(f"{here.pods_path}/web", {"metadata": {"finalizers": None}})
    here.until_pods("web", lambda pods: not pods)


def test_a_pod_of_the_same_name_is_another_one(here: Namespace) -> None:
    here.api.make(
        here.path("statefulsets"), workload("db", 1) | {"spec": {**workload("db", 1)["spec"], "serviceName": "db"}}
    )
    (old,) = here.until_pods("db", lambda pods: len(pods) == 1 and ready(pods[0]))

    here.api.delete(f"{here.pods_path}/db-0")

    (new,) = here.until_pods(
        "db", lambda pods: len(pods) == 1 and pods[0]["metadata"]["uid"] != old["metadata"]["uid"] and ready(pods[0])
    )
    assert new["metadata"]["name"] == "db-0"


def test_a_pod_that_will_not_end_stays_until_it_is_forced(here: Namespace) -> None:
    here.deploy("web", 1, stages=["Terminating"])
    (pod,) = here.until_pods("web", lambda pods: len(pods) == 1 and ready(pods[0]))
    name = pod["metadata"]["name"]

    here.api.delete(f"{here.pods_path}/{name}")
    here.until_pods("web", lambda pods: len(pods) == 2 and all(map(ready, pods)))
    assert "deletionTimestamp" in here.api.get(f"{here.pods_path}/{name}").json["metadata"]

    here.api.delete(f"{here.pods_path}/{name}?gracePeriodSeconds=0")
    here.until_pods(
        "web", lambda pods: [item["metadata"]["name"] for item in pods if item["metadata"]["name"] == name] == []
    )


def test_init_containers_come_first_and_are_done(here: Namespace) -> None:
    spec = template(
        "web",
        initContainers=[
            {"name": "prepare", "image": IMAGE},
            {"name": "beside", "image": IMAGE, "restartPolicy": "Always"},
        ],
    )
    here.api.make(here.pods_path, {**spec, "metadata": {"name": "web", "labels": {"app": "web"}}})

    (pod,) = here.until_pods("web", lambda pods: len(pods) == 1 and ready(pods[0]))

    done, beside = pod["status"]["initContainerStatuses"]
    assert done["state"]["terminated"]["exitCode"] == 0
    assert done["ready"]
    assert "running" in beside["state"]


def test_a_claim_gets_a_volume_and_gives_it_back(here: Namespace) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    path = f"{here.path('persistentvolumeclaims')}/data"

    here.api.make(here.path("persistentvolumeclaims"), {"metadata": {"name": "data"}, "spec": spec})
    claim = here.api.until(path, lambda found: found["status"]["phase"] == "Bound")
    here.api.delete(path)

    here.api.until(
        "/api/v1/persistentvolumes",
        lambda found: claim["spec"]["volumeName"] not in [item["metadata"]["name"] for item in found["items"]],
    )


def test_nodes_are_what_the_scheduler_and_people_expect(admin: Api) -> None:
    nodes = {node["metadata"]["name"]: node for node in admin.get("/api/v1/nodes").json["items"]}

    assert set(nodes) == set(NODES)
    assert len({node["metadata"]["labels"]["topology.kubernetes.io/zone"] for node in nodes.values()}) == len(NODES)
    for name, node in nodes.items():
        assert node["metadata"]["labels"]["kubernetes.io/hostname"] == name
        assert condition(node, "Ready") == "True"
        assert {"cpu", "memory", "pods", "ephemeral-storage"} <= set(node["status"]["allocatable"])
        lease = admin.get(f"/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases/{name}").json
        assert lease["spec"]["holderIdentity"] == name


def test_a_node_reports_the_conditions_that_are_asked_for(admin: Api) -> None:
    path = "/api/v1/nodes/node-b"
    staged = json.dumps({"MemoryPressure": "True"})

    admin.patch(path, {"metadata": {"annotations": {"kubelet.test/conditions": staged}}})
    try:
        admin.until(path, lambda found: condition(found, "MemoryPressure") == "True")
        admin.until(
            path,
            lambda found: (
                "node.kubernetes.io/memory-pressure" in [taint["key"] for taint in found["spec"].get("taints", [])]
            ),
        )
    finally:
        admin.patch(path, {"metadata": {"annotations": {"kubelet.test/conditions": None}}})
    admin.until(path, lambda found: condition(found, "MemoryPressure") == "False" and not found["spec"].get("taints"))


def test_a_lost_node_takes_its_pods_with_it_and_comes_back(here: Namespace) -> None:
    """The rest is the real node controller's, which waits for its grace period of 16 s."""
    path = "/api/v1/nodes/node-c"
    pinned = template("web", nodeName="node-c")
    here.api.make(here.pods_path, {**pinned, "metadata": {"name": "web", "labels": {"app": "web"}}})
    here.until_pods("web", lambda pods: ready(pods[0]))

    here.api.patch(path, {"metadata": {"annotations": {"kubelet.test/lost": "true"}}})
    try:
        here.api.until(path, lambda found: condition(found, "Ready") == "Unknown", limit_s=40)
        here.until_pods("web", lambda pods: condition(pods[0], "Ready") == "False")
        assert here.api.get(f"{here.pods_path}/web/log").status == 500
        here.api.make(here.pods_path, {**pinned, "metadata": {"name": "late", "labels": {"app": "late"}}})
        here.api.delete(f"{here.pods_path}/web")
        (gone,) = here.pods("web")
        assert "deletionTimestamp" in gone["metadata"]
        assert here.pods("late")[0]["status"]["phase"] == "Pending"
    finally:
        here.api.patch(path, {"metadata": {"annotations": {"kubelet.test/lost": None}}})
    here.api.until(path, lambda found: condition(found, "Ready") == "True" and not found["spec"].get("taints"))
    here.until_pods("web", lambda pods: not pods)
    here.until_pods("late", lambda pods: ready(pods[0]))
