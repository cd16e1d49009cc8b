"""A small bot of its own for the torture: a session that logs what it saw, and a pure `decide`.

It has what can go wrong in the real one: messages that are answered by a card, plans that are prepared,
confirmed by a click, executed once and told, plans that expire, threads that are left and that end.
"""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from chatops_bot.domain import routing
from chatops_bot.domain.identity import Room
from chatops_bot.domain.routing import Heard, Verdict
from chatops_bot.ports.store import Arrival

PLAN_LIVES_MS = 2_500

Kind = Literal["say", "act", "bye", "click", "left", "prepared", "judged", "executed", "timer"]


class Event(msgspec.Struct, omit_defaults=True):
    """A delivery, or a result. `type` is what the store's timer events have too."""

    type: Kind
    id: str = ""
    room: str = ""
    user: str = ""
    target: str = ""
    token: str = ""
    thread: str = ""
    leaves: bool = False
    ok: bool = False
    outcome: str = ""


class Plan(msgspec.Struct):
    token: str
    target: str
    expires: int


class Session(msgspec.Struct):
    """`log`: every event decided, with its arrival number. `outcomes`: what was told of each plan."""

    log: list[tuple[str, int]] = []
    state: str = "idle"
    plan: Plan | None = None
    waits_for: str = ""
    cards: int = 0
    lock: str = ""
    outcomes: list[tuple[str, str]] = []


class Effect(msgspec.Struct):
    """Work: prepare, confirm or execute a plan."""

    type: Literal["prepare", "confirm", "execute"]
    token: str
    target: str
    user: str = ""


class View(msgspec.Struct):
    """What a card shows: the event that it answers, the button's token."""

    thread: str
    room: str
    answers: str
    token: str = ""


class Decision(msgspec.Struct):
    session: Session
    cards: list[tuple[str, View]] = []
    work: list[Effect] = []
    wake: int = 0
    move: bool = False


def digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=9).hexdigest()


def arrival(event: Event) -> Arrival:
    """As the engine makes one of a delivery."""
    room = Room("console", "T", event.room)
    raw = msgspec.json.encode(event)
    if event.type == "click":
        return Arrival(
            room=room,
            id=event.id,
            event=raw,
            verdicts=routing.for_click("confirm"),
            new="t" + digest(event.id),
            user=event.user,
            thread=event.thread,
            urgent=True,
        )
    names = (event.target,) if event.target else ()
    heard = Heard(addressed=True, named=bool(names), request=True)
    return Arrival(
        room=room,
        id=event.id,
        event=raw,
        verdicts=msgspec.structs.replace(routing.for_message(heard), none=Verdict.NEW),
        new="t" + digest(event.id),
        user=event.user,
        names=names,
        lock=event.target,
        leaves=event.leaves,
        left=msgspec.json.encode(Event(type="left", id=event.id + "|left")) if event.leaves else b"",
    )


def decide(before: Session, event: Event, *, thread: str, id: str, sequence: int, now: int) -> Decision:
    """Pure: the same session and event give the same decision."""
    after = msgspec.convert(msgspec.to_builtins(before), Session)
    if before.state == "archived" and event.type in ("say", "act", "bye"):
        return Decision(session=after, move=True)
    after.log.append((id, sequence))
    turn = Turn(after, event, thread, id, now)
    getattr(turn, event.type)()
    if after.state == "confirming" and after.plan:
        turn.decision.wake = after.plan.expires
    return turn.decision


class Turn:
    """One event decided: a method for each kind."""

    def __init__(self, after: Session, event: Event, thread: str, id: str, now: int) -> None:
        self.after = after
        self.event = event
        self.thread = thread
        self.id = id
        self.now = now
        self.decision = Decision(session=after)

    def card(self, token: str = "") -> None:
        """Two views a card: the second one updates it."""
        self.after.cards += 1
        name = f"c{(self.after.cards + 1) // 2}"
        self.decision.cards.append((name, View(self.thread, self.event.room, self.id, token)))

    def reset(self, state: str = "idle") -> None:
        self.after.state, self.after.plan = state, None
        self.card()

    def planned(self) -> str:
        return self.after.plan.token if self.after.plan else ""

    def say(self) -> None:
        self.after.lock = self.after.lock or self.event.target
        self.card()

    def act(self) -> None:
        if self.after.state not in ("approving", "executing"):
            self.after.lock = self.event.target
            self.after.state, self.after.waits_for, self.after.plan = "collecting", self.id, None
            self.decision.work.append(Effect("prepare", "k" + digest(self.id), self.event.target))
        self.card()

    def prepared(self) -> None:
        if self.after.state == "collecting" and self.event.token == "k" + digest(self.after.waits_for):
            self.after.state = "confirming"
            self.after.plan = Plan(self.event.token, self.event.target, self.now + PLAN_LIVES_MS)
            self.card(self.event.token)

    def click(self) -> None:
        if self.after.plan and self.after.state == "confirming" and self.planned() == self.event.token:
            self.after.state = "approving"
            effect = Effect("confirm", self.event.token, self.after.plan.target, self.event.user)
            self.decision.work.append(effect)
        else:
            self.card()

    def judged(self) -> None:
        if not self.after.plan or self.after.state != "approving" or self.planned() != self.event.token:
            return
        if not self.event.ok:
            self.reset()
            return
        self.after.state = "executing"
        self.decision.work.append(Effect("execute", self.event.token, self.after.plan.target))
        self.card()

    def executed(self) -> None:
        self.after.outcomes.append((self.event.token, self.event.outcome))
        if self.after.state == "executing" and self.planned() == self.event.token:
            self.reset()

    def timer(self) -> None:
        if self.after.plan and self.after.state == "confirming" and self.now >= self.after.plan.expires:
            self.reset()

    def left(self) -> None:
        if self.after.state in ("collecting", "confirming"):
            self.reset()

    def bye(self) -> None:
        if self.after.state in ("approving", "executing"):
            self.card()
        else:
            self.reset("archived")
