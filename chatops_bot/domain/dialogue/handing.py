"""A person takes over: whoever is to have the thread is called, and the bot only takes notes in it until it is brought
back. What was pending is void; buttons that change something are dead meanwhile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue import asking, handing_words, parking, requests, rights, subscribing
from chatops_bot.domain.dialogue.approvals import clock
from chatops_bot.domain.dialogue.handing_card import (
    card_of,
    open_lines,
    summary_of,
    title_of,
    unassigned_lines,
)
from chatops_bot.domain.dialogue.handing_to import Target, Whom, chosen, ids, keys, of_thread, of_words
from chatops_bot.domain.dialogue.lock import bind
from chatops_bot.domain.dialogue.turn import Turn
from chatops_bot.domain.dialogue.views import line_card
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.incidents import NAME, kept
from chatops_bot.domain.intents import ACTIONS, Interpretation, SlotValue, State
from chatops_bot.domain.objects import span
from chatops_bot.domain.say import Say, say
from chatops_bot.domain.session import Assigned, Flow, Handed, Session, Summary
from chatops_bot.domain.texts import word

INTENT: Final = "hand_off"
SLOT: Final = "to"

REASON: Final = 300
"""Characters of what was said that are kept as the reason."""

TOLD_MS: Final = 600_000
"""For so long whoever was told that only notes are taken is not told again, unless they ask for something."""

MOST_TOLD: Final = 20

_DEAD: Final = frozenset({*ACTIONS, "undo", "walk", "choose", "take_up"})
"""Buttons that do nothing while a person has the thread. Those of plans are void, since there is none."""


def asked(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """Somebody asks for a person: to whoever they mean. Where that cannot be told, it is asked, and nothing that was
    pending survives the question."""
    whom = of_words(turn, event, meaning)
    reason = kept(event.text, REASON)
    services = {service.entity.key: service.entity for name in meaning.names for service in name.matches}
    if turn.session.lock is None and len(services) == 1:
        bind(turn, next(iter(services.values())))
    beside = dict.fromkeys(request.intent for request in meaning.requests if request.intent not in ("", INTENT))
    if beside:
        turn.first(say("left_out", what=", ".join(word(f"intent.{intent}", turn.language) for intent in beside)))
    if whom.asks and turn.session.state is not State.EXECUTING:
        _ask(turn, whom, reason)
    else:
        _hand_over(turn, whom, reason)


def pressed(turn: Turn, event: Click, rest: str) -> None:
    """The same by a button, which names nobody."""
    if turn.session.handed_off:
        _already(turn)
        return
    whom = of_thread(turn)
    if whom.asks and turn.session.state is not State.EXECUTING:
        _ask(turn, whom, "")
    else:
        _hand_over(turn, whom, "")


def go_on(turn: Turn, flow: Flow) -> None:
    """What was given to the question to whom it is to go, or that question again."""
    said = str(flow.slots.get(SLOT, ""))
    found = chosen(turn, said)
    if found is not None or said:
        turn.set(flow=None)
        _hand_over(turn, Whom((found,)) if found is not None else Whom(unknown=said), flow.reason)
    elif turn.session.flow is not None:
        asking.not_understood(turn, flow)
    else:
        _ask(turn, of_thread(turn), flow.reason)


def named(turn: Turn, event: Message, meaning: Interpretation) -> bool:
    """Take somebody who is mentioned, or named in so many words, as the answer to that question. True when it was."""
    flow = turn.session.flow
    if flow is None or flow.intent != INTENT or turn.session.state is not State.COLLECTING:
        return False
    whom = of_words(turn, event, meaning) if event.mentioned else Whom()
    found = whom.targets or tuple(filter(None, [chosen(turn, handing_words.only_name(event.text))]))
    if len(found) != 1:
        return False
    turn.route = "provide"
    _hand_over(turn, Whom(found), flow.reason)
    return True


def take(turn: Turn, event: Click, rest: str) -> None:
    """Whoever presses has it from now on."""
    _take(turn)


def give_back(turn: Turn, event: Click, rest: str) -> None:
    """The bot is back, by a button."""
    _resume(turn)


def resumed(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """The bot is back, by words."""
    _resume(turn)


def _resume(turn: Turn) -> None:
    """It says who had it, for how long, and what is open."""
    handed, assigned = turn.session.handed, turn.session.assigned_to
    if not turn.session.handed_off:
        turn.reply(line_card(say("handed.over_already"), turn.language, tone="muted"))
        return
    lines: list[Say] = []
    if handed is not None:
        held = span(turn.now - (assigned.since if assigned is not None and handed.taken else handed.at))
        key = "handed.back_had" if handed.taken else "handed.back_untaken"
        lines.append(say(key, who=handed.who, span=held, notes=handed.notes))
    turn.record("decision", reason="resumed", service=_service(turn), parameters=_noted(handed))
    _end(turn, say("handed.given_back", name=_who(turn)))
    turn.reply(line_card(say("handed.back"), turn.language, *lines, *open_lines(turn), tone="ok"))


def note(turn: Turn, event: Message, meaning: Interpretation) -> None:
    """Taken down; the window has it. Only who speaks to the bot is told that it does nothing, and who asks for nothing
    only now and then."""
    handed = turn.session.handed
    addressed = event.addressed or event.direct
    if handed is None:
        if addressed:
            turn.reply(line_card(say("handed.noted"), turn.language, tone="muted"))
        return
    if addressed and handing_words.TAKES.fullmatch(event.text):
        turn.route = "take"
        _take(turn)
        return
    wishes = [request for request in meaning.requests if request.intent in subscribing.INTENTS]
    if addressed and wishes:
        subscribing.asked(turn, wishes[0])
        return
    handed = msgspec.structs.replace(handed, notes=handed.notes + 1)
    last = handed.told.get(event.user.key)
    if addressed and (meaning.requests or last is None or turn.now - last >= TOLD_MS):
        others = {key: at for key, at in handed.told.items() if key != event.user.key}
        told = dict([*others.items(), (event.user.key, turn.now)][-MOST_TOLD:])
        handed = msgspec.structs.replace(handed, told=told)
        said = say("handed.noted_to", who=handed.who) if handed.who else say("handed.noted")
        turn.reply(line_card(said, turn.language, tone="muted"))
    turn.set(handed=handed)


def withheld(turn: Turn, button: str) -> bool:
    """Say no to a button that would change something while a person has the thread. True when it was one."""
    if not turn.session.handed_off or button not in _DEAD:
        return False
    handed = turn.session.handed
    who = handed.who if handed is not None and handed.who else "handed.somebody"
    requests.refuse(turn, say("handed.dead", who=who), reason="handed_off", action=button)
    return True


def deadlines(session: Session) -> list[int]:
    """When something is to be done about a hand-off, ms. It does not end while a change is carried out."""
    handed = session.handed
    if handed is None:
        return []
    ends_at = 0 if session.pending else session.touched + handed.keep_ms
    return [at for at in (handed.remind_at, handed.tell_at, ends_at) if at]


def on_time(turn: Turn) -> None:
    """Call once more, tell the room, or end what nobody speaks in any more."""
    handed = turn.session.handed
    if handed is None:
        return
    if turn.now >= turn.session.touched + handed.keep_ms and not turn.session.pending:
        _close_card(turn, say("handed.lapsed", hours=max(1, handed.keep_ms // 3_600_000)))
        lock = turn.session.lock
        turn.archive(
            Summary(
                thread=turn.session.thread,
                at=turn.now,
                entity=handed.entity or (lock.entity if lock is not None else None),
                outcome="handed_off",
            )
        )
        turn.set(handed_off="", handed=None, assigned_to=None)
        return
    minutes = max(1, (turn.now - handed.at) // 60_000)
    if handed.tell_at and turn.now >= handed.tell_at:
        key = "handed.untaken" if handed.who else "handed.untaken_nobody"
        _again(turn, msgspec.structs.replace(handed, remind_at=0, tell_at=0), say(key, who=handed.who, minutes=minutes))
    elif handed.remind_at and turn.now >= handed.remind_at:
        _again(turn, msgspec.structs.replace(handed, remind_at=0), say("handed.reminder", minutes=minutes), rings=True)


def _ask(turn: Turn, whom: Whom, reason: str) -> None:
    if turn.user is None:
        return
    _void(turn)
    notes = (say("handed.unknown", name=whom.unknown),) if whom.unknown else ()
    flow = Flow(intent=INTENT, requester=turn.user, reason=reason)
    asking.ask(turn, flow, (SLOT,), say("ask.to"), *notes, choices=whom.offered)


def _void(turn: Turn) -> None:
    """What was under way, or was to come after it, is put aside; plans are void."""
    flow = turn.session.flow
    waits = (*((flow,) if flow is not None and flow.intent != INTENT else ()), *turn.session.queued)
    turn.set(flow=None, queued=())
    for kept_aside in waits:
        if kept_aside.intent in ACTIONS:
            parking.park(turn, kept_aside)
    parking.park_plans(turn)
    requests.drop_all(turn, "left", say("plan.left"))


def _hand_over(turn: Turn, whom: Whom, reason: str) -> None:
    _void(turn)
    oncall, lock = turn.world.oncall, turn.session.lock
    who = ", ".join(one.name for one in whom.targets)
    to_self = len(whom.targets) == 1 and turn.user is not None and whom.targets[0].key == turn.user.key
    remind_ms = 0 if to_self else oncall.reminder_s * 1000
    to = keys(turn, whom.targets)
    rung = {room: ids(turn, to, room) for room in (turn.session.room, *rights.shown_in(turn))}
    handed = Handed(
        card=turn.new_card(),
        at=turn.now,
        by=turn.user.key if turn.user is not None else "",
        name=_who(turn),
        to=to,
        who=who,
        entity=lock.entity if lock is not None else None,
        taken=to_self,
        # Where nobody can be called, there is nobody to be called once more.
        remind_at=turn.now + remind_ms if remind_ms and any(rung.values()) else 0,
        tell_at=turn.now + remind_ms * (2 if any(rung.values()) else 1) if remind_ms else 0,
        keep_ms=oncall.keep_s * 1000,
    )
    turn.set(handed_off=reason or "-", handed=handed, used=True)
    _assign(turn, _assigned(turn, whom.targets, by=handed.by))
    turn.record(
        "decision",
        reason="hand_off",
        service=_service(turn),
        text=reason,
        parameters={"to": ", ".join(handed.to)} if handed.to else {},
    )
    card = card_of(turn, handed, summary_of(turn), title=title_of(handed))
    if not any(rung.values()) and not to_self:
        card = unassigned_lines(turn, card, who, whom.unknown)
    _show(turn, handed, card, rung={} if to_self else rung)


def _show(turn: Turn, handed: Handed, card: Card, *, rung: Mapping[Room, tuple[str, ...]]) -> None:
    """The card of the hand-off, which calls these people: one that is only changed calls nobody."""
    turn.answer_card = handed.card
    turn.draw(handed.card, msgspec.structs.replace(card, mention=rung.get(turn.session.room, ())))
    for room in rights.shown_in(turn):
        turn.elsewhere.ring(room, handed.card, rung.get(room, ()))


def _again(turn: Turn, handed: Handed, note: Say, *, rings: bool = False) -> None:
    """The card once more, at the end of the thread."""
    over = card_of(turn, handed, (), say("handed.moved"), title=title_of(handed), tone="muted", live=False)
    turn.draw(handed.card, over)
    turn.root = turn.session.roots.get(handed.card, "")
    handed = msgspec.structs.replace(handed, card=turn.new_card())
    turn.set(handed=handed)
    turn.record(
        "decision", user="", reason="hand_off reminder" if rings else "hand_off untaken", service=_service(turn)
    )
    rooms = (turn.session.room, *rights.shown_in(turn)) if rings else ()
    card = card_of(turn, handed, open_lines(turn), note, title=title_of(handed))
    _show(turn, handed, card, rung={room: ids(turn, handed.to, room) for room in rooms})


def _take(turn: Turn) -> None:
    handed, assigned, user = turn.session.handed, turn.session.assigned_to, turn.user
    if handed is None or user is None:
        turn.reply(line_card(say("handed.over_already"), turn.language, tone="muted"))
        return
    if handed.taken and assigned is not None and assigned.who == user.key:
        _already(turn)
        return
    handed = msgspec.structs.replace(handed, taken=True, to=(user.key,), who=_who(turn), remind_at=0, tell_at=0)
    turn.set(handed=handed)
    _assign(turn, _assigned(turn, (Target(user.key, _who(turn)),), by=handed.by))
    turn.record("decision", reason="taken", service=_service(turn))
    taken = say("handed.taken", name=_who(turn), at=clock(turn.now, turn.now))
    turn.draw(handed.card, card_of(turn, handed, summary_of(turn), taken, title=title_of(handed), tone="info"))


def _already(turn: Turn) -> None:
    handed = turn.session.handed
    who = handed.who if handed is not None and handed.who else "handed.somebody"
    turn.reply(line_card(say("handed.already", who=who), turn.language, tone="muted"))


def _end(turn: Turn, note: Say) -> None:
    """Nobody has the thread any more; its card says so."""
    _close_card(turn, note)
    _assign(turn, None)
    turn.set(handed_off="", handed=None)


def _close_card(turn: Turn, note: Say) -> None:
    handed = turn.session.handed
    if handed is not None:
        over = card_of(turn, handed, (), note, title=say("handed.title_over"), tone="muted", live=False)
        turn.draw(handed.card, over)


def _assigned(turn: Turn, targets: Sequence[Target], *, by: str) -> Assigned | None:
    if not targets:
        return None
    name = ", ".join(one.name for one in targets)
    group = len(targets) > 1 or targets[0].group
    return Assigned(who=name if group else targets[0].key, since=turn.now, by=by, name=name, group=group)


def _assign(turn: Turn, assigned: Assigned | None) -> None:
    """Of the thread, and of the incident that it belongs to."""
    turn.set(assigned_to=assigned)
    if turn.session.incident:
        turn.chronicle.set(turn.session.incident, assignee=kept(assigned.name, NAME) if assigned is not None else "")


def entry(turn: Turn, before: Session) -> Say | None:
    """What this turn has done to the hand-off, as the timeline of an incident has it."""
    handed, session = turn.session.handed, turn.session
    if session.archived:
        return None
    if bool(before.handed_off) != bool(session.handed_off):
        if not session.handed_off:
            return say("incident.entry.back")
        return (
            say("incident.entry.handed_to", who=handed.who) if handed and handed.who else say("incident.entry.handed")
        )
    earlier = before.handed
    if handed is None or earlier is None or not handed.taken or (earlier.taken and earlier.to == handed.to):
        return None
    return say("incident.entry.taken", who=handed.who)


def _noted(handed: Handed | None) -> dict[str, SlotValue]:
    return {"notes": handed.notes} if handed is not None else {}


def _service(turn: Turn) -> str:
    lock = turn.session.lock
    return lock.entity.key if lock is not None else ""


def _who(turn: Turn) -> str:
    return turn.name or (turn.user.key if turn.user is not None else turn.text(say("nobody")))
