"""Standard output and the webhook: what they write, and that a failure is told and holds no secret."""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from aiohttp import web

from chatops_bot.adapters.audit.output import OutputSink
from chatops_bot.adapters.audit.webhook import WebhookSink
from chatops_bot.ports.audit_sink import SinkUnavailable
from chatops_bot.ports.store import AuditEntry

ENTRIES = [AuditEntry(shard=1, id=f"{n}-0", record=b'{"at":1}', previous="p", hash="h") for n in (1, 2)]


class Receiver:
    """Keeps what is posted, and answers as it is told."""

    def __init__(self) -> None:
        self.bodies: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.status = 204
        self.hangs = False
        self.over = asyncio.Event()
        self.url = ""

    async def receive(self, request: web.Request) -> web.Response:
        self.bodies.append(await request.text())
        self.headers.append(dict(request.headers))
        if self.hangs:
            await self.over.wait()
        return web.Response(status=self.status, headers={"Location": "/elsewhere"} if self.status == 302 else None)


@asynccontextmanager
async def receiving() -> AsyncIterator[Receiver]:
    receiver, application = Receiver(), web.Application()
    application.router.add_post("/{rest:.*}", receiver.receive)
    runner = web.AppRunner(application, shutdown_timeout=0)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    receiver.url = f"{site.name}/audit"
    try:
        yield receiver
    finally:
        receiver.over.set()
        await runner.cleanup()


class TestWebhook:
    async def test_entries_are_posted_as_lines_with_the_token(self) -> None:
        async with receiving() as receiver:
            sink = WebhookSink(receiver.url, token="s3cret")
            await sink.send(ENTRIES)
            await sink.close()
        assert [json.loads(line)["id"] for line in receiver.bodies[0].splitlines()] == ["1-0", "2-0"]
        assert receiver.headers[0]["Authorization"] == "Bearer s3cret"
        assert receiver.headers[0]["Content-Type"] == "application/x-ndjson"

    @pytest.mark.parametrize("status", [302, 400, 401, 429, 500])
    async def test_any_other_answer_is_a_failure(self, status: int) -> None:
        async with receiving() as receiver:
            receiver.status = status
            sink = WebhookSink(receiver.url, token="s3cret")
            with pytest.raises(SinkUnavailable, match=f"status {status}") as raised:
                await sink.send(ENTRIES)
            await sink.close()
        assert len(receiver.bodies) == 1
        assert "s3cret" not in str(raised.value)

    async def test_silence_and_absence_are_failures_that_name_no_address(self) -> None:
        async with receiving() as receiver:
            receiver.hangs = True
            sink = WebhookSink(receiver.url, timeout_s=0.05)
            with pytest.raises(SinkUnavailable, match="TimeoutError") as silent:
                await sink.send(ENTRIES)
            await sink.close()
        gone = WebhookSink(receiver.url)
        with pytest.raises(SinkUnavailable, match="cannot be reached") as absent:
            await gone.send(ENTRIES)
        await gone.close()
        assert "127.0.0.1" not in f"{silent.value} {absent.value}"

    def test_another_address_is_another_place(self) -> None:
        assert WebhookSink("https://a.example/x").name != WebhookSink("https://b.example/x").name
        assert WebhookSink("https://a.example/x", token="1").name == WebhookSink("https://a.example/x").name


class TestOutput:
    async def test_one_line_each(self) -> None:
        stream = io.StringIO()
        await OutputSink(stream).send(ENTRIES)
        assert [json.loads(line)["id"] for line in stream.getvalue().splitlines()] == ["1-0", "2-0"]

    async def test_a_closed_stream_is_a_failure(self) -> None:
        stream = io.StringIO()
        stream.close()
        with pytest.raises(SinkUnavailable, match="standard output"):
            await OutputSink(stream).send(ENTRIES)

    async def test_a_reader_that_does_not_read_holds_up_nothing_else(self) -> None:
        reading, writing = os.pipe()
        with os.fdopen(reading, "rb") as reader, os.fdopen(writing, "w", encoding="utf-8") as stream:
            many = [AuditEntry(shard=1, id=f"{n}-0", record=b'{"at":1}', previous="p", hash="h") for n in range(4_000)]
            sending = asyncio.create_task(OutputSink(stream).send(many))
            for _ in range(50):
                await asyncio.sleep(0.001)  # the loop goes on, which it would not if the write were in it
            assert not sending.done()
            drained = 0
            while not sending.done():
                drained += len(await asyncio.to_thread(os.read, reader.fileno(), 65_536))
                await asyncio.sleep(0)
            await sending
            assert drained > 0
