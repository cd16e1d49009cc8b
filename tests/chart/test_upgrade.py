"""A release that is changed while people talk to the bot: values, versions, and back again."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.chart import versions
from tests.chart.release import Release, until
from tests.chart.rendering import HelmError, Json
from tests.chart.slack_team import ALICE, BOB, PORT, Team
from tests.chart.workloads import workload

SOURCE = "/opt/chatops-bot"


def uids(release: Release) -> set[str]:
    return {pod["metadata"]["uid"] for pod in release.pods()}


async def test_a_policy_is_followed_and_a_catalog_replaces_the_pods(
    running: Release, team: Team, values: dict[str, Any]
) -> None:
    workload(running.api, running.served, "web")
    values |= {"replicaCount": 1, "actions": ["scale"]}
    await running.install(values)
    before = uids(running)
    await team.say(ALICE, "restart web")
    await team.card("No rule of the policy allows restart here")

    await running.upgrade({**values, "actions": ["scale", "restart"]})
    (pod,) = running.pods()
    await until(lambda: "policy_read" in [line.get("message") for line in running.log(pod["metadata"]["name"])])
    await team.say(ALICE, "restart web")
    await team.click(ALICE, await team.card("To confirm: restart web"), "confirm")
    await team.card("Done: restart web")
    assert uids(running) == before

    service = {"name": "shopfront", "namespace": running.served, "workload": "deployment/web"}
    await running.upgrade({**values, "services": [service]})
    assert not uids(running) & before
    await team.say(BOB, "how is shopfront?")
    await team.card("shopfront is healthy")

    good = uids(running)
    with pytest.raises(HelmError, match="replicaCount"):
        await running.upgrade({**values, "replicaCount": -1})
    broken = {"extraEnv": [{"name": "CHATOPS_LOG__LEVEL", "value": "shouting"}]}
    with pytest.raises(HelmError):
        await running.upgrade({**values, "services": [service], **broken}, "--rollback-on-failure", "--timeout", "4s")
    assert running.status() == "deployed"
    assert uids(running) == good
    await team.say(BOB, "how is shopfront?")
    await until(lambda: len(team.saying("shopfront is healthy")) == 2)
    assert team.refused == 0


class Chatter:
    """People who keep asking, each a question of its own, whatever the pods are doing."""

    def __init__(self, team: Team) -> None:
        self._team = team
        self._numbers = itertools.count(100)
        self.asked = 0

    @asynccontextmanager
    async def going(self) -> AsyncIterator[None]:
        """Meanwhile. What was begun is finished."""
        over = asyncio.Event()
        asking = asyncio.create_task(self._ask(over))
        yield
        over.set()
        await asking

    async def _ask(self, over: asyncio.Event) -> None:
        while not over.is_set():
            number = next(self._numbers)
            self._team.slack.workspace.user(f"U{number}", f"user{number}")
            await self._team.say(f"U{number}", "how is quiet?")
            self.asked += 1
            await asyncio.sleep(1)  # as fast as Slack lets a bot answer in one channel

    async def answered(self) -> None:
        """Every question has one answer."""
        ends = time.monotonic() + 30
        while len(found := self._team.saying("quiet is healthy")) < self.asked:
            assert time.monotonic() < ends, f"{self.asked} questions: {self._team.texts()}"
            await asyncio.sleep(0.05)
        assert len(found) == self.asked


def of(values: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The same installation with another version of the bot."""
    return {
        **values,
        "extraVolumes": [{"name": "source", "hostPath": {"path": str(folder)}}],
        "extraVolumeMounts": [{"name": "source", "mountPath": SOURCE}],
        "extraEnv": [{"name": "PYTHONPATH", "value": SOURCE}],
    }


async def versions_of(release: Release) -> set[str]:
    """What the ready pods say that they are."""
    found = set()
    async with httpx.AsyncClient(trust_env=False) as client:
        for address in release.ready():
            lines = (await client.get(f"http://{address}:{PORT}/metrics")).text.splitlines()
            (line,) = [line for line in lines if line.startswith("chatops_build_info{")]
            found.add(line.split('"')[1])
    return found


async def plan_for(team: Team, user: str, name: str) -> Json:
    await team.say(user, f"scale {name} to 3")
    return await team.card(f"To confirm: scale {name}")


async def test_a_rolling_upgrade_and_back_with_plans_pending(
    running: Release, team: Team, values: dict[str, Any], tmp_path: Path
) -> None:
    for name in ("quiet", "one", "two", "three"):
        workload(running.api, running.served, name, replicas=1)
    chatter = Chatter(team)
    await running.install(of(values, versions.before(tmp_path / "before")))
    assert await versions_of(running) == {"0.0.1"}
    one = await plan_for(team, ALICE, "one")
    two = await plan_for(team, BOB, "two")

    async with chatter.going():
        upgrading = asyncio.create_task(running.upgrade(values))
        await until(lambda: len({pod["metadata"]["labels"]["pod-template-hash"] for pod in running.pods()}) == 2)
        await team.click(ALICE, two, "confirm")
        await upgrading
        assert "0.0.1" not in await versions_of(running)
        await asyncio.gather(*(team.click(user, one, "confirm") for user in (ALICE, BOB, ALICE)))
        await team.card("Done: scale one")
        three = await plan_for(team, ALICE, "three")

        await running.rollback()
        assert await versions_of(running) == {"0.0.1"}
        await team.click(BOB, three, "confirm")
        await team.card("Done: scale three")
    await team.card("Done: scale two")
    await chatter.answered()
    assert sorted(what for _, what, _ in running.writes()) == [
        f"{running.served}/deployments/{name}" for name in ("one", "three", "two")
    ]


async def test_what_a_newer_version_wrote_waits_for_it(
    running: Release, team: Team, values: dict[str, Any], tmp_path: Path
) -> None:
    for name in ("quiet", "one", "two"):
        workload(running.api, running.served, name, replicas=1)
    values |= {"replicaCount": 1}
    newer = of(values, versions.after(tmp_path / "after"))
    await running.install(values)
    one = await plan_for(team, ALICE, "one")

    await running.upgrade(newer)
    assert await versions_of(running) == {"99.0.0"}
    await team.click(ALICE, one, "confirm")
    await team.card("Done: scale one")
    two = await plan_for(team, BOB, "two")

    await running.rollback()
    await team.click(BOB, two, "confirm")
    # It goes on with what it knows, and touches nothing else.
    await team.say(ALICE, "how is quiet?")
    await team.card("quiet is healthy")
    assert not team.saying("Done: scale two")

    await running.rollback()
    assert await versions_of(running) == {"99.0.0"}
    await team.card("Done: scale two")
    assert [what for _, what, _ in running.writes()] == [
        f"{running.served}/deployments/{name}" for name in ("one", "two")
    ]
