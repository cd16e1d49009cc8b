"""`chatops-bot read-only`: the switch that makes every process on the store refuse changes. Design rule 8."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from typing import Literal, Protocol

from chatops_bot.domain.audit import Record, encode
from chatops_bot.domain.masking import mask
from chatops_bot.ports.store import AuditLog, ThreadStore

Echo = Callable[[str], None]

_SHARD = "switch"
"""Name that the switch's records are filed under."""


class Store(Protocol):
    """What the switch needs of an opened store."""

    @property
    def threads(self) -> ThreadStore: ...

    @property
    def audit(self) -> AuditLog: ...


async def turn_on(store: Store, *, reason: str, echo: Echo) -> int:
    """Refuse changes; the reason is shown to whoever is refused. Returns the exit code."""
    if not reason.strip():
        echo("A reason is needed; it is shown to whoever is refused.")
        return 2
    said = f"{_operator()}: {mask(reason.strip())}"
    # Refusing takes effect first: an audit log that fails must not keep the bot writing.
    await store.threads.set_read_only(said)
    await _record(store, "on", reason)
    echo(f"Every change is refused from now on ({said}).")
    return 0


async def turn_off(store: Store, *, echo: Echo) -> int:
    """Allow changes again; recorded first, since this is the dangerous direction."""
    before = await store.threads.read_only()
    if not before:
        echo("Changes were not refused.")
        return 0
    await _record(store, "off", before)
    await store.threads.set_read_only("")
    echo("Changes are allowed again, as far as configuration and policy allow them.")
    return 0


async def status(store: Store, *, echo: Echo) -> int:
    """Say how it stands."""
    reason = await store.threads.read_only()
    echo(f"Every change is refused ({reason})." if reason else "Changes are allowed.")
    return 0


async def _record(store: Store, position: Literal["on", "off"], reason: str) -> None:
    record = Record(
        at=await store.threads.now(),
        kind="switch",
        user=_operator(),
        action=f"read-only {position}",
        text=mask(reason),
    )
    await store.audit.append(shard_of=_SHARD, record=encode(record))


def _operator() -> str:
    """Who runs the command, as the operating system says; the command line has no platform that could."""
    try:
        return f"cli:{getpass.getuser()}"
    except (KeyError, OSError):  # a container whose user has no name
        return "cli"
