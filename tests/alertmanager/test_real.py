"""A real Alertmanager, by its own configuration file, before the real process of the bot."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from chatops_bot.adapters.sandbox import Sandbox
from tests.alertmanager.server import (
    ALERTMANAGER,
    MISSING,
    Alertmanager,
    Json,
    alertmanager,
    configuration,
    free_port,
    pair,
)
from tests.scenario.running import PATIENCE_S, Room, configured, started

pytestmark = [
    pytest.mark.alertmanager,
    pytest.mark.skipif(ALERTMANAGER is None, reason=MISSING),
    pytest.mark.timeout(240),
]

TOKEN = "alert-token"
BEARER = {"authorization": {"type": "Bearer", "credentials": TOKEN}}
SLOW = {"alertname": "Slow", "service": "web", "severity": "warning"}
SERVICE = {"name": "web", "namespace": "shop", "workload": "deployment/web", "alerts": {"service": "web"}}


class Bot:
    """The running bot's room and what it counts."""

    def __init__(self, room: Room, http: httpx.AsyncClient) -> None:
        self.room = room
        self.http = http

    async def cards(self) -> list[str]:
        """What the cards of the room say."""
        return [json.dumps(card["card"], ensure_ascii=False) for card in await self.room.cards()]

    async def counted(self, taken: str) -> int:
        """Deliveries that became of alerts what `taken` says."""
        text = (await self.http.get("/metrics")).text
        found = re.search(
            rf'chatops_events_total{{kind="AlertGroup",platform="console",taken="{taken}"}} ([0-9.]+)', text
        )
        return int(float(found[1])) if found else 0

    async def until_said(self, *parts: str) -> str:
        """The one card of the room, once it says all of this."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                cards = await self.cards()
                if len(cards) == 1 and all(part in cards[0] for part in parts):
                    return cards[0]
                await asyncio.sleep(0.05)

    async def until_there_are(self, count: int) -> list[str]:
        """That many cards."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                cards = await self.cards()
                if len(cards) == count:
                    return cards
                await asyncio.sleep(0.05)


def to(bot: Bot, http_config: Json = BEARER) -> Json:
    """The webhook that leads to a bot."""
    return {"url": str(bot.http.base_url.join("/alerts")), "http_config": http_config}


@asynccontextmanager
async def bot(
    folder: Path, cluster: Sandbox, *, port: int = 0, secrets: Json | None = None, **alerts: Any
) -> AsyncIterator[Bot]:
    chosen = {
        "rooms": {"ops": {"platform": "console"}},
        "alerts": {"enabled": True, "room": "ops", **alerts},
        "services": [SERVICE],
    }
    if port:
        chosen["http"] = {"host": "127.0.0.1", "port": port}
    configured(folder, cluster, **chosen)
    secrets = {"CHATOPS_ALERTS__TOKEN": TOKEN} if secrets is None else secrets
    async with started("run", cwd=folder, **secrets) as running:
        await running.until_logged("running")
        async with (
            httpx.AsyncClient(base_url=await running.address("console")) as console,
            httpx.AsyncClient(base_url=await running.address("http")) as http,
        ):
            yield Bot(Room(console), http)


@asynccontextmanager
async def both(
    folder: Path,
    cluster: Sandbox,
    *,
    http_config: Json = BEARER,
    webhook: Json | None = None,
    alerts: Json | None = None,
    **more: Any,
) -> AsyncIterator[tuple[Alertmanager, Bot]]:
    """A bot, and an Alertmanager that sends to it."""
    async with bot(folder, cluster, **(alerts or {})) as found:
        sent = {**to(found, http_config), **(webhook or {})}
        async with alertmanager(folder / "am", configuration(sent, **more)) as manager:
            yield manager, found


async def test_a_group_fires_grows_and_is_resolved_on_one_card(tmp_path: Path, sandbox: Sandbox) -> None:
    async with both(tmp_path, sandbox) as (manager, found):
        await manager.fire(SLOW, summary="web answers slowly")
        card = await found.until_said("Alert: Slow (1 firing)", "web answers slowly", "2/2 pods ready")
        assert '"diagnose"' in card
        await manager.fire({**SLOW, "pod": "web-2"}, summary="and so does the other")
        await found.until_said("(2 firing)", "web answers slowly", "and so does the other")
        await manager.fire(SLOW, ended=True)
        await found.until_said("(1 firing)", "✅")
        await manager.fire({**SLOW, "pod": "web-2"}, ended=True)
        await found.until_said("Resolved: Slow", "It lasted 5m")
        await manager.fire(SLOW, began_s=0)
        await found.until_said("Alert: Slow (1 firing)")


async def test_a_cluster_that_hangs_holds_up_no_alert(tmp_path: Path, sandbox: Sandbox) -> None:
    async with both(tmp_path, sandbox) as (manager, found):
        sandbox.faults.hang(count=10_000)
        await manager.fire(SLOW, summary="web answers slowly")
        await found.until_said("Alert: Slow (1 firing)", "web answers slowly", "Diagnosing web")
        await manager.fire({**SLOW, "pod": "web-2"})
        await found.until_said("(2 firing)", "Diagnosing web")
        sandbox.faults.clear()
        await found.until_said("(2 firing)", "2/2 pods ready")


async def test_a_repetition_is_no_news(tmp_path: Path, sandbox: Sandbox) -> None:
    async with both(tmp_path, sandbox, repeat="500ms") as (manager, found):
        await manager.fire(SLOW)
        await found.until_said("Alert: Slow", "2/2 pods ready")
        before = (await found.room.cards())[0]
        await manager.until_sent(4)
        assert (await found.room.cards()) == [before]


async def test_what_is_inhibited_is_not_heard_of(tmp_path: Path, sandbox: Sandbox) -> None:
    rule = {"source_matchers": ["severity=critical"], "target_matchers": ["severity=warning"], "equal": ["service"]}
    async with both(tmp_path, sandbox, inhibit_rules=[rule]) as (manager, found):
        # One after the other: of both at once it may send the second before its inhibitor has seen the first.
        await manager.fire({"alertname": "Down", "service": "web", "severity": "critical"})
        await found.until_said("Alert: Down (1 firing)")
        await manager.fire(SLOW)
        await manager.until_suppressed("Slow")
        assert len(await found.cards()) == 1
        await manager.fire({"alertname": "Down", "service": "web", "severity": "critical"}, ended=True)
        assert "Alert: Slow" in (await found.until_there_are(2))[1]


async def test_a_pair_makes_one_card(tmp_path: Path, sandbox: Sandbox) -> None:
    async with bot(tmp_path, sandbox) as found, pair(tmp_path, configuration(to(found))) as managers:
        now = datetime.now(UTC)
        await asyncio.gather(*(manager.fire(SLOW, now=now) for manager in managers))
        await found.until_said("Alert: Slow (1 firing)", "2/2 pods ready")
        now = datetime.now(UTC)
        await asyncio.gather(*(manager.fire(SLOW, ended=True, now=now) for manager in managers))
        await found.until_said("Resolved: Slow")
        sent = sum([await manager.counted("alertmanager_notification_requests_total") for manager in managers])
        assert await found.counted("reopen") == 1
        assert await found.counted("append") == 1
        assert await found.counted("duplicate") == sent - 2


async def test_three_that_do_not_know_each_other_make_one_card(tmp_path: Path, sandbox: Sandbox) -> None:
    async with bot(tmp_path, sandbox) as found:
        chosen = configuration(to(found))
        async with (
            alertmanager(tmp_path / "a", chosen) as one,
            alertmanager(tmp_path / "b", chosen) as two,
            alertmanager(tmp_path / "c", chosen) as three,
        ):
            labels = {"alertname": "Slow", "service": "web"}
            now = "2026-01-05T10:00:00Z"
            body = [{"labels": labels, "startsAt": now, "endsAt": "2999-01-01T00:00:00Z"}]
            await asyncio.gather(*(am.client.post("/api/v2/alerts", json=body) for am in (one, two, three)))
            for manager in (one, two, three):
                await manager.until_sent(1)
            await found.until_said("Alert: Slow (1 firing)")
            assert await found.counted("reopen") == 1
            assert await found.counted("append") + await found.counted("duplicate") == 2


async def test_by_user_name_and_password(tmp_path: Path, sandbox: Sandbox) -> None:
    secrets = {"CHATOPS_ALERTS__USERNAME": "am", "CHATOPS_ALERTS__PASSWORD": "s3cret"}
    right = {"basic_auth": {"username": "am", "password": "s3cret"}}
    async with both(tmp_path, sandbox, http_config=right, alerts={"secrets": secrets}) as (manager, found):
        await manager.fire(SLOW)
        await found.until_said("Alert: Slow (1 firing)")


@pytest.mark.parametrize(
    "http_config",
    [{}, {"authorization": {"credentials": "guess"}}, {"basic_auth": {"username": "am", "password": TOKEN}}],
    ids=["none", "another token", "a password"],
)
async def test_who_has_not_the_token_is_not_heard(tmp_path: Path, sandbox: Sandbox, http_config: Json) -> None:
    async with both(tmp_path, sandbox, http_config=http_config) as (manager, found):
        await manager.fire(SLOW)
        await manager.until_sent(1, failed=True)
        assert await found.cards() == []


async def test_what_was_not_taken_is_delivered_again(tmp_path: Path, sandbox: Sandbox) -> None:
    """The bot is not there yet when the alert fires."""
    port = free_port()
    sent = {"url": f"http://127.0.0.1:{port}/alerts", "http_config": BEARER}
    async with alertmanager(tmp_path / "am", configuration(sent)) as manager:
        await manager.fire(SLOW)
        await manager.until_sent(2)
        async with bot(tmp_path, sandbox, port=port) as found:
            await found.until_said("Alert: Slow (1 firing)")


async def test_noise_is_left_out_and_what_was_not_sent_is_said(tmp_path: Path, sandbox: Sandbox) -> None:
    async with both(tmp_path, sandbox, webhook={"max_alerts": 2}) as (manager, found):
        await manager.fire({"alertname": "Watchdog", "severity": "none"})
        await manager.until_sent(1)
        await manager.fire(*({**SLOW, "pod": f"web-{number}"} for number in range(5)))
        card = await found.until_said("did not send 3 more")
        assert "(2 firing)" in card


async def test_five_hundred_alerts_of_one_group_are_one_card(tmp_path: Path, sandbox: Sandbox) -> None:
    async with both(tmp_path, sandbox) as (manager, found):
        await manager.fire(*({**SLOW, "pod": f"web-{number:03}"} for number in range(500)))
        await found.until_said("(500 firing)", "490 more.")


async def test_the_link_to_a_silence_matches_the_group(tmp_path: Path, sandbox: Sandbox) -> None:
    name = 'Disk "full"\\ {95%}'
    async with both(tmp_path, sandbox, group_by=("alertname", "namespace")) as (manager, found):
        await manager.fire({"alertname": name, "namespace": "shop", "pod": "a"}, {"alertname": name, "namespace": "x"})
        await found.until_there_are(2)
        cards = [card["card"] for card in await found.room.cards()]
        links = [link["url"] for card in cards for block in card["blocks"] for link in block.get("links", [])]
        url = next(link for link in links if "shop" in link)
        assert url.startswith(f"{manager.client.base_url}".rstrip("/") + "/#/silences/new?filter=")
        matchers = re.findall(r'\w+="(?:[^"\\]|\\.)*"', unquote(url.partition("filter=")[2]))
        answer = await manager.client.get("/api/v2/alerts", params=[("filter", one) for one in matchers])
        assert [one["labels"]["pod"] for one in answer.json()] == ["a"]
        assert "http://prometheus.example:9090/graph?g0.expr=up+%3D%3D+0&g0.tab=1" in links


async def test_receivers_are_told_apart(tmp_path: Path, sandbox: Sandbox) -> None:
    async with bot(tmp_path, sandbox, receivers=["chatops"]) as found:
        chosen = configuration(to(found))
        chosen["receivers"].append({"name": "pager", "webhook_configs": [to(found)]})
        chosen["route"]["routes"] = [{"receiver": "pager", "continue": True}, {"receiver": "chatops"}]
        async with alertmanager(tmp_path / "am", chosen) as manager:
            await manager.fire(SLOW)
            await manager.until_sent(2)
            await found.until_said("Alert: Slow (1 firing)")
            assert 'chatops_alerts_total{result="ignored"} 1.0' in (await found.http.get("/metrics")).text
