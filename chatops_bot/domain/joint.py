"""The policy for what happens in more than one room: the rules of each have to allow it.

A card that is shown in two rooms may be pressed in either, and what it does is done in both. So a person needs the
right in the room in which they press and in the one where the card is at home; and what only one of them asks for
(approvals, a limit, a higher risk) is asked for.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import msgspec

from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Limits, Policy, Role, Ruling, key_of
from chatops_bot.domain.risks import RISKS, Risk
from chatops_bot.domain.say import Say
from chatops_bot.domain.scopes import EVERYBODY


def judge(
    policy: Policy,
    rooms: Iterable[Room],
    *,
    action: str,
    entity: Entity | None,
    user: User,
    role: Role,
    escalated: bool = False,
) -> Ruling:
    """As `Policy.judge`, for all of these rooms: the first refusal, or what the strictest of them allow."""
    all_rooms = tuple(dict.fromkeys(rooms))
    rulings = [
        policy.judge(action=action, entity=entity, room=room, user=user, role=role, escalated=escalated)
        for room in all_rooms
    ]
    if len(rulings) == 1:
        return rulings[0]
    rulings = [_known_in(ruling, all_rooms) for ruling in rulings]
    return next((ruling for ruling in rulings if not ruling.allowed), None) or reduce(_both, rulings)


def freeze_problem(
    policy: Policy,
    rooms: Iterable[Room],
    *,
    action: str,
    entity: Entity,
    now: int,
    by: tuple[str, ...],
    reason: str,
) -> Say | None:
    """As `Policy.freeze_problem`, for all of these rooms: the first that there is."""
    problems = (
        policy.freeze_problem(action=action, entity=entity, room=room, now=now, by=by, reason=reason)
        for room in dict.fromkeys(rooms)
    )
    return next((problem for problem in problems if problem is not None), None)


def _known_in(ruling: Ruling, rooms: tuple[Room, ...]) -> Ruling:
    """The same with people known by their accounts in all of the rooms, whichever of these they are of."""

    def keys(entries: tuple[str, ...]) -> tuple[str, ...]:
        for room in rooms:
            entries = tuple(key_of(entry, room) for entry in entries)
        return tuple(dict.fromkeys(entries))

    return msgspec.structs.replace(
        ruling, approvers=keys(ruling.approvers), next_approvers=keys(ruling.next_approvers), further=rooms
    )


def _both(one: Ruling, other: Ruling) -> Ruling:
    """What both allow. Which rule it was is told of the first."""
    return msgspec.structs.replace(
        one,
        approvals=max(one.approvals, other.approvals),
        self_approve=one.self_approve and other.self_approve,
        limits=_lower(one.limits, other.limits),
        approvers=_common(one.approvers, other.approvers),
        next_approvers=_common(one.next_approvers, other.next_approvers),
        escalate_after=max(one.escalate_after, other.escalate_after),
        risk=_higher(one.risk, other.risk),
    )


def _lower(one: Limits, other: Limits) -> Limits:
    known = [limits.max_replicas for limits in (one, other) if limits.max_replicas is not None]
    return Limits(max_replicas=min(known, default=None))


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    if EVERYBODY in one:
        return other
    return one if EVERYBODY in other else tuple(key for key in one if key in other)


def _higher(one: Risk | None, other: Risk | None) -> Risk | None:
    return max((risk for risk in (one, other) if risk is not None), key=RISKS.index, default=None)
