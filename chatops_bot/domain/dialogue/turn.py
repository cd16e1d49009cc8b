"""One turn in the making: collects what the session becomes and what is to be shown and done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from chatops_bot.domain.audit import Kind, Record
from chatops_bot.domain.cards import Button, Card, Note, Tone
from chatops_bot.domain.dialogue.chronicle import Chronicle
from chatops_bot.domain.dialogue.elsewhere import Copy, Elsewhere
from chatops_bot.domain.dialogue.endings import left_open
from chatops_bot.domain.effects import Effect
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.identity import User
from chatops_bot.domain.incidents import Change
from chatops_bot.domain.intents import Language
from chatops_bot.domain.say import Say
from chatops_bot.domain.session import Live, Session, Summary
from chatops_bot.domain.texts import render
from chatops_bot.domain.world import World


class Decision(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one event leads to.

    `cards` are the newest views by card id, in the order they were first drawn; `release` users whose
    pointer here is cleared; `move`: the event found its thread archived and must be routed anew (nothing
    else holds then); `ignored`: it was not meant for the bot. `incidents` is what it does to incidents;
    `wants_number`: it declares one, and is to be decided again with a number for it. `copies` are views in other
    rooms. `tokens` were used by a language model to understand the event.
    """

    session: Session
    cards: tuple[tuple[str, Card], ...] = ()
    copies: tuple[Copy, ...] = ()
    work: tuple[Effect, ...] = ()
    audit: tuple[Record, ...] = ()
    release: tuple[str, ...] = ()
    summary: Summary | None = None
    route: str = ""
    intents: tuple[str, ...] = ()
    ignored: bool = False
    move: bool = False
    incidents: tuple[Change, ...] = ()
    wants_number: bool = False
    cited: tuple[str, ...] = ()
    tokens: int = 0


class Turn:
    """Mutable for the length of one `decide`; everything it gives out is not."""

    def __init__(
        self, *, session: Session, event_id: str, sequence: int, now: int, world: World, language: Language
    ) -> None:
        self.session = session
        self.began = session
        """As it was before this turn."""
        self.event_id = event_id
        self.sequence = sequence
        self.now = now
        self.world = world
        self.language = language
        self.user: User | None = None
        self.name = ""
        self.answer_card = ""
        self.via_card = False
        self.seen = True
        self.root = ""
        """Platform thread in which this turn's event came, in its room."""
        self.room = session.room
        """Where that was; another one than the session's where the thread is shown there too."""
        self.elsewhere = Elsewhere(world)
        """What is shown in other rooms."""
        self.pressed = ""
        """The platform's id of the card whose button this turn is about."""
        self.came_from: Entity | None = None
        """What the asker's thread was about before this one was opened (R6), never inherited silently."""
        self.opened_from: Summary | None = None
        """What became of the session whose card this turn's alerts had before."""
        self.model = ""
        """The language model, with its prompt, that had a part in what is understood."""
        self.tokens = 0
        self.route = ""
        self.intents: tuple[str, ...] = ()
        self.drawn: dict[str, Card] = {}
        """The newest view of each card of this turn, in the order in which they were first drawn."""
        self.awaited: set[str] = set()
        """Those of them whose answer is still to come."""
        self._work: list[Effect] = []
        self.audit: list[Record] = []
        """Records of this turn, in order."""
        self.release: list[str] = []
        self.summary: Summary | None = None
        """What is kept of the session that ends in this turn, or of what is learnt of one that has ended."""
        self.chronicle = Chronicle(event_id=event_id, sequence=sequence, now=now)
        self._first: list[str] = []
        self._fresh: set[str] = set()
        self.cited: tuple[str, ...] = ()
        """Ids of the runbooks that this turn shows."""

    def set(self, **changes: Any) -> None:
        """Change fields of the session."""
        self.session = msgspec.structs.replace(self.session, **changes)

    def text(self, said: Say) -> str:
        """In the language of whoever this turn answers."""
        return render(said, self.language)

    def first(self, said: Say, *, stands: bool = True) -> None:
        """A line to stand at the top of the first new card of this turn; not any more, where it no longer `stands`."""
        text = self.text(said)
        self._first = [line for line in self._first if line != text] + ([text] if stands else [])

    def new_card(self) -> str:
        """The id of a card that does not exist yet."""
        count = self.session.cards + 1
        card_id = f"c{count}"
        roots = self.elsewhere.roots(self.session, card_id, root=self.root, room=self.room)
        self.set(cards=count, roots={**self.session.roots, **roots})
        self._fresh.add(card_id)
        return card_id

    def draw(self, card_id: str, card: Card, *, awaits: bool = False) -> None:
        """The newest view of a card. Its plan buttons are remembered so that they can be taken away.

        `awaits`: its answer is still to come, and what is said first stays at the top of that.
        """
        card = self._begun(card_id, card, awaits=awaits)
        (self.awaited.add if awaits else self.awaited.discard)(card_id)
        notes = tuple(note for note in _standing(self, card_id, card) if note not in card.blocks)
        card = msgspec.structs.replace(card, blocks=(*card.blocks, *notes))
        self.drawn[card_id] = card
        self.elsewhere.redrawn(card_id)
        others = tuple(live for live in self.session.live if live.card != card_id)
        tokens = {button.token for button in card.buttons if button.token and button.id in PLAN_BUTTONS}
        added = tuple(Live(card_id, card, token) for token in sorted(tokens))
        self.set(live=others + added)

    def _begun(self, card_id: str, card: Card, *, awaits: bool) -> Card:
        """The card with what is to be said first."""
        kept = self.session.first.get(card_id, ())
        lines = kept + (tuple(self._first) if card_id in self._fresh else ())
        if not lines:
            return card
        if card_id in self._fresh:
            self._first = []
        others = {other: said for other, said in self.session.first.items() if other != card_id}
        self.set(first={**others, card_id: lines} if awaits else others)
        return msgspec.structs.replace(card, blocks=(*map(Note, lines), *card.blocks))

    def reply(self, card: Card, *, awaits: bool = False) -> str:
        """A new card that answers the event of this turn."""
        card_id = self.new_card()
        self.draw(card_id, card, awaits=awaits)
        self.answer_card = card_id
        return card_id

    def card(self, card_id: str) -> Card | None:
        """The view this turn has drawn of a card, if it has."""
        return self.drawn.get(card_id)

    def kill_buttons(self, token: str, note: Say | None = None, *, keep: str = "", tone: Tone = "muted") -> None:
        """Draw every card that carries live buttons of this plan again without them, but not `keep`."""
        for live in self.session.live:
            if live.token != token or live.card == keep:
                continue
            blocks = live.view.blocks if note is None else (*live.view.blocks, Note(self.text(note)))
            buttons = tuple(button for button in live.view.buttons if button.token != token)
            view = msgspec.structs.replace(live.view, blocks=blocks, buttons=buttons, tone=tone, mention=())
            self.draw(live.card, view)

    def do(self, effect: Effect) -> None:
        """Ask for work."""
        self._work.append(effect)

    def effect_id(self) -> str:
        """A fresh id, the same whenever this turn is decided again."""
        return f"{self.event_id}.{len(self._work)}"

    def record(self, kind: Kind, **fields: Any) -> None:
        """An audit record of this turn."""
        user = fields.pop("user", self.user.key if self.user else "")
        record = Record(
            at=self.now,
            kind=kind,
            user=user,
            person=self.world.policy.people.owner(user, self.room),
            room=self.room.key,
            thread=self.session.thread,
            event=self.event_id,
            card=self.pressed,
            model=self.model,
            **fields,
        )
        self.audit.append(record)

    def archive(self, summary: Summary) -> None:
        """End the session: nothing pending survives, its user's pointer is cleared, no lock is left."""
        session = self.session
        self.summary = msgspec.structs.replace(
            summary,
            open=left_open(session),
            language=session.language,
            done=session.done,
            incident=session.incident,
            group=session.alert.group if session.alert else session.group,
            walk=session.walk,
            mirrors=session.mirrors,
            parked=session.parked,
            subscribers=session.subscribers,
        )
        if self.session.owner:
            self.release.append(self.session.owner)
        self.set(
            archived=True,
            lock=None,
            flow=None,
            queued=(),
            pending=(),
            results={},
            first={},
            last_query=None,
            standing=(),
            rejection=None,
        )

    def decision(self) -> Decision:
        """What this turn came to."""
        return Decision(
            session=self.session,
            cards=tuple(self.drawn.items()),
            copies=self.elsewhere.copies(self.session, self.drawn),
            work=tuple(self._work),
            audit=tuple(self.audit),
            release=tuple(dict.fromkeys(self.release)),
            summary=self.summary,
            route=self.route,
            intents=self.intents,
            incidents=self.chronicle.changes(),
            wants_number=self.chronicle.wants_number,
            cited=self.cited,
            tokens=self.tokens,
        )


CITED = 20
"""Runbooks that are remembered as cited."""

PLAN_BUTTONS = frozenset({"confirm", "cancel", "modify", "approve", "reject"})
"""Buttons that die with the plan they are about."""


def _standing(turn: Turn, card_id: str, card: Card) -> Iterator[Note]:
    """What stands on every card: that nothing can be changed; who has the thread, unless it is the card that says so,
    or one that says little."""
    if turn.world.read_only:
        yield Note(turn.text(Say("note.read_only", {"why": turn.world.read_only})))
    assigned, handed = turn.session.assigned_to, turn.session.handed
    own = handed is not None and handed.card == card_id
    if assigned is not None and not own and card.tone != "muted":
        yield Note(turn.text(Say("handed.assigned", {"who": assigned.name or assigned.who})))


def cite(turn: Turn, ids: Iterable[str]) -> None:
    """Keep which runbooks this conversation has been shown, the last ones last."""
    turn.cited = tuple(dict.fromkeys((*turn.cited, *ids)))
    if not turn.cited:
        return
    turn.set(at_hand=turn.cited)
    known = (id_ for id_ in turn.session.cited_runbooks if id_ not in turn.cited)
    turn.set(cited_runbooks=(*known, *turn.cited)[-CITED:])


def label(entity: Entity) -> str:
    """How an entity is called on cards: its service name, and beside it what keeps it from being taken for
    another: the workload where that is called differently, and the environment."""
    beside = [] if entity.name == entity.workload else [entity.target]
    if entity.environment:
        beside.append(entity.environment)
    return f"{entity.name} ({', '.join(beside)})" if beside else entity.name


def button(button_id: str, text: str, **more: Any) -> Button:
    """Shorthand for a `Button`."""
    return Button(button_id, text, **more)
