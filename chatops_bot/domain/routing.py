"""To which thread an event goes: rules R1 to R9, the rows of the README's table in their order, as a table of verdicts.
Its first row, the line of an overview, comes before these.

What an event is (addressed, a click, naming a service …) is known before the store is asked; what the
store knows (the card's thread, the user's current thread, its lock and state) is known only inside the
one atomic step. So `table` says beforehand what to do in every situation that the store can meet, and
the store only looks up which situation it is (`situation` is the reference for its script).
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

import msgspec

from chatops_bot.domain.intents import ACTIONS, State

Listen = Literal["mentions", "all"]


class Verdict(StrEnum):
    """What the store does with an event."""

    IGNORE = "ignore"
    """Nothing but the duplicate mark."""
    APPEND = "append"
    """To the thread found."""
    NEW = "new"
    """A new thread, now the user's current one."""
    REOPEN = "reopen"
    """A new thread bound to the same card, told the summary of the old one."""
    COURTESY = "courtesy"
    """A thread of one line, which nobody's pointer leads to."""


class Verdicts(msgspec.Struct, frozen=True):
    """The verdict in each situation the store can meet.

    - `card_live`, `card_archived`, `card_gone`: the event answers or clicks a card of the bot whose
      session lives, is archived, or is no longer stored.
    - `current_same`: no such card; the user's live thread, and no service named, or the locked one, or
      the thread has no lock yet. `current_other`: another service is named.
    - `current_asks`: as `current_same`, and the thread has asked this very user something.
    - `current_busy`: the user's thread has events waiting: to be judged at its turn. Also where it was
      archived meanwhile: what waits there moves on in order, and later words stay behind it.
    - `none`: no thread of the user's, or an archived one.
    """

    card_live: Verdict
    card_archived: Verdict
    card_gone: Verdict
    current_same: Verdict
    current_other: Verdict
    current_asks: Verdict
    current_busy: Verdict
    none: Verdict


class Heard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a message before routing.

    `addressed`: it mentions the bot, is a direct message, uses the command. `names`: keys of the
    services it names (exactly). `request`: it carries a request to the bot. `unknown`: it names
    something that matches no service.
    """

    addressed: bool
    named: bool = False
    request: bool = False
    listen: Listen = "mentions"


class Facts(msgspec.Struct, frozen=True, omit_defaults=True):
    """What the store knows at the moment of routing. States are None where no session is stored.

    `lock`: keys of what the thread is about, one a line: the locked service, then others that plans wait for.
    """

    card_bound: bool = False
    card_state: State | None = None
    current_state: State | None = None
    lock: str = ""
    asks: str = ""
    busy: bool = False


REOPENING = frozenset(
    {"undo", "refresh", "diagnose", "logs", "events", "hand_off", "runbook", "walk", "incident", "take_up", *ACTIONS}
)
"""Buttons that mean something on a card whose session has ended (R3)."""

_IGNORE = Verdicts(
    card_live=Verdict.APPEND,
    card_archived=Verdict.REOPEN,
    card_gone=Verdict.REOPEN,
    current_same=Verdict.IGNORE,
    current_other=Verdict.IGNORE,
    current_asks=Verdict.APPEND,
    current_busy=Verdict.APPEND,
    none=Verdict.IGNORE,
)


def for_message(heard: Heard) -> Verdicts:
    """Verdicts for a message (R2 to R9). A reply to a card goes to its thread whoever wrote it (R2, R3)."""
    everywhere = heard.listen == "all" and heard.request
    if heard.addressed:
        fresh = Verdict.NEW if heard.named or heard.request else Verdict.COURTESY
        return msgspec.structs.replace(
            _IGNORE,
            current_same=Verdict.APPEND,
            current_other=Verdict.NEW,
            current_asks=Verdict.APPEND,
            none=fresh,
        )
    if everywhere:
        return msgspec.structs.replace(
            _IGNORE,
            current_same=Verdict.APPEND,
            current_other=Verdict.NEW,
            none=Verdict.NEW if heard.named else Verdict.IGNORE,
        )
    return _IGNORE


def for_click(button: str) -> Verdicts:
    """Verdicts for a click: the card's thread, whoever clicked (R1), or a new one on the same card (R3).

    A button that only makes sense for what was pending (confirm, cancel …) goes to the archived session,
    which can still say what became of it.
    """
    reopening = button.partition(":")[0] in REOPENING
    return Verdicts(
        card_live=Verdict.APPEND,
        card_archived=Verdict.REOPEN if reopening else Verdict.APPEND,
        card_gone=Verdict.REOPEN,
        current_same=Verdict.REOPEN,
        current_other=Verdict.REOPEN,
        current_asks=Verdict.REOPEN,
        current_busy=Verdict.REOPEN,
        none=Verdict.REOPEN,
    )


def opens_own(button: str) -> bool:
    """Whether a press opens a thread of its own: that of a row of an overview."""
    return button.partition(":")[0] == "open"


def for_opening() -> Verdicts:
    """Verdicts for a click that opens a thread of its own, found again under what was pressed and by whom."""
    new = Verdict.NEW
    return Verdicts(
        card_live=Verdict.APPEND,
        card_archived=new,
        card_gone=new,
        current_same=new,
        current_other=new,
        current_asks=new,
        current_busy=new,
        none=new,
    )


def for_alert(*, firing: bool, anew: bool = False) -> Verdicts:
    """Verdicts for an alert group: its card's thread, also where that has ended, since the card goes on; a new one only
    when something fires. `anew`: the card that it had is no longer its own."""
    fresh = Verdict.REOPEN if firing else Verdict.IGNORE
    return Verdicts(
        card_live=Verdict.APPEND,
        card_archived=fresh if anew else Verdict.APPEND,
        card_gone=fresh,
        current_same=fresh,
        current_other=fresh,
        current_asks=fresh,
        current_busy=fresh,
        none=fresh,
    )


def for_subscriber() -> Verdicts:
    """Verdicts for whoever is to be told of a thread's changes: that thread, also where it has ended, or none."""
    no = Verdict.IGNORE
    return Verdicts(
        card_live=Verdict.APPEND,
        card_archived=Verdict.APPEND,
        card_gone=no,
        current_same=no,
        current_other=no,
        current_asks=no,
        current_busy=no,
        none=no,
    )


def situation(facts: Facts, *, user: str, names: tuple[str, ...]) -> str:
    """The field of `Verdicts` that holds: reference for the store's script, and tested against it."""
    if facts.card_bound:
        if facts.card_state is None:
            return "card_gone"
        return "card_archived" if facts.card_state is State.ARCHIVED else "card_live"
    if facts.current_state is None:
        return "none"
    if facts.current_state is State.ARCHIVED:
        return "current_busy" if facts.busy else "none"
    if names and facts.lock and not set(facts.lock.split("\n")) & set(names):
        return "current_other"
    if facts.asks and facts.asks == user:
        return "current_asks"
    return "current_busy" if facts.busy else "current_same"
