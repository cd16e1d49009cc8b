"""What people say beside a decision: why, how bad it is, who agreed. Open words, under vetoes.

A command in so many words ("do it", "drain it, yes", "同意执行") may stand among such comments, in a clause of its own.
A comment decides nothing, and may hold nothing that changes, delays, doubts, asks or denies, no number or node that is
not the plan's, nothing that the speaker does himself, and nothing that belongs to the command (where, when, how):
whatever does makes the whole message no yes.
"""

from __future__ import annotations

import re
from typing import Final

from chatops_bot.adapters.rules.numbers import NUM, is_number, number

_HEALED: Final = (
    r"\b(?:already (?:back|fixed|recovered|re?started|scaled|done|gone|up|healthy|resolved|rolled|running|"
    r"working|fine|ok)|"
    r"recovered|resolved|(?:is|are|it's|looks?|all|seems|been|got) (?:healthy|normal|fixed|fine|"
    r"ok|good)(?: again|"
    r" now)|(?:node|box|host|machine|it|that) (?:is|was|got) fixed|back up|came back|"
    r"self.?healed|never ?mind|fine now|good now|ok now|works? (?:now|again)|working (?:now|again))\b|"
    r"(?:服务|它|现在|已经|自己|又|都)(?:恢复|好|正常)了|^(?:恢复|好|正常)了|误报|虚惊|"
    r"\bfalse (?:alarm|positive)s?\b|自愈|没事了|已经(?:恢复|好|"
    r"正常|解决|重启|扩|缩|处理|搞定|"
    r"回滚|排空|删)|不报了"
)
"""It is over: that speaks against a cure."""

_VETOES: Final = (
    # of the speaker, and to somebody
    r"\b(?:you|your|i'?m|im|i am)\b|我(?:的|家|快|妈|爸|要|想|还|正)|你|家里|回家",
    # asked
    (
        r"\?|\b(?:what(?! (?:we|i|you) (?:want|need|agreed|asked|said))|why(?! not)|how|where|when|which|"
        r"who(?! cares)|whose|whether|did|does|do (?:we|you|i|they)|is (?:it|this|that|there|"
        r"he|she|anyone)|are (?:we|you|they|there)|can (?:we|you|i)|could|would|should|shall|may|might)\b|"
        r"[吗嘛]|(?<![着在了\d])呢(?=\W*$)|(?<![这那什])么(?!么)|[谁哪啥]|什么|怎么|咋|为何|几(?!乎|十|百|千|"
        r"万)|多少|多久|是否|会不会|要不要|是不是|能不能|"
        r"(?<!都)(?:没有?|不|否|未)\W*$"
    ),
    # put off, made to depend
    (
        r"\b(?:if|unless|until|till|when|once|after|before|while|then|(?<!any )later|soon|tomorrow|"
        r"next (?:time|week|window)|first|wait|waiting(?! (?:on|for) (?:us|this|it|a|the))|hold|"
        r"hang on|(?:one|a|1|another|\d+ more) (?:moment|minute|min|sec|second)s?|not yet|"
        r"as soon as|depends?|"
        r"provided|assuming|as long as|let me|let's (?:see|"
        r"check|look|wait)|lemme|gotta|need to|have to|i'll|i will|we'll|we will|gonna|going to|"
        r"want to|about to)\b|"
        r"如果|要是|万一|假如|只要|除非|等(?!级|着|不及|着了)|稍|待会|一会|晚点|晚些|回头|之后|以后|然后|"
        r"再(?!拖|晚|不)|先(?!生)|"
        r"明天|下周|凌晨再|直到|前提|看看|看下|看一|看情况|我去(?!解释|说|扛|背)|我先|我来(?!写|背|扛|担|"
        r"负责)|我看(?!过|着|了|就)|我问(?!过|了)|我查(?!过|了)|我想(?!睡)|让我|想想|考虑"
    ),
    # doubted
    (
        r"\b(?:maybe|perhaps|probably|possibly|guess|suppose|think|thought|hope|hopefully|not sure|"
        r"unsure|doubt|risky|"
        r"worried|afraid|seems?|likely|sort of|kinda|hmm+|hm+|uh+|um+|er+m?|idk|dunno)\b|"
        r"可能|也许|大概|应该|好像|似乎|或许|估计|差不多|感觉|觉得|怕|担心|不确定|犹豫|恐怕|吧(?=\W*$)"
    ),
    # changed, turned
    (
        r"\b(?:but|instead|rather|except|only (?:if|when|after|the|one)|other one|another|different|change|"
        r"changed|wrong|more|less|fewer|"
        r"however|although|though|either|or|alternatively|leave|keep|stay|skip|ignore|forget|cancel|abort|"
        r"stop|undo|never|"
        r"don'?t|dont|do not|no need|no longer|without|nah|nope|no|not)\b|n't\b|"
        r"忽略|无视|指令|但|不过|可是|只是|改|换|别|甭|勿|莫|不要|不用|不必|不需|取消|算了|撤|停(?!了|摆)|"
        r"(?<!没)(?<!冇)(?<!报)(?<!删)错(?!误)|其他的|其他服务|另|还是|或者|要么|少|多(?!次|半|久)|"
        r"反过来|而不是|而是|不是|不行|不对|不能|不可|不许|不同意|没必要|没批|没同意|未批|没到|没好|没准备"
    ),
    # looked at, asked of others
    (
        r"\b(?:check|checking|look|looking|see|show|tell|find|investigat\w+|ask|asking|"
        r"confirm(?:ing)?|review(?:ing)?|"
        r"verify(?:ing)?|(?<!load )(?<!stress )(?<!smoke )test(?:ing)?(?! env| team| passed)|"
        r"watch(?:ing)?)\b|"
        r"(?<!检)查|看(?!着|门|不)|问(?!题)|(?<![测压])试(?!了|过)|确认(?!过|了|完|无误)|核对(?!过|了|完)|"
        r"检查(?!过|了|完)"
    ),
)
_PLACES: Final = re.compile(
    r"\b(?:prod(?:uction)?|staging|stage|stg|dev|test|uat|pre-?prod|canary|the other|"
    r"others?(?! two| three| replicas| pods)|both|each|all|half|part|image|tag|version|revision|"
    r"said|says|told|tell)\b|生产|线上|预发|测试|灰度|开发|两个都|"
    r"都(?=\W*$)|各|一半|"
    r"部分|镜像|版本|的话|告诉|通知|说(?!了)|慢|过了|之后|高峰"
)
"""Where, how much, which, and who says so: what a plan can be mistaken in."""

_ILL: Final = re.compile(
    r"\b(?:broken|bad|failing|fails?|failed|down|dead|errors?|crash\w*|unhealthy|sick|slow|full|"
    r"worse|leak\w*|bug|bugs)\b|"
    r"坏|挂|报错|异常|故障|宕|崩|慢|满|不行|有问题|没修"
)
"""It is not in order: that speaks against letting it go on."""

_ORDERS: Final = re.compile(
    r"^\W*(?:please |pls |then |just |now |also |and |to )*(?:add|apply|book|bring|buy|call|clean|clear|"
    r"close|connect|copy|"
    r"create|cut|delete|deploy|disable|do|drop|edit|enable|export|fetch|fix|flip|get|give|go|grab|import|"
    r"kick|kill|list|"
    r"load|make|mark|move|notify|open|page|pause|ping|play|post|pull|push|put|read|rebuild|remove|rename|"
    r"repeat|reset|"
    r"resize|restart|restore|retry|return|revert|roll|run|save|scale|send|set|ship|show|shut|start|switch|"
    r"take|turn|try|"
    r"uninstall|update|upgrade|use|wipe|write)\b|"
    r"^\W*(?:那|就|也|都|快|先|请|麻烦)*(?:把|给(?!力)|帮|去|让|叫|请|麻烦|换(?!好|完|过|了)|加|减|调|设|"
    r"用|发|用|发(?!版|布|生|现)|开(?!发|始|了)|关|切|迁|导|弄|搞|上(?!面|头|线|次|周|个|新)|下(?!单|一|"
    r"面|次|周|午)|拉|推|回(?!去)|"
    r"删|杀|清|封|排|扩|缩|升|降|停)"
)
"""What begins so orders something."""

_ATTACHED: Final = re.compile(
    r"^\W*(?:hey|hi|yo|dear)\b|\bi mean\b|"
    r"^\W*(?:in|on|at|during|by|with|for(?! (?:the love|god|heaven))|as|to|from|of|via|per|through|using|plus|and|"
    r"this|that|every|within|over|across)\b(?! (?:is|was|has|one|thing)\b)|"
    r"\b(?:too|also|as well|drill|dry.?run|simulation|joke|against|objects?|opposes?|except\w*|asked|everything)\b|"
    r"反对|所有|备库|主库|演练|没人同意|窗口期?内?$|那[台个只]$"
)
"""What belongs to the command itself: where, when, how, of what; or speaks against it."""

_NOUNS: Final = re.compile(
    r"^\W*(?:is|are|was|were|has|have|had|does|do|did|can|could|will|would|should)\b|"
    r"^\W*(?:the |its |latest |recent |more )*(?:logs?|events?|status|history|metrics|resources?|usage|"
    r"changes|pods?)\b"
    r"(?! (?:are|is|were|was|look|looks|say|says|have|has|keep|keeps|show|shows))|^\W*(?:日志|事件|状态|"
    r"历史|资源|指标|监控|变更)\W*$"
)
"""What asks, or asks for something by naming it."""

_ALLOWED: Final = re.compile(
    r"\b(?:no ?(?:one|body)|nobody|no (?:objections?|issues?|traffic|users?|load|impact|concerns?|"
    r"blockers?|questions?|"
    r"worries|problem|brainer|time to (?:lose|waste)|requests|customers|writes|reads|orders))\b|"
    r"\b(?:can'?t|cannot|can not|cant|couldn'?t) (?:wait|log ?in|login|pay|check ?out|order|"
    r"connect|reach|load|open|"
    r"take|keep|serve|get|handle|cope|hold (?:on|out)?|stand|afford)\b(?: any ?(?:more|longer))?|"
    r"\b(?:not|isn'?t|aren'?t|won'?t|doesn'?t|don'?t) (?:responding|respond|working|work|"
    r"healthy|recovering|recover|"
    r"coming|serving|answering|keeping|moving|draining|starting|start|waste|hesitate|wait|delay|"
    r"overthink|ask)\b|"
    r"\b(?:checked|looked at|reviewed|confirmed|verified|tested|approved|cleared|signed off|"
    r"agreed|discussed) \w+|"
    r"\bwaiting (?:on|for) (?:us|this|it)\b|\b(?:customers?|users?|people|everyone|"
    r"everybody) (?:are |is )?waiting\b|"
    r"\bmore than enough\b|\bi'll (?:own|take|answer|square|explain|vouch)\b|\bcan't get (?:any )?worse\b|"
    r"\bhalf (?:the \w+ (?:is|are) (?:idle|empty)|an hour)\b|\bhow much worse can it (?:be|get)\b|\bzero errors\b|"
    r"\ball (?:green|clear|day)\b|\bneeds? a restart to (?:load|apply|take effect)\b|\bload test\b|"
    r"\bno (?:debate|schema change|"
    r"errors?|doubt|risk)\b|\bchange (?:window|request|ticket|is approved|approved)\b|"
    r"没(?:啥|什么)(?:风险|影响|问题)|啥都(?:看不见|没有?|干不了)|有重试|配置改好了|不会(?:丢|坏|有坑|有事)|"
    r"还有一半空闲|加得起|没几个骂|"
    r"没(?:有)?(?:人|流量|请求|用户|异议|意见|问题|影响|风险|单子|业务|报错|反应|响应|毛病)|"
    r"(?:扛|顶|撑|挺|熬|挡|跑|稳|忍|等|受|处理|消费)不(?:住|动|下|了|过来|及)|(?:登|连|上|刷|打|付|下|"
    r"加载|拉|起|调)不"
    r"(?:上|了|开|动|通|进|出|起)(?:来|去|单|款)?|不(?:响应|可用|健康|通|工作|动了)|别(?:磨|墨|拖|等|啰|"
    r"罗|犹|废|问|耽|愣|浪)"
    r"\w{0,2}(?:了|着)?|不用(?:再)?(?:问|等|确认)(?:我)?了?|多(?:年|亏)|看(?:过|了|着)(?:就|都|真)?\w?|"
    r"(?:检查|核对|确认|对|问|审批?|验证|测试?|看|商量|讨论|报备|通知)(?:过|完|好)了?|换(?:好|完|过)了?|"
    r"多(?:了去|得是)|"
    r"差不多了|不多说|少废话|早(?:该|就)|没救|要(?:爆|炸|崩|挂|死)|停(?:了|摆)|快(?:爆|炸|崩|挂|死|满|不行)",
)
"""What sounds like a veto and is none."""

_VETO: Final = re.compile("|".join(_VETOES))
_OVER: Final = re.compile(_HEALED)
_NUMBER: Final = re.compile(
    rf"\d+(?:\.\d+)*|(?<![那这哪每]){NUM}(?=\s*(?:个|台|副本|版|节点|实例|核|组|就|够|足|行|好|吧|more|replicas?|pods?|"
    rf"nodes?|instances?|(?:is|are) (?:enough|fine|plenty|ok)|will|would))|(?!one\b|a\b|"
    rf"none\b)(?<![a-z]){NUM}(?![a-z-])"
    r"(?<=[a-z])"
)
_LETTER: Final = re.compile(
    r"(?<![a-z0-9'’/.-])(?!(?:a|i)(?! (?:is|was|and|or|too|looks|has)\b| ?[\u4e00-\u9fff]))[a-z](?![a-z0-9'’/.-])|"
    r"(?<![a-z0-9])node-\w+"
)
"""A letter alone is the short name of a node."""
_TIMELIKE: Final = re.compile(
    rf"(?:\d+(?:\.\d+)?|{NUM})\s*(?:am|pm|%|k\b|ms\b|s\b|m\b|h\b|min(?:ute)?s?|hours?|days?|times|cores? (?:spare|"
    rf"free|idle|left)|"
    r"folks|people|users|x\b|percent|点|分|"
    r"小时|天|次|遍|条|"
    r"秒|万|千|百|倍|级|核(?=空|闲|富余)|个(?:小时|工单|报警|告警|用户|客户|人))|\b\d{1,2}:\d{2}\b|\b[a-z]{2,6}-\d{3,}\b|"
    r"5xx|50\d\b|4\d\d\b|\b(?:s3|p9\d|k8s|2fa)\b"
)


_SHORTEST: Final = 4
"""Characters: what is shorter may be anything, a name for instance."""


def harmless(clause: str, *, cure: bool, own: frozenset[str]) -> bool:
    """Whether a clause is a comment and no more. `cure`: of a plan that trouble speaks for; `own`: the plan's own
    numbers and texts, which it may repeat."""
    rest = _ALLOWED.sub(" ", clause)
    if len(clause) < _SHORTEST or (clause.isascii() and " " not in clause) or (not cure and _ILL.search(rest)):
        return False
    if (
        _PLACES.search(rest)
        or _ORDERS.search(clause)
        or _NOUNS.search(clause)
        or _ATTACHED.search(clause)
        or _VETO.search(rest)
        or (cure and _OVER.search(rest))
    ):
        return False
    rest = _TIMELIKE.sub(" ", rest)
    said = (found.group().strip() for pattern in (_NUMBER, _LETTER) for found in pattern.finditer(rest))
    return all(one in own or (is_number(one) and f"{number(one):g}" in own) for one in said)
