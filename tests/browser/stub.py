"""A small bot behind the console, which answers with one card of every kind."""

from __future__ import annotations

from dataclasses import dataclass, field

from chatops_bot.adapters.console import ConsoleChat
from chatops_bot.domain.cards import Button, Card, Code, Fields, Note, Table, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.domain.identity import Room
from chatops_bot.ports.chat import NotAccepted, Receipt

LOG = "\n".join(
    f'2026-01-07T10:0{n}:12Z level=error msg="connect to payment-db:5432: connection refused" attempt={n}'
    for n in range(9)
)


def status_card(text: str, *, who: str = "") -> Card:
    """What the small bot answers to a message: its words come back as data in every kind of block."""
    return Card(
        title=f"payment-svc: {text}"[:120],
        language="en",
        tone="danger",
        blocks=(
            Text("1 of 2 pods is ready; the other one keeps crashing.", strong=True),
            Fields(
                (("Service", "payment-svc"), ("Namespace", "payments"), ("Environment", "prod"), ("You said", text))
            ),
            Table(
                (
                    ("Pod", "State", "Restarts", "Age"),
                    ("payment-svc-7d9c5b6f4-x2x7k", "CrashLoopBackOff", "14", "3 h"),
                    ("payment-svc-7d9c5b6f4-q8lmp", text[:20], "0", "2 d"),
                )
            ),
            Code(f"{text}\n{LOG}"),
            Note("Read 10:01:12 from prod-east. Reply to this card to go on about payment-svc."),
        ),
        buttons=(
            Button(id="confirm", label="Confirm: scale to 5", style="danger", token="plan-1"),
            Button(id="logs", label="Logs"),
            Button(id="refresh", label="Refresh", style="primary"),
        ),
        mention=(who,) if who else (),
    )


def done_card(click: Click) -> Card:
    """What the card becomes by a click."""
    return Card(
        title="payment-svc: 5 of 5 pods are ready",
        language="en",
        tone="ok",
        blocks=(Text(f"{click.user.id} pressed {click.button} with {click.token or 'nothing'}."),),
        buttons=(Button(id="undo", label="Undo"),),
    )


@dataclass
class SmallBot:
    """Answers what is addressed to it or answers one of its cards; a click redraws the card."""

    chat: ConsoleChat
    events: list[Message | Click] = field(default_factory=list)
    refuses: bool = False
    deaf: bool = False

    async def receive(self, event: Message | Click) -> Receipt:
        if self.refuses:
            raise NotAccepted("the store is away")
        self.events.append(event)
        if self.deaf:
            return Receipt("stored")
        if isinstance(event, Click):
            await self.chat.update(room=event.room, thread="t", card=done_card(event), message=event.card, root="")
        elif event.addressed or event.answers:
            await self.answer(event.room, status_card(event.text, who=event.user.id), key=event.id)
        return Receipt("stored", "t")

    async def answer(self, room: Room, card: Card, *, key: str) -> str:
        posted = await self.chat.post(room=room, thread="t", card=card, root="", key=key, again=False)
        return posted.message
