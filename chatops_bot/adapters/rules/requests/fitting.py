"""Whether a verb fits what it is said of: a pod is deleted, a node is emptied, and a whole service is neither.

"把 web-6f8-x2 删了" is an order, "把 web 删了" is one that there is none for.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.requests.naming import best, is_pod
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.domain.actions.registry import is_node_action
from chatops_bot.domain.intents import Name

_POD: Final = re.compile(r"\bpo(?:ds?)?\b|容器组|pods?", re.ASCII)
_POD_NAME: Final = re.compile(r"(?<![\w.-])[a-z][a-z0-9-]*-(?:[a-z0-9]{8,10}-[a-z0-9]{5}|\d{1,3})(?![\w-])", re.ASCII)
_REVISIONS: Final = re.compile(
    r"\b(?:revisions?|versions?|releases?|history|rollouts?|deploy(?:ment)?s?)\b|版本|发布历史"
)
_BACK_TO: Final = re.compile(
    r"\bback (?:to|on)\b(?!.*\b(?:replicas?|pods?|instances?)\b)|回(?:到|至)?\s?\d+(?!\s?(?:个|台|副本))"
)
_WISHES: Final = re.compile(r"\b(?:i(?:'d| would) (?:like|want)|want|need|please|pls|plz|to ?do|can you|could you)\b")
_BECOMES: Final = compiled(r"\s*N(?: (?!gets?\b|should\b|must\b)\w+)? (?:\w+ed(?: (?:back|off|up|down))?)")
_NAMED: Final = compiled(r" (?:the )?N")
_OF_NODES: Final = re.compile(
    r"cordon|drain|evacuat|scheduling|schedulable|node|排空|排干|腾|封锁|解封|隔离|调度|节点", re.ASCII
)
"""Said of a service too it is an order that only nodes take, and is refused as such."""


def fitting(said: Split) -> Split:
    """The utterance without the verbs that do not fit what they are said of."""
    clauses = []
    back = _REVISIONS.search(said.masked) is not None
    antecedent: Name | None = None
    for clause in said.clauses:
        if clause.names:
            antecedent = best(clause.names)
        marks = tuple(
            _put_back(said, mark) if back else mark for mark in clause.marks if _fits(said, clause, mark, antecedent)
        )
        clauses.append(clause if marks == clause.marks else clause._replace(marks=marks))
    return said._replace(clauses=tuple(clauses))


def _put_back(said: Split, mark: Mark) -> Mark:
    """Where revisions are spoken of, "put it back to 11" goes to one of them."""
    if mark.intent != "scale" or not _BACK_TO.search(said.masked, mark.start, mark.end):
        return mark
    return mark._replace(intent="rollback")


def _fits(said: Split, clause: Clause, mark: Mark, antecedent: Name | None) -> bool:
    if _BECOMES.fullmatch(said.masked, mark.start, mark.end) and not _WISHES.search(said.masked):
        return False  # "mailer paused" tells of it, unless that is wished
    if mark.intent == "delete_pod":
        if _POD.search(said.text(clause)) or _POD_NAME.search(said.masked):
            return True
        if _NAMED.match(said.masked, mark.end):  # which of its pods is asked
            return True
        return antecedent is not None and (is_pod(antecedent) or not antecedent.matches)
    if is_node_action(mark.intent) and clause.names:
        if _OF_NODES.search(said.masked, mark.start, mark.end):
            return True
        return not any(service.entity.kind != "Node" for name in clause.names for service in name.matches)
    return True
