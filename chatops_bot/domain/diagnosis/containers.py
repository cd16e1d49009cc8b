"""One container judged by its present and last state: image, configuration, memory, crashes, init."""

from __future__ import annotations

from chatops_bot.domain.diagnosis.findings import Finding
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import flag, has, instant, items, mapping, number, shortened, since, text
from chatops_bot.domain.observed import Raw
from chatops_bot.domain.say import say

RECENT_MS = 3_600_000
"""A restart older than this is history, whatever `restartCount` says."""

_IMAGE_PULL = {
    "ImagePullBackOff",
    "ErrImagePull",
    "ImageInspectError",
    "RegistryUnavailable",
}
_IMAGE_NAME = {"InvalidImageName", "ErrImageNeverPull"}
_CONFIG = {"CreateContainerConfigError"}
_START = {"CreateContainerError", "RunContainerError", "StartError", "ContainerCannotRun", "PostStartHookError"}

# By what the registry or the network answered; the first that occurs in the message. Keys of the texts.
_PULL_CAUSES = (
    ("not found", "pull.not_found"),
    ("manifest unknown", "pull.not_found"),
    ("toomanyrequests", "pull.rate_limit"),
    ("rate limit", "pull.rate_limit"),
    ("unauthorized", "pull.denied"),
    ("denied", "pull.denied"),
    ("authentication required", "pull.denied"),
    ("403", "pull.denied"),
    ("x509", "pull.certificate"),
    ("no such host", "pull.network"),
    ("timeout", "pull.network"),
    ("connection refused", "pull.network"),
)
_EXITS = {126: "exit.not_executable", 127: "exit.not_found", 134: "exit.abort", 139: "exit.segfault", 143: "exit.term"}


def is_sidecar(pod: Raw, container: str) -> bool:
    """Whether an init container keeps running beside the others (`restartPolicy: Always`)."""
    return any(
        text(spec, "name") == container and text(spec, "restartPolicy") == "Always"
        for spec in items(pod, "spec", "initContainers")
    )


def container_finding(pod: Raw, status: Raw, now_ms: int, *, init: bool) -> Finding | None:
    """What is wrong with one container; None where it runs, or waits as it should."""
    waiting = text(status, "state", "waiting", "reason")
    found = _cannot_start(pod, status, waiting)
    if found is None and waiting == "CrashLoopBackOff":
        found = _crashed(pod, status, mapping(status, "lastState", "terminated"), now_ms, looping=True)
    if found is None:
        found = _ended(pod, status, now_ms)
    if found is not None and init:
        return _as_init(status, found, now_ms)
    return found


def _cannot_start(pod: Raw, status: Raw, reason: str) -> Finding | None:
    name = text(status, "name")
    message = shortened(mask(text(status, "state", "waiting", "message")))
    if reason in _IMAGE_PULL:
        image = _image(pod, status)
        cause = next((key for part, key in _PULL_CAUSES if part in message.lower()), "pull.other")
        line = say("finding.image_pull", container=name, image=image, cause=cause, message=message)
        return Finding("image_pull", "danger", line, where=f"{name} {image} {cause}", hard=reason != "ErrImagePull")
    if reason in _IMAGE_NAME:
        image = _image(pod, status)
        key = "finding.image_name" if reason == "InvalidImageName" else "finding.image_never_pull"
        return Finding("image_name", "danger", say(key, container=name, image=image), where=f"{name} {image}")
    if reason in _CONFIG:
        return Finding("config", "danger", say("finding.config", container=name, message=message), f"{name} {message}")
    if reason in _START:
        line = say("finding.start", container=name, reason=reason, message=message)
        return Finding("start", "danger", line, where=f"{name} {reason}")
    return None


def _image(pod: Raw, status: Raw) -> str:
    specs = [*items(pod, "spec", "containers"), *items(pod, "spec", "initContainers")]
    wanted = next((text(spec, "image") for spec in specs if text(spec, "name") == text(status, "name")), "")
    return wanted or text(status, "image") or "?"


def _ended(pod: Raw, status: Raw, now_ms: int) -> Finding | None:
    """A container that has just stopped, or was restarted a short while ago and runs again."""
    terminated = mapping(status, "state", "terminated")
    if terminated:
        if text(pod, "status", "phase") == "Succeeded" or _clean(terminated):
            return None
        return _crashed(pod, status, terminated, now_ms, looping=False)
    last = mapping(status, "lastState", "terminated")
    if not last or not has(status, "state", "running"):
        return None
    if now_ms - instant(last.get("finishedAt")) > RECENT_MS:
        return None
    if text(last, "reason") == "OOMKilled":
        return _out_of_memory(pod, status, last, now_ms)
    if flag(status, "ready") or _clean(last):
        return _restarted(status, last, now_ms)
    return _crashed(pod, status, last, now_ms, looping=False)


def _clean(terminated: Raw) -> bool:
    return number(terminated, "exitCode") == 0 and text(terminated, "reason") != "OOMKilled"


def _restarted(status: Raw, last: Raw, now_ms: int) -> Finding:
    line = say(
        "finding.restarted",
        container=text(status, "name"),
        count=number(status, "restartCount"),
        exit=number(last, "exitCode"),
        ago=since(last.get("finishedAt"), now_ms),
    )
    return Finding("restarted", "info", line, where=f"{text(status, 'name')} {number(last, 'exitCode')}", hard=False)


def _out_of_memory(pod: Raw, status: Raw, terminated: Raw, now_ms: int) -> Finding:
    name = text(status, "name")
    line = say(
        "finding.out_of_memory",
        container=name,
        limit=_memory_limit(pod, name),
        count=number(status, "restartCount"),
        ago=since(terminated.get("finishedAt"), now_ms),
    )
    return Finding("out_of_memory", "danger", line, where=name)


def _memory_limit(pod: Raw, container: str) -> str:
    specs = [*items(pod, "spec", "containers"), *items(pod, "spec", "initContainers")]
    limits = (text(spec, "resources", "limits", "memory") for spec in specs if text(spec, "name") == container)
    return next(limits, "") or "?"


def _crashed(pod: Raw, status: Raw, terminated: Raw, now_ms: int, *, looping: bool) -> Finding:
    # The reason decides, not the exit code: a process killed for memory may still exit 0 (kubernetes #104454),
    # and 137 without it is a kill by something else (#122256).
    if text(terminated, "reason") == "OOMKilled":
        return _out_of_memory(pod, status, terminated, now_ms)
    name, code = text(status, "name"), number(terminated, "exitCode")
    details: dict[str, str | int] = {
        "container": name,
        "count": number(status, "restartCount"),
        "exit": code,
        "reason": shortened(mask(text(terminated, "message")), 120) or text(terminated, "reason") or "?",
        "ago": since(terminated.get("finishedAt"), now_ms),
    }
    where = f"{name} {code}"
    if not terminated:
        line = say("finding.crash_loop_unknown", container=name, count=number(status, "restartCount"))
        return Finding("crash_loop", "danger", line, where=name)
    if code == 137:
        return Finding("killed", "danger", say("finding.killed", **details), where, hard=looping)
    # A container that ended once is started again within seconds: not hard until it keeps happening.
    key = _EXITS.get(code, "finding.crash_loop" if looping else "finding.exited")
    return Finding("crash_loop" if looping else "exited", "danger", say(key, **details), where, hard=looping)


def _as_init(status: Raw, found: Finding, now_ms: int) -> Finding:
    """A failing init container holds the whole pod up: said as such, unless the image or configuration is why."""
    if found.code not in ("crash_loop", "exited", "killed"):
        return found
    terminated = mapping(status, "lastState", "terminated") or mapping(status, "state", "terminated")
    line = say(
        "finding.init",
        container=text(status, "name"),
        count=number(status, "restartCount"),
        exit=number(terminated, "exitCode"),
        ago=since(terminated.get("finishedAt"), now_ms),
    )
    return Finding("init", "danger", line, where=found.where, hard=found.hard)
