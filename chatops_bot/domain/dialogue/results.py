"""What the results of effects do to the session: answers shown, plans shown, verdicts and outcomes taken."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.cards import Block, Button, Card, Note, Text, Tone
from chatops_bot.domain.dialogue import (
    alerts,
    approvals,
    approving,
    by_name,
    collecting,
    overview,
    parking,
    requests,
    undoing,
    walk_cards,
    walk_starting,
    walking,
)
from chatops_bot.domain.dialogue.known import keep, passed
from chatops_bot.domain.dialogue.leaving_notes import leave_note
from chatops_bot.domain.dialogue.lock import Doubt
from chatops_bot.domain.dialogue.report_parts import fitted, named
from chatops_bot.domain.dialogue.turn import Turn, cite, label
from chatops_bot.domain.dialogue.views import change_of, line_card, place, progress_card, report_card
from chatops_bot.domain.effects import Execute, Follow
from chatops_bot.domain.events import Executed, Followed, Judged, Lost, Prepared, Queried
from chatops_bot.domain.flows import Lack
from chatops_bot.domain.plans import WORK_S, Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Ended, Flow, Pending, Summary
from chatops_bot.domain.texts import word


def on_result(turn: Turn, event: Queried | Prepared | Judged | Executed | Lost | Followed) -> None:
    """What an effect of this thread has come to."""
    match event:
        case Queried():
            on_queried(turn, event)
        case Prepared():
            on_prepared(turn, event)
        case Judged():
            on_judged(turn, event)
        case Executed():
            on_executed(turn, event)
        case Lost():
            on_lost(turn, event)
        case Followed():
            on_followed(turn, event)


def on_queried(turn: Turn, event: Queried) -> None:
    """The answer goes to the card that promised it; what waits is repeated below when it is the newest."""
    asking = turn.session.queries.get(event.effect)
    if asking is None:
        return
    turn.language = asking.language
    turn.set(queries={k: v for k, v in turn.session.queries.items() if k != event.effect})
    if alerts.on_diagnosed(turn, asking, event):
        return
    report = event.report
    if report is not None and asking.intent == by_name.INTENT:
        by_name.on_found(turn, asking, report)
        return
    if report is None:
        service = label(asking.entity) if asking.entity else ""
        title = say("answer.about", service=service, intent=f"intent.{asking.intent}")
        failed = say("answer.failed", why=turn.text(event.problem) if event.problem else "?")
        if asking.entity is None:
            title, failed = say(f"intent.{asking.intent}"), event.problem or failed
        turn.draw(asking.card, line_card(title, turn.language, failed, tone="danger"))
    else:
        names = {key: speaker.name for key, speaker in turn.session.people.items()}
        report = named(fitted(report, turn.world), names)
        if walk_starting.found(turn, asking, report):
            return
        cite(turn, report.cited)
        lock = turn.session.lock
        if report.entity is not None and lock is not None and lock.entity.key == report.entity.key:
            keep(turn, report)
        if asking.intent == overview.INTENT:
            turn.set(results={**turn.session.results, overview.INTENT: report})
        turn.draw(asking.card, report_card(report, turn.language, card=asking.card))
    turn.answer_card = asking.card
    if asking.card == f"c{turn.session.cards}":
        requests.repeat_prompt(turn)


def on_prepared(turn: Turn, event: Prepared) -> None:
    """A plan to be shown, or the reason why there can be none. One that came too late is void."""
    pending = _by_effect(turn, event.effect)
    if pending is None or pending.phase != "preparing":
        return
    speaker = turn.session.people.get(pending.requester.key)
    turn.language = speaker.language if speaker else turn.language
    turn.user, turn.name = pending.requester, speaker.name if speaker else ""
    turn.root = turn.session.roots.get(pending.card, "")
    plan = event.plan
    if plan is None:
        turn.set(pending=tuple(p for p in turn.session.pending if p.effect != pending.effect))
        names = {"action": f"action.{pending.action}", "service": label(pending.entity)}
        problem = event.problem or say("answer.cannot")
        turn.record(
            "refusal",
            reason=problem.key,
            text=turn.text(problem),
            service=pending.entity.key,
            action=pending.action,
        )
        turn.draw(pending.card, line_card(Say("plan.failed", {**names}), turn.language, problem, tone="warn"))
        _ask_again(turn, pending, event)
        return
    passed(turn, plan.entity, plan.uid)
    card = requests.at_the_end(turn, pending, plan)
    shown = msgspec.structs.replace(pending, phase="shown", plan=plan, card=card, shown_at=turn.session.sequence)
    requests.replace_pending(turn, shown)
    requests.show_plan(turn, shown, plan, card=card)
    if event.problem is not None:
        requests.extend(turn, card, event.problem, ())


def _ask_again(turn: Turn, pending: Pending, event: Prepared) -> None:
    """A value that does not fit what is there is asked for anew, so that the next word can be the right one."""
    if not event.ask or turn.session.flow is not None or turn.session.pending:
        return
    slots = {name: value for name, value in pending.slots.items() if name not in event.ask}
    tries = pending.tries + 1 if pending.answered == event.ask else 0
    flow = Flow(intent=pending.action, requester=pending.requester, slots=slots, entity=pending.entity, tries=tries)
    turn.root = turn.session.roots.get(pending.card, "")
    if event.ask == ("service",):
        _offer_instead(turn, flow, event.choices)
        return
    collecting.ask_slots(turn, flow, Lack(event.ask, choices=event.choices))


def _offer_instead(turn: Turn, flow: Flow, keys: tuple[str, ...]) -> None:
    """Another target than the one that was named, as a button: what the catalog knows of it."""
    known = tuple(service.entity for key in keys if (service := turn.world.by_key(key)) is not None)
    if known:
        anew = msgspec.structs.replace(flow, entity=None)
        collecting.ask_service(turn, anew, Doubt(say("ask.service"), known))


def on_judged(turn: Turn, event: Judged) -> None:
    """The ledger's word on a confirmation or an approval."""
    pending = next((p for p in turn.session.pending if p.token == event.token), None)
    plan = pending.plan if pending else None
    if pending is None or plan is None or pending.phase not in ("judging", "approving"):
        return
    speaker = turn.session.people.get(event.by)
    turn.language = speaker.language if speaker else turn.language
    turn.name = (speaker.name or event.by) if speaker else event.by
    if turn.session.handed_off and not event.final and (not event.ok or event.missing > 0):
        requests.drop(turn, pending, "left", say("plan.left"))
        return
    if not event.ok:
        _not_confirmed(turn, pending, plan, event)
        return
    again = pending.phase == "approving" and event.approvals == pending.approvals
    pending = msgspec.structs.replace(pending, approvals=event.approvals)
    if event.missing > 0 and pending.phase == "judging":
        approving.ask(turn, pending, plan)
        return
    pending = msgspec.structs.replace(pending, card=requests.at_the_end(turn, pending, plan))
    if event.missing > 0:
        requests.replace_pending(turn, pending)
        notes = (say("approval.already", name=turn.name),) if again else ()
        requests.show_plan(turn, pending, plan, card=pending.card, notes=notes)
        return
    running = msgspec.structs.replace(pending, phase="executing")
    requests.replace_pending(turn, running)
    by = approvals.confirmer_name(turn, running)
    title = say("executing", name=by, action=f"action.{plan.action}", service=label(plan.entity))
    turn.kill_buttons(plan.token, keep=pending.card)
    turn.draw(pending.card, progress_card(title, turn.language, plan))
    _execute(turn, running, plan)


def _execute(turn: Turn, running: Pending, plan: Plan, *, lost: bool = False) -> None:
    turn.do(_execution(turn, running, plan, turn.effect_id(), lost=lost))


def _execution(turn: Turn, running: Pending, plan: Plan, effect: str, *, lost: bool = False) -> Execute:
    return Execute(
        id=effect,
        thread=turn.session.thread,
        room=turn.session.room,
        token=plan.token,
        entity=plan.entity,
        action=plan.action,
        confirmer=running.confirmer or running.requester,
        approvers=running.approvals,
        lost=lost,
        escalated=running.escalated,
        rooms=running.rooms,
    )


def _not_confirmed(turn: Turn, pending: Pending, plan: Plan, event: Judged) -> None:
    problem = event.problem or say("refuse.why.unknown_outcome")
    turn.record("refusal", reason=event.reason or problem.key, text=turn.text(problem), token=plan.token)
    if event.final:
        _end(turn, pending, plan, event.reason or "refused", by="")
        turn.kill_buttons(plan.token)
        title = say("failed.title", action=f"action.{plan.action}", service=label(plan.entity))
        turn.draw(pending.card, line_card(title, turn.language, problem, tone="danger"))
        return
    phase = "shown" if pending.phase == "judging" else pending.phase
    rooms = () if pending.phase == "judging" else pending.rooms
    back = msgspec.structs.replace(pending, phase=phase, rooms=rooms, card=requests.at_the_end(turn, pending, plan))
    requests.replace_pending(turn, back)
    requests.show_plan(turn, back, plan, card=back.card, notes=(problem,))


def on_lost(turn: Turn, event: Lost) -> None:
    """The write's answer did not come and the cluster cannot be asked: nobody is left to guess meanwhile."""
    pending = next((p for p in turn.session.pending if p.token == event.token), None)
    plan = pending.plan if pending else None
    if pending is None or plan is None:
        return
    approving.to_the_confirmer(turn, pending)
    title = say("lost.title", action=f"action.{plan.action}", service=label(plan.entity))
    lines: list[Block] = [
        Text(change_of(plan, turn.language), strong=True),
        Text(turn.text(say("lost.text", cluster=plan.entity.cluster, why=event.why))),
        Note(turn.text(say("done.by", name=approvals.confirmer_name(turn, pending)))),
        Note(f"{plan.entity.target} · {place(plan.entity, turn.language)}"),
    ]
    turn.draw(pending.card, Card(title=turn.text(title), language=turn.language, tone="warn", blocks=tuple(lines)))
    _execute(turn, pending, plan, lost=True)


def on_executed(turn: Turn, event: Executed) -> None:
    """The outcome of the write is known: the session ends and says so. A drifted target gets a fresh plan."""
    pending = next((p for p in turn.session.pending if p.token == event.token), None)
    plan = pending.plan if pending else None
    if pending is None or plan is None:
        return
    by = approvals.confirmer_name(turn, pending)
    approving.to_the_confirmer(turn, pending)
    _end(turn, pending, plan, event.outcome, by=by)
    if event.outcome not in _TITLES:
        _record_refusal(turn, pending, plan, event)
    if event.problem is not None and event.problem.key == "gate.audit_unwritable":
        requests.void(turn, plan, "refused", by=(pending.confirmer or pending.requester).key)
    walking.carried_out(turn, pending, plan, event.outcome)
    turn.kill_buttons(plan.token)
    turn.draw(pending.card, _outcome_card(turn, plan, event, by, pending.approvals))
    if event.fresh and turn.session.handed_off:
        turn.reply(line_card(say("handed.stopped"), turn.language, tone="warn"))
        return
    if event.fresh:
        requests.approvals_are_void(turn, pending)
        turn.user, turn.name = pending.requester, plan.requester_name
        turn.root = turn.session.roots.get(pending.card, "")
        flow = Flow(intent=plan.action, requester=pending.requester, slots=pending.slots, entity=plan.entity)
        requests.prepare(turn, flow, plan.entity, undo_of=pending.undo_of)
        return
    if event.outcome in ("done", "working"):
        working_s = WORK_S if plan.steps else 0
        turn.do(
            Follow(
                id=turn.effect_id(),
                thread=turn.session.thread,
                room=turn.session.room,
                token=plan.token,
                entity=plan.entity,
                until=turn.now + (working_s + turn.world.timing.follow_s) * 1000,
                execute=_execution(turn, pending, plan, event.effect) if plan.steps else None,
            )
        )
    leave_note(turn, pending, plan, "done" if event.outcome == "working" else event.outcome)
    if event.outcome in _TITLES:
        _close(turn, plan, event.outcome, by)


def _record_refusal(turn: Turn, pending: Pending, plan: Plan, event: Executed) -> None:
    """A confirmed plan that was not carried out, with the person who had confirmed it."""
    reason = event.problem.key if event.problem is not None else event.outcome
    text = turn.text(event.problem) if event.problem is not None else ""
    user = (pending.confirmer or pending.requester).key
    turn.record(
        "refusal", user=user, reason=reason, text=text, service=plan.entity.key, action=plan.action, token=plan.token
    )


def _close(turn: Turn, plan: Plan, outcome: str, by: str) -> None:
    """After a dangerous action nothing is left to inherit: no lock; archived when nothing waits. Who has another plan
    waiting here is still heard here."""
    turn.set(done=undoing.done(plan, outcome) or turn.session.done)
    if _goes_on(turn) or turn.session.handed_off:
        turn.set(lock=None, results={})
        return
    turn.archive(
        Summary(thread=turn.session.thread, at=turn.now, entity=plan.entity, action=plan.action, outcome=outcome, by=by)
    )


def _goes_on(turn: Turn) -> bool:
    """Whether something else that was asked for here waits still."""
    session = turn.session
    return bool(session.pending or session.queued) or session.flow is not None


def _closing(turn: Turn) -> Say:
    return say("done.goes_on" if _goes_on(turn) else "done.closed")


def _end(turn: Turn, pending: Pending, plan: Plan, outcome: str, *, by: str) -> None:
    ended = Ended(
        token=plan.token,
        outcome=outcome,
        by=by,
        at=turn.now,
        card=pending.card,
        plan=plan,
        approvals=pending.approvals,
        sequence=turn.sequence,
    )
    turn.set(
        pending=tuple(p for p in turn.session.pending if p.effect != pending.effect),
        ended=(*turn.session.ended, ended)[-8:],
    )


def _outcome_card(turn: Turn, plan: Plan, event: Executed, by: str, approvers: tuple[str, ...]) -> Card:
    key, tone = _TITLES.get(event.outcome, ("failed.title", "danger"))
    names: dict[str, str | int] = {"action": f"action.{plan.action}", "service": label(plan.entity)}
    blocks: list[Block] = [Text(change_of(plan, turn.language), strong=True)]
    if event.problem is not None:
        blocks.append(Text(turn.text(event.problem)))
    if event.outcome == "unknown":
        unknown = say("unknown.text", target=plan.entity.target, namespace=plan.entity.namespace)
        blocks.append(Text(turn.text(unknown)))
    if event.outcome == "interrupted":
        blocks.append(Text(turn.text(say("interrupted.text"))))
    blocks.append(Note(turn.text(say("done.by", name=by))))
    if approvers:
        blocks.append(Note(f"{turn.text(say('plan.approved_by'))}: {approvals.people(turn, approvers)}"))
    blocks.append(Note(f"{plan.entity.target} · {place(plan.entity, turn.language)}"))
    if event.outcome in ("done", "working"):
        working = event.outcome == "working"
        following = say("working.following", count=len(plan.steps)) if working else say("done.following")
        blocks.append(Note(turn.text(following)))
    if not event.fresh and event.outcome in _TITLES and not turn.session.handed_off:
        blocks.append(Note(turn.text(_closing(turn))))
    return Card(
        title=turn.text(Say(key, names)),
        language=turn.language,
        tone=tone,
        blocks=tuple(blocks),
        buttons=_after_buttons(turn, plan, event.outcome),
    )


_TITLES: dict[str, tuple[str, Tone]] = {
    "done": ("done.title", "ok"),
    "unknown": ("unknown.title", "danger"),
    "interrupted": ("failed.title", "danger"),
    "working": ("working.title", "ok"),
    "halted": ("halted.title", "danger"),
}
"""By the outcomes after which something may have changed. `halted`: of several writes, not all were made."""


def _after_buttons(turn: Turn, plan: Plan, outcome: str) -> tuple[Button, ...]:
    """What makes sense on a card that has ended: look again, and put back what can be put back."""
    buttons = [Button("diagnose", word("button.diagnose", turn.language), value=plan.entity.key)]
    action = ACTIONS.get(plan.action)
    undo = action.undo(plan) if outcome in ("done", "working", "halted") and action is not None else None
    if undo is not None:
        value = f"{undo.action} {plan.entity.key}"
        buttons.append(Button("undo", word("button.undo", turn.language), token=plan.token, value=value))
    return (*walk_cards.go_on_buttons(turn), *parking.offers(turn), *buttons)


def on_followed(turn: Turn, event: Followed) -> None:
    """How the rollout went: the outcome card is brought up to date, nothing else changes."""
    ended = next((e for e in turn.session.ended if e.token == event.token), None)
    if ended is None or ended.plan is None:
        return
    plan, seen = ended.plan, "; ".join(turn.text(line) for line in event.lines)
    if event.again is not None:
        _draw_followed(turn, ended, plan, event)
        turn.do(msgspec.structs.replace(event.again, id=turn.effect_id()))
        return
    if ended.outcome == "working":
        ended = msgspec.structs.replace(ended, outcome="halted" if event.state else "done")
        turn.set(ended=tuple(ended if e.token == ended.token else e for e in turn.session.ended))
    seen_end = "verified" if not event.failed else "not verified: failed"
    reason = seen_end if event.finished else "not verified: timeout"
    turn.record(
        "outcome", user="", reason=reason, text=seen, service=plan.entity.key, action=plan.action, token=plan.token
    )
    _draw_followed(turn, ended, plan, event)


def _draw_followed(turn: Turn, ended: Ended, plan: Plan, event: Followed) -> None:
    done = Executed(effect=event.effect, token=event.token, outcome=ended.outcome)
    card = _outcome_card(turn, plan, done, ended.by, ended.approvals)
    following = turn.text(say("done.following"))
    kept = tuple(block for block in card.blocks if not (isinstance(block, Note) and block.text == following))
    lines = tuple(Text(turn.text(line)) for line in event.lines)
    tone: Tone = "danger" if event.failed else card.tone
    turn.draw(ended.card, msgspec.structs.replace(card, blocks=(kept[0], *lines, *kept[1:]), tone=tone))


def _by_effect(turn: Turn, effect: str) -> Pending | None:
    return next((p for p in turn.session.pending if p.effect == effect), None)
