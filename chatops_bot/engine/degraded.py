"""While the store or the audit log is away nothing is changed; what only reads is still answered (rule 8)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping

from chatops_bot.domain.cards import Card
from chatops_bot.domain.dialogue.requests import ANSWERED
from chatops_bot.domain.dialogue.views import report_card
from chatops_bot.domain.effects import Query
from chatops_bot.domain.entities import Entity
from chatops_bot.domain.events import Click, Event, Message
from chatops_bot.domain.identity import Room
from chatops_bot.domain.intents import Interpretation, Language, State, Utterance
from chatops_bot.domain.policy import Ruling
from chatops_bot.domain.say import say
from chatops_bot.domain.texts import render
from chatops_bot.engine.queries import Queries
from chatops_bot.engine.snapshot import Snapshot
from chatops_bot.ports.chat import ChatPort
from chatops_bot.ports.interpreter import Rules

REMEMBERED = 1_000
"""Events already answered this way: the platform delivers them again and again, since none is acknowledged."""

READING = {"notice.store": "notice.store_reading", "notice.audit_unwritable": "notice.audit_reading"}
"""What is said instead where the event only asked, and is answered all the same."""


class Degraded:
    """Answers outside the store's guarantees: no thread, no lock, plain lines."""

    def __init__(self, *, rules: Rules, queries: Queries, snapshot: Snapshot, chats: Mapping[str, ChatPort]) -> None:
        self._rules = rules
        self._queries = queries
        self._snapshot = snapshot
        self._chats = chats
        self._told: OrderedDict[str, None] = OrderedDict()

    def owes_answer(self, event: Message | Click) -> bool:
        """Whether somebody waits for an answer to this event, and has not been told yet."""
        if isinstance(event, Message) and not (event.addressed or event.direct):
            return False
        return self._first(event.id)

    async def unrecorded(self, event: Event, room: Room, *, of: str) -> None:
        """Say, once for each entry `of` a thread, that nothing goes on since the audit log cannot be written."""
        if isinstance(event, Message | Click):
            if self.owes_answer(event):
                await self.tell(event, "notice.audit_unwritable")
        elif self._first(of) and (chat := self._chats.get(room.platform)) is not None:
            text = render(say("notice.audit_unwritable"), self._snapshot.world.language)
            await chat.notice(room=room, text=text, root="")

    def _first(self, id: str) -> bool:
        if id in self._told:
            return False
        self._told[id] = None
        if len(self._told) > REMEMBERED:
            self._told.popitem(last=False)
        return True

    async def tell(self, event: Message | Click, key: str) -> None:
        """Say that the event was not taken; if it only asks about one service, answer it all the same."""
        chat = self._chats.get(event.room.platform)
        if chat is None:
            return
        language: Language = "en"
        text = ""
        if isinstance(event, Message):
            meaning, entity = self._understood(event)
            language = meaning.language
            text = await self._answer(event, meaning, entity)
        notice = READING.get(key, key) if text else key
        line = "\n".join(part for part in (render(say(notice), language), text) if part)
        await chat.notice(room=event.room, text=line, root=event.root, to=event.user.id)

    def _understood(self, event: Message) -> tuple[Interpretation, Entity | None]:
        world = self._snapshot.world
        found = self._snapshot.names_in(event.text, world)
        meaning = self._rules.interpret(Utterance(text=event.text, state=State.IDLE, names=found.names))
        named = {service.entity.key: service.entity for name in found.names for service in name.matches}
        return meaning, next(iter(named.values())) if len(named) == 1 else None

    def _judged(self, event: Message, entity: Entity, action: str) -> Ruling:
        """Whether the author may look at it."""
        policy = self._snapshot.world.policy
        return policy.judge(action=action, entity=entity, room=event.room, user=event.user, role="read")

    async def _answer(self, event: Message, meaning: Interpretation, entity: Entity | None) -> str:
        if entity is None or len(meaning.requests) != 1 or meaning.requests[0].intent not in ANSWERED:
            return ""
        request = meaning.requests[0]
        ruling = self._judged(event, entity, request.intent)
        if not ruling.allowed:
            return render(ruling.problem, meaning.language) if ruling.problem else ""
        query = Query(
            id=f"degraded:{event.id}",
            thread="",
            room=event.room,
            user=event.user,
            intent=request.intent,
            entity=entity,
            slots={**request.slots, "text": event.text} if request.intent == "runbook" else request.slots,
            logs=self._judged(event, entity, "logs").allowed,
        )
        result = await self._queries.run(query)
        if result.report is not None:
            card: Card = report_card(result.report, meaning.language)
            return card.text()
        return render(result.problem, meaning.language) if result.problem else ""
