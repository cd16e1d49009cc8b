"""`chatops-bot settle`: judges how ended conversations ended, from what has happened since."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from chatops_bot.adapters.redis.care import RedisCare
from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.app.audit_command import plain
from chatops_bot.app.opening import Opened
from chatops_bot.domain.incidents import read
from chatops_bot.domain.session import Summary, decode_beside, encode_beside
from chatops_bot.domain.settled import Standing, Tally, settled, tally
from chatops_bot.domain.settling import AGAIN_MS, Settlement
from chatops_bot.domain.texts import render
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.summaries import StoredSummary

Echo = Callable[[str], None]

DAY_MS: Final = 86_400_000
SPAN_MS: Final = AGAIN_MS + 2 * DAY_MS
"""How far back conversations are looked at: as long as they may change, and some nights that were missed."""


def day_of(text: str) -> int:
    """The end (ms) of a day `YYYY-MM-DD` in UTC, 0 for "". Raises `ValueError` for what is none."""
    if not text:
        return 0
    try:
        begin = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ValueError(f"--day is a date such as 2026-01-31, not {text!r}") from None
    return int(begin.timestamp() * 1000) + DAY_MS


async def settle(
    opened: Opened, *, until: int = 0, dry_run: bool = False, as_json: bool = False, echo: Echo, now: int = 0
) -> int:
    """Settle what ended before `until` (ms; 0: now) and can still change, and print every verdict that is new.

    Running it again changes nothing but what has come to be known. Returns the exit code: 1 when a summary could not be
    read, which is then left as it is.
    """
    now = now or int(SystemClock().now() * 1000)
    end = min(until or now, now)
    stored, summaries, unread = await _ended(opened, since=end - SPAN_MS, until=now)
    standing = await _standing(opened, summaries.values())
    found = settled(summaries.values(), standing, now=now)
    changed = {
        thread: one
        for thread, one in found.items()
        if stored[thread].ended < end and one is not summaries[thread].settled
    }
    for thread, one in sorted(changed.items(), key=lambda pair: stored[pair[0]].ended):
        summary = msgspec.structs.replace(summaries[thread], settled=one)
        if not dry_run and not await opened.threads.settle(stored[thread], encode_beside(summary)):
            continue  # it was written anew since it was read: the next run judges what stands there then
        echo(_json(stored[thread], summary, one) if as_json else _line(stored[thread], summary, one))
    counted = tally((one for thread, one in found.items() if stored[thread].ended < end), now=now)
    if not dry_run and not until:
        await RedisTallies(opened.client).keep(msgspec.json.encode(counted))
    if not as_json:
        echo(_counted(counted, changed=len(changed), dry_run=dry_run))
    for key in unread:
        echo(f"{key}: its summary cannot be read by this version, and is left as it is")
    return 1 if unread else 0


async def _ended(
    opened: Opened, *, since: int, until: int
) -> tuple[dict[str, StoredSummary], dict[str, Summary], list[str]]:
    """Every conversation of the span by its thread: as stored, as read, and which could not be read."""
    stored: dict[str, StoredSummary] = {}
    summaries: dict[str, Summary] = {}
    unread = []
    async for one in opened.threads.ended(since, until):
        try:
            summary = decode_beside(one.body)
        except msgspec.MsgspecError:
            unread.append(one.thread)
            continue
        if isinstance(summary, Summary):
            stored[one.thread], summaries[one.thread] = one, summary
    return stored, summaries, unread


async def _standing(opened: Opened, summaries: Iterable[Summary]) -> Standing:
    """What holds now: alerts of the services that were talked about, and incidents that are open."""
    care = RedisCare(opened.client, opened.audit)
    keys = {one.entity.key for one in summaries if one.entity is not None}
    firing = [key for key in sorted(keys) if await care.alerted(key)]
    records = await opened.threads.incidents()
    known = [read(record.id, record.facts) for record in records]
    return Standing(frozenset(firing), frozenset(incident.id for incident in known if not incident.resolved))


def _line(stored: StoredSummary, summary: Summary, one: Settlement) -> str:
    """One line for people: when, about what, how, and why."""
    when = datetime.fromtimestamp(stored.ended / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    about = summary.entity.key if summary.entity is not None else "-"
    why = "; ".join(render(reason.said, "en") for reason in one.reasons)
    return plain(f"{when}  {one.verdict:<10}  {about}  {stored.thread}  {why}".rstrip())


def _json(stored: StoredSummary, summary: Summary, one: Settlement) -> str:
    return msgspec.json.encode(
        {
            "thread": stored.thread,
            "room": stored.room,
            "ended": stored.ended,
            "service": summary.entity.key if summary.entity is not None else None,
            "verdict": one.verdict,
            "weight": one.weight,
            "score": one.score,
            "reasons": [{"signal": reason.signal, "weight": reason.weight} for reason in one.reasons],
            "settled": one.settled,
        }
    ).decode()


def _counted(counted: Tally, *, changed: int, dry_run: bool) -> str:
    total = counted.resolved + counted.unresolved
    said = f"{total} conversations: {counted.resolved} resolved, {counted.unresolved} not; {changed} verdicts are new"
    return f"{said}, none was written." if dry_run else f"{said}."
