"""A worker process before a real cluster that dies wherever the test wants it to: the one of the safety proof, which
names each step of the ledger, and goes by a kubeconfig. Run as `python -m tests.cluster.mortal`."""

from __future__ import annotations

from typing import Any

import msgspec

from chatops_bot.adapters.kubernetes import Connection
from chatops_bot.adapters.kubernetes.connection import Limits
from chatops_bot.adapters.redis.resp import Reply
from chatops_bot.adapters.redis.scripts import LEDGER, Script
from chatops_bot.adapters.redis.store import Scripts
from chatops_bot.domain.catalog import Catalog
from tests.cluster.talk import CLUSTER, service
from tests.safety import worker
from tests.safety.worker import MortalScripts


class Settings(worker.Settings, kw_only=True):
    """`cluster` is a kubeconfig here."""

    namespace: str
    names: tuple[str, ...]
    limits: Limits


class LedgerScripts(MortalScripts):
    """Places to die at around each step of the ledger, as `ledger finish after`."""

    async def run(self, script: Script, shard: int, token: str, arguments: Any = (), **more: Any) -> Reply:
        if script is not LEDGER:
            return await super().run(script, shard, token, arguments, **more)
        step = f"ledger {arguments[0]}"
        self._points.pass_by(f"{step} before")
        reply = await Scripts.run(self, script, shard, token, arguments, **more)
        self._points.pass_by(f"{step} after")
        return reply


class Worker(worker.Worker):
    """One bot on a real cluster."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._here = settings

    def scripts(self) -> Scripts:
        return LedgerScripts(self.points, self.clock, self._here.redis)

    def cluster(self) -> tuple[str, Connection, Catalog]:
        here = self._here
        catalog = Catalog([service(here.namespace, name) for name in here.names])
        return CLUSTER, Connection.from_kubeconfig(here.cluster, limits=here.limits), catalog


if __name__ == "__main__":
    worker.main(lambda line: Worker(msgspec.json.decode(line, type=Settings)))
