"""Names of a transcript's policy as a platform's ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec

from chatops_bot.domain.oncall import OnCall
from chatops_bot.domain.people import People
from chatops_bot.domain.policy import Policy, Rule
from chatops_bot.domain.scopes import EVERYBODY

Named = Callable[[str], str]


def renamed(policy: Policy, *, person: Named, room: Named) -> Policy:
    """The policy with accounts for bare names of people, and ids for names of rooms. Groups, people of the map, `*`
    and what names a platform already stay."""
    kept = {EVERYBODY, *policy.groups, *policy.people.accounts}

    def keys(entries: Iterable[str]) -> tuple[str, ...]:
        return tuple(entry if entry in kept or ":" in entry else person(entry) for entry in entries)

    def place(entry: str) -> str:
        name = entry.removeprefix("console:")
        return entry if entry == EVERYBODY or ":" in name else room(name)

    def rule(one: Rule) -> Rule:
        return msgspec.structs.replace(
            one,
            rooms=None if one.rooms is None else tuple(place(entry) for entry in one.rooms),
            request=keys(one.request),
            confirm=keys(one.confirm),
            approve=None if one.approve is None else keys(one.approve),
            escalate=keys(one.escalate),
        )

    # A person of the map may be an account of their own name.
    accounts = {
        name: tuple(account if ":" in account else person(account) for account in own)
        for name, own in policy.people.accounts.items()
    }
    groups = {name: keys(members) for name, members in policy.groups.items()}
    rules = tuple(rule(one) for one in policy.rules)
    return msgspec.structs.replace(policy, people=People(accounts), groups=groups, rules=rules)


def called(oncall: OnCall, policy: Policy, *, person: Named) -> OnCall:
    """Whom hand-offs call, with accounts for bare names of people. Names of the policy, and what names a platform
    already, stay."""
    kept = {*policy.groups, *policy.people.accounts}
    groups = {
        name: tuple(entry if entry in kept or ":" in entry else person(entry) for entry in entries)
        for name, entries in oncall.groups.items()
    }
    return msgspec.structs.replace(oncall, groups=groups)
