"""The order before once more, of something else, in its own verb or without one: "web 回滚到 12，api 跟着回 11",
"restart web, api could use one too"; and what is asked of all that was named before ("两个都看下状态", "cpu of both").
"""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Split
from chatops_bot.adapters.rules.requests.naming import distinct
from chatops_bot.adapters.rules.tables import triggers_en as en
from chatops_bot.adapters.rules.tables import triggers_zh as zh
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.domain.intents import Name, Request

_VERBS: Final[dict[str, str]] = {
    "scale": r"[扩缩加减调改弄搞设]|scale|bring|take",
    "rollback": r"[回退滚撤]|back|roll|revert",
    "resume": r"恢复|继续|放开|放行|接着|resume|continue|unpause",
    "pause": r"[停冻]|暂停|pause|hold|freeze",
    "set_image": r"[更升换改推上]|更新|升级|update|upgrade|bump|move",
    "set_autoscaler": r"[配设调改给上]",
    "restart": r"[重弹]|重启|拉|restart|bounce",
}
"""Verbs that are too short to mean one action anywhere, and mean that of the order before beside it."""
_PLACE: Final = r"(?:prod(?:uction)?|staging|stg|生产|线上|预发|测试)"
_TOO: Final = r"(?:也|都|跟着|同样|一样|照样|一并|一起|同步|随之|接着|再|就|给我|also|likewise|similarly|should|can)"
_VALUE: Final = (
    r"(?:[回滚退调改设换升]?(?:到|成|为|至|回)|to|版本|revision|rev)?\s*(?:第|v|#)?"
    r"(?:\d[\w.:/-]*|[一二两三四五六七八九十]+)\s*(?:个|台|号|版|副本|replicas)*"
    r"(?:\s*(?:~|-|–|到|至|to)\s*\d+\s*(?:个|台|副本)*)?"
)
_END: Final = r"(?:一下|掉|了吧|吧|哈|啊|too|as well|please|pls|谢谢|[\s.!~])*"
_ECHOES: Final = {
    intent: compiled(
        rf"\s*(?:把|将|给|对|the |and |顺便|还有|{_PLACE}\s?的?\s?)*N(?:\s?{_PLACE})?\s*(?:的|那边|这边|{_TOO}|\s)*"
        rf"(?:{verbs})\s*(?:{_VALUE})?{_END}"
    )
    for intent, verbs in _VERBS.items()
}
_ONE_TOO: Final = compiled(
    r"\s*(?:and |the |so )*N(?: (?:prod|staging))? (?:could|can|would|might|should|may|will)?\s*"
    r"(?:really |also |likely )*"
    r"(?:use|do with|need|needs|want|wants|get|gets|have|deserves?|take|takes) "
    r"(?:one(?: of (?:those|them|these))?|the same(?: (?:thing|treatment|medicine))?|that|it)"
    r"(?: too| as well| also|,? please|[\s.!])*"
)
_ALL_NAMED: Final = compiled(
    r"\b(?:of|for|on|from|in|to) (?:them )?(?P<a>both|all (?P<three>three)|each(?: of (?:them|those))?)"
    r"(?=\W*$|\s+(?:please|"
    r"pls|too|now|as well)\b)|\b(?P<b>both)(?: of (?:them|those|these))?(?=\W*$| (?:please|pls|now|services|"
    r"(?:up |down |"
    r"back )?(?:to|by))\b)|"
    r"(?:^|[完了把将给对看查后,\s]|[这那它])(?:们)?(?P<c>[两俩仨三]|两个|三个)(?P<d>个?(?:服务|都|一起|各|的))|"
    r"\bthem\b|它们"
)


def echoes(said: Split, clause: Clause, intent: str) -> bool:
    """Whether a clause says nothing but the order before, of another."""
    pattern = _ECHOES.get(intent)
    if pattern is not None and pattern.fullmatch(said.masked, clause.start, clause.end) is not None:
        return True
    return _ONE_TOO.fullmatch(said.masked, clause.start, clause.end) is not None


def all_named(said: Split, index: int) -> list[Name]:
    """The two or three names said before, where a clause without one is about all of them."""
    clause = said.clauses[index]
    found = None if clause.names else _ALL_NAMED.search(said.text(clause))
    if found is None:
        return []
    before = tuple(name for earlier in said.clauses[:index] for name in earlier.names)
    named = distinct(before)
    three = found["three"] is not None or (found["c"] or "")[:1] in ("仨", "三")
    return named if len(named) == (3 if three else 2) else []


_POLITE: Final = compiled(rf"{en.ORDER_PREFIX}\s*|{zh.ORDER_PREFIX}\s*|\s*(?:谢谢|多谢|拜托|谢了|急|thanks|asap)\s*")
_SHORT: Final = compiled(r"\s*(?:\d+ [a-z]+|[\u4e00-\u9fff]{2,4}|[a-z]+)\s*[.!~]*\s*")


def only_words(said: Split, requests: list[Request]) -> bool:
    """Whether all is a list of three words or more, of nothing ("重启、回滚、甩锅", "5 replicas, 3 regions, 0 sleep"),
    of which not all are orders: a saying, and no order."""
    wordy = [clause for clause in said.clauses if _POLITE.fullmatch(said.text(clause).strip()) is None]
    if len(wordy) < 3 or said.reading.names or not any(request.dangerous for request in requests):
        return False
    if len(requests) >= len(wordy):
        return False
    return all(_SHORT.fullmatch(said.masked, clause.start, clause.end) is not None for clause in wordy)
