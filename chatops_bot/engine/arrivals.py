"""What the store must know of an event: rules R1 to R9 need only what stands here."""

from __future__ import annotations

import hashlib

import msgspec

from chatops_bot.domain import events, names, routing
from chatops_bot.domain.effects import Enlist
from chatops_bot.domain.events import AlertGroup, Click, Enlisted, Left, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incident_words import Command, command_of
from chatops_bot.domain.intents import Interpretation, Route, State, Utterance
from chatops_bot.domain.object_names import named_in
from chatops_bot.domain.routing import Heard, Verdict
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.interpreter import Rules
from chatops_bot.ports.store import Arrival

COURTESY_MARK = "h"
"""First letter of the id of a thread that would be opened for one courteous line only (R8)."""


class Arrivals:
    """Makes arrivals of events, with the catalog, the rules and the rooms as they are now. The same event gives
    the same arrival id, on every delivery and when it is routed anew."""

    def __init__(self, *, rules: Rules, snapshot: Snapshot) -> None:
        self._rules = rules
        self._snapshot = snapshot

    def of(self, event: Message | Click | AlertGroup) -> Arrival:
        """What the store must know of it."""
        match event:
            case Message():
                return at_home(self._of_message(event), event)
            case Click():
                return at_home(click_arrival(event), event)
            case AlertGroup():
                return alert_arrival(event)

    def anew(self, event: Message | Click | AlertGroup) -> Arrival:
        """The same for what found its thread ended, and moves on."""
        return alert_arrival(event, anew=True) if isinstance(event, AlertGroup) else self.of(event)

    def _of_message(self, event: Message) -> Arrival:
        listen = self._snapshot.listen(event.room)
        addressed = event.addressed or event.direct
        if not addressed and listen == "mentions":
            heard = Heard(addressed=False, listen=listen)
            return message_arrival(event, heard, (), "")
        command = _about_an_incident(event.text)
        if command is not None and command.verb != "declare":
            # About an incident: services are only spoken of in it.
            request = addressed or command.sure
            return message_arrival(event, Heard(addressed=addressed, request=request, listen=listen), (), "")
        world = self._snapshot.world
        found = self._snapshot.names_in(event.text, world)
        named = bool(found.names)
        request = command is not None or self._requests(event.text, found, addressed)
        keys = tuple(service.entity.key for name in found.names for service in name.matches)
        about = named_in(event.text) if addressed and not keys else None
        if about is not None:
            # What is in no catalog, and yet another thing than what a thread is about.
            heard = Heard(addressed=addressed, named=True, request=True, listen=listen)
            return message_arrival(event, heard, (about.key,), "")
        heard = Heard(addressed=addressed, named=named, request=request, listen=listen)
        lock = keys[0] if len(keys) == 1 else ""
        return message_arrival(event, heard, keys, lock)

    def read(self, arrival: Arrival, event: Message | Click | AlertGroup) -> Arrival:
        """The same arrival, with what it leaves: read only where the store must know (R6)."""
        if arrival.leaves is not None or not isinstance(event, Message):
            return arrival
        found = self._snapshot.names_in(event.text, self._snapshot.world)
        leaves = self._rules.leaves(_heard(event.text, found))
        left = events.encode(Left(user=event.user, text=event.text[:300])) if leaves else b""
        return msgspec.structs.replace(arrival, leaves=leaves, left=left)

    def intents(self, utterance: Utterance) -> tuple[str, ...]:
        """What the rules find asked for in it, whoever interprets it."""
        return tuple(request.intent for request in self._rules.interpret(utterance).requests if request.intent)

    def _requests(self, text: str, found: names.Found, addressed: bool) -> bool:
        """Whether it asks the bot something, as far as routing cares: beside a name, that is read at its turn."""
        if addressed:
            return bool(found.names) or _is_request(self._rules.interpret(_heard(text, found)))
        return self._rules.carries_request(_heard(text, found))


def _about_an_incident(text: str) -> Command | None:
    """The command that a message surely is, or may be without naming anything: "connect it to order-db" is about a
    service unless it turns out, at its turn, that order-db is a room."""
    command = command_of(text)
    doubtful = command is not None and command.verb in ("link", "unlink") and not command.sure
    return None if doubtful else command


def _heard(text: str, found: names.Found) -> Utterance:
    return Utterance(text=text, state=State.IDLE, names=found.names, dismissed=found.dismissed)


def _is_request(meaning: Interpretation) -> bool:
    return bool(meaning.requests) or meaning.route in (Route.HELP, Route.HAND_OFF)


def thread_id(event_id: str) -> str:
    """The id of the thread that an event would open: the same on every delivery."""
    return hashlib.blake2b(event_id.encode(), digest_size=9).hexdigest()


def message_arrival(event: Message, heard: Heard, keys: tuple[str, ...], lock: str) -> Arrival:
    """A message on its way in (R2 to R9)."""
    verdicts = routing.for_message(heard)
    mark = COURTESY_MARK if verdicts.none is Verdict.COURTESY and not event.answers else "t"
    event = msgspec.structs.replace(event, heard=heard)
    return Arrival(
        room=event.room,
        id=event.id,
        event=events.encode(event),
        verdicts=verdicts,
        new=mark + thread_id(event.id),
        user=event.user.key,
        cards=event.answers,
        names=keys,
        lock=lock,
        leaves=None if keys else False,
    )


def click_arrival(event: Click) -> Arrival:
    """A click on its way in (R1, R3)."""
    if routing.opens_own(event.button):
        return _opening(event)
    return Arrival(
        room=event.room,
        id=event.id,
        event=events.encode(event),
        verdicts=routing.for_click(event.button),
        new="t" + thread_id(event.id),
        user=event.user.key,
        thread=event.thread,
        cards=(event.card,) if event.card else (),
        urgent=True,
    )


def _opening(event: Click) -> Arrival:
    """The same person comes back to the same thread by the same row of the same card."""
    about = event.value.rpartition(" ")[2][:400]
    key = f"open:{event.user.key}:{event.card}:{about}"
    return Arrival(
        room=event.room,
        id=event.id,
        event=events.encode(event),
        verdicts=routing.for_opening(),
        new="t" + thread_id(event.id),
        user=event.user.key,
        cards=(key,),
        bind=(key,),
        names=(about,),
        lock=about,
        urgent=True,
    )


def at_home(arrival: Arrival, event: Message | Click) -> Arrival:
    """The arrival in the room where the card is at home that the event is about: as one of nobody's, since there its
    author may have a thread that has nothing to do with it, and under an id that only it has."""
    if event.linked is None:
        return arrival
    return msgspec.structs.replace(
        arrival,
        room=event.linked.home,
        id=entry_of(event.room, event.id),
        user="",
        cards=(event.linked.card,) if event.linked.card else (),
        leaves=False,
        left=b"",
    )


def entry_of(room: Room, event_id: str) -> str:
    """What an event of this room is called in another one's thread."""
    return f"{room.key}/{event_id}"


def alert_arrival(group: AlertGroup, *, anew: bool = False) -> Arrival:
    """An alert group on its way in, or on its way from a card that is no longer its own."""
    key = f"alert:{group.group}"
    fires = not group.elsewhere and any(alert.firing for alert in group.alerts)
    return Arrival(
        room=group.room,
        id=group.id,
        event=events.encode(group),
        verdicts=routing.for_alert(firing=fires, anew=anew),
        new="t" + thread_id(group.id),
        cards=(key,),
        bind=(key,),
        names=(group.service,) if group.service else (),
        lock=group.service,
        urgent=True,
    )


def enlisting(effect: Enlist) -> Arrival:
    """A subscriber on the way to the thread in which alerts or a rollout are followed, ended or not."""
    id_ = f"enlist:{effect.id}"
    return Arrival(
        room=effect.room,
        id=id_,
        event=events.encode(Enlisted(effect.subscriber, effect.stop)),
        verdicts=routing.for_subscriber(),
        new="t" + thread_id(id_),
        thread=effect.to,
        cards=(effect.card,) if effect.card else (),
        urgent=True,
    )
