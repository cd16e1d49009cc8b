"""The calls beneath both sides: time limits, expired credentials, long lists, silent watches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from kubernetes.client.configuration import Configuration

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.connection import Connection
from chatops_bot.adapters.kubernetes.lists import Lists
from chatops_bot.adapters.kubernetes.streams import WatchStream
from chatops_bot.adapters.sandbox.access import BOT_TOKEN
from chatops_bot.adapters.sandbox.sandbox import Sandbox
from chatops_bot.ports.cluster import ClusterError, ClusterUnavailable, Refused
from tests.contract.cluster.kit import until

MAPS = "/api/v1/namespaces/shop/configmaps"


@pytest.fixture
async def client(sandbox: Sandbox) -> AsyncIterator[Client]:
    made = Client(Connection.at_url(sandbox.url, token=BOT_TOKEN), threads=2)
    yield made
    sandbox.faults.clear()
    await made.close()


@pytest.fixture
async def writing(sandbox: Sandbox) -> AsyncIterator[Client]:
    made = Client(Connection.at_url(sandbox.url, token=BOT_TOKEN), writes=True, threads=1)
    yield made
    sandbox.faults.clear()
    await made.close()


def maps(count: int) -> dict[str, object]:
    return {
        "objects": [
            {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": f"m{n:04}", "namespace": "shop"}}
            for n in range(count)
        ]
    }


async def test_an_answer_that_does_not_come_ends_at_the_deadline(client: Client, sandbox: Sandbox) -> None:
    sandbox.faults.hang(count=9)
    with pytest.raises(ClusterUnavailable) as late:
        await client.call("GET", MAPS, deadline=0.05)
    assert not late.value.not_sent


async def test_what_still_waits_for_a_thread_at_its_deadline_is_never_sent(writing: Client, sandbox: Sandbox) -> None:
    sandbox.apply(maps(1))
    sandbox.faults.hang(count=1)
    first = asyncio.ensure_future(writing.call("GET", MAPS, deadline=5))
    await until(lambda: len(sandbox.requests) == 1)
    with pytest.raises(ClusterUnavailable, match="no free connection") as queued:
        await writing.call("DELETE", f"{MAPS}/m0000", deadline=0.05)
    assert queued.value.not_sent
    sandbox.faults.clear()
    with pytest.raises(ClusterUnavailable):
        await first
    assert (await writing.call("GET", MAPS))["items"]
    assert [record.method for record in sandbox.requests] == ["GET", "GET"]


async def test_a_long_list_is_read_page_by_page(client: Client, sandbox: Sandbox) -> None:
    sandbox.apply(maps(1200))
    rows = await Lists(client).rows(MAPS)
    assert len({row["metadata"]["name"] for row in rows}) == 1200
    assert len(sandbox.requests) == 3


async def test_a_list_that_must_be_whole_is_none_where_there_is_more_than_is_read(
    client: Client, sandbox: Sandbox
) -> None:
    """Half of the pods of a cluster would make its nodes look empty."""
    sandbox.apply(maps(501))
    lists = Lists(client)
    with pytest.raises(ClusterError, match="more than 500 objects"):
        await lists.rows(MAPS, pages=1, whole=True)
    assert len(await lists.rows(MAPS, pages=1)) == 500
    assert len(await lists.rows(MAPS, pages=2, whole=True)) == 501


class Rotating:
    """Credentials that have expired at first, and are good when loaded again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.good = False

    def __call__(self, configuration: Configuration) -> None:
        configuration.host = self.url
        configuration.api_key["BearerToken"] = f"Bearer {BOT_TOKEN if self.good else 'expired'}"


async def test_expired_credentials_are_loaded_again(sandbox: Sandbox) -> None:
    load = Rotating(sandbox.url)
    reading = Client(Connection(load))
    with pytest.raises(Refused) as unknown:
        await reading.call("GET", MAPS)
    assert unknown.value.status == 401
    load.good = True
    assert "items" in await reading.call("GET", MAPS)
    await reading.close()


async def test_a_write_with_expired_credentials_is_refused_once_and_the_next_one_fits(sandbox: Sandbox) -> None:
    load = Rotating(sandbox.url)
    side = Client(Connection(load), writes=True)
    load.good = True
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "m", "namespace": "default"}}
    with pytest.raises(Refused):
        await side.call("POST", "/api/v1/namespaces/default/configmaps", body=body)
    assert len(sandbox.requests) == 1
    await side.call("POST", "/api/v1/namespaces/default/configmaps", body=body)
    await side.close()


async def test_a_null_in_a_patch_arrives(writing: Client, sandbox: Sandbox) -> None:
    sandbox.apply(maps(1))
    body = {"metadata": {"annotations": {"a": None}}}
    await writing.call("PATCH", f"{MAPS}/m0000", body=body, content="application/merge-patch+json")
    assert sandbox.requests[-1].body == body


async def test_a_watch_over_a_dead_connection_is_noticed(client: Client, sandbox: Sandbox) -> None:
    sandbox.apply(maps(1))
    stream = WatchStream(client, MAPS, version=str(sandbox.store.version), silence=0.1)
    with pytest.raises(ClusterUnavailable):
        async for _ in stream:
            pass
    assert await asyncio.to_thread(stream.join, 1.0)


async def test_a_silent_watch_ends_when_it_is_stopped(client: Client, sandbox: Sandbox) -> None:
    sandbox.apply(maps(1))
    stream = WatchStream(client, MAPS, version=str(sandbox.store.version))

    async def read() -> list[str]:
        return [kind async for kind, _ in stream]

    task = asyncio.ensure_future(read())
    await until(lambda: len(sandbox.requests) == 1 and sandbox.requests[0].code == 200)
    stream.stop()
    assert await asyncio.to_thread(stream.join, 2.0)
    assert await task == []
