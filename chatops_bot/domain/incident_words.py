"""Words about an incident. The whole message has to be one of these phrases: an incident is never declared, resolved or
handed over because of a word in passing, and none of them confirms anything."""

from __future__ import annotations

import re
from typing import Final, Literal

import msgspec

Verb = Literal[
    "declare",
    "status",
    "list",
    "note",
    "severity",
    "command",
    "mitigated",
    "over",
    "resolve",
    "reopen",
    "export",
    "link",
    "unlink",
]
"""`over` is only said of what the thread is about ("恢复了", "fixed"): it may well not be meant of the incident."""

ME: Final = "-"
"""Who takes command where it is whoever speaks."""

ID: Final = re.compile(r"\binc-\d{8}-\d{1,6}\b", re.I | re.A)
SEVERITY: Final = re.compile(r"(?P<kind>sev(?:erity)?|p|s)[- ]?(?P<level>[0-5])", re.I | re.A)

TITLE: Final = 200
"""Characters of a title that are kept."""


class Command(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is wanted. `id` is the incident that was named, in small letters; `text` a note, a title, or the room that
    is to be linked; `who` the name of the new commander, `ME` for whoever speaks. `sure`: the words can be about
    nothing but an incident."""

    verb: Verb
    id: str = ""
    severity: str = ""
    text: str = ""
    who: str = ""
    sure: bool = True


def severity_of(text: str) -> str:
    """A severity as it is shown: `sev2`, `P1`; "" for what is none."""
    found = SEVERITY.fullmatch(text.strip())
    if found is None:
        return ""
    kind = found["kind"].lower()
    return f"sev{found['level']}" if kind.startswith("sev") else f"{kind.upper()}{found['level']}"


def command_of(text: str) -> Command | None:
    """The command that a message is, None for any other message."""
    text = text.strip()
    noted = _NOTE.fullmatch(text)
    if noted is not None:
        return Command("note", id=(noted["id"] or noted["id2"] or "").lower(), text=noted["text"].strip())
    if (told := _TOLD.fullmatch(text)) is not None:
        return Command("note", text=told["text"].strip(), sure=False)
    ids = {found.lower() for found in ID.findall(text)}
    if len(ids) > 1 or len(text) > _LONGEST:
        return None
    id = next(iter(ids), "")
    plain = _TWICE.sub(r"\1", " ".join(ID.sub(" incident ", text).split())).strip(" .!。！~")
    return _changing(plain, id) or _asking(plain, id)


def _changing(text: str, id: str) -> Command | None:
    """What changes it. A question never does."""
    if _QUESTION.search(text):
        return None
    declared = next((found for pattern in _DECLARE if (found := pattern.fullmatch(text))), None)
    if declared is not None and not id:
        said = declared.groupdict()
        level = severity_of(said.get("sev") or said.get("sev2") or "")
        title = (said.get("title") or said.get("title2") or "").strip()
        return Command("declare", severity=level, text=title[:TITLE])
    for pattern in _COMMAND:
        found = pattern.fullmatch(text)
        if found is not None:
            who = found.groupdict().get("who")
            if who is not None and _NOBODY.fullmatch(who.strip()):
                return None
            return Command("command", id=id, who=who.strip() if who else ME, sure=bool(id))
    linked = next(((verb, found) for verb, pattern in _LINKS if (found := pattern.fullmatch(text))), None)
    if linked is not None:
        room = (linked[1]["room"] or linked[1]["room2"] or "").strip()
        return Command(linked[0], id=id, text=room, sure=bool(id or _NAMED.search(text) or ":" in room))
    found = next((found for pattern in _SEVERITY if (found := pattern.fullmatch(text))), None)
    if found is not None:
        return Command("severity", id=id, severity=severity_of(found["sev"]), sure=bool(id or _NAMED.search(text)))
    verb = next((verb for verb, pattern in _CHANGES if pattern.fullmatch(text)), None)
    if verb is None and not id and _OVER.fullmatch(text):
        return Command("over", sure=False)
    return Command(verb, id=id, sure=bool(id or _NAMED.search(text))) if verb else None


def _asking(text: str, id: str) -> Command | None:
    verb = next((verb for verb, pattern in _QUESTIONS if pattern.fullmatch(text)), None)
    return Command(verb, id=id) if verb else None


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.I | re.S) for pattern in patterns)


_LONGEST: Final = 300
_QUESTION: Final = re.compile(r"[?？]\s*$|[吗么呢]$")
_NAMED: Final = re.compile(r"incident|事故|故障", re.I)
_NOBODY: Final = re.compile(r"he|she|it|they|we|you|who|nobody|somebody|someone|anyone|[他她它谁你您]|大家|哪位", re.I)
"""Who takes command has to be named."""

_ID: Final = r"inc-\d{8}-\d{1,6}"
_INC: Final = (
    r"(?:(?:the|this|that|our|my) )?(?:incident|outage|(?:这个?|这次|本次|该|此次?)?(?:事故|故障)(?: ?incident)?)"
)
_SEV: Final = r"(?:sev(?:erity)?[- ]?[0-5]|[ps][- ]?[0-5])"
_SURELY: Final = r"(?:sev(?:erity)?[- ]?[0-5]|p[- ]?[0-5])"
"""`s3` may be a service."""
_PLEASE: Final = (
    r"(?:(?:please|pls|now|ok|okay|so|yes|yep|yeah|yup|good|great|alright|right|well|hey|thanks|and|then|go)[,.!]* )*"
)
_QING: Final = r"(?:(?:是的?|对的?|好的?|嗯+|行|那|ok)[,，、 ]+)*(?:请|麻烦|帮我|我们?)*(?:把|将)?"
_TWICE: Final = re.compile(r"\b(incident)(?: incident)+\b", re.I)

_NOTE: Final = re.compile(
    rf"(?:(?P<id>{_ID})[\s:：,，]*)?(?:add |make |take )?(?:an? )?(?:incident |timeline |事故|故障)?"
    rf"(?:notes?|timeline|时间线|(?:记录|备注|笔记|记)(?:一?下|一笔)?)"
    rf"(?: (?:to|for|on))?\s*(?P<id2>{_ID})?\s*(?:[:：]|(?<=[下笔])\s*[,，])\s*(?P<text>.+)",
    re.I | re.S,
)
_TOLD: Final = re.compile(r"note that (?P<text>\S.+)", re.I | re.S)

_DECLARE: Final = _compiled(
    rf"{_PLEASE}(?:(?:declare|open|start|raise|create|file|make|treat|call|mark)(?: (?:this|it|that))?(?: "
    rf"(?:as|to be|into))?"
    rf"|escalate(?: (?:this|it|that))?(?: (?:to|as|into))?|(?:this|it) is(?: now)?)(?: (?:an?|new|major))*"
    rf"(?: (?P<sev>{_SEV}))? (?:incident|outage)(?:[ ,]*(?:\(|as |at |with |of )?(?:severity |level "
    rf"|a )?(?P<sev2>{_SEV})\)?)?"
    r"(?:\s*[:：,;-]\s*(?P<title>\S.*)|\s+(?:for|because|about)[:,]?\s+(?P<title2>\S.*))?",
    rf"{_PLEASE}(?:declare|open|raise)(?: an?)? (?P<sev>{_SEV})(?:\s*[:：,;-]\s*(?P<title>\S.*))?",
    rf"{_PLEASE}(?:(?:this|it)(?:'s| is)(?: now)?|(?:treat|handle) (?:this|it) as)(?: an?)? (?P<sev>{_SURELY})"
    r"(?:\s*[:：,;-]\s*(?P<title>\S.*))?",
    rf"{_QING}(?:这|此|这事|这件?事|这个(?:问题|告警)?)(?:就?是|定为|定成|算|升级?[为到成])(?:一?[个起次])?\s*"
    rf"(?P<sev>{_SURELY})\s*级?(?:的?\s*故障)?(?:\s*[:：,，;；]\s*(?P<title>\S.*))?",
    rf"{_QING}(?:这|它|此|这事|这件?事|这个(?:问题)?|这个告警)?(?:升级|定级|定性|定|声明|宣布|标记|提升|上升"
    rf"|拉起?|发起|创建|新建|开启?|"
    rf"转|报告?|算|是)(?:成|为|到|作)?(?:一?[个起次])?\s*(?P<sev>{_SEV})?\s*级?的?\s*(?:事故|故障单|incident)"
    rf"[\s,，]*(?P<sev2>{_SEV})?\s*级?(?:\s*[:：,，;；]\s*(?P<title>\S.*)|\s+(?P<title2>\S.*))?",
)

_WHO: Final = r"@?(?P<who>[^\s@:：,，;；。]{1,60}(?: [^\s@:：,，;；。]{1,40}){0,2}?)"
_COMMANDER: Final = r"(?:(?:the|our|a) )?(?:new )?(?:incident )?commander"
_ZHIHUI: Final = r"(?:事故|故障)?(?:总)?指挥(?:官|员)?"
_COMMAND: Final = _compiled(
    rf"{_PLEASE}(?:i(?:'m| am|'ll| will)? )?(?:now )?(?:take|taking|have|in|assume|assuming) (?:the )?"
    rf"(?:incident )?command"
    rf"(?: (?:of|here|over)(?: {_INC})?)?(?: now)?",
    rf"{_PLEASE}i(?:'m| am| will be|'ll be)(?: now)? {_COMMANDER}(?: (?:of|for|on) {_INC})?",
    rf"{_COMMANDER}(?: (?:of|for|on) {_INC})?\s*(?:is now|is|:|：)\s*{_WHO}",
    rf"{_PLEASE}(?:make|let|set) {_WHO}(?: be)? {_COMMANDER}(?: (?:of|for|on) {_INC})?",
    rf"{_PLEASE}hand (?:over )?(?:the )?(?:incident )?command(?: (?:of|for) {_INC})?(?: over)? to {_WHO}",
    rf"{_WHO} (?:takes|is taking|has|is in) (?:the )?(?:incident )?command(?: of {_INC})?",
    rf"(?:现在|这次|(?:{_INC})\s*)?(?:由|让)?我(?:来|是|当|做|担任|负责)*{_ZHIHUI}",
    rf"{_ZHIHUI}(?:是|改为|改成|换成|换|由|交给|移交给|[:：])\s*{_WHO}(?:来?(?:担任|负责))?",
    rf"(?:由|让|请)\s*{_WHO}\s*(?:来|当|做|任|担任|负责)+{_ZHIHUI}",
    rf"(?:把)?{_ZHIHUI}权?(?:移交|转|交)给?\s*{_WHO}",
)

_SEVERITY: Final = _compiled(
    rf"{_PLEASE}(?:(?:set|change|raise|lower|upgrade|downgrade|bump|make|escalate) )?(?:(?:{_INC}|it|this"
    rf"|the) ?)?(?:'s )?"
    rf"(?:severity ?)?(?:(?:is|to|as|a|now|=|:) ?)*(?P<sev>{_SEV})(?: incident)?",
    rf"{_QING}(?:{_INC}|它|这个)?(?:的)?(?:严重)?(?:级别|等级|程度)?(?:[上下]?(?:升|降|改|调|定|调整|定级"
    rf"|升级|降级))*(?:到|为|成|是|至)?\s*"
    rf"(?P<sev>{_SEV})\s*级?",
)

_ROOM: Final = r"(?P<room>[^\s,，。;；][^,，。;；\n]{0,79}?)"
_ROOM2: Final = _ROOM.replace("room", "room2")
_TONGBU: Final = r"(?:同步|关联|镜像|共享|互通)"
_IT: Final = rf"(?:{_INC}|this(?: thread| card)?|it)"
_ZHE: Final = rf"(?:{_INC}|这个?(?:对话|卡片)?|它|本对话)?"
_LINKS: Final[tuple[tuple[Verb, re.Pattern[str]], ...]] = (
    (
        "unlink",
        re.compile(
            rf"{_PLEASE}(?:unlink|disconnect|unmirror|stop (?:mirroring|linking|sharing))(?: {_IT})?"
            rf"(?: (?:from|to|in|into|with) {_ROOM})?(?: please)?|"
            rf"{_QING}(?:取消|停止|断开|不再|解除){_ZHE}\s*的?\s*{_TONGBU}(?:到|至|于|给)?\s*(?:{_ROOM2})?",
            re.I,
        ),
    ),
    (
        "link",
        re.compile(
            rf"{_PLEASE}(?:link|mirror|share|connect) (?:{_IT} )?(?:to|with|in|into) {_ROOM}(?: as well| too| please)?|"
            rf"{_QING}{_ZHE}\s*(?:也|一并|一起)?{_TONGBU}(?:到|至|给|去)\s*{_ROOM2}(?:去|吧|一下)?",
            re.I,
        ),
    ),
)

_BE: Final = r"(?:is|has been|was|got)?(?: now| all)?"
_CHANGES: Final[tuple[tuple[Verb, re.Pattern[str]], ...]] = (
    (
        "mitigated",
        re.compile(
            rf"{_PLEASE}(?:{_INC} {_BE} ?mitigated|mitigated(?: {_INC})?|(?:mark|set) (?:{_INC}|it)(?: as"
            rf"| to)? mitigated|"
            rf"(?:the )?impact (?:is )?(?:over|mitigated|gone)|we(?:'ve| have)? mitigated(?: {_INC}| it)?)|"
            rf"{_QING}(?:{_INC}|影响)?\s*(?:已经?|现在|标记为|改为|标为)*(?:止血|缓解)(?:成功|完成)?了?",
            re.I,
        ),
    ),
    (
        "resolve",
        re.compile(
            rf"{_PLEASE}(?:(?:resolve|close|end|finish)(?: out)? {_INC}|"
            rf"{_INC} {_BE} ?(?:resolved|over|closed|done|fixed|finished)|"
            rf"(?:mark|set) {_INC}(?: as| to)? (?:resolved|closed|over)|(?:resolved|close)(?:[:,])? {_INC})"
            rf"(?: now| please)?|"
            rf"{_QING}{_INC}\s*(?:已经?|现在|可以|标记为|改为|标为)*(?:完全)?(?:恢复|解决|结束|关闭|关掉"
            rf"|关单|处理完|处理好|关)(?:正常|完成)?了?|"
            rf"{_QING}(?:关闭|结束|解决|恢复|关掉|关){_INC}",
            re.I,
        ),
    ),
    (
        "reopen",
        re.compile(
            rf"{_PLEASE}re-?open {_INC}|{_QING}(?:重新打开|重新开启|重开){_INC}|{_QING}{_INC}(?:重新打开|重开)", re.I
        ),
    ),
)

_OVER: Final = re.compile(
    rf"{_PLEASE}(?:(?:it|this|that|everything|the service|we)(?:'s|'re| is| are| has| have)? )?(?:now |all )*"
    r"(?:resolved|fixed|recovered|solved|back to normal|all clear)(?: now| again)?|"
    rf"{_PLEASE}(?:resolve(?: (?:it|this|that))?|mark(?: (?:it|this|that))?(?: as)? (?:resolved|fixed))(?: now)?|"
    rf"{_QING}(?:现在|目前|都|全部?|业务|服务)*(?:已经?(?:都|全部?)?)?(?:恢复|解决|修复|修好)(?:正常)?(?:了|(?<=已恢复)|(?<=已解决)|(?<=已修复))",
    re.I,
)
_DRAFT: Final = r"(?:post-?mortem|post mortem|postmortem|report|retro|write-?up)(?: draft)?"
_QUESTIONS: Final[tuple[tuple[Verb, re.Pattern[str]], ...]] = (
    (
        "export",
        re.compile(
            rf"{_PLEASE}(?:(?:export|write|draft|generate|create|make|prepare|show|give)(?: me)?(?: (?:a|the))? "
            rf"(?:{_INC} )?{_DRAFT}(?: (?:for|of|about) {_INC})?|export {_INC}|{_INC} (?:export|{_DRAFT}))|"
            rf"{_QING}(?:导出|生成|写|出|起草|给我)(?:一?[份个下])?{_INC}?\s*的?(?:复盘|事后)(?:报告|草稿|文档)*|"
            rf"{_QING}导出{_INC}(?:报告)?|{_INC}\s*的?(?:导出|复盘(?:报告|草稿)?)",
            re.I,
        ),
    ),
    (
        "list",
        re.compile(
            r"(?:(?:list|show|which|what)(?: me)? )?(?:(?:are|all|the) )*(?:open |current )?incidents(?: (?:are|is))?"
            r"(?: (?:there|open))*(?: here)?\s*[?？]?|"
            r"(?:(?:列出|查看|看看)(?:所有|全部|当前)?的?(?:事故|故障单)|(?:现在|当前|目前)?(?:还?有)(?:哪些"
            r"|什么|几个)(?:未?(?:关闭|恢复)|进行中|打开)?的?"
            r"(?:事故|故障单)|(?:事故|故障单)(?:列表|清单))\s*[?？]?",
            re.I,
        ),
    ),
    (
        "status",
        re.compile(
            rf"{_PLEASE}(?:(?:{_INC}) ?(?:status|update|state|progress|timeline)?|(?:status|update|state"
            rf"|progress)(?: of| on) {_INC}|"
            rf"(?:what(?:'s| is)|show|give|tell|how is|how's|where are we)(?: me)?(?: (?:with|on))?(?: (?:the|an))?"
            rf"(?: ?(?:status|state|progress|latest|update)(?: (?:of|on|with))?)? {_INC}(?: status| going"
            rf"| doing| looking)?|"
            rf"is {_INC} (?:resolved|over|mitigated|open|closed|still open|done|fixed)(?: yet| now)?|"
            rf"{_INC} (?:resolved|over|mitigated|closed|done|fixed)(?: yet| now)?)\s*[?？]?|"
            rf"(?:{_QING}(?:看一?[看下]?|查一?[看下]?|查看|说一?[下说]))?(?:现在|目前)?{_INC}\s*的?(?:现在|目前|最新)?"
            r"(?:进展|状态|情况|进度|怎么样|如何|到哪一?步|(?:已经?)?(?:恢复|解决|结束|止血|缓解|关闭))*了?"
            r"(?:吗|么|没有?|呢|如何|怎么样)*\s*[?？]?",
            re.I,
        ),
    ),
)
