"""Decide: `(session, event, interpretation, now) -> (session', effects)`. Pure: no clock, no I/O, no chance.

The same input always gives the same result, so any conversation can be replayed. `World` is what stands
beside the session: catalog, policy, settings, as immutable snapshots.
"""

from __future__ import annotations

import msgspec

from chatops_bot.domain.dialogue import (
    incidents,
    journal,
    keeping,
    linking,
    proposed,
    remembering,
    resuming,
    returning,
    rights,
    subscribing,
    walking,
)
from chatops_bot.domain.dialogue.alerts import begins_anew, on_alert
from chatops_bot.domain.dialogue.chronicle import Chronicle
from chatops_bot.domain.dialogue.clicks import on_click
from chatops_bot.domain.dialogue.lock import bind_reopened
from chatops_bot.domain.dialogue.messages import on_message
from chatops_bot.domain.dialogue.parking import park, park_plans
from chatops_bot.domain.dialogue.requests import drop_all, prompt_newest, refuse
from chatops_bot.domain.dialogue.results import on_result
from chatops_bot.domain.dialogue.switch import command_of, on_command, on_switched
from chatops_bot.domain.dialogue.timers import on_timer
from chatops_bot.domain.dialogue.turn import Decision, Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.events import (
    AlertGroup,
    Click,
    Enlisted,
    Event,
    Executed,
    Followed,
    Judged,
    Left,
    Lost,
    Message,
    Prepared,
    Queried,
    Switched,
    Timer,
)
from chatops_bot.domain.incident_words import command_of as incident_command
from chatops_bot.domain.incidents import NAME, Incident, kept
from chatops_bot.domain.intents import Interpretation, Language, Route, State
from chatops_bot.domain.masking import mask
from chatops_bot.domain.routing import opens_own
from chatops_bot.domain.say import say
from chatops_bot.domain.session import COURTESY, Line, Public, Session, Speaker, Summary
from chatops_bot.domain.world import World


def decide(
    session: Session,
    event: Event,
    meaning: Interpretation | None,
    *,
    event_id: str,
    sequence: int,
    now: int,
    world: World,
    beside: Public | Summary | None = None,
    via_card: bool = False,
    seen: bool = True,
    courtesy: bool = False,
    known: tuple[Incident, ...] = (),
    number: int = 0,
    earlier: tuple[Summary, ...] = (),
) -> Decision:
    """What one event of a thread does.

    `meaning` is the interpretation of a message; None when it was given up after too many attempts.
    `sequence` counts the events of the thread, `now` is ms of the store's clock. `beside` is what intake
    put beside the first event of a new thread. `via_card`: routed by the card that it answers. `seen`: the
    plan that waits was on the screen before a message came in. `courtesy`: the thread is opened for one line only.
    `known` are incidents that it may be about, `number` that of one which it may declare. `earlier` are conversations
    of this room about the service that the thread is bound to by this event, the latest first.
    """
    if session.archived and moves_on(session, event, now):
        return Decision(session=session, move=True)
    language = language_for(session, event, meaning)
    turn = Turn(session=session, event_id=event_id, sequence=sequence, now=now, world=world, language=language)
    turn.chronicle = Chronicle(event_id=event_id, sequence=sequence, now=now, known=known, number=number)
    turn.via_card = via_card
    turn.seen = seen
    turn.set(sequence=sequence)
    if meaning is not None:
        turn.model, turn.tokens = meaning.model, meaning.tokens
    if beside is not None:
        _open(turn, event, beside)
    if isinstance(event, Message | Click):
        if event.room not in (session.room, *rights.shown_in(turn)):
            return linking.refused(turn, event)
        turn.root, turn.room = event.root, event.room
    if isinstance(event, Message):
        if not meant(turn, event, meaning):
            ignored = turn.decision()
            return msgspec.structs.replace(ignored, ignored=True)
        returning.welcome(turn, event.user, earlier)
        _message(turn, event, meaning)
    elif isinstance(event, Click):
        returning.welcome(turn, event.user, earlier)
        _click(turn, event)
    else:
        _internal(turn, event)
    resuming.next_up(turn)
    proposed.mark(turn, session, meaning)
    journal.write(turn, event, session)
    prompt_newest(turn)
    subscribing.tell(turn, event, session)
    if courtesy:
        turn.archive(Summary(thread=session.thread, at=now, outcome=COURTESY))
    remembering.note(turn, event, session)
    remembering.answered(turn)
    turn.session = keeping.kept(turn.session)
    decision = turn.decision()
    told_before = isinstance(event, AlertGroup) and not decision.cards
    return msgspec.structs.replace(decision, ignored=told_before)


def moves_on(session: Session, event: Event, now: int) -> bool:
    """Whether what came in for a session that has ended is none of its business any more."""
    if isinstance(event, Click):
        return opens_own(event.button)
    return isinstance(event, Message) or (isinstance(event, AlertGroup) and begins_anew(session, event, now))


def language_for(session: Session, event: Event, meaning: Interpretation | None) -> Language:
    """Of the utterance; where that has no words of its own ("5", "order-db", "👌"), the asker's earlier one."""
    if not isinstance(event, Message) or meaning is None:
        return session.language
    text = event.text
    for name in meaning.names:
        text = text.replace(name.text, " ")
    if any(character.isalpha() for character in text):
        return meaning.language
    speaker = session.people.get(event.user.key)
    if speaker is not None:
        return speaker.language
    return session.language if session.used or meaning.language == "en" else meaning.language


def meant(turn: Turn, event: Message, meaning: Interpretation | None) -> bool:
    """Whether a message that was stored is for the bot (R5, R6, R9).

    Judged here once more, with the session as it is at its turn: what was appended only because the thread
    was busy may turn out to be chatter.
    """
    heard = event.heard
    if turn.via_card or event.addressed or event.direct:
        return True
    if heard is not None and heard.listen == "all" and heard.request:
        return True
    if walking.answered(turn.session, event, turn.world):
        return True
    flow = turn.session.flow
    if flow is None or flow.asked is None or flow.asked.user != event.user.key or meaning is None:
        return False
    change = meaning.requests[0] if meaning.requests else None
    return meaning.route is Route.PROVIDE and change is not None and bool(change.slots or change.name)


def _message(turn: Turn, event: Message, meaning: Interpretation | None) -> None:
    before = turn.session.people.get(event.user.key)
    turn.user, turn.name = event.user, kept(event.name, NAME) or (before.name if before else "")
    turn.set(touched=turn.now, language=turn.language)
    if meaning is None:
        turn.route = "uninterpreted"
        turn.record("decision", reason="uninterpreted", text=event.text[:200])
        turn.reply(line_card(say("answer.uninterpreted"), turn.language, tone="danger"))
    elif not _may_talk(turn):
        pass
    elif (command := command_of(event.text)) is not None:
        on_command(turn, event, *command)
    elif not _of_incident(turn, event, meaning) and not walking.on_words(turn, event):
        on_message(turn, event, meaning)
    key = event.user.key
    _remember(turn, key, Line(turn.name or key, mask(event.text[:2000]), turn.now, key=key))


def _of_incident(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Whether the whole message was a command about an incident, which wins over whatever it may mean else."""
    command = incident_command(event.text)
    if command is not None and command.verb in linking.VERBS:
        return linking.on_command(turn, event, command)
    return command is not None and incidents.on_command(turn, event, command, meaning)


def _click(turn: Turn, event: Click) -> None:
    speaker = turn.session.people.get(event.user.key)
    turn.user, turn.name = event.user, kept(event.name, NAME) or (speaker.name if speaker else "")
    turn.language = speaker.language if speaker else turn.session.language
    turn.pressed = event.card
    turn.set(touched=turn.now)
    people = turn.session.people
    if speaker is None or speaker.name != turn.name:
        spoke = speaker.spoke if speaker else 0
        turn.set(people={**people, event.user.key: Speaker(event.user, turn.language, spoke, turn.name)})
    if _may_talk(turn):
        on_click(turn, event)


def _may_talk(turn: Turn) -> bool:
    """Guests and people of other organisations may do nothing unless a rule names them."""
    user = turn.user
    if user is None:
        return False
    lock = turn.session.lock
    if lock is None:
        ruling = rights.may_talk(turn, user)
    else:
        ruling = rights.judge(turn, action="read", entity=lock.entity, user=user, role="read")
    if not ruling.allowed and ruling.problem is not None:
        refuse(turn, ruling.problem, reason="policy")
    return ruling.allowed


def _remember(turn: Turn, key: str, line: Line) -> None:
    """The speaker as of this message, and the window."""
    people = turn.session.people
    if turn.user is not None:
        speaker = Speaker(turn.user, turn.language, turn.sequence, turn.name)
        turn.set(people={**people, key: speaker})
    remembering.hear(turn, line)


def _internal(turn: Turn, event: Event) -> None:
    match event:
        case Timer():
            on_timer(turn)
        case Left():
            _left(turn, event)
        case Queried() | Prepared() | Judged() | Executed() | Lost() | Followed():
            on_result(turn, event)
        case Switched():
            on_switched(turn, event)
        case Enlisted():
            subscribing.enlisted(turn, event)
        case AlertGroup():
            turn.set(touched=turn.now)
            on_alert(turn, event)


def _left(turn: Turn, event: Left) -> None:
    """Its user went on with another service and said so: plans void, slots parked."""
    turn.user = event.user
    if turn.session.state not in (State.COLLECTING, State.CONFIRMING, State.APPROVING):
        return
    flow = turn.session.flow
    if flow is not None:
        park(turn, flow)
        turn.set(flow=None)
    resuming.call_off(turn)
    park_plans(turn)
    drop_all(turn, "left", say("plan.left"))


def _open(turn: Turn, event: Event, beside: Public | Summary) -> None:
    """A thread that continues another: whence its user came, or what its card was about."""
    if isinstance(beside, Public):
        turn.came_from = beside.entity
        return
    incident = incidents.taken_over(turn, beside.incident)
    turn.set(incident=incident, group=beside.group, mirrors=beside.mirrors if incident else ())
    subscribing.taken_over(turn, beside)
    if isinstance(event, AlertGroup):
        turn.opened_from = beside
        return
    if not isinstance(event, Message):
        turn.language = beside.language
        turn.set(language=beside.language)
    if isinstance(event, Message | Click):
        returning.recall(turn, event.user, beside)
    turn.set(done=beside.done, walk=walking.taken_over(beside.walk))
    resuming.taken_over(turn, beside)
    entity = turn.world.entity(beside.entity.key) if beside.entity else None
    if entity is not None:
        bind_reopened(turn, entity)
