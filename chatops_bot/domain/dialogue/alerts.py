"""Alert groups: one card each, updated in place, closed when every alert of it is resolved. Design section 10.

The card is a diagnosis card of the service that the alerts map to: it is drawn at once with the alerts, and again when
the diagnosis is there. It lives as long as its group: what people do in its thread may end the session, but not the
card. A group that fires again soon after it was resolved has the same card again, a later one a new one.
"""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.charts import AlertSource
from chatops_bot.domain.dialogue import rights
from chatops_bot.domain.dialogue.alert_card import FLAP_MS, FLAPS, alert_card, candidates, moment, names_of
from chatops_bot.domain.dialogue.known import may_see_logs
from chatops_bot.domain.dialogue.lock import bind
from chatops_bot.domain.dialogue.reading import have_read
from chatops_bot.domain.dialogue.report_parts import fitted
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Alert, AlertGroup, Queried
from chatops_bot.domain.identity import User
from chatops_bot.domain.objects import instant
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import AlertLine, AlertState, Asking, Session, Summary

SHOWN_ALERTS: Final = 10
"""Lines on one card; the rest is counted."""
REFRESH_MS: Final = 30_000
"""Between two diagnoses of one card."""
REOPENED_MS: Final = 30 * 60_000
"""A group that fires again within this time after it was resolved is the same trouble still, on the same card."""
KEPT_S: Final = 14 * 86_400
"""How long the state of a group that fires is kept without a word of Alertmanager's: as long as its card is known."""

_RANKS: Final = ("page", "emergency", "critical", "fatal", "high", "error", "major", "", "warning", "warn", "medium")
"""Severities as people name them, the worst first. "" is any other; what is not worse comes after `warning`."""
_MILD: Final = ("minor", "low", "info", "none")


def on_alert(turn: Turn, event: AlertGroup) -> None:
    """Judge each alert on its own status; the group is closed by the last, never by the first."""
    turn.language = turn.world.language
    before = turn.session.alert
    if event.elsewhere and (_fires(event) or before is None or before.moved):
        _move(turn)
        return
    known = before or AlertState(group=event.group, earlier=_earlier(turn))
    state = _about(turn, _told(known, event, turn.now), event)
    if state == before:
        _save(turn, _diagnosed_anew(turn, state))
        return
    state = msgspec.structs.replace(state, card=state.card or turn.new_card())
    state = _diagnosed_anew(turn, state)
    turn.record("alert", service=event.service, text=f"{names_of(state)}: {_counted(state)}"[:300])
    _draw(turn, state)
    turn.set(used=True)
    _close(turn, state)


def _move(turn: Turn) -> None:
    """Its alerts are others now, and a route leads them to another room: nothing of them is shown here any more."""
    state = turn.session.alert
    if state is None or state.closed_at:
        return
    state = msgspec.structs.replace(state, moved=True, firing=0, closed_at=turn.now)
    turn.record("alert", text=f"{names_of(state)}: moved to another room"[:300])
    _draw(turn, state)
    _close(turn, state)


def begins_anew(session: Session, event: AlertGroup, now: int) -> bool:
    """Whether a delivery to a session that has ended belongs on a card of its own."""
    state = session.alert
    if state is None:
        return True
    return _fires(event) and not event.elsewhere and bool(state.closed_at) and now - state.closed_at > REOPENED_MS


def chosen(turn: Turn, name: str) -> bool:
    """A person says which service the alerts are about. False where that was not asked."""
    state = turn.session.alert
    entity = candidates(state, turn.world.catalog).get(name) if state is not None else None
    if state is None or entity is None or state.entity is not None:
        return False
    turn.record("decision", reason="alert service", service=entity.key)
    turn.language = turn.world.language
    if turn.session.archived:
        turn.archive(_summary(turn, state, entity))
    else:
        bind(turn, entity)
    state = msgspec.structs.replace(state, entity=entity, candidates=())
    _draw(turn, _diagnosed_anew(turn, state))
    return True


def show(turn: Turn) -> None:
    """The card of the thread's alerts once more, as it is: for a room that has not seen it yet."""
    state = turn.session.alert
    if state is not None and state.card and not state.moved:
        _draw(turn, state)


def on_diagnosed(turn: Turn, asking: Asking, event: Queried) -> bool:
    """The diagnosis of the card's service, or why there is none. False where it is for another card."""
    state = turn.session.alert
    if state is None or asking.card != state.card:
        return False
    turn.language = turn.world.language
    if asking.entity != state.entity:
        # Of the service that it was about before.
        _draw(turn, _diagnosed_anew(turn, state))
        return True
    report = fitted(event.report, turn.world) if event.report is not None else None
    changed = msgspec.structs.replace(state, problem=event.problem, report=report or state.report)
    if state.firing and _as_seen(changed) != _as_seen(state):
        _draw(turn, changed)
    else:
        _save(turn, changed)
    lock = turn.session.lock
    if report is not None and lock is not None and lock.entity == state.entity:
        turn.set(results={**turn.session.results, report.kind: report})
    return True


def keep_s(session: Session) -> int:
    """How long an ended session is kept for the sake of its alerts, 0 for no longer than others."""
    return KEPT_S if session.alert is not None and not session.alert.closed_at else 0


def _fires(event: AlertGroup) -> bool:
    return any(alert.firing for alert in event.alerts)


def _told(known: AlertState, event: AlertGroup, now: int) -> AlertState:
    """The state as this delivery tells it, which always holds the whole group."""
    fire = [alert for alert in event.alerts if alert.firing]
    firing = max(event.firing, len(fire))
    resolved = max(event.resolved, len(event.alerts) - len(fire))
    told = msgspec.structs.replace(
        known,
        shown=tuple(_line(alert) for alert in sorted(event.alerts, key=lambda alert: not alert.firing)[:SHOWN_ALERTS]),
        firing=firing,
        resolved=resolved,
        left_out=event.left_out,
        silence=event.silence,
        plotted=_plotted(fire),
        moved=False,
    )
    if firing:
        return _firing(told, fire, now, again=not known.firing and not known.moved)
    return _over(told, event, now)


def _firing(told: AlertState, fire: list[Alert], now: int, *, again: bool) -> AlertState:
    began = min((at for alert in fire if 0 < (at := instant(alert.starts_at)) <= now), default=now)
    severity = min((alert.severity for alert in fire), key=_rank)
    told = msgspec.structs.replace(told, severity=severity, resolved_at=0, closed_at=0)
    if not again:
        return msgspec.structs.replace(told, starts_at=min(told.starts_at or began, began))
    goes_on = bool(told.lately) and now - told.lately[-1] <= FLAP_MS
    fresh = now - told.asked_at < REFRESH_MS
    return msgspec.structs.replace(
        told,
        starts_at=began,
        fired=told.fired + 1 if goes_on else 1,
        since=told.since if goes_on else now,
        lately=(*told.lately, now)[-FLAPS:] if goes_on else (now,),
        report=told.report if fresh else None,
        problem=told.problem if fresh else None,
    )


def _over(told: AlertState, event: AlertGroup, now: int) -> AlertState:
    """Nothing of what was told fires. Where something was left out, that may still."""
    if told.left_out:
        return msgspec.structs.replace(told, resolved_at=0, closed_at=0)
    if told.closed_at:
        return told
    ended = max((instant(alert.ends_at) for alert in event.alerts), default=0)
    return msgspec.structs.replace(told, resolved_at=min(ended or now, now), closed_at=now)


def _about(turn: Turn, state: AlertState, event: AlertGroup) -> AlertState:
    """With the service that it is about for certain; once it is known it is left only for another certain one."""
    service = turn.world.catalog.by_key(event.service) if event.service else None
    if service is None:
        offered = () if state.entity is not None else event.candidates
        return msgspec.structs.replace(state, candidates=offered, several=event.several)
    _lock(turn, service.entity)
    if state.entity == service.entity:
        return state
    return msgspec.structs.replace(state, entity=service.entity, candidates=(), report=None, problem=None, asked_at=0)


def _lock(turn: Turn, entity: Entity) -> None:
    """A lock that people have set, or that something of theirs rests on, stays."""
    session = turn.session
    lock = session.lock
    free = lock is None or (not lock.by and not session.pending and session.flow is None)
    if free and not session.archived:
        bind(turn, entity)


def _diagnosed_anew(turn: Turn, state: AlertState) -> AlertState:
    """Ask for a diagnosis, unless there was one just now. Nobody waits for it: whatever becomes of it, the card with
    the alerts is drawn."""
    entity = state.entity
    waits = any(asking.card == state.card for asking in turn.session.queries.values())
    if entity is None or not state.firing or waits or turn.now - state.asked_at < REFRESH_MS:
        return state
    room = turn.session.room
    nobody = User(platform=room.platform, tenant=room.tenant, id="")
    shown_in = rights.shown_in(turn)
    if not rights.judge(turn, action="status", entity=entity, user=nobody, role="read", also=shown_in).allowed:
        return state
    logs = may_see_logs(turn, entity, nobody)
    have_read(turn, state.card, "status", nobody, entity, slots={}, logs=logs, alert=state.plotted)
    return msgspec.structs.replace(state, asked_at=turn.now)


def _draw(turn: Turn, state: AlertState) -> None:
    _save(turn, state)
    turn.draw(state.card, alert_card(state, turn.language, catalog=turn.world.catalog, now=turn.now))


def _save(turn: Turn, state: AlertState) -> None:
    if state != turn.session.alert:
        turn.set(alert=state)


def _close(turn: Turn, state: AlertState) -> None:
    """The session ends with its alerts, unless people are at something in it."""
    session = turn.session
    busy = session.pending or session.flow or session.handed_off
    # What was done in a session that has ended says more of it than when its alerts did.
    if state.closed_at and not (session.done if session.archived else busy):
        turn.archive(_summary(turn, state, state.entity))


def _summary(turn: Turn, state: AlertState, entity: Entity | None) -> Summary:
    outcome = "resolved" if state.closed_at else "idle"
    return Summary(thread=turn.session.thread, at=turn.now, entity=entity, outcome=outcome, asked=names_of(state))


def _earlier(turn: Turn) -> Say | None:
    """What became of the group's last card."""
    last = turn.opened_from
    if last is None:
        return None
    if last.done is None:
        return say("alert.earlier", time=moment(last.at, turn.now))
    return say("alert.earlier_done", action=f"action.{last.done.action}", service=last.done.entity.name)


def _line(alert: Alert) -> AlertLine:
    return AlertLine(
        name=alert.name,
        firing=alert.firing,
        severity=alert.severity,
        summary=alert.summary,
        since=instant(alert.starts_at),
        source=alert.source,
    )


def _plotted(fire: list[Alert]) -> AlertSource | None:
    first = next((alert for alert in fire if alert.source), None)
    if first is None:
        return None
    return AlertSource(name=first.name, url=first.source, labels=first.labels, since=instant(first.starts_at))


def _as_seen(state: AlertState) -> tuple[Report | None, Say | None]:
    """What a diagnosis says, whenever it was made; the charts beside it go on with the time."""
    report = state.report
    return (msgspec.structs.replace(report, at=0, charts=()) if report is not None else None), state.problem


def _counted(state: AlertState) -> str:
    return f"{state.firing} firing, {state.resolved} resolved"


def _rank(severity: str) -> int:
    name = severity.casefold()
    if name in _MILD:
        return len(_RANKS) + _MILD.index(name)
    return _RANKS.index(name) if name in _RANKS else _RANKS.index("")
