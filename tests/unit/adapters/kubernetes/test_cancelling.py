"""Giving up a call to the API server at the very moment at which it answers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from chatops_bot.adapters.kubernetes.client import Client
from chatops_bot.adapters.kubernetes.connection import Connection


class Answering(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def url() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("steps", range(6))
async def test_a_cancellation_that_comes_with_the_answer_is_not_lost(url: str, steps: int) -> None:
    """Whoever ends a watch by cancelling it waits for it then: a call that went on instead would never end it."""
    client = Client(Connection.at_url(url), threads=1)
    task = asyncio.ensure_future(client.call("GET", "/api"))
    await asyncio.sleep(0)
    # The answer arrives while the loop stands still, and is passed on in as many steps as the loop takes.
    time.sleep(0.2)  # noqa: ASYNC251
    for _ in range(steps):
        await asyncio.sleep(0)
    if task.cancel():
        with pytest.raises(asyncio.CancelledError):
            await task
    await client.close()
