"""What the store, the ledger and the audit log share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.adapters.redis.scripts import Script
from chatops_bot.ports.store import LEASE_MS


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
