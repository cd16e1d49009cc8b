"""Whether the servers are set up as the store needs them: what `doctor` says of Redis."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.memory import info
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.ports.store import FindingCode, StoreFinding, StoreUnavailable

OLDEST: Final = (6, 2)
"""Since Redis 6.2; every Valkey is newer."""


async def check(client: Client) -> list[StoreFinding]:
    """Look at every server that holds shards, once each."""
    seen: set[str] = set()
    findings: list[StoreFinding] = []
    for shard in range(SHARDS):
        if str(client.place(shard)) in seen:
            continue
        try:
            found = await _server(client, shard)
        except StoreUnavailable as error:
            findings.append(StoreFinding("unreachable", str(client.target), str(error), severe=True))
            return findings
        server = str(client.place(shard))
        if server not in seen:
            seen.add(server)
            findings += [StoreFinding(code, server, value, severe) for code, value, severe in found]
    return findings


async def _server(client: Client, shard: int) -> list[tuple[FindingCode, str, bool]]:
    facts = info(await client.command("INFO", "everything", shard=shard))
    found: list[tuple[FindingCode, str, bool]] = []
    version = facts.get("redis_version", "0")
    if "valkey_version" not in facts and tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        found.append(("version", version, True))
    if facts.get("role") != "master":
        found.append(("not_master", facts.get("role", ""), True))
    if (policy := facts.get("maxmemory_policy", "")) != "noeviction":
        found.append(("eviction", policy, True))
    if facts.get("maxmemory") == "0":
        found.append(("no_memory_limit", "0", False))
    if facts.get("aof_enabled") != "1":
        found.append(("no_append_file", facts.get("aof_enabled", ""), True))
    elif (sync := await _fsync(client, shard)) not in ("always", ""):
        found.append(("sync", sync, False))
    replicas = facts.get("connected_slaves", "0")
    if int(replicas) < client.wait_replicas:
        found.append(("replicas", replicas, True))
    return found


async def _fsync(client: Client, shard: int) -> str:
    """`appendfsync`, "" where CONFIG is forbidden (managed services)."""
    try:
        reply = await client.command("CONFIG", "GET", "appendfsync", shard=shard)
    except StoreUnavailable:
        return ""
    return reply[1].decode() if isinstance(reply, list) and isinstance(reply[1], bytes) else ""
