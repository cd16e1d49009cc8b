"""What a person's words do: one handler per route, chosen by the table `HANDLERS`."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from chatops_bot.domain.dialogue import (
    approving,
    by_name,
    correcting,
    feedback,
    handing,
    handing_words,
    looking_back,
    overview,
    parking,
    permitted,
    requests,
    resuming,
    silencing,
    undoing,
)
from chatops_bot.domain.dialogue.answers import chat, help_
from chatops_bot.domain.dialogue.changes import modify, provide
from chatops_bot.domain.dialogue.confirming import confirm
from chatops_bot.domain.dialogue.starting import act_or_query
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import ROUTES, Interpretation, Route, State
from chatops_bot.domain.say import say


def on_message(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """Route the utterance as the state allows, whatever the interpreter says."""
    if approving.reason_given(turn, event, meaning) or approving.rejected_by_words(turn, event):
        return
    if approving.decided_by_words(turn, event, meaning) or undoing.asked_by_words(turn, event, meaning):
        return
    if silencing.asked(turn, event, meaning):
        return
    if by_name.asked(turn, event, meaning) or handing.named(turn, event, meaning):
        return
    state = turn.session.state
    if resuming.by_words(turn, event, meaning):
        return
    if meaning.route is not Route.HAND_OFF and correcting.corrected(turn, event, meaning):
        return
    meaning = parking.taken_up(turn, event.text, meaning)
    route = admissible(state, true_route(meaning))
    route = _in_their_words(event, state, route)
    turn.route = route.value
    turn.intents = tuple(request.intent for request in meaning.requests if request.intent)
    feedback.goes_on(turn, route)
    HANDLERS[route](turn, event, meaning)


def _in_their_words(event: Message, state: State, route: Route) -> Route:
    """A hand-off begins and ends by what its author says, whatever an interpreter makes of it: not by what they quote,
    nor by what people say to each other below its card."""
    if route is Route.HAND_OFF and not handing_words.asked_for(event.text):
        return admissible(state, Route.CHAT)
    to_bot = event.addressed or event.direct
    ends = state is State.HANDED_OFF and route in (Route.RESUME, Route.CANCEL)
    return Route.NOTE if ends and not handing_words.calls_back(event.text, to_bot=to_bot) else route


def true_route(meaning: Interpretation) -> Route:
    """An order is an order, whatever it was called: `query` never leads to a plan, `act` always asks for one."""
    if meaning.other and meaning.route in (Route.CHAT, Route.UNCLEAR):
        return Route.MODIFY
    dangerous = any(request.dangerous for request in meaning.requests)
    if meaning.route is Route.QUERY and dangerous:
        return Route.ACT
    return Route.QUERY if meaning.route is Route.ACT and meaning.requests and not dangerous else meaning.route


def admissible(state: State, route: Route) -> Route:
    """The route if the state offers it, else the harmless one that it does offer."""
    offered = ROUTES[state]
    if route in offered:
        return route
    for instead in (_INSTEAD.get(route), Route.UNCLEAR, Route.CHAT, Route.NOTE, Route.ASK):
        if instead is not None and instead in offered:
            return instead
    raise ValueError(f"state {state} offers no route for words")


_INSTEAD = {Route.QUERY: Route.ASK, Route.ACT: Route.SWITCH, Route.REFRESH: Route.ASK}
"""What comes nearest where a route is not offered: a query is a question, an order in a flow a switch."""


def _ask(turn: Turn, event: Message, meaning: Interpretation) -> None:
    about_plan = [request for request in meaning.requests if request.intent == "plan"]
    reads = tuple(r for r in meaning.requests if r.intent not in ("", "plan") and not r.dangerous)
    if questions := permitted.asked(meaning):
        permitted.answer(turn, event, questions)
    elif any(request.intent == Route.HELP for request in meaning.requests):
        help_(turn, event, meaning)
    elif reads:
        act_or_query(turn, event, msgspec.structs.replace(meaning, requests=reads))
    elif correcting.asked_again(turn, meaning):
        return
    elif about_plan and requests.waiting(turn):
        requests.show_again(turn, say("answer.plan_is"))
    elif turn.session.state is State.EXECUTING:
        _explain_executing(turn)
    else:
        turn.reply(line_card(say("answer.cannot"), turn.language, tone="muted"))
        requests.repeat_prompt(turn)


def _switch(turn: Turn, event: Message, meaning: Interpretation) -> None:
    flow = turn.session.flow
    if flow is not None:
        turn.set(flow=None)
        parking.put_aside(turn, flow)
    resuming.call_off(turn)
    parking.park_plans(turn, parking.put_aside)
    requests.drop_all(turn, "left", say("plan.left"))
    if meaning.requests:
        act_or_query(turn, event, meaning)
    elif not turn.session.live and not turn.card(turn.answer_card):
        turn.reply(line_card(say("answer.cancelled"), turn.language, tone="muted"))


def _cancel(turn: Turn, event: Message, meaning: Interpretation) -> None:
    if turn.session.state is State.EXECUTING:
        _explain_executing(turn)
        return
    if turn.session.handed_off:
        handing.resumed(turn, event, meaning)
        return
    note = say("plan.cancelled", name=turn.name or turn.text(say("nobody")))
    named = requests.named(turn, meaning)
    if named and len(turn.session.pending) > 1:
        for pending in named:
            requests.drop(turn, pending, "cancelled", note, words=event.text)
        requests.show_again(turn, say("plan.others_wait"), in_place=True)
        return
    had_flow = turn.session.flow is not None
    turn.set(flow=None)
    dropped = requests.drop_all(turn, "cancelled", note, words=event.text)
    resuming.call_off(turn)
    resuming.closed(turn, say("answer.cancelled" if dropped or had_flow else "answer.nothing_to_cancel"))


def _explain_executing(turn: Turn) -> None:
    running = [pending for pending in turn.session.pending if pending.phase in ("executing", "judging")]
    pending = (running or list(turn.session.pending))[0]
    said = say("refuse.executing", action=f"action.{pending.action}", service=label(pending.entity))
    turn.reply(line_card(said, turn.language, tone="warn"))


def _unclear(turn: Turn, event: Message, meaning: Interpretation) -> None:
    phases = {pending.phase for pending in requests.waiting(turn)}
    note = say("plan.unclear_approving" if phases == {"approving"} else "plan.unclear")
    requests.show_again(turn, note, in_place=not (event.addressed or event.direct))


def _refresh(turn: Turn, event: Message, meaning: Interpretation) -> None:
    lock = turn.session.lock
    last = turn.session.last_query
    intent = last.intent if last is not None else "status"
    if last is not None and intent == overview.INTENT:
        overview.start(turn, last.slots, fresh=True)
        return
    if last is not None and looking_back.of_room(turn, last, None):
        looking_back.start(turn, last.slots)
        return
    if lock is None:
        chat(turn, event, meaning)
        return
    requests.start_query(turn, intent, lock.entity, last.slots if last is not None else {}, fresh=True)


Handler = Callable[[Turn, Message, Interpretation], None]

HANDLERS: dict[Route, Handler] = {
    Route.QUERY: act_or_query,
    Route.ACT: act_or_query,
    Route.ASK: _ask,
    Route.HAND_OFF: handing.asked,
    Route.HELP: help_,
    Route.CHAT: chat,
    Route.PROVIDE: provide,
    Route.MODIFY: modify,
    Route.CANCEL: _cancel,
    Route.SWITCH: _switch,
    Route.CONFIRM: confirm,
    Route.UNCLEAR: _unclear,
    Route.REFRESH: _refresh,
    Route.FEEDBACK: feedback.said,
    Route.DONE: feedback.said,
    Route.RESUME: handing.resumed,
    Route.NOTE: handing.note,
}
"""Every route has exactly one handler; which routes a state offers is `ROUTES`."""
