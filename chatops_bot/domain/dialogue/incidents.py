"""Incidents in the dialogue: declared, noted, commanded, mitigated, resolved, by words, by buttons, or by alerts.

Nothing here touches a plan, a flow or a lock that is there already: a command about an incident is a digression.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chatops_bot.domain.dialogue import requests, rights
from chatops_bot.domain.dialogue.alert_card import in_brief
from chatops_bot.domain.dialogue.incident_cards import export_card, incident_card, list_card
from chatops_bot.domain.dialogue.lock import bind
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incident_words import ME, TITLE, Command, Verb
from chatops_bot.domain.incidents import NAME, Incident, Kind, incident_id, kept
from chatops_bot.domain.intents import Interpretation
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.scopes import READ

ACTION: Final = "incident"
"""The right of the policy to declare and to change incidents."""

ROUTE: Final = "incident"
"""What the route of such a turn is called."""

_KEPT: Final = (
    *("room", "severity", "status", "title", "declared_by", "declared_name", "commander", "commander_name"),
    *("entity", "target", "group", "language", "declared_at", "detected_at", "assignee"),
)
"""Facts of an incident that are known from the start."""


def on_command(turn: Turn, event: Message, command: Command, meaning: Interpretation) -> bool:
    """Do what the words say. False where they may be about something else: no incident is there that they could
    mean."""
    incident = meant(turn, command)
    if command.verb == "over" and (incident is None or incident.resolved or incident.id != turn.session.incident):
        return False
    nothing = incident is None and command.verb not in _WITHOUT and not command.id
    if nothing and (turn.session.handed_off or not command.sure):
        return False
    turn.route = ROUTE
    turn.intents = (ACTION,)
    turn.set(used=True)
    if command.verb == "declare":
        _bind_named(turn, meaning)
        declare(turn, severity=command.severity, title=command.text)
    elif command.verb == "list":
        _list(turn)
    elif incident is None:
        which(turn, command)
    elif may_see(turn, incident):
        _HANDLERS[command.verb](turn, incident, command)
    return True


def on_click(turn: Turn, event: Click, rest: str) -> None:
    """A button about an incident: `incident:VERB`; without a verb it shows the card's incident, or declares one."""
    turn.route = ROUTE
    turn.set(used=True)
    incident = turn.chronicle.known.get(event.value or turn.session.incident)
    if incident is None and rest in ("", "declare"):
        declare(turn)
    elif incident is None:
        which(turn, Command("status", id=event.value))
    elif not may_see(turn, incident):
        return
    elif rest in _PRESSED:
        _HANDLERS[_PRESSED[rest]](turn, incident, Command(_PRESSED[rest], who=ME))
    else:
        problem = say("refuse.button_unknown", button=event.button[:60])
        requests.refuse(turn, problem, reason="button")


def show(turn: Turn) -> None:
    """Answer a question about the incident that is not one of the known phrases."""
    command = Command("status")
    incident = meant(turn, command)
    turn.set(used=True)
    alert = turn.session.alert
    if incident is None and alert is not None and alert.shown and not alert.moved:
        title, *lines = in_brief(alert, now=turn.now)
        turn.reply(line_card(title, turn.language, *lines, tone="muted"))
    elif incident is None:
        which(turn, command, also=(say("incident.alerts_elsewhere"),))
    elif may_see(turn, incident):
        _status(turn, incident, command)


def taken_over(turn: Turn, id: str) -> str:
    """The incident of an ended session, for the one that goes on with its card: unless it was over long ago."""
    incident = turn.chronicle.known.get(id)
    if incident is None or over(turn, incident):
        return ""
    return id


def over(turn: Turn, incident: Incident) -> bool:
    """Whether it was resolved so long ago that what happens now is something else."""
    since = turn.now - incident.resolved_at
    return incident.resolved and since > turn.world.incidents.reopen_s * 1000


def about(turn: Turn) -> None:
    """A thread that has just begun, about the service of an open incident of the room, belongs to that."""
    lock = turn.session.lock
    if turn.session.incident or lock is None:
        return
    found = [one.id for one in turn.chronicle.known.values() if one.target == lock.entity.key and not one.resolved]
    if len(found) == 1:
        turn.set(incident=found[0])


def declare(turn: Turn, *, severity: str = "", title: str = "") -> None:
    """Make the thread's incident, or show the one that it has. Without a person in the turn, its alerts declare it."""
    current = turn.chronicle.known.get(turn.session.incident)
    if current is not None and not current.resolved:
        _declared_already(turn, current, severity)
        return
    if turn.user is not None and not allowed(turn, None):
        return
    if not turn.chronicle.number:
        turn.chronicle.wants_number = True
        return
    incident = _made(turn, severity or turn.world.incidents.severity, title)
    turn.chronicle.open(incident, _facts(incident))
    turn.set(incident=incident.id)
    if turn.user is not None:
        turn.chronicle.once(incident.id, acknowledged_at=turn.now)
    record(turn, incident, "declared", severity=incident.severity, text=title)
    key = "incident.entry.declared" if title else "incident.entry.declared_bare"
    enter(turn, incident, "declared", say(key, severity=incident.severity, title=title))
    told = say("incident.declared", id=incident.id, severity=incident.severity)
    _show(turn, incident.id, told)


def _made(turn: Turn, severity: str, title: str) -> Incident:
    lock, alert = turn.session.lock, turn.session.alert
    began = alert.starts_at if alert is not None and alert.firing else 0
    return Incident(
        id=incident_id(turn.now, turn.chronicle.number),
        room=turn.session.room.key,
        severity=severity,
        status="open",
        declared_at=turn.now,
        detected_at=began if 0 < began < turn.now else turn.now,
        title=kept(title, TITLE),
        declared_by=_user(turn),
        declared_name=kept(turn.name, NAME),
        commander=_user(turn),
        commander_name=kept(turn.name, NAME),
        entity=label(lock.entity) if lock else "",
        target=lock.entity.key if lock else "",
        group=alert.group if alert else turn.session.group,
        assignee=kept(assigned.name, NAME) if (assigned := turn.session.assigned_to) is not None else "",
        language=turn.language,
    )


def _facts(incident: Incident) -> dict[str, str]:
    """As the store keeps them."""
    return {name: str(getattr(incident, name)) for name in _KEPT}


def _declared_already(turn: Turn, incident: Incident, severity: str) -> None:
    if not may_see(turn, incident):
        return
    if severity and severity != incident.severity:
        _grade(turn, incident, Command("severity", severity=severity))
        return
    now = say("incident.already", id=incident.id, status=f"incident.status.{incident.status}")
    turn.reply(incident_card(turn, incident, notes=(now,)))


def reopen(turn: Turn, incident: Incident, told: Say) -> None:
    """It goes on after all."""
    times = incident.reopened + (1 if incident.resolved else 0)
    turn.chronicle.set(incident.id, status="open", resolved_at=0, mitigated_at=0, reopened=times)
    record(turn, incident, "reopened")
    enter(turn, incident, "reopened", _status_said("open"))
    _show(turn, incident.id, told, anew=incident.resolved)


def mitigate(turn: Turn, incident: Incident, told: Say) -> None:
    """The harm has ended; the cause may still be there."""
    turn.chronicle.set(incident.id, status="mitigated", mitigated_at=turn.now)
    record(turn, incident, "mitigated")
    enter(turn, incident, "mitigated", _status_said("mitigated"))
    _show(turn, incident.id, told)


def _mitigated(turn: Turn, incident: Incident, command: Command) -> None:
    if incident.status != "open":
        _already(turn, incident)
    elif allowed(turn, incident):
        mitigate(turn, incident, _now(incident, "mitigated"))


def _resolve(turn: Turn, incident: Incident, command: Command) -> None:
    if incident.resolved:
        _already(turn, incident)
        return
    if not allowed(turn, incident):
        return
    mitigated = incident.mitigated_at or turn.now
    turn.chronicle.set(incident.id, status="resolved", resolved_at=turn.now, mitigated_at=mitigated)
    record(turn, incident, "resolved")
    enter(turn, incident, "resolved", _status_said("resolved"))
    _show(turn, incident.id, _now(incident, "resolved"))


def _reopened(turn: Turn, incident: Incident, command: Command) -> None:
    if incident.status == "open":
        _already(turn, incident)
    elif allowed(turn, incident):
        reopen(turn, incident, _now(incident, "open"))


def _grade(turn: Turn, incident: Incident, command: Command) -> None:
    if not allowed(turn, incident):
        return
    before, severity = incident.severity, command.severity
    if severity != before:
        turn.chronicle.set(incident.id, severity=severity)
        record(turn, incident, "severity", severity=severity)
        said = say("incident.entry.severity", before=before, severity=severity)
        enter(turn, incident, "severity", said)
    _show(turn, incident.id, say("incident.graded", id=incident.id, severity=severity))


def _command(turn: Turn, incident: Incident, command: Command) -> None:
    if not allowed(turn, incident):
        return
    key, name = _person(turn, command.who)
    turn.chronicle.set(incident.id, commander=key, commander_name=name)
    record(turn, incident, "commander", commander=key or name)
    enter(turn, incident, "commander", say("incident.entry.commander", name=name or key))
    _show(turn, incident.id, say("incident.commands", name=name or key, id=incident.id))


def _person(turn: Turn, who: str) -> tuple[str, str]:
    """Key and name of the new commander. Somebody who has not been seen here, or whose name two people bear, is only a
    name: that gives no rights."""
    if who == ME and turn.user is not None:
        return turn.user.key, kept(turn.name, NAME)
    wanted = who.lstrip("@").casefold()
    found = [
        (key, speaker.name or key)
        for key, speaker in turn.session.people.items()
        if wanted in (speaker.name.casefold(), key.casefold(), speaker.user.id.casefold())
    ]
    key, name = found[0] if len(found) == 1 else ("", who.lstrip("@"))
    return key, kept(name, NAME)


def _note(turn: Turn, incident: Incident, command: Command) -> None:
    if not allowed(turn, incident):
        return
    turn.chronicle.add(incident.id, "note", text=command.text, user=_user(turn), name=turn.name)
    turn.reply(line_card(say("incident.noted", id=incident.id), turn.language, tone="muted"))


def _status(turn: Turn, incident: Incident, command: Command) -> None:
    turn.reply(incident_card(turn, incident))


def _export(turn: Turn, incident: Incident, command: Command) -> None:
    turn.reply(export_card(turn, incident))


def _list(turn: Turn) -> None:
    found = _visible(turn)
    if not found:
        which(turn, Command("list"))
        return
    turn.reply(list_card(turn, found, title=say("incident.listed", count=len(found))))


def meant(turn: Turn, command: Command) -> Incident | None:
    """The incident that is named, that of the thread, or the only one of the room that is not over."""
    known = turn.chronicle.known
    if command.id:
        return known.get(command.id)
    own = known.get(turn.session.incident)
    if own is not None:
        return own
    still = [incident for incident in _visible(turn) if not incident.resolved]
    return still[0] if len(still) == 1 else None


def which(turn: Turn, command: Command, *, also: tuple[Say, ...] = ()) -> None:
    """There is no such incident, or more than one that could be meant. `also` is said where there is none at all."""
    still = tuple(incident for incident in _visible(turn) if not incident.resolved)
    if command.id:
        unknown = say("incident.unknown", id=command.id[:40])
        turn.reply(line_card(unknown, turn.language, tone="muted"))
    elif len(still) > 1:
        turn.reply(list_card(turn, still, title=say("incident.which", count=len(still))))
    else:
        turn.reply(line_card(say("incident.none"), turn.language, *also, say("incident.none_how"), tone="muted"))


def allowed(turn: Turn, incident: Incident | None, *, also: tuple[Room, ...] = ()) -> bool:
    """Whether this person may change it: its commander, and whom the policy lets, in the rooms of `also` as well. Says
    no where not."""
    user = turn.user
    if user is None:
        return False
    if incident is not None and incident.commander == user.key and not also:
        return True
    entity = _subject(turn, incident)
    ruling = rights.judge(turn, action=ACTION, entity=entity, user=user, role="read", also=also)
    if ruling.allowed or ruling.problem is None:
        return ruling.allowed
    problem = ruling.problem
    if ruling.who and not (user.guest or user.foreign):
        problem = say("incident.refused", rule=ruling.rule + 1, who=", ".join(ruling.who))
    if incident is not None and incident.who_commands:
        problem = say("incident.may_not", name=incident.who_commands, why=turn.text(problem))
    requests.refuse(turn, problem, reason="policy", action=ACTION)
    return False


def _subject(turn: Turn, incident: Incident | None) -> Entity | None:
    """What the policy is asked about: the incident's own service, from whichever thread it is spoken of; that of the
    thread where it has none. None where it is not known any more: then every rule that may speak of it holds."""
    if incident is not None and incident.target:
        return turn.world.entity(incident.target)
    return turn.session.lock.entity if turn.session.lock else None


def _visible(turn: Turn) -> tuple[Incident, ...]:
    """Those that were read for this turn and that this person may see."""
    return tuple(one for one in turn.chronicle.known.values() if _kept_from(turn, one) is None)


def may_see(turn: Turn, incident: Incident, *, also: tuple[Room, ...] = ()) -> bool:
    """Whether this person may see it, in the rooms of `also` as well. Says no where not."""
    problem = _kept_from(turn, incident, also)
    if problem is not None:
        requests.refuse(turn, problem, reason="policy", action=ACTION, service=incident.target)
    return problem is None


def _kept_from(turn: Turn, incident: Incident, also: tuple[Room, ...] = ()) -> Say | None:
    """Why this person may not see it: its timeline tells of its service, which the policy may keep them from reading.
    Its commander always may, where they are."""
    user = turn.user
    if user is None or not incident.target or (incident.commander == user.key and not also):
        return None
    entity = _subject(turn, incident)
    return rights.judge(turn, action=READ, entity=entity, user=user, role="read", also=also).problem


def _bind_named(turn: Turn, meaning: Interpretation) -> None:
    """A declaration that names one service is about it, where the thread is about nothing yet."""
    named = {service.entity.key: service.entity for name in meaning.names for service in name.matches}
    if turn.session.lock is None and len(named) == 1:
        bind(turn, next(iter(named.values())))


def _already(turn: Turn, incident: Incident) -> None:
    now = say("incident.already", id=incident.id, status=f"incident.status.{incident.status}")
    turn.reply(incident_card(turn, incident, notes=(now,)))


def _now(incident: Incident, status: str) -> Say:
    return say("incident.now", id=incident.id, status=f"incident.status.{status}")


def _status_said(status: str) -> Say:
    return say("incident.entry.status", status=f"incident.status.{status}")


def enter(turn: Turn, incident: Incident, kind: Kind, said: Say) -> None:
    """An entry of the timeline, by whoever this turn is about. The thread belongs to the incident from now on, unless
    it has one."""
    turn.chronicle.add(incident.id, kind, said=said, user=_user(turn), name=turn.name)
    if not turn.session.incident:
        turn.set(incident=incident.id)


def _user(turn: Turn) -> str:
    return turn.user.key if turn.user else ""


def _show(turn: Turn, id: str, told: Say, *, anew: bool = False) -> None:
    """The incident as it is after this turn, and what has just been done to it. Alerts tell of it on one card, unless
    it is to be seen `anew`."""
    card = incident_card(turn, turn.chronicle.known[id], notes=(told,))
    known = turn.session.incident_card if turn.user is None else ""
    if known and not anew:
        turn.draw(known, card)
        return
    shown = turn.reply(card)
    if turn.user is None:
        turn.set(incident_card=shown)


def record(turn: Turn, incident: Incident, what: str, *, text: str = "", **parameters: str) -> None:
    lock = turn.session.lock
    turn.record(
        "decision",
        reason=f"incident {what}",
        service=lock.entity.key if lock else incident.target,
        action=ACTION,
        parameters={"incident": incident.id, **parameters},
        text=text,
    )


Handler = Callable[[Turn, Incident, Command], None]

_HANDLERS: Final[dict[Verb, Handler]] = {
    "status": _status,
    "note": _note,
    "severity": _grade,
    "command": _command,
    "mitigated": _mitigated,
    "over": _status,
    "resolve": _resolve,
    "reopen": _reopened,
    "export": _export,
}
"""What is done to an incident that is known; `declare` and `list` need none."""

_WITHOUT: Final = frozenset({"declare", "list"})

_PRESSED: Final[dict[str, Verb]] = {
    "": "status",
    "declare": "status",
    "status": "status",
    "mitigated": "mitigated",
    "resolve": "resolve",
    "command": "command",
}
"""What the buttons of an incident do, by what stands behind the colon."""
