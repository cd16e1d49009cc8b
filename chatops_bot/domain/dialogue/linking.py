"""An incident's thread shown in a second room: linked and unlinked by words.

From the link on, every card of the thread is drawn in both rooms, and what is answered or pressed in either belongs to
it. What people say in the other room beside these cards does not.
"""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain import mirrors
from chatops_bot.domain.cards import Note
from chatops_bot.domain.dialogue import alerts, incidents, requests
from chatops_bot.domain.dialogue.incident_cards import incident_card
from chatops_bot.domain.dialogue.known import may_see_logs
from chatops_bot.domain.dialogue.turn import Decision, Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incident_words import Command
from chatops_bot.domain.incidents import Incident
from chatops_bot.domain.mirrors import Mirror
from chatops_bot.domain.say import Say, say

VERBS: Final = frozenset({"link", "unlink"})

_NAMED: Final = 8
"""Rooms that are named where none of them was."""


def on_command(turn: Turn, event: Message, command: Command) -> bool:
    """Link or unlink as the words say. False where they may be about something else: people say to each other, too,
    that something is to be passed on to some room."""
    incident = incidents.meant(turn, command)
    links = _links(turn, command)
    target = mirrors.find(links, command.text) if command.text else None
    asked = links and (event.addressed or event.direct)
    unclear = incident is None or (target is None and not asked)
    if unclear and not command.sure:
        return False
    turn.route, turn.intents = incidents.ROUTE, (incidents.ACTION,)
    turn.set(used=True)
    if incident is None:
        incidents.which(turn, command)
    elif not incidents.may_see(turn, incident):
        pass
    elif turn.session.incident not in ("", incident.id):
        _refuse(turn, say("link.own_thread", id=incident.id))
    elif command.text and target is None:
        _unknown(turn, command, tuple(links))
    elif command.verb == "unlink":
        _unlink(turn, incident, target[1] if target else None)
    elif target is not None:
        _link(turn, incident, *target)
    return True


def refused(turn: Turn, event: Message | Click) -> Decision:
    """Something from a room that this thread is not shown in, or not any more. Whoever meant the bot is told."""
    turn.room, turn.root = event.room, event.root
    turn.record("refusal", user=event.user.key, reason="foreign room", text=event.room.key)
    meant = isinstance(event, Click) or event.addressed or event.direct
    if event.linked is None or not meant:
        return msgspec.structs.replace(turn.decision(), ignored=True)
    speaker = turn.session.people.get(event.user.key)
    language = speaker.language if speaker else turn.language
    card = line_card(say("link.ended"), language, say("link.ended_how"), tone="muted")
    turn.elsewhere.tell(event.room, f"x{turn.sequence}", card, root=turn.root)
    return turn.decision()


def _links(turn: Turn, command: Command) -> dict[str, Room]:
    """The rooms that the words may name. What is linked can be unlinked, whatever the configuration says by now."""
    named = dict(turn.world.incidents.links)
    if command.verb == "unlink":
        named |= {mirror.name: mirror.room for mirror in turn.session.mirrors}
    return named


def _link(turn: Turn, incident: Incident, name: str, room: Room) -> None:
    session = turn.session
    if room == session.room:
        _refuse(turn, say("link.same", room=name))
        return
    if room.platform == session.room.platform and room.tenant != session.room.tenant:
        # The same id may be somebody else there.
        _refuse(turn, say("link.organisation", room=name))
        return
    if any(mirror.room == room for mirror in turn.elsewhere.rooms(turn.session)):
        turn.reply(incident_card(turn, incident, notes=(say("link.already", id=incident.id, room=name),)))
        return
    if len(turn.elsewhere.rooms(turn.session)) >= mirrors.MOST:
        _refuse(turn, say("link.most", count=mirrors.MOST))
        return
    # Its commander may change an incident; into another room it is brought by whom the rules of that room let.
    if not incidents.allowed(turn, incident, also=(room,)) or not incidents.may_see(turn, incident, also=(room,)):
        return
    by = turn.user.key if turn.user else ""
    kept = tuple(mirror for mirror in turn.elsewhere.rooms(turn.session) if mirror.room != room)
    turn.set(mirrors=(*kept, Mirror(room=room, name=name, by=by)))
    # The card of its alerts quotes what containers print.
    if session.alert is not None and turn.user is not None and may_see_logs(turn, session.alert.entity, turn.user):
        alerts.show(turn)
    for card, view in {live.card: live.view for live in session.live}.items():
        turn.draw(card, view)
    incidents.record(turn, incident, "linked", room=room.key)
    incidents.enter(turn, incident, "linked", say("incident.entry.linked", room=name))
    _show(turn, incident, say("link.done", id=incident.id, room=name, name=turn.name or by))


def _unlink(turn: Turn, incident: Incident, room: Room | None) -> None:
    """From one room, or from all of them."""
    gone = tuple(mirror for mirror in turn.session.mirrors if room in (None, mirror.room))
    if not gone:
        _refuse(turn, say("link.none", id=incident.id))
        return
    if not incidents.allowed(turn, incident):
        return
    turn.set(mirrors=tuple(mirror for mirror in turn.session.mirrors if mirror not in gone))
    names = ", ".join(mirror.name for mirror in gone)
    for mirror in gone:
        _leave(turn, mirror.room)
    incidents.record(turn, incident, "unlinked", room=", ".join(mirror.room.key for mirror in gone))
    incidents.enter(turn, incident, "unlinked", say("incident.entry.unlinked", room=names))
    who = turn.name or (turn.user.key if turn.user else "")
    _show(turn, incident, say("link.undone", id=incident.id, room=names, name=who))


def _leave(turn: Turn, room: Room) -> None:
    """The room is told, and what waits there loses its buttons: it waits on where the thread is at home."""
    ended = say("link.ended")
    for live in turn.session.live:
        buttons = tuple(button for button in live.view.buttons if not button.token)
        blocks = (*live.view.blocks, Note(turn.text(ended)))
        view = msgspec.structs.replace(live.view, blocks=blocks, buttons=buttons, tone="muted", mention=())
        turn.elsewhere.draw(turn.session, room, live.card, view)
    card = line_card(ended, turn.language, say("link.ended_how"), tone="muted")
    turn.elsewhere.tell(room, f"x{turn.sequence}", card, root=turn.root if room == turn.room else "")


def _show(turn: Turn, incident: Incident, told: Say) -> None:
    turn.reply(incident_card(turn, turn.chronicle.known.get(incident.id, incident), notes=(told,)))


def _unknown(turn: Turn, command: Command, names: tuple[str, ...]) -> None:
    """No room that may be linked is called so; which ones may be."""
    named = ", ".join(sorted(names)[:_NAMED])
    how = say("link.known", rooms=named) if named else say("link.nowhere")
    title = say("link.unknown", room=command.text[:60])
    turn.record("refusal", reason="link", text=turn.text(title))
    turn.reply(line_card(title, turn.language, how, tone="warn"))


def _refuse(turn: Turn, problem: Say) -> None:
    requests.refuse(turn, problem, reason="link", action=incidents.ACTION)
