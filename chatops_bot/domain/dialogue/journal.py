"""The timeline of an incident writes itself: what one turn of its thread has changed becomes entries.

It looks at the event, and at the session before and after; no handler has to think of it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from typing import Final

from chatops_bot.domain.dialogue import handing, incidents, walk_starting
from chatops_bot.domain.dialogue.confirming import UNSURE
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.events import AlertGroup, Click, Event, Executed, Followed, Lost, Message, Prepared, Queried
from chatops_bot.domain.incidents import Kind
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import AlertState, Ended, Pending, Session
from chatops_bot.domain.texts import word

_SILENT: Final = frozenset({"chat", "feedback", "done", "confirm", incidents.ROUTE, walk_starting.ROUTE})
"""Routes of words that are entered by what they lead to, or that are only said between people. Words that only read
like a yes lead to nothing, and are entered."""

_RAN: Final = frozenset({"done", "working", "unknown", "interrupted", "halted"})
"""Outcomes of plans whose write may have been made."""

_REPORTS: Final = frozenset({"status", "overview"})
"""Queries whose answer is a verdict."""


def write(turn: Turn, event: Event, before: Session) -> None:
    """Enter what this turn has brought into the timeline of the thread's incident, if it has one; alerts may declare
    one, or open it again."""
    if isinstance(event, AlertGroup):
        _alerts(turn, before)
    elif isinstance(event, Message) and not before.used:
        incidents.about(turn)
    id = turn.session.incident
    if not id:
        return
    if turn.chronicle.opened(id):
        _begin(turn, id)
        return
    _of_event(turn, id, event, before)
    if not isinstance(event, Prepared):
        _refusals(turn, id)
    if not (isinstance(event, Queried) and event.report is not None and event.report.kind in _REPORTS):
        _cited(turn, id, before)
    _plans(turn, id, before)
    _ends(turn, id, before, executed=isinstance(event, Executed))
    if (said := handing.entry(turn, before)) is not None:
        _add(turn, id, "hand_off", said=said)


def _of_event(turn: Turn, id: str, event: Event, before: Session) -> None:
    """What the event itself tells."""
    match event:
        case Message() | Click() if turn.route:  # without one they may not even talk to the bot
            turn.chronicle.once(id, acknowledged_at=turn.now)
            _said(turn, id, event, before)
        case Queried():
            _finding(turn, id, event, before)
        case Prepared():
            _unprepared(turn, id, event, before)
        case Lost():
            _lost(turn, id, event)
        case Followed():
            _verified(turn, id, event)
        case _:
            pass


def _begin(turn: Turn, id: str) -> None:
    """What was known when it was declared: alerts, the last verdict, a plan that waits."""
    alert = turn.session.alert
    if alert is not None and alert.firing:
        _add(turn, id, "firing", at=alert.starts_at, said=_alerts_said(_firing(alert)), nobody=True)
    report = turn.session.results.get("status") or (alert.report if alert else None)
    if report is not None:
        _report(turn, id, report, at=report.at)
    for pending in turn.session.pending:
        if pending.plan is not None:
            _plan(turn, id, pending, pending.plan)


def _said(turn: Turn, id: str, event: Message | Click, before: Session) -> None:
    """A question or an order in somebody's words, or the button that asks it."""
    if isinstance(event, Click):
        if turn.route not in _SILENT and turn.session.queries.keys() - before.queries.keys():
            button = f"button.{event.button.partition(':')[0]}"
            _add(turn, id, "asked", said=say("incident.entry.pressed", button=button))
    elif turn.route == "note":
        _add(turn, id, "note", text=event.text)
    elif turn.route not in _SILENT or any(record.reason in UNSURE for record in turn.audit):
        _add(turn, id, "asked", text=event.text)


def _finding(turn: Turn, id: str, event: Queried, before: Session) -> None:
    """The verdict of a diagnosis; one that nobody asked for only where it is another than the last."""
    report = event.report
    if report is None or report.kind not in _REPORTS:
        return
    asking = before.queries.get(event.effect)
    last = before.results.get(report.kind) or (before.alert.report if before.alert else None)
    if (asking is not None and asking.user) or last is None or last.headline != report.headline:
        _report(turn, id, report)


def _report(turn: Turn, id: str, report: Report, *, at: int = 0) -> None:
    runbooks = (*report.cited, *(cited.id for cited in report.runbooks))
    _add(turn, id, "finding", at=at, said=report.headline, runbooks=runbooks, nobody=True)


def _cited(turn: Turn, id: str, before: Session) -> None:
    """Runbooks that were cited for the first time in this thread, but for those that stand with a verdict."""
    fresh = [cited for cited in turn.session.cited_runbooks if cited not in before.cited_runbooks]
    if fresh:
        _add(turn, id, "runbook", text=", ".join(fresh), runbooks=fresh, nobody=True)


def _unprepared(turn: Turn, id: str, event: Prepared, before: Session) -> None:
    """There can be no plan, and why."""
    pending = next((p for p in before.pending if p.effect == event.effect), None)
    if pending is None or event.plan is not None:
        return
    unready = say("incident.entry.unready", action=f"action.{pending.action}", service=label(pending.entity))
    why = f" ({turn.text(event.problem)})" if event.problem is not None else ""
    _add(turn, id, "refused", said=None if why else unready, text=f"{turn.text(unready)}{why}")


def _refusals(turn: Turn, id: str) -> None:
    for record in turn.audit:
        if record.kind == "refusal" and record.text and turn.user is not None:
            _add(turn, id, "refused", text=record.text)


def _plans(turn: Turn, id: str, before: Session) -> None:
    """Plans that were shown, confirmed or approved in this turn."""
    earlier = {pending.effect: pending for pending in before.pending}
    for pending in turn.session.pending:
        was, plan = earlier.get(pending.effect), pending.plan
        if plan is None:
            continue
        if was is None or was.token != plan.token:
            _plan(turn, id, pending, plan)
            continue
        if was.phase == "judging" and pending.phase in ("approving", "executing"):
            by = pending.confirmer or pending.requester
            _add(turn, id, "confirmed", said=_plan_said(plan), ref=_ref(plan.token), who=by.key)
        for approver in pending.approvals:
            if approver not in was.approvals:
                _add(turn, id, "approved", said=_plan_said(plan), ref=_ref(plan.token), who=approver)


def _plan(turn: Turn, id: str, pending: Pending, plan: Plan) -> None:
    key = "incident.entry.undo" if pending.undo_of else "incident.entry.plan"
    said = say(key, action=f"action.{plan.action}", service=label(plan.entity), change=_change(plan))
    _add(turn, id, "plan", said=said, ref=_ref(plan.token), who=pending.requester.key)


def _plan_said(plan: Plan) -> Say:
    return say("incident.entry.plan_of", action=f"action.{plan.action}", service=label(plan.entity))


def _change(plan: Plan) -> str:
    """What it changes, in no language: `replicas 2 → 5`."""
    pairs = (f"{name} {plan.before.get(name, '?')} → {value}" for name, value in plan.parameters.items())
    return ", ".join(pairs) or plan.entity.target


def _ends(turn: Turn, id: str, before: Session, *, executed: bool) -> None:
    """Plans that ended in this turn: run, or dropped."""
    earlier = {ended.token for ended in before.ended}
    for ended in turn.session.ended:
        plan = ended.plan
        if ended.token in earlier or plan is None:
            continue
        ran = executed or ended.outcome in _RAN
        _add(
            turn,
            id,
            "outcome" if ran else "dropped",
            said=_outcome_said(plan, ended.outcome),
            text=ended.outcome,
            ref=_ref(ended.token),
            nobody=ran,
        )


def _outcome_said(plan: Plan, outcome: str) -> Say:
    key = f"outcome.{outcome}"
    return say(
        "incident.entry.outcome",
        action=f"action.{plan.action}",
        service=label(plan.entity),
        outcome=key if word(key, "en") != key else "outcome.refused",
    )


def _lost(turn: Turn, id: str, event: Lost) -> None:
    plan = next((pending.plan for pending in turn.session.pending if pending.token == event.token), None)
    if plan is not None:
        said = say("incident.entry.lost", action=f"action.{plan.action}", service=label(plan.entity))
        _add(turn, id, "outcome", said=said, text="unknown", ref=_ref(event.token), nobody=True)


def _verified(turn: Turn, id: str, event: Followed) -> None:
    ended: Ended | None = next((e for e in turn.session.ended if e.token == event.token), None)
    if ended is None or ended.plan is None or event.again is not None:
        return
    outcome = "timeout" if not event.finished else "failed" if event.failed else "verified"
    said = _outcome_said(ended.plan, outcome)
    _add(turn, id, "verified", said=said, text=outcome, ref=_ref(event.token), nobody=True)


def _alerts(turn: Turn, before: Session) -> None:
    """What fires now that did not, and what has stopped. The incident of the group is opened again by a new firing,
    and counts as mitigated once nothing fires."""
    state = turn.session.alert
    if state is None or state.moved:
        return
    known = turn.chronicle.known
    was, now = _firing(before.alert), _firing(state)
    own = turn.session.incident or next((id for id, one in known.items() if one.group == state.group), "")
    if own not in known:
        _declare(turn, state)
        return
    turn.set(incident=own)
    incident = known[own]
    began, ended = now - was, was - now
    if began and incidents.over(turn, incident):
        turn.set(incident="")
        _declare(turn, state)
        return
    if began:
        _add(turn, incident.id, "firing", said=_alerts_said(began), nobody=True)
        if incident.status != "open":
            incidents.reopen(turn, incident, say("incident.again", id=incident.id))
    if ended:
        _add(turn, incident.id, "quiet", said=_alerts_said(ended), nobody=True)
        if not state.firing and incident.status == "open":
            incidents.mitigate(turn, incident, say("incident.alerts_end"))


def _declare(turn: Turn, state: AlertState) -> None:
    """By the severity of the alerts, where the configuration wants that."""
    wanted = {severity.casefold() for severity in turn.world.incidents.severities}
    firing = [state.severity, *(line.severity for line in state.shown if line.firing)] if state.firing else []
    severity = next((one for one in firing if one.casefold() in wanted), None)
    if severity is not None:
        incidents.declare(turn, severity=severity, title=", ".join(sorted(_firing(state))))


def _firing(state: AlertState | None) -> Counter[str]:
    """Names of the alerts that fire, as far as they are known one by one, and how often each."""
    return Counter(line.name for line in state.shown if line.firing) if state is not None else Counter()


def _alerts_said(names: Counter[str]) -> Say:
    what = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in sorted(names.items()))
    return say("incident.entry.alerts", what=what)


def _add(
    turn: Turn,
    id: str,
    kind: Kind,
    *,
    at: int = 0,
    said: Say | None = None,
    text: str = "",
    ref: str = "",
    runbooks: Iterable[str] = (),
    who: str = "",
    nobody: bool = False,
) -> None:
    """An entry by `who` (a user key), else by whoever this turn is about, or by nobody."""
    key = who or (turn.user.key if turn.user is not None and not nobody else "")
    speaker = turn.session.people.get(key)
    name = (speaker.name if speaker else "") or (turn.name if turn.user is not None and turn.user.key == key else "")
    turn.chronicle.add(
        id,
        kind,
        at=at,
        said=said,
        text=text,
        ref=ref,
        runbooks=tuple(dict.fromkeys(runbooks)),
        user=key,
        name=name,
    )


def _ref(token: str) -> str:
    """The same for all entries about one plan; its token, which confirms it, is nobody's to read."""
    return hashlib.blake2b(token.encode(), digest_size=8).hexdigest()
