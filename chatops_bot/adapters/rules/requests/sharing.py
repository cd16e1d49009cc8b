"""Names that clauses share: those meant by "both" or "都" where nothing is named ("网关和支付一起上的，都退回去"), each
with the value that it was named with ("web rev 6, api rev 15, roll both back")."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Split
from chatops_bot.adapters.rules.requests.naming import distinct
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.domain.intents import Name

_ALL: Final = compiled(
    r"(?<![a-z])(?:all(?: of (?:them|those|these))?|them|they|each|every one)(?![a-z])|都|全(?!局|站|平台)|通通|统统|"
    r"各(?!位)|分别|"
    r"一[起并块]"
)
_TWO: Final = compiled(r"(?<![a-z])both(?![a-z])|两[个台边者]|[俩倆](?!\s?(?:副本|实例|pod|个|台))")
_THREE: Final = compiled(r"(?<![a-z])all three(?![a-z])|[三仨][个台者]?(?=都|一起|各|服务|节点|机器|全)")


def shared(said: Split, index: int) -> list[Name]:
    """The names before a clause without one that is about all of them; none where only one was named."""
    clause = said.clauses[index]
    text = said.text(clause)
    three, two = _THREE.search(text), _TWO.search(text)
    if clause.names or not (three or two or _ALL.search(text)):
        return []
    most = 3 if three else 2 if two else 0
    named: list[Name] = []
    for earlier in reversed(said.clauses[:index]):
        if not earlier.names:
            if named or earlier.marks:
                break
            continue
        named = [*earlier.names, *named]
        together = distinct(tuple(named))
        if len(together) >= (most or 2) and (most or earlier.marks):
            break
        if earlier.marks and not most:
            break
    together = distinct(tuple(named))
    return together if len(together) == most or (not most and len(together) > 1) else []


def clause_of(said: Split, name: Name) -> Clause | None:
    """The clause that a name stands in."""
    return next((clause for clause in said.clauses if any(name is other for other in clause.names)), None)
