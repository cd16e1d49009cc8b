"""Asking for the approvals of a confirmed plan: once when it was confirmed, once more as a reminder, and those whom the
rule names for when nobody answers. And a rejection's reason, which is words and nothing but words."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.domain.cards import Fields
from chatops_bot.domain.dialogue import approvals, requests, rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import closed_card, line_card
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Interpretation, Route, State
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Pending, Rejection

_REJECTS: Final = re.compile(
    r"\s*(?:i\s+)?(?:reject(?:ed)?|驳回|拒绝)(?:\s+(?:it|this))?\s*(?:[:：,，]|because\b|因为)\s*", re.I
)
_REASON: Final = re.compile(
    rf"{_REJECTS.pattern}|\s*(?:reason|理由|原因)\s*[:：]\s*|\s*(?:because\b|因为|由于)\s*", re.I
)
"""What announces a reason."""

_DECIDES: Final = re.compile(
    r"\W*(?:please\s+)?(?:i\s+)?(?:(?:dis)?approved?|reject(?:ed)?|decline[ds]?)(?:\s+(?:it|this|that|the plan))?\W*|"
    r"\W*我?(?:不?同意|不?批准|驳回|拒绝|审批通过)(?:了|吧|它|这个|该方案|这个方案|方案|执行)*\W*",
    re.I,
)
"""Nothing but an approval or a rejection."""

_TAKES_BACK: Final = re.compile(
    r"\b(?:tak(?:e|ing)|withdraw\w*|revok\w+|retract\w*|rescind\w*|undo\w*|cancel\w*)\s+(?:back\s+)?my\s+approval\b|"
    r"\bno longer approve\b|(?:撤回|收回|撤销|取消|撤掉)我?(?:的|刚才的?)*(?:批准|同意|审批)|把我?的?批准(?:撤|收)",
    re.I,
)

_ASKING: Final = frozenset({Route.HELP, Route.HAND_OFF, Route.REFRESH, Route.QUERY, Route.ACT, Route.ASK})
"""Routes that ask something of the bot: these words are no reason unless they say that they are one."""


def ask(turn: Turn, pending: Pending, plan: Plan) -> None:
    """A plan was just confirmed and needs approvals: those who may give them are mentioned, and the times are fixed at
    which they are reminded and further people are asked."""
    timing = turn.world.timing
    ruling = approvals.ruling_of(turn, pending, plan)
    until = turn.now + timing.approval_s * 1000
    remind_at = turn.now + timing.approval_reminder_s * 1000
    escalate_at = turn.now + ruling.escalate_after * 1000
    waits = msgspec.structs.replace(
        pending,
        phase="approving",
        confirmed_at=turn.now,
        approve_until=until,
        remind_at=remind_at if timing.approval_reminder_s and remind_at < until else 0,
        escalate_at=escalate_at if ruling.next_approvers and escalate_at < until else 0,
    )
    _ring(turn, waits, plan)


def on_time(turn: Turn, pending: Pending) -> None:
    """The reminder and the escalation of a waiting plan, each when its time has come and only once: that it is done
    stands in the session in the same step."""
    plan = pending.plan
    if plan is None or pending.phase != "approving":
        return
    to_the_confirmer(turn, pending)
    minutes = max(1, (turn.now - pending.confirmed_at) // 60_000)
    notes: list[Say] = []
    changed = pending
    if pending.escalate_at and turn.now >= pending.escalate_at:
        changed = msgspec.structs.replace(changed, escalate_at=0)
        ruling = approvals.ruling_of(turn, changed, plan)
        further = ruling.one_each(approvals.awaited(changed, ruling, ruling.next_approvers))
        if further:
            changed = msgspec.structs.replace(changed, escalated=True)
            notes.append(say("approval.escalated", minutes=minutes, who=approvals.people(turn, further)))
            turn.record(
                "decision",
                user="",
                reason="escalated",
                text=", ".join(further),
                service=plan.entity.key,
                action=plan.action,
                token=plan.token,
            )
    if pending.remind_at and turn.now >= pending.remind_at:
        changed = msgspec.structs.replace(changed, remind_at=0)
        notes.append(say("approval.reminder", minutes=minutes))
    if notes:
        # Whoever is asked now is also told how long it has waited: no second line for that.
        _ring(turn, changed, plan, notes=tuple(notes[:1]))
    elif changed is not pending:
        requests.replace_pending(turn, changed)


def _ring(turn: Turn, pending: Pending, plan: Plan, *, notes: tuple[Say, ...] = ()) -> None:
    """Show the plan on a card of its own at the end of the thread, which mentions whoever is still to approve. A card
    that is only changed rings nobody. Where there is nobody to mention, its own card will do if it is the last."""
    rooms = (turn.session.room, *rights.shown_in(turn))
    asked = any(approvals.to_ring(turn, pending, plan, room=room) for room in rooms)
    card = requests.at_the_end(turn, pending, plan, anew=bool(asked or notes))
    waits = msgspec.structs.replace(pending, card=card, rung_at=turn.now)
    requests.replace_pending(turn, waits)
    requests.show_plan(turn, waits, plan, card=card, notes=notes)


def to_the_confirmer(turn: Turn, pending: Pending) -> None:
    """What follows is said in the language of whoever confirmed."""
    confirmer = turn.session.people.get(pending.confirmer.key if pending.confirmer else "")
    turn.language = confirmer.language if confirmer else turn.language


def reject(turn: Turn, pending: Pending, plan: Plan) -> None:
    """End the plan at once; its reason may follow in words of the same person."""
    user = turn.user
    if user is None:
        return
    requests.drop(turn, pending, "rejected", say("approval.rejected", name=turn.name or user.key))
    turn.set(rejection=Rejection(by=user.key, pending=pending))


def reason_given(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Take the words of whoever has just rejected a plan as the reason for it. True when they were; they do nothing
    else then. Whatever that person says instead leaves the rejection without a reason."""
    rejection = turn.session.rejection
    if rejection is None or rejection.by != event.user.key:
        return False
    turn.set(rejection=None)
    announced = _REASON.match(event.text)
    busy = bool(turn.session.pending or turn.session.flow)
    wanted = bool(meaning.requests) or meaning.route in _ASKING
    if announced is None and (busy or wanted):
        return False
    text = " ".join((event.text[announced.end() :] if announced else event.text).split())[:500]
    plan = rejection.pending.plan
    if not text or plan is None:
        return False
    turn.route = "reason"
    name = turn.name or event.user.key
    turn.record(
        "decision",
        reason="rejection reason",
        text=text,
        service=plan.entity.key,
        action=plan.action,
        token=plan.token,
    )
    card = closed_card(rejection.pending, "rejected", say("plan.rejected", name=name), turn.language)
    why = Fields(((turn.text(say("approval.reason", name=name)), text),))
    turn.draw(rejection.pending.card, msgspec.structs.replace(card, blocks=(*card.blocks, why)))
    turn.reply(line_card(say("approval.reason_noted"), turn.language, tone="muted"))
    return True


def rejected_by_words(turn: Turn, event: Message) -> bool:
    """Words that reject a waiting plan: it waits on, and they are told what rejects it. True when they were."""
    waits = requests.waiting(turn)
    if not any(pending.phase == "approving" for pending in waits) or not _REJECTS.match(event.text):
        return False
    turn.route = Route.UNCLEAR.value
    requests.show_again(turn, say("approval.by_button"), in_place=not (event.addressed or event.direct))
    return True


def decided_by_words(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Words about an approval that are not where they do something: where no plan waits they are shown to its card, and
    an approval cannot be taken back by any. True when they were of that kind."""
    waits = requests.waiting(turn)
    addressed = event.addressed or event.direct
    takes_back = _TAKES_BACK.search(event.text) is not None
    if any(pending.phase == "approving" for pending in waits) and takes_back:
        turn.route = Route.UNCLEAR.value
        requests.show_again(turn, say("approval.not_back"), in_place=not addressed)
        return True
    if turn.session.state not in (State.IDLE, State.FOLLOW_UP) or not (addressed or turn.via_card):
        return False
    reason = meaning.route is Route.CHAT and _REASON.match(event.text) is not None
    if not takes_back and not reason and _DECIDES.fullmatch(event.text) is None:
        return False
    turn.route = Route.CHAT.value
    turn.reply(line_card(say("approval.elsewhere_title"), turn.language, say("approval.elsewhere"), tone="muted"))
    return True
