"""Confirm means confirm: when words or a click set a plan going. Design rules 3, 5 and 7.

By words it takes two keys (the interpreter's route and the strict guard), one plan, and nobody between
the plan and the person. What only reads like a yes is told what would be one. A click on the live button
needs no interpretation. Either way the person must be permitted, now.
"""

from __future__ import annotations

from typing import Final

import msgspec

from chatops_bot.domain.dialogue import freezing, parking, requests, rights
from chatops_bot.domain.dialogue.lock import drifted
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import progress_card
from chatops_bot.domain.dialogue.walking_words import move_of
from chatops_bot.domain.effects import Judge
from chatops_bot.domain.events import Message
from chatops_bot.domain.identity import User
from chatops_bot.domain.intents import Interpretation
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.policy import Role
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Pending

UNSURE: Final = frozenset({"confirm.unsure", "confirm.unsure_named"})
"""What is answered to words that read like a yes, and are none that the strict guard knows; the recorded reason too."""


def confirm(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """A confirmation by words, or what reads like one."""
    shown = _shown(turn)
    if not shown:
        judging = any(pending.phase == "judging" for pending in turn.session.pending)
        requests.show_again(turn, say("confirm.judging" if judging else "confirm.preparing"))
        return
    problem = why_not_by_words(turn, event, meaning, shown)
    if problem is None:
        judge(turn, shown[0])
        return
    if problem.key in UNSURE:
        turn.record("decision", reason=problem.key, text=event.text[:200], token=shown[0].token)
    else:
        turn.record("refusal", reason=problem.key, text=turn.text(problem), token=shown[0].token)
    requests.show_again(turn, problem, in_place=_between_people(turn, event, meaning, shown[0]))


def _shown(turn: Turn) -> list[Pending]:
    """The plans that can be confirmed."""
    return [pending for pending in turn.session.pending if pending.phase == "shown"]


def _between_people(turn: Turn, event: Message, meaning: Interpretation, pending: Pending) -> bool:
    """Whether words that only read like a yes are more likely said to each other than to the bot. Nothing is posted
    below those; whoever may wait for the plan to run is answered on a card of its own."""
    addressed = event.addressed or event.direct
    return not meaning.affirmative and not addressed and others_wrote(turn, pending)


def why_not_by_words(turn: Turn, event: Message, meaning: Interpretation, shown: list[Pending]) -> Say | None:
    """Why these words confirm nothing, or None when they do."""
    pending = shown[0]
    if turn.session.flow is not None and turn.session.flow.asked is not None:
        return say("refuse.asked")
    if len(turn.session.pending) > 1:
        return say("refuse.several", count=len(turn.session.pending))
    if (unclear := _of_something_else(turn, event, meaning)) is not None:
        return unclear
    if (by_button := _by_button_alone(turn, pending)) is not None:
        return by_button
    addressed = event.addressed or event.direct
    if not addressed and not turn.via_card:
        return say("refuse.unaddressed")
    if not addressed and others_wrote(turn, pending):
        return say("refuse.others")
    if turn.session.lock is None and not _names(meaning, pending):
        # A plan beside it has been run since both were shown: a "yes" may come late and be meant for that one.
        return say("refuse.beside", service=pending.entity.name)
    if _high(turn, pending) and not _names(meaning, pending):
        return say("refuse.high", service=pending.entity.name)
    return None


def _of_something_else(turn: Turn, event: Message, meaning: Interpretation) -> Say | None:
    """Why these words are no plain yes to the plan, or may be one to something else."""
    if _goes_on(turn, event):
        return say("walk.plan_first")
    if parking.may_be_meant(turn, event.text):
        return say("refuse.put_aside")
    return None if meaning.affirmative else _unsure(turn, _shown(turn)[0])


def _unsure(turn: Turn, pending: Pending) -> Say:
    """What would confirm the plan, for words that read like a yes: never those that would be refused in their turn."""
    if (by_button := _by_button_alone(turn, pending)) is not None:
        return by_button
    if pending.plan is not None and turn.user is not None:
        problem, _ = _problem(turn, pending, pending.plan, turn.user)
        if problem is not None:
            return problem
    if turn.session.lock is None or _high(turn, pending):
        return say("confirm.unsure_named", service=pending.entity.name)
    return say("confirm.unsure")


def _by_button_alone(turn: Turn, pending: Pending) -> Say | None:
    """Why no words of this person confirm the plan as it stands now, however plain."""
    for holds, key in ((pending.proposed, "proposed"), (pending.unsettled, "unsettled"), (not turn.seen, "unseen")):
        if holds:
            return say(f"refuse.{key}")
    if drifted(turn) and turn.session.lock is not None:
        by = turn.session.people.get(turn.session.lock.by)
        name = (by.name if by else "") or turn.session.lock.by
        return say("refuse.drift_words", name=name, service=label(pending.entity))
    if _outdone(turn, pending):
        asker = pending.plan.requester_name if pending.plan else ""
        return say("refuse.changed", name=asker or pending.requester.key)
    return None


def _outdone(turn: Turn, pending: Pending) -> bool:
    """Whether a plan that this person asked for ended by another's doing since they last wrote here, and the one that
    waits now is not theirs: a "yes" that was on its way is meant for the other."""
    me = turn.user.key if turn.user else ""
    speaker = turn.session.people.get(me)
    if speaker is None or pending.requester.key == me:
        return False
    return any(
        ended.plan is not None
        and ended.plan.requester == me
        and ended.sequence > speaker.spoke
        and ended.by != speaker.name
        for ended in turn.session.ended
    )


def _goes_on(turn: Turn, event: Message) -> bool:
    """Whether a word like "continue" may be meant of the runbook that was read last, and not of the plan."""
    last = turn.session.last_query
    return last is not None and last.intent == "runbook" and move_of(event.text) == "next"


def others_wrote(turn: Turn, pending: Pending) -> bool:
    """Whether anybody but this turn's user has written in the thread since the plan was shown."""
    me = turn.user.key if turn.user else ""
    return any(key != me and speaker.spoke > pending.shown_at for key, speaker in turn.session.people.items())


def _high(turn: Turn, pending: Pending) -> bool:
    """Whether the plan is of high risk, as it was shown or by the rule as it is now."""
    plan = pending.plan
    if plan is None or turn.user is None:
        return False
    ruling = rights.judge(turn, action=plan.action, entity=plan.entity, user=turn.user, role="confirm")
    return ruling.raised(plan.risk) == "high"


def _names(meaning: Interpretation, pending: Pending) -> bool:
    """Whether the words name the plan's own service."""
    return any(service.entity.key == pending.entity.key for name in meaning.names for service in name.matches)


def _agreed(pending: Pending) -> tuple[str, ...]:
    """Who confirmed and approved so far."""
    return (*((pending.confirmer.key,) if pending.confirmer else ()), *pending.approvals)


def _problem(turn: Turn, pending: Pending, plan: Plan, user: User) -> tuple[Say | None, str]:
    """Why this person may not confirm, or approve, this plan now, and the reason for the record."""
    if turn.world.read_only:
        return say("refuse.read_only", why=turn.world.read_only), "read_only"
    role: Role = "approve" if pending.phase == "approving" else "confirm"
    ruling = rights.judge(
        turn,
        action=plan.action,
        entity=plan.entity,
        user=user,
        role=role,
        escalated=pending.escalated,
        also=pending.rooms,
    )
    if not ruling.allowed and ruling.problem is not None:
        return ruling.problem, "policy"
    return freezing.problem(turn, plan, user, _agreed(pending)), "freeze"


def judge(turn: Turn, pending: Pending) -> None:
    """Check the person against policy as it is now; then let the gate record the confirmation."""
    plan, user = pending.plan, turn.user
    if plan is None or user is None:
        return
    approving = pending.phase == "approving"
    problem, reason = _problem(turn, pending, plan, user)
    if problem is not None:
        requests.refuse(turn, problem, reason=reason, service=plan.entity.key, action=plan.action, token=plan.token)
        requests.repeat_prompt(turn)
        return
    effect = turn.effect_id()
    rooms = tuple(dict.fromkeys((*pending.rooms, *rights.further_rooms(turn))))
    turn.record(
        "approval" if approving else "confirmation",
        service=plan.entity.key,
        action=plan.action,
        token=plan.token,
        digest=plan.digest,
    )
    turn.do(
        Judge(
            id=effect,
            thread=turn.session.thread,
            room=turn.session.room,
            user=user,
            token=plan.token,
            digest=plan.digest,
            entity=plan.entity,
            action=plan.action,
            approve=approving,
            lives_ms=turn.world.timing.approval_s * 1000,
            requester=pending.requester.key,
            confirmer=pending.confirmer.key if pending.confirmer else "",
            escalated=pending.escalated,
            rooms=rooms,
            at=turn.room if turn.room != turn.session.room else None,
        )
    )
    pending = msgspec.structs.replace(pending, rooms=rooms)
    if approving:
        requests.replace_pending(turn, pending)
        return
    judging = msgspec.structs.replace(pending, phase="judging", confirmer=user)
    requests.replace_pending(turn, judging)
    title = say("judging", name=turn.name or user.key)
    turn.kill_buttons(plan.token, keep=pending.card)
    turn.draw(pending.card, progress_card(title, turn.language, plan))
