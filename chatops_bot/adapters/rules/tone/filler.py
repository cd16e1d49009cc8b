"""Words that say nothing of their own: what is left of a message without them tells how much it says."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.tone.flow import flow_of

LITTLE: Final = re.compile(
    r"\b(?:fat fingers?|brain fart|misspoke|autocorrect|scratch that|no+|nope|nah|not|yes|yeah|ok|okay|k|sorry|sry|"
    r"oops|wait|um+|uh+|er+|hm+|well|right|alri?te?|alright|actually|"
    r"rather|instead|then|please|pls|plz|make|made|it|that|this|them|the|a|an|to|of|at|with|on|in|for|do|did|just|only|"
    r"be|is|was|should|i|we|me?a?nt?|mean|say|said|wants?|needs?|gets?|aswell|too|also|give|gimme|me|us|try|use|"
    r"take|go|back|put|set|change|"
    r"revision|rev|version|replicas?|pods?|instances?|lines?|correction|belongs?|obviously|obvs|ofc|of course|"
    r"clearly|duh|talking|speaking|asking|about|am|im|i'm|doing|kindly|exactly|alike|equally|next|turn|there|here|"
    r"over|those|these|one of|both|all|any|man|dude|mate|guys|folks|argh|gah|bah|damn|dang|shoot|crap|whoops|fuck|"
    r"shit|hell|god|omg|wtf|ffs|eh|ah|oh|ha|yikes|jeez|whoa|hers|his|theirs|says|told|asked|sounds|feels|seems|like|"
    r"guess|think|bit|bring|get|got|keep|leave|run|go(?:es|ing)?|with|have|has|really|ugh|hey|jk|lemme|correct|"
    r"pardon|plus|ok|number|scal(?:e|ing)|roll\s?back|rollout|order|thing|one|"
    r"maybe|lets?|let's|whatever|fine|supposed|intended|where|were|resume|continue|still|so|and|but|up|down|out|"
    r"enough|too|much|many|lol|"
    r"more|past|last|further|longer|shorter|second|thoughts?|haha|bot|again|now|better|sure|cool|my|bad|typo|wrong|"
    r"will|would|can|could|you|by|off|from|first|s)\b|"
    r"不对|不是|不行|不够|不|对|哦|啊|呃|嗯|噢|额|哎|诶|那个|那就?|就|还是|要|改(?:成|为|到|主意了?)?|换(?:成|到)?|"
    r"错了?|"
    r"手抖了?|天哪?|我去|我靠|靠|卧槽|擦|吓死|该|在|把|它|讲|嘅|系|嗰|旁边|隔壁|那边|这边|那个|这个|想|动|搁|哈|呗|"
    r"喔|唉|咳|写|说|打|看|记|弄|搞|填|我|他|她|老板|先|只|给|来|吧|"
    r"了|呢|啦|呀|嘛|比较|更|的|好|行|可以|够|即可|应该|是|到|成|为|退|"
    r"回|滚|"
    r"扩|缩|容|数量|版本?|那版|号|个|台|份|副本|实例|行数|继续|刚才|接着|回到|太|多|少|保守|激进|一?点|算|再|又|但|也|"
    r"请|麻烦|帮|一下|用|拿|按|其实|意思|口误|sorry",
    re.ASCII,
)
CLAUSE: Final = re.compile(
    r"[,;!?\n~—…\U0001f000-\U0001faff\u2600-\u27bf\u200d\ufe0f]+|\.+(?!\d)|\s-+\s|"
    r"(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])|(?<=[吧啦])(?=[\u4e00-\u9fff])|"
    r"\b(?:so|but|because|cause|bc|cuz|coz|since|while|whilst|as long as)\b|所以|但是?|因为|不过|然后|反正|毕竟",
    re.ASCII,
)
"""What stands between two clauses, each of which may say all that is meant, or only why."""
_IS: Final = re.compile(r"^\s*is (?=\d)")
"""Tells a value where no mark asks for it."""
_TAG: Final = re.compile(r"(?<![a-z])(?:ok|okay|right|yeah|deal)\s*$|(?:好吧|行不|成不)\s*$")
"""Ends what is told, though a mark stands behind it."""
_ANYHOW: Final = re.compile(r"怎么(?:也|都|着)")
_SILENT: Final = re.compile(r"[\W_\d]+")
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


def left(text: str) -> int:
    """How much a part of a message says beside little words: its letters, a Chinese character for two."""
    rest = _SILENT.sub("", LITTLE.sub(" ", text))
    return len(rest) + len(_HAN.findall(rest))


class Clause(NamedTuple):
    """A part of a masked text, and what ends it."""

    start: int
    end: int
    text: str
    ends: str


def clauses(masked: str) -> Iterator[Clause]:
    """The clauses of a text that say something, in order."""
    start = 0
    for found in CLAUSE.finditer(masked):
        if masked[start : found.start()].strip():
            yield Clause(start, found.start(), masked[start : found.start()], found.group())
        start = found.end()
    if masked[start:].strip():
        yield Clause(start, len(masked), masked[start:], "")


def clause_at(masked: str, start: int, end: int) -> Clause:
    """The clause around a part of a text."""
    begins = max((found.end() for found in CLAUSE.finditer(masked, 0, start)), default=0)
    after = CLAUSE.search(masked, end)
    ends = after.start() if after else len(masked)
    return Clause(begins, ends, masked[begins:ends], after.group() if after else "")


def asks(reading: Reading, clause: Clause) -> bool:
    """Whether a clause asks, and is no polite order."""
    if _TAG.search(clause.text):
        return False
    text = _ANYHOW.sub("", clause.text if "?" in clause.ends else _IS.sub("", clause.text))
    flow = flow_of(reading._replace(masked=text + clause.ends))
    return bool(flow.question) and not flow.polite
