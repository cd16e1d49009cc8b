"""Reading in bad weather: answered where it can be, told with what to do where it cannot, and never for long."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest

from chatops_bot.adapters.kubernetes import Connection, KubernetesCluster
from chatops_bot.domain.entities import Entity
from tests.cluster.controlplane import ControlPlane
from tests.cluster.proxy import Proxy, dry_runs, requests, watches, writes
from tests.cluster.weather import SHORT, Weather, until, weather

WEB = "/deployments/web"
READS = requests("GET")

FAULTS: dict[str, tuple[Callable[[Proxy], object], str]] = {
    "500": (
        lambda proxy: proxy.answer(500, READS, times=99),
        "did not answer: the weather says 500. Try again shortly",
    ),
    "html": (lambda proxy: proxy.html(READS, times=99), "a proxy or a login page in between?"),
    "half": (lambda proxy: proxy.half(READS, times=99), "the connection to the API server was lost (IncompleteRead"),
    "reset": (lambda proxy: proxy.reset(READS, times=99), "the connection to the API server was lost (RemoteDisco"),
    "slow": (lambda proxy: proxy.hold(READS, times=99), "no answer within 0.6 s. Try again shortly"),
    "401": (lambda proxy: proxy.answer(401, READS, times=99), "Have them renewed, then ask again"),
    "403": (lambda proxy: proxy.answer(403, READS, times=99), "chatops-bot doctor lists what to grant; then ask again"),
}


@pytest.mark.parametrize("words", ["status of web", "logs of web", "scale web to 5"])
async def test_every_kind_of_failure_is_told(
    controlplane: ControlPlane, namespace: str, redis_url: str, words: str
) -> None:
    async with weather(controlplane, namespace, redis_url, limits=SHORT) as there:
        for number, (fault, (begin, told)) in enumerate(FAULTS.items()):
            begin(there.proxy)
            heard = await there.talk.ask(words, f"user{number}")
            assert "Cluster prod " in heard, fault
            assert told in heard, fault
            assert "Could not read it" in heard or "Cannot scale web" in heard, fault
            there.proxy.clear()
        assert await there.talk.ledger() == []
        assert there.sent() == []


async def test_what_passes_quickly_is_not_even_noticed(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        there.proxy.reset(requests("GET", WEB), times=1)
        pods = requests("GET", f"/api/v1/namespaces/{namespace}/pods")
        there.proxy.answer(429, pods, headers={"Retry-After": "1"})
        there.proxy.answer(503, requests("GET", "/replicasets"))
        began = time.monotonic()
        assert "2/2 pods ready" in await there.talk.ask("status of web")
        assert time.monotonic() - began >= 1, "as long as the server asked for"
        assert there.proxy.count(pods) == 2


async def test_a_part_that_may_not_be_read_is_named(controlplane: ControlPlane, namespace: str, redis_url: str) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        there.account.take_away("list")
        heard = await there.talk.ask("status of web")
        assert "Could not read the pods (403)" in heard
        heard = await there.talk.ask("logs of web", "bob")
        assert 'cannot list resource "' in heard
        assert "chatops-bot doctor lists what to grant" in heard
        heard = await there.talk.ask("scale web to 5", "carol")
        assert "Could not read the pods (403): its risks were not checked" in heard


async def test_a_plan_says_that_it_could_not_be_tried(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url, limits=SHORT) as there:
        tried = dry_runs(WEB)
        faults: list[Callable[[], object]] = [
            lambda: there.proxy.answer(500, tried),
            lambda: there.proxy.answer(429, tried),
            lambda: there.proxy.reset(tried),
            lambda: there.proxy.hold(tried),
        ]
        for number, begin in enumerate(faults, 1):
            begin()
            assert "No dry-run possible here" in await there.talk.ask(f"scale web to {2 + number}", f"user{number}")
            assert there.proxy.count(tried) == number
        assert "Done: scale web" in await there.talk.press("confirm", "user4")
        await there.until_sent(("write", 200))


async def test_an_object_that_moves_during_the_dry_run_makes_a_plan_all_the_same(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        held = there.proxy.hold(dry_runs(WEB))
        await there.talk.say("scale web to 5")
        await held.wait()
        there.admin.patch(f"{there.deployments}/web", {"metadata": {"annotations": {"moved": "yes"}}})
        held.release()
        await there.talk.rest()
        assert "Dry-run by the API server: accepted" in there.talk.heard()
        assert "Done: scale web" in await there.talk.press("confirm")


async def test_a_rollout_that_cannot_be_followed_is_not_said_to_be_undone(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        talk, proxy = there.talk, there.proxy
        await talk.ask("scale web to 5")
        held = proxy.hold(writes(WEB), after=True)
        await talk.click("confirm")
        await held.wait()
        proxy.answer(500, READS, times=999)
        held.release()
        await talk.rest()
        assert "The cluster is rolling the change out" in talk.heard()
        talk.clock.move_to(talk.clock.now() + 1_000)
        await talk.rest()
        told = talk.heard()
        assert "Done: scale web" in told
        assert "The change was written; how it went could not be read until the time limit" in told
        assert "the weather says 500" in told
        assert "nothing was run" not in told


async def test_a_rollout_of_what_was_deleted_is_not_followed(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        await there.talk.ask("把 web 扩容到 5 个副本")
        held = there.proxy.hold(writes(WEB), after=True)
        await there.talk.click("confirm")
        await held.wait()
        there.admin.delete(f"{there.deployments}/web")
        await until(lambda: there.admin.get(f"{there.deployments}/web").status == 404, "the Deployment to go")
        held.release()
        await there.talk.rest()
        assert "已执行：扩缩容 web" in there.talk.heard()
        assert "对象已被删除，不再跟踪" in there.talk.heard()


class Hasty:
    """A clock whose pauses are short."""

    def now(self) -> float:
        return time.time()

    def monotonic(self) -> float:
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(min(seconds, 0.05))


async def cut_once(there: Weather) -> None:
    """Break off every watch that is open, as soon as there are three."""
    await until(lambda: there.proxy.under_way(watches()) >= 3, "the watches")
    assert there.proxy.cut(watches()) >= 3


async def test_watches_survive_being_cut_html_and_an_api_server_that_is_away(
    controlplane: ControlPlane, namespace: str, redis_url: str
) -> None:
    async with weather(controlplane, namespace, redis_url) as there:
        path = controlplane.kubeconfig(
            there.account.token(), name=f"{namespace}-watch", namespace=namespace, server=there.proxy.url
        )
        cluster = KubernetesCluster("prod", Connection.from_kubeconfig(path), clock=Hasty(), namespaces=(namespace,))
        known: list[str] = []

        async def changed(workloads: list[Entity]) -> None:
            known[:] = [entity.workload for entity in workloads if entity.kind == "Deployment"]

        watching = asyncio.create_task(cluster.watch(changed))
        try:
            await until(lambda: known == ["web"], "the first list")
            await cut_once(there)
            there.make("api")
            await until(lambda: known == ["api", "web"], "a workload made while the watch was cut")
            there.proxy.html(READS, times=3)
            there.proxy.html(watches(), times=3)
            await cut_once(there)
            there.make("cart")
            await until(lambda: known == ["api", "cart", "web"], "a workload made while a page was answered")
            await until(lambda: there.proxy.under_way(watches()) >= 3, "the watches")
            await there.proxy.refuse()
            there.admin.delete(f"{there.deployments}/api")
            await there.proxy.listen()
            await until(lambda: known == ["cart", "web"], "a workload that went while nobody listened")
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
            await cluster.close()
