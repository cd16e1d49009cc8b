"""A server of OpenAI's interface on loopback, as a test wants it: real HTTP, with faults.

`answer` is what it does with each request: a `Script` step, or a function of the request's body that gives one.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import msgspec

Json = dict[str, Any]


class Says(msgspec.Struct, frozen=True):
    """A completion. `text` is the message's content, or what a tool is called with where the request has tools."""

    text: str
    tokens: tuple[int, int] | None = (120, 30)
    finish: str = "stop"
    refusal: str = ""


class Status(msgspec.Struct, frozen=True):
    """Another status than 200, with the words of an error."""

    code: int
    message: str = "no"
    headers: Mapping[str, str] = {}
    error: str = ""


class Raw(msgspec.Struct, frozen=True):
    """Anything at all as the body of a 200."""

    body: bytes
    kind: str = "application/json"


class Silence(msgspec.Struct, frozen=True):
    """Takes the request and never answers."""


class Reset(msgspec.Struct, frozen=True):
    """Ends the connection, at once or in the middle of an answer."""

    after: bytes = b""


class Flood(msgspec.Struct, frozen=True):
    """Another status than 200, with a body of some MiB and no end."""

    code: int


class Drip(msgspec.Struct, frozen=True):
    """A 200 whose body comes drop by drop, for ever."""


Step = Says | Status | Raw | Silence | Reset | Flood | Drip
Answer = Callable[[Json], Step]


def understood(route: str, *requests: Json) -> Says:
    """A completion in the form of an understanding. A request needs no more than its intent."""
    full = [{"service": None, "said": None, "conditional": False, "slots": [], **request} for request in requests]
    return Says(json.dumps({"route": route, "requests": full}, ensure_ascii=False))


def one_by_one(steps: Iterable[Step]) -> Answer:
    """The steps in order; the last one for all that follow."""
    left = list(steps)
    return lambda _body: left.pop(0) if len(left) > 1 else left[0]


class Served(msgspec.Struct):
    """The running server: where it is, what came in, and what it does next. `unknown` are fields that it refuses."""

    url: str
    answer: Answer
    bodies: list[Json] = []
    headers: list[dict[str, str]] = []
    unknown: tuple[str, ...] = ()
    models: tuple[str, ...] = ("m",)


@asynccontextmanager
async def serving(answer: Answer | Step) -> AsyncIterator[Served]:
    """A server that answers every completion with `answer`."""
    served = Served("", answer if callable(answer) else lambda _body: answer)
    open_now: set[asyncio.Task[None]] = set()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_now.add(task)
        try:
            with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
                while await _exchange(served, reader, writer):
                    pass
        finally:
            open_now.discard(task)
            writer.close()

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    served.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    try:
        yield served
    finally:
        server.close()
        tasks = list(open_now)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _exchange(served: Served, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    """One request and its answer; whether the connection goes on."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    first, *lines = head.splitlines()
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    raw = await reader.readexactly(int(headers.get("content-length", "0")))
    method, path, _ = first.split(" ", 2)
    if method == "GET" and path.startswith("/v1/models"):
        known = path.rpartition("/")[2] in (*served.models, "models")
        writer.write(_http(200 if known else 404, json.dumps({"id": "m", "object": "model", "data": []}).encode()))
        await writer.drain()
        return True
    body = json.loads(raw)
    served.bodies.append(body)
    served.headers.append(headers)
    refused = next((field for field in served.unknown if field in body), "")
    if refused:
        step: Step = Status(400, f"Unsupported parameter: '{refused}' is not supported with this model.")
    else:
        step = served.answer(body)
    return await _do(step, body, writer)


async def _do(step: Step, body: Json, writer: asyncio.StreamWriter) -> bool:
    match step:
        case Silence():
            await asyncio.Event().wait()
        case Reset(after=after):
            writer.write(after)
            await writer.drain()
            writer.transport.abort()
            return False
        case Flood(code=code):
            writer.write(f"HTTP/1.1 {code} X\r\ntransfer-encoding: chunked\r\n\r\n".encode())
            for _ in range(64):
                writer.write(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
                await writer.drain()
            await asyncio.Event().wait()
        case Drip():
            writer.write(b"HTTP/1.1 200 X\r\ntransfer-encoding: chunked\r\n\r\n")
            while True:
                writer.write(b"1\r\n \r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
        case Raw(body=raw, kind=kind):
            writer.write(_http(200, raw, kind=kind))
        case Status():
            error = {"error": {"message": step.message, "type": "error", "code": step.error or None}}
            writer.write(_http(step.code, json.dumps(error).encode(), step.headers))
        case Says():
            writer.write(_http(200, json.dumps(_completion(step, body)).encode()))
    await writer.drain()
    return True


def _completion(step: Says, body: Json) -> Json:
    message: Json = {"role": "assistant", "content": step.text}
    if step.refusal:
        message = {"role": "assistant", "content": None, "refusal": step.refusal}
    elif "tools" in body:
        name = body["tools"][0]["function"]["name"]
        call = {"id": "c1", "type": "function", "function": {"name": name, "arguments": step.text}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    found: Json = {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": step.finish}],
    }
    if step.tokens is not None:
        found["usage"] = {
            "prompt_tokens": step.tokens[0],
            "completion_tokens": step.tokens[1],
            "total_tokens": sum(step.tokens),
        }
    return found


def _http(status: int, body: bytes, headers: Mapping[str, str] = {}, *, kind: str = "application/json") -> bytes:
    lines = [
        f"HTTP/1.1 {status} X",
        f"content-type: {kind}",
        f"content-length: {len(body)}",
        *(f"{name}: {value}" for name, value in headers.items()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body
