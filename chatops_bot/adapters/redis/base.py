"""What the store, the ledger and the audit log share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.ports.store import LEASE_MS, Retention


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
        retention: Retention | None = None,
    ) -> None:
        self.client = client
        self.random_bytes = random_bytes
        self.lease_ms = lease_ms
        self.retention = retention or Retention()
        self._kept = kept(self.retention)
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

    def head(self, token: str) -> list[Argument]:
        """What every script is given first."""
        return [self.now(), self.lease_ms, token, self._kept]

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
            [*self.head(token), *arguments],
            keys=keys,
            copies=copies,
            patient=patient,
        )


def kept(retention: Retention) -> str:
    """How long what is kept (s), as `prelude.lua` reads it."""
    r = retention
    return f"{r.seen_s}|{r.cards_s}|{r.summaries_s}|{r.plans_s}|{r.incidents_s}"
