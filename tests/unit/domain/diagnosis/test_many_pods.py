"""Many pods in one trouble: logs and events are read of few of them, and what these tell is told of all."""

from __future__ import annotations

from typing import Any

from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.observed import Around, LogText, Raw
from tests.unit.domain.diagnosis.recorded import (
    HASH,
    crashing,
    event,
    examined,
    http_probe,
    of_pod,
    pod,
    proven,
    running,
    spoken,
    terminated,
    waiting,
    with_probe,
)

NAMES = [f"web-{HASH}-{letter}" for letter in "abcde"]
READ = NAMES[3]
"""The one whose events or log were read."""


def many(status: Raw, **probes: Raw) -> list[Raw]:
    return [with_probe(pod(name, status), **probes) for name in NAMES]


def only(pods: list[Raw], *told: tuple[str, str], **parts: Any) -> Finding:
    about = {**of_pod(pods[3]), "fieldPath": "spec.containers{app}"}
    events = tuple(event(reason, message, about=about) for reason, message in told)
    (found,) = examined(*pods, events=events, **parts).findings
    assert found.pods == tuple(NAMES)
    return found


def test_the_log_of_one_is_told_whichever_it_is() -> None:
    log = LogText(READ, "app", "panic: no configuration", previous=True)
    found = only(many(crashing(1)), around=Around(logs=(log,)))
    assert found.code == "crash_loop"
    assert "its log ends: panic: no configuration" in spoken(found.line)


def test_a_liveness_probe_that_kills_all_of_them() -> None:
    status = running(5, ready=False, restartCount=5, lastState=terminated(137, seconds=6))
    killed = ("Killing", "Container app failed liveness probe, will be restarted")
    failed = ("Unhealthy", "Liveness probe failed: HTTP probe failed with statuscode: 503")
    found = only(many(status, livenessProbe=http_probe()), killed, failed)
    assert (found.code, found.severity) == ("liveness", "danger")
    assert f"pod/{READ} event Unhealthy" in proven(found)


def test_a_pod_that_ended_otherwise_is_another_matter() -> None:
    status = running(5, ready=False, restartCount=5, lastState=terminated(137, seconds=6))
    pods = many(status, livenessProbe=http_probe())
    pods[0]["status"]["containerStatuses"] = [crashing(1)]
    about = {**of_pod(pods[3]), "fieldPath": "spec.containers{app}"}
    told = event("Killing", "Container app failed liveness probe, will be restarted", about=about)
    found = {one.code: one.pods for one in examined(*pods, events=(told,)).findings}
    assert found == {"liveness": tuple(NAMES[1:]), "crash_loop": (NAMES[0],)}


def test_a_startup_probe_that_kills_all_of_them() -> None:
    status = running(5, ready=False, started=False, restartCount=3, lastState=terminated(137, seconds=6))
    killed = ("Killing", "Container app failed startup probe, will be restarted")
    failed = ("Unhealthy", "Startup probe failed: connect: connection refused")
    found = only(many(status, startupProbe=http_probe(failureThreshold=3)), killed, failed)
    assert (found.code, found.severity) == ("startup", "danger")


def test_a_readiness_probe_that_fails_in_all_of_them() -> None:
    failed = ("Unhealthy", "Readiness probe failed: dial tcp 10.1.0.9:8080: connect: connection refused")
    found = only(many(running(ready=False), readinessProbe=http_probe()), failed)
    assert "readiness probe: dial tcp" in spoken(found.line)
    assert "readinessProbe = httpGet :8080/healthz periodSeconds=10" in proven(found)


def test_an_image_of_which_one_event_says_why() -> None:
    """Older kubelets say in the status only that they back off."""
    image = "registry.example.com/shop/web:1.4.2"
    status = waiting("ImagePullBackOff", f'Back-off pulling image "{image}"')
    words = (
        f'Failed to pull image "{image}": rpc error: code = NotFound desc = failed to pull and unpack image '
        f'"{image}": failed to resolve reference "{image}": {image}: not found'
    )
    found = only(many(status), ("Failed", words))
    assert f"cannot pull {image}: image or tag does not exist (not found). Pods" in spoken(found.line)


CREATING = waiting("ContainerCreating")
NO_ADDRESS = (
    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "5d2e": '
    'plugin type="aws-cni" failed (add): add cmd: failed to assign an IP address to container'
)


def test_no_address_on_any_node() -> None:
    pods = many(CREATING)
    for number, one in enumerate(pods):
        one["status"]["phase"] = "Pending"
        one["spec"]["nodeName"] = f"n{number % 2}"
    found = only(pods, ("FailedCreatePodSandBox", NO_ADDRESS))
    assert "(node n0, n1), no pod IP is left: plugin type" in spoken(found.line)
    assert spoken(found.line).count("failed to assign an IP address to container. Pods") == 1
    assert found.offers == ()


def test_a_volume_that_is_elsewhere_is_a_matter_of_one_pod() -> None:
    pods = many(CREATING)
    for one in pods:
        one["status"]["phase"] = "Pending"
    told = event("FailedAttachVolume", "Multi-Attach error for volume", about=of_pod(pods[3]))
    found = {one.severity: len(one.pods) for one in examined(*pods, events=(told,)).findings}
    assert found == {"danger": 1, "warn": 4}
