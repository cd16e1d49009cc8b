"""Orders that no table lists, where what they are about leaves no doubt: a service beside an image, a service and a
number of replicas, a node beside words of scheduling. Any verb will do, as long as nothing is asked, told or denied.

Looked at only where a clause holds no verb of the tables and no exact question.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.requests.clauses import Clause, Mark, Split
from chatops_bot.adapters.rules.requests.naming import best, is_pod
from chatops_bot.adapters.rules.tables import questions_en, questions_zh
from chatops_bot.adapters.rules.tables import triggers_en as en
from chatops_bot.adapters.rules.text.numbers import NUM
from chatops_bot.adapters.rules.text.patterns import compiled
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
_POLITE_WISH: Final = re.compile(
    r"\b(?:i|we)(?:'d| would)? (?:really |just )?(?:want|need|like|prefer|wish)\b|\b(?:can|could|would|will) (?:you|we|"
    r"u)\b|"
    r"\byou (?:can|may)\b|\blet (?:us|me|we)\b"
)
_WISHED: Final = re.compile(r"\b(?:i|we)(?:'d| would)? (?:really |just )?(?:want|need|like|prefer)\b|\byou can\b")
_LONG_SINCE: Final = re.compile(r"\b(?:yesterday|last week|an hour ago)\W*$")
"""By when it is wished: at once."""
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
_UNIT: Final = r"(?:个|台|份|只)?\s?(?:副本|实例|pods?|机器|replicas?)"
_SCALED_ZH: Final = compiled(
    rf"(?<![有是剩共在第只近前后每过挂死坏])(?<!还有)(?<!只有)(?<!起了)(?<!挂了)[加减撤添抽裁砍补开起上下拿去腾扩缩增删"
    rf"关塞拉提拔薅匀收退调来配堆叫要给到成为塌降升放砸怼铺摆跑整弄搞]"
    rf"(?:[掉上去少多到成为走出回个下来满个至]|容)*\s?{NUM}\s?{_UNIT}|"
    rf"(?:副本|实例|pods?)(?:数量?|个数)?\s?[\u4e00-\u9fff]{{0,3}}[砍加减翻缩扩升降撤去腾裁](?:掉|去|到|成|上|"
    rf"个)*\s?(?:一半|半|一倍|两倍|{NUM}\s?(?:个|台))"
)
"""A number of replicas behind a verb of moving, which may be any."""
_MOVED: Final = compiled(
    rf"(?:take|pull|drop|cut|add|put|throw|give|get|slap|stick|chuck|toss|peel|shave|spin|kill|lose|shed|knock|bring|"
    rf"remove|yank|trim|strip|lop|bolt|tack|lend|grant|allow|bless|hand|send|tear|wind|park|retire|free|open|fire)"
    rf"(?: (?:down|off|out|up|in|on|it|them|us|N|another|away|back|here))* {NUM} (?:more |extra |additional |fewer |of "
    rf"(?:its|the|those) )?"
    rf"(?:replicas?|pods?|instances?|copies|workers)(?![\w-])|"
    rf"(?:half|a third|a quarter|two thirds) (?:of )?(?:the |its |those |N(?:'s)? )*(?:replicas?|pods?|instances?|"
    rf"copies) "
    rf"(?:can|may|should|could) (?:go|leave|rest|sleep)|"
    rf"(?:cut|chop|slice|split|halve|trim|bring|drop|shrink|reduce|take) (?:the |our )?(?:N|it|this one|that "
    rf"one)(?:'s)?"
    rf"(?: \w+)?(?: down)?(?: in| by) half(?![a-z])"
)
"""Likewise in English, at the beginning of what is ordered."""
_STOPPED: Final = re.compile(
    r"\b(?:pause|hold(?: (?:off|up|it|back))?|halt|freeze|suspend|park|stop|ice|stall|brake|brakes on|wait|stay put|"
    r"no further|stays? where|cool it|shelve|put .{1,20}? on (?:hold|ice|pause))\b|暂停|停|按住|按下|摁住|卡住|卡一|冻|"
    r"挂起|叫停|刹|憋住|捂住|"
    r"截住|拦住|不要再?(?:往下|继续|推|发|滚|放量)|别再?(?:往下|继续|推|发|滚|放量|动)|缓(?:一缓|一下|缓)|压一?压|"
    r"放一放|hold"
)
_GOING: Final = re.compile(
    r"\b(?:resume|continue|carry on|go on|go ahead|proceed|unpause|un-?freeze|unblock|keep (?:going|rolling)|let "
    r".{1,24}? "
    r"(?:go|roll|run|flow|continue|proceed|finish)|move (?:on|along|again|forward)|roll on|pick .{1,20}? up again|"
    r"release the|"
    r"get .{1,24}? (?:going|moving|rolling) again|off hold|kick off again|finish|green light|may roll|can roll|start "
    r"rolling again|"
    r"back on track|take the brakes off)\b|"
    r"继续|恢复|接着|放行|放开|松开|解冻|解除|解开|走起|续上|往下(?:走|推|发|滚)|可以(?:发|滚|推|走|放)|通行"
)
_ROLLOUT: Final = re.compile(
    r"\b(?:roll-?outs?|releases?|deploy(?:ment)?s?|canary|the train|update|upgrade|version going out|shipping)\b|发布|"
    r"发版|上线|滚动|"
    r"灰度|金丝雀|放量|rollout|release|部署|(?<!的)更新|升级|canary"
)
_RELATIVE: Final = re.compile(
    r"(?:被)?(?:停|按|卡|冻|挂|拦|摁|暂停|hold)(?:住|掉|下|起来|着|了)*的|\b(?:paused|halted|stopped|frozen|held|"
    r"suspended|parked|"
    r"stuck|stalled)\b"
)
"""What is paused, and is to go on."""
_COUNTS_ELSE: Final = re.compile(
    r"[一1]\s?(?:份|下|次|遍|眼|把|脚|波|声|点|直|样)|行|条|秒|分|小时|天|版|号|revision|rev\b|version"
    r"|lines?|前|最近|近|tail|last|回\s?\d|one of th|(?:use|have|get) one\b"
)
_IMAGE: Final = re.compile(
    "(?!\\d{1,2}:\\d\\d(?![\\w.-]))(?:[\\w.\ue000-]+/)*[\\w.\ue000-]+:[\\w.-]*\\d[\\w.-]*|"
    "(?<![\\w.])v?\\d+\\.\\d+[\\w.-]*"
    "(?= (?:image|tag|build|release|version)|\\s?(?:这个|那个)?\\s?(?:镜像|版本|tag|包))|"
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
_BACK_ALONE: Final = compiled(
    r"\s*(?:给我|帮我?|那就|就|直接|先|麻烦|请|\s)*[回退]到?\s?\d+(?!\s?[个台份])[吧\s.!,]*|"
    r"\s*(?:please |just |then |ok |now )*(?:go |get |take it |put it )?back to \d+(?: please| pls)?[\s.!,]*"
)
_VERSIONS: Final = re.compile(r"版本|历史|\b(?:revisions?|versions?|history)\b")
"""Where these are spoken of, a number alone is that of a revision."""
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
    r"execute|blow away|chuck|yeet|purge|eject|boot|clobber|snipe|oust|off with|take out|get rid of|put .{0,12}out of "
    r"(?:its|his) misery|needs to (?:go"
    r"|die)|has to (?:go|die)|must (?:go|die)|bye)\b|"
    r"删|杀|砍|处理掉|收拾掉|解决掉|弄走|办了|清除|清退|除掉|抹掉|干掉|弄死|弄掉|踢|毙|清掉|清理|灭|做掉|扔掉|拿掉|"
    r"送走|重建|强杀"
)
_BY_SOMEBODY: Final = re.compile(
    r"(?:(?<![帮给让替])(?:我|他|她|谁|咱)|[小老]\w|已经|刚刚?|昨[天晚]|上次|之前|没有?|被)[^,;!?\ue000]{0,8}$|"
    r"\b(?:i|we|he|she|they|who|was|were|been|already|just|got|has|had|to|did|does|will)\b[^\ue000]{0,12}$"
)
"""Right before the verb: somebody did it, or will."""
_POD_LIKE: Final = re.compile(r"-[a-z0-9]{8,10}-[a-z0-9]{5}$")
_A_NODE: Final = re.compile(
    r"(?<![\w.-])(?:(?:node|worker|gpu|host|machine)[a-z0-9.]*(?:-[a-z0-9.]+)*-?\d+|ip(?:-\d+){2,})(?![\w-])"
)
"""A node that nothing else knows of."""


def inferred(said: Split, clause: Clause, antecedent: Name | None, end: int) -> Mark | None:
    """The order that a clause gives by what it is about, as a mark of no length at its last name. Its parameters reach
    to `end`."""
    text = _POLITE_QUESTION.sub(" ", said.masked[clause.start : clause.end + 1])
    text = _LONG_SINCE.sub(" ", text) if _WISHED.search(text) else text
    wide = said.masked[clause.start : max(clause.end, end)]
    intent = _intent(clause, best(clause.names) if clause.names else antecedent, text, wide, said.masked)
    spoken = {mark.intent for mark in clause.marks if mark.dangerous}
    if spoken and (intent not in spoken or _denied(text) or _PAST.search(text)):
        return None
    if intent is None:
        return None
    at = clause.names[-1].start if clause.names else clause.start
    return Mark(intent, at, at)


def _intent(clause: Clause, name: Name | None, text: str, wide: str, everything: str) -> str | None:
    if _ASKED.search(text):
        return None
    if not clause.names and _A_NODE.search(text):
        return _of_a_node(_A_NODE.sub(" ", text))
    if (intent := _of_a_rollout(text)) is not None:
        return intent
    if name is None:
        return _of_what_is_talked_of(text, everything)
    if is_pod(name) or _POD_LIKE.search(name.text.lower()):
        return _of_a_pod(text)
    if all(service.entity.kind == "Node" for service in name.matches):
        return _of_a_node(text) if name.matches or _like_a_node(name) else None
    if clause.names or has_it(text):
        if _moves(text):
            return "scale"
        bounds = clause.names and _AUTO.search(text) and _RANGE.search(wide) and " from " not in wide
        return _of_a_service(text, bounds=bool(bounds))
    return _of_what_is_talked_of(text, everything)


def _of_a_pod(text: str) -> str | None:
    killed = _KILLED.search(text)
    if killed is None or _denied(text):
        return None
    before, behind = text[: killed.start()], text[killed.end() :]
    if "\ue000" in behind:
        return None if _told(before) else "delete_pod"
    told = _BY_SOMEBODY.search(before) or _told(behind.removeprefix("了").removeprefix("掉"))
    return None if told else "delete_pod"


def has_it(text: str) -> bool:
    """Whether a clause speaks of what was named before it."""
    return re.search(r"\b(?:it|them|its|this one|that one|here)\b|它|[这那]个服务|这货|这家伙", text) is not None


def _told(text: str) -> bool:
    return _TOLD.search(_WISHED.sub(" ", text)) is not None or _TOLD_ZH.search(text) is not None


_EN_PREFIX: Final = compiled(en.ORDER_PREFIX)
_TROUBLED: Final = re.compile(rf"{questions_zh.REPORTS}|{questions_en.REPORTS}")
_LATER: Final = re.compile(r"周[一二三四五六日末]|明[天早]|下周|开始|窗口|期间?|通知|公告|计划|流程|规定")
_SHOULD: Final = re.compile(
    r"\W*(?:(?:the|this|that|its|our|my|of|for|on|in|'s|prod|production|staging|current|running) ?)*(?:roll-?out|"
    r"release|deploy(?:ment)?"
    r"|canary|update|upgrade|train)(?: (?:of|for|on) (?:the )?)?\s*(?:should|must|needs? to|has to|can|may|ought to|"
    r"stays?|to|is to|shall)\b"
)
_HAPPENED: Final = re.compile(
    r"(?<![可以能行])了(?!吧|呗|哈|啊|得了)|已经|正在|在(?:停|继续|恢复)|刚才|刚刚|昨|过[的了]?\s*$|还是?没|后\W*$|"
    r"没(?!问题|毛病|事)|"
    r"\b(?:is|are|was|were|has|had|did|been|already|yesterday|seems?|looks?|i|we|he|she|they)\b"
)


def _of_a_rollout(text: str) -> str | None:
    """Whether the rollout that is spoken of is to stop, or to go on."""
    low = _RELATIVE.sub(" ", _POLITE_WISH.sub(" ", text.replace("\ue000", "")))
    held = _RELATIVE.search(text) is not None
    if _ROLLOUT.search(low) is None or _HAPPENED.search(low) or _TROUBLED.search(low):
        return None
    stop, go = _STOPPED.search(low), _GOING.search(low)
    if stop is not None and not held and (go is None or _denied(low)):
        return "pause" if _ordered(low, stop) else None
    return "resume" if go is not None and stop is None and not _denied(low) and _ordered(low, go) else None


def _ordered(text: str, verb: re.Match[str]) -> bool:
    """Whether a verb of a rollout is an order: nothing but politeness before it, or what should become of it."""
    if not text.isascii():
        return _LATER.search(text) is None
    return _EN_PREFIX.fullmatch(text[: verb.start()].lstrip(" \"'(")) is not None or _SHOULD.match(text) is not None


def _of_what_is_talked_of(text: str, everything: str) -> str | None:
    """What is ordered of the one thing that a conversation is about, without naming it."""
    if _BACK_ALONE.fullmatch(text) and _VERSIONS.search(everything):
        return "rollback"
    return "scale" if _moves(text) else None


def _moves(text: str) -> bool:
    """Whether a number of replicas is to be taken or given."""
    if _denied(text) or _TROUBLED.search(text):
        return False
    moved = _MOVED.search(text)
    if moved is not None:
        prefix = text[: moved.start()].lstrip(" \"'(")
        subject = moved.group().startswith(("half of", "half its", "half the", "a third", "a quarter", "two thirds"))
        return subject or _EN_PREFIX.fullmatch(prefix) is not None
    return _SCALED_ZH.search(text) is not None and _TOLD_ZH.search(text) is None and not _COUNTS_ELSE.search(text)


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
