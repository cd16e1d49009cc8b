"""What a question asked for beside its entity, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from chatops_bot.domain.intents import SlotValue
from chatops_bot.domain.objects import shortened, span
from chatops_bot.domain.say import Say, say


def applied(slots: Mapping[str, SlotValue]) -> Iterator[Say]:
    """What was asked for, in words, so that nobody takes a part for the whole."""
    tail, since = slots.get("tail"), slots.get("since")
    if isinstance(tail, int):
        yield say("applied.tail", count=tail)
    if isinstance(since, int) and since > 0:
        yield say("applied.since", span=span(since * 1000))
    if slots.get("when"):
        yield say("applied.when", when=f"when.{slots['when']}")
    yield from (say(f"applied.{name}") for name in ("previous", "errors", "everyone") if slots.get(name))
    yield from (say(f"applied.{name}", name=str(slots[name])) for name in ("container", "pod") if slots.get(name))
    if slots.get("grep"):
        yield say("applied.grep", text=shortened(str(slots["grep"]), 60))
