"""The stored state of one thread. Immutable: a turn makes a new one."""

from __future__ import annotations

from typing import Literal

import msgspec

from chatops_bot.domain.cards import Card
from chatops_bot.domain.charts import AlertSource
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import Room, User
from chatops_bot.domain.intents import Asked, Language, Request, SlotValue, Standing, State
from chatops_bot.domain.memory import Fact, Gist, Open
from chatops_bot.domain.mirrors import Mirror
from chatops_bot.domain.plans import Plan
from chatops_bot.domain.reports import Report
from chatops_bot.domain.say import Say
from chatops_bot.domain.settling import Grade, Settlement
from chatops_bot.domain.subscribers import News, Subscriber

WINDOW = 12
"""Messages of people kept verbatim, and as many answers of the bot by one line each: what the widest context shows."""
HANDED_WINDOW = 60
"""The same while a person has the thread: the bot only notes."""
HANDED_LINE = 300
"""Characters kept of a message then, but for the last ones."""


COURTESY = "courtesy"
"""How a thread ended that was opened for one line only: nothing of it is worth finding again."""


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message of the thread's window: by whom as people know them, and by which `key`. Of the bot's own answers
    (`bot`) it is one line that says what the card is, and not the card."""

    user: str
    text: str
    at: int
    key: str = ""
    bot: bool = False


class Speaker(msgspec.Struct, frozen=True, omit_defaults=True):
    """A person seen in this thread. `spoke` is the sequence number of their last message here, 0: none."""

    user: User
    language: Language
    spoke: int = 0
    name: str = ""


class Lock(msgspec.Struct, frozen=True, omit_defaults=True):
    """The entity this session is bound to, by whom and at which event. `before` is what it was bound to
    earlier, when it has been rebound."""

    entity: Entity
    by: str
    at: int
    sequence: int
    before: Entity | None = None


class Flow(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request being collected: what was said so far and what is asked.

    `candidates` maps each service offered (as on its button) to the key of its entity. `undo_of` is the token of the
    plan that is to be put back; nothing but a reason is asked for then. `number` is its own in this thread, given when
    it first asks (0 before). `tries` counts the answers to the present question that were none, `notes` say why.
    `parked_at` is when it was put aside, `proposed` that a model has had a part in it. `utterance` is the event that
    asked for it.
    """

    intent: str
    requester: User
    slots: dict[str, SlotValue] = {}
    entity: Entity | None = None
    asked: Asked | None = None
    candidates: dict[str, str] = {}
    prompt: Say | None = None
    reason: str = ""
    undo_of: str = ""
    number: int = 0
    tries: int = 0
    notes: tuple[Say, ...] = ()
    parked_at: int = 0
    utterance: str = ""
    proposed: bool = False


class Pending(msgspec.Struct, frozen=True, omit_defaults=True):
    """A plan on its way: `preparing` (no plan yet), `shown`, `judging`, `approving`, `executing`.

    `utterance` is the event that asked for it (several of one utterance wait together). `shown_at` is the
    sequence number of the event after which it was shown. `slots` are as said, so that a change keeps the
    rest. While it waits for approvals: `rung_at` is when its card last mentioned somebody, `remind_at` and
    `escalate_at` when that is to be done again (0: no more), `escalated` that those asked later may approve too.
    `rooms` are those beside the thread's own in which it was confirmed or approved. `answered` are the slots that were
    asked for last, `tries` how often in vain. `proposed`: a model has had a part in it, so that words confirm nothing.
    `unsettled`: somebody wants it changed and has not said to what, so that they confirm nothing either.
    """

    effect: str
    card: str
    phase: str
    action: str
    entity: Entity
    requester: User
    utterance: str
    slots: dict[str, SlotValue] = {}
    plan: Plan | None = None
    shown_at: int = 0
    confirmer: User | None = None
    approvals: tuple[str, ...] = ()
    approve_until: int = 0
    undo_of: str = ""
    confirmed_at: int = 0
    rung_at: int = 0
    remind_at: int = 0
    escalate_at: int = 0
    escalated: bool = False
    rooms: tuple[Room, ...] = ()
    answered: tuple[str, ...] = ()
    tries: int = 0
    proposed: bool = False
    unsettled: bool = False

    @property
    def token(self) -> str:
        """The plan's token, "" while it is prepared."""
        return self.plan.token if self.plan else ""


class Live(msgspec.Struct, frozen=True, omit_defaults=True):
    """A card with live buttons, kept so that it can be drawn again without them."""

    card: str
    view: Card
    token: str = ""


class Ended(msgspec.Struct, frozen=True, omit_defaults=True):
    """A plan that is decided: answers a late second click. `sequence` is that of the event that decided it."""

    token: str
    outcome: str
    by: str = ""
    at: int = 0
    card: str = ""
    plan: Plan | None = None
    approvals: tuple[str, ...] = ()
    sequence: int = 0


class Done(msgspec.Struct, frozen=True, omit_defaults=True):
    """The last change that was written. `undo` is the action that puts back what was there, "" where none does."""

    token: str
    action: str
    entity: Entity
    undo: str = ""


class Rejection(msgspec.Struct, frozen=True, omit_defaults=True):
    """A plan that `by` (a user key) has just rejected: what that person says next may be the reason."""

    by: str
    pending: Pending


class Walk(msgspec.Struct, frozen=True, omit_defaults=True):
    """A runbook that is gone through in this thread, step by step. It is no state: everything else goes on beside it.

    - `runbook` is its id, `length` how many steps it had when the present one was reached, `position` the present one
      (from 0; `length`: nothing is left but the verification).
    - `entity` is what its queries and actions are about, None where it has none.
    - `by` took the last step. `visit` numbers the steps as they are reached, so that a button knows its own.
    - `shown`: the present step has been shown, on the card `card` where that is one of its own, after the event of
      sequence number `shown_at`; `asks`: it is a question. `before` are the positions gone through, the last ones last.
    """

    runbook: str
    length: int
    position: int = 0
    entity: Entity | None = None
    by: str = ""
    visit: int = 0
    shown: bool = False
    card: str = ""
    shown_at: int = 0
    asks: bool = False
    before: tuple[int, ...] = ()


class Assigned(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who has the thread: `who` is a user's key, or the name of a group (`group`); `name` is how that is shown. `by` (a
    user's key) handed it over, `since` in ms."""

    who: str
    since: int
    by: str = ""
    name: str = ""
    group: bool = False


class Handed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A hand-off that lasts. `card` tells of it, with live buttons; `by` (called `name`) asked for it at `at` (ms).
    `to` are those who were called, as they are looked up, `who` as people read them. `entity` is what it is about.

    `taken`: somebody has it. `remind_at` is when those who were called are called once more, `tell_at` when the room is
    told that nobody has taken it; 0: not any more. It is over when nobody has spoken for `keep_ms`. `notes` counts what
    was said since; `told` is when each of the last people (user keys) was told that nothing else is done.
    """

    card: str
    at: int
    by: str = ""
    name: str = ""
    to: tuple[str, ...] = ()
    who: str = ""
    entity: Entity | None = None
    taken: bool = False
    remind_at: int = 0
    tell_at: int = 0
    keep_ms: int = 0
    notes: int = 0
    told: dict[str, int] = {}


class AlertLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One alert as its group's card shows it. `since` is when it began, 0 where that is not told; `source` the address
    of the rule that made it."""

    name: str
    firing: bool
    severity: str = ""
    summary: str = ""
    since: int = 0
    source: str = ""


class AlertState(msgspec.Struct, frozen=True, omit_defaults=True):
    """An alert group as Alertmanager told it last, and its card.

    - `shown` are the first alerts, those that fire before the others; `firing` and `resolved` count all, `left_out`
      those that Alertmanager did not send.
    - `severity` is the worst of what fires, `starts_at` when the first alert of the present firing began, `resolved_at`
      when the last one ended: 0 while any fires. `closed_at` is when that was learnt.
    - `entity` is the service that it is about, None where that is not certain; `candidates` are keys to choose
      from, all of them alerted where there are `several`.
    - `fired` counts how often it began to fire since `since`, `lately` are the last of these times.
    - `report` is the diagnosis shown on the card, `problem` why there is none; it was asked for last at `asked_at`.
    - `plotted` is the first alert that fires and tells its expression.
    - `earlier` tells of the card that the group had before. `moved`: it goes on in another room.
    """

    group: str
    card: str = ""
    shown: tuple[AlertLine, ...] = ()
    firing: int = 0
    resolved: int = 0
    left_out: int = 0
    severity: str = ""
    starts_at: int = 0
    resolved_at: int = 0
    closed_at: int = 0
    entity: Entity | None = None
    candidates: tuple[str, ...] = ()
    several: bool = False
    silence: str = ""
    fired: int = 0
    since: int = 0
    lately: tuple[int, ...] = ()
    report: Report | None = None
    problem: Say | None = None
    asked_at: int = 0
    plotted: AlertSource | None = None
    earlier: Say | None = None
    moved: bool = False


class Session(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thread. Times are ms of the store's clock."""

    thread: str
    room: Room
    owner: str = ""
    language: Language = "en"
    touched: int = 0
    used: bool = False
    archived: bool = False
    handed_off: str = ""
    handed: Handed | None = None
    assigned_to: Assigned | None = None
    subscribers: tuple[Subscriber, ...] = ()
    """They outlive the session, for what is followed in it afterwards."""
    news: News = News()
    follows: str = ""
    """Thread of the session before, in which a rollout is still followed until `follows_until` (ms)."""
    follows_until: int = 0
    sequence: int = 0
    cards: int = 0
    roots: dict[str, str] = {}
    """Platform thread of each card that was asked for inside one: an answer belongs where its question was. The same
    of its views in other rooms, by their lanes."""
    people: dict[str, Speaker] = {}
    lock: Lock | None = None
    flow: Flow | None = None
    flows: int = 0
    """Flows that were given a number so far."""
    parked: tuple[Flow, ...] = ()
    """Orders that were put aside, the last one last; they outlive the session (design section 5)."""
    queued: tuple[Flow, ...] = ()
    """What was asked for in the same breath as the present flow, and begins after it."""
    pending: tuple[Pending, ...] = ()
    window: tuple[Line, ...] = ()
    live: tuple[Live, ...] = ()
    ended: tuple[Ended, ...] = ()
    queries: dict[str, Asking] = {}
    """Query effects under way: effect id -> what its answer is drawn with."""
    results: dict[str, Report] = {}
    last_query: Request | None = None
    standing: tuple[Standing, ...] = ()
    """The last question and the last order, the later one first: what a correction is of, also when its plan was
    dropped or something else was asked in between."""
    cited_runbooks: tuple[str, ...] = ()
    at_hand: tuple[str, ...] = ()
    """Ids of the runbooks that were cited last, the best first."""
    walk: Walk | None = None
    offered: tuple[str, ...] = ()
    """Keys of the services that the last question offered."""
    alert: AlertState | None = None
    rejection: Rejection | None = None
    done: Done | None = None
    incident: str = ""
    """Id of the incident that the thread belongs to."""
    incident_card: str = ""
    """Where alerts tell of it, so that flapping ones do not post a card each time."""
    mirrors: tuple[Mirror, ...] = ()
    """Rooms that its cards are shown in beside its own."""
    group: str = ""
    """The alert group whose card the thread goes on with, where the group's own session has ended."""
    first: dict[str, tuple[str, ...]] = {}
    """Lines that stand at the top of cards whose answer is still to come, so that they outlive the "working"."""
    began: int = 0
    turns: int = 0
    """Messages and presses since the summary was written."""
    noted: tuple[Fact, ...] = ()
    """Facts since then."""
    summary: Gist = Gist()
    told: str = ""
    votes: dict[str, bool] = {}
    """Thumbs, by card (or "words") and person."""
    closing: Literal["", "good", "bad"] = ""
    """What was said last, where that was thanks, or that it did not help."""
    """Thread of the earlier conversation that this one's user was reminded of."""
    ending: Summary | None = None
    """What is kept of it, once it has ended: brought up to date by what is still learnt."""

    @property
    def state(self) -> State:
        """The phase, read off what the session holds."""
        if self.archived:
            return State.ARCHIVED
        if self.handed_off:
            return State.HANDED_OFF
        phases = {pending.phase for pending in self.pending}
        if "executing" in phases:
            return State.EXECUTING
        if "approving" in phases:
            return State.APPROVING
        if phases:
            return State.CONFIRMING
        if self.flow is not None:
            return State.COLLECTING
        return State.FOLLOW_UP if self.used else State.IDLE


class Asking(msgspec.Struct, frozen=True, omit_defaults=True):
    """A query under way: the card its answer goes to and who asked. `walk`: the runbook found is to be walked."""

    card: str
    intent: str
    user: str
    language: Language
    entity: Entity | None = None
    walk: bool = False


class Public(msgspec.Struct, frozen=True, omit_defaults=True, tag="public"):
    """What a thread may know of the one its user came from (R6)."""

    entity: Entity | None = None
    action: str = ""
    slots: dict[str, SlotValue] = {}
    standing: tuple[Standing, ...] = ()


class Summary(msgspec.Struct, frozen=True, omit_defaults=True, tag="summary"):
    """What is kept of an ended session, and told in one line when somebody comes back to its card, or to its service.

    - `at` is when it ended, `began` when it began, `room` where that was.
    - `entity`, `action`, `outcome` and `by` are the last change, or what it ended with ("idle").
    - `gist` is what was asked, found, done and refused; `open` what was left open, beside the `incident` that it
      belonged to, whose state is not in here. `assigned_to` is who had it.
    - `people` are keys of those who took part, whoever began it first; `who` is what that one is called. `cited` are
      runbooks.
    - `told` is the thread of the earlier conversation that it began by recalling.
    - `good` and `bad` count the thumbs, `closing` are its last words; `settled` is how it ended, as judged
      afterwards, `grade` what a model thought of it.
    - `parked` are orders that were put aside, to be taken up from its card.
    """

    thread: str
    at: int
    entity: Entity | None = None
    action: str = ""
    outcome: str = ""
    by: str = ""
    asked: str = ""
    language: Language = "en"
    done: Done | None = None
    incident: str = ""
    group: str = ""
    walk: Walk | None = None
    mirrors: tuple[Mirror, ...] = ()
    room: Room | None = None
    began: int = 0
    people: tuple[str, ...] = ()
    who: str = ""
    gist: Gist = Gist()
    open: tuple[Open, ...] = ()
    assigned_to: Assigned | None = None
    cited: tuple[str, ...] = ()
    told: str = ""
    good: int = 0
    bad: int = 0
    closing: Literal["", "good", "bad"] = ""
    settled: Settlement | None = None
    grade: Grade | None = None
    parked: tuple[Flow, ...] = ()
    subscribers: tuple[Subscriber, ...] = ()


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Session)
_beside_decoder = msgspec.json.Decoder(Public | Summary)


def encode(session: Session) -> bytes:
    """As stored under `session:<thread>`."""
    return _encoder.encode(session)


def decode(raw: bytes) -> Session:
    """Raises `msgspec.ValidationError` on a form this version does not know."""
    return _decoder.decode(raw)


def encode_beside(value: Public | Summary) -> bytes:
    """Public facts or a summary, as stored beside a session."""
    return _encoder.encode(value)


def decode_beside(raw: bytes) -> Public | Summary:
    """What intake put beside the first event of a thread: whence its user came, or what its card was."""
    return _beside_decoder.decode(raw)
