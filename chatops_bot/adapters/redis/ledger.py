"""`Ledger` on Redis: every step of a plan's life is one run of `lua/ledger.lua` in the workload's shard."""

from __future__ import annotations

from typing import Final, cast

from chatops_bot.adapters.redis import rows, scripts
from chatops_bot.adapters.redis.base import Scripts
from chatops_bot.adapters.redis.resp import Argument
from chatops_bot.adapters.redis.shards import shard_of
from chatops_bot.ports.store import LedgerStep, PlanState

OUTCOMES: Final = frozenset({"working", "done", "refused", "interrupted", "unknown"})


class RedisLedger:
    """The durable record of plans."""

    def __init__(self, base: Scripts) -> None:
        self._base = base

    async def prepare(
        self,
        *,
        token: str,
        target: str,
        plan: bytes,
        digest: str,
        lives_ms: int,
        effect: str,
        audit: tuple[bytes, ...],
        form: int = 1,
    ) -> LedgerStep:
        return await self._step("prepare", token, target, [plan, digest, lives_ms, form], effect=effect, audit=audit)

    async def confirm(
        self,
        *,
        token: str,
        target: str,
        digest: str,
        by: str,
        effect: str,
        start_within_ms: int,
        audit: tuple[bytes, ...],
    ) -> LedgerStep:
        return await self._step("confirm", token, target, [digest, by, start_within_ms], effect=effect, audit=audit)

    async def approve(self, *, token: str, target: str, by: str, effect: str, audit: tuple[bytes, ...]) -> LedgerStep:
        return await self._step("approve", token, target, [by], effect=effect, audit=audit)

    async def void(self, *, token: str, target: str, reason: str, effect: str, audit: tuple[bytes, ...]) -> LedgerStep:
        return await self._step("void", token, target, [reason], effect=effect, audit=audit)

    async def start(
        self, *, token: str, target: str, attempt: str, limit_ms: int, audit: tuple[bytes, ...]
    ) -> LedgerStep:
        return await self._step("start", token, target, [attempt, limit_ms], audit=audit)

    async def note(
        self, *, token: str, target: str, attempt: str, detail: bytes, effect: str, audit: tuple[bytes, ...]
    ) -> LedgerStep:
        return await self._step("note", token, target, [attempt, detail], effect=effect, audit=audit)

    async def finish(
        self,
        *,
        token: str,
        target: str,
        attempt: str,
        outcome: PlanState,
        detail: bytes,
        audit: tuple[bytes, ...],
        limit_ms: int = 0,
    ) -> LedgerStep:
        if outcome not in OUTCOMES:
            raise ValueError(f"{outcome} is no end of an execution")
        return await self._step("finish", token, target, [attempt, outcome, detail, limit_ms], audit=audit)

    async def read(self, *, token: str, target: str) -> LedgerStep:
        return await self._step("read", token, target, [], copies=False)

    async def holder(self, *, target: str) -> str:
        reply = await self._run("holder", "", target, [], effect="", audit=(), copies=False)
        return cast(bytes, reply).decode()

    async def _step(
        self,
        step: str,
        token: str,
        target: str,
        arguments: list[Argument],
        *,
        effect: str = "",
        audit: tuple[bytes, ...] = (),
        copies: bool = True,
    ) -> LedgerStep:
        reply = await self._run(step, token, target, arguments, effect=effect, audit=audit, copies=copies)
        ok, state, reason, holder, approvals, plan, by, detail, wait = cast("list[bytes]", reply)
        return LedgerStep(
            ok=ok == b"1",
            state=cast(PlanState, state.decode()),
            reason=reason.decode(),
            holder=holder.decode(),
            plan=plan,
            by=by.decode(),
            approvals=tuple(approvals.decode().split("\x1e")) if approvals else (),
            detail=detail,
            wait_ms=int(wait),
        )

    async def _run(
        self,
        step: str,
        token: str,
        target: str,
        arguments: list[Argument],
        *,
        effect: str,
        audit: tuple[bytes, ...],
        copies: bool,
    ) -> object:
        return await self._base.run(
            scripts.LEDGER,
            shard_of(target),
            effect,
            [step, token, target, *rows.counted(audit), *arguments],
            copies=copies,
        )
