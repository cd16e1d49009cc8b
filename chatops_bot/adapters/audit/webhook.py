"""The audit log posted to an address, as JSON Lines."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Final

import aiohttp

from chatops_bot.ports.audit_sink import SinkUnavailable, line_of
from chatops_bot.ports.store import AuditEntry

TIMEOUT_S: Final = 10.0
"""For one delivery, from the connection to the answer."""


class WebhookSink:
    """Each delivery is one POST of at most a page of entries, taken with any 2xx answer. With a `token` it goes as a
    bearer token. Redirects are not followed: the token is for this address."""

    def __init__(self, url: str, *, token: str = "", timeout_s: float = TIMEOUT_S) -> None:
        self._url = url
        self._token = token
        self._timeout_s = timeout_s
        self._session: aiohttp.ClientSession | None = None
        # Another address is another place, which has nothing yet.
        self.name = f"webhook-{hashlib.sha256(url.encode()).hexdigest()[:12]}"

    async def send(self, entries: Sequence[AuditEntry]) -> None:
        """As ports.audit_sink.AuditSink says. Neither the address nor the library's words go into an error: both may
        hold secrets."""
        body = "".join(f"{line_of(entry)}\n" for entry in entries).encode()
        headers = {"Content-Type": "application/x-ndjson"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=self._timeout_s))
        try:
            async with self._session.post(self._url, data=body, headers=headers, allow_redirects=False) as answer:
                status = answer.status
        except (TimeoutError, aiohttp.ClientError, OSError, ValueError) as error:
            raise SinkUnavailable(f"the webhook cannot be reached ({type(error).__name__})") from None
        if not 200 <= status < 300:
            raise SinkUnavailable(f"the webhook answered with status {status}")

    async def close(self) -> None:
        """Release connections."""
        if self._session is not None:
            await self._session.close()
