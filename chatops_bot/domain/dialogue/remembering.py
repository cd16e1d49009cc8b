"""Working memory: what a turn has brought becomes facts, and every so many turns these are folded into the summary.

Like the timeline of an incident it looks at the event, and at the session before and after; no handler has to think of
it. A model reads what stands here, and writes none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from chatops_bot.domain.audit import Record
from chatops_bot.domain.cards import Card, Code, Table, Text
from chatops_bot.domain.dialogue import feedback
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.events import Click, Event, Followed, Message, Queried
from chatops_bot.domain.incidents import kept
from chatops_bot.domain.intents import ACTIONS
from chatops_bot.domain.memory import MOST_NOTED, UNCLEAR, Fact, Gist, Open, bounded, called, fold, ref_of, why_refused
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import HANDED_LINE, HANDED_WINDOW, WINDOW, Ended, Line, Session, Summary
from chatops_bot.domain.texts import word

MOST_OPEN: Final = 6
"""Open things that are kept of a conversation, those of its changes first."""


def note(turn: Turn, event: Event, before: Session) -> None:
    """Take down what this turn has brought; finish, or bring up to date, what is kept of a session that has ended."""
    session = turn.session
    facts = tuple(bounded(fact) for fact in _facts(turn, event, before))
    spoken = isinstance(event, Message | Click) and bool(turn.route or facts)
    noted, turns = (*session.noted, *facts), session.turns + spoken
    summary = session.summary
    if turns >= turn.world.recall.summary_every or len(noted) >= MOST_NOTED or session.archived:
        summary = fold(summary, noted, turns=turns, at=turn.now) if noted or turns else summary
        noted, turns = (), 0
    turn.set(noted=noted, turns=turns, summary=summary, began=session.began or turn.now)
    if turn.summary is not None:
        turn.summary = _finished(turn.summary, before, turn.session)
        turn.set(ending=turn.summary)
    elif session.archived and session.ending is not None and (facts or session.votes != before.votes):
        good, bad = feedback.count(session.votes)
        left = _open(session.ending.open, summary)
        turn.summary = msgspec.structs.replace(session.ending, gist=summary, open=left, good=good, bad=bad)
        turn.set(ending=turn.summary)


def hear(turn: Turn, line: Line) -> None:
    """Put a line into the window, which keeps so many of people and so many of the bot."""
    most = HANDED_WINDOW if turn.session.handed_off else WINDOW
    left = {True: WINDOW, False: most}
    found: list[Line] = []
    for one in reversed((*turn.session.window, line)):
        if not left[one.bot]:
            continue
        left[one.bot] -= 1
        long = most - left[one.bot] > WINDOW and len(one.text) > HANDED_LINE
        found.append(msgspec.structs.replace(one, text=f"{one.text[: HANDED_LINE - 1]}…") if long else one)
    turn.set(window=tuple(reversed(found)))


def answered(turn: Turn) -> None:
    """What the bot has shown last in this turn, as one line of the window: a card that only says that something is
    under way is no answer."""
    shown = [card for id, card in turn.drawn.items() if id not in turn.awaited]
    if shown and not turn.session.archived:
        hear(turn, Line("", line_of(shown[-1]), turn.now, bot=True))


def line_of(card: Card) -> str:
    """A card in one line: its title, and what it says first. Of a report the title alone: what that says first may be
    names and words of others."""
    report = any(button.id == "refresh" for button in card.buttons)
    quotes = any(isinstance(block, Code | Table) for block in card.blocks)
    first = next((block.text for block in card.blocks if isinstance(block, Text)), "")
    return kept(card.title if report or quotes or not first else f"{card.title}: {first}", DIGEST)


DIGEST: Final = 160
"""Characters of what the window keeps of a card."""


def _finished(ended: Summary, before: Session, session: Session) -> Summary:
    """What is kept of a session that ends in this turn."""
    speakers = sorted(session.people.values(), key=lambda one: one.spoke)
    people = tuple(dict.fromkeys((session.owner, *(one.user.key for one in speakers))) if session.owner else ())
    people = people or tuple(one.user.key for one in speakers)
    first = session.people.get(people[0]) if people else None
    good, bad = feedback.count(session.votes)
    return msgspec.structs.replace(
        ended,
        room=session.room,
        began=session.began,
        people=people[:MOST_PEOPLE],
        who=first.name if first is not None else "",
        gist=session.summary,
        open=_open(ended.open, session.summary),
        assigned_to=before.assigned_to,
        cited=session.cited_runbooks[-MOST_CITED:],
        told=session.told,
        good=good,
        bad=bad,
        closing=session.closing,
    )


MOST_PEOPLE: Final = 20
MOST_CITED: Final = 5


def _open(others: tuple[Open, ...], gist: Gist) -> tuple[Open, ...]:
    """What the changes have left open, as far as is known by now, before what else is."""
    found = []
    for fact in gist.of("done"):
        kind = UNCLEAR.get(outcome_of(fact))
        if kind is not None:
            args = {name: fact.said.args[name] for name in ("action", "service")}
            found.append(Open(kind, Say(f"memory.{kind}", args), ref=fact.ref, about=fact.about))
    known = {one.ref for one in found} | {fact.ref for fact in gist.of("done")}
    return (*found, *(one for one in others if not one.ref or one.ref not in known))[:MOST_OPEN]


def outcome_of(fact: Fact) -> str:
    """How the change ended that a fact is about."""
    return str(fact.said.args.get("outcome", "")).removeprefix("outcome.")


def _facts(turn: Turn, event: Event, before: Session) -> Iterator[Fact]:
    for record in turn.audit:
        if record.kind == "request":
            yield _asked(turn, record, again=isinstance(event, Message) and _same(turn, record, before))
        elif record.kind == "refusal" and turn.user is not None and (why := why_refused(record.reason)):
            yield _refused(turn, record, why)
    if isinstance(event, Queried):
        yield from _found(turn, event)
    if isinstance(event, Followed):
        yield from _followed(turn, event)
    yield from _ended(turn, before)


def _same(turn: Turn, record: Record, before: Session) -> bool:
    """Whether this was asked and answered before: about the same object, with the same arguments."""
    known, asked = before.results.get(record.action), turn.session.last_query
    if known is None or known.entity is None or asked is None or asked.intent != record.action:
        return False
    return known.entity.key == record.service and known.slots == asked.slots


def _asked(turn: Turn, record: Record, *, again: bool) -> Fact:
    said = say(
        "memory.asked", what=called(record.action, changes=record.action in ACTIONS), service=_service(turn, record)
    )
    ref = f"{record.action} {record.service or record.text}"
    return Fact("asked", said, turn.now, ref[:200], by=turn.name, about=record.service, again=int(again))


def _refused(turn: Turn, record: Record, why: str) -> Fact:
    lock = turn.session.lock
    plan = _plan_of(turn, record.token)
    about = record.service or (plan.entity.key if plan else lock.entity.key if lock else "")
    action = record.action or (plan.action if plan else "")
    said = say(
        "memory.refused",
        what=called(action, changes=action in ACTIONS),
        service=_service(turn, msgspec.structs.replace(record, service=about, text="")),
        why=why,
    )
    return Fact("refused", said, turn.now, f"{action} {about} {why}"[:200], by=turn.name, about=about)


def _plan_of(turn: Turn, token: str) -> Plan | None:
    """The plan of a token, as far as this thread knows it."""
    waiting = (pending.plan for pending in turn.session.pending if pending.token == token)
    ended = (one.plan for one in turn.session.ended if one.token == token)
    return next((plan for plan in (*waiting, *ended) if token and plan is not None), None)


def _found(turn: Turn, event: Queried) -> Iterator[Fact]:
    """The verdict of an answer; what a log says is no verdict."""
    report = event.report
    if report is None or report.kind in ("logs", "find", "runbook"):
        return
    about = report.entity.key if report.entity is not None else ""
    bad = report.kind == "status" and report.tone in ("warn", "danger")
    yield Fact("found", report.headline, turn.now, f"{report.kind} {about}", about=about, bad=bad)


def _ended(turn: Turn, before: Session) -> Iterator[Fact]:
    """Plans that ended in this turn: run, or dropped."""
    earlier = {ended.token for ended in before.ended}
    for ended in turn.session.ended:
        if ended.token not in earlier and ended.plan is not None:
            yield _deed(turn, ended, ended.plan, ended.outcome)


def _followed(turn: Turn, event: Followed) -> Iterator[Fact]:
    ended = next((one for one in turn.session.ended if one.token == event.token), None)
    if ended is None or ended.plan is None or event.again is not None:
        return
    seen = "timeout" if not event.finished else "failed" if event.failed else "verified"
    yield _deed(turn, ended, ended.plan, seen)


def _deed(turn: Turn, ended: Ended, plan: Plan, outcome: str) -> Fact:
    key = f"outcome.{outcome}"
    said = say(
        "memory.deed",
        action=f"action.{plan.action}",
        service=plan.entity.name,
        change=change_of(plan),
        outcome=key if word(key, "en") != key else "outcome.refused",
        asker=plan.requester_name or plan.requester,
    )
    return Fact("done", said, turn.now, ref_of(plan.token), by=ended.by, about=plan.entity.key)


def change_of(plan: Plan) -> str:
    """What it changes, in no language: `replicas 2 → 5`."""
    pairs = (f"{name} {plan.before.get(name, '?')} → {value}" for name, value in plan.parameters.items())
    return ", ".join(pairs) or plan.entity.target


def _service(turn: Turn, record: Record) -> str:
    entity = turn.world.entity(record.service) if record.service else None
    return entity.name if entity is not None else record.service.rpartition("/")[2] or record.text[:60]
