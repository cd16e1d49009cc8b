"""Somebody wants to be told when something changes, or no more. What may come before or behind it is an utterance of
its own."""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.confirming import Verdict
from chatops_bot.adapters.rules.patterns import compiled
from chatops_bot.adapters.rules.reading import Reading
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
    r"(?:(?:when(?:ever)?|once|as soon as|after|the moment)(?! (?:was|were|did|has|had|do|does|is)\b)"
    rf"(?! {_THING} (?:was|were|last|did|had)\b) {_REST}|"
    rf"if {_THING} (?:chang|happen|recover|fail|break|com|go|fir|flap|finish|crash|restart|die|get|stop|resolv|"
    rf"is (?:done|back|up|resolved|fixed|over|finished|stable)){_REST}|"
    rf"how it goes|what happens|(?:about |on |of |for )?any (?:change|new|update)s?{_REST})"
)
_EVENT_ZH: Final = (
    r"(?:有(?:任何|什么|新)*(?:变化|进展|消息|情况|结果|更新|动静)|恢复(?:正常)?|好|完成|搞定|解决|修好|结束|成功|"
    r"失败|跑完|弄完|"
    r"执行完|正常|又?(?:报警|告警))(?:了|后|之后|以后|的话|时|的时候)*"
)
_TELL_ZH: Final = (
    r"(?:通知|告诉|提醒|叫|喊|@|艾特|ping|call|知会|同步|跟我说|和我说|说)(?:一下|一声|下|给)*我?(?:一下|一声|下)?"
)
_WANT: Final = compiled(
    rf"\bkeep (?:me|us) (?:posted|updated|informed|in the loop|in the know)\b{_REST}|"
    rf"\b(?:ping|tell|notify|alert|message|mention|call|update|remind|page|text|dm|inform) me (?:here )?{_EVENT_EN}|"
    rf"\blet me know {_EVENT_EN}|\bnotify me\b|\bsubscribe(?: me)?(?: to (?:this|it|that|N))?\b|"
    r"\bfollow this(?: thread| incident)? for me\b|\bkeep me posted\b|"
    rf"{_EVENT_ZH}[,，]?\s*(?:请|再|就|马上|第一时间|记得|麻烦)*{_TELL_ZH}(?=\W|$|[吧啊呀哈])|"
    r"(?:随时|持续|及时)(?:告诉|通知|同步|更新)(?:给)?我?(?:进展|情况|消息)?|订阅(?:一下|这个|本?事故)?|"
    r"(?:帮我)?(?:关注|盯)(?:着|一下)[^,.;\n]{0,12}?(?:告诉|通知|叫)我"
)
_LEFT: Final = compiled(
    r"(?:[\s,.;:!?、]|please|pls|thanks|thank you|ok|okay|and|then|also|but|bot|谢谢|好的?|嗯|那|请|并|然后|再)*"
)


def wish(reading: Reading) -> tuple[Request, Reading] | None:
    """What is wished, and what else is said; None where nothing is."""
    text = reading.masked
    stop = _STOP.search(text)
    found = stop or _WANT.search(text)
    if found is None:
        return None
    named = reading.between(*found.span())
    request = Request(UNSUBSCRIBE if stop else SUBSCRIBE, name=named[0] if named else None, start=found.start())
    blank = " " * (found.end() - found.start())
    rest = reading._replace(
        text=f"{reading.text[: found.start()]}{blank}{reading.text[found.end() :]}",
        masked=f"{text[: found.start()]}{blank}{text[found.end() :]}",
        names=tuple(name for name in reading.names if name not in named),
    )
    return request, rest


def alone(request: Request, state: State) -> Verdict:
    """The verdict where nothing else is said."""
    route = next((one for one in (Route.QUERY, Route.ASK, Route.NOTE) if one in ROUTES[state]), Route.NOTE)
    return Verdict(route, (request,))


def beside(request: Request, said: Verdict) -> Verdict | None:
    """The verdict where something else is said as well: an order or a question. None where that is neither."""
    if said.route not in (Route.QUERY, Route.ACT, Route.ASK):
        return None
    return Verdict(said.route, tuple(sorted((*said.requests, request), key=lambda one: one.start)))


def says_nothing(reading: Reading) -> bool:
    """Whether nothing is left to be understood."""
    return _LEFT.fullmatch(reading.masked) is not None
