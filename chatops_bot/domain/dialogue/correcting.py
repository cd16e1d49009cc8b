"""A change of the last question or order while nothing waits, or of a question in the middle of a flow.

What is changed is begun anew, with all that was said before: as a question of its own, or as a new plan, whose
permission, lock and confirmation are judged as ever.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from chatops_bot.domain import standing
from chatops_bot.domain.dialogue import changes, collecting, looking_back, overview, requests, runbook_cards
from chatops_bot.domain.dialogue.lock import Doubt, resolve
from chatops_bot.domain.dialogue.starting import act_or_query
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Message
from chatops_bot.domain.flows import WHERE
from chatops_bot.domain.intents import Interpretation, Request, Route, SlotValue, Standing, State
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Flow

_PLACES = frozenset({*WHERE, "service"})


def corrected(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Whether the utterance changes what was asked or ordered last, where nothing waits; then it is done."""
    change = _change(turn, meaning)
    if change is None:
        return False
    before = _meant(turn, change)
    if before is None:
        _nothing(turn)
    elif meaning.as_before and not change.slots and change.name is None:
        _back(turn, before)
    elif before.intent in (overview.INTENT, runbook_cards.INTENT) or before.slots.get("about") == looking_back.ROOM:
        _about_nothing(turn, event, meaning, change, before)
    else:
        _again(turn, before, change, other=meaning.other)
    return True


def asked_again(turn: Turn, meaning: Interpretation) -> bool:
    """Whether a question is asked for more or less of an earlier answer while something waits, which is kept."""
    change = next((request for request in meaning.requests if not request.intent), None)
    questions = [one for one in standing.standings(turn.session) if not (one.ordered or one.waits)]
    before = standing.meant(questions, change) if change is not None and change.slots else None
    if change is None or before is None:
        return False
    turn.intents = (before.intent,)
    slots = standing.changed(before.slots, _values(change.slots))
    if before.intent == overview.INTENT:
        overview.start(turn, _moved(slots, change))
    else:
        turn.record("request", service=before.entity.key if before.entity else "", action=before.intent)
        requests.start_query(turn, before.intent, before.entity, slots)
    return True


def _change(turn: Turn, meaning: Interpretation) -> Request | None:
    """What is changed, where nothing waits that it could be a change of."""
    if turn.session.state not in (State.IDLE, State.FOLLOW_UP):
        return None
    return next((request for request in meaning.requests if not request.intent), None)


def _meant(turn: Turn, change: Request) -> Standing | None:
    return standing.meant(standing.standings(turn.session), change)


def _nothing(turn: Turn) -> None:
    turn.route = Route.ASK.value
    turn.intents = ()
    turn.reply(line_card(say("correct.nothing"), turn.language, say("correct.how"), tone="muted"))


def _back(turn: Turn, before: Standing) -> None:
    """As it was before the last change."""
    if before.was is None:
        turn.reply(line_card(say("correct.unchanged"), turn.language, tone="muted"))
        return
    about = before.was_about or before.entity
    earlier = msgspec.structs.replace(before, slots=before.was, entity=about)
    _again(turn, earlier, Request(""), other=False, held=before)


def _again(turn: Turn, before: Standing, change: Request, *, other: bool, held: Standing | None = None) -> None:
    """The same with this changed, begun anew. `held` is what stood when it is not what is changed."""
    user = turn.user
    if user is None:
        return
    turn.route = (Route.ACT if before.ordered else Route.QUERY).value
    turn.intents = (before.intent,)
    slots = standing.changed(before.slots, _values(change.slots))
    if change.name is not None:
        slots = standing.elsewhere(slots)
    elif other or _PLACES & change.slots.keys():
        slots = standing.placed_anew(slots)
    flow = Flow(intent=before.intent, requester=user, slots=slots, entity=_entity(turn, before))
    inherited = _inherited(turn, before, change, other=other)
    if isinstance(inherited, Doubt):
        collecting.ask_service(turn, flow, inherited)
        return
    if not before.ordered and flow.entity is not None:
        turn.record("request", service=flow.entity.key, action=before.intent)
    where = Request("", {name: value for name, value in change.slots.items() if name in _PLACES}, change.name)
    changes.go_on(turn, flow, where, other=other)
    turn.set(standing=standing.changed_from(turn.session.standing, held or before))


def _inherited(turn: Turn, before: Standing, change: Request, *, other: bool) -> Entity | Doubt | None:
    """An order without a name is about what the thread is about: asked, where somebody else has moved that."""
    if not before.ordered or change.name is not None or other:
        return None
    return resolve(turn, Request(before.intent), None)


def _entity(turn: Turn, before: Standing) -> Entity | None:
    """As the catalog has it now."""
    return turn.world.entity(before.entity.key) if before.entity is not None else None


def _about_nothing(turn: Turn, event: Message, meaning: Interpretation, change: Request, before: Standing) -> None:
    """A question that needs no service: another place of it, or the same for one that is named."""
    slots = _moved(standing.changed(before.slots, _values(change.slots)), change)
    name = change.name
    intent = "status" if name is not None and before.intent == overview.INTENT else before.intent
    turn.route, turn.intents = Route.QUERY.value, (intent,)
    bare = name is not None and before.intent != looking_back.INTENT
    request = Request(intent, {} if bare else slots, name)
    act_or_query(turn, event, msgspec.structs.replace(meaning, requests=(request,)))


def _values(said: Mapping[str, SlotValue]) -> dict[str, SlotValue]:
    """What is changed beside the entity."""
    return {name: value for name, value in said.items() if name not in _PLACES}


def _moved(slots: dict[str, SlotValue], change: Request) -> dict[str, SlotValue]:
    """With another place, which takes the old one's place as a whole."""
    places = {name: value for name, value in change.slots.items() if name in WHERE}
    if not places:
        return slots
    return {**{name: value for name, value in slots.items() if name not in WHERE}, **places}
