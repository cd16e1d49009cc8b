"""What scripts are given and what they answer, between Python's structs and flat lists."""

from __future__ import annotations

from typing import Final, cast

import msgspec

from chatops_bot.adapters.redis.resp import Argument, Reply
from chatops_bot.domain.routing import Verdicts
from chatops_bot.ports.incidents import IncidentChange
from chatops_bot.ports.store import Arrival, Claim, Outcome

SEPARATOR: Final = b"\x1e"
ELSEWHERE: Final = SEPARATOR + b">"
"""Begins what stands under the key of a card that is at home in another room, as in `prelude.lua`."""
SCHEMA: Final = 1
"""Version of all that is stored, sessions and plans included, as in `prelude.lua`. It rises when an earlier worker
could not do right by what this one writes: what bears a higher number is left to others, a lower one is taken."""
_LEAVES: Final = {True: "1", False: "0", None: "?"}


class UnreadableError(Exception):
    """A row is not what this version writes."""


def arrival(event: Arrival, *, cap: int) -> list[Argument]:
    """In the order that `routing.lua` reads. `cap` 0: however full the mailbox is."""
    return [
        event.room.key,
        event.id,
        event.event,
        letters(event.verdicts),
        event.new,
        event.user,
        event.thread,
        event.lock,
        _LEAVES[event.leaves],
        event.left,
        0 if event.urgent else cap,
        *counted(event.cards),
        *counted(event.bind),
        *counted(event.names),
    ]


def letters(verdicts: Verdicts) -> str:
    """The table as eight letters, in the order of its fields."""
    v = verdicts
    return "".join(
        (
            v.card_live[0],
            v.card_archived[0],
            v.card_gone[0],
            v.current_same[0],
            v.current_other[0],
            v.current_asks[0],
            v.current_busy[0],
            v.none[0],
        )
    )


def counted(items: tuple[str, ...] | tuple[bytes, ...]) -> list[Argument]:
    """A list after its length."""
    return [len(items), *items]


def outcome(out: Outcome, *, keep_s: int) -> list[Argument]:
    """In the order that `commit.lua` reads, after the audit records. `keep_s`: where the outcome does not say."""
    flat: list[Argument] = [
        "commit",
        out.session,
        out.facts.state,
        out.facts.lock,
        out.facts.asks,
        out.facts.public,
        out.wake,
        out.keep_s or keep_s,
        out.summary,
        *counted(out.filed),
        *counted(out.release),
        len(out.cards),
    ]
    for card in out.cards:
        flat += (card.card, card.view, card.message)
    flat.append(len(out.work))
    for work in out.work:
        flat += (work.id, work.body)
    flat.append(len(out.incidents))
    for change in out.incidents:
        flat += _incident(change)
    return flat


def _incident(change: IncidentChange) -> list[Argument]:
    """In the order that `incidents.lua` reads."""
    facts: list[Argument] = [part for fact in change.facts.items() for part in fact]
    once: list[Argument] = [part for fact in change.once.items() for part in fact]
    entries: list[Argument] = []
    for entry in change.entries:
        entries += (entry.id, "1" if entry.weighty else "", entry.body)
    opens = "1" if change.opens else ""
    return [change.id, opens, len(facts), *facts, len(once), *once, len(entries), *entries]


class _Held(msgspec.Struct):
    """What every claim has."""

    shard: int
    queue: str
    token: str
    deadline: float
    attempts: int


def claim(row: Reply, *, shard: int, deadline: float) -> Claim:
    """A claim from a script's row: queue, token, attempts, then by kind. Raises `UnreadableError`."""
    try:
        name, token, attempts, *rest = cast("list[bytes]", row)
        queue = name.decode()
        return _KINDS[queue[:2]](_Held(shard, queue, token.decode(), deadline, int(attempts)), rest)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UnreadableError(f"{row!r:.200}") from error


def _mailbox(held: _Held, rest: list[bytes]) -> Claim:
    head, version, session = rest
    return _queued(held, head, int(version), session)


def _work(held: _Held, rest: list[bytes]) -> Claim:
    return _queued(held, rest[0], 0, b"")


def _queued(held: _Held, raw: bytes, version: int, session: bytes) -> Claim:
    schema, id, sequence, via_card, length, content = raw.split(SEPARATOR, 5)
    if int(schema) > SCHEMA:
        raise ValueError(schema)
    split = int(length)
    return Claim(
        shard=held.shard,
        queue=held.queue,
        token=held.token,
        deadline=held.deadline,
        attempts=held.attempts,
        entry=id.decode(),
        sequence=int(sequence),
        via_card=via_card == b"1",
        extra=content[:split],
        body=content[split:],
        version=version,
        session=session,
    )


def _card(held: _Held, rest: list[bytes]) -> Claim:
    number, drawn, message, view = rest
    return Claim(
        shard=held.shard,
        queue=held.queue,
        token=held.token,
        deadline=held.deadline,
        attempts=held.attempts,
        entry=f"{int(number)}",
        number=int(number),
        drawn=int(drawn),
        message=message.decode(),
        view=view,
    )


def _plan(held: _Held, rest: list[bytes]) -> Claim:
    plan, target = rest
    return Claim(
        shard=held.shard,
        queue=held.queue,
        token=held.token,
        deadline=held.deadline,
        attempts=held.attempts,
        entry=target.decode(),
        body=plan,
    )


_KINDS: Final = {"t|": _mailbox, "c|": _card, "w|": _work, "p|": _plan}


def thread_of(queue: str) -> str:
    """The thread that a mailbox, a card lane or a piece of work belongs to."""
    return queue.split("|", 2)[1]


def card_of(queue: str) -> str:
    """The card of a lane."""
    return queue.split("|", 2)[2]
