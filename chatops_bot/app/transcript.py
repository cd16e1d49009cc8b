"""Transcripts: a group chat as a file, read with every problem named by its place."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import msgspec

from chatops_bot.app import alerts
from chatops_bot.app.yaml_file import YamlError, read_yaml
from chatops_bot.domain import catalog, policy_file
from chatops_bot.domain.entities import Service
from chatops_bot.domain.oncall import OnCall
from chatops_bot.domain.policy import Policy
from chatops_bot.domain.policy_file import PolicyError
from chatops_bot.domain.routing import Listen

DAY: Final = datetime(2026, 1, 5, tzinfo=UTC)
"""The day on which every transcript plays."""

START: Final = "10:00:00"
STEP: Final = timedelta(seconds=5)
CLUSTER: Final = "sandbox"

PRINTED: Final = (
    "turn",
    "ignored",
    "thread",
    "state",
    "route",
    "intents",
    "service",
    "namespace",
    "slots",
    "plan",
    "executed",
    "refused",
    "reply",
    "buttons",
    "cited",
    "model_tokens",
)
"""Keys of the object printed for each turn."""

_EVENTS: Final = ("say", "click", "alert")
"""Turns that deliver something, which can be delivered again."""

_ACTS: Final = ("say", "click", "alert", "cluster", "policy", "down", "up", "restart", "redeliver")
_TURN_KEYS: Final = frozenset({"id", "at", "from", "on", "value", "as_of", "reply_to", "room", "expect", *_ACTS})
_HEAD_KEYS: Final = frozenset(
    {"version", "name", "listen", "services", "cluster", "policy", "links", "oncall", "turns"}
)
_AFTER = re.compile(r"\+(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_TIME = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?")
_NAMING: Final = ("id", "from", "on", "value", "as_of", "reply_to", "room")
"""Keys of a turn whose values are names."""


def alert_body(what: Mapping[str, Any]) -> bytes:
    """The webhook body of an alert turn. What every Alertmanager sends may be left out: the version, and the key
    of the group, which is then that of its labels or of the names of its alerts."""
    listed = what.get("alerts")
    labels = [alert.get("labels") for alert in listed if isinstance(alert, Mapping)] if isinstance(listed, list) else []
    names = sorted({str(label.get("alertname", "")) for label in labels if isinstance(label, Mapping)})
    key = json.dumps(what.get("groupLabels") or names, default=str)
    return json.dumps({"version": "4", "groupKey": key, **what}, default=str).encode()


class TranscriptError(ValueError):
    """A file that cannot be used; `problems` say where and what, one sentence each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One turn. `act` is the key of what happens, `what` its value; `after_s` is since the last turn, `clock_s`
    a time of the day, of which one is set."""

    id: str
    act: str
    what: Any
    user: str = ""
    after_s: float | None = None
    clock_s: float | None = None
    on: str = ""
    value: str = ""
    as_of: str = ""
    reply_to: str = ""
    room: str = "ops"
    expect: dict[str, Any] = {}


class Transcript(msgspec.Struct, frozen=True, omit_defaults=True):
    """A file, checked."""

    path: str
    name: str
    listen: Listen
    services: tuple[Service, ...]
    cluster: dict[str, Any]
    policy: Policy
    turns: tuple[Turn, ...]
    links: dict[str, str] = {}
    """Rooms that incidents may be shown in beside their own, by name."""
    oncall: OnCall = OnCall()
    """Whom hand-offs call: people by their names."""

    @property
    def cluster_names(self) -> tuple[str, ...]:
        """Names by which its services call the sandbox; the first is that of unlisted workloads."""
        named = dict.fromkeys(service.entity.cluster for service in self.services)
        return tuple(named) or (CLUSTER,)


def read(path: Path) -> Transcript:
    """Raises `TranscriptError` with every problem of the file."""
    try:
        raw = read_yaml(path)
    except YamlError as error:
        raise TranscriptError([str(error)]) from None
    if not isinstance(raw, Mapping):
        raise TranscriptError([f"{path}: must be a mapping with version and turns"])
    return _Reader(str(path), raw).transcript()


def policy_of(entry: object, users: set[str], where: str = "policy") -> Policy:
    """The policy of a section; an absent or empty one lets everybody do everything. Raises `PolicyError`."""
    return policy_file.parse(entry, where=where, users=users) if entry else Policy.open()


class _Reader:
    """Collects problems instead of stopping at the first."""

    def __init__(self, path: str, raw: Mapping[str, Any]) -> None:
        self._path = path
        self._raw = raw
        self.problems: list[str] = []

    def transcript(self) -> Transcript:
        raw = self._raw
        for key in raw:
            if key not in _HEAD_KEYS:
                self._wrong(str(key), f"is no key of a transcript; known are {', '.join(sorted(_HEAD_KEYS))}")
        if raw.get("version") != 1:
            self._wrong("version", f"must be 1, not {raw.get('version')!r}")
        listen = raw.get("listen", "mentions")
        if listen not in ("mentions", "all"):
            self._wrong("listen", f"must be mentions or all, not {listen!r}")
        services = self._services()
        cluster = raw.get("cluster") or {}
        if not isinstance(cluster, dict):
            self._wrong("cluster", "must be a mapping with workloads, nodes or objects")
        turns = self._turns()
        links = raw.get("links") or {}
        if not isinstance(links, dict) or not all(isinstance(part, str) for item in links.items() for part in item):
            self._wrong("links", "must be a mapping of names to rooms")
        oncall = self._oncall()
        policy = self._policy({turn.user for turn in turns if turn.user})
        if self.problems:
            raise TranscriptError(self.problems)
        return Transcript(
            path=self._path,
            name=str(raw.get("name", "")),
            listen="all" if listen == "all" else "mentions",
            services=tuple(services),
            cluster=cluster,
            policy=policy,
            turns=turns,
            links=links,
            oncall=oncall,
        )

    def _wrong(self, where: str, problem: str) -> None:
        self.problems.append(f"{self._path}: {where}: {problem}")

    def _services(self) -> list[Service]:
        try:
            return catalog.parse(self._raw.get("services"), default_cluster=CLUSTER)
        except catalog.CatalogError as error:
            self.problems += [f"{self._path}: {problem}" for problem in error.problems]
            return []

    def _oncall(self) -> OnCall:
        try:
            return msgspec.convert(self._raw.get("oncall") or {}, OnCall)
        except msgspec.ValidationError as error:
            self._wrong("oncall", str(error))
            return OnCall()

    def _policy(self, users: set[str]) -> Policy:
        try:
            return policy_of(self._raw.get("policy"), users)
        except PolicyError as error:
            self.problems += [f"{self._path}: {problem}" for problem in error.problems]
            return Policy.closed()

    def _turns(self) -> tuple[Turn, ...]:
        raw = self._raw.get("turns")
        if not isinstance(raw, list) or not raw:
            self._wrong("turns", "must be a list of at least one turn")
            return ()
        turns: list[Turn] = []
        known: dict[str, str] = {}
        for number, entry in enumerate(raw):
            where = f"turns[{number}]"
            if not isinstance(entry, Mapping):
                self._wrong(where, "must be a mapping")
                continue
            turn = self._turn(entry, where, number, known)
            if turn is not None:
                if turn.id in known:
                    self._wrong(f"{where}.id", f"{turn.id!r} is the id of an earlier turn")
                known[turn.id] = turn.act
                turns.append(turn)
        return tuple(turns)

    def _turn(self, entry: Mapping[Any, Any], where: str, number: int, known: dict[str, str]) -> Turn | None:
        for key in entry:
            if key not in _TURN_KEYS:
                self._wrong(f"{where}.{key}", f"is no key of a turn; known are {', '.join(sorted(_TURN_KEYS))}")
        for key in _NAMING:
            if key in entry and (isinstance(entry[key], bool) or not isinstance(entry[key], str | int)):
                self._wrong(f"{where}.{key}", f"must be a name, not {entry[key]!r}")
        acts = [act for act in _ACTS if act in entry]
        if len(acts) != 1:
            self._wrong(where, f"must have exactly one of {', '.join(_ACTS)}")
            return None
        act = acts[0]
        user = str(entry.get("from", ""))
        if act in ("say", "click") and not user:
            self._wrong(f"{where}.from", f"is missing; somebody must {act}")
        if act not in ("say", "click") and user:
            self._wrong(f"{where}.from", "goes with say and click only")
        self._references(entry, where, act, known)
        self._content(entry[act], f"{where}.{act}", act)
        after_s, clock_s = self._time(entry.get("at"), f"{where}.at")
        return Turn(
            id=str(entry.get("id", number + 1)),
            act=act,
            what=entry[act],
            user=user,
            after_s=after_s,
            clock_s=clock_s,
            on=str(entry.get("on", "")),
            value=str(entry.get("value", "")),
            as_of=str(entry.get("as_of", "")),
            reply_to=str(entry.get("reply_to", "")),
            room=str(entry.get("room", "ops")),
            expect=self._expect(entry.get("expect"), f"{where}.expect"),
        )

    def _expect(self, expect: Any, where: str) -> dict[str, Any]:
        if expect is None:
            return {}
        if not isinstance(expect, dict):
            self._wrong(where, "must be a mapping")
            return {}
        for key in expect:
            if key not in PRINTED:
                self._wrong(f"{where}.{key}", f"is not printed; known are {', '.join(PRINTED)}")
        return expect

    def _references(self, entry: Mapping[Any, Any], where: str, act: str, known: dict[str, str]) -> None:
        wanted = {"on": act == "click", "as_of": False, "value": False, "reply_to": False}
        fits = {"on": ("click",), "as_of": ("click",), "value": ("click",), "reply_to": ("say",)}
        for key, needed in wanted.items():
            if key in entry and act not in fits[key]:
                self._wrong(f"{where}.{key}", f"goes with {fits[key][0]} only")
            elif needed and key not in entry:
                self._wrong(f"{where}.{key}", "is missing; a click is on the card of a turn")
        named = [entry[key] for key in ("on", "as_of", "reply_to") if key in entry]
        if act == "redeliver":
            named.append(entry[act])
            if known.get(str(entry[act]), "say") not in _EVENTS:
                self._wrong(where, f"redelivers turn {str(entry[act])!r}, which is none of {', '.join(_EVENTS)}")
        for name in named:
            if str(name) not in known:
                self._wrong(where, f"speaks of turn {str(name)!r}, which is no earlier turn")

    def _content(self, what: Any, where: str, act: str) -> None:
        if act in ("say", "click") and (not isinstance(what, str) or not what.strip()):
            self._wrong(where, "must be a text")
        elif act in ("alert", "cluster", "policy") and not isinstance(what, Mapping):
            self._wrong(where, "must be a mapping")
        elif act == "alert":
            try:
                alerts.parse(alert_body(what))
            except alerts.AlertBodyError as error:
                self._wrong(where, str(error))
        elif act in ("down", "up") and what not in ("redis", "cluster"):
            self._wrong(where, f"must be redis or cluster, not {what!r}")
        elif act == "restart" and what is not True:
            self._wrong(where, "must be true")

    def _time(self, at: Any, where: str) -> tuple[float | None, float | None]:
        if at is None:
            return STEP.total_seconds(), None
        text = str(at).strip()
        if match := _AFTER.fullmatch(text):
            return float(match[1]) * _UNITS[match[2]], None
        if match := _TIME.fullmatch(text):
            return None, int(match[1]) * 3600 + int(match[2]) * 60 + float(match[3] or 0)
        self._wrong(where, f"must be a time of day (10:01:00) or a delay (+90s), not {at!r}")
        return None, None
