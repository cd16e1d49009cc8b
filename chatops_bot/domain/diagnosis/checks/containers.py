"""What is wrong with single containers, beside what their events and logs say of it, and what may be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from chatops_bot.domain.diagnosis import ailments
from chatops_bot.domain.diagnosis.ailments import first_crash
from chatops_bot.domain.diagnosis.containers import Container
from chatops_bot.domain.diagnosis.examining import Check, Scene
from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.diagnosis.lastwords import last_words
from chatops_bot.domain.diagnosis.pods import of_pod, shows
from chatops_bot.domain.diagnosis.proving import proof
from chatops_bot.domain.diagnosis.remedies import offering, offers, way_back
from chatops_bot.domain.objects import at, instant, name_of, text
from chatops_bot.domain.say import Say

_WRONG_ARCHITECTURE = "exec format error"
_SAID = {"finding.crash_loop": "finding.crash_loop_said", "finding.init": "finding.init_said"}


def _each(scene: Scene, symptom: Callable[[Container], Finding | None]) -> Iterator[tuple[Container, Finding]]:
    for seen in scene.containers:
        found = symptom(seen)
        if found is not None:
            yield seen, of_pod(seen.pod, found)


def _made(seen: Container) -> int:
    return instant(at(seen.pod, "metadata", "creationTimestamp"))


def image_pulls(scene: Scene) -> Iterator[Finding]:
    """Images that cannot be pulled. Where the container only says that it backs off, an event says why."""
    said = [one.whole for one in scene.happened("Failed") if "failed to pull" in one.message.lower()]
    for seen, found in _each(scene, ailments.image_pull):
        about = f"pod/{name_of(seen.pod)}"
        if found.line.args.get("cause") == "pull.other":  # events of one pod tell it for all
            words = next((one for one in said if f'"{seen.image}"' in one), "")
            found = of_pod(seen.pod, ailments.pull_finding(seen, words)) if words else found
        for one in scene.told(about, "FailedToRetrieveImagePullSecret"):
            evidence = (proof(about, "event FailedToRetrieveImagePullSecret", one.message), *found.evidence)
            found = msgspec.structs.replace(found, evidence=evidence, causes=("why.pull_secret",))
        yield offering(found, way_back(scene, seen.pod, _made(seen)), offers(scene, "set_image", container=seen.name))


def image_names(scene: Scene) -> Iterator[Finding]:
    """Names that no image can have, and images that may not be pulled."""
    for seen, found in _each(scene, ailments.image_name):
        yield offering(found, way_back(scene, seen.pod, _made(seen)), offers(scene, "set_image", container=seen.name))


def configurations(scene: Scene) -> Iterator[Finding]:
    """Secrets, ConfigMaps and keys that are missing, and security settings that refuse to start a container. Once they
    are there it starts by itself."""
    for seen, found in _each(scene, ailments.config):
        yield offering(found, way_back(scene, seen.pod, _made(seen)))


def starts(scene: Scene) -> Iterator[Finding]:
    """Containers that the runtime cannot start."""
    for seen, found in _each(scene, ailments.start):
        yield offering(found, way_back(scene, seen.pod, _made(seen)), offers(scene, "set_image", container=seen.name))


def out_of_memory(scene: Scene) -> Iterator[Finding]:
    """Containers killed for their memory. More replicas share the load; a leak or a low limit needs a new template.
    Where it was the node that ran out, more of them need more of what is short."""
    for seen, found in _each(scene, ailments.out_of_memory):
        shared = () if "why.node_memory" in found.causes else offers(scene, "scale")
        yield offering(found, way_back(scene, seen.pod, first_crash(seen)), shared)


def init_containers(scene: Scene) -> Iterator[Finding]:
    """Init containers that fail or do not end."""
    for seen, found in _each(scene, ailments.init):
        yield offering(_with_log(scene, seen, found), way_back(scene, seen.pod, _made(seen)))


def crash_loops(scene: Scene) -> Iterator[Finding]:
    """Containers that end again and again."""
    for seen, found in _each(scene, ailments.crash_loop):
        yield offering(
            _with_log(scene, seen, found), way_back(scene, seen.pod, first_crash(seen)), offers(scene, "restart")
        )


def kills(scene: Scene) -> Iterator[Finding]:
    """Containers ended by SIGKILL, not for their memory. What the events say of a probe is the probe's finding."""
    for seen, found in _each(scene, ailments.killed):
        node = scene.hosts.get(text(seen.pod, "spec", "nodeName"), {})
        pressed = scene.told(f"node/{name_of(node)}", "SystemOOM", "EvictionThresholdMet")
        if pressed:
            evidence = (
                proof(f"node/{name_of(node)}", f"event {pressed[0].reason}", pressed[0].message),
                *found.evidence,
            )
            found = msgspec.structs.replace(found, evidence=evidence, causes=("why.node_memory",))
        yield offering(_with_log(scene, seen, found), way_back(scene, seen.pod, first_crash(seen)))


def exits(scene: Scene) -> Iterator[Finding]:
    """Containers that have ended once and are about to be started again."""
    for seen, found in _each(scene, ailments.exited):
        yield offering(_with_log(scene, seen, found), way_back(scene, seen.pod, first_crash(seen)))


def restarts(scene: Scene) -> Iterator[Finding]:
    """Containers that were restarted within the hour and run again."""
    yield from (found for _, found in _each(scene, ailments.restarted))


def _with_log(scene: Scene, seen: Container, found: Finding) -> Finding:
    """The finding with the last words of the run that ended."""
    said = last_words(scene, name_of(seen.pod), seen.name)
    if not said:
        return found
    key = _SAID.get(found.line.key)
    line = Say(key, {**found.line.args, "said": said}) if key else found.line
    foreign = _WRONG_ARCHITECTURE in said.lower()
    evidence = (*found.evidence[:2], shows(seen.pod, f"log of {seen.name}", said), *found.evidence[2:])
    causes = ("why.architecture",) if foreign else found.causes
    return msgspec.structs.replace(found, line=line, evidence=evidence, causes=causes)


CHECKS: tuple[Check, ...] = (
    image_pulls,
    image_names,
    configurations,
    starts,
    out_of_memory,
    init_containers,
    crash_loops,
    kills,
    exits,
    restarts,
)
