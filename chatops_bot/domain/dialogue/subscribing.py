"""Being told of changes: whoever asks for it is mentioned at the turning points of the conversation, and nothing else,
never more often than its gaps allow. A subscription stays with the card when the session ends: what is followed
afterwards (alerts, a rollout) is told to it as before. Where it is taken up again by an answer to its card, it goes on
there as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import msgspec

from chatops_bot.domain.cards import Button, Note, Text
from chatops_bot.domain.dialogue import requests, rights
from chatops_bot.domain.dialogue.alert_card import moment, names_of
from chatops_bot.domain.dialogue.turn import Turn, label
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.effects import Enlist
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import AlertGroup, Click, Enlisted, Event, Executed, Followed
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Request
from chatops_bot.domain.memory import RAN
from chatops_bot.domain.plans import WORK_S
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Session, Summary
from chatops_bot.domain.subscribers import HOLDS_MS, MOST, MOST_NEWS, Subscriber
from chatops_bot.domain.texts import word

INTENT: Final = "subscribe"
STOP: Final = "unsubscribe"
INTENTS: Final = frozenset({INTENT, STOP})


def asked(turn: Turn, request: Request) -> None:
    """Somebody wants to be told, or no more."""
    if request.intent == STOP:
        _stop(turn)
    else:
        _start(turn, request)


def pressed(turn: Turn, event: Click, rest: str) -> None:
    """The button of whoever wants no more, on a conversation that goes on or has ended."""
    _stop(turn)


def enlisted(turn: Turn, event: Enlisted) -> None:
    """Somebody asked for it, or for no more, in the conversation that goes on with this one's card."""
    others = tuple(one for one in turn.session.subscribers if one.user.key != event.subscriber.user.key)
    turn.set(subscribers=others if event.stop else (*others, event.subscriber)[-MOST:])


def taken_over(turn: Turn, summary: Summary) -> None:
    """Whoever had subscribed to the conversation that this one goes on with; and whether its rollout is still followed
    there."""
    until = summary.at + (turn.world.timing.follow_s + WORK_S) * 1000
    follows = summary.outcome in ("done", "working") and turn.now < until
    live = tuple(one for one in summary.subscribers if one.until > turn.now)
    turn.set(subscribers=live, follows=summary.thread if follows else "", follows_until=until if follows else 0)


def tell(turn: Turn, event: Event, before: Session) -> None:
    """Tell subscribers what this turn has come to, if it is a turning point."""
    if not turn.session.subscribers:
        return
    said = tuple(_points(turn, event, before))
    if not said:
        return
    news = turn.session.news
    turn.set(news=msgspec.structs.replace(news, said=(*news.said, *said)[-MOST_NEWS:]))
    if turn.now >= news.due:
        _ring(turn, but=_by(turn, event, before))


def on_time(turn: Turn) -> None:
    """What came too soon after the last mention is told now."""
    news = turn.session.news
    if news.said and turn.now >= news.due:
        _ring(turn, but="")


def wake_at(session: Session) -> int:
    """When there is something to be told, ms; 0 for never."""
    return session.news.due if session.news.said and session.subscribers else 0


def _start(turn: Turn, request: Request) -> None:
    user, lock = turn.user, turn.session.lock
    if user is None:
        return
    turn.set(used=True)
    other = _other(turn, request)
    what = list(_under_way(turn))
    if other is not None and lock is not None:
        notes = (say("subscribe.other", service=label(lock.entity), other=label(other)),)
        turn.reply(line_card(say("subscribe.nothing"), turn.language, *notes, tone="muted"))
        return
    if not what:
        notes = (say("subscribe.nothing_how"),)
        turn.reply(line_card(say("subscribe.nothing"), turn.language, *notes, tone="muted"))
        return
    others = tuple(one for one in turn.session.subscribers if one.user.key != user.key and one.until > turn.now)
    if len(others) >= MOST:
        turn.reply(line_card(say("subscribe.full", most=MOST), turn.language, tone="warn"))
        return
    name = turn.name or user.key
    mine = Subscriber(user=user, until=turn.now + HOLDS_MS, name=name, language=turn.language)
    turn.set(subscribers=(*others, mine), news=msgspec.structs.replace(turn.session.news, root=turn.root))
    _elsewhere(turn, mine)
    turn.record("decision", reason="subscribed", service=lock.entity.key if lock is not None else "")
    listed = ", ".join(turn.text(one) for one in what)
    lines = (say("subscribe.of", what=listed), say("subscribe.until", until=moment(mine.until, turn.now)))
    card = line_card(say("subscribe.done", name=name), turn.language, *lines)
    turn.reply(msgspec.structs.replace(card, buttons=(_button(turn),)))
    requests.repeat_prompt(turn)


def _stop(turn: Turn) -> None:
    user = turn.user
    if user is None:
        return
    mine = next((one for one in turn.session.subscribers if one.user.key == user.key), None)
    name = turn.name or user.key
    if mine is None and not turn.session.group and not turn.session.follows:
        how = say("subscribe.none_how")
        turn.reply(line_card(say("subscribe.none", name=name), turn.language, how, tone="muted"))
        return
    turn.set(subscribers=tuple(one for one in turn.session.subscribers if one is not mine))
    _elsewhere(turn, mine or Subscriber(user=user, until=0), stop=True)
    turn.record("decision", reason="unsubscribed")
    turn.reply(line_card(say("subscribe.over", name=name), turn.language, tone="muted"))
    requests.repeat_prompt(turn)


def _other(turn: Turn, request: Request) -> Entity | None:
    """The service that is named, where the conversation is about another."""
    lock, name = turn.session.lock, request.name
    if lock is None or name is None or len(name.matches) != 1:
        return None
    entity = name.matches[0].entity
    return entity if entity.key != lock.entity.key else None


def _under_way(turn: Turn) -> Iterator[Say]:
    """What of this conversation can still change."""
    session = turn.session
    alert = session.alert
    if (alert is not None and not alert.closed_at and not alert.moved) or session.group:
        yield say("subscribe.alerts")
    if session.pending:
        yield say("subscribe.plans")
    if session.pending or (session.follows and turn.now < session.follows_until):
        yield say("subscribe.rollout")
    incident = turn.chronicle.known.get(session.incident)
    if incident is not None and not incident.resolved:
        yield say("subscribe.incident")
    if session.handed_off:
        yield say("subscribe.handed")


def _elsewhere(turn: Turn, subscriber: Subscriber, *, stop: bool = False) -> None:
    """Have it entered where the alerts of this card, or the rollout of before, are still followed."""
    session = turn.session
    places = [(f"alert:{session.group}", "")] if session.group else []
    if session.follows and turn.now < session.follows_until:
        places.append(("", session.follows))
    for card, thread in places:
        turn.do(
            Enlist(
                id=turn.effect_id(),
                thread=session.thread,
                room=session.room,
                card=card,
                to=thread,
                subscriber=subscriber,
                stop=stop,
            )
        )


def _points(turn: Turn, event: Event, before: Session) -> Iterator[Say]:
    """Turning points of this turn."""
    session = turn.session
    if isinstance(event, AlertGroup):
        yield from _alerts(before, session)
    elif isinstance(event, Executed):
        yield from _executed(before, session)
    elif isinstance(event, Followed):
        yield from _followed(session, event)
    for change in turn.chronicle.changes():
        if change.id == session.incident and "status" in change.facts and not change.opens:
            yield say("news.incident", id=change.id, status=f"incident.status.{change.facts['status']}")
    yield from _handed(before, session)


def _handed(before: Session, session: Session) -> Iterator[Say]:
    was, now = before.handed, session.handed
    if before.handed_off and not session.handed_off:
        yield say("news.back")
    elif was is not None and now is not None and now.taken and (not was.taken or was.to != now.to):
        yield say("news.taken", who=now.who)


def _alerts(before: Session, session: Session) -> Iterator[Say]:
    was, now = before.alert, session.alert
    if was is None or now is None or now.moved:
        return
    if now.closed_at and not was.closed_at:
        yield say("news.resolved", what=names_of(was))
    elif was.closed_at and not now.closed_at:
        yield say("news.fires", what=names_of(now))


def _executed(before: Session, session: Session) -> Iterator[Say]:
    earlier = {ended.token for ended in before.ended}
    for ended in session.ended:
        if ended.token not in earlier and ended.plan is not None and ended.outcome in RAN:
            yield _outcome(ended.plan.action, ended.plan.entity, ended.outcome)


def _followed(session: Session, event: Followed) -> Iterator[Say]:
    ended = next((one for one in session.ended if one.token == event.token), None)
    if ended is not None and ended.plan is not None and event.again is None:
        outcome = "timeout" if not event.finished else "failed" if event.failed else "verified"
        yield _outcome(ended.plan.action, ended.plan.entity, outcome)


def _outcome(action: str, entity: Entity, outcome: str) -> Say:
    return say("news.executed", action=f"action.{action}", service=label(entity), outcome=f"outcome.{outcome}")


def _by(turn: Turn, event: Event, before: Session) -> str:
    """Who has done it, and knows."""
    if isinstance(event, Executed):
        pending = next((one for one in before.pending if one.token == event.token), None)
        return (pending.confirmer or pending.requester).key if pending is not None else ""
    return turn.user.key if turn.user is not None else ""


def _ring(turn: Turn, *, but: str) -> None:
    """A card of its own that mentions them, since one that is only changed mentions nobody."""
    session = turn.session
    entity = _about(session)
    live = tuple(one for one in session.subscribers if one.until > turn.now)
    heard = [
        one
        for one in live
        if one.user.key != but and rights.judge(turn, action="read", entity=entity, user=one.user, role="read").allowed
    ]
    news = session.news
    if not heard:
        turn.set(subscribers=live, news=msgspec.structs.replace(news, said=()))
        return
    turn.set(subscribers=live, news=msgspec.structs.replace(news, said=(), rung=news.rung + 1, rung_at=turn.now))
    turn.language = heard[0].language
    card = line_card(news.said[-1], turn.language)
    earlier = tuple(Text(turn.text(line)) for line in news.said[:-1])
    card = msgspec.structs.replace(
        card,
        blocks=(*earlier, *card.blocks, Note(turn.text(say("news.why")))),
        buttons=(_button(turn),),
        mention=_ids(heard, session.room),
    )
    turn.root = news.root
    card_id = turn.new_card()
    turn.draw(card_id, card)
    for room in rights.shown_in(turn):
        turn.elsewhere.ring(room, card_id, _ids(heard, room))


def _about(session: Session) -> Entity | None:
    """What it is about, also where it has ended."""
    if session.lock is not None:
        return session.lock.entity
    plan = session.ended[-1].plan if session.ended else None
    return session.alert.entity if session.alert is not None else plan.entity if plan is not None else None


def _ids(heard: list[Subscriber], room: Room) -> tuple[str, ...]:
    """Their ids on the platform of the room, of those who can be there."""
    return tuple(
        one.user.id
        for one in heard
        if one.user.platform == room.platform and (one.user.foreign or one.user.tenant == room.tenant)
    )


def _button(turn: Turn) -> Button:
    return Button(STOP, word(f"button.{STOP}", turn.language))
