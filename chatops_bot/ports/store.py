"""What the engine needs of the store: mailboxes, turns, card lanes, work, the ledger, the audit chain.

One implementation exists (adapters/redis). Everything here is bytes and strings: the store moves events,
sessions and views without reading them, except for the few routing facts it is told beside them.

Times are milliseconds of the store's clock (Redis' own, or the replay's); `deadline` of a claim is the
holder's own monotonic clock in seconds, counted from before the request. Every method may raise
`StoreUnavailable` (nothing is known to have happened) and may be repeated: a second run of the same
step changes nothing.
"""

from __future__ import annotations

from typing import Literal, Protocol

import msgspec

from chatops_bot.domain.identity import Room
from chatops_bot.domain.routing import Verdicts
from chatops_bot.ports.incidents import IncidentChange

LEASE_MS = 6_000
"""How long a queue is taken for, unless it is renewed: the store counts it, and so does every holder."""


class StoreUnavailable(Exception):
    """The store cannot be reached, refuses writes, or did not confirm the copies asked for."""


class StoreFull(StoreUnavailable):
    """Memory is above its watermark: intake is refused so that what is stored can be worked off."""


class AuditUnwritable(StoreUnavailable):
    """The audit chain of this shard takes no records, so that the step was not carried out; others may be."""


class Retention(msgspec.Struct, frozen=True):
    """How long the store keeps what is no longer needed, in s: marks against duplicates, ended sessions with the text
    of their last messages, which thread a card belongs to, summaries of conversations, and plans and incidents from
    their last step on."""

    seen_s: int = 8 * 3_600
    sessions_s: int = 86_400
    cards_s: int = 14 * 86_400
    summaries_s: int = 30 * 86_400
    plans_s: int = 30 * 86_400
    incidents_s: int = 30 * 86_400


class Arrival(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event on its way in.

    - `id`: what happened (message id, or click with its time), the duplicate mark; the same for two
      deliveries of one post.
    - `event`: the encoded event, opaque to the store.
    - `thread`: the thread named by a button or by an internal event; looked up before `cards`, unless it
      has ended and the first of `cards` that is bound leads to a thread that lives.
    - `cards`: ids of messages that it answers or that its platform thread hangs on, most exact first;
      also other fixed keys of a thread, such as `alert:<group>`.
    - `bind`: ids bound to the thread that takes it when that is a new one.
    - `user`: key of the author within the room, or "" (alerts).
    - `names`: keys of the entities named. `lock`: the one to lock provisionally, where it is clear.
    - `leaves`: the words leave what the author's thread was doing (R6); `left` is then the event that
      the old thread gets, encoded. None: nobody has looked, since it costs something and seldom matters;
      where it does, intake stores nothing, answers `unread`, and is to be asked again.
    - `urgent`: clicks, results, timers: never refused because a mailbox is full.
    - `new`: id of the thread to open, should one be opened; the same on every delivery, unique over rooms,
      without `|`.
    """

    room: Room
    id: str
    event: bytes
    verdicts: Verdicts
    new: str
    user: str = ""
    thread: str = ""
    cards: tuple[str, ...] = ()
    bind: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    lock: str = ""
    leaves: bool | None = False
    left: bytes = b""
    urgent: bool = False


class Claim(msgspec.Struct, frozen=True, omit_defaults=True):
    """A queue taken for one lease, with its head entry and what is needed to work on it.

    `queue` is `t|THREAD` (a mailbox), `c|THREAD|CARD` (a card lane), `w|THREAD|ID` (work) or `p|TOKEN` (a
    plan to settle: `entry` is its target, `body` the recorded plan). `entry` is the head's id; `body` its
    content; `extra` what intake put beside it: public facts of the thread the author came from, or the
    summary of the card's old session.
    `attempts` counts how often this head was taken. For a mailbox `version` and `session` are the
    session's; for a card lane `view` is the newest view, `number` its number, `drawn` the number drawn
    last and `message` the platform's id of the card's message, if it was posted.
    `via_card` tells that a mailbox entry was routed by the card that it answers (R1 to R3).
    """

    shard: int
    queue: str
    token: str
    deadline: float
    attempts: int = 1
    entry: str = ""
    body: bytes = b""
    extra: bytes = b""
    via_card: bool = False
    sequence: int = 0
    version: int = 0
    session: bytes = b""
    view: bytes = b""
    number: int = 0
    drawn: int = 0
    message: str = ""


Taken = Literal["append", "new", "reopen", "courtesy", "ignore", "duplicate", "full", "unread", "elsewhere"]


class Intake(msgspec.Struct, frozen=True):
    """What intake did. `full`: the mailbox holds its maximum, the event is not stored and must not be
    acknowledged; `first_full` tells whether this is the first refusal in a while, to be said once. `elsewhere`: it is
    about a card that is at home in another room, as was told to `point`; nothing is stored, not even that it came."""

    taken: Taken
    thread: str = ""
    claims: tuple[Claim, ...] = ()
    first_full: bool = False
    elsewhere: bytes = b""


class CardView(msgspec.Struct, frozen=True):
    """A new view of one card of the thread. `message` is set to bind an existing message as this card."""

    card: str
    view: bytes
    message: str = ""


class Twin(msgspec.Struct, frozen=True):
    """A card that is shown in two rooms. `card` is the id under which its home room finds the thread, whichever of the
    two was answered; `home`: this is the one in the home room."""

    card: str
    home: bool


class Work(msgspec.Struct, frozen=True):
    """One piece of work: runs beside turns, its result returns as an event of the thread."""

    id: str
    body: bytes


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What routing must know of a session, written beside it. `public`: told to the thread that its user
    goes on in (R6)."""

    state: str
    lock: str = ""
    asks: str = ""
    public: bytes = b""


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that one turn changes, committed in one step.

    - `wake`: when the thread wants its timer event (ms, absolute), 0 for none.
    - `release`: users whose pointer to this thread is cleared (only if it still leads here). Of an archived
      thread that still has events waiting, the pointers stay until these have moved on, and then go where
      they went: what a user says meanwhile is queued behind what was said before.
    - `summary`: kept under the thread's id; `filed` are the names under which it is found by the time it ended, as
      ports.summaries says: "" for the room, and keys of entities. `keep_s`: how long the session's data lives as
      garbage; 0: as `Retention` says.
    - `audit`: encoded records for the audit chain of the shard.
    - `incidents`: what it does to incidents of the room.
    - `move`: the head found its thread archived: it is routed anew, as if it came now, and the commit
      otherwise changes nothing of the session. It follows its author's events that moved on before it, and
      never enters a thread that its author began otherwise.
    """

    session: bytes
    facts: Facts
    cards: tuple[CardView, ...] = ()
    work: tuple[Work, ...] = ()
    wake: int = 0
    release: tuple[str, ...] = ()
    summary: bytes = b""
    filed: tuple[str, ...] = ()
    keep_s: int = 0
    audit: tuple[bytes, ...] = ()
    move: Arrival | None = None
    incidents: tuple[IncidentChange, ...] = ()


class Committed(msgspec.Struct, frozen=True):
    """`lost`: lease, head or version were no longer those taken; nothing was changed. `claims` are the
    queues made due by it, taken for the caller, among them the thread's own next event."""

    lost: bool
    claims: tuple[Claim, ...] = ()
    taken: Taken | None = None
    """Of a moved event."""
    thread: str = ""


class ReadOnlySwitch(Protocol):
    """The switch that refuses every change, in every process on this store."""

    async def read_only(self) -> str:
        """Who switched the bot to read-only and why, or "" (promise 8 of the README)."""

    async def set_read_only(self, reason: str) -> None:
        """Set or ("") clear the switch."""


class Pointers(Protocol):
    """What messages of one room have to do with cards of another."""

    async def point(self, *, room: Room, ids: tuple[str, ...], home: bytes) -> None:
        """Messages of this room, or buttons of a thread, belong to a card that is at home in another room: whatever is
        about them is answered with `home`, opaque to the store, and to be stored there. As long as cards are known."""


class ThreadStore(ReadOnlySwitch, Pointers, Protocol):
    """Mailboxes, sessions and outboxes."""

    async def now(self) -> int:
        """The store's clock, ms."""

    async def intake(self, arrival: Arrival) -> Intake:
        """One atomic step: drop a duplicate, choose the thread, append; take it if nobody holds it."""

    async def commit(self, claim: Claim, outcome: Outcome) -> Committed:
        """Session, outbox, pointers, audit and the head's removal, refused if the lease was lost."""

    async def drawn(
        self, claim: Claim, *, message: str, bind: tuple[str, ...] = (), twin: Twin | None = None
    ) -> Committed:
        """The newest view of a card lane was drawn as `message` (also bound under the ids in `bind`). One
        who learns that he was late (`lost`) has had the card drawn again. `twin`: the card is shown in two rooms."""

    async def seen(self, claim: Claim, card: str) -> bool:
        """Whether the newest view of this card was on the platform before the head of this mailbox came in. When
        in doubt, no."""

    async def posted(self, *, room: Room, thread: str, card: str) -> str:
        """The platform's id of the message in which a card was posted last, "" for none."""

    async def done(self, claim: Claim, *, event_id: str, event: bytes) -> Committed:
        """Work is done: its entry removed, its result appended to the thread's mailbox (b"": no result)."""

    async def later(self, claim: Claim, delay_ms: int) -> None:
        """Give a queue back, to be taken after a back-off."""

    async def renew(self, claims: list[Claim]) -> set[str]:
        """Prolong leases by one lease; tokens of those already lost, or whose server could not be asked while
        others could."""

    async def sweep(self, *, limit: int = 16) -> list[Claim]:
        """Take what is due in all shards, at most `limit` of each: abandoned or waiting queues, timers (turned
        into events), plans past their deadline. Shards that cannot be reached are left out while others can."""

    async def next_due(self) -> int:
        """The earliest time (ms) at which anything becomes due, 0 when nothing is queued. For replay."""

    async def give_back(self, claims: list[Claim]) -> None:
        """Leases returned at once, at shutdown."""

    async def secret(self) -> bytes:
        """The installation's key for tokens, made once."""

    async def queue_depths(self) -> dict[str, int]:
        """Entries waiting by kind of queue, for metrics."""

    async def ping(self) -> None:
        """Raises StoreUnavailable when the store cannot take writes."""


PlanState = Literal[
    "prepared", "confirmed", "executing", "working", "done", "refused", "interrupted", "unknown", "void", "expired"
]


class LedgerStep(msgspec.Struct, frozen=True, omit_defaults=True):
    """Answer of a ledger step: whether it holds, the state afterwards, and why not.

    `reason` is one of `expired`, `superseded`, `cancelled`, `conflict` (with `holder`, the token that holds
    the target), `decided`, `unconfirmed` (to be approved or started before it was confirmed), `unknown`,
    `digest`, `early` (to be settled before its deadline), or the outcome. `plan` is the recorded plan, `detail` what
    was noted last while it was executed. `wait_ms`: how much of its time a plan that is executed or worked off has
    left.
    """

    ok: bool
    state: PlanState | Literal["absent"]
    reason: str = ""
    holder: str = ""
    plan: bytes = b""
    by: str = ""
    approvals: tuple[str, ...] = ()
    detail: bytes = b""
    wait_ms: int = 0


class Ledger(Protocol):
    """The durable record of every plan's life, in the shard of the workload.

    `effect` is the id of the effect that asks: the same effect again gets the same answer and changes
    nothing. `target` is the entity's key. `audit` records are appended in the same step, if it holds: what
    it was refused for is for the thread to record, which learns the reason.
    """

    async def prepare(
        self,
        *,
        token: str,
        target: str,
        plan: bytes,
        digest: str,
        lives_ms: int,
        effect: str,
        audit: tuple[bytes, ...],
        form: int = 1,
    ) -> LedgerStep:
        """Record a plan; a repetition returns the plan recorded first. Workers that do not know its `form` leave it
        to others."""

    async def confirm(
        self,
        *,
        token: str,
        target: str,
        digest: str,
        by: str,
        effect: str,
        start_within_ms: int,
        audit: tuple[bytes, ...],
    ) -> LedgerStep:
        """`prepared → confirmed`, taking the target; refused when expired, void, decided or in conflict."""

    async def approve(self, *, token: str, target: str, by: str, effect: str, audit: tuple[bytes, ...]) -> LedgerStep:
        """Add one approver to a confirmed plan; `approvals` lists the distinct ones."""

    async def void(self, *, token: str, target: str, reason: str, effect: str, audit: tuple[bytes, ...]) -> LedgerStep:
        """End a plan that was not begun (cancelled, superseded, rejected, expired); frees the target."""

    async def start(
        self, *, token: str, target: str, attempt: str, limit_ms: int, audit: tuple[bytes, ...]
    ) -> LedgerStep:
        """`confirmed → executing`, once. `ok` gives the plan to its one executor. Else `state` says:
        `executing` with `wait_ms` > 0 (somebody is at it), or 0 (past its deadline: to be settled), or the
        end it came to."""

    async def note(
        self, *, token: str, target: str, attempt: str, detail: bytes, effect: str, audit: tuple[bytes, ...]
    ) -> LedgerStep:
        """What the executor of a plan is about to send (`detail`), within its time; of a plan that is or was `working`,
        only the records of its steps, `ok` while it is."""

    async def finish(
        self,
        *,
        token: str,
        target: str,
        attempt: str,
        outcome: PlanState,
        detail: bytes,
        audit: tuple[bytes, ...],
        limit_ms: int = 0,
    ) -> LedgerStep:
        """Record the end and free the target. `attempt` "settle" is allowed only past the deadline. The outcome
        `working` is that of a plan's first write alone: its steps may be written for `limit_ms`, and whoever follows
        it ends it; a while later it is to be settled like a plan past its deadline."""

    async def read(self, *, token: str, target: str) -> LedgerStep:
        """What is recorded."""

    async def holder(self, *, target: str) -> str:
        """Token of the plan that holds the target, or ""."""


class AuditEntry(msgspec.Struct, frozen=True):
    """One link of a shard's chain: `hash` = SHA-1 hex of the previous hash and the record."""

    shard: int
    id: str
    record: bytes
    previous: str
    hash: str


class AuditLog(Protocol):
    """Reading the audit chains; they are written by the steps themselves."""

    async def entries(self, *, shard: int, after: str = "", limit: int = 500) -> list[AuditEntry]:
        """A page of one shard's chain in order."""

    async def head(self, *, shard: int) -> str:
        """Hash of the link written last, kept beside the chain: a chain cut off at its end does not reach it."""

    async def base(self, *, shard: int) -> str:
        """Hash of the link that the chain begins after, "" where nothing was cut off its beginning."""

    async def append(self, *, shard_of: str, record: bytes) -> None:
        """A record that belongs to no step (start, switch, configuration change)."""


class AuditTail(Protocol):
    """Reading the end of one chain."""

    async def earlier(self, *, shard_of: str, before: str = "", limit: int = 500) -> list[AuditEntry]:
        """Links of the shard of this key, the newest first: from the end of the chain, or before the link with that
        id."""

    async def latest(self, *, shard_of: str, limit: int = 1000) -> list[bytes]:
        """The newest records of the shard of this key (of a plan's target: an entity's key), in their order."""


class AuditProgress(Protocol):
    """Reading the chains in order to copy them to another place, known by the name of its `sink`."""

    async def entries(self, *, shard: int, after: str = "", limit: int = 500) -> list[AuditEntry]:
        """As `AuditLog.entries`."""

    async def lead(self, *, sink: str, for_ms: int) -> bool:
        """Whether this process is the one that copies to this place, and remains so for so long."""

    async def sent(self, *, sink: str, shard: int) -> str:
        """Id of the link copied last, "" for none."""

    async def mark_sent(self, *, sink: str, shard: int, id: str) -> None:
        """Remember that the chain has been copied up to this link."""

    async def mark_fresh(self, *, sink: str, for_ms: int) -> None:
        """Tell the other processes, for so long, that the place has everything."""

    async def fresh(self, *, sink: str) -> int:
        """For how many ms that still holds, 0 when it does not."""


class AuditTrim(Protocol):
    """Cutting the beginning off a chain."""

    async def lead(self, *, sink: str, for_ms: int) -> bool:
        """As `AuditProgress.lead`."""

    async def sent(self, *, sink: str, shard: int) -> str:
        """As `AuditProgress.sent`."""

    async def last_before(self, *, shard: int, at: int, copied: tuple[str, ...]) -> AuditEntry | None:
        """The last link older than `at` (ms of the store's clock) that is not behind one of the ids in `copied`."""

    async def trim(self, last: AuditEntry, *, record: bytes) -> int:
        """Remove the links up to `last`, link `record`, and keep where the chain begins now, in one step; how many
        went."""


FindingCode = Literal[
    "unreachable", "version", "eviction", "no_append_file", "sync", "replicas", "not_master", "no_memory_limit"
]


class StoreFinding(msgspec.Struct, frozen=True):
    """Something about a server that `doctor` has to say. `found` is the value met, `severe` what can lose or
    stop something rather than deserve to be known."""

    code: FindingCode
    server: str
    found: str
    severe: bool
