"""A container as its pod's status and spec show it, and which of a pod's can be in trouble."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from chatops_bot.domain.diagnosis.findings import Evidence
from chatops_bot.domain.masking import mask
from chatops_bot.domain.objects import (
    clause,
    controller_of,
    flag,
    has,
    items,
    mapping,
    name_of,
    number,
    shortened,
    text,
)
from chatops_bot.domain.observed import Raw

RUNTIME: Final = re.compile(
    r"^.*(?:failed to create (?:containerd task|shim task)|OCI runtime create failed|runc create failed"
    r"|unable to start container process|error during container init): ",
    re.DOTALL,
)
"""What runtimes put before what is to be known, one layer before the other."""


class Container(msgspec.Struct, frozen=True):
    """One container as its status shows it. `init`: the others wait for it."""

    pod: Raw
    status: Raw
    now: int
    init: bool = False

    @property
    def name(self) -> str:
        """As in the spec."""
        return text(self.status, "name")

    @property
    def waiting(self) -> str:
        """`CrashLoopBackOff` and the like, "" where it does not wait."""
        return text(self.status, "state", "waiting", "reason")

    @property
    def message(self) -> str:
        """Why it waits, masked and one line."""
        return clause(self.said)

    @property
    def said(self) -> str:
        """The same in full: its end tells most."""
        return mask(text(self.status, "state", "waiting", "message"))

    @property
    def restarts(self) -> int:
        """Over the pod's life."""
        return number(self.status, "restartCount")

    @property
    def spec(self) -> Raw:
        """What was asked for, empty where the pod's spec does not hold it."""
        return next((row for row in _specs(self.pod) if text(row, "name") == self.name), {})

    @property
    def image(self) -> str:
        """As it was asked for."""
        return text(self.spec, "image") or text(self.status, "image") or "?"

    def shows(self, *path: str) -> Evidence:
        """The value at a path of its status."""
        value: Any = self.status
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if path[-1] == "message" and isinstance(value, str):
            value = RUNTIME.sub("… ", value)
        kind = "initContainerStatuses" if self._of_init else "containerStatuses"
        return evidence(self.pod, f"status.{kind}[{self.name}].{'.'.join(path)}", value)

    def asks(self, *path: str) -> Evidence:
        """The value at a path of its spec."""
        value: Any = self.spec
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        kind = "initContainers" if self._of_init else "containers"
        return evidence(self.pod, f"spec.{kind}[{self.name}].{'.'.join(path)}", value)

    def probes(self, probe: str) -> Evidence:
        """The parameters of `livenessProbe` and the like, as one line without braces."""
        found = mapping(self.spec, probe)
        how = next((key for key in ("httpGet", "tcpSocket", "grpc", "exec") if key in found), "?")
        aim = mapping(found, how)
        place = f"{how} :{aim.get('port', '-')}{aim.get('path') or ''}" if how != "exec" else how
        rows = ("initialDelaySeconds", "periodSeconds", "timeoutSeconds", "failureThreshold")
        numbers = " ".join(f"{row}={found[row]}" for row in rows if row in found)
        kind = "initContainers" if self._of_init else "containers"
        return evidence(self.pod, f"spec.{kind}[{self.name}].{probe}", f"{place} {numbers}".strip() if found else None)

    @property
    def _of_init(self) -> bool:
        return any(text(row, "name") == self.name for row in items(self.pod, "status", "initContainerStatuses"))


def evidence(pod: Raw, path: str, value: object) -> Evidence:
    """A value at a path of the pod, masked and one line."""
    return Evidence(f"pod/{name_of(pod)}", path, "-" if value is None else shortened(mask(str(value)), 160))


def _specs(pod: Raw) -> list[Raw]:
    return [*items(pod, "spec", "containers"), *items(pod, "spec", "initContainers")]


def is_sidecar(pod: Raw, container: str) -> bool:
    """Whether an init container keeps running beside the others (`restartPolicy: Always`)."""
    return any(
        text(spec, "name") == container and text(spec, "restartPolicy") == "Always"
        for spec in items(pod, "spec", "initContainers")
    )


def is_done(pod: Raw, status: Raw) -> bool:
    """Whether an init container holds nothing up any more: it has ended well, or is a sidecar that has started."""
    if is_sidecar(pod, text(status, "name")):
        return flag(status, "started")
    return has(status, "state", "terminated") and number(status, "state", "terminated", "exitCode") == 0


def containers(pod: Raw, now_ms: int) -> Iterator[Container]:
    """Those that can be in trouble: init containers that are not done, sidecars, and the others. None of a pod that has
    ended and that its controller has replaced or counted, nor of one that is told to go: its containers are to end."""
    if text(pod, "metadata", "deletionTimestamp"):
        return
    if text(pod, "status", "phase") in ("Succeeded", "Failed") and controller_of(pod):
        return
    begun = any(has(status, "state", "running") for status in items(pod, "status", "containerStatuses"))
    for status in items(pod, "status", "initContainerStatuses"):
        # A sidecar that breaks later holds nothing up: the others run.
        if not is_done(pod, status):
            yield Container(pod, status, now_ms, init=not (begun and is_sidecar(pod, text(status, "name"))))
    for status in items(pod, "status", "containerStatuses"):
        yield Container(pod, status, now_ms)
