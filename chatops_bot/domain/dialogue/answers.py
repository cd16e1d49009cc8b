"""Answers that change nothing: courtesy and help."""

from __future__ import annotations

import msgspec

from chatops_bot.domain.actions.registry import ACTIONS
from chatops_bot.domain.dialogue import asking, feedback, freezing, parking, permitted, requests, rights
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.events import Message
from chatops_bot.domain.intents import Interpretation
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import word


def chat(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """One courteous line; a flow that waits is repeated below it. What people say to each other below a card is
    left alone."""
    if turn.via_card and not (event.addressed or event.direct):
        return
    flow = turn.session.flow
    if flow is not None:
        asking.not_understood(turn, flow)
        return
    if feedback.thanked(event.text):
        turn.reply(line_card(say("answer.thanks"), turn.language, tone="muted"))
        return
    lines = (say("answer.greeting"), *parking.reminders(turn))
    card = line_card(say("answer.greeting_title"), turn.language, *lines, tone="muted")
    turn.reply(msgspec.structs.replace(card, buttons=parking.offers(turn)))
    requests.repeat_prompt(turn)


def help_(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """What it can do, and what this person may do here."""
    if questions := permitted.asked(meaning):
        permitted.answer(turn, event, questions)
        return
    language = turn.language
    queries = ", ".join(word(f"intent.{intent}", language) for intent in sorted(requests.ANSWERED))
    actions = ", ".join(word(f"action.{name}", language) for name in ACTIONS)
    lock = turn.session.lock
    lines = [say("help.queries", what=queries), say("help.actions", what=actions), say("help.how")]
    lines += [say("overview.help"), say("runbook.help"), say("incident.help")]
    may, may_not = _permitted(turn, event)
    if may:
        lines.append(say("help.may", what=", ".join(may)))
    if may_not:
        lines.append(say("help.may_not", what=", ".join(may_not)))
    if lock is not None:
        lines += freezing.notes(turn, lock.entity)
    turn.reply(line_card(say("help.title"), language, *lines))
    requests.repeat_prompt(turn)


def _permitted(turn: Turn, event: Message) -> tuple[list[str], list[str]]:
    """Actions this person may confirm on the locked entity, and those not; nothing without a lock."""
    lock = turn.session.lock
    if lock is None:
        return [], []
    may: list[str] = []
    may_not: list[str] = []
    for name in ACTIONS:
        ruling = rights.judge(turn, action=name, entity=lock.entity, user=event.user, role="confirm")
        allowed = ruling.allowed and not turn.world.read_only and freezing.may(turn, name, lock.entity, event.user)
        (may if allowed else may_not).append(f"{word(f'action.{name}', turn.language)} {lock.entity.name}")
    return may, may_not
