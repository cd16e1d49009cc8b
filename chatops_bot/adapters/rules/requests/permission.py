"""Questions after permission: "may I restart web?", "谁可以扩容 web". Never an order, in whatever state.

"Can you …", "能重启 web 吗" without a person ask the bot to do it: those are orders in politeness.
"""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split, split
from chatops_bot.adapters.rules.requests.naming import best
from chatops_bot.adapters.rules.requests.orders import has_pronoun, orders_in
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.flow import flow_of
from chatops_bot.domain.intents import Name, Request
from chatops_bot.domain.permission import PERMISSION

_MAY: Final = compiled(
    r"(?<![a-z])(?:may|can|could|might)(?:n't| not)? (?:i|n't i)(?![a-z])|(?<![a-z])may (?:we|anybody|anyone)(?![a-z])|"
    r"(?<![a-z])(?:can't|cannot|couldn't) i(?![a-z])|(?<![a-z])(?:may|can) i not(?![a-z])|"
    r"为什么(?:我们?|咱们?)(?:不能|不可以|没权限)|"
    r"(?:我们?|咱们?)(?:现在|还|也|是不是|到底|自己|有没有)*(?:能不能|可不可以|能否|可否|是否可以|能够?|可以)"
)
"""By whom it would be done: counts before an action's verb, in a question."""

_RIGHT: Final = compiled(
    r"(?<![a-z])(?:am i|are we|is [\w.-]+|who(?: else)?(?: is|'s)|is (?:anybody|anyone)) (?:also |even |still |not )?"
    r"(?:allowed|permitted|authori[sz]ed|entitled)(?![a-z])|"
    r"(?<![a-z])(?:do|does) (?:i|we|[\w.-]+) have (?:the |enough |any )?(?:permissions?|rights?|authority)(?![a-z])|"
    r"(?<![a-z])who(?: else)? (?:may|can|could|has (?:the )?(?:permissions?|rights?))(?![a-z])|"
    r"(?:谁|哪些人|什么人)(?:都|还|才)*(?:可以|能够?|有权限?|有资格)|"
    r"(?:有没有|有|没有?|需要什么|需要哪些)权限?(?!.{0,6}(?:报错|问题|不足))|允许(?:我们?|谁)"
)
"""Says outright that permission is meant: counts for reading too."""

_ASKS: Final = compiled(r"[?吗么]|谁|哪些人|什么人|能不能|可不可以|能否|可否|是否|有没有|为什么|什么权限")
_WANTED: Final = compiled(
    r"(?:may|can|could|might) i (?:please )?(?:ask|get|have|trouble|bother|request|suggest|beg)(?![a-z])|"
    r"帮|麻烦|请你|请帮|(?:让|叫|求)你"
)
"""Politeness: the bot is asked to do it."""


_WHICH: Final = compiled(
    r"(?:what|which) (?:\w+ )?(?:revisions?|versions?|releases?)|哪(?:些|个|几个)(?:版本|revision)"
)
"""What there is to choose from is asked, not who may choose."""


def asked(reading: Reading) -> tuple[Request, ...]:
    """What permission is asked for, one request per action; none where the utterance leaves a flow, orders
    something, or asks for something else."""
    text = reading.masked
    found = _MAY.search(text) or _RIGHT.search(text)
    if found is None or _WANTED.search(text) or _WHICH.search(text) or flow_of(reading).cancel in ("whole", "hard"):
        return ()
    said = split(reading)
    if any(orders_in(said, clause) for clause in said.clauses):
        return ()
    requests: dict[str, Request] = {}
    for clause in said.clauses:
        for mark in _marks(said, clause):
            name = best(clause.names) if clause.names else _only(reading)
            pronoun = name is None and has_pronoun(said.text(clause))
            requests.setdefault(
                mark.intent, Request(PERMISSION, {"action": mark.intent}, name, pronoun, False, mark.start)
            )
    return tuple(requests.values())


def _marks(said: Split, clause: Clause) -> list[Mark]:
    """The verbs of a clause that permission is asked for."""
    text = said.masked[clause.start : clause.end + 1]
    right, may = _RIGHT.search(text), _MAY.search(text)
    if right is None and may is None:
        return []
    hits = [hit for hit in (right, may) if hit is not None]
    if not hits[0][0].isascii() and _ASKS.search(text) is None:
        return []
    after = clause.start + min(hit.start() for hit in hits)
    actions = [mark for mark in clause.marks if mark.dangerous and (right is not None or mark.start >= after)]
    if actions or right is None:
        return actions
    return [mark for mark in clause.marks if mark.intent == "logs"]


def _only(reading: Reading) -> Name | None:
    """The name said in another clause, where there is but one."""
    return reading.names[0] if len(reading.names) == 1 else None
