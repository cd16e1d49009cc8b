"""Posts the digest of the week, once a week in each room that wants it, whichever process comes first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import tzinfo
from typing import Final

import msgspec
import structlog

from chatops_bot.domain import audit, digests
from chatops_bot.domain.audit import Record
from chatops_bot.domain.digests import Figures
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import read
from chatops_bot.domain.intents import Language
from chatops_bot.domain.session import Summary, decode_beside
from chatops_bot.ports.chat import ChatPort, ChatRefused, ChatUnavailable
from chatops_bot.ports.clock import Clock
from chatops_bot.ports.digests import DigestStore
from chatops_bot.ports.incidents import IncidentStore
from chatops_bot.ports.store import AuditLog, StoreUnavailable
from chatops_bot.ports.summaries import SummaryStore

log = structlog.get_logger(__name__)

EVERY_S: Final = 60.0
"""Between two looks at the clock."""

PAGE: Final = 500


class Terms(msgspec.Struct, frozen=True):
    """When digests are due (`weekday` from Monday, 0), in which language, whether they tell of all rooms, and what a
    million tokens cost, 0 where that is not to be told. `model`: whether one is configured."""

    weekday: int
    hour: int
    zone: tzinfo
    language: Language
    everywhere: bool = False
    model: bool = False
    price: float = 0.0
    currency: str = ""


class Digest:
    """`rooms` gives the rooms that want it, as far as their platforms are connected; `shards` is how many chains the
    audit log has."""

    def __init__(
        self,
        *,
        summaries: SummaryStore,
        incidents: IncidentStore,
        log: AuditLog,
        digests: DigestStore,
        chats: Mapping[str, ChatPort],
        rooms: Callable[[], Iterable[Room]],
        terms: Terms,
        shards: int,
        clock: Clock,
    ) -> None:
        self._summaries = summaries
        self._incidents = incidents
        self._log = log
        self._digests = digests
        self._chats = chats
        self._rooms = rooms
        self._terms = terms
        self._shards = shards
        self._clock = clock

    async def run(self) -> None:
        """For ever."""
        while True:
            try:
                await self.look()
            except StoreUnavailable as error:
                log.warning("digest_not_posted", why=str(error))
            await self._clock.sleep(EVERY_S)

    async def look(self) -> int:
        """Post what is due; how many were posted. Raises `StoreUnavailable`."""
        terms = self._terms
        moment = digests.due(self._clock.now(), weekday=terms.weekday, hour=terms.hour, zone=terms.zone)
        until = int(moment.timestamp() * 1000)
        if int(self._clock.now() * 1000) - until >= digests.LATE_MS:
            return 0
        posted = 0
        for room in self._rooms():
            week = f"{moment:%Y-%m-%d}"
            if await self._digests.claim(room=room.key, week=week):
                posted += await self._post(room, week, until)
        return posted

    async def _post(self, room: Room, week: str, until: int) -> int:
        """One; given back to be tried again where the platform could not be asked, but not where it may be there
        already."""
        card = digests.card(await self._figures(room, until), self._terms.language, zone=self._terms.zone)
        try:
            key = f"digest|{week}|{room.key}"
            await self._chats[room.platform].post(room=room, thread="", card=card, root="", key=key, again=False)
        except ChatUnavailable as error:
            log.warning("digest_not_posted", room=room.key, why=error.reason)
            if not error.maybe_posted:
                await self._digests.release(room=room.key, week=week)
            return 0
        except ChatRefused as error:
            log.error("digest_refused", room=room.key, why=str(error))
            return 0
        log.info("digest_posted", room=room.key, week=week)
        return 1

    async def _figures(self, room: Room, until: int) -> Figures:
        only = "" if self._terms.everywhere else room.key
        since = until - digests.WEEK_MS
        ended, written = await self._ended(only, since, until), await self._records(only, since)
        week = digests.figures(ended, written, since=since, until=until)
        records = await self._incidents.incidents(room=only)
        known = (read(record.id, record.facts) for record in records)
        still = tuple(sorted(incident.id for incident in known if not incident.resolved))
        tokens = await self._digests.tokens(room=only, until=until) if self._terms.model else None
        cost = tokens * self._terms.price / 1e6 if tokens is not None and self._terms.price else None
        return msgspec.structs.replace(week, open=still, tokens=tokens, cost=cost, currency=self._terms.currency)

    async def _ended(self, room: str, since: int, until: int) -> list[Summary]:
        found = []
        async for one in self._summaries.ended(since, until):
            if room not in ("", one.room):
                continue
            try:
                summary = decode_beside(one.body)
            except msgspec.MsgspecError:
                continue  # of a newer version: its own digests count it
            if isinstance(summary, Summary):
                found.append(summary)
        return found

    async def _records(self, room: str, since: int) -> list[Record]:
        """What was executed and refused in the week, in one room or in all."""
        found = []
        for shard in range(self._shards):
            after = f"{since}-0"
            while page := await self._log.entries(shard=shard, after=after, limit=PAGE):
                after = page[-1].id
                for entry in page:
                    try:
                        record = audit.decode(entry.record)
                    except msgspec.DecodeError:
                        continue
                    if record.kind in digests.KINDS and room in ("", record.room):
                        found.append(record)
        return found
