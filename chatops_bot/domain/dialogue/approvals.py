"""Where the approvals of a plan stand: who may give them, who has, until when. Reads the session and the policy of this
moment; changes nothing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final

import msgspec

from chatops_bot.domain import joint
from chatops_bot.domain.dialogue import rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.identity import Room, account_in
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.policy import Ruling, counted_approvals, lapsed_approvals
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.scopes import EVERYBODY
from chatops_bot.domain.session import Pending

MENTIONED: Final = 20
"""The most people that one card rings; as many as every platform takes."""

_CLEAR_MS: Final = 12 * 3_600_000

NAMED: Final = 8
"""The most people that a line of a card names; of further ones it says how many."""


def ruling_of(turn: Turn, pending: Pending, plan: Plan) -> Ruling:
    """What the policy says now to whoever confirmed the plan."""
    return joint.judge(
        turn.world.policy,
        (turn.session.room, *pending.rooms),
        action=plan.action,
        entity=plan.entity,
        user=pending.confirmer or pending.requester,
        role="confirm",
        escalated=pending.escalated,
    )


def counted(pending: Pending, ruling: Ruling) -> tuple[str, ...]:
    """The approvals given that count by this ruling."""
    return counted_approvals(ruling, **_own(pending), approvers=pending.approvals)


def _own(pending: Pending) -> dict[str, str]:
    """Those whose own plan it is."""
    return {"requester": pending.requester.key, "confirmer": (pending.confirmer or pending.requester).key}


def awaited(pending: Pending, ruling: Ruling, among: Iterable[str]) -> tuple[str, ...]:
    """Those of `among` (user keys) who could still approve: nobody who has, nor for their own plan. All accounts."""
    done = {ruling.person(key) for key in pending.approvals}
    if not ruling.self_approve:
        done |= {ruling.person(key) for key in _own(pending).values()}
    return tuple(key for key in among if key != EVERYBODY and ruling.person(key) not in done)


def to_ring(turn: Turn, pending: Pending, plan: Plan, *, room: Room | None = None) -> tuple[str, ...]:
    """Ids of the people to be mentioned on the platform of the room (by default the thread's own), one account each."""
    ruling = ruling_of(turn, pending, plan)
    room = room or turn.session.room
    here = (key for key in awaited(pending, ruling, ruling.approvers) if account_in(room, key))
    return tuple(account_in(room, key) for key in ruling.one_each(here))[:MENTIONED]


def ring(turn: Turn, pending: Pending, plan: Plan, card: str) -> None:
    """Have a card that was just drawn mention those who are still to approve, in each room those who can be there."""
    view = turn.card(card)
    if view is not None:
        turn.draw(card, msgspec.structs.replace(view, mention=to_ring(turn, pending, plan)))
    for room in rights.shown_in(turn):
        turn.elsewhere.ring(room, card, to_ring(turn, pending, plan, room=room))


def lines(turn: Turn, pending: Pending, plan: Plan) -> list[Say]:
    """How far it is, who is asked, and how long it waits: for the card that waits for approvals."""
    ruling = ruling_of(turn, pending, plan)
    have = counted(pending, ruling)
    need = max(ruling.approvals, len(have) + (0 if ruling.allowed else 1))
    said = [say("approval.count", name=confirmer_name(turn, pending), have=len(have), need=need)]
    if have:
        said.append(say("approval.given", who=people(turn, have)))
    if lapsed := lapsed_approvals(ruling, **_own(pending), approvers=pending.approvals):
        said.append(say("approval.lapsed", who=people(turn, lapsed)))
    if ruling.allowed and len(have) >= ruling.approvals:
        # So only by rules that have changed since: whatever an approval brings is done at once.
        anybody = have or EVERYBODY in ruling.approvers or awaited(pending, ruling, ruling.approvers)
        said.append(say("approval.enough" if anybody else "approval.enough_nobody"))
    elif EVERYBODY in ruling.approvers:
        said.append(say("approval.anybody" if ruling.self_approve else "approval.anybody_else"))
    elif asked := ruling.one_each(awaited(pending, ruling, ruling.approvers)):
        said.append(say("approval.asked", who=people(turn, asked)))
    later = ruling.one_each(awaited(pending, ruling, ruling.next_approvers))
    if later and pending.escalate_at:
        said.append(say("approval.next", at=clock(pending.escalate_at, turn.now), who=people(turn, later)))
    minutes = max(1, -(-(pending.approve_until - turn.now) // 60_000))
    said.append(say("approval.until", minutes=minutes, until=clock(pending.approve_until, turn.now)))
    return said


def late(turn: Turn, pending: Pending) -> Say:
    """Why a plan that waited for approvals has expired: what it had of what it needed."""
    if pending.plan is None:
        return say("plan.expired")
    ruling = ruling_of(turn, pending, pending.plan)
    have = counted(pending, ruling)
    who = f" ({people(turn, have)})" if have else ""
    return say("approval.expired", have=len(have), need=max(1, ruling.approvals), who=who)


def clock(at: int, now: int) -> str:
    """A moment (ms) as read on a clock, with its day where that is not clear. Whoever reads the card may be anywhere,
    so in UTC."""
    form = "%H:%M UTC" if at - now < _CLEAR_MS else "%Y-%m-%d %H:%M UTC"
    return datetime.fromtimestamp(at / 1000, UTC).strftime(form)


def confirmer_name(turn: Turn, pending: Pending) -> str:
    """Who confirmed, by the name known here."""
    user = pending.confirmer
    return turn.text(say("nobody")) if user is None else _name(turn, user.key)


def people(turn: Turn, keys: tuple[str, ...]) -> str:
    """Their names where they are known here, else what the policy or the platform calls them."""
    named = ", ".join(_name(turn, key) for key in keys[:NAMED])
    return named if len(keys) <= NAMED else f"{named}, +{len(keys) - NAMED}"


def _name(turn: Turn, key: str) -> str:
    speaker = turn.session.people.get(key)
    return (speaker.name if speaker else "") or turn.world.policy.people.owner(key, turn.session.room) or key
