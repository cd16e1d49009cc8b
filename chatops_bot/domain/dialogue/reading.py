"""Having something read beside the turn; the answer goes to the card that promised it."""

from __future__ import annotations

from chatops_bot.domain.charts import AlertSource
from chatops_bot.domain.dialogue import rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import User
from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.session import Asking


def have_read(
    turn: Turn,
    card: str,
    intent: str,
    user: User,
    entity: Entity | None,
    *,
    slots: dict[str, SlotValue],
    logs: bool = True,
    alert: AlertSource | None = None,
) -> None:
    """Ask for it, and remember which card waits. A `user` without an id is nobody: an alert asks by itself."""
    effect = turn.effect_id()
    by = user.key if user.id else ""
    asking = Asking(card=card, intent=intent, user=by, language=turn.language, entity=entity)
    turn.set(queries={**turn.session.queries, effect: asking})
    turn.do(
        Query(
            id=effect,
            thread=turn.session.thread,
            room=turn.session.room,
            user=user,
            intent=intent,
            entity=entity,
            slots=slots,
            alert=alert,
            logs=logs,
            rooms=rights.shown_in(turn),
        )
    )
