"""Clauses that go on with the request before them, or only say something for it: a further name, with or without a
value, another place, the bounds of an autoscaler."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Split
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.values.slots import environment

_PLACE = r"(?:prod(?:uction)?|staging|stage|stg|dev|test|uat|pre-?prod|生产|线上|预发)"
_COUNT = r"(?:replicas|pods|个|副本|台|只)*"
OF_QUESTIONS: Final = compiled(r"(?<![a-z])(?:uses?|eats?|takes?|consumes?|burns?|looks?|does|doing|have|has)(?![a-z])")
"""Goes on with a question alone."""
ONLY_NAME: Final = compiled(
    rf"\s*(?:the |to |for |on |of |from |in |do |把|将|给|对|also |ditto (?:for|on|with) |(?:the )?same (?:thing |goes "
    rf"|deal |treatment )?"
    rf"(?:for|on|with|from|of|to) |(?:the )?(?:which|those|that|ones?|what|how) (?:ones? )?(?:of|for|about) |as for |"
    rf"likewise (?:for )?|so (?:does|do|is|should) |和|与|跟|还有|"
    rf"以及|那|both )*(?:service |"
    rf"deployment |"
    rf"服务)?(?:{_PLACE}\s?的?\s?)?N(?:\s*(?:service|deployment|one|too|as well|both|ditto|服务|也|都|各|呢|(?:uses?|"
    rf"eats?|takes?|consumes?|burns?|looks?|does|doing|have|has)(?![a-z])|"
    rf"同样(?:待遇|处理|操作|来一遍)?|同等待遇|同理|照办|照做|照旧来|如法炮制|一样处理|安排上|跟上|列列|列一?下|看看|"
    rf"看一?下|查查|查一?下|要|"
    rf"来一?[份下个]|给我|讲讲|说说|报报|报一?下|贴贴|发发|拉拉|"
    rf"can|lah|la|leh|"
    rf"的?\s?(?:发布|上线|更新|副本)|(?:'s )?(?:rollout|deploy|release)(?![a-z])|(?:(?:in|on) )?{_PLACE}|"
    rf"的(?=也|[呢呗吧哈呀哦\s]*$)|'s(?=\W*$))?)*"
    rf"(?P<n>\s*(?:的|要|用|就|则|(?:gets?|with|wants?|needs?)(?![a-z])|[:=])*\s*"
    rf"(?:(?:to|by|at|up to|from|between)(?![a-z])|到|成|为|加|减|从|在)?\s*{NUM}\s*{_COUNT}"
    rf"(?:\s*(?:~|-|–|/|(?:to|and)(?![a-z])|到|至|和)\s*{NUM}\s*{_COUNT})?)?\s*"
    rf"(?:(?:please|now|pls|can|lah|la|thx|thanks|ty|cheers|ta|as well|too|also)(?![a-z])|[吧呗哈呀哦呢]|"
    rf"的?也(?:要|得|是)?(?:给我|"
    rf"帮我)?(?:(?:调|改|设|弄|搞|配|扩|缩|换|回)(?:成|到|为)?)?(?:一样|同样|这样|这么多)?的?|谢谢|谢了|[\s,.!~])*\s*"
)

TOPIC: Final = compiled(
    rf"\s*(?:(?:the|ok|so|for|on|service|deployment|服务)(?![a-z])\s*)*N(?:\s*(?:service|deployment|服务|{_PLACE}|"
    rf"的))*[\s:-]*"
    rf"(?:(?:to|back to)(?![a-z])\s*|到)?(?:revision|rev|version|版本号?|第|image|镜像)?\s*[#:]?\s*"
    rf"(?:{NUM}\s*(?:replicas|pods|instances|个|副本|实例|台|只|号|版本?)*|[\w./-]*:[\w.-]+|v?\d+(?:\.\d+)+[\w.-]*)\s*"
)
"""A name with one value, and nothing else."""

SAME_THERE: Final = compiled(
    rf"\s*(?:and |also |then )*(?:the |do the )?(?:same|ditto)(?: thing)?(?: again)? (?:in|on|for) "
    rf"(?:the )?{_PLACE}(?: env\w*)?[\s.!]*|"
    rf"\s*(?:然后|再|还有)?在?{_PLACE}(?:环境|那边)?的?(?:也|同样|一样)(?:来|要|照做|做|弄|搞|是)?(?:一?下|一?遍|一样)?[\s.!]*"
)
"""The same once more, elsewhere."""
_VALUE: Final = rf"(?:\s*(?:to|at|with|=|:|到|成|为|要|用|是)?\s*{NUM}\s*{_COUNT})?"
_ALSO_THERE: Final = compiled(
    rf"\s*(?:also |too |then |next |finally )*(?:(?:in|on|for) )?(?:the )?{_PLACE}(?: one| env\w*)?{_VALUE}"
    rf"(?: too| as well| please| pls| now| next| afterwards| after that)*[\s.!]*|"
    rf"\s*(?:然后|再|还有|最后|也)*(?:在)?{_PLACE}(?:环境|那边)?的?(?:也|再)?(?:是|来一下)?{_VALUE}吧?[\s.!]*"
)
_AND: Final = compiled(r"[\s,;、]*(?:(?:and|also|plus|then|&|n|和|再|然后|接着|还有|以及)[\s,]*)*")


def once_more(said: Split, clause: Clause) -> bool:
    """Whether a clause without a name asks for the same in one more place ("ditto in prod", "web in prod and in
    staging", "web in prod to 4, staging to 2")."""
    text = said.text(clause)
    if SAME_THERE.fullmatch(text):
        return True
    if _ALSO_THERE.fullmatch(text) is None:
        return False
    before = next((one for one in reversed(said.clauses) if one.end <= clause.start), None)
    if before is None or _AND.fullmatch(said.masked, before.end, clause.start) is None:
        return False
    here, there = environment(said.text(before), ""), environment(text, "")
    return here is not None and there is not None and here != there


BOUNDS: Final = compiled(
    rf"\s*(?:between|from|with|at|of|to|,|从|在|范围|区间)*\s*{NUM}\s*{_COUNT}\s*(?:-|~|–|/|(?:to|and)"
    rf"(?![a-z])|到|至|和)\s*"
    rf"{NUM}\s*{_COUNT}\s*(?:吧|就行|即可|please|pls|之间|[.! ])*"
)
"""A range and nothing else."""
