"""What was put aside or has to wait its turn, taken up: by its button, by words, or because what came first has ended.
Design section 5."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.dialogue import asking, collecting, parking, requests, walk_cards
from chatops_bot.domain.dialogue.changes import carry_on, go_on
from chatops_bot.domain.dialogue.lock import Doubt, resolve
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.intents import ACTIONS, Interpretation, Request, Route
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Flow, Summary


def by_words(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Take up the order that was put aside last, where the words ask for that and for nothing else."""
    kept = parking.wanted_back(turn, event.text, meaning)
    if kept is None:
        return False
    turn.route, turn.intents = Route.ACT.value, (kept.intent,)
    take_up(turn, kept.number)
    return True


def on_click(turn: Turn, event: Click, rest: str) -> None:
    """`take_up:N`: the order of that number, wherever its button stands."""
    number = int(rest) if rest.isascii() and rest.isdecimal() and len(rest) < 10 else 0
    if not take_up(turn, number):
        turn.record("refusal", reason="not at hand", action=event.button[:40])
        turn.reply(line_card(say("flow.not_at_hand"), turn.language, tone="warn"))
        requests.repeat_prompt(turn)


def take_up(turn: Turn, number: int) -> bool:
    """Go on with an order that was put aside, for whoever wants it now. False where it is no longer there."""
    user, kept = turn.user, parking.take_out(turn, number)
    if user is None or kept is None:
        return False
    turn.record("decision", reason="taken_up", service=kept.entity.key if kept.entity else "", action=kept.intent)
    asking.make_way(turn, kept)
    turn.first(say("resumed", intent=parking.called(kept), about=parking.about(kept)))
    carry_on(turn, msgspec.structs.replace(kept, requester=user), kept.entity)
    return True


def chosen(turn: Turn, event: Click, rest: str) -> bool:
    """A choice on a button of the question that is open, or of one that was put aside with its choices. False where it
    is of neither."""
    flow = _offering(turn, event, rest)
    if flow is None:
        return False
    if rest in flow.candidates:
        carry_on(turn, flow, turn.world.entity(flow.candidates[rest]))
    elif flow.asked is not None:
        value = asking.value_of(flow.asked.what[0], rest)
        go_on(turn, flow, Request(intent="", slots={flow.asked.what[0]: value}))
    return True


def _offering(turn: Turn, event: Click, rest: str) -> Flow | None:
    flow = turn.session.flow
    if flow is not None and asking.is_of(flow, event.value):
        return None if flow.asked is None or rest not in flow.asked.choices else flow
    offered = (one for one in turn.session.parked if one.asked is not None and rest in one.asked.choices)
    aside = next((one for one in offered if event.value and asking.is_of(one, event.value)), None)
    if turn.user is None or aside is None or parking.take_out(turn, aside.number) is None:
        return None
    asking.make_way(turn, aside)
    return msgspec.structs.replace(aside, requester=turn.user)


def next_up(turn: Turn) -> None:
    """Begin what waited, once nothing is asked any more. A change waits for the plan before it to be done or dropped,
    too: a question beside that would keep words from confirming it."""
    session = turn.session
    if not session.queued or session.flow is not None or session.archived or session.handed_off:
        return
    flow = session.queued[0]
    entity = flow.entity or _resolved(turn, flow)
    if session.pending and (flow.intent in ACTIONS or isinstance(entity, Doubt)):
        return
    turn.set(queued=session.queued[1:])
    present = turn.user, turn.name, turn.language
    _for_requester(turn, flow)
    turn.first(say("flow.next", intent=parking.called(flow), about=parking.about(flow)))
    bare = msgspec.structs.replace(flow, prompt=None, candidates={})
    if isinstance(entity, Doubt):
        collecting.ask_service(turn, bare, entity)
    else:
        collecting.start(turn, msgspec.structs.replace(bare, entity=entity))
    turn.user, turn.name, turn.language = present
    next_up(turn)


def _for_requester(turn: Turn, flow: Flow) -> None:
    """What begins by itself is for whoever asked for it, in their language; also where the thread has forgotten them,
    since nobody else's rights are theirs."""
    turn.user, turn.name = flow.requester, ""
    speaker = turn.session.people.get(flow.requester.key)
    if speaker is not None:
        turn.name, turn.language = speaker.name, speaker.language


def _resolved(turn: Turn, flow: Flow) -> Entity | Doubt:
    """What a request without a name is about now; one whose name was in doubt is asked for."""
    if flow.prompt is not None:
        known = tuple(e for key in flow.candidates.values() if (e := turn.world.entity(key)) is not None)
        return Doubt(flow.prompt, known)
    return resolve(turn, Request(intent=flow.intent), None)


def call_off(turn: Turn) -> None:
    """Nothing is begun any more that waited its turn; a change is put aside, so that it is not lost."""
    for flow in turn.session.queued:
        if flow.intent in ACTIONS:
            parking.put_aside(turn, flow)
    turn.set(queued=())


def closed(turn: Turn, said: Say) -> None:
    """Say that something has ended, and offer what was put aside for it."""
    card = line_card(said, turn.language, tone="muted")
    turn.reply(msgspec.structs.replace(card, buttons=parking.offers(turn)))


def offer(turn: Turn, card_id: str) -> None:
    """The same on the card that has just been closed, and how the runbook goes on of which it was a step."""
    card = turn.card(card_id)
    if card is None:
        return
    turn.draw(card_id, msgspec.structs.replace(card, buttons=(*card.buttons, *parking.offers(turn))))
    walked = walk_cards.prompt(turn) if turn.session.flow is None else None
    if walked is not None:
        requests.extend(turn, card_id, *walked)


def taken_over(turn: Turn, summary: Summary) -> None:
    """What had been put aside in the session that this one goes on with."""
    kept = parking.left_over(summary, turn.now)
    turn.set(parked=kept, flows=max((flow.number for flow in kept), default=0))
