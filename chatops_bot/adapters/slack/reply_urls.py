"""The answer addresses that Slack gives with commands and clicks, for the case that the bot may not post.

An address takes five answers within 30 minutes. Kept in memory only: what is lost with it is a hint.
"""

from __future__ import annotations

import logging

from chatops_bot.adapters.slack.text import escape
from chatops_bot.adapters.slack.web import Web
from chatops_bot.ports.chat import ChatUnavailable
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

LIVES_S = 1700
_KEPT = 500


class ReplyUrls:
    """The newest address of each channel."""

    def __init__(self, *, web: Web, clock: Clock) -> None:
        self._web = web
        self._clock = clock
        self._kept: dict[str, tuple[str, float]] = {}

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
        try:
            await self._web.respond(
                url, {"response_type": "ephemeral", "replace_original": False, "text": escape(text)}
            )
        except ChatUnavailable as error:
            log.warning("why nothing was posted could not be said: %s", error)
