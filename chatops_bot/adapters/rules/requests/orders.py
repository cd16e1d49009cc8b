"""Whether a verb is an order at all, a question is one to the bot, and trouble only reported.

A whitelist decides: an order's verb has nothing before it in its clause but politeness, names and places.
"""

from __future__ import annotations

import re
from typing import Final, Literal

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.requests.objects import ELSEWHERE, foreign
from chatops_bot.adapters.rules.requests.recounting import recounted, revoked
from chatops_bot.adapters.rules.tables import questions_en, questions_zh
from chatops_bot.adapters.rules.tables import triggers_en as en
from chatops_bot.adapters.rules.tables import triggers_zh as zh
from chatops_bot.adapters.rules.tables.looking import says_all_pods
from chatops_bot.adapters.rules.tables.past import asks_past
from chatops_bot.adapters.rules.tables.surveying import says_wide
from chatops_bot.adapters.rules.text.patterns import compiled, words
from chatops_bot.adapters.rules.text.reading import NAME
from chatops_bot.domain.intents import Name

Standing = Literal["order", "denied", "told"]
"""What an action's verb is: ordered, forbidden, or only told of or asked about."""

_EN_LOOK, _ZH_LOOK = words(questions_en.LOOKING), compiled(questions_zh.LOOKING)
_EN_REPORT, _ZH_REPORT = words(questions_en.REPORTS), compiled(questions_zh.REPORTS)
_EN_ORDER, _ZH_ORDER = compiled(en.ORDER_PREFIX), compiled(zh.ORDER_PREFIX)
_EN_NOT, _ZH_NOT = compiled(en.NEGATION), compiled(zh.NEGATION)
_CONDITION = re.compile(f"{en.CONDITION}|{zh.CONDITION}", re.ASCII)
_PRONOUN = re.compile(f"{en.PRONOUN}|{zh.PRONOUN}".replace("N", f"{NAME}+"), re.ASCII)
_DONE, _ASKED_BACK = compiled(f"{zh.DONE_SUFFIX}|{zh.SINCE_THEN}"), compiled(zh.QUESTION_SUFFIX)
_POLITE_CHOICE = re.compile(r"能不能|可不可以|能否|可否|是否可以")
_WHETHER = re.compile(
    r"要不要|该不该|是不是|需不需要|用不用|是否|会不会|有没有|应不应该|为什么|为啥|怎么|如何|何时|什么时候|谁|几次|"
    r"多少|吗"
)
_NEEDED = re.compile(r"(?:需要|要|该|应该|得|必须)\s*(?:把|给|对)?\s*(?:\ue000+)?\s*$")
_ASKS = re.compile(
    r"[?吗么]|怎么|什么|啥|咋|如何|哪|几|多少|为何|是不是|有没有|能不能|\b(?:what|why|how|when|who|which|is|are|"
    r"does|any)\b"
)
_OBJECTS = re.compile(r"hpa|autoscal|image|tag|replica")
"""Orders that only say what they are about ("the autoscaler of web, max 15")."""
_NOUN = re.compile(r"\b(?:the|this|that|its|our|my|last|each|every|a)\s*$")
_CAME_OF_IT = re.compile(
    r"\s+(?:(?:to |rev(?:ision)? )*#?\d[\w.]*\s+)?(?:(?:did|does|has|had|was|is|would)(?:n'?t)?|won'?t|never|"
    r"help(?:s|ed)|fix(?:es|ed)|work(?:s|ed)|fail(?:s|"
    r"ed)|(?:\ue000+\s+)?(?:are|were)|"
    r"made|makes|seems|done|finished|completed?|went|ok(?:ay)?(?=\W*$)|status|state|events?|history|progress|count)"
    r"(?![\w-])",
    re.ASCII,
)
"""Behind the verb it tells of something done ("rollback didn't help") or asks after it ("drain status")."""
_OWN_THINGS = re.compile(
    r"\s+(?:(?:the|this|that|my|our|an?|last|its)\s+)*(?:run-?books?|play-?books?|incidents?|notes?|timeline|"
    r"walk-?through|alerts?|post-?mortems?|(?:from |at )?(?:the )?(?:first )?step)\b"
    r"(?! (?:services?|deployment|app|pods?)\b)|"
    r"\s*(?:一下)?(?:这[个份]|那[个份]|该)?(?:的)?(?:预案|手册|事故|故障单|备注|笔记|时间线|告警|报警|"
    r"第\s?\w+\s?步)(?!服务|系统|平台)",
)
"""Behind the verb it is about something of the bot's own, which no action is done to ("restart the runbook")."""
_BARE_QUESTION = compiled(r"\s*(?:(?:N|it|this|them|它)\s*)?[?]")
_ONLY_NAMED = compiled(r"[\s,:的把]*(?:(?:the|N)[\s,:的]*)*")
_GRANTED = re.compile(r"(?:可以|能)\s*(?:把|给|重新|继续|先|开始)?\s*$")
"""Before the verb it is allowed to be done now ("可以重启了")."""
_AT_ALL = compiled(r"\s*(?:N|它)?\s*(?:吗|么|不)\s*[?]*\s*$")
_POLITE_ASK = re.compile(r"请|帮|麻烦|能|可以|给我")
"""Without it "重启吗" asks whether to do it."""
_ENDING = re.compile(r"可以|^(?:先)?别|不要|禁止|停止|撤了|退了|删了|杀了|踢了|摘了|封了")
"""In the verb: no matter that it ends like something done."""
_TOLD_AFTER = re.compile(rf"\s*{zh.TOLD_AFTER}")
_GOES_ON = re.compile(r"(?<!现)在\s*$")
"""Before the verb it is under way ("web 在重启")."""
_SOMEBODY = re.compile(
    r"[^,;!?\n]{0,12}?(?<![帮给让替])(?:我|他|她|咱)们?(?:已经|都|也|刚|来(?!看)|自己|提|写|做|弄|去(?!看))"
)
"""Behind the verb somebody does it, or did ("扩容申请我提了")."""
_LEFT = compiled(
    r"\s*(?:N|它)?\s*(?:的?(?:这[种个]|那[种个]|这|那)?(?:事情?|活|操作))?\s*(?:吧|了|就|,)*\s*(?:先|就|暂时|可以|还是|都)*(?:(?!(?:不要|别)(?:再)?"
    r"(?:继续|接着|往下))不(?:做|搞|弄|管|动|急|用|要|着急|必)|别(?:做|"
    r"搞|弄|动|了)|免了|取消|作废|算了|"
    r"放一放|以后再说)"
)
"""Behind the verb it is left for now ("回滚先不做")."""
_HANDED = re.compile(r"把|帮|给我|麻烦|请")
_TELLING_EN = re.compile(
    r"^\s*(?:(?:ok|okay|so|well|yeah|hey|and|but|guys|hi)[, ]+)*(?:i|we|he|she|they|you guys|someone|somebody|"
    r"everyone|(?!(?:what|who|which|when|any\w*|something|it|that|this|so|and|but|then|please|now)\b)\w+ "
    r"(?:will|already|just|has)|"
    r"will(?! (?:you|u)\b)|gonna|lemme(?! (?:see|read|have|view|get)\b))\b"
    r"(?!\s*(?:'d| would| really| just| only)*\s*(?:want|wanna|need|like|wish|can't|cannot|see|think|believe|am seeing|"
    r"'m seeing|'re seeing|are seeing|'m getting|notice|get|got|have|keep|forgot how|don't know how|"
    r"have no idea how|'m not sure how|'ve got|should (?:see|open|raise|declare|"
    r"start|file|page|call|escalate|get|loop)))",
    re.ASCII,
)
_TELLING_ZH = re.compile(
    r"^\s*(?:@\S+\s*)*(?:上次|昨[天晚]|刚[才刚]|今天|之前|那[天次]|早上|有次|当年|前天)?(?:刚(?:刚|才)?(?:看|查|试|"
    r"问|瞅|瞄)(?:了|过)|我们?|他们?|她|大家|"
    r"咱们?|小\w|老\w|[^,;!?\s]{1,6}\s?(?:那边|同学|同事|团队)(?:说|讲|反馈|正在|在看)|愿|但愿|祝|阿门|保佑|祈祷|"
    r"等(?:我|他|她|大家|人)|待我)(?!\s*(?:想|要|只要|就要|只想|就想|问的?是|"
    r"需要|希望|的|能|可以|觉得|看到|发现|应该|这边))"
)
_TOLD_OF = re.compile(
    r"^\s*(?:(?:already|just|finally) [a-z]+ed\b(?! (?:pods?|services?)\b)|(?!(?:what|who|which|when|any\w*|some\w*|"
    r"no\w*|every\w*|it|this|that|pods?|deploy\w*|releases?|things?|"
    r"recently|just|last|"
    r"latest|the|if|has|have|was|were|did|is|are)\b)(?:@?[a-z]+ (?:and [a-z]+ )?(?:just |already |accidentally |"
    r"also )?)(?<!what )(?<!who )(?<!which )(?<!when )(?:is (?:reading|looking|checking|watching"
    r"|investigating|fixing|working|handling|taking|typing|writing|debugging|scaling|restarting|rolling"
    r"|draining|deploying|"
    r"pausing|rebooting|deleting|killing)|paused|"
    r"restarted|scaled|drained|rolled|deployed|bounced|cordoned|killed|deleted|reverted|fixed|pushed|merged|told|"
    r"thinks|claims|said|says|"
    r"mentioned|forgot|wants|asked|swears|promised)\b)",
    re.ASCII,
)
"""What somebody else does, did or says ("Lena paused the rollout")."""
_RECALLED = re.compile(
    r"^\s*(?:that|this|the|your|our|last \w+'s|yesterday's) (?:\w+ ){0,2}(?:post-?mortem|write-?up|talk"
    r"|demo|meeting|retro|"
    r"story|joke|meme|party|game|book|article|paper|blog)s?\b[^?]*\b(?:was|were|went|is|sounds|looks)\b"
)
"""What was said or written once, and how it was."""
_OTHER_COMMAND = re.compile(
    r"\bkubectl (?:-\S+ )*(?:apply|create|edit|patch|label|annotate|exec|taint|run|certificate|attach|cp|expose|"
    r"replace|port-forward)\b"
)
"""Commands that no intent stands for; the words behind them ask for nothing."""
_DONE_BEFORE = re.compile(r"(?:最近|刚[刚才]?|昨[天晚]|今天|上次|有人)[^谁什啥哪吗没]*$")
"""Asked, it is a question about changes; told, it asks for nothing ("昨天重启过网关")."""
_THINGS = re.compile(r"pods?|replicas?|instances?")
_ONLY = re.compile(r"\b(?:only|just)\s*$")
_NO_LOOKING = re.compile(
    r"\b(?:don't|do not|no need to|without|stop|no)\s+(?:\w+\s+){0,5}$|\bnot (?:the |its |those |just )?$|"
    r"\b(?:thanks|thank you|thx|ty|cheers|sorry|nice|great) (?:for |about )?(?:(?:the|those|your|these|all) )*$|"
    r"(?:谢谢|感谢|多谢|辛苦)(?:你)?的?\s*$|"
    r"(?:别|不要|不用|不必|无需|不)(?:再)?(?:看|查|给我看|显示|贴|发|汇报|报|说|给)?\s*$"
)
_STATUS_WORDS: Final = ("status", "state", "health", "状态", "状况", "健康", "how is", "how's")
_COMMON: Final = frozenset({"status", "history", "runbook", "help", "resources", "overview"})
"""Queries whose words (pods, version, memory) stand in orders too, and then ask for nothing."""


_QUESTION = re.compile(
    r"[?吗么呢]|([行好稳正对])不\1|怎[么样]|什么|啥|咋|如何|哪|谁(?!都)|(?<![那这好十])几个|多少|为何|是不是|有没有|能不能|给我|发我|贴|"
    r"翻出来"
    r"|发出来|发来|报(?:一?[下个份]|给|出来)|[也再]?来(?:一?[下个份])|对比|"
    r"\b(?:(?<!or )what(?:'?s)?|"
    r"why|how(?:'?s)?|which)\b|"
    r"(?:^|[,.;!]) *(?:and |so |but |ok )?(?:is|are|does|do|did|any|has|have|can|who|when)\b"
)
_WANTED = re.compile(
    r"\s*(?:(?:i|we)(?:'d| would)? )?(?:just |only |also )*(?:need|want|like)(?! (?:more|extra|additional|to|you|less|"
    r"fewer)\b)(?! \d)"
)
_SEEMS = re.compile(
    r"\blooks? (?:all |pretty |really |very |so )*(?:fine|good|ok(?:ay)?|clean|stable|healthy|bad|great|better|"
    r"normal|green)\b"
)
_NARRATED: Final = frozenset({"status", "resources", "overview", "incident"})
"""Queries whose words tell why something else is wanted ("内存一直涨 先重启")."""
_RECORDS: Final = frozenset({"history", "changes"})
_STATED: Final = re.compile(r"\b(?:is|are|was|were|has|have|had|looks?|seems?|for the|because)\b|是|了(?!解)|很|挺")
"""Says something of a record, rather than naming it."""
_NOTHING_MORE = compiled(
    r"(?:[\s,.!的和与跟]|N|\b(?:of|for|on|in|the|its|please|pls|plz|now|also|too|and|a|me|usage|both|each|all|it|"
    r"them)\b|一下|也|都|再|请|"
    r"帮我?)*"
)


_WHERE: Final = re.compile(
    rf"(?<![a-z0-9-])[a-z][a-z0-9-]{{1,62}}\s*(?:集群|命名空间|空间|环境|namespace)?[里上中下]?面?"
    rf"(?:的|那个|那边的?|这边的?)+\s*(?={NAME})",
    re.ASCII,
)
"""The place of a service before its name ("把 pay 的 api 重启")."""


_EITHER: Final = re.compile(r"((?![要是该能会可用需])[\u4e00-\u9fff])不\1的?")
"""Whether or not ("红不红的先停")."""


def standing(said: Split, clause: Clause, mark: Mark) -> Standing:
    """What an action's verb is in its clause."""
    if _OWN_THINGS.match(said.masked, mark.end) or foreign(said, clause, mark) or recounted(said, clause, mark):
        return "told"
    if revoked(said, clause, mark):
        return "denied"
    prefix = _POLITE_CHOICE.sub("请", said.masked[clause.start : mark.start].lstrip())
    verb = said.masked[mark.start : mark.end]
    if not verb[:1].isdigit():
        prefix = _ONLY.sub("", prefix)
    if verb == "revert" and not said.masked[mark.end :].strip(" .!?") and _REPLY.search(said.masked[: mark.start]):
        return "told"
    if _BARE_QUESTION.match(said.masked, mark.end) and _ONLY_NAMED.fullmatch(prefix):
        return "told"
    after = said.masked[mark.end : clause.end]
    if said.reading.chinese and (_TOLD_AFTER.match(after) or _SOMEBODY.match(after)):
        return "told"
    if said.reading.chinese and not (verb + prefix).isascii():
        return _standing_chinese(said, clause, mark, prefix)
    if _EN_NOT.search(prefix):
        return "denied"
    if _CAME_OF_IT.match(said.masked, mark.end):
        return "told"
    of_a_noun = _NOUN.search(prefix) is not None and not _OBJECTS.match(verb)
    return "order" if _EN_ORDER.fullmatch(prefix) and not of_a_noun else "told"


def _standing_chinese(said: Split, clause: Clause, mark: Mark, prefix: str) -> Standing:
    after, prefix = said.masked[mark.end : clause.end], _EITHER.sub("", _WHERE.sub("", prefix))
    if _AT_ALL.match(after) and not _POLITE_ASK.search(prefix):
        return "told"
    asked = _NEEDED.search(prefix) and _ASKS.search(said.masked[mark.end : clause.end + 1])
    if asked or _WHETHER.search(prefix) or _ASKED_BACK.match(after) or _GOES_ON.search(prefix):
        return "told"
    if _ZH_NOT.search(prefix) or _LEFT.match(after):
        return "denied"
    if _NOUN.search(prefix) or _ZH_ORDER.fullmatch(prefix) is None:
        return "told"
    if _HANDED.search(prefix) or _GRANTED.search(prefix) or _ENDING.search(said.masked[mark.start : mark.end]):
        return "order"
    return "told" if _DONE.match(said.masked, mark.end) else "order"


def orders_in(said: Split, clause: Clause) -> list[Mark]:
    """The verbs of a clause that are orders."""
    return [mark for mark in clause.marks if mark.dangerous and standing(said, clause, mark) == "order"]


def queries_in(said: Split, clause: Clause, orders: list[Mark]) -> list[Mark]:
    """The questions of a clause to the bot. Who tells what he looks at himself asks for a person at most."""
    queries = [mark for mark in clause.marks if not mark.dangerous]
    if (
        _OTHER_COMMAND.search(said.text(clause))
        or not queries
        or _NO_LOOKING.search(said.masked[clause.start : queries[0].start])
    ):
        return []
    if is_told(said, clause):
        asked = (mark for mark in queries if asks_past(said.masked[mark.start : mark.end]))
        queries = [mark for mark in queries if mark.intent in ("help", "hand_off")] or list(asked)
    if any(mark.dangerous and standing(said, clause, mark) == "told" for mark in clause.marks) and not _asks(
        said, clause
    ):
        queries = [m for m in queries if m.intent != "runbook"]
    if _spared(said, clause):
        return []
    if not _asks(said, clause):
        queries = [m for m in queries if m.intent != "changes" or not _DONE_BEFORE.match(said.masked, m.start, m.end)]
    queries = [m for m in queries if m.intent == "runbook" or not ELSEWHERE.match(said.masked, m.end)]
    queries = [m for m in queries if m.intent != "changes" or not foreign(said, clause, m)]
    queries = [of_one(mark, clause.names[-1] if clause.names else None, said) for mark in queries]
    return [mark for mark in queries if not _shadowed(said, mark, orders, queries)]


def of_one(mark: Mark, name: Name | None, said: Split) -> Mark:
    """What is asked of everything otherwise is asked of the one that is named ("web 的 pod 都正常不")."""
    known = name is not None and any(service.entity.kind != "Node" for service in name.matches)
    if mark.intent != "overview" or not known or says_wide(said.masked[mark.start : mark.end]):
        return mark
    return mark._replace(intent="status")


def mark_names(said: Split, mark: Mark) -> bool:
    """Whether the clause of a mark names anything."""
    return any(
        clause.names for clause in said.clauses if clause.start <= mark.start < max(clause.end, clause.start + 1)
    )


_THROWN: Final = re.compile(r"\s*\ue000*\s*[报抛打吐]")
"""Asks for lines in words that events are asked for with as well."""


def _shadowed(said: Split, mark: Mark, orders: list[Mark], queries: list[Mark]) -> bool:
    """Common words (pods, state, why) ask for nothing beside an order or a more exact question."""
    if orders and mark.intent in _COMMON:
        return True
    beside = {other.intent for other in queries if other is not mark}
    if mark.intent == "overview" and beside & {"logs", "events", "resources", "changes", "history"}:
        return True
    if mark.intent == "status" and ("overview" in beside or ("incident" in beside and not mark_names(said, mark))):
        return True
    if "runbook" in beside and mark.intent in ("status", "resources", "incident", "overview"):
        return True
    if mark.intent == "changes" and "history" in beside:
        return True
    if mark.intent == "logs" and "events" in beside and _THROWN.match(said.masked, mark.start):
        return True
    if mark.intent == "overview" and says_all_pods(said.masked[mark.start : mark.end]):
        return any(other.intent in ("logs", "events", "resources") for other in queries)
    if mark.intent != "status":
        return False
    exact = said.masked[mark.start : mark.end].startswith(_STATUS_WORDS)
    return not exact and any(other.intent != "status" for other in queries)


def is_told(said: Split, clause: Clause) -> bool:
    """Whether a clause tells what somebody does, rather than asking for it."""
    text = said.text(clause)
    if _TELLING_EN.match(text) is not None or _TOLD_OF.match(text) is not None or _RECALLED.match(text) is not None:
        return True
    return said.reading.chinese and _TELLING_ZH.match(text) is not None


def looks(said: Split, clause: Clause) -> bool:
    """Whether a clause has a verb of looking."""
    text = said.text(clause)
    if _spared(said, clause) or other_command(said, clause):
        return False
    if said.reading.chinese and _ZH_LOOK.search(text):
        return True
    return said.reading.latin and _EN_LOOK.search(text) is not None


def looks_next(said: Split, index: int) -> bool:
    """Whether the next clause tells to look at something else ("the runbook for expired certs and check web")."""
    return any(one.names and looks(said, one) for one in said.clauses[index + 1 : index + 2])


def only_looks(said: Split, clause: Clause) -> bool:
    """Whether a clause tells to look and says nothing else ("帮我查查")."""
    return _ONLY_LOOKS.fullmatch(said.masked, clause.start, clause.end) is not None


def reports(said: Split, clause: Clause) -> bool:
    """Whether a clause tells of trouble."""
    return (_ZH_REPORT if said.reading.chinese else _EN_REPORT).search(said.text(clause)) is not None


def only_reports(said: Split, clause: Clause, kept: list[Mark]) -> bool:
    """Whether common words only tell of trouble ("web 流量大"): no question, nobody told to look."""
    if any(mark.intent != "status" for mark in kept) or not reports(said, clause):
        return False
    return not looks(said, clause) and _ASKS.search(said.masked[clause.start : clause.end + 1]) is None


_ONLY_LOOKS = re.compile(
    r"(?:请|帮忙|帮|给|我|麻烦|你|快|先|赶紧|完了|也|都|\s)*(?:[查看瞅瞧](?:[查看瞅瞧]|一?下|一眼|一看|一查)+)"
    r"(?:它们?|这?[两三]个)?(?:吧|呗|啊|哈|呢|[\s,.!~])*|"
    r"\s*(?:(?:please|pls|can|could|you|u|just|and|then|also|now|so|go|have|take|a|quick)\s)*(?:check|look|inspect|"
    r"peek|investigate|diagnose)(?: (?:up on|at|on|into))?(?: (?:it|them|both|that|those|these|all three|all of "
    r"them))*(?: (?:out|too|please|pls|now|first|for me))*\W*"
)
_SPARED_BEFORE = re.compile(
    r"\b(?:spare (?:me|us)|leave out|omit|no need for|not interested in|skip)\b[^,.;!?\n]*\b(?:and|or)\s*$"
)
_SPARED = re.compile(
    r"^\W*(?:and |but |please |pls |just )*(?:spare (?:me|us)|skip|leave out|omit|no need for|not interested in|"
    r"without|forget|don't bother with)\b"
)
"""Before what is not to be shown."""
_NOT_WANTED = re.compile(r"(?:不要|不用(?:看|给|发|报|汇报)?|别(?:发|给|贴))了?(?:吧|哈|啊)?[\s.!]*$")
"""Behind what is not to be shown."""
_REPLY = re.compile(r"\b(?:check|confirm|look|see|verify|update|know)\b[^\n]*\band\s*$")
"""Before "revert" it asks for an answer, as it is said in India."""
_EXACTLY = re.compile(r"(?:overview|status|state|health|how is|how's)(?![a-z])|状态|状况|健康(?!了)")
_TROUBLED = re.compile(r"^(?:errors?|exceptions?|报错|错误|异常)")
"""Words of trouble that name logs too."""


def _spared(said: Split, clause: Clause) -> bool:
    """Whether a clause says what is not to be shown."""
    text = said.text(clause)
    if _NOT_WANTED.search(text) or _SPARED.search(text):
        return True
    return _SPARED_BEFORE.search(said.masked[max(clause.start - 80, 0) : clause.start]) is not None


_LINES: Final = frozenset({"logs", "events"})
_LINES_SAY: Final = re.compile(
    r"\b(?:logs?|events?|log lines?|errors?)(?: (?:of|for|from|in|on) (?:the )?\ue000+)? (?:(?:all|just|only|keep|"
    r"still) )*(?:is|are|was|were|look|looks|"
    r"show|shows|say|says|keep|keeps|read|contain|contains|full)\b|(?:日志|log|"
    r"事件)(?:里面?|中|上)?(?:全|都|一直|已经|又|老|总)*"
    r"(?:是|在|报|刷|显示|说|写着|爆|红|满|出现)"
)
"""Told of lines that were read already."""


def _may_be_told(said: Split, clause: Clause, mark: Mark) -> bool:
    text = said.masked[mark.start : mark.end]
    if mark.intent in _LINES and _LINES_SAY.search(said.text(clause)):
        return True
    if mark.intent in _RECORDS:
        return _STATED.search(said.text(clause)) is not None
    return mark.intent in _NARRATED or (mark.intent == "logs" and _TROUBLED.search(text) is not None)


def _asks(said: Split, clause: Clause) -> bool:
    """Whether a clause is a question, or tells somebody to look."""
    if _WANTED.match(said.text(clause)) is not None:
        return True
    if looks(said, clause) and not _SEEMS.search(said.text(clause)):
        return True
    return _QUESTION.search(said.masked[clause.start : clause.end + 1]) is not None


def only_thing(said: Split, clause: Clause, mark: Mark) -> bool:
    """Whether a clause names the thing that an order beside it is about, and asks nothing ("pod a-1. kill it")."""
    return _THINGS.fullmatch(said.masked, mark.start, mark.end) is not None and not _asks(said, clause)


def other_command(said: Split, clause: Clause) -> bool:
    """Whether a clause is a command that no intent stands for."""
    return _OTHER_COMMAND.search(said.text(clause)) is not None


def asks_for(said: Split, clause: Clause, kept: list[Mark]) -> bool:
    """Whether a clause really asks for what its words name, rather than telling why something is wanted: by a
    question, a verb of looking, an exact word, or by naming it and nothing else."""
    if not all(_may_be_told(said, clause, mark) for mark in kept):
        return True
    if _asks(said, clause):
        return True
    if any(_EXACTLY.search(said.masked, mark.start, mark.end) for mark in kept):
        return True
    rest = said.text(clause)
    for mark in reversed([one for one in clause.marks if not one.dangerous]):
        rest = rest[: mark.start - clause.start] + " " + rest[mark.end - clause.start :]
    return _NOTHING_MORE.fullmatch(rest) is not None


def has_pronoun(text: str) -> bool:
    """Whether a masked text refers to something by a pronoun."""
    return _PRONOUN.search(text) is not None


def hangs(said: Split, index: int) -> bool:
    """Whether the order in this clause hangs on a condition, in it or in a clause beside it."""
    here = said.clauses[index]
    if _CONDITION.search(said.masked, here.start, here.end):
        return True
    if index and _only_condition(said, said.clauses[index - 1]):
        return True
    return index == len(said.clauses) - 2 and _only_condition(said, said.clauses[index + 1])


def _only_condition(said: Split, clause: Clause) -> bool:
    # Two characters more: "等会儿再重启" is broken before 再, which makes the condition of it.
    end = min(clause.end + 2, len(said.masked))
    return _CONDITION.search(said.masked, clause.start, end) is not None and not orders_in(said, clause)
