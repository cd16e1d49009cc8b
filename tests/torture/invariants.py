"""What must hold after a run, whatever happened in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import cast

import msgspec

from chatops_bot.adapters.redis.audit import RedisAuditLog
from chatops_bot.adapters.redis.client import Client
from chatops_bot.adapters.redis.shards import SHARDS
from chatops_bot.adapters.redis.store import Scripts
from chatops_bot.domain import audit
from tests.torture.supervisor import Run
from tests.torture.supervisor import client as connected
from tests.torture.talk import Session

ENDS = frozenset({"done", "refused", "interrupted", "unknown"})


class Broken(Counter[str]):
    """Counts by invariant, with the first examples of each."""

    def __init__(self) -> None:
        super().__init__()
        self.examples: dict[str, list[object]] = defaultdict(list)

    def found(self, what: str, example: object) -> None:
        self[what] += 1
        if len(self.examples[what]) < 5:
            self.examples[what].append(example)


class State(msgspec.Struct):
    """Everything stored, by kind of key and name."""

    sessions: dict[str, Session] = {}
    views: dict[str, dict[str, bytes]] = {}
    plans: dict[str, dict[str, bytes]] = {}
    targets: dict[str, str] = {}
    leftovers: list[str] = []


async def check(run: Run) -> tuple[Broken, Counter[str]]:
    """What is broken, and how much was done."""
    client = connected(run.store.url)
    state = await _read(client)
    broken, done = Broken(), Counter[str]()
    where = _events(run, state, broken, done)
    _order(run, where, broken)
    await _cards(run, state, broken, done)
    await _plans(run, state, broken, done)
    await _audit(client, broken, done)
    for key in state.leftovers:
        broken.found("queue left", key)
    await client.close()
    return broken, done


def _events(run: Run, state: State, broken: Broken, done: Counter[str]) -> dict[str, tuple[str, int]]:
    """Nothing acknowledged is lost, nothing is decided twice, each thread in its order."""
    where: dict[str, tuple[str, int]] = {}
    for thread, session in state.sessions.items():
        numbers = [number for _, number in session.log]
        if numbers != sorted(set(numbers)):
            broken.found("thread out of order", (thread, numbers))
        if session.state not in ("idle", "archived"):
            broken.found("session stuck", (thread, session.state))
        for id, number in session.log:
            if id in where:
                broken.found("decided twice", (id, thread, where[id][0]))
            where[id] = (thread, number)
    for id, sent in run.sent.items():
        if sent.taken == "ignore":
            continue
        done["acknowledged"] += 1
        if id not in where:
            broken.found("acknowledged and lost", (id, sent.taken, sent.thread))
    done["decided"] = len(where)
    done["threads"] = len(state.sessions)
    return where


def _order(run: Run, where: dict[str, tuple[str, int]], broken: Broken) -> None:
    """What one user says is decided in the order in which it was said, as far as it is in one thread."""
    for user, ids in run.by_user.items():
        last: dict[str, tuple[int, str]] = {}
        for id in ids:
            if id not in where or run.sent[id].event.type == "click":
                continue
            thread, number = where[id]
            if number <= last.get(thread, (0, ""))[0]:
                broken.found("user out of order", (user, id, last[thread], thread))
            last[thread] = (number, id)


async def _cards(run: Run, state: State, broken: Broken, done: Counter[str]) -> None:
    """The live message of every card shows its newest view."""
    shown: dict[tuple[str, str], bytes] = {}
    for card, message, view in await run.outside.draws():
        shown[card, message] = view
    posts = await run.outside.counts("posts")
    for thread, stored in state.views.items():
        for name in [field[2:] for field in stored if field.startswith("n:")]:
            done["cards"] += 1
            live = stored.get(f"m:{name}", b"").decode()
            if not live:
                broken.found("card never drawn", (thread, name))
            elif shown.get((f"{thread}|{name}", live)) != stored[f"v:{name}"]:
                broken.found("card left stale", (thread, name, live))
            if int(stored[f"n:{name}"]) > int(stored.get(f"d:{name}", b"0")):
                broken.found("card not drawn to the end", (thread, name))
    done["posted twice"] = sum(posts.values()) - len(posts)


async def _plans(run: Run, state: State, broken: Broken, done: Counter[str]) -> None:
    """No plan is executed twice, unclicked or unrecorded; no target stays held; each outcome is told once."""
    executions = await run.outside.counts("executions")
    told: dict[str, list[str]] = defaultdict(list)
    for session in state.sessions.values():
        for token, outcome in session.outcomes:
            told[token].append(outcome)
    for token, count in executions.items():
        plan = state.plans.get(token, {})
        if count > 1:
            broken.found("executed twice", token)
        if plan.get("state") != b"done":
            broken.found("executed, and the ledger says otherwise", (token, plan.get("state")))
        if token not in run.clicked:
            broken.found("executed without a click", token)
    for token, plan in state.plans.items():
        end = plan["state"].decode()
        done[f"plans {end}"] += 1
        _end(token, end, token in executions, told[token], broken)
    for target, token in state.targets.items():
        broken.found("target stuck", (target, token))
    done["executed"] = len(executions)


def _end(token: str, end: str, executed: bool, told: list[str], broken: Broken) -> None:
    if end in ("confirmed", "executing"):
        broken.found("plan stuck", (token, end))
    if end == "done" and not executed:
        broken.found("recorded as done, never executed", token)
    if end in ENDS and told != [end]:
        broken.found("outcome not told once", (token, end, told))


async def _audit(client: Client, broken: Broken, done: Counter[str]) -> None:
    """Every chain holds, and no step was recorded twice."""
    log = RedisAuditLog(Scripts(client, random_bytes=bytes))
    seen: Counter[bytes] = Counter()
    for shard in range(SHARDS):
        entries = await log.entries(shard=shard, limit=1_000_000)
        if (verdict := audit.verify(entries)).reason:
            broken.found("audit chain broken", verdict)
        seen.update(entry.record for entry in entries if b'"decision"' not in entry.record)
        done["audit records"] += len(entries)
    for record, count in seen.items():
        if count > 1:
            broken.found("recorded twice", (record, count))


async def _read(client: Client) -> State:
    state = State()
    for shard, keys in enumerate(await client.each(lambda shard: ("KEYS", f"{{{shard}}}:*"))):
        for raw in cast("list[bytes]", keys):
            await _read_key(client, shard, raw.decode(), state)
    return state


async def _read_key(client: Client, shard: int, key: str, state: State) -> None:
    kind, _, name = key.partition("}:")[2].partition(":")
    if kind == "session":
        body = (await _hash(client, shard, key)).get("body")
        state.sessions[name] = msgspec.json.decode(body, type=Session) if body else Session(state="never decided")
    elif kind == "view":
        state.views[name] = await _hash(client, shard, key)
    elif kind == "plan":
        state.plans[name] = await _hash(client, shard, key)
    elif kind == "target":
        state.targets[name] = cast(bytes, await client.command("GET", key, shard=shard)).decode()
    elif kind in ("queue", "holder", "due"):
        state.leftovers.append(key)


async def _hash(client: Client, shard: int, key: str) -> dict[str, bytes]:
    flat = cast("list[bytes]", await client.command("HGETALL", key, shard=shard))
    return {name.decode(): value for name, value in zip(flat[::2], flat[1::2], strict=True)}
