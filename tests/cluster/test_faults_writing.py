"""A write that meets bad weather on its way to a real API server: sent once, found out, and told as it is."""

from __future__ import annotations

import pytest

from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Proxy, requests, touches, writes
from tests.cluster.weather import SHORT, weather

WEB = "/deployments/web"


def befall(proxy: Proxy, fault: str, *, after: bool) -> None:
    """What the next write of a plan meets."""
    if fault == "reset":
        proxy.reset(writes(WEB), after=after)
    elif fault == "html":
        proxy.html(writes(WEB), after=after)
    elif fault == "slow":
        proxy.hold(writes(WEB), after=after)
    elif fault == "half":
        proxy.half(writes(WEB))
    else:
        proxy.answer(int(fault), writes(WEB), after=after, times=5, headers={"Retry-After": "1"})


@pytest.mark.parametrize("fault", ["500", "503", "reset", "html", "slow"])
async def test_a_write_that_never_arrived(
    controlplane: ControlPlane, namespace: str, redis_url: str, fault: str
) -> None:
    async with weather(controlplane, namespace, redis_url, limits=SHORT) as there:
        talk = there.talk
        assert "2 → 5" in await talk.ask("scale web to 5")
        befall(there.proxy, fault, after=False)
        told = await talk.press("confirm")
        assert "Not done: scale web" in told
        assert "interrupted before the write took effect. Ask again if it is still needed" in told
        assert await talk.ledger() == ["interrupted"]
        assert await talk.targets() == 0
        assert there.proxy.count(writes(WEB)) == 1
        await there.until_sent(("touch", 200))
        assert there.replicas("web") == 2
        # The write that was held arrives at last: too late, for the touch has moved the version.
        there.proxy.clear()
        if fault == "slow":
            await there.until_sent(("touch", 200), ("write", 409))
            assert there.replicas("web") == 2
        await talk.ask("scale web to 5")
        assert "Done: scale web" in await talk.press("confirm")
        assert there.replicas("web") == 5


@pytest.mark.parametrize("fault", ["500", "504", "reset", "html", "half", "slow"])
async def test_a_write_whose_answer_was_lost(
    controlplane: ControlPlane, namespace: str, redis_url: str, fault: str
) -> None:
    async with weather(controlplane, namespace, redis_url, limits=SHORT) as there:
        talk = there.talk
        assert "2 → 5" in await talk.ask("把 web 扩容到 5 个副本")
        befall(there.proxy, fault, after=True)
        told = await talk.press("confirm")
        assert "已执行：扩缩容 web" in told
        assert "由 alice 确认" in told
        assert await talk.ledger() == ["done"]
        assert await talk.targets() == 0
        assert there.proxy.count(writes(WEB)) == 1
        await there.until_sent(("write", 200), ("touch", 200))
        assert there.replicas("web") == 5
        assert [(record.user, record.service) for record in await talk.records("execution")] == [
            ("alice", f"prod/{namespace}/deployment/web")
        ]


NO = {
    302: "The API server of cluster prod refused; nothing was changed",
    401: "Cluster prod does not accept the bot's credentials; nothing was changed",
    403: "If the bot lacks a permission, chatops-bot doctor lists what to grant; then ask again",
    429: "Cluster prod is turning requests away, so nothing was run: the weather says 429. Ask again in a minute",
}


async def test_an_answer_that_means_no(controlplane: ControlPlane, namespace: str, redis_url: str) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        talk = there.talk
        for number, (status, words) in enumerate(NO.items(), 1):
            await talk.ask("scale web to 5")
            there.proxy.answer(
                status, writes(WEB), times=9, headers={"Retry-After": "1", "Location": "https://x.test/"}
            )
            told = await talk.press("confirm")
            assert "Not done: scale web" in told
            assert words in told, status
            assert await talk.ledger() == ["refused"] * number
            assert await talk.targets() == 0
            assert there.proxy.count(writes(WEB)) == number
            assert there.sent("write", "touch") == []
            there.proxy.clear()
        await talk.ask("scale web to 5")
        assert "Done: scale web" in await talk.press("confirm")
        await there.until_sent(("write", 200))


async def test_a_target_that_cannot_be_read_again_is_not_written_to(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url, limits=SHORT) as there:
        talk, proxy = there.talk, there.proxy
        await talk.ask("scale web to 5")
        proxy.hold(requests("GET", WEB), times=9)
        told = await talk.press("confirm")
        assert "so nothing was run: no answer within 0.6 s. Ask again once it answers" in told
        proxy.clear()
        await talk.ask("scale web to 5")
        proxy.reset(requests("GET", WEB), times=9)
        assert "so nothing was run: the connection to the API server was lost" in await talk.press("confirm")
        proxy.clear()
        await talk.ask("scale web to 5")
        proxy.answer(401, requests("GET", WEB), times=9)
        assert "does not accept the bot's credentials; nothing was changed" in await talk.press("confirm")
        assert await talk.ledger() == ["refused"] * 3
        assert proxy.count(writes(WEB)) == 0


async def test_a_write_in_the_dark_is_told_at_once_and_settled_when_there_is_light(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        talk, proxy = there.talk, there.proxy
        await talk.ask("scale web to 5")
        proxy.reset(writes(WEB), after=True)
        proxy.answer(500, touches(WEB), times=9_999)
        reading = proxy.hold(requests("GET", WEB), after=True)  # the one before the write: all others are in the dark
        await talk.click("confirm")
        await reading.wait()
        proxy.answer(500, requests("GET", WEB), times=9_999)
        reading.release()
        await talk.rest()
        told = talk.heard()
        assert "Outcome not known yet: scale web" in told
        assert "It is not sent again" in told
        assert await talk.ledger() == ["executing"]
        assert "call that was made cannot be taken back" in await talk.ask("cancel")
        # Half an hour is the limit, not two minutes.
        await talk.pass_time(160)
        assert await talk.ledger() == ["executing"]
        proxy.clear()
        assert "Done: scale web" in await talk.until_heard("Done: scale web")
        assert await talk.ledger() == ["done"]
        assert proxy.count(writes(WEB)) == 1


async def test_what_nobody_may_touch_can_still_be_read(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        talk, proxy = there.talk, there.proxy
        await talk.ask("scale web to 5")
        proxy.answer(500, writes(WEB), after=True)
        proxy.answer(403, touches(WEB), times=9)
        assert "Done: scale web" in await talk.press("confirm")
        assert await talk.ledger() == ["done"]
        assert there.replicas("web") == 5
