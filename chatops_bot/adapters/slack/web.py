"""One door to Slack's Web API: every call through the SDK, every failure as an exception of the port.

Nothing is repeated here. The SDK's own repetition after a lost connection is switched off, because it can
post a message twice; the engine repeats, knowing what it repeats.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import NamedTuple

import aiohttp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from chatops_bot.adapters.slack.errors import details_of, translate
from chatops_bot.ports.chat import ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.pacing import seconds

Data = dict[str, object]

SDK_LOG = logging.getLogger("chatops_bot.slack_sdk")
SDK_LOG.setLevel(logging.INFO)
"""Handed to the SDK: below INFO it would write whole requests and the secret socket addresses."""


class Reply(NamedTuple):
    """An answer that was ok, and its headers."""

    data: Data
    headers: Mapping[str, str]


class Web:
    """Calls with one token. `timeout_s` limits one call.

    A limit answered by Slack (429) closes the method, for posts the method in that channel, until its time
    has passed: calls until then fail at once instead of making it longer.
    """

    def __init__(self, *, token: str, clock: Clock, base_url: str, timeout_s: float = 10) -> None:
        self._token = token
        self._clock = clock
        self._base_url = base_url
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None
        self._client: AsyncWebClient | None = None
        self._closed_until: dict[str, float] = {}

    @property
    def client(self) -> AsyncWebClient:
        """The SDK's client over one connection pool; made within the running loop."""
        return self._open()[0]

    async def close(self) -> None:
        """Give the connections back; a later call opens new ones."""
        session, self._session, self._client = self._session, None, None
        if session is not None:
            await session.close()

    async def get(self, method: str, params: Mapping[str, str | int] | None = None) -> Reply:
        """A reading call, arguments in the query. Raises as `post`."""
        return await self._call(method, gate=method, params=dict(params or {}))

    async def post(self, method: str, body: Data) -> Reply:
        """A writing call, arguments as JSON. Raises `ChatUnavailable`, `CardGone`, `ChatRefused`."""
        channel = body.get("channel")
        gate = f"{method} {channel}" if method in {"chat.postMessage", "chat.postEphemeral"} else method
        return await self._call(method, gate=gate, body=body)

    async def form(self, method: str, params: Mapping[str, str | int]) -> Reply:
        """A writing call of a method that takes no JSON; the arguments go as the SDK sends them. Raises as `post`."""
        return await self._call(method, gate=method, params=dict(params), verb="POST")

    async def put(self, url: str, content: bytes) -> None:
        """Bytes to an address that Slack gave for them. Raises `ChatUnavailable`."""
        client, session = self._open()
        try:
            async with session.post(
                url, data=content, headers={"Content-Type": "application/octet-stream"}, proxy=client.proxy
            ) as answer:
                if answer.status >= 400:
                    raise ChatUnavailable(f"an upload address answers {answer.status}")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise ChatUnavailable(f"an upload address: {type(error).__name__}") from error

    def _open(self) -> tuple[AsyncWebClient, aiohttp.ClientSession]:
        if self._client is None or self._session is None or self._session.closed:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self._timeout_s))
            self._client = AsyncWebClient(
                token=self._token,
                base_url=self._base_url,
                timeout=max(1, round(self._timeout_s)),
                session=self._session,
                retry_handlers=[],
                logger=SDK_LOG,
            )
        return self._client, self._session

    async def respond(self, url: str, body: Data) -> None:
        """Answer to a response URL, an address that Slack gave with a delivery. Raises `ChatUnavailable`."""
        client, session = self._open()
        try:
            async with session.post(url, json=body, proxy=client.proxy) as answer:
                if answer.status >= 400:
                    raise ChatUnavailable(f"a response URL answers {answer.status}")
        except (aiohttp.ClientError, OSError, ValueError) as error:
            raise ChatUnavailable(f"a response URL: {type(error).__name__}") from error

    async def _call(
        self,
        method: str,
        *,
        gate: str,
        params: dict[str, str | int] | None = None,
        body: Data | None = None,
        verb: str = "",
    ) -> Reply:
        wait = self._closed_until.get(gate, 0) - self._clock.monotonic()
        if wait > 0:
            raise ChatUnavailable(f"Slack limits {method}", retry_after_s=wait, paced=True)
        self._closed_until.pop(gate, None)
        try:
            response = await self.client.api_call(
                method, http_verb=verb or ("GET" if body is None else "POST"), params=params, json=body
            )
        except SlackApiError as error:
            raise self._failure(method, gate, error) from error
        except aiohttp.ClientConnectorError as error:
            raise ChatUnavailable(f"{method}: Slack cannot be reached: {error}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            reason = f"{method}: {type(error).__name__} {error}".rstrip()
            raise ChatUnavailable(reason, maybe_posted=True) from error
        data = response.data
        return Reply(data if isinstance(data, dict) else {}, response.headers)

    def _failure(self, method: str, gate: str, error: SlackApiError) -> Exception:
        # For a body that is no JSON the SDK puts aiohttp's own response there.
        status = int(getattr(error.response, "status_code", 0) or getattr(error.response, "status", 0) or 0)
        headers: Mapping[str, str] = getattr(error.response, "headers", {}) or {}
        data = getattr(error.response, "data", {})
        data = data if isinstance(data, dict) else {}
        failure = translate(
            method,
            str(data.get("error") or ""),
            status=status,
            retry_after_s=seconds(headers.get("Retry-After", "")),
            details=details_of(data),
        )
        if isinstance(failure, ChatUnavailable) and failure.retry_after_s:
            self._closed_until[gate] = self._clock.monotonic() + failure.retry_after_s
        return failure
