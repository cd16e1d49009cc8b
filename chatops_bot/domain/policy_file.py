"""Reads the `policy` section of the configuration or of a transcript, with every problem found at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from chatops_bot.domain.identity import alike
from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.people import PLATFORMS, People, mistakes
from chatops_bot.domain.policy import EVERYBODY, READS, Limits, Policy, Rule

_SCOPES: Final = ("environments", "rooms", "clusters", "namespaces", "services")
_PEOPLE: Final = ("request", "confirm", "approve")
_FIELDS: Final = ("actions", *_SCOPES, *_PEOPLE, "approvals", "self_approve", "limits")


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


class _Reader:
    """Collects problems instead of stopping at the first."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def policy(self, mapping: object, where: str, users: frozenset[str]) -> Policy:
        section = self._mapping(mapping, where, ("people", "groups", "rules"))
        accounts = self._accounts(section.get("people"), f"{where}.people")
        groups = self._groups(section.get("groups"), f"{where}.groups")
        listed = section.get("rules")
        if listed is not None and not isinstance(listed, list):
            self._wrong(f"{where}.rules", f"must be a list of rules, not {_kind(listed)}")
            listed = None
        rules = tuple(self._rule(rule, f"{where}.rules[{number}]") for number, rule in enumerate(listed or ()))
        self._ambiguous(groups, users, f"{where}.groups")
        for name, problem in mistakes(accounts, groups=groups, users=users):
            self._wrong(f"{where}.people.{name}", problem)
        return Policy(people=People(accounts), groups=groups, rules=rules)

    def _accounts(self, value: object, path: str) -> dict[str, tuple[str, ...]]:
        listed = self._mapping(value, path)
        return {name: self._people(accounts, f"{path}.{name}") for name, accounts in listed.items()}

    def _groups(self, value: object, path: str) -> dict[str, tuple[str, ...]]:
        groups: dict[str, tuple[str, ...]] = {}
        for name, members in self._mapping(value, path).items():
            if not name or name == EVERYBODY or ":" in name:
                self._wrong(f"{path}.{name}", "is no name for a group; use a plain word such as sre")
            people = self._people(members, f"{path}.{name}")
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
            **{scope: self._scope(entry, scope, path) for scope in _SCOPES},
            request=people.get("request", (EVERYBODY,)),
            confirm=people.get("confirm", ()),
            approve=people.get("approve"),
            approvals=self._count(entry, "approvals", path) or 0,
            self_approve=self._flag(entry, "self_approve", path),
            limits=self._limits(entry.get("limits"), f"{path}.limits"),
        )
        if rule.approvals and not rule.people("approve"):
            self._wrong(f"{path}.approvals", "asks for approvals that nobody may give; fill approve or confirm")
        return rule

    def _actions(self, entry: Mapping[str, object], path: str) -> tuple[str, ...] | None:
        actions = self._scope(entry, "actions", path)
        known = (*ACTIONS, *READS, EVERYBODY)
        for action in actions or ():
            if action not in known:
                self._wrong(f"{path}.actions", f"{action!r} is no action; known are {', '.join(known)}")
        return actions

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

    def _people(self, value: object, path: str) -> tuple[str, ...]:
        people = self._texts(value, path)
        for entry in people:
            platform, colon, name = entry.partition(":")
            if not entry.isprintable() or (colon and " " in entry):
                self._wrong(path, f"{entry!a} names nobody: no id has a space or an invisible character")
            elif colon and (platform not in PLATFORMS or not name):
                known = ", ".join(f"{known}:ID" for known in PLATFORMS)
                self._wrong(path, f"{entry!r} names nobody; write {known}, or a bare name for the console")
        return tuple(map(_as_compared, people))

    def _limits(self, value: object, path: str) -> Limits:
        return Limits(max_replicas=self._count(self._mapping(value, path, ("max_replicas",)), "max_replicas", path))

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

    def _count(self, entry: Mapping[str, object], field: str, path: str) -> int | None:
        value = entry.get(field)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            self._wrong(f"{path}.{field}", f"must be a whole number from 0 on, not {value!r}")
            return None
        return value

    def _flag(self, entry: Mapping[str, object], field: str, path: str) -> bool:
        value = entry.get(field, False)
        if not isinstance(value, bool):
            self._wrong(f"{path}.{field}", f"must be true or false, not {value!r}")
        return value is True

    def _wrong(self, path: str, problem: str) -> None:
        self.problems.append(f"{path}: {problem}")


def _as_compared(entry: str) -> str:
    platform, colon, name = entry.partition(":")
    return f"{platform}:{alike(platform, name)}" if colon else entry


def _kind(value: object) -> str:
    if value is None:
        return "nothing"
    if isinstance(value, Mapping):
        return "a mapping"
    return {"list": "a list", "str": "a text", "bool": "yes or no"}.get(type(value).__name__, "a number")
