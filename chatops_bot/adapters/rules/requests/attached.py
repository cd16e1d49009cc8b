"""Whether an order is about something that only hangs on what it names ("restart web's database", "重启 web 的上游"):
then it is about neither the named service nor the one that is talked of, and which one is meant has to be asked."""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.requests.objects import OURS
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import Reading
from chatops_bot.domain.actions.registry import is_node_action
from chatops_bot.domain.intents import Name
from chatops_bot.domain.name_words import JOINED

_OTHER: Final = (
    r"(?:up|down)-?streams?|dependenc(?:y|ies)|dependents?|databases?|db|dbs|caches?|redis|mysql|mongo(?:db)?|postgres"
    r"(?:ql)?|kafka|rabbitmq|elasticsearch|etcd|zookeeper|memcached|nginx|queues?|brokers?|gateways?|ingress|"
    r"load[ -]?balancers?|lb|neighbou?rs?|siblings?|callers?|clients?|consumers?|producers?|providers?|peers?|parents?|"
    r"backends?|frontends?|nodes?|hosts?|machines?|clusters?|namespaces?|storage|datastores?"
)
_OTHER_CHINESE: Final = (
    r"上下?游|下游|上级|下级|依赖|数据库|缓存|消息队列|队列|网关|中间件|邻居|兄弟|调用方|被调方|消费者|生产者|客户端|"
    r"服务端|前端|后端|负载均衡|代理|节点|宿主机|主机|机器|物理机|命名空间|集群|库(?![\u4e00-\u9fff])|"
    r"(?<![a-z])(?:redis|mysql|mongo(?:db)?|kafka|mq|rabbitmq|pg|postgres|es|etcd|nginx|db|slb|lb|ingress)(?![a-z])"
)
"""What is a workload, or a machine, of its own."""
_RELATED: Final = (
    r"behind|in front of|upstream (?:of|from)|downstream (?:of|from)|next to|beside|underneath|calling|"
    r"depend(?:s|ing|ent)? (?:up)?on|rel(?:y|ies|ying) on|that (?:calls?|uses?|needs?|feeds?|talks? to)"
)
_WORDS: Final = r"(?P<words>[a-z][a-z-]*(?:\s+[a-z][a-z-]*){0,3})"
_IS_OTHER: Final = re.compile(rf"\b(?:{_OTHER})\b", re.ASCII)
_HAS: Final = re.compile(rf"'s\s+{_WORDS}", re.ASCII)
_HAS_NAME: Final = re.compile(r"(?:'s\s+|\s*的\s*)(?=\S)", re.ASCII)
_ENDS: Final = re.compile(
    r"\b(?:to|in|on|by|with|from|and|or|but|before|after|please|pls|plz|now|if|when|because|as|again|asap|back|until|so|"
    r"that|which|is|was|up|down|for|at|too|then|first|immediately|instead|rather)\b.*",
    re.DOTALL | re.ASCII,
)
_BEFORE: Final = compiled(
    rf"\b(?:(?:{_OTHER})\s+(?:of|for|to|that|which|under|serving|on|above|below)\b|{_RELATED}\b)[^\n,;.!?]*$"
)
_WHAT: Final = re.compile(
    r"\b(?:the|whatever|what|whichever|everything|anything|all|every|any|services?|things?|those|that|nodes?|ones?)\b",
    re.ASCII,
)
_BEHIND: Final = compiled(
    r"\s*(?:directly |also |itself |currently )?(?:depends? (?:up)?on|relies on|calls|needs|talks to|is behind|"
    r"sits (?:on|behind|on top of)|runs on|hangs off|reads from|writes to|connects to)(?=\s*(?:$|[,;.!?]))"
)
_ITS: Final = compiled(rf"\b(?:its|it's|their)\s+{_WORDS}")
_CHINESE: Final = re.compile(
    r"\s*(?:服务|应用|系统)?\s*(?:(?:所|直接)?(?:依赖|调用|连接?|跑|运行|所?在)(?:到|着|在)?(?:的|上)[\u4e00-\u9fff]*|"
    r"上下?游|下游|依赖|调用方|的(?:[\u4e00-\u9fff]{0,3}的)?(?:直接|所有|全部|那个|那些|整个|几个)*\s*"
    rf"(?:{_OTHER_CHINESE})|的?(?:前面|后面|背后|上层|下层|底层|旁边|隔壁)的[\u4e00-\u9fff]*)",
    re.ASCII,
)
_CHINESE_BEFORE: Final = re.compile(r"(?:依赖|调用|连着?|用到?)(?:了|着)?\s*$")
_CHINESE_ITS: Final = re.compile(
    r"(?:(?<!其)[它他她]们?的?|其|(?:这个?|那个?|该)服务的?)\s*(?:所?依赖的[\u4e00-\u9fff]*|(?:直接|所有|全部)*"
    rf"(?:{_OTHER_CHINESE}))"
)

_LAST: Final = compiled(
    rf"(?:\b(?:its|it's|their)|N's)\s+(?:[a-z]+\s+)?(?:{_OTHER})\b(?:\s+(?:instead|please|pls|rather))*\W*$|"
    rf"(?:N\s*的|(?<!其)[它他她]们?的?|其)\s*(?:{_OTHER_CHINESE})(?:吧|呗|啊)?\W*$"
)


def attached(said: Split, clause: Clause, mark: Mark, names: list[Name | None]) -> list[Name | None]:
    """What an order means in place of `names`. Of one that only says whose it is: the name behind it ("web's redis",
    where there is a redis), else a name that nothing bears, so that it is asked."""
    if not mark.dangerous or is_node_action(mark.intent):  # a service may lead to a node
        return names
    if names == [None]:
        return [_its(said, clause.start, clause.end)]
    meant = [_of(said, clause, mark, name) for name in names if name is not None]
    last = max(name.start + len(name.text) for name in names if name is not None)
    too = _its(said, last, len(said.masked))
    return [*meant, too] if too is not None and JOINED.fullmatch(said.masked, last, too.start) else [*meant]


def ends_in_other(reading: Reading) -> bool:
    """Whether a text ends in what hangs on something ("yes, its database"), and says nothing of that."""
    return _LAST.search(reading.masked) is not None


def _of(said: Split, clause: Clause, mark: Mark, name: Name) -> Name:
    link = _HAS_NAME.match(said.masked, name.start + len(name.text))
    its = link.end() if link is not None else -1
    for other in clause.names:
        if other.start == its and other.matches and other.matches != name.matches:
            return other
    found = _behind(said, clause, mark, name) or _ahead(said, mark, name)
    return _unknown(said, *found) if found is not None else name


def _its(said: Split, start: int, end: int) -> Name | None:
    found = _ITS.search(said.masked, start, end)
    words = _thing(found)
    if found is not None and _IS_OTHER.search(words) is not None:
        return _unknown(said, found.start(), found.start("words") + len(words))
    found = _CHINESE_ITS.search(said.masked, start, end)
    return _unknown(said, *found.span()) if found is not None else None


def _thing(found: re.Match[str] | None) -> str:
    """What the words behind an owner name, up to where something else is said."""
    return _ENDS.sub("", found["words"]).rstrip() if found is not None else ""


def _behind(said: Split, clause: Clause, mark: Mark, name: Name) -> tuple[int, int] | None:
    """Where the words lie, behind a name, of something that is its."""
    end = name.start + len(name.text)
    has = _HAS.match(said.masked, end, clause.end)
    words = _thing(has)
    if has is not None and words:
        strange = mark.end <= name.start and not any(word in OURS for word in words.split())
        if strange or _IS_OTHER.search(words) is not None:
            return name.start, has.start("words") + len(words)
    chinese = _CHINESE.match(said.masked, end, clause.end) if said.reading.chinese else None
    return (name.start, chinese.end()) if chinese is not None else None


def _ahead(said: Split, mark: Mark, name: Name) -> tuple[int, int] | None:
    """Likewise between the verb and the name."""
    between = said.masked[mark.end : name.start]
    if not between.strip():
        return None
    end = name.start + len(name.text)
    told = _BEHIND.match(said.masked, end) if _WHAT.search(between) is not None else None
    if told is None and _BEFORE.search(between) is None and _CHINESE_BEFORE.search(between) is None:
        return None
    return mark.end + len(between) - len(between.lstrip()), told.end() if told is not None else end


def _unknown(said: Split, start: int, end: int) -> Name:
    return Name(said.reading.text[start:end].strip(), start)
