"""Starting what was asked for: queries, actions, and the questions that complete them."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.cards import Button, Text
from chatops_bot.domain.dialogue import approvals, asking, freezing, parking, rights, walk_cards
from chatops_bot.domain.dialogue.known import how, may_see_logs, remembered
from chatops_bot.domain.dialogue.reading import have_read
from chatops_bot.domain.dialogue.turn import PLAN_BUTTONS, Turn, label
from chatops_bot.domain.dialogue.views import (
    change_of,
    closed_card,
    line_card,
    plan_buttons,
    plan_card,
    progress_card,
    report_card,
)
from chatops_bot.domain.effects import Prepare, Void
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import User
from chatops_bot.domain.intents import Interpretation, Quantity, Request, Route, SlotValue, Standing
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Ended, Flow, Pending
from chatops_bot.domain.standing import noted
from chatops_bot.domain.texts import word

_POSTED_MS = 10_000
"""A card that mentions somebody may not have been posted yet for so long: redrawn before, it still has to."""

ANSWERED = frozenset({"status", "logs", "events", "history", "resources", "changes", "runbook", "overview"})
"""Queries that can be answered; the others get a plain "that I cannot"."""


def start_query(
    turn: Turn,
    intent: str,
    entity: Entity | None,
    slots: dict[str, SlotValue],
    *,
    fresh: bool = False,
    again_on: str = "",
) -> None:
    """Answer from working memory while it is fresh enough, else ask the cluster. `again_on` is the card that is to be
    drawn anew with the answer; it keeps what it shows until then, as far as that is remembered."""
    slots = how(slots)
    if intent not in ANSWERED or (entity is None and intent not in WITHOUT_ENTITY):
        unsupported(turn, Request(intent=intent))
        return
    if entity is not None:
        shown_in = rights.shown_in(turn)
        ruling = rights.judge(turn, action=intent, entity=entity, user=_asker(turn), role="read", also=shown_in)
        if not ruling.allowed and ruling.problem is not None:
            refuse(turn, ruling.problem, reason="policy", service=entity.key, action=intent)
            return
    stands(turn, intent, entity, slots)
    turn.set(used=True, last_query=Request(intent=intent, slots=slots))
    known = remembered(turn, intent, entity, slots, _asker(turn))
    age_s = (turn.now - known.at) / 1000 if known is not None else 0.0
    if known is not None and not fresh and age_s < turn.world.recall.fresh_s[intent]:
        notes = (say("answer.as_of", seconds=int(age_s)),) if age_s >= 1 else ()
        card = turn.new_card()
        turn.draw(card, report_card(known, turn.language, notes=notes, card=card))
        turn.answer_card = card
        repeat_prompt(turn)
        return
    card = again_on or turn.new_card()
    turn.answer_card = card
    if again_on and known is not None:
        turn.draw(card, report_card(known, turn.language, notes=(say("report.refreshing"),), card=card), awaits=True)
    else:
        title = _working(intent, entity)
        turn.draw(card, progress_card(title, turn.language), awaits=True)
    user = _asker(turn)
    have_read(turn, card, intent, user, entity, slots=slots, logs=may_see_logs(turn, entity, user))


def stands(turn: Turn, intent: str, entity: Entity | None, slots: dict[str, SlotValue]) -> None:
    """Keep what is asked or ordered, with all that was said for it: what a correction is of."""
    now = Standing(intent, entity, slots, at=turn.sequence)
    turn.set(standing=noted(turn.session.standing, now))


_CARD: Final = re.compile(r"c[1-9][0-9]{0,8}", re.ASCII)
"""As cards are numbered: one way to write each, so that nobody has two votes on one."""


def redrawable(turn: Turn, card: str) -> bool:
    """Whether a card of this thread has that id, and shows nothing else meanwhile."""
    busy = {pending.card for pending in turn.session.pending} | {asked.card for asked in turn.session.queries.values()}
    return card not in busy and _CARD.fullmatch(card) is not None and int(card[1:]) <= turn.session.cards


WITHOUT_ENTITY = frozenset({"runbook"})
"""Queries that may be about nothing in particular."""


def _working(intent: str, entity: Entity | None) -> Say:
    if entity is None:
        return say("working.alone", intent=f"intent.{intent}")
    return say("working", service=label(entity), intent=f"intent.{intent}")


def supported(intent: str) -> bool:
    """Whether this version can do it; everything else is declined before anything is asked for it."""
    return intent in ANSWERED or intent in ACTIONS


def unsupported(turn: Turn, request: Request) -> None:
    """Say plainly what it cannot do; what waits, waits on."""
    if request.dangerous:
        name = request.name.text if request.name is not None else ""
        lock = turn.session.lock
        service = name or (label(lock.entity) if lock is not None else "…")
        problem = say("refuse.action_unknown", action=f"action.{request.intent}", service=service)
        refuse(turn, problem, reason="unsupported", action=request.intent)
    else:
        title = say("answer.cannot_intent", intent=f"intent.{request.intent}")
        can = ", ".join(word(f"intent.{intent}", turn.language) for intent in sorted(ANSWERED))
        turn.reply(line_card(title, turn.language, say("answer.can", what=can), tone="muted"))
    repeat_prompt(turn)


def prepare(turn: Turn, flow: Flow, entity: Entity, *, undo_of: str = "") -> None:
    """Have the plan made: a card that says so, a pending entry without buttons, and the work. In a change freeze it is
    asked first why it is wanted."""
    if freezing.ask_reason(turn, flow, entity, undo_of=undo_of):
        return
    title = say("preparing", action=f"action.{flow.intent}", service=label(entity))
    card = turn.reply(progress_card(title, turn.language), awaits=True)
    effect = turn.effect_id()
    user = flow.requester
    pending = Pending(
        effect=effect,
        card=card,
        phase="preparing",
        action=flow.intent,
        entity=entity,
        requester=user,
        utterance=flow.utterance or turn.event_id,
        slots=flow.slots,
        undo_of=undo_of,
        **_answered(turn, flow),
        proposed=flow.proposed,
    )
    parking.begun(turn, flow)
    other = turn.session.flow  # asked for in the same breath, or before a button was pressed
    kept = other if other is not None and other.number != flow.number else None
    turn.set(pending=(*turn.session.pending, pending), flow=kept, used=True)
    turn.record("request", service=entity.key, action=flow.intent, parameters=plain_slots(flow.slots))
    turn.do(
        Prepare(
            id=effect,
            thread=turn.session.thread,
            room=turn.session.room,
            user=user,
            action=flow.intent,
            entity=entity,
            language=turn.language,
            lives_ms=turn.world.timing.plan_s * 1000,
            slots=flow.slots,
            name=_called(turn, user),
            reason=freezing.reason_of(flow),
            undo_of=undo_of,
            rooms=rights.further_rooms(turn),
        )
    )


def _called(turn: Turn, user: User) -> str:
    """What whoever asked for it is called, whoever gives the last word that was missing."""
    if turn.user == user:
        return turn.name
    speaker = turn.session.people.get(user.key)
    return speaker.name if speaker is not None else ""


def _answered(turn: Turn, flow: Flow) -> dict[str, Any]:
    """Which question the plan comes of, so that a value that does not fit what is there counts as a try."""
    before = turn.began.flow
    if before is None or before.asked is None or before.number != flow.number:
        return {}
    return {"answered": before.asked.what, "tries": before.tries}


def refuse(turn: Turn, problem: Say, *, reason: str, card: str = "", **fields: str) -> None:
    """Say no, and why; nothing else changes. Recorded with its reason."""
    turn.record("refusal", reason=reason, text=turn.text(problem), **fields)
    view = line_card(say("refuse.title"), turn.language, problem, tone="danger")
    if card:
        turn.draw(card, view)
    else:
        turn.reply(view)


def waiting(turn: Turn) -> tuple[Pending, ...]:
    """Plans whose buttons are live."""
    return tuple(p for p in turn.session.pending if p.phase in ("shown", "approving"))


def named(turn: Turn, meaning: Interpretation) -> tuple[Pending, ...]:
    """The plans not begun whose service the words name, or, where they call something off, what it does ("cancel the
    restart"); none where they name neither."""
    keys = {service.entity.key for name in meaning.names for service in name.matches}
    actions = {request.intent for request in meaning.requests} - {""} if meaning.route is Route.CANCEL else set()
    if not keys and not actions:
        return ()
    droppable = ("preparing", "shown", "approving")
    return tuple(
        p
        for p in turn.session.pending
        if p.phase in droppable and (not keys or p.entity.key in keys) and (not actions or p.action in actions)
    )


def extend(turn: Turn, card_id: str, line: Say, buttons: tuple[Button, ...]) -> None:
    """Add a line and buttons to a card of this turn. Buttons of the same plan elsewhere die."""
    card = turn.card(card_id)
    if card is None:
        return
    for token in {button.token for button in buttons if button.token}:
        turn.kill_buttons(token, keep=card_id)
    kept = tuple(old for old in card.buttons if old.id not in {new.id for new in buttons})
    blocks = (*card.blocks, Text(turn.text(line), strong=True))
    turn.draw(card_id, msgspec.structs.replace(card, blocks=blocks, buttons=buttons + kept))


def repeat_prompt(turn: Turn) -> None:
    """After a digression: what the flow still waits for, with its buttons, below the answer."""
    card_id = turn.answer_card
    card = turn.card(card_id)
    if card is None:
        return
    flow = turn.session.flow
    pendings = waiting(turn)
    if len(pendings) > 1:
        several = say("plan.several_wait", count=len(pendings))
        if Text(turn.text(several), strong=True) not in card.blocks:
            extend(turn, card_id, several, ())
    elif pendings:
        pending = pendings[-1]
        plan = pending.plan
        if plan is None:
            return
        line = say(
            "plan.waits_high" if plan.risk == "high" else "plan.waits",
            action=f"action.{plan.action}",
            service=label(plan.entity),
            change=change_of(plan, turn.language),
        )
        buttons = plan_buttons(pending, turn.language)
        extend(turn, card_id, line, buttons)
    elif flow is not None and flow.prompt is not None:
        extend(turn, card_id, flow.prompt, asking.flow_buttons(turn, flow))
    elif flow is None and (walked := walk_cards.prompt(turn)) is not None:
        extend(turn, card_id, *walked)


def prompt_newest(turn: Turn) -> None:
    """The newest card carries what the thread waits for: nobody has to look for it above the last answer."""
    newest = f"c{turn.session.cards}"
    card = turn.card(newest)
    awaited = {asking.card for asking in turn.session.queries.values()} | {p.card for p in turn.session.pending}
    if card is None or newest != turn.answer_card or newest in awaited:
        return
    if not any(button.id.partition(":")[0] in _PROMPTS for button in card.buttons):
        repeat_prompt(turn)


_PROMPTS = PLAN_BUTTONS | {"service", "choose", "walk"}


def show_plan(turn: Turn, pending: Pending, plan: Plan, *, card: str, notes: tuple[Say, ...] = ()) -> Pending:
    """Show a plan on a card with live buttons; buttons of it elsewhere die."""
    shown = msgspec.structs.replace(pending, card=card, phase=pending.phase, plan=plan)
    turn.kill_buttons(plan.token, keep=card)
    waits = pending.phase == "approving"
    how = tuple(approvals.lines(turn, pending, plan)) if waits else ()
    view = plan_card(shown, plan, turn.language, notes=notes, approvals=how, now=turn.now)
    turn.draw(card, view)
    if waits and turn.now - pending.rung_at < _POSTED_MS and card == pending.card:
        approvals.ring(turn, pending, plan, card)
    return shown


def at_the_end(turn: Turn, pending: Pending, plan: Plan, *, anew: bool = False) -> str:
    """The card for a plan to be shown: its own, or a new one when something else stands below that, or with `anew`."""
    newest = f"c{turn.session.cards}"
    if newest in {p.card for p in turn.session.pending} and not anew:
        return pending.card
    title = say("plan.below", action=f"action.{plan.action}", service=label(plan.entity))
    turn.draw(pending.card, line_card(title, turn.language, tone="muted"))
    turn.root = turn.session.roots.get(pending.card, "")
    return turn.new_card()


def show_again(turn: Turn, note: Say, *, in_place: bool = False) -> None:
    """The waiting plans once more, with a word why; nothing runs and nothing is dropped."""
    for pending in waiting(turn):
        if pending.plan is None:
            continue
        card = pending.card if in_place else turn.new_card()
        replaced = show_plan(turn, pending, pending.plan, card=card, notes=(note,))
        turn.answer_card = card
        replace_pending(turn, replaced)
    if not waiting(turn):
        turn.reply(line_card(note, turn.language, tone="warn"))


def ask_change(turn: Turn, pending: Pending) -> None:
    """What is to be changed of a plan that is not wanted as it is. Until that is said, a "yes" may mean the change, and
    only its button runs it."""
    replace_pending(turn, msgspec.structs.replace(pending, unsettled=True))
    show_again(turn, say("ask.change"))


def replace_pending(turn: Turn, changed: Pending) -> None:
    """Put a changed pending entry in the place of the old one."""
    turn.set(pending=tuple(changed if p.effect == changed.effect else p for p in turn.session.pending))


def drop(turn: Turn, pending: Pending, reason: str, note: Say, *, words: str = "") -> None:
    """End a plan that was not begun: void in the ledger, buttons dead, its card says why. `words` are those that ended
    it, which may tell the reason."""
    turn.set(pending=tuple(p for p in turn.session.pending if p.effect != pending.effect))
    plan = pending.plan
    turn.draw(pending.card, closed_card(pending, reason, note, turn.language))
    if plan is None:
        return
    turn.kill_buttons(plan.token, note, keep=pending.card)
    if reason == "superseded":
        approvals_are_void(turn, pending)
    ended = Ended(
        token=plan.token,
        outcome=reason,
        by=turn.name,
        at=turn.now,
        card=pending.card,
        plan=plan,
        sequence=turn.sequence,
    )
    turn.set(ended=(*turn.session.ended, ended)[-8:])
    turn.record("decision", reason=reason, service=plan.entity.key, action=plan.action, token=plan.token, text=words)
    void(turn, plan, reason, by=turn.user.key if turn.user else "")


def void(turn: Turn, plan: Plan, reason: str, *, by: str) -> None:
    """Have the ledger end a plan that was not begun, so that its target is free for others. Tried until it is on
    record."""
    turn.do(
        Void(
            id=turn.effect_id(),
            thread=turn.session.thread,
            room=turn.session.room,
            token=plan.token,
            entity=plan.entity,
            reason=reason,
            by=by,
        )
    )


def approvals_are_void(turn: Turn, pending: Pending) -> None:
    """Said on the card of the plan that takes this one's place."""
    if pending.approvals:
        turn.first(say("approval.void", who=approvals.people(turn, pending.approvals)))


def drop_all(turn: Turn, reason: str, note: Say, *, words: str = "") -> bool:
    """Drop every plan that was not begun, for these words. True when there was one."""
    droppable = [p for p in turn.session.pending if p.phase in ("preparing", "shown", "approving")]
    for pending in droppable:
        drop(turn, pending, reason, note, words=words)
    return bool(droppable)


def plain_slots(slots: dict[str, SlotValue]) -> dict[str, str]:
    """Slots as short text, for the audit log."""
    return {
        name: f"{value.kind} {_number(value.value)}" if isinstance(value, Quantity) else str(value)
        for name, value in slots.items()
    }


def _asker(turn: Turn) -> User:
    room = turn.session.room
    return turn.user or User(platform=room.platform, tenant=room.tenant, id="")


def _number(value: float) -> str:
    return f"{value:g}"
