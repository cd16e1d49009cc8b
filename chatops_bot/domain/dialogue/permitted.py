"""Whether somebody may do something, asked in so many words ("may I restart web?"). Answered from the policy, for the
asker, this room and this entity; what waits, waits on."""

from __future__ import annotations

from chatops_bot.domain import permission
from chatops_bot.domain.cards import Block, Card, Text
from chatops_bot.domain.dialogue import requests
from chatops_bot.domain.dialogue.lock import Doubt, bind, resolve
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import ACTIONS, QUERIES, Interpretation, Request
from chatops_bot.domain.permission import PERMISSION, Permission
from chatops_bot.domain.say import say
from chatops_bot.domain.scopes import READS

MOST = 2
"""Questions answered of one utterance, as of other requests."""


def asked(meaning: Interpretation) -> tuple[Request, ...]:
    """The questions after permission of an utterance."""
    known = (*ACTIONS, *QUERIES, *READS)
    return tuple(r for r in meaning.requests if r.intent == PERMISSION and r.slots.get("action") in known)[:MOST]


def answer(turn: Turn, event: Message, questions: tuple[Request, ...]) -> None:
    """The policy's answer for whoever asks. Only a thread that is about nothing yet becomes about what was asked."""
    lines: list[str] = []
    for question in questions:
        entity = resolve(turn, question, None)
        if isinstance(entity, Doubt):
            turn.reply(line_card(entity.question, turn.language, tone="muted"))
            requests.repeat_prompt(turn)
            return
        if turn.session.lock is None:
            bind(turn, entity)
        lines += _explained(turn, event, str(question.slots["action"]), entity)
    blocks: tuple[Block, ...] = tuple(Text(line) for line in lines)
    title = turn.text(say("explain.title", name=turn.name or event.user.key))
    turn.reply(Card(title=title, language=turn.language, tone="info", blocks=blocks))
    requests.repeat_prompt(turn)


def _explained(turn: Turn, event: Message, action: str, entity: Entity) -> tuple[str, ...]:
    world = turn.world
    about = Permission(action, entity, turn.session.room, event.user, turn.now, world.read_only)
    return permission.explain(world.policy, about, turn.language)
