"""Whether an order is only quoted or told of: a heading says where it stands ("in the docs: …"), somebody is
said to have said it, or what came of it stands behind it ("scale web to 5 failed", "收银台缩到2了")."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled

_OBJECT: Final = (
    r"(?>\s+(?:N|to|at|by|from|in|on|the|prod(?:uction)?|staging|rev(?:ision)?|deploy(?:ment)?/?N?|service|nodes?|"
    r"replicas?|pods?|--?[a-z-]+(?:[= ]\d+)?|[vV#]?\d[\w.]*))*+"
)
_CAME_OF_IT: Final = compiled(
    rf"{_OBJECT}\s+(?:failed|fails|errored|timed out|crashed|worked|didn'?t|did not|did nothing|has ?n'?t (?:help|work|"
    r"fix|do)\w*|broke|caused|helped|"
    r"(?:was|were|is) (?:what|why|how|a (?:mistake|bad|good)|the (?:reason|cause|problem|mistake|culprit)|wrong|not "
    r"enough|useless|no help|supposed)|"
    r"made (?:it|things)|at night\b|every (?:night|day|morning)|over ?night|automatically)(?![\w-])"
)
_SAID: Final = compiled(
    r"[^;!?\n]{0,80}?[\"'”]?\s*,\s*(?:(?:said|says|wrote|suggested|suggests) (?:@?[a-z]+|the [a-z]+)|"
    r"(?:he|she|they|@?[a-z]+) (?:said|says|wrote|suggested))[\s.!~)\"']*$"
)
_HEADED: Final = compiled(
    r"(?:^|[\n;.!?])[\s\"'(>-]*(?:[\w']+\s+){0,4}"
    r"(?:docs?|documentation|wiki|readme|runbook|playbook|confluence|text|message|msg|body|description|annotation|"
    r"log|logs|output|history|changelog|transcript|quote|email|mail|comment|snippet|example|says?|said|wrote|reads?|"
    r"reading|yesterday|earlier|last (?:week|night|month|time)|previously)\s*:[\s\"'`>]*"
    r"(?:[^\n;,.!?:]{0,60}\band\s+)?(?:(?:please|pls|kindly|just|kubectl|to|run)\s+)*$|"
    r"(?:^|[\n;.!?])[^\n;.!?:]{0,20}?(?:文档|手册|预案|告警内容|告警|报警|日志|消息|原文|正文|截图|邮件|说明|示例|"
    r"昨[天晚]|之前|上次|前天|说|写着|写道|写的是|提示|显示)(?:里面?|中|上|内容|的|原文)*\s*:\s*[\"'`]?(?:请|麻烦)*\s*$"
)
_SCALES: Final = compiled(r"(?:scales|restarts|reboots|drains|rolls|pauses|resumes|bounces)(?![\w])")
_ITSELF: Final = compiled(r"(?:^|[\s,;])(?:N|it|that|this)\s*$")
_VALUE: Final = (
    rf"\s*+(?:N|它)?\s*+(?:容|到|成|至|回|为|了|发布|版本|第)*\s*+(?:{NUM})?\s*+(?:个|台|号|版本?|副本|实例|节点)*\s*+"
)
_FAILED_ZH: Final = compiled(
    rf"{_VALUE}(?:了|都|又|就|也|老|总|还是|一直)*(?:失败|报错|超时|没(?:成功|生效|用|效果|反应|变化|搞定)|不成功|"
    r"没?卡住|出错|不管用|没能)"
)
_STILL_ZH: Final = compiled(
    rf"{_VALUE}(?:了|之后|以后|后)?\s*+,?\s*+(?:还是|依然|仍然?|照样|也还|也)(?:很|挺|这么|那么|有点|会|在|不够)*"
    r"(?:慢|卡|报错|不行|挂|超时|高|崩|没|一样|有|扛|顶)"
)
_DONE_ZH: Final = compiled(
    rf"\s*(?:N|它)?\s*(?:容)?\s*(?:到|成|至|回)\s*(?:{NUM})\s*(?:个|台|号|版本?|副本|实例)*\s*了\s*$|\s*中\s*$"
)
_DRY_RUN: Final = compiled(r"--dry-run(?![= ]none)")
_BIDS: Final = compiled(r"把|帮|给我|麻烦|请|可以|能|要|该|赶紧|快|直接|先|都")
"""Before the verb something is handed to the bot, or allowed."""


def recounted(said: Split, clause: Clause, mark: Mark) -> bool:
    """Whether the verb at a mark is only told of."""
    masked = said.masked
    if _DRY_RUN.search(masked, mark.end):
        return True
    if _HEADED.search(masked, max(mark.start - 120, 0), mark.start):
        return True
    if _CAME_OF_IT.match(masked, mark.end) or _SAID.match(masked, mark.end):
        return True
    before = masked[max(clause.start, mark.start - 80) : mark.start]
    if _SCALES.match(masked, mark.start) and _ITSELF.search(before):
        return True
    if not said.reading.chinese:
        return False
    if _FAILED_ZH.match(masked, mark.end, clause.end) or _STILL_ZH.match(masked, mark.end, clause.end):
        return True
    return _DONE_ZH.match(masked, mark.end, clause.end) is not None and _BIDS.search(before) is None


_BY_ITSELF: Final = compiled(
    r"N (?:already |usually |always |normally |only )*(?:scales|restarts|reboots|drains|rolls)(?![\w])"
)


def only_told(said: Split, clause: Clause) -> bool:
    """Whether an order in a clause is only told of or taken back, or something does it by itself."""
    if _BY_ITSELF.search(said.text(clause)):
        return True
    return any(recounted(said, clause, mark) or revoked(said, clause, mark) for mark in clause.marks if mark.dangerous)


_NO: Final = (
    r"(?:(?:oh|uh|er|hm+|wait|actually|hang on|hold on|ok|but|sorry|lol|on second thoughts?)[\s,.]+)*"
    r"(?:no+|nope|nah|naw|no,? don'?t|jk|j/k|just kidding|kidding|just joking|joking|no thanks|"
    r"no thank you|never ?mind|nvm|cancel(?: (?:that|it))?|forget (?:it|that)|don'?t|do not|scratch that|"
    r"on second thoughts?,? no(?:t|pe)?|"
    r"rather not|better not)[\s.!~)]*$"
)
_REVOKED: Final = compiled(
    rf"(?>\s+(?:N|to|at|by|in|on|the|prod(?:uction)?|staging|now|please|pls|it|them|replicas?|pods?|\d[\w.]*))*+"
    rf"[,.;:!\-–—…\s]++{_NO}"
)
_REVOKED_ZH: Final = compiled(
    rf"{_VALUE}(?>吧|了|一下|哦|哈|还是|那|啊|呃|等等|等下|[\s,.;!~…\-—])*+"
    r"(?:不了|不要了|算了|别了|免了|别|不|开玩笑的?|逗你的?|说着玩的?|闹着玩的?|当我没说)[吧啦哈啊哦\s.!~]*$"
)


def revoked(said: Split, clause: Clause, mark: Mark) -> bool:
    """Whether all that follows an order takes it back ("restart web... nah", "重启网关，开玩笑的")."""
    if _REVOKED.match(said.masked, mark.end):
        return True
    return said.reading.chinese and _REVOKED_ZH.match(said.masked, mark.end) is not None
