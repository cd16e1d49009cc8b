"""What changes one thing of the last question or order and means the rest as it stood, in both languages.

"make it 3", "2h not 1h", "only errors", "same for order-db", "and in staging?", "no, the other one", "as before".
`Utterance.standing` tells what that may be; which of it is meant, and what comes of it, is not decided here.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.requests.finding import Findings
from chatops_bot.adapters.rules.requests.naming import distinct
from chatops_bot.adapters.rules.tables.past import asks_past, before
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.reading import DISMISSED, NAME, Reading
from chatops_bot.adapters.rules.tone.filler import clauses, left
from chatops_bot.adapters.rules.tone.flow import flow_of, says_other
from chatops_bot.adapters.rules.values.changed import slips, stated
from chatops_bot.adapters.rules.values.explicit import explicit, lone, says_which_lines
from chatops_bot.adapters.rules.values.parameters import OF_INTENT, PLACES
from chatops_bot.adapters.rules.values.placing import placed, says_only_place, says_place
from chatops_bot.adapters.rules.values.slots import without_environment
from chatops_bot.adapters.rules.values.stepping import says_relative, steps_from
from chatops_bot.domain.corrections import corrects
from chatops_bot.domain.intents import Name, PendingPlan, Quantity, Request, SlotValue, Standing, Utterance
from chatops_bot.domain.standing import changed, elsewhere

LONGEST: Final = 80
"""Characters of what asks for no more than a change."""

_AS_BEFORE: Final = re.compile(
    r"\b(?:as|like|what|how) (?:it|that|we|i) (?:was|had|did|said|were)(?: it)?(?: before| first| at first)?"
    r"\W*$|"
    r"\b(?:as|like) before\b|\b(?:back to|keep|use|take) (?:the )?(?:previous|original|first|old|earlier) "
    r"(?:one|value|number|version of it|request|question|setting)s?\b|"
    r"\bundo (?:the|my|that) (?:correction|edit)\b|"
    r"(?:还是|就|按|恢复成?|改回|回到)(?:按|照|用)?(?:原来|原先|之前|刚才|一开始|最初|原)(?:的|那个|那样|说的|的那个)?"
    r"(?:吧|来|就行|好了)*\W*$|改回(?:去|来)(?:吧)?\W*$",
    re.ASCII,
)
_SET_BACK: Final = re.compile(
    rf"^\W*(?:(?:no|please|just|ok|actually)\W+)*(?:scale|set|put|take|bring|change) (?:it|that|this|them) (?:right )?"
    rf"back (?:down |up )?to {NUM}\W*$|^\W*[改调扩缩换设]回(?:到|成)?{NUM}个?\W*$"
)
"""Wants the number that runs, rather than to tell what it was."""
_NAMES: Final = re.compile(f"[{NAME}{DISMISSED}]+")
_THAT: Final = (
    r"(?:exactly |just |all )?(?:that|this|those|these|it|them|one|so)(?: \w+)?(?: over)? (?:of|for|from|on|in|to|"
    r"with|at) "
)
_SAME: Final = re.compile(
    r"\bsame\b(?! (?:as before|problem|issue|error|thing (?:happened|happens|again$)))|\bditto\b|\blikewise\b|"
    r"\bcompare\b|\bequivalents?\b|\bcounterparts?\b|\bidentical\w*\b|\bsimilarly\b|\bmirror\b|\bclone\b|\brepeat\b|"
    r"\b(?:too|also|as ?well)\b|"
    rf"\b{_THAT}(?:the |our )?(?:prod |staging )?{NAME}|\bcopy (?:that|this|it)\b|\bone of th(?:ose|ese)\b|"
    rf"\b(?:that|this) (?:front|respect|regard|note|matter)\b|{NAME}(?:'?s)? turn\b|\bnow {NAME}+'s\W*$|"
    r"\b(?:do|does|gets?|goes|include|add|and) (?:\w+ )?\ue000+ (?:next|in|while)\b|\bwhile (?:you|u|ya|we)(?:'re|"
    r" are| ?r)? at it|"
    r"跟着|照(?:这|此|搬|抄|办|旧|单|方)|抄一?份|同款|按(?:这|那|同)|"
    r"(?:一个|同等|同样)待遇|[别莫](?:落|漏|忘|放过|拉下)[下了]?|一块儿?|(?:换成?|改成?|找)(?:它|他)|"
    r"同样|同上|一样|照样|同理|照(?:着|做)|也(?!许|不|没|就)|再来一[份个遍次]|来一[份个遍套波]|那(?:一?边|里|儿)也|"
    r"还有|一并|顺手|顺带|一起|捎上?|带上",
    re.ASCII,
)
_LOOKING: Final = re.compile(
    r"\b(?:look|check|show|see|status|state|health\w*|how|what)\b|[看查瞧瞅]|状态|状况|健康|情况|怎么样", re.ASCII
)
_SAME_VALUES: Final = re.compile(
    r"\bsame (?:\w+ )?(?:limits?|bounds?|range|numbers?|values?|settings?|size|count|version|image|tag|revision|"
    r"amount)\b|"
    r"(?:同样|一样|相同)的?(?:上下限|上限|下限|范围|数量|数值|配置|版本|镜像|副本数?)",
    re.ASCII,
)
"""What they are called asks for nothing here."""
_NEXT: Final = re.compile(
    rf"[^\w\u4e00-\u9fff{NAME}&+]*+(?>(?:ok|okay|a*nd|n|&|\+|then|now|next|so|hm+|cool|great|thanks|(?:what|how|wot|"
    rf"wat) (?:about|abt|bout)|"
    rf"what of|"
    rf"for|the|do|try|take|"
    rf"no+|nope|wait|oops|sorry|sry|不对|不是|错了|搞错了|[啊哦呃]?不|好的?|"
    rf"那么|那|再|接着|然后|接下来|换|轮到)(?![a-z])[\s,.!:]*+)*+(?:for |on |of |in |the )?{NAME}+"
    rf"[\s,]*(?:(?:ones?|next|then|now|please|pls|plz|那边|那里|这边|线上|生产|预发|上|的|服务|呢|吧|啊|service|"
    rf"deployment)[\s,]*)*\W*",
    re.ASCII,
)
"""Nothing but a further name, with a word that goes on; the bare name alone asks for its status."""
_LAST_CLAUSE: Final = re.compile(rf"^[^{NAME}?]*[.;!\n]+")
"""What is said of the last answer, before the next question is asked."""
_GOES_ON: Final = re.compile(r"[a-z]|[\u4e00-\u9fff]|[&+?]")
_ORDERED_ON: Final = re.compile(
    r"\b(?:and|n|then|next|for|no+|nope|oops|sorry|sry)\b|[&+]|不对|不是|[啊哦呃]不|错了|再|接着|然后|接下来|轮到",
    re.ASCII,
)
"""Of these words, those that carry an order over as well."""
_EVERYTHING: Final = re.compile(
    r"\b(?:everything|unfiltered|all (?:of )?(?:the )?(?:lines|logs|of it|levels))\b|"
    r"(?:全部|所有|完整)的?(?:日志|行|内容)",
    re.ASCII,
)
_NO_GREP: Final = re.compile(
    r"\b(?:without|drop|remove|clear|lose|no) (?:the )?(?:filter|grep)\w*\b|不(?:要|用)?过滤了?|去掉过滤|"
    r"取消过滤",
    re.ASCII,
)
_NOT_ERRORS: Final = re.compile(
    r"\bnot (?:just|only) (?:the )?errors?\b|不(?:只|光|仅)(?:是|看|要)?(?:错误|报错)|不是只看(?:错误|报错)", re.ASCII
)
_LOOKED_AT: Final = frozenset({"logs", "events", "changes", "resources", "history", "status", "overview"})
_NAMES_QUESTION: Final = re.compile(
    r"\b(?:logs?|events?|chang\w+|usage|resources?|memory|cpu|histor\w+|status|health)\b|日志|事件|变更|动过|历史|"
    r"资源|内存|"
    r"用量|状态|健康",
    re.ASCII,
)
_STATUS: Final = re.compile(r"\b(?:status|state|health\w*|alive|up)\b|状态|状况|健康|情况", re.ASCII)
_CHANGES: Final = re.compile(
    r"\b(?:make (?:it|that|them)|change (?:it|that)|instead|rather|actually|i me?ant|sorry|no+|nah|nope|then|set (?:it|"
    r"that)|ok(?:ay)?|fine|right|do)\b|改|换|不对|不是|不,|错|还是|那就?|应该|算了|就",
    re.ASCII,
)
_BEGINS: Final = re.compile(
    r"\W*(?:换成?|改成?|改为|不是|不对|还是|(?:no+|not|instead|make|change|actually|sorry|oops|rather)\b)", re.ASCII
)
"""What a change of a question begins with, whatever verb stands in it."""
_NUMBERED: Final = re.compile(r"\b(?:make|change|set) (?:it|that|them|this)\b|改成|改为|换成|调成|改到")
_CARRIES: Final = re.compile(
    r"(?<![a-z])(?:the|a|an|to|on|in|for|at|of|with|and|n|or|then|next|now|same|thing|deal|order|action|plan|again|"
    r"here|there|"
    r"ditto|likewise|repeat|copy|do|it|that|this|too|also|as|well|both|please|pls|plz|thx|thanks|ok|okay|k|can|"
    r"could|would|"
    r"you|u|bot|just|one|apply|go|gimme|give|me|us|limits?|bounds?|range|numbers?|values?|settings?|size|count|version|"
    r"image|tag|revision|amount|replicas?|pods?|scal\w+|restart(?:ing)?|roll|rolling|back|rollback|pause|resume|"
    r"set|change|"
    r"service|deployment|needs?|want|should|many|much|no|nope|not|sorry|sry|oops|wait|i|me?ant?|mean|use|instead|"
    r"rather|"
    r"actually|wrong|"
    r"make|switch|be|been|have|is|supposed|prod|staging|must|get|my|bad|mistake|hey|hi|yes|yeah|up|down|by|min|"
    r"max)(?![a-z])|"
    r"[\d%]+|[啊哦呃]不|也|同样|线上|生产|预发|一样多?|同一?版?|同上|照样|照做|照着|同理|处理|再|还有|和|跟|与|来|"
    r"给|把|帮|我|请|麻烦|一份|一遍|一个|一次|一下|下|"
    r"的|那个|那边|那|这|就|吧|了|啦|啊|呀|哈|哦|都|顺手|顺便|顺带|一并|一起|扩容?|缩容?|重启|回滚|回退|暂停|恢复|"
    r"上|弄|"
    r"搞|做|操作|执行|回?到|成|为|个|份|副本|台|服务|不是|不对|而?是|换|改|错|写|说|选|要|用|应该|呃|额|嗯|哎|抱歉|"
    r"同|轮到|"
    r"接着|然后|接下来|发布|镜像|版本|自动|伸缩|上限|下限|范围|数量?|[一二两三四五六七八九十]",
    re.ASCII,
)
"""What stands beside a name where an order is carried over to it."""
_ALIKE: Final = re.compile(
    r"\bsame\b(?! (?:as before|problem|issue|error|symptom|story|time|day|boat|reason))|\bditto\b|\blikewise\b|"
    r"\bidentical\w*\b|\bsimilarly\b|\b(?:mirror|clone|replicate|repeat|match(?:es|ing)?|follow suit|on par)\b|"
    r"\bdon'?t (?:forget|skip|miss|leave out)\b|\b(?:that|this|as) (?:many|much)\b|"
    rf"\b{_THAT}(?:the |our )?(?:prod |staging )?{NAME}|"
    r"\b(?:wants?|needs?|gets?|deserves?|could (?:use|do with)|should get)\s+(?:(?:one of )?th(?:ose|ese|at|is)|"
    r"the same(?: \w+)?|it|one|\d+)(?:\W+(?:too|also|as ?well|please|pls))+\W*$|"
    r"照(?:这|此|着|做|搬|抄|办|旧|单|方|样(?:做|来|办|搞|弄|整))|抄一?份|(?:一个|同等|同样)待遇|一样(?:的)?(?:整|办|"
    r"搞|弄|"
    r"来|做|处理|操作|动作|套路|流程|走|待遇)|同理|同上|同款|看齐|对齐|一致|(?:按|照|用|走)(?:一样|相同|同样|同一)|"
    r"依样|如法炮制|按(?:这|那|同)|跟(?:它|他|着|上面|前面|刚才|那边)|"
    r"同样(?:的)?(?:整|办|搞|弄|来|做|处理|操作|动作)|跟着(?:一起|也)?(?:回|扩|缩|上|换|改|调|重启|停|暂停|退|滚|"
    r"来|走)|"
    r"[别莫](?:落|漏|忘|放过|拉下)[下了]?|也(?:一起|一并|顺手|给|要|得|来)*(?:[上换改扩缩调回退滚停]|重启|暂停|"
    r"来一)(?!来|得|了)",
    re.ASCII,
)
"""Says outright that the same is to be done, whatever else it says beside the name."""
_RESTS: Final = 12
"""Letters that may stand beside that."""
_IS_MEANT: Final = re.compile(
    rf"(?:^\W*|的|应该|其实|说|指|要|想)是\s*{NAME}|\bme?a?nt (?:to say )?(?:the )?{NAME}|{NAME}+ is (?:the (?:one|"
    rf"thing|"
    rf"service)|what)\b|"
    rf"\b(?:it'?s|it is|i me?ant|meant to say|should be|supposed to be) (?:the )?{NAME}+ (?:that|which|i)\b",
    re.ASCII,
)
"""Names the one that is meant, and what it is about."""
_IT_GETS: Final = re.compile(
    r"\b(?:it|they) (?:should |must |also )?(?:gets?|needs?|wants?|deserves?|takes?|could use) "
    r"(?:\d+|it|one|that|the same)\W+(?:too|also|as ?well)\b"
)
"""Wants the same for what is told of before it."""
_BARS: Final = re.compile(
    r"\b(?:don'?t|dont|do not|never|if|unless|when|whether|cancel|abort|forget|stop|later|tomorrow|after|before)\b|\?|"
    r"别(?!落|漏|忘|放过|拉下)|不要|先不|不用|如果|要是|的话|取消|算了|回头|晚点|稍后|明天|等(?!等)"
)
"""Of what stands beside, puts off, forbids, or makes it depend."""
_SLIPPED: Final = re.compile(
    r"[说看记搞弄写打点选][错串混岔反歪]|\bshould have been\b|\b(?:me?a?nt|i wanted)\b|\bautocorrect\b|\bmisspoke\b|"
    r"\bwrong (?:one|service|name|target|thing|app|box)\b|\bbrain\b|嘴瓢|口误|手[抖滑误]|\b(?:oops|whoops|my bad|typo|"
    r"mix(?:ed)?[- ]?up)\b",
    re.ASCII,
)
"""Says that another one was meant from the start."""
_STATE_TOLD: Final = re.compile(rf"{NAME} (?:is|are|was|were|has|had|looks?|seems?)\b", re.ASCII)
_TELLS: Final = re.compile(
    r"\b(?:i|we|he|she|they|you|it|\w+body|\w+one) (?:\w+ )?(?!need|me?ant|want)[a-z]{3,}ed\b|"
    r"\b(?:don'?t|dont)\b(?! (?:forget|skip|miss|leave out)\b)|\b(?:not|never|no need|no|nothing)\b|"
    r"\b(?:is(?! (?:fine|ok|okay|right|good|correct|the same)\b)|are|was|were|has|had|looks?|seems?|broke\w*|"
    r"fail\w*|crash\w*|slow\w*|down|error\w*|happen\w*|did|does|"
    r"problem|issue|yesterday|tomorrow|tonight|later|next|config\w*|love|already|if|when|why|they|he|she|someone|"
    r"somebody)\b|"
    r"[挂崩慢卡]|报错|失败|异常|问题|故障|怎么|为什么|昨天|明天|今晚|回头|晚点|已经|刚才|过了|如果|要是|的话|他们?|"
    r"她|谁|吗|么|[?]|不(?:要|用|行)|别(?!落|漏|忘|放过|拉下)",
    re.ASCII,
)
"""But tells something of it, or asks."""
_OPINION: Final = re.compile(r"\bi (?:guess|think|suppose|reckon)\b|我(?:觉得|想|看)")
"""Doubts nothing."""
_BIDS: Final = re.compile(r"\W*(?:\w+ )?do (?:the|it|that|this|so|likewise)\b[^?]*$")
"""Begins like a question, and is none."""
_GOING_ON: Final = re.compile(
    r"\b(?:resume|continue|restore)(?: with)? (?:the |that |our |my |this )?(?:image|scal\w+|restart|roll\s?back|"
    r"autoscal\w+|hpa|drain|update|change|order|plan|thing|one)\b|(?:恢复|继续|接着)(?:刚才|之前|上面|刚刚)",
    re.ASCII,
)
_IMAGE: Final = re.compile(r"\b(?:image|tag|container)\b|镜像|标签|容器")
_OF_THAT: Final = re.compile(
    r"\b(?:double|twice|triple|halve|half(?: of)?|stretch|cut) that\b|\d+ (?:lines|rows)\b|\d+ ?[行条]", re.ASCII
)
"""A span or a number of lines, where none of replicas is talked of."""
_CUTS: Final = re.compile(r"\b(?:cut|trim|shorten|limit)\b|[砍截裁压]")
_REPLICAS: Final = re.compile(r"\b(?:replicas?|pods?|instances?|copies|scal\w+)\b|[个台份扩]|副本|实例")
_HALTING: Final = re.compile(
    r"^\W*(?:stop|wait|no+|oops|hold on|停|慢着|等等|等一下|不|别[^,.;!?]{1,8}[,.;!])|错(?!误)|手[抖滑误]|"
    r"\bwrong\b"
)


def correction(reading: Reading, utterance: Utterance, findings: Findings) -> Request | None:
    """While nothing is under way: what changes the last question or the last order. None for what asks or orders
    something of its own."""
    known = standing_of(utterance)
    told = findings.told and (known[:1] == () or known[0].ordered or _BEGINS.match(reading.masked) is None)
    if not known or (told and not (known[0].intent == "logs" and says_which_lines(reading, known[0].slots))):
        return None
    again = same_for(reading, utterance, findings)
    if again is not None:
        return again
    if _others_named(reading, known[0]):
        return None
    if (says_other(reading.masked) or says_as_before(reading.masked)) and not _own(reading, findings, known[0]):
        return Request("")
    for one in known:
        slots = _changed(reading, findings, one, latest=one is known[0])
        if slots:
            return Request("", slots=slots)
    return _where(reading, findings, known[0]) or _number_of_nothing(reading, findings)


def of_answer(reading: Reading, utterance: Utterance, findings: Findings) -> Request | None:
    """In the middle of a flow: more or less of what was asked beside it."""
    question = next((one for one in standing_of(utterance) if not (one.ordered or one.waits)), None)
    if question is None or reading.names or len(reading.text) > LONGEST or findings.told or findings.denied:
        return None
    if not _common(reading, findings, question) or flow_of(reading).cancel in ("hard", "whole"):
        return None
    slots = {slot: value for slot, value in _looked(reading, question).items() if slot not in PLACES}
    return Request("", slots=slots) if slots else None


def instead(reading: Reading) -> bool:
    """Whether a plan that waits is wanted for the other of two, or as it was before its last change: a word that halts
    it first leaves nothing."""
    if not (says_other(reading.masked) or says_as_before(reading.masked)):
        return False
    flow = flow_of(reading)
    leaves = flow.cancel == "whole" or (flow.cancel == "hard" and _HALTING.search(reading.masked) is None)
    return not leaves and not (flow.question and not flow.polite)


def outright(reading: Reading, plan: PendingPlan, change: Request) -> bool:
    """Whether a change of a plan is all that a clause of the message says: another place, so many more or fewer, or
    another value behind a slip. What stands in the other clauses tells why."""
    if PLACES.keys() & change.slots.keys():
        return says_only_place(reading, outright=True)
    if slips(reading, plan.action, plan.parameters):
        return True
    return says_relative(reading, plan.action, plan.parameters, plan.before, change.slots)


def puts_right(reading: Reading, plan: PendingPlan, change: Request) -> bool:
    """Whether a change of a plan is said so that nothing overrules it: outright, the other of two, how it was before,
    or a value alone in its clause."""
    if outright(reading, plan, change) or steps_from(reading.masked, plan.action, plan.parameters):
        return True
    said = change.slots.get("replicas")
    if isinstance(said, Quantity) and said.value == plan.before.get("replicas"):
        return _SET_BACK.search(reading.masked) is not None
    return instead(reading) or stated(reading, plan.action, plan.parameters)


def goes_on(order: Request, reading: Reading) -> bool:
    """Whether what sounds like an order of its own only goes on with what is talked of ("resume the scaling, 9",
    "版本换成 10")."""
    if order.intent == "set_image" and order.name is None and "image" not in order.slots:
        return _IMAGE.search(reading.masked) is None
    return order.intent == "resume" and _GOING_ON.search(reading.masked) is not None


def says_as_before(masked: str) -> bool:
    """Whether the last change is taken back."""
    return _AS_BEFORE.search(masked) is not None


def same_for(reading: Reading, utterance: Utterance, findings: Findings) -> Request | None:
    """The last question or order for one other service, whole."""
    carried = same_for_each(reading, utterance, findings)
    return carried[0] if len(carried) == 1 else None


def same_for_each(reading: Reading, utterance: Utterance, findings: Findings) -> tuple[Request, ...]:
    """The last question or order for the other services that are named. What is only named, or asks for something of
    its own, is not that; and an order is carried over by words for it alone, never by "what about X?"."""
    if not utterance.standing or findings.told:
        return ()
    corrected = corrects(reading.text)
    base = utterance.standing[0]
    if corrected:
        base = next((one for one in utterance.standing if one.waits and one.ordered), base)
    names = [name for name in distinct(reading.names) if _resembles(name) and not _is(name, base)]
    values = _SAME_VALUES.search(reading.masked) is not None
    if not names or (not values and _own(reading, findings, base, carried=True)):
        return ()
    words = _ORDERED_ON if base.ordered else _GOES_ON
    last = reading.masked if base.ordered else _LAST_CLAUSE.sub("", reading.masked)
    on = any(
        _goes_on(said) and words.search(said.replace(NAME, "")) is not None for said in (last, *_about(reading.masked))
    )
    slipped = _SLIPPED.search(reading.masked) is not None and any(map(_IS_MEANT.search, _about(reading.masked)))
    if not (corrected or on or slipped or _SAME.search(reading.masked) or _ALIKE.search(reading.masked)):
        return ()
    if base.ordered and not _orders_again(reading, findings, base, values=values, corrected=corrected or on or slipped):
        return ()
    own = next((dict(one.slots) for one in findings.requests if one.intent == base.intent), None)
    said = lone(reading, base.intent, base.slots) | explicit(reading, base.intent, base.slots) if own is None else own
    slots = changed(elsewhere(base.slots), {slot: value for slot, value in said.items() if slot not in PLACES})
    return tuple(Request(base.intent, slots=slots, name=name, start=name.start) for name in names)


def _goes_on(said: str) -> bool:
    """Whether nothing is said but a name, with words that go on."""
    if _NEXT.fullmatch(said) is not None:
        return True
    return not (_LOOKING.search(said) or _TELLS.search(said) or left(without_environment(_NAMES.sub(" ", said))))


def _about(masked: str) -> list[str]:
    """The clauses that name something, without what tells why."""
    return [clause.text for clause in clauses(masked) if NAME in clause.text]


def _orders_again(reading: Reading, findings: Findings, base: Standing, *, values: bool, corrected: bool) -> bool:
    """Whether words that go on carry an order over: they say that and nothing else ("the gateway as well, please").
    Telling of another service ("gateway is down too"), looking at it, or asking after it does not."""
    slipped = _SLIPPED.search(reading.masked) is not None
    outright = _ALIKE.search(reading.masked) is not None
    gets = _IT_GETS.search(reading.masked) is not None
    for text in _about(reading.masked):
        meant = gets or (slipped and _IS_MEANT.search(text) is not None)
        if not (meant or corrected) and _STATE_TOLD.search(text):
            return False
        rest = left(_CARRIES.sub(" ", _ALIKE.sub(" ", _NAMES.sub(" ", text))))
        if not meant and (_TELLS.search(text) or rest > (_RESTS if outright or slipped else 0)):
            return False
    aside = [clause for clause in clauses(reading.masked) if NAME not in clause.text]
    if any(_BARS.search(clause.text) for clause in aside):
        return False
    if not values and _looks(reading, findings, base):
        return False
    return _commands(reading, findings, corrected=corrected)


def _looks(reading: Reading, findings: Findings, base: Standing) -> bool:
    """Whether something is to be looked at: that is no order, whatever was ordered before."""
    if not findings.requests or findings.bare or any(one.intent == base.intent for one in findings.requests):
        return False
    said = any(one.intent != "status" for one in findings.requests)
    return said or _LOOKING.search(reading.masked) is not None


def _commands(reading: Reading, findings: Findings, *, corrected: bool = False) -> bool:
    """Whether the words want something done: no question, doubt, or refusal. Who takes a name back may be startled."""
    flow = flow_of(reading._replace(masked=_OPINION.sub(" ", reading.masked)))
    holds = flow.hold and not corrected
    asks = flow.question and not flow.polite and _BIDS.match(reading.masked) is None
    return not (asks or holds or (flow.doubt and not corrected) or findings.denied)


def standing_of(utterance: Utterance) -> tuple[Standing, ...]:
    """What a correction may be of. Who tells only the intent of the last question has no more to go by."""
    if utterance.standing or utterance.intent not in _LOOKED_AT or utterance.plans:
        return utterance.standing
    return (Standing(utterance.intent, utterance.lock),)


def _is(name: Name, base: Standing) -> bool:
    return base.entity is not None and any(service.entity.key == base.entity.key for service in name.matches)


def _others_named(reading: Reading, base: Standing) -> bool:
    return any(_resembles(name) and not _is(name, base) for name in reading.names)


def _resembles(name: Name) -> bool:
    """Whether a name is one, or like one: any word may stand where names stand ("换成 grep panic")."""
    return bool(name.matches or name.closest)


def _own(reading: Reading, findings: Findings, base: Standing, *, carried: bool = False) -> bool:
    """Whether the utterance asks for something of its own: another kind of thing than `base`, in so many words."""
    for request in findings.requests:
        if request.intent == base.intent:
            if not carried and _named(reading):
                return True
        elif request.intent != "status" or _STATUS.search(reading.masked):
            return not (request.intent == "overview" and not _NAMES_QUESTION.search(reading.masked))
    return False


def _changed(reading: Reading, findings: Findings, one: Standing, *, latest: bool) -> dict[str, SlotValue]:
    """What is said to be otherwise of a question or an order."""
    if len(reading.text) > LONGEST or one.intent not in OF_INTENT:
        return {}
    if not one.ordered:
        lines = one.intent == "logs" and says_which_lines(reading, one.slots)
        common = lines or (_common(reading, findings, one) and not findings.denied)
        looked = _looked(reading, one) if common else {}
        alone = lone(reading, one.intent, one.slots) if common and latest else {}
        return looked if str(looked.get("grep", "")).isdigit() else alone | looked
    if findings.requests or not _commands(reading, findings) or _CHANGES.search(reading.masked) is None:
        return {}
    return {**lone(reading, one.intent, one.slots), **explicit(reading, one.intent, one.slots)}


def _looked(reading: Reading, question: Standing) -> dict[str, SlotValue]:
    """How the answer to a question is wanted now."""
    said = explicit(reading, question.intent, question.slots)
    if question.intent == "logs":
        everything = _EVERYTHING.search(reading.masked) is not None
        if everything or _NOT_ERRORS.search(reading.masked):
            said["errors"] = False
        if everything or _NO_GREP.search(reading.masked):
            said["grep"] = ""
    if question.intent == "changes":
        said |= before(reading.masked, question.slots)
    held = {"errors": False, "grep": ""} | question.slots
    return {slot: value for slot, value in said.items() if held.get(slot) != value}


def _common(reading: Reading, findings: Findings, one: Standing) -> bool:
    """Whether what is found besides is no request of its own: a common word, the same question, or a verb of changing
    that is given no number of replicas ("cut that to 10 minutes")."""
    named = _named(reading)
    return all(
        (request.intent in ("status", "overview") and request.intent != one.intent)
        or (request.intent == one.intent and not named and one.intent != "overview")
        or (request.intent == "scale" and _is_of(one, reading, request))
        for request in findings.requests
    )


def _is_of(question: Standing, reading: Reading, order: Request) -> bool:
    """Whether what sounds like an order to scale is how much of an answer is wanted ("砍到 80")."""
    if not order.slots or _OF_THAT.search(reading.masked):
        return True
    cuts = _CUTS.search(reading.masked) is not None and _REPLICAS.search(reading.masked) is None
    return cuts and "tail" in question.slots and order.name is None


def _named(reading: Reading) -> bool:
    """Whether it says itself which question it is."""
    return _NAMES_QUESTION.search(reading.masked) is not None or asks_past(reading.masked)


def _where(reading: Reading, findings: Findings, base: Standing) -> Request | None:
    """Another place of the same."""
    if len(reading.text) > LONGEST or findings.denied or _own(reading, findings, base):
        return None
    slots = placed(reading)
    return Request("", slots=slots) if slots and says_place(reading) else None


def _number_of_nothing(reading: Reading, findings: Findings) -> Request | None:
    """A number said to be made of something, where nothing has one: it is asked what is meant."""
    if findings.requests or _NUMBERED.search(reading.masked) is None:
        return None
    found = OF_INTENT["scale"]["replicas"](reading.masked, reading.text)
    return Request("", slots={"replicas": found}) if isinstance(found, Quantity) else None
