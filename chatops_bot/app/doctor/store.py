"""Redis: whether it is set up so that nothing acknowledged is lost, and what could be."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from chatops_bot.app.doctor.findings import Finding, bad, ok, warn
from chatops_bot.app.settings import StoreSettings
from chatops_bot.ports.store import FindingCode, StoreFinding

_WORDS: Final[dict[FindingCode, tuple[str, str]]] = {
    "unreachable": (
        "{server} cannot be reached: {found}",
        "check the address (REDIS_URL or store.url), the network and the password",
    ),
    "version": ("{server} is Redis {found}, which is too old", "use Redis 6.2 or newer, or Valkey"),
    "eviction": (
        "{server} may throw away sessions and plans when memory is short (maxmemory-policy {found})",
        "set maxmemory-policy noeviction",
    ),
    "no_append_file": (
        "{server} keeps nothing over a restart (appendonly is off)",
        "set appendonly yes and appendfsync always",
    ),
    "sync": (
        "{server} writes with appendfsync {found}: a crash or power cut may lose two seconds of what was acknowledged",
        "set appendfsync always, which is 10 to 20 % slower, or accept it",
    ),
    "replicas": (
        "{server} has {found} copies, fewer than store.wait_replicas asks for: everything is refused",
        "add replicas, or lower store.wait_replicas",
    ),
    "not_master": (
        "{server} is a {found}, which takes no writes",
        "give the address of the master, or use sentinel://",
    ),
    "no_memory_limit": (
        "{server} has no maxmemory, so it may use all of the machine's memory",
        "set maxmemory; above 80 % of it the bot stops taking in events while it works off what is stored",
    ),
}

_OURS: Final[frozenset[FindingCode]] = frozenset({"no_memory_limit", "sync"})
"""What the embedded server is started with on purpose."""


def on_servers(findings: Iterable[StoreFinding], *, embedded: bool) -> list[Finding]:
    """The store's own findings in words; one good one where there is none. Of the embedded server only those count
    that somebody can do something about."""
    found = [finding for finding in findings if not (embedded and finding.code in _OURS)]
    said = []
    for finding in found:
        what, to_do = _WORDS[finding.code]
        what = what.format(server=finding.server, found=finding.found)
        said.append(bad(what, to_do) if finding.severe else warn(what, to_do))
    return said or [ok("the store is reachable and keeps what it is given")]


def on_settings(settings: StoreSettings) -> list[Finding]:
    """What the chosen kind of store means."""
    if settings.url is not None:
        return []
    found = [
        warn(
            f"the embedded store is used, with its data in {settings.directory}: one process on one machine",
            "set REDIS_URL to run several replicas, or to survive the loss of this disk",
        )
    ]
    if settings.appendfsync != "always":
        found.append(
            warn(
                "the embedded store may lose up to two seconds of what was acknowledged (appendfsync everysec)",
                "set store.appendfsync: always, or accept it",
            )
        )
    return found
