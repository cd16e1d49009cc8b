"""Orders told by what they are about: a wide class of verbs beside an object that leaves no doubt. Data only.

The tables of `triggers_en` and `triggers_zh` list verbs that mean one action whatever they stand beside. Here the
object decides: a node beside "back in rotation", a number beside "replicas", an image beside a service. Whether the
words are an order at all is decided in `orders`, as for all others.
"""

from __future__ import annotations

from typing import Final

from chatops_bot.adapters.rules.text.numbers import NUM

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
_PLACED = (
    rf"(?: (?:in|on|from|of) (?:the )?(?:(?:namespace|ns) )?[a-z][a-z0-9-]*(?: (?:namespace|ns))?(?![\w-])| {ENV}|"
    r" -n [a-z][a-z0-9-]*)?"
)
"""Where a service is said to be, behind its name."""
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
    "scale": (
        r"(?:(?:brought|taken|bumped|raised|lowered|moved|put|set|cut)(?: (?:back|up|down|out|over))* "
        r"(?:to|at|by)(?= (?:\d|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty))|"
        r"given(?= (?:\d|one|two|three|four|five))|"
        r"scaled|upscaled|downscaled|resized|doubled|tripled|halved)"
    ),
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
        (
            rf"(?:{_ONE}|{_NODE}) (?:both |all |each |please )?(?:(?:should|must|needs? to|has to|ought to|gotta|wants "
            rf"to|is to|are to) "
            rf"(?:both |all )?(?:be|get)|gets?) {done}{often}"
        ),
        rf"if (?:{_ONE}|{_NODE}) (?:could|might|would|can) (?:please |kindly )?be {done}{often}",
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
        (
            rf"(?:give|get|grant|lend|hand|bring|put|take|have|run|keep|set|make) (?:the )?N{_PLACED}"
            rf"(?: (?:to|at|on|with|up to))? {NUM}(?: {_MORE})? {_REPLICAS}"
        ),
        (
            rf"(?:(?:i|we)(?:'d| would)? )?(?:want|need|like|see|have|get|keep)(?: to (?:see|have|get))? (?:the )?N"
            rf"{_PLACED} (?:to )?(?:(?:be|run|go|sit|running|up|going|sitting) )+(?:with|on|at|to) {NUM}(?: {_MORE})? "
            rf"{_REPLICAS}"
        ),
    ),
    "set_autoscaler": (
        (
            rf"{_ONE} (?:please )?(?:have|has|get|gets|needs?|wants?|deserves?|could use|use) (?:an? |some |its own "
            rf")?(?:hpa|autoscal\w+)"
        ),
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
        (
            r"(?:hpa|autoscal\w+)(?: (?:for|on|of))?(?: the)? N(?: (?:and|&) (?:the )?N)?(?: (?:both|each|"
            r"all))?[\s:,]*(?:(?:to|of|from|between|min) )?(?=\d)"
        ),
        (
            rf"(?:the )?(?:hpa|autoscal\w+)(?:(?: (?:for|on|of))?(?: the)? N{_PLACED})?,? "
            rf"(?:should(?:n'?t)?|must(?:n'?t)?|may not|can(?:no|'?)t|never)(?: not| never)? "
            rf"(?:go|drop|fall|be|sink|climb|grow|rise|scale)(?: to)? "
            rf"(?:under|below|above|over|past|beyond|less than|more than) {NUM}"
        ),
        (
            rf"(?:hpa|autoscal\w+)(?:'s)? (?:min|max)(?:imum)?(?: replicas)?(?: (?:for|on|of))?(?: the)? N{_PLACED}"
            rf"(?:[:,]? (?:set|make|put|move) (?:it|that) (?:to|at)|[:,]? to| ?[:=])? {NUM}"
        ),
        (
            rf"(?:between|from) {_NUM} (?:and|to) {_NUM}(?: {_REPLICAS})? (?:automatically|as needed"
            rf"|with load|depending on|by cpu|based on)"
        ),
    ),
    "set_image": (
        rf"new (?:image )?{_BUILD}(?: (?:for|on|of) (?:the )?N{_PLACED})?(?: is| to)?[\s:]+{_TAG}",
        (
            rf"(?:switch|move|change|update|upgrade|bump|flip|roll|take|get|put|bring|set|swap|point)(?: the)? "
            rf"N{_PLACED} (?:(?:over|up|forward|on) )*(?:to|onto|on|at|with) (?:the )?(?:(?:new|image|container) )*"
            rf"(?:tag|image|build)[ :=]+[\w./:-]*\d[\w.-]*"
        ),
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
        rf"(?:roll|take|put|bring|move|switch|set|get) (?:the )?N{_PLACED} back (?:to|onto|on) (?:that|this|it)\b",
        rf"roll (?:the )?N{_PLACED} back",
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
            rf"(?: (?:be )?(?:land|go|run|start|schedule|scheduled|placed|put|sent)\w*)? (?:on|onto|to) {_NODE}"
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
            rf"(?: (?:in|into|to|on|onto|for)(?: {_CIRCULATION})?| online)?(?! (?:how|the way|as it|like it|what|where|"
            rf"rev|version|the "
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
        rf"{_THING} (?:is )?to (?:be )?(?:drain|empty)(?:ed)?{_POLITE_END}",
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
