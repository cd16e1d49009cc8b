"""Short names for what the cluster contract's tests talk about."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from chatops_bot.domain.observed import Raw
from chatops_bot.ports.cluster import Permit

PERMIT = Permit(token="t0", target="test/shop/deployment/web", attempt="a0")


def versions(live: Raw) -> dict[str, str]:
    return {"uid": live["metadata"]["uid"], "resource_version": live["metadata"]["resourceVersion"]}


async def until(holds: Callable[[], bool], limit_s: float = 5.0) -> None:
    """Let the loop run until something holds; the limit only ends a test that has failed."""
    for _ in range(int(limit_s / 0.005)):
        if holds():
            return
        await asyncio.sleep(0.005)
    raise AssertionError(f"did not come to hold within {limit_s} s")
