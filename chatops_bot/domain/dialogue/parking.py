"""Orders that were left: kept with what was said for them, and taken up again only when asked. Design section 5."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.intents import ACTIONS, Interpretation, Quantity, Request, Route, State
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Flow

MOST_PARKED: Final = 3
"""Orders kept aside; the oldest goes first."""

_BACK: Final = re.compile(
    r"\b(?:(?:go|get|come|went|going) back to|back to|resume|continue|carry on|pick up|after all|as before|"
    r"where (?:we|i) (?:were|was|left off))\b|继续|接着|回到|回头|恢复刚才|刚才那个|刚才的|之前的|还是",
    re.IGNORECASE,
)
_WHOLE: Final = re.compile(
    r"(?:ok(?:ay)?[, ]+)?(?:(?:let's |please )?(?:(?:go )?back to (?:it|that)|continue(?: with (?:it|that))?|"
    r"carry on(?: with (?:it|that))?|resume(?: it| that)?))(?: please)?|"
    r"(?:好的?[,，]?)?(?:继续|接着(?:来|做)?|回到(?:刚才|之前)(?:的|那个)?|(?:继续|接着)?刚才(?:的|那个))吧?",
    re.IGNORECASE,
)


def park(turn: Turn, flow: Flow) -> None:
    """Keep an order aside, without the question it was at."""
    kept = msgspec.structs.replace(flow, asked=None, prompt=None, candidates={})
    turn.set(parked=(*turn.session.parked, kept)[-MOST_PARKED:])


def park_plans(turn: Turn) -> None:
    """Keep what was said for every plan that was not begun; the plans themselves are void."""
    for pending in turn.session.pending:
        if pending.phase in ("preparing", "shown", "approving"):
            slots = pending.slots
            park(turn, Flow(intent=pending.action, requester=pending.requester, slots=slots, entity=pending.entity))


def taken_up(turn: Turn, text: str, meaning: Interpretation) -> Interpretation:
    """The meaning with the parked order that these words ask for again; unchanged where they ask for none."""
    if not turn.session.parked:
        return meaning
    if (
        not meaning.requests
        and turn.session.state in (State.IDLE, State.FOLLOW_UP)
        and _WHOLE.fullmatch(text.strip(" .!。！"))
    ):
        request = Request(intent=turn.session.parked[-1].intent, pronoun=True)
        meaning = msgspec.structs.replace(meaning, route=Route.ACT, requests=(request,))
    elif not _BACK.search(text) or meaning.route not in (Route.ACT, Route.SWITCH):
        return meaning
    requests = tuple(_with_parked(turn, request) for request in meaning.requests)
    return msgspec.structs.replace(meaning, requests=requests)


def last_number(turn: Turn, flow: Flow) -> str:
    """The number of replicas that the same order had when it was left, as its button says it; else ""."""
    for kept in reversed(turn.session.parked):
        value = kept.slots.get("replicas")
        if _same(kept, flow.intent, flow) and isinstance(value, Quantity) and value.kind in ("to", "by"):
            return f"{value.value:+g}" if value.kind == "by" else f"{value.value:g}"
    return ""


def _with_parked(turn: Turn, request: Request) -> Request:
    parked = turn.session.parked
    kept = next((flow for flow in reversed(parked) if flow.intent == request.intent and _about(flow, request)), None)
    if kept is None:
        return request
    turn.set(parked=tuple(flow for flow in parked if flow is not kept))
    group = "action" if kept.intent in ACTIONS else "intent"
    turn.first(say("resumed", intent=f"{group}.{kept.intent}"))
    return msgspec.structs.replace(request, slots={**kept.slots, **request.slots})


def _about(flow: Flow, request: Request) -> bool:
    named = request.name
    if named is None or flow.entity is None:
        return True
    return len(named.matches) == 1 and named.matches[0].entity.key == flow.entity.key


def _same(kept: Flow, intent: str, flow: Flow) -> bool:
    return (
        kept.intent == intent
        and kept.entity is not None
        and flow.entity is not None
        and kept.entity.key == flow.entity.key
    )
