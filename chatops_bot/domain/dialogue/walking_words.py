"""Words that walk through a runbook. A move has to be the whole message, so that nothing said in passing is one.

None of them confirms anything; what asks for the action of a step asks for a plan.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from chatops_bot.domain.runbooks import Step

Move = Literal["next", "ok", "skip", "back", "where", "stop", "leave", "do"]
"""`ok` agrees with what was read, and moves on where that is all there is to do. What agrees to a plan in so many words
("yes", "可以") is none. `leave` stops whatever is under way, `stop` the runbook and nothing else."""

_LONGEST: Final = 120
"""Characters of a message that may be a move or an answer."""


def _whole(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_BOOK: Final = r"(?:(?:the|this|that) )?(?:run-?book|play-?book|walk-?through|walk)"
_SHU: Final = r"(?:这个?|这份|该)?\s*(?:手册|预案|run-?book|playbook)"

_MOVES: Final[tuple[tuple[Move, re.Pattern[str]], ...]] = (
    (
        "next",
        _whole(
            r"(?:(?:go )?(?:on )?to )?(?:the )?next(?: step| one)?",
            r"(?:(?:it|that|this)(?:'?s| is) |i'?m |all )?done(?: (?:it|that|with (?:it|that)))?|did (?:it|that)",
            r"continue|go on|carry on|proceed|move on|finished",
            r"(?:去|到|进入|看)?下一(?:步|个|条)|(?:请)?继续|接着(?:来|走)|往下(?:走)?",
            r"(?:已经?)?(?:做|弄|搞|处理)(?:完|好)了?|(?:已)?完成了?|搞定了?",
        ),
    ),
    (
        "ok",
        _whole(
            r"ok(?:ay)?|k+|alright|all right|got it|understood|seen(?: it)?",
            r"好(?:的|滴|哒|了|嘞)?|嗯+|知道了|明白了?|了解了?|收到|看到了|看过了",
        ),
    ),
    (
        "skip",
        _whole(r"skip(?: (?:it|this|that|(?:this|the) step))?", r"(?:跳过|略过)(?:这一?步|这个|它|吧)?"),
    ),
    (
        "back",
        _whole(
            r"(?:go )?(?:one step )?back(?: (?:one|a) step)?|(?:(?:go )?to )?(?:the )?previous(?: step| one)?",
            r"(?:回到?|退回?到?|返回)?上一(?:步|个|条)|(?:往)?(?:后退|退回?)一步|返回",
        ),
    ),
    (
        "where",
        _whole(
            r"where (?:was|were|am|are) (?:i|we)(?: now)?|where did (?:i|we) (?:stop|leave off)",
            r"(?:at )?(?:which|what) step(?: (?:are we|am i|is it|were we|was i)(?: (?:at|on|in))?(?: now)?)?",
            r"(?:what(?:'s| is)|show(?: me)?|repeat) (?:the |this )?(?:current )?step|repeat(?: (?:it|that))?",
            r"(?:我们?|咱们?)?(?:现在|刚才|刚刚)?(?:走|做|进行|说|讲)?到(?:哪儿?|哪里|第几|哪一?)步?了?|(?:现在)?(?:是)?第几步了?",
            r"(?:看看?|显示)?(?:当前|现在|这一?)(?:是哪)?(?:一)?步骤?|(?:再|重新?)(?:说|看|来)一[遍下]",
        ),
    ),
    (
        "stop",
        _whole(
            rf"(?:stop|end|quit|exit|leave|cancel|abort|close|finish)(?: walking)?(?: {_BOOK})",
            r"stop walking(?: (?:me|us) through it)?",
            rf"(?:结束|停止|停掉|退出|取消|中止|终止|关闭|关掉){_SHU}|{_SHU}(?:就)?(?:到这里|结束|停|不走)|不(?:用)?走了",
        ),
    ),
    (
        "leave",
        _whole(
            r"stop(?: it| here)?|quit|exit|enough|that'?s enough|never ?mind|forget it|cancel",
            r"算了|停(?:止|下|一下)?|不用了|结束|退出|取消|到此为止|就到这里",
        ),
    ),
    (
        "do",
        _whole(
            r"(?:do|run|execute) (?:it|that|this|(?:the|this) step)|execute",
            r"(?:就)?(?:执行|做)(?:它|这个|这一?步|这个操作)?|动手",
        ),
    ),
)

_BEFORE: Final = re.compile(
    r"(?:(?:ok(?:ay)?|please|alright|and|then|so|now|bot|yes)\b[\s,，]+|好的?[\s,，、]+|那就|那|请|麻烦)+(?=\S)",
    re.IGNORECASE,
)
_AFTER: Final = re.compile(
    r"(?:[\s,，]*(?:\b(?:please|pls|thanks|thank you|now|then)|吧|啦|呗|哈|谢谢))+$", re.IGNORECASE
)
_MARKS: Final = " .!。！~,，"


def plain(text: str) -> str:
    """What a short message says, without the politeness around it; "" for one that is too long to be a move."""
    text = " ".join(text.split()).rstrip(_MARKS)
    if len(text) > _LONGEST:
        return ""
    said = _AFTER.sub("", text).rstrip(_MARKS)
    before = _BEFORE.match(said)
    return said[before.end() :] if before else said


def move_of(text: str) -> Move | None:
    """The move that the whole message is. A question is none, but for where the runbook stands."""
    said = plain(text)
    asked = said.endswith(("?", "？"))
    said = said.rstrip("?？ ")
    for move, pattern in _MOVES:
        if said and pattern.fullmatch(said) and (move == "where" or not asked):
            return move
    return None


_ORDINAL: Final = re.compile(
    r"(?:(?:answer|option|choose|number|the|选|选择)\s*)*(?:#?(?P<digit>\d)|第\s*(?P<zh>[一二三四五六七八九\d])\s*(?:个|项|条)?|"
    r"(?P<en>first|second|third|fourth|fifth|sixth))(?:\s*(?:one|answer|option))?",
    re.IGNORECASE,
)
_DIGITS: Final = {word: number for number, word in enumerate("一二三四五六七八九", 1)}
_NAMED: Final = ("first", "second", "third", "fourth", "fifth", "sixth")


def answer_of(step: Step, text: str) -> int | None:
    """Which answer of an `ask` the whole message is, from 0: its words in either language, its number, or the words
    that one answer alone begins with."""
    if text.rstrip().endswith(("?", "？")):
        return None
    labels = [(_bare(each.texts.zh), _bare(each.texts.en)) for each in step.answers]
    for said in filter(None, (_bare(text) if plain(text) else "", _bare(plain(text)))):
        same = [index for index, both in enumerate(labels) if said in both]
        begun = [index for index, both in enumerate(labels) if len(said) > 1 and any(x.startswith(said) for x in both)]
        for found in (same, begun):
            if len(found) == 1:
                return found[0]
    number = _number(plain(text))
    return number - 1 if 0 < number <= len(labels) else None


def _bare(text: str) -> str:
    """Letters and digits alone, in small letters, with single spaces."""
    return " ".join("".join(one if one.isalnum() else " " for one in text.casefold()).split())


def _number(said: str) -> int:
    found = _ORDINAL.fullmatch(said)
    if found is None:
        return 0
    if found["en"]:
        return _NAMED.index(found["en"].lower()) + 1
    digit = found["digit"] or found["zh"]
    return _DIGITS.get(digit) or int(digit)


_WANTED: Final = re.compile(
    r"\b(?:walk|guide|take|lead|talk|step)(?:ing)? (?:me|us) through\b|\bwalk[- ]?through\b|\b(?:go|step) through\b|"
    r"\bstep[- ]by[- ]step\b|\bone step at a time\b|"
    r"\b(?:start|begin|run|follow|work through)(?= (?:[\w/-]+ ){0,6}?(?:run-?book|play-?book|procedure|sop)\b)|"
    r"一步一?步地?(?:来|走|做)?|带(?:着|领)?(?:我们?|大家|咱们)(?:一起)?(?:走|做|过|来)?(?:一[遍下])?|走一[遍下]|过一遍|"
    r"(?:开始|启动|跟着|照着?|按照?|执行)(?=[^,，。;；]{0,30}(?:手册|预案|\brun-?book|\bplaybook|\bsop))",
    re.IGNORECASE,
)
_LITTLE: Final = re.compile(
    r"\b(?:the|this|that|it|its|me|us|run-?books?|play-?books?|procedure|sop|please|pls|now|for|of|on|with|bot|can|could|"
    r"would|will|you|let'?s|ok|okay|start|begin|how|to|do|we|i|and|a|an|in)\b|手册|预案|它|他|这个|这份|那个|那份|服务|吧|请|"
    r"帮我|帮忙|一下|一遍|来|走|做|开始|的|了|把|用|按|看|吗|呢|能|可以|麻烦|给我|上面|刚才|处理",
    re.IGNORECASE,
)


def wanted(text: str) -> bool:
    """Whether a question for a runbook wants it walked."""
    return _WANTED.search(text) is not None


def topic(text: str) -> str:
    """What such a question is about, "" where it names nothing."""
    rest = _WANTED.sub(" ", text)
    return rest.strip() if re.search(r"\w", _LITTLE.sub(" ", rest)) else ""
