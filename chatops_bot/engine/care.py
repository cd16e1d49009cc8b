"""Proactive care: looks at watched services in turn, and opens a card where something severe stays.

The cards are those of alerts: a service's findings are a group that no Alertmanager has sent. One process looks at a
time, at one service after another, spread evenly over the interval: there is never more than one diagnosis of this
kind under way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import Final

import structlog

from chatops_bot.domain import care
from chatops_bot.domain.care import News, Noted, Terms
from chatops_bot.domain.diagnosis.status import judge
from chatops_bot.domain.entities import Entity, Service
from chatops_bot.domain.events import Alert, AlertGroup
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Language
from chatops_bot.domain.objects import listed
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render, word
from chatops_bot.ports.care import CareStore
from chatops_bot.ports.chat import NotAccepted
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.cluster import ClusterError, ClusterReader
from chatops_bot.ports.meter import Meter
from chatops_bot.ports.store import StoreUnavailable

log = structlog.get_logger(__name__)

LEAD_S: Final = 60.0
"""How long a process that fell silent keeps others from going on, at least."""


class Care:
    """`watched` gives the services as they are now, `room_for` where a card about one belongs (None: its platform is
    not there yet), `receive` takes a group like one of Alertmanager."""

    def __init__(
        self,
        store: CareStore,
        *,
        clusters: Mapping[str, ClusterReader],
        watched: Callable[[], tuple[Service, ...]],
        room_for: Callable[[Service], Room | None],
        receive: Callable[[AlertGroup], Awaitable[object]],
        terms: Terms,
        every_s: float,
        language: Language,
        clock: Clock,
        meter: Meter,
    ) -> None:
        self._store = store
        self._clusters = clusters
        self._watched = watched
        self._room_for = room_for
        self._receive = receive
        self._terms = terms
        self._every_s = every_s
        self._language: Language = language
        self._clock = clock
        self._meter = meter

    async def run(self) -> None:
        """For ever."""
        while True:
            services = sorted(self._watched(), key=lambda service: _digest(service.entity.key))
            pause = self._every_s / max(1, len(services))
            if not services:
                await self._clock.sleep(pause)
            for service in services:
                try:
                    await self.look(service, lead_s=max(LEAD_S, 3 * pause))
                except (StoreUnavailable, NotAccepted) as error:
                    log.warning("care_interrupted", service=service.entity.key, why=str(error))
                await self._clock.sleep(pause)

    async def look(self, service: Service, *, lead_s: float = LEAD_S) -> None:
        """At one service, unless another process does. Raises `StoreUnavailable` and `NotAccepted`: then nothing is
        noted, and the next look finds the same."""
        if not await self._store.lead(for_ms=int(lead_s * 1000)):
            return
        entity = service.entity
        codes = await self._codes(entity)
        self._meter.count("care_looks", result="unread" if codes is None else "found" if codes else "healthy")
        if codes is None:
            return
        now = int(self._clock.now() * 1000)
        before = care.decode(await self._store.book())
        if not codes and entity.key not in before.services:
            return
        alerted = bool(codes) and await self._store.alerted(entity.key)
        book, news = care.looked(before, entity.key, codes, now=now, terms=self._terms, alerted=alerted)
        if news is not None:
            room = self._room_for(service)
            if room is None:
                raise NotAccepted("the platform of the room is not connected yet")
            await self._receive(self._group(entity, room, news, now))
            log.info("care_told", service=entity.key, findings=sorted(news.firing), over=sorted(news.over))
        await self._store.keep(care.encode(book))

    async def _codes(self, entity: Entity) -> frozenset[str] | None:
        """Codes of what is severely wrong with it; None where that is not known."""
        reader = self._clusters.get(entity.cluster)
        if reader is None:
            return None
        try:
            observed = await reader.observe(entity, events=True)
        except ClusterError as error:
            log.warning("care_unread", service=entity.key, why=error.message)
            return None
        if observed.why_unread("pods") is not None:
            return None
        judgement = judge(observed, int(self._clock.now() * 1000))
        for name in judgement.failed:
            log.error("check_failed", check=name, intent="care", entity=entity.key)
        if judgement.moving or judgement.deleting:
            return frozenset()
        return frozenset(one.code for one in judgement.findings if one.severity == "danger")

    def _group(self, entity: Entity, room: Room, news: News, now: int) -> AlertGroup:
        group = care.GROUP + _digest(entity.key)
        held = render(say("care.held", count=len(news.held), names=_names(news.held)), self._language)
        alerts = (
            *(self._alert(entity, code, one, summary=held if news.held else "") for code, one in news.firing.items()),
            *(self._alert(entity, code, one, over=now) for code, one in news.over.items()),
        )
        told = _digest("\0".join(f"{one.fingerprint} {one.firing} {one.starts_at}" for one in alerts), str(now))
        return AlertGroup(
            id=f"{group}:{told}",
            room=room,
            group=group,
            alerts=alerts,
            service=entity.key,
            firing=len(news.firing),
            resolved=len(news.over),
        )

    def _alert(self, entity: Entity, code: str, one: Noted, *, over: int = 0, summary: str = "") -> Alert:
        return Alert(
            fingerprint=code,
            firing=not over,
            name=f"{entity.name}: {word(f'cause.{code}', self._language)}",
            summary=summary,
            starts_at=_stamp(one.since),
            ends_at=_stamp(over) if over else "",
        )


def _names(keys: tuple[str, ...]) -> str:
    return listed(key.rpartition("/")[2] for key in keys)


def _stamp(moment: int) -> str:
    return datetime.fromtimestamp(moment / 1000, UTC).isoformat()


def _digest(*parts: str) -> str:
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=12).hexdigest()
