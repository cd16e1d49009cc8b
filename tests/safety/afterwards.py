"""What must hold when everything has come to rest: nobody waits, nothing is stuck, and the books are right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import cast

import msgspec

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.store import Scripts
from chatops_bot.domain import audit
from chatops_bot.domain.audit import Record
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.session import Session, decode
from tests.safety.judge import Act
from tests.safety.platform import PROMISES
from tests.safety.run import Run

ENDED = frozenset({"done", "refused", "interrupted", "unknown", "void", "expired", "prepared"})
"""A plan whose talk ended before it was shown stays `prepared`: nobody has its token."""


class Stored(msgspec.Struct):
    """What the store holds at the end."""

    plans: dict[str, dict[str, str]] = {}
    targets: dict[str, str] = {}
    sessions: list[Session] = []
    records: list[Record] = []
    broken_chains: list[str] = []


async def problems(run: Run) -> list[str]:
    """Everything that does not hold."""
    stored = await _read(run.client)
    log = (run.place.folder / "workers.log").read_text(errors="replace")
    return [
        *(f"the chain of audit records: {why}" for why in stored.broken_chains),
        *_ledger(run, stored),
        *_people(run, stored),
        *_answers(run, stored),
        *_promises(run),
        *(f"a worker failed: {line[:300]}" for line in log.splitlines() if "entry_failed" in line or "Error" in line),
    ]


def _ledger(run: Run, stored: Stored) -> Iterator[str]:
    """Its ends agree with what reached the cluster."""
    for token, plan in stored.plans.items():
        state, seen = plan["state"], run.judge.plans.get(token)
        applied = seen.applied if seen else 0
        if state not in ENDED:
            yield f"plan {token[:6]} is left {state}"
        elif (state == "done") != (applied == 1) and state != "unknown":
            yield f"plan {token[:6]} is recorded as {state} and was written {applied} times"
        if seen and seen.told == "not done" and applied:
            yield f"plan {token[:6]} is said not to be done and was written"
    for target, token in stored.targets.items():
        yield f"{target} is still held by plan {token[:6]}, {stored.plans.get(token, {}).get('state')}"
    for session in stored.sessions:
        stuck = [pending.phase for pending in session.pending]
        if stuck and not session.handed_off:
            yield f"thread {session.thread} is left with plans {stuck}"


def _people(run: Run, stored: Stored) -> Iterator[str]:
    """Every execution is recorded with the person who confirmed it, before its outcome."""
    by_token: dict[str, list[Record]] = defaultdict(list)
    for record in stored.records:
        by_token[record.token].append(record)
    for token, plan in run.judge.plans.items():
        if not plan.applied:
            continue
        kinds = [record.kind for record in by_token[token]]
        confirmed = {record.user for record in by_token[token] if record.kind == "confirmation"}
        # Where nobody could find out what became of the write, the record says that, and who had confirmed it.
        ends = ("execution", "outcome") if stored.plans[token]["state"] == "unknown" else ("execution",)
        executed = {record.user for record in by_token[token] if record.kind in ends}
        if not confirmed & plan.evidence:
            yield f"plan {token[:6]} was written; recorded as confirmed by {confirmed}, pressed by {plan.evidence}"
        if not executed & plan.evidence:
            yield f"plan {token[:6]} was written; executions on record: {executed}, pressed by {plan.evidence} ({kinds})"


def _answers(run: Run, stored: Stored) -> Iterator[str]:
    """Whoever said something to the bot, or clicked, saw a card drawn afterwards: in the thread that took it, or,
    where that had ended, in a later one of the room. Once a person has taken over, the bot only takes notes."""
    quiet = {session.thread for session in stored.sessions if session.handed_off}
    quiet |= {act.thread for act in run.judge.acts if _hands_over(act)}
    last: dict[str, int] = defaultdict(int)
    newest: dict[str, int] = defaultdict(int)
    for shown in run.platform.cards.values():
        last[shown.thread] = max(last[shown.thread], *shown.moments)
        newest[shown.room] = max(newest[shown.room], shown.moments[0])
    for act in run.judge.acts:
        asked = isinstance(act.event, Click) or act.event.addressed
        answered = max(last[act.thread], newest[act.event.room.channel]) > act.at
        if not act.acked:
            yield f"{_words(act)} was never acknowledged"
        elif asked and act.taken == "stored" and act.thread not in quiet and not answered:
            yield f"{_words(act)} in thread {act.thread} was never answered"


def _hands_over(act: Act) -> bool:
    event = act.event
    return event.button == "hand_off" if isinstance(event, Click) else "hand" in event.text


def _promises(run: Run) -> Iterator[str]:
    """No card is left saying that something is under way. Of one that had to be posted twice, because nobody knew
    whether it had been, one is brought up to date."""
    for lane in run.platform.lanes():
        titles = [shown.card.title for shown in lane]
        if all(any(promise.fullmatch(title) for promise in PROMISES) for title in titles):
            yield f"card {lane[-1].message} of thread {lane[-1].thread} is left saying {titles[-1]!r}"


def _words(act: Act) -> str:
    event = act.event
    what = event.text if isinstance(event, Message) else f"[{event.button}]"
    return f"{event.id} ({event.user.id}: {what!r})"


async def _read(client: Client) -> Stored:
    stored = Stored()
    for raw in cast("list[bytes]", await client.command("KEYS", "*")):
        key = raw.decode()
        kind, _, name = key.partition("}:")[2].partition(":")
        if kind == "plan":
            fields = cast("list[bytes]", await client.command("HMGET", key, "state", "reason", "by"))
            names = ("state", "reason", "by")
            stored.plans[name] = {f: (v or b"").decode() for f, v in zip(names, fields, strict=True)}
        elif kind == "target":
            stored.targets[name] = cast(bytes, await client.command("GET", key)).decode()
        elif kind == "session":
            body = await client.command("HGET", key, "body")
            if isinstance(body, bytes):
                stored.sessions.append(decode(body))
    log = RedisAuditLog(Scripts(client, random_bytes=bytes))
    for shard in range(SHARDS):
        entries = await log.entries(shard=shard, limit=1_000_000)
        verdict = audit.verify(entries)
        if verdict.reason:
            stored.broken_chains.append(f"{shard}: {verdict}")
        stored.records += [audit.decode(entry.record) for entry in entries]
    return stored
