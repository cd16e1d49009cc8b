"""Beginning a runbook that is to be walked: which one, and for which service."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.domain.actions.registry import is_node_action
from chatops_bot.domain.dialogue import collecting, overview, requests, runbook_cards
from chatops_bot.domain.dialogue.lock import Doubt, bind, likely, resolve
from chatops_bot.domain.dialogue.turn import Turn, cite, label
from chatops_bot.domain.dialogue.views import choice_card, line_card
from chatops_bot.domain.dialogue.walk_cards import current, start_button
from chatops_bot.domain.dialogue.walk_steps import enter_timeline, over, show, take, where
from chatops_bot.domain.dialogue.walking_words import topic
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.intents import Request
from chatops_bot.domain.reports import Report
from chatops_bot.domain.runbooks import Runbook
from chatops_bot.domain.say import say
from chatops_bot.domain.session import Asking, Flow, Walk

INTENT: Final = "walk"
"""What the question is called which service a runbook is to be walked for."""

ROUTE: Final = "walk"
"""What the route of such a turn is called."""

MOST: Final = 3
"""Runbooks that are offered to choose from."""

_NAMED: Final = re.compile(r"[a-z0-9][a-z0-9-]*(?:/[a-z0-9][a-z0-9-]*)?", re.IGNORECASE | re.ASCII)


def ask(turn: Turn, request: Request, said_before: Entity | None, text: str) -> None:
    """Words that want a runbook walked: the one that is named, the one that was shown last, or the best of a search."""
    resolved = resolve(turn, request, said_before)
    entity = resolved if isinstance(resolved, Entity) else None
    if entity is not None and turn.session.lock is None:
        bind(turn, entity)
    doubt = resolved if isinstance(resolved, Doubt) and request.name is not None else None
    about = topic(text)
    named = _named(turn, text)
    known = turn.world.runbooks.by_id
    shown = () if about else tuple(book for id_ in turn.session.at_hand if (book := known(id_)) is not None)
    if named is not None or len(shown) == 1:
        begin(turn, named or shown[0], entity, doubt)
    elif shown:
        turn.set(used=True)
        buttons = tuple(start_button(book.id, turn.language, book.title.of(turn.language)) for book in shown[:MOST])
        turn.reply(choice_card(say("walk.which"), turn.language, buttons))
    else:
        _search(turn, entity, about)


def _named(turn: Turn, text: str) -> Runbook | None:
    """The runbook whose id is in the text; of a single word only where it is written like one."""
    for found in _NAMED.findall(text):
        book = turn.world.runbooks.by_id(found.lower()) if "-" in found or "/" in found else None
        if book is not None:
            return book
    return None


def _search(turn: Turn, entity: Entity | None, text: str) -> None:
    """Have it looked for, by what is known where nothing was said; it is begun when it is found."""
    turn.record("request", service=entity.key if entity is not None else "", action=runbook_cards.INTENT)
    earlier = turn.session.queries
    slots = {"text": text[: runbook_cards.ASKED], **runbook_cards.known(turn, entity)}
    requests.start_query(turn, runbook_cards.INTENT, entity, slots, fresh=True)
    turn.set(
        queries={
            effect: asking if effect in earlier else msgspec.structs.replace(asking, walk=True)
            for effect, asking in turn.session.queries.items()
        }
    )


def found(turn: Turn, asking: Asking, report: Report) -> bool:
    """Begin the best of the runbooks that were looked for to be walked, and offer the others. False where this is to be
    shown like any other answer."""
    books = [book for one in report.runbooks if (book := turn.world.runbooks.by_id(one.id)) is not None]
    speaker = turn.session.people.get(asking.user)
    if not asking.walk or not books or speaker is None or turn.session.archived or turn.session.handed_off:
        return False
    turn.user, turn.name = speaker.user, speaker.name
    turn.root = turn.session.roots.get(asking.card, "")
    best, others = books[0], books[1:MOST]
    title = say("walk.begins", title=best.title.of(turn.language))
    card = line_card(title, turn.language, *((say("walk.others"),) if others else ()), tone="muted")
    buttons = tuple(start_button(book.id, turn.language, book.title.of(turn.language)) for book in others)
    turn.draw(asking.card, msgspec.structs.replace(card, buttons=buttons))
    begin(turn, best, asking.entity)
    return True


def begin(turn: Turn, runbook: Runbook, entity: Entity | None, doubt: Doubt | None = None) -> None:
    """Begin a runbook for an entity, or the locked one; ask which where it needs one."""
    user, lock, walk = turn.user, turn.session.lock, turn.session.walk
    if user is None:
        return
    entity = entity or (lock.entity if lock is not None else None)
    turn.route = ROUTE
    if walk is not None and current(turn) is not None and _same(walk, runbook, entity):
        where(turn, say("walk.here"))
        return
    if entity is None and _needs_entity(runbook):
        _ask_service(turn, runbook, doubt)
        return
    old = current(turn)
    if walk is not None and old is not None:
        title, number = old.title.of(turn.language), min(walk.position + 1, walk.length)
        turn.first(say("walk.replaced", title=title, number=number))
    cite(turn, (runbook.id,))
    begun = Walk(runbook=runbook.id, length=len(runbook.steps), entity=entity, by=user.key, visit=turn.sequence)
    turn.set(walk=begun, used=True)
    enter_timeline(turn, begun, say("incident.entry.walk_begun", id=runbook.id))
    turn.record("decision", reason="runbook begun", service=entity.key if entity else "", text=runbook.id)
    show(turn, runbook)


def _same(walk: Walk, runbook: Runbook, entity: Entity | None) -> bool:
    about = entity is None or walk.entity is None or walk.entity.key == entity.key
    return walk.runbook == runbook.id and about


def _needs_entity(runbook: Runbook) -> bool:
    needing = (step for step in runbook.steps if step.kind in ("query", "action"))
    return any(step.intent not in (*requests.WITHOUT_ENTITY, overview.INTENT) for step in needing)


def _ask_service(turn: Turn, runbook: Runbook, doubt: Doubt | None) -> None:
    actions = [step.intent for step in runbook.steps if step.kind == "action"]
    nodes = bool(actions) and all(is_node_action(intent) for intent in actions)
    if doubt is None:
        doubt = Doubt(say("ask.node" if nodes else "ask.service"), likely(turn, actions[0] if nodes else INTENT))
    flow = turn.session.flow
    if turn.user is None or (flow is not None and flow.intent != INTENT):
        collecting.cannot_take(turn, doubt.question)
        return
    collecting.ask_service(turn, Flow(intent=INTENT, requester=turn.user, slots={"runbook": runbook.id}), doubt)


def chosen(turn: Turn, flow: Flow, entity: Entity) -> None:
    """The service that was asked for is known."""
    book = turn.world.runbooks.by_id(str(flow.slots.get("runbook", "")))
    if book is not None:
        begin(turn, book, entity)
    else:
        over(turn)


def leave(turn: Turn, entity: Entity) -> None:
    """Another service was named: a runbook that was walked for the old one ends, and that is said."""
    walk, runbook = turn.session.walk, current(turn)
    if walk is None or walk.entity is None or walk.entity.key == entity.key:
        return
    title = runbook.title.of(turn.language) if runbook is not None else walk.runbook
    number = min(walk.position + 1, walk.length)
    turn.first(say("walk.rebound", title=title, before=label(walk.entity), number=number))
    take(turn, walk, say("walk.took.stop"))
    turn.set(walk=None)
