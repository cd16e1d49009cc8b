"""What a model may see beside an utterance: a short window of this thread's talk, and lines of the working memory.
Design section 7.

Pure, and bounded by one table whatever the room or the thread holds: every line is one line, short and without what
looks like a secret, and the whole has so many characters. Nothing of another thread is ever in it. What others wrote
(verdicts with names of objects in them, alerts, reasons) is told apart, to be shown fenced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

from chatops_bot.domain.incidents import kept
from chatops_bot.domain.intents import ACTIONS, Context, Heard, Quantity, SlotValue
from chatops_bot.domain.memory import Gist
from chatops_bot.domain.session import Line, Pending, Session, Summary
from chatops_bot.domain.texts import render

Situation = Literal["question", "status", "action", "incident", "handed_off", "returned"]


class Bound(msgspec.Struct, frozen=True):
    """Of one situation: how many messages of the window, and how many characters of one of them, of all of them, of the
    working memory, and of what others wrote."""

    messages: int
    line: int
    window: int
    memory: int
    quoted: int


BOUNDS: Final[dict[Situation, Bound]] = {
    "question": Bound(messages=6, line=300, window=1_500, memory=600, quoted=0),
    "status": Bound(messages=8, line=300, window=2_000, memory=1_200, quoted=800),
    "action": Bound(messages=12, line=400, window=4_000, memory=2_400, quoted=1_200),
    "incident": Bound(messages=12, line=400, window=4_000, memory=2_400, quoted=1_200),
    "handed_off": Bound(messages=60, line=300, window=8_000, memory=1_200, quoted=600),
    "returned": Bound(messages=0, line=0, window=0, memory=1_600, quoted=600),
}
"""The design's windows: 6, 8, 12, all (as far as the session keeps it) and none."""

_MEMORY_LINE: Final = 240
_QUESTIONS: Final = frozenset({"runbook", "help"})


def situation_of(session: Session, intents: Iterable[str], beside: Summary | None = None) -> Situation:
    """Which it is, by the state, and by what the rules have found in the utterance."""
    if session.handed_off:
        return "handed_off"
    if beside is not None:
        return "returned"
    asked = frozenset(intents)
    flow = session.flow.intent if session.flow is not None else ""
    if session.pending or flow in ACTIONS or asked & set(ACTIONS):
        return "action"
    if session.incident or session.alert is not None:
        return "incident"
    return "question" if asked and asked <= _QUESTIONS else "status"


def context_of(
    session: Session, *, asker: str, now: int, intents: Iterable[str] = (), beside: Summary | None = None
) -> Context:
    """Beside an utterance of the person with the key `asker` in this session, at `now` (ms). `intents` are those that
    the rules have found in it, `beside` the summary of the conversation that a new session goes on from."""
    situation = situation_of(session, intents, beside)
    bound = BOUNDS[situation]
    if beside is not None and situation == "returned":
        memory, quoted = _of_summary(beside, session, now), _quotes(beside.gist, session)
    else:
        memory, quoted = _of_session(session, situation, now), _of_others(session, situation)
    return Context(
        situation=situation,
        window=_window(session, asker, bound),
        memory=_fitting(memory, bound.memory),
        quoted=_fitting(quoted, bound.quoted),
    )


def _window(session: Session, asker: str, bound: Bound) -> tuple[Heard, ...]:
    """The end of the talk, as much of it as fits, oldest first."""
    found: list[Heard] = []
    left = bound.window
    for line in reversed(session.window[-bound.messages :] if bound.messages else ()):
        text = _short(line.text, bound.line)
        if len(text) > left:
            break
        left -= len(text)
        found.append(Heard(_who(line, asker), text))
    return tuple(reversed(found))


def _short(text: str, most: int) -> str:
    """One line. What is far beyond the cut is not looked at for secrets."""
    return kept(text[: 4 * most], most)


def _who(line: Line, asker: str) -> str:
    if line.bot:
        return "bot"
    return "user" if line.key == asker else "other"


def _fitting(lines: Iterable[str], most: int) -> tuple[str, ...]:
    """The first lines, the most important ones, as many as fit."""
    found: list[str] = []
    for line in lines:
        text = _short(line, _MEMORY_LINE)
        most -= len(text)
        if most < 0:
            break
        found.append(text)
    return tuple(found)


def _of_session(session: Session, situation: Situation, now: int) -> Iterator[str]:
    yield f"state: {session.state.value}"
    if session.lock is not None:
        entity = session.lock.entity
        yield f"service: {entity.name} = {entity.key}, environment {entity.environment or '-'}"
    if situation == "question":
        yield from _cited(session)
        return
    for pending in session.pending:
        yield _plan(pending)
    flow = session.flow
    if flow is not None:
        asked = ", ".join(flow.asked.what) if flow.asked is not None else "-"
        yield f"collecting: {flow.intent} {_slots(flow.slots)}; asked for: {asked}"
    yield from _held(session, now)
    if session.last_query is not None:
        yield f"last question: {session.last_query.intent} {_slots(session.last_query.slots)}"
    yield from _cited(session)
    yield from _gist(session.summary, session, now)


def _plan(pending: Pending) -> str:
    about = f"{pending.action} {pending.entity.name}"
    if pending.plan is None:
        return f"plan: {about} {_slots(pending.slots)}, {pending.phase}"
    before = pending.plan.before
    changes = (f"{name} {_value(before.get(name, '?'))} -> {_value(v)}" for name, v in pending.plan.parameters.items())
    return f"plan: {about} {', '.join(changes)}, {pending.phase}, risk {pending.plan.risk}"


def _held(session: Session, now: int) -> Iterator[str]:
    """Who has the thread, what it belongs to, and what waits aside."""
    if session.assigned_to is not None:
        taken = session.assigned_to
        yield f"assigned to: {taken.name or taken.who}, for {(now - taken.since) // 1000} s"
    if session.incident:
        yield f"incident: {session.incident}"
    alert = session.alert
    if alert is not None:
        yield f"alerts: {alert.firing} firing, {alert.resolved} resolved"
    if session.walk is not None:
        yield f"runbook: {session.walk.runbook}, step {session.walk.position + 1} of {session.walk.length}"
    for parked in session.parked:
        yield f"put aside: {parked.intent} {parked.entity.name if parked.entity else ''} {_slots(parked.slots)}"


def _cited(session: Session) -> Iterator[str]:
    if session.cited_runbooks:
        yield f"runbooks cited: {', '.join(reversed(session.cited_runbooks[-5:]))}"


def _gist(gist: Gist, session: Session, now: int) -> Iterator[str]:
    """The summary, the latest first; what was noted since stands in the window."""
    for fact in reversed(gist.facts):
        if fact.kind != "found":
            by = f" by {fact.by}" if fact.by else ""
            yield f"{fact.kind}: {render(fact.said, session.language)}{by}, {_ago(now - fact.at)}"


def _of_summary(beside: Summary, session: Session, now: int) -> Iterator[str]:
    """Of a conversation that has ended."""
    about = f"{beside.entity.name} = {beside.entity.key}" if beside.entity is not None else "-"
    yield f"earlier conversation: about {about}, ended {_ago(now - beside.at)}, outcome {beside.outcome or '-'}"
    if beside.incident:
        yield f"incident: {beside.incident}"
    for one in beside.open:
        yield f"still open: {render(one.said, session.language)}"
    yield from _gist(beside.gist, session, now)


def _of_others(session: Session, situation: Situation) -> Iterator[str]:
    """What names and words of others are in: a reason, alerts, verdicts."""
    if situation == "question":
        return
    if session.handed_off:
        yield f"handed over because: {session.handed_off}"
    alert = session.alert
    if alert is not None and situation in ("incident", "action"):
        for line in alert.shown[:5]:
            yield f"alert {line.name}: {'firing' if line.firing else 'resolved'}"
    if situation == "status":
        last = session.results.get("status")
        yield from [f"last diagnosis: {render(last.headline, session.language)}"] if last is not None else []
        return
    for kind, report in reversed(session.results.items()):
        yield f"last {kind}: {render(report.headline, session.language)}"


def _quotes(gist: Gist, session: Session) -> Iterator[str]:
    for fact in reversed(gist.of("found")):
        yield f"found: {render(fact.said, session.language)}"


def _slots(slots: dict[str, SlotValue]) -> str:
    return " ".join(f"{name}={_value(value)}" for name, value in slots.items()) or "-"


def _value(value: SlotValue) -> str:
    return f"{value.kind} {value.value:g}" if isinstance(value, Quantity) else str(value)


def _ago(milliseconds: int) -> str:
    return f"{max(0, milliseconds) // 1000} s ago"
