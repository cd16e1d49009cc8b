"""The transcript's `cluster:` section, checked before anything of it is carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from chatops_bot.adapters.sandbox.objects import Json
from chatops_bot.adapters.sandbox.troubles import TROUBLES, Trouble

KINDS: Final = ("Deployment", "StatefulSet", "DaemonSet")
# Pods in these states are no longer counted by a Deployment, which has made others in their place.
LEFTOVERS: Final = {"Evicted", "Terminating"}


@dataclass(frozen=True, slots=True)
class WorkloadSeed:
    """One entry of `workloads`. None: not said, so left as it is (or, for a new one, the usual).

    `hpa` is (min, max); `pdb` the field of the budget's spec and its value; `removed` names what was set to null.
    """

    kind: str
    namespace: str
    name: str
    replicas: int | None = None
    image: str | None = None
    pods: tuple[Trouble, ...] | None = None
    revisions: tuple[str, ...] = ()
    hpa: tuple[int, int] | None = None
    pdb: Mapping[str, int | str] | None = None
    paused: bool | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    annotations: Mapping[str, str] = field(default_factory=dict)
    logs: str | None = None
    removed: frozenset[str] = frozenset()
    path: str = "cluster"

    @property
    def leftovers(self) -> tuple[Trouble, ...]:
        """Of a Deployment, the listed pods that come on top of its replicas."""
        listed = self.pods or ()
        return tuple(state for state in listed if state in LEFTOVERS) if self.kind == "Deployment" else ()

    @property
    def counted(self) -> tuple[Trouble, ...]:
        listed = self.pods or ()
        return tuple(state for state in listed if state not in LEFTOVERS) if self.kind == "Deployment" else listed


@dataclass(frozen=True, slots=True)
class NodeSeed:
    name: str
    ready: bool | None = None
    unschedulable: bool | None = None


@dataclass(frozen=True, slots=True)
class ClusterSeed:
    workloads: tuple[WorkloadSeed, ...] = ()
    nodes: tuple[NodeSeed, ...] = ()
    objects: tuple[Json, ...] = ()


def read(head: Mapping[str, Any]) -> ClusterSeed:
    """Raises ValueError that names the place, as in `cluster.workloads[1].replicas: …`."""
    top = _Section(head, "cluster")
    seed = ClusterSeed(
        tuple(_workload(item) for item in top.sections("workloads")),
        tuple(_node(item) for item in top.sections("nodes")),
        tuple(_object(item) for item in top.sections("objects")),
    )
    top.finish()
    return seed


def _wrong(path: str, why: str) -> ValueError:
    return ValueError(f"{path}: {why}")


class _Section:
    """A mapping of the file: hands out its fields by type, and knows where it stands."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, Mapping):
            raise _wrong(path, f"must be a mapping, not {_shown(value)}")
        self.value: Mapping[str, Any] = value
        self.path = path
        self._asked: set[str] = set()

    def _take(self, key: str) -> Any:
        self._asked.add(key)
        return self.value.get(key)

    def wrong(self, key: str, why: str) -> ValueError:
        return _wrong(f"{self.path}.{key}", why)

    def text(self, key: str, *, needed: bool = False) -> str | None:
        value = self._take(key)
        if value is None and not needed:
            return None
        if not isinstance(value, str) or (needed and not value):
            raise self.wrong(key, f"must be a text, not {_shown(value)}")
        return value

    def name(self, key: str, *, default: str = "") -> str:
        return self.text(key, needed=not default) or default

    def number(self, key: str, *, least: int = 0) -> int | None:
        value = self._take(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise self.wrong(key, f"must be a whole number of at least {least}, not {_shown(value)}")
        return value

    def flag(self, key: str) -> bool | None:
        value = self._take(key)
        if value is not None and not isinstance(value, bool):
            raise self.wrong(key, f"must be true or false, not {_shown(value)}")
        return value

    def choices(self, key: str, allowed: Sequence[str]) -> tuple[str, ...] | None:
        value = self._take(key)
        if value is None:
            return None
        items = self._list(key, value)
        for index, item in enumerate(items):
            if item not in allowed:
                raise self.wrong(f"{key}[{index}]", f"{_shown(item)} is none of {', '.join(allowed)}")
        return tuple(items)

    def texts(self, key: str) -> tuple[str, ...]:
        items = self._list(key, self._take(key) or [])
        for index, item in enumerate(items):
            if not isinstance(item, str) or not item:
                raise self.wrong(f"{key}[{index}]", f"must be a text, not {_shown(item)}")
        return tuple(items)

    def _list(self, key: str, value: object) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise self.wrong(key, f"must be a list, not {_shown(value)}")
        return list(value)

    def sections(self, key: str) -> list[_Section]:
        value = self._take(key)
        items = [] if value is None else self._list(key, value)
        return [_Section(item, f"{self.path}.{key}[{index}]") for index, item in enumerate(items)]

    def section(self, key: str) -> _Section | None:
        value = self._take(key)
        return None if value is None else _Section(value, f"{self.path}.{key}")

    def mapping(self, key: str) -> dict[str, str]:
        inner = self.section(key)
        if inner is None:
            return {}
        for name, value in inner.value.items():
            if not isinstance(value, str | int | float | bool):
                raise inner.wrong(str(name), f"must be a text, not {_shown(value)}")
        return {str(name): _scalar(value) for name, value in inner.value.items()}

    def nulls(self, *keys: str) -> frozenset[str]:
        return frozenset(key for key in keys if key in self.value and self.value[key] is None)

    def finish(self) -> None:
        """Raises for fields that nobody asked for: a typing mistake must not go unnoticed."""
        for key in self.value:
            if key not in self._asked:
                raise self.wrong(str(key), f"is not known here; known are {', '.join(sorted(self._asked))}")


def _scalar(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _shown(value: object) -> str:
    return "nothing" if value is None else repr(value)


def _workload(section: _Section) -> WorkloadSeed:
    kind = section.name("kind")
    if kind not in KINDS:
        raise section.wrong("kind", f"{kind!r} is none of {', '.join(KINDS)}")
    seed = WorkloadSeed(
        kind=kind,
        namespace=section.name("namespace", default="default"),
        name=section.name("name"),
        replicas=section.number("replicas"),
        image=section.text("image"),
        pods=section.choices("pods", TROUBLES),  # type: ignore[arg-type]
        revisions=section.texts("revisions"),
        hpa=_bounds(section),
        pdb=_budget(section),
        paused=section.flag("paused"),
        labels=section.mapping("labels"),
        annotations=section.mapping("annotations"),
        logs=section.text("logs"),
        removed=section.nulls("hpa", "pdb"),
        path=section.path,
    )
    if seed.paused and kind != "Deployment":
        raise section.wrong("paused", f"only a Deployment can be paused, not a {kind}")
    if seed.hpa is not None and kind == "DaemonSet":
        raise section.wrong("hpa", "a DaemonSet cannot be scaled")
    section.finish()
    _check_pods(section, seed)
    return seed


def _check_pods(section: _Section, seed: WorkloadSeed) -> None:
    if seed.pods is None or seed.replicas is None or seed.kind == "DaemonSet":
        return
    if len(seed.counted) > seed.replicas:
        raise section.wrong("pods", f"{len(seed.counted)} pods are listed for {seed.replicas} replicas")


def _bounds(section: _Section) -> tuple[int, int] | None:
    inner = section.section("hpa")
    if inner is None:
        return None
    low, high = inner.number("min", least=1), inner.number("max", least=1)
    inner.finish()
    if high is None:
        raise inner.wrong("max", "must be given")
    if low is not None and low > high:
        raise inner.wrong("min", f"must not be more than max, {high}")
    return (low if low is not None else 1), high


_BUDGET_FIELDS = {"min_available": "minAvailable", "max_unavailable": "maxUnavailable"}


def _budget(section: _Section) -> dict[str, int | str] | None:
    inner = section.section("pdb")
    if inner is None:
        return None
    found: dict[str, int | str] = {}
    for key, spec_field in _BUDGET_FIELDS.items():
        value = inner.value.get(key)
        if isinstance(value, str) and value.endswith("%") and value[:-1].isdigit():
            inner.text(key)
            found[spec_field] = value
        elif (number := inner.number(key)) is not None:
            found[spec_field] = number
    inner.finish()
    if len(found) != 1:
        raise _wrong(inner.path, "must have one of min_available and max_unavailable")
    return found


def _node(section: _Section) -> NodeSeed:
    seed = NodeSeed(section.name("name"), section.flag("ready"), section.flag("unschedulable"))
    section.finish()
    return seed


def _object(section: _Section) -> Json:
    section.name("apiVersion")
    section.name("kind")
    metadata = section.section("metadata")
    if metadata is None:
        raise section.wrong("metadata", "must be given")
    metadata.name("name")
    metadata.text("namespace")
    return dict(section.value)
