"""Listening and serving inside the process."""

from __future__ import annotations

import asyncio
import socket

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from chatops_bot.app.process import Background, StartError
from chatops_bot.app.serving import Servers, listen
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.meter import NoMeter


def test_a_taken_port_is_an_error_that_names_the_setting() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(
            StartError, match=rf"127.0.0.1:{port} cannot be listened on \(Address already in use\); .*under http"
        ):
            listen("127.0.0.1", port, setting="http")


def test_the_next_free_port_is_taken_where_that_is_allowed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with listen("127.0.0.1", port, setting="--port", further=3) as found:
            assert found.getsockname()[1] != port


def test_a_host_that_is_none_is_an_error() -> None:
    with pytest.raises(StartError, match=r"no\.such\.host\.invalid"):
        listen("no.such.host.invalid", 0, setting="http")


async def test_an_answer_under_way_is_finished_before_the_server_ends() -> None:
    arrived, go = asyncio.Event(), asyncio.Event()

    async def slow(_request: Request) -> PlainTextResponse:
        arrived.set()
        await go.wait()
        return PlainTextResponse("done")

    background = Background(clock=SystemClock(), meter=NoMeter())
    servers = Servers(background)
    listening = listen("127.0.0.1", 0, setting="http")
    url = f"http://127.0.0.1:{listening.getsockname()[1]}/"
    servers.serve("http", Starlette(routes=[Route("/", slow)]), listening)
    async with httpx.AsyncClient() as client:
        asking = asyncio.create_task(client.get(url))
        async with asyncio.timeout(10):
            await arrived.wait()
        background.expect_ends()
        stopping = asyncio.create_task(servers.stop())
        await asyncio.sleep(0)
        go.set()
        assert (await asking).text == "done"
        await stopping
        with pytest.raises(httpx.ConnectError):
            await client.get(url)
    await background.stop()
    assert not background.broken.is_set()
