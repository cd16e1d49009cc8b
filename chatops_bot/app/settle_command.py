"""`chatops-bot settle`: judges how ended conversations ended, from what has happened since."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final

import msgspec

from chatops_bot.adapters.redis.care import RedisCare
from chatops_bot.adapters.redis.spending import RedisSpending
from chatops_bot.adapters.redis.tallies import RedisTallies
from chatops_bot.app.audit_command import plain
from chatops_bot.app.modelling import modelling_of
from chatops_bot.app.opening import Opened
from chatops_bot.app.settings_model import ModelSettings
from chatops_bot.domain.incidents import read
from chatops_bot.domain.session import Summary, decode_beside, encode_beside
from chatops_bot.domain.settled import Standing, Tally, settled, tally, worth
from chatops_bot.domain.settling import AGAIN_MS, Settlement
from chatops_bot.domain.texts import render
from chatops_bot.engine.grading import Grading
from chatops_bot.ports.clock import SystemClock
from chatops_bot.ports.summaries import StoredSummary

Echo = Callable[[str], None]

DAY_MS: Final = 86_400_000
SPAN_MS: Final = AGAIN_MS + 2 * DAY_MS
"""How far back conversations are looked at: as long as they may change, and some nights that were missed."""


@dataclass
class Ended:
    """Conversations that ended, by their threads: as stored, as read, which could not be read, and which have been
    graded just now."""

    stored: dict[str, StoredSummary] = field(default_factory=dict)
    read: dict[str, Summary] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    graded: set[str] = field(default_factory=set)

    def before(self, thread: str, moment: int) -> bool:
        """Whether it ended before that (ms)."""
        return self.stored[thread].ended < moment

    def new(self, thread: str, verdict: Settlement) -> bool:
        """Whether there is something to write."""
        return thread in self.graded or verdict is not self.read[thread].settled


def day_of(text: str) -> int:
    """The end (ms) of a day `YYYY-MM-DD` in UTC, 0 for "". Raises `ValueError` for what is none."""
    if not text:
        return 0
    try:
        begin = datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise ValueError(f"--day is a date such as 2026-01-31, not {text!r}") from None
    return int(begin.timestamp() * 1000) + DAY_MS


def graded(chosen: ModelSettings, wanted: bool | None) -> bool:
    """Whether a model grades: as wanted on the command line, else as configured. Raises `ValueError` where it is wanted
    and there is none."""
    if wanted and not chosen.enabled:
        raise ValueError("--grade needs a language model, and none is configured: set model.name")
    return chosen.enabled and (chosen.grades if wanted is None else wanted)


async def settle(
    opened: Opened,
    *,
    until: int = 0,
    dry_run: bool = False,
    as_json: bool = False,
    echo: Echo,
    complain: Echo | None = None,
    now: int = 0,
    model: ModelSettings | None = None,
) -> int:
    """Settle what ended before `until` (ms; 0: now) and can still change, and print every verdict that is new.

    With a `model` conversations are graded first, a dry run excepted, which costs nothing. Running it again changes
    nothing but what has come to be known. Nothing is printed before all is written, so that whoever stops reading stops
    nothing else. Returns the exit code: 1 when a summary could not be read, which is then left as it is and told to
    `complain`.
    """
    now = now or int(SystemClock().now() * 1000)
    end = min(until or now, now)
    ended = await _ended(opened, since=end - SPAN_MS, until=now)
    if model is not None and not dry_run:
        await _grade(opened, model, ended, end=end)
    standing = await _standing(opened, ended.read.values())
    found = settled(ended.read.values(), standing, now=now)
    lines = []
    changed = {thread: one for thread, one in found.items() if ended.before(thread, end) and ended.new(thread, one)}
    for thread, one in sorted(changed.items(), key=lambda pair: ended.stored[pair[0]].ended):
        summary = msgspec.structs.replace(ended.read[thread], settled=one)
        if not dry_run and not await opened.threads.settle(ended.stored[thread], encode_beside(summary)):
            continue  # it was written anew since it was read: the next run judges what stands there then
        lines.append((_json if as_json else _line)(ended.stored[thread], summary, one))
    counted = tally((one for thread, one in found.items() if ended.before(thread, end)), now=now)
    if not dry_run and not until:
        await RedisTallies(opened.client).keep(msgspec.json.encode(counted))
    if not as_json:
        lines.append(_counted(counted, changed=len(lines), dry_run=dry_run))
    for line in lines:
        echo(line)
    for thread in ended.unread:
        (complain or echo)(f"{thread}: its summary cannot be read by this version, and is left as it is")
    return 1 if ended.unread else 0


async def _grade(opened: Opened, chosen: ModelSettings, ended: Ended, *, end: int) -> None:
    """Have those graded that were not, and can still change. A grade is written with the verdict, and kept."""
    made = modelling_of(chosen, spending=RedisSpending(opened.client))
    if made is None:
        return
    open_ones = [
        one
        for thread, one in ended.read.items()
        if ended.before(thread, end) and one.grade is None and worth(one) and not (one.settled and one.settled.settled)
    ]
    try:
        grades = await Grading(made.lead, clock=SystemClock()).grades(open_ones)
    finally:
        await made.close()
    for thread, grade in grades.items():
        ended.read[thread] = msgspec.structs.replace(ended.read[thread], grade=grade)
        ended.graded.add(thread)


async def _ended(opened: Opened, *, since: int, until: int) -> Ended:
    """Every conversation of the span."""
    found = Ended()
    async for one in opened.threads.ended(since, until):
        try:
            summary = decode_beside(one.body)
        except msgspec.MsgspecError:
            found.unread.append(one.thread)
            continue
        if isinstance(summary, Summary):
            found.stored[one.thread], found.read[one.thread] = one, summary
    return found


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
            "grade": summary.grade,
            "reasons": [{"signal": reason.signal, "weight": reason.weight} for reason in one.reasons],
            "settled": one.settled,
        }
    ).decode()


def _counted(counted: Tally, *, changed: int, dry_run: bool) -> str:
    total = counted.resolved + counted.unresolved
    said = f"{total} conversations: {counted.resolved} resolved, {counted.unresolved} not; {changed} verdicts are new"
    return f"{said}, none was written." if dry_run else f"{said}."
