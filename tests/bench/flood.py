"""A platform that delivers so many events a second, whatever the bot does: `python -m tests.bench.flood PLATFORM URL
RATE SECONDS` prints what came of them as JSON."""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter

import aiohttp
import msgspec

from chatops_bot.ports.clock import SystemClock
from tests.bench.hooks import Hook, Sent
from tests.bench.stubs import WEB

PATIENCE_S = 3.0
"""How long all three platforms wait for an answer."""
ASKING = 10
"""One event in so many is a question; the others want no more than a courteous line."""


class Flood(msgspec.Struct, frozen=True):
    """Times in milliseconds, from when an event was due to its acknowledgement."""

    sent: int
    acknowledged: int
    p50_ms: float
    p99_ms: float
    worst_ms: float


async def flood(platform: str, url: str, *, rate: int, seconds: int) -> Flood:
    """Open loop: each event is sent when it is due, be the earlier ones answered or not."""
    hook, total = Hook(platform, clock=SystemClock(), first=1_000), rate * seconds
    took: list[float] = []
    connector = aiohttp.TCPConnector(limit=0)
    timeout = aiohttp.ClientTimeout(total=PATIENCE_S)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        begun = perf_counter()

        async def one(sent: Sent, due: float) -> None:
            try:
                async with session.post(
                    f"{url}{hook.path}?{sent.query}", data=sent.body, headers=sent.headers
                ) as answer:
                    await answer.read()
                    if answer.status == 200:
                        took.append(perf_counter() - begun - due)
            except (aiohttp.ClientError, TimeoutError):
                return

        async with asyncio.TaskGroup() as group:
            for number in range(total):
                due = number / rate
                await asyncio.sleep(max(0.0, due - (perf_counter() - begun)))
                text = f"status of {WEB.name}" if number % ASKING == 0 else "hello"
                group.create_task(one(hook.delivery(text), due))
    took.sort()
    at = [took[int(len(took) * share)] * 1000 if took else 0.0 for share in (0.5, 0.99)]
    return Flood(total, len(took), round(at[0], 1), round(at[1], 1), round(took[-1] * 1000, 1) if took else 0.0)


if __name__ == "__main__":
    name, address, rate, seconds = sys.argv[1:]
    found = asyncio.run(flood(name, address, rate=int(rate), seconds=int(seconds)))
    sys.stdout.write(msgspec.json.encode(found).decode() + "\n")
