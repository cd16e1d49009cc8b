"""The stand-in kubelet runs images as processes: what a container sees of the world, and what the cluster sees of it."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import textwrap
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cluster.binaries import Missing, find
from tests.cluster.controlplane import ControlPlane
from tests.cluster.test_kubelet import Namespace, condition, ready

IMAGE = "registry.test/python:1"
REDIS = "registry.test/redis:1"

RUNS: dict[str, Any] = {
    "registry.test/python": {"entrypoint": [sys.executable, "-u"], "cmd": ["-c", "print('by default')"]},
    "registry.test/redis": {"cmd": ["redis-server"], "network": "own"},
}

SERVER = textwrap.dedent(
    """
    import http.server, os, signal, socket, sys

    def stop(*_):
        print("asked to stop")
        sys.exit(0)

    signal.signal(signal.SIGTERM, stop)
    print("hello from", socket.gethostname(), os.getpid())

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            verb, _, rest = self.path[1:].partition("/")
            try:
                code, body = 200, self.answer(verb, "/" + rest)
            except OSError as problem:
                code, body = 500, problem.strerror
            self.send_response(code)
            self.end_headers()
            self.wfile.write(body.encode())

        def answer(self, verb, path):
            if verb == "healthz":
                if os.path.exists("/tmp/ill"):
                    raise OSError(0, "ill")
                return "ok"
            if verb == "env":
                return os.environ.get(path[1:], "(none)")
            if verb == "read":
                return open(path).read()
            if verb == "write":
                open(path, "w").write("written")
                return "written"
            if verb == "resolve":
                return " ".join(sorted({found[4][0] for found in socket.getaddrinfo(path[1:], 80, socket.AF_INET)}))

        def log_message(self, *_):
            pass

    http.server.ThreadingHTTPServer((os.environ["LISTEN"], 8080), Handler).serve_forever()
    """
)


@pytest.fixture(scope="module")
def controlplane() -> Iterator[ControlPlane]:
    """One of its own, which runs images, and whose API server may be killed."""
    try:
        running = ControlPlane(find(), runs=RUNS, env={"LISTEN": "$(POD_IP)", "GREETING": "$(WHO) on $(NODE_NAME)"})
    except Missing as problem:
        pytest.skip(f"the tests on a real control plane are left out: {problem}")
    running.start()
    yield running
    running.stop()


@pytest.fixture
def here(controlplane: ControlPlane, namespace: str) -> Namespace:
    return Namespace(controlplane.api(), namespace)


@pytest.fixture
def admin(controlplane: ControlPlane) -> Any:
    return controlplane.api()


class Inside:
    """Questions to the server that runs in a pod."""

    def __init__(self, pod: dict[str, Any]) -> None:
        self.name = pod["metadata"]["name"]
        self.address = pod["status"]["podIP"]

    def ask(self, path: str) -> str:
        """The answer, or what went wrong."""
        try:
            with urllib.request.urlopen(f"http://{self.address}:8080/{path}", timeout=5) as answer:
                return str(answer.read().decode())
        except urllib.error.HTTPError as refusal:
            return refusal.read().decode()

    def until(self, path: str, holds: Callable[[str], bool]) -> str:
        return wait(lambda: self.ask(path), holds)


def wait(look: Callable[[], str], holds: Callable[[str], bool], *, limit_s: float = 60) -> str:
    """The limit only ends a test that has failed."""
    ends = time.monotonic() + limit_s
    while True:
        found = look()
        if holds(found):
            return found
        assert time.monotonic() < ends, f"did not come to hold: {found}"
        time.sleep(0.02)


def pod(name: str, container: dict[str, Any] | None = None, **spec: Any) -> dict[str, Any]:
    app = {"name": "app", "image": IMAGE, **(container or {"args": ["-c", SERVER]})}
    whole = {"terminationGracePeriodSeconds": 5, "containers": [app], **spec}
    return {"metadata": {"name": name, "labels": {"app": name}}, "spec": whole}


def serving(**more: Any) -> dict[str, Any]:
    probe = {"httpGet": {"path": "/healthz", "port": "http"}, "periodSeconds": 1}
    return {
        "args": ["-c", SERVER],
        "ports": [{"name": "http", "containerPort": 8080}],
        "readinessProbe": probe,
        **more,
    }


def start(here: Namespace, body: dict[str, Any]) -> Inside:
    here.api.make(here.pods_path, body)
    return up(here, body["metadata"]["name"])


def up(here: Namespace, name: str) -> Inside:
    return Inside(here.api.until(f"{here.pods_path}/{name}", ready))


def log(here: Namespace, name: str, query: str = "") -> str:
    return here.api.get(f"{here.pods_path}/{name}/log?{query}").text


def container_of(found: dict[str, Any]) -> dict[str, Any]:
    statuses: list[dict[str, Any]] = found["status"].get("containerStatuses") or [{}]
    return statuses[0]


def test_command_args_and_what_the_image_says(here: Namespace) -> None:
    for name, container in (
        ("default", {}),
        ("args", {"args": ["-c", "print('$(WHO)', '$$(WHO)', '$(NOBODY)')"], "env": [{"name": "WHO", "value": "me"}]}),
        ("command", {"command": ["sh", "-c", "echo by command"]}),
    ):
        here.api.make(here.pods_path, pod(name, {"name": "app", **container}, restartPolicy="Never"))

    for name, said in (("default", "by default\n"), ("args", "me $(WHO) $(NOBODY)\n"), ("command", "by command\n")):
        here.api.until(f"{here.pods_path}/{name}", lambda found: found["status"]["phase"] == "Succeeded")
        assert log(here, name) == said


def test_the_environment_is_put_together_as_a_kubelet_does(here: Namespace, controlplane: ControlPlane) -> None:
    here.api.make(here.path("configmaps"), {"metadata": {"name": "conf"}, "data": {"LEVEL": "debug", "MODE": "one"}})
    here.api.make(here.path("secrets"), {"metadata": {"name": "keys"}, "stringData": {"password": "p"}})
    here.api.make(here.path("services"), {"metadata": {"name": "my-db"}, "spec": {"ports": [{"port": 5432}]}})
    env = [
        {"name": "WHO", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}},
        {"name": "LABEL", "valueFrom": {"fieldRef": {"fieldPath": "metadata.labels['app']"}}},
        {"name": "PASSWORD", "valueFrom": {"secretKeyRef": {"name": "keys", "key": "password"}}},
        {"name": "URL", "value": "redis://:$(PASSWORD)@$(C_MODE)"},
        {"name": "ABSENT", "valueFrom": {"secretKeyRef": {"name": "no", "key": "no", "optional": True}}},
    ]
    inside = start(here, pod("web", serving(env=env, envFrom=[{"configMapRef": {"name": "conf"}, "prefix": "C_"}])))
    node = here.api.get(f"{here.pods_path}/web").json["spec"]["nodeName"]

    found = {
        name: inside.ask(f"env/{name}")
        for name in (
            "WHO",
            "LABEL",
            "C_LEVEL",
            "URL",
            "ABSENT",
            "LISTEN",
            "GREETING",
            "HOSTNAME",
            "MY_DB_SERVICE_PORT",
            "KUBERNETES_SERVICE_PORT",
        )
    }

    assert found == {
        "WHO": "web",
        "LABEL": "web",
        "C_LEVEL": "debug",
        "URL": "redis://:p@one",
        "ABSENT": "(none)",
        "LISTEN": inside.address,
        "GREETING": f"web on {node}",
        "HOSTNAME": "web",
        "MY_DB_SERVICE_PORT": "5432",
        "KUBERNETES_SERVICE_PORT": str(controlplane.port),
    }


VOLUMES = [
    {"name": "conf", "configMap": {"name": "conf"}},
    {"name": "keys", "secret": {"secretName": "keys", "defaultMode": 0o400}},
    {"name": "tmp", "emptyDir": {}},
    {
        "name": "about",
        "downwardAPI": {"items": [{"path": "labels", "fieldRef": {"fieldPath": "metadata.labels['app']"}}]},
    },
]
MOUNTS = [
    {"name": "conf", "mountPath": "/etc/chatops-test/conf"},
    {"name": "conf", "mountPath": "/chatops-test/one.yaml", "subPath": "policy.yaml"},
    {"name": "keys", "mountPath": "/chatops-test-keys"},
    {"name": "tmp", "mountPath": "/tmp"},
    {"name": "tmp", "mountPath": "/fixed", "readOnly": True},
    {"name": "about", "mountPath": "/about"},
]


@pytest.fixture
def configured(here: Namespace) -> Namespace:
    here.api.make(here.path("configmaps"), {"metadata": {"name": "conf"}, "data": {"policy.yaml": "one"}})
    here.api.make(here.path("secrets"), {"metadata": {"name": "keys"}, "stringData": {"password": "p"}})
    return here


def test_volumes_are_where_they_are_mounted_and_nothing_of_it_on_this_machine(configured: Namespace) -> None:
    inside = start(configured, pod("web", serving(volumeMounts=MOUNTS), volumes=VOLUMES))

    assert inside.ask("read/etc/chatops-test/conf/policy.yaml") == "one"
    assert inside.ask("read/chatops-test/one.yaml") == "one"
    assert inside.ask("read/chatops-test-keys/password") == "p"
    assert inside.ask("read/about/labels") == "web"
    assert inside.ask("read/var/run/secrets/kubernetes.io/serviceaccount/namespace") == configured.name
    assert inside.ask("write/tmp/here") == "written"
    assert inside.ask("read/fixed/here") == "written"
    for refused in ("write/fixed/other", "write/etc/chatops-test/conf/other", "write/chatops-test/one.yaml"):
        assert inside.ask(refused) == "Read-only file system"
    # Without readOnlyRootFilesystem the rest may be written, by the container, for the container.
    assert inside.ask("write/etc/chatops-test-scribble") == "written"
    assert inside.ask("write/chatops-test-scribble") == "written"
    for path in (
        "/etc/chatops-test",
        "/chatops-test",
        "/chatops-test-keys",
        "/fixed",
        "/about",
        "/tmp/here",
        "/run/secrets/kubernetes.io",
        "/etc/chatops-test-scribble",
        "/chatops-test-scribble",
        "/dev/termination-log",
    ):
        assert not Path(path).exists(), path
    assert "chatops" not in Path("/etc/hosts").read_text()


def test_a_read_only_root_leaves_volumes_as_they_say(configured: Namespace) -> None:
    security = {"readOnlyRootFilesystem": True}
    inside = start(configured, pod("web", serving(volumeMounts=MOUNTS, securityContext=security), volumes=VOLUMES))

    for refused in ("write/scribble", "write/etc/scribble", "write/root/scribble", "write/fixed/scribble"):
        assert inside.ask(refused) == "Read-only file system"
    assert inside.ask("write/tmp/here") == "written"
    assert inside.ask("write/dev/termination-log") == "written"


def test_mounted_files_follow_their_objects_all_at_once(configured: Namespace) -> None:
    inside = start(configured, pod("web", serving(volumeMounts=MOUNTS), volumes=VOLUMES))
    before = inside.ask("read/etc/chatops-test/conf/policy.yaml")

    configured.api.patch(
        f"{configured.path('configmaps')}/conf", {"data": {"policy.yaml": None, "policy-2.yaml": "two"}}
    )

    assert before == "one"
    assert inside.until("read/etc/chatops-test/conf/policy-2.yaml", lambda text: text == "two")
    assert inside.ask("read/etc/chatops-test/conf/policy.yaml") == "No such file or directory"
    # A subPath is bound once.
    assert inside.ask("read/chatops-test/one.yaml") == "one"


def test_the_token_is_the_service_accounts_and_bound_to_the_pod(here: Namespace, controlplane: ControlPlane) -> None:
    here.api.make(here.path("serviceaccounts"), {"metadata": {"name": "robot"}})
    inside = start(here, pod("web", serving(), serviceAccountName="robot"))

    token = inside.ask("read/var/run/secrets/kubernetes.io/serviceaccount/token")

    review = {"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"}
    said = controlplane.api(token).post("/apis/authentication.k8s.io/v1/selfsubjectreviews", review).json
    assert said["status"]["userInfo"]["username"] == f"system:serviceaccount:{here.name}:robot"
    assert said["status"]["userInfo"]["extra"]["authentication.kubernetes.io/pod-name"] == ["web"]
    authority = inside.ask("read/var/run/secrets/kubernetes.io/serviceaccount/ca.crt")
    assert authority == controlplane.ca_file.read_text()


def test_a_claim_outlives_its_pods(here: Namespace) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    here.api.make(here.path("persistentvolumeclaims"), {"metadata": {"name": "data"}, "spec": spec})
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    container = serving(volumeMounts=[{"name": "data", "mountPath": "/data"}])
    first = start(here, pod("web", container, volumes=volumes))
    assert first.ask("write/data/kept") == "written"

    here.api.delete(f"{here.pods_path}/web")
    here.until_pods("web", lambda pods: not pods)

    assert start(here, pod("web", container, volumes=volumes)).ask("read/data/kept") == "written"


def test_names_of_services_lead_to_ready_pods_also_to_those_that_come_later(here: Namespace) -> None:
    for name, more in (("later", {}), ("headless", {"clusterIP": "None"})):
        spec = {"selector": {"app": "later"}, "ports": [{"port": 8080}], **more}
        here.api.make(here.path("services"), {"metadata": {"name": name}, "spec": spec})
    first = start(here, pod("first", serving()))
    names = ["later", f"later.{here.name}", f"later.{here.name}.svc", f"later.{here.name}.svc.cluster.local"]
    for name in names:
        first.until(f"resolve/{name}", lambda found: found == "127.255.255.254")
    assert "not known" in first.ask("resolve/headless")

    later = start(here, pod("later", serving(), hostname="later-0", subdomain="headless"))

    for name in [*names, "headless", "later-0.headless"]:
        first.until(f"resolve/{name}", lambda found: found == later.address)
    here.api.delete(f"{here.pods_path}/later")
    first.until("resolve/later", lambda found: found == "127.255.255.254")


def test_readiness_follows_its_probe(here: Namespace) -> None:
    tmp = [{"name": "tmp", "emptyDir": {}}]
    probe = {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 1, "failureThreshold": 1}
    mounts = [{"name": "tmp", "mountPath": "/tmp"}]
    inside = start(here, pod("web", serving(readinessProbe=probe, volumeMounts=mounts), volumes=tmp))

    inside.ask("write/tmp/ill")

    found = here.api.until(f"{here.pods_path}/web", lambda found: not ready(found))
    assert found["status"]["phase"] == "Running"
    assert container_of(found)["restartCount"] == 0
    assert condition(found, "ContainersReady") == "False"
    words = "Readiness probe failed: HTTP probe failed with statuscode: 500"
    assert ("Unhealthy", words) in here.events("web")


def test_a_container_is_not_ready_before_it_has_started(here: Namespace) -> None:
    startup = {"exec": {"command": ["test", "-e", "/tmp/started"]}, "periodSeconds": 1, "failureThreshold": 60}
    mounts = [{"name": "tmp", "mountPath": "/tmp"}]
    here.api.make(
        here.pods_path,
        pod("web", serving(startupProbe=startup, volumeMounts=mounts), volumes=[{"name": "tmp", "emptyDir": {}}]),
    )
    found = here.api.until(f"{here.pods_path}/web", lambda found: "running" in container_of(found).get("state", {}))
    assert (container_of(found)["started"], container_of(found)["ready"]) == (False, False)

    inside = Inside(found)
    wait(lambda: _try(inside, "write/tmp/started"), lambda said: said == "written")

    here.api.until(f"{here.pods_path}/web", ready)


def test_without_a_readiness_probe_a_container_is_ready_when_it_has_started(here: Namespace) -> None:
    startup = {"tcpSocket": {"port": 8080}, "periodSeconds": 1}
    container = {"args": ["-c", SERVER], "startupProbe": startup}

    assert start(here, pod("web", container)).ask("healthz") == "ok"


def _try(inside: Inside, path: str) -> str:
    try:
        return inside.ask(path)
    except OSError as problem:
        return str(problem)


def test_a_failing_liveness_probe_restarts_the_process(here: Namespace) -> None:
    liveness = {"httpGet": {"path": "/healthz", "port": 8080}, "periodSeconds": 1, "failureThreshold": 2}
    inside = start(here, pod("web", serving(livenessProbe={**liveness, "initialDelaySeconds": 1})))

    inside.ask("write/tmp/ill")

    found = here.api.until(
        f"{here.pods_path}/web", lambda found: container_of(found)["restartCount"] == 1 and ready(found)
    )
    ended = container_of(found)["lastState"]["terminated"]
    assert (ended["exitCode"], ended["reason"]) == (0, "Completed")
    # Its file system began anew, so it is well again.
    assert inside.ask("healthz") == "ok"
    assert log(here, "web", "previous=true").endswith("asked to stop\n")
    assert "asked" not in log(here, "web")
    assert ("Killing", "Container app failed liveness probe, will be restarted") in here.events("web")


def test_a_process_that_keeps_ending_comes_to_crash_loop(here: Namespace) -> None:
    ends = {"args": ["-c", "open('/dev/termination-log', 'w').write('why'); print('x'); raise SystemExit(3)"]}
    here.api.make(here.pods_path, pod("web", ends))

    found = here.api.until(
        f"{here.pods_path}/web",
        lambda found: container_of(found).get("state", {}).get("waiting", {}).get("reason") == "CrashLoopBackOff",
    )

    container = container_of(found)
    ended = container["lastState"]["terminated"]
    assert (ended["exitCode"], ended["reason"], ended["message"]) == (3, "Error", "why")
    assert container["restartCount"] >= 2
    assert "restarting failed container=app" in container["state"]["waiting"]["message"]
    assert found["status"]["phase"] == "Running"
    assert log(here, "web") == log(here, "web", "previous=true") == "x\n"
    assert [message for reason, message in here.events("web") if reason == "BackOff"]


def test_what_a_container_needs_is_waited_for(here: Namespace) -> None:
    here.api.make(here.pods_path, pod("env", serving(envFrom=[{"secretRef": {"name": "keys"}}])))
    here.api.make(here.pods_path, pod("volume", volumes=[{"name": "keys", "secret": {"secretName": "keys"}}]))
    found = here.api.until(
        f"{here.pods_path}/env",
        lambda found: (
            container_of(found).get("state", {}).get("waiting", {}).get("reason") == "CreateContainerConfigError"
        ),
    )
    assert container_of(found)["state"]["waiting"]["message"] == 'secret "keys" not found'
    here.api.until(
        f"/api/v1/namespaces/{here.name}/events",
        lambda found: "FailedMount" in [item["reason"] for item in found["items"]],
    )
    assert here.api.get(f"{here.pods_path}/volume").json["status"]["phase"] == "Pending"

    here.api.make(here.path("secrets"), {"metadata": {"name": "keys"}, "stringData": {"password": "p"}})

    assert up(here, "env").ask("env/password") == "p"
    up(here, "volume")


def test_init_containers_run_one_after_another_and_share_volumes(here: Namespace) -> None:
    mounts = [{"name": "tmp", "mountPath": "/tmp"}]
    initial = [
        {
            "name": name,
            "image": IMAGE,
            "command": ["sh", "-c", f"{script}; echo {name} is done"],
            "volumeMounts": mounts,
        }
        for name, script in (("one", "echo 1 > /tmp/order"), ("two", "cat /tmp/order; echo 2 >> /tmp/order"))
    ]
    volumes = [{"name": "tmp", "emptyDir": {}}]
    inside = start(here, pod("web", serving(volumeMounts=mounts), initContainers=initial, volumes=volumes))

    assert inside.ask("read/tmp/order") == "1\n2\n"
    assert log(here, "web", "container=two") == "1\ntwo is done\n"


def test_a_failing_init_container_holds_the_others_up(here: Namespace) -> None:
    bad = [{"name": "init", "image": IMAGE, "command": ["false"]}]
    here.api.make(here.pods_path, pod("web", serving(), initContainers=bad, restartPolicy="Never"))

    found = here.api.until(f"{here.pods_path}/web", lambda found: found["status"]["phase"] == "Failed")

    assert container_of(found)["state"]["waiting"]["reason"] == "PodInitializing"
    assert found["status"]["initContainerStatuses"][0]["state"]["terminated"]["exitCode"] == 1


def test_jobs_are_over_when_their_processes_are_and_keep_their_logs(here: Namespace) -> None:
    for name, script in (("good", "print('fine')"), ("bad", "raise SystemExit('bad')")):
        template = pod(name, {"args": ["-c", script]}, restartPolicy="Never")
        here.api.make(
            here.path("jobs"),
            {
                "metadata": {"name": name},
                "spec": {
                    "backoffLimit": 0,
                    "template": {"metadata": {"labels": {"app": name}}, "spec": template["spec"]},
                },
            },
        )

    here.api.until(f"{here.path('jobs')}/good", lambda found: condition(found, "Complete") == "True")
    here.api.until(f"{here.path('jobs')}/bad", lambda found: condition(found, "Failed") == "True")

    for name, phase, said in (("good", "Succeeded", "fine\n"), ("bad", "Failed", "bad\n")):
        (found,) = here.pods(name)
        assert found["status"]["phase"] == phase
        assert log(here, found["metadata"]["name"]) == said


def test_the_end_is_asked_for_after_the_hook_and_granted_in_time(here: Namespace) -> None:
    spec = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}}
    here.api.make(here.path("persistentvolumeclaims"), {"metadata": {"name": "data"}, "spec": spec})
    volumes = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    mounts = [{"name": "data", "mountPath": "/data"}]
    script = (
        "import signal, time; note = open('/data/story', 'a', 1)\n"
        "def stop(*_): note.write('asked to stop\\n'); raise SystemExit\n"
        "signal.signal(signal.SIGTERM, stop); note.write('begin\\n')\n"
        "while True: time.sleep(1)"
    )
    hook = {"preStop": {"exec": {"command": ["sh", "-c", "sleep 0.3; echo hook >> /data/story"]}}}
    tell = {"args": ["-c", script], "lifecycle": hook, "volumeMounts": mounts}
    tell["readinessProbe"] = {"exec": {"command": ["grep", "-q", "begin", "/data/story"]}}
    here.api.make(here.pods_path, pod("first", tell, volumes=volumes))
    up(here, "first")

    here.api.delete(f"{here.pods_path}/first")
    here.until_pods("first", lambda pods: not pods)

    reader = start(here, pod("reader", serving(volumeMounts=mounts), volumes=volumes))
    assert reader.ask("read/data/story") == "begin\nhook\nasked to stop\n"


class Deaf:
    """A process that does not hear a SIGTERM: the first one of a container has to ask for it."""

    def __init__(self) -> None:
        self._seconds = str(10_000_000 + secrets.randbelow(10_000_000))
        self.container = {"command": ["sleep", self._seconds]}

    def alive(self) -> str:
        found = subprocess.run(["pgrep", "-fx", f"sleep {self._seconds}"], capture_output=True, text=True, check=False)
        return found.stdout


def test_a_deaf_process_is_killed_when_its_time_is_over(here: Namespace) -> None:
    deaf = Deaf()
    here.api.make(here.pods_path, pod("web", deaf.container, terminationGracePeriodSeconds=1))
    here.api.until(f"{here.pods_path}/web", ready)
    wait(deaf.alive, bool)

    here.api.delete(f"{here.pods_path}/web")

    here.until_pods("web", lambda pods: not pods)
    assert not deaf.alive()


def test_a_pod_that_is_forced_away_is_killed_at_once(here: Namespace) -> None:
    deaf = Deaf()
    here.api.make(here.pods_path, pod("web", deaf.container, terminationGracePeriodSeconds=1000))
    here.api.until(f"{here.pods_path}/web", ready)
    wait(deaf.alive, bool)

    here.api.delete(f"{here.pods_path}/web?gracePeriodSeconds=0")

    wait(deaf.alive, lambda text: not text)


def test_the_time_to_end_may_be_shortened_afterwards(here: Namespace) -> None:
    deaf = Deaf()
    here.api.make(here.pods_path, pod("web", deaf.container, terminationGracePeriodSeconds=1000))
    here.api.until(f"{here.pods_path}/web", ready)
    here.api.delete(f"{here.pods_path}/web")
    wait(deaf.alive, bool)

    here.api.delete(f"{here.pods_path}/web?gracePeriodSeconds=1")

    here.until_pods("web", lambda pods: not pods)
    assert not deaf.alive()


def test_two_that_listen_on_the_same_port_have_a_network_each(here: Namespace) -> None:
    redis = {
        "image": REDIS,
        "args": None,
        "ports": [{"name": "redis", "containerPort": 6379}],
        "startupProbe": {"exec": {"command": ["sh", "-c", "test $(redis-cli ping) = PONG"]}, "periodSeconds": 1},
        "readinessProbe": {"tcpSocket": {"port": "redis"}, "periodSeconds": 1},
        "command": ["redis-server", "--save", "", "--protected-mode", "no"],
    }
    for name in ("one", "two"):
        here.api.make(here.pods_path, pod(name, redis))
    addresses = {name: up(here, name).address for name in ("one", "two")}

    def say(name: str, *command: str) -> str:
        return subprocess.run(
            ["redis-cli", "-h", addresses[name], *command], capture_output=True, text=True, check=True
        ).stdout.strip()

    for name in addresses:
        assert say(name, "set", "who", name) == "OK"
    assert {name: say(name, "get", "who") for name in addresses} == {"one": "one", "two": "two"}


def test_an_api_server_that_was_away_finds_all_as_it_should_be(here: Namespace, controlplane: ControlPlane) -> None:
    inside = start(here, pod("web", serving()))
    here.api.make(here.pods_path, pod("restless", {"command": ["sh", "-c", "sleep 1; exit 1"]}))

    controlplane.kill_apiserver()
    assert inside.ask("healthz") == "ok"
    controlplane.start_apiserver()

    here.api.until(f"{here.pods_path}/restless", lambda found: container_of(found).get("restartCount", 0) >= 1)
    start(here, pod("after", serving()))
    here.api.delete(f"{here.pods_path}/web")
    here.until_pods("web", lambda pods: not pods)
    assert "Traceback" not in controlplane.log_of("kubelet")


@pytest.mark.parametrize("how", ["asked", "killed"])
def test_nothing_is_left_when_the_kubelet_ends(how: str) -> None:
    try:
        running = ControlPlane(find(), runs=RUNS, env={"LISTEN": "$(POD_IP)"})
    except Missing as problem:
        pytest.skip(f"the tests on a real control plane are left out: {problem}")
    deaf = Deaf()
    running.start()
    try:
        here = Namespace(running.api(), "default")
        start(here, pod("web", serving()))
        here.api.make(here.pods_path, pod("deaf", deaf.container))
        up(here, "deaf")
        folder = str(running.folder)
        (kubelet,) = map(int, _with(folder, "tests.cluster.kubelet").split())
        wait(deaf.alive, bool)
        if how == "killed":
            os.kill(kubelet, 9)
            wait(deaf.alive, lambda text: not text)
    finally:
        running.stop()

    assert not deaf.alive()
    wait(lambda: _with(folder, ""), lambda text: not text)
    assert not Path(folder).exists()
    assert folder not in Path("/proc/self/mountinfo").read_text()


def _with(folder: str, what: str) -> str:
    found = subprocess.run(
        ["pgrep", "-f", f"{what}.*{folder}|{folder}.*{what}"], capture_output=True, text=True, check=False
    )
    return found.stdout
