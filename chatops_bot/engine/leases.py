"""Leases that this worker holds, measured by its own monotonic clock from before each request."""

from __future__ import annotations

from chatops_bot.ports.clock import Clock
from chatops_bot.ports.store import LEASE_MS, Claim, StoreUnavailable, ThreadStore


class Leases:
    """Who holds a lease asks `sure` before every call to the outside."""

    def __init__(self, *, store: ThreadStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._claims: dict[str, Claim] = {}
        self._until: dict[str, float] = {}

    def hold(self, claim: Claim) -> None:
        """A queue was taken."""
        self._claims[claim.token] = claim
        self._until[claim.token] = claim.deadline

    def drop(self, claim: Claim) -> None:
        """Its entry is done, given back or lost."""
        self._claims.pop(claim.token, None)
        self._until.pop(claim.token, None)

    def sure(self, claim: Claim, *, need_s: float = 1.0) -> bool:
        """Whether enough of the lease is left to begin a call. When in doubt, no."""
        return self._until.get(claim.token, 0.0) - self._clock.monotonic() >= need_s

    async def renew(self) -> None:
        """Prolong all; those already lost are no longer held. Raises `StoreUnavailable`."""
        held = list(self._claims.values())
        if not held:
            return
        asked = self._clock.monotonic()
        lost = await self._store.renew(held)
        for claim in held:
            if claim.token in lost:
                self.drop(claim)
            elif claim.token in self._until:
                self._until[claim.token] = asked + LEASE_MS / 1000

    async def give_back(self) -> None:
        """All at once, at shutdown: others need not wait for them to run out."""
        held = list(self._claims.values())
        self._claims.clear()
        self._until.clear()
        if held:
            try:
                await self._store.give_back(held)
            except StoreUnavailable:
                return
