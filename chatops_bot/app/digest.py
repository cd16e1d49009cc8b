"""The digest of the week as it is wired, and the figures of `chatops-bot settle` as metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import get_args

import msgspec
import structlog

from chatops_bot.adapters.redis.digests import RedisDigests
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.app.opening import Opened
from chatops_bot.app.settings import Settings
from chatops_bot.app.telemetry import Metrics
from chatops_bot.domain.identity import Room
from chatops_bot.domain.settled import Tally
from chatops_bot.domain.settling import Signal
from chatops_bot.engine.digest import Digest
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.clock import Clock

log = structlog.get_logger(__name__)


def of(
    settings: Settings,
    opened: Opened,
    *,
    chats: Mapping[str, ChatPort],
    room: Callable[[str], Room | None],
    clock: Clock,
) -> Digest:
    """By these settings. `room` knows rooms by their ids, None while their platform is not connected yet."""

    def rooms() -> Iterator[Room]:
        return (found for name in settings.digest.rooms if (found := room(name)) is not None)

    return Digest(
        summaries=opened.threads,
        incidents=opened.threads,
        log=opened.audit,
        digests=RedisDigests(opened.client),
        chats=chats,
        rooms=rooms,
        terms=settings.digest.terms(language=settings.language, model=settings.model.enabled),
        shards=SHARDS,
        clock=clock,
    )


async def show_tally(opened: Opened, metrics: Metrics) -> None:
    """How conversations ended, as counted last. Raises `StoreUnavailable`."""
    raw = await RedisTallies(opened.client).last()
    try:
        tally = msgspec.json.decode(raw, type=Tally) if raw else Tally()
    except msgspec.MsgspecError as error:
        log.warning("tally_unreadable", why=str(error))
        return
    metrics.level("conversations_ended", tally.resolved, verdict="resolved")
    metrics.level("conversations_ended", tally.unresolved, verdict="unresolved")
    for signal in get_args(Signal):
        metrics.level("conversations_unresolved", tally.reasons.get(signal, 0), signal=signal)
