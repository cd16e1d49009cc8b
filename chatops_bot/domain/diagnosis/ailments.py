"""What can be wrong with a container, one function a symptom: image, configuration, memory, crashes, init."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.diagnosis.containers import RUNTIME, Container
from chatops_bot.domain.diagnosis.containers import evidence as of_pod
from chatops_bot.domain.diagnosis.findings import Evidence, Finding
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    clause,
    flag,
    has,
    instant,
    items,
    mapping,
    number,
    shortened,
    since,
    span,
    text,
)
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import Say, say

RECENT_MS = 3_600_000
"""A restart older than this is history, whatever `restartCount` says."""
INIT_LIMIT_MS = 300_000
"""An init container that runs for so long holds the pod up: migrations of some minutes are none of our business."""

_IMAGE_PULL = {
    "ImagePullBackOff",
    "ErrImagePull",
    "ImageInspectError",
    "RegistryUnavailable",
}
_IMAGE_NAME = {"InvalidImageName", "ErrImageNeverPull"}
_CONFIG = {"CreateContainerConfigError"}
_START = {"CreateContainerError", "RunContainerError", "StartError", "ContainerCannotRun", "PostStartHookError"}
_NEVER_RAN = {"StartError", "ContainerCannotRun"}

# By what the registry or the network answered; the first that occurs in the message. Keys of the texts: what is said,
# and what is likely behind it.
_PULL_CAUSES = (
    ("not found", "pull.not_found", "why.image_tag"),
    ("manifest unknown", "pull.not_found", "why.image_tag"),
    ("toomanyrequests", "pull.rate_limit", "why.rate_limit"),
    ("rate limit", "pull.rate_limit", "why.rate_limit"),
    ("unauthorized", "pull.denied", "why.pull_secret"),
    ("denied", "pull.denied", "why.pull_secret"),
    ("authentication required", "pull.denied", "why.pull_secret"),
    ("403", "pull.denied", "why.pull_secret"),
    ("x509", "pull.certificate", "why.registry_ca"),
    ("no such host", "pull.network", "why.registry_away"),
    ("timeout", "pull.network", "why.registry_away"),
    ("connection refused", "pull.network", "why.registry_away"),
)
_CONFIG_CAUSES = (
    ("runasnonroot", "why.runs_as_root"),
    ("couldn't find key", "why.key_missing"),
    ("configmap", "why.config_map_missing"),
    ("secret", "why.secret_missing"),
)
_START_CAUSES = (
    ("exec format error", "why.architecture"),
    ("permission denied", "why.not_executable"),
    ("already in use", "why.name_taken"),
    ("mount", "why.mount"),
    ("executable file not found", "why.command"),
    ("no such file or directory", "why.command"),
)
_EXITS = {126: "exit.not_executable", 127: "exit.not_found", 134: "exit.abort", 139: "exit.segfault", 143: "exit.term"}
_EXIT_CAUSES = {
    0: ("why.ends",),
    126: ("why.not_executable", "why.mount"),
    127: ("why.command",),
    134: ("why.abort",),
    139: ("why.segfault", "why.architecture"),
    143: ("why.told_to_stop",),
    255: ("why.app_error", "why.exit_unknown"),
}
"""What an exit code says by itself; any other is the program's own (1, 2 …). 137 is a matter of its reason."""
_SIGNALS = range(129, 193)
"""128 + n: ended by signal n."""

_REGISTRY: Final = re.compile(
    r'^.*(?:ErrImagePull|[Ff]ailed to (?:pull image|pull and unpack image|resolve reference|copy)(?: "[^"]*")?'
    r"|code = \w+ desc =):? ",
    re.DOTALL,
)
"""What runtimes put before what is to be known, one layer before the other."""


def image_pull(seen: Container) -> Finding | None:
    """The image cannot be pulled."""
    return pull_finding(seen, seen.said) if seen.waiting in _IMAGE_PULL else None


def pull_finding(seen: Container, message: str) -> Finding:
    """The finding for what the registry said (in full): of the container itself, or an event where that says more."""
    words = message.lower()
    message = _REGISTRY.sub("", message).removeprefix(f"{seen.image}: ")
    said, why = next(((said, why) for part, said, why in _PULL_CAUSES if part in words), ("pull.other", ""))
    if why == "why.pull_secret" and not items(seen.pod, "spec", "imagePullSecrets"):
        why = "why.no_pull_secret"
    # Registries answer a pull without credentials as if nothing were there.
    hidden = said == "pull.not_found" and not items(seen.pod, "spec", "imagePullSecrets")
    return Finding(
        "image_pull",
        "danger",
        say("finding.image_pull", container=seen.name, image=seen.image, cause=said, message=clause(message)),
        where=f"{seen.name} {seen.image} {said}",
        hard=seen.waiting != "ErrImagePull",
        evidence=(
            seen.shows("state", "waiting", "reason"),
            seen.asks("image"),
            of_pod(seen.pod, "spec.imagePullSecrets", _names(seen.pod, "imagePullSecrets")),
        ),
        causes=tuple(key for key in (why, "why.no_pull_secret" if hidden else "") if key),
    )


def _names(pod: Raw, part: str) -> str | None:
    return ", ".join(text(row, "name") for row in items(pod, "spec", part)) or None


def image_name(seen: Container) -> Finding | None:
    """No image can have that name, or it may not be pulled."""
    if seen.waiting not in _IMAGE_NAME:
        return None
    malformed = seen.waiting == "InvalidImageName"
    unfilled = any(mark in seen.image for mark in ("$", "{{", "<"))
    return Finding(
        "image_name",
        "danger",
        say(
            "finding.image_name" if malformed else "finding.image_never_pull",
            container=seen.name,
            image=seen.image,
        ),
        where=f"{seen.name} {seen.image}",
        evidence=(seen.shows("state", "waiting", "reason"), seen.asks("image"), seen.asks("imagePullPolicy")),
        causes=("why.not_preloaded",) if not malformed else ("why.unfilled",) if unfilled else ("why.typo",),
    )


def config(seen: Container) -> Finding | None:
    """What it is to be started with is missing, or its security settings refuse it."""
    if seen.waiting not in _CONFIG:
        return None
    causes = _matched(_CONFIG_CAUSES, seen.message)
    key = "finding.config_security" if "why.runs_as_root" in causes else "finding.config"
    return Finding(
        "config",
        "danger",
        say(key, container=seen.name, message=seen.message),
        where=f"{seen.name} {seen.message}",
        evidence=(seen.shows("state", "waiting", "reason"), seen.shows("state", "waiting", "message")),
        causes=causes,
    )


def start(seen: Container) -> Finding | None:
    """The runtime cannot start it."""
    last = _last(seen)
    if seen.waiting in _START:
        reason, said, path = seen.waiting, seen.said, ("state", "waiting", "message")
    elif text(last, "reason") in _NEVER_RAN:
        reason, said = text(last, "reason"), mask(text(last, "message"))
        path = ("lastState" if seen.waiting else "state", "terminated", "message")
    else:
        return None
    message = RUNTIME.sub("", said)
    return Finding(
        "start",
        "danger",
        say("finding.start", container=seen.name, reason=reason, message=clause(message)),
        where=f"{seen.name} {reason}",
        evidence=(seen.shows(*path), seen.asks("command"), seen.asks("image")),
        causes=_matched(_START_CAUSES, message),
    )


def _matched(table: tuple[tuple[str, str], ...], message: str) -> tuple[str, ...]:
    words = message.lower()
    return tuple(dict.fromkeys(why for part, why in table if part in words))[:1]


def _last(seen: Container) -> Raw:
    """How it ended last, where that matters now: it loops, has just stopped, or was restarted within the hour."""
    if seen.waiting == "CrashLoopBackOff":
        return mapping(seen.status, "lastState", "terminated")
    ended = mapping(seen.status, "state", "terminated")
    if ended:
        over = text(seen.pod, "status", "phase") == "Succeeded" or _clean(ended)
        return {} if over else ended
    last = mapping(seen.status, "lastState", "terminated")
    if not has(seen.status, "state", "running") or seen.now - instant(last.get("finishedAt")) > RECENT_MS:
        return {}
    return last


def _clean(terminated: Raw) -> bool:
    return number(terminated, "exitCode") == 0 and text(terminated, "reason") != "OOMKilled"


def _ended_at(seen: Container) -> tuple[str, ...]:
    return ("state" if mapping(seen.status, "state", "terminated") else "lastState", "terminated")


def out_of_memory(seen: Container) -> Finding | None:
    """The reason decides, not the exit code: a process killed for memory may still exit 0 (kubernetes#104454), and 137
    without it is a kill by something else (#122256)."""
    last = _last(seen)
    if text(last, "reason") != "OOMKilled":
        return None
    limit = text(seen.spec, "resources", "limits", "memory")
    unlimited = bool(seen.spec) and not limit
    line = say(
        "finding.out_of_memory_node" if unlimited else "finding.out_of_memory",
        container=seen.name,
        limit=limit or "?",
        count=seen.restarts,
        ago=since(last.get("finishedAt"), seen.now),
    )
    once = flag(seen.status, "ready") and seen.restarts < 2
    end = _ended_at(seen)
    return Finding(
        "out_of_memory",
        "warn" if once else "danger",
        line,
        where=seen.name,
        evidence=(
            seen.shows(*end, "reason"),
            seen.asks("resources", "limits", "memory"),
            seen.shows(*end, "finishedAt"),
        ),
        causes=("why.node_memory", "why.leak") if unlimited else ("why.limit_low", "why.leak", "why.workers"),
    )


def init(seen: Container) -> Finding | None:
    """An init container fails, or does not end: nothing else of the pod starts."""
    if not seen.init or start(seen) or out_of_memory(seen):
        return None
    last = _last(seen)
    if seen.waiting == "CrashLoopBackOff" or (last and not _clean(last)):
        return _init_fails(seen, last)
    begun = instant(mapping(seen.status, "state", "running").get("startedAt") or text(seen.pod, "status", "startTime"))
    if not has(seen.status, "state", "running") or not begun or seen.now - begun < INIT_LIMIT_MS:
        return None
    return Finding(
        "init",
        "warn",
        say("finding.init_waiting", container=seen.name, ago=span(seen.now - begun)),
        where=seen.name,
        evidence=(seen.shows("state", "running", "startedAt"),),
        causes=("why.init_waits", "why.dependency"),
    )


def _init_fails(seen: Container, last: Raw) -> Finding:
    line = say(
        "finding.init",
        container=seen.name,
        count=seen.restarts,
        exit=number(last, "exitCode"),
        ago=since(last.get("finishedAt"), seen.now),
    )
    return Finding(
        "init",
        "danger",
        line,
        where=f"{seen.name} {number(last, 'exitCode')}",
        hard=seen.waiting == "CrashLoopBackOff",
        evidence=_crash_evidence(seen),
        causes=_EXIT_CAUSES.get(number(last, "exitCode"), ("why.migration", "why.dependency")),
    )


def _crash_evidence(seen: Container) -> tuple[Evidence, ...]:
    end = _ended_at(seen)
    return (
        seen.shows(*end, "exitCode"),
        seen.shows(*end, "reason"),
        seen.shows("restartCount"),
        seen.shows(*end, "finishedAt"),
    )


def crash_loop(seen: Container) -> Finding | None:
    """It ends again and again, and is started ever more slowly."""
    last = _last(seen)
    if seen.waiting != "CrashLoopBackOff" or seen.init or _otherwise(seen) or number(last, "exitCode") == 137:
        return None
    if not last:
        line = say("finding.crash_loop_unknown", container=seen.name, count=seen.restarts)
        return Finding("crash_loop", "danger", line, where=seen.name, evidence=(seen.shows("restartCount"),))
    return _crash(seen, last, "crash_loop", "finding.crash_loop")


def exited(seen: Container) -> Finding | None:
    """It has ended once, and is started again within seconds: not hard until it keeps happening."""
    last = _last(seen)
    if not last or seen.waiting or seen.init or _clean(last) or _otherwise(seen):
        return None
    if flag(seen.status, "ready") or number(last, "exitCode") == 137:
        return None
    return _crash(seen, last, "exited", "finding.exited")


def killed(seen: Container) -> Finding | None:
    """SIGKILL, and not for its memory."""
    last = _last(seen)
    if number(last, "exitCode") != 137 or seen.init or _otherwise(seen):
        return None
    looping = seen.waiting == "CrashLoopBackOff"
    if not looping and flag(seen.status, "ready"):
        return None
    line = say("finding.killed", **_crash_details(seen, last))
    causes = ("why.liveness", "why.node_memory", "why.by_hand")
    where, evidence = f"{seen.name} 137", _crash_evidence(seen)
    return Finding("killed", "danger", line, where, hard=looping, evidence=evidence, causes=causes)


def _otherwise(seen: Container) -> bool:
    """Whether its end has a better name than its code."""
    return start(seen) is not None or out_of_memory(seen) is not None


def _crash(seen: Container, last: Raw, code: str, key: str) -> Finding:
    exit_code, details = number(last, "exitCode"), _crash_details(seen, last)
    known = _EXITS.get(exit_code)
    if known is None and exit_code in _SIGNALS:
        known, details["signal"] = "exit.signal", exit_code - 128
    return Finding(
        code,
        "danger",
        Say(known or key, details),
        where=f"{seen.name} {exit_code}",
        hard=code == "crash_loop",
        evidence=_crash_evidence(seen),
        causes=_EXIT_CAUSES.get(exit_code, ("why.app_error", "why.settings", "why.dependency")),
    )


def _crash_details(seen: Container, last: Raw) -> dict[str, str | int]:
    return {
        "container": seen.name,
        "count": seen.restarts,
        "exit": number(last, "exitCode"),
        "reason": shortened(mask(text(last, "message")), 120) or text(last, "reason") or "?",
        "ago": since(last.get("finishedAt"), seen.now),
    }


def restarted(seen: Container) -> Finding | None:
    """It was restarted within the hour, and runs again."""
    last = _last(seen)
    if not last or not has(seen.status, "state", "running") or seen.init or _otherwise(seen):
        return None
    if not flag(seen.status, "ready") and not _clean(last):
        return None
    line = say(
        "finding.restarted",
        container=seen.name,
        count=seen.restarts,
        exit=number(last, "exitCode"),
        ago=since(last.get("finishedAt"), seen.now),
    )
    where = f"{seen.name} {number(last, 'exitCode')}"
    return Finding("restarted", "info", line, where, hard=False, evidence=_crash_evidence(seen))


SYMPTOMS = (image_pull, image_name, config, start, out_of_memory, init, crash_loop, killed, exited, restarted)
"""Of one container at most one of these finds something."""


def first_crash(seen: Container) -> int:
    """About when it began to crash, in ms: its restarts counted back, each a run as long as the last one and the pause
    that the kubelet makes before it (10 s, doubled up to 5 min)."""
    made = instant(mapping(seen.pod, "metadata").get("creationTimestamp"))
    last = mapping(seen.status, "lastState", "terminated") or mapping(seen.status, "state", "terminated")
    ended, begun = instant(last.get("finishedAt")), instant(last.get("startedAt"))
    if not ended:
        return made
    pauses = sum(min(10_000 << turn, 300_000) for turn in range(min(seen.restarts, 6)))
    pauses += 300_000 * max(0, seen.restarts - 6)
    return max(made, ended - pauses - (max(0, ended - begun) if begun else 0) * max(1, seen.restarts))
