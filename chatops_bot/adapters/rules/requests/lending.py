"""Values and orders that one clause lends to another: "web 回滚到 12，api 跟着回 11", "web rev 6, api rev 15, roll both
back", "mailer revision 9 please roll back"."""

from __future__ import annotations

from chatops_bot.adapters.rules.requests.clauses import Clause, Split
from chatops_bot.adapters.rules.requests.continuing import TOPIC
from chatops_bot.adapters.rules.requests.echoing import echoes
from chatops_bot.adapters.rules.requests.naming import same
from chatops_bot.adapters.rules.requests.sharing import clause_of
from chatops_bot.adapters.rules.values.parameters import slots_of
from chatops_bot.adapters.rules.values.slots import lone_count
from chatops_bot.domain.intents import Name, Quantity, Request, SlotValue


def valued(said: Split, intent: str, clause: Clause) -> dict[str, SlotValue]:
    """What a clause says for an order that was given in another one; a number alone is one of replicas."""
    own = slots_of(intent, said.text(clause), said.reading.text[clause.start : clause.end])
    count = lone_count(said.text(clause)) if intent == "scale" and "replicas" not in own else None
    if intent == "rollback" and "revision" not in own:
        alone = lone_count(said.text(clause))
        if isinstance(alone, Quantity) and alone.kind == "to":
            return {**own, "revision": int(alone.value)}
    return own if count is None else {**own, "replicas": count}


def named_with(said: Split, intent: str, name: Name) -> dict[str, SlotValue]:
    """The value that a name was said with, in a clause that says nothing else."""
    clause = clause_of(said, name)
    if clause is None or TOPIC.fullmatch(said.masked, clause.start, clause.end) is None:
        return {}
    return valued(said, intent, clause)


def echoed(said: Split, clause: Clause, last: Request) -> list[Request]:
    """The order before once more, of another and with its own values ("web 回滚到 12，api 跟着回 11")."""
    name = clause.names[0]
    if not last.dangerous or (last.name is not None and same(last.name, name)) or not echoes(said, clause, last.intent):
        return []
    own = valued(said, last.intent, clause)
    return [Request(last.intent, own, name, conditional=last.conditional, start=clause.start)]


def announced(said: Split, intent: str, index: int) -> dict[str, SlotValue]:
    """The values of an order that the clause before it holds, which says what it is about and nothing else
    ("mailer revision 9 please roll back")."""
    before = said.clauses[index - 1] if index else None
    if before is None or TOPIC.fullmatch(said.masked, before.start, before.end) is None:
        return {}
    return slots_of(intent, said.masked[before.start : before.end], said.reading.text[before.start : before.end])


def elsewhere(request: Request, places: dict[str, SlotValue]) -> bool:
    """Whether places are said that are not those of a request."""
    return any(slot in request.slots and request.slots[slot] != place for slot, place in places.items())
