"""Somebody wants to be told when something changes, or no more. What may come before or behind it is an utterance of
its own."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from chatops_bot.adapters.rules.requests.finding import find_requests
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.adapters.rules.verdict import Verdict
from chatops_bot.domain.intents import ROUTES, Request, Route, State

SUBSCRIBE: Final = "subscribe"
UNSUBSCRIBE: Final = "unsubscribe"

_STOP: Final = compiled(
    r"\bunsubscribe(?: me)?\b|\b(?:stop|quit) (?:pinging|notifying|updating|mentioning|messaging|alerting|telling|"
    r"posting|bothering) (?:me|us)\b|\b(?:don't|do not|dont|no need to) (?:ping|notify|tell|mention|update|alert|"
    r"message|keep) me(?: posted| updated)?(?: any ?more| again)?\b(?! (?:its|the|how|what|whether|who|why|which|N)\b)|"
    r"\bno more (?:updates|pings|notifications|mentions)\b|"
    r"(?:别|不要|不用|不必|停止|无需)再?(?:@|通知|提醒|叫|艾特|告诉|ping|喊|推送给?)"
    r"(?!人|他|她|别人|谁|值班|老|小|大家|团队|on-?call)(?:我|我们)?了?|"
    r"取消(?:订阅|关注)|退订|不订阅了?"
)
_REST: Final = r"(?:(?! and | then )[^.!?;,\n])*"
"""The clause, but no order behind it."""

_THING: Final = r"(?:it|this|that|N|they|anything|something|(?:the )?[\w-]+)"

_EVENT_EN: Final = (
    r"(?:(?:when(?:ever)?|once|as soon as|after|the (?:moment|second|minute)|should|in case|every time"
    r"|if and when)(?! (?:was|were|did|has|had|do|does|is)\b)"
    rf"(?! {_THING} (?:was|were|last|did|had)\b) {_REST}|"
    rf"if {_THING} (?:\w+ )?(?:chang|happen|recover|fail|break|com|go|fir|flap|finish|crash|restart|die"
    rf"|get|stop|resolv|alert|"
    rf"start|act|mov|deploy|scal|trip|oom|"
    rf"is (?:done|back|up|resolved|fixed|over|finished|stable|down)){_REST}|"
    rf"if (?:anyone|anybody|someone|somebody) (?:\w+ )?(?:deploy|touch|chang|restart|scal|roll|push|mess"
    rf"|does|break){_REST}|"
    rf"how it goes|what happens|(?:about |on |of |for |with )?(?:any(?:thing)?|all|every|new|more"
    rf"|further|the)?\s?(?:new )?"
    rf"(?:change|update|alert|event|notification|incident|new|development|deploy|movement|problem"
    rf"|issue)s?(?: (?:to|on|with|for|about|of|from|in) {_REST})?)"
)
_TELL_EN: Final = (
    r"(?:ping|tell|notify|alert|message|mention|call|update|remind|page|text|dm|inform|wake|poke|warn|nudge|tag|@|buzz|"
    r"holler at|shout at|give(?= (?:me|us) a (?:shout|ping|heads|holler|buzz|nudge))) (?:me|us)"
    r"(?: a (?:shout|ping|heads[- ]?up|holler|buzz|nudge))?(?: (?:here|directly|by dm|in (?:a )?dm|please|pls|again))*"
)
_NEWS_EN: Final = r"(?:alerts?|updates?|notifications?|events?|pings?|news|changes|messages|incidents?|notices?)"
_HAPPENS_ZH: Final = (
    r"(?:变化|进展|消息|情况|结果|更新|动静|异常|问题|状况|风吹草动|变更|变动|告警|报警|事件|动态"
    r"|波动|故障|发布|新版本|新动向|人动)"
)
_EVENT_ZH: Final = (
    rf"(?:[有出来现生一]{{1,4}}(?:任何|什么|啥|点|新的?|别的|些|了){{0,4}}{_HAPPENS_ZH}|恢复(?:正常)?|好"
    rf"|完成|搞定|解决|修好|结束|成功|"
    r"失败|跑完|弄完|"
    r"执行完|正常|又?(?:报警|告警)|(?:又|再|一|要是|万一|只要)?(?:挂|崩|炸|宕|重启|报错|超时|抖|回滚"
    r"|扩容|缩容|起来|掉线|不行))"
    r"(?:了|之?后|以后|的话|的?时候?|就|掉){0,3}[\u4e00-\u9fff]{0,3}?"
)
_TELL_ZH: Final = (
    r"(?:(?:微信|钉钉?|飞书|短信|邮件|弹窗|私聊|私信|发消息|发信|打电话|电话)(?:给)?我?(?:说|通知|告诉"
    r"|讲|提醒)?(?:一下|一声|下|声|给)*|"
    r"(?:通知|告诉|提醒|知会|同步|ping)(?:一下|一声|下|声|给)*我?(?:一下|一声|下|声)?|"
    r"(?:叫|喊|@|艾特|call|戳|踢|摇|吱|招呼|说|讲)(?:一下|一声|下|声|给)*我(?:一下|一声|下|声)?|"
    r"(?:跟|和|给|对)我(?:说|讲|发|打|来|推|吱)[^,;!?\s]{0,4}|(?:叫|喊|@|戳|吱|说|招呼)(?:一?声|一下))"
)
_MARK_ZH: Final = (
    rf"(?:一[^,;!?\n]{{1,10}}?就|(?:搞|弄|做|排|扩|缩|滚|发|跑|干|启|换|理|恢复|处理)完(?:了|事|成)?(?:之?后|就|了|"
    rf"再)?|一旦|只要|如果|要是|若是?|万一|但凡|每次|每当|[等待][^,;!?\n]{{1,10}}?(?:了|好|完)|"
    rf"[又再](?:[挂崩炸死抖红慢]|出事|报警|告警)[了掉]?|[又再][^,;!?\n]{{1,6}}?(?:的话|就|时)|(?:有|出)(?:了|点|任何|"
    rf"什么|啥|新的?|别的)*{_HAPPENS_ZH}|往后|今后|以后|"
    rf"后续|将来|"
    r"接下来|从现在起|从今往后|从此|随时|实时|(?:状态|副本|版本)?(?:一|有|发生)?变(?:化|动|了)?(?:都|就|时|的话))"
)
"""What is still to come, told beforehand."""
_TELL_ME_ZH: Final = (
    r"(?:(?:推送?|发|抄送?|同步|转发?|汇报|播报|知会|通报|喊|报)(?:给)?\s?(?:我|咱)(?:们)?(?:一份|一下|一声|这边)?|"
    r"(?:通知|告诉|提醒|私信|私聊|微信|钉钉?|飞书|短信|电话|call|ping|dm|cc|@|艾特|at|叫醒|叫|喊醒?|吵醒|摇醒?|戳|敲|"
    r"吱|拍|踢|呼)"
    r"(?:一下|一声|下)?\s?(?:我|咱)(?:们)?(?:起床|起来|一声|一下|醒)?|"
    r"(?:给|跟|和|对|向)(?:我|咱)们?(?:发|打|来|说|推|报|留|提)[^,;!?\s]{0,5})"
)
_BEFORE_ZH: Final = (
    r"(?:(?!重启(?!了)|回滚(?!了)|扩容|缩容|并|然后|顺便|再看|帮我|给我看|日志|log|最近|刚|昨|之前|上次|为什么|为啥|"
    r"怎么|多少|哪)"
    r"[^,;!?\n]){0,24}?"
)
_NOTIFY_EN: Final = (
    r"(?:ping|dm|page|text|notify|alert|nudge|poke|buzz|wake|inform|message|warn|e?mail|call|phone|tag|let|"
    r"(?:holler|shout|yell) at) (?:me|us)(?: know)?(?: up)?(?: here| directly| by dm| right away)?"
)
_TOLD_EN: Final = (
    r"be (?:kept (?:posted|updated|informed|in the loop|in the know|up to date)|notified|informed|pinged|told|alerted|"
    r"paged|messaged|dm'?ed)"
)
_WANT: Final = compiled(
    rf"(?<![^,;!?.:\n])\s*(?:N\s?)?{_BEFORE_ZH}{_MARK_ZH}{_BEFORE_ZH}{_TELL_ME_ZH}(?=[\s,.!?;~]|$|[吧啊呀哈哦呗行就])|"
    rf"订阅(?:走一波|一波|一?下|上|走起|安排)?\s?[:]?\s?N|订阅\s?(?:N|它)?\s?的?(?:所有|"
    rf"全部)?的?{_HAPPENS_ZH}?(?:的?通知|推送|消息)"
    r"(?:给我)?|"
    r"\b(?:shoot|drop|send|give|throw|fire|slip) (?:me|us) (?:a|an) (?:dm|line|ping|note|message|text|e?mail|shout|"
    r"holler|"
    rf"heads[- ]?up|word|mention|slack|nudge|buzz|call) (?:when(?:ever)?|once|as soon as|the (?:moment|second|minute)|"
    rf"if|should) {_REST}|"
    rf"\b{_NOTIFY_EN} if (?:(?!N (?:is|was|has)\b){_THING}(?: \w+)? (?!was\b|were\b|had\b)[a-z]+{_REST}|there(?:'s| "
    rf"is) "
    rf"(?:any|some|new)?{_REST})|"
    rf"\b(?:dm|ping|tell|notify|inform|alert|update|message) (?:me|us) (?:about |of |on )?(?:anything|whatever|"
    rf"everything|"
    rf"any|all|every \w+)(?: \w+)? (?:that |which )?(?:happens?|changes?|moves?|breaks?|comes? up|goes wrong|"
    rf"new)\b{_REST}|"
    rf"(?:\b(?:i|we)(?:'d| would| rather| do)* )?(?:want to |like to |love to |fancy |wanna |wish to |need to "
    rf")?\b(?:hear|hearing|know|knowing|"
    rf"learn)(?: (?:about|of))?(?: (?:it|this|that))? (?:when(?:ever)?|once|as soon as|the (?:moment|second|minute)) "
    rf"(?!to\b){_REST}|"
    rf"(?:\b(?:i|we)(?:'d| would)? )?\b(?:want|wish|like|need|love|prefer|could i|could we|can i|can we|may i) "
    rf"(?:to )?(?:please )?{_TOLD_EN}\b{_REST}|"
    rf"\bkeep (?:me|us) (?:posted|updated|informed|in the loop|in the know)\b{_REST}|"
    rf"(?<![\w-]){_TELL_EN} {_EVENT_EN}|"
    rf"\b(?:holler|shout|yell|scream|beep|buzz|ping)(?: at| to)?(?: me| us)? (?=when|if|once|as soon){_EVENT_EN}|"
    rf"\blet (?:me|us) know {_EVENT_EN}|\bnotify me\b|"
    rf"\b(?:subscribe|sign|add|register|put)(?: me)?(?: up)? (?:to|for|on) (?:(?:the|all|any|every|of"
    rf"|its) )*(?:N(?:'s)? )?{_NEWS_EN}"
    rf"(?: (?:list )?(?:for|of|on|from|about|in) (?:the )?(?:N|this|it|that))?|"
    rf"\b(?:i|we)(?:'d| would)? (?:want|like|need|love)(?: to (?:get|receive|have|see))? {_NEWS_EN} "
    rf"(?:for|of|on|from|about|whenever|when) {_REST}|"
    rf"\b(?:(?:i|we)(?:'d| would)? |would )?(?:wanna|(?:want|like|need|love) to) (?:know|hear|be (?:told"
    rf"|notified|pinged|alerted|informed)) (?:about it |right away |first )?{_EVENT_EN}|"
    r"\bsubscribe(?: me)?(?: to (?:the )?(?:this|it|that|N(?:'s)?)| N)?(?: and (?:the )?N)?(?![a-z])|"
    r"\bfollow (?:this(?: thread| incident)?|it|N) for me\b(?: and (?:shout|holler|ping|tell|let|notify"
    r"|yell|dm)\b[^.!?;\n]*)?|\bkeep me posted\b|"
    rf"(?:when(?:ever)?|once|as soon as|if|the moment|should|any(?:thing)?(?= (?:\w+ )?(?:trouble"
    rf"|problem|change|issue|error|alert|news|new|weird|odd|happen|wrong)\w*)|some(?:one|body)|any(?:one"
    rf"|body)) (?:(?! and | then )[^.!?;\n]){{3,70}}?,? (?:please |pls |just |then )*"
    rf"(?:{_TELL_EN}|let (?:me|us) know|(?:i|we)(?:'d| would)? (?:wanna|want to|like to|need to) (?:hear|know)(?: "
    rf"about it| of it)?)(?=\W*$|,? (?:please|pls|thx|thanks|ok)\b)|"
    rf"\b(?:watch|monitor|keep an eye on|keep tabs on|track) (?:N|it|this|that)(?: for me)? and (?:"
    rf"{_TELL_EN}|let (?:me|us) know)(?: {_EVENT_EN})?|"
    rf"(?:谁|有人)(?:又|再|要是|敢)?(?:动|改|发|重启|扩|缩|回滚|上线|部署"
    rf"|碰)[^,;!?\n]{{0,12}}?[,，]?\s*(?:就|都|也|要|马上|第一时间|记得|麻烦|帮我?|你)*{_TELL_ZH}"
    rf"(?=[\s,.!?;~]|$|[吧啊呀哈哦呗])|"
    rf"(?:N\s?(?:那边|这边|的)?\s?)?(?:后面|以后|后续|一旦|只要|如果|要是|万一|等|它|再|又|一|只|随时"
    rf"|任何时候){{0,6}}{_EVENT_ZH}[,，]?\s*(?:请|再|就|都|也|要|得|马上|立刻|第一时间|记得|麻烦|帮我?|你){{0,6}}"
    rf"{_TELL_ZH}(?=[\s,.!?;~]|$|[吧啊呀哈哦呗])|"
    r"(?:随时|持续|及时)(?:告诉|通知|同步|更新)(?:给)?我?(?:进展|情况|消息)?|"
    rf"(?:我(?:要|想)|帮我|给我)?订阅(?:一下|下|上)?(?:这个|本|该)?\s?(?:N\s?)?(?:的)?(?:所有|全部"
    rf"|后续)?的?(?:{_HAPPENS_ZH}|事故|通知|推送|状态)*|"
    r"(?:帮我)?(?:关注|盯|留意|跟踪|看)(?:着|一下|住|紧)[^,.;\n]{0,14}?[,，]?\s?"
    r"(?:[^,.;\n]{0,10}?)(?:告诉|通知|叫|喊|@|提醒|ping)我(?:一声|一下)?"
)
_LEFT: Final = compiled(
    r"(?:[\s,.;:!?、]|please|pls|thanks|thank you|ok|okay|and|then|also|but|bot|谢谢|好的?|嗯|那|请|并|然后|再)*"
)


_FURTHER: Final = compiled(
    r"(?:\s*(?:[,、&+]|and|和|与|跟|以及|还有)+\s*(?:and |the )*N)+(?=\s*(?:$|[,.;!?]|please|pls|吧|谢))"
)
"""Names that go on the list of what is wished to be told of."""


def wish(reading: Reading) -> tuple[tuple[Request, ...], Reading] | None:
    """What is wished, of each that is named, and what else is said; None where nothing is."""
    text = reading.masked
    stop = _STOP.search(text)
    found = stop or _WANT.search(text)
    if found is None:
        return None
    start, end = found.span()
    further = _FURTHER.match(text, end) if reading.between(start, end) else None
    end = further.end() if further is not None else end
    again = None if stop else _WANT.search(text, end)
    named = reading.between(start, end)
    intent = UNSUBSCRIBE if stop else SUBSCRIBE
    requests = tuple(Request(intent, name=name, start=name.start) for name in named) or (Request(intent, start=start),)
    rest = _without(reading, start, end)
    if again is not None and not reading.between(*again.span()):  # the same once more, in other words
        rest = _without(rest, *again.span())
    return requests, rest


def _without(reading: Reading, start: int, end: int) -> Reading:
    blank = " " * (end - start)
    return reading._replace(
        text=f"{reading.text[:start]}{blank}{reading.text[end:]}",
        masked=f"{reading.masked[:start]}{blank}{reading.masked[end:]}",
        names=tuple(name for name in reading.names if not start <= name.start < end),
    )


def alone(requests: tuple[Request, ...], state: State) -> Verdict:
    """The verdict where nothing else is said."""
    route = next((one for one in (Route.QUERY, Route.ASK, Route.NOTE) if one in ROUTES[state]), Route.NOTE)
    return Verdict(route, requests)


_HAPPENED: Final = re.compile(
    r"刚|已经|昨[天晚]|我(?:手动|自己)|\b(?:i|we) (?:have |'ve )?(?:just |already )?[a-z]+ed\b|"
    r"\b(?:every(?:one|body)|guys|folks|y'all)\b|大家|各位|你们|诸位"
)
"""Told beside it, it is no wish but news."""
_OPEN: Final = frozenset({State.IDLE, State.ARCHIVED, State.FOLLOW_UP})
"""Nothing is under way, which what is said beside a wish could be about."""


def beside(requests: tuple[Request, ...], said: Verdict, rest: Reading, state: State) -> Verdict | None:
    """The verdict where something else is said as well: an order or a question, or talk where nothing is under way. A
    name alone is that of what is to be told of. None where it is about what is under way."""
    if said.route in (Route.QUERY, Route.ACT, Route.ASK):
        if state in _OPEN and find_requests(rest).bare:
            nameless = [one for one in requests if one.name is None]
            named = (msgspec.structs.replace(nameless[0], name=rest.names[0]),) if nameless else requests
            return alone(named, state)
        return Verdict(said.route, tuple(sorted((*said.requests, *requests), key=lambda one: one.start)))
    talk = said.route is Route.CHAT and _HAPPENED.search(rest.masked) is None
    return alone(requests, state) if state in _OPEN and talk else None


def says_nothing(reading: Reading) -> bool:
    """Whether nothing is left to be understood."""
    return _LEFT.fullmatch(reading.masked) is not None
