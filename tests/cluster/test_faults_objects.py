"""The object changes, goes or is made anew under the bot's hands, and a write comes too late."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import touches, writes
from tests.cluster.second import second
from tests.cluster.talk import CommonClock
from tests.cluster.weather import Weather, until, weather
from tests.safety.clock import SharedClock

WEB = "/deployments/web"
ANOTHER = "aaaaaaaa-0000-4000-8000-000000000000"


async def gone(there: Weather) -> None:
    there.admin.delete(f"{there.deployments}/web")
    await until(lambda: there.admin.get(f"{there.deployments}/web").status == 404, "the Deployment to go")


async def made_anew(there: Weather) -> None:
    await gone(there)
    there.make("web")
    there.settled("web")


@pytest.mark.parametrize("kind", ["strategic", "merge"])
async def test_what_a_real_api_server_answers_to_preconditions(
    controlplane: ControlPlane, namespace: str, kind: str
) -> None:
    there = Weather(controlplane, namespace)
    there.make("web", replicas=0)  # with pods, its status would move the version at any time
    live = there.settled("web")["metadata"]
    path = f"{there.deployments}/web"
    there.admin.patch(path, {"metadata": {"annotations": {"moved": "yes"}}})
    now = there.settled("web")["metadata"]

    def answer(**metadata: Any) -> tuple[int, str]:
        found = there.admin.patch(path, {"metadata": metadata, "spec": {"replicas": 3}}, kind=kind)
        return found.status, found.json.get("reason", "")

    assert answer(uid=live["uid"], resourceVersion=live["resourceVersion"]) == (409, "Conflict")
    assert answer(uid=ANOTHER, resourceVersion=live["resourceVersion"]) == (409, "Conflict")
    assert answer(uid=ANOTHER, resourceVersion=now["resourceVersion"]) == (422, "Invalid")
    assert answer(uid=ANOTHER) == (422, "Invalid")
    assert there.replicas("web") == 0
    # Neither of these is a precondition, which is why the version is always the one just read.
    assert answer(uid=live["uid"], resourceVersion="0") == (200, "")
    assert answer(uid=live["uid"], resourceVersion="") == (200, "")


async def test_an_object_that_goes_or_is_made_anew_between_plan_and_confirmation(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        talk = there.talk
        await talk.ask("scale web to 5")
        await gone(there)
        told = await talk.press("confirm")
        assert "deleted or created anew, so nothing was run. Ask again for the object as it is now" in told
        assert "There is no deployment/web" in await talk.ask("scale web to 5")
        there.make("web")
        there.settled("web")
        await talk.ask("把 web 扩容到 5 个副本")
        await made_anew(there)
        assert "目标已被删除或重建，没有执行。若仍有需要，请对现在的对象重新提出" in await talk.press("confirm")
        assert await talk.ledger() == ["refused", "refused"]
        assert there.proxy.count(writes(WEB)) == 0
        assert there.replicas("web") == 2


@pytest.mark.parametrize(("again", "code"), [(False, 404), (True, 409)], ids=["deleted", "made anew"])
async def test_an_object_that_goes_between_the_last_look_and_the_write(
    controlplane: ControlPlane, namespace: str, redis_url: str, again: bool, code: int
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        await there.talk.ask("scale web to 5")
        held = there.proxy.hold(writes(WEB))
        await there.talk.click("confirm")
        await held.wait()
        await (made_anew(there) if again else gone(there))
        held.release()
        await there.talk.rest()
        assert "deleted or created anew, so nothing was run" in there.talk.heard()
        assert await there.talk.ledger() == ["refused"]
        assert await there.talk.targets() == 0
        await there.until_sent(("write", code))


@pytest.mark.parametrize(("again", "code"), [(False, 404), (True, 422)], ids=["deleted", "made anew"])
async def test_an_object_that_is_gone_when_its_outcome_is_looked_for(
    controlplane: ControlPlane, namespace: str, redis_url: str, again: bool, code: int
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        await there.talk.ask("scale web to 5")
        held = there.proxy.hold(writes(WEB), after=True)
        await there.talk.click("confirm")
        await held.wait()
        await (made_anew(there) if again else gone(there))
        held.drop()
        await there.talk.rest()
        told = there.talk.heard()
        assert "Outcome unknown: scale web" in told
        assert f"Check deployment/web in namespace {namespace} yourself" in told
        assert await there.talk.ledger() == ["unknown"]
        assert await there.talk.targets() == 0
        await there.until_sent(("write", 200), ("touch", code))


async def test_somebody_elses_change_between_the_last_look_and_the_write(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        path = f"{there.deployments}/web"
        await there.talk.ask("scale web to 5")
        held = there.proxy.hold(writes(WEB))
        await there.talk.click("confirm")
        await held.wait()
        there.admin.patch(path, {"metadata": {"annotations": {"moved": "yes"}}})
        held.release()
        await there.talk.rest()
        assert "Done: scale web" in there.talk.heard()
        # The annotation has moved the generation, and the controller's word on that may have moved the version again.
        await until(
            lambda: 200 in {sent.code for sent in there.sent("write")}, "the API server's record of the last one"
        )
        codes = [sent.code for sent in there.sent("write")]
        assert codes == [409] * (len(codes) - 1) + [200]
        assert len(codes) > 1
        # What was shown holds no longer: a fresh plan.
        there.settled("web")
        await there.talk.ask("scale web to 6", "bob")
        held = there.proxy.hold(writes(WEB))
        await there.talk.click("confirm", "bob")
        await held.wait()
        there.admin.patch(path, {"spec": {"replicas": 1}})
        held.release()
        await there.talk.rest()
        assert "spec.replicas: 5 → 1" in there.talk.heard("bob")
        assert "1 → 6" in there.talk.heard("bob")
        assert await there.talk.ledger() == ["done", "prepared", "refused"]
        assert there.replicas("web") == 1


@pytest.mark.parametrize("after", [False, True], ids=["its write late", "its answer late"])
async def test_a_worker_that_freezes_in_the_middle_of_its_write(
    controlplane: ControlPlane, namespace: str, redis_url: str, tmp_path: Path, after: bool
) -> None:
    clock = tmp_path / "clock"
    SharedClock.create(clock)
    async with (
        weather(controlplane, namespace, redis_url, clock=CommonClock(clock)) as there,
        second(there, clock) as other,
    ):
        assert "2 → 5" in await other.ask("scale web to 5")
        held = there.proxy.hold(writes(WEB), after=after)
        other.press("confirm")
        await held.wait()
        await other.freeze()
        await there.talk.pass_time(40)
        told = there.talk.everything()
        if after:
            assert "Done: scale web" in told
            assert await there.talk.ledger() == ["done"]
            await there.until_sent(("write", 200), *[("touch", 200)] * there.proxy.count(touches(WEB)))
        else:
            assert "Not done: scale web" in told
            assert "Ask again if it is still needed" in told
            assert await there.talk.ledger() == ["interrupted"]
        held.release()
        if not after:
            await there.until_sent(*[("touch", 200)] * there.proxy.count(touches(WEB)), ("write", 409))
        other.thaw()
        await other.heard()
        await there.talk.pass_time(40)
        assert there.proxy.count(writes(WEB)) == 1
        assert there.replicas("web") == (5 if after else 2)
        assert await there.talk.ledger() == ["done" if after else "interrupted"]
        assert await there.talk.targets() == 0
