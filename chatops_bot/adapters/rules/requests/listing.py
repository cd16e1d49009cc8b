"""Lists of names that a verb follows: "把 web、api 都重启", "web, api and cart restart". Each comma ends a clause."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.requests.naming import distinct, ends_sentence, same
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.domain.intents import Name

_NAMES: Final = r"N(?:\s*(?:和|与|跟|以及|还有)\s*N)*"
_LISTED: Final = compiled(
    r"\s*(?:(?:please|pls|kindly|the|请|麻烦你?|帮我?|帮忙|给我|把|将|给|对|service|deployment|服务)\s*)*"
    rf"{_NAMES}(?:\s*(?:service|deployment|服务|\(?(?:prod(?:uction)?|staging|生产|线上|预发)\)?))?\s*"
)
_FORBIDDEN: Final = compiled(rf"(?:不|别|勿|无需|无须|禁止)[^,;]{{0,4}}(?:把|将|给|对)\s*{_NAMES}\s*$")
_BEGINS: Final = compiled(r"\s*(?:(?:and|the|和|与|跟|以及|还有)\s*)*N")
_OF_NO_LIST: Final = frozenset({"overview", "hand_off", "help", "incident", "runbook"})
"""What is asked of nothing in particular, or once."""
_COMMA: Final = re.compile(r"\s*(?:[,&]\s*)?(?:and\s*|还有\s*)?", re.ASCII)


def listed_before(said: Split, index: int, mark: Mark) -> list[Name]:
    """Names in clauses of their own before that of an order or a question, which are in one list with the name that
    begins it."""
    listed: list[Name] = []
    for earlier in _leading(said, index, mark) if mark.intent not in _OF_NO_LIST else ():
        at = said.clauses.index(earlier)
        if _LISTED.fullmatch(said.text(earlier)) is None or (at and ends_sentence(said, said.clauses[at - 1], earlier)):
            break
        listed = [*earlier.names, *listed]
    here = said.clauses[index].names
    return [name for name in distinct(tuple(listed)) if not any(same(name, other) for other in here)]


def list_forbidden(said: Split, index: int, mark: Mark) -> bool:
    """Whether the list that an order ends was begun with a prohibition ("别把 web、api 重启")."""
    return any(_FORBIDDEN.search(said.text(earlier)) for earlier in _leading(said, index, mark))


def _leading(said: Split, index: int, mark: Mark) -> Iterator[Clause]:
    """The clauses before one that a name begins, the nearest first, as long as they name, order nothing, and nothing
    but a comma is between them."""
    after = said.clauses[index]
    begins = _BEGINS.match(said.masked, after.start, after.end)
    if after.names and (begins is None or begins.end() > mark.end > mark.start):
        return
    for earlier in reversed(said.clauses[:index]):
        if _COMMA.fullmatch(said.masked, earlier.end, after.start) is None or earlier.marks or not earlier.names:
            return
        yield earlier
        after = earlier
