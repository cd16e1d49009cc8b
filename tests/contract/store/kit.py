"""A store on a real server, with its clock in the test's hand, and what the tests of it share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, cast

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.ledger import RedisLedger
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.adapters.redis.url import parse
from chatops_bot.domain.identity import Room
from chatops_bot.domain.routing import Verdict, Verdicts
from chatops_bot.ports.store import Arrival, CardView, Claim, Committed, Facts, Intake, Outcome, Work

ROOM: Final = Room("slack", "T1", "C1")
OTHER_ROOM: Final = Room("slack", "T1", "C2")
SHARD: Final = shard_of(ROOM.key)
LEASE_MS: Final = 6_000
START: Final = 1_700_000_000_000
REDIS_SERVER: Final = Path(os.environ.get("REDIS_SERVER", "/usr/bin/redis-server"))
"""The system's, or another release to be tried."""

ANSWERS_ONCE: Final = frozenset({"later", "sweep"})
"""Scripts whose second run has nothing left to tell: the caller does not wait for the first one's answer."""


class Time:
    """The store's clock (ms) and the holder's (s), moved together by hand."""

    def __init__(self) -> None:
        self.ms = START

    def __call__(self) -> int:
        return self.ms

    def monotonic(self) -> float:
        return self.ms / 1000

    def advance(self, ms: int) -> None:
        self.ms += ms


class TwiceClient(Client):
    """Runs every script twice, as when a request is repeated whose answer was lost: the second run must give
    the same answer and change nothing."""

    async def script(
        self,
        script: Script,
        shard: int,
        arguments: Sequence[Argument],
        *,
        keys: Sequence[str] = (),
        copies: bool = False,
        patient: bool = True,
    ) -> Reply:
        first = await super().script(script, shard, arguments, keys=keys, copies=copies, patient=patient)
        if script.name == "sweep" and arguments[-1] != 1000:
            return first  # a second one takes what a limit left
        before = await dump(self, shard)
        second = await super().script(script, shard, arguments, keys=keys, copies=copies, patient=patient)
        if script.name not in ANSWERS_ONCE:
            assert second == first, script.name
        assert await dump(self, shard) == before, script.name
        return first


class World:
    """One store, its ledger and audit log, and shorthands for what tests do with them."""

    def __init__(self, client: Client, *, real_time: bool = False) -> None:
        self.time = Time()
        self.client = client
        self.base = Scripts(client, random_bytes=os.urandom, clock=None if real_time else self.time)
        self.store = RedisStore(self.base, monotonic=self.time.monotonic)
        self.ledger = RedisLedger(self.base)
        self.audit = RedisAuditLog(self.base)

    async def hash(self, key: str, shard: int = SHARD) -> dict[str, bytes]:
        flat = cast("list[bytes]", await self.client.command("HGETALL", f"{{{shard}}}:{key}", shard=shard))
        return {name.decode(): value for name, value in zip(flat[::2], flat[1::2], strict=True)}

    async def get(self, key: str) -> str | None:
        value = await self.client.command("GET", f"{{{SHARD}}}:{key}", shard=SHARD)
        return value.decode() if isinstance(value, bytes) else None

    async def ttl(self, key: str) -> int:
        """Seconds, -1 for no end, -2 for no key."""
        return cast(int, await self.client.command("TTL", f"{{{SHARD}}}:{key}", shard=SHARD))

    async def opened(
        self,
        thread: str = "t1",
        *,
        user: str = "alice",
        state: str = "idle",
        lock: str = "",
        asks: str = "",
        public: bytes = b"",
    ) -> Claim:
        """A thread with one event decided: state and facts as given. The claim that was committed."""
        taken = await self.store.intake(arrival(f"open-{thread}", new=thread, user=user))
        (claim,) = taken.claims
        committed = await self.store.commit(claim, outcome(state=state, lock=lock, asks=asks, public=public))
        assert not committed.lost
        return claim

    async def append(self, id: str, *, thread: str = "t1", urgent: bool = False) -> Intake:
        return await self.store.intake(
            arrival(id, thread=thread, verdicts=everywhere(Verdict.APPEND), user="", urgent=urgent)
        )

    async def drain(self) -> list[Claim]:
        """Everything that may be taken now, taken."""
        return sorted(await self.store.sweep(limit=1000), key=lambda claim: claim.queue)


def connected(url: str, *, twice: bool = False, **options: float) -> Client:
    return (TwiceClient if twice else Client)(parse(url), patience_s=options.get("patience_s", 0.0))


def everywhere(verdict: Verdict) -> Verdicts:
    """The same verdict in every situation."""
    return Verdicts(*([verdict] * 8))


def arrival(
    id: str,
    *,
    room: Room = ROOM,
    verdicts: Verdicts | None = None,
    new: str = "",
    user: str = "alice",
    event: bytes = b"",
    thread: str = "",
    cards: tuple[str, ...] = (),
    bind: tuple[str, ...] = (),
    names: tuple[str, ...] = (),
    lock: str = "",
    left: bytes = b"",
    urgent: bool = False,
) -> Arrival:
    return Arrival(
        room=room,
        id=id,
        event=event or id.encode(),
        verdicts=verdicts or everywhere(Verdict.NEW),
        new=new or f"new-{id}",
        user=user,
        thread=thread,
        cards=cards,
        bind=bind,
        names=names,
        lock=lock,
        leaves=bool(left),
        left=left,
        urgent=urgent,
    )


def outcome(
    *,
    state: str = "idle",
    lock: str = "",
    asks: str = "",
    public: bytes = b"",
    session: bytes = b"session",
    cards: tuple[CardView, ...] = (),
    work: tuple[Work, ...] = (),
    wake: int = 0,
    release: tuple[str, ...] = (),
    summary: bytes = b"",
    filed: tuple[str, ...] = (),
    keep_s: int = 86_400,
    audit: tuple[bytes, ...] = (),
    move: Arrival | None = None,
) -> Outcome:
    return Outcome(
        session=session,
        facts=Facts(state=state, lock=lock, asks=asks, public=public),
        cards=cards,
        work=work,
        wake=wake,
        release=release,
        summary=summary,
        filed=filed,
        keep_s=keep_s,
        audit=audit,
        move=move,
    )


def by_queue(committed: Committed | Intake) -> dict[str, Claim]:
    return {claim.queue: claim for claim in committed.claims}


async def dump(client: Client, shard: int) -> dict[bytes, tuple[bytes, object, bool]]:
    """Every key of a shard: type, content, and whether it has an end."""
    keys = cast("list[bytes]", await client.command("KEYS", f"{{{shard}}}:*", shard=shard))
    found: dict[bytes, tuple[bytes, object, bool]] = {}
    for key in sorted(keys):
        kind = cast(bytes, await client.command("TYPE", key, shard=shard))
        content = await client.command(*_whole(kind, key), shard=shard)
        if kind == b"hash":
            flat = cast("list[bytes]", content)
            content = cast(Reply, sorted(zip(flat[::2], flat[1::2], strict=True)))
        lifetime = await client.command("PTTL", key, shard=shard)
        found[key] = (kind, content, cast(int, lifetime) >= 0)
    return found


def _whole(kind: bytes, key: bytes) -> tuple[Argument, ...]:
    return {
        b"string": ("GET", key),
        b"hash": ("HGETALL", key),
        b"list": ("LRANGE", key, 0, -1),
        b"zset": ("ZRANGE", key, 0, -1, "WITHSCORES"),
        b"stream": ("XRANGE", key, "-", "+"),
    }[kind]
