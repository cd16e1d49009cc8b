"""Rows 1 to 11 of the table of symptoms: the right verdict on top, by objects as the kubelet writes them."""

from __future__ import annotations

from typing import Any

import pytest

from chatops_bot.domain.observed import Around, LogText, Raw
from chatops_bot.domain.texts import word
from tests.unit.domain.cluster_objects import ago
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    REGISTRY,
    codes,
    crashing,
    event,
    examined,
    http_probe,
    node,
    of_pod,
    offered,
    pod,
    proven,
    revisions,
    running,
    spoken,
    terminated,
    top,
    waiting,
    with_probe,
)

BAD = f"web-{HASH}-x2x4z"


def log(text: str, container: str = "app") -> Around:
    return Around(logs=(LogText(BAD, container, text, previous=True),))


def test_row_1_crash_loop() -> None:
    around = log("starting\nFATAL: config key DB_URL is not set\nshutting down\n")
    found = top(pod(BAD, crashing(1)), pod("web-b"), replica_sets=revisions(), around=around)
    assert (found.code, found.severity, found.object) == ("crash_loop", "danger", f"pod/{BAD}")
    assert spoken(found.line) == (
        "Container app keeps crashing: 7 restarts, last exit 1 (Error) 2m ago; its log ends: FATAL: config key DB_URL is "
        f"not set. Pods: {BAD}."
    )
    assert f"pod/{BAD} status.containerStatuses[app].lastState.terminated.exitCode = 1" in proven(found)
    assert offered(found) == ["rollback", "restart"]
    assert found.causes == ("why.new_revision", "why.app_error", "why.settings", "why.dependency")


@pytest.mark.parametrize(
    ("code", "words", "cause"),
    [
        (0, "last exit 0", "why.ends"),
        (2, "last exit 2", "why.app_error"),
        (126, "not executable (126)", "why.not_executable"),
        (127, "not in the image (127)", "why.command"),
        (130, "signal 2 (exit 130)", "why.app_error"),
        (134, "aborted (134", "why.abort"),
        (139, "segfaulted (139)", "why.segfault"),
        (143, "told to stop (143", "why.told_to_stop"),
        (255, "last exit 255", "why.app_error"),
    ],
)
def test_row_1_exit_codes_have_their_meaning(code: int, words: str, cause: str) -> None:
    found = top(pod(BAD, crashing(code)))
    assert found.code == "crash_loop"
    assert words in spoken(found.line)
    assert found.causes[0] == cause


def test_row_1_a_log_tells_the_wrong_architecture() -> None:
    found = top(pod(BAD, crashing(1)), around=log("exec /usr/bin/web: exec format error\n"))
    assert found.causes == ("why.architecture",)
    assert "log of app = exec /usr/bin/web: exec format error" in proven(found)


def test_row_1_a_log_is_masked() -> None:
    found = top(pod(BAD, crashing(1)), around=log("error: login failed password=hunter2\n"))
    assert "hunter2" not in spoken(found.line) + proven(found)


@pytest.mark.parametrize("code", [0, 1, 137])
def test_row_2_out_of_memory_by_its_reason_whatever_the_exit_code(code: int) -> None:
    found = top(pod(BAD, crashing(code, "OOMKilled", restarts=4)), pod("web-b"))
    assert (found.code, found.severity) == ("out_of_memory", "danger")
    assert "OOM-killed at its limit 256Mi, 4 restarts" in spoken(found.line)
    assert offered(found) == ["scale"]
    assert found.causes[0] == "why.limit_low"


def test_row_2_without_a_limit_it_is_the_node_that_ran_out() -> None:
    bad = pod(BAD, crashing(137, "OOMKilled"))
    bad["spec"]["containers"][0]["resources"] = {}
    found = top(bad)
    assert "has no memory limit" in spoken(found.line)
    assert found.causes[0] == "why.node_memory"
    assert offered(found) == []  # more of them need more of what is short


def test_row_3_killed_and_not_for_its_memory() -> None:
    found = top(pod(BAD, crashing(137)), pod("web-b"))
    assert (found.code, found.severity) == ("killed", "danger")
    assert "not by its memory limit" in spoken(found.line)
    out = event("SystemOOM", "System OOM encountered, victim process: java", about={"kind": "Node", "name": "n1"})
    found = top(pod(BAD, crashing(137)), events=(out,), around=Around(hosts=(node(),)))
    assert found.causes == ("why.node_memory",)
    assert "node/n1 event SystemOOM" in proven(found)


PULL = f'Back-off pulling image "{REGISTRY}/web:1.4.2"'


@pytest.mark.parametrize(
    ("message", "words", "cause"),
    [
        ("rpc error: code = NotFound desc = failed to pull: not found", "does not exist", "why.image_tag"),
        ("manifest unknown", "does not exist", "why.image_tag"),
        ("401 Unauthorized", "imagePullSecrets", "why.no_pull_secret"),
        ("429 toomanyrequests: You have reached your pull rate limit", "limits the rate", "why.rate_limit"),
        ("dial tcp: lookup registry.example.com: no such host", "cannot be reached", "why.registry_away"),
        ("dial tcp 10.1.2.3:443: i/o timeout", "cannot be reached", "why.registry_away"),
        ("x509: certificate signed by unknown authority", "not trusted", "why.registry_ca"),
    ],
)
@pytest.mark.parametrize("by_event", [False, True])
def test_row_4_an_image_that_cannot_be_pulled_says_why(message: str, words: str, cause: str, by_event: bool) -> None:
    said = f'Failed to pull image "{REGISTRY}/web:1.4.2": {message}'
    bad = pod(BAD, waiting("ImagePullBackOff", PULL if by_event else message), phase="Pending")
    found = top(bad, pod("web-b"), events=(event("Failed", said),) if by_event else (), replica_sets=revisions())
    assert (found.code, found.severity) == ("image_pull", "danger")
    assert words in spoken(found.line)
    assert cause in found.causes
    assert offered(found) == ["rollback", "set_image"]
    assert found.offers[1].slots == {"container": "app"}


def test_row_4_a_pull_secret_that_is_not_there() -> None:
    missing = event("FailedToRetrieveImagePullSecret", "Unable to retrieve some image pull secrets (regcred)", about={})
    missing["involvedObject"] = of_pod(pod(BAD))
    bad = pod(BAD, waiting("ErrImagePull", "401 Unauthorized"), spec={"imagePullSecrets": [{"name": "regcred"}]})
    found = top(bad, events=(missing,))
    assert found.causes == ("why.pull_secret",)
    assert "(regcred)" in proven(found)
    assert f"pod/{BAD} spec.imagePullSecrets = regcred" in proven(found)


@pytest.mark.parametrize(
    ("reason", "image", "words", "cause"),
    [
        ("InvalidImageName", "registry/Web:${TAG}", "malformed", "why.unfilled"),
        ("InvalidImageName", "registry/Web:1", "malformed", "why.typo"),
        ("ErrImageNeverPull", "web:dev", "pull policy is Never", "why.not_preloaded"),
    ],
)
def test_row_5_an_image_that_cannot_be(reason: str, image: str, words: str, cause: str) -> None:
    bad = pod(BAD, waiting(reason), phase="Pending")
    bad["spec"]["containers"][0]["image"] = image
    found = top(bad)
    assert found.code == "image_name"
    assert words in spoken(found.line)
    assert image in spoken(found.line)
    assert found.causes == (cause,)


@pytest.mark.parametrize(
    ("message", "words", "cause"),
    [
        ('secret "db" not found', 'secret "db" not found', "why.secret_missing"),
        ('configmap "web" not found', 'configmap "web" not found', "why.config_map_missing"),
        ("couldn't find key port in ConfigMap shop/web", "couldn't find key port", "why.key_missing"),
        ("container has runAsNonRoot and image will run as root", "security settings", "why.runs_as_root"),
    ],
)
def test_row_6_configuration_that_is_missing_or_refused(message: str, words: str, cause: str) -> None:
    found = top(pod(BAD, waiting("CreateContainerConfigError", message), phase="Pending"), replica_sets=revisions())
    assert (found.code, found.severity) == ("config", "danger")
    assert words in spoken(found.line)
    assert found.causes == ("why.new_revision", cause)
    assert offered(found) == ["rollback"]


RUNC = "failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: "


@pytest.mark.parametrize(
    ("status", "cause"),
    [
        (waiting("RunContainerError", RUNC + "exec /web: exec format error"), "why.architecture"),
        (waiting("CreateContainerError", 'the container name "k8s_app" is already in use by "ab"'), "why.name_taken"),
        (crashing(128, "StartError", message=RUNC + 'exec: "wep": executable file not found in $PATH'), "why.command"),
        (crashing(126, "ContainerCannotRun", message=RUNC + "exec: /web: permission denied"), "why.not_executable"),
        (waiting("CreateContainerError", "error mounting /etc/web: not a directory"), "why.mount"),
    ],
)
def test_row_7_a_container_that_cannot_be_started(status: Raw, cause: str) -> None:
    found = top(pod(BAD, status), pod("web-b"))
    assert (found.code, found.severity, found.causes) == ("start", "danger", (cause,))
    assert offered(found) == ["set_image"]


LIVENESS = 'Liveness probe failed: Get "http://10.244.1.5:8080/healthz": context deadline exceeded'
KILLING = "Container app failed liveness probe, will be restarted"


def test_row_8_killed_by_its_liveness_probe() -> None:
    bad = with_probe(pod(BAD, crashing(137, restarts=5)), livenessProbe=http_probe())
    found = top(bad, pod("web-b"), events=(event("Unhealthy", LIVENESS, count=15), event("Killing", KILLING)))
    assert (found.code, found.severity) == ("liveness", "danger")
    assert "restarted container app 5 times because its liveness probe failed: Get" in spoken(found.line)
    assert "event Unhealthy ×15" in proven(found)
    probe = "httpGet :8080/healthz periodSeconds=10 timeoutSeconds=1 failureThreshold=3"
    assert f"spec.containers[app].livenessProbe = {probe}" in proven(found)
    assert found.causes == ("why.probe_slow", "why.no_startup_probe", "why.deadlock")
    assert offered(found) == ["scale"]


def test_row_8_explains_the_crash_loop_and_the_kill() -> None:
    bad = with_probe(pod(BAD, crashing(143, restarts=5)), livenessProbe=http_probe())
    assert codes(bad, events=(event("Unhealthy", LIVENESS), event("Killing", KILLING))) == ["liveness"]


def test_row_8_of_two_containers_the_one_that_is_meant() -> None:
    bad = pod(BAD, running(restartCount=3, lastState=terminated(137), ready=False), running(name="proxy"))
    bad["spec"]["containers"].append({"name": "proxy", "image": "reg/proxy:1"})
    rows = [event("Unhealthy", LIVENESS), event("Killing", KILLING)]
    found = [one for one in examined(bad, events=tuple(rows)).findings if one.code == "liveness"]
    assert [one.line.args["container"] for one in found] == ["app"]


@pytest.mark.parametrize(
    ("said", "cause"),
    [
        ("connect: connection refused", "why.probe_refused"),
        ("HTTP probe failed with statuscode: 503", "why.probe_status"),
    ],
)
def test_row_9_running_but_not_ready(said: str, cause: str) -> None:
    bad = with_probe(pod(BAD, running(ready=False)), readinessProbe=http_probe())
    told = event("Unhealthy", f"Readiness probe failed: {said}", count=360)
    found = top(bad, pod("web-b"), events=(told,))
    assert (found.code, found.severity) == ("not_ready", "warn")
    assert f"has not been ready for 1h; readiness probe: {said}" in spoken(found.line)
    assert found.causes[0] == cause
    assert offered(found) == ["restart"]


def test_row_9_a_probe_that_is_not_there_any_more_is_a_dash() -> None:
    told = event("Unhealthy", "Readiness probe failed: connect: connection refused", count=360)
    found = top(pod(BAD, running(ready=False)), events=(told,))
    assert f"pod/{BAD} spec.containers[app].readinessProbe = -" in proven(found).splitlines()


def test_row_9_a_readiness_gate_is_named() -> None:
    held = pod(BAD, spec={"readinessGates": [{"conditionType": "target-health.elbv2.k8s.aws/web"}]})
    held["status"]["conditions"][2] |= {"status": "False", "reason": "ReadinessGatesNotReady"}
    found = top(held)
    assert found.code == "not_ready"
    assert "readiness gate target-health.elbv2.k8s.aws/web" in spoken(found.line)
    assert offered(found) == []


def test_row_10_never_started_within_its_startup_probe() -> None:
    probe = http_probe(failureThreshold=30, periodSeconds=10)
    bad = with_probe(
        pod(BAD, running(20, ready=False, started=False, restartCount=3, lastState=terminated(137))), startupProbe=probe
    )
    rows = (
        event("Unhealthy", "Startup probe failed: connection refused"),
        event("Killing", "Container app failed startup probe, will be restarted"),
    )
    found = top(bad, pod("web-b"), events=rows, replica_sets=revisions())
    assert (found.code, found.severity) == ("startup", "danger")
    assert "never finished starting within the 5m its startup probe allows" in spoken(found.line)
    assert offered(found) == ["rollback"]
    assert codes(bad, events=rows) == ["startup"]


def init(**status: Any) -> Raw:
    bad = pod(BAD, waiting("PodInitializing"), age=720, phase="Pending")
    bad["spec"]["initContainers"] = [{"name": "migrate", "image": "reg/migrate:1"}]
    bad["status"]["initContainerStatuses"] = [
        {"name": "migrate", "ready": False, "restartCount": 0, "image": "", **status}
    ]
    return bad


def test_row_11_an_init_container_that_fails() -> None:
    bad = init(state={"waiting": {"reason": "CrashLoopBackOff"}}, lastState=terminated(1), restartCount=3)
    around = log("relation users already exists: ERROR\n", "migrate")
    found = top(bad, pod("web-b"), around=around)
    assert (found.code, found.severity) == ("init", "danger")
    assert "Init container migrate fails with exit 1, 3 restarts" in spoken(found.line)
    assert "Its log ends: relation users already exists: ERROR" in spoken(found.line)
    assert "status.initContainerStatuses[migrate].lastState.terminated.exitCode = 1" in proven(found)


def test_row_11_an_init_container_that_waits_for_ever() -> None:
    found = top(init(state={"running": {"startedAt": ago(720)}}), pod("web-b"))
    assert (found.code, found.severity) == ("init", "warn")
    assert "migrate has been running for 12m" in spoken(found.line)


def test_causes_are_words_of_both_languages() -> None:
    found = top(pod(BAD, crashing(1)))
    assert word(found.causes[0], "en") == "an error of the program itself"
