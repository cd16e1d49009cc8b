"""The API server is killed in the middle of everything, and started again."""

from __future__ import annotations

import asyncio

from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Held, dry_runs, requests, writes
from tests.cluster.weather import Weather, eventually, weather

NAMES = ("asked", "tried", "early", "late", "waiting", "looked-at", "logged", "rolling")


async def everything_under_way(there: Weather) -> list[Held]:
    """Each person's request stands at another place on its way; a rollout is followed, and one plan only waits."""
    talk, proxy = there.talk, there.proxy
    await talk.ask("scale rolling to 3", "rudi")
    await talk.ask("scale early to 5", "erin")
    await talk.ask("把 late 扩容到 5 个副本", "lars")
    await talk.ask("scale waiting to 5", "wanda")
    held = [
        proxy.hold(requests("GET", "/deployments/asked")),
        proxy.hold(dry_runs("/deployments/tried")),
        proxy.hold(writes("/deployments/early")),
        proxy.hold(writes("/deployments/late"), after=True),
        proxy.hold(requests("GET", "/deployments/looked-at")),
        proxy.hold(requests("GET", "/log")),
    ]
    await talk.click("confirm", "rudi")
    await talk.say("scale asked to 5", "anna")
    await talk.say("scale tried to 5", "theo")
    await talk.say("status of looked-at", "dora")
    await talk.say("logs of logged", "lena")
    await talk.click("confirm", "erin")
    await talk.click("confirm", "lars")
    await asyncio.gather(*(each.wait() for each in held))
    # Once the bot knows of its write: the API server has it a moment before the answer is here.
    await eventually(lambda: _first_is_done(there), "the rollout to begin")
    return held


async def _first_is_done(there: Weather) -> bool:
    return "done" in await there.talk.ledger()


async def test_everything_under_way_is_told_and_nothing_is_done_twice(
    mortal: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(mortal, namespace, redis_url, names=NAMES) as there:
        talk, proxy = there.talk, there.proxy
        held = await everything_under_way(there)
        mortal.kill_apiserver()
        await proxy.refuse()
        for each in held:
            each.release()
        await talk.rest()

        # In the same turn, with what to do.
        assert "Cannot scale asked" in talk.heard("anna")
        assert "cannot be connected to. Try again shortly" in talk.heard("anna")
        assert "No dry-run possible here" in talk.heard("theo")
        assert "Could not read it: Cluster prod did not answer" in talk.heard("dora")
        assert "Could not read it: Cluster prod did not answer" in talk.heard("lena")
        assert "Outcome not known yet: scale early" in talk.heard("erin")
        assert "It is not sent again: once the cluster answers, I find out" in talk.heard("erin")
        assert "结果待查：扩缩容 late" in talk.heard("lars")
        assert "不会再发第二次；集群恢复应答后，我会查明是否生效" in talk.heard("lars")
        await talk.click("confirm", "wanda")
        await talk.rest()
        assert "so nothing was run: the API server cannot be connected to. Ask again once it answers" in talk.heard(
            "wanda"
        )
        assert await talk.ledger() == ["done", "executing", "executing", "prepared", "refused"]

        mortal.start_apiserver()
        await proxy.listen()
        await talk.until_heard("Not done: scale early", "erin")
        assert "Ask again if it is still needed" in talk.heard("erin")
        await talk.until_heard("已执行：扩缩容 late", "lars")
        await talk.until_heard("Done: 3 of 3 pods ready", "rudi")
        assert await talk.ledger() == ["done", "done", "interrupted", "prepared", "refused"]
        assert sorted((sent.name, sent.code) for sent in there.sent("write")) == [("late", 200), ("rolling", 200)]
        assert [there.replicas(name) for name in ("early", "late", "waiting", "rolling")] == [2, 5, 2, 3]
        # Of three plans only the one that waits for theo is left, and holds nothing.
        assert await talk.targets() == 0
        assert "2/2 pods ready" in await talk.ask("status of looked-at", "dora")
