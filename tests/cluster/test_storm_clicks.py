"""Fifty people at the buttons of one card at the same moment, before two workers: one execution, counted at the API
server; whoever may not has no part in it. Complaints c35, g3, g7."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import connect
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.store import RedisStore, Scripts
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from tests.cluster.controlplane import ControlPlane
from tests.cluster.crew import ALICE, PEOPLE, Crew, crew

Json = dict[str, Any]

MAY, MAY_NOT = PEOPLE[:40], PEOPLE[40:]
GROUPS = {"sre": [f"slack:{person}" for person in MAY]}
AT_ONCE_S = 100.0
"""For what a hundred and more clicks take on a loaded machine."""


async def press(here: Crew, people: tuple[str, ...], card: Json, button: str) -> None:
    """Everybody twice, once before each worker, all at once; as acknowledged."""
    clicks = [(worker, here.pressed(who, card, button)) for who in people for worker in (here.one, here.other)]
    await asyncio.gather(*(worker.take(click) for worker, click in clicks))


async def records(here: Crew) -> list[Record]:
    """Of the bot's audit log."""
    client = connect(here.store)
    log = RedisAuditLog(Scripts(client, random_bytes=os.urandom))
    found = [
        audit.decode(one.record) for shard in range(SHARDS) for one in await log.entries(shard=shard, limit=10_000)
    ]
    await client.close()
    return found


async def decided(here: Crew) -> None:
    """Until nothing is left to be decided or done about a click. What is still to be said to each may take longer:
    Slack takes a post a second."""
    client = connect(here.store)
    scripts = Scripts(client, random_bytes=os.urandom)
    store = RedisStore(scripts, monotonic=asyncio.get_running_loop().time)
    async with asyncio.timeout(AT_ONCE_S):
        while (depths := await store.queue_depths())["mailbox"] or depths["work"]:  # noqa: ASYNC110 (others' work)
            await asyncio.sleep(0.1)
    await client.close()


@pytest.mark.timeout(200)
async def test_fifty_people_confirm_at_once_and_it_is_done_once_c35_g3(
    controlplane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    policy = {"groups": GROUPS, "rules": [{"confirm": ["sre"]}]}
    async with crew(controlplane, namespace, tmp_path, policy=policy) as here:
        await here.one.take(here.said(ALICE, "scale web to 4"))
        plan = await here.card("deployment/web", "2 → 4")
        await press(here, MAY_NOT[:3], plan, "confirm")
        await decided(here)
        assert here.sent() == []
        await press(here, PEOPLE, plan, "confirm")
        await here.card("Done: scale web", within_s=AT_ONCE_S)
        await here.until_ready("web", 4)
        assert here.sent() == [("web", {"replicas": 4})]
        await decided(here)
        assert here.sent() == [("web", {"replicas": 4})]
        found = await records(here)
        (executed,) = (one for one in found if one.kind == "execution" and one.sent)
        assert executed.user.removeprefix("slack:") in MAY


@pytest.mark.timeout(250)
async def test_fifty_people_approve_at_once_what_several_confirmed_and_it_is_done_once_g7(
    controlplane: ControlPlane, namespace: str, tmp_path: Path
) -> None:
    rule = {"confirm": ["sre"], "approve": ["sre"], "approvals": 2}
    async with crew(controlplane, namespace, tmp_path, policy={"groups": GROUPS, "rules": [rule]}) as here:
        await here.one.take(here.said(ALICE, "scale web to 4"))
        plan = await here.card("deployment/web", "2 → 4")
        # Not all of them: Slack takes a post a second, and each is told what became of the click.
        await press(here, (*MAY_NOT[:3], *MAY[:8]), plan, "confirm")
        asking = await here.card("deployment/web", '"approve"', within_s=AT_ONCE_S)
        assert here.sent() == []
        await press(here, MAY_NOT[:3], asking, "approve")
        await press(here, (ALICE,), asking, "approve")
        await decided(here)
        assert here.sent() == []

        await press(here, PEOPLE, asking, "approve")
        await here.card("Done: scale web", within_s=AT_ONCE_S)
        await here.until_ready("web", 4)
        await decided(here)
        assert here.sent() == [("web", {"replicas": 4})]
        found = await records(here)
        (executed,) = (one for one in found if one.kind == "execution" and one.sent)
        approvers = {one.user.removeprefix("slack:") for one in found if one.kind == "approval" and "." in one.event}
        assert len(approvers - {ALICE, executed.user.removeprefix("slack:")}) >= 2
        assert approvers <= set(MAY)
