"""What the policy says of whoever a turn is about: in the room of the thread, and in that where they speak or press."""

from __future__ import annotations

from chatops_bot.domain import joint
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.policy import Role, Ruling


def further_rooms(turn: Turn) -> tuple[Room, ...]:
    """Rooms beside the thread's own whose rules this turn has to keep as well."""
    return () if turn.room == turn.session.room else (turn.room,)


def shown_in(turn: Turn) -> tuple[Room, ...]:
    """Rooms that the thread is shown in beside its own."""
    return tuple(mirror.room for mirror in turn.elsewhere.rooms(turn.session))


def may_talk(turn: Turn, user: User) -> Ruling:
    """Whether this person may ask anything at all here."""
    rooms = (turn.session.room, *further_rooms(turn))
    rulings = [turn.world.policy.may_talk(room, user) for room in rooms]
    return next((ruling for ruling in rulings if not ruling.allowed), rulings[0])


def judge(
    turn: Turn,
    *,
    action: str,
    entity: Entity | None,
    user: User,
    role: Role,
    escalated: bool = False,
    also: tuple[Room, ...] = (),
) -> Ruling:
    """Whether this person may play this role here; `also` are rooms whose rules count besides."""
    rooms = (turn.session.room, *further_rooms(turn), *also)
    return joint.judge(
        turn.world.policy, rooms, action=action, entity=entity, user=user, role=role, escalated=escalated
    )
