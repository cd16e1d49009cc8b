"""`ThreadStore` on Redis: each step is one script (`lua/`), each script one round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final, cast

import structlog

from chatops_bot.adapters.redis import rows, scripts
from chatops_bot.adapters.redis.check import check
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.memory import Watermark
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.shards import DUE, SHARDS, shard_of, tag
from chatops_bot.ports.store import Arrival, Claim, Committed, Intake, Outcome, StoreFinding, StoreUnavailable, Taken

LEASE_MS: Final = 6_000
CAP: Final = 100
"""Messages that a mailbox holds."""

KINDS: Final = ("mailbox", "card", "work", "plan", "timer")

log = structlog.get_logger(__name__)


class Scripts:
    """What the store, the ledger and the audit log share: the client, the clock and fresh tokens.

    `clock` gives ms where virtual time is wanted (replay); without it Redis' own clock counts. `holder` is
    random for each process, so that no token repeats.
    """

    def __init__(
        self,
        client: Client,
        *,
        random_bytes: Callable[[int], bytes],
        clock: Callable[[], int] | None = None,
        lease_ms: int = LEASE_MS,
    ) -> None:
        self.client = client
        self.random_bytes = random_bytes
        self.lease_ms = lease_ms
        self._clock = clock
        self._holder = random_bytes(9).hex()
        self._count = 0

    def token(self) -> str:
        """One that nobody else has."""
        self._count += 1
        return f"{self._holder}.{self._count:x}"

    def now(self) -> int | str:
        """The time for a script: "" lets Redis look at its clock."""
        return self._clock() if self._clock else ""

    async def run(
        self,
        script: Script,
        shard: int,
        token: str,
        arguments: Iterable[Argument] = (),
        *,
        keys: Sequence[str] = (),
        copies: bool = False,
        patient: bool = True,
    ) -> Reply:
        """Run a script with what every script is given first."""
        return await self.client.script(
            script,
            shard,
            [self.now(), self.lease_ms, token, *arguments],
            keys=keys,
            copies=copies,
            patient=patient,
        )


class RedisStore:
    """Mailboxes, sessions and outboxes. `monotonic` is the holder's clock in seconds, for deadlines."""

    def __init__(self, base: Scripts, *, monotonic: Callable[[], float], cap: int = CAP) -> None:
        self._base = base
        self._client = base.client
        self._monotonic = monotonic
        self._cap = cap
        self._watermark = Watermark(base.client, monotonic=monotonic)

    async def now(self) -> int:
        fixed = self._base.now()
        if isinstance(fixed, int):
            return fixed
        seconds, micros = cast("list[bytes]", await self._client.command("TIME"))
        return int(seconds) * 1000 + int(micros) // 1000

    async def intake(self, arrival: Arrival) -> Intake:
        room = arrival.room.key
        shard = shard_of(room)
        if not arrival.urgent:
            await self._watermark.check(shard)
        start = tag(shard)
        keys = [f"{start}seen:{room}|{arrival.id}", *(f"{start}card:{room}|{card}" for card in arrival.cards)]
        if arrival.user:
            keys.append(f"{start}current:{room}|{arrival.user}")
        deadline = self._deadline()
        reply = await self._base.run(
            scripts.INTAKE,
            shard,
            self._base.token(),
            rows.arrival(arrival, cap=self._cap),
            keys=keys,
            copies=True,
        )
        taken, thread, first, *claims = cast("list[bytes]", reply)
        return Intake(
            taken=cast(Taken, taken.decode()),
            thread=thread.decode(),
            claims=self._claims(claims, shard, deadline),
            first_full=first == b"1",
        )

    async def commit(self, claim: Claim, outcome: Outcome) -> Committed:
        if outcome.move is not None:
            change: list[Argument] = ["move", *rows.arrival(outcome.move, cap=0)]
        else:
            change = rows.outcome(outcome)
        thread = rows.thread_of(claim.queue)
        return await self._step(
            scripts.COMMIT,
            claim,
            [thread, claim.entry, claim.version, *rows.counted(outcome.audit), *change],
            copies=True,
        )

    async def drawn(self, claim: Claim, *, message: str, bind: tuple[str, ...] = ()) -> Committed:
        thread, card = rows.thread_of(claim.queue), rows.card_of(claim.queue)
        return await self._step(scripts.DRAWN, claim, [thread, card, claim.number, message, *rows.counted(bind)])

    async def done(self, claim: Claim, *, event_id: str, event: bytes) -> Committed:
        thread = rows.thread_of(claim.queue)
        return await self._step(scripts.DONE, claim, [thread, claim.queue, claim.entry, event_id, event])

    async def later(self, claim: Claim, delay_ms: int) -> None:
        await self._base.run(scripts.LATER, claim.shard, "", [claim.queue, claim.token, delay_ms, 0])

    async def give_back(self, claims: list[Claim]) -> None:
        await self._by_shard(scripts.LATER, claims, lambda claim: [claim.queue, claim.token, 0, 1])

    async def renew(self, claims: list[Claim]) -> set[str]:
        replies = await self._by_shard(scripts.RENEW, claims, lambda claim: [claim.queue, claim.token])
        lost: set[str] = set()
        for shard, reply in replies.items():
            if isinstance(reply, StoreUnavailable):
                lost |= {claim.token for claim in claims if claim.shard == shard}
            else:
                lost |= {token.decode() for token in cast("list[bytes]", reply)}
        return lost

    async def sweep(self, *, limit: int = 16) -> list[Claim]:
        deadline = self._deadline()
        replies = await self._everywhere(scripts.SWEEP, self._base.token(), [limit])
        found: list[Claim] = []
        missing = {shard: str(reply) for shard, reply in replies.items() if isinstance(reply, StoreUnavailable)}
        if missing:
            log.warning("store_shards_unavailable", shards=sorted(missing), why=min(missing.values()))
        for shard, reply in replies.items():
            if shard in missing:
                continue
            claims, bad = cast("list[list[bytes]]", reply)
            for row in bad:
                queue, _, why = row.decode(errors="replace").partition("\x1e")
                log.error("store_row_unusable", shard=shard, queue=queue, why=why)
            found += self._claims(claims, shard, deadline)
        return found

    async def next_due(self) -> int:
        replies = await self._client.each(lambda shard: ("ZRANGE", DUE[shard], 0, 0, "WITHSCORES"))
        first = [float(pair[1]) for pair in cast("list[list[bytes]]", replies) if pair]
        return int(min(first, default=0))

    async def queue_depths(self) -> dict[str, int]:
        depths = dict.fromkeys(KINDS, 0)
        for reply in (await self._everywhere(scripts.DEPTHS, "", [])).values():
            if isinstance(reply, StoreUnavailable):
                raise reply
            for kind, count in zip(KINDS, cast("list[int]", reply), strict=True):
                depths[kind] += count
        return depths

    async def check(self) -> list[StoreFinding]:
        """How the servers are set up, for `doctor`: what is to be said of them."""
        return await check(self._client)

    async def secret(self) -> bytes:
        key = f"{tag(0)}secret"
        fresh = self._base.random_bytes(32).hex()
        await self._client.command("SET", key, fresh, "NX", copies=True)
        return bytes.fromhex(cast(bytes, await self._client.command("GET", key)).decode())

    async def read_only(self) -> str:
        reason = await self._client.command("GET", f"{tag(0)}read-only")
        return reason.decode() if isinstance(reason, bytes) else ""

    async def set_read_only(self, reason: str) -> None:
        await self._client.command("SET", f"{tag(0)}read-only", reason, copies=True)

    async def ping(self) -> None:
        await self._client.command("SET", f"{tag(0)}ping", "", "EX", 60, copies=True)

    def _deadline(self) -> float:
        return self._monotonic() + self._base.lease_ms / 1000

    async def _step(
        self, script: Script, claim: Claim, arguments: list[Argument], *, copies: bool = False
    ) -> Committed:
        deadline = self._deadline()
        reply = await self._base.run(script, claim.shard, claim.token, arguments, copies=copies)
        state, taken, thread, *claims = cast("list[bytes]", reply)
        return Committed(
            lost=state == b"lost",
            claims=self._claims(claims, claim.shard, deadline),
            taken=cast(Taken, taken.decode()) if taken else None,
            thread=thread.decode(),
        )

    def _claims(self, found: Sequence[Reply], shard: int, deadline: float) -> tuple[Claim, ...]:
        claims = []
        for row in found:
            try:
                claims.append(rows.claim(row, shard=shard, deadline=deadline))
            except rows.UnreadableError:
                # Its lease runs out, and whoever can read it takes it.
                log.exception("store_row_unreadable", shard=shard)
        return tuple(claims)

    async def _by_shard(
        self, script: Script, claims: list[Claim], flat: Callable[[Claim], list[Argument]]
    ) -> dict[int, Reply | StoreUnavailable]:
        of: dict[int, list[Argument]] = {}
        for claim in claims:
            of.setdefault(claim.shard, []).extend(flat(claim))
        return await self._client.scripts(
            script, {shard: [self._base.now(), self._base.lease_ms, "", *found] for shard, found in of.items()}
        )

    async def _everywhere(
        self, script: Script, token: str, arguments: list[Argument]
    ) -> dict[int, Reply | StoreUnavailable]:
        head: list[Argument] = [self._base.now(), self._base.lease_ms, token, *arguments]
        return await self._client.scripts(script, dict.fromkeys(range(SHARDS), head))
