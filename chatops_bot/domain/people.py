"""One person known on several platforms: the `people` map of a policy.

Accounts are written as rules name people: `slack:U…`, `feishu:ou_…`, `wecom:…`, or a bare name for the console.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

import msgspec

from chatops_bot.domain.identity import Room

PLATFORMS: Final = ("slack", "feishu", "wecom")
"""Platforms whose people are named `platform:id`. On the console people are bare names."""


class People(msgspec.Struct, frozen=True, omit_defaults=True):
    """Accounts by person. `owners` is the same from the other end, and follows from it."""

    accounts: dict[str, tuple[str, ...]] = {}
    owners: dict[str, str] = {}

    def __post_init__(self) -> None:
        owners = {account: name for name, accounts in self.accounts.items() for account in accounts}
        msgspec.structs.force_setattr(self, "owners", owners)

    def owner(self, key: str, room: Room | None) -> str:
        """Whose account a user key (`User.key`) is; "" for nobody in the map. An account may be written with the
        organisation that it is of, which a key leaves out where that is the room's own."""
        found = self.owners.get(key, "")
        own = f"{room.platform}:" if room is not None else ""
        if found or room is None or not key.startswith(own) or "/" in key:
            return found
        return self.owners.get(f"{own}{room.tenant}/{key.removeprefix(own)}", "")

    def named_by(self, entry: str) -> tuple[str, ...]:
        """The accounts of the person whom an entry names; the entry itself where it names none."""
        return self.accounts.get(entry, (entry,))


def mistakes(
    accounts: Mapping[str, Iterable[str]], *, groups: Collection[str], users: Collection[str]
) -> Iterator[tuple[str, str]]:
    """(person, what is wrong) of a map whose entries are texts. `users` are names known on the console."""
    for name, own in accounts.items():
        if not name or name == "*" or ":" in name:
            yield name, "is no name for a person; use a plain word such as zhang.san"
        if not name.isprintable() or name != name.strip():
            yield f"{name!a}", "has an invisible character in it, and would look like another name; write it anew"
        if name in groups:
            yield name, "is both a person and a group; rename one of them"
        if name in users and name not in own:
            yield name, f"is also a name on the console; add {name!r} to the accounts, or rename the person"
        for account in own:
            if problem := _mistake(name, account, accounts, groups):
                yield name, problem
    yield from _shared(accounts)


def _shared(accounts: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, str]]:
    """Accounts that two people have, or may have."""
    alike: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, own in accounts.items():
        for account in dict.fromkeys(own):
            others = alike.setdefault(_bare(account), [])
            for other, holder in others:
                if holder != name and other == account:
                    yield name, f"{account!r} is an account of {holder} too; it can be one person's only"
                elif holder != name and ("/" in other) != ("/" in account):
                    way_out = "write both with their organisation (platform:ORGANISATION/ID)"
                    yield name, f"{account!r} may be the same account as {other!r} of {holder}; {way_out}"
            others.append((account, name))


def _mistake(name: str, account: str, accounts: Collection[str], groups: Collection[str]) -> str:
    if account == "*":
        return '"*" is nobody\'s account; list each'
    if account in groups:
        return f"{account!r} is a group; list accounts"
    if account in accounts and account != name:
        return f"{account!r} is another person (they do not nest); list accounts"
    return ""


def _bare(account: str) -> tuple[str, str]:
    """Platform and id, without the organisation; a name on the console is its own."""
    platform, colon, name = account.partition(":")
    return (platform, name.rpartition("/")[2]) if colon else ("", account)
