"""A pod, a Job or a CronJob by its name: looked for, and then what the thread is about.

A pod of a known service makes the thread that service's, with the pod first in its report. Anything else is only
looked at.
"""

from __future__ import annotations

from typing import Final

from chatops_bot.domain.dialogue import collecting, overview, requests
from chatops_bot.domain.dialogue.lock import Doubt, bind
from chatops_bot.domain.dialogue.starting import rebind
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card, progress_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Interpretation, Route, SlotValue, State
from chatops_bot.domain.object_names import ObjectName, named_in
from chatops_bot.domain.objects import listed
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Asking, Flow

INTENT: Final = "find"
_LOOKS: Final = frozenset({"status", "logs", "events", "resources"})
_STATES: Final = frozenset({State.IDLE, State.FOLLOW_UP})
_BOTH_WAYS: Final = frozenset({Route.HELP, Route.HAND_OFF, Route.CANCEL, Route.DONE, Route.FEEDBACK})
_LOG_SLOTS: Final = ("since", "tail", "previous", "grep", "container", "errors")


def asked(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Whether the utterance is about an object that it names, and about no service; then it is looked for."""
    if turn.session.state not in _STATES or meaning.route in _BOTH_WAYS or turn.user is None:
        return False
    if any(name.matches for name in meaning.names):
        return False
    found = named_in(event.text)
    if found is None:
        return False
    if any(request.dangerous for request in meaning.requests):
        return _order(turn, found)
    look = next((request for request in meaning.requests if request.intent in _LOOKS), None)
    intent = look.intent if look is not None else "status"
    turn.route, turn.intents = Route.QUERY.value, (intent,)
    slots: dict[str, SlotValue] = {"kind": found.kind, "name": found.name, "look": intent}
    if found.namespace:
        slots["namespace"] = found.namespace
    if look is not None:
        slots |= {name: value for name, value in look.slots.items() if name in (*_LOG_SLOTS, "cluster")}
    turn.record("request", action=INTENT, text=f"{found.kind} {found.name}"[:200])
    turn.set(used=True)
    title = say("find.working", kind=found.kind, name=found.name)
    card = turn.reply(progress_card(title, turn.language), awaits=True)
    overview.ask(turn, card, INTENT, slots)
    return True


def _order(turn: Turn, found: ObjectName) -> bool:
    """What runs and ends is not changed from here. What is to be done to a pod is the pod's own business."""
    if found.kind == "Pod":
        return False
    turn.route = Route.ACT.value
    requests.refuse(turn, say("find.action", kind=found.kind, name=found.name), reason="kind")
    return True


def on_found(turn: Turn, asking: Asking, report: Report) -> None:
    """One of that name is it; several are asked; none is said."""
    rows = [row.entity for row in report.rows]
    kind, name = str(report.slots.get("kind", "")), str(report.slots.get("name", ""))
    turn.answer_card = asking.card
    speaker = next((one for one in turn.session.people.values() if one.user.key == asking.user), None)
    turn.user, turn.name = (speaker.user, speaker.name) if speaker else (None, "")
    turn.root = turn.session.roots.get(asking.card, "")
    if not rows:
        _nothing(turn, asking, report, kind, name)
    elif len(rows) == 1 and turn.user is not None:
        _look(turn, asking, report, rows[0])
    elif turn.user is not None:
        _which(turn, asking, report, rows)


def _look(turn: Turn, asking: Asking, report: Report, entity: Entity) -> None:
    lock = turn.session.lock
    if lock is None:
        bind(turn, entity)
    elif lock.entity.key != entity.key:
        rebind(turn, entity)
    intent, slots = _question(report, entity)
    requests.start_query(turn, intent, entity, slots, fresh=True, again_on=asking.card)


def _question(report: Report, entity: Entity) -> tuple[str, dict[str, SlotValue]]:
    slots: dict[str, SlotValue] = {}
    slots |= {name: report.slots[name] for name in _LOG_SLOTS if name in report.slots}
    if report.slots.get("kind") == "Pod" and entity.kind != "Pod":
        slots["pod"] = str(report.slots.get("name", ""))
    return str(report.slots.get("look", "status")), slots


def _which(turn: Turn, asking: Asking, report: Report, entities: list[Entity]) -> None:
    user = turn.user
    if user is None:
        return
    intent, slots = _question(report, entities[0])
    question = say("find.several", kind=str(report.slots.get("kind")), name=str(report.slots.get("name")))
    flow = Flow(intent=intent, requester=user, slots=slots)
    collecting.ask_service(turn, flow, Doubt(question, tuple(entities)), on=asking.card)


def _nothing(turn: Turn, asking: Asking, report: Report, kind: str, name: str) -> None:
    space = str(report.slots.get("namespace", ""))
    if report.unread:
        title = say("find.none_as_far", kind=kind, name=name)
    elif space:
        title = say("find.none_in", kind=kind, name=name, namespace=space)
    else:
        title = say("find.none", kind=kind, name=name)
    lines: list[Say] = list(report.unread)
    closest = turn.world.catalog.closest(name)
    if closest:
        lines.append(say("find.closest", names=listed(service.entity.name for service in closest)))
    turn.draw(asking.card, line_card(title, turn.language, *lines, tone="warn"))
