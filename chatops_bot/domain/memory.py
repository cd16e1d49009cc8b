"""Working memory of a conversation: what was asked, found, done and refused, as facts that code writes and no model
changes; and their summary, which is folded from them by rules. Design section 7.

A fact is a sentence before its language, with its arguments: it is rendered for whoever reads it, never paraphrased.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec

from chatops_bot.domain.incidents import kept
from chatops_bot.domain.say import Say

FactKind = Literal["asked", "found", "done", "refused"]

MOST: Final[dict[FactKind, int]] = {"asked": 6, "found": 4, "done": 8, "refused": 4}
"""Facts of each kind that a summary keeps, the latest."""

MOST_NOTED: Final = 24
"""Facts that wait for the summary; then it is rewritten before its time."""

ARGUMENT: Final = 160
"""Characters of an argument of a sentence."""

NAME: Final = 60


class Fact(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that was asked, found, done or refused. `at` is ms of the store's clock, the last time where it came
    `times` times, `again` of them in words that asked the very same as before; `by` who, as people know them; `about`
    the key of its entity. Of two facts of one kind with the same `ref` the later one holds: a question or a verdict of
    one kind, the end of one plan. `bad`: the verdict is that something is wrong."""

    kind: FactKind
    said: Say
    at: int
    ref: str
    by: str = ""
    about: str = ""
    times: int = 1
    again: int = 0
    bad: bool = False


class Gist(msgspec.Struct, frozen=True, omit_defaults=True):
    """The summary of a conversation: its facts in the order of their last time, bounded by kind; `at` is when it was
    written, `turns` how many messages and presses it covers."""

    facts: tuple[Fact, ...] = ()
    turns: int = 0
    at: int = 0

    def of(self, kind: FactKind) -> tuple[Fact, ...]:
        """Those of one kind, the latest last."""
        return tuple(fact for fact in self.facts if fact.kind == kind)


OpenKind = Literal["unverified", "failed", "unknown", "handed_off", "parked", "asked", "walk"]

UNCLEAR: Final[Mapping[str, OpenKind]] = {
    "done": "unverified",
    "working": "unverified",
    "timeout": "unverified",
    "unknown": "unknown",
    "interrupted": "unknown",
    "halted": "failed",
    "failed": "failed",
}
"""What an outcome leaves open, by the end of its key."""

RAN: Final = frozenset({*UNCLEAR, "verified"})
"""Outcomes of changes whose write was made, or may have been."""


class Open(msgspec.Struct, frozen=True, omit_defaults=True):
    """Something that a conversation has left open; `ref` and `about` as of the fact that it is about."""

    kind: OpenKind
    said: Say
    ref: str = ""
    about: str = ""


def bounded(fact: Fact) -> Fact:
    """The fact as it may be stored: short, one line, without what looks like a secret."""
    return msgspec.structs.replace(fact, said=short(fact.said), by=kept(fact.by, NAME))


def short(said: Say) -> Say:
    """The same sentence with arguments of bounded length, each one line, without what looks like a secret."""
    args = {name: kept(value, ARGUMENT) if isinstance(value, str) else value for name, value in said.args.items()}
    return Say(said.key, args)


def fold(gist: Gist, noted: Iterable[Fact], *, turns: int, at: int) -> Gist:
    """The summary anew, with what was noted since."""
    found: dict[tuple[FactKind, str], Fact] = {}
    for fact in (*gist.facts, *noted):
        key = (fact.kind, fact.ref)
        before = found.pop(key, None)
        if before is not None and fact.kind in ("asked", "refused"):
            fact = msgspec.structs.replace(fact, times=fact.times + before.times, again=fact.again + before.again)
        found[key] = fact
    facts = tuple(found.values())
    keep = {id(fact) for kind, most in MOST.items() for fact in [one for one in facts if one.kind == kind][-most:]}
    return Gist(tuple(fact for fact in facts if id(fact) in keep), gist.turns + turns, at)


def ref_of(token: str) -> str:
    """The same for all that is noted of one plan; its token, which confirms it, is nobody's to read."""
    return hashlib.blake2b(token.encode(), digest_size=8).hexdigest()


_REASONS: Final = frozenset({"policy", "freeze", "kind", "unsupported", "conflict", "read_only"})


def why_refused(reason: str) -> str:
    """The word for a recorded reason of a refusal; "" where nothing was refused but a button that was void."""
    if reason in _REASONS:
        return f"refused.{reason}"
    return "refused.other" if "." in reason else ""


def called(action: str, *, changes: bool) -> str:
    """The word for what was asked for, an action or a question."""
    return f"{'action' if changes else 'intent'}.{action}" if action else "memory.request"
