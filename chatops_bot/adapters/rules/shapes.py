"""Orders told by what they are about: a wide class of verbs beside an object that leaves no doubt. Data only.

The tables of `triggers_en` and `triggers_zh` list verbs that mean one action whatever they stand beside. Here the
object decides: a node beside "back in rotation", a number beside "replicas", an image beside a service. Whether the
words are an order at all is decided in `orders`, as for all others.
"""

from __future__ import annotations

from typing import Final

ENV: Final = r"(?:prod(?:uction)?|staging|stage|stg|dev|test|uat|canary|pre-?prod)"
_KIND = r"(?:services?|deployments?|deploy|apps?|statefulset|daemonset|sts|ds|svc|workload|database|db|fleet)"
_REPLICAS = r"(?:replicas?|pods?|instances?|copies)"
_ONE = (
    rf"(?:it|this(?: one)?|that(?: one)?|them|its {_REPLICAS}|"
    rf"(?:(?:the|our|my|that|this) )?(?:{ENV} )?N(?:'s)?(?: (?:(?:in|on) )?{ENV})?(?: {_KIND})?(?: {_REPLICAS})?|"
    rf"(?:the|this|that|our) (?:{_KIND}|{_REPLICAS})(?: of N)?|(?:the )?(?:number|count) of {_REPLICAS}"
    rf"(?: (?:of|for) N)?)"
)
_NUM = (
    r"(?:\d+|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|sixteen|twenty|thirty|"
    r"a couple(?: of)?|another|a dozen)"
)
_MORE = r"(?:more|extra|additional|further|fewer|less|new)"
_POLITE_END = r"(?=\W*$|,? (?:please|pls|plz|now|asap|thx|thanks|ty|for now|right)\b)"
_THING = (
    r"(?:(?:the )?(?:node|host|box|machine|worker|server) )?(?:N|"
    r"(?=[a-z][a-z0-9.]*-[a-z0-9.-]*\d)[a-z][a-z0-9.-]*[a-z0-9])"
)
_NODE = rf"(?:{_THING}|it|this one|that one|(?:the|this|that) (?:node|host|box|machine|worker|server))"
_REF = "(?!\\d{1,2}:\\d\\d(?![\\w.-]))(?:[\\w.\ue000-]+/)*[\\w.\ue000-]+:[\\w.-]*\\d[\\w.-]*"
_TAG = rf"(?:{_REF}|v?\d+\.\d[\w.-]*|v\d+[\w.-]*)"
_BUILD = r"(?:container )?(?:image|tag|version|build)"
_ROLLOUT = r"(?:rollouts?|roll-?out|releases?|deploy(?:ment)?s?|update|upgrade|canary)"
_ITS_ROLLOUT = rf"(?:(?:the|its|that|this|our|paused|halted|current|running|N(?:'s)?|{ENV}) )*{_ROLLOUT}"
_MUST = r"(?:should|must|needs? to|has to|have to|ought to|gotta|is supposed to|wants to|can|may|could)"
_WISHED = r"(?:need|want|like|get|have|see)"
_PODS = r"(?:pods?|workloads?|jobs?|stuff|things|load|containers?)"
_ALL_PODS = (
    rf"(?:everything|everybody|everyone|(?:all(?: of)?(?: the| its)? )?{_PODS}|all(?: of)? (?:it|them)|the rest)"
)
_CIRCULATION = (
    r"(?:rotation|service|scheduling|the (?:pool|cluster|mix|scheduler|rotation|fold)|circulation|use|business|duty)"
)
_DONE_TO: Final[dict[str, str]] = {
    "restart": r"(?:restarted|rebooted|bounced|recycled|kicked|redeployed)",
    "rollback": r"(?:rolled back|reverted|moved back|taken back|put back (?=to (?:rev|version|release|the last)))",
    "scale": r"(?:scaled|upscaled|downscaled|resized|doubled|tripled|halved)",
    "pause": r"(?:paused|frozen|halted|suspended|put on (?:hold|pause|ice))",
    "resume": r"(?:resumed|unpaused|unfrozen|continued)",
    "cordon": r"(?:cordoned(?: off)?|made unschedulable|taken out of " + _CIRCULATION + r")",
    "uncordon": r"(?:uncordoned|un-cordoned|made schedulable|(?:put|brought) back (?:in|into|to) "
    + _CIRCULATION
    + r")",
    "drain": r"(?:drained|evacuated|emptied|cleared out)",
    "delete_pod": r"(?:deleted|killed|evicted|nuked|terminated)",
}
"""What is to become of something: "I'd like web restarted", "web needs to be restarted"."""


def _become(done: str) -> tuple[str, ...]:
    """A wish that something be done to what is named. What keeps happening to it is none."""
    often = r"(?! (?:every|each|daily|weekly|often|again and|all the time|because|by|yesterday|already|last|too))"
    return (
        rf"(?:(?:i|we)(?:'d| would)? )?{_WISHED} (?:{_ONE}|{_NODE}) (?:to be |to get )?{done}{often}",
        rf"(?:{_ONE}|{_NODE}) (?:should|must|needs? to|has to|ought to|gotta|wants to) (?:be|get) {done}{often}",
        rf"N(?: {ENV})? {done}(?=(?: to \d+)?(?:,? (?:please|pls|plz)\b|\s*(?:$|[,;.!]|and\b|then\b)))",
    )


_OWN_EN: Final[dict[str, tuple[str, ...]]] = {
    "scale": (
        rf"(?:halve|double|triple|quadruple)(?= (?:{_ONE})(?: |\W|$))",
        (
            rf"(?:(?:i|we|it|they|you|N)(?:'d| would)? )?(?:really |just |only |definitely )?(?:needs?"
            rf"|wants?|like|could use|"
            rf"add|get|give|run|spin up|start|bring up|launch|throw(?: in)?|put|make|drop|remove|lose"
            rf"|cut|shed|take(?: away| off)?|kill|"
            rf"have|keep|use|set)(?: me| us| it| N| up)?(?: up| in)?(?: at| to| about| only| just"
            rf"| like)?(?: another)? {_NUM}"
            rf"(?: {_MORE})?(?: of(?: the| those| its)?)?(?: {ENV})? ?N?(?: {_MORE})? {_REPLICAS}(?! "
            rf"(?:down|up|ready|are|is|of N are))"
        ),
        (
            rf"(?:add|drop|lose|shed|subtract|knock off|chop|take off|plus|minus) {_NUM}(?: {_MORE})?(?: off"
            rf"| of (?:them|those))?{_POLITE_END}"
        ),
        (
            rf"(?:bring|get|put|take|set|make|push|move|ramp|crank|dial|knock|turn|bump|step|trim|shrink|grow|blow|"
            rf"expand|reduce|lower|raise|increase|drop|cut) {_ONE} (?:(?:back|up|down|out|in|over) )*"
            rf"(?:to|at|by|with|on) {_NUM}"
            rf"(?: {_MORE})?(?: {_REPLICAS})?(?![\d.:]*[.:/]\d)(?! (?:min|sec|hour|day|%))"
        ),
        (
            rf"{_ONE} (?:should|must|needs to|has to|ought to|gotta) (?:be|have|get|run|sit|stay|go)(?: up"
            rf"| down)?(?: at| on| with| to)? {_NUM} {_REPLICAS}"
        ),
        rf"{_ONE} (?:should|must|needs to|has to|ought to|gotta) go (?:up|down) to {_NUM}\b",
        rf"{_NUM}(?: {_MORE})? (?:{ENV} )?N(?: {_MORE})? {_REPLICAS}{_POLITE_END}",
        rf"(?:replica|pod|instance) count (?:(?:of|for|on) N )?(?:to|=|at|->) ?{_NUM}",
        rf"(?:x|times) ?\d+{_POLITE_END}(?<=\ue000 x\d)",
    ),
    "set_autoscaler": (
        (
            rf"{_ONE}(?: (?:should|must|needs to|has to|ought to|to))? (?:auto-?)?scale (?:itself|by itself"
            rf"|on its own|automatically|with (?:the )?load)"
        ),
        (
            r"(?:let|have|make|allow) (?:the )?N(?: to)? (?:auto-?scale|scale (?:itself|by itself"
            r"|on its own|automatically))"
        ),
        (
            r"(?:set|put|raise|lower|move|bump|push|lift|drop|bring|change|make|cap|limit|adjust)(?: up| down)? "
            r"(?:(?:the|its|N(?:'s)?|an?|on|of|for|hpa|autoscal\w+|scaling|replicas?) )*"
            r"(?:ceiling|floor|upper (?:bound|limit)|lower (?:bound|limit)|min(?:imum)?|max(?:imum)?)(?= |:|=)"
        ),
        r"(?:hpa|autoscal\w+)(?: (?:for|on|of))?(?: the)? N[\s:,]*(?:(?:to|of|from|between|min) )?(?=\d)",
        (
            rf"(?:between|from) {_NUM} (?:and|to) {_NUM}(?: {_REPLICAS})? (?:automatically|as needed"
            rf"|with load|depending on|by cpu|based on)"
        ),
    ),
    "set_image": (
        rf"new {_BUILD}(?: (?:for|on) N)?(?: is| to)?[\s:]+{_TAG}",
        (
            rf"(?:{_ONE} )?(?:{_BUILD} )?(?:should|must|needs to|has to|ought to) (?:be|become|read|run|use|go to|be on"
            rf"|be at)(?: on| at)?(?: {_BUILD})? {_TAG}"
        ),
        (
            rf"(?:switch|move|go|change|update|upgrade|bump|flip|roll|take|get|put|bring|set|use|deploy|ship)"
            rf"(?: (?:{_ONE}))?(?: over| up| forward| out)? ?(?:to|onto|on|with)? ?(?:that|this|the new"
            rf"|that new|the same) {_BUILD}"
        ),
        (
            rf"(?:(?:i|we)(?:'d| would)? )?(?:get|put|bring|take|set|make|push|move|ship|pin|point"
            rf"|install|swap|flip|switch|change"
            rf"|update|upgrade|bump|run|"
            rf"roll|deploy|release|use|try|pull|want|need|have) (?:{_ONE} )?(?:(?:over|up|out|forward|back) )?"
            rf"(?:(?:to|onto|on|at|with|for|use) )?(?:(?:the )?{_BUILD} )?{_REF}"
        ),
        rf"N(?:'s)? (?:{_BUILD} )?(?:to|onto|on|=|->|=>|:) ?{_REF}",
    ),
    "rollback": (
        (
            rf"(?:go|get|take|bring|put|move|flip|switch|send|step|fall|drop|set|rewind|jump|hop)(?: "
            rf"{_ONE})? (?:right |all the way )?back (?:to|onto|on) "
            rf"(?:(?:the|its|our) )?(?:rev(?:ision)?|version|release|build|last|previous|prior|old"
            rf"|earlier|one before|known|working|"
            rf"stable|good|r\d|v\d|#\d)"
        ),
        rf"{_ONE} {_MUST} (?:go|move|be) back to (?:rev(?:ision)? |version |number )?#?\d+(?! ?(?:{_REPLICAS}|\w*\.))",
        rf"{_ONE} {_MUST} (?:be|go|run|sit)(?: back)? (?:on|at|to) (?:the )?(?:rev(?:ision)?) #?\d+",
        (
            rf"rewind(?= {_ONE})|(?:back out|take out|undo|reverse|unwind|yank)(?= (?:that|the|this|last"
            rf"|yesterday's|today's|latest) (?:\w+ )?{_ROLLOUT})"
        ),
        r"fall ?back to (?:(?:the|its) )?(?:rev|version|previous|last|old|prior|#?\d)",
        rf"(?:revision|rev) #?\d+ (?:on|for|of) (?:the )?N{_POLITE_END}|N to rev(?:ision)? ?#?\d+{_POLITE_END}",
        (
            r"(?:(?:i|we)(?:'d| would)? )?(?:use|want|need|run|take|deploy|restore|get|like) (?:us |me |it "
            r"|N )?(?:back )?(?:to )?(?:the )?(?:revision|rev) #?\d+(?: back)?"
        ),
    ),
    "pause": (
        rf"(?:pause|stop|hold(?: off| up)?|halt|freeze|suspend|park|block|interrupt) {_ITS_ROLLOUT}",
        (
            rf"{_ITS_ROLLOUT}(?: (?:of|for|on) N)? (?:on (?:hold|pause|ice)|(?:should|must|needs to|has to"
            rf"|ought to) (?:pause|stop|wait|hold|halt|freeze))"
        ),
        (
            r"(?:don't|do not|dont) let (?:the )?(?:N|it) (?:roll|go|deploy|ship)(?: out)?(?: any)? (?:further|more)|"
            r"(?:put|hit|slam|step on) the brakes(?: on)?|(?:hit|press|push) (?:the )?pause(?: button)?(?: on| for)?|"
            r"(?:don't|do not|no) roll (?:it |N |this )?out any (?:further|more)|no further rollout"
        ),
    ),
    "resume": (
        (
            rf"(?:continue|resume|carry on|go on|proceed|keep going|finish|unblock|un-?pause|un-?freeze"
            rf"|pick up|move on|push on)"
            rf"(?: with)? {_ITS_ROLLOUT}"
        ),
        (
            rf"let (?:the )?(?:N|it) (?:roll|go|continue|proceed|carry)(?: (?:on|out|ahead|forward))+|"
            rf"(?:green light|go ahead|thumbs up|all clear)(?: is given)? (?:for|to|on|with) {_ITS_ROLLOUT}"
        ),
        rf"(?:kick|get|start|set) {_ITS_ROLLOUT} (?:off|going|moving|rolling|unstuck)(?: again)?",
        r"(?:N|it) (?:can|may|should|is ok to) (?:continue|go on|proceed|keep|carry on|resume)"
        r"(?: rolling| its rollout)?(?: out)?" + _POLITE_END,
        r"(?:take|lift|remove|clear|drop|release) (?:the )?(?:pause|hold|freeze)(?: (?:off|on|from|of))?",
        rf"let {_ITS_ROLLOUT}(?: of N)? (?:go|roll|continue|proceed|finish|run|move|carry)(?: on| out)?",
    ),
    "restart": (
        (
            r"(?:roll|cycle|rotate|recycle|flush|respawn) (?:all )?(?:(?:of )?the |its |N )*(?:pods"
            r"|replicas|instances)(?: (?:of|for|in) N)?"
        ),
        rf"(?:give|do) {_ONE} (?:a |another )?(?:\w+ )?(?:restart|bounce|kick|reboot|nudge|recycle)",
        (
            r"(?:get|have|do|need|want|see)(?: me| us)? (?:a |an |one |another )?(?:\w+ )?(?:re-?start"
            r"|bounce|reboot|kick)(?= (?:on|of|for) )"
        ),
        rf"(?:a )?(?:fresh|clean|new) start (?:for|of|to) {_ONE}",
        rf"(?:power-?cycle|respawn|respin|bounce|kick)(?= {_ONE})",
    ),
    "cordon": (
        (
            rf"(?:no|nothing)(?: (?:new|more|else|further))*(?: {_PODS}| scheduling)?(?: (?:should|must"
            rf"|may|can|gets?|to|shall))?"
            rf"(?: (?:be )?(?:land|go|run|start|schedule|scheduled|placed|put|sent)\w*)? (?:on|onto|to) {_THING}"
        ),
        (
            rf"(?:don't|do not|dont|stop|quit|never|no longer)(?: let(?:ting)?)? (?:schedul|put|plac"
            rf"|send|land|assign|add|run|pack)\w*"
            rf"(?: (?:anything|any|new|more|other|{_PODS}|else))* (?:on|onto|to) {_NODE}"
        ),
        (
            rf"(?:don't|do not|dont) let (?:anything|any|new|more|{_PODS}| )+ (?:land|schedule|go|run"
            rf"|start)\w* (?:on|onto|to) {_NODE}"
        ),
        rf"(?:pull|take|get|yank|keep|remove) {_NODE} out of {_CIRCULATION}",
        (
            rf"(?:lock|close|block|seal|fence|shut|freeze)(?: off| down)? {_NODE} (?:for|to|from|against) "
            rf"(?:any )?(?:new )?(?:scheduling|{_PODS})"
        ),
        (
            rf"(?:put|slap|place|throw|set) (?:a|the) cordon on|keep (?:(?:any|new|more|the) )*{_PODS} "
            rf"(?:off|away from)(?: of)? {_NODE}"
        ),
        (
            rf"{_NODE} (?:should|must|may|can) (?:not|no longer) (?:get|take|receive|accept|host|run"
            rf"|be scheduled|be used)(?: any)?(?: (?:new|more))*(?: {_PODS})?"
        ),
    ),
    "uncordon": (
        (
            rf"(?:put|bring|get|take|let|add|return|slot|place|pull|move|have|want|need) {_NODE} (?:back|again)"
            rf"(?: (?:in|into|to|on|onto|for)(?: {_CIRCULATION})?| online)?(?! (?:rev|version|the "
            rf"(?:prev|last|old)|\d))"
        ),
        (
            rf"(?:let|allow|start|permit)(?: (?:new|any|the|more))* {_PODS} (?:(?:to )?(?:be )?(?:land|go"
            rf"|run|start|schedul|plac|back)\w*) (?:on|onto|to) {_NODE}"
        ),
        (
            rf"(?:let|allow) {_NODE} (?:to )?(?:take|have|get|run|accept|receive|host|schedule|work)(?: "
            rf"(?:new|any|more))*(?: {_PODS})?"
        ),
        r"(?:take|lift|remove|drop|undo|clear|get|pull)(?: off)? (?:the |that |its )?cordon(?: (?:off|from|on|of))?",
        (
            rf"{_NODE} (?:can|may|should|is ok to|is allowed to) (?:take|be|get|accept|host|run|receive)(?: "
            rf"(?:new|used|scheduled|schedulable|{_PODS}))+(?: on)?(?: again| now)?"
        ),
        (
            rf"{_NODE} (?:can|may|should) (?:go|come|be) back (?:in|into|to) {_CIRCULATION}|{_THING} back "
            rf"(?:in|into|to) {_CIRCULATION}"
        ),
        (
            rf"(?:re-?open|open(?: up)?|unlock|unblock|release|free)(?: up)? {_THING}(?: (?:for|to) "
            rf"(?:scheduling|business|{_PODS}))?"
        ),
        rf"(?:re-?)?(?:enable|allow|start|resume|turn on) scheduling (?:again )?(?:on|to|for) {_NODE}",
    ),
    "drain": (
        (
            rf"(?:move|kick|get|shift|push|evict|clear|migrate|relocate|chase|boot|take|throw|reschedule|flush|empty) "
            rf"{_ALL_PODS} (?:off|out|away|from|elsewhere)(?: of| from)?(?: {_NODE})?"
        ),
        rf"(?:empty|clear|vacate|evacuate|flush)(?: out)?(?= {_NODE}(?:\W|$))",
        (
            rf"{_THING} (?:needs?|has|must|should|wants?)(?: to)?(?: be)? (?:emptied|evacuated|drained|empty"
            rf"|draining|emptying)"
        ),
    ),
    "delete_pod": (
        (
            r"(?:delete|kill|evict|terminate|nuke|remove|zap|destroy|get rid of|wipe|throw out|drop"
            r"|take down|trash|shoot|bin)"
            r" (?:(?:the|that|this|stuck|bad|broken|evil|old|one|crashing|its|poor) )*(?:pod |po/|pod/)?"
            r"(?=N\b|[a-z][a-z0-9-]*-(?:[a-z0-9]{8,10}-[a-z0-9]{5}|\d{1,3})\b)"
        ),
    ),
}
EN: Final[dict[str, tuple[str, ...]]] = {
    intent: (*_OWN_EN.get(intent, ()), *(_become(_DONE_TO[intent]) if intent in _DONE_TO else ()))
    for intent in {**_OWN_EN, **_DONE_TO}
}
"""Per action, in English."""

_SOME = r"\s?(?:\d+|[一二两俩仨三四五六七八九十百几]{1,4})\s?"
_UNITS = r"(?:个|台|份|只)?\s?(?:副本|实例|pods?|节点)"
_TURN = (
    r"(?:改|调|设|变|调整|设置|弄|搞|整|升|降|加|减|拉|提|干|顶|堆|砍|扩|缩|补|上|开|起|压|收|"
    r"增加|减少|提升|恢复|保持|做|拽|提溜|推|搁|放)"
)
_UP = r"(?:高|大|小|低|回|起|满|升|上|下|掉|到)?"
_NODES = (
    r"(?:(?:节点|机器|主机)\s?)?(?:N|(?=[a-z][a-z0-9.]*-[a-z0-9.-]*\d)[a-z][a-z0-9.-]*[a-z0-9])"
    r"(?:\s?(?:这|那)?[台个](?:节点|机器|主机)?|\s?节点|\s?机器)?"
)
_IT_NODE = rf"(?:{_NODES}|它|[这那]台(?:机器|节点)?|[这那]个?(?:节点|机器)|节点|机器)"
_ALL = r"(?:所有的?|全部的?|全都?|一切|都|整个|的|上面?|里面?|\s)*"
_LOAD = r"(?:pods?|负载|容器|东西|服务|业务|任务|工作负载|应用|实例)"
_AWAY = r"(?:迁|赶|清|撵|挪|搬|请|移|撤|弄|驱逐|驱赶|转移|迁移|腾|倒)"
_RELEASE = r"(?:发布|发版|上线|滚动更新|滚动|更新|部署|升级|灰度|rollout|release|金丝雀|canary)"
_ENDS = r"(?=\s*(?:$|[,!;?]|\.(?!\d)|吧|呗|啊|哈|谢|先|一下|下(?!来|去)|请|麻烦|让|它|好(?:吗|吧|不)|行(?:吗|不)))"
_LIGHT = r"(?:打|挂|上|加|设|做|来|搞|弄|贴|给)(?:一?个|上|一?下|好|了)?\s?"
_OFF = r"(?:取消|去掉|去除|摘掉|摘了|拿掉|移除|撤掉|撤了|撤销|解除|解开|放开|打开|松开|关掉|消掉|弄掉)"
_CORDONED = r"(?:封锁|cordon|隔离|不可调度|禁止调度|禁调度?|污点|调度限制)"

ZH: Final[dict[str, tuple[str, ...]]] = {
    "scale": (
        rf"{_TURN}{_UP}(?:到|成|为|至)?{_SOME}{_UNITS}{_ENDS}",
        rf"(?:缩|扩|砍|减|加)(?:掉|上|去|少|多)?\s?(?:一半|一倍|两倍|三倍|{_SOME}(?:倍|个|台))",
        (
            rf"(?:少|多)(?:跑|开|起|留|放|来|上|搞|加|挂|用|弄|整|给|要|拉|搁){_SOME}(?:个|台|份|只)?\s?"
            rf"(?:副本|实例|pods?)?{_ENDS}"
        ),
        (
            rf"(?:留|剩|保留|保持|维持|撑到|顶到)(?:下|到|住|着|在)?{_SOME}(?:个|台|只)\s?(?:副本|实例"
            rf"|pods?)?(?:就行|就够|即可|就好|跑)?{_ENDS}"
        ),
        rf"(?:去掉|拿掉|撤掉|关掉|下掉|停掉|砍掉|裁掉|干掉|收掉){_SOME}(?:个|台|份)\s?(?:副本|实例|pods?)?{_ENDS}",
        r"(?:副本|实例)(?:数量?|个数)?(?:这样|这么|如下|按这个|按下面的?)(?:调|改|设|配|来|弄|调整|设置)",
        rf"(?<=\ue000)\s?(?:副本|实例|pods?)(?:数量?|个数)?\s?(?:给我|都|先|就|也)*{_TURN}{_UP}(?:到|成|为|至)?{_SOME}",
        (
            rf"(?<=\ue000)\s?(?:给我|先|就|也)?{_TURN}{_UP}(?:到|成|为|至){_SOME}(?:个|台|份|副本|实例"
            rf"|pods?)?{_ENDS}(?!版)"
        ),
    ),
    "set_autoscaler": (
        (r"(?:自己|自动|能自己|会自己)(?:去)?(?:弹性)?(?:伸缩|扩缩容?|扩容|弹|弹性|缩放|扩)(?!容器)"),
        (
            rf"(?:hpa|自动(?:水平)?(?:伸缩|扩缩容?|扩容)|弹性伸缩|弹性)\s?(?:给|的|范围|区间|上下限|放|开|弄|来"
            rf"|要|用|卡|定|在|为|从|\s)*(?={_SOME}\s?(?:到|至|~|-|个))"
        ),
        rf"{_LIGHT}(?:自动(?:水平)?(?:伸缩|扩缩容?|扩容)|弹性伸缩|弹性|hpa|autoscal\w+)(?!\w)",
        (
            r"(?:上限|下限|最大|最小|最多|最少)(?:副本数?|值|数)?\s?(?:给|放|提|拉|抬|压|收|升|降|加|减"
            r"|调|改|设|定|卡|弄|搞|整|扩|缩)(?:高|低|大|小|宽|窄|到|成|为|至|在)*\s?(?=\d"
            r"|[一二两三四五六七八九十])"
        ),
        rf"(?:范围|区间)\s?(?:给|放|调|改|设|定|卡|弄|变)?(?:到|成|为|至|在)?{_SOME}(?:到|至|~|-){_SOME}",
    ),
    "set_image": (
        (
            r"(?:上|发|推|用|部署|跑|换|切|升|更新|升级|改|打|挂|刷|替换)(?:一?下|个|这个|到|成|为|至"
            r"|去|上|用|回|新的?)*\s?"
            r"(?:新的?)?(?:(?:tag|镜像|image|build|包)\s?(?:为|成|到|是|:|=)?\s?(?=[\w.-]*\d)(?!\d+\s?个)|"
            r"版本\s?(?:为|成|到|是|:|=)?\s?(?=v?\d+\.\d|v\d))"
        ),
        (
            r"(?:镜像|image|tag)\s?(?:应该|要|得|就|给|请|给我|先|统一|都)*(?:是|用|换|改|切|成|为|到|走"
            r"|上|更新|升|变|指|指向|设|定)+(?:到|成|为|至)?"
        ),
        r"(?:换|切|升|上|用|改)(?:成|到|为|上)?(?:这个|那个|新的?|这)(?:镜像|tag|版本|image|包)",
        (
            r"(?<=\ue000)\s?(?:给我|先|也|都|统一|请|麻烦|直接)*(?:上|发|推|用|部署|跑|换|切|升|更新"
            r"|升级|改|打|刷|走)(?:到|成|为|至|上)?\s?"
            r"(?=(?:[\w.-]+/)*[\w.-]+:[\w.-]*\d|v?\d+\.\d|v\d)"
        ),
    ),
    "restart": (
        (
            r"(?:踹|弹|踢|拍|敲)(?:N|它)?(?:一?下|一?脚|两下)(?!消息)|(?:再|重新|重)(?:起|拉|跑|启)起?"
            r"(?:一?下|一?遍|一?次|来|起来|一把)|"
            r"(?:来|搞|做|给|整|走|上|执行|安排)(?:一?个|一?次|一?把|一波|一?下|一?场|一?发)?\s?"
            r"(?:滚动)?(?:重启|restart|重起)(?!的|过|了|次|原|后|前|记|历|策|单|流程|方案|预案|手册|申请"
            r"|需求)"
        ),
    ),
    "rollback": (
        (
            r"(?:倒|退|回|滚|切|换|撤|恢复|还原|弄|搞|拉|改|降|打|调|挪)(?:回|退|滚)?(?:去|来)?(?:到|成"
            r"|为|至)?\s?(?:第?\s?\d+|上|前|旧|老|原|之前|昨|rev)"
            r"(?!先|看|要|得)[^,;.!?\d\s看先查]{0,4}?\s?(?:个|号|#)?(?:稳定)?(?:那个|的)?(?:版本?"
            r"(?!历)|revision|rev|发布|镜像)(?!的|是)"
        ),
        rf"(?:倒|退|滚|切|撤)(?:回|退)(?:去|来|掉|了|一下)?(?:到|成|至)?\s?(?:revision|rev|版本)?\s?#?\d*{_ENDS}",
        (
            r"(?:往|向)?[回后前]?(?:倒|退|回|滚|撤)(?:回|退)?\s?(?:一|两|二|三|[123])\s?(?:个|代)版本?|(?:倒|退|回|滚|"
            r"切|换)回?(?:到|至)?\s?(?:revision|rev)\s?#?\d+|(?:要|用|回|到|切|换)(?:到"
            r"|成)?\s?\d+\s?(?:那个|号|这个)?\s?(?:revision|rev|版)"
        ),
        (
            rf"(?:取消|撤销|作废|回撤|撤)(?:掉|了)?\s?(?:刚才|刚刚|这次|上次|那次|最近|最后|昨天|今天)的?"
            rf"(?:一次|那次)?的?{_RELEASE}"
        ),
    ),
    "pause": (
        r"(?:按|点|打|叫|摁|踩)(?:个|一?下|住|上|了)?\s?(?:暂停|pause|停|刹车)",
        (
            rf"{_RELEASE}(?:[^,;!?\n]{{0,6}}?)(?:卡住|停住|按[住停]|摁住|停在[这此那]\w?|停下来?|刹住|刹车|挂[住起]|"
            rf"冻住|缓一缓|停了(?!没|吗)|叫停|捂住"
            rf"|先别走|先停|停一停|别往下走?)"
        ),
        rf"(?<=\ue000)\s?(?:先|也|给我)?(?:停|暂停|别|不要)(?:再)?发(?:布|版)?(?:了)?{_ENDS}",
        r"发(?:布)?到一半[^,;!?]{0,4}?(?:停|卡|按)(?:住|下|一下)?",
        r"(?:不要|别|先别|不能)(?:再)?(?:继续|接着|往下|往前)(?:发布?|推|滚|上|走|更新|放量)(?!吗)",
        (
            rf"(?:把|给)?(?:N|它)\s?(?:的)?{_RELEASE}\s?(?:给我|先|给|快|赶紧)*(?:停|卡|冻|按|挂|拦|截|憋"
            rf"|刹)(?:住|掉|了|下|一下|起来|下来)?+{_ENDS}"
        ),
        (
            rf"(?:停|卡|冻|按|拦|截|刹|叫停|hold)(?:住|掉|了|下|一下)?\s?(?:(?:N|它)\s?的?|(?:当前|这次"
            rf"|本次|正在进行的)的?)*{_RELEASE}"
        ),
    ),
    "resume": (
        rf"(?:接着|继续|恢复)(?:往下|往前|把)?(?:发布?|滚|推|走|更新|放量|上|跑)(?:吧|了|完|下去|动|起来)?{_ENDS}",
        (
            rf"{_RELEASE}(?:[^,;!?\n别不停按暂卡没]{{0,5}}?)(?:接着|继续|恢复|放行|往下|放开)(?:走|来|推|发|滚|跑|更新|"
            rf"放)?"
            rf"(?:吧|了)?{_ENDS}"
        ),
        rf"{_OFF}\s?(?:N|它)?\s?(?:的)?{_RELEASE}?的?\s?(?:暂停|冻结|hold|锁)",
        (
            rf"(?:继续|接着|恢复|放行|放开|unpause|resume)\s?(?:一下)?(?:N|它)?\s?(?:的|被|那个|暂停的?"
            rf"|停住的?|卡住的?|当前|这次)*\s?{_RELEASE}"
        ),
        r"(?<=\ue000)\s?(?:恢复|继续|放行|接着)(?=\s*(?:$|[,.!;吧]))",
    ),
    "cordon": (
        rf"{_LIGHT}{_CORDONED}(?!的)",
        (
            rf"封(?:上|住|掉|好|起来)?(?=\s?{_NODES})|(?<=\ue000)\s?(?:先|也|给我|给)?封(?:上|住|掉|好|起来"
            rf"|一?下)?+{_ENDS}"
        ),
        (
            rf"(?:别|不要|不许|不能|禁止|停止|甭|勿|不准)(?:再)?(?:继续)?(?:把|让|往|给|向|有)?(?:新的?"
            rf"|任何|别的)?\s?{_LOAD}?(?:都|再)?"
            rf"(?:往|上|到|给|向)\s?(?:它|{_NODES}|这台|那台|那边|这边|上面)(?:上面?|里|去)?(?:再)?(?:继续)?"
            rf"(?:调度?|放|塞|派|排|扔|丢|分|安排|跑)(?:新的?|任何)?\s?{_LOAD}?(?:了|过来|过去|上去|进来)?"
        ),
        (
            rf"(?:别|不要|不许|不能|甭|勿|不准)(?:再)?(?:继续)?(?:让|有|给|派|调|放|塞|分|收|接)(?:新的?"
            rf"|任何|别的)\s?{_LOAD}(?:再|上|进|调|过)*(?:来|去|了|上去|上来|进来|过来|过去)*"
        ),
        (
            rf"(?:关|停|锁|封|禁)(?:掉|住|了|上|一下|死)?\s?{_IT_NODE}\s?(?:的)?\s?调度|{_IT_NODE}\s?"
            rf"(?:的)?调度(?:给我|先|给)*(?:关|停|锁|封|禁)(?:掉|住|了|上|死)?"
        ),
        r"(?:踢|摘|拿|移|拉|撤)(?:出|下)(?:来|去)?(?:调度|轮转|集群|池子?|线)?(?:池|来|去)?",
    ),
    "uncordon": (
        (
            r"(?:放|加|接|拉|弄|挪|捞|还|塞|挂|搬|恢复|归|领|请)回(?:来|去|集群|池子?里?|调度|线上|轮转"
            r"|使用|队列|资源池|原位|岗)(?:里|中|池)?"
        ),
        (
            r"(?:重新|又|恢复|再)(?:投入|参与|加入|接受|接收|开放|放开|接|允许|上|打开|能)(?:使用|调度|集群"
            r"|负载|流量|pods?|新\s?pods?|业务|轮转|岗|线)+"
        ),
        rf"{_OFF}\s?(?:{_IT_NODE})?\s?(?:的|上的?)?\s?{_CORDONED}",
        rf"(?:{_CORDONED})\s?(?:给我|可以|都|先|给|帮我)*{_OFF}",
        (
            rf"{_IT_NODE}\s?(?:现在|已经?|又|重新|也)?(?:可以|能|该)(?:重新|再|继续|开始|接着|被)*(?:调度"
            rf"|接\s?pods?|跑|用|接活|干活|上\s?pods?|接新\s?pods?|接负载|放\s?pods?)(?:了|吧|pods?)*"
            rf"{_ENDS}"
        ),
        (
            rf"(?:让|允许|放)(?:新的?)?\s?(?:{_LOAD}|调度器)?(?:重新|再|继续|可以|能)*(?:往|上|到|给)?\s?"
            rf"{_IT_NODE}\s?(?:上面?|里)?(?:重新|再|继续|可以|能)*(?:上|调度|跑|接|放|去|排|收)(?:"
            rf"{_LOAD})?"
        ),
        rf"(?:放开|打开|开启|启用|恢复|开放|重开|开)(?:一下|了)?\s?(?:{_IT_NODE})?\s?(?:的)?\s?(?:可?调度|schedul\w+)",
    ),
    "drain": (
        (
            rf"(?:把)?{_ALL}{_LOAD}(?:们)?(?:全|都|全部|给我|先|给|统统|请|先都|\s)*{_AWAY}(?:走|掉"
            rf"|开|出去|到别处|到别的|到其[他它]|空|干净|下来|光)?"
        ),
        rf"{_AWAY}(?:走|掉|开|空|光|干净)?\s?(?:{_IT_NODE})\s?(?:上面?|里面?)?(?:的)?{_ALL}{_LOAD}",
        rf"{_AWAY}(?:走|掉|开)?\s?(?:所有|全部|上面?的?|里面?的?)+{_LOAD}",
        rf"(?:腾|清|排|倒|掏)(?:空|干净|一?下|出来|光)\s?(?:节点|机器)?(?=\s*(?:{_NODES})|{_ENDS})",
        rf"{_LIGHT}(?:排空|drain|腾空|驱逐)",
    ),
    "delete_pod": (
        (
            rf"(?:清|删|杀|干|踢|弄|毙|灭|做|扔|撤|kill|delete)(?:掉|了|除|死|一下|下|没)\s?(?:那个|这个|卡住的?"
            rf"|坏的?|挂的?)?\s?(?:pods?\s?)?(?={_NODES})"
        ),
        (
            rf"(?:(?<=[a-z0-9]{{5}})|(?<=-\d)|(?<=\ue000))\s?(?:这个|那个)?(?:pods?)?\s?(?:给我"
            rf"|给|先|直接|帮我|麻烦|请|也)*(?:清|删|杀|干|踢|弄|毙|扔|kill|delete|重建)(?:掉|了|除|死|一?下|没)?+"
            rf"{_ENDS}"
        ),
        (
            r"(?:清|删|杀|干|踢|弄|毙|扔|kill|delete|重建|重启)(?:掉|了|除|死|一?下)?\s?(?:那个|这个|卡住的?"
            r"|坏的?|挂的?|一个|N的?|的)*\s?pods?(?![a-z])"
        ),
    ),
}
"""Per action, in Chinese."""
