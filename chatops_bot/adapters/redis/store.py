"""`ThreadStore` on Redis: each step is one script (`lua/`), each script one round trip."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final, cast

from chatops_bot.adapters.redis import rows, scripts
from chatops_bot.adapters.redis.base import Scripts as Scripts
from chatops_bot.adapters.redis.check import check
from chatops_bot.adapters.redis.incidents import Incidents
from chatops_bot.adapters.redis.memory import Watermark
from chatops_bot.adapters.redis.pointing import Pointing
from chatops_bot.adapters.redis.queues import Queues
from chatops_bot.adapters.redis.resp import Argument
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.adapters.redis.shards import shard_of, tag
from chatops_bot.adapters.redis.summaries import Summaries
from chatops_bot.domain.identity import Room
from chatops_bot.ports.store import LEASE_MS as LEASE_MS
from chatops_bot.ports.store import Arrival, Claim, Committed, Intake, Outcome, StoreFinding, Taken, Twin

CAP: Final = 100
"""Messages that a mailbox holds."""


class RedisStore(Queues, Incidents, Pointing, Summaries):
    """Mailboxes, sessions and outboxes. `cap` is how many messages a mailbox holds."""

    def __init__(self, base: Scripts, *, monotonic: Callable[[], float], cap: int = CAP) -> None:
        super().__init__(base, monotonic=monotonic)
        self._cap = cap
        self._watermark = Watermark(base.client, monotonic=monotonic)

    @property
    def round_trips(self) -> Counter[str]:
        """Calls so far by script or command, repetitions included; a sweep of all shards is one."""
        return self._client.round_trips

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
            thread="" if taken == b"elsewhere" else thread.decode(),
            claims=self._claims(claims, shard, deadline),
            first_full=first == b"1",
            elsewhere=thread if taken == b"elsewhere" else b"",
        )

    async def commit(self, claim: Claim, outcome: Outcome) -> Committed:
        if outcome.move is not None:
            change: list[Argument] = ["move", *rows.arrival(outcome.move, cap=0)]
        else:
            change = rows.outcome(outcome, keep_s=self._base.retention.sessions_s)
        thread = rows.thread_of(claim.queue)
        return await self._step(
            scripts.COMMIT,
            claim,
            [thread, claim.entry, claim.version, *rows.counted(outcome.audit), *change],
            copies=True,
        )

    async def drawn(
        self, claim: Claim, *, message: str, bind: tuple[str, ...] = (), twin: Twin | None = None
    ) -> Committed:
        thread, card = rows.thread_of(claim.queue), rows.card_of(claim.queue)
        shared: list[Argument] = [twin.card, "1" if twin.home else ""] if twin else ["", ""]
        arguments = [thread, card, claim.number, message, *rows.counted(bind), *shared]
        return await self._step(scripts.DRAWN, claim, arguments)

    async def seen(self, claim: Claim, card: str) -> bool:
        key = f"{tag(claim.shard)}view:{rows.thread_of(claim.queue)}"
        fields = [f"{kind}:{card}" for kind in "ndms"]
        newest, drawn, message, sequence = cast(
            "list[bytes | None]", await self._client.command("HMGET", key, *fields, shard=claim.shard)
        )
        if newest is None or drawn is None or not message or sequence is None:
            return False
        return int(drawn) >= int(newest) and int(sequence) < claim.sequence

    async def posted(self, *, room: Room, thread: str, card: str) -> str:
        shard = shard_of(room.key)
        found = await self._client.command("HGET", f"{tag(shard)}view:{thread}", f"m:{card}", shard=shard)
        return found.decode() if isinstance(found, bytes) else ""

    async def done(self, claim: Claim, *, event_id: str, event: bytes) -> Committed:
        thread = rows.thread_of(claim.queue)
        return await self._step(scripts.DONE, claim, [thread, claim.queue, claim.entry, event_id, event])

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

    async def check(self) -> list[StoreFinding]:
        """How the servers are set up, for `doctor`: what is to be said of them."""
        return await check(self._client)

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
