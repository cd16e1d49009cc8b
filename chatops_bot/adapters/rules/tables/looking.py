"""How something is looked at, as it is said: errors alone, all pods, what hangs on a service; and what asks only for
more or less of the last answer."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.domain.intents import SlotValue

_ERRORS: Final = re.compile(
    r"\b(?:errors?|exceptions?|stack ?traces?)\b(?! (?:rate|budget|code)s?\b)|报错|错误(?!率|码)|异常|(?:哪些|什么|"
    r"啥)错",
    re.ASCII,
)
_GREPPED: Final = re.compile(
    r"\bgrep|\b(?:matching|contain(?!er)\w*|mention\w*|with the (?:word|text|string))\b|"
    r"包含|含有|搜索|过滤|关键[字词]|匹配",
    re.ASCII,
)
_EVERYONE: Final = re.compile(
    r"\b(?:all|every|each|both)(?: of)?(?: the| its)? (?:\w+ )?(?:pods?|replicas?|instances?|copies)\b|\ball of them\b|"
    r"(?:所有|全部|每个|各个?)(?:的)?\s?(?:pod|副本|实例)",
    re.ASCII,
)
_ONLY: Final = re.compile(
    r"(?:\b(?:only|just)(?: (?:show|the|those|lines?|with))* |只看|只要|仅看|只显示)\s*[\"'`]?"
    r"(?P<word>[\w.:/*-]+)[\"'`]?(?: lines?|\s?的(?:行|日志)?)?\s*[.!]?$",
    re.ASCII | re.IGNORECASE,
)
_NO_WORD: Final = re.compile(r"errors?|exceptions?|lines?|all|pods?|logs?|it|this|that|\d+", re.IGNORECASE)
"""Behind "only" no word to be looked for in lines."""
DEPENDENTS: Final = (
    (
        r"what (?:else )?depends on|(?:who|what) (?:else )?(?:uses|calls|routes to|points (?:to|at)|exposes)|"
        r"depend(?:s|ents|encies)|ways? in(?: to)?|how is N exposed|"
        r"(?:which|what) (?:services?|ingress(?:es)?|hpas?|pdbs?|routes?|network ?polic\w+) "
        r"(?:point|lead|route|belong|are|is|select|expose|does|do|guard|protect|scale)\w*|"
        r"(?:ingress(?:es)?|endpoints?|entry ?points?|pdb|network ?polic(?:y|ies)|services?) (?:of|for) N"
    ),
    (
        r"(?:有)?(?:哪些|什么|啥)(?:入口|依赖|上游|ingress|service)|入口|依赖(?:关系|它|了)?|谁(?:在)?(?:用|调用?|"
        r"依赖)|"
        r"(?:怎么|如何)(?:暴露|访问到?)(?:的|出来)?|(?:ingress|service|pdb|hpa)\s?(?:有|是)(?:哪些|什么|啥)|"
        r"N\s?的\s?(?:(?:ingress|service|svc|pdb|endpoints?)(?:\s?(?:和|与|跟|、|,)\s?)?)+"
    ),
)
"""English and Chinese words for it."""


def errors(masked: str, _text: str) -> bool | None:
    """Whether errors alone are asked for; as a word to be looked for they are no such question."""
    return True if _ERRORS.search(masked) and not _GREPPED.search(masked) else None


def only(text: str) -> str | None:
    """What lines should contain, where only these are asked for ("only timeout", "只看 timeout")."""
    found = _ONLY.search(text)
    return None if found is None or _NO_WORD.fullmatch(found["word"]) else found["word"]


def everyone(masked: str, _text: str) -> bool | None:
    """Whether all pods are meant."""
    return True if _EVERYONE.search(masked) else None


def says_all_pods(text: str) -> bool:
    """Whether a piece of an utterance is no more than the pods of something, all of them."""
    return _EVERYONE.search(text) is not None


def part(masked: str, _text: str) -> SlotValue | None:
    """Which part of a status is asked for."""
    return "dependents" if _DEPENDENTS.search(masked) else None


_DEPENDENTS: Final = re.compile("|".join(DEPENDENTS).replace("N", "\ue000+"), re.ASCII)
