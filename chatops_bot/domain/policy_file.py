"""Reads the `policy` section of the configuration or of a transcript, with every problem found at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from chatops_bot.domain.freezes import Freeze
from chatops_bot.domain.identity import alike
from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.memberships import SOURCES
from chatops_bot.domain.people import PLATFORMS, People, mistakes
from chatops_bot.domain.policy import Limits, Policy, Rule
from chatops_bot.domain.risks import Risk
from chatops_bot.domain.scopes import EVERYBODY, PLACES, READS
from chatops_bot.domain.windows import Window

_PEOPLE: Final = ("request", "confirm", "approve", "escalate")
_FIELDS: Final = ("actions", *PLACES, *_PEOPLE, "escalate_after", "approvals", "self_approve", "limits", "risk")
_DURATION: Final = re.compile(r"([1-9][0-9]{0,5})([smh])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3600}
_FREEZE_FIELDS: Final = ("name", "starts", "ends", "timezone", "actions", *PLACES, "override", "why")


class PolicyError(ValueError):
    """A policy that cannot be used. `problems` lists everything that is wrong, one sentence each."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


def parse(mapping: object, *, where: str = "policy", users: Iterable[str] = ()) -> Policy:
    """The policy of a decoded YAML mapping; nothing in it is a policy without rules.

    `where` is the path shown in problems; `users` are names known on the console, none of which may be a group.
    Raises `PolicyError`.
    """
    reader = _Reader()
    policy = reader.policy(mapping, where, frozenset(users))
    if reader.problems:
        raise PolicyError(reader.problems)
    return policy


class _Values:
    """Values of one kind each. Collects problems instead of stopping at the first."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def _scope(self, entry: Mapping[str, object], field: str, path: str) -> tuple[str, ...] | None:
        if field not in entry:
            return None
        values = self._texts(entry[field], f"{path}.{field}")
        if entry[field] == []:
            self._wrong(f"{path}.{field}", "is empty, so the rule could never match; leave it out to mean all")
        for value in values:
            if EVERYBODY in value and value != EVERYBODY:
                self._wrong(f"{path}.{field}", f'{value!r}: patterns are not understood; name each, or "*" for all')
        return values

    def _people(self, value: object, path: str, *, outside: bool = False) -> tuple[str, ...]:
        """Entries; with `outside`, those of groups that a platform keeps may be among them."""
        people = self._texts(value, path)
        for entry in people:
            platform, colon, name = entry.partition(":")
            if platform in SOURCES and name and entry.isprintable() and " " not in entry:
                if not outside:
                    self._wrong(path, f"{entry!r} is a platform's group; put it into one of groups, and name that here")
                continue
            if not entry.isprintable() or (colon and " " in entry):
                self._wrong(path, f"{entry!a} names nobody: no id has a space or an invisible character")
            elif colon and (platform not in PLATFORMS or not name):
                known = ", ".join(f"{known}:ID" for known in (*PLATFORMS, *(SOURCES if outside else ())))
                self._wrong(path, f"{entry!r} names nobody; write {known}, or a bare name for the console")
        return tuple(map(_as_compared, people))

    def _mapping(self, value: object, path: str, known: tuple[str, ...] = ()) -> dict[str, object]:
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            self._wrong(path, f"must be a mapping, not {_kind(value)}")
            return {}
        for key in value:
            if known and key not in known:
                self._wrong(f"{path}.{key}", f"is not known here; known are {', '.join(known)}")
            elif not isinstance(key, str):
                self._wrong(f"{path}.{key}", "is read as a number or yes/no; put the name in quotes")
        return {str(key): item for key, item in value.items()}

    def _texts(self, value: object, path: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            self._wrong(path, f"must be a list such as [sre], not {_kind(value)}")
            return ()
        for item in value:
            if not isinstance(item, str):
                self._wrong(path, f"{item!r} is read as {_kind(item)}; put it in quotes")
            elif not item.strip():
                self._wrong(path, "has an empty entry; remove it")
        return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())

    def _text(self, entry: Mapping[str, object], field: str, path: str, *, default: str | None = None) -> str:
        """One text; without a default it must be there."""
        value = entry.get(field, default)
        if isinstance(value, str) and (value.strip() or default is not None):
            return value.strip()
        missing = f"{path}.{field}", "is missing" if value is None else f"must be a text, not {_kind(value)}"
        self._wrong(*missing)
        return ""

    def _count(self, entry: Mapping[str, object], field: str, path: str) -> int | None:
        value = entry.get(field)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self._wrong(f"{path}.{field}", f"must be a whole number from 0 on, not {value!r}")
            return None
        return value

    def _duration(self, entry: Mapping[str, object], field: str, path: str) -> int:
        """Seconds, written with their unit; 0 where nothing is said."""
        value = entry.get(field)
        if value is None:
            return 0
        written = _DURATION.fullmatch(value) if isinstance(value, str) else None
        if written is None:
            self._wrong(f"{path}.{field}", f"must be a time with its unit, such as 15m, 90s or 2h, not {value!r}")
            return 0
        return int(written[1]) * _UNITS[written[2]]

    def _flag(self, entry: Mapping[str, object], field: str, path: str) -> bool:
        value = entry.get(field, False)
        if not isinstance(value, bool):
            self._wrong(f"{path}.{field}", f"must be true or false, not {value!r}")
        return value is True

    def _wrong(self, path: str, problem: str) -> None:
        self.problems.append(f"{path}: {problem}")


class _Reader(_Values):
    """The parts of a policy."""

    def policy(self, mapping: object, where: str, users: frozenset[str]) -> Policy:
        section = self._mapping(mapping, where, ("people", "groups", "rules", "freezes"))
        accounts = self._accounts(section.get("people"), f"{where}.people")
        groups = self._groups(section.get("groups"), f"{where}.groups")
        rules = tuple(self._rule(rule, path) for rule, path in self._listed(section, "rules", where))
        freezes = tuple(self._freeze(freeze, path) for freeze, path in self._listed(section, "freezes", where))
        self._same_names(freezes, f"{where}.freezes")
        self._ambiguous(groups, users, f"{where}.groups")
        for name, problem in mistakes(accounts, groups=groups, users=users):
            self._wrong(f"{where}.people.{name}", problem)
        return Policy(people=People(accounts), groups=groups, rules=rules, freezes=freezes)

    def _listed(self, section: Mapping[str, object], field: str, where: str) -> Iterator[tuple[object, str]]:
        listed = section.get(field)
        if listed is not None and not isinstance(listed, list):
            self._wrong(f"{where}.{field}", f"must be a list of {field}, not {_kind(listed)}")
            return
        yield from ((entry, f"{where}.{field}[{number}]") for number, entry in enumerate(listed or ()))

    def _accounts(self, value: object, path: str) -> dict[str, tuple[str, ...]]:
        listed = self._mapping(value, path)
        return {name: self._people(accounts, f"{path}.{name}") for name, accounts in listed.items()}

    def _groups(self, value: object, path: str) -> dict[str, tuple[str, ...]]:
        groups: dict[str, tuple[str, ...]] = {}
        for name, members in self._mapping(value, path).items():
            if not name or name == EVERYBODY or ":" in name:
                self._wrong(f"{path}.{name}", "is no name for a group; use a plain word such as sre")
            people = self._people(members, f"{path}.{name}", outside=True)
            if EVERYBODY in people:
                self._wrong(f"{path}.{name}", 'a group lists people; write "*" into the rule instead')
            groups[name] = people
        return groups

    def _ambiguous(self, groups: Mapping[str, tuple[str, ...]], users: frozenset[str], path: str) -> None:
        members = {member for people in groups.values() for member in people}
        for name in groups:
            if name in users or name in members:
                self._wrong(f"{path}.{name}", "is both a group and a person (groups do not nest); rename the group")

    def _rule(self, value: object, path: str) -> Rule:
        entry = self._mapping(value, path, _FIELDS)
        people = {field: self._people(entry.get(field), f"{path}.{field}") for field in _PEOPLE if field in entry}
        rule = Rule(
            actions=self._actions(entry, path),
            **{scope: self._scope(entry, scope, path) for scope in PLACES},
            request=people.get("request", (EVERYBODY,)),
            confirm=people.get("confirm", ()),
            approve=people.get("approve"),
            approvals=self._count(entry, "approvals", path) or 0,
            self_approve=self._flag(entry, "self_approve", path),
            limits=self._limits(entry.get("limits"), f"{path}.limits"),
            escalate=people.get("escalate", ()),
            escalate_after=self._duration(entry, "escalate_after", path),
            risk=self._risk(entry, path),
        )
        if rule.approvals and not rule.people("approve"):
            self._wrong(f"{path}.approvals", "asks for approvals that nobody may give; fill approve or confirm")
        self._escalation(entry, rule, path)
        return rule

    def _escalation(self, entry: Mapping[str, object], rule: Rule, path: str) -> None:
        """Who may approve once nobody has: both fields or none, people by name, and something to approve."""
        given = [field for field in ("escalate", "escalate_after") if field in entry]
        if len(given) == 1:
            other = (
                "escalate_after, as in escalate_after: 15m" if given[0] == "escalate" else "escalate, a list of people"
            )
            self._wrong(f"{path}.{given[0]}", f"needs {other}")
        if EVERYBODY in rule.escalate:
            self._wrong(f"{path}.escalate", '"*" would let anybody approve what nobody answers; name people')
        if given and not rule.approvals:
            self._wrong(f"{path}.{given[0]}", "asks nobody, since the rule wants no approvals")

    def _freeze(self, value: object, path: str) -> Freeze:
        entry = self._mapping(value, path, _FREEZE_FIELDS)
        window = Window(
            starts=self._text(entry, "starts", path),
            ends=self._text(entry, "ends", path),
            zone=self._text(entry, "timezone", path, default="UTC"),
        )
        for field, problem in window.problems() if window.starts and window.ends and window.zone else ():
            self._wrong(f"{path}.{field}", problem)
        override = self._people(entry.get("override", []), f"{path}.override")
        if EVERYBODY in override:
            self._wrong(f"{path}.override", 'must name who may override the freeze; "*" would be no freeze')
        return Freeze(
            name=self._text(entry, "name", path),
            window=window,
            actions=self._actions(entry, path, known=(*ACTIONS, EVERYBODY)),
            **{scope: self._scope(entry, scope, path) for scope in PLACES},
            override=override,
            why=self._text(entry, "why", path, default=""),
        )

    def _same_names(self, freezes: Iterable[Freeze], path: str) -> None:
        names = [freeze.name for freeze in freezes if freeze.name]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._wrong(path, f"two freezes are called {name!r}; names must differ")

    def _actions(
        self, entry: Mapping[str, object], path: str, *, known: tuple[str, ...] = (*ACTIONS, *READS, EVERYBODY)
    ) -> tuple[str, ...] | None:
        actions = self._scope(entry, "actions", path)
        for action in actions or ():
            if action not in known:
                self._wrong(f"{path}.actions", f"{action!r} is no action; known are {', '.join(known)}")
        return actions

    def _risk(self, entry: Mapping[str, object], path: str) -> Risk | None:
        """Only the highest: all changes are of medium risk at least, and no rule may lower what the bot knows."""
        value = entry.get("risk")
        if value not in (None, "high"):
            problem = "a rule can raise the risk of its actions, never lower it; write high or leave it out"
            self._wrong(f"{path}.risk", f"{problem}, not {value!r}")
        return "high" if value == "high" else None

    def _limits(self, value: object, path: str) -> Limits:
        return Limits(max_replicas=self._count(self._mapping(value, path, ("max_replicas",)), "max_replicas", path))


def _as_compared(entry: str) -> str:
    platform, colon, name = entry.partition(":")
    return f"{platform}:{alike(platform, name)}" if colon else entry


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    return {"list": "a list", "str": "a text", "bool": "yes or no"}.get(type(value).__name__, "a number")
