"""Feishu's verified deliveries: read, handed on to be stored, and answered only then. Serves both transports."""

from __future__ import annotations

import logging
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import NamedTuple, TypeVar

import msgspec

from chatops_bot.adapters.feishu import inbound
from chatops_bot.domain.texts.platform import TEXTS
from chatops_bot.ports.chat import NotAccepted, Receipt
from chatops_bot.ports.clock import Clock

log = logging.getLogger(__name__)

AGAIN_S = 60
"""How long a second press of a button is answered with "under way already"."""

_KEPT = 1000
_LEVELS = {"debug": logging.DEBUG, "info": logging.INFO, "warning": logging.WARNING}

Body = Mapping[str, object]
Key = TypeVar("Key")


class Answer(NamedTuple):
    """200 acknowledges a delivery; 503 asks for it again. `body` is what Feishu is told with it."""

    status: int
    body: dict[str, object]


class Front:
    """The one reader of deliveries.

    - `me` gives the bot's identity, None until it is known.
    - `name_of` gives a person's name or "" without asking anybody.
    - `take` stores what was read, and gives None for what is no event of the bot; it raises `NotAccepted`.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        me: Callable[[], inbound.Self | None],
        name_of: Callable[[str], str],
        take: Callable[[inbound.Said | inbound.Pressed], Awaitable[Receipt]],
    ) -> None:
        self._clock = clock
        self._me = me
        self._name_of = name_of
        self._take = take
        self._pressed: dict[tuple[str, str, str, str], float] = {}
        self._answered: dict[str, float] = {}

    async def dispatch(self, body: Body) -> Answer:
        """Feishu's answer to one delivery. What cannot be read is acknowledged: it would be no better next time."""
        me = self._me()
        if me is None:
            log.warning("not acknowledged, Feishu shall deliver it again: not connected yet")
            return _failed("not connected to Feishu yet")
        try:
            read = inbound.read(body, me=me, name_of=self._name_of)
        except msgspec.ValidationError as error:
            read = inbound.Ignored(f"a delivery that cannot be read ({error})", worth="warning")
        if isinstance(read, inbound.Ignored):
            log.log(_LEVELS[read.worth], "passed over: %s", read.reason)
            return Answer(200, {})
        try:
            receipt = await self._take(read)
        except NotAccepted as error:
            log.warning("not acknowledged, Feishu shall deliver it again: %s", error)
            return _failed("not stored, deliver again")
        log.debug("%s: %s", read.id, receipt.taken)
        if isinstance(read, inbound.Said):
            return Answer(200, {})
        _keep(self._answered, read.message, self._clock.monotonic())
        return Answer(200, self._toast(read, receipt))

    def since_click(self, message: str) -> float:
        """Seconds since a click on a card was answered by this process; many where none was."""
        return self._clock.monotonic() - self._answered.get(message, -math.inf)

    def _toast(self, read: inbound.Pressed, receipt: Receipt) -> dict[str, object]:
        """What the one who pressed sees at once; the card follows when the work is done."""
        now = self._clock.monotonic()
        # Several people may have to approve, and each of them is the first to do so.
        own = read.author.id if read.carried.button == "approve" else ""
        press = (read.message, read.carried.button, read.carried.token, own)
        since = self._pressed.pop(press, None)
        again = receipt.taken == "duplicate" or (since is not None and now - since < AGAIN_S)
        if read.carried.token:  # what is about no plan (refresh, say) may be pressed as often as one likes
            _keep(self._pressed, press, now)
        return toast("platform.press_again" if again else "platform.press_taken")


def _keep(kept: dict[Key, float], key: Key, now: float) -> None:
    """Remember when, of the newest few."""
    kept.pop(key, None)
    kept[key] = now
    if len(kept) > _KEPT:
        del kept[next(iter(kept))]


def toast(key: str, kind: str = "info") -> dict[str, object]:
    """A line that Feishu shows for a moment, in the language of the reader's client."""
    zh, en = TEXTS[key]
    return {"toast": {"type": kind, "content": zh, "i18n": {"zh_cn": zh, "en_us": en}}}


def _failed(why: str) -> Answer:
    return Answer(503, {"msg": why})
