"""`python -m tests.bench.alerts`: how soon an alert is a card, and what a flood of alerts does to Slack.

The real process of the bot, a sandbox cluster and a Slack on loopback, on real time. First groups of one alert, one after
the other; then 20 groups that grow, as rules make them, a thousand new alerts a minute.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from statistics import median

import httpx

from chatops_bot.adapters.sandbox import Sandbox
from chatops_bot.adapters.slack.fake import deliveries
from chatops_bot.adapters.slack.fake.server import FakeSlack
from chatops_bot.adapters.slack.fake.workspace import ROOM, Json
from chatops_bot.ports.clock import SystemClock
from tests.scenario.running import configured, started

TOKEN = "alert-token"
GROUPS = 20
EACH = 10
"""New alerts in a delivery."""
PER_MINUTE = 1_000
SETTLES_S = 60
"""Cards that nobody asked for come one after the other."""
UPDATES_A_MINUTE = 50
"""What Slack takes of a workspace."""
SHOP = {"workloads": [{"kind": "Deployment", "namespace": "shop", "name": "web", "replicas": 2}]}
SERVICE = {"name": "web", "namespace": "shop", "workload": "deployment/web", "alerts": {"service": "web"}}


class Timed(list[tuple[str, Json]]):
    """The calls of a workspace, and when each came."""

    def __init__(self) -> None:
        super().__init__()
        self.at: list[float] = []

    def append(self, call: tuple[str, Json]) -> None:
        self.at.append(time.monotonic())
        super().append(call)

    def first(self, *words: str) -> float:
        """When something that says all of this was first posted or shown; 0 where it was not."""
        for at, (method, body) in zip(self.at, self, strict=True):
            told = json.dumps(body)
            if method in ("chat.postMessage", "chat.update") and all(word in told for word in words):
                return at
        return 0.0

    def most(self, method: str, window_s: float, *, of: str = "") -> int:
        """The most calls of a method that came within a window, of one message where it is given."""
        times = [
            at for at, (called, body) in zip(self.at, self, strict=True) if called == method and self._of(body, of)
        ]
        return max((sum(at <= other < at + window_s for other in times) for at in times), default=0)

    @staticmethod
    def _of(body: Json, message: str) -> bool:
        return not message or body.get("ts") == message


def delivery(name: str, pods: int) -> Json:
    """What Alertmanager sends of a group."""
    labels = {"alertname": name, "service": "web", "severity": "warning"}
    alerts = [
        {
            "status": "firing",
            "labels": {**labels, "pod": f"web-{number}"},
            "annotations": {"summary": f"{name} of web-{number}"},
            "startsAt": "2026-01-05T10:00:00Z",
            "endsAt": "0001-01-01T00:00:00Z",
            "generatorURL": "",
            "fingerprint": f"{name}-{number}",
        }
        for number in range(pods)
    ]
    common = {"groupLabels": {"alertname": name}, "commonLabels": labels, "commonAnnotations": {}}
    outer = {"version": "4", "groupKey": name, "receiver": "chatops", "status": "firing", "externalURL": "http://am"}
    return {**outer, **common, "alerts": alerts}


class Flood:
    """The bot's door on one side, what Slack was asked on the other."""

    def __init__(self, http: httpx.AsyncClient, calls: Timed) -> None:
        self._http = http
        self.calls = calls
        self.statuses: Counter[int] = Counter()
        self.took: list[float] = []

    async def send(self, body: Json) -> float:
        """When it was sent."""
        begun = time.monotonic()
        answer = await self._http.post("/alerts", json=body, headers={"Authorization": f"Bearer {TOKEN}"}, timeout=30)
        self.took.append(time.monotonic() - begun)
        self.statuses[answer.status_code] += 1
        return begun

    async def alone(self, count: int) -> list[tuple[float, float]]:
        """Seconds from each alert to its card, and to the diagnosis on it."""
        found = []
        for number in range(count):
            name = f"Alone{number:03}"
            begun = await self.send(delivery(name, 1))
            await asyncio.sleep(2.5)
            shown, judged = self.calls.first(f"Alert: {name}"), self.calls.first(f"Alert: {name}", "pods ready")
            found.append((shown - begun if shown else float("inf"), judged - begun if judged else float("inf")))
        return found

    async def grow(self, minutes: int) -> dict[str, int]:
        """How many alerts of each group were sent, when the minutes are over."""
        sizes = dict.fromkeys((f"Rule{number:02}" for number in range(GROUPS)), 0)
        total, begun = minutes * PER_MINUTE // EACH, time.monotonic()
        for number in range(total):
            due = begun + number * minutes * 60 / total
            await asyncio.sleep(max(0.0, due - time.monotonic()))
            name = f"Rule{number % GROUPS:02}"
            sizes[name] += EACH
            await self.send(delivery(name, sizes[name]))
        return sizes

    def newest(self, name: str) -> str:
        """What the group's card says last."""
        told = (
            json.dumps(body, ensure_ascii=False) for method, body in reversed(self.calls) if method.startswith("chat.")
        )
        return next((text for text in told if f"Alert: {name} " in text), "")


async def measure(minutes: int, alone: int) -> tuple[bool, str]:
    """Whether all was held to, and what came of it."""
    calls = Timed()
    with tempfile.TemporaryDirectory() as folder:
        async with FakeSlack(SystemClock()) as slack, Sandbox(time.time, auto=True) as cluster:
            cluster.apply(SHOP)
            await cluster.settle()
            slack.workspace.calls = calls
            configured(
                Path(folder),
                cluster,
                console=None,
                slack={"enabled": True, "mode": "http", "base_url": slack.url},
                rooms={ROOM: {"platform": "slack"}},
                alerts={"enabled": True, "room": ROOM},
                services=[SERVICE],
            )
            secrets = {
                "CHATOPS_SLACK__BOT_TOKEN": "xoxb-test",
                "CHATOPS_SLACK__SIGNING_SECRET": deliveries.SECRET,
                "CHATOPS_ALERTS__TOKEN": TOKEN,
            }
            async with started("run", cwd=Path(folder), **secrets) as running:
                await running.until_logged("running")
                async with httpx.AsyncClient(base_url=await running.address("http")) as http:
                    while (await http.get("/readyz")).status_code != 200:  # noqa: ASYNC110 (another process)
                        await asyncio.sleep(0.1)
                    return await _told(Flood(http, calls), minutes, alone)


async def _told(flood: Flood, minutes: int, alone: int) -> tuple[bool, str]:
    times = await flood.alone(alone)
    shown, judged = sorted(one for one, _ in times), sorted(one for _, one in times)
    soon = f"alert to card: {median(shown) * 1000:.0f} ms, the slowest of {alone} {shown[-1] * 1000:.0f} ms"
    soon = f"{soon}; with its diagnosis {median(judged) * 1000:.0f} ms, {judged[-1] * 1000:.0f} ms\n"
    sys.stdout.write(soon)
    sys.stdout.flush()
    del flood.took[:]
    sizes = await flood.grow(minutes)
    await asyncio.sleep(SETTLES_S)
    lost = [name for name, size in sizes.items() if f"({size} firing)" not in flood.newest(name)]
    took, calls = sorted(flood.took), flood.calls
    cards = {str(body.get("ts")) for method, body in calls if method == "chat.update"}
    posts, updates = (
        calls.most("chat.postMessage", 1),
        max((calls.most("chat.update", 1, of=ts) for ts in cards), default=0),
    )
    held = not lost and set(flood.statuses) == {200} and updates <= 2 and shown[-1] < 1
    held = held and posts <= 4 and calls.most("chat.update", 60) <= UPDATES_A_MINUTE
    return held, (
        f"{sum(sizes.values())} alerts in {minutes} min, {len(took)} deliveries, answered {dict(flood.statuses)}, "
        f"median {median(took) * 1000:.0f} ms, the slowest {took[-1] * 1000:.0f} ms; cards without all their alerts: {lost}\n"
        f"chat.postMessage: at most {posts} in a second, {calls.most('chat.postMessage', 60)} in a minute; chat.update: at "
        f"most {updates} in a second of one message, {calls.most('chat.update', 60)} in a minute of all; "
        f"load {os.getloadavg()[0]:.1f}\n"
    )


def main() -> int:
    """0 when no alert is lost, a card is there within a second, and no message is updated faster than once a second."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.alerts", description=__doc__)
    parser.add_argument("--minutes", type=int, default=10)
    parser.add_argument("--alone", type=int, default=20, help="alerts that come one by one")
    wanted = parser.parse_args()
    held, line = asyncio.run(measure(wanted.minutes, wanted.alone))
    sys.stdout.write(line)
    return 0 if held else 1


if __name__ == "__main__":
    raise SystemExit(main())
