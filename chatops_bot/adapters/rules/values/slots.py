"""Parameters said in an utterance, both languages: since, tail, previous, grep, container, pod, revision, image …

Each extractor takes the masked text of one request and the same part of the text as written, and gives its
value or None. Values are as said; code validates them later.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from chatops_bot.adapters.rules.tables import looking
from chatops_bot.adapters.rules.text.numbers import NUM, is_number, number, whole
from chatops_bot.adapters.rules.text.patterns import compiled
from chatops_bot.adapters.rules.text.reading import NAME
from chatops_bot.adapters.rules.values.origins import without_old_bounds
from chatops_bot.adapters.rules.values.pairs import paired
from chatops_bot.adapters.rules.values.quantities import measured, quantity
from chatops_bot.domain.intents import Quantity, SlotValue
from chatops_bot.domain.name_words import of_words
from chatops_bot.domain.places import HERE_TOLD, OF_A_RELEASE, environment_of, is_left_out, left_out

Extractor = Callable[[str, str], SlotValue | None]

_TAIL = compiled(
    rf"(?:tail|last|latest|final|bottom|--tail=|-n)\s*({NUM})\s*(?:(?:log|error|latest|recent) )*(?:lines?|rows?|"
    rf"entries)|(?:\btail|"
    rf"(?<!\w)--tail[= ]|(?<!\w)-n)\s*({NUM})(?!\s*(?:min|hour|sec|day))"
    rf"|({NUM})\s*(?:log )?(?:lines?|rows?)\b|({NUM})\s*[行条]"
)
_PREVIOUS = compiled(
    r"--previous|(?<!\w)-p\b|\bprev(?=\W*$| (?:container|pod|instance|logs?|run)\b)|\bprevious(?! (?:\d|version|"
    r"revision|release|hour|minute|\w+ (?:hour|minute)))|"
    r"\bbefore (?:the |it |its |last |this |that )*(?:crash|restart|died|oom|went down|got killed|one\b)"
    r"|\b(?:container|pod|instance) (?:that|which) (?:died|crashed|was killed)|\blast (?:crash|run|instance|"
    r"container)|crashed (?:container|pod|instance)"
    r"|(?:上一个|上个|前一个|之前的?|上次的?|旧的?)(?:的)?(?:容器|实例|pod)|(?:崩溃|重启|挂掉?|挂了|oom|死掉?|"
    r"临死)(?:之|"
    r"以)?前|上一?次(?:的)?(?:崩溃|日志|运行|重启)|之前的日志|(?:上一个|上个|前一个)(?:的)?日志|"
    r"^(?:那|看)?上一?次的?呢?\W*$"
)
_GREP = re.compile(
    r"(?:\bgrep(?:ping)?(?: (?:through|in|the|its|all|\ue000+(?:'s)?|logs?))* for|\bgrep(?:ping)?(?:\s?一?下)?|\b"
    r"(?:matching|containing|contain(?!\w)|that contain(?!\w)|mentioning|mention|"
    r"that say|that mention|with the (?:word|text|string)|including|"
    r"(?:filter(?:ed)?|search(?:ing)?)(?: (?:it|them|logs?)| [\w\ue000-]+(?: [\w\ue000-]+){0,3}(?= (?:for|by)\b))?"
    r"(?: by| for| on)?|look(?:ing)? for|"
    r"find(?= [\"'`]?[\w.:/-]+[\"'`]? in\b))"
    r"|\bany(?= [\"'`])|\b(?:everything|anything|all|stuff) with(?=\s+[\w.:/-]+ in\b)|\b(?:lines?|logs?|entries|"
    r"messages?)(?: \w+){0,6}? with(?: an?| the)?|\bwith(?= [45]\d\d\b)"
    r"|(?:包含|含有|含|带有?|有没有|搜索?一?下?|查?找(?:一?下)?|过滤(?:出|一下|下)?|关键[字词]是?|匹配|"
    r"(?<![所没只])有|里有|"
    r"出现)(?=\s*[\"'`]|"
    r"\s*[\w]))"
    r"\s*(?:the word |the text |关键[字词]\s*)?[:]?\s*(?:[\"'`](?P<q>[^\"'`]+)[\"'`]|(?P<w>[\w.:/*-]+))|"
    r"(?<![\w.-])(?P<n>[45]\d\d)(?=(?:s| errors?)? in\b)",
    re.ASCII,
)
_CONTAINER = re.compile(
    r"\b(?:container|sidecar)\s+(?:named\s+|called\s+)?[\"'`]?(?P<a>(?!that\b|which\b|who\b|print\b|say\b|crash\w*|"
    r"die\b|died\b|do\b|"
    r"output\b|restart\w*|exit\w*|logs?\b|of\b|for\b|in\b|from\b|is\b|and\b|"
    r"the\b|please\b)[a-z0-9][\w.-]*)"
    r"|(?<![\w.-])(?P<b>(?!the\b|this\b|that\b|a\b|which\b|previous\b|last\b|its\b|crashed\b|of\b|each\b|"
    r"every\b|from\b|for\b|in\b)[a-z0-9][\w.-]*)\s+(?:container|sidecar)\b|容器\s*[:]?\s*(?P<c>[a-z0-9][\w.-]*)|"
    r"(?P<d>[a-z0-9][\w.-]*)\s*(?:这个|那个)?容器|(?:^|\s)-c\s+(?P<e>[\w.-]+)|"
    r"(?<![\w.-])(?P<f>[a-z0-9][\w.-]*)=(?=[\w.-]+[/:])",
    re.ASCII,
)
_CALLED = re.compile(
    r"(?:容器|container|sidecar)\s*(?:的?名字?|name)?\s*(?:叫做?|是|(?:named|called|"
    r"is)\b)\s*[\"'`]?(?P<a>[a-z][\w.-]*)",
    re.ASCII,
)
_NO_CONTAINERS: Final = of_words(
    "prev previous before after container the this that these those a an one which what it its of and or in on from "
    "for with "
    "i you we he she they last first next other old dying dead crashed same whole please me my our is was are were did "
    "does per each every "
    "any"
)
_POD = re.compile(
    r"\bpods?[ /:]+(?:named |called )?[\"'`]?(?P<a>[a-z][a-z0-9.]*(?:-[a-z0-9.]+)+)|"
    r"(?<![\w.-])(?P<b>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)\s*(?:这个|那个)?\s*pod\b",
    re.ASCII,
)
_NODE = re.compile(
    r"\bnodes?[ /:]+(?:named |called )?[\"'`]?(?P<a>(?!is\b|are\b|and\b|please\b|now\b|the\b|of\b|to\b|again\b|"
    r"from\b)[a-z0-9][\w.-]*)|节点\s*[:]?\s*(?P<b>[a-z0-9][\w.-]*)|"
    r"(?<![\w.-])(?P<c>[a-z][\w.-]{0,100}?\d[\w.-]{0,100})\s*(?:这个|那个|"
    r"这台|那台)?(?:节点|机器|node)",
    re.ASCII,
)
_LIKE_A_NODE = re.compile(r"(?<![\w.-])(?P<a>(?=[a-z][a-z0-9.]*-[a-z0-9.-]*\d)[a-z][a-z0-9.-]*[a-z0-9])", re.ASCII)
_ANY_NODE = re.compile(
    r"(?:(?:(?<![a-z])(?:un)?cordon|\bdrain|\bevacuate|\bempty)(?![a-z])|排空|封锁|解封|隔离|腾空)\s*"
    r"(?:off |out |the |an? |any |some |节点|"
    r"node )*\s*"
    r"(?P<a>(?!(?:nodes?|from|of|with|to|lah|la|leh|lor|already|please|pls|plz|now|it|this|that|the|off|out|asap|"
    r"for|again|first|"
    r"and|then|one|on|an?|any|some|which|what|"
    r"in|except|but|only|all|every|everything|besides|other|no|not|nothing|yet|just)\b)[a-z0-9][\w.-]*)",
    re.ASCII,
)
_FORCE = re.compile(r"--force\b|\bforc(?:e|ed|efully|ibly)\b|强制|强行", re.ASCII)
_LOCAL_DATA = re.compile(
    r"--delete-(?:emptydir|local)-data\b|"
    r"\b(?:delete|discard|drop|wipe|lose)\s+(?:(?:the|its|their|all|any)\s+){0,2}(?:local|emptydir)\s+data\b|"
    r"(?:删除?掉?|丢弃?掉?|清除?掉?)(?:它|它们|所有|全部)?的?(?:本地|emptydir\s?)数据|本地数据(?:都|也|可以)?(?:删|"
    r"丢|清)掉?",
    re.ASCII,
)
_DENIED = re.compile(
    r"(?:\b(?:don't|dont|do not|not|no|never|without|avoid|instead of)\b(?:\s+\w+){0,2}|"
    r"不要?|不能|不可|不许|别|勿|无需)\s*$",
    re.ASCII,
)
_REVISION = re.compile(
    r"(?:revision|rev|--to-revision=|版本号?|修订版?)\s*(?:is |to |number |no\.? |#|"
    r"[=:])?\s*#?(?P<a>\d+)(?![\d.]*\.)|\bversion\s+#?(?P<b>\d+)(?![.\w])|#(?P<c>\d+)\b|"
    r"(?:revision|version|rev)\s+(?:number\s+|no\.?\s+)?(?P<g>"
    rf"(?=[a-z]){NUM})(?! (?:versions?|revisions?|releases?|steps?|times)\b)|"
    r"版本\s?(?P<h>[一二两三四五六七八九十]{1,3})(?!个|次)|"
    r"\br(?P<d>\d+)\b|第\s*(?P<e>\d+|[一二两三四五六七八九十]+)\s*(?:个)?(?:版本?|次发布|修订)|(?:到|"
    r"[回成为])\s*(?P<f>\d+|[一二两三四五六七八九十百]{1,4})\s*(?:号)?版(?!本的)|(?:[滚退倒]回|回[滚退]|跟着回|"
    r"也回)\s*(?P<i>\d+)(?=\s*(?:$|[,!吧了]|\.(?!\d)))|"
    r"\broll\s?back\s+#?(?P<j>\d+)(?=\W*$)|(?P<k>\d+|[一二两三四五六七八九十百]{1,4})\s?(?:那个|这个|号)\s?(?:revision|rev|版)|"
    r"(?<![\w.])(?P<l>\d+)\s?版(?=里|改|的?是|有)",
    re.ASCII,
)
_IMAGE = re.compile(
    r"(?P<a>(?:[a-z0-9][\w.-]*(?::\d+)?/)*[a-z0-9][\w.-]*(?::[a-z0-9][\w.-]*|@sha256:[0-9a-f]{6,}))|"
    r"(?P<b>[a-z0-9][\w-]*\.[a-z]{2,}[\w.-]*(?::\d+)?/[\w./-]+)",
    re.ASCII | re.IGNORECASE,
)
_TAG = re.compile(
    r"(?:\bis(?= v?\d+\.\d+\.\d)|\bto|\bwith|\bon|\bonto|\bput|\bpin|\bpush|\bmake it|\bversion|\btag|\brelease|"
    r"\bimage|\bdeploy|\broll out|"
    r"\bship|\buse|\bruns?|\bin|到|"
    r"成|为|换|改|用|版本|镜像|升级?|发布?|部署|上线?|推|跑)"
    r"\s*(?:\ue000+\s*)?(?:the )?(?:version |tag |image |版本 ?|镜像 ?|"
    r"is )?[:=]?\s*"
    r"[\"'`]?(?P<a>v?\d+\.\d[\w.-]*|v\d+[\w.-]*|\d{6,}[\w-]*|[0-9a-f]{7,40}(?![\w])|latest|stable)(?![\w/])|"
    r"(?P<b>v?\d+(?:\.\d+)+[\w.-]*)\s*(?:版本|镜像|tag\b|image\b|build\b|release\b|(?:这个|那个)?(?:tag|包|镜像))|"
    r"\btag(?:s? (?:is|to|called|named)| ?[:=])? ?(?P<c>[a-z]{1,12}-\d[\w.-]{0,60})(?![\w/])|"
    r"(?<![\w./:-])(?P<d>[a-z]{1,12}-\d[\w.-]{0,60})\s?(?:这个|那个)\s?(?:镜像|tag|包)",
    re.ASCII | re.IGNORECASE,
)
_CLOCK = re.compile(r"[0-2]?\d:[0-5]\d(?::[0-5]\d)?", re.ASCII)
_IMAGE_PART = re.compile(r"[\w./:@+-]", re.ASCII)
STAGE: Final = re.compile(r"\s{1,3}(?:rc|alpha|beta|preview)(?![a-z])", re.ASCII)
"""Behind a tag that is not all there ("2.9 rc1")."""
_ANNOUNCED = re.compile(r"^(?:image|tag)s?:(?=[^/])", re.IGNORECASE)
_BECOMES = re.compile(r"\b(?:to|onto|with)\b|[到成为换]")
_BETWEEN = compiled(
    rf"(?:(?:between|from|range|在|从|范围|:)\s*+)?({NUM})\s*(?:个|replicas|副本)*\s*(?:and|up to|to|-|~|到|至|"
    rf"和)\s*({NUM})(?!\s*(?:min|sec|hour|%|分|秒|小时))"
)
_BETWEEN_WORDS = (
    r"(?:\s*(?:prod(?:uction)?|staging|in|生产|预发|replicas|副本数?|值|of|number|for|on|the|(?:N)(?:'s)?|"
    r"hpa|autoscaler|autoscaling|的|给我|给它?|先|都|也|要|得|应该|必须|有|留|跑|保持|(?:set|make|put) (?:it|that)|"
    r"(?<![\w-])[a-z][a-z0-9-]{0,62} (?:namespace|ns)(?![\w-])|(?:namespace|ns) [a-z][a-z0-9-]{0,62}(?![\w-])|[:,]))*"
)
_SET_TO = (
    r"(?:(?:给|改|调|设|提|降|放|拉|抬|压|收|升|加|减|扩|缩)?[高低整置大小]?(?:到|成|为|至|是)"
    r"|[改调设提降放]|[是为到成])"
)
_NO_MEASURE: Final = (
    r"(?!\s?(?:ms|millis|sec|s\b|min(?!imum|\s*(?:to|of|is|=|:)?\s*\d)|hour|%|x\b|times\b|k?rps|qps|gb|mb|errors?|毫?秒|分钟|小时|条|次|错"
    r"|倍))"
)
"""Behind a number of replicas stands no other measure."""
_COUNTED: Final = (
    r"(?=\s*(?:$|[,.;!?)]|(?:more |of )?(?:replicas?|pods?|instances?|copies|workers|of (?:them|those|it))\b|(?:and|to|"
    r"max|"
    r"or|up|down|please|pls|for|when|if|but|so|as|at|then|with|it|always|ever|running|no|by|on|in|\ue000+)\b|个|台|"
    r"副本|实例|"
    r"(?![条次毫秒分小天错行倍成%])[\u4e00-\u9fff~、]))"
)
"""What may stand behind a number that a phrase of any use ("at least 2") makes a bound."""
_NEVER: Final = r"(?:should|must|can|do|does|wo|may)n'?t|never|not|n't"
_MIN = compiled(
    rf"(?:\bmin(?:imum|replicas)?|\bfloor|\blower (?:bound|limit)|最[小少低]|下限|地板|保底|"
    rf"兜底){_BETWEEN_WORDS}\s*(?:(?:up |down )?to|"
    rf"of|is|=|:|at|->|→|{_SET_TO})?\s*({NUM}){_NO_MEASURE}|"
    rf"(?:\bat least|\bno(?:t| less| fewer)+ than|\b(?:{_NEVER}) (?:go |drop |fall |be |sink |scale )*(?:under|"
    rf"below|"
    rf"less than)|至少|起码|不低于|不少于|不能?少于|别少于|别低于)\s*(?:要|得|有|留|跑|保持)*\s*({NUM}){_COUNTED}"
)
_MAX = compiled(
    rf"(?:\bmax(?:imum|replicas)?|\bceiling|\broof|\blid|\bcap|\bupper (?:bound|limit)|最[大高]|上限|天花板|"
    rf"封顶){_BETWEEN_WORDS}\s*(?:(?:up |down )?to|"
    rf"of|is|=|:|at|->|→|{_SET_TO})?\s*({NUM}){_NO_MEASURE}|"
    rf"(?:\bat most|(?<!min )(?<!minimum )(?<!floor )\bup to|\bno(?:t)? more than|"
    rf"\b(?:{_NEVER}) (?:go |climb |grow |be |rise |scale )*(?:over|"
    rf"above|past|"
    rf"beyond|more than)|最多|至多|顶多|不超过|不高于|不能?多于|别超过?|撑死)\s*(?:到|要|跑|给|"
    rf"开)?\s*({NUM}){_COUNTED}|"
    rf"({NUM})\s?(?:个|台)?\s?(?:封顶|为上限|tops\b|max\b(?!\s?(?:[=:]|{NUM})))"
)
_NAMESPACE = re.compile(
    r"\b(?:namespace|ns)\s*[:= ]\s*(?:is |to )?[\"'`]?(?P<a>(?!is\b|and\b|of\b|please\b|now\b|"
    r"status\b)[a-z0-9][a-z0-9-]*)|(?<![\w-])(?P<b>(?!in\b|on\b|of\b|from\b|for\b|to\b|the\b|this\b|that\b|which\b|"
    r"what\b|a\b|each\b|every\b|all\b|my\b|our\b|"
    r"same\b|another\b|whole\b|its\b|their\b|your\b|his\b|it\b|and\b|by\b)[a-z0-9][a-z0-9-]*)\s+(?:namespace|ns)\b|"
    r"(?:^|\s)-n\s+(?P<c>(?!\d+\b)[a-z0-9-]+)|(?:命名空间|名字空间)\s*[:是为]?\s*(?P<d>[a-z0-9][a-z0-9-]*)|"
    r"(?P<e>[a-z0-9][a-z0-9-]*)\s*(?:这个|那个)?\s*(?:命名空间|名字空间|空间(?!不|满|还)|"
    r"(?<=[这那]个)\s?(?:namespace|ns)|(?<=[这那]个 )(?:namespace|ns)(?![a-z]))",
    re.ASCII,
)
_NAMESPACE_WORD = re.compile(r"namespace|ns|-n|空间")
_CLUSTER = re.compile(
    r"\bcluster\s*[:= ]\s*[\"'`]?(?P<a>(?!events?\b|logs?\b|on\b|are\b|for\b|at\b|this\b|that\b|or\b|right\b|was\b|"
    r"has\b|"
    r"down\b|up\b|broken\b|wide\b|resources?\b|usage\b|from\b|with\b|look\w*\b|is\b|and\b|of\b|please\b|now\b|"
    r"status\b|health\b|overview\b|state\b|in\b|"
    r"doing\b|ok\b)[a-z0-9][\w-]*)|(?<![\w-])(?P<b>(?!in\b|on\b|of\b|from\b|for\b|to\b|the\b|this\b|that\b|which\b|"
    r"what\b|a\b|each\b|every\b|all\b|my\b|our\b|"
    r"same\b|another\b|whole\b|is\b|of\b|in\b|pods?\b|services?\b|nodes?\b|"
    r"entire\b)[a-z0-9][\w-]*)\s+cluster\b(?![- ]?wide)|"
    r"集群\s*[:是为]?\s*(?P<c>[a-z0-9][\w-]*)|(?P<d>[a-z0-9][\w-]*)\s*(?:这个|那个)?集群",
    re.ASCII,
)
_PEOPLE: Final = (
    "同学|同事|们|那帮|的人|的同|大哥|小哥|老师|大姐|小姐姐|妹子|姐|哥|组(?!件)|团队|那边(?:的人|说|催)|说|讲|聊|催|问|"
    "喊|反馈|让|"
    "要求|还没(?:回|确认|上线)|点头|签字|过了|放话|拍板|盯|等着|在(?:等|催|问|骂|看)"
)
"""Behind "开发" and the like where those who do it are meant."""
_QA_SAYS: Final = (
    r"(?! ?(?:is|are|was|were|has|have|had|says?|said|wants?|needs?|gave|gives?|signed|approved?|asks?|asked|just|team|"
    r"folks|people|guys|lead|confirmed?|complains?|complained|waits?|waiting|told|tells|loves?|hates?|keeps?|found|can|"
    r"will|should|does|did|"
    rf"{_PEOPLE}))"
)
"""Likewise behind "qa"."""
_ENVIRONMENT = re.compile(
    r"(?<![\w-])(?P<a>production|prod|prd|staging|stage|stg|pre-?prod(?:uction)?|canary(?! (?:looks?|for|is"
    rf"|enough|was|seems|went|passed|fine|ok|good|failed))|uat|qa{_QA_SAYS})(?![\w-])|\b(?:in|on|"
    r"to|for|use|"
    r"the|only|at)\s+(?:the )?(?P<b>test|testing|dev|development|live|pre)\b(?!\s+(?:it|this|whether|if|that))|"
    r"\b(?P<d>test|testing|dev|development|live|pre|sandbox)\s+(?:env(?:ironment)?|cluster|one)\b|(?P<c>生产|线上|"
    rf"正式|现网|预发布?|预生产|仿真|(?:灰度|金丝雀)(?!{OF_A_RELEASE}|看|没|正常|过了|通过|验|跑|稳"
    rf"|ok)|联调|(?<![跟问找等被叫让])(?:测试(?!一下|下|过|用例)|开发|研发)(?!{_PEOPLE}))(?!者|力)",
    re.ASCII,
)
_ASIDE = re.compile(
    r"\b(?:before|otherwise|because|or else) (?:it|we|they|he|she|this|that|the|i|someone|somebody)\b[^\n]*"
)
"""Tells why, or what for; the places in it are nobody's."""
_BROKEN_IN = re.compile(
    r"\b(?:in|on|of|for)\s+(?:the )?(?P<a>(?!whole\b|system\b|platform\b|everything\b|anything\b|world\b|things\b|"
    r"trouble\b|the\b|this\b|that\b|"
    r"general\b|total\b|here\b|there\b|it\b|all\b|our\b|"
    r"my\b|last\b|past\b|what\b|now\b|cluster\b|namespace\b|fire\b)[a-z][a-z0-9-]+)|"
    r"(?<![\w.-])(?P<b>(?!pod|job|k8s|cluster|namespace)[a-z][a-z0-9-]+)\s*(?:里面?|中|这边|下面)",
    re.ASCII,
)


_A_NUMBER = re.compile(
    rf"(?<![\w.:/#-])(?<!\d,){NUM}(?![\w.:/%-]|\s?(?:thirds?|quarters?|fifths?|min|sec|hour|day|分|秒|小时|天|行|条|版|号|次|下|眼|点|份))"
)
_FURTHER = re.compile(r"再|多|又|more|extra|additional|another")


def group(found: re.Match[str] | None) -> str | None:
    """The one named group that took part in a match."""
    if found is None:
        return None
    return next((value for value in found.groupdict().values() if value is not None), None)


def tail(masked: str, _text: str) -> int | None:
    """Number of lines from the end."""
    found = _TAIL.search(masked)
    return whole(next(value for value in found.groups() if value)) if found else None


def previous(masked: str, _text: str) -> bool | None:
    """Whether the instance before the last crash is meant."""
    return True if _PREVIOUS.search(masked) else None


def grep(masked: str, text: str) -> str | None:
    """What lines should contain, in the case as written. Names are no words of the question ("search logs …")."""
    unnamed = "".join(NAME if mark == NAME else letter for mark, letter in zip(masked, text, strict=False))
    found = _GREP.search(unnamed)
    if found is None:  # what is looked for may look like a name
        found = next((one for one in _GREP.finditer(text) if masked[one.start() : one.start() + 1] != NAME), None)
    said = group(found) or looking.only(text)
    return said.strip() if said else None


def container(masked: str, _text: str) -> str | None:
    """Name of a container; plain words beside that one are none ("the previous container")."""
    found = (group(one) for pattern in (_CALLED, _CONTAINER) for one in pattern.finditer(masked))
    return next((name for name in found if name and name not in _NO_CONTAINERS), None)


def pod(masked: str, _text: str) -> str | None:
    """Name of a pod that is not masked as a name."""
    return group(_POD.search(masked))


def node(masked: str, _text: str) -> str | None:
    """Name of a node, behind the word or a verb that only nodes are the object of."""
    found = _NODE.search(masked) or _LIKE_A_NODE.search(masked) or _ANY_NODE.search(masked)
    return group(found)


def force(masked: str, _text: str) -> bool | None:
    """Whether force is asked for outright; words that deny it ask for nothing."""
    return _outright(_FORCE, masked)


def local_data(masked: str, _text: str) -> bool | None:
    """Whether local data is to be deleted, likewise."""
    return _outright(_LOCAL_DATA, masked)


def _outright(words: re.Pattern[str], masked: str) -> bool | None:
    found = words.search(masked)
    return True if found is not None and not _DENIED.search(masked, 0, found.start()) else None


def revision(masked: str, _text: str) -> int | None:
    """Number of a revision."""
    said = group(_REVISION.search(masked))
    return whole(said) if said else None


def image(masked: str, text: str) -> str | None:
    """An image reference, or a bare tag (`v1.5.2`), in the case as written. What only begins like a reference is given
    whole, to be refused; of several different ones none is."""
    references, upto = set(), 0
    for found in _IMAGE.finditer(text):
        if found.start() >= upto and _stands(masked, found):
            said_so, upto = _whole_image(text, found)
            references.add(said_so)
    if references:
        return references.pop() if len(references) == 1 else None
    tags = [(group(found) or "", found) for found in _TAG.finditer(masked) if not STAGE.match(masked, found.end())]
    if len({tag for tag, _ in tags}) > 1:  # "升级 1.4 到 1.5": what stands behind "to" is what it becomes
        tags = [(tag, found) for tag, found in tags if _BECOMES.match(found.group())]
    said = {tag.rstrip(".,-") for tag, _ in tags}
    return said.pop() if len(said) == 1 else None


def _stands(masked: str, found: re.Match[str]) -> bool:
    """Whether a match lies in what was not blanked out, and is no time of the day ("18:04")."""
    return bool(masked[found.start() : found.end()].strip()) and _CLOCK.fullmatch(found.group()) is None


def _whole_image(text: str, found: re.Match[str]) -> tuple[str, int]:
    """The word that a reference stands in, without what announces it ("image:"), and where it ends."""
    start, end = found.span()
    while start and _IMAGE_PART.match(text[start - 1]):
        start -= 1
    while end < len(text) and _IMAGE_PART.match(text[end]):
        end += 1
    return _ANNOUNCED.sub("", text[start:end]).strip(".,:-"), end


def minimum(masked: str, _text: str) -> int | str | None:
    """Lower bound of an autoscaler; what is no whole number as it was said."""
    return _bound(masked, _MIN, _MAX, 1)


def maximum(masked: str, _text: str) -> int | str | None:
    """Upper bound of an autoscaler, likewise."""
    return _bound(masked, _MAX, _MIN, 2)


def bounds(masked: str) -> bool:
    """Whether a text says a lower or an upper bound in so many words."""
    return _MIN.search(masked) is not None or _MAX.search(masked) is not None


def _bound(masked: str, own: re.Pattern[str], other: re.Pattern[str], place: int) -> int | str | None:
    masked = without_old_bounds(masked)
    found = own.search(masked)
    if (pair := paired(masked)) is not None:
        said = pair[place - 1]
    elif found is not None:
        said = next(value for value in found.groups() if value is not None)
    elif (found := _BETWEEN.search(masked)) is not None and _is_apart(other.search(masked), found):
        said = found.group(place)
    else:
        return None
    return whole(said) if number(said) % 1 == 0 and said[0] != "+" else said


def _is_apart(bound: re.Match[str] | None, both: re.Match[str]) -> bool:
    """Whether no bound is said on its own: "up to" is part of a range too ("from 5 up to 15")."""
    return bound is None or (both.start() < bound.start() and bound.end() <= both.end())


def namespace(masked: str, _text: str) -> str | None:
    """Name of a namespace beside that word."""
    if not _NAMESPACE_WORD.search(masked):
        return None
    return group(_NAMESPACE.search(masked))


def cluster(masked: str, _text: str) -> str | None:
    """Name of a cluster beside that word."""
    if "cluster" not in masked and "集群" not in masked:
        return None
    said = group(_CLUSTER.search(masked))
    return None if said is None or environment_of(said) else said


def environment(masked: str, _text: str) -> str | None:
    """The one word of an environment; the last that is said and not denied."""
    last = None
    masked = _ASIDE.sub("", masked)
    for found in _ENVIRONMENT.finditer(masked):
        if not is_left_out(masked, *found.span()) and HERE_TOLD.match(masked, found.end()) is None:
            last = environment_of(group(found) or "")
    return last


def places_left_out(masked: str) -> frozenset[str]:
    """The environments that are said not to be meant."""
    found = (group(one) or "" for one in _ENVIRONMENT.finditer(masked) if is_left_out(masked, *one.span()))
    return left_out(masked, found)


def without_environment(masked: str) -> str:
    """The text without the words of environments, as long as it was."""
    return _ENVIRONMENT.sub(lambda found: " " * len(found.group()), masked)


def scope(masked: str, _text: str) -> str | None:
    """For an overview: what stands behind "in", when it is no environment: a namespace or a cluster."""
    said = group(_BROKEN_IN.search(masked))
    return None if said is None or environment_of(said) else said


def replicas(masked: str, _text: str) -> SlotValue | None:
    """The number of replicas as said."""
    said = quantity(masked)
    if not isinstance(said, Quantity) or said.kind != "to" or _UPTO.search(masked):
        return said
    if _TAKEN.search(masked):
        return Quantity("by", -abs(said.value))
    return Quantity("by", said.value) if _GIVEN.search(masked) else said


_UPTO: Final = re.compile(r"\bto\b|\bat \d|[到成为至剩留]")
_TAKEN: Final = compiled(
    rf"[撤抽裁砍拔减缩收退匀关停](?:掉|走|回|下|出|去)?\s?{NUM}\s?(?:个|台|份|只)?\s?(?:副本|实例|pods?|机器)|"
    rf"\b(?:take|pull|drop|cut|remove|yank|lose|shed|knock|trim|strip|lop|shave|retire|park)(?: (?:off|away|out|it|"
    rf"N))* {NUM} "
    rf"(?:of (?:its|the|those) )?(?:replicas?|pods?|instances?|copies|workers)(?![\w-])"
)
"""So many are taken away."""
_GIVEN: Final = compiled(
    rf"{NUM}\s?(?:个|台|份|只)?\s?(?:副本|实例|pods?|机器)\s?(?:给|往)?(?:N|它)?\s?[添补加砸怼塞]上?|"
    rf"[添补增砸怼塞](?:上|进|加)?\s?{NUM}\s?(?:个|台|份|只)?\s?(?:副本|实例|pods?|机器)|"
    rf"\b(?:throw|stick|chuck|toss|slap|bolt|tack|lend)(?: (?:on|in|at it|it|N|them))* {NUM} (?:replicas?|pods?|"
    rf"instances?|copies"
    rf"|workers)(?![\w-])"
)
"""So many are put beside those that there are."""


def lone_count(masked: str) -> SlotValue | None:
    """The one number that an order to scale says, in whatever words ("order-api 拉满 12")."""
    found = list(_A_NUMBER.finditer(masked))
    numbers = [one.group() for one in found]
    if len(numbers) != 1 or not is_number(numbers[0]) or measured(masked, found[0].start()):
        return None
    return Quantity("by" if _FURTHER.search(masked) else "to", number(numbers[0]))
