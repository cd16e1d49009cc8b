"""A room with a bot behind it that only notes what it is handed."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from chatops_bot.domain.cards import Button, Card, Text
from chatops_bot.domain.events import Click, Message
from chatops_bot.ports.chat import NotAccepted, Receipt


@dataclass
class FixedClock:
    """A clock that stands still unless it is moved."""

    at: float = 1_700_000_000.0

    def now(self) -> float:
        return self.at

    def monotonic(self) -> float:
        return self.at

    async def sleep(self, seconds: float) -> None:
        self.at += seconds


@dataclass
class StubSink:
    """Takes everything, unless `refuses`; `then` is done with each event before it returns."""

    refuses: str = ""
    then: Callable[[Message | Click], Awaitable[None]] | None = None
    events: list[Message | Click] = field(default_factory=list)

    async def receive(self, event: Message | Click) -> Receipt:
        if self.refuses:
            raise NotAccepted(self.refuses)
        taken = "duplicate" if event.id in {known.id for known in self.events} else "stored"
        self.events.append(event)
        if self.then is not None and taken == "stored":
            await self.then(event)
        return Receipt(taken, "thread-1")


def card(title: str = "web is healthy", text: str = "2 of 2 pods are ready", button: str = "refresh") -> Card:
    """A small card with one paragraph and one button, whose token is the title's first word."""
    return Card(
        title=title,
        language="en",
        blocks=(Text(text),),
        buttons=(Button(id=button, label=button.title(), token=title.split()[0]),),
    )
