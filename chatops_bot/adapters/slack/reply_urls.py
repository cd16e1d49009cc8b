"""The answer addresses that Slack gives with commands and clicks, for the case that the bot may not post.

An address takes five answers within 30 minutes. Kept in memory only: what is lost with it is a hint.
"""

from __future__ import annotations

import logging

import aiohttp

from chatops_bot.adapters.slack.text import escape
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

LIVES_S = 1700
_KEPT = 500


class ReplyUrls:
    """The newest address of each channel."""

    def __init__(self, *, clock: Clock, timeout_s: float) -> None:
        self._clock = clock
        self._timeout = aiohttp.ClientTimeout(total=timeout_s)
        self._kept: dict[str, tuple[str, float]] = {}
        self._session: aiohttp.ClientSession | None = None

    def keep(self, channel: str, url: str) -> None:
        """Remember an address of a verified delivery."""
        self._kept.pop(channel, None)
        self._kept[channel] = (url, self._clock.monotonic())
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]

    async def tell(self, channel: str, text: str) -> None:
        """Show a line to whoever used a command or button there last; nothing happens without an address."""
        url, since = self._kept.pop(channel, ("", 0.0))
        if not url or self._clock.monotonic() - since > LIVES_S:
            return
        if self._session is None:
            self._session = aiohttp.ClientSession(timeout=self._timeout)
        body = {"response_type": "ephemeral", "replace_original": False, "text": escape(text)}
        try:
            async with self._session.post(url, json=body) as answer:
                if answer.status >= 400:
                    log.warning("Slack did not take an answer to a command: %s", answer.status)
        except (TimeoutError, aiohttp.ClientError, ValueError) as error:
            log.warning("an answer to a command could not be sent: %s", type(error).__name__)

    async def close(self) -> None:
        """Close the connection."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
