"""Trouble between the bot and its cluster, made on purpose: slow, failing, silent or cut-off answers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal

from chatops_bot.adapters.sandbox.errors import ApiError
from chatops_bot.adapters.sandbox.http import DroppedError, HttpRequest

Kind = Literal["fail", "hang", "reset"]

_MESSAGES = {
    429: "the server has received too many requests and has asked us to try again later",
    503: "the server is currently unable to handle the request",
    504: "the server was unable to return a response in the time allotted, but may still be processing the request",
}


@dataclass(slots=True)
class _Rule:
    kind: Kind
    left: int
    method: str
    path: str
    after: bool
    status: int = 503
    retry_after: int | None = None

    def matches(self, request: HttpRequest) -> bool:
        return self.method in {"", request.method} and self.path in request.path


class Faults:
    """What goes wrong with the next requests.

    `latency` is seconds added before every answer; `sleep` waits them (injected, so that tests need no real time).
    A rule is for the next `count` requests of `method` ("" for any) whose path contains `path`. With `after`, the
    request is carried out first and only its answer is lost, which leaves the client not knowing.
    """

    def __init__(self, sleep: Callable[[float], Awaitable[None]] | None = None) -> None:
        self.latency = 0.0
        self.sleep = sleep or asyncio.sleep
        self._rules: list[_Rule] = []
        self._released = asyncio.Event()

    def fail(
        self,
        status: int = 503,
        *,
        count: int = 1,
        method: str = "",
        path: str = "",
        retry_after: int | None = None,
        after: bool = False,
    ) -> None:
        """Answer with `status`; `retry_after` is the header's seconds."""
        self._rules.append(_Rule("fail", count, method, path, after, status, retry_after))

    def hang(self, *, count: int = 1, method: str = "", path: str = "", after: bool = False) -> None:
        """Give no answer until `clear` is called or the client leaves."""
        self._rules.append(_Rule("hang", count, method, path, after))

    def reset(self, *, count: int = 1, method: str = "", path: str = "", after: bool = False) -> None:
        """Cut the connection instead of answering."""
        self._rules.append(_Rule("reset", count, method, path, after))

    def clear(self) -> None:
        """Back to normal; requests that hang are cut off."""
        self.latency = 0.0
        self._rules.clear()
        self._released.set()
        self._released = asyncio.Event()

    async def before(self, request: HttpRequest) -> None:
        """Raises ApiError or DroppedError when this request is to fail before it is carried out."""
        if self.latency:
            await self.sleep(self.latency)
        await self._strike(request, after=False)

    async def after(self, request: HttpRequest) -> None:
        """Raises ApiError or DroppedError when the answer to this request, now carried out, is to be lost."""
        await self._strike(request, after=True)

    async def _strike(self, request: HttpRequest, *, after: bool) -> None:
        rule = next((rule for rule in self._rules if rule.after == after and rule.matches(request)), None)
        if rule is None:
            return
        rule.left -= 1
        if rule.left <= 0:
            self._rules.remove(rule)
        if rule.kind == "fail":
            problem = ApiError(rule.status, _MESSAGES.get(rule.status, "injected failure"))
            if rule.retry_after is not None:
                problem.headers["Retry-After"] = str(rule.retry_after)
            raise problem
        if rule.kind == "hang":
            await self._released.wait()
        raise DroppedError
