"""Orders that were left: kept with what was said for them, and taken up again only when asked. Design section 5."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

import msgspec

from chatops_bot.domain.cards import Button
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.intents import ACTIONS, Interpretation, Quantity, Request, Route, State
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Flow, Summary

MOST_PARKED: Final = 3
"""Orders kept aside; the oldest goes first."""

KEPT_MS: Final = 24 * 3_600_000
"""An order that was put aside longer ago is asked for anew: nobody remembers what it was computed for."""

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


_EARLIER: Final = re.compile(r"\bback\b|回到|刚才|之前", re.IGNORECASE)
"""In the middle of another order "continue" may mean that one; these words do not."""


def park(turn: Turn, flow: Flow, *, asked: bool = False) -> Flow:
    """Keep an order aside, without the question it was at, unless that may still be answered by its buttons (`asked`).
    As it is kept."""
    kept = numbered(turn, flow)
    if not asked:
        kept = msgspec.structs.replace(kept, asked=None, prompt=None, candidates={}, notes=())
    kept = msgspec.structs.replace(kept, tries=0, parked_at=turn.now)
    begun(turn, kept)
    turn.set(parked=(*turn.session.parked, kept)[-MOST_PARKED:])
    return kept


def begun(turn: Turn, flow: Flow) -> None:
    """The same order is under way, or put aside anew: what was kept of it before is not offered beside."""
    for kept in turn.session.parked:
        if _same(kept, flow):
            turn.first(_noted(kept), stands=False)
    turn.set(parked=tuple(kept for kept in turn.session.parked if not _same(kept, flow)))


def put_aside(turn: Turn, flow: Flow) -> None:
    """Keep an order aside, and say so at the top of what is shown next."""
    park(turn, flow)
    turn.first(_noted(flow))


def _noted(flow: Flow) -> Say:
    return say("parked", intent=called(flow), about=about(flow))


def numbered(turn: Turn, flow: Flow) -> Flow:
    """The flow with a number of its own in this thread."""
    if flow.number:
        return flow
    turn.set(flows=turn.session.flows + 1)
    return msgspec.structs.replace(flow, number=turn.session.flows, utterance=flow.utterance or turn.event_id)


def called(flow: Flow) -> str:
    """The key of the words for what is wanted."""
    return f"{'action' if flow.intent in ACTIONS else 'intent'}.{flow.intent}"


def about(flow: Flow) -> str:
    """The name of what it is about, to stand behind what is wanted; dots where that is not known yet."""
    return f" {flow.entity.name if flow.entity is not None else '…'}"


def take_out(turn: Turn, number: int) -> Flow | None:
    """The order of that number, which is kept aside no longer; None also where it was put aside too long ago."""
    kept = next((flow for flow in _fresh(turn) if flow.number == number), None)
    turn.set(parked=tuple(flow for flow in turn.session.parked if flow.number != number))
    return kept


def take_up_button(turn: Turn, flow: Flow) -> Button:
    """Takes one order up again."""
    return Button(f"take_up:{flow.number}", turn.text(say("flow.take_up", what=called(flow), about=about(flow))))


def offers(turn: Turn) -> tuple[Button, ...]:
    """For the card of what has ended: the order that was put aside last, to be taken up again."""
    fresh = _fresh(turn)
    return (take_up_button(turn, fresh[-1]),) if fresh else ()


def reminders(turn: Turn) -> tuple[Say, ...]:
    """Likewise in words, for an answer to what asked for nothing."""
    fresh = _fresh(turn)
    return (_noted(fresh[-1]),) if fresh else ()


def _fresh(turn: Turn) -> tuple[Flow, ...]:
    """What is kept aside and may still be taken up, however long the session lives."""
    return tuple(flow for flow in turn.session.parked if turn.now - flow.parked_at <= KEPT_MS)


def left_over(summary: Summary, now: int) -> tuple[Flow, ...]:
    """What had been put aside in a session that has ended, for the one that goes on with its card."""
    return tuple(flow for flow in summary.parked if now - flow.parked_at <= KEPT_MS)


def park_plans(turn: Turn, keep: Callable[[Turn, Flow], object] = park) -> None:
    """Keep what was said for every plan that was not begun, by `park` or by `put_aside`; the plans themselves are
    void."""
    for pending in turn.session.pending:
        if pending.phase in ("preparing", "shown", "approving"):
            slots = pending.slots
            keep(turn, Flow(intent=pending.action, requester=pending.requester, slots=slots, entity=pending.entity))


def wanted_back(turn: Turn, text: str, meaning: Interpretation) -> Flow | None:
    """The order that words without a request of their own ask for again: the one that was put aside last."""
    session, parked = turn.session, _fresh(turn)
    if not parked or meaning.requests or not asks_back(text):
        return None
    if session.state is State.COLLECTING and not _EARLIER.search(text):
        return None
    return parked[-1] if session.state in (State.IDLE, State.FOLLOW_UP, State.COLLECTING) else None


def may_be_meant(turn: Turn, text: str) -> bool:
    """Whether a word like "continue" may be meant of what was put aside, and not of the plan."""
    return bool(turn.session.parked) and asks_back(re.sub(r"^(?:请|please,? )", "", text.strip(), flags=re.IGNORECASE))


def asks_back(text: str) -> bool:
    """Whether words as a whole ask for what was put aside."""
    return _WHOLE.fullmatch(text.strip(" .!。！")) is not None


def taken_up(turn: Turn, text: str, meaning: Interpretation) -> Interpretation:
    """The meaning with what had been said for the parked order that these words ask for again by its name; unchanged
    where they ask for none."""
    if not turn.session.parked:
        return meaning
    if not _BACK.search(text) or meaning.route not in (Route.ACT, Route.SWITCH):
        return meaning
    return msgspec.structs.replace(meaning, requests=tuple(_with_parked(turn, each) for each in meaning.requests))


def last_number(turn: Turn, flow: Flow) -> str:
    """The number of replicas that the same order had when it was left, as its button says it; else ""."""
    for kept in reversed(turn.session.parked):
        value = kept.slots.get("replicas")
        if _same(kept, flow) and isinstance(value, Quantity) and value.kind in ("to", "by"):
            return f"{value.value:+g}" if value.kind == "by" else f"{value.value:g}"
    return ""


def _with_parked(turn: Turn, request: Request) -> Request:
    parked = _fresh(turn)
    kept = next((flow for flow in reversed(parked) if flow.intent == request.intent and _about(flow, request)), None)
    if kept is None:
        return request
    take_out(turn, kept.number)
    turn.first(say("resumed", intent=called(kept), about=about(kept)))
    return msgspec.structs.replace(request, slots={**kept.slots, **request.slots})


def _about(flow: Flow, request: Request) -> bool:
    named = request.name
    if named is None or flow.entity is None:
        return True
    return len(named.matches) == 1 and named.matches[0].entity.key == flow.entity.key


def _same(kept: Flow, flow: Flow) -> bool:
    """Whether it is the same order of the same entity."""
    if kept.number == flow.number or kept.entity is None or flow.entity is None:
        return kept.number == flow.number
    return (kept.intent, kept.entity.key) == (flow.intent, flow.entity.key)
