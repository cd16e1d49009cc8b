"""Orders that no table lists, where what they are about leaves no doubt: a service beside an image, a service and a
number of replicas, a node beside words of scheduling. Any verb will do, as long as nothing is asked, told or denied.

Looked at only where a clause holds no verb of the tables and no exact question.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.naming import best, is_pod
from chatops_bot.adapters.rules.numbers import NUM
from chatops_bot.adapters.rules.patterns import compiled
from chatops_bot.domain.intents import Name

_POLITE_QUESTION: Final = re.compile(
    r"\b(?:can|could|would|will) (?:you|u|we|some ?(?:one|body))\b|\b(?:do|would) you mind\b|能不能|可不可以|能否|可否|"
    r"可以吗|好吗|行吗|好不好|行不行"
)
_ASKED: Final = re.compile(
    r"[?吗么呢]|怎么|什么|啥|咋|如何|哪|谁|几个|多少|为何|是不是|有没有|会不会|要不要|该不该|够不够|"
    r"\b(?:what|why|how|which|who|when|where|does|do|did|any|should (?:i|we)|shall)\b|"
    r"^\W*(?:is|are|was|were|has|have|can|may)\b"
)
_TOLD: Final = re.compile(
    r"\b(?:is|are|was|were|has|had|went|did|does|been|already|yesterday|last (?:night|week|time)|seems?|looks?|keeps|"
    r"shows?|says?|said|ran|used to|would|if|because|think|thought|hope|wish|remember|wrong|maybe|perhaps|"
    r"ready|running|left|alive|healthy|pending|crash\w*|fail\w*|enough|"
    r"i|we|he|she|they|you guys|someone|everyone|nobody|(?!need|speed|feed|shed)[a-z]{2,}ed|(?!ceiling|staging"
    r"|during|\w*thing|evening|morning)[a-z]{3,}ing)\b"
)
_WISHED: Final = re.compile(r"\b(?:i|we)(?:'d| would)? (?:really |just )?(?:want|need|like|prefer)\b|\byou can\b")
_TOLD_ZH: Final = re.compile(
    r"是(?:我|他|她|谁|小|老)|的[,.!\s]*$|已经|刚才|刚刚|昨[天晚]|之前|上次|本来|原来|一直|正在|在跑"
    r"|只有|还有|还剩|剩下|变成|目前|过[了的,.!\s]|过$|"
    r"(?<!可以)(?<![能行])了(?!吧)(?=[\s,.!也又还]|$)|为止|每次|总是|老是|又|听说|据说|说是|觉得|好像|似乎|应该是|"
    r"(?<![帮给让替])(?:我|他|她|咱)(?!要|想)|大家|你们|@|如果|要是|万一|不够|足够|够了|算了|分钟|小时|没"
)
_PAST: Final = re.compile(r"了(?!吧|吗)(?:也|又|还|,|\s|$)|[a-z]ed\b")
_DENIED: Final = re.compile(
    r"\b(?:don't|dont|do not|never|not|no need|without)\b|别|不要|不用|不必|勿|甭|不(?!到|足|可)|先放"
)

_REPLICAS: Final = (
    r"(?:more |extra |additional |fewer |less )?(?:of (?:them|those|it|N)|replicas?|pods?|instances?|copies|workers)"
)
_SCALED: Final = compiled(
    rf"(?:N|(?<![a-z])it|them)(?:'s)?[^,;.!?\n]{{0,30}}?(?<![\w.:/#-])(?:to|at|by|=|->|=>|→|x) ?{NUM}"
    rf"(?![\w.:/%-])(?! ?(?:min|sec|hour|day|%|am|pm|rev))|"
    rf"(?<![\w.:/#-]){NUM} {_REPLICAS}(?![\w-])|"
    rf"(?<![\w.:/#-]){NUM} (?:more|extra|fewer|less)(?: \w+){{0,2}}? (?:at|for|on|to|of|onto|behind) "
    rf"(?:it|N|them)(?![\w-])|"
    rf"N\s?[\u4e00-\u9fff]{{1,5}}\s?(?<!第)(?<!近)(?<!前)(?<!后)(?<!版本)(?<!版)(?<!回){NUM}\s?"
    rf"(?:个|台|份)?\s?(?:副本|实例|pods?)?(?:上去|出来|起来|吧|就行|先|上|谢谢|\s)*$|"
    rf"(?<![a-z])(?:needs?|wants?|gets?|takes?) {NUM}(?: of (?:them|those|it))(?![a-z])|"
    rf"^\W*N (?:only |just )?needs? {NUM}(?: of (?:them|those|it))?(?: now| please| pls)?\W*$|"
    rf"再[\u4e00-\u9fff]{{1,2}}\s?{NUM}\s?(?:个|台)?\s?(?:副本|实例|pods?)?(?:上去|出来|起来|给它|吧|上|\s)*$"
)
_COUNTS_ELSE: Final = re.compile(
    r"[一1]\s?(?:份|下|次|遍|眼|把|脚|波|声|点|直|样)|行|条|秒|分|小时|天|版|号|revision|rev\b|version"
    r"|lines?|前|最近|近|tail|last|回\s?\d|one of th|(?:use|have|get) one\b"
)
_IMAGE: Final = re.compile(
    "(?:[\\w.\ue000-]+/)*[\\w.\ue000-]+:[\\w.-]*\\d[\\w.-]*|(?<![\\w.])v?\\d+\\.\\d+[\\w.-]*"
    "(?= (?:image|tag|build|release|version)|\\s?(?:镜像|版本|这个tag|那个(?:包|tag|镜像)|包))|"
    "(?:image|tag|build|version|镜像|版本|tag)[\\s:]*v?\\d+\\.\\d+[\\w.-]*",
    re.ASCII,
)
_RANGE: Final = compiled(
    rf"{NUM}\s?(?:个|台)?\s?(?:-|~|–|to|and|到|至)\s?{NUM}|(?:min|floor|最[小少]"
    rf"|下限).{{0,12}}\d.{{0,16}}(?:max|ceiling|cap|最[大多]|上限)"
)
_AUTO: Final = re.compile(r"autoscal\w*|hpa|on its own|by itself|itself|automatically|elastic|自动|弹性|自己|伸缩|hpa")
_REVISION: Final = compiled(rf"(?:revision|rev|version|版本|第)\s?#?{NUM}|{NUM}\s?(?:号|那个|这个)?版")
_BACK_TO: Final = compiled(
    r"N\s?(?:\s|也|都|就|先|跟着|给我|直接|的)*(?:回到?|退到)\s?\d+(?!\s?[个台份])(?![\w.:%])\W*|"
    r"^\W*N (?:should |must )?(?:go(?:es)? )?back (?:to|on) \d+(?: too| please| as well)?\W*$"
)
"""Where nothing is counted it goes back to a revision, never to a number of replicas."""
_BACK: Final = re.compile(r"\bback\b|\bagain\b|\brestore|\breturn|\bundo|\bprevious|回|退|撤|恢复|还原")
_UNDONE: Final = re.compile(
    r"\b(?:undo|revert|take back|back out|reverse|unship) (?:what(?:ever)?|the thing|everything|all)\b|"
    r"\bback (?:to )?(?:the way|how|what|as) (?:it|things) (?:was|were|used)|"
    r"(?:发|上|更新|部署|推)的?[那这]?(?:版|次|个版本)[^,;!?]{0,12}(?:撤|退|滚|回)(?:下来|掉|回去|回来|下去)?|"
    r"(?:撤|退|滚|恢复|还原|弄|换)回?(?:到|成)?[^,;!?]{0,6}(?:之前|以前|原来|发布前|上线前)的?(?:样子|状态|那样)"
)
_CLOSED: Final = (
    re.compile(
        r"\b(?:no|not|nothing|stop|keep|don't|dont|block|never|out|un(?:usable|available)"
        r"|off limits)\b|别|不|禁|停|封|圈|锁|挡|拦|摘|隔离"
    ),
    re.compile(
        r"\b(?:new|schedul\w*|pods?|stuff|land\w*|workloads?|rotation|pool|limits)\b|调度|丢"
        r"|放|派|东西|负载|任务|pod|起来|上|住"
    ),
)
_OPEN: Final = (
    re.compile(
        r"\b(?:back|again|re-?open|return\w*|release|free|resume|once more|rejoin\w*"
        r"|allow\w*)\b|放|恢复|重新|回|解|可以|撤|开|继续|能"
    ),
    re.compile(
        r"\b(?:pool|rotation|schedul\w*|use|duty|work|cluster|pods?|stuff|service|action"
        r"|game|business|cordon|load|traffic)\b|调度|干活|上线|集群|封|cordon|回来|池|接活|使用|服役|上岗|接客"
        r"|接\s?pod"
    ),
)
_EMPTY: Final = (
    re.compile(
        r"\b(?:off(?! limits)|out|empty|away|clear\w*|vacat\w*|evict\w*|elsewhere"
        r"|evacuat\w*)\b|清|腾|赶|挪|迁|搬|撤|空|转移|驱"
    ),
    re.compile(
        r"\b(?:everything|everyone|all|pods?|workloads?|load|stuff|drain|empty|tenants)\b"
        r"|pod|东西|负载|服务|业务|全|都|场|空|干净|容器"
    ),
)
_KILLED: Final = re.compile(
    r"\b(?:shoot|kill|nuke|zap|bin|trash|delete|remove|evict|terminate|destroy|whack|smash|axe|drop|waste|murder|"
    r"execute|blow away|chuck|take out|get rid of|put .{0,12}out of (?:its|his) misery|needs to (?:go"
    r"|die)|has to (?:go|die)|must (?:go|die)|bye)\b|"
    r"删|杀|砍|干掉|弄死|弄掉|踢|毙|清掉|清理|灭|做掉|扔掉|拿掉|送走|重建|强杀"
)
_DEAD: Final = re.compile(rf"(?:{_KILLED.pattern})(?:了|掉)?")
_POD_LIKE: Final = re.compile(r"-[a-z0-9]{8,10}-[a-z0-9]{5}$")
_A_NODE: Final = re.compile(
    r"(?<![\w.-])(?:(?:node|worker|gpu|host|machine)[a-z0-9.]*(?:-[a-z0-9.]+)*-?\d+|ip(?:-\d+){2,})(?![\w-])"
)
"""A node that nothing else knows of."""


def inferred(said: Split, clause: Clause, antecedent: Name | None, end: int) -> Mark | None:
    """The order that a clause gives by what it is about, as a mark of no length at its last name. Its parameters reach
    to `end`."""
    text = _POLITE_QUESTION.sub(" ", said.masked[clause.start : clause.end + 1])
    wide = said.masked[clause.start : max(clause.end, end)]
    intent = _intent(clause, best(clause.names) if clause.names else antecedent, text, wide)
    spoken = {mark.intent for mark in clause.marks if mark.dangerous}
    if spoken and (intent not in spoken or _denied(text) or _PAST.search(text)):
        return None
    if intent is None:
        return None
    at = clause.names[-1].start if clause.names else clause.start
    return Mark(intent, at, at)


def _intent(clause: Clause, name: Name | None, text: str, wide: str) -> str | None:
    if _ASKED.search(text):
        return None
    if not clause.names and _A_NODE.search(text):
        return _of_a_node(_A_NODE.sub(" ", text))
    if name is None:
        return None
    if is_pod(name) or _POD_LIKE.search(name.text.lower()):
        killed = _KILLED.search(text) and not _denied(text) and not _told(_DEAD.sub("", text))
        return "delete_pod" if killed else None
    if all(service.entity.kind == "Node" for service in name.matches):
        return _of_a_node(text) if name.matches or _like_a_node(name) else None
    if clause.names or has_it(text):
        bounds = clause.names and _AUTO.search(text) and _RANGE.search(wide) and " from " not in wide
        return _of_a_service(text, bounds=bool(bounds))
    return None


def has_it(text: str) -> bool:
    """Whether a clause speaks of what was named before it."""
    return re.search(r"\b(?:it|them|its)\b|它", text) is not None


def _told(text: str) -> bool:
    return _TOLD.search(_WISHED.sub(" ", text)) is not None or _TOLD_ZH.search(text) is not None


def _denied(text: str) -> bool:
    return _DENIED.search(text) is not None


def _like_a_node(name: Name) -> bool:
    return (
        re.fullmatch(
            r"[a-z]+(?:-[a-z]+)*-\d{1,3}|ip(?:-\d+)+|(?:node|worker|gpu|host|machine)[a-z0-9.-]*\d", name.text.lower()
        )
        is not None
    )


def _of_a_node(text: str) -> str | None:
    low = text.replace("\ue000", "")
    wished = _WISHED.sub(" ", low)
    if _TOLD_ZH.search(re.sub(r"了\s*$", "", wished)) or re.search(
        r"\b(?:is|was|were|has|had|did|already|yesterday|i|we|he|she|they|seems?|looks?)\b", wished
    ):
        return None
    closed, opened, emptied = (all(part.search(low) for part in parts) for parts in (_CLOSED, _OPEN, _EMPTY))
    if closed and _denied(low) | (not opened and not emptied):
        return "cordon"
    if emptied and not opened:
        return "drain"
    return "uncordon" if opened and not _denied(low) else None


def _of_a_service(text: str, *, bounds: bool) -> str | None:
    if _denied(text):
        return None
    if _UNDONE.search(text):
        return "rollback"
    if _told(text):
        return None
    if (_REVISION.search(text) and _BACK.search(text)) or _BACK_TO.search(text):
        return "rollback"
    if bounds:
        return "set_autoscaler"
    if _IMAGE.search(text):
        return "set_image"
    return "scale" if _SCALED.search(text) and not _COUNTS_ELSE.search(text) else None
