"""The services that the bot knows, and how they are looked up. Design section 9, "Catalog".

A catalog is immutable: what watching the cluster or reading the file brings makes a new one. All lookups
are by index, so that ten thousand services and thousands of messages a second are no burden.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from types import MappingProxyType
from typing import Final

from chatops_bot.domain import promql
from chatops_bot.domain.entities import KIND_OF_RESOURCE, Entity, Service
from chatops_bot.domain.normalise import clean, has_chinese

Nodes = Mapping[str, tuple[Service, ...]]
"""Nodes by lower-case name; the second index that `names.find` takes. See `index_nodes`."""

_CANDIDATES: Final = 64
_POSTINGS: Final = 600
"""How many names are counted when looking for alike ones: the rarest pairs of letters come first, so that
what nearly every name has in common (`svc`) is not even read."""
_ALIKE: Final = 0.6
_FIELDS: Final = frozenset(
    {
        *("name", "cluster", "namespace", "workload", "environment", "aliases", "owners", "runbooks", "alerts"),
        *("metrics", "watch"),
    }
)
_SHORT_KINDS: Final = {"deploy": "deployment", "sts": "statefulset", "ds": "daemonset", "ro": "rollout"}
_PARTS = re.compile(r"[a-z]+|\d+|[\u3400-\u9fff]+")


class CatalogError(ValueError):
    """A catalog that cannot be used. `problems` lists everything that is wrong, one sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class Catalog:
    """Services by name, alias and key. The same name in several places is allowed and means "ask".

    `clusters`, `namespaces` and `environments` are names known beyond those of the services (configured
    clusters, allowed namespaces), so that a place without a service is recognised in a text too. Raises
    `CatalogError` naming every pair of services that share one key.
    """

    __slots__ = (
        "_by_key",
        "_by_name",
        "_chinese",
        "_grams",
        "_phrases",
        "clusters",
        "environments",
        "first_characters",
        "namespaces",
        "services",
    )

    def __init__(
        self,
        services: Iterable[Service] = (),
        *,
        clusters: Iterable[str] = (),
        namespaces: Iterable[str] = (),
        environments: Iterable[str] = (),
    ) -> None:
        self.services = tuple(services)
        self._by_key = _unique(self.services)
        entities = [service.entity for service in self.services]
        self.clusters = _folded([*clusters, *(entity.cluster for entity in entities)])
        self.namespaces = _folded([*namespaces, *(entity.namespace for entity in entities)])
        self.environments = _folded([*environments, *(entity.environment for entity in entities)])
        self._by_name = _index_names(self.services)
        self._phrases = _index_phrases(self._by_name)
        self._chinese = _index_chinese(self._by_name)
        self.first_characters = _any_of(self._chinese)
        self._grams = _index_grams(self._by_name)

    def __len__(self) -> int:
        return len(self.services)

    def lookup(self, name: str) -> tuple[Service, ...]:
        """All services of exactly this name, alias or workload name, ignoring case."""
        return self._by_name.get(name.casefold(), ())

    def by_key(self, key: str) -> Service | None:
        """The service of an entity key (`cluster/namespace/kind/workload`)."""
        return self._by_key.get(key)

    def phrases_from(self, word: str) -> tuple[tuple[str, ...], ...]:
        """Names of several words that begin with this lower-case word, longest first, as words."""
        return self._phrases.get(word, ())

    def chinese_from(self, character: str) -> tuple[str, ...]:
        """Names with Chinese characters that begin with this character, longest first."""
        return self._chinese.get(character, ())

    def closest(self, text: str, n: int = 3) -> tuple[Service, ...]:
        """Up to `n` services whose names are most like `text`, best first; empty where nothing is alike.

        Beginning with or containing `text` counts as alike, and so do common parts of a name (`order` in
        `order-api`), then the similarity of letters.
        """
        wanted = text.casefold()
        scored = [(score, name) for name in self._candidates(wanted) if (score := _likeness(wanted, name)) >= _ALIKE]
        scored.sort(key=lambda pair: (-pair[0], pair[1]))
        found: dict[str, Service] = {}
        for _, name in scored:
            for service in self._by_name[name]:
                found.setdefault(service.entity.key, service)
            if len(found) >= n:
                break
        return tuple(found.values())[:n]

    def _candidates(self, wanted: str) -> list[str]:
        """Names that share the most pairs of letters with `wanted`: all that is worth comparing closely."""
        shared: Counter[str] = Counter()
        postings = sorted((self._grams.get(pair, ()) for pair in _pairs(wanted)), key=len)
        read = 0
        for names in postings:
            shared.update(names)
            read += len(names)
            if read >= _POSTINGS:
                break
        return [name for name, _ in shared.most_common(_CANDIDATES)]


def index_nodes(nodes: Iterable[Entity]) -> Nodes:
    """Nodes as the second index of `names.find`. Two clusters may have nodes of one name: then it asks."""
    index: dict[str, list[Service]] = defaultdict(list)
    for node in nodes:
        index[node.name.casefold()].append(Service(entity=node))
    return MappingProxyType({name: tuple(found) for name, found in index.items()})


def parse(entries: object, *, default_cluster: str, where: str = "services") -> list[Service]:
    """Services of the `services:` list of a catalog file or transcript.

    `where` is the path shown in errors. Raises `CatalogError` with every problem of every entry.
    """
    if entries is None:
        return []
    if not isinstance(entries, list):
        raise CatalogError([f"{where}: must be a list of services, not {_kind_of(entries)}"])
    services: list[Service] = []
    problems: list[str] = []
    for number, entry in enumerate(entries):
        path = f"{where}[{number}]"
        if not isinstance(entry, Mapping):
            problems.append(f"{path}: must be a mapping with name, namespace and workload")
            continue
        reader = _Entry(entry, path)
        service = reader.service(default_cluster)
        problems.extend(reader.problems)
        if service is not None:
            services.append(service)
    if not problems:
        try:
            _unique(services)
        except CatalogError as error:
            problems.extend(f"{where}: {problem}" for problem in error.problems)
    if problems:
        raise CatalogError(problems)
    return services


class _Entry:
    """Reads one entry of the file, collecting its problems instead of stopping at the first."""

    def __init__(self, entry: Mapping[object, object], path: str) -> None:
        self._entry = entry
        self._path = path
        self.problems: list[str] = []

    def service(self, default_cluster: str) -> Service | None:
        for key in self._entry:
            if key not in _FIELDS:
                self._wrong(str(key), f"is no field of a service; known are {', '.join(sorted(_FIELDS))}")
        name = self._text("name", required=True)
        namespace = self._text("namespace", required=True)
        resource, workload = self._workload()
        cluster = self._text("cluster") or default_cluster
        if not cluster:
            self._wrong("cluster", "is missing and there is no default cluster; name a configured one")
        environment = self._text("environment")
        aliases = tuple(clean(alias) for alias in self._texts("aliases"))
        owners, runbooks = self._texts("owners"), self._texts("runbooks")
        alerts, metrics, watch = self._labels(), self._metrics(), self._watch()
        if self.problems:
            return None
        return Service(
            entity=Entity(
                cluster=cluster,
                namespace=namespace,
                kind=KIND_OF_RESOURCE[resource],
                workload=workload,
                name=name,
                environment=environment,
            ),
            aliases=aliases,
            owners=owners,
            runbooks=runbooks,
            alerts=alerts,
            metrics=metrics,
            watch=watch,
        )

    def _wrong(self, field: str, problem: str) -> None:
        self.problems.append(f"{self._path}.{field}: {problem}")

    def _text(self, field: str, *, required: bool = False) -> str:
        value = self._entry.get(field)
        if value is None or value == "":
            if required:
                self._wrong(field, "is missing; every service needs one")
            return ""
        if isinstance(value, bool) or not isinstance(value, str | int):
            self._wrong(field, f"must be a text, not {_kind_of(value)}")
            return ""
        return str(value).strip()

    def _texts(self, field: str) -> tuple[str, ...]:
        value = self._entry.get(field)
        if value is None:
            return ()
        if not isinstance(value, list) or not all(
            isinstance(item, str | int) and not isinstance(item, bool) and str(item).strip() for item in value
        ):
            self._wrong(field, "must be a list of texts, such as [one, two]")
            return ()
        return tuple(str(item).strip() for item in value)

    def _workload(self) -> tuple[str, str]:
        value = self._text("workload", required=True)
        resource, slash, workload = value.partition("/")
        resource = _SHORT_KINDS.get(resource.lower(), resource.lower())
        if value and (not slash or not workload or resource not in KIND_OF_RESOURCE or resource == "node"):
            kinds = "deployment, statefulset, daemonset or rollout"
            self._wrong("workload", f"must be KIND/NAME with {kinds} as kind, not {value!r}")
        return resource, workload

    def _labels(self) -> dict[str, str]:
        value = self._entry.get("alerts")
        if value is None:
            return {}
        if not isinstance(value, Mapping) or not all(
            isinstance(item, str | int) and not isinstance(item, bool) for item in value.values()
        ):
            self._wrong("alerts", "must be a mapping of label names to values, such as {service: payment}")
            return {}
        return {str(label): str(item) for label, item in value.items()}

    def _watch(self) -> bool:
        value = self._entry.get("watch", False)
        if not isinstance(value, bool):
            self._wrong("watch", f"must be true or false, not {_kind_of(value)}")
            return False
        return value

    def _metrics(self) -> dict[str, str]:
        value = self._entry.get("metrics")
        if value is None:
            return {}
        if not isinstance(value, Mapping) or not all(isinstance(item, str) for item in value.values()):
            self._wrong(
                "metrics", "must be a mapping of names to queries, such as {requests: 'sum(rate(x{$where}[$window]))'}"
            )
            return {}
        for name, template in value.items():
            if problem := promql.problem_of(template):
                self._wrong(f"metrics.{name}", problem)
        return {str(name): template for name, template in value.items()}


def _kind_of(value: object) -> str:
    if isinstance(value, Mapping):
        return "a mapping"
    return {"list": "a list", "str": "a text", "bool": "yes or no"}.get(type(value).__name__, "a number")


def _unique(services: Iterable[Service]) -> dict[str, Service]:
    by_key: dict[str, Service] = {}
    problems = []
    for service in services:
        other = by_key.setdefault(service.entity.key, service)
        if other is not service:
            names = f"{other.entity.name!r} and {service.entity.name!r}"
            problems.append(f"two services ({names}) are the same workload {service.entity.key}; keep one")
    if problems:
        raise CatalogError(problems)
    return by_key


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.casefold() for name in names if name)


def _index_names(services: tuple[Service, ...]) -> dict[str, tuple[Service, ...]]:
    index: dict[str, dict[str, Service]] = defaultdict(dict)
    for service in services:
        for name in (service.entity.name, *service.aliases, service.entity.workload):
            index[name.casefold()][service.entity.key] = service
    return {name: tuple(found.values()) for name, found in index.items()}


def _index_phrases(names: Iterable[str]) -> dict[str, tuple[tuple[str, ...], ...]]:
    index: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for name in names:
        words = tuple(name.split())
        if len(words) > 1 and not has_chinese(name):
            index[words[0]].append(words)
    return {first: tuple(sorted(found, key=len, reverse=True)) for first, found in index.items()}


def _index_chinese(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    index: dict[str, list[str]] = defaultdict(list)
    for name in names:
        if has_chinese(name):
            index[name[0]].append(name)
    return {first: tuple(sorted(found, key=len, reverse=True)) for first, found in index.items()}


def _any_of(characters: Iterable[str]) -> re.Pattern[str] | None:
    """One compiled class of characters, so that looking for the first of a name is one scan in C."""
    inside = "".join(re.escape(character) for character in characters)
    return re.compile(f"[{inside}]") if inside else None


def _pairs(name: str) -> set[str]:
    letters = "".join(_PARTS.findall(name))
    if len(letters) < 2:
        return {letters} if letters else set()
    return {letters[i : i + 2] for i in range(len(letters) - 1)}


def _index_grams(names: Iterable[str]) -> dict[str, tuple[str, ...]]:
    index: dict[str, list[str]] = defaultdict(list)
    for name in names:
        for pair in _pairs(name):
            index[pair].append(name)
    return {pair: tuple(found) for pair, found in index.items()}


def _likeness(wanted: str, name: str) -> float:
    if len(wanted) >= 2 and name.startswith(wanted):
        return 2.0 + len(wanted) / len(name)
    if len(wanted) >= 3 and (wanted in name or (len(name) >= 3 and name in wanted)):
        return 1.0 + min(len(wanted), len(name)) / max(len(wanted), len(name))
    parts = set(_PARTS.findall(wanted)) & set(_PARTS.findall(name))
    common = max((len(part) for part in parts), default=0)
    ratio = SequenceMatcher(None, wanted, name, autojunk=False).ratio()
    return max(ratio, 0.6 + ratio / 10) if common >= 4 else ratio
