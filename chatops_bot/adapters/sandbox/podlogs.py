"""What containers print: given texts, or a few plausible lines, served as the kubelet serves them."""

from __future__ import annotations

from dataclasses import dataclass, field

from chatops_bot.adapters.sandbox.objects import Json, namespace_of, uid_of
from chatops_bot.adapters.sandbox.timeline import nano_stamp

_CRASH = "fatal: unhandled error, giving up\nexit status 1"
_OUT_OF_MEMORY = "allocating buffers for the next batch"


@dataclass(slots=True)
class ContainerLog:
    """Lines with the epoch second each was printed at."""

    lines: list[tuple[float, str]] = field(default_factory=list)

    def print(self, text: str, *, at: float) -> None:
        """Append `text` as printed over the seconds up to `at`, one line a second."""
        lines = text.splitlines()
        self.lines += [(at - len(lines) + index + 1, line) for index, line in enumerate(lines)]


@dataclass(slots=True)
class PodLogs:
    """Logs by pod, container and whether they are of the run before the last restart.

    `texts` says what containers print when they start, by namespace and container name.
    """

    texts: dict[tuple[str, str], str] = field(default_factory=dict)
    _logs: dict[tuple[str, str, bool], ContainerLog] = field(default_factory=dict)

    def of(self, pod: Json, container: str, *, previous: bool = False) -> ContainerLog:
        return self._logs.setdefault((uid_of(pod), container, previous), ContainerLog())

    def start(self, pod: Json, *, at: float) -> None:
        """The pod's containers start at `at`, and print what they print."""
        for container in pod["spec"]["containers"]:
            name = container["name"]
            text = self.texts.get((namespace_of(pod), name), f"starting {name}\n{name} is ready")
            self.of(pod, name).print(text, at=at)

    def crash(self, pod: Json, *, at: float, oom: bool) -> None:
        """The pod's first container has crashed at `at`: what it printed is now both its log and its previous one."""
        name = pod["spec"]["containers"][0]["name"]
        given = self.texts.get((namespace_of(pod), name))
        text = given or f"starting {name}\n" + (_OUT_OF_MEMORY if oom else _CRASH)
        for previous in (False, True):
            log = self.of(pod, name, previous=previous)
            log.lines.clear()
            log.print(text, at=at)

    def forget(self, pod: Json) -> None:
        for key in [key for key in self._logs if key[0] == uid_of(pod)]:
            del self._logs[key]


@dataclass(frozen=True, slots=True)
class LogOptions:
    """`since` is an epoch second; None leaves each limit out."""

    tail: int | None = None
    since: float | None = None
    limit_bytes: int | None = None
    timestamps: bool = False


def render(log: ContainerLog, options: LogOptions) -> bytes:
    """The log as one body. As with the kubelet, `limit_bytes` cuts the end, so the newest lines are lost."""
    lines = [(at, line) for at, line in log.lines if options.since is None or at >= options.since]
    if options.tail is not None:
        lines = lines[max(0, len(lines) - options.tail) :]
    texts = [f"{nano_stamp(at)} {line}\n" if options.timestamps else f"{line}\n" for at, line in lines]
    return "".join(texts).encode()[: options.limit_bytes]
