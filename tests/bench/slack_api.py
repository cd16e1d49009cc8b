"""A Slack Web API that answers at once: within the process, in place of the SDK's HTTP session, or on loopback.

`python -m tests.bench.slack_api MEMBERS` is the second: it prints its port and ends when its standard input does.
HTTP is read no further than a benchmark needs: a request line, a length, a body.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from itertools import count
from typing import Self, cast
from urllib.parse import parse_qs, urlencode

from chatops_bot.adapters.slack.fake.workspace import BOT_ID, BOT_USER, TEAM

PAGE = 1_000
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def member(number: int) -> str:
    """The id of a member of the workspace."""
    return f"U{number:08d}"


class Answers:
    """What each method answers. `members` people are in the workspace."""

    def __init__(self, members: int) -> None:
        self._members = members
        self._numbers = count(1)

    def of(self, method: str, query: str) -> dict[str, object]:
        """The answer to one call."""
        if method == "chat.postMessage":
            return {"ok": True, "ts": f"1800000000.{next(self._numbers):06d}"}
        if method == "auth.test":
            return {"ok": True, "team_id": TEAM, "user_id": BOT_USER, "bot_id": BOT_ID}
        if method == "users.list":
            return self._page(int(parse_qs(query).get("cursor", ["0"])[0]))
        return {"ok": True}

    def _page(self, start: int) -> dict[str, object]:
        end = min(start + PAGE, self._members)
        people = [{"id": member(n), "team_id": TEAM, "name": f"person{n}"} for n in range(start, end)]
        cursor = str(end) if end < self._members else ""
        return {"ok": True, "members": people, "response_metadata": {"next_cursor": cursor}}


class Answer:
    """What the SDK reads of an answer of aiohttp."""

    content_type = "application/json"
    status = 200
    headers: Mapping[str, str] = {}

    def __init__(self, data: dict[str, object]) -> None:
        self._data = data

    async def json(self) -> dict[str, object]:
        return self._data

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return


class Session:
    """What the SDK uses of aiohttp's `ClientSession`: all that is left out of a call are its sockets."""

    closed = False

    def __init__(self, members: int) -> None:
        self._answers = Answers(members)

    def request(self, _verb: str, url: str, **arguments: Mapping[str, object] | None) -> Answer:
        """Answered at once."""
        query = urlencode(arguments.get("params") or {})
        return Answer(self._answers.of(url.rpartition("/")[2], query))

    async def close(self) -> None:
        return


class Connection(asyncio.Protocol):
    """One connection of a client that keeps it."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            found = _LENGTH.search(self._buffer, 0, end)
            whole = end + 4 + (int(found[1]) if found else 0)
            if len(self._buffer) < whole:
                return
            line = self._buffer[: self._buffer.find(b"\r\n")].decode()
            self._buffer = self._buffer[whole:]
            self._answer(line.split(" ")[1])

    def _answer(self, target: str) -> None:
        path, _, query = target.partition("?")
        body = json.dumps(self._answers.of(path.rpartition("/")[2], query)).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        if self._transport is not None:
            self._transport.write(head.encode() + body)


async def serve(members: int) -> None:
    """Until standard input ends."""
    answers = Answers(members)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(answers), "127.0.0.1", 0)
    sys.stdout.write(f"{server.sockets[0].getsockname()[1]}\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    server.close()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1])))
